import json

import pytest

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.table.set_up import table_set_up
from protocol.backgammon.table.table import Dice, Setting

MATCH = Setting(("human", "hard"), 5, cube=True)
MONEY = Setting(("human", "hard"), cube=True, money=MoneyRules(jacoby=False, beavers=True))
CUBE = Cube(2, CubeOwner.ON_ROLL)
SCORE = Score(5, 4, 1, is_crawford=True)


@pytest.mark.parametrize("turn", [0, 1])
def test_game_begins_at_the_roll_with_score_cube_and_crawford(turn):
    state = GameState(START, score=SCORE)
    points = (1, 4) if turn else (4, 1)
    table = table_set_up(MATCH, ChooseCheckerPlay(state, Roll(3, 1)), turn, points)
    assert (table.mover, table.points, table.is_crawford) == (turn, points, True)
    assert table.turn.roll == Roll(3, 1)
    assert table.question.state == state
    assert not table.may_double


@pytest.mark.parametrize(("is_crawford", "reason"), [(True, "the"), (False, "not the")])
def test_saved_game_that_contradicts_its_position_about_crawford_is_refused(
    tmp_path, is_crawford, reason
):
    state = GameState(START, score=Score(5, 4, 1, is_crawford=is_crawford))
    path = tmp_path / "game.json"
    save(table_set_up(MATCH, ChooseCheckerPlay(state, Roll(3, 1)), 0, (4, 1)), path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"crawford": not is_crawford}))
    with pytest.raises(ValueError, match=f"turn 1: it is {reason} Crawford game"):
        load(path)


def test_rules_of_money_games_are_the_setting_s():
    table = table_set_up(MONEY, ChooseCubeAction(GameState(START, CUBE)), 0, (7, 2))
    assert table.game.state.money == MONEY.money
    assert (table.score, table.game.cube_owner, table.may_double) == ((7, 2), 0, True)


def test_double_that_waits_is_answered_by_the_other_side():
    table = table_set_up(MONEY, AnswerDouble(GameState(START)), 1)
    assert table.game.asked == 0
    assert len(table.answers) == 3


def test_what_cannot_be_begun_is_refused():
    with pytest.raises(ValueError, match="a resignation waits"):
        table_set_up(MONEY, AnswerResignation(GameState(START), 1), 0)
    for request in (ChooseCubeAction(GameState(START, CUBE)), AnswerDouble(GameState(START))):
        with pytest.raises(ValueError, match="the cube is turned to 2: the game is played with it"):
            table_set_up(Setting(("human", "hard")), request, 0)
    with pytest.raises(ValueError, match="score"):
        table_set_up(MATCH, ChooseCubeAction(GameState(START, score=Score(5, 2, 2))), 0, (3, 3))


def test_play_of_the_roll_of_a_set_up_game_is_taken_back_with_typed_dice_too():
    for dice in Dice:
        setting = Setting(("human", "human"), dice=dice)
        table = table_set_up(setting, ChooseCheckerPlay(GameState(START), Roll(3, 1)), 0)
        with pytest.raises(ValueError, match="nothing to take back"):
            table.take_back()
        table.answer(legal_plays(START, Roll(3, 1))[0])
        assert table.take_back() == "the last turn"
        assert (table.mover, table.turn.roll, table.position) == (0, Roll(3, 1), START)


def test_typed_dice_after_the_play_of_a_set_up_roll_are_taken_back_one_after_the_other():
    setting = Setting(("human", "human"), dice=Dice.MANUAL)
    table = table_set_up(setting, ChooseCheckerPlay(GameState(START), Roll(3, 1)), 0)
    table.answer(legal_plays(START, Roll(3, 1))[0])
    table.throw(6, 5)
    assert table.take_back() == "the dice"
    table.throw(6, 5)
    table.answer(legal_plays(table.position, Roll(6, 5))[0])
    assert [table.take_back() for _ in range(2)] == ["the last turn"] * 2
    assert (table.mover, table.position) == (0, START)
