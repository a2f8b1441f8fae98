"""Played games: games between two players as records, for PDN files."""

from collections.abc import Sequence

from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.rules.game import Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, Score
from bot.draughts.rules.variant import Side

NO_RESULT = "no result"
"""Behind the last move of a game that ended without one, as after the moves agreed on."""


def played_record(game: PlayedGame, white: str, black: str, round_name: str) -> GameRecord:
    """A game of a match with its players and its number; why it ended stands behind it.

    One that was broken off counts as drawn.
    """
    points = game.points(Side.WHITE)
    score = int(2 * points), int(2 - 2 * points)
    end = game.fault or ("broken off" if game.result is None else game.result.ending.value)
    start = Position.start(game.variant)
    return _record(start, game.moves, end, score, (white, black), round_name)


def line_record(
    start: Position,
    moves: Sequence[Move],
    result: Result | None,
    players: tuple[str, str],
    round_name: str,
) -> GameRecord:
    """A game over a line with its players, White first, and its number; no result is no score."""
    score, end = None, NO_RESULT
    if result is not None:
        score = {None: (1, 1), Side.WHITE: (2, 0), Side.BLACK: (0, 2)}[result.winner]
        end = result.ending.value
    return _record(start, moves, end, score, players, round_name)


def _record(
    start: Position,
    moves: Sequence[Move],
    end: str,
    score: Score | None,
    players: tuple[str, str],
    round_name: str,
) -> GameRecord:
    """The record; why the game ended is a comment behind the last move."""
    recorded = [RecordedMove(move) for move in moves]
    if recorded:
        recorded[-1] = RecordedMove(moves[-1], comments=(end,))
    tags = (("Round", round_name), ("White", players[0]), ("Black", players[1]))
    return GameRecord(start, Line(tuple(recorded)), score, tags)
