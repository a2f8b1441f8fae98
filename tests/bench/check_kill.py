"""Prove that a killed run of `blot match` loses nothing but the pairs that were being played.

A run is killed with SIGKILL at random moments and gone on with, until it ends. Every pair that was
told on stdout must be in the file after the kill, no process may stay behind, and the end must be
that of a run left alone. Four kills of five come while it plays, the others from its start on.

    python -m tests.bench.check_kill --kills 100
"""

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bot.backgammon.arena.run_file import RunFile
from bot.lab.command_line import told_in_a_sentence

PLAYERS = ("td-128", "td-256")
PLAYING = 0.8
"""Share of the kills that come after the first pair of a process."""

LIMIT = 600.0
"""Seconds that a run left alone may take."""


def command(words: list[str]) -> list[str]:
    return [sys.executable, "-m", "protocol", "match", *words, "--json"]


def events(text: str) -> list[dict[str, object]]:
    """The whole lines of the output as events; the last may be torn off."""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def killed(
    words: list[str], seconds: float, folder: Path, *, from_play: bool
) -> tuple[bool, list[int]]:
    """Run for so many seconds and kill; whether it ended before, and the pairs that it told.

    from_play: whether the seconds are counted from the first pair that is told.
    """
    said = folder / "said"
    with said.open("w") as out, (folder / "errors").open("a") as errors:
        run = subprocess.Popen(command(words), stdout=out, stderr=errors, start_new_session=True)
        end = time.monotonic() + LIMIT
        while from_play and not said.stat().st_size and run.poll() is None:
            if time.monotonic() > end:
                raise SystemExit(f"no pair was played in {LIMIT:g} s")
            time.sleep(0.01)
        try:
            has_ended = run.wait(seconds) == 0
        except subprocess.TimeoutExpired:
            has_ended = False
            run.send_signal(signal.SIGKILL)
            run.wait()
    end = time.monotonic() + 10
    while is_alive(run.pid):
        if time.monotonic() > end:
            raise SystemExit(f"a process of the run {run.pid} is still there 10 s after its end")
        time.sleep(0.02)
    return has_ended, [
        int(str(it["pair"])) for it in events(said.read_text()) if it["event"] == "pair"
    ]


def is_alive(group: int) -> bool:
    """Whether a process of the group is left."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def figures(text: str) -> dict[str, object]:
    """The result of a run, without what the clock has to do with."""
    result = events(text)[-1]
    return {name: value for name, value in result.items() if "seconds" not in name}


def check(
    players: tuple[str, ...], kills: int, games: int, seed: int, longest: float, parallel: int
) -> dict[str, int]:
    """Kill a run so often, or until it ends; what was seen. Ends the program if it is wrong."""
    moments, counts = random.Random(seed), {"kills": 0, "runs": 0, "pairs kept": 0, "no file": 0}
    rules = ["--games", str(games), "--cube", "--no-jacoby", "--seed", str(seed)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        alone = subprocess.run(
            command([*players, *rules]), capture_output=True, text=True, timeout=LIMIT, check=True
        )
        while counts["kills"] < kills:
            path = folder / f"run{counts['runs']}.db"
            counts["runs"] += 1
            has_ended, before = False, 0
            while not has_ended:
                words = (
                    ["--resume", str(path)]
                    if path.exists()
                    else [*players, *rules, "--record", str(path)]
                )
                from_play = moments.random() < PLAYING
                seconds = moments.uniform(0, longest) if counts["kills"] < kills else LIMIT
                has_ended, told = killed(
                    [*words, "--parallel", str(parallel)], seconds, folder, from_play=from_play
                )
                if not path.exists():
                    counts["no file"] += 1
                    counts["kills"] += 1
                    continue
                file = RunFile(path)
                there = {p.number for it in file.pieces() for p in file.played(it).pairs}
                file.close()
                if not there >= set(told):
                    raise SystemExit(f"told, and lost: pairs {sorted(set(told) - there)}")
                if len(there) < before:
                    raise SystemExit(f"{before} pairs were there, now {len(there)}")
                before = len(there)
                counts["kills"] += not has_ended
            counts["pairs kept"] += before
            again = subprocess.run(
                command(["--resume", str(path)]),
                capture_output=True,
                text=True,
                timeout=LIMIT,
                check=True,
            )
            if figures(again.stdout) != figures(alone.stdout):
                raise SystemExit(f"the end differs: {again.stdout} {alone.stdout}")
    return counts


@told_in_a_sentence()
def main() -> None:
    """Check and print what was seen."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--games", type=int, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=2.0, help="seconds until a kill at most")
    parser.add_argument("--parallel", type=int, default=2)
    given = vars(parser.parse_args())
    began = time.monotonic()
    print(check(PLAYERS, **given), f"all well, {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
