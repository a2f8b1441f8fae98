"""Book: the pages of several experiments in one folder, and one page to begin with."""

from collections.abc import Sequence
from pathlib import Path

from bot.archive import write_whole
from bot.lab.attempt import KINDS
from bot.lab.experiment import Experiment, Laboratory

_PAGE = "README.md"


def bind(laboratory: Laboratory, folders: Sequence[Path], target: Path) -> list[str]:
    """Copy the results of attempts into a folder and write the page; the experiments found there.

    What the target holds of other experiments stays and is told as well. Raises ValueError for a
    folder without results, and for two with those of one experiment.
    """
    bound_from: dict[str, Path] = {}
    for folder in folders:
        names = [name for name in laboratory.modules if (folder / f"{name}.md").exists()]
        if not names:
            raise ValueError(f"{folder} holds no results: there is no page of an experiment in it")
        for name in names:
            if name in bound_from:
                raise ValueError(f"{bound_from[name]} and {folder} both hold {name}: bind one")
            bound_from[name] = folder
    places = {
        name: bound_from.get(name, target)
        for name in laboratory.modules
        if name in bound_from or (target / f"{name}.md").exists()
    }
    parts = [_part(laboratory.experiment(name), folder) for name, folder in places.items()]
    for name in bound_from:
        if (target / f"{name}.md").exists():
            _part(laboratory.experiment(name), target)  # nothing of others is written over
    first_line = laboratory.beginning.partition("\n")[0]
    if (target / _PAGE).exists() and _page_text(target / _PAGE, first_line) is None:
        raise ValueError(f"{target / _PAGE} is no page of Blot's: choose another --out")
    for name, folder in bound_from.items():
        _copy(folder, target, name)
    text = "\n".join([laboratory.beginning, *parts])
    write_whole(target / _PAGE, lambda file: file.write(text.encode()))
    return list(places)


def _page_text(path: Path, first_line: str) -> str | None:
    """The text of a page that begins with that line; None of another file."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise OSError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        return None
    return text if text.partition("\n")[0] == first_line else None


def _copy(folder: Path, target: Path, name: str) -> None:
    """Copy the results of an experiment, one file after another."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        files = {f"{name}{kind}": (folder / f"{name}{kind}").read_bytes() for kind in KINDS}
    except OSError as error:
        raise OSError(f"cannot copy {error.filename}: {error.strerror}") from None
    for file_name, content in files.items():
        write_whole(target / file_name, lambda file, content=content: file.write(content))  # type: ignore[misc]


def _part(found: Experiment, folder: Path) -> str:
    """An experiment's part of the page: question, theirs and ours, the difference, the picture.

    Raises ValueError if what stands there by its name is no page of Blot's.
    """
    path = folder / f"{found.name}.md"
    before, _, after = (_page_text(path, f"# {found.title}") or "").partition("\n![")
    parts = before.strip().split("\n\n")
    if not after or len(parts) < 2:
        raise ValueError(f"{path} is no page of an experiment that Blot has made")
    return "\n".join(
        [
            f"## [{found.title}]({found.name}.md)",
            "",
            found.question,
            "",
            *(line for part in parts[-2:] for line in (part, "")),
            f"![{found.title}]({found.name}.png)",
            "",
        ]
    )
