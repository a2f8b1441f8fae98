"""Judging: a match is counted beside the play, and again if that was interrupted."""

import threading
import time
from dataclasses import replace

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.record import MatchRecord, Occasion, Rules
from bot.backgammon.rules.recorder import Recorder
from protocol.backgammon.formats.match_file import write_match
from protocol.backgammon.servers.board_drops import place_with_board_drops
from protocol.backgammon.servers.judging import Judging, judge_waiting, judgement_of
from protocol.backgammon.servers.match_store import Judgement, MatchStore, PlayedMatch

PLAYED = PlayedMatch("fake", "blot", "bob", 1, 1, 0)


def short_match():
    recorder = Recorder(Rules(1))
    recorder.add(OpeningRoll(6, 1))
    game = recorder.going_on
    recorder.add(legal_plays(game.state.position, game.roll)[0])
    recorder.end(0, 1)
    return MatchRecord(("blot", "bob"), Rules(1), (recorder.record,))


@pytest.fixture
def store(tmp_path):
    return MatchStore(tmp_path, "easy")


def test_a_match_gets_its_figures_later(store):
    judging = Judging(store)
    try:
        store.finish(PLAYED, short_match())
        assert store.matches()[0].error_rate is None
        judging.wake()
        assert judging.wait(120)
    finally:
        judging.close()
    (played,) = store.matches()
    assert played.error_rate >= 0
    assert played.luck is not None
    assert played.awaits is None


def test_what_was_interrupted_is_counted_the_next_time(store):
    for _ in range(2):
        store.finish(PLAYED, short_match())
    judging = Judging(store)
    judging.wake()
    assert not judging.wait(0.0)
    began = time.monotonic()
    judging.close()
    assert time.monotonic() - began < 30
    assert len(store.awaiting()) == 2
    judge_waiting(MatchStore(store.folder), pytest.fail)
    assert store.awaiting() == []
    assert all(each.luck is not None for each in store.matches())


def test_a_match_that_ends_just_as_the_others_are_counted_is_waited_for(store, monkeypatch):
    counted, is_late, may_count = [], threading.Event(), threading.Event()

    def count(store, *_):
        if counted:
            may_count.wait(60)
        counted.extend(store.judge(number, Judgement()) for number, _ in store.awaiting())

    monkeypatch.setattr("protocol.backgammon.servers.judging.judge_waiting", count)
    judging = Judging(store)
    waker, set_idle = threading.Thread(target=judging.wake), judging._is_idle.set

    def set_idle_late():
        if not is_late.is_set():
            store.finish(PLAYED, short_match())
            waker.start()
            waker.join(0.1)
        set_idle()
        is_late.set()

    monkeypatch.setattr(judging._is_idle, "set", set_idle_late)
    store.finish(PLAYED, short_match())
    judging.wake()
    assert is_late.wait(60)
    waker.join(60)
    assert not judging.wait(0.0)
    may_count.set()
    assert judging.wait(60)
    judging.close()
    assert (len(counted), store.awaiting()) == (2, [])


def test_what_takes_too_long_is_left_for_the_next_time(store):
    store.finish(PLAYED, short_match())
    told = []
    judge_waiting(store, told.append, seconds=0.0)
    assert len(told) == len(store.awaiting()) == 1
    assert "no answer in 0 seconds" in told[0]


def test_a_match_without_its_file_waits_no_longer(store):
    store.finish(PLAYED, short_match())
    store.path(store.matches()[0]).unlink()
    told = []
    judge_waiting(store, told.append)
    assert "cannot be counted" in told[0]
    assert store.awaiting() == []


def test_a_match_of_a_level_that_is_none_waits_no_longer(tmp_path):
    store = MatchStore(tmp_path, "perfect")
    store.finish(replace(PLAYED, opponent="eve"), short_match())
    judge_waiting(store, lambda _: None)
    assert store.awaiting() == []


def test_a_take_that_a_dear_drop_made_right_is_no_error(tmp_path):
    """Far behind in a race: elsewhere a drop, where a drop costs a gammon a take."""
    rules = Rules(5, jacoby=False)
    recorder = Recorder(rules)
    position = Position.of({6: 15}, {6: 10, 13: 5})
    recorder.add(Game(GameState(position, score=Score(5, 0, 0)), 1))
    recorder.add(CubeAction.DOUBLE)
    recorder.add(DoubleAnswer.TAKE)
    recorder.end(1, 2)
    found = []
    for number, place in enumerate(["", place_with_board_drops("fake:1337")]):
        occasion = Occasion(place=place)
        match = MatchRecord(("blot", "bob"), rules, (recorder.record,), occasion)
        path = tmp_path / f"{number}.sgf"
        write_match(match, path)
        found.append(judgement_of(path, "easy").error_rate)
    assert found[0] > 10
    assert found[1] == 0
