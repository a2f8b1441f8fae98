"""GNU Backgammon's server: the lines that it answers after `external HOST:PORT`, save for boards.

Source: GNU Backgammon 1.07, external_l.l, external_y.y and external.c; every answer and every
error seen on the program.
"""

import re
from collections.abc import Callable, Collection
from typing import NamedTuple

from bot.backgammon.rules.match import GameState, MoneyRules
from bot.backgammon.rules.outcome import Chances
from protocol.backgammon.formats.fibs_board import FIELDS, PREFIX, UNLIMITED, parse_board
from protocol.errors import MalformedLineError, WireError
from protocol.wire.lines import Goodbye

Evaluate = Callable[[GameState, int, bool], tuple[Chances, float]]
"""Chances before the roll and what they are worth, so many plies deep; cubeful if it is True."""

MAX_PLIES = 3
ABSURD = 1e9

VERSION = ("Interface: 2", "RFBF: 0", "Engine: 1.00", "Software: 1.07.001")
"""The answer to `version`: the program whose lines these are, so that its clients go on."""

HELP = "\tNo help information available"

STRING, INTEGER, FLOAT, CHARACTER = "E_STRING", "E_INTEGER", "E_FLOAT", "E_CHARACTER"
BOOLEAN, EOL, BOARD, BOARD_END, COLON = "E_BOOLEAN", "EOL", "FIBSBOARD", "FIBSBOARDEND", "':'"

TRUTHS = {"on": True, "yes": True, "true": True, "off": False, "no": False, "false": False}
COMMAND_WORDS = dict.fromkeys(TRUTHS, BOOLEAN) | {
    "version": "INTERFACEVERSION",
    "help": "HELP",
    "exit": "EXIT",
    "quit": "EXIT",
    "set": "SET",
    "debug": "DEBUG",
    "interface": "E_INTERFACE",
    "prompt": "PROMPT",
    "new": "NEW",
    "old": "OLD",
    "evaluation": "EVALUATION",
    "fibsboard": BOARD,
    PREFIX: BOARD,
    ",": "','",
}
"""Kinds of the words known before a board."""

ARGUMENTS: dict[str, tuple[str, ...]] = {
    "PLIES": (INTEGER,),
    "NOISE": (INTEGER, FLOAT),
    "PRUNE": (),
    "DETERMINISTIC": (),
    "CUBE": (BOOLEAN,),
    "CUBEFUL": (),
    "CUBELESS": (),
    "JACOBYRULE": (BOOLEAN,),
    "CRAWFORDRULE": (BOOLEAN,),
    "BEAVERS": (BOOLEAN,),
    "RESIGNATION": (INTEGER,),
}
"""The options after a board, and the kinds that what follows each may have."""

SESSION_OPTIONS = ("JACOBYRULE", "CRAWFORDRULE", "RESIGNATION", "BEAVERS")
"""The options after a plain board."""

SWITCHES = ("PRUNE", "DETERMINISTIC")
"""Options that a boolean may follow."""

OPTION_WORDS = dict.fromkeys(TRUTHS, BOOLEAN) | {word.lower(): word for word in ARGUMENTS}

_NUMBERS = r"(?P<E_FLOAT>-?[0-9]*\.[0-9]+)|(?P<E_INTEGER>-?[0-9]+)"
_STRING = r'(?P<E_STRING>"[^"]*")'
_COMMAND = re.compile(
    rf"\s*(?:{_STRING}|{_NUMBERS}|(?P<word>board:|[a-z_]+|,)|(?P<EOL>$)|.)", re.I | re.A
)
_OPTION = re.compile(rf"\s*(?:{_NUMBERS}|(?P<word>[a-z]+)|(?P<EOL>$)|.)", re.I | re.A)
_END = rf"(?P<{BOARD_END}>\s|$)|(?P<colon>:)"
_NAME = re.compile(
    rf'(?P<E_STRING>"[^"]*"|[0-9]*[a-z_][a-z0-9_]*)|{_NUMBERS}|{_END}|.', re.I | re.A
)
_NUMBER = re.compile(rf"{_NUMBERS}|{_END}|.", re.A)


class GnubgServer:
    """Answers the lines of a client of GNU Backgammon's server, save for plain boards.

    money: the rules that hold where an option does not say otherwise.
    """

    def __init__(self, evaluate: Evaluate, money: MoneyRules | None = None) -> None:
        self._evaluate = evaluate
        self._money = money or MoneyRules()

    def answers(self, line: str) -> tuple[str, ...]:
        """The lines of the answer.

        Raises Goodbye on `exit`, and WireError with GNU Backgammon's words about a wrong line.
        """
        tokens = _Tokens(line.strip("\r\n\0"))
        first = tokens.next()
        match first.kind:
            case "EOL":
                raise WireError("no command given")
            case "INTERFACEVERSION":
                tokens.end()
                return VERSION
            case "HELP":
                tokens.end()
                return (HELP,)
            case "EXIT":
                tokens.end()
                raise Goodbye
            case "SET":
                return (_setting(tokens),)
            case "EVALUATION":
                return (self._evaluation(tokens),)
            case "FIBSBOARD":
                tokens.take(STRING)
                tokens.take(COLON)
        raise _syntax_error(first.kind)

    def _evaluation(self, tokens: "_Tokens") -> str:
        """Five chances of the side on turn and what they are worth, before its roll."""
        tokens.take(BOARD)
        tokens.take(BOARD)
        numbers = _board_numbers(tokens)
        options = _options(tokens)
        ply = int(options.get("PLIES", 0))
        if not 0 <= ply <= MAX_PLIES:
            raise WireError(f"PLIES is from 0 to {MAX_PLIES}")
        if options.get("NOISE"):
            raise WireError("option 'NOISE' not supported")
        jacoby = bool(options.get("JACOBYRULE", self._money.jacoby))
        state = _state(
            numbers,
            MoneyRules(jacoby, self._money.beavers),
            has_crawford=bool(options.get("CRAWFORDRULE", True)),
        )
        chances, worth = self._evaluate(state, ply, bool(options.get("CUBE", False)))
        numbers_told = (
            *(chances.win, chances.win_gammon, chances.win_backgammon),
            *(chances.lose_gammon, chances.lose_backgammon, worth),
        )
        return " ".join(f"{number:.6f}" for number in numbers_told)


def _setting(tokens: "_Tokens") -> str:
    """The answer to `set`; no debugging is shown and no prompt."""
    match tokens.take("DEBUG", "E_INTERFACE", "PROMPT").kind:
        case "DEBUG":
            is_on = TRUTHS[tokens.take(BOOLEAN).text.lower()]
            tokens.end()
            if is_on:
                raise WireError("set option 'debug' not supported")
            return "Debug output OFF"
        case "E_INTERFACE":
            kind = tokens.take("NEW", "OLD").kind
            tokens.end()
            return f"New interface {'ON' if kind == 'NEW' else 'OFF'}"
        case _:
            tokens.take(STRING)
            tokens.end()
            raise WireError("set option 'prompt' not supported")


def _board_numbers(tokens: "_Tokens") -> list[int]:
    """The integers after both names of a board."""
    for _ in range(2):
        tokens.take(STRING)
        tokens.take(COLON)
    tokens.begin_numbers()
    numbers = []
    separator = COLON
    while separator == COLON:
        numbers.append(int(tokens.take(INTEGER).text))
        separator = tokens.take(BOARD_END, COLON).kind
    return numbers


def session_options(text: str) -> dict[str, float]:
    """Values of the options that stand behind a plain board; raises WireError in gnubg's words."""
    tokens = _Tokens(text)
    tokens.begin_options()
    return _options(tokens, SESSION_OPTIONS)


def _options(tokens: "_Tokens", known: Collection[str] = tuple(ARGUMENTS)) -> dict[str, float]:
    """Values of the options up to the end of the line, the last of each; all cube words as CUBE."""
    options: dict[str, float] = {}
    before = ""
    while True:
        token = tokens.next()
        if token.kind == EOL:
            return options
        if token.kind == BOOLEAN and before in SWITCHES:
            before = ""
            continue
        if token.kind not in known:
            raise _syntax_error(token.kind, (EOL,))
        before = token.kind
        if wanted := ARGUMENTS[before]:
            options[before] = tokens.take(*wanted).value
        elif before in ("CUBEFUL", "CUBELESS"):
            options["CUBE"] = before == "CUBEFUL"


def _state(numbers: list[int], money: MoneyRules, *, has_crawford: bool) -> GameState:
    """The state seen by the side on turn; after a double, by the side that must answer it.

    The dice do not matter, and a game is the Crawford game if neither of its flags is set and one
    side needs a point. The scores stand as without a double, unlike those of a plain board.
    Raises WireError for any other board than GNU Backgammon writes itself.
    """
    if len(numbers) > len(FIELDS) - 2:
        raise WireError(f"Invalid board. Maximum number of elements is {len(FIELDS)}")
    if len(numbers) < len(FIELDS) - 2:
        raise WireError("badly formed board")
    fields = dict(zip(FIELDS[2:], numbers, strict=True))
    fields |= {f"die {die}": 0 for die in range(1, 5)}
    if fields["match length"] in (0, UNLIMITED):
        fields |= {"match length": 0, "score 1": 0, "score 2": 0}
    fields |= {flag: int(fields[flag] != 0) for flag in ("post-Crawford", "Crawford")}
    if fields["doubled"] == 1:
        fields |= {"doubled": 0, "turn": -fields["turn"]}
    line = PREFIX + ":".join(("0", "1", *map(str, fields.values())))
    try:
        board = parse_board(line, jacoby=money.jacoby, beavers=money.beavers, crawford=has_crawford)
    except MalformedLineError as error:
        raise WireError("badly formed board") from error
    return board.request.state


class _Token(NamedTuple):
    """A piece of a line, of a kind by GNU Backgammon's name."""

    kind: str
    text: str

    @property
    def value(self) -> float:
        """The number, one that is absurd cut to a large one, or the truth of a boolean."""
        if self.kind == BOOLEAN:
            return TRUTHS[self.text.lower()]
        return max(-ABSURD, min(float(self.text), ABSURD))


class _Tokens:
    """Cuts a line into tokens; what is one depends on what has been read of the line."""

    def __init__(self, line: str) -> None:
        self._line = line
        self._at = 0
        self._pattern = _COMMAND
        self._words = COMMAND_WORDS

    def next(self) -> _Token:
        """The next token."""
        found = self._pattern.match(self._line, self._at)
        if found is None:
            return _Token(CHARACTER, "")
        self._at = found.end()
        kind, text = found.lastgroup, found[0].strip()
        if text.lower() == PREFIX:
            self._pattern = _NAME
        if kind == BOARD_END:
            self.begin_options()
        if kind == "word":
            return _Token(self._words.get(text.lower(), CHARACTER), text)
        if kind == "colon":
            return _Token(COLON, text)
        return _Token(kind or CHARACTER, text)

    def take(self, *wanted: str) -> _Token:
        """The next token; raises WireError unless it is of a kind that is wanted."""
        token = self.next()
        if token.kind not in wanted:
            raise _syntax_error(token.kind, wanted)
        return token

    def begin_numbers(self) -> None:
        """Go on behind the names of a board."""
        self._pattern = _NUMBER

    def begin_options(self) -> None:
        """Go on behind a board."""
        self._pattern, self._words = _OPTION, OPTION_WORDS

    def end(self) -> None:
        """Raise WireError unless the line ends here."""
        self.take(EOL)


def _syntax_error(kind: str, wanted: Collection[str] = ()) -> WireError:
    expecting = f", expecting {' or '.join(wanted)}" if wanted else ""
    return WireError(f"syntax error, unexpected {kind}{expecting}")
