"""Duel: two players here, each roll played twice with the sides swapped."""

import time
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from bot.backgammon.arena.game_actions import (
    Action,
    action_of,
    actions_of_boards,
    seen_from_other_seat,
)
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import (
    Fault,
    GameResult,
    PlayedGame,
    PlayedPair,
    contest_records,
)
from bot.backgammon.arena.players import ForfeitError, TimedDecider
from bot.backgammon.arena.referee import play_game, result_of_first
from bot.backgammon.arena.tally import Tally
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import BatchDecider, Decider, Dice
from bot.backgammon.rules.game import Answer, Ending, Game
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.record import GameRecord
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
    once if both can. on_progress is called after our decisions and after the pairs played at once,
    on_games with each money game or the games of each match, our player on seat 0; with it they are
    played one after the other.
    """
    pairs = pair_count(match_format)
    at_once = 1
    if on_games is None and not match_format.cube:
        games = [
            each.games_at_once for each in (player, opponent) if isinstance(each, BatchDecider)
        ]
        at_once = max(1, min(games) // 2) if len(games) == 2 else 1
    for first in range(0, pairs, at_once):
        played = played_pairs(
            (player, opponent),
            match_format,
            range(first, min(first + at_once, pairs)),
            seconds=(tally.decision_seconds, []),
            max_plies=max_plies,
            keeps_actions=on_games is not None,
            on_decision=on_progress,
        )
        for pair in played:
            tally.add_pair(pair)
            if on_games is not None and not pair.unfinished:
                for contest in pair.contests:
                    on_games(contest_records(contest, match_format.rules))
        on_progress()


def played_pairs(
    players: tuple[Decider, Decider],
    match_format: MatchFormat,
    numbers: Sequence[int],
    *,
    seconds: tuple[list[float], list[float]] | None = None,
    max_plies: int = MAX_PLIES,
    keeps_actions: bool = True,
    on_decision: Callable[[], None] = lambda: None,
) -> list[PlayedPair]:
    """Play the pairs of these numbers, as the first player sees them; all at once if both can.

    seconds: what each player's decisions took is added to these lists. keeps_actions: whether what
    was done in each game is wanted. on_decision is called after decisions of the first player. The
    dice depend on the seed of the match format and the pair's number alone.
    """
    spent = seconds or ([], [])
    sides = [_Side(pair, seat, match_format.length) for pair in numbers for seat in (True, False)]
    if all(isinstance(each, BatchDecider) for each in players) and not match_format.cube:
        _AtOnce(players, match_format, max_plies, spent, keeps_actions, on_decision).play(sides)  # type: ignore[arg-type]
    else:
        timed = (
            TimedDecider(players[0], spent[0], on_decision),
            TimedDecider(players[1], spent[1]),
        )
        _play_refereed(timed, match_format, max_plies, sides)
    return [
        PlayedPair(
            one.pair,
            (tuple(one.games), tuple(other.games)),
            one.is_endless + other.is_endless,
            (*one.faults, *other.faults),
        )
        for one, other in zip(sides[::2], sides[1::2], strict=True)
    ]


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

    score: of the next game, seen by the first seat; games, faults: seen by the first player.
    """

    def __init__(self, pair: int, has_first_seat: bool, length: int | None) -> None:
        self.pair = pair
        self.has_first_seat = has_first_seat
        self.score = None if length is None else Score(length, 0, 0)
        self.games: list[PlayedGame] = []
        self.faults: list[Fault] = []
        self.is_endless = False
        self.is_over = False

    def add(self, result: GameResult | None, actions: Sequence[Action]) -> None:
        """Add the next game, as the first seat sees it; no result if it came to no end."""
        if result is None:
            self.is_endless = self.is_over = True
            return
        if self.has_first_seat:
            self.games.append(PlayedGame(result, tuple(actions)))
        else:
            ours = seen_from_other_seat(actions) if actions else ()
            self.games.append(PlayedGame(GameResult(-result.points, result.kind), tuple(ours)))
        self.score = self.score and self.score.after(result.points)
        self.is_over = self.score is None

    def dice(self, seed: int, plies: int) -> Dice:
        """The dice of the next game; see game_dice."""
        return game_dice(seed, self.pair, len(self.games), plies)


def _play_refereed(
    players: tuple[Decider, Decider],
    match_format: MatchFormat,
    max_plies: int,
    sides: Sequence[_Side],
) -> None:
    """Play all sides to their end, game by game, whatever the game asks."""
    for side in sides:
        seats = players if side.has_first_seat else players[::-1]
        while not side.is_over:
            dice = side.dice(match_format.seed, max_plies)
            answers: list[Answer] = []

            def on_forfeit(seat: int, forfeit: ForfeitError, side: _Side = side) -> None:
                player = seat if side.has_first_seat else 1 - seat
                side.faults.append(Fault(player, str(forfeit), forfeit.transcript))

            result = play_game(
                seats,
                (Roll.of_dice(*roll) for roll in dice.tolist()),
                first=int(dice[0, 0] < dice[0, 1]),
                score=side.score,
                money=match_format.money,
                has_cube=match_format.cube,
                answers=answers,
                on_forfeit=on_forfeit,
            )
            side.add(result, [action_of(answer) for answer in answers])


class _AtOnce:
    """Plays many games ply by ply, without the cube; the seconds of decisions are means."""

    def __init__(
        self,
        players: tuple[BatchDecider, BatchDecider],
        match_format: MatchFormat,
        max_plies: int,
        seconds: tuple[list[float], list[float]],
        keeps_actions: bool,
        on_decision: Callable[[], None],
    ) -> None:
        self._players = players
        self._keeps_actions = keeps_actions
        self._seed = match_format.seed
        self._rules = Game(GameState(START), has_cube=False)
        self._max_plies = max_plies
        self._seconds = seconds
        self._on_decision = on_decision

    def play(self, sides: Sequence[_Side]) -> None:
        """Play all sides to their end."""
        while sides:
            for side, (result, actions) in zip(sides, self._games(sides), strict=True):
                side.add(result, actions)
            sides = [side for side in sides if not side.is_over]

    def _games(
        self, sides: Sequence[_Side]
    ) -> Iterable[tuple[GameResult | None, Sequence[Action]]]:
        """Each side's next game, as the first seat sees it; no result if it is endless."""
        kept: list[list[Boards]] = [[START.board] for _ in sides]
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
            for row, board in zip(rows, boards, strict=True) if self._keeps_actions else ():
                kept[row].append(board)
            over = ~(boards < 0).any(axis=1)
            for row, board in zip(rows[over], boards[over], strict=True):
                kind = -points_won(Position.of_board(board))
                winner = int(starter[row] + ply) % 2
                results[row] = result_of_first(self._rules.won(winner, kind, Ending.PLAYED))
            rows, boards = rows[~over], boards[~over]
            if not len(rows):
                break
        if not self._keeps_actions:
            return [(result, ()) for result in results]
        games = zip(results, kept, dice, starter, strict=True)
        return [
            (result, actions_of_boards(boards, rolls, is_first=first == 0))
            for result, boards, rolls, first in games
        ]

    def _chosen(self, is_ours: bool, boards: Boards, dice: Dice) -> Boards:
        player = 0 if is_ours else 1
        started = time.perf_counter()
        chosen = self._players[player].boards_chosen(boards, dice)
        mean = (time.perf_counter() - started) / len(boards)
        self._seconds[player].extend([mean] * len(boards))
        if is_ours:
            self._on_decision()
        return chosen
