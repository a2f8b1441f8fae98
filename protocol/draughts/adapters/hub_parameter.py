"""Hub parameter: a thing that a controller may set before a game."""

import math
from dataclasses import dataclass

from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.formats.hub_line import hub_line_text


@dataclass(frozen=True, slots=True)
class HubParameter:
    """A parameter with the value that it has at first.

    kind: bool, int, real, string or enum. choices: of an enum. least, most: of a number.
    """

    name: str
    value: str
    kind: str = "string"
    choices: tuple[str, ...] = ()
    least: float = -math.inf
    most: float = math.inf

    @property
    def line(self) -> str:
        """The line that tells it: `param name=threads value=1 type=int min=1 max=16`."""
        limits: dict[str, object] = {}
        if self.kind in ("int", "real"):
            limits = {"min": f"{self.least:g}", "max": f"{self.most:g}"}
        if self.kind == "enum":
            limits = {"values": " ".join(self.choices)}
        return hub_line_text("param", name=self.name, value=self.value, type=self.kind, **limits)

    def refusal(self, value: str) -> str | None:
        """Why the parameter cannot have the value, as a clause; None if it can."""
        if self.kind == "enum" and value not in self.choices:
            return f"{self.name} is one of {', '.join(self.choices)}, not {value[:40]!r}"
        if self.kind == "bool" and value not in ("true", "false"):
            return f"{self.name} is true or false, not {value[:40]!r}"
        if self.kind in ("int", "real"):
            number = number_of(value, whole=self.kind == "int")
            if number is None or not self.least <= number <= self.most:
                return f"{self.name} is {self.least:g} to {self.most:g}, not {value[:40]!r}"
        return None


def number_of(text: str, *, whole: bool = False) -> float | None:
    """The finite number that the text is, None if it is none; whole: whether it must be an int."""
    if not (text.isascii() and len(text) < (20 if whole else 40)) or "_" in text:
        return None
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


VARIANT = HubParameter("variant", "normal", "enum", ("normal", "czech"))
"""The kind of draughts; Scan's names, and czech, which is ours."""

VARIANTS = {"normal": INTERNATIONAL, "czech": CZECH}
"""The variants by their names here."""
