from dataclasses import replace

import pytest

from bot.backgammon.rules.record import MatchRecord
from tests import gnubg_games
from tests.bench.check_game import random_matches

pytestmark = pytest.mark.gnubg


def test_gnubg_plays_the_same_games_to_the_same_scores():
    matches = random_matches(games=40, seed=7)
    assert gnubg_games.disagreements(matches) == []


def test_game_that_gnubg_plays_by_other_rules_is_found(monkeypatch):
    matches = [match for match in random_matches(games=120, seed=7) if beavered(match)]
    assert matches
    assert gnubg_games.disagreements(matches) == []
    monkeypatch.setattr(gnubg_games, "MAX_BEAVERS", 0)
    assert len(gnubg_games.disagreements(matches)) == len(matches)


def test_cut_off_record_is_played_as_far_as_it_goes():
    match = random_matches(games=1, seed=7)[0]
    game = match.games[0]
    short = replace(game, events=game.events[:9], result=None)
    assert gnubg_games.disagreements([replace(match, games=(short,))]) == []


def beavered(match: MatchRecord) -> bool:
    events = (event for game in match.games for event in game.events)
    return any(getattr(event.answer, "value", None) == "beaver" for event in events)
