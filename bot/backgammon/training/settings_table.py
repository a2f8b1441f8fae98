"""Settings table: settings as names and values, in TOML and in the header of a checkpoint."""

import json
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from bot.backgammon.training.settings import Settings, check_value, option_of
from bot.files import open_to_read

_NAMES = [field.name for field in fields(Settings)]

_KEYS = {option_of(name): name for name in _NAMES} | {
    name.replace("_", "-"): name for name in _NAMES
}
"""Fields by the names they go by: their options', and their own, which older runs have."""


def settings_of(table: Mapping[str, Any]) -> Settings:
    """Settings with what a table, as JSON or TOML give it, says otherwise than the standard ones.

    Raises ValueError as values_of does.
    """
    return replace(Settings(), **values_of(table))


def values_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """The values in a table, by field.

    A key is an option's name, `max-plies` or `max_plies`, or the field's, as in checkpoints.
    Raises ValueError for one that is no setting, and for a value that none can have.
    """
    values: dict[str, Any] = {}
    for key, value in table.items():
        name = _KEYS.get(key.replace("_", "-"))
        if name is None:
            raise ValueError(f"no setting {key!r}; {_near(key)}")
        if name in values:
            raise ValueError(f"setting {option_of(name)} is given twice")
        values[name] = _converted(name, value)
        check_value(name, values[name])
    return values


def _near(key: str) -> str:
    near = get_close_matches(key.replace("_", "-").lower(), _KEYS, 1)
    if near:
        return f"did you mean {option_of(_KEYS[near[0]])}?"
    return f"known: {', '.join(map(option_of, _NAMES))}"


def _converted(name: str, value: Any) -> Any:
    """The value as the setting's type; raises ValueError if it cannot be one."""
    standard = getattr(Settings(), name)
    try:
        if isinstance(standard, tuple):
            if isinstance(value, str):
                raise TypeError
            return tuple(_as(standard[0], number) for number in value)
        return _as(standard, value)
    except (OverflowError, TypeError, ValueError):
        raise ValueError(f"setting {option_of(name)} cannot be {_told(value)}") from None


def _as(standard: Any, value: Any) -> Any:
    """A single value as the standard's type; raises TypeError or ValueError if it is another."""
    if isinstance(value, bool) or (isinstance(value, str) != isinstance(standard, str)):
        raise TypeError
    if isinstance(standard, int) and int(value) != value:
        raise ValueError
    return type(standard)(value)


def _told(value: Any) -> str:
    """A value as TOML writes it."""
    return json.dumps(value, ensure_ascii=False, default=str)


def values_in_file(path: Path) -> dict[str, Any]:
    """The values in a TOML file, by field; raises ValueError if it is unreadable or wrong."""
    try:
        with open_to_read(path) as file:
            return values_of(tomllib.loads(file.read().decode("utf-8-sig")))
    except OSError as error:
        raise ValueError(f"cannot read settings from {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"cannot read settings from {path}: it is no text in UTF-8") from None
    except RecursionError:
        reason = "its brackets are nested too deeply"
        raise ValueError(f"cannot read settings from {path}: {reason}") from None
    except ValueError as error:
        raise ValueError(f"cannot read settings from {path}: {error}") from None


def settings_text(settings: Settings, remarks: Iterable[str] = ()) -> str:
    """All settings that count, in TOML, with remarks above them: values_in_file reads it."""
    lines = [f"# {remark}" for remark in remarks]
    for name in _NAMES:
        value = getattr(settings, name)
        if settings.objection_to(name) or (name in ("start", "teacher") and not value):
            continue
        text = json.dumps(value, ensure_ascii=False)  # all as in TOML but for the character DEL
        lines.append(f"{option_of(name)} = {text}".replace("\x7f", "\\u007f"))
    return "\n".join(lines) + "\n"
