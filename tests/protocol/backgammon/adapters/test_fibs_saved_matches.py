"""Matches that were interrupted: resumed, ended unseen, or kept by a program that was killed."""

import pytest

from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.match_store import MatchStore
from tests.fakes.fibs_board import ME
from tests.fakes.fibs_talk import BEGUN, Talk


@pytest.fixture
def talk(tmp_path):
    return Talk(tmp_path)


SAVED = "  opponent          matchlength   score (your points first)"


def gone(talk):
    """A match with bob at 0-0 is going on, and the connection is lost; the next login."""
    talk.log_in()
    talk.hear(*BEGUN)
    talk.lose_connection()


@pytest.mark.parametrize(
    "lines", [("no saved games.",), (SAVED, "  eve       3          1 -  0")], ids=["none", "other"]
)
def test_a_match_that_is_no_longer_saved_has_ended_unseen(talk, tmp_path, lines):
    gone(talk)
    talk.hear(*lines)
    assert talk.store.matches() == []
    talk.wait(10)
    (played,) = talk.store.matches()
    assert (played.opponent, played.length, played.points, played.is_won) == ("bob", 3, 0, None)
    assert played.rating_before == played.rating_after == 1500.0
    match = read_match(tmp_path / played.file).whole
    assert match.games[0].result is None
    assert talk.store.unfinished("fake", ME) == []
    talk.hear("no saved games.")
    talk.wait(10)
    assert len(talk.store.matches()) == 1


def test_a_match_that_is_saved_still_is_not_over(talk):
    gone(talk)
    talk.hear(SAVED, "** bob       3          0 -  0")
    talk.wait(10)
    assert talk.store.matches() == []
    talk.hear("bob has joined you. Your running match was loaded.", BEGUN[4])
    talk.hear("bob wins the 3 point match 3-0 .")
    assert [each.points for each in talk.store.matches()] == [0]


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("bob wins the 3 point match 3-1 .", (1, 3)),
        ("You win the 3 point match 4-0 .", (4, 0)),
        ("bob wins the 5 point match 5-1 .", None),
        ("eve wins the 3 point match 3-1 .", None),
    ],
)
def test_a_match_that_is_told_to_be_over_after_we_were_cut_off_is(talk, line, points):
    gone(talk)
    talk.hear(line)
    found = [(each.points, each.other_points) for each in talk.store.matches()]
    assert found == ([points] if points else [])
    talk.hear("no saved games.")
    talk.wait(10)
    assert len(talk.store.matches()) == 1


def test_a_list_that_stalls_is_waited_for(talk):
    gone(talk)
    talk.hear(SAVED, "  eve       3          1 -  0")
    talk.wait(4)
    talk.hear("  adam      3          1 -  0")
    talk.wait(4)
    talk.hear("  bob       3          0 -  0")
    talk.wait(10)
    assert talk.store.matches() == []


def test_a_match_that_we_play_is_not_over_whatever_the_list_says(talk):
    gone(talk)
    talk.hear("no saved games.", "bob has joined you. Your running match was loaded.", BEGUN[4])
    talk.client.agenda.drop(Task.ANSWER)
    talk.wait(10)
    assert talk.store.matches() == []


def test_a_new_match_ends_the_one_before_it_with_the_same_opponent(talk):
    gone(talk)
    talk.hear("** You are now playing a 5 point match with Bob")
    assert [(each.opponent, each.length) for each in talk.store.matches()] == [("bob", 3)]
    assert talk.client.seat.match.rules.length == 5


def test_a_new_match_that_begins_amid_another_breaks_that_off(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.hear("** You are now playing a 5 point match with eve")
    assert talk.client.seat.match.players[1] == "eve"
    assert [line.opponent for line in talk.store.unfinished("fake", ME)] == ["bob"]
    talk.hear("** You are now playing a 5 point match with eve")
    assert len(talk.store.unfinished("fake", ME)) == 1


def test_a_server_that_says_we_do_not_play_is_asked_what_is_saved(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    assert talk.hear("** You're not playing.")[-1] == "show saved"
    talk.hear("no saved games.")
    talk.wait(10)
    assert [each.opponent for each in talk.store.matches()] == ["bob"]


def test_a_match_whose_last_points_we_saw_is_won_even_if_nobody_said_so(talk):
    """The connection was lost between the last game and the word that the match is over."""
    talk.log_in()
    talk.hear(BEGUN[0].replace("3 point", "1 point"), *BEGUN[1:4])
    talk.hear(BEGUN[4].replace(":bob:3:", ":bob:1:"))
    talk.hear("bob wants to resign. You will win 1 point. Type 'accept' or 'reject'.")
    talk.hear("You accept and win 1 point.")
    talk.lose_connection()
    talk.hear("** Not yet implemented: 'show saved'")
    talk.wait(10)
    assert [(each.points, each.is_won) for each in talk.store.matches()] == [(1, True)]


def test_a_server_without_a_list_leaves_a_match_open_until_the_next_one(talk):
    gone(talk)
    talk.hear("** Not yet implemented: 'show saved'")
    talk.wait(10)
    assert talk.store.matches() == []


def test_a_killed_program_loses_no_more_than_seconds_of_a_match(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.wait(12)  # and here it is killed
    again = MatchStore(talk.store.folder)
    (line,) = again.unfinished("fake", ME)
    assert (line.opponent, line.rating_before) == ("bob", 1500.0)
    assert len(again.kept("fake", ME, "bob").games[0].events) == 1


def test_gaps_of_a_match_are_counted_over_its_interruptions(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.client.seat.match._notes.gaps = 2
    talk.lose_connection()
    talk.hear("bob has joined you. Your running match was loaded.", BEGUN[4])
    assert talk.client.seat.match.gaps == 2


def test_final_board_of_jibs_is_no_fault(talk, caplog):
    """Jibs takes the loser's checkers off as well, once a game was dropped or resigned."""
    talk.log_in()
    talk.hear(*BEGUN)
    end = (
        "board:You:bob:3:0:1:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:-2:0:-4:-2:-2:-2:-2:-1:0:0:0:3:0:0"
        ":1:1:1:0:1:-1:0:25:0:15:0:0:0:0:0:0"
    )
    assert talk.hear(end) == []
    assert caplog.text == ""


UNLIMITED = "** You are now playing an unlimited match with bob"
BOARD = BEGUN[4].replace(":bob:3:", ":bob:9999:")
WON = "bob wants to resign. You will win 1 point. Type 'accept' or 'reject'."
NEXT = "Type 'join' if you want to play the next game, type 'leave' if you don't."
LEFT = "** Player bob has left the game. The game was saved."


def unlimited(talk):
    """The first game of an unlimited match is over."""
    talk.log_in()
    talk.hear(UNLIMITED, *BEGUN[1:4], BOARD)
    talk.hear(WON, "You accept and win 1 point.", NEXT)


def test_an_unlimited_match_goes_on_game_after_game_and_where_it_was_left(talk):
    unlimited(talk)
    assert talk.wait(5) == ["join"]
    talk.hear("Starting a new game with bob.", *BEGUN[2:4], BOARD.replace("9999:0", "9999:1"))
    talk.hear("bob drops connection. The game was saved.")
    (line,) = talk.store.unfinished("fake", ME)
    assert (line.length, line.points, line.games) == (None, 1, 2)
    talk.hear("bob has joined you. Your running match was loaded.")
    talk.hear(BOARD.replace("9999:0", "9999:1"))
    match = talk.client.seat.match
    assert (match.points, match.gaps, len(match.record().games)) == ((1, 0), 0, 2)


def test_an_unlimited_match_is_left_between_games_if_we_are_to_stop(talk):
    unlimited(talk)
    talk.client.stop()
    assert talk.wait(5) == ["leave"]
    assert talk.hear("** You terminated the game. The game was saved.") == ["bye"]


@pytest.mark.parametrize("begun", [(), BEGUN[1:2]], ids=["between", "before the roll"])
def test_who_leaves_an_unlimited_match_between_games_may(talk, begun):
    unlimited(talk)
    talk.hear(*begun, LEFT)
    assert talk.store.departures("fake", "bob") == 0
    assert talk.store.unfinished("fake", ME)[0].games == 1
    talk.hear("bob has joined you. Your running match was loaded.")
    talk.hear(BOARD.replace("9999:0", "9999:1"), LEFT)
    assert talk.store.departures("fake", "bob") == 1


def test_an_unlimited_match_that_is_no_longer_saved_ends_with_its_points(talk):
    unlimited(talk)
    talk.hear(LEFT)
    talk.lose_connection()
    talk.hear("no saved games.")
    talk.wait(10)
    (played,) = talk.store.matches()
    assert (played.length, played.points, played.other_points, played.is_won) == (None, 1, 0, True)
    assert played.gaps == 0


def test_a_match_that_only_a_board_tells_of_is_gone_on_with(talk):
    talk.log_in()
    talk.hear(BEGUN[4])
    assert talk.client.seat.match.players[1] == "bob"
    assert talk.wait(5)[0].startswith("move ")


def test_a_board_that_cannot_be_is_asked_for_again(talk, caplog):
    talk.log_in()
    talk.hear(*BEGUN[:4], BEGUN[4].replace(":5:0:3:", ":55:0:3:"))
    assert "a board of the server cannot be" in caplog.text
    assert "board" in talk.wait(40)
