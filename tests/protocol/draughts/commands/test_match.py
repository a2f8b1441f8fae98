import contextlib
import io
import json
import signal

import pytest

from bot.draughts.arena.duel import played_pairs
from bot.draughts.engine import alpha_beta
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH
from protocol.cli import main
from protocol.draughts.arena.recorded_pairs import RecordedPairs
from protocol.draughts.commands import options
from protocol.draughts.formats.pdn import read_pdn
from tests.processes import hang_ups_heard

WORDS = ["draughts", "match", "random", "alpha-beta:1", "--variant", "czech", "--games", "6"]


def test_match_is_told_with_its_error_and_its_games_are_kept(tmp_path, capsys):
    path = tmp_path / "games.pdn"
    assert main([*WORDS, "--pdn", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == found["won"] + found["drawn"] + found["lost"] == 6
    assert found["players"] == ["random", "alpha-beta:1"]
    assert found["score"] == pytest.approx((found["won"] + found["drawn"] / 2) / 6)
    games = read_pdn(path).whole
    assert len(games) == 6
    for number, game in enumerate(games):
        tags = dict(game.tags)
        assert tags["White"] == WORDS[2 + number % 2]
        assert tags["Round"] == f"{number // 2 + 1}.{number % 2 + 1}"
        assert game.score is not None
    white = sum(game.score[0] for game in games[::2]) + sum(game.score[1] for game in games[1::2])
    assert found["score"] == pytest.approx(white / 12)


def test_match_is_told_in_words(capsys):
    assert main([*WORDS[:-1], "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("random against alpha-beta:1: ")
    assert " ± unknown % (95 %, 1 pair)" in lines[1]
    assert lines[2].startswith("random: ")


def test_score_is_told_with_how_far_it_is_off_in_95_of_100_cases(capsys):
    assert main([*WORDS[:2], "random", "random", *WORDS[4:6], "--games", "6", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main([*WORDS[:2], "random", "random", *WORDS[4:6], "--games", "6"]) == 0
    score, error = 100 * found["score"], 196 * found["score_error"]
    told = capsys.readouterr().out.splitlines()[1]
    assert told.startswith(f"score {score:.1f} ± {error:.1f} % (95 %, 3 pairs)")


def test_score_of_a_player_who_has_won_all_games_is_off_by_nobody_knows_what(capsys):
    assert main([*WORDS[:2], "alpha-beta:4", "random", *WORDS[4:]]) == 0
    assert "score 100.0 ± unknown % (95 %, 3 pairs)\n" in capsys.readouterr().out


def test_pair_that_is_played_again_is_no_sample(capsys):
    words = ["easy", "medium", "--variant", "czech", "--opening", "0", "--games", "6"]
    assert main(["draughts", "match", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["repeated"], found["score_error"]) == (6, 2, None)
    assert main(["draughts", "match", *words]) == 0
    assert "pairs that went move for move as one before: 2; " in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["nobody", "random"], "no player 'nobody': it is one of easy, medium, hard"),
        (["nobody", "random"], "alpha-beta:DEPTH, alpha-beta:DEPTH:TABLE, minimax:DEPTH, "),
        (["human", "random"], "no player 'human'"),
        (["alpha-beta:x", "random"], "alpha-beta looks 0 to 60 plies deep, as alpha-beta:4"),
        (["alpha-beta:2:none.npz", "random"], "none.npz"),
    ],
)
def test_player_that_there_is_not_is_named(words, sentence, capsys):
    assert main(["draughts", "match", *words]) == 1
    assert sentence in capsys.readouterr().err


def test_program_that_is_not_there_is_told_before_anything_is_compiled(monkeypatch, capsys):
    monkeypatch.setattr("bot.compilation.is_compiled", lambda job: False)
    monkeypatch.setattr("protocol.draughts.arena.named_players.compile_first", pytest.fail)
    assert main(["draughts", "match", "hard", "hub:/nonesuch", "--variant", "czech"]) == 1
    said = "blot: cannot start the Hub program '/nonesuch': No such file or directory\n"
    assert capsys.readouterr().err == said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_match_tells_what_was_played(number, tmp_path, monkeypatch, capsys):
    pairs = RecordedPairs.pairs

    def interrupted(*arguments):
        yield next(pairs(*arguments))
        signal.raise_signal(number)

    monkeypatch.setattr(RecordedPairs, "pairs", interrupted)
    path = tmp_path / "games.pdn"
    with hang_ups_heard():
        assert main([*WORDS, "--pdn", str(path)]) == 130
    said = capsys.readouterr()
    assert said.out.startswith("random against alpha-beta:1: ")
    assert said.err == "blot: interrupted after 2 of 6 games\n"
    assert len(read_pdn(path).whole) == 2


def test_games_are_written_over_no_file(tmp_path, capsys):
    path = tmp_path / "games.pdn"
    path.write_text("mine")
    assert main([*WORDS, "--pdn", str(path)]) == 1
    assert "is there already: name a new file" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_file_that_could_not_be_written_in_the_end_is_refused_at_once(tmp_path, capsys):
    path = tmp_path / "none" / "games.pdn"
    assert main([*WORDS, "--pdn", str(path)]) == 1
    assert capsys.readouterr().err == f"blot: there is no folder for the file {path}\n"


@pytest.mark.parametrize("games", ["3", "0", "x", "1000000000"])
def test_games_are_an_even_number(games, capsys):
    with pytest.raises(SystemExit):
        main(["draughts", "match", "random", "random", "--games", games])
    assert "an even number from 2 to 1,000,000" in capsys.readouterr().err


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The record of a match that was played to its end, and what was told of it."""
    path = tmp_path_factory.mktemp("whole") / "match.jsonl"
    return path, told([*WORDS, "--record", str(path)])


def told(words):
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        assert main([*words, "--json"]) == 0
    found = json.loads(out.getvalue())
    return {name: value for name, value in found.items() if name != "seconds"}


def test_match_goes_on_with_what_is_recorded_and_ends_as_if_never_stopped(whole, tmp_path):
    path, end = whole
    lines = path.read_bytes().splitlines(keepends=True)
    cut = tmp_path / "match.jsonl"
    cut.write_bytes(b"".join([*lines[:2], lines[2][:40]]))
    assert told([*WORDS, "--record", str(cut)]) == end
    again = json.loads(path.read_bytes().splitlines()[3])
    assert (
        json.loads(cut.read_bytes().splitlines()[3])["value"][0]["moves"]
        == again["value"][0]["moves"]
    )


def test_recorded_match_is_told_again_without_a_move_and_goes_on_to_more_games(
    whole, tmp_path, monkeypatch
):
    path, end = whole
    asked = []

    def played(duel, numbers, *more):
        asked.append(numbers)
        return played_pairs(duel, numbers, *more)

    monkeypatch.setattr("protocol.draughts.arena.recorded_pairs.played_pairs", played)
    before = path.read_bytes()
    assert told([*WORDS, "--record", str(path)]) == end
    assert path.read_bytes() == before
    longer = tmp_path / "match.jsonl"
    longer.write_bytes(before)
    assert told([*WORDS[:-1], "8", "--record", str(longer), "--parallel", "2"])["games"] == 8
    assert longer.read_bytes().startswith(before)
    assert asked == [[], [3]]


def test_pairs_of_a_record_tell_nothing_of_the_pace(whole, tmp_path, monkeypatch):
    seen, (path, _) = [], whole
    longer = tmp_path / "longer.jsonl"
    longer.write_bytes(path.read_bytes())

    @contextlib.contextmanager
    def progress(noun, total, standing, kept=0):
        seen.append((noun, total, kept))
        yield seen.append

    monkeypatch.setattr("protocol.progress.progress", progress)
    told([*WORDS[:-1], "8", "--record", str(longer)])
    assert seen == [("games", 8, 6), 2, 4, 6, 8]


def test_record_of_another_match_or_of_none_is_refused(whole, tmp_path, capsys):
    path, _ = whole
    assert main([*WORDS, "--seed", "2", "--record", str(path)]) == 1
    told = capsys.readouterr().err
    assert "was begun with match random,alpha-beta:1, variant czech, opening 2, seed 1: " in told
    assert "give these again, or another file" in told
    other = tmp_path / "games.pdn"
    other.write_text("mine")
    assert main([*WORDS, "--record", str(other)]) == 1
    assert "give another file" in capsys.readouterr().err
    assert other.read_text() == "mine"


def test_recorded_move_that_is_not_legal_is_named(whole, tmp_path, capsys):
    damaged = tmp_path / "match.jsonl"
    lines = whole[0].read_text().splitlines()
    pair = json.loads(lines[1])
    pair["value"][0]["moves"][0] = [1, 2]
    damaged.write_text("\n".join([lines[0], json.dumps(pair), *lines[2:], ""]))
    assert main([*WORDS, "--record", str(damaged)]) == 1
    assert "pair 1 of the record is damaged: a move from 1 to 2" in capsys.readouterr().err


def test_sequential_test_ends_a_match_that_is_clear():
    words = [*WORDS[:3], "random", *WORDS[4:-1], "400", "--sprt", "0", "0.5"]
    found = told(words)
    assert found["is_decided"]
    assert 128 <= found["games"] < 400
    assert found["llr"] < 0


def test_bounds_of_a_test_rise(capsys):
    assert main([*WORDS, "--sprt", "1", "0"]) == 2
    assert "the bounds of a test rise, not 1 and 0" in capsys.readouterr().err


@pytest.mark.parametrize("limit", [["--depth", "4"], ["--nodes", "9"], ["--seconds", "1"]])
def test_limit_of_players_that_search_nothing_is_refused(limit, capsys):
    assert main(["draughts", "match", "random", "random", *limit]) == 2
    told = capsys.readouterr().err
    assert told == f"blot: {limit[0]} limits a search, and nobody searches here: leave it out\n"


def test_depth_has_the_bounds_of_the_players_that_are_named_by_theirs(capsys):
    assert options.MAX_DEPTH == alpha_beta.MAX_DEPTH
    with pytest.raises(SystemExit):
        main(["draughts", "match", "hard", "random", "--depth", "61"])
    assert "1 to 60 plies are wanted, not '61'" in capsys.readouterr().err


@pytest.mark.parametrize("nodes", ["0", "1000000000000001", "9" * 5_000, "many"])
def test_nodes_have_bounds_at_both_ends(nodes, capsys):
    with pytest.raises(SystemExit):
        main(["draughts", "match", "hard", "random", "--nodes", nodes])
    told = capsys.readouterr().err
    assert f"1 to 1,000,000,000,000,000 positions are wanted, not {nodes[:40]!r};" in told


def test_depth_is_not_given_twice(capsys):
    assert main(["draughts", "match", "hard", "minimax:2", "--depth", "3"]) == 2
    assert capsys.readouterr().err == "blot: minimax:2 says how deep it looks: leave out --depth\n"


def test_seed_below_nothing_is_wrong_usage(capsys):
    with pytest.raises(SystemExit) as ended:
        main([*WORDS, "--seed", "-1"])
    assert ended.value.code == 2
    assert "--seed: a whole number from 0 to 2,147,483,647 is wanted" in capsys.readouterr().err


def test_defaults_are_told(capsys):
    with pytest.raises(SystemExit):
        main(["draughts", "match", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "games, an even number (default: 20)" in told
    assert told.count("(default: ") == 5


def test_games_are_not_written_over_their_record(tmp_path, capsys):
    path = tmp_path / "games"
    assert (
        main([*WORDS, "--pdn", str(path), "--record", f"{tmp_path}/../{tmp_path.name}/games"]) == 2
    )
    assert "--record and --pdn name the same file" in capsys.readouterr().err
    assert not path.exists()


def test_match_is_told_even_if_its_games_cannot_be_written(capsys):
    assert main([*WORDS[:-1], "2", "--pdn", "/proc/games.pdn"]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("random against alpha-beta:1: ")
    assert "cannot write /proc/games.pdn" in said.err


def test_who_looks_no_ply_deep_has_no_limits_and_asks_no_table(capsys):
    words = ["draughts", "match", "alpha-beta:0", "minimax:0", "--games", "2"]
    assert main([*words, "--seconds", "1"]) == 2
    assert "nobody searches here" in capsys.readouterr().err
    assert main(["draughts", "match", "alpha-beta:0:x.npz", "random"]) == 1
    assert "asks no table of states: leave out x.npz" in capsys.readouterr().err


def test_a_record_is_not_gone_on_with_by_another_table(tmp_path, capsys):
    table, record = tmp_path / "t.npz", tmp_path / "m.jsonl"
    words = ["draughts", "match", f"minimax:1:{table}", "random", "--variant", "czech"]
    states = StateTable(CZECH)
    states.save(table)
    for _ in range(2):
        assert main([*words, "--games", "2", "--record", str(record)]) == 0
    states.learn(boards_of([Position.start(CZECH)]), 1.0, 0.9, is_backward=True)
    states.save(table)
    capsys.readouterr()
    assert main([*words, "--games", "2", "--record", str(record)]) == 1
    assert "m.jsonl" in capsys.readouterr().err


def test_games_that_could_not_be_written_are_not_played(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert main([*WORDS, "--pdn", str(tmp_path / "x.pdn")]) == 1
    assert "nothing may be written in its folder" in capsys.readouterr().err
