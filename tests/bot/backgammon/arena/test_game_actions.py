import json

import numpy as np
import pytest

from bot.backgammon.arena.duel import played_pairs
from bot.backgammon.arena.game_actions import (
    actions_of_boards,
    answer_of_action,
    game_records,
    seen_from_other_seat,
)
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import contest_records
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import MatchRecord, Rules, replay
from protocol.backgammon.arena.named_players import decider
from tests.fakes.restless_player import RestlessPlayer


class OneByOne:
    """A player that is asked one question at a time."""

    def __init__(self, name):
        self.decide = decider(name, seed=1).decide


@pytest.mark.parametrize(
    "match_format",
    [MatchFormat(6, cube=True, jacoby=True, beavers=True), MatchFormat(6, 5, cube=True)],
)
def test_a_game_with_every_kind_of_action_is_played_again_from_its_json(match_format):
    players = RestlessPlayer(), RestlessPlayer()
    words = set()
    for pair in played_pairs(players, match_format, range(3)):
        for contest in pair.contests:
            told = json.loads(json.dumps([(g.result.points, g.actions) for g in contest]))
            records = game_records(told, match_format.rules)
            assert records == contest_records(contest, match_format.rules)
            assert list(replay(MatchRecord(("a", "b"), match_format.rules, tuple(records))))
            for record, game in zip(records, contest, strict=True):
                won = record.result.points * (1 if record.result.winner == 0 else -1)
                assert (won, record.result.kind_counted) == (game.result.points, game.result.kind)
                words |= {action[0] for action in game.actions}
    assert {"opening", "roll", "play", "double", "take", "drop", "resign"} <= words


def test_games_of_a_match_go_on_from_the_score_and_have_one_crawford_game():
    opening = [["opening", 3, 1]]
    rules = Rules(3, has_cube=True)
    records = game_records([(2, opening), (-1, opening), (-1, opening), (1, opening)], rules)
    assert [record.points for record in records] == [(0, 0), (2, 0), (2, 1), (2, 2)]
    assert [record.is_crawford for record in records] == [False, True, False, False]
    assert [record.result.points for record in records] == [2, 1, 1, 1]
    assert [record.result.winner for record in records] == [0, 1, 1, 0]


def test_many_games_at_once_are_written_down_as_one_by_one():
    match_format = MatchFormat(20, 3, seed=4)
    at_once = played_pairs(
        (decider("pubeval", seed=1), decider("blockers", seed=1)), match_format, range(10)
    )
    one_by_one = played_pairs((OneByOne("pubeval"), OneByOne("blockers")), match_format, range(10))
    assert at_once == one_by_one
    assert played_pairs((OneByOne("pubeval"), OneByOne("blockers")), match_format, [7]) == [
        at_once[7]
    ]


def test_the_other_seat_sees_the_dice_of_the_opening_exchanged():
    actions = [["opening", 3, 1], ["play", 8, 5, 6, 5], ["roll"]]
    assert seen_from_other_seat(actions) == [["opening", 1, 3], *actions[1:]]


def test_an_illegal_board_is_refused():
    still = [START.board, START.board]
    with pytest.raises(ValueError, match="no play of 3-1 at"):
        actions_of_boards(still, np.array([[3, 1]], np.int8), is_first=True)


@pytest.mark.parametrize(
    "action", [["jump"], ["play", 24], ["play", 24, None], ["roll", 6], [6, 4], []]
)
def test_what_is_no_action_is_refused(action):
    with pytest.raises(ValueError, match="no action of a game"):
        answer_of_action(action, Game(GameState(START)))
