"""Duel: two players here, each roll played twice with the sides swapped."""

import time
from collections.abc import Callable, Sequence

import numpy as np

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import TimedDecider
from bot.backgammon.arena.referee import play_game, result_of_first
from bot.backgammon.arena.tally import GameResult, Tally
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import BatchDecider, Decider, Dice
from bot.backgammon.rules.game import Answer, Ending, Game, OpeningRoll
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.record import GameRecord, Rules
from bot.backgammon.rules.recorder import Recorder
from bot.backgammon.rules.roll import Roll

MAX_PLIES = 1000
"""Plies after which a game counts as endless and is broken off."""


def duel(
    player: Decider,
    opponent: Decider,
    match_format: MatchFormat,
    tally: Tally,
    *,
    max_plies: int = MAX_PLIES,
    on_progress: Callable[[], None] = lambda: None,
    on_games: Callable[[Sequence[GameRecord]], None] | None = None,
) -> None:
    """Play a match between two players and add the results, player's view, to the tally.

    Every dice sequence is played twice, with sides swapped, so the number of games is even, and the
    tally has whole pairs only, whatever ends the duel. Without the cube many games are played at
    once if both can. on_progress is called after our decisions and after each pair, on_games
    with each money game or the games of each match, our player on seat 0; with it they are played
    one after the other.
    """
    pairs = pair_count(match_format)
    at_once = 1
    games: _Refereed | _AtOnce
    if (
        isinstance(player, BatchDecider)
        and isinstance(opponent, BatchDecider)
        and not match_format.cube
        and on_games is None
    ):
        at_once = max(1, min(player.games_at_once, opponent.games_at_once) // 2)
        games = _AtOnce(
            player, opponent, match_format, max_plies, tally.decision_seconds, on_progress
        )
    else:
        timed = TimedDecider(player, tally.decision_seconds, on_progress)
        games = _Refereed(timed, opponent, match_format, max_plies, tally.forfeits)
    for first in range(0, pairs, at_once):
        batch = range(first, min(first + at_once, pairs))
        sides = [_Side(pair, seat, match_format.length) for pair in batch for seat in (True, False)]
        games.play(sides)
        for one, other in zip(sides[::2], sides[1::2], strict=True):
            if one.is_endless or other.is_endless:
                tally.unfinished += one.is_endless + other.is_endless
            else:
                tally.add(one.results, other.results)
                if on_games is not None:
                    on_games(_records(one, match_format.rules))
                    on_games(_records(other, match_format.rules))
        on_progress()


def game_dice(seed: int, pair: int, number: int, plies: int) -> Dice:
    """The dice of a pair's game of that number, int8[plies, 2]; of the first, one is each seat's.

    The first two differ: the seat with the higher one begins with both.
    """
    sequence = np.random.SeedSequence([seed, pair, number])
    numbers = np.random.Generator(np.random.PCG64(sequence))
    dice = numbers.integers(1, 7, (plies, 2), np.int8)
    while dice[0, 0] == dice[0, 1]:
        dice[0] = numbers.integers(1, 7, 2, np.int8)
    return dice


def pair_count(match_format: MatchFormat) -> int:
    """Pairs of games, or of matches, with the same dice; raises ValueError for an odd number."""
    if match_format.games % 2:
        raise ValueError(
            f"games come in pairs with the same dice, so not {match_format.games} of them"
        )
    return match_format.games // 2


class _Side:
    """One side of a pair: a money game or a match, as far as it has come.

    score: of the next game, seen by the first seat; results: of the games, seen by our player.
    """

    def __init__(self, pair: int, has_first_seat: bool, length: int | None) -> None:
        self.pair = pair
        self.has_first_seat = has_first_seat
        self.score = None if length is None else Score(length, 0, 0)
        self.results: list[GameResult] = []
        self.answers: list[list[Answer]] = []
        self.is_endless = False
        self.is_over = False

    def add(self, result: GameResult | None) -> None:
        """Add the next game, as the first seat sees it; None if it came to no end."""
        if result is None:
            self.is_endless = self.is_over = True
            return
        ours = result if self.has_first_seat else GameResult(-result.points, result.kind)
        self.results.append(ours)
        self.score = self.score and self.score.after(result.points)
        self.is_over = self.score is None

    def dice(self, seed: int, plies: int) -> Dice:
        """The dice of the next game; see game_dice."""
        return game_dice(seed, self.pair, len(self.results), plies)


def _records(side: _Side, rules: Rules) -> list[GameRecord]:
    """The games of a side, played again with our player on seat 0."""
    records: list[GameRecord] = []
    for answers, result in zip(side.answers, side.results, strict=True):
        before = records[-1] if records else None
        points, is_crawford = (0, 0), False
        if before is not None and before.result is not None:
            points = before.points_after
            is_crawford = rules.is_crawford_next(before.points, before.is_crawford, before.result)
        recorder = Recorder(rules, points, is_crawford=is_crawford)
        for answer in answers:
            if isinstance(answer, OpeningRoll) and not side.has_first_seat:
                answer = OpeningRoll(answer.second, answer.first)
            recorder.add(answer)
        if isinstance(recorder.game, Game):  # a player failed, and lost by it
            recorder.end(int(result.points < 0), abs(result.points))
        records.append(recorder.record)
    return records


class _Refereed:
    """Plays game by game, whatever the game asks."""

    def __init__(
        self,
        player: Decider,
        opponent: Decider,
        match_format: MatchFormat,
        max_plies: int,
        forfeits: list[str],
    ) -> None:
        self._players = player, opponent
        self._forfeits = forfeits
        self._terms = match_format
        self._max_plies = max_plies

    def play(self, sides: Sequence[_Side]) -> None:
        """Play all sides to their end."""
        match_format = self._terms
        for side in sides:
            seats = self._players if side.has_first_seat else self._players[::-1]
            while not side.is_over:
                dice = side.dice(match_format.seed, self._max_plies)
                side.answers.append([])
                result = play_game(
                    seats,
                    (Roll.of_dice(*roll) for roll in dice.tolist()),
                    first=int(dice[0, 0] < dice[0, 1]),
                    score=side.score,
                    money=match_format.money,
                    has_cube=match_format.cube,
                    answers=side.answers[-1],
                    on_forfeit=lambda forfeit: self._forfeits.append(str(forfeit)),
                )
                side.add(result)


class _AtOnce:
    """Plays many games ply by ply, without the cube; the seconds of our decisions are means."""

    def __init__(
        self,
        player: BatchDecider,
        opponent: BatchDecider,
        match_format: MatchFormat,
        max_plies: int,
        seconds: list[float],
        on_progress: Callable[[], None],
    ) -> None:
        self._player = player
        self._opponent = opponent
        self._seed = match_format.seed
        self._rules = Game(GameState(START, money=match_format.money), has_cube=False)
        self._max_plies = max_plies
        self._seconds = seconds
        self._on_progress = on_progress

    def play(self, sides: Sequence[_Side]) -> None:
        """Play all sides to their end."""
        while sides:
            for side, result in zip(sides, self._results(sides), strict=True):
                side.add(result)
            sides = [side for side in sides if not side.is_over]

    def _results(self, sides: Sequence[_Side]) -> list[GameResult | None]:
        """The results of each side's next game, as the first seat sees it; None if endless."""
        results: list[GameResult | None] = [None] * len(sides)
        dice = np.array([side.dice(self._seed, self._max_plies) for side in sides], np.int8)
        starter = (dice[:, 0, 0] < dice[:, 0, 1]).astype(np.int64)
        begins = (starter == 0) == np.array([side.has_first_seat for side in sides])
        dice.sort(axis=2)
        dice = dice[:, :, ::-1]
        rows = np.arange(len(sides))
        boards = np.repeat(START.board[np.newaxis], len(sides), axis=0)
        for ply in range(self._max_plies):
            for is_ours in (True, False):
                moving = begins[rows] == (is_ours == (ply % 2 == 0))
                if moving.any():
                    boards[moving] = self._chosen(is_ours, boards[moving], dice[rows[moving], ply])
            boards = turned_boards(boards)
            over = ~(boards < 0).any(axis=1)
            for row, board in zip(rows[over], boards[over], strict=True):
                kind = -points_won(Position.of_board(board))
                winner = int(starter[row] + ply) % 2
                results[row] = result_of_first(self._rules.won(winner, kind, Ending.PLAYED))
            rows, boards = rows[~over], boards[~over]
            if not len(rows):
                break
        return results

    def _chosen(self, is_ours: bool, boards: Boards, dice: Dice) -> Boards:
        if not is_ours:
            return self._opponent.boards_chosen(boards, dice)
        started = time.perf_counter()
        chosen = self._player.boards_chosen(boards, dice)
        self._seconds.append((time.perf_counter() - started) / len(boards))
        self._on_progress()
        return chosen
