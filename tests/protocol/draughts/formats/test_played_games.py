import pytest

from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.rules.game import Ending, Game, Result
from bot.draughts.rules.legality import legal_moves
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import INTERNATIONAL, Side
from protocol.draughts.formats.played_games import NO_RESULT, line_record, played_record

START = Position.start(INTERNATIONAL)
FIRST = legal_moves(START)[0]
REPLY = Game.start(INTERNATIONAL).after(FIRST).position
MOVES = (FIRST, legal_moves(REPLY)[0])
TAGS = (("Round", "2.1"), ("White", "Ann"), ("Black", "Bob"))
DRAWN = Result(None, Ending.AGREED)
WHITES = Result(Side.WHITE, Ending.NO_MOVE)
BLACKS = Result(Side.BLACK, Ending.RESIGNED)


def ends(record):
    """The comments behind its moves."""
    return [each.comments for each in record.line.moves]


@pytest.mark.parametrize(
    ("result", "fault", "score", "end"),
    [
        (WHITES, "", (2, 0), "no move left"),
        (BLACKS, "", (0, 2), "a resignation"),
        (DRAWN, "", (1, 1), "an agreement"),
        (None, "", (1, 1), "broken off"),
        (Result(Side.BLACK, Ending.FORFEITED), "white failed: it hung", (0, 2), ""),
    ],
)
def test_game_of_a_match_has_its_players_its_score_and_why_it_ended(result, fault, score, end):
    game = PlayedGame(INTERNATIONAL, MOVES, result, (0.0, 0.0), (1, 1), fault)
    record = played_record(game, "Ann", "Bob", "2.1")
    assert (record.start, record.moves, record.tags) == (START, MOVES, TAGS)
    assert record.score == score
    assert ends(record) == [(), (fault or end,)]


@pytest.mark.parametrize(
    ("result", "score", "end"),
    [
        (WHITES, (2, 0), "no move left"),
        (BLACKS, (0, 2), "a resignation"),
        (DRAWN, (1, 1), "an agreement"),
        (None, None, NO_RESULT),
    ],
)
def test_game_over_a_line_goes_on_from_any_position_and_may_have_no_result(result, score, end):
    record = line_record(REPLY, MOVES[1:], result, ("Ann", "Bob"), "2.1")
    assert (record.start, record.moves, record.tags) == (REPLY, MOVES[1:], TAGS)
    assert (record.score, ends(record)) == (score, [(end,)])


def test_game_without_a_move_has_nothing_behind_it():
    record = line_record(START, (), BLACKS, ("Ann", "Bob"), "1")
    assert (record.moves, record.score) == ((), (0, 2))
