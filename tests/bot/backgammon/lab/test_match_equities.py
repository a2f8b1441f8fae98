import sys

import numpy as np
import pytest

from bot.backgammon.engine.rollout_trials import RolloutPlayer
from bot.backgammon.evaluation.met import blot_table, computed_table
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.kernels.cube import Values
from bot.backgammon.lab import match_equities
from bot.backgammon.lab.match_equities import (
    MatchScore,
    RolledScores,
    estimate,
    main,
    roll_out,
    scores_in_order,
)
from bot.estimate import Estimate
from bot.files import alone_with
from bot.weights import digest_of, weights_aliases, weights_file
from bot.workers import LIMIT

HEADER: dict[str, str | int | float] = {"ply": 0, "seed": 1, "error": 1.0}


def ends_of(score: MatchScore) -> list[MatchScore]:
    """The scores that a game at this one can end in, the player behind named first."""
    found = []
    for points in range(1, score.away + 1):
        for away, other in (
            (score.away - points, score.other_away),
            (score.away, score.other_away - points),
        ):
            behind, ahead = max(away, other), min(away, other)
            if ahead >= 1 and behind > ahead:
                found.append(MatchScore(behind, ahead, ahead == 1 and score.other_away > 1))
    return found


def test_no_score_is_rolled_out_before_those_its_game_ends_in():
    order = scores_in_order(9)
    for place, score in enumerate(order):
        for end in ends_of(score):
            assert end in order[:place], (score, end)


def test_every_uneven_score_is_rolled_out_once():
    order = scores_in_order(15)
    assert len(order) == len(set(order)) == 13 * 14 // 2 + 2 * 14


def test_luck_is_subtracted_and_both_sides_count_alike():
    rng = np.random.default_rng(1)
    signs = np.array([1.0, -1.0] * 5)
    lucks = rng.normal(0, 1, (10, 400))
    results = 0.2 * signs[:, np.newaxis] + 0.8 * lucks + rng.normal(0, 0.01, lucks.shape)
    found = estimate(signs, results, lucks)
    assert found.error == pytest.approx(0.005 / 4000**0.5, rel=0.1)
    assert abs(found.mean - 0.6) < 4 * found.error


def test_what_is_known_is_in_the_table_and_the_rest_follows_from_it():
    known = RolledScores.of_nothing(HEADER, 4)
    for score in scores_in_order(4):
        known.add(score, Estimate(blot_table().mwc(score.away, score.other_away) - 0.01, 0.001))
    known.add(MatchScore(3, 1), Estimate(0.3, 0.001))
    met = known.table()
    assert met.mwc(3, 2) == pytest.approx(blot_table().mwc(3, 2) - 0.01)
    assert met.mwc(2, 3) == pytest.approx(1 - met.mwc(3, 2))
    assert met.mwc(3, 1, is_post_crawford=True) == 0.3
    assert met.mwc(4, 4) == 0.5
    assert met.mwc(6, 3) < blot_table().mwc(6, 3)


def test_nothing_known_is_the_computed_table():
    met = RolledScores.of_nothing(HEADER, 5).table()
    computed = computed_table("Blot", RATES)
    assert np.array_equal(met.pre, computed.pre)
    assert np.array_equal(met.post, computed.post)


@pytest.fixture
def short_pieces(monkeypatch):
    monkeypatch.setattr(match_equities, "PIECE", 2)


def chances_of(known: RolledScores) -> Values:
    return np.append(known.pre.ravel(), known.post)


@pytest.mark.slow
def test_a_run_that_was_interrupted_ends_with_the_same_chances(short_pieces, tmp_path):
    player, whole = RolloutPlayer("easy"), RolledScores.of_nothing(HEADER, 3)
    assert len(list(roll_out(whole, player, 3, 1))) == 5
    begun = RolledScores.of_nothing(HEADER, 2)
    steps = roll_out(begun, player, 2, 1)
    next(steps), next(steps)
    begun.save(tmp_path / "known.npz")
    again = RolledScores.load(tmp_path / "known.npz").grown(3)
    assert again.header["seed"] == 1
    assert len(list(roll_out(again, player, 3, 1))) == 3
    chances = chances_of(whole)
    assert np.array_equal(chances_of(again), chances, equal_nan=True)
    chances = chances[~np.isnan(chances)]
    assert ((chances > 0.2) & (chances < 0.6)).all()


@pytest.mark.slow  # uncompiled: minutes
def test_a_piece_may_take_longer_than_a_worker_is_else_waited_for(short_pieces, monkeypatch):
    # 36 games of a deep look may: 20 s each, 3 plies deep with the filter huge, on a core
    limits = []

    def results(pool, work, pieces, limit=LIMIT):
        limits.append(limit)
        return [work(*piece) for piece in pieces]

    monkeypatch.setattr(match_equities, "all_results", results)
    next(roll_out(RolledScores.of_nothing(HEADER, 2), RolloutPlayer("easy"), 2, 2))
    assert min(limits) >= 100 * LIMIT


@pytest.mark.parametrize(
    "damage",
    [
        {"pre": None},
        {"post": None},
        {"post": np.zeros(3)},
        {"post": np.float64(0.5)},
        {"pre_errors": np.zeros((4, 3))},
        {"pre": np.zeros((4, 4), np.int8)},
    ],
)
def test_a_file_whose_arrays_do_not_fit_is_refused_in_a_sentence(damage, tmp_path):
    path = tmp_path / "known.npz"
    RolledScores.of_nothing(HEADER, 3).save(path)
    arrays = {**np.load(path)} | damage
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    sentence = r"known\.npz is no file of match equities of Blot, or is damaged"
    with pytest.raises(ValueError, match=sentence):
        RolledScores.load(path)


def test_a_file_made_otherwise_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "known.npz"
    RolledScores.of_nothing(HEADER, 3).save(path)
    arguments = ["match_equities", "--out", str(path), "--weights", "easy", "--longest", "3"]
    monkeypatch.setattr(sys, "argv", arguments)
    with pytest.raises(SystemExit, match=r"known\.npz was made otherwise: its weights is None"):
        main()


def test_a_file_from_before_filters_could_be_chosen_was_made_with_the_normal_one(
    tmp_path, monkeypatch
):
    path = tmp_path / "known.npz"
    name = weights_aliases().get("easy", "easy")
    weights = {"weights": name, "sha256": digest_of(weights_file(name))}
    RolledScores.of_nothing({**HEADER, **weights, "ply": 1}, 3).save(path)
    arguments = ["match_equities", "--out", str(path), "--weights", "easy", "--longest", "3"]
    monkeypatch.setattr(sys, "argv", [*arguments, "--error", "1", "--ply", "1", "--filter", "tiny"])
    with pytest.raises(SystemExit, match="its filter is normal, not tiny"):
        main()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--ply", "9"], "--ply: a whole number from 0 to 3 is wanted, not '9'"),
        (["--workers", "0"], "--workers: a whole number from 1 to 256 is wanted, not '0'"),
        (["--seed", "-1"], "--seed: a whole number from 0 to 2,147,483,647 is wanted, not '-1'"),
        (["--longest", "26"], "--longest: a whole number from 2 to 25 is wanted, not '26'"),
        (["--filter", "large"], "--filter is for looking ahead"),
        (["--workers", "2", "--cluster", "127.0.0.1:1"], "--workers is for this machine alone"),
    ],
)
def test_what_cannot_be_or_would_not_count_is_refused_before_any_work(
    given, sentence, monkeypatch, capsys
):
    monkeypatch.setattr(match_equities, "begun", lambda options: pytest.fail("worked"))
    monkeypatch.setattr("sys.argv", ["match_equities", "--out", "never.npz", *given])
    with pytest.raises(SystemExit):
        main()
    assert sentence in capsys.readouterr().err


def test_a_file_that_another_process_makes_is_left_to_it(tmp_path, monkeypatch):
    path = tmp_path / "met.npz"
    monkeypatch.setattr(sys, "argv", ["match_equities", "--out", str(path), "--weights", "easy"])
    with alone_with(path), pytest.raises(SystemExit, match=r"another process is making .*met"):
        main()
    assert not path.exists()


def test_cluster_that_is_none_is_named(tmp_path, monkeypatch):
    out = ["--out", str(tmp_path / "met.npz"), "--weights", "easy"]
    monkeypatch.setattr("sys.argv", ["match_equities", *out, "--cluster", "foo"])
    with pytest.raises(SystemExit, match=r"HOST:PORT of a cluster's head, not 'foo'"):
        main()
