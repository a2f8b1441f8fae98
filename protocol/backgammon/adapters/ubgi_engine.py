"""UBGI engine: the Universal Backgammon Interface, spoken as an engine in its three dialects.

Dialect 0.2 is spoken until a word of dialect 0.1 is heard, which changes the names of errors. The
bare lines of dialect 0.01 are XGIDs, or boards as gnubg writes them. Source: bungogood/bgci, its
engine driver and checker; the drafts 0.01 and 0.1.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Protocol

from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    Decider,
    Request,
)
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.position import Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.adapters.ubgi_answers import ANSWERS, Question, bare_answer
from protocol.backgammon.adapters.ubgi_session import (
    UbgiSession,
    new_session,
    with_cube,
    with_score,
    with_turn,
)
from protocol.backgammon.adapters.ubgi_settings import MAX_PLY, OPTIONS, SETTINGS, UbgiSettings
from protocol.backgammon.formats.fibs_board import PREFIX, parse_board
from protocol.backgammon.formats.position_id import (
    finished_game,
    parse_gnubg_id,
    parse_position_id,
)
from protocol.backgammon.formats.xgid import PREFIX as XGID_PREFIX
from protocol.backgammon.formats.xgid import Xgid, parse_xgid
from protocol.encoding import shown
from protocol.errors import WireError
from protocol.wire.lines import MAX_LINE, Goodbye

ERRORS = {
    "command": ("bad_command", "unknown_command"),
    "value": ("bad_value", "bad_argument"),
    "context": ("bad_state", "missing_context"),
    "busy": ("bad_state", "search_in_progress"),
    "unsupported": ("unsupported", "unsupported_feature"),
    "internal": ("internal", "internal"),
}
"""The code of each error in dialects 0.2 and 0.1."""

MAX_MILLISECONDS = 86_400_000
ENGINES_KEPT = 4

_log = logging.getLogger("blot.ubgi")


class MakeEngine(Protocol):
    """Makes the engine of some settings ready to answer at once; stop is the search's."""

    def __call__(self, settings: UbgiSettings, *, cube: bool, stop: threading.Event) -> Decider:
        """Raises ValueError if there is no such engine."""


class RefusalError(WireError):
    """A line that is refused: the kind of error, and what is wrong."""

    def __init__(self, kind: str, text: str) -> None:
        super().__init__(text)
        self.kind = kind


class UbgiEngine:
    """One conversation with a controller.

    make_engine: see MakeEngine; first asked when `isready` or `go` comes. identity: name, author
    and version. begin runs a search: at once, or beside the thread that reads lines, so that `stop`
    is heard. Raises Goodbye on `quit`.
    """

    def __init__(
        self,
        make_engine: MakeEngine,
        send: Callable[[str], None],
        *,
        settings: UbgiSettings | None = None,
        identity: tuple[str, str, str] = ("Blot", "", ""),
        begin: Callable[[Callable[[], None]], object] = lambda search: search(),
    ) -> None:
        self._send = send
        self._begin = begin
        self._identity = identity
        self._settings = settings or UbgiSettings()
        self._stop = threading.Event()
        self._engine = lru_cache(ENGINES_KEPT)(
            lambda settings, cube: make_engine(settings, cube=cube, stop=self._stop)
        )
        self._is_searching = False
        self._dialect = 0
        self._session: UbgiSession | None = None
        self._stated: GameState | None = None
        self._is_offered = False
        self._is_without_cube = False
        self._position: Position | None = None
        self._roll: Roll | None = None

    def receive(self, line: str) -> None:
        """Do what the line says; one that cannot be done is answered with an error."""
        line = line.strip()
        word, _, rest = line.partition(" ")
        if not word:
            return
        try:
            if len(line) > MAX_LINE:
                raise RefusalError("command", f"a line has at most {MAX_LINE} bytes")
            if line.startswith(_BARE):
                self._answer_bare(line)
            elif word not in _COMMANDS:
                raise RefusalError("command", word[:40])
            elif self._is_searching and word not in _DURING_A_SEARCH:
                raise RefusalError("busy", f"{word}: a search is in progress")
            else:
                self._dialect = 1 if word in _WORDS_OF_0_1 else self._dialect
                _COMMANDS[word](self, rest.strip())
        except RefusalError as refusal:
            self._refuse(refusal)
        except ValueError as error:
            self._refuse(RefusalError("value", f"{word}: {error}"))

    def stop(self) -> None:
        """Have a search end now, with the best that it knows."""
        self._stop.set()

    def _refuse(self, refusal: RefusalError) -> None:
        """Say what is wrong in one line of the dialect spoken."""
        self._send(self._error_line(refusal.kind, str(refusal)))

    def _error_line(self, kind: str, text: str) -> str:
        text = shown(text).replace("\t", "?")[:200]
        return f"error {ERRORS[kind][self._dialect]} {text}"

    def _greet(self, rest: str) -> None:
        """`ubgi`: who this is and what can be set, for both dialects that ask."""
        self._dialect = 0
        for field, value in zip(("name", "author", "version"), self._identity, strict=True):
            if value:
                self._send(f"id {field} {value}")
        self._send("proto 0.2")
        self._tell_keys("")
        for setting in SETTINGS.values():
            self._send(setting.option_line(self._settings))
        self._send("ubgiok")

    def _tell_keys(self, rest: str) -> None:
        for setting in SETTINGS.values():
            self._send(setting.key_line(self._settings))

    def _be_ready(self, rest: str) -> None:
        """`isready`: what the next question needs is loaded, or an error says why not."""
        try:
            if not self._is_searching:
                self._engine(self._settings, self._has_cube(self._settings))
        except ValueError as error:
            self._refuse(RefusalError("value", f"isready: {error}"))
        self._send("readyok")

    def _quit(self, rest: str) -> None:
        self.stop()
        raise Goodbye

    def _stop_search(self, rest: str) -> None:
        if self._is_searching:
            self.stop()

    def _set_key(self, rest: str) -> None:
        key, _, value = rest.partition(" ")
        if not value.strip():
            raise RefusalError("command", "set KEY VALUE")
        if key not in SETTINGS:
            raise RefusalError("unsupported", "key")
        self._set(key, value.strip())

    def _set_option(self, rest: str) -> None:
        """`setoption name Ply value 2`."""
        before, _, value = rest.partition(" value ")
        name = before.removeprefix("name ").strip()
        if not rest.startswith("name ") or not value.strip():
            raise RefusalError("value", "setoption name NAME value VALUE")
        if name.lower() not in OPTIONS:
            raise RefusalError("unsupported", f"no option {name[:40]}")
        self._set(OPTIONS[name.lower()].key, value.strip())

    def _set(self, key: str, value: str) -> None:
        try:
            self._settings = SETTINGS[key].set(self._settings, value)
        except ValueError as error:
            raise RefusalError("value", f"{key}: {error}") from None

    def _get(self, rest: str) -> None:
        if rest not in SETTINGS:
            raise RefusalError("unsupported", "key")
        self._send(f"value {rest} {SETTINGS[rest].shown(self._settings)}")

    def _start_game(self, rest: str) -> None:
        self._position, self._roll = None, None
        self._forget_stated()
        self._session = self._session and self._session.next_game()

    def _start_session(self, rest: str) -> None:
        self._session = new_session(rest.split())
        self._forget_stated()

    def _change_session(
        self, change: Callable[[UbgiSession, Sequence[str]], UbgiSession], rest: str
    ) -> None:
        if self._session is None:
            raise RefusalError("context", "newsession comes first")
        self._session = change(self._session, rest.split())
        self._forget_stated()

    def _forget_stated(self) -> None:
        """Only the position is left of an ID: what is told last about the match holds."""
        self._stated, self._is_offered, self._is_without_cube = None, False, False

    def _place(self, rest: str) -> None:
        """`position gnubgid ID` or `position xgid XGID`.

        With a match ID behind a colon, and in an XGID, the match is known too.
        """
        kind, _, text = rest.partition(" ")
        if kind not in ("gnubgid", "xgid"):
            raise RefusalError("unsupported", f"position {kind[:40]}".strip())
        if kind == "xgid":
            xgid = _xgid_asked(text)
            self._place_request(xgid.request)
            self._is_without_cube = not xgid.limit
            return
        if ":" in text:
            self._place_request(parse_gnubg_id(text.strip()))
            return
        position = parse_position_id(text.strip())
        if not position.checkers or not position.other_checkers:
            raise ValueError("the game is over in this position")
        if self._stated is not None:  # the dice of an ID are not this position's
            self._roll = None
        self._position = position
        self._forget_stated()

    def _place_request(self, request: Request) -> None:
        if isinstance(request, AnswerResignation):
            raise ValueError("it waits for the answer to a resignation, which UBGI cannot ask for")
        self._position, self._stated = request.state.position, request.state
        self._is_offered, self._is_without_cube = isinstance(request, AnswerDouble), False
        self._roll = request.roll if isinstance(request, ChooseCheckerPlay) else None

    def _throw(self, rest: str) -> None:
        """`dice A B`, in either order."""
        words = rest.split()
        if len(words) != 2 or not set(words) <= set("123456"):
            raise ValueError("two numbers from 1 to 6 are wanted")
        self._roll = Roll.of_dice(int(words[0]), int(words[1]))

    def _go(self, rest: str) -> None:
        """`go [role] [chequer|cube|turn] [movetime MS] [depth N]`."""
        words = rest.split()
        if words[:1] == ["role"]:
            self._dialect, words = 1, words[1:]
        role = words.pop(0) if words and words[0] not in _LIMITS + _NO_LIMITS else "chequer"
        if role not in ANSWERS:
            raise ValueError(f"{role[:40]!r} is none of {', '.join(ANSWERS)}")
        question = self._question(role, self._limited(words))
        self._search(lambda: ANSWERS[role](self._decider(question), question))

    def _answer_bare(self, line: str) -> None:
        """A bare line of dialect 0.01: the answer alone, or `sorry`."""
        try:
            if self._is_searching:
                raise RefusalError("busy", "a search is in progress")
            if line.startswith(PREFIX):
                request, has_cube = parse_board(line).request, True
            else:
                xgid = _xgid_asked(line)
                request, has_cube = xgid.request, xgid.limit > 0
        except (WireError, ValueError) as error:
            _log.info("refused: %s", error)
            self._send("sorry")
            return
        self._search(lambda: [bare_answer(self._engine(self._settings, has_cube), request)])

    def _limited(self, words: Sequence[str]) -> UbgiSettings:
        """The settings for one question."""
        settings = self._settings
        if len(words) % 2:
            raise ValueError("a limit is a word and a number")
        for name, value in zip(words[::2], words[1::2], strict=True):
            if name not in _LIMITS:
                raise RefusalError("unsupported", f"go {name[:40]}")
            most = MAX_MILLISECONDS if name == "movetime" else MAX_PLY
            if not (value.isascii() and value.isdigit() and 1 <= int(value[:9]) <= most):
                raise ValueError(f"{name} is 1 to {most}")
            if name == "depth":
                settings = settings.searching(ply=int(value[:9]) - 1)
            else:
                settings = settings.searching(seconds=int(value[:9]) / 1000)
        return settings

    def _has_cube(self, settings: UbgiSettings) -> bool:
        """Whether plays are to be chosen with the cube in mind."""
        if self._is_without_cube:
            return False
        if settings.eval_mode == "auto":
            return self._session is not None or self._stated is not None
        return settings.eval_mode == "cubeful"

    def _question(self, role: str, settings: UbgiSettings) -> Question:
        """The question that is asked; raises RefusalError if not enough is known."""
        if self._position is None:
            raise RefusalError("context", "position")
        if role != "cube" and self._roll is None:
            raise RefusalError("context", "dice")
        if self._stated is not None:
            state = self._stated
        elif self._session is not None:
            state = self._session.state(self._position)
        elif role == "chequer":
            state = GameState(self._position, money=MoneyRules(jacoby=False))
        else:
            raise RefusalError("context", "newsession")
        has_cube = self._has_cube(settings) if role == "chequer" else not self._is_without_cube
        is_offered = self._is_offered and role == "cube"
        game = Game(state, 0, doubles=int(is_offered))
        return Question(game, self._roll, settings, has_cube)

    def _decider(self, question: Question) -> Decider:
        return self._engine(question.settings, question.has_cube)

    def _search(self, answers: Callable[[], Sequence[str]]) -> None:
        """Have the question answered, and hear `stop` until it is."""
        self._stop.clear()
        self._is_searching = True

        def search() -> None:
            try:
                lines = answers()
            except ValueError as error:
                lines = [self._error_line("value", str(error))]
            except Exception:  # whatever it is, the controller waits for an answer
                _log.exception("an error of ours")
                lines = [self._error_line("internal", "see standard error")]
            self._is_searching = False
            for line in lines:
                self._send(line)

        self._begin(search)


def _xgid_asked(text: str) -> Xgid:
    """The XGID of a question; raises ValueError if it is none, or the game is over there."""
    xgid = parse_xgid(text)
    if finished_game(xgid.position, xgid.record):
        raise ValueError("the game is over in this position")
    return xgid


_BARE = (PREFIX, XGID_PREFIX)
_LIMITS = ("movetime", "depth")
_NO_LIMITS = ("nodes", "trials")
_DURING_A_SEARCH = ("stop", "quit", "isready")
_WORDS_OF_0_1 = ("setoption", "newsession", "setscore", "setcube", "setturn")

_COMMANDS: dict[str, Callable[[UbgiEngine, str], None]] = {
    "ubgi": UbgiEngine._greet,
    "isready": UbgiEngine._be_ready,
    "newgame": UbgiEngine._start_game,
    "position": UbgiEngine._place,
    "dice": UbgiEngine._throw,
    "go": UbgiEngine._go,
    "stop": UbgiEngine._stop_search,
    "quit": UbgiEngine._quit,
    "set": UbgiEngine._set_key,
    "get": UbgiEngine._get,
    "keys": UbgiEngine._tell_keys,
    "setoption": UbgiEngine._set_option,
    "newsession": UbgiEngine._start_session,
    "setscore": lambda engine, rest: engine._change_session(with_score, rest),
    "setcube": lambda engine, rest: engine._change_session(with_cube, rest),
    "setturn": lambda engine, rest: engine._change_session(with_turn, rest),
}
"""The commands of dialects 0.1 and 0.2, by their first word."""
