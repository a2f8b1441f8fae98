"""Analysis journal: an analysis as a file of JSON lines, gone on with after an interruption."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from bot.backgammon.engine.agreement import Ruling
from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.rules.choice import Choice
from bot.journal import Journal
from protocol.backgammon.formats.analysis_lines import line_values, verdict_of

Values = dict[str, Any]

KIND, BEGINNING = "analysis", b'{"number"'
"""A journal's kind, and the beginning of its first line."""


class _Section(ABC):
    """Numbered lines of a journal that tell by what settings they were found.

    about: the match and the settings, as JSON can say. Raises ValueError for a line that is there
    and of another match or analysis, or of none.
    """

    def __init__(self, about: Values, journal: Journal, most: int) -> None:
        self.lines: list[Values] = []
        self._about = about
        self._journal = journal
        while len(self.lines) < most and (line := journal.next_line) is not None:
            self._take(line)
            journal.take()

    @abstractmethod
    def _read(self, values: Values) -> None:
        """Keep what a line tells."""

    def _write(self, values: Values) -> None:
        """Keep a new line, and in the journal."""
        values = {"number": len(self.lines) + 1, **values, **self._about}
        self._journal.add(values)
        self.lines.append(values)

    def _take(self, line: bytes) -> None:
        path, number = self._journal.path, len(self.lines) + 1
        try:
            values = json.loads(line)
            about = {name: values[name] for name in self._about}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError(f"{path} is no analysis: line {number} is none of it") from None
        if about["match"] != self._about["match"]:
            raise ValueError(f"{path} has the analysis of another match: give another file")
        if about["analysis"] != self._about["analysis"]:
            told = _told(about["analysis"], self._about["analysis"])
            these = f", {told}: give these again, or" if told else ": give"
            raise ValueError(f"{path} has an analysis by other settings{these} another file")
        try:
            self._read(values)
        except (KeyError, TypeError, IndexError, OverflowError):
            raise ValueError(f"{path} is damaged: cannot read line {number}") from None
        except ValueError as error:
            raise ValueError(f"{path} is damaged in line {number}: {error}") from None
        self.lines.append(values)


class AnalysisJournal(_Section):
    """The verdicts on a match so far, each a line that tells by what settings it was found.

    analysis: the settings, as JSON can say; match: a digest of it. journal: where lines are taken
    from and added, None to keep them in memory. lines: the values of each, verdicts: as they tell.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        names: tuple[str, str],
        analysis: Values,
        match: str,
        journal: Journal | None = None,
    ) -> None:
        self.verdicts: list[Verdict] = []
        self._choices = choices
        self._names = names
        super().__init__({"match": match, "analysis": analysis}, journal or Journal(), len(choices))

    def add(self, verdict: Verdict) -> None:
        """Keep the verdict on the next choice, as its line tells it."""
        choice = self._choices[len(self.verdicts)]
        values = line_values(choice, verdict, self._names)
        self.verdicts.append(verdict_of(values, choice))
        self._write(values)

    def _read(self, values: Values) -> None:
        self.verdicts.append(verdict_of(values, self._choices[len(self.verdicts)]))


class RulingJournal(_Section):
    """The rulings of rollouts on disputed choices, each a line.

    choices: the disputed ones, by words that name each; about, match: as of an analysis.
    """

    def __init__(self, choices: Sequence[Values], about: Values, match: str, journal: Journal):
        self.rulings: list[Ruling] = []
        self._choices = choices
        super().__init__({"match": match, "analysis": about}, journal, len(choices))

    def add(self, ruling: Ruling) -> None:
        """Keep the ruling on the next disputed choice."""
        place = self._choices[len(self.rulings)]
        told = {"edge": ruling.edge, "error": ruling.error, "trials": ruling.trials}
        self.rulings.append(ruling)
        self._write({"disputed": place, **told})

    def _read(self, values: Values) -> None:
        if values["disputed"] != self._choices[len(self.rulings)]:
            raise ValueError(f"it is of {values['disputed']!r}")
        edge, error = float(values["edge"]), float(values["error"])
        self.rulings.append(Ruling(edge, error, int(values["trials"])))


def _told(kept: object, wanted: Values) -> str:
    """The settings kept that are others than those wanted, in the words of the options.

    Nothing if they cannot be read, or no options say them.
    """
    if not isinstance(kept, dict):
        return ""
    names = [name for name in _WORDS if name in kept and kept[name] != wanted.get(name)]
    if "by" in names:
        names = [name for name in ("by", "weights", "ply", "filter") if name in kept]
    if kept.get("ply") == 0 and "filter" in names:
        names.remove("filter")  # nothing is looked at deeper
    if "digest" in names and "weights" in names:
        names.remove("digest")
    try:
        if "rollout" in names and _trials(kept["rollout"]) == _trials(wanted.get("rollout", {})):
            return "rollouts by other weights"
        return ", ".join(_WORDS[name](kept[name]) for name in names)
    except (TypeError, ValueError, KeyError):
        return ""


def _trials(rollout: Values) -> int:
    return int(dict(rollout)["trials"])


def _filter_words(rows: Sequence[tuple[int, int, float]]) -> str:
    filters = tuple(MoveFilter(*row) for row in rows)
    name = next((name for name, known in FILTERS.items() if known == filters), None)
    return f"filter {name or ','.join(f'{it.plies}:{it.most}:{it.margin:g}' for it in filters)}"


_WORDS: dict[str, Callable[[Any], str]] = {
    "by": "by {}".format,
    "weights": "weights {}".format,
    "digest": lambda _: "weights that have changed since",
    "ply": "ply {}".format,
    "filter": _filter_words,
    "trials": lambda trials: "level best" if trials else "no rollouts",
    "met": lambda met: "no met" if met == "blot" else f"met {met}",
    "first": lambda _: "another first analyst",
    "second": lambda _: "another second analyst",
    "above": "above {}".format,
    "rollout": lambda rollout: f"trials {_trials(rollout)}",
}
"""How each setting is told, in this order."""
