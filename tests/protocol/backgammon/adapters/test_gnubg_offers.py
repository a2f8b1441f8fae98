"""Beavers, raccoons and resignations at gnubg's board."""

from dataclasses import replace

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.backgammon.formats.fibs_board import BoardRequest, board_line
from tests.fakes.scripted_player import ScriptedPlayer, doubled

MONEY = MoneyRules(beavers=True)
LATER = legal_plays(START, Roll(6, 5))[0].after
CHAIN = GameState(START, Cube(2, CubeOwner.OTHER), money=MONEY)


def replies(player: ScriptedPlayer, *boards: BoardRequest) -> list[str]:
    """What an adapter with that player answers to one board after the other."""
    answers: list[str] = []
    adapter = GnubgAdapter(player, answers.append, money=MONEY)
    for board in boards:
        adapter.receive(board_line(board))
    return answers


def test_beaver_is_answered_by_what_the_stake_is_worth_to_the_roller():
    player = ScriptedPlayer(lambda state: True)
    for points, answer in ((-1.2, "drop"), (-0.2, "take"), (0.2, "beaver")):
        player.answers = lambda state, points=points: doubled(DoubleAnswer.TAKE, points)
        double = BoardRequest(ChooseCubeAction(GameState(START, money=MONEY)), 0, 0)
        beaver = BoardRequest(AnswerDouble(CHAIN), 0, 0)
        assert replies(player, double, beaver) == ["double", answer]
    assert player.states(AnswerDouble)[0].position == START
    assert player.states(AnswerDouble)[0].cube == Cube(2, CubeOwner.ON_ROLL)


def test_raccoon_is_beavered():
    player = ScriptedPlayer(answers=lambda state: doubled(DoubleAnswer.BEAVER))
    raccoon = replace(CHAIN, cube=Cube(4, CubeOwner.OTHER))
    asked = GameState(START, money=MONEY), raccoon
    boards = [BoardRequest(AnswerDouble(state), 1, 0) for state in asked]
    assert replies(player, *boards) == ["beaver", "beaver"]


@pytest.mark.parametrize(("first_value", "answer"), [(1, "take"), (4, "beaver")])
def test_roller_beavers_as_long_as_gnubg_allows(first_value, answer):
    player = ScriptedPlayer(lambda state: True, answers=lambda state: doubled(DoubleAnswer.TAKE, 1))
    before = GameState(START, Cube(first_value), money=MONEY)
    beavered = replace(CHAIN, cube=Cube(8, CubeOwner.OTHER))
    boards = (
        BoardRequest(ChooseCubeAction(before), 0, 0),
        BoardRequest(AnswerDouble(beavered), 0, 0),
    )
    assert replies(player, *boards) == ["double", answer]


def test_beaver_out_of_the_blue_is_counted_from_a_cube_at_1():
    player = ScriptedPlayer(answers=lambda state: doubled(DoubleAnswer.TAKE, 0.5))
    chains = [replace(CHAIN, cube=Cube(value, CubeOwner.OTHER)) for value in (4, 8)]
    boards = [BoardRequest(AnswerDouble(state), 1, 1) for state in chains]
    assert replies(player, *boards) == ["beaver", "take"]


@pytest.mark.parametrize("score", [None, Score(5, 2, 4)])
def test_resignation_is_offered_once_in_a_position_and_then_played_on(score):
    player = ScriptedPlayer(resigns=lambda state: 2)
    before = GameState(START, score=score)
    boards = [
        BoardRequest(ChooseCubeAction(before), 1, 1),
        BoardRequest(ChooseCubeAction(before), 1, 1),
        BoardRequest(ChooseCheckerPlay(before, Roll(3, 1)), 1, 1),
    ]
    assert replies(player, *boards)[:2] == ["resign 2", "roll"]
    assert "/" in replies(player, *boards)[2]


def test_more_is_offered_where_less_was_declined_and_the_same_in_another_position():
    stakes = iter([1, 2, 1, 1, 1])
    player = ScriptedPlayer(resigns=lambda state: next(stakes))
    start, later = GameState(START), GameState(LATER)
    boards = [BoardRequest(ChooseCubeAction(state), 1, 1) for state in (start,) * 3 + (later,) * 2]
    assert replies(player, *boards) == ["resign 1", "resign 2", "roll", "resign 1", "roll"]


def test_resignation_is_no_play_that_gnubg_could_reject(caplog):
    player = ScriptedPlayer(resigns=lambda state: 1)
    board = BoardRequest(ChooseCheckerPlay(GameState(LATER), Roll(3, 1)), 1, 1)
    first, second = replies(player, board, board)
    assert first == "resign 1"
    assert "/" in second
    assert caplog.messages == []
