import pytest

from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, replay
from bot.draughts.rules.variant import CZECH

START = Position.start(CZECH)
FIRST = legal_moves(START)[0]
AFTER = position_after(START, FIRST)
REPLY = legal_moves(AFTER)[0]


def record_of(*moves):
    return GameRecord(START, Line(tuple(RecordedMove(move) for move in moves)))


def test_record_plays_its_moves_again_from_the_positions_before_them():
    record = record_of(FIRST, REPLY)
    assert (record.variant, record.moves) == (CZECH, (FIRST, REPLY))
    assert list(replay(record)) == [(START, FIRST), (AFTER, REPLY)]


def test_move_against_the_rules_ends_the_replay_with_its_number():
    going_on = replay(record_of(FIRST, Move(1, 2), REPLY))
    assert next(going_on) == (START, FIRST)
    with pytest.raises(ValueError, match="move 2 is against the rules: no step leads from 1 to 2"):
        next(going_on)
