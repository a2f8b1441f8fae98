"""A Python script that gnubg itself runs, on values that go there and back as JSON."""

import json

from protocol.backgammon.adapters.gnubg_program import GnubgProgram

LIMIT = 600.0
"""Seconds that a script may be silent."""


def run_in_gnubg(script, values, limit=LIMIT):
    """What the script leaves in values.json in its working directory, where it finds the values."""
    with GnubgProgram(patience=limit) as gnubg:
        file = gnubg.folder / "values.json"
        file.write_text(json.dumps(values), encoding="ascii")
        (gnubg.folder / "script.py").write_text(script, encoding="ascii")
        # The display stays on: without it gnubg leaves out automatic doubles.
        said = gnubg.command("load python script.py", may_refuse=True)
        if "Traceback" in said:
            raise ValueError(f"the script failed: {said[-2000:]}")
        return json.loads(file.read_text(encoding="ascii"))
