"""Tree: the workspace of one search, set up for a game."""

import numpy as np

from bot.draughts.kernels.moves import MAX_MOVES, MOVE, new_jumps
from bot.draughts.kernels.ordering import SQUARES
from bot.draughts.kernels.search import (
    AGE,
    DRAWN_AT,
    FRAME,
    IS_PLAIN,
    KING_MOVES,
    MAX_PLY,
    NEVER,
    ONE_AGAINST_THREE,
    ONE_AGAINST_TWO,
    PAST,
    PAST_KEYS,
    QUIET,
    STATE,
    Tree,
)
from bot.draughts.kernels.table import fill_keys
from bot.draughts.rules.board import boards_of
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import DrawRules


def new_tree() -> Tree:
    """A tree without a root."""
    return Tree(
        frames=np.zeros((MAX_PLY, FRAME), np.int64),
        moves=np.zeros((MAX_PLY, MAX_MOVES, MOVE), np.int64),
        order=np.zeros((MAX_PLY, MAX_MOVES), np.int64),
        lines=np.zeros((MAX_PLY, MAX_PLY + 1, MOVE), np.int64),
        history=np.zeros(SQUARES * SQUARES, np.int64),
        past=np.zeros(PAST_KEYS, np.int64),
        state=np.zeros(STATE, np.int64),
        jumps=new_jumps(),
    )


def set_root(tree: Tree, game: Game, *, age: int, is_plain: bool = False) -> None:
    """Let a tree begin at a game's position, with the draw rules as they stand there.

    age: of the search, for the table. is_plain: see IS_PLAIN.
    """
    draws = game.position.variant.draws
    earlier = game.earlier[-PAST_KEYS:]
    tree.frames[:] = 0
    tree.frames[0, :4] = boards_of([game.position])[0]
    tree.frames[0, QUIET] = game.king_moves
    if earlier:
        fill_keys(boards_of(earlier), tree.past)
    tree.state[:] = 0
    tree.state[AGE] = age
    tree.state[IS_PLAIN] = is_plain
    tree.state[PAST] = len(earlier)
    tree.state[KING_MOVES] = draws.king_moves
    tree.state[DRAWN_AT] = min(_left(draws, game))
    tree.state[ONE_AGAINST_THREE] = draws.one_against_three or NEVER
    tree.state[ONE_AGAINST_TWO] = draws.one_against_two or NEVER


def _left(draws: DrawRules, game: Game) -> list[int]:
    """Plies that are left on the clocks that run."""
    clocks = (
        (draws.one_against_three, game.against_three),
        (draws.one_against_two, game.against_two),
    )
    running = [limit - plies for limit, plies in clocks if limit is not None and plies is not None]
    return [NEVER, *running]
