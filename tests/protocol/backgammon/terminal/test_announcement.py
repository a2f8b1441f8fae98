import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import START
from protocol.backgammon.table.table import Setting, Table
from protocol.backgammon.terminal.announcement import (
    HELP,
    act_text,
    guess_text,
    parse_stake,
    pips_text,
    result_text,
    roll_text,
    score_text,
    seat_names,
    turn_text,
)
from protocol.backgammon.terminal.board_view import Look
from protocol.line_reader import MENU_ROWS
from tests.tables import bearing_off_table, play_first

PLAIN = Look()


@pytest.mark.parametrize(
    ("players", "names"),
    [
        (("human", "hard"), ("You", "hard")),
        (("pubeval", "human"), ("pubeval", "You")),
        (("human", "human"), ("Player 1", "Player 2")),
        (("runs/a/weights.npz", "x\\y.npz"), ("weights.npz", "y.npz")),
    ],
)
def test_players_are_called_by_short_names(players, names):
    assert seat_names(players) == names


def test_opening_and_turns_are_announced():
    table = Table(Setting(("human", "hard")))
    table.throw(3, 1)
    assert roll_text(table, 3, 1, PLAIN) == "Opening: ● You 3, ○ hard 1. ● You begin."
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    assert roll_text(table, 6, 4, PLAIN) == "○ hard rolls 6-4."
    play = table.turn.with_text("24/14").play
    assert turn_text(table, 1, play, START, PLAIN) == "○ hard plays 24/14."
    assert turn_text(table, 0, play, START, PLAIN) == "● You play 24/14."
    none = CheckerPlay((), START)
    assert turn_text(table, 1, none, START, PLAIN) == "○ hard has no legal play."
    assert turn_text(table, 0, none, START, PLAIN) == "● You have no legal play."


def test_result_names_kind_points_and_score():
    table = bearing_off_table(Setting(("human", "hard"), length=5), (1, 2))
    assert result_text(table, PLAIN) == (
        "● You win a gammon, 2 points: ● You 3, ○ hard 2 in a match to 5."
    )
    table = bearing_off_table(Setting(("human", "hard"), length=5), (3, 2))
    assert result_text(table, PLAIN) == "● You win a gammon and the match, 5 to 2."
    table = bearing_off_table(Setting(("random", "human")))
    assert score_text(table, PLAIN) == "● random 2, ○ You 0 in money games"
    with pytest.raises(ValueError, match="not over"):
        result_text(Table(Setting(("human", "hard"))), PLAIN)


def test_what_is_done_with_the_cube_is_told_with_its_value():
    table = Table(Setting(("human", "hard"), cube=True, money=MoneyRules(beavers=True)))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    told = []
    for act in (CubeAction.DOUBLE, DoubleAnswer.BEAVER, DoubleAnswer.TAKE):
        seat = table.game.asked
        table.answer(act)
        told.append(act_text(table, seat, act, PLAIN))
    assert told == [
        "○ hard doubles to 2.",
        "● You beaver: the cube is offered back at 4.",
        "○ hard takes: the cube is at 4.",
    ]


def test_drop_brings_the_cube_and_jacoby_is_named_where_it_counts():
    table = Table(Setting(("human", "hard"), cube=True, money=MoneyRules()))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.answer(CubeAction.DOUBLE)
    table.answer(DoubleAnswer.DROP)
    assert act_text(table, 0, DoubleAnswer.DROP, PLAIN) == "● You drop."
    assert result_text(table, PLAIN) == "○ hard wins 1 point: ● You 0, ○ hard 1 in money games."
    jacoby = bearing_off_table(Setting(("human", "hard"), cube=True, money=MoneyRules()))
    assert result_text(jacoby, PLAIN) == (
        "● You win a gammon, 1 point by the Jacoby rule: ● You 1, ○ hard 0 in money games."
    )


def test_score_names_the_crawford_game():
    table = Table(Setting(("human", "hard"), 5, cube=True), (4, 1), is_crawford=True)
    assert score_text(table, PLAIN) == "● You 4, ○ hard 1 in a match to 5, Crawford game"


def test_help_fits_into_a_window_of_80_by_24_with_the_prompt_and_its_menu_below():
    assert max(map(len, HELP.splitlines())) <= 80
    assert len(HELP.splitlines()) + MENU_ROWS <= 24


def test_pips_are_told_for_both_from_either_side():
    table = Table(Setting(("human", "hard")))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    assert pips_text(table, PLAIN) == "● You 163, ○ hard 167 pips."
    table.throw(6, 4)
    play_first(table, "24/14")
    assert pips_text(table, PLAIN) == "● You 163, ○ hard 157 pips."


def test_stakes_are_read_by_word_letter_or_number():
    for words, points in (("single S normal 1", 1), ("Gammon g 2", 2), ("backgammon b 3", 3)):
        assert {parse_stake(word) for word in words.split()} == {points}
    with pytest.raises(ValueError, match="not 'four'"):
        parse_stake("four")


def test_a_command_that_may_have_been_meant_is_asked_for():
    assert guess_text("hnit 3", ["hint", "help"]) == " Did you mean hint?"
    assert guess_text("8/5", ["hint"]) == guess_text("hint", ["hint"]) == ""
