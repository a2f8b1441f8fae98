"""What `blot warm` compiles is all that any command needs, and no more of numba is imported."""

import subprocess
import sys

import pytest

LIMIT = 600.0
ID = "4HPkQSCwZ/ABMA"
COMPILING = ("compiling", "compiled:")
COUNTED = """
import atexit
import sys
from numba.core import event
from numba.core.runtime import rtsys
from protocol.cli import main

class Compiled(event.Listener):
    def on_start(self, event):
        print("compiled:", event.data["dispatcher"].py_func, event.data["args"], file=sys.stderr)
    def on_end(self, event):
        pass

def tell_imports():
    if rtsys._init:
        print("compiled: numba's runtime", file=sys.stderr)
    for name in ("numba.typed.typedlist", "numba.np.arrayobj"):
        if name in sys.modules:
            print("imported", name, file=sys.stderr)

event.register("numba:compile", Compiled())
atexit.register(tell_imports)
for line in sys.argv[1:]:
    print("blot", line, file=sys.stderr)
    if code := main(line.split()):
        sys.exit(code)
"""


def run(*command, stdin=""):
    return subprocess.run(
        command, input=stdin, capture_output=True, text=True, timeout=LIMIT, check=False
    )


@pytest.fixture(scope="module", autouse=True)
def warm():
    done = run(sys.executable, "-m", "protocol.cli", "warm")
    assert (done.returncode, done.stdout) == (0, "Everything is compiled.\n"), done.stderr


COMMANDS = {
    "hint": [
        f"hint {ID}:cAkTAAAAAAAA",
        f"hint {ID} --level best --threads 2",
        f"hint {ID} --ply 1 --seconds 0.5",
        f"hint {ID} --ply 0 --dice 31 --no-cube",
        "hint 4HPwAVBo5+ABMA:cAkAAAAAAAAA",
        "hint 2+4OAADb4OAAAA:cAkqAAAAAAAA",
        "hint AwAAKAAAAAAAAA --dice 21",
    ],
    "one position": [f"show {ID}"],
    "rollout": [
        f"rollout {ID} --dice 31 --count 2 --trials 2 --truncate 2",
        f"rollout {ID} --dice 31 --count 2 --trials 2 --truncate 2 --no-cube",
        f"rollout {ID} --trials 36 --truncate 3 --ply 0",
        f"rollout {ID} --trials 36 --truncate 3 --ply 0 --no-cube",
        f"rollout {ID} --trials 2 --truncate 2 --plain",
    ],
    "match": [
        "match --games 2 --opponent pubeval",
        "match --games 2 --opponent random --ply 0",
        "match --games 2 --opponent td-128 --ply 1 --cube",
        "match --games 2 --opponent blockers --length 3 --ply 0",
    ],
    "signature": ["signature --check"],
    "bear-offs": ["bearoff"],
    "bench": ["bench --ply 0 --limit 4 --seconds 0.1 --no-gnubg"],
    "serve": ["serve --stdio"],
    "draughts": [
        "draughts match medium minimax:1 --games 2",
        "draughts match hard alpha-beta:1 --variant czech --games 2 --seconds 0.02",
        "draughts match easy alpha-beta:2 --variant czech --games 2",
    ],
}
"""Commands that one process runs in turn, as what compiles for one is there for the next."""


@pytest.mark.slow
@pytest.mark.parametrize("commands", COMMANDS.values(), ids=COMMANDS)
def test_no_command_compiles_after_warm(commands):
    done = run(sys.executable, "-c", COUNTED, *commands)
    assert done.returncode == 0, done.stderr
    assert f"blot {commands[-1]}\n" in done.stderr
    assert not set(COMPILING).intersection(done.stderr.split())
    assert "imported" not in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["default", "expert", "pubeval", "random"])
def test_a_game_in_the_terminal_compiles_nothing_after_warm(opponent, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    command = f"play --opponent {opponent} --new --delay 0 --seed 1"
    done = run(sys.executable, "-c", COUNTED, command, stdin="hint\n\nhint\nmoves\nquit\n")
    assert done.returncode == 0, done.stderr
    assert not set(COMPILING).intersection(done.stderr.split())
    assert "imported" not in done.stderr


@pytest.mark.slow
def test_training_compiles_nothing_after_warm(tmp_path):
    """Every learner in one process, as COMMANDS above."""
    games = "--games 200 --test-games 20 --test-every 200"
    options = (
        "",
        "--workers 2",
        "--update traces --lambda 0.5 --outputs 2 --inputs blocks-1",
        "--learner mutation --hidden 8 --inputs blocks-1",
        "--learner lookahead --units 8 --inputs players-1 --teacher td-128",
    )
    runs = enumerate(options)
    commands = [f"train --out {tmp_path / str(number)} {games} {each}" for number, each in runs]
    done = run(sys.executable, "-c", COUNTED, *commands)
    assert done.returncode == 0, done.stderr
    assert not set(COMPILING).intersection(done.stderr.split())
    assert "imported numba.typed.typedlist" not in done.stderr


@pytest.mark.slow
def test_learning_draughts_compiles_nothing_after_warm(tmp_path):
    command = f"draughts learn --out {tmp_path / 'run'} --games 60 --depth 1"
    done = run(sys.executable, "-c", COUNTED, command)
    assert done.returncode == 0, done.stderr
    assert not set(COMPILING).intersection(done.stderr.split())
    assert "imported" not in done.stderr


COLLECTIONS = """
import gc
import sys
from protocol.cli import main

def collections():
    return sum(each["collections"] for each in gc.get_stats())

before = collections()
main(sys.argv[1:])
print(collections() - before, file=sys.stderr)
"""


@pytest.mark.slow
def test_a_start_hardly_ever_looks_for_garbage():
    done = run(sys.executable, "-c", COLLECTIONS, "hint", ID, "--dice", "31")
    assert int(done.stderr) < 20  # of about 150 that Python would make by itself, before 3.13
