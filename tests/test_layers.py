"""The rules of the house about who may import whom, and what stands where."""

import ast
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
GAMES = ("backgammon", "draughts")
STAIRS = {
    "bot": ("rules", "evaluation", "engine", "arena", "training", "lab"),
    "protocol": (
        "formats",
        "servers",
        "adapters",
        "arena",
        "table",
        "reports",
        "terminal",
        "browser",
        "commands",
    ),
}
"""The rooms of a game, each of which may ask those before it, never those behind it."""
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


def module_of(name, modules):
    """The module that an imported name stands in, itself if it is of no module here."""
    while name and name not in modules and f"{name}.__init__" not in modules:
        name = name.rpartition(".")[0]
    return name if name in modules else f"{name}.__init__" if name else None


def reached(name, imports):
    """Names that a module imports, itself or through other modules here."""
    found, waiting = set(), [name]
    while waiting:
        for other in imports[waiting.pop()]:
            if other not in found:
                found.add(other)
                module = module_of(other, imports)
                if module is not None:
                    waiting.append(module)
    return found


def room_of(parts):
    """The step of the stair that a dotted name stands on, None beside the stair."""
    stair = STAIRS.get(parts[0], ())
    room = parts[2] if len(parts) > 2 and parts[1] in GAMES else None
    return stair.index(room) if room in stair else None


def broken_layers(module, names):
    """The layer rules that a module breaks by what it imports, in words."""
    parts = module.split(".")
    broken = set()
    for name in names:
        others = name.split(".")
        if parts[0] == "bot" and others[0] == "protocol":
            broken.add("bot imports protocol")
        if others[0] not in ("bot", "protocol"):
            continue
        game = next((game for game in GAMES if game in others), None)
        own = next((game for game in GAMES if game in parts), None)
        if game and own and game != own:
            broken.add(f"{own} imports {game}")
        if game and not own and module not in ("protocol.cli", "protocol.__main__"):
            broken.add(f"the root of {parts[0]} imports {game}")
        if "kernels" in parts[:-1] and others[0] == "bot" and "kernels" not in others:
            broken.add("a kernel imports what is not compiled")
        if parts[0] == others[0] and own and own == game:
            step, other = room_of(parts), room_of(others)
            if step is not None and other is not None and step < other:
                broken.add(f"{parts[2]} imports {others[2]}")
    return broken


def broken_rules(path, source):
    """The layer rules that a source file at a path below the top level breaks by itself."""
    names = imported(path, source)
    broken = broken_layers(dotted(path), names)
    if "kernels" not in path.parts[:-1] and any(name.split(".")[0] == "numba" for name in names):
        broken.add("numba outside a kernels folder")
    return broken


IMPORTS = {
    dotted(path.relative_to(ROOT)): imported(
        path.relative_to(ROOT), path.read_text(encoding="utf-8")
    )
    for path in SOURCES
}


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
    assert broken_rules(path.relative_to(ROOT), path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize("module", IMPORTS)
def test_no_source_breaks_a_layer_through_others(module):
    assert broken_layers(module, reached(module, IMPORTS)) == set()


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
        (
            "bot/weights.py",
            "import bot.backgammon.rules.roll",
            "the root of bot imports backgammon",
        ),
        (
            "bot/backgammon/rules/roll.py",
            "from bot.backgammon.evaluation import met",
            "rules imports evaluation",
        ),
        (
            "protocol/backgammon/formats/diagram.py",
            "from protocol.backgammon.terminal.board_view import Look",
            "formats imports terminal",
        ),
        (
            "bot/backgammon/kernels/plays.py",
            "from bot.backgammon.rules.roll import ROLLS",
            "a kernel imports what is not compiled",
        ),
    ],
)
def test_a_broken_layer_is_found(path, source, rule):
    assert broken_rules(Path(path), source) == {rule}


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
    assert broken_rules(Path(path), source) == set()


def test_an_import_through_the_root_is_followed():
    imports = {
        "bot.backgammon.rules.roll": {"bot.weights.find"},
        "bot.weights": {"bot.backgammon.evaluation.met.Met"},
        "bot.backgammon.evaluation.met": {"bot.draughts.rules.board"},
    }
    found = reached("bot.backgammon.rules.roll", imports)
    assert broken_layers("bot.backgammon.rules.roll", found) == {
        "rules imports evaluation",
        "backgammon imports draughts",
    }


def test_every_package_is_listed_for_installing():
    listed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = {path.parent for path in SOURCES}
    assert all((folder / "__init__.py").exists() for folder in folders)
    found = {dotted(folder.relative_to(ROOT)) for folder in folders}
    assert set(listed["tool"]["setuptools"]["packages"]) == found | {"bot._weights"}


def test_a_stranger_at_the_top_level_is_found():
    names = [*TOP_LEVEL, ".git", "build", "blot_gammon.egg-info", "notes.txt", "docs"]
    assert strangers(names, "build/\n*.egg-info/\n/runs/\n") == {"notes.txt", "docs"}


def test_a_long_or_vague_module_is_found():
    assert misshapen(Path("bot/roll.py"), "\n" * 400) == set()
    assert misshapen(Path("bot/roll.py"), "\n" * 401) == {"over 400 lines"}
    assert misshapen(Path("bot/helpers.py"), "") == {"no noun of the game"}
