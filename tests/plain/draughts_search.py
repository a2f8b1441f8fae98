"""The slow obvious twin of the thesis's player: values word by word, and a plain recursion."""

from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.position import squares_of
from bot.draughts.rules.variant import Side
from tests.plain.draughts import place_of


def plain_simulated_value(position):
    """Men of 1 and 0.1 a row, kings of 2, 1.1 times on the edge; by pieces, by 100."""
    variant, pieces, total = position.variant, 0, 0.0
    last = variant.rows - 1
    for side, sign in ((position.turn, 1), (position.turn.other, -1)):
        far = 0 if side is Side.WHITE else last
        for squares, is_king in ((position.men(side), False), (position.kings(side), True)):
            for square in squares_of(squares):
                row, column = place_of(variant, square)
                worth = 2.0 if is_king else 1 + 0.1 * (last - abs(row - far))
                if row in (0, last) or column in (0, last):
                    worth *= 1.1
                total += sign * worth
                pieces += 1
    return total / pieces / 100 if pieces else 0.0


def plain_values(position, depth, discount, known):
    """The value of each legal move in the order of legal_moves, and the positions met in all.

    known: learnt values by position.
    """
    met = 0

    def value(board, ply):
        moves = legal_moves(board)
        if not moves:
            return -(discount**ply)
        if ply == depth:
            learnt = known.get(board)
            return discount**ply * (plain_simulated_value(board) if learnt is None else learnt)
        return max(below(board, move, ply) for move in moves)

    def below(board, move, ply):
        nonlocal met
        met += 1
        if ply == 0:
            after = Game.of(board).after(move)
            if isinstance(after, Result) and after.winner is None:
                return 0.0
        return -value(position_after(board, move), ply + 1)

    return [below(position, move, 0) for move in legal_moves(position)], met
