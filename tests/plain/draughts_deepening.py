"""The slow obvious twin of the search: a score square by square, and every move of the tree."""

from dataclasses import replace

from bot.draughts.kernels.search import WIN
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.position import squares_of
from tests.plain.draughts import place_of


def plain_score(evaluation, position):
    """The evaluation of a position for the player to move, in hundredths of a man."""
    variant, turn = position.variant, position.turn
    is_white = turn.value == "white"

    def places(squares):
        numbers = [n if is_white else variant.squares + 1 - n for n in squares_of(squares)]
        return {divmod(n - 1, variant.row_length) for n in numbers}

    own, other = places(position.men(turn)), places(position.men(turn.other))
    total = [0, 0]
    columns = variant.row_length - 1
    for column in range(columns):
        for row in range(variant.rows - 3):
            content = 0
            for i in range(8):
                place = (row + i // 2, column + 1 - i % 2)
                content = 3 * content + (1 if place in own else 2 if place in other else 0)
            weights = evaluation.regions[column * (variant.rows - 3) + row, content]
            total = [total[i] + int(weights[i]) for i in range(2)]
    amounts = _amounts(position)
    for term, amount in enumerate(amounts):
        total = [total[i] + amount * int(evaluation.terms[term, i]) for i in range(2)]
    whole = 2 * variant.rows_of_men * variant.row_length
    pieces = position.pieces(turn) | position.pieces(turn.other)
    here = min(pieces.bit_count(), whole)
    return (total[0] * here + total[1] * (whole - here)) * 100 // (1000 * whole)


def _amounts(position):
    turn, variant = position.turn, position.variant
    men = position.men(turn).bit_count() - position.men(turn.other).bit_count()
    own, other = (list(squares_of(position.kings(side))) for side in (turn, turn.other))
    first = bool(own) - bool(other)

    def on_diagonal(squares):
        return sum(sum(place_of(variant, square)) == variant.rows - 1 for square in squares)

    return men, first, len(own) - len(other) - first, on_diagonal(own) - on_diagonal(other), 1


def plain_value(evaluation, position, depth, path=()):
    """The value of a position to a depth, without reductions or extensions."""
    ply = len(path)
    if position in path:
        return 0
    moves = legal_moves(position)
    if not moves:
        return ply - WIN
    if not moves[0].captured and ply > 0:
        waiting = legal_moves(replace(position, turn=position.turn.other))
        is_threatened = bool(waiting and waiting[0].captured)
        if depth < 0 or (depth == 0 and not is_threatened):
            return plain_score(evaluation, position)
    return max(
        -plain_value(evaluation, position_after(position, move), depth - 1, (*path, position))
        for move in moves
    )
