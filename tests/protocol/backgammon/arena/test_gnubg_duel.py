import os
import re
import signal
import sys
import threading
from pathlib import Path

import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_program import GnubgError
from protocol.backgammon.arena import gnubg_duel
from protocol.backgammon.arena.gnubg_duel import duel_with_gnubg
from protocol.backgammon.arena.match_files import numbered
from protocol.backgammon.arena.named_players import decider
from tests.processes import group_is_gone

FAKE = Path(__file__).parents[3] / "fakes" / "gnubg.py"


def with_fake(way, match_format, mat=None, sgf=None, patience=60.0):
    tally = Tally(match_format.length)
    program = [sys.executable, str(FAKE), way]
    failure = None
    try:
        duel_with_gnubg(
            decider("pubeval", seed=1),
            match_format,
            tally,
            files=(mat, sgf),
            program=program,
            patience=patience,
        )
    except GnubgError as error:
        failure = str(error)
    return tally, failure


def test_games_of_a_session_are_added_up(tmp_path):
    mat, sgf = tmp_path / "with blanks.mat", tmp_path / "'quoted'.sgf"
    tally, failure = with_fake("plays", MatchFormat(games=3), mat, sgf)
    assert failure is None
    assert tally.won == {2: 3}
    assert tally.samples == [2.0] * 3
    assert len(tally.decision_seconds) == 3
    assert mat.read_text() == sgf.read_text() == "3 games\n"


@pytest.mark.parametrize("is_link", [False, True])
def test_a_file_that_comes_while_gnubg_plays_is_left_alone(tmp_path, is_link):
    mat, sgf = tmp_path / "games.mat", tmp_path / "games.sgf"

    def arrives():
        if is_link and not mat.is_symlink():
            mat.symlink_to("nowhere")
        elif not is_link:
            mat.write_text("mine")

    with pytest.raises(ValueError, match=r"games\.mat was written by others meanwhile"):
        duel_with_gnubg(
            decider("pubeval", seed=1),
            MatchFormat(games=2),
            Tally(),
            files=(mat, sgf),
            program=[sys.executable, str(FAKE), "plays"],
            on_progress=arrives,
        )
    assert not mat.exists() if is_link else mat.read_text() == "mine"
    assert sgf.read_text() == "2 games\n"


def test_games_of_a_session_are_written_again_and_again(tmp_path, monkeypatch):
    monkeypatch.setattr(gnubg_duel, "GAMES_PER_EXPORT", 1)
    mat = tmp_path / "games.mat"
    assert with_fake("plays", MatchFormat(games=3), mat)[1] is None
    assert mat.read_text() == "3 games\n"


def test_each_match_gets_its_file(tmp_path):
    mat = tmp_path / "match.mat"
    tally, failure = with_fake("match", MatchFormat(games=1, length=3), mat)
    assert failure is None
    assert tally.samples == [1.0]
    assert tally.games == 2
    assert tally.points_per_game.mean == 2.0
    assert numbered(mat, 0) == mat
    assert numbered(mat, 11) == tmp_path / "match_012.mat"


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
    tally, failure = with_fake(way, MatchFormat(games=5), mat, patience=patience)
    assert failure.startswith(sentence)
    assert "\n  | The score (after 1 game) is: gnubg 0, blot 2\n" in failure
    assert tally.samples == [2.0]
    assert (mat.read_text() if mat.exists() else None) == exported


def test_a_gnubg_that_pauses_is_told_to_go_on():
    tally, failure = with_fake("pauses", MatchFormat(games=3))
    assert failure is None
    assert tally.samples == [2.0] * 3
    assert len(tally.decision_seconds) == 4


def test_a_rejected_play_is_noted():
    tally, failure = with_fake("rejects", MatchFormat(games=2))
    assert failure is None
    ((request, play),) = tally.rejected_plays
    assert request.roll == Roll(3, 1)
    assert {(leg.source, leg.target) for leg in play.legs} == {(8, 5), (6, 5)}


@pytest.mark.gnubg
def test_gnubg_plays_money_games_and_writes_every_one(tmp_path):
    mat, tally = tmp_path / "games.mat", Tally()
    duel_with_gnubg(decider("pubeval", seed=1), MatchFormat(games=3), tally, files=(mat, None))
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
    duel_with_gnubg(
        decider("pubeval", seed=1), MatchFormat(games=1, length=3), tally, files=(mat, None)
    )
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
        match_format = MatchFormat(games=1, cube=True, seed=4)
        duel_with_gnubg(decider("pubeval", seed=1), match_format, Tally(), files=(mat, None))
    assert files[0].read_text() == files[1].read_text()


@pytest.mark.gnubg
@pytest.mark.parametrize(
    ("number", "sentence"), [(signal.SIGKILL, "by signal 9"), (signal.SIGSTOP, "stalled")]
)
def test_a_gnubg_lost_in_mid_game_is_reported_and_ended(monkeypatch, number, sentence):
    started = []
    start = gnubg_duel.GnubgProgram._start

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

    monkeypatch.setattr(gnubg_duel.GnubgProgram, "_start", remember)
    tally, threads = Tally(), threading.active_count()
    with pytest.raises(GnubgError, match=sentence):
        duel_with_gnubg(Assassin(), MatchFormat(games=50), tally, patience=3.0)
    assert group_is_gone(started[0])
    assert threading.active_count() <= threads
