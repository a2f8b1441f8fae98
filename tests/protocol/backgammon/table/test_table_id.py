"""Table IDs: what `id` tells of a game that goes on, and of one that is over."""

import pytest

from bot.backgammon.rules.decision import ChooseCheckerPlay, ChooseCubeAction, CubeAction
from bot.backgammon.rules.decision import DoubleAnswer as Answer
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.table.set_up import table_set_up
from protocol.backgammon.table.table import HUMAN, Setting
from protocol.backgammon.table.table_id import table_ids
from tests.tables import bearing_off_table, play_first, table_at

PEOPLE = (HUMAN, HUMAN)
BEAVERS = MoneyRules(jacoby=True, beavers=True)


def money_table():
    setting = Setting(PEOPLE, cube=True, money=BEAVERS)
    return table_set_up(setting, ChooseCubeAction(GameState(START, money=BEAVERS)), 0)


def match_table(length, turn=0, roll=None):
    setting = Setting(PEOPLE, length, cube=True)
    state = setting.rules.new_game().state
    asked = ChooseCheckerPlay(state, roll) if roll else ChooseCubeAction(state)
    return table_set_up(setting, asked, turn)


def dropped():
    table = match_table(3)
    table.answer(CubeAction.DOUBLE)
    table.answer(Answer.DROP)
    return table


def resigned_with_dice():
    table = match_table(1, turn=1, roll=Roll(2, 1))
    table.resign(1)
    return table


def resigned_before_dice():
    table = money_table()
    table.resign(3)
    return table


def test_game_that_goes_on_is_told_by_both_ids():
    setting = Setting(PEOPLE, cube=True, money=BEAVERS)
    table = table_at(setting, START, (3, 1), (5, 2))
    first, second = table_ids(table).split("\n")
    assert second == "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:5:2:3:0:10"
    assert pasted_id(table_ids(table)).request == pasted_id(second).request == table.question
    assert pasted_id(first).record == pasted_id(second).record


@pytest.mark.parametrize(
    ("table", "identity"),
    [
        (resigned_with_dice, "4HPwATDgc/ABMA:MCslAAAACAAE"),
        (dropped, "4HPwATDgc/ABMA:cARgAAAACAAE"),
        (resigned_before_dice, "4HPwATDgc/ABMA:cGMAABAAAAAA"),
    ],
)
def test_game_that_is_over_is_told_as_gnubg_tells_it(table, identity):
    # The first two are gnubg's; the third differs from gnubg's in the points, one under Jacoby.
    first, second = table_ids(table()).split("\n")
    assert first == f"GNUBG ID: {identity}"
    assert second == "An XGID cannot tell that a game is over."
    assert pasted_id(first).finished


def test_last_checker_off_leaves_the_loser_on_roll_as_gnubg_does():
    table = bearing_off_table(Setting(PEOPLE, 3, cube=True), (1, 2))
    game = pasted_id(table_ids(table)).finished
    assert (game.record.roller, game.record.decider) == (0, 0)
    assert game.record.points == (2, 3)
    assert str(game) == "the match is over: X won it, 3 to 2"


def test_finished_match_is_shown_by_the_id_typed_at_the_table(sit, blot):
    sitting = sit(table_at(Setting(PEOPLE, 1), START, (3, 1)))
    play_first(sitting.table, "8/5 6/5")
    sitting.table.throw(6, 5)
    sitting.talk.receive("resign gammon")
    sitting.talk.receive("y")
    assert sitting.table.is_match_over
    code, out, _ = blot("show", sitting.say("id"))
    assert code == 0
    assert out.splitlines()[-1].startswith("The match is over: X won it, 2 to 0.")


def test_beaver_has_no_xgid():
    table = money_table()
    table.answer(CubeAction.DOUBLE)
    assert table_ids(table).endswith("XGID=-b----E-C---eE---c-e----B-:0:0:1:D:0:0:3:0:10")
    table.answer(Answer.BEAVER)
    assert table_ids(table).endswith("\nAn XGID that Blot reads cannot tell of a beaver.")


def test_game_that_ended_after_a_beaver_is_told_to_be_over():
    table = money_table()
    for answer in (CubeAction.DOUBLE, Answer.BEAVER, Answer.DROP):
        table.answer(answer)
    assert table_ids(table).endswith("\nAn XGID cannot tell that a game is over.")
