"""A Python script that gnubg itself runs, on values that go there and back as JSON."""

import json
import os
import subprocess

from protocol.backgammon.adapters.gnubg_program import find_gnubg

LIMIT = 120.0
"""Seconds a script may take."""


def run_in_gnubg(script, values, folder):
    """What the script leaves in the file named by TURNS, where it finds the values."""
    path, file = folder / "turns.json", folder / "script.py"
    path.write_text(json.dumps(values))
    file.write_text(script)
    subprocess.run(
        [find_gnubg(), "-t", "-q", "-r", "-p", str(file)],
        env=os.environ | {"HOME": str(folder), "TURNS": str(path), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        timeout=LIMIT,
        check=True,
    )
    return json.loads(path.read_text())
