import numpy as np
import pytest

from bot.backgammon.evaluation.hypergammon import solve
from bot.backgammon.lab.hypergammon import opening_plays
from bot.backgammon.lab.laboratory import LABORATORY
from bot.lab.attempt import Scale, opened_attempt

TINY = {
    "checkers": "1",
    "games": "300",
    "hidden": "4",
    "lambdas": "0.5",
    "lookahead-games": "100",
    "rates": "0.05",
    "test-games": "20",
    "perfect-games": "100",
}


@pytest.fixture
def findings(tmp_path, monkeypatch):
    """Makes a tiny attempt, or goes on with it."""
    # workers would compile anew in a cache folder of its own
    monkeypatch.setattr("bot.backgammon.evaluation.hypergammon.user_cache", lambda: tmp_path)
    found = LABORATORY.experiment("hypergammon")

    def make(*, is_resumed=False, seed=1, **changes):
        settings = found.settings_at(Scale.SMALL, TINY | changes)
        with opened_attempt(
            "hypergammon", tmp_path / "run", Scale.SMALL, seed, settings,
            is_resumed=is_resumed, note=lambda _: None,
        ) as attempt:  # fmt: skip
            return found.run(attempt)

    return make


def test_learners_are_measured_on_their_way_and_an_attempt_gone_on_with_says_the_same(findings):
    first = findings()
    assert [(row["learner"], row["games"], row["plies"]) for row in first.rows] == [
        (learner, *place)
        for learner in ("TD(0.5)", "backpropagation", "mutation")
        for place in ((100, 0), (200, 0), (300, 0), (300, 1))
    ] + [("lookahead", 100, 0), ("lookahead", 100, 1)]
    assert all(row["loss"] >= 0 and row["error"] > 0 for row in first.rows)
    assert first.comparisons[0].theirs == ""
    assert findings(is_resumed=True) == first


def test_learner_that_plays_whole_duels_is_measured_after_whole_ones(findings):
    rows = findings(games="20", first="2", **{"lookahead-games": "20"}).rows
    assert [row["games"] for row in rows if row["learner"] == "TD(0.5)"] == [2, 5, 10, 20, 20]
    assert [row["games"] for row in rows if row["learner"] == "mutation"] == [10, 20, 20]


def test_a_single_game_tells_nothing_of_its_error(findings):
    found = findings(**{"games": "10", "test-games": "1", "perfect-games": "1"})
    assert "± unknown" in found.difference
    assert all("± unknown" in each.ours for each in found.comparisons[-2:])


def test_settings_of_the_last_learner_are_looked_at_first(findings, tmp_path):
    with pytest.raises(ValueError, match="--rates are learning rates above 0"):
        findings(**{"lookahead-rates": "0.001,20"})
    assert not list(tmp_path.iterdir())


def test_best_opening_plays_are_those_that_leave_the_other_side_least():
    game = solve(2, lambda _: None)
    openings = opening_plays(game)
    assert [(roll.high, roll.low) for roll, *_ in openings[:3]] == [(2, 1), (3, 1), (3, 2)]
    assert len(openings) == 15
    assert max(margin for *_, margin in openings) > 0
    mean = np.mean([equity for _, _, equity, _ in openings])
    assert mean == pytest.approx(0.1133299672859, abs=1e-9)


def test_too_few_games_to_measure_are_told(findings):
    with pytest.raises(ValueError, match="test-games is too few: in 1 nobody had a choice"):
        findings(seed=3, games="100", first="100", hidden="2", **{"test-games": "1"})
