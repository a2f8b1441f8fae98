"""Duel with gnubg: it is started, seated across from a player here, and keeps the score."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import GameResult
from bot.backgammon.arena.players import TimedDecider
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import Decider
from bot.backgammon.rules.match import MoneyRules
from protocol import wire
from protocol.backgammon.adapters.gnubg_external import GnubgAdapter, RejectedPlay
from protocol.backgammon.adapters.gnubg_program import (
    BLOT,
    PATIENCE,
    GnubgError,
    GnubgGame,
    GnubgProgram,
)
from protocol.backgammon.arena.match_files import OwnFiles, numbered

GAMES_PER_EXPORT = 25
"""Money games after which gnubg writes its file anew."""


def duel_with_gnubg(
    engine: Decider,
    match_format: MatchFormat,
    tally: Tally,
    *,
    plies: int = 0,
    files: tuple[Path | None, Path | None] = (None, None),
    program: Sequence[str] = (),
    patience: float = PATIENCE,
    on_progress: Callable[[], None] = lambda: None,
) -> None:
    """Start gnubg, seat the engine as its external player, play the match and add up the results.

    files: .mat and SGF for the games in gnubg's own hand, those that are given, written every 25
    money games, after each match and at any failure; later matches get a number in their files'
    names. program, patience: see GnubgProgram. on_progress is called after our decisions, by the
    thread that answers gnubg, and after each game. Raises GnubgError as soon as gnubg fails, and
    ValueError if one of the files was written by others meanwhile; the tally holds the money games
    or matches that were finished by then.
    """
    own = OwnFiles()
    timed = TimedDecider(engine, tally.decision_seconds, on_progress)
    with (
        GnubgProgram(program, patience=patience, activity=timed.decisions) as gnubg,
        seated(timed, gnubg.folder, match_format.money, tally.rejected_plays.append) as address,
    ):
        gnubg.seat_external_player(address, plies=plies, seed=match_format.seed)
        gnubg.set_rules(
            cube=match_format.cube, jacoby=match_format.jacoby, beavers=match_format.beavers
        )
        for number in range(1 if match_format.length is None else match_format.games):
            mat, sgf = (file and numbered(file, number) for file in files)
            try:
                if match_format.length is None:
                    for played in _play_session(gnubg, match_format.games, tally):
                        on_progress()
                        if played % GAMES_PER_EXPORT == 0:
                            _save(gnubg, mat, sgf, own)
                else:
                    _play_match(gnubg, match_format.length, tally)
                    on_progress()
                _save(gnubg, mat, sgf, own)
            except (GnubgError, ValueError, KeyboardInterrupt):
                free = [file if file and own.allow(file) else None for file in (mat, sgf)]
                gnubg.rescue_games(*free)
                raise


def _save(gnubg: GnubgProgram, mat: Path | None, sgf: Path | None, own: OwnFiles) -> None:
    """Let gnubg write the games so far; raises ValueError if others wrote a file of that name."""
    given = [file for file in (mat, sgf) if file is not None]
    own.check(*given)
    gnubg.save_games(mat, sgf)
    for file in given:
        own.add(file)


def _play_session(gnubg: GnubgProgram, games: int, tally: Tally) -> Iterator[int]:
    """Play money games; yields after each how many were played."""
    for number in range(games):
        tally.add([_result_of(gnubg.play_game("new game" if number else "new session"))])
        yield number + 1


def _play_match(gnubg: GnubgProgram, length: int, tally: Tally) -> None:
    game = gnubg.play_game(f"new match {length}")
    results = [_result_of(game)]
    while not game.ends_match:
        game = gnubg.play_game("new game")
        results.append(_result_of(game))
    tally.add(results)


def _result_of(game: GnubgGame) -> GameResult:
    return GameResult(game.points if game.winner == BLOT else -game.points, game.kind)


@contextmanager
def seated(
    engine: Decider,
    folder: Path,
    money: MoneyRules,
    on_rejected: Callable[[RejectedPlay], None] = lambda rejected: None,
) -> Iterator[str]:
    """Serve the decider on a socket in the folder; its address for a gnubg that works there.

    on_rejected: see GnubgAdapter.
    """
    listener = wire.unix_listener(str(folder / "seat"))
    with wire.serving(
        listener, lambda send: GnubgAdapter(engine, send, money=money, on_rejected=on_rejected)
    ):
        yield "./seat"
