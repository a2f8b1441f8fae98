"""Who plays back games better, and who plays better against them: two players on both sides.

    python -m tests.bench.cross_play FOLDER --ply 0 --opponent bgsage --positions 2000 --processes 2

FOLDER is data of markbgsage/bgsage (GitHub), see judge_rollouts. From a position, money without a
cube, four games are played to the end with the same dice, by Blot and the opponent on either side.
What a side wins more by Blot than by the opponent, the other side's player the same, tells who
plays it better. A rollout is right about players as good as its own: how much less the games of
Blot against itself, and the opponent's, say than the published rollouts is told too. All points are
less the luck of the dice, as the default's tree network sees it 0 plies deep.
"""

import argparse
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import bgsage
import numpy as np

from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import BatchDecider, Dice
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.estimate import estimate
from bot.lab.command_line import existing_folder, seed_number, told_in_a_sentence, whole_number
from bot.weights import DEFAULT
from bot.workers import result_of, submitted, worker_pool
from protocol.backgammon.arena.named_players import decider
from tests.bench.duel_gnubg_nn import GnubgNnPlayer
from tests.bench.judge_kinds import BGSAGE_LEVELS
from tests.bench.judge_rollouts import BACK_GAMES, read_rollouts
from tests.plain.judges import bgsage_board, bgsage_boards_after, board_of_bgsage

MAX_PLIES = 1000
POSITIONS_AT_ONCE = 10

PAIRINGS = ("BB", "BO", "OB", "OO")
"""Who plays the side on roll, and who the other: Blot or the opponent."""

Points = dict[str, float]
"""Of each pairing, to the side on roll; and what the rollouts say."""


class BgsagePlayer:
    """bgsage at so many plies as we count: the best of its plays that the rules allow.

    It would bear its last checker off with one die where both can be played.
    """

    def __init__(self, plies: int) -> None:
        self._analyzer = bgsage.create_analyzer(BGSAGE_LEVELS[plies], cubeful=False)

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see BatchDecider."""
        chosen = boards.copy()
        for i, (high, low) in enumerate(dice.tolist()):
            board = tuple(boards[i].tolist())
            if after := bgsage_boards_after(board, high, low):
                asked = bgsage_board(board), high, low
                plays = self._analyzer.checker_play(*asked, jacoby=False, beaver=False).moves
                ordered = (board_of_bgsage(list(play.board)) for play in plays)
                chosen[i] = next(each for each in ordered if each in after)
        return chosen


OPPONENTS = {"bgsage": BgsagePlayer, "gnubg_nn": GnubgNnPlayer}


@lru_cache
def _players(ply: int, opponent: str) -> dict[str, BatchDecider]:
    blot = decider(Level(search=SearchSettings(ply)), seed=1, cube=False)
    assert isinstance(blot, BatchDecider)
    return {"B": blot, "O": OPPONENTS[opponent](ply)}


def games_from(board: Boards, players: tuple[str, int], seed: tuple[int, int]) -> Points:
    """Points of the side on roll in the four games from a board, int8[26], less the luck.

    players: the opponent's name and the plies of both.
    """
    opponent, ply = players
    seats = _players(ply, opponent)
    numbers = np.random.default_rng(seed).integers(1, 7, (MAX_PLIES, 2), np.int8)
    dice = np.ascontiguousarray(-np.sort(-numbers, axis=1))
    return {
        pairing: _points([seats[name] for name in pairing], board, dice) for pairing in PAIRINGS
    }


def _points(seats: list[BatchDecider], start: Boards, dice: Dice) -> float:
    """Points of the first of two players, who is on roll, less his luck and more the other's."""
    meter = LuckMeter(DEFAULT)
    board, luck = start, 0.0
    for ply in range(MAX_PLIES):
        sign = 1 if ply % 2 == 0 else -1
        game = Game(GameState(Position.of_board(board)), turn=ply % 2, has_cube=False)
        luck += sign * meter.luck(game, Roll.of_dice(*dice[ply].tolist()))
        after = seats[ply % 2].boards_chosen(board[np.newaxis], dice[ply : ply + 1])
        (board,) = turned_boards(after)
        if not (board < 0).any():
            return -sign * points_won(Position.of_board(board)) - luck
    raise ValueError(f"a game from {start.tolist()} does not end")


def points_of_piece(
    folder: Path, name: str, rows: list[int], players: tuple[str, int], seed: int
) -> list[Points]:
    """The games from so many positions of a file."""
    published = _published(folder / name)
    return [
        games_from(published.boards[row], players, (seed, row))
        | {"told": float(published.equities[row])}
        for row in rows
    ]


_published = lru_cache(read_rollouts)


def _told(found: dict[str, list[Points]], opponent: str) -> Iterator[str]:
    """What all games have shown: of either side, and of Blot's and the opponent's own games."""
    on_roll = dict(zip(found, ("against a back game", "playing a back game"), strict=True))
    of_side: dict[str, list[float]] = {side: [] for side in on_roll.values()}
    for name, games in found.items():
        first = on_roll[name]
        (second,) = set(of_side) - {first}
        of_side[first] += [(p["BB"] - p["OB"] + p["BO"] - p["OO"]) / 2 for p in games]
        of_side[second] += [(p["OO"] - p["OB"] + p["BO"] - p["BB"]) / 2 for p in games]
    for side, gains in of_side.items():
        yield f"{side}: Blot wins {estimate(gains)} points more than {opponent}"
    for name, games in found.items():
        for who, pairing in (("Blot", "BB"), (opponent, "OO")):
            more = estimate([points[pairing] - points["told"] for points in games])
            yield f"{on_roll[name]}, on roll: {who} against itself {more} more than the rollouts"


@told_in_a_sentence()
def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("folder", type=existing_folder)
    parser.add_argument("--ply", type=whole_number(0, 2), default=0, help="of both players")
    parser.add_argument("--opponent", choices=OPPONENTS, default="bgsage")
    parser.add_argument("--positions", type=whole_number(2), default=1000, help="of either file")
    parser.add_argument("--processes", type=whole_number(1, 256), default=1)
    parser.add_argument("--seed", type=seed_number, default=1)
    options = parser.parse_args()
    players = options.opponent, options.ply
    pieces = []
    for name in BACK_GAMES:
        count = len(_published(options.folder / name).boards)
        rows = np.random.default_rng(options.seed).permutation(count)[: options.positions].tolist()
        for first in range(0, len(rows), POSITIONS_AT_ONCE):
            some = rows[first : first + POSITIONS_AT_ONCE]
            pieces.append((options.folder, name, some, players, options.seed))
    # compiles the kernels, once for all processes
    points_of_piece(options.folder, BACK_GAMES[0], [0], players, 0)
    found: dict[str, list[Points]] = {name: [] for name in BACK_GAMES}
    with worker_pool(options.processes) as pool:
        for piece, future in zip(pieces, submitted(pool, points_of_piece, pieces), strict=True):
            found[piece[1]] += result_of(pool, future, PIECE_SECONDS)
    for line in _told(found, f"{options.opponent} {options.ply}-ply"):
        print(line)


if __name__ == "__main__":
    main()
