"""Hub client: a program that speaks the Hub protocol, as a player of ours.

See hub_engine for the other side, and for the source.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from threading import Event

from bot.draughts.rules.decision import MIN_SECONDS, Found, Limits, Tell
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import INTERNATIONAL, Variant
from protocol.draughts.adapters.hub_parameter import VARIANT, VARIANTS, number_of
from protocol.draughts.formats.hub_line import HubLine, hub_line_text, parse_hub_line
from protocol.draughts.formats.hub_move import hub_move_text, parse_hub_move
from protocol.draughts.formats.hub_position import hub_position_text
from protocol.errors import WireError
from protocol.progress import SECONDS_UNTOLD, waiting_told
from protocol.wire.program import Program, ProgramError, SilentError, words_of

START_SECONDS = 60.0
"""Seconds that a program may take to start, and to load what it needs."""

ANSWER_SECONDS = 120.0
"""Seconds that a program may think where no limit of time is told."""

GRACE_SECONDS = 5.0
"""Seconds that it may take beyond its limit, and to answer a stop."""

MAX_STARTS = 10
"""Times that a program is started before it has failed for good."""

_PATIENCE = 0.05  # seconds between two looks whether we are to stop


class IllegalMoveError(ProgramError):
    """A move that is none, or not legal; the program is well else."""


@dataclass(frozen=True, slots=True)
class HubSeconds:
    """Seconds that a program may take to start, to think without a limit, and beyond a limit."""

    start: float = START_SECONDS
    answer: float = ANSWER_SECONDS
    grace: float = GRACE_SECONDS


class HubPlayer:
    """A Hub program that finds moves; a context manager that ends it.

    command: the program with its arguments, as typed in a shell. It ends with us whatever happens;
    one that dies or is late is started again for the next move, MAX_STARTS times in all. Raises
    ProgramError if it cannot be started, or does not play the variant.
    """

    def __init__(
        self,
        command: str,
        variant: Variant = INTERNATIONAL,
        *,
        seconds: HubSeconds | None = None,
    ) -> None:
        self.name = f"the Hub program {command!r}"
        self.identity: dict[str, str] = {}
        self._variant = variant
        self._seconds = seconds or HubSeconds()
        self._starts = 0
        self._owes_done = False
        self._program: Program | None = None
        self._command = words_of(command)
        self._started()

    def __enter__(self) -> "HubPlayer":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def transcript(self) -> Sequence[str]:
        """The last lines between the program and us; see Transcript."""
        return () if self._program is None else tuple(self._program.transcript)

    def close(self) -> None:
        """Tell it to end, and see that it does."""
        program, self._program = self._program, None
        if program is not None:
            with suppress(ProgramError):
                program.send("quit")
            program.close()

    def search(self, game: Game, limits: Limits, stop: Event, tell: Tell) -> Found:
        """The program's move; what it tells on the way is told.

        Raises IllegalMoveError if it is none, ProgramError if the program is late or fails, and
        ValueError if the game is over.
        """
        if not game.moves:
            raise ValueError("the game is over")
        if game.position.variant != self._variant:
            raise ValueError(f"{self.name} was started for {self._variant.name} draughts")
        program = self._started()
        try:
            self._settle(program)
            for line in (_position_line(game), _level_line(limits), "go think"):
                program.send(line)
            self._owes_done = True
            return self._found(program, game, self._until(limits), stop, tell)
        except IllegalMoveError:
            raise
        except ProgramError:
            self.close()
            raise

    def _started(self) -> Program:
        """The program, started if it is not running; raises ProgramError if that fails."""
        if self._program is not None:
            return self._program
        if self._starts >= MAX_STARTS:
            raise ProgramError(f"{self.name} has failed {self._starts} times")
        self._starts += 1
        self._owes_done = False
        self._program = Program(self._command, self.name)
        try:
            with waiting_told(self.name, SECONDS_UNTOLD):
                self._initialize(self._program)
        except BaseException:
            self.close()
            raise
        return self._program

    def _initialize(self, program: Program) -> None:
        """The handshake, up to `ready`."""
        until = time.monotonic() + self._seconds.start
        program.send("hub")
        told = {"value": VARIANT.value}
        for line in self._lines(program, until, "hub"):
            if line.command == "id":
                self.identity.update(line.arguments)
            if line.command == "param" and line.arguments.get("name") == VARIANT.name:
                told = dict(line.arguments)
            if line.command == "wait":
                break
        wanted = next(name for name, variant in VARIANTS.items() if variant == self._variant)
        if told.get("value") != wanted:
            if wanted not in told.get("values", "").split():
                raise self._error(f"does not play {self._variant.name} draughts")
            program.send(hub_line_text("set-param", name=VARIANT.name, value=wanted))
        program.send("init")
        for line in self._lines(program, until, "init"):
            if line.command == "error":
                raise self._error(f"answered 'init' with the error {_message(line)!r}")
            if line.command == "ready":
                return

    def _settle(self, program: Program) -> None:
        """Wait for the `done` of a search that failed, so that it is not taken for the next."""
        if self._owes_done:
            program.send("stop")
            until = time.monotonic() + self._seconds.grace
            for line in self._lines(program, until, "stop"):
                if line.command == "done":
                    break
            self._owes_done = False

    def _until(self, limits: Limits) -> float:
        """The moment at which it is told to stop."""
        seconds = limits.move_seconds
        if seconds is None:
            return time.monotonic() + self._seconds.answer
        return time.monotonic() + seconds + self._seconds.grace

    def _found(self, program: Program, game: Game, until: float, stop: Event, tell: Tell) -> Found:
        """The move in its `done`; raises ProgramError if there is none."""
        asked = hub_position_text(game.position)
        best: Found | None = None
        has_stopped = False
        while True:
            if not has_stopped and (stop.is_set() or time.monotonic() >= until):
                program.send("stop")
                has_stopped, until = True, time.monotonic() + self._seconds.grace
            try:
                line = self._line(program, until)
            except SilentError:
                if has_stopped and time.monotonic() >= until:
                    raise self._error(f"gave no answer to {asked} in time") from None
                continue
            if line is None:
                continue
            if line.command == "info":
                best = _told(line, game) or best
                if best is not None:
                    tell(best)
            elif line.command == "error":
                raise self._illegal(f"answered {asked} with the error {_message(line)!r}")
            elif line.command == "done":
                self._owes_done = False
                move = self._move(line, game)
                return best if best is not None and best.move == move else Found(move)

    def _move(self, line: HubLine, game: Game) -> Move:
        text = line.arguments.get("move", "")
        try:
            return parse_hub_move(text, game.moves)
        except ValueError as error:
            asked = hub_position_text(game.position)
            raise self._illegal(f"answered {asked} with {text[:40]!r}: {error}") from None

    def _line(self, program: Program, until: float) -> HubLine | None:
        """The next line, None if it cannot be read; raises SilentError if there is none for now."""
        left = until - time.monotonic()
        if left <= 0:  # it talks, but does not come to an end; a line that was read is not lost
            raise SilentError(f"{self.name} gave no answer in time")
        text = program.read(min(_PATIENCE, left))
        try:
            return parse_hub_line(text)
        except WireError:
            return None

    def _lines(self, program: Program, until: float, question: str) -> Iterator[HubLine]:
        """The lines that can be read; raises ProgramError if they do not end in time."""
        while True:
            try:
                line = self._line(program, until)
            except SilentError:
                if time.monotonic() >= until:
                    raise self._error(f"gave no answer to {question!r} in time") from None
                continue
            if line is not None:
                yield line

    def _error(self, what: str) -> ProgramError:
        return ProgramError(f"{self.name} {what}")

    def _illegal(self, what: str) -> IllegalMoveError:
        return IllegalMoveError(f"{self.name} {what}")


def _position_line(game: Game) -> str:
    """The `pos` line: the position after the last move for good, and the kings' moves since."""
    positions = (*game.earlier, game.position)
    moves = [_between(*pair) for pair in itertools.pairwise(positions)]
    arguments = {"moves": " ".join(map(hub_move_text, moves))} if moves else {}
    return hub_line_text("pos", pos=hub_position_text(positions[0]), **arguments)


def _between(before: Position, after: Position) -> Move:
    """The move that leads from one position to the other."""
    return next(move for move in legal_moves(before) if position_after(before, move) == after)


def _level_line(limits: Limits) -> str:
    """The `level` line; seconds for the move come before those of the clock."""
    arguments: dict[str, object] = {}
    if limits.is_infinite:
        arguments["infinite"] = None
    if limits.depth is not None:
        arguments["depth"] = limits.depth
    if limits.nodes is not None:
        arguments["nodes"] = limits.nodes
    if limits.seconds is not None:
        arguments["move_time"] = f"{max(limits.seconds, MIN_SECONDS):.3f}"
    elif limits.clock is not None:
        if limits.clock.moves is not None:
            arguments["moves"] = limits.clock.moves
        arguments["time"] = f"{limits.clock.seconds:.3f}"
        if limits.clock.increment:
            arguments["inc"] = f"{limits.clock.increment:.3f}"
    return hub_line_text("level", **arguments)


def _told(line: HubLine, game: Game) -> Found | None:
    """The finding that an `info` line tells, as far as it can be read; None without a move."""
    moves: list[Move] = []
    position = game.position
    with suppress(ValueError):
        for text in line.arguments.get("pv", "").split():
            moves.append(parse_hub_move(text, legal_moves(position)))
            position = position_after(position, moves[-1])
    if not moves:
        return None
    given = line.arguments
    depth, nodes = (number_of(given.get(name, ""), whole=True) for name in ("depth", "nodes"))
    seconds, score = number_of(given.get("time", "")), number_of(given.get("score", ""))
    found = Found(moves[0], score, seconds=seconds or 0.0, line=tuple(moves))
    return replace(
        found,
        depth=None if depth is None else int(depth),
        nodes=None if nodes is None else int(nodes),
    )


def _message(line: HubLine) -> str:
    return line.arguments.get("message", "")[:80]
