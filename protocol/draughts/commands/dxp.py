"""`blot draughts dxp`: games with another program over DamExchange."""

import argparse
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from bot.lab.command_line import whole_number
from bot.signals import stopping_gently
from protocol.draughts.commands.options import (
    add_limits,
    limits_of,
    refuse_existing,
    refuse_idle_limits,
    refuse_missing_folder,
)
from protocol.encoding import shown_lines
from protocol.errors import UsageError, WireError, as_usage
from protocol.log_file import add_log
from protocol.progress import tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    import socket

    from bot.draughts.rules.decision import Player
    from bot.draughts.rules.record import GameRecord
    from protocol.draughts.adapters.dxp import GameRequest
    from protocol.draughts.adapters.dxp_client import DxpClient, PlayedGame
    from protocol.wire.messages import MessageClient

HOST, PORT = "127.0.0.1", 27531
"""The port is DamExchange's own."""

PLAYER, SIDE, MINUTES, GAMES = "best", "white", 5.0, 1
MAX_MINUTES = 999
IDLE_SECONDS = 600.0
"""Seconds after which a program that came and asks for no game is left."""

_PATIENCE = 60.0
_OF_WAITING, _OF_ASKING = ("host", "port"), ("side", "minutes", "moves", "from")


def add_dxp(subcommands: Parsers) -> None:
    """Add `blot draughts dxp`."""
    parser = subcommands.add_parser(
        "dxp",
        help="play other programs over DamExchange (DXP)",
        description="Play international draughts over DamExchange, as most programs of that game "
        "can: wait for a program and play the games that it asks for, or ask one that waits. "
        "Ctrl-C ends it after the game, a second one at once.",
        allow_abbrev=False,
    )
    unsaid = argparse.SUPPRESS  # what is not given can be told from what is
    parser.add_argument(
        "--connect", metavar="HOST:PORT", help="ask the program there, in place of waiting for one"
    )
    parser.add_argument(
        "--player",
        default=PLAYER,
        metavar="NAME",
        help=f"who plays, by a name as in `blot draughts match` (default: {PLAYER}); a level "
        "thinks within its own limits and the time agreed on",
    )
    parser.add_argument(
        "--games",
        type=whole_number(1),
        metavar="N",
        default=unsaid,
        help=f"games to play (default: {GAMES} with --connect, else any number)",
    )
    parser.add_argument("--pdn", type=Path, metavar="FILE", help="write the games to a new file")
    waiting = parser.add_argument_group("waiting for a program")
    waiting.add_argument(
        "--host",
        default=unsaid,
        help=f"IPv4 address to listen on, 0.0.0.0 for every one (default: {HOST})",
    )
    waiting.add_argument(
        "--port",
        type=whole_number(0, 65535),
        default=unsaid,
        help=f"port to listen on, 0 for any free one (default: {PORT})",
    )
    asking = parser.add_argument_group("asking a program, with --connect")
    asking.add_argument(
        "--side",
        choices=("white", "black"),
        default=unsaid,
        help=f"our side in the first game, swapped after each (default: {SIDE})",
    )
    asking.add_argument(
        "--minutes",
        type=float,
        default=unsaid,
        help=f"time of each side for a game, fractions as .5 too (default: {MINUTES:g})",
    )
    asking.add_argument(
        "--moves",
        type=whole_number(0, 999),
        default=unsaid,
        metavar="N",
        help="moves of each side after which a game ends, 0 for none (default: 0)",
    )
    asking.add_argument(
        "--from", default=unsaid, metavar="FEN", help="begin in this position, given as FEN"
    )
    add_limits(parser, "of ours")
    add_log(parser)
    parser.set_defaults(run=_dxp)


def _dxp(options: argparse.Namespace) -> int:
    """Play until all games are played, or a signal ends it."""
    from bot.draughts.rules.variant import INTERNATIONAL
    from protocol import wire
    from protocol.draughts.adapters.dxp_client import dxp_line
    from protocol.draughts.arena.named_players import compile_for, entrant

    _refuse_of_other_way(options)
    make = entrant(options.player, INTERNATIONAL)
    refuse_idle_limits(options, [options.player])
    _check_pdn(options)
    sheet = _Sheet(options.player, options.pdn)
    if options.connect is not None:
        wanted = _wanted_game(options)
        wire.keep_log(getattr(options, "log", None))
        compile_for([options.player], INTERNATIONAL)
        with make(0) as player, dxp_line(options.connect) as line:
            _ask(_client(line, player, options), wanted, getattr(options, "games", GAMES), sheet)
        return 0
    wire.keep_log(getattr(options, "log", None))
    listener = wire.tcp_listener(getattr(options, "host", HOST), getattr(options, "port", PORT))
    try:
        compile_for([options.player], INTERNATIONAL)
        with make(0) as player:
            _wait_for_programs(listener, player, options, sheet)
    except KeyboardInterrupt:  # the usual way to end it
        pass
    finally:
        wire.close_listener(listener)
    return 0


def _refuse_of_other_way(options: argparse.Namespace) -> None:
    """Raise UsageError if an option is given that would have no effect."""
    is_asking = options.connect is not None
    for name in _OF_WAITING if is_asking else _OF_ASKING:
        if name in options:
            word = "with" if is_asking else "without"
            raise UsageError(f"--{name} has no use {word} --connect: leave it out")


def _check_pdn(options: argparse.Namespace) -> None:
    """Raise ValueError if the games cannot be written where they shall."""
    if options.pdn is None:
        return
    refuse_existing(options.pdn)
    refuse_missing_folder(options.pdn)
    if "log" in options and Path(options.log).resolve() == options.pdn.resolve():
        raise UsageError(f"--log and --pdn name the same file, {options.pdn}")


def _wanted_game(options: argparse.Namespace) -> "GameRequest":
    """The first game to ask for; raises UsageError if no message has room for it."""
    from bot.draughts.rules.variant import INTERNATIONAL, Side
    from protocol.draughts.adapters.dxp import GameRequest, message_text
    from protocol.draughts.formats.fen import parse_fen
    from protocol.wire.client import checked_server

    side = Side(getattr(options, "side", SIDE))
    minutes, moves = getattr(options, "minutes", MINUTES), getattr(options, "moves", 0)
    with as_usage():
        checked_server(options.connect)
        start = parse_fen(getattr(options, "from"), INTERNATIONAL) if "from" in options else None
        if not 0 < minutes <= MAX_MINUTES:
            raise ValueError(
                f"each side has more than 0 and up to {MAX_MINUTES} minutes, not {minutes:g}"
            )
        request = GameRequest("", side.other, minutes, moves, start)
        message_text(request)
    return request


def _client(line: "MessageClient", player: "Player", options: argparse.Namespace) -> "DxpClient":
    """Our side of a line; a level keeps its own limits if no others are asked for."""
    from bot.draughts.engine.level import LEVELS
    from bot.draughts.rules.decision import Limits
    from protocol.draughts.adapters.dxp_client import DxpClient

    limits = limits_of(options)
    if limits == Limits() and options.player in LEVELS:
        limits = LEVELS[options.player].limits
    return DxpClient(line, player, limits=limits)


def _ask(client: "DxpClient", wanted: "GameRequest", games: int, sheet: "_Sheet") -> None:
    """Ask for so many games, one after the other, with the sides swapped after each.

    Raises WireError if the other side wants fewer, and KeyboardInterrupt after the game in which
    somebody asked for an end.
    """
    side = wanted.side.other
    with stopping_gently() as is_stopped:
        for number in range(1, games + 1):
            asked = partial(
                client.invite,
                side,
                minutes=wanted.minutes,
                moves=wanted.moves,
                start=wanted.start,
                is_last=number == games,
            )
            played = sheet.kept(client, asked)
            side = side.other
            if number == games:
                break
            if is_stopped():
                raise KeyboardInterrupt
            if played.is_last:
                raise WireError(f"the other side went after {number} of {games} games")


def _wait_for_programs(
    listener: "socket.socket", player: "Player", options: argparse.Namespace, sheet: "_Sheet"
) -> None:
    """Play with whoever comes, one after the other, until the games are played or Ctrl-C."""
    from protocol.draughts.adapters.dxp_client import awaited_peer
    from protocol.wire.sockets import address_of

    games = getattr(options, "games", math.inf)
    listener.listen(1)
    print(
        f"Waiting for a program at {address_of(listener)} (DamExchange); {options.player} plays. "
        "Ctrl-C ends it after the game, a second one at once.",
        flush=True,
    )
    while sheet.count < games:
        try:
            line = awaited_peer(listener, _PATIENCE)
        except TimeoutError:
            continue
        with line:
            try:
                _follow(_client(line, player, options), games, sheet)
            except WireError as error:  # another may come
                tell(f"blot: {error}")


def _follow(client: "DxpClient", games: float, sheet: "_Sheet") -> None:
    """Play the games that one program asks for, until so many are played in all.

    Raises KeyboardInterrupt after the game in which somebody asked for an end.
    """
    while sheet.count < games and (request := client.agreed_request(IDLE_SECONDS)):
        is_last = sheet.count + 1 >= games
        try:
            with stopping_gently() as is_stopped:
                played = sheet.kept(client, partial(client.play, request, is_last=is_last))
        except WireError as error:
            if not is_stopped():
                raise
            tell(f"blot: {error}")
        if is_stopped():  # asked only when Ctrl-C is heard as before, so that none is lost between
            raise KeyboardInterrupt
        if played.is_last:
            return


class _Sheet:
    """The games that were played: told one by one, and kept in a file if there is one."""

    def __init__(self, player: str, path: Path | None) -> None:
        self.count = 0
        """Games that were played to their end."""

        self._name = f"Blot ({player})"
        self._path = path
        self._number = 0
        self._texts: list[str] = []

    def kept(self, client: "DxpClient", play: Callable[[], "PlayedGame"]) -> "PlayedGame":
        """The game that this call plays; told and kept as far as it went, whatever it raises."""
        try:
            game = play()
        except (WireError, KeyboardInterrupt):
            if (game_so_far := client.broken_off) is not None and game_so_far.moves:
                self._add(game_so_far)
            raise
        self.count += 1
        self._add(game)
        return game

    def _add(self, game: "PlayedGame") -> None:
        """Write a game down and tell of it; raises OSError or ValueError if it cannot be kept."""
        from bot.draughts.rules.variant import Side
        from protocol.draughts.formats.played_games import NO_RESULT, line_record

        names = {game.side: self._name, game.side.other: game.other or "?"}
        players, end = (names[Side.WHITE], names[Side.BLACK]), NO_RESULT
        if game.result is not None:
            winner = game.result.winner
            who = "a draw" if winner is None else f"{names[winner]} wins"
            end = f"{who} ({game.result.ending.value})"
        self._number += 1
        number = str(self._number)
        try:
            self._write(line_record(game.start, game.moves, game.result, players, number))
        finally:
            told = f"game {number}: {' - '.join(players)}, {len(game.moves)} moves: {end}"
            print(shown_lines(told), flush=True)

    def _write(self, record: "GameRecord") -> None:
        """Write it to the file, behind the others."""
        from bot.archive import write_whole
        from protocol.draughts.formats.pdn_writing import pdn_text

        if self._path is None:
            return
        if not self._texts:
            refuse_existing(self._path)
        self._texts.append(pdn_text([record]))
        text = "\n".join(self._texts).encode()
        write_whole(self._path, lambda file: file.write(text))
