import json
import re

import numpy as np
import pytest

from bot.backgammon.arena.duel import duel
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.tally import Tally
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.formats.match_file import read_match
from protocol.cli import main
from tests.processes import fake_program


def test_the_command_reports_a_duel_for_programs(capsys):
    arguments = ["--weights", "pubeval", "--opponent", "blockers", "--games", "10", "--json"]
    assert main(["match", *arguments]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 10
    assert report["match_format"]["seed"] == 1
    tally = Tally()
    players = (decider(name, seed=1) for name in ("pubeval", "blockers"))
    duel(*players, MatchFormat(games=10), tally)
    assert report["points_per_game"]["mean"] == np.mean(tally.samples)


def test_the_command_reports_a_duel_for_people(capsys):
    arguments = ["--weights", "pubeval", "--opponent", "random", "--games", "2", "--length", "3"]
    assert main(["match", *arguments]) == 0
    said = capsys.readouterr().out
    assert said.startswith("pubeval against random, 2 matches to 3, with the cube, seed 1\n")
    assert "3-point matches won: 100.0 ± unknown % (95 %, 1 sample)" in said
    assert re.search(
        r"^points per game: \+\d\.\d{3} ± unknown \(95 %, 1 sample\)$", said, re.MULTILINE
    )


@pytest.mark.parametrize(
    ("arguments", "match_format"),
    [
        ([], "2 money games, cubeless, seed 1"),
        (["--cube"], "2 money games, with the cube, Jacoby rule, seed 1"),
        (["--cube", "--no-jacoby", "--beavers"], "2 money games, with the cube, beavers, seed 1"),
        (["--length", "2"], "2 matches to 2, with the cube, seed 1"),
        (["--length", "2", "--no-cube"], "2 matches to 2, cubeless, seed 1"),
    ],
)
def test_matches_are_played_with_the_cube_and_money_games_without_unless_told(
    capsys, arguments, match_format
):
    players = ["--weights", "blockers", "--opponent", "pubeval"]
    assert main(["match", *players, "--games", "2", *arguments]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"blockers against pubeval, {match_format}\n")


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--opponent", "nobody", "--games", "1"], 1, "no player 'nobody'"),
        (["--opponent", "", "--games", "1"], 1, "no player ''"),
        (["--opponent", "external:localhost"], 1, "localhost: external:HOST:PORT or external: and"),
        (["--opponent", "pubeval", "--mat", "x.sgf"], 1, "as a file its name would end with .mat"),
        (["--opponent", "pubeval", "--sgf", "none/x.sgf"], 1, "no folder for the file none/x.sgf"),
        (["--opponent", "gnubg", "--sgf", "none/x.sgf"], 1, "no folder for the file none/x.sgf"),
        (["--opponent", "pubeval", "--length", "5", "--jacoby"], 2, "rule of money games"),
        (["--opponent", "pubeval", "--length", "5", "--beavers"], 2, "rule of money games"),
        (["--opponent", "pubeval", "--beavers"], 2, "--beavers is a rule of the cube"),
        (["--opponent", "pubeval", "--jacoby"], 2, "--jacoby is a rule of the cube"),
        (["--opponent", "pubeval", "--length", "65"], 2, "1 to 64 points, not 65"),
        (["--opponent", "pubeval", "--met", "x.xml"], 2, "--met counts in matches with the cube"),
        (["--length", "3", "--opponent", "td-128", "--met", "no.xml"], 1, "no.xml: No such"),
        (["--length", "3", "--opponent", "random", "--met", "no.xml"], 2, "--met is for players"),
        (["--length", "3", "--opponent", "gnubg", "--met", "no.xml"], 2, "--met is for players"),
        (["--opponent", "pubeval", "--games", "0"], 2, "play 1 to 10,000,000 games, not 0"),
        (["--opponent", "random", "--games", "10000001"], 2, "10,000,000 games, not 10,000,001"),
        (["--opponent", "gnubg:9"], 1, "0 to 4 plies"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(capsys, arguments, code, sentence):
    assert main(["match", "--weights", "pubeval", *arguments]) == code
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith("blot: ")
    assert sentence in said


@pytest.mark.parametrize("address", ["127.0.0.1:1", "none/socket"])
def test_an_external_player_that_is_not_there_is_told_before_anything_is_compiled(
    capsys, monkeypatch, address
):
    monkeypatch.setattr(
        "protocol.backgammon.reports.compilation.compile_first",
        lambda jobs: pytest.fail("compiled first"),
    )
    assert main(["match", "--opponent", f"external:{address}", "--games", "2"]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"blot: the external player {address}: ")


@pytest.mark.parametrize("words", [["--opponent"], ["pubeval"], ["--parallel", "2", "pubeval"]])
@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("ubgi:/nonesuch", "cannot start the UBGI program '/nonesuch': No such file or directory"),
        ("ubgi:'", 'cannot read the command "\'": No closing quotation'),
        ("external:127.0.0.1:1", "the external player 127.0.0.1:1: cannot connect to 127.0.0.1:1"),
    ],
)
def test_a_program_that_is_not_there_is_told_where_nothing_is_compiled_yet(
    capsys, monkeypatch, words, program, sentence
):
    monkeypatch.setattr("bot.compilation.is_compiled", lambda job: False)
    monkeypatch.setattr(
        "protocol.backgammon.reports.compilation.compile_first",
        lambda jobs: pytest.fail("compiled first"),
    )
    assert main(["match", "--games", "2", *words, program]) == 1
    (said,) = capsys.readouterr().err.splitlines()
    assert said.startswith(f"blot: {sentence}")


def test_weights_that_there_are_not_are_told_as_weights(capsys):
    assert main(["match", "--opponent", "pubeval", "--weights", "nix"]) == 1
    assert capsys.readouterr().err.startswith("blot: no weights 'nix'")


@pytest.mark.parametrize(
    ("arguments", "sentence", "match_format"),
    [
        ([], "games come in pairs with the same dice: playing 2 instead of 1", "2 money games,"),
        (
            ["--length", "2"],
            "matches come in pairs with the same dice: playing 2 instead of 1",
            "2 matches to 2,",
        ),
    ],
)
def test_an_odd_number_of_games_is_rounded_up_and_said(capsys, arguments, sentence, match_format):
    players = ["--weights", "pubeval", "--opponent", "random", "--games", "1"]
    assert main(["match", *players, *arguments]) == 0
    said = capsys.readouterr()
    assert sentence in said.err.splitlines()
    assert said.out.startswith(f"pubeval against random, {match_format}")


def test_without_gnubg_pubeval_sits_down_unless_gnubg_was_asked_for(capsys, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    assert main(["match", "--weights", "blockers", "--games", "2"]) == 0
    said = capsys.readouterr()
    assert "apt-get install gnubg" in said.err
    assert "playing pubeval instead" in said.err
    assert said.out.startswith("blockers against pubeval")
    assert main(["match", "--weights", "blockers", "--opponent", "gnubg"]) == 1
    said = capsys.readouterr()
    assert said.err == "blot: no gnubg on this machine (Debian: apt-get install gnubg)\n"
    assert said.out == ""


def test_games_between_players_here_are_kept_in_both_formats(tmp_path, capsys):
    played = ["match", "--opponent", "random", "--weights", "pubeval", "--games", "4", "--cube"]
    assert main([*played, "--mat", str(tmp_path / "games.mat"), "--sgf", str(tmp_path)]) == 0
    mat = read_match(tmp_path / "games.mat").whole
    (dated,) = tmp_path.glob("*_pubeval-random.sgf")
    assert read_match(dated).whole == mat
    assert len(mat.games) == 4
    assert mat.players == ("pubeval", "random")
    won = sum(game.result.points for game in mat.games if game.result.winner == 0)
    assert mat.games[-1].points_after[0] == won
    assert "points per game" in capsys.readouterr().out


def test_each_match_between_players_here_gets_its_file(tmp_path):
    path = tmp_path / "games.sgf"
    played = ["match", "--opponent", "random", "--weights", "pubeval", "--length", "2"]
    assert main([*played, "--games", "2", "--sgf", str(path)]) == 0
    for file in (path, tmp_path / "games_002.sgf"):
        match = read_match(file).whole
        assert match.rules.is_over(match.games[-1].points_after)


def ubgi(way):
    return f"ubgi:{fake_program('ubgi_program', way)}"


def test_a_ubgi_program_that_plays_illegally_is_named_in_the_report(capsys):
    arguments = ["--weights", "pubeval", "--opponent", ubgi("illegal"), "--games", "2"]
    assert main(["match", *arguments]) == 0
    said = capsys.readouterr().out
    assert "forfeited, as single games: 2\nforfeit: the UBGI program " in said
    assert "answered 'bestmove 24/1 13/1' to " in said


def test_a_ubgi_program_that_does_not_play_ends_the_match_with_its_name(capsys):
    arguments = ["--weights", "pubeval", "--opponent", ubgi("chess"), "--games", "2"]
    assert main(["match", *arguments]) == 1
    assert "chess' answered 'error unknown_command position' to" in capsys.readouterr().err


def test_a_ubgi_program_that_knows_no_cube_is_not_played_with_it(capsys):
    arguments = ["--weights", "pubeval", "--opponent", ubgi("plays"), "--length", "3"]
    assert main(["match", *arguments]) == 1
    assert capsys.readouterr().err.endswith("play without it\n")


def test_a_ubgi_program_is_not_played_with_beavers(capsys):
    rules = ["--cube", "--beavers", "--no-jacoby"]
    arguments = ["--weights", "pubeval", "--opponent", ubgi("plays"), *rules]
    assert main(["match", *arguments]) == 2
    assert capsys.readouterr().err == "blot: UBGI has no words for beavers: play without them\n"
