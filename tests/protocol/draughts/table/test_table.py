from dataclasses import replace

import pytest

from bot.draughts.rules.game import Ending, Game
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from protocol.draughts.formats.fen import parse_fen
from protocol.draughts.table.table import HUMAN, Table


def table(fen="", variant=CZECH, players=(HUMAN, "easy")):
    start = parse_fen(fen, variant) if fen else Game.start(variant).position
    return Table(start, players)


def test_record_of_a_table_makes_the_same_table():
    one = table()
    for _ in range(6):
        one.play(one.game.moves[0])
    other = Table(one.record.start, one.players, list(one.record.moves))
    assert other.position == one.position
    assert other.game == one.game
    assert len(other.games) == 6
    assert one.record.score is None
    assert one.record.tags == (("White", HUMAN), ("Black", "easy"))


def test_players_of_a_record_sit_down_unless_others_are_named():
    record = table(players=("Anna", "easy")).record
    assert Table.of_record(record).players == ("Anna", "easy")
    assert Table.of_record(record, (HUMAN, "hard")).players == (HUMAN, "hard")


def test_moves_behind_the_end_of_a_game_are_left_out_where_that_is_wanted():
    played = table("W:Wc3:Bb4")
    played.play(played.game.moves[0])
    record = played.record
    longer = replace(record, line=replace(record.line, moves=record.line.moves * 2))
    assert len(Table.of_moves(longer, played.players).moves) == 1
    with pytest.raises(ValueError, match="the game is over"):
        Table.of_record(longer)


def test_game_is_ended_once():
    played = table()
    played.end(played.game.agreed())
    with pytest.raises(ValueError, match="the game is over"):
        played.end(played.game.agreed())


def test_last_move_of_a_game_is_on_the_board():
    played = table("W:Wc3:Bb4", players=(HUMAN, HUMAN))
    played.play(played.game.moves[0])
    assert played.result.ending is Ending.NO_MOVE
    assert played.result.winner is Side.WHITE
    assert played.position.pieces(Side.BLACK) == 0
    assert played.record.score == (2, 0)
    with pytest.raises(ValueError, match="the game is over"):
        played.play(played.game.moves[0])
    played.undo()
    assert played.result is None
    assert played.moves == []
    assert played.position == played.start


def test_undo_goes_back_to_the_persons_own_move():
    played = table()
    for _ in range(4):
        played.play(played.game.moves[0])
    played.undo()
    assert len(played.moves) == 2
    assert played.on_move == HUMAN
    played.undo()
    with pytest.raises(ValueError, match="no move has been made"):
        played.undo()


def test_undo_of_two_bots_takes_one_move_back():
    played = table(players=("easy", "easy"))
    for _ in range(3):
        played.play(played.game.moves[0])
    played.undo()
    assert len(played.moves) == 2


def test_person_that_has_not_moved_has_nothing_to_take_back():
    played = table(players=("easy", HUMAN))
    played.play(played.game.moves[0])
    with pytest.raises(ValueError, match="none of the moves is a person's"):
        played.undo()


def test_resignation_is_taken_back_alone():
    played = table(variant=INTERNATIONAL)
    played.play(played.game.moves[0])
    played.end(played.game.resigned(Side.BLACK))
    assert played.record.score == (2, 0)
    played.undo()
    assert played.result is None
    assert len(played.moves) == 1


def test_table_takes_no_position_in_which_the_game_is_over():
    with pytest.raises(ValueError, match="the game is over in this position: no move left"):
        table("W:W:Bb4")
