"""Judging: a match is counted beside the play, and again if that was interrupted."""

import time
from dataclasses import replace

import pytest

from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.record import MatchRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from protocol.backgammon.servers.judging import Judging, judge_waiting
from protocol.backgammon.servers.match_store import MatchStore, PlayedMatch

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
