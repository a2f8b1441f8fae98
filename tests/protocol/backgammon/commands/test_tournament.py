import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from bot.weights import weights_file
from protocol.backgammon.formats.match_file import read_match
from protocol.cli import main
from tests.bench.check_kill import check as check_kills
from tests.processes import LIMIT, child, fake_program, hang_ups_heard
from tests.protocol.backgammon.formats.test_met_file import GOOD


def ubgi(way):
    return f"ubgi:{fake_program('ubgi_program', way)}"


def result_of(capsys, *words):
    assert main(["match", *words, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    return lines[:-1], lines[-1]


def test_two_players_by_name_are_reported_for_people(capsys):
    assert main(["match", "pubeval", "blockers", "--games", "19", "--sprt", "0", "0.1"]) == 0
    said = capsys.readouterr()
    assert "playing 20 instead of 19" in said.err
    lines = said.out.splitlines()
    assert lines[0] == "pubeval against blockers, 20 money games, cubeless, seed 1"
    assert lines[-1].startswith("LLR +")
    assert "(0 to 0.1), 10 pairs, points per game +" in lines[-1]
    assert "(1-point matches)" in lines[-1]


def test_programs_get_an_event_a_line(capsys):
    pairs, result = result_of(capsys, "pubeval", "blockers", "--games", "6", "--length", "2")
    assert [(event["event"], event["pair"]) for event in pairs] == [("pair", n) for n in range(3)]
    assert all(len(event["points"]) == 2 for event in pairs)
    assert (result["event"], result["pairs"], result["samples"]) == ("result", 3, 3)
    assert result["line"].startswith("3 pairs, ")


def test_a_run_is_gone_on_with_by_its_settings_and_exported(tmp_path, capsys):
    path = tmp_path / "run.db"
    begun = ["pubeval", "blockers", "--games", "8", "--length", "3", "--seed", "5"]
    _, result = result_of(capsys, *begun, "--record", str(path))
    assert result_of(capsys, "--resume", str(path))[1] | {"decisions_and_seconds": 0} == result | {
        "decisions_and_seconds": 0
    }
    for format in ("mat", "sgf"):
        assert (
            main(["match", "--export", str(path), f"--{format}", str(tmp_path / f"g.{format}")])
            == 0
        )
    for number in range(1, 9):
        name = "g" if number == 1 else f"g_{number:03}"
        mat, sgf = (read_match(tmp_path / f"{name}.{it}").whole for it in ("mat", "sgf"))
        assert mat.games == sgf.games
        assert max(mat.games[-1].points_after) >= 3
    assert main(["match", "--export", str(path)]) == 2
    assert "say where with --mat or --sgf" in capsys.readouterr().err


def test_matches_that_are_played_anew_are_told_as_matches(tmp_path, capsys):
    path = str(tmp_path / "run.db")
    begun = ["pubeval", "random", "--games", "2", "--length", "1", "--no-cube", "--record", path]
    assert main(["match", *begun]) == 0
    assert main(["match", "--resume", path, "--games", "4"]) == 0
    assert "the last 2 matches are played anew" in capsys.readouterr().err


def test_a_run_is_gone_on_with_to_more_games(tmp_path, capsys):
    path = tmp_path / "run.db"
    players = ["pubeval", "random"]
    result_of(capsys, *players, "--games", "70", "--record", str(path))
    more = result_of(capsys, "--resume", str(path), "--games", "149")[1]
    whole = result_of(capsys, *players, "--games", "150")[1]
    assert more["pairs"] == 75
    assert more | {"decisions_and_seconds": 0} == whole | {"decisions_and_seconds": 0}
    assert result_of(capsys, "--resume", str(path))[1]["pairs"] == 75
    assert main(["match", "--resume", str(path), "--games", "70"]) == 1
    said = f"blot: --games 70 is less than the 150 that {path} was told to play\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize(
    ("words", "said", "begun"),
    [
        (["--seed", "6"], "--seed 6", "with --seed 1"),
        (["--length", "5"], "--length 5", "without it"),
        (["--cube"], "--cube", "with --no-cube"),
        (["--no-jacoby", "--luck"], "--luck", "without it"),
        (["--sprt", "0", "0.2"], "--sprt 0 0.2", "without it"),
        (["--max-faults", "3"], "--max-faults 3", "with --max-faults 10"),
        (
            ["blockers", "pubeval"],
            "the players blockers pubeval contradict",
            "with the players pubeval blockers",
        ),
        (["--round-robin"], "--round-robin", "without it"),
    ],
)
def test_an_option_that_contradicts_the_run_is_refused_as_it_was_given(
    tmp_path, capsys, words, said, begun
):
    path = tmp_path / "run.db"
    assert main(["match", "pubeval", "blockers", "--games", "4", "--record", str(path)]) == 0
    capsys.readouterr()
    assert main(["match", *words, "--resume", str(path)]) == 1
    verb = "" if said.endswith("contradict") else " contradicts"
    sentence = f"blot: {said}{verb} {path}, which was begun {begun}\n"
    assert capsys.readouterr().err == sentence
    assert main(["match", "--resume", str(path), "--seed", "1", "--games", "3"]) == 0


def test_beavers_are_refused_as_a_run_was_begun_without_or_with_them(tmp_path, capsys):
    path = tmp_path / "run.db"
    rules = ["--cube", "--beavers", "--games", "2"]
    assert main(["match", "easy", "random", *rules, "--record", str(path)]) == 0
    capsys.readouterr()
    assert main(["match", "--resume", str(path), "--no-beavers"]) == 1
    said = f"--no-beavers contradicts {path}, which was begun with --beavers"
    assert capsys.readouterr().err == f"blot: {said}\n"
    assert main(["match", "--resume", str(path), "--beavers"]) == 0


def test_a_run_does_not_go_on_with_other_weights(tmp_path, capsys):
    weights, path = tmp_path / "w.npz", tmp_path / "run.db"
    shutil.copy(weights_file("easy"), weights)
    assert main(["match", str(weights), "random", "--games", "2", "--record", str(path)]) == 0
    assert main(["match", "--resume", str(path), "--games", "4"]) == 0
    shutil.copy(weights_file("medium"), weights)
    capsys.readouterr()
    assert main(["match", "--resume", str(path), "--games", "6"]) == 1
    said = f"blot: {weights} is another network now than {path} was begun with: "
    assert capsys.readouterr().err.startswith(said)
    assert main(["match", "--export", str(path), "--mat", str(tmp_path / "g.mat")]) == 0


def test_a_run_does_not_go_on_with_other_match_equities(tmp_path, capsys):
    table, path = tmp_path / "met.xml", tmp_path / "run.db"
    table.write_text(GOOD)
    rules = ["--length", "3", "--met", str(table), "--games", "2"]
    assert main(["match", "easy", "random", *rules, "--record", str(path)]) == 0
    assert main(["match", "--resume", str(path), "--met", str(table)]) == 0
    table.write_text(GOOD.replace("0.49", "0.48"))
    capsys.readouterr()
    assert main(["match", "--resume", str(path)]) == 1
    said = f"blot: {table} is another table now than {path} was begun with: "
    assert capsys.readouterr().err.startswith(said)


def test_match_equities_that_nobody_asks_for_are_refused(tmp_path, capsys):
    table = tmp_path / "met.xml"
    table.write_text(GOOD)
    words = ["match", "random", "pubeval", "--length", "3", "--games", "2", "--met", str(table)]
    assert main(words) == 2
    assert capsys.readouterr().err.startswith("blot: --met is for players who think")
    assert main([*words, "--luck"]) == 0


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["pubeval"], 2, "name two players or more"),
        (["pubeval", "random", "blockers"], 2, "with 3 players say --round-robin or --gauntlet"),
        (["pubeval", "nobody", "--games", "1"], 1, "no player 'nobody'"),
        (["pubeval", "random", "--opponent", "random"], 2, "two ways to say who plays"),
        (["pubeval", "td-128", "--ply", "2"], 2, "--ply is for --opponent"),
        (["pubeval", "random", "--max-faults", "0"], 2, "--max-faults is 1 or more, not 0"),
        (["pubeval", "random", "--sprt", "1", "0"], 2, "the bounds of a test rise"),
        (["pubeval", "random", "--sprt", "0", "1e300"], 2, "are -100 to 100 standard deviations"),
        (["pubeval", "random", "--record", "a.db", "--resume", "b.db"], 2, "cannot be had at once"),
        (["--resume", "none.db"], 1, "there is no run to go on with at none.db"),
        (["--luck"], 2, "--luck is for players by name"),
        (["--opponent", "random", "--record", "a.db"], 2, "--record is for players by name"),
        (["pubeval", "random", "--engines", "none.toml"], 1, "cannot read none.toml"),
        (["pubeval", "random", "--beavers"], 2, "--beavers is a rule of the cube"),
        (["random:3", "pubeval:2"], 1, "random does not look ahead: leave out :3"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(capsys, words, code, sentence):
    assert main(["match", *words]) == code
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("blot: ")
    assert sentence in said


@pytest.mark.parametrize("count", ["0", "1000", "two"])
def test_as_many_processes_as_there_cannot_be_are_wrong_usage(capsys, count):
    with pytest.raises(SystemExit) as stop:
        main(["match", "pubeval", "random", "--parallel", count])
    assert stop.value.code == 2
    said = capsys.readouterr().err
    assert f"argument --parallel: 1 to 256 processes, not {count}; see" in said


def test_a_run_of_players_that_there_are_not_leaves_no_file(tmp_path, capsys):
    path = tmp_path / "run.db"
    assert main(["match", "nobody", "pubeval", "--record", str(path)]) == 1
    assert "no player 'nobody'" in capsys.readouterr().err
    assert not path.exists()


def test_an_engines_file_without_a_table_of_a_player_is_refused(tmp_path, capsys):
    engines, path = tmp_path / "eng.toml", tmp_path / "run.db"
    engines.write_text("[simple]\nplayer = 'blockers'\n")
    given = "--engines", str(engines)
    assert main(["match", "pubeval", "random", *given]) == 1
    said = f"blot: {engines} has no table of a player given, only of simple\n"
    assert capsys.readouterr().err == said
    assert main(["match", "simple", "random", *given, "--games", "2", "--record", str(path)]) == 0
    assert main(["match", "--resume", str(path), *given]) == 0
    engines.write_text("[other]\nplayer = 'blockers'\n")
    capsys.readouterr()
    assert main(["match", "--resume", str(path), *given]) == 1
    said = f"blot: {engines} has no player of {path}: leave out --engines\n"
    assert capsys.readouterr().err == said
    engines.write_text("")
    assert main(["match", "--resume", str(path), *given]) == 1
    assert capsys.readouterr().err == f"blot: {engines} has no table of a player given\n"
    engines.write_text("[simple]\nplayer = 'random'\n")
    assert main(["match", "--resume", str(path), *given]) == 1
    said = f"blot: [simple] of {engines} is another player than {path} was begun with: leave out"
    assert capsys.readouterr().err.startswith(said)


def test_three_players_meet_in_a_cross_table(tmp_path, capsys):
    engines = tmp_path / "engines.toml"
    engines.write_text("[simple]\nplayer = 'blockers'\n")
    words = ["match", "pubeval", "random", "simple", "--engines", str(engines), "--games", "8"]
    assert main([*words, "--round-robin", "--mat", str(tmp_path)]) == 0
    said = capsys.readouterr().out
    assert "random against simple, 8 money games" in said
    table = said[said.index("points per game ± 95 %") :]
    assert table.count("±") == 7
    assert {path.name for path in tmp_path.glob("*.mat")} == {
        "pubeval-random.mat",
        "pubeval-simple.mat",
        "random-simple.mat",
    }
    assert main([*words, "--gauntlet"]) == 0
    assert "random against simple" not in capsys.readouterr().out


def test_a_program_that_fails_again_and_again_ends_the_run_with_its_last_lines(tmp_path, capsys):
    path = tmp_path / "run.db"
    words = ["pubeval", ubgi("illegal"), "--games", "40", "--max-faults", "3"]
    assert main(["match", *words, "--record", str(path)]) == 1
    said = capsys.readouterr()
    assert "  < bestmove 24/1 13/1" in said.err
    assert "blot: given up: 4 games were lost by players that failed" in said.err
    assert "lost 4 games by failing" in said.out
    assert said.out.splitlines()[-1].startswith("2 pairs, points per game +1.000")
    assert main(["match", "--resume", str(path), "--json"]) == 1
    said = capsys.readouterr()
    assert "given up: 4 games" in said.err
    assert "; --resume with more --max-faults goes on\n" in said.err
    assert json.loads(said.out.splitlines()[-1])["failure"].startswith("given up: 4 games")
    more = ["match", "--resume", str(path), "--json"]
    assert main([*more, "--max-faults", "5"]) == 1
    assert "given up: 6 games" in capsys.readouterr().err
    assert main(more) == 1  # it is kept
    assert "given up: 6 games" in capsys.readouterr().err
    assert main([*more, "--max-faults", "3"]) == 1
    assert "--max-faults 3 contradicts" in capsys.readouterr().err


def test_nothing_is_recorded_of_a_run_at_which_nobody_could_sit_down(tmp_path, capsys):
    path = tmp_path / "run.db"
    words = ["match", "pubeval", "ubgi:/no/such/program", "--record", str(path)]
    for _ in range(2):
        assert main(words) == 1
        assert "cannot start the UBGI program" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_run_that_is_killed_loses_nothing_that_it_told():
    told = check_kills(("pubeval", "random"), kills=3, games=60, seed=2, longest=1.0, parallel=2)
    assert told["kills"] >= 3


@pytest.mark.slow
@pytest.mark.gnubg
@pytest.mark.parametrize("rules", [[], ["--cube", "--jacoby", "--beavers"], ["--length", "3"]])
def test_gnubg_is_refereed_like_any_other_player(capsys, rules):
    pairs, result = result_of(capsys, "gnubg:0", "gnubg:0", "--games", "4", *rules)
    assert len(pairs) == 2
    assert result["forfeits"] == []
    mean = result["matches_won" if "--length" in rules else "points_per_game"]["mean"]
    assert mean == (0.5 if "--length" in rules else 0)


def test_a_terminal_that_hangs_up_ends_a_tournament_whose_pairs_are_kept(tmp_path):
    path = tmp_path / "games.db"
    words = ["match", "random", "pubeval", "--games", "1000000", "--parallel", "2", "--json"]
    command = [sys.executable, "-m", "protocol", *words, "--record", str(path)]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with (
        hang_ups_heard(),
        child(command, LIMIT, stdin=subprocess.DEVNULL, start_new_session=True, **streams) as blot,
    ):
        assert json.loads(blot.stdout.readline())["event"] == "pair"
        os.killpg(blot.pid, signal.SIGHUP)  # all its processes hear it, as from a terminal
        out, told = blot.communicate(timeout=LIMIT)
        assert blot.returncode == 130
    said = [line for line in told.splitlines() if not line.startswith(("compil", "pairs"))]
    assert said == ["blot: interrupted; --resume goes on with it"]
    result = json.loads(out.splitlines()[-1])
    assert (result["event"], result["failure"]) == ("result", "interrupted")
    assert path.exists()


def test_a_run_without_games_is_not_exported(tmp_path, capsys):
    path, empty = tmp_path / "run.db", tmp_path / "empty.db"
    assert main(["match", "random", "pubeval", "--games", "2", "--record", str(path)]) == 0
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("DELETE FROM pieces")
    empty.touch()
    for each, reason in ((path, "there are no finished games in"), (empty, "is no run of Blot")):
        assert main(["match", "--export", str(each), "--mat", str(tmp_path / "x.mat")]) == 1
        assert reason in capsys.readouterr().err
