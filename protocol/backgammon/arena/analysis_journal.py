"""Analysis journal: an analysis as a file of JSON lines, gone on with after an interruption."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from bot.backgammon.engine.analysis import Verdict
from bot.backgammon.rules.choice import Choice
from protocol.backgammon.formats.analysis_lines import line_values, verdict_of

Values = dict[str, Any]


class AnalysisJournal:
    """The verdicts on a match so far, each a line that tells by what settings it was found.

    analysis: the settings, as JSON can say; match: a digest of it. file: where lines are added,
    None to keep them in memory. lines: the values of each, verdicts: as they tell them.
    """

    def __init__(
        self,
        choices: Sequence[Choice],
        names: tuple[str, str],
        analysis: Values,
        match: str,
        file: IO[bytes] | None = None,
    ) -> None:
        self.verdicts: list[Verdict] = []
        self.lines: list[Values] = []
        self._choices = choices
        self._names = names
        self._about = {"match": match, "analysis": analysis}
        self._file = file

    def add(self, verdict: Verdict) -> None:
        """Keep the verdict on the next choice, as its line tells it."""
        number = len(self.verdicts)
        choice = self._choices[number]
        values = line_values(choice, verdict, self._names)
        self.verdicts.append(verdict_of(values, choice))
        values = {"number": number + 1, **values, **self._about}
        if self._file is not None:
            self._file.write(json.dumps(values).encode() + b"\n")
            self._file.flush()
        self.lines.append(values)

    def take(self, line: bytes, path: Path) -> None:
        """Keep the verdict of a line that is there already.

        Raises ValueError if it is of another match or analysis, or of none.
        """
        number = len(self.verdicts)
        try:
            values = json.loads(line)
            about = {name: values[name] for name in self._about}
        except (ValueError, KeyError, TypeError, RecursionError):
            raise ValueError(f"{path} is no analysis: line {number + 1} is none of it") from None
        if about["match"] != self._about["match"]:
            raise ValueError(f"{path} has the analysis of another match: give another file")
        if about["analysis"] != self._about["analysis"]:
            raise ValueError(
                f"{path} has an analysis by other settings, {_told(about['analysis'])}: "
                "give these again, or another file"
            )
        if number >= len(self._choices):
            raise ValueError(f"{path} has more than the {number} lines of this match")
        try:
            self.verdicts.append(verdict_of(values, self._choices[number]))
            self.lines.append(values)
        except (KeyError, TypeError, IndexError):
            raise ValueError(f"{path} is damaged: cannot read line {number + 1}") from None
        except ValueError as error:
            raise ValueError(f"{path} is damaged in line {number + 1}: {error}") from None


@contextmanager
def open_journal(
    path: Path | None,
    choices: Sequence[Choice],
    names: tuple[str, str],
    analysis: Values,
    match: str,
) -> Iterator[AnalysisJournal]:
    """A journal in a file, with what is there already; a last line that was cut off is dropped.

    Raises ValueError if the file cannot be used, or is of another match or analysis.
    """
    if path is None:
        yield AnalysisJournal(choices, names, analysis, match)
        return
    try:
        path.touch()
        if not path.is_file():  # a pipe would be waited for
            raise ValueError(f"cannot use {path}: it is no regular file")
        with path.open("r+b") as file:
            _lock(file, path)
            journal = AnalysisJournal(choices, names, analysis, match, file)
            whole = 0
            for line in file:
                if line.endswith(b"\n"):
                    journal.take(line, path)
                    whole += len(line)
                elif whole == 0 and not line.startswith(b'{"number"'):
                    raise ValueError(f"{path} is no analysis: give another file")
            file.seek(whole)
            file.truncate()
            yield journal
    except OSError as error:
        raise ValueError(f"cannot use {path}: {error.strerror or error}") from None


def _lock(file: IO[bytes], path: Path) -> None:
    """Keep other processes from adding lines, where the system has locks for that."""
    try:
        import fcntl
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise ValueError(f"another process writes its analysis to {path}") from None
    except OSError:
        pass  # a file system without locks


def _told(analysis: object) -> str:
    if not isinstance(analysis, dict):
        return repr(analysis)[:80]
    return ", ".join(f"{name} {value}" for name, value in analysis.items())[:200]
