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
    assert one.record.score is None
    assert one.record.tags == (("White", HUMAN), ("Black", "easy"))


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
