"""Duel with gnubg: it is started, seated across from a player here, and keeps the score."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.backgammon.arena.match_format import Terms
from bot.backgammon.arena.players import TimedDecider
from bot.backgammon.arena.tally import GameResult, Tally
from bot.backgammon.rules.decision import Decider
from bot.backgammon.rules.match import MoneyRules
from protocol import wire
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter
from protocol.backgammon.adapters.gnubg_program import (
    BLOT,
    PATIENCE,
    GnubgError,
    GnubgGame,
    GnubgProgram,
)

GAMES_PER_EXPORT = 25
"""Money games after which gnubg writes its file anew."""


def duel_with_gnubg(
    engine: Decider,
    terms: Terms,
    tally: Tally,
    *,
    plies: int = 0,
    mat: Path | None = None,
    sgf: Path | None = None,
    program: Sequence[str] = (),
    patience: float = PATIENCE,
    on_games: Callable[[int], None] = lambda finished: None,
) -> None:
    """Start gnubg, seat the engine as its external player, play the terms and add up the results.

    mat, sgf: files for the games in gnubg's own hand, written every 25 money games, after each
    match and at any failure; later matches get a number in their files' names. program, patience:
    see GnubgProgram. Raises GnubgError as soon as gnubg fails; the tally holds what was played by
    then.
    """
    timed = TimedDecider(engine, tally.decision_seconds)
    with (
        GnubgProgram(program, patience=patience, activity=timed.decisions) as gnubg,
        seated(timed, gnubg.folder, terms.money) as address,
        _rejected_plays_noted(tally),
    ):
        gnubg.seat_external_player(address, plies=plies, seed=terms.seed)
        gnubg.set_rules(cube=terms.cube, jacoby=terms.jacoby, beavers=terms.beavers)
        for number in range(1 if terms.length is None else terms.games):
            files = _numbered(mat, number), _numbered(sgf, number)
            try:
                if terms.length is None:
                    for played in _play_session(gnubg, terms.games, tally):
                        on_games(1)
                        if played % GAMES_PER_EXPORT == 0:
                            gnubg.save_games(*files)
                else:
                    _play_match(gnubg, terms.length, tally)
                    on_games(1)
                gnubg.save_games(*files)
            except (GnubgError, KeyboardInterrupt):
                gnubg.rescue_games(*files)
                raise


def _play_session(gnubg: GnubgProgram, games: int, tally: Tally) -> Iterator[int]:
    """Play money games; yields after each how many were played."""
    for number in range(games):
        result = _counted(gnubg.play_game("new game" if number else "new session"), tally)
        tally.add_sample(result.points)
        yield number + 1


def _play_match(gnubg: GnubgProgram, length: int, tally: Tally) -> None:
    points: list[int] = []
    command = f"new match {length}"
    while True:
        game = gnubg.play_game(command)
        points.append(_counted(game, tally).points)
        if game.ends_match:
            tally.add_matches(points)
            return
        command = "new game"


def _counted(game: GnubgGame, tally: Tally) -> GameResult:
    result = GameResult(game.points if game.winner == BLOT else -game.points, game.level)
    tally.add_game(result)
    return result


def _numbered(file: Path | None, number: int) -> Path | None:
    """The file itself for the first match, then with _002 and so on, as gnubg numbers files."""
    if file is None or number == 0:
        return file
    return file.with_name(f"{file.stem}_{number + 1:03}{file.suffix}")


@contextmanager
def seated(engine: Decider, folder: Path, money: MoneyRules) -> Iterator[str]:
    """Serve the decider on a socket in the folder; its address for a gnubg that works there."""
    listener = wire.unix_listener(str(folder / "seat"))
    with wire.serving(listener, lambda send: GnubgAdapter(engine, send, money=money)):
        yield "./seat"


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
