"""Hub line: a command with its arguments, as the Hub protocol writes both ways.

Source: Scan 3.1, protocol.txt, general syntax.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from protocol.errors import WireError

_COMMAND = re.compile(r"\s*([^\s=\"]+)")
_ARGUMENT = re.compile(r"\s+([^\s=\"]+)(?:\s*=\s*(?:\"([^\"]*)\"|([^\s=\"]+)))?(?=\s|$)")
_PLAIN = re.compile(r"[^\s=\"]+")


@dataclass(frozen=True, slots=True)
class HubLine:
    """A command and its arguments, of which a flag has an empty value."""

    command: str
    arguments: Mapping[str, str] = field(default_factory=dict)


def parse_hub_line(text: str) -> HubLine:
    """The command and the arguments in the text; an argument that comes twice counts once, last.

    Raises WireError with one sentence if the text has neither this form nor an end of its quotes.
    """
    text = text.rstrip()
    found = _COMMAND.match(text)
    if found is None:
        raise WireError(f"a line begins with a command, not {text[:40]!r}")
    arguments = {}
    place = found.end()
    while place < len(text):
        argument = _ARGUMENT.match(text, place)
        if argument is None:
            raise WireError(f"cannot read {text[place:].strip()[:40]!r} behind {found[1][:40]!r}")
        name, quoted, plain = argument.groups()
        arguments[name] = quoted or plain or ""
        place = argument.end()
    return HubLine(found[1], arguments)


def hub_line_text(command: str, **arguments: object) -> str:
    """The command with its arguments; `_` in a name is written `-`, None is a flag.

    Line ends and double quotes, for which a value has no room, become blanks and single quotes.
    """
    words = [command]
    for name, value in arguments.items():
        word = name.replace("_", "-")
        if value is not None:
            text = " ".join(str(value).replace('"', "'").split())
            word += "=" + (text if _PLAIN.fullmatch(text) else f'"{text}"')
        words.append(word)
    return " ".join(words)
