import json
import os
import re
import signal
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from bot.backgammon.position import START
from protocol.backgammon import duel as duel_module
from protocol.backgammon.duel import Terms, duel, duel_with_gnubg
from protocol.backgammon.gnubg_program import GnubgError
from protocol.backgammon.players import decider, duel_player
from protocol.cli import main
from protocol.tally import Tally

FAKE = Path(__file__).parents[2] / "fakes" / "gnubg.py"


class Watched:
    """A player, and the dice of the first seat's first move in each game it saw."""

    def __init__(self, name):
        self.player = duel_player(name, seed=1)
        self.openings = []

    def boards_chosen(self, boards, dice):
        start = START.board
        self.openings += [
            tuple(d) for b, d in zip(boards, dice.tolist(), strict=True) if (b == start).all()
        ]
        return self.player.boards_chosen(boards, dice)


class Sleeper:
    """A player that never moves."""

    def boards_chosen(self, boards, dice):
        return boards.copy()


def played(name, other, terms, **options):
    tally = Tally(terms.length)
    duel(duel_player(name, seed=1), duel_player(other, seed=2), terms, tally, **options)
    return tally


@pytest.mark.parametrize("name", ["pubeval", "blockers"])
def test_a_player_against_itself_scores_exactly_nothing(name):
    tally = played(name, name, Terms(games=40))
    assert tally.samples == [0.0] * 20
    assert tally.won == tally.lost
    assert tally.games == 40


def test_matches_of_a_player_against_itself_are_shared():
    tally = played("pubeval", "pubeval", Terms(games=10, length=3))
    assert tally.samples == [0.5] * 5
    assert tally.games >= 10


def test_a_pair_has_the_same_dice_and_swapped_sides():
    one, other = Watched("pubeval"), Watched("pubeval")
    duel(one, other, Terms(games=60), Tally())
    assert len(one.openings) == len(other.openings) == 30
    assert sorted(one.openings) == sorted(other.openings)
    assert all(high > low for high, low in one.openings)
    assert len(set(one.openings)) > 5


def test_the_dice_of_a_game_depend_on_seed_and_pair_alone(monkeypatch):
    few = played("pubeval", "blockers", Terms(games=20, seed=7))
    many = played("pubeval", "blockers", Terms(games=40, seed=7))
    assert many.samples[:10] == few.samples
    monkeypatch.setattr(duel_module, "PAIRS_AT_ONCE", 3)
    assert played("pubeval", "blockers", Terms(games=20, seed=7)).samples == few.samples
    assert played("pubeval", "blockers", Terms(games=20, seed=8)).samples != few.samples


def test_a_seed_repeats_even_random_players():
    terms = Terms(games=20, seed=3)
    assert played("random", "random", terms).samples == played("random", "random", terms).samples


def test_the_better_player_wins_and_points_agree_with_the_kinds():
    tally = played("pubeval", "random", Terms(games=40))
    points = sum(level * (tally.won[level] - tally.lost[level]) for level in (1, 2, 3))
    assert sum(tally.samples) * 2 == points
    assert tally.score.mean > 1
    assert tally.won[2] > 0


def test_with_the_jacoby_rule_and_no_cube_every_game_counts_one():
    tally = played("pubeval", "random", Terms(games=20, jacoby=True))
    assert set(tally.won) | set(tally.lost) == {1}
    assert all(-1 <= sample <= 1 for sample in tally.samples)


def test_endless_games_are_broken_off_and_counted():
    tally = Tally()
    duel(Sleeper(), Sleeper(), Terms(games=4), tally, most_plies=50)
    assert (tally.unfinished, tally.games, tally.samples) == (4, 0, [])
    matches = Tally(length=3)
    duel(Sleeper(), Sleeper(), Terms(games=4, length=3), matches, most_plies=50)
    assert (matches.unfinished, matches.samples) == (4, [])


def test_progress_is_told_in_games():
    told = []
    played("blockers", "blockers", Terms(games=6), on_games=told.append)
    assert sum(told) == 6


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"games": 0}, "at least 1 game"),
        ({"games": 2, "length": 0}, "1 to 64 points, not 0"),
        ({"games": 2, "length": 65}, "1 to 64 points, not 65"),
        ({"games": 2, "seed": -1}, "a seed is 0 to"),
    ],
)
def test_terms_that_cannot_be_played_are_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        Terms(**values)


def test_terms_are_told_in_words():
    assert str(Terms(games=1, length=7, cube=True)) == "1 match to 7, with the cube, seed 1"
    assert str(Terms(games=2, jacoby=True)) == "2 money games, cubeless, Jacoby rule, seed 1"


def test_odd_numbers_and_the_cube_are_refused_between_players_here():
    with pytest.raises(ValueError, match="pairs with the same dice, so not 3"):
        played("pubeval", "pubeval", Terms(games=3))
    with pytest.raises(ValueError, match="leave out --cube"):
        played("pubeval", "pubeval", Terms(games=2, cube=True))


def with_fake(way, terms, mat=None, patience=60.0):
    tally = Tally(terms.length)
    program = [sys.executable, str(FAKE), way]
    failure = None
    try:
        duel_with_gnubg(
            decider("pubeval", seed=1), terms, tally, mat=mat, program=program, patience=patience
        )
    except GnubgError as error:
        failure = str(error)
    return tally, failure


def test_games_of_a_session_are_added_up(tmp_path):
    mat = tmp_path / "with blanks.mat"
    tally, failure = with_fake("plays", Terms(games=3), mat)
    assert failure is None
    assert tally.won == {2: 3}
    assert tally.samples == [2.0] * 3
    assert len(tally.decision_seconds) == 3
    assert mat.read_text() == "3 games\n"


def test_each_match_gets_its_file(tmp_path):
    mat = tmp_path / "match.mat"
    tally, failure = with_fake("match", Terms(games=1, length=3), mat)
    assert failure is None
    assert tally.samples == [1.0]
    assert tally.games == 2
    assert duel_module._numbered(mat, 0) == mat
    assert duel_module._numbered(mat, 11) == tmp_path / "match_012.mat"


@pytest.mark.parametrize(
    ("way", "sentence", "exported"),
    [
        ("dies", "gnubg died at 'new game' with status 3", None),
        ("killed", "gnubg died at 'new game' by signal 9", None),
        ("stalls", "gnubg stalled at 'new game' for 2 s", "1 games\n"),
        ("error", "gnubg refused 'new game' (Error (no such play))", "2 games\n"),
        ("stops", "gnubg stopped in mid-game after 'new game'", "1 games\n"),
        ("gone", "gnubg refused 'new game' (External connection closed.)", "1 games\n"),
    ],
)
def test_a_failing_gnubg_is_reported_with_its_last_lines(tmp_path, way, sentence, exported):
    mat = tmp_path / "games.mat"
    patience = 2.0 if way == "stalls" else 60.0
    tally, failure = with_fake(way, Terms(games=5), mat, patience)
    assert failure.startswith(sentence)
    assert "\n  | The score (after 1 game) is: gnubg 0, blot 2\n" in failure
    assert tally.samples == [2.0]
    assert (mat.read_text() if mat.exists() else None) == exported


def test_a_rejected_play_is_noted():
    tally, failure = with_fake("rejects", Terms(games=2))
    assert failure is None
    assert [note.split(":")[0] for note in tally.rejected_plays] == ["rejected play"]


def test_the_command_reports_a_duel_for_programs(capsys):
    arguments = ["--weights", "pubeval", "--opponent", "blockers", "--games", "10", "--json"]
    assert main(["match", *arguments]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == 10
    assert report["terms"]["seed"] == 1
    assert report["points_per_game"]["mean"] == np.mean(
        played("pubeval", "blockers", Terms(games=10)).samples
    )


def test_the_command_reports_a_duel_for_people(capsys):
    arguments = ["--weights", "pubeval", "--opponent", "random", "--games", "2", "--length", "3"]
    assert main(["match", *arguments]) == 0
    said = capsys.readouterr().out
    assert said.startswith("pubeval 0-ply against random, 2 matches to 3, cubeless, seed 1\n")
    assert "3-point matches won: 1.000 ± unknown (standard error, 1 sample)" in said


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--opponent", "nobody"], "no player 'nobody'"),
        (["--opponent", "pubeval", "--mat", "x.mat"], "--mat needs gnubg"),
        (["--opponent", "pubeval", "--length", "5", "--jacoby"], "rule of money games"),
        (["--opponent", "pubeval", "--games", "7"], "not 7 of them"),
        (["--opponent", "gnubg:9"], "0 to 4 plies"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(capsys, arguments, sentence):
    assert main(["match", "--weights", "pubeval", *arguments]) == 1
    said = capsys.readouterr().err.splitlines()
    assert said[-1].startswith("blot: ")
    assert sentence in said[-1]


def test_without_gnubg_pubeval_sits_down_unless_gnubg_was_asked_for(capsys, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    assert main(["match", "--weights", "blockers", "--games", "2"]) == 0
    said = capsys.readouterr()
    assert "apt-get install gnubg" in said.err
    assert "playing pubeval instead" in said.err
    assert said.out.startswith("blockers 0-ply against pubeval")
    assert main(["match", "--weights", "blockers", "--opponent", "gnubg"]) == 1
    said = capsys.readouterr()
    assert said.err == "blot: no gnubg on this machine (Debian: apt-get install gnubg)\n"
    assert said.out == ""


@pytest.mark.gnubg
def test_gnubg_plays_money_games_and_writes_every_one(tmp_path):
    mat, tally = tmp_path / "games.mat", Tally()
    duel_with_gnubg(decider("pubeval", seed=1), Terms(games=3), tally, mat=mat)
    assert tally.games == len(tally.samples) == 3
    assert tally.rejected_plays == []
    text = mat.read_text()
    assert re.findall(r"^ Game (\d+)$", text, re.MULTILINE) == ["1", "2", "3"]
    assert len(re.findall(r"Wins \d point", text)) == 3
    assert "0 point match" in text
    assert "Doubles" not in text


@pytest.mark.gnubg
def test_gnubg_plays_a_match_to_three_points(tmp_path):
    mat, tally = tmp_path / "match.mat", Tally(length=3)
    duel_with_gnubg(decider("pubeval", seed=1), Terms(games=1, length=3), tally, mat=mat)
    assert len(tally.samples) == 1
    text = mat.read_text()
    assert " 3 point match" in text
    assert len(re.findall(r"^ Game \d+$", text, re.MULTILINE)) == tally.games
    assert "gnubg : 0" in text
    assert "blot : 0" in text


@pytest.mark.gnubg
def test_the_same_seed_gives_the_same_games(tmp_path):
    files = [tmp_path / "one.mat", tmp_path / "two.mat"]
    for mat in files:
        terms = Terms(games=1, cube=True, seed=4)
        duel_with_gnubg(decider("pubeval", seed=1), terms, Tally(), mat=mat)
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.gnubg
@pytest.mark.parametrize(
    ("number", "sentence"), [(signal.SIGKILL, "by signal 9"), (signal.SIGSTOP, "stalled")]
)
def test_a_gnubg_lost_in_mid_game_is_reported_and_ended(monkeypatch, number, sentence):
    started = []
    start = duel_module.GnubgProgram._start

    def remember(program):
        start(program)
        started.append(program.process)

    class Assassin:
        """A player that does something to gnubg when asked for the thirtieth time."""

        def __init__(self):
            self.player = decider("pubeval", seed=1)
            self.asked = 0

        def decide(self, request):
            self.asked += 1
            if self.asked == 30:
                os.kill(started[0], number)
            return self.player.decide(request)

    monkeypatch.setattr(duel_module.GnubgProgram, "_start", remember)
    tally = Tally()
    with pytest.raises(GnubgError, match=sentence):
        duel_with_gnubg(Assassin(), Terms(games=50), tally, patience=3.0)
    with pytest.raises(ProcessLookupError):
        os.killpg(started[0], 0)
    assert "external player" not in [thread.name for thread in threading.enumerate()]
