"""The rules of the house about who may import whom, and what stands where."""

import ast
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAMES = ("backgammon", "draughts")
TOP_LEVEL = {"LICENSE", "README.md", "pyproject.toml", "bot", "protocol", "tests", "weights"}
LONGEST = 400
VAGUE_NAMES = {"utils", "helpers", "common", "base"}

SOURCES = sorted(path for folder in ("bot", "protocol") for path in (ROOT / folder).rglob("*.py"))
MODULES = SOURCES + sorted((ROOT / "tests").rglob("*.py"))


def dotted(path):
    """The dotted name of a file: bot/backgammon/roll.py is bot.backgammon.roll."""
    return ".".join(path.with_suffix("").parts)


def imported(path, source):
    """Dotted names of everything imported anywhere in the source, `from a import b` as a.b."""
    names = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            package = path.parts[: len(path.parts) - node.level] if node.level else ()
            module = ".".join((*package, *([node.module] if node.module else [])))
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return names


def broken_layers(path, source):
    """The layer rules that a source file at a path below the top level breaks, in words."""
    parts = dotted(path).split(".")
    broken = set()
    for name in imported(path, source):
        others = name.split(".")
        if parts[0] == "bot" and others[0] == "protocol":
            broken.add("bot imports protocol")
        if others[0] in ("bot", "protocol"):
            for game, sibling in (GAMES, GAMES[::-1]):
                if game in parts and sibling in others:
                    broken.add(f"{game} imports {sibling}")
        if others[0] == "numba" and "kernels" not in parts[:-1]:
            broken.add("numba outside a kernels folder")
    return broken


def strangers(names, ignored):
    """Names that have no place at the top level; dot-files and what git ignores may be there."""
    patterns = [line.strip("/") for line in ignored.splitlines() if line]
    return {
        name
        for name in set(names) - TOP_LEVEL
        if not name.startswith(".") and not any(fnmatch(name, pattern) for pattern in patterns)
    }


def misshapen(path, source):
    """What is wrong with a module's length or name, in words."""
    wrong = set()
    if len(source.splitlines()) > LONGEST:
        wrong.add(f"over {LONGEST} lines")
    if path.stem in VAGUE_NAMES:
        wrong.add("no noun of the game")
    return wrong


def test_the_rules_are_tried_on_all_sources():
    found = {dotted(path.relative_to(ROOT)) for path in MODULES}
    assert {"bot.backgammon.rules.position", "protocol.cli", "tests.test_layers"} <= found


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: dotted(path.relative_to(ROOT)))
def test_no_source_breaks_a_layer(path):
    assert broken_layers(path.relative_to(ROOT), path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: dotted(path.relative_to(ROOT)))
def test_every_module_is_short_and_named_by_a_noun(path):
    assert misshapen(path.relative_to(ROOT), path.read_text(encoding="utf-8")) == set()


def test_nothing_strange_stands_at_the_top_level():
    ignored = (ROOT / ".gitignore").read_text(encoding="utf-8")
    assert strangers((path.name for path in ROOT.iterdir()), ignored) == set()


@pytest.mark.parametrize(
    ("path", "source", "rule"),
    [
        ("bot/weights.py", "import protocol", "bot imports protocol"),
        ("bot/backgammon/met.py", "from protocol.errors import WireError", "bot imports protocol"),
        ("bot/x.py", "def late():\n    import protocol.wire as w", "bot imports protocol"),
        (
            "bot/backgammon/cube.py",
            "from bot.draughts.position import Position",
            "backgammon imports draughts",
        ),
        ("bot/backgammon/cube.py", "from bot import draughts", "backgammon imports draughts"),
        ("bot/backgammon/cube.py", "from ..draughts import rules", "backgammon imports draughts"),
        (
            "protocol/draughts/fen.py",
            "from protocol.backgammon import diagram",
            "draughts imports backgammon",
        ),
        (
            "protocol/draughts/hub.py",
            "import bot.backgammon.roll",
            "draughts imports backgammon",
        ),
        ("bot/backgammon/search.py", "import numba", "numba outside a kernels folder"),
        ("bot/backgammon/search.py", "from numba import njit", "numba outside a kernels folder"),
        ("bot/backgammon/kernels.py", "from numba import njit", "numba outside a kernels folder"),
        ("protocol/cli.py", "import numba.core", "numba outside a kernels folder"),
    ],
)
def test_a_broken_layer_is_found(path, source, rule):
    assert broken_layers(Path(path), source) == {rule}


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("protocol/cli.py", "from bot.backgammon.engine import Engine"),
        ("bot/backgammon/kernels/plays.py", "from numba import njit"),
        ("bot/kernels/__init__.py", "import numba"),
        ("bot/backgammon/cube.py", "from .draughts_of_air import numba"),
        ("protocol/cli.py", "import protocol.backgammon.fibs\nimport protocol.draughts.hub"),
        ("bot/weights.py", "'import protocol'"),
    ],
)
def test_a_right_import_is_let_through(path, source):
    assert broken_layers(Path(path), source) == set()


def test_a_stranger_at_the_top_level_is_found():
    names = [*TOP_LEVEL, ".git", "build", "blot_gammon.egg-info", "notes.txt", "docs"]
    assert strangers(names, "build/\n*.egg-info/\n/runs/\n") == {"notes.txt", "docs"}


def test_a_long_or_vague_module_is_found():
    assert misshapen(Path("bot/roll.py"), "\n" * 400) == set()
    assert misshapen(Path("bot/roll.py"), "\n" * 401) == {"over 400 lines"}
    assert misshapen(Path("bot/helpers.py"), "") == {"no noun of the game"}
