import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from bot.draughts.rules.decision import Limits
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.adapters.hub_client import HubPlayer
from protocol.wire import Program
from tests.processes import heard

ROOT = Path(__file__).parents[4]
LIMIT = 120.0
"""Seconds that any wait in these tests may take; kernels may have to be compiled first."""


def command(way):
    return [sys.executable, "-m", "tests.fakes.hub_server", way]


@pytest.fixture(autouse=True)
def _find_packages(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.chdir(ROOT)


@pytest.mark.slow
def test_lines_may_be_piped_in_and_nothing_but_the_protocol_comes_out():
    said = subprocess.run(
        command("first"),
        input="hub\ninit\nlevel move-time=1\ngo think\n",
        capture_output=True,
        text=True,
        timeout=LIMIT,
    )
    words = [line.split()[0] for line in said.stdout.splitlines()]
    assert words == ["id", "param", "param", "wait", "ready", "info", "info", "done"]
    assert said.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("last", ["stop", "quit", None])
def test_a_search_ends_when_it_is_stopped(last):
    with Program(command("thinks")) as program:
        for line in ("hub", "init", "level infinite", "go analyze", "ping"):
            program.send(line)
        heard(program, "pong")
        if last is None:
            program.close_input()
        else:
            program.send(last)
        assert heard(program, "done") == "done move=31-26 ponder=16-21"
        if last != "stop":
            assert program.wait(LIMIT) == 0


@pytest.mark.slow
def test_time_that_runs_out_after_a_ponder_hit_ends_the_search():
    with Program(command("thinks")) as program:
        for line in ("init", "level move-time=0.05", "go ponder", "ponder-hit"):
            program.send(line)
        assert heard(program, "done") == "done move=31-26 ponder=16-21"


@pytest.mark.slow
@pytest.mark.parametrize("variant", [INTERNATIONAL, CZECH])
def test_our_engine_plays_a_game_with_our_client(variant):
    game = Game.start(variant)
    with HubPlayer(shlex.join(command("random")), variant) as player:
        for _ in range(20):  # no game is over so soon
            found = player.search(game, Limits(seconds=1.0), threading.Event(), lambda found: None)
            game = game.after(found.move)
        assert player.identity["name"] == "Blot"
