"""Duel: two players here, each roll played twice with the sides swapped."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from bot.backgammon.arena.match_format import Terms
from bot.backgammon.arena.players import Dice, DuelPlayer, TimedDecider
from bot.backgammon.arena.referee import play_game
from bot.backgammon.arena.tally import GameResult, Tally
from bot.backgammon.kernels.boards import Boards
from bot.backgammon.rules.decision import Decider
from bot.backgammon.rules.match import Score
from bot.backgammon.rules.outcome import points_won
from bot.backgammon.rules.position import START, Position, turned_boards
from bot.backgammon.rules.roll import Roll

MOST_PLIES = 1000
"""Plies after which a game counts as endless and is broken off."""

PAIRS_AT_ONCE = 256

_START_BOARD = START.board


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
    has a cube: many games are played at once. on_games is called with the number of games, or
    matches, that came to an end.
    """
    if terms.cube:
        raise ValueError("players of many games at once have no cube")
    batch_of_games = _Batch(player, opponent, terms, tally, most_plies)
    pairs = pair_count(terms)
    for first in range(0, pairs, PAIRS_AT_ONCE):
        batch = range(first, min(first + PAIRS_AT_ONCE, pairs))
        if terms.length is None:
            batch_of_games.play_money(batch)
        else:
            batch_of_games.play_matches(batch, terms.length)
        on_games(2 * len(batch))


def duel_with_cube(
    player: Decider,
    opponent: Decider,
    terms: Terms,
    tally: Tally,
    *,
    most_plies: int = MOST_PLIES,
    on_games: Callable[[int], None] = lambda finished: None,
) -> None:
    """The same game by game, with the cube and the score of a match before the players' eyes."""
    if not terms.cube:
        raise ValueError("a duel of deciders is played with the cube")
    player = TimedDecider(player, tally.decision_seconds)
    for pair in range(pair_count(terms)):
        sides = [
            _Side((player, opponent) if first_seat else (opponent, player), first_seat)
            for first_seat in (True, False)
        ]
        ends = [_play_side(side, pair, terms, tally, most_plies) for side in sides]
        on_games(2)
        if None in ends:
            continue
        points = [[result.points for result in results or ()] for results in ends]
        if terms.length is None:
            tally.add_sample(*(games[0] for games in points))
        else:
            tally.add_matches(*points)


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of a pair: who has which seat, and whether the first is ours."""

    deciders: tuple[Decider, Decider]
    first_seat: bool


def _play_side(
    side: _Side, pair: int, terms: Terms, tally: Tally, most_plies: int
) -> list[GameResult] | None:
    """Our results of one money game or of a match's games; None if one found no end."""
    score = None if terms.length is None else Score(terms.length, 0, 0)
    results: list[GameResult] = []
    while True:
        dice = game_dice(terms.seed, pair, len(results), most_plies)
        first = int(dice[0, 0] < dice[0, 1])
        rolls = (Roll.of_dice(*roll) for roll in dice.tolist())
        result = play_game(side.deciders, rolls, first=first, score=score, money=terms.money)
        if result is None:
            tally.unfinished += 1
            return None
        ours = result if side.first_seat else GameResult(-result.points, result.level)
        tally.add_game(ours)
        results.append(ours)
        score = score and score.after(result.points)
        if score is None:
            return results


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


def pair_count(terms: Terms) -> int:
    """Pairs of games, or of matches, with the same dice; raises ValueError for an odd number."""
    if terms.games % 2:
        raise ValueError(f"games come in pairs with the same dice, so not {terms.games} of them")
    return terms.games // 2


class _Batch:
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
        scores = {(pair, seat): Score(length, 0, 0) for pair in pairs for seat in (True, False)}
        points: dict[tuple[int, bool], list[int]] = {match: [] for match in scores}
        active = list(scores)
        number = 0
        endless = set()
        while active:
            results = self._play([_Board(pair, number, seat) for pair, seat in active])
            for match, result in zip(active, results, strict=True):
                if result is None:
                    endless.add(match)
                    continue
                points[match].append(result.points)
                score = scores.pop(match).after(result.points)
                if score is not None:
                    scores[match] = score
            active = [match for match in active if match in scores and match not in endless]
            number += 1
        for pair in pairs:
            matches = (pair, True), (pair, False)
            if not endless.intersection(matches):
                self._tally.add_matches(*(points[match] for match in matches))

    def _play(self, games: Sequence[_Board]) -> list[GameResult | None]:
        """Play all games to their end and count them; None for an endless one."""
        results: list[GameResult | None] = [None] * len(games)
        dice = np.array([self._dice(game) for game in games], np.int8)
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

    def _dice(self, game: _Board) -> Dice:
        return game_dice(self._terms.seed, game.pair, game.number, self._most_plies)

    def _result(self, level: int, won: bool) -> GameResult:
        result = GameResult(level if won else -level, level)
        self._tally.add_game(result)
        return result
