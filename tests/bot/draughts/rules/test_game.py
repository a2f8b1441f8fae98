from dataclasses import replace
from random import Random

import pytest

from bot.draughts.rules.game import Ending, Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, VARIANTS, Side
from tests.plain.perft_tables import plain_position

KINGS = "W:WK47,K48:BK3,K4,1"
"""Kings that can go to and fro without meeting, and a man, so that no ending runs."""


def game_of(variant, fen, **clocks):
    """A game met in a position, with clocks that have run."""
    met = Game.of(plain_position(variant, fen))
    fields = {"against_three": met.against_three, "against_two": met.against_two, **clocks}
    return Game(met.position, **fields)


def played(game, *moves):
    """The game after steps from square to square."""
    for start, end in moves:
        game = game.after(Move(start, end))
    return game


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_game_begins_at_the_start_with_white_to_move(variant):
    game = Game.start(variant)
    assert game.position == Position.start(variant)
    assert game.result is None
    assert len(game.moves) == {"czech": 7, "international": 9}[variant.name]


def test_move_that_the_rules_forbid_is_refused_with_the_reason():
    with pytest.raises(ValueError, match="no step leads from 31 to 28"):
        Game.start(INTERNATIONAL).after(Move(31, 28))


def test_player_without_a_piece_has_lost():
    assert game_of(CZECH, "W:W22:B18").after(Move(22, 15, (18,))) == Result(
        Side.WHITE, Ending.NO_MOVE
    )


def test_player_whose_pieces_are_blocked_has_lost():
    result = game_of(CZECH, "W:W13,14:B5").after(Move(13, 9))
    assert result == Result(Side.WHITE, Ending.NO_MOVE)


def test_game_met_when_it_is_over_tells_its_result_and_takes_no_move():
    over = game_of(INTERNATIONAL, "B:W28:B")
    assert over.result == Result(Side.WHITE, Ending.NO_MOVE)
    with pytest.raises(ValueError, match="the game is over: no move left"):
        over.after(Move(28, 22))


def test_third_time_of_a_position_draws_the_game():
    there_and_back = [(47, 41), (4, 9), (41, 47), (9, 4)]
    game = played(game_of(INTERNATIONAL, KINGS), *there_and_back, *there_and_back[:3])
    assert isinstance(game, Game)
    assert game.after(Move(9, 4)) == Result(None, Ending.REPETITION)


def test_position_with_the_other_player_to_move_is_another():
    start = game_of(INTERNATIONAL, KINGS)
    game = played(start, (47, 41), (3, 8), (41, 36), (8, 3), (36, 47))
    assert game.position == replace(start.position, turn=Side.BLACK)
    assert game.earlier.count(start.position) == 1
    assert game.earlier.count(game.position) == 0


def test_mans_move_forgets_what_stood_before_it():
    game = played(game_of(INTERNATIONAL, KINGS, king_moves=7), (47, 41))
    assert (len(game.earlier), game.king_moves) == (1, 8)
    game = played(game, (1, 6))
    assert (len(game.earlier), game.king_moves) == (0, 0)


@pytest.mark.parametrize(
    ("variant", "fen", "move", "limit"),
    [
        (INTERNATIONAL, KINGS, Move(47, 41), 50),
        (CZECH, "W:WK29,K30:BK4,K3,1", Move(29, 25), 60),
    ],
)
def test_kings_that_move_as_often_as_the_limit_draw_the_game(variant, fen, move, limit):
    assert isinstance(game_of(variant, fen, king_moves=limit - 2).after(move), Game)
    result = game_of(variant, fen, king_moves=limit - 1).after(move)
    assert result == Result(None, Ending.KING_MOVES)


@pytest.mark.parametrize(
    ("fen", "clock", "limit", "ending"),
    [
        ("W:WK46,30,35:BK1", "against_three", 32, Ending.ONE_AGAINST_THREE),
        ("W:WK46,30:BK1", "against_two", 10, Ending.ONE_AGAINST_TWO),
        ("W:WK46:BK1", "against_two", 10, Ending.ONE_AGAINST_TWO),
        ("W:WK46:BK1,15,20", "against_three", 32, Ending.ONE_AGAINST_THREE),
    ],
)
def test_king_alone_draws_when_its_clock_has_run_out(fen, clock, limit, ending):
    assert getattr(game_of(INTERNATIONAL, fen), clock) == 0
    move = Move(46, 41)
    assert isinstance(game_of(INTERNATIONAL, fen, **{clock: limit - 2}).after(move), Game)
    result = game_of(INTERNATIONAL, fen, **{clock: limit - 1}).after(move)
    assert result == Result(None, ending)


@pytest.mark.parametrize("fen", ["W:WK46:B15", "W:W46,47,48:BK1", "W:WK46,K47:BK1,15"])
def test_other_endings_start_no_clock(fen):
    game = game_of(INTERNATIONAL, fen)
    assert (game.against_three, game.against_two) == (None, None)


def test_win_on_the_last_allowed_move_comes_first():
    game = game_of(INTERNATIONAL, "W:WK46,30,35:BK19", against_three=31, king_moves=49)
    (move,) = [each for each in game.moves if each.end == 14]
    assert game.after(move) == Result(Side.WHITE, Ending.NO_MOVE)


def test_clock_starts_when_four_become_three():
    game = game_of(INTERNATIONAL, "B:WK46,30,35,43:BK32")
    assert game.against_three is None
    after = game.after(game.moves[0])
    assert (after.against_three, after.against_two) == (0, None)


def test_both_clocks_run_when_three_become_two():
    game = game_of(INTERNATIONAL, "B:WK46,30,48:BK19", against_three=20)
    after = game.after(game.moves[0])
    assert (after.against_three, after.against_two) == (21, 0)
    assert after.king_moves == 0


def test_king_against_king_is_drawn_ten_plies_after_they_are_left():
    game = game_of(INTERNATIONAL, "B:WK5:B45").after(Move(45, 50))
    steps = [(5, 10), (50, 44), (10, 15), (44, 50), (15, 10), (50, 45), (10, 5), (45, 50), (5, 14)]
    game = played(game, *steps)
    assert isinstance(game, Game)
    assert game.after(Move(50, 45)) == Result(None, Ending.ONE_AGAINST_TWO)


def test_czech_king_against_king_is_drawn_unless_a_capture_is_on():
    assert game_of(CZECH, "W:WK32:BK1").result == Result(None, Ending.KINGS_ALONE)
    assert game_of(CZECH, "W:WK29:BK18").result is None
    assert game_of(CZECH, "B:WK29:BK18").result is None
    assert game_of(INTERNATIONAL, "W:WK50:BK1").result is None
    assert game_of(CZECH, "W:WK29,17:BK14").result is None


def test_players_may_agree_or_resign():
    game = Game.start(CZECH)
    assert game.agreed() == Result(None, Ending.AGREED)
    assert game.resigned(Side.WHITE) == Result(Side.BLACK, Ending.RESIGNED)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_game_of_random_movers_comes_to_an_end(variant):
    for seed in range(3):
        random = Random(seed)
        game, plies = Game.start(variant), 0
        while isinstance(game, Game):
            assert game.king_moves == len(game.earlier)
            game = game.after(random.choice(game.moves))
            plies += 1
        assert plies < 1000
        assert (game.winner is None) == (game.ending is not Ending.NO_MOVE)
