"""Depth games: many games of players that search to a fixed depth, played by compiled code."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from operator import add, sub

import numpy as np

from bot.draughts.engine.alpha_beta import AlphaBetaSettings
from bot.draughts.evaluation.simulated_value import worths_of
from bot.draughts.evaluation.state_table import StateTable
from bot.draughts.kernels.alpha_beta import new_tree
from bot.draughts.kernels.boards import BOARD, Boards
from bot.draughts.kernels.depth_games import (
    CLOCKS,
    COUNTS,
    DECISIONS,
    GOES_ON,
    MAX_PLIES,
    MET,
    ONLY,
    SEARCHED,
    DrawLimits,
    Play,
    begin_game,
    go_on,
)
from bot.draughts.rules.board import boards_of, rules_of
from bot.draughts.rules.game import Game
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import Side, Variant
from bot.estimate import Estimate
from bot.generator import new_generator

_NODES_AT_ONCE = 1 << 22
"""Boards that a search meets in about a second; between two times as many Ctrl-C is heard."""

RANDOM = AlphaBetaSettings(depth=0)
"""A player that moves by chance."""


@dataclass(frozen=True, slots=True)
class DepthPlayer:
    """A player of such games: its settings, and the table of states it asks, if any."""

    settings: AlphaBetaSettings
    table: StateTable | None = None


@dataclass(frozen=True, slots=True)
class DepthGame:
    """A game that was played.

    boards: int64[n, 4] before each ply, seen by the player to move; end: of the game, for the
    player to move there, -1 lost or 0 drawn; is_broken_off: counted as drawn after MAX_PLIES.
    """

    boards: Boards
    end: float
    is_broken_off: bool

    @property
    def points(self) -> float:
        """Points of White: 1 for a game that he won, 1/2 for a drawn one, 0."""
        if self.end == 0:
            return 0.5
        return float(len(self.boards) % 2)


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a player's decisions.

    decisions: moves made; only: of these with no choice; searches: of those with one; nodes: boards
    met in them.
    """

    decisions: int
    only: int
    searches: int
    nodes: int

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*map(add, astuple(self), astuple(other)))

    def __sub__(self, other: "Counts") -> "Counts":
        return Counts(*map(sub, astuple(self), astuple(other)))


class DepthGames:
    """Games of one variant between two players, White first; the same games for the same seed.

    random_plies: plies by chance that every game begins with. start: another position than the
    first, with White to move.
    """

    def __init__(
        self,
        variant: Variant,
        white: DepthPlayer,
        black: DepthPlayer,
        seed: int,
        random_plies: int = 0,
        start: Position | None = None,
    ) -> None:
        start = start or Position.start(variant)
        if start.turn is not Side.WHITE or start.variant is not variant:
            raise ValueError(f"such games are of {variant.name} draughts and begin with White")
        for entrant in (white, black):
            if entrant.table is not None and entrant.table.variant is not variant:
                raise ValueError(f"a table of states is not of {variant.name} draughts")
        if not 0 <= random_plies < MAX_PLIES:
            raise ValueError(f"a game has no {random_plies} plies by chance")
        self._entrants = (white, black)
        settings = (white.settings, black.settings)
        self._trees = (
            new_tree(settings[0].depth, settings[0].discount),
            new_tree(settings[1].depth, settings[1].discount),
        )
        self._seed = seed
        self._random_plies = random_plies
        self._start = boards_of([start])[0]
        against = Game.of(start).against_three, Game.of(start).against_two
        self._clocks = [0, *(-1 if plies is None else plies for plies in against), 0]
        self._rules, self._worths = rules_of(variant), worths_of(variant)
        self._limits = _draw_limits(variant)
        self._play = Play(
            np.zeros((MAX_PLIES + 1, BOARD), np.int64),
            np.zeros((MAX_PLIES + 1, CLOCKS), np.int64),
            np.zeros((2, COUNTS), np.int64),
            np.zeros(1, np.int64),
        )

    def play(self, number: int) -> DepthGame:
        """Play the game of a number, with chances of its own."""
        play = self._play
        play.boards[0] = self._start
        play.clocks[0] = self._clocks
        white, black = self._entrants
        seats = white.settings.seat(white.table), black.settings.seat(black.table)
        generator = new_generator(self._seed, number)
        begin_game(play, self._trees)
        end = GOES_ON
        while end == GOES_ON:
            plies, end = go_on(
                play,
                seats,
                self._trees,
                self._rules,
                self._limits,
                self._worths,
                generator,
                self._random_plies,
                _NODES_AT_ONCE,
            )
        is_broken_off = not end.is_integer()
        return DepthGame(play.boards[:plies].copy(), 0.0 if is_broken_off else end, is_broken_off)

    @property
    def counts(self) -> tuple[Counts, Counts]:
        """Counts of White and of Black in all games so far."""
        places = (DECISIONS, ONLY, SEARCHED, MET)
        white, black = (Counts(*(int(row[i]) for i in places)) for row in self._play.counts)
        return white, black


def _draw_limits(variant: Variant) -> DrawLimits:
    draws = variant.draws
    three, two = draws.one_against_three, draws.one_against_two
    return DrawLimits(
        draws.repetitions,
        draws.king_moves,
        -1 if three is None else three,
        -1 if two is None else two,
        draws.kings_alone,
    )


@dataclass(slots=True)
class Repeated:
    """Results of games of one setting, for one of the players.

    samples: independent of each other, of a game or a pair; points, squares: sums over the samples
    of the share of the points won, and of its square.
    """

    won: int = 0
    drawn: int = 0
    lost: int = 0
    plies: int = 0
    broken_off: int = 0
    samples: int = 0
    points: float = 0.0
    squares: float = 0.0

    @property
    def games(self) -> int:
        """Number of games."""
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> Estimate | None:
        """Share of the points won, a drawn game half a point; None before the first game.

        While all games are won, or all lost, nobody knows how far off that is.
        """
        if not self.samples:
            return None
        mean = self.points / self.samples
        if self.samples == 1 or mean in (0, 1):
            return Estimate(mean, None)
        variance = max(self.squares / self.samples - mean * mean, 0.0)
        return Estimate(mean, math.sqrt(variance / (self.samples - 1)))

    def add(self, games: Sequence[tuple[DepthGame, bool]]) -> None:
        """Add games that are one sample, each with whether the player had White."""
        total = 0.0
        for game, is_white in games:
            points = game.points if is_white else 1 - game.points
            self.won += points == 1
            self.drawn += points == 0.5
            self.lost += points == 0
            self.plies += len(game.boards)
            self.broken_off += game.is_broken_off
            total += points
        self.samples += 1
        self.points += total / len(games)
        self.squares += (total / len(games)) ** 2


def share_error(share: float, number: int) -> float:
    """Standard error of a share of independent cases."""
    return math.sqrt(share * (1 - share) / number)


class DepthDuel:
    """Pairs of games between two players: both begin with the same random plies, colours swapped.

    The result is the first player's. same_pairs: how many pairs are one game twice, as of players
    who choose alike; each is an even result that tells nothing of them.
    """

    def __init__(
        self,
        variant: Variant,
        first: DepthPlayer,
        second: DepthPlayer,
        seed: int,
        random_plies: int = 4,
    ) -> None:
        self._games = (
            DepthGames(variant, first, second, seed, random_plies),
            DepthGames(variant, second, first, seed, random_plies),
        )
        self.result = Repeated()
        self.same_pairs = 0
        self._pairs = 0

    def play_pair(self) -> None:
        """Play two games more."""
        played = [games.play(self._pairs) for games in self._games]
        self.result.add([(played[0], True), (played[1], False)])
        self.same_pairs += np.array_equal(played[0].boards, played[1].boards)
        self._pairs += 1

    @property
    def counts(self) -> tuple[Counts, Counts]:
        """Counts of the first player and of the second."""
        (one, other), (second, first) = (games.counts for games in self._games)
        return one + first, other + second
