"""Points per game against PureTD at 0-ply each, money without a cube: all dice are played twice.

    python -m tests.bench.duel_pure_td PATH --pairs 3000 --processes 2

PATH is best_models/cubeless_prob5_512_512_256_128.pt of alexstrehl/backgammon-ai-engine (GitHub), a
network on 196 inputs that learnt by self-play too; nothing of it is part of Blot. The file is a zip
archive of arrays, weights and biases in turn, and is read as that. First the reading is checked:
the starting position is even but for the right to roll, closing out wins, and who can take the last
two checkers off does.
"""

import argparse
import zipfile
from functools import lru_cache
from pathlib import Path

import numpy as np

from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.engine.level import Level
from bot.backgammon.kernels.boards import CHECKERS, Boards
from bot.backgammon.kernels.network import Floats
from bot.backgammon.rules.decision import (
    GAMES_AT_ONCE,
    ChooseCheckerPlay,
    Dice,
    PlayDecision,
    Request,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import cubeless_equities
from bot.backgammon.rules.play import CheckerPlay, RollWorkspace, boards_after, legal_plays
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.estimate import estimate
from bot.lab.command_line import existing_file, seed_number, told_in_a_sentence, whole_number
from bot.workers import result_of, submitted, worker_pool
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.commands.options import add_strength, level_of, level_text
from tests.bench.duel_gnubg_nn import Pair, points_of_pairs

INPUTS = 196
PAIRS_OF_PIECE = 50


class PureTd:
    """PureTD, asked game by game or for many at once."""

    games_at_once = GAMES_AT_ONCE

    def __init__(self, path: Path) -> None:
        try:
            self._layers = _layers(path)
        except (zipfile.BadZipFile, ValueError, LookupError):
            raise ValueError(f"{path} is no file of PureTD's network") from None
        if len(self._layers[0][0]) != INPUTS:
            raise ValueError(f"{path} has {len(self._layers[0][0])} inputs, not {INPUTS}")

    def outcomes(self, boards: Boards) -> Floats:
        """Five chances of the player on roll; int8[n, 26] in, float32[n, 5] out."""
        units = _inputs(boards)
        for weights, biases in self._layers[:-1]:
            units = np.maximum(units @ weights + biases, 0)
        weights, biases = self._layers[-1]
        chances = np.exp(-np.logaddexp(0, -(units @ weights + biases)))
        # what is contained in another chance is no greater, as its own player sees to it
        chances[:, 1] = np.minimum(chances[:, 0], chances[:, 1])
        chances[:, 3] = np.minimum(1 - chances[:, 0], chances[:, 3])
        chances[:, 2] = np.minimum(chances[:, 1], chances[:, 2])
        chances[:, 4] = np.minimum(chances[:, 3], chances[:, 4])
        return chances.astype(np.float32)

    def decide(self, request: Request) -> PlayDecision:
        """Answer a request for a checker play."""
        if not isinstance(request, ChooseCheckerPlay):
            raise ValueError(f"PureTD plays without the cube here: {request}")
        position, roll = request.state.position, request.roll
        dice = np.array([[roll.high, roll.low]])
        (board,) = self.boards_chosen(position.board[np.newaxis], dice).tolist()
        plays = legal_plays(position, roll) or (CheckerPlay((), position),)
        return PlayDecision(next(play for play in plays if list(play.after.points) == board), ())

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see BatchDecider."""
        workspace = RollWorkspace()
        plays = []
        for board, (high, low) in zip(boards, dice.tolist(), strict=True):
            after, _ = boards_after(board, Roll(high, low), workspace)
            plays.append(after.copy() if len(after) else board[np.newaxis])
        left = turned_boards(np.concatenate(plays))
        equities = cubeless_equities(self.outcomes(left))
        is_won = (left < 0).sum(axis=1) == 0  # seen by the other side
        equities[is_won] = -3  # nothing is better than to have won here, whatever it counts
        chosen = np.empty_like(boards)
        start = 0
        for i, after in enumerate(plays):
            chosen[i] = after[np.argmin(equities[start : start + len(after)])]
            start += len(after)
        return chosen


def _layers(path: Path) -> list[tuple[Floats, Floats]]:
    """Weights and biases of each layer; raises ValueError or BadZipFile for another file."""
    with zipfile.ZipFile(path) as file:
        (first,) = [name for name in file.namelist() if name.endswith("/data/0")]
        folder = first[: -len("0")]
        count = sum(name.startswith(folder) for name in file.namelist())
        arrays = [np.frombuffer(file.read(f"{folder}{number}"), "<f4") for number in range(count)]
    return [
        (weights.reshape(len(biases), -1).T.copy(), biases)
        for weights, biases in zip(arrays[::2], arrays[1::2], strict=True)
    ]


def _inputs(boards: Boards) -> Floats:
    """Its inputs: of either side four units a point, the bar and what is off, its own side first.

    Points count from one end for both sides, as the player on roll sees them.
    """
    halves = []
    for bar, counts in ((25, np.maximum(boards, 0)), (0, np.maximum(-boards, 0))):
        points = counts[:, 1:25]
        units = np.stack(
            [points >= 1, points >= 2, points >= 3, np.maximum(points - 3, 0) / 2], axis=2
        )
        on_bar = counts[:, bar : bar + 1] / 2
        off = (CHECKERS - counts.sum(axis=1, keepdims=True)) / CHECKERS
        halves.append(np.concatenate([units.reshape(len(boards), -1), on_bar, off], axis=1))
    return np.concatenate(halves, axis=1).astype(np.float32)


@lru_cache
def _pure_td(path: Path) -> PureTd:
    return PureTd(path)


def check_reading(path: Path) -> None:
    """Raise ValueError if the file, read so, does not know what everybody knows."""
    closed_out = Position.of({1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 3, 8: 2}, {25: 2, 6: 5, 5: 4, 4: 4})
    boards = np.stack([START.board, closed_out.board, turned_boards(closed_out.board[None])[0]])
    even, wins, loses = cubeless_equities(_pure_td(path).outcomes(boards)).tolist()
    if not (0 < even < 0.2 and wins > 1 and loses < -1):
        raise ValueError(f"{path} says {even:+.3f} of the start, {wins:+.3f} of a closeout")
    for high, low in ((2, 1), (5, 4)):
        last_two = GameState(Position.of({high: 1, low: 1}, {6: 5, 5: 5, 4: 5}))
        request = ChooseCheckerPlay(last_two, Roll(high, low))
        if _pure_td(path).decide(request).play.after.checkers:
            raise ValueError(f"{path} leaves a checker where {high}-{low} takes the last two off")


def pairs_of_piece(player: Level, path: Path, pairs: int, seed: int, luck: bool) -> list[Pair]:
    """Our points in the two games of so many pairs, less the luck if wanted."""
    seats = decider(player, seed=1, cube=False), _pure_td(path)
    return points_of_pairs(seats, pairs, seed, luck=luck)[0]


@told_in_a_sentence()
def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    add_strength(parser)
    parser.add_argument("path", type=existing_file)
    parser.add_argument("--pairs", type=whole_number(1), default=3000)
    parser.add_argument("--processes", type=whole_number(1, 256), default=1)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--luck", action="store_true", help="subtract the luck of the dice")
    options = parser.parse_args()
    level = level_of(options)
    check_reading(options.path)
    sizes = [
        min(PAIRS_OF_PIECE, options.pairs - first)
        for first in range(0, options.pairs, PAIRS_OF_PIECE)
    ]
    pieces = [
        (level, options.path, size, 10_000 * options.seed + number, options.luck)
        for number, size in enumerate(sizes)
    ]
    # compiles the kernels, once for all processes
    pairs_of_piece(level, options.path, 1, 0, options.luck)
    found: list[Pair] = []
    with worker_pool(options.processes) as pool:
        for future in submitted(pool, pairs_of_piece, pieces):
            found += result_of(pool, future, PIECE_SECONDS)
    points = estimate([(a + b) / 2 for a, b in found])
    print(f"{level_text(level)} against PureTD 0-ply: {points} points per game, {len(found)} pairs")


if __name__ == "__main__":
    main()
