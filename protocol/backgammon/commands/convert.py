"""`blot convert`: match files from one format into another."""

import argparse
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from protocol.errors import UsageError, sentence_of
from protocol.progress import tell
from protocol.subcommands import Parsers


def add_convert(subcommands: Parsers) -> None:
    """Add `blot convert`."""
    parser = subcommands.add_parser(
        "convert",
        help="write a match file in another format",
        description="Read a match file (.mat, .txt, .sgf or .xg) and write it as .mat or .sgf, or "
        "all match files in a folder and the folders in it but OUT. Every play is checked against "
        "the rules. If something in a file is wrong, nothing of it is written; with --partial, "
        "what comes before.",
        allow_abbrev=False,
    )
    parser.add_argument("source", type=Path, metavar="IN", help="a match file or a folder")
    parser.add_argument(
        "target", type=Path, metavar="OUT", help="the file to write; if IN is a folder, a folder"
    )
    parser.add_argument(
        "--to",
        choices=("mat", "sgf"),
        default=argparse.SUPPRESS,
        help="the format to write; for folders alone",
    )
    parser.add_argument(
        "--partial", action="store_true", help="write what comes before the first mistake in a file"
    )
    parser.add_argument("--force", action="store_true", help="write over files that exist")
    parser.set_defaults(run=_convert)


def _convert(options: argparse.Namespace) -> int:
    source, target = options.source, options.target
    if not source.exists():
        raise ValueError(f"cannot read {source}: No such file or directory")
    if not source.is_dir():
        if "to" in options:
            raise UsageError("--to is for folders: a file's format is told by its name")
        if target.is_dir():
            raise ValueError(f"{target} is a folder: name the file to write")
        _convert_file(source, target, options)
        return 0
    if "to" not in options:
        raise UsageError("a folder is converted --to mat or --to sgf")
    if target.exists() and not target.is_dir():
        raise ValueError(f"{target} is no folder, and {source} is one")
    return _convert_folder(source, target, options)


def _convert_folder(source: Path, target: Path, options: argparse.Namespace) -> int:
    """Convert all match files below a folder, and tell of those that cannot be."""
    unread: list[OSError] = []
    files = sorted(_match_files(source, target, unread.append))
    if not files and not unread:
        raise ValueError(f"no match files in {source}")
    for error in unread:
        tell(f"blot: cannot read {error.filename}: {error.strerror}")
    failed = 0
    sources = {os.path.realpath(path) for path in files}
    written: set[Path] = set()
    for path in files:
        made = target / path.relative_to(source).with_suffix(f".{options.to}")
        try:
            if made in written:
                raise ValueError(f"{path}: {made} is written already, from a file of the same name")
            if os.path.realpath(made) in sources - {os.path.realpath(path)}:
                raise ValueError(f"{path}: {made} is to be converted itself; name another folder")
            made.parent.mkdir(parents=True, exist_ok=True)
            _convert_file(path, made, options)
            written.add(made)
        except (OSError, ValueError) as error:
            failed += 1
            tell(f"blot: {sentence_of(error)}")
    print(f"{len(files) - failed} of {len(files)} files converted")
    return int(failed > 0 or bool(unread))


def _match_files(
    source: Path, target: Path, on_unread: Callable[[OSError], object]
) -> Iterator[Path]:
    """The match files below a folder, but for what was made in a folder within it before.

    on_unread: takes the error of each folder that cannot be read.
    """
    from protocol.backgammon.formats.match_file import READERS

    made = os.path.realpath(target)
    for folder, folders, names in os.walk(source, onerror=on_unread):
        inner = [name for name in folders if os.path.realpath(Path(folder, name)) != made]
        folders[:] = inner  # os.walk goes on into these
        yield from (Path(folder, name) for name in names if Path(name).suffix.lower() in READERS)


def _convert_file(source: Path, target: Path, options: argparse.Namespace) -> None:
    """Convert one file; raises ValueError with a sentence if that cannot be done."""
    from protocol.backgammon.formats.mat_writing import lost_in_mat
    from protocol.backgammon.formats.match_file import read_match, write_match, writer_of

    writer_of(target)
    if target.exists() and not options.force:
        raise ValueError(f"{target} is there already; --force writes over it")
    read = read_match(source)
    if read.fault:
        if not options.partial:
            raise ValueError(f"{source}, {read.fault}")
        if not any(game.events for game in read.match.games):
            raise ValueError(f"{source} has nothing before {read.fault}")
        if os.path.realpath(source) == os.path.realpath(target):
            raise ValueError(f"{target} is the file to convert, and would be cut off: name another")
        tell(f"{source} is read up to {read.fault}")
    write_match(read.match, target)
    if read.broken_scores:
        tell(f"{source}, {read.broken_scores}")
    lost = lost_in_mat(read.match)
    if lost and target.suffix.lower() == ".mat":
        tell(f"{target} has no room for {lost}")
    if read.unread:
        tell(f"the {read.unread} of {source} are left out")
