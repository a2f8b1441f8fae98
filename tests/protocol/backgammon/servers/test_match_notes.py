"""Match notes: what is kept of a match, and what is forgotten of it."""

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import OpeningRoll
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import MatchRecord, Occasion, Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.servers import match_notes
from protocol.backgammon.servers.match_notes import MatchNotes

PLAYERS = ("blot", "bob")


def record(notes):
    return notes.record(PLAYERS, Occasion())


def begun(notes, *, is_crawford=False):
    """The notes with another game, of which the opening roll is known."""
    notes.begin(notes.points, is_crawford=is_crawford)
    notes.recorder.add(OpeningRoll(6, 1))
    return notes


def played(notes, *ends):
    """The notes with games that end so: a winner and points each."""
    for winner, points in ends:
        begun(notes).end(winner, points, ())
    return notes


def test_nothing_is_known_of_a_match_that_has_not_begun():
    notes = MatchNotes(3)
    assert (notes.game, notes.points, notes.is_between, notes.gaps) == (None, (0, 0), False, 0)
    assert notes.following() == ((0, 0), False)
    assert record(notes) == MatchRecord(PLAYERS, Rules(3, jacoby=False))


def test_notes_of_an_earlier_time_are_gone_on_with_unless_they_are_of_another_length():
    kept = MatchRecord(PLAYERS, Rules(5), record(played(MatchNotes(5), (0, 2))).games, first_game=4)
    notes = MatchNotes(5, kept)
    assert (notes.points, notes.is_between) == ((2, 0), True)
    assert (record(notes).first_game, record(notes).games) == (4, kept.games)
    assert record(MatchNotes(3, kept)) == MatchRecord(PLAYERS, Rules(3, jacoby=False))


def test_a_game_that_was_not_over_at_an_earlier_time_goes_on():
    kept = record(begun(played(MatchNotes(5), (1, 1))))
    notes = MatchNotes(5, kept)
    assert notes.game.roll == Roll(6, 1)
    assert (notes.points, notes.is_between, record(notes)) == ((0, 1), False, kept)
    kept = record(begun(played(MatchNotes(2), (1, 1)), is_crawford=True))
    assert MatchNotes(2, kept).game.state.score.is_crawford


def test_games_before_a_change_of_length_are_forgotten_but_counted():
    notes = begun(played(MatchNotes(5), (0, 2)))
    notes.change_length(5)
    assert len(record(notes).games) == 2
    notes.change_length(7)
    assert (notes.game, notes.points, notes.gaps) == (None, (0, 0), 1)
    assert (record(notes).rules.length, record(notes).games) == (7, ())
    assert record(notes).first_game == 2
    assert record(begun(notes)).games[0].points == (0, 0)


def test_a_length_that_is_told_before_any_game_is_no_gap():
    notes = MatchNotes(None)
    notes.change_length(5)
    assert (notes.rules.length, notes.gaps, record(notes).first_game) == (5, 0, 1)


def test_the_beginning_of_a_match_without_end_is_forgotten(monkeypatch):
    monkeypatch.setattr(match_notes, "MAX_GAMES", 2)
    notes = played(MatchNotes(None), (0, 1), (0, 1), (1, 2))
    assert (record(notes).first_game, len(record(notes).games), notes.gaps) == (1, 3, 0)
    begun(notes)
    assert (record(notes).first_game, len(record(notes).games), notes.gaps) == (4, 1, 1)
    assert notes.points == (2, 2)


def test_a_match_without_end_has_no_crawford_game():
    notes = begun(MatchNotes(None))
    assert notes.following() == ((0, 0), False)
    assert not notes.is_first_at_one_away((0, 0))


@pytest.mark.parametrize(
    ("points", "is_first"),
    [((2, 0), True), ((0, 2), True), ((2, 2), False), ((1, 0), False)],
)
def test_the_first_game_in_which_one_player_needs_a_point_is_crawfords(points, is_first):
    notes = MatchNotes(3)
    assert notes.is_first_at_one_away(points) is is_first
    notes.drop_crawford()
    assert not notes.is_first_at_one_away(points)


def test_no_second_game_is_crawfords_though_the_first_was_forgotten(monkeypatch):
    monkeypatch.setattr(match_notes, "MAX_GAMES", 0)
    notes = played(MatchNotes(3), (0, 2))
    assert notes.following() == ((2, 0), True)
    begun(notes, is_crawford=True).close()
    assert record(notes).games == ()
    assert not notes.is_first_at_one_away((2, 0))
    notes.change_length(5)
    assert notes.is_first_at_one_away((4, 0))


def test_a_game_in_which_nothing_was_done_is_none():
    notes = played(MatchNotes(5), (0, 1))
    notes.begin((1, 0), is_crawford=False)
    assert len(record(notes).games) == 1
    notes.begin((1, 0), is_crawford=False)
    begun(notes)
    assert [game.points for game in record(notes).games] == [(0, 0), (1, 0)]


def test_points_are_those_of_the_last_game_that_was_put_away():
    notes = played(MatchNotes(5), (0, 1), (1, 3))
    notes.close()
    assert (notes.points, notes.is_between) == ((1, 3), True)


def test_a_game_without_an_end_is_a_gap_unless_it_is_the_first_and_nothing_was_done():
    notes = MatchNotes(5)
    notes.begin((0, 0), is_crawford=False)
    notes.close()
    assert notes.gaps == 0
    begun(notes).close()
    assert (notes.gaps, len(record(notes).games), notes.game) == (1, 1, None)
    notes = played(MatchNotes(5), (0, 1))
    notes.begin((1, 0), is_crawford=False)
    notes.close()
    assert (notes.gaps, len(record(notes).games)) == (1, 1)


def test_a_match_that_goes_on_behind_its_end_has_ended_otherwise():
    notes = played(MatchNotes(2), (1, 1))
    notes.reopen()
    assert (notes.points, notes.is_between, notes.gaps) == ((0, 1), True, 0)
    begun(notes, is_crawford=True).recorder.add(legal_plays(START, Roll(6, 1))[0])
    notes.reopen()
    assert notes.game is not None
    notes.end(1, 1, ())
    assert (notes.points, notes.is_between) == ((0, 2), True)
    assert notes.following() == ((0, 0), False)
    notes.reopen()
    assert (notes.points, notes.is_between, notes.gaps) == ((0, 1), False, 1)
    before, game = record(notes).games
    assert before.result is not None
    assert [type(event.answer) for event in game.events] == [OpeningRoll, CheckerPlay]
    assert game.result is None


def doubled():
    """The notes of a match to 2 points whose first game has a double of the opponent's."""
    notes = begun(MatchNotes(2))
    notes.recorder.add(legal_plays(START, Roll(6, 1))[0])
    notes.recorder.add(CubeAction.DOUBLE)
    return notes


def test_points_that_are_fewer_than_the_cube_brings_are_kept_without_the_end():
    notes = doubled()
    notes.recorder.add(DoubleAnswer.TAKE)
    notes.end(0, 1, ())
    assert (notes.points, notes.gaps, notes.is_between) == ((1, 0), 1, False)
    assert notes.following() == ((1, 0), True)
    notes.begin((1, 0), is_crawford=True)
    assert (notes.points, notes.gaps) == ((1, 0), 1)
    assert [game.points for game in record(notes).games] == [(0, 0)]


def test_points_that_no_game_brings_are_not_believed():
    notes = doubled()
    notes.end(1, 4, (DoubleAnswer.DROP,))
    assert (notes.points, notes.gaps, notes.game) == ((0, 0), 1, None)


def test_a_match_that_goes_on_behind_points_that_were_told_has_not_ended():
    notes = doubled()
    notes.end(1, 2, (DoubleAnswer.DROP,))
    assert (notes.points, notes.gaps) == ((0, 2), 1)
    notes.reopen()
    assert (notes.points, notes.gaps) == ((0, 0), 1)
    assert record(notes).games[0].events[-1].answer is CubeAction.DOUBLE
