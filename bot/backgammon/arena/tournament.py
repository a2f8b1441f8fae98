"""Tournament: duels between players of any kind, played in pieces that can be gone on with."""

from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, field

from bot.backgammon.arena.duel import pair_count
from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import (
    Entrant,
    Piece,
    PlayedPiece,
    leave_seats,
    pairs_in_piece,
    play_piece,
)
from bot.backgammon.arena.played_pair import Fault, PlayedPair
from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.standing import Standing
from bot.estimate import Bounds
from bot.workers import results_as_done, worker_pool, works_alone

PIECES_AHEAD = 3
"""Pieces handed out for each worker, so that none waits for the next."""

PIECE_SECONDS = 7 * 24 * 3600.0
"""Longest time that a piece may take: players have limits of their own, a match has none."""


class TooManyFaultsError(Exception):
    """A run given up: too many games were lost by players that failed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A tournament before it begins.

    duels: pairs of numbers of entrants; match_format: of each duel; bounds: of a sequential test
    that ends each duel, None to play them all; max_faults: so many games lost by failures end it
    all; meter: tells the luck, if that is wanted.
    """

    entrants: tuple[Entrant, ...]
    duels: tuple[tuple[int, int], ...]
    match_format: MatchFormat
    bounds: Bounds | None = None
    max_faults: int = 10
    meter: LuckMeter | None = None

    def seats(self, duel: int) -> tuple[Entrant, Entrant]:
        """The two players of a duel."""
        one, other = self.duels[duel]
        return self.entrants[one], self.entrants[other]

    def pieces(self, duel: int) -> list[Piece]:
        """The pieces of a duel in their order."""
        pairs = pair_count(self.match_format)
        step = pairs_in_piece(self.seats(duel), self.match_format)
        return [Piece(duel, at, min(at + step, pairs)) for at in range(0, pairs, step)]


@dataclass(slots=True)
class _Progress:
    """A duel as far as it is added up: its pieces in their order, those that came before their
    turn, and the place of the next one."""

    pieces: list[Piece]
    standing: Standing
    early: dict[int, PlayedPiece] = field(default_factory=dict)
    next: int = 0


class Tournament:
    """A tournament under way; what the file has is played already.

    on_pair hears of each pair that is added up from now on, with its duel, in a duel's own order.
    The standings depend on the plan alone, whatever was interrupted and however many played at
    once: a pair counts once all before it do, and none counts behind the end of a test. A last
    piece that was shorter, as the plan had fewer games then, is played anew, replayed pairs in all;
    it stays in the file until then. Raises ValueError for a file of another plan.
    """

    def __init__(
        self,
        plan: Plan,
        file: RunFile,
        on_pair: Callable[[int, PlayedPair], None] = lambda duel, pair: None,
    ) -> None:
        self.plan = plan
        self.thought = [[(0, 0.0), (0, 0.0)] for _ in plan.duels]
        self.seconds = 0.0
        self._file = file
        self._on_pair: Callable[[int, PlayedPair], None] = lambda duel, pair: None
        self._faults: list[tuple[int, Fault]] = []
        self.replayed = 0
        length, has_luck = plan.match_format.length, plan.meter is not None
        self._duels = [
            _Progress(plan.pieces(duel), Standing(length, plan.bounds, has_luck=has_luck))
            for duel in range(len(plan.duels))
        ]
        self._done = set(file.pieces())
        planned = {(piece.duel, piece.first): piece for it in self._duels for piece in it.pieces}
        for piece in self._done - {*planned.values()}:
            whole = planned.get((piece.duel, piece.first))
            if whole is None or whole.end < piece.end:
                raise ValueError("the run was begun by a Blot that shared it out in another way")
            self._done.remove(piece)
            self.replayed += piece.end - piece.first
        for piece in sorted(self._done, key=lambda piece: (piece.first, piece.duel)):
            self._add(file.played(piece))
        self._on_pair = on_pair

    @property
    def standings(self) -> list[Standing]:
        """The standing of each duel."""
        return [duel.standing for duel in self._duels]

    @property
    def pairs_left(self) -> int:
        """Pairs that are still to be played, if no test ends before."""
        return sum(
            piece.end - piece.first
            for duel in self._duels
            for piece in duel.pieces[duel.next :]
            if not duel.standing.is_decided
        )

    def play(self, parallel: int = 1, on_piece: Callable[[], None] = lambda: None) -> None:
        """Play what is left, so many pieces at once; on_piece is called after each.

        With one it is this process that plays. Raises TooManyFaultsError, ChildProcessError, and
        what players raise that cannot sit down.
        """
        self._check_faults()
        with closing(self._played(parallel)) as played:
            for piece in played:
                self._file.add(piece)
                self._add(piece)
                on_piece()
                self._check_faults()
                if not self.pairs_left:  # what is still at work comes behind the end of a test
                    break

    def _played(self, parallel: int) -> Generator[PlayedPiece, None, None]:
        """The pieces as they are played."""
        if works_alone(parallel):
            try:
                for arguments in self._wanted():
                    yield play_piece(*arguments)
            finally:
                leave_seats()
            return
        with worker_pool(parallel) as pool:
            pieces = self._wanted()
            yield from results_as_done(pool, play_piece, pieces, PIECES_AHEAD, PIECE_SECONDS)

    def _wanted(
        self,
    ) -> Iterator[tuple[tuple[Entrant, Entrant], MatchFormat, LuckMeter | None, Piece]]:
        """The arguments of each piece that is to be played, all duels alike far."""
        plan = self.plan
        pieces = [piece for duel in self._duels for piece in duel.pieces]
        for piece in sorted(pieces, key=lambda piece: (piece.first, piece.duel)):
            if piece not in self._done and not self._duels[piece.duel].standing.is_decided:
                yield plan.seats(piece.duel), plan.match_format, plan.meter, piece

    def _add(self, played: PlayedPiece) -> None:
        """Add a piece up as soon as all before it are."""
        number = played.piece.duel
        duel = self._duels[number]
        duel.early[played.piece.first] = played
        self.seconds += played.seconds
        for player, (decisions, seconds) in enumerate(played.thought):
            before = self.thought[number][player]
            self.thought[number][player] = before[0] + decisions, before[1] + seconds
        while duel.next < len(duel.pieces) and duel.pieces[duel.next].first in duel.early:
            for pair in duel.early.pop(duel.pieces[duel.next].first).pairs:
                if duel.standing.is_decided:
                    break
                duel.standing.add(pair)
                self._faults += [(number, fault) for fault in pair.faults]
                self._on_pair(number, pair)
            duel.next += 1

    def _check_faults(self) -> None:
        if len(self._faults) >= self.plan.max_faults:
            number, fault = self._faults[-1]
            name = self.plan.seats(number)[fault.player].name
            raise TooManyFaultsError(
                f"given up: {len(self._faults)} games were lost by players that failed, the last "
                f"one by {name}: {fault.reason}"
            )
