"""Book: the pages of several experiments in one folder, and one page to begin with."""

from collections.abc import Sequence
from pathlib import Path

from bot.archive import write_whole
from bot.lab.experiment import Experiment, Laboratory

_PAGE = "README.md"
_KINDS = (".csv", ".png", ".md")


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
    for name, folder in bound_from.items():
        _copy(folder, target, name)
    bound = [name for name in laboratory.modules if (target / f"{name}.md").exists()]
    parts = [
        _part(laboratory.experiment(name), (target / f"{name}.md").read_text("utf-8"))
        for name in bound
    ]
    text = "\n".join([laboratory.beginning, *parts])
    write_whole(target / _PAGE, lambda file: file.write(text.encode()))
    return bound


def _copy(folder: Path, target: Path, name: str) -> None:
    """Copy the results of an experiment, one file after another."""
    try:
        target.mkdir(parents=True, exist_ok=True)
        files = {f"{name}{kind}": (folder / f"{name}{kind}").read_bytes() for kind in _KINDS}
    except OSError as error:
        raise OSError(f"cannot copy {error.filename}: {error.strerror}") from None
    for file_name, content in files.items():
        write_whole(target / file_name, lambda file, content=content: file.write(content))  # type: ignore[misc]


def _part(found: Experiment, page: str) -> str:
    """An experiment's part of the page: question, theirs and ours, the difference, the picture."""
    before, picture, _ = page.partition("\n![")
    if not picture:
        raise ValueError(f"the page of {found.name} has no picture: it is none of Blot's")
    *_, table, difference = before.strip().split("\n\n")
    return "\n".join(
        [
            f"## [{found.title}]({found.name}.md)",
            "",
            found.question,
            "",
            table,
            "",
            difference,
            "",
            f"![{found.title}]({found.name}.png)",
            "",
        ]
    )
