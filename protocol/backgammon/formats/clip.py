"""CLIP: the lines of FIBS and of servers like it, each read as what it tells.

A line may have another one glued to its end, without an end of its own, as FIBS sends them.
Source: FIBS Client Protocol Detailed Specification 1.3; spellings of BaldLies and Jibs besides.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

MAX_GLUED = 4
"""Lines in one that are looked for."""


class Kind(Enum):
    """Kinds of the lines of a FIBS server; the fields of a ClipLine are in brackets.

    `who` is a name; it is empty where the line says "You".
    """

    PROMPT = "the server asks who is there"
    WELCOME = "we are logged in"
    OWN_SETTINGS = "our settings (switches, more, rating, ratings, ready, redoubles, last)"
    MOTD = "the message of the day begins"
    WHO = "somebody's state (who, opponent, ready, rating, experience)"
    GONE = "somebody has logged out (who)"
    TOLD = "somebody tells us something (who, text)"
    KIBITZED = "somebody kibitzes (who, text)"
    CHAT = "somebody says something that is not for us"
    INVITED = "somebody wants to play (who, length or none of an unlimited match)"
    INVITED_BACK = "somebody wants to resume a saved match (who)"
    SAVED_WARNING = "the last invitation would end a saved match"
    BEGUN = "a match has begun (who, length or none)"
    RESUMED = "a saved match goes on (who)"
    GAME = "a game begins (who)"
    OPENING = "the opening roll (own, other)"
    ROLLED = "the dice are rolled (who, one, two)"
    CAN_DOUBLE = "we may roll or double"
    MUST_MOVE = "we have to move (count)"
    MOVED = "somebody has moved (who, moves)"
    STUCK = "somebody cannot move (who)"
    DOUBLED = "somebody doubles (who)"
    TAKEN = "somebody takes (who, cube)"
    DROPPED = "somebody drops (who, points; winner, if nobody is named and we win)"
    RESIGNS = "somebody offers to resign (who, points)"
    DECLINED = "somebody declines a resignation (who)"
    ACCEPTED = "somebody accepts a resignation (who, points)"
    GAME_WON = "a game is borne off (who, points)"
    NEXT_GAME = "we may join the next game or leave"
    MATCH_WON = "the match is over (who, length, first, second)"
    LEFT = "the match was saved (who, empty for ourselves)"
    SAVED_LIST = "the list of saved matches begins"
    NO_SAVED_MATCH = "no match is saved"
    SAVED_MATCH = "a line of the list of saved matches (who, online)"
    NOT_PLAYING = "we play no match"
    WONT_LISTEN = "somebody has gagged us (who)"
    KICKED = "the server ends the connection"
    REFUSED = "a command of ours was refused (text)"
    BOARD = "a raw board (board)"


@dataclass(frozen=True, slots=True)
class ClipLine:
    """A line of a FIBS server: its kind, and the texts in it by their names."""

    kind: Kind
    fields: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> str:
        return self.fields.get(name) or ""

    def number(self, name: str) -> int:
        """The number in a field, 0 if it is not there."""
        return int(self.fields.get(name) or 0)


def _known(*patterns: tuple[Kind, str]) -> tuple[tuple[Kind, re.Pattern[str]], ...]:
    """The patterns, their short names spelt out."""
    short = {
        "WHO": r"(?:[Yy]ou|(?P<who>\w[^\s:]{0,31}))",
        "NAME": r"(?P<who>\w[^\s:]{0,31})",
        "POINTS": r"(?P<points>\d{1,5}) points?",
        "LENGTH": r"(?:an? (?:(?P<length>\d{1,4})[ -]point|unlimited)) match",
    }
    found = []
    for kind, pattern in patterns:
        for name, text in short.items():
            pattern = re.sub(rf"\b{name}\b", lambda _, text=text: text, pattern)  # type: ignore[misc]
        found.append((kind, re.compile(pattern)))
    return tuple(found)


KNOWN = _known(
    (Kind.BOARD, r"(?P<board>board:[^:]{0,40}:[^:]{0,40}(?::-?\d{1,5}){49}:-?\d)"),
    (Kind.WHO, r"5 NAME (?P<opponent>\S+) \S+ (?P<ready>[01]) [01] "
     r"(?P<rating>-?\d{1,5}\.\d+) (?P<experience>\d{1,9}) .*"),
    (Kind.CHAT, r"6$"),
    (Kind.WELCOME, r"1 NAME \S+ \S+.*"),
    (Kind.OWN_SETTINGS, r"2 \S+ (?P<switches>[01](?: [01]){7}) (?P<experience>\d+) "
     r"(?P<more>[01](?: [01]){3}) (?P<rating>-?\d{1,5}\.\d+) "
     r"(?P<ratings>[01]) (?P<ready>[01]) (?P<redoubles>\S+) (?P<last>[01] [01]).*"),
    (Kind.MOTD, r"3$"),
    (Kind.CHAT, r"7 NAME .*"),
    (Kind.GONE, r"8 NAME .*"),
    (Kind.CHAT, r"9 NAME \d+ .*"),
    (Kind.CHAT, r"1[01] NAME$"),
    (Kind.TOLD, r"12 NAME (?P<text>.*)"),
    (Kind.CHAT, r"1[34] NAME .*"),
    (Kind.KIBITZED, r"15 NAME (?P<text>.*)"),
    (Kind.CHAT, r"1[6789] .*"),
    (Kind.PROMPT, r"login:"),
    (Kind.CHAT, r"(?:\w{1,32} and \w{1,32} (?:start|are resuming) (?:an?|their) "
     r"(?:new )?(?:\d{1,4}[- ]point|unlimited) match\.)+"),  # Jibs goes on in the same line
    (Kind.INVITED_BACK, r"NAME wants to resume a saved match with you\."),
    (Kind.INVITED, r"NAME wants to play LENGTH with you\."),
    (Kind.SAVED_WARNING, r"WARNING: Don't accept if you want to continue the saved .* match!"),
    (Kind.BEGUN, r"(?:\*\* )?Player NAME has joined you for LENGTH\."),
    (Kind.BEGUN, r"\*\* You are now playing LENGTH with NAME"),
    (Kind.RESUMED, r"NAME has joined you\. Your running match was loaded\."),
    (Kind.RESUMED, r"(?:\*\* )?You are now playing with NAME\. Your running match was loaded\."),
    (Kind.GAME, r"Starting a new game with (?:NAME)?\."),
    (Kind.OPENING, r"You rolled (?P<own>[1-6]), \S* ?rolled (?P<other>[1-6])\.?"),
    (Kind.ROLLED, r"WHO rolls? (?P<one>[1-6]) and (?P<two>[1-6])\.?"),
    (Kind.CAN_DOUBLE, r"It's your turn\. Please roll or double\.?"),
    (Kind.MUST_MOVE, r"Please move (?P<count>[1-4]) pieces?\.?"),
    (Kind.MOVED, r"(?:The only possible move is|Bearing off:) (?P<moves>[-\w ]{3,60})\.?"),
    (Kind.MOVED, r"NAME moves (?P<moves>(?: ?\w+-\w+)+) ?\.?"),
    (Kind.STUCK, r"WHO can't move\."),
    (Kind.STUCK, r"NAME moves +\."),
    (Kind.DOUBLED, r"You double\. Please wait for .* to accept"
     r"(?: or reject|, reject or redouble)\."),
    (Kind.DOUBLED, r"NAME doubles\. Type 'accept'(?: or 'reject'|, 'reject' or 'redouble')\."),
    (Kind.TAKEN, r"WHO accepts? the double\. ?The cube shows (?P<cube>\d{1,5})\."),
    (Kind.DROPPED, r"WHO gives? up\.(?: \S+ wins? (?:POINTS)\.)?"),
    (Kind.DROPPED, r"gives up\. (?P<winner>You) win POINTS\."),
    (Kind.RESIGNS, r"You want to resign\. \S+ will win POINTS\."),
    (Kind.RESIGNS, r"NAME wants to resign\. You will win POINTS\. Type 'accept' or 'reject'\."),
    (Kind.DECLINED, r"WHO rejects?\. The game continues\."),
    (Kind.ACCEPTED, r"WHO accepts? and wins? POINTS\."),
    (Kind.GAME_WON, r"WHO wins? the game and gets? POINTS\. (?:Congratulations?!|Sorry\.)"),
    (Kind.GAME_WON, r"(?P<points>\d{1,5}) win the game and get \{1\} points\. Congratulation!"),
    (Kind.NEXT_GAME, r"Type 'join' if you want to play the next game, type 'leave' if you don't\."),
    (Kind.MATCH_WON, r"WHO wins? the (?P<length>\d{1,4}) point match "
     r"(?P<first>\d{1,4}) ?- ?(?P<second>\d{1,4}) ?\.?"),
    (Kind.LEFT, r"Connection with NAME timed out\. The game was saved\."),
    (Kind.LEFT, r"\*\* You terminated the game\. The game was saved\."),
    (Kind.LEFT, r"(?:\*\* )?Player NAME has left the game\. The game was saved\."),
    (Kind.LEFT, r"NAME (?:logs out|drops connection|waves goodbye.*?|.{0,40})\."
     r" The game was saved\."),
    (Kind.LEFT, r"Your game with NAME was saved\."),
    (Kind.SAVED_LIST, r"opponent +matchlength +score .*"),
    (Kind.NO_SAVED_MATCH, r"no saved games\."),
    (Kind.SAVED_MATCH, r"(?P<online>\*{0,2}) ?NAME +(?:\d+|unlimited) +\d+ +- +\d+$"),
    (Kind.NOT_PLAYING, r"(?:\*\* )?You(?:'re| are) not playing\."),
    (Kind.WONT_LISTEN, r"\*\* NAME won't listen to you\."),
    (Kind.KICKED, r"Connection timed out\."),
    (Kind.KICKED, r"\*\* (?:You have been|You were|Another).*log.*"),
    (Kind.CHAT, r"\*\* (?:You're now |You(?:'ll| will| won't|'re) (?:be|hear|see) |Forced moves "
     r"|(?:Will|Won't) |Please wait for ).*"),
    (Kind.REFUSED, r"\*\* (?P<text>.*)"),
)  # fmt: skip
"""All that is understood, the first that fits counts; the rest of a line is read as a line."""


class ClipReader:
    """Reads the lines of one login; the message of the day, which may say anything, is skipped."""

    def __init__(self) -> None:
        self._is_in_motd = False

    def read(self, line: str) -> Iterator[ClipLine]:
        """All that a line tells; nothing if it is not understood, as most lines for people."""
        if self._is_in_motd:
            self._is_in_motd = line.strip() != "4"
            return
        for _ in range(MAX_GLUED):
            line = line.strip("\r\n").removeprefix("> ").replace("''", "'")  # as Jibs writes
            told, line = _first(line)
            if told is None:
                return
            self._is_in_motd = told.kind is Kind.MOTD
            yield told
            if not line.strip():
                return


def _first(line: str) -> tuple[ClipLine | None, str]:
    """The kind and texts of the beginning of a line, None if it is unknown, and the rest of it."""
    text = line.lstrip()
    for kind, pattern in KNOWN:
        if found := pattern.match(text):
            fields = {name: value for name, value in found.groupdict().items() if value}
            return ClipLine(kind, fields), text[found.end() :]
    return None, ""
