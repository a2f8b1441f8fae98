"""Programs in tests/bench and tests/fuzz, which no test runs, find what they import of ours."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PROGRAMS = sorted([*TESTS.glob("bench/*.py"), *TESTS.glob("fuzz/*.py")])
OURS = ("bot.", "protocol.", "tests.")


def names_of_ours(program):
    """Modules of bot, protocol and tests, and the names that a program imports of them."""
    for node in ast.walk(ast.parse(program.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and f"{node.module}.".startswith(OURS):
            yield from ((node.module, alias.name) for alias in node.names)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_what_a_program_imports_is_there(program):
    for module, name in names_of_ours(program):
        if not hasattr(import_module(module), name):
            import_module(f"{module}.{name}")


def test_most_programs_import_something_of_ours():
    assert sum(any(names_of_ours(program)) for program in PROGRAMS) > 40
