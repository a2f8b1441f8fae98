"""Question: the values that a page sends, each by its name and of the right type."""

from typing import Any

from protocol.web import Values

_REQUIRED = object()
_WISHES = {"advice": str, "auto": bool}


def typed(values: Values, name: str, kind: Any, default: Any = _REQUIRED) -> Any:
    """A value by name; raises ValueError if it is missing or of another type."""
    value = values.get(name, default)
    if value is _REQUIRED:
        raise ValueError(f"{name} is missing")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ValueError(f"{name} cannot be {str(value)[:40]!r}")
    return value


def optional(values: Values, name: str, kind: type) -> Any:
    """A value by name; None if it is missing or null."""
    return None if values.get(name) is None else typed(values, name, kind)


def number(values: Values, name: str) -> float:
    """A number by name; one that no float has is refused."""
    try:
        return float(typed(values, name, (int, float)))
    except OverflowError:
        raise ValueError(f"{name} is too large") from None


def wishes_in(values: Values) -> Values:
    """The wishes among the values that people have in every game: advice, auto and delay."""
    wishes = {name: typed(values, name, kind) for name, kind in _WISHES.items() if name in values}
    if "delay" in values:
        wishes["delay"] = number(values, "delay")
    return wishes
