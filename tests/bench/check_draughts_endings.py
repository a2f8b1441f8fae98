"""Check the solved endings of draughts: all against each other, some against others' moves.

Every value must follow from those after the moves. Then boards of each table are drawn by lot, and
their values must follow from those after the plain twin's moves too; and where a game ends soon, a
search that knows no endings and reduces nothing must find the end at the same ply.

    python -m tests.bench.check_draughts_endings czech --pieces 4
"""

import argparse
import sys
import time
from random import Random
from threading import Event

import numpy as np

from bot.draughts.engine.engine import Engine
from bot.draughts.evaluation.endings import check_endings, load_endings, table_sizes
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.kernels.boards import Board
from bot.draughts.kernels.endings import IMPOSSIBLE, Endings, Table, board_of, ending_value
from bot.draughts.rules.board import boards_of, positions_of, rules_of
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import VARIANTS, Side, Variant
from bot.lab.command_line import told_in_a_sentence
from tests.bench.check_draughts_moves import written
from tests.plain.draughts import plain_moves

SOON = 9
"""Plies to the end of a game that a search without endings looks for."""


@told_in_a_sentence()
def main() -> None:
    """Check, and print what was checked; end with 1 if any value is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--pieces", type=int, choices=(2, 3, 4), default=4)
    parser.add_argument(
        "--drawn", type=int, default=200, help="boards of each table (default: 200)"
    )
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    variant = VARIANTS[options.variant]
    endings = load_endings(variant, lambda text: print(text, file=sys.stderr), options.pieces)
    began = time.process_time()
    checked = check_endings(variant, endings)
    print(f"{checked:,} values follow from each other ({time.process_time() - began:.1f} s)")
    _show_values(endings)
    wrong = _check_drawn(variant, endings, options.drawn, Random(options.seed))
    sys.exit(wrong > 0)


def _show_values(endings: Endings) -> None:
    values = endings.values[endings.values != IMPOSSIBLE]
    won, drawn, lost = (int(np.count_nonzero(np.sign(values) == sign)) for sign in (1, 0, -1))
    print(
        f"{won:,} won, {drawn:,} drawn, {lost:,} lost; the longest win takes {values.max()} plies"
    )


def _check_drawn(variant: Variant, endings: Endings, number: int, random: Random) -> int:
    """Check boards drawn by lot by the twin's moves and by search; the number of wrong values."""
    engine = Engine(PatternEvaluation.untrained(variant), rows=1 << 16, is_plain=True)
    by_moves = by_search = wrong = 0
    for table, (start, size) in table_sizes(variant, endings.most).items():
        for rank in random.sample(range(size), min(size, number)):
            value = int(endings.values[start + rank])
            if value == IMPOSSIBLE:
                continue
            position = _position(rank, table, variant, endings)
            by_moves += 1
            bad = _by_plain_moves(position, endings) != value
            plies = value if value > 0 else -value - 1
            game = Game.of(position)
            # an only move is played without a search, and a king may draw against a king at once
            if value != 0 and plies <= SOON and game.result is None and len(game.moves) > 1:
                by_search += 1
                score = _by_search(game, engine, plies)
                bad = bad or score != (300 - plies / 100) * (1 if value > 0 else -1)
            if bad:
                wrong += 1
                if wrong <= 5:
                    print(f"{written(position)} is not worth {value}")
    print(f"{by_moves:,} by the twin's moves, {by_search:,} by search: {wrong} wrong")
    return wrong


def _position(rank: int, table: Table, variant: Variant, endings: Endings) -> Position:
    board = board_of(rank, table, rules_of(variant), endings)
    return positions_of(np.array([board], np.int64), variant, Side.WHITE)[0]


def _by_plain_moves(position: Position, endings: Endings) -> int:
    """The value of a position from those after its moves, which the twin generates."""
    theirs = []
    for move in plain_moves(position):
        after = position_after(position, Move(*move))
        board = Board(*boards_of([after])[0].tolist())
        theirs.append(int(ending_value(board, rules_of(position.variant), endings)))
    lost = [-value for value in theirs if value < 0]
    if lost:
        return min(lost)
    return -max(theirs, default=-1) - 2 if all(value > 0 for value in theirs) else 0


def _by_search(game: Game, engine: Engine, plies: int) -> float | None:
    """The score of a search that is just deep enough, in men."""
    engine.forget()
    return engine.search(game, Limits(depth=plies), Event(), lambda _: None).score


if __name__ == "__main__":
    main()
