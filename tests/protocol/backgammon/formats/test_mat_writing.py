from dataclasses import replace

import pytest

from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.record import Rules, replay
from protocol.backgammon.formats.mat_writing import lost_in_mat, mat_text
from tests.games import random_match

MATCH = random_match(Rules(3), 1)
COMMENT, NOTE = {"comment": "Well played."}, {"annotations": (("BM", ("2",)),)}


@pytest.mark.parametrize(
    ("of_event", "of_game", "lost"),
    [
        ({}, {}, ""),
        (COMMENT, {}, "comments"),
        ({}, COMMENT, "comments"),
        (NOTE, {}, "analysis and other annotations"),
        ({}, NOTE, "analysis and other annotations"),
        (COMMENT, NOTE, "comments and analysis and other annotations"),
    ],
)
def test_what_is_lost_is_told_in_words(of_event, of_game, lost):
    first, *games = MATCH.games
    event, *events = first.events
    first = replace(first, events=(replace(event, **of_event), *events), **of_game)
    assert lost_in_mat(replace(MATCH, games=(first, *games))) == lost


@pytest.mark.parametrize(
    ("name", "lost"),
    [("a:b", "some signs of the players' names"), ("Ann Lee", ""), ("", "")],
)
def test_a_name_that_is_written_otherwise_is_told_of(name, lost):
    assert lost_in_mat(replace(MATCH, players=(name, "two"))) == lost


def test_star_stands_behind_every_hit_and_nowhere_else():
    hits = 0
    for game, event in replay(MATCH):
        if isinstance(event.answer, CheckerPlay):
            hits += event.answer.after.points[0] - game.state.position.points[0]
    assert mat_text(MATCH).count("*") == -hits > 0
