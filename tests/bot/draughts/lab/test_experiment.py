"""Experiments on draughts: made, broken off, gone on with, and written down."""

import csv
from contextlib import nullcontext

import pytest

from bot.draughts.arena.random_player import RandomPlayer
from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.lab.laboratory import LABORATORY
from bot.lab.attempt import Scale, opened_attempt
from bot.lab.page import write_page

TINY = {
    "nodes": "games=2 czech-deepest=2 international-deepest=2 only-games=2 only-depths=0,1",
    "depths": "pairs=2 czech-deepest=2 international-deepest=2",
    "states": "games=20 parts=2 test-depths=1 test-pairs=2",
    "repeated": "games=8 every=4 depths=1",
    "competitor": "pairs=2 players=alpha-beta:1 czech-opponents=random "
    "international-opponents=random",
}
FILES = ("csv", "md", "png")


def player_named(name, variant):
    """Makes the few players that these tests ask for."""
    if name == "random":
        return lambda seed: nullcontext(RandomPlayer(seed))
    kind, depth = name.split(":")
    assert kind == "alpha-beta"
    settings = AlphaBetaSettings(int(depth))
    return lambda seed: nullcontext(AlphaBeta(settings, seed=seed))


def made(name, folder, note=lambda text: None, **changes):
    """The files of a tiny attempt at an experiment, begun or gone on with, and its findings."""
    wanted = LABORATORY.experiment(name)
    given = dict(text.split("=") for text in TINY[name].split())
    settings = wanted.settings_at(Scale.SMALL, {**given, **changes})
    is_resumed = folder.exists()
    with opened_attempt(
        name, folder, Scale.SMALL, 3, settings,
        is_resumed=is_resumed, note=note, players=player_named,
    ) as attempt:  # fmt: skip
        findings = wanted.run(attempt)
        write_page(LABORATORY.command, wanted, attempt, findings)
    return findings, {kind: (folder / f"{name}.{kind}").read_bytes() for kind in FILES}


@pytest.fixture
def stopped_clock(monkeypatch):
    """Let everything take no time, as the seconds alone do not come from the seed."""
    monkeypatch.setattr("time.process_time", lambda: 0.0)


@pytest.mark.slow
@pytest.mark.usefixtures("stopped_clock")
@pytest.mark.parametrize("name", TINY)
def test_attempt_that_was_broken_off_ends_byte_by_byte_as_another(name, tmp_path):
    notes = []

    def broken_off(text):
        notes.append(text)
        if len(notes) == 3:
            raise KeyboardInterrupt

    findings, files = made(name, tmp_path / "whole")
    with pytest.raises(KeyboardInterrupt):
        made(name, tmp_path / "stopped", broken_off)
    assert made(name, tmp_path / "stopped", notes.append) == (findings, files)
    assert len(notes) > 4


@pytest.mark.slow
@pytest.mark.usefixtures("stopped_clock")
def test_page_says_what_is_not_known_of_the_thesis(tmp_path):
    findings, files = made("repeated", tmp_path / "one")
    page = files["md"].decode()
    assert page.count("| not known to us |") == len(findings.comparisons)
    assert findings.difference in page
    assert "It cannot show this: how long the gain goes on" in page
    assert "`blot draughts lab repeated --scale small --seed 3 --set games=8 every=4 " in page
    rows = list(csv.DictReader(files["csv"].decode().splitlines()))
    assert len(rows) == len(findings.rows) == 2 * 3 * 2


@pytest.mark.slow
def test_alpha_beta_spares_boards_that_minimax_meets(tmp_path):
    findings, _ = made("nodes", tmp_path / "one")
    rows = {
        (row["variant"], row["players"]): row for row in findings.rows if row["measure"] == "boards"
    }
    for variant in ("czech", "international"):
        assert rows[variant, "depth 1"]["share"] == 0
        deeper = rows[variant, "depth 2"]
        assert deeper["alpha_beta"] < deeper["minimax"]
        assert deeper["share"] == pytest.approx(1 - deeper["alpha_beta"] / deeper["minimax"])


@pytest.mark.slow
def test_deeper_player_is_told_as_the_winner(tmp_path):
    findings, _ = made("depths", tmp_path / "one", pairs="10")
    rows = [row for row in findings.rows if row["opponent"] == 0]
    assert all(row["points"] > 0.5 for row in rows)
    assert all(row["won"] + row["drawn"] + row["lost"] == 20 for row in findings.rows)


@pytest.mark.slow
def test_table_fills_while_it_learns(tmp_path):
    findings, _ = made("states", tmp_path / "one")
    for variant in ("czech", "international"):
        states = [
            row["states"]
            for row in findings.rows
            if row["variant"] == variant and row["measure"] == "learning mode"
        ]
        assert 0 < states[0] < states[1]


@pytest.mark.slow
def test_a_single_part_of_learning_is_told_once(tmp_path):
    findings, _ = made("states", tmp_path / "one", parts="1")
    measures = [each.measure for each in findings.comparisons]
    assert len(measures) == len(set(measures))


def test_every_listed_experiment_says_what_it_is():
    assert set(TINY) == set(LABORATORY.modules)
    for name in LABORATORY.modules:
        found = LABORATORY.experiment(name)
        assert all((found.title, found.question, found.source, found.theirs, found.not_shown))
        assert set(found.small) <= set(found.settings)


@pytest.mark.parametrize(
    ("name", "changes", "sentence"),
    [
        ("nodes", {"games": "0"}, "games is 1 to 6,000, not 0"),
        ("nodes", {"only-depths": "0,99"}, "only-depths are 0 to 60 each, not 99"),
        ("nodes", {"international-deepest": "99"}, "international-deepest is 1 to 60, not 99"),
        ("depths", {"czech-deepest": "1"}, "czech-deepest is 2 to 60, not 1"),
        ("depths", {"international-deepest": "99"}, "international-deepest is 2 to 60, not 99"),
        ("states", {"test-depths": "1,99"}, "test-depths are 0 to 60 each, not 99"),
        ("repeated", {"depths": "1,-1"}, "depths are 0 to 60 each, not -1"),
        ("states", {"parts": "4999"}, "parts is 1 to the number of games, not 4999"),
        ("states", {"order": "any"}, "order is last-first or first-first, not 'any'"),
        ("states", {"depth": "99"}, "the best looks 1 to 60 plies deep, not 99"),
        ("repeated", {"every": "3"}, "every is even and divides games, not 3 and 8"),
        ("competitor", {"pairs": "0"}, "pairs is 1 to 8,000, not 0"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_a_sentence(name, changes, sentence, tmp_path):
    with pytest.raises(ValueError, match=sentence):
        made(name, tmp_path / "one", **changes)
