"""Duel: the referee - between two players here, each roll played twice, or against gnubg."""

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bot.backgammon.decision import Decision, Request
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.match import MAX_LENGTH, MoneyRules
from bot.backgammon.outcome import points_won
from bot.backgammon.position import START, Position, turned_boards
from protocol import wire
from protocol.backgammon.gnubg_external import Decider, GnubgAdapter
from protocol.backgammon.gnubg_program import (
    BLOT,
    PATIENCE,
    GnubgError,
    GnubgGame,
    GnubgProgram,
)
from protocol.backgammon.players import Dice, DuelPlayer
from protocol.tally import GameResult, Tally

MOST_PLIES = 1000
"""Plies after which a game counts as endless and is broken off."""

PAIRS_AT_ONCE = 256

GAMES_PER_EXPORT = 25
"""Money games after which gnubg writes its file anew."""

MAX_SEED = 2**31 - 1
"""The highest seed taken, as gnubg reads it into an int."""

_LAST_DECISION_SECONDS = 5.0
"""How long a decision still being made is waited for when a duel with gnubg ends."""

_START_BOARD = START.board


@dataclass(frozen=True, slots=True)
class Terms:
    """What is played: money games, or matches if there is a length; how many; the rules.

    Jacoby counts in money games only: no gammons before the cube was turned.
    """

    games: int
    length: int | None = None
    cube: bool = False
    jacoby: bool = False
    seed: int = 1

    def __post_init__(self) -> None:
        if self.games < 1:
            raise ValueError(f"play at least 1 game, not {self.games}")
        if self.length is not None and not 1 <= self.length <= MAX_LENGTH:
            raise ValueError(f"a match has 1 to {MAX_LENGTH} points, not {self.length}")
        if not 0 <= self.seed <= MAX_SEED:
            raise ValueError(f"a seed is 0 to {MAX_SEED}, not {self.seed}")

    def __str__(self) -> str:
        cube = "with the cube" if self.cube else "cubeless"
        if self.length is not None:
            matches = "1 match" if self.games == 1 else f"{self.games} matches"
            return f"{matches} to {self.length}, {cube}, seed {self.seed}"
        games = "1 money game" if self.games == 1 else f"{self.games} money games"
        return f"{games}, {cube}{', Jacoby rule' if self.jacoby else ''}, seed {self.seed}"


@dataclass(frozen=True, slots=True)
class _Board:
    """One game to play: which dice, and whether we have the first seat."""

    pair: int
    number: int
    first_seat: bool


def duel(
    player: DuelPlayer,
    opponent: DuelPlayer,
    terms: Terms,
    tally: Tally,
    *,
    most_plies: int = MOST_PLIES,
    on_games: Callable[[int], None] = lambda finished: None,
) -> None:
    """Play the terms between two players and add the results, player's view, to the tally.

    Every dice sequence is played twice, with sides swapped, so terms.games is even. Neither side
    has a cube. on_games is called with the number of games, or matches, that came to an end.
    """
    if terms.games % 2:
        raise ValueError(f"games come in pairs with the same dice, so not {terms.games} of them")
    if terms.cube:
        raise ValueError("only gnubg plays with the cube so far; leave out --cube")
    referee = _Referee(player, opponent, terms, tally, most_plies)
    pairs = terms.games // 2
    for first in range(0, pairs, PAIRS_AT_ONCE):
        batch = range(first, min(first + PAIRS_AT_ONCE, pairs))
        if terms.length is None:
            referee.play_money(batch)
        else:
            referee.play_matches(batch, terms.length)
        on_games(2 * len(batch))


class _Referee:
    """Plays batches of pairs and counts."""

    def __init__(
        self, player: DuelPlayer, opponent: DuelPlayer, terms: Terms, tally: Tally, most_plies: int
    ) -> None:
        self._player = player
        self._opponent = opponent
        self._terms = terms
        self._tally = tally
        self._most_plies = most_plies

    def play_money(self, pairs: Sequence[int]) -> None:
        """Play two games with the dice of each pair."""
        results = self._play([_Board(pair, 0, seat) for pair in pairs for seat in (True, False)])
        for one, other in zip(results[::2], results[1::2], strict=True):
            if one is not None and other is not None:
                self._tally.add_sample(one.points, other.points)

    def play_matches(self, pairs: Sequence[int], length: int) -> None:
        """Play two matches with the dice of each pair, game by game; gammons count."""
        scores = {(pair, seat): [0, 0] for pair in pairs for seat in (True, False)}
        active = list(scores)
        number = 0
        endless = set()
        while active:
            results = self._play([_Board(pair, number, seat) for pair, seat in active])
            for match, result in zip(active, results, strict=True):
                if result is None:
                    endless.add(match)
                else:
                    scores[match][result.points < 0] += abs(result.points)
            active = [
                match for match in active if match not in endless and max(scores[match]) < length
            ]
            number += 1
        for pair in pairs:
            matches = [(pair, True), (pair, False)]
            if not endless.intersection(matches):
                self._tally.add_sample(*(scores[match][0] >= length for match in matches))

    def _play(self, games: Sequence[_Board]) -> list[GameResult | None]:
        """Play all games to their end and count them; None for an endless one."""
        results: list[GameResult | None] = [None] * len(games)
        dice = np.array([self._dice(game.pair, game.number) for game in games], np.int8)
        first_starts = dice[:, 0, 0] > dice[:, 0, 1]
        ours = first_starts == np.array([game.first_seat for game in games])
        dice.sort(axis=2)
        dice = dice[:, :, ::-1]
        rows = np.arange(len(games))
        boards = np.repeat(_START_BOARD[np.newaxis], len(games), axis=0)
        for ply in range(self._most_plies):
            for side in (True, False):
                moving = ours[rows] == (side == (ply % 2 == 0))
                if moving.any():
                    boards[moving] = self._chosen(side, boards[moving], dice[rows[moving], ply])
            boards = turned_boards(boards)
            over = ~(boards < 0).any(axis=1)
            for row, board in zip(rows[over], boards[over], strict=True):
                lost = -points_won(Position.of_board(board))
                mover_is_ours = bool(ours[row]) == (ply % 2 == 0)
                results[row] = self._result(lost, mover_is_ours)
            rows, boards = rows[~over], boards[~over]
            if not len(rows):
                break
        self._tally.unfinished += len(rows)
        return results

    def _chosen(self, is_ours: bool, boards: Boards, dice: Dice) -> Boards:
        if not is_ours:
            return self._opponent.boards_chosen(boards, dice)
        started = time.perf_counter()
        chosen = self._player.boards_chosen(boards, dice)
        self._tally.decision_seconds.append((time.perf_counter() - started) / len(boards))
        return chosen

    def _result(self, level: int, won: bool) -> GameResult:
        if self._terms.jacoby and self._terms.length is None:
            level = 1
        result = GameResult(level if won else -level, level)
        self._tally.add_game(result)
        return result

    def _dice(self, pair: int, number: int) -> Dice:
        """The dice of a game, int8[plies, 2]; of the first two one is the first seat's."""
        seed = np.random.SeedSequence([self._terms.seed, pair, number])
        numbers = np.random.Generator(np.random.PCG64(seed))
        dice = numbers.integers(1, 7, (self._most_plies, 2), np.int8)
        while dice[0, 0] == dice[0, 1]:
            dice[0] = numbers.integers(1, 7, 2, np.int8)
        return dice


def duel_with_gnubg(
    engine: Decider,
    terms: Terms,
    tally: Tally,
    *,
    plies: int = 0,
    mat: Path | None = None,
    program: Sequence[str] = (),
    patience: float = PATIENCE,
    on_games: Callable[[int], None] = lambda finished: None,
) -> None:
    """Start gnubg, seat the engine as its external player, play the terms and add up the results.

    mat: file for the games in gnubg's own hand, written every 25 money games, after each match and
    at any failure; later matches get a number in their file's name. program, patience: see
    GnubgProgram. Raises GnubgError as soon as gnubg fails; the tally holds what was played by then.
    """
    timed = _TimedDecider(engine, tally.decision_seconds)
    with (
        GnubgProgram(program, patience=patience, activity=timed.decisions) as gnubg,
        _seated(timed, gnubg.folder, MoneyRules(jacoby=terms.jacoby)) as address,
        _rejected_plays_noted(tally),
    ):
        gnubg.seat_external_player(address, plies=plies, seed=terms.seed)
        gnubg.set_rules(cube=terms.cube, jacoby=terms.jacoby)
        for number in range(1 if terms.length is None else terms.games):
            file = None if mat is None else _numbered(mat, number)
            try:
                if terms.length is None:
                    _play_session(gnubg, terms.games, tally, file, on_games)
                else:
                    _play_match(gnubg, terms.length, tally)
                    on_games(1)
                if file is not None:
                    gnubg.export_mat(file)
            except (GnubgError, KeyboardInterrupt):
                if file is not None:
                    gnubg.rescue_mat(file)
                raise


def _play_session(
    gnubg: GnubgProgram,
    games: int,
    tally: Tally,
    mat: Path | None,
    on_games: Callable[[int], None],
) -> None:
    for number in range(games):
        result = _counted(gnubg.play_game("new game" if number else "new session"), tally)
        tally.add_sample(result.points)
        on_games(1)
        if mat is not None and (number + 1) % GAMES_PER_EXPORT == 0:
            gnubg.export_mat(mat)


def _play_match(gnubg: GnubgProgram, length: int, tally: Tally) -> None:
    command = f"new match {length}"
    while True:
        game = gnubg.play_game(command)
        result = _counted(game, tally)
        if game.ends_match:
            tally.add_sample(result.points > 0)
            return
        command = "new game"


def _counted(game: GnubgGame, tally: Tally) -> GameResult:
    result = GameResult(game.points if game.winner == BLOT else -game.points, game.level)
    tally.add_game(result)
    return result


def _numbered(mat: Path, number: int) -> Path:
    """The file itself for the first match, then with _002 and so on, as gnubg numbers files."""
    return mat if number == 0 else mat.with_name(f"{mat.stem}_{number + 1:03}{mat.suffix}")


class _TimedDecider:
    """A decider, and the seconds each of its decisions took."""

    def __init__(self, engine: Decider, seconds: list[float]) -> None:
        self._engine = engine
        self._seconds = seconds

    def decide(self, request: Request) -> Decision:
        started = time.perf_counter()
        decision = self._engine.decide(request)
        self._seconds.append(time.perf_counter() - started)
        return decision

    def decisions(self) -> int:
        return len(self._seconds)


@contextmanager
def _seated(engine: Decider, folder: Path, money: MoneyRules) -> Iterator[str]:
    """Serve the engine on a socket in the folder; its address for a gnubg that works there."""
    listener = wire.unix_listener(str(folder / "seat"))
    server = wire.LineServer(listener, lambda send: GnubgAdapter(engine, send, money=money))
    thread = threading.Thread(target=server.run, name="external player", daemon=True)
    thread.start()
    try:
        yield "./seat"
    finally:
        server.stop()
        thread.join(_LAST_DECISION_SECONDS)


@contextmanager
def _rejected_plays_noted(tally: Tally) -> Iterator[None]:
    """Keep the warnings of plays that gnubg did not accept."""
    handler = _RejectedPlays(tally)
    log = logging.getLogger("blot.gnubg")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


class _RejectedPlays(logging.Handler):
    """Keeps a log's warnings of rejected plays."""

    def __init__(self, tally: Tally) -> None:
        super().__init__(logging.WARNING)
        self._tally = tally

    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if message.startswith("rejected play"):
            self._tally.rejected_plays.append(message)
