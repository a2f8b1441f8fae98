import json
import signal

import pytest

from bot.draughts.arena.depth_games import DepthDuel
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.rules.variant import INTERNATIONAL
from protocol.cli import main


def repeat(*options):
    return main(["draughts", "repeat", *map(str, options)])


def test_games_are_told_in_lines(capsys):
    assert repeat("--depths", 1, 0, "--games", 4) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("The first won ")
    assert " of 4 games: " in told[0]
    assert "only moves of " in told[1]
    assert told[1].endswith("boards met a search.")
    assert told[2].startswith("The second: ")
    assert "boards" not in told[2]


def test_games_are_told_as_json(capsys):
    assert repeat("--depths", 1, 0, "--games", 4, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["won"] + told["drawn"] + told["lost"] == told["games"] == 4
    assert told["first"]["searches"] > 0 == told["second"]["searches"]


def test_score_is_told_with_how_far_it_is_off_in_95_of_100_cases(capsys):
    words = ("--depths", 2, 1, "--games", 12)
    assert repeat(*words, "--json") == 0
    found = json.loads(capsys.readouterr().out)
    assert found["error"] > 0
    assert repeat(*words) == 0
    score, error = 100 * found["score"], 196 * found["error"]
    assert f"{score:.1f} ± {error:.1f} % (95 %) of the points" in capsys.readouterr().out


def test_equal_players_play_one_game_twice(capsys):
    assert repeat("--depths", 2, 2, "--games", 6) == 0
    told = capsys.readouterr().out.splitlines()
    assert "50.0 ± unknown % (95 %) of the points" in told[0]
    assert told[1].startswith("3 of 3 pairs are one game twice")
    assert repeat("--depths", 2, 2, "--games", 4, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["score"], told["error"], told["same_pairs"]) == (0.5, None, 2)


def test_an_interrupt_ends_it_after_the_pair_and_what_was_played_is_told(monkeypatch, capsys):
    play_pair = DepthDuel.play_pair

    def interrupted(duel):
        play_pair(duel)
        if duel.result.games == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(DepthDuel, "play_pair", interrupted)
    assert repeat("--depths", 1, 0, "--games", 8) == 130
    said = capsys.readouterr()
    assert " of 4 games: " in said.out
    assert said.err.endswith("blot: interrupted after 4 of 8 games\n")


def test_minimax_plays_the_same_games_with_more_boards(capsys):
    told = []
    for options in ((), ("--minimax",)):
        assert repeat("--depths", 2, 1, "--games", 2, "--json", *options) == 0
        told.append(json.loads(capsys.readouterr().out))
    pruned, full = told
    assert (pruned["won"], pruned["plies"]) == (full["won"], full["plies"])
    assert pruned["first"]["nodes"] < full["first"]["nodes"]


@pytest.mark.parametrize(
    ("options", "code", "reason"),
    [
        (["--games", 3], 2, "--games is even and 2 to 1,000,000,000, not 3"),
        (["--games", 10**9 + 2], 2, "--games is even and 2 to 1,000,000,000, not 1,000,000,002"),
        (["--depths", 61, 1], 2, "0 to 60 plies deep, not 61"),
        (["--depths", 0, 0, "--minimax"], 2, "--minimax is of a search, and nobody searches"),
        (["--depths", 0, 3, "--states", "a.npz", "none"], 2, "who moves by chance asks no table"),
        (["--depths", 3, 0, "--states", "none", "a.npz"], 2, "give none instead of a.npz"),
        (["--random-plies", 100_000], 2, "a game has no 100000 plies by chance"),
        (["--states", "lost.npz", "none"], 1, "no table of states lost.npz"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(capsys, options, code, reason):
    assert repeat(*options) == code
    assert reason in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seed", "--random-plies"])
def test_numbers_that_cannot_be_are_wrong_usage(capsys, option):
    with pytest.raises(SystemExit) as ended:
        repeat(option, -1)
    assert ended.value.code == 2
    assert f"argument {option}: a whole number from 0 on is wanted" in capsys.readouterr().err


def test_a_table_of_the_other_variant_is_refused(tmp_path, capsys):
    StateTable(INTERNATIONAL).save(tmp_path / "states.npz")
    assert repeat("--states", tmp_path / "states.npz", "none", "--games", 2) == 1
    assert "not of czech draughts" in capsys.readouterr().err


def test_who_decided_nothing_has_no_share_of_only_moves(capsys):
    assert repeat("--games", 2, "--depths", 1, 0, "--random-plies", 200) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-2:] == ["The first decided nothing.", "The second decided nothing."]
