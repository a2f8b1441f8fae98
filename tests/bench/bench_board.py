"""Times of `blot board`, until its page is ready and until a bot answers; and its memory.

    python -m tests.bench.bench_board [--plays N]

The page is loaded anew each time. A play counts from the key that confirms it until the page shows
the bot's play and asks for the next; that there is one is checked before its time is taken.
"""

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from bot.lab.command_line import told_in_a_sentence
from tests.browsers import BoardServer, Visitor, chromium

LOADS = 5
READY = "return document.body.dataset.version && performance.now()"
BYTES = (
    "return performance.getEntriesByType('resource').concat(performance.getEntriesByType("
    "'navigation')).reduce((sum, each) => sum + each.encodedBodySize, 0)"
)
WATCH = """
const [seen] = arguments;
window.answered = 0;
document.addEventListener('keydown', () => {
  const from = performance.now();
  const look = () => {
    const {asks, busy, version} = document.body.dataset;
    const isNext = Number(version) > seen && ['play', 'roll', 'next'].includes(asks);
    if (isNext && busy === undefined) window.answered = performance.now() - from;
    else requestAnimationFrame(look);
  };
  look();
}, {once: true, capture: true});
"""
"""Measures, from the next key on, the ms until a person is asked again."""


def megabytes(group: int) -> float:
    """Proportional memory of all processes of a group, in MB."""
    total = 0
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.getpgid(int(process.name)) == group:
                text = (process / "smaps_rollup").read_text()
                total += next(int(line.split()[1]) for line in text.splitlines() if "Pss:" in line)
        except (OSError, StopIteration):
            continue
    return total / 1000


def answer_times(server: BoardServer, visitor: Visitor, plays: int) -> list[float]:
    """Milliseconds from the confirmation of a person's play to the bot's answer, for so many."""
    times: list[float] = []
    seed = 0
    while len(times) < plays:
        seed += 1
        server.begin("human", "hard", seed=seed)
        visitor.come()
        for _ in range(12):
            if visitor.asked() != "play" or len(times) == plays:
                break
            status, hint = server.post("hint", {"version": server.state()["version"]})
            assert status == 200, hint
            server.act("text", text=hint["rows"][0]["text"])
            visitor.one(".die.wanted")
            turns = server.state()["log"][-1]["n"]
            visitor.run(WATCH, visitor.version)
            visitor.press(Keys.ENTER)
            times.append(visitor.wait_for("return window.answered"))
            fresh = [each for each in server.state()["log"] if each["n"] > turns]
            assert any(each["seat"] == 1 and each["say"] != "rolls" for each in fresh)
    return times


@told_in_a_sentence()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=20)
    plays = parser.parse_args().plays
    with tempfile.TemporaryDirectory() as folder, chromium() as driver:
        server = BoardServer(Path(folder))
        began = time.monotonic()
        server.start()
        print(f"address after {time.monotonic() - began:.2f} s; load {os.getloadavg()[0]:.1f}")
        try:
            visitor = Visitor(driver, server.address)
            ready = []
            for _ in range(LOADS):
                driver.get(server.address)
                ready.append(visitor.wait_for(READY))
            print(f"page ready after {', '.join(f'{each:.0f}' for each in ready)} ms")
            print(f"page and all it takes: {visitor.run(BYTES) / 1000:.0f} kB")
            times = answer_times(server, visitor, plays)
            middle, worst = statistics.median(times), max(times)
            print(
                f"answered after {middle:.0f} ms (median of {len(times)}), at most {worst:.0f} ms"
            )
            print(f"memory {megabytes(server.group):.0f} MB; load {os.getloadavg()[0]:.1f}")
        finally:
            server.kill()


if __name__ == "__main__":
    main()
