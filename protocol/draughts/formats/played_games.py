"""Played games: games between two players as records, for PDN files."""

from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, Score
from bot.draughts.rules.variant import Side


def played_record(game: PlayedGame, white: str, black: str, round_name: str) -> GameRecord:
    """The game with its players and its number in the match; why it ended stands behind it."""
    moves = [RecordedMove(move) for move in game.moves]
    end = game.fault or ("broken off" if game.result is None else game.result.ending.value)
    if moves:
        moves[-1] = RecordedMove(game.moves[-1], comments=(end,))
    tags = (("Round", round_name), ("White", white), ("Black", black))
    return GameRecord(Position.start(game.variant), Line(tuple(moves)), _score(game), tags)


def _score(game: PlayedGame) -> Score:
    points = game.points(Side.WHITE)
    return int(2 * points), int(2 - 2 * points)
