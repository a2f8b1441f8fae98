"""What the tests of commands and tables share."""

import pytest

from bot.backgammon.evaluation.network import random_network
from protocol.cli import main
from tests.sitting import Sitting

PREPARING = ("compil", "building")
"""How lines on stderr begin that only a first start has."""


@pytest.fixture(scope="session")
def weights(tmp_path_factory):
    """A file of weights that know nothing."""
    path = tmp_path_factory.mktemp("weights") / "net.npz"
    random_network(8, seed=5).save(path)
    return str(path)


@pytest.fixture
def blot(capsys):
    """The exit code of a command and what it wrote on stdout and stderr, but for a first start."""

    def blot(*arguments):
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = stop.code
        written = capsys.readouterr()
        told = [line for line in written.err.splitlines(True) if not line.startswith(PREPARING)]
        return code, written.out, "".join(told)

    return blot


@pytest.fixture
def sit(tmp_path):
    """Somebody at a table, asked the first question."""

    def sit(table, window=None, tutor=None):
        sitting = Sitting(table, tmp_path, window, tutor)
        sitting.wait()
        return sitting

    return sit
