"""Policy: whom Blot plays on a server, how long it waits, and what it says; a table in TOML."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from bot.backgammon.rules.match import MAX_LENGTH
from protocol.backgammon.formats.toml_file import toml_in

MAX_NUMBER = 1_000_000
"""Every number of a policy is less."""

MAX_SENTENCE = 200
"""Signs of a sentence; servers cut longer ones off."""


@dataclass(frozen=True, slots=True)
class Policy:
    """Whom Blot plays, how long it waits, in seconds, and what it says; empty: nothing.

    delay: before each answer, so that a person can follow. patience: how much longer before a roll
    or a play that the server has not asked for. opponent_seconds: how long an opponent may think
    before the match is left, and saved. lengths: of matches, the least and the most. unlimited:
    whether to play matches without end, which are left between two games if we are to stop. offer:
    length of the matches that are made where nobody is invited. only: the names that may play, all
    if there are none; refuse: those that may not. most_dropped: matches that an opponent may have
    left and not come back to, 0 for any number. least_experience: points of matches that an
    opponent must have played. resume: whether opponents of saved matches are invited when they are
    there.
    greeting: said when a match begins. answer: said once to who talks to it. decline: said once to
    who is declined, before the reason.
    """

    delay: float = 2.0
    patience: float = 3.0
    opponent_seconds: float = 1800.0
    lengths: tuple[int, int] = (1, 15)
    unlimited: bool = False
    offer: int = 5
    only: frozenset[str] = frozenset()
    refuse: frozenset[str] = frozenset()
    most_dropped: int = 3
    least_experience: int = 0
    resume: bool = True
    greeting: str = ""
    answer: str = "I am Blot, a program. I play, and do not talk."
    decline: str = "I am a program, and do not play this match:"

    def refusal(self, name: str, length: int | None, dropped: int, experience: int) -> str | None:
        """Why a match of this length with somebody is declined, as a clause; None if it is not.

        length: None for an unlimited match. dropped: matches that they left and did not come back
        to; experience: points of matches that they have played.
        """
        least, most = self.lengths
        lowered = name.lower()
        if lowered in self.refuse or (self.only and lowered not in self.only):
            return "my keeper has not allowed it"
        if self.most_dropped and dropped >= self.most_dropped:
            return f"you have left {dropped} match{'es' * (dropped != 1)} with me"
        if experience < self.least_experience:
            return f"I play those with an experience of {self.least_experience} or more"
        if length is None:
            return None if self.unlimited else "I play no unlimited matches"
        if not least <= length <= most:
            return f"I play matches of {least} to {most} points"
        return None


def read_policy(path: Path) -> Policy:
    """The policy in a TOML file; raises ValueError, with a sentence, for what it cannot be."""
    table = toml_in(path)
    try:
        return policy_of(table)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def policy_of(table: Mapping[str, Any]) -> Policy:
    """The policy of a table; raises ValueError for unknown names and values that cannot be."""
    known = {each.name.replace("_", "-"): each for each in fields(Policy)}
    values: dict[str, Any] = {}
    for name, value in table.items():
        if name not in known:
            raise ValueError(f"no setting {name!r}; there are {', '.join(known)}")
        values[known[name].name] = _value(name, value, known[name].default)
    policy = Policy(**values)
    least, most = policy.lengths
    if "offer" in table and not least <= policy.offer <= most:
        raise ValueError(f"offer is {least} to {most}, as lengths says, not {policy.offer}")
    return policy


def _value(name: str, value: Any, default: Any) -> Any:
    """The value as the policy has it; raises ValueError unless it is of the default's kind."""
    if isinstance(default, frozenset):
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            raise ValueError(f"{name} is a list of names")
        return frozenset(each.lower() for each in value)
    if isinstance(default, tuple):
        is_pair = isinstance(value, list) and len(value) == 2 and all(map(_is_length, value))
        if not is_pair or value[0] > value[1]:
            raise ValueError(f"{name} is the least and the most, 1 to {MAX_LENGTH}, as [1, 15]")
        return value[0], value[1]
    if isinstance(default, bool):
        if not isinstance(value, bool):
            raise ValueError(f"{name} is true or false")
        return value
    if isinstance(default, str):
        if not isinstance(value, str) or not value.isprintable() or len(value) > MAX_SENTENCE:
            raise ValueError(f"{name} is a sentence of {MAX_SENTENCE} signs at most")
        return value
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    is_whole = isinstance(default, int)
    if not is_number or not 0 <= value < MAX_NUMBER or (is_whole and value % 1):
        kind = "a whole number" if is_whole else "a number"
        raise ValueError(f"{name} is {kind}, 0 or more and less than {MAX_NUMBER:,}, not {value!r}")
    return type(default)(value)


def _is_length(value: object) -> bool:
    return type(value) is int and 1 <= value <= MAX_LENGTH
