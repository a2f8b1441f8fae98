"""Hub engine: the Hub protocol, version 2, spoken as an engine.

Commands and arguments that nobody here knows are skipped. Every `go` that begins a search is
answered with one `done`, without a move if there is none to tell. Source: Scan 3.1, protocol.txt.
"""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence

from bot.draughts.rules.decision import Clock, Found, Limits, Player
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves, position_after
from bot.draughts.rules.variant import Variant
from protocol.draughts.adapters.hub_parameter import VARIANT, VARIANTS, HubParameter, number_of
from protocol.draughts.formats.hub_line import HubLine, hub_line_text, parse_hub_line
from protocol.draughts.formats.hub_move import hub_move_text, parse_hub_move
from protocol.draughts.formats.hub_position import parse_hub_position
from protocol.encoding import shown
from protocol.errors import WireError
from protocol.wire.lines import Goodbye

MAX_HUB_LINE = 1 << 16
"""Bytes of a line; the moves of a long game take some thousands."""

MakePlayer = Callable[[Mapping[str, str]], Player]
"""Makes the player for the values of the parameters; raises ValueError if there is none."""

_log = logging.getLogger("blot.hub")


class HubEngine:
    """One conversation with a controller.

    make_player: see MakePlayer; first asked when `init` or `go` comes, and anew after `new-game`
    or a change. parameters: what can be set besides the variant. identity: name, version, author
    and country. begin runs a search: at once, or beside the thread that reads lines, so that `stop`
    is heard. later calls something after so many seconds. Raises Goodbye on `quit`.
    """

    def __init__(
        self,
        make_player: MakePlayer,
        send: Callable[[str], None],
        *,
        parameters: Sequence[HubParameter] = (),
        identity: Mapping[str, str] | None = None,
        begin: Callable[[Callable[[], None]], object] = lambda search: search(),
        later: Callable[[float, Callable[[], None]], object] | None = None,
    ) -> None:
        self._make_player = make_player
        self._send = send
        self._parameters = {each.name: each for each in (VARIANT, *parameters)}
        self._values = {name: each.value for name, each in self._parameters.items()}
        self._identity = {"name": "Blot"} if identity is None else dict(identity)
        self._begin = begin
        self._later = later or _after_seconds
        self._player: Player | None = None
        self._game: Game | None = Game.start(self._variant)
        self._limits: Limits | None = None
        self._search: _Search | None = None

    def receive(self, line: str) -> None:
        """Do what the line says; one that cannot be done is answered with an error."""
        if not line.strip():
            return
        try:
            if len(line) > MAX_HUB_LINE:
                raise WireError(f"a line has at most {MAX_HUB_LINE} bytes")
            told = parse_hub_line(line)
            if told.command not in _COMMANDS:
                return
            if self._search is not None and told.command not in _DURING_A_SEARCH:
                raise WireError(f"{told.command}: a search is under way")
            _COMMANDS[told.command](self, told)
        except (WireError, ValueError) as error:
            self._refuse(str(error))

    def stop(self) -> None:
        """Have a search end now, with the best that it knows."""
        search = self._search
        if search is not None:
            search.stop.set()

    @property
    def _variant(self) -> Variant:
        return VARIANTS[self._values[VARIANT.name]]

    def _refuse(self, sentence: str) -> None:
        self._send(hub_line_text("error", message=shown(sentence)[:300]))

    def _greet(self, told: HubLine) -> None:
        """`hub`: who this is and what can be set."""
        self._send(hub_line_text("id", **self._identity))
        for parameter in self._parameters.values():
            self._send(parameter.line)
        self._send("wait")

    def _set_parameter(self, told: HubLine) -> None:
        name, value = told.arguments.get("name", ""), told.arguments.get("value", "")
        if name not in self._parameters:
            raise WireError(f"there is no parameter {name[:40]!r}")
        if refusal := self._parameters[name].refusal(value):
            raise WireError(refusal)
        self._values[name] = value
        self._player = None
        if name == VARIANT.name:
            self._game = Game.start(self._variant)

    def _be_ready(self, told: HubLine) -> None:
        """`init`: whatever a search needs is loaded."""
        self._ready_player()
        self._send("ready")

    def _ready_player(self) -> Player:
        if self._player is None:
            self._player = self._make_player(dict(self._values))
        return self._player

    def _start_game(self, told: HubLine) -> None:
        self._player, self._game = None, Game.start(self._variant)

    def _place(self, told: HubLine) -> None:
        """`pos`: a position and the moves made from there; the last of them may end the game."""
        self._game = None
        position = parse_hub_position(told.arguments.get("pos", ""), self._variant)
        game = Game.of(position)
        for text in told.arguments.get("moves", "").split():
            move = parse_hub_move(text, legal_moves(game.position))
            after = game.after(move) if game.result is None else None
            game = (
                after if isinstance(after, Game) else Game.of(position_after(game.position, move))
            )
        self._game = game

    def _limit(self, told: HubLine) -> None:
        """`level`: the limits of the searches to come."""
        given = told.arguments
        depth, nodes, moves = (_count(given, name) for name in ("depth", "nodes", "moves"))
        seconds, left, increment = (_seconds(given, name) for name in ("move-time", "time", "inc"))
        if "infinite" in given:
            self._limits = Limits(is_infinite=True)
            return
        clock = None if left is None else Clock(left, increment or 0.0, moves)
        self._limits = Limits(depth, nodes, seconds, clock)

    def _go(self, told: HubLine) -> None:
        """`go think`, `go ponder` or `go analyze`."""
        ways = [way for way in ("think", "ponder", "analyze") if way in told.arguments]
        if len(ways) != 1:
            raise WireError("go think, go ponder or go analyze is wanted")
        limits = self._limits or Limits(is_infinite=ways[0] == "analyze")
        search = _Search(limits, ways[0] == "ponder", self._send, self._later)
        self._search = search
        self._begin(lambda: self._run(search))

    def _run(self, search: "_Search") -> None:
        """Search, and answer with one `done` whatever comes."""
        done, fault = "done", ""
        try:
            if self._game is None:
                raise ValueError("no position is known")
            if not self._game.moves:
                raise ValueError("the game is over in this position")
            found = search.run(self._ready_player(), self._game)
            if found.move not in self._game.moves:
                raise AssertionError(f"the player chose {found.move}, which is not legal")
            done = _done_text(found)
        except ValueError as error:
            fault = str(error)
        except BrokenPipeError:  # the controller has gone, and waits for nothing
            raise
        except Exception:  # whatever it is, the controller waits for an answer
            _log.exception("an error of ours")
            fault = "an error of ours; see standard error"
        self._search = None
        if fault:
            self._refuse(fault)
        self._send(done)

    def _stop(self, told: HubLine) -> None:
        self.stop()

    def _hit(self, told: HubLine) -> None:
        """`ponder-hit`: the move expected was made, and our time runs."""
        search = self._search
        if search is not None:
            search.hit()

    def _answer_ping(self, told: HubLine) -> None:
        self._send("pong")

    def _quit(self, told: HubLine) -> None:
        self.stop()
        raise Goodbye


class _Search:
    """One search: a search that ponders has no limits before it is hit."""

    def __init__(
        self,
        limits: Limits,
        is_ponder: bool,
        send: Callable[[str], None],
        later: Callable[[float, Callable[[], None]], object],
    ) -> None:
        self.stop = threading.Event()
        self._limits = limits
        self._is_ponder = is_ponder
        self._is_hit = False
        self._last: Found | None = None
        self._send = send
        self._later = later

    def run(self, player: Player, game: Game) -> Found:
        """The player's move, told on the way."""
        limits = Limits(is_infinite=True) if self._is_ponder else self._limits
        return player.search(game, limits, self.stop, self._tell)

    def hit(self) -> None:
        """Let the limits hold from now on; only the first time counts."""
        if not self._is_ponder or self._is_hit:
            return
        self._is_hit = True
        seconds = self._limits.move_seconds
        if seconds is not None:
            self._later(seconds, self.stop.set)
        self._check()

    def _tell(self, found: Found) -> None:
        self._send(_info_text(found))
        self._last = found
        self._check()

    def _check(self) -> None:
        """Stop a search that was hit once it has gone as far as the limits allow."""
        last, limits = self._last, self._limits
        if not self._is_hit:
            return
        if limits == Limits():  # the player's own limits are for searches that it limits itself
            self.stop.set()
        if last is not None and (
            _is_reached(limits.depth, last.depth) or _is_reached(limits.nodes, last.nodes)
        ):
            self.stop.set()


def _is_reached(limit: int | None, reached: int | None) -> bool:
    return limit is not None and reached is not None and reached >= limit


def _info_text(found: Found) -> str:
    """The `info` line of what was found."""
    values: dict[str, object] = {}
    if found.depth is not None:
        values["depth"] = found.depth
    if found.score is not None:
        values["score"] = f"{found.score:.2f}"
    if found.nodes is not None:
        values["nodes"] = found.nodes
    values["time"] = f"{found.seconds:.3f}"
    if found.nodes is not None and found.seconds > 0:
        values["nps"] = f"{found.nodes / found.seconds / 1e6:.3f}"
    values["pv"] = " ".join(hub_move_text(move) for move in found.line or (found.move,))
    return hub_line_text("info", **values)


def _done_text(found: Found) -> str:
    values = {"move": hub_move_text(found.move)}
    if len(found.line) > 1 and found.line[0] == found.move:
        values["ponder"] = hub_move_text(found.line[1])
    return hub_line_text("done", **values)


def _count(given: Mapping[str, str], name: str) -> int | None:
    """The whole number of an argument, None if it is not given."""
    if name not in given:
        return None
    number = number_of(given[name], whole=True)
    if number is None or number < 1:
        raise WireError(f"level {name} is 1 or more, not {given[name][:40]!r}")
    return int(number)


def _seconds(given: Mapping[str, str], name: str) -> float | None:
    """The seconds of an argument, None if it is not given; a clock may have run out."""
    if name not in given:
        return None
    number = number_of(given[name])
    if number is None or (name == "move-time" and number <= 0) or (name == "inc" and number < 0):
        raise WireError(f"level {name} is a number of seconds, not {given[name][:40]!r}")
    return number


def _after_seconds(seconds: float, act: Callable[[], None]) -> None:
    timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), act)
    timer.daemon = True
    timer.start()


_DURING_A_SEARCH = ("ping", "ponder-hit", "stop", "quit")

_COMMANDS: dict[str, Callable[[HubEngine, HubLine], None]] = {
    "hub": HubEngine._greet,
    "set-param": HubEngine._set_parameter,
    "init": HubEngine._be_ready,
    "new-game": HubEngine._start_game,
    "pos": HubEngine._place,
    "level": HubEngine._limit,
    "go": HubEngine._go,
    "ponder-hit": HubEngine._hit,
    "stop": HubEngine._stop,
    "ping": HubEngine._answer_ping,
    "quit": HubEngine._quit,
}
"""The commands, by their first word."""
