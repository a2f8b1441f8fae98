"""Points per game against gnubg_nn, money without a cube: every sequence of dice is played twice.

    python -m tests.bench.duel_gnubg_nn --ply 0 --pairs 20000 --processes 2 --out runs/nn0.jsonl
    python -m tests.bench.duel_gnubg_nn --ply 1 --opponent-ply 1 --pairs 3000 --luck --processes 2
    python -m tests.bench.duel_gnubg_nn --check --opponent-ply 0

gnubg_nn (PyPI, gnubg's evaluator in this process) plays at --opponent-ply without regard to the
cube, 1-ply with all rolls and all plays. Every position handed to it is read back from it, and its
plays must be legal. With --check it is held against itself: what it plays at 0-ply is what it rates
best, pairs come out even, and single games do so but for chance. With --luck points
are told less the luck of the dice, as the default's tree network sees it 0 plies deep: right on
average, and a hundred times as sure. --out keeps what was played; the same command goes on from
there.
"""

import argparse
import json
import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache

import gnubg_nn
import numpy as np

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.arena.duel import played_pairs
from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import with_luck
from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.engine.level import Level
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import (
    GAMES_AT_ONCE,
    ChooseCheckerPlay,
    Decider,
    Dice,
    PlayDecision,
    Request,
)
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import Position, turned_boards
from bot.backgammon.rules.roll import Roll
from bot.estimate import estimate
from bot.journal import Journal, open_journal
from bot.lab.command_line import file_to_write, told_in_a_sentence, whole_number
from bot.weights import DEFAULT, weights_digest
from bot.workers import result_of, submitted, worker_pool
from protocol.backgammon.arena.named_players import decider
from protocol.backgammon.commands.options import add_strength, level_of, level_text
from tests.plain.games import scattered_turns
from tests.plain.judges import board_of_gnubg_sides, gnubg_boards_after, gnubg_sides
from tests.plain.plays import Board, plain_replay

SECONDS_BETWEEN_LINES = 10.0
MAX_CHUNKS = 1_000_000
MAX_SEED = 2000
"""Chunks have seeds of their own, which are below 2 to the power of 31."""

CHUNKS = (50, 5, 1)
"""Pairs in one piece of work, by the opponent's plies: some seconds each."""

SAME = 1e-6
"""Equities nearer than this are a tie: single precision."""

CHECKED = {"check", "luck", "opponent_ply", "pairs", "seed"}
"""Options that count with --check."""

BEGINNING = b'{"level"'
"""Of the file that keeps a duel."""

Pair = tuple[float, float]
"""Points of the two games with the same dice; in the first one the player had the first seat."""


class GnubgNnPlayer:
    """gnubg_nn at so many plies, asked game by game; raises ValueError if anything is amiss."""

    games_at_once = GAMES_AT_ONCE

    def __init__(self, plies: int) -> None:
        self._plies = plies

    def decide(self, request: Request) -> PlayDecision:
        """Answer a request for a checker play."""
        if not isinstance(request, ChooseCheckerPlay):
            raise ValueError(f"gnubg_nn plays without the cube: {request}")
        position, roll = request.state.position, request.roll
        after = Position(self.choice(position.points, roll))
        plays = legal_plays(position, roll) or (CheckerPlay((), position),)
        return PlayDecision(next(play for play in plays if play.after == after), ())

    def boards_chosen(self, boards: Boards, dice: Dice) -> Boards:
        """The board after the play chosen on each board; see BatchDecider."""
        chosen = np.empty_like(boards)
        for i, (high, low) in enumerate(dice.tolist()):
            chosen[i] = self.choice(tuple(boards[i].tolist()), Roll(high, low))
        return chosen

    def choice(self, board: Board, roll: Roll) -> Board:
        """The board after its play; its own points count from 1, 25 is the bar and 0 is off."""
        sides = handed_over(board)
        legs = gnubg_nn.best_move(sides, roll.high, roll.low, self._plies)
        return plain_replay(board, roll.high, roll.low, list(legs))


def handed_over(board: Board) -> list[list[int]]:
    """The board as gnubg_nn wants it, read back from it first."""
    sides = gnubg_sides(board)
    back = board_of_gnubg_sides(gnubg_nn.board_from_position_key(gnubg_nn.key_of_board(sides)))
    if back != board:
        raise ValueError(f"gnubg_nn took {board} for {back}")
    return sides


def gnubg_nn_chances(board: Board, plies: int) -> tuple[float, ...]:
    """gnubg_nn's five chances of the player on roll."""
    return gnubg_nn.probabilities(handed_over(board), plies)


@lru_cache(maxsize=2)
def _seated(player: Level | None, plies: int) -> tuple[Decider, Decider]:
    """The two players; None for gnubg_nn itself, to check it."""
    ours = GnubgNnPlayer(plies) if player is None else decider(player, seed=1, cube=False)
    return ours, GnubgNnPlayer(plies)


@dataclass(frozen=True)
class Chunk:
    """So many pairs with the dice of one seed: our points, games without an end left out.

    seconds: of the processor.
    """

    size: int
    pairs: list[Pair]
    unfinished: int
    seconds: float


def chunk_of_pairs(player: Level | None, plies: int, size: int, seed: int, luck: bool) -> Chunk:
    """Play so many pairs of games; luck: whether it is subtracted."""
    seats = _seated(player, plies)
    began = time.process_time()
    pairs, unfinished = points_of_pairs(seats, size, seed, luck=luck)
    return Chunk(size, pairs, unfinished, time.process_time() - began)


def points_of_pairs(
    seats: tuple[Decider, Decider], size: int, seed: int, *, luck: bool
) -> tuple[list[Pair], int]:
    """The first player's points in so many pairs, less the luck if wanted; and unfinished games."""
    match_format = MatchFormat(2 * size, seed=seed)
    at_once = GAMES_AT_ONCE // 2
    points: list[Pair] = []
    unfinished = 0
    for first in range(0, size, at_once):
        numbers = range(first, min(first + at_once, size))
        for pair in played_pairs(seats, match_format, numbers, keeps_actions=luck):
            unfinished += pair.unfinished
            if pair.unfinished:
                continue
            known = with_luck(pair, LuckMeter(DEFAULT), match_format) if luck else pair
            one, other = (game.result.points - (game.luck or 0.0) for (game,) in known.contests)
            points.append((one, other))
    return points, unfinished


def seed_of_chunk(seed: int, chunk: int) -> int:
    """Another seed for every chunk of every seed up to MAX_SEED."""
    return seed * MAX_CHUNKS + chunk


class Record:
    """The chunks that were played, and the journal that keeps them; resumable at any line."""

    def __init__(self, journal: Journal, settings: dict[str, object]) -> None:
        self._journal = journal
        lines = journal.take_all()
        if not lines:
            journal.add(settings)
        try:
            first, *rows = [json.loads(line) for line in lines] or [settings]
            self.chunks = {row.pop("chunk"): Chunk(**row) for row in rows}
        except (ValueError, TypeError, LookupError, AttributeError):
            raise ValueError(f"{journal.path} is no {journal.kind}, or is damaged") from None
        if first != settings:
            raise ValueError(f"{journal.path} has other settings: {json.dumps(first)}")

    def add(self, number: int, chunk: Chunk) -> None:
        """Keep one chunk."""
        self._journal.add({"chunk": number, **asdict(chunk)})
        self.chunks[number] = chunk

    @property
    def size(self) -> int:
        """Pairs played."""
        return sum(chunk.size for chunk in self.chunks.values())

    def text(self) -> str:
        """Points per game so far, and what a game took."""
        chunks = self.chunks.values()
        means = [(a + b) / 2 for chunk in chunks for a, b in chunk.pairs]
        milliseconds = 500 * sum(chunk.seconds for chunk in chunks) / self.size
        unfinished = sum(chunk.unfinished for chunk in chunks)
        left_out = f"{unfinished} games without an end left out, " * (unfinished > 0)
        return (
            f"{estimate(means)} points per game, {len(means):,} pairs, {left_out}"
            f"{milliseconds:.1f} ms of processor time per game"
        )


def played(
    player: Level | None,
    plies: int,
    sizes: Sequence[int],
    seed: int,
    processes: int,
    record: Record,
    *,
    luck: bool,
) -> Iterator[int]:
    """Play the chunks that are not in the record yet; yields how many pairs were added."""
    pieces = {
        number: (player, plies, size, seed_of_chunk(seed, number), luck)
        for number, size in enumerate(sizes)
        if number not in record.chunks or record.chunks[number].size < size
    }
    if processes == 1:
        for number, piece in pieces.items():
            record.add(number, chunk_of_pairs(*piece))
            yield record.chunks[number].size
        return
    with worker_pool(processes) as pool:
        futures = submitted(pool, chunk_of_pairs, pieces.values())
        for number, future in zip(pieces, futures, strict=True):
            record.add(number, result_of(pool, future, PIECE_SECONDS))
            yield record.chunks[number].size


def check_choices(turns: int) -> None:
    """What gnubg_nn plays at 0-ply is what it rates best itself, on scattered boards."""
    judge = GnubgNnPlayer(0)
    compared = 0
    for board, roll in scattered_turns(turns, 1):
        afters = gnubg_boards_after(board, roll.high, roll.low)
        if len(afters) < 2 or any(max(after) <= 0 for after in afters):
            continue
        evaluated = {after: -_equity_after(after) for after in afters}
        choice = judge.choice(board, roll)
        if evaluated[choice] < max(evaluated.values()) - SAME:
            raise ValueError(f"gnubg_nn rates another play higher with {roll} on {board}")
        compared += 1
    print(f"gnubg_nn plays at 0-ply what it rates best, without the cube: {compared} choices")


def _equity_after(after: Board) -> float:
    """Cubeless equity of the other side, by gnubg_nn at 0-ply."""
    (board,) = turned_boards(np.array([after], np.int8)).tolist()
    return Chances(*gnubg_nn_chances(tuple(board), 0)).equity


def check_judge(plies: int, pairs: int, seed: int, luck: bool) -> None:
    """gnubg_nn against itself is even."""
    if pairs < 2:
        raise ValueError("whether the seats are even takes two pairs to tell: give more --pairs")
    check_choices(400)
    found = chunk_of_pairs(None, plies, pairs, seed_of_chunk(seed, MAX_CHUNKS - 1), luck).pairs
    uneven = [pair for pair in found if abs(sum(pair)) > SAME]
    if uneven:
        raise ValueError(f"the same dice with sides swapped gave {uneven[0]}")
    ordinary = estimate([first for first, _ in found])
    print(
        f"gnubg_nn against itself at {plies}-ply: exactly even in {len(found)} pairs; "
        f"{ordinary} points per game for the first seat in single games"
    )
    if abs(ordinary.mean) > 2 * ordinary.error:
        raise ValueError("the seats are not even: over two standard errors apart")


def sizes_of_chunks(player: Level, plies: int, pairs: int) -> list[int]:
    """How many pairs each piece of work has: one if the player rolls out, which takes minutes."""
    size = 1 if player.roller else CHUNKS[min(plies, len(CHUNKS) - 1)]
    return [min(size, pairs - first) for first in range(0, pairs, size)]


@told_in_a_sentence()
def main() -> None:
    """Check or play, and print as it goes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], allow_abbrev=False)
    add_strength(parser)
    parser.add_argument("--opponent-ply", type=int, choices=(0, 1, 2), default=0)
    parser.add_argument("--pairs", type=whole_number(1), default=1000)
    unsaid = argparse.SUPPRESS
    parser.add_argument("--processes", type=whole_number(1, 256), default=unsaid)
    parser.add_argument(
        "--seed", type=whole_number(0, MAX_SEED), default=1, help=f"of the dice, 0 to {MAX_SEED}"
    )
    parser.add_argument("--luck", action="store_true", help="subtract the luck of the dice")
    parser.add_argument("--out", type=file_to_write, default=unsaid)
    parser.add_argument("--check", action="store_true", help="of gnubg_nn, instead of a match")
    options = parser.parse_args()
    plies = options.opponent_ply
    if options.check:
        if others := sorted(vars(options).keys() - CHECKED):
            parser.error(f"--check holds gnubg_nn against itself: leave out --{others[0]}")
        check_judge(plies, options.pairs, options.seed, options.luck)
        return
    level = level_of(options)
    if level.weights == "random":
        parser.error("random has dice of its own, so no chunk could be played again: name another")
    settings = {"level": repr(level), "opponent_ply": plies, "seed": options.seed}
    if level.weights not in BASELINES:
        settings["sha256"] = weights_digest(level.weights)
    if options.luck:
        settings["luck"] = weights_digest(DEFAULT)
    out = getattr(options, "out", None)
    with open_journal(out, "record of a duel", BEGINNING) as journal:
        _duel(level, options, Record(journal, settings))


def _duel(level: Level, options: argparse.Namespace, record: Record) -> None:
    """Play what is not in the record yet, and print as it goes."""
    plies, processes = options.opponent_ply, getattr(options, "processes", 1)
    sizes = sizes_of_chunks(level, plies, options.pairs)
    chunk_of_pairs(level, 0, 1, 0, options.luck)  # compiles the kernels, once for all processes
    began = told = time.monotonic()
    fresh = 0
    pieces = played(level, plies, sizes, options.seed, processes, record, luck=options.luck)
    for added in pieces:
        fresh += added
        if time.monotonic() - told >= SECONDS_BETWEEN_LINES:
            told = time.monotonic()
            left = (options.pairs - record.size) * (told - began) / fresh
            print(f"{record.text()}, {math.ceil(left)} s left", flush=True)
    less = ", less the luck of the dice" if options.luck else ""
    rate = 2 * fresh / (time.monotonic() - began)
    print(
        f"{level_text(level)} against gnubg_nn {plies}-ply, seed {options.seed}{less}: "
        f"{record.text()}, {rate:.1f} games/s on {processes} processes"
    )


if __name__ == "__main__":
    main()
