"""Recorded pairs: the pairs of a match in a file, from which it goes on after an interruption."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

from bot.draughts.arena.duel import Duel, PlayedPair, played_pairs
from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import Variant
from bot.lab.found_values import FoundValues, found_values


class RecordedPairs:
    """The pairs of a match by their numbers: those in the file, and those that are played now.

    Raises ValueError, where a pair is read, for a file that is damaged.
    """

    def __init__(self, duel: Duel, values: FoundValues | None) -> None:
        self._duel = duel
        self._values = values

    def pairs(self, count: int, workers: int, stop: Event) -> Iterator[PlayedPair]:
        """So many pairs, from number 0 on and in this order, however many processes play.

        A pair is in the file as soon as it is played. Raises InterruptedError if the stop is set,
        ChildProcessError if a worker dies.
        """
        missing = [number for number in range(count) if not self._has(number)]
        played = played_pairs(self._duel, missing, workers, stop)
        waiting: dict[int, PlayedPair] = {}
        for number in range(count):
            if self._has(number) and number not in waiting:
                yield self._read(number)
                continue
            while number not in waiting:
                pair = next(played)
                waiting[pair.number] = pair
                if self._values is not None:
                    self._values.found(_key(pair.number), partial(_values_of, pair))
            yield waiting.pop(number)

    def kept(self, count: int) -> int:
        """How many of the first so many pairs are in the file."""
        return sum(self._has(number) for number in range(count))

    def _has(self, number: int) -> bool:
        return self._values is not None and _key(number) in self._values

    def _read(self, number: int) -> PlayedPair:
        assert self._values is not None
        values = self._values.found(_key(number), dict)
        try:
            one, other = (_game_of(each, self._duel.variant) for each in values)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"pair {number + 1} of the record is damaged: {error}") from None
        return PlayedPair(number, (one, other))


@contextmanager
def recorded_pairs(
    duel: Duel, path: Path | None, about: Mapping[str, Any]
) -> Iterator[RecordedPairs]:
    """The record of a match in a file, or of one that is kept nowhere.

    about: all that the pairs depend on, as JSON can say. Raises ValueError for a file that was
    begun with something else, that is no record, or to which another process adds.
    """
    if path is None:
        yield RecordedPairs(duel, None)
        return
    with found_values(path, about, "file") as values:
        yield RecordedPairs(duel, values)


def _key(number: int) -> str:
    return f"pair {number + 1}"


def _values_of(pair: PlayedPair) -> list[dict[str, Any]]:
    """A pair as JSON says it; a move is its first square, its last and those of what it takes."""
    return [
        {
            "moves": [[move.start, move.end, *move.captured] for move in game.moves],
            "seconds": game.seconds,
            "decisions": game.decisions,
            "fault": game.fault,
        }
        for game in pair.games
    ]


def _game_of(values: Mapping[str, Any], variant: Variant) -> PlayedGame:
    """A game, played over again by the rules; raises ValueError for a move that is not legal."""
    game: Game | Result = Game.start(variant)
    moves = []
    for start, end, *captured in values["moves"]:
        if isinstance(game, Result):
            raise ValueError("a game goes on when it is over")
        move = next(
            (each for each in game.moves if each == Move(start, end, tuple(captured))), None
        )
        if move is None:
            raise ValueError(f"a move from {start} to {end} is not legal")
        moves.append(move)
        game = game.after(move)
    if values["fault"] and isinstance(game, Game):
        game = game.forfeited()
    result = game if isinstance(game, Result) else None
    (one, other), (first, second) = values["seconds"], values["decisions"]
    fault = str(values["fault"])
    return PlayedGame(variant, tuple(moves), result, (one, other), (first, second), fault)
