import pytest

from bot.backgammon.play import CheckerPlay
from bot.backgammon.position import START
from protocol.backgammon.announcement import (
    guess_text,
    parse_stake,
    pips_text,
    result_text,
    score_text,
    seat_names,
    sentence,
    throw_text,
    turn_text,
)
from protocol.backgammon.board_view import Look
from protocol.backgammon.table import Setting, Table
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
    assert throw_text(table, 3, 1, PLAIN) == "Opening: ● You 3, ○ hard 1. ● You begin."
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    assert throw_text(table, 6, 4, PLAIN) == "○ hard throws 6-4."
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


def test_errors_become_sentences():
    assert sentence(ValueError("the roll is played")) == "The roll is played."
    assert sentence(ValueError("why?")) == "Why?"
    assert guess_text("hnit 3", ["hint", "help"]) == " Did you mean hint?"
    assert guess_text("8/5", ["hint"]) == guess_text("hint", ["hint"]) == ""
