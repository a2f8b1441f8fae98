import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout_result import RolledOutCube, RolledOutPlay, Rollout
from bot.backgammon.engine.rollout_trials import RolloutSettings
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.kernels.rollout import UTILITY
from bot.backgammon.rules.decision import ChooseCheckerPlay, ProperAction
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.outcome import chances_of
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.position import START, Position
from protocol.backgammon.reports.hint import all_candidates
from protocol.backgammon.reports.rollout import (
    cube_rollout_lines,
    cube_rollout_values,
    known_lines,
    known_values,
    position_rollout_lines,
    rollout_lines,
    rollout_values,
    standing_text,
    terms_text,
    trials_of,
)
from tests.strategies import positions, rolls

ENGINE = Engine(NetworkEvaluator(random_network(8, seed=5)))
SETTINGS = RolloutSettings(trials=50)


def rollout(seed, shift=0.0):
    """Fifty trials around a win in two and few gammons, better by the shift."""
    spread = np.random.default_rng(seed).normal(0, 0.05, (50, 5))
    chances = np.array([0.5 + shift, 0.2, 0.01, 0.1, 0.005]) + spread
    results = np.column_stack([chances, [chances_of(row).equity for row in chances]])
    return Rollout(results, 0 * results)


def two_plays(best, second):
    """Two plays at the start of a game, the best first."""
    eight_six = CheckerPlay((Leg(8, 5), Leg(6, 5)), START)
    back = CheckerPlay((Leg(24, 20),), START)
    return [RolledOutPlay(eight_six, best), RolledOutPlay(back, second)]


def test_plays_are_told_with_errors_below():
    plays = two_plays(rollout(2, 0.2), rollout(1))
    titles, best, errors, second, second_errors, match_format = rollout_lines(
        plays, SETTINGS, START
    )
    assert titles.split() == ["cubeful", "equity", "loss", "win", "w.gam", "w.bg", "l.gam", "l.bg"]
    assert best.split()[:4] == ["1", "8/5", "6/5", f"{plays[0].rollout.equity:+.3f}"]
    assert errors.split()[:2] == ["±", f"{plays[0].rollout.equity_error:.3f}"]
    loss = plays[1].rollout.equity - plays[0].rollout.equity
    assert second.split()[:4] == ["2", "24/20", f"{plays[1].rollout.equity:+.3f}", f"{loss:+.3f}"]
    loss_error = plays[1].rollout.loss_error(plays[0].rollout)
    assert second_errors.split()[2] == f"{loss_error:.3f}"
    assert match_format == terms_text(50, SETTINGS)


def test_a_position_is_told_with_errors_below():
    found = rollout(3)
    titles, values, errors, _ = position_rollout_lines(found, SETTINGS)
    assert titles.split() == ["cubeful", "equity", "win", "w.gam", "w.bg", "l.gam", "l.bg"]
    cubeless = position_rollout_lines(found, SETTINGS, uses_cube=False)
    assert cubeless[0].split()[0] == "cubeless"
    assert values.split()[:2] == [f"{found.equity:+.3f}", f"{100 * found.chances.win:.1f}"]
    assert errors.split() == [
        "±",
        f"{found.equity_error:.3f}",
        *(f"{100 * error:.1f}" for error in found.chance_errors),
    ]
    assert len(titles) == len(values) == len(errors)


@settings(max_examples=50)
@given(position=positions(), roll=rolls())
def test_report_fits_into_eighty_columns(position, roll):
    candidates = all_candidates(ChooseCheckerPlay(GameState(position), roll), ENGINE)
    plays = [RolledOutPlay(row.play, rollout(i)) for i, row in enumerate(candidates[:20])]
    if plays:
        lines = rollout_lines(plays, SETTINGS, position)
        assert max(map(len, lines)) <= 80
        assert len({len(line) for line in lines[:-1]}) == 1


def cubeful(seed, utility, **match):
    """Fifty trials around a utility."""
    results = rollout(seed).results
    results[:, UTILITY] = utility + np.random.default_rng(seed).normal(0, 0.05, 50)
    return Rollout(results, 0 * results, **match)


def test_a_double_that_is_right_is_told_with_its_errors():
    cube = RolledOutCube(cubeful(1, 0.4), cubeful(2, 0.6))
    titles, rolled, rolled_errors, taken, _, dropped, proper, losses, match_format = (
        cube_rollout_lines(cube, SETTINGS)
    )
    assert titles.split() == ["cubeful", "points", "win", "w.gam", "w.bg", "l.gam", "l.bg"]
    assert rolled.split()[:3] == ["No", "double", f"{cube.no_double.equity:+.3f}"]
    assert rolled_errors.split()[:2] == ["±", f"{cube.no_double.equity_error:.3f}"]
    assert taken.split()[:3] == ["Double,", "take", f"{cube.double_take.equity:+.3f}"]
    assert dropped.split() == ["Double,", "drop", "+1.000"]
    assert proper == "Proper action: double, take."
    margin = cube.double_take.equity - cube.no_double.equity
    error = cube.double_take.loss_error(cube.no_double)
    take = 1 - cube.double_take.equity
    assert losses == (
        f"Not to double loses {margin:.3f} ± {error:.3f}, "
        f"to drop a double {take:.3f} ± {cube.double_take.equity_error:.3f}."
    )
    assert match_format == terms_text(50, SETTINGS)


@pytest.mark.parametrize(
    ("no_double", "double_take", "proper", "double_loss", "take_loss"),
    [
        (0.2, -0.1, ProperAction.NO_DOUBLE_TAKE, -0.3, 1.1),
        (0.8, 1.3, ProperAction.DOUBLE_DROP, 0.2, -0.3),
        (1.2, 1.5, ProperAction.TOO_GOOD_DROP, -0.2, -0.5),
        (1.2, 0.8, ProperAction.TOO_GOOD_TAKE, -0.4, 0.2),
    ],
)
def test_losses_follow_from_what_is_right(no_double, double_take, proper, double_loss, take_loss):
    cube = RolledOutCube(cubeful(1, no_double), cubeful(2, double_take))
    values = cube_rollout_values(cube, SETTINGS)["cube"]
    assert values["proper_action"] == proper.value
    assert values["double_loss"] == pytest.approx(double_loss, abs=0.05)
    assert values["take_loss"] == pytest.approx(take_loss, abs=0.05)
    text = cube_rollout_lines(cube, SETTINGS)[-2]
    assert text.startswith("Not to" if double_loss > 0 else "To")
    assert ("to drop a double" if take_loss > 0 else "to take a double") in text
    assert standing_text(cube, START).startswith(proper.value)


def test_double_that_makes_no_difference_loses_nothing():
    cube = RolledOutCube(cubeful(1, 0.7), cubeful(1, 0.7))
    text = cube_rollout_lines(cube, SETTINGS)[-2]
    assert text.startswith("To double or not is worth the same, to drop a double loses 0.3")


def test_a_cube_decision_in_a_match_has_match_winning_chances():
    match = {"won": 0.3, "lost": -0.2, "is_match": True}
    cube = RolledOutCube(cubeful(1, 0.1, **match), cubeful(2, 0.2, **match))
    lines = cube_rollout_lines(cube, SETTINGS)
    assert lines[0].split()[:4] == ["cubeful", "EMG", "mwc", "%"]
    assert lines[1].split()[3] == f"{50 + 50 * cube.no_double.utilities.mean():.2f}"
    assert lines[2].split()[2] == f"{100 * cube.no_double.mwc_error:.2f}"
    assert lines[5].split()[2:] == ["+1.000", "65.00"]
    assert max(map(len, lines)) <= 80
    assert len({len(lines[i]) for i in range(5)}) == 1
    values = json.loads(json.dumps(cube_rollout_values(cube, SETTINGS)))["cube"]
    assert values["no_double"]["mwc"] == pytest.approx(cube.no_double.mwc, abs=1e-5)
    assert values["double_take"]["mwc_error"] == pytest.approx(cube.double_take.mwc_error, abs=1e-5)
    assert values["double_drop"] == {"equity": 1.0, "mwc": pytest.approx(0.65)}


def test_plays_with_the_cube_are_told_as_those_without():
    plays = two_plays(cubeful(2, 0.3), cubeful(1, 0.1))
    lines = rollout_lines(plays, SETTINGS, START)
    assert lines[1].split()[:4] == ["1", "8/5", "6/5", f"{plays[0].rollout.equity:+.3f}"]
    assert known_lines(plays, SETTINGS, START) == lines
    values = known_values(plays, SETTINGS, START)
    assert values == {"cubeful": True} | rollout_values(plays, SETTINGS, START)
    assert "mwc" not in values["plays"][0]
    assert trials_of(plays) == trials_of(plays[0].rollout) == 50
    assert trials_of(()) == 0


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        (SETTINGS, "1,296 trials to the end, 0-ply, seed 1; ± standard error"),
        (
            RolloutSettings(truncate=7, ply=2, seed=4, is_reduced=False),
            "1,296 trials cut off after 7 plies, 2-ply, seed 4, luck left in; ± standard error",
        ),
        (
            RolloutSettings(truncate=1),
            "1,296 trials cut off after 1 ply, 0-ply, seed 1; ± standard error",
        ),
    ],
)
def test_terms_say_how_it_was_rolled_out(settings, text):
    assert terms_text(1296, settings) == text


def test_a_chance_a_little_below_nothing_is_told_as_nothing():
    results = np.tile([0.5, 0.0, 0.0, 0.0, -0.0001, 0.0001], (50, 1))
    lines = position_rollout_lines(Rollout(results, 0 * results), SETTINGS)
    assert lines[1].split()[-1] == "0.0"


def test_values_for_a_program_say_what_is_known_of_each_play():
    plays = two_plays(rollout(2, 0.2), rollout(1))
    values = json.loads(json.dumps(rollout_values(plays, SETTINGS, START)))
    assert {key: values[key] for key in ("trials", "truncate", "ply", "seed")} == {
        "trials": 50,
        "truncate": None,
        "ply": 0,
        "seed": 1,
    }
    assert values["variance_reduction"] is True
    first, second = values["plays"]
    assert [first["play"], second["play"]] == ["8/5 6/5", "24/20"]
    assert first["loss"] == first["loss_error"] == 0
    assert second["loss"] == pytest.approx(first["equity"] - second["equity"], abs=2e-5)
    assert second["loss_error"] > 0
    for row, play in zip(values["plays"], plays, strict=True):
        assert row["equity"] == pytest.approx(play.rollout.equity, abs=1e-5)
        assert row["equity_error"] == pytest.approx(play.rollout.equity_error, abs=1e-5)
        assert row["chances"]["win_gammon"] == pytest.approx(
            play.rollout.chances.win_gammon, abs=1e-5
        )
        assert list(row["chance_errors"].values()) == pytest.approx(
            play.rollout.chance_errors, abs=1e-5
        )


def test_values_of_a_position_stand_at_the_top():
    found = rollout(3)
    values = known_values(found, SETTINGS, START)
    assert "plays" not in values
    assert values["equity"] == pytest.approx(found.equity, abs=1e-5)


def test_what_is_known_so_far_is_told_in_a_few_words():
    found = rollout(3)
    numbers = f"{found.equity:+.3f} ± {found.equity_error:.3f}"
    assert standing_text(found, START) == numbers
    assert standing_text(two_plays(found, found), START) == f"8/5 6/5 {numbers}"


def test_match_winning_chance_stands_beside_each_play_with_its_error():
    match = {"won": 0.4, "lost": -0.5, "is_match": True}
    plays = two_plays(cubeful(2, 0.2, **match), cubeful(1, 0.1, **match))
    titles, best, errors, *_ = rollout_lines(plays, SETTINGS, START)
    assert titles.split() == ["cubeful", "equity", "loss", "mwc", "%", "win", "w.gam", "l.gam"]
    assert best.split()[4] == f"{100 * plays[0].rollout.mwc:.2f}"
    assert errors.split()[2] == f"{100 * plays[0].rollout.mwc_error:.2f}"
    assert len(titles) == len(best) == len(errors) <= 80
    titles, values, errors, _ = position_rollout_lines(plays[0].rollout, SETTINGS)
    assert titles.split()[2:4] == ["mwc", "%"]
    assert values.split()[1] == f"{100 * plays[0].rollout.mwc:.2f}"
    assert len(titles) == len(values) == len(errors)


def test_own_plays_are_marked():
    best, second = two_plays(rollout(2, 0.2), rollout(1))
    after = Position.of({13: 5, 8: 3, 6: 5, 24: 1, 20: 1}, {24: 2, 13: 5, 8: 3, 6: 5})
    plays = [best, replace(second, play=replace(second.play, after=after))]
    own = [plays[1].play]
    lines = known_lines(plays, SETTINGS, START, own=own)
    assert [line[:3] for line in lines[1:4:2]] == [" 1 ", " 2>"]
    values = known_values(plays, SETTINGS, START, own=own)
    assert [play["own"] for play in values["plays"]] == [False, True]
