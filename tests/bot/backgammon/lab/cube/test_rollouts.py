"""Cube decisions judged by rollouts: which are looked at, and what is told of them."""

import json
import random
import sys

import numpy as np
import pytest

from bot.backgammon.engine.level import Level
from bot.backgammon.engine.rollout_trials import RolloutSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.lab.cube import answers, rollouts
from bot.backgammon.lab.cube.answers import (
    SCORES,
    efficiency_lines,
    score_name,
    table_lines,
    values_with,
)
from bot.backgammon.lab.cube.efficiency import fixed
from bot.backgammon.lab.cube.rollouts import close_decision, is_close, judged, main
from bot.backgammon.rules.decision import CubeEvaluation
from bot.backgammon.rules.match import CubeOwner
from bot.backgammon.rules.position import START, pip_counts


@pytest.mark.parametrize(
    ("no_double", "double_take", "is_it"),
    [(0.4, 0.5, True), (0.8, 1.1, True), (0.2, 0.6, False), (1.3, 0.7, False)],
)
def test_a_decision_is_close_if_the_double_or_the_take_is(no_double, double_take, is_it):
    assert is_close(CubeEvaluation(no_double, double_take, 1.0, None)) is is_it


@pytest.mark.parametrize("score", [None, (3, 5)])
def test_a_close_decision_is_of_the_side_the_score_is_named_after(score):
    engine = Level("easy").engine(print, candidates=1)
    state, evaluation = close_decision(score, engine, random.Random(1))
    assert is_close(evaluation)
    assert state.doubling_refusal is None
    found = None if state.score is None else (state.score.away, state.score.other_away)
    assert found == score


def test_first_decisions_come_no_later_than_the_first_clear_double(monkeypatch):
    monkeypatch.setattr(rollouts, "CLEAR", -10.0)  # every double is, also the first
    monkeypatch.setattr(rollouts, "is_close", lambda _: True)
    engine = Level("easy").engine(print, candidates=1)
    for seed in range(10):
        state, _ = close_decision(None, engine, random.Random(seed), until_double=True)
        assert min(pip_counts(state.position.board[np.newaxis])) > 140


def test_a_player_without_close_decisions_is_not_waited_for(monkeypatch):
    monkeypatch.setattr(rollouts, "MAX_GAMES", 2)
    monkeypatch.setattr(rollouts, "is_close", lambda _: False)
    engine = Level("easy").engine(print, candidates=1)
    with pytest.raises(ValueError, match="2 games have no close cube decision"):
        close_decision(None, engine, random.Random(1))


def test_the_same_decision_is_judged_the_same_and_others_follow_the_scores():
    settings = RolloutSettings(2)
    first, again = (judged("easy", settings, False, False, 7) for _ in range(2))
    assert first == again
    assert score_name(first) == f"{SCORES[7][0]} away {SCORES[7][1]} away"
    assert score_name(judged("easy", settings, False, False, len(SCORES))) == "money"


def answers_with(efficiency, count=30):
    """Answers for money, whose rollouts found what the cube is worth with this efficiency."""
    rng = np.random.default_rng(1)
    made = []
    for number in range(count):
        win = rng.uniform(0.5, 0.8)
        chances = [win, 0.25 * win, 0.01, 0.2 * (1 - win), 0.005]
        answer = {
            "number": number * len(SCORES),
            "board": START.board.tolist(),
            "cube": 1,
            "owner": CubeOwner.CENTRED.name,
            "chances": chances,
        }
        found = values_with([answer], fixed(efficiency), NO_DATABASES)[0]
        said = {
            "static": (found + np.array([0.03, 0])).tolist(),
            "deeper": (found - np.array([0, 0.02])).tolist(),
        }
        made.append({**answer, **said, "rolled_out": found.tolist()})
    return made


def test_the_efficiency_by_which_values_agree_with_rollouts_is_told():
    lines = [*efficiency_lines(answers_with(0.55), NO_DATABASES)]
    rows = {tuple(line.split()[:2]): line.split() for line in lines[1:]}
    assert rows["all", "centred"][3] == "0.55"
    assert rows["all", "the"][4] == "0.55"
    assert ("all", "his") not in rows


def test_biases_are_told_by_name_at_both_depths():
    title, row = table_lines(answers_with(0.6), score_name, "score")
    assert title.startswith("score")
    assert " ".join(row.split()) == "money 30 +30 ± 0 +0 ± 0 +0 ± 0 -20 ± 0"


def test_a_single_decision_tells_nothing_of_the_error_of_its_bias():
    _, row = table_lines(answers_with(0.6, 1), score_name, "score")
    assert " ".join(row.split()).startswith("money 1 +30 ± unknown +0 ± unknown")


@pytest.fixture
def two_scores(monkeypatch):
    for module in (answers, rollouts):
        monkeypatch.setattr(module, "SCORES", (None, (2, 3)))


def run(monkeypatch, *arguments):
    options = ["--weights", "easy", "--positions", "2", "--trials", "2", *arguments]
    monkeypatch.setattr(sys, "argv", ["rollouts", *options])
    main()


def test_a_file_is_gone_on_with_and_refused_if_made_otherwise(
    two_scores, monkeypatch, tmp_path, capsys
):
    whole, part = tmp_path / "whole", tmp_path / "part"
    run(monkeypatch, "--out", str(whole))
    told = capsys.readouterr().out
    lines = whole.read_bytes().splitlines(keepends=True)
    assert len(lines) == 1 + 4
    part.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    run(monkeypatch, "--out", str(part))
    assert part.read_bytes() == whole.read_bytes()
    assert "money" in told
    assert "2 away 3 away" in told
    with pytest.raises(SystemExit, match="was made otherwise"):
        run(monkeypatch, "--out", str(part), "--seed", "2")
    for damaged in (b"{}\n", b"{bad\n"):
        part.write_bytes(lines[0] + damaged)
        with pytest.raises(SystemExit, match="part is damaged: not every line is a decision"):
            run(monkeypatch, "--out", str(part))


def test_a_file_that_cannot_be_used_is_told_before_anything_is_compiled(monkeypatch, tmp_path):
    monkeypatch.setattr(rollouts, "compile_missing", lambda *_: pytest.fail("compiled"))
    with pytest.raises(SystemExit, match=r"cannot use .*: No such file or directory"):
        run(monkeypatch, "--out", str(tmp_path / "none" / "out"))


def test_the_scores_that_are_named_have_the_decisions_they_have_among_all(
    two_scores, monkeypatch, tmp_path
):
    whole, one = tmp_path / "whole", tmp_path / "one"
    run(monkeypatch, "--out", str(whole))
    run(monkeypatch, "--out", str(one), "--scores", "2-3")
    among_all = whole.read_bytes().splitlines()[1:]
    assert one.read_bytes().splitlines()[1:] == among_all[1::2]


def test_a_score_that_is_not_rolled_out_is_named(two_scores, monkeypatch, tmp_path, capsys):
    with pytest.raises(SystemExit):
        run(monkeypatch, "--out", str(tmp_path / "out"), "--scores", "9-9")
    assert "the scores are money, 2-3, not '9-9'" in capsys.readouterr().err


def test_a_filter_where_nobody_looks_ahead_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(rollouts, "open_journal", lambda *_: pytest.fail("worked"))
    with pytest.raises(SystemExit):
        run(monkeypatch, "--out", str(tmp_path / "out"), "--filter", "tiny")
    assert "--filter is for looking ahead" in capsys.readouterr().err


def test_decisions_under_jacobys_rule_are_for_money_alone(
    two_scores, monkeypatch, tmp_path, capsys
):
    out = tmp_path / "out"
    run(monkeypatch, "--out", str(out), "--jacoby")
    assert "money, Jacoby" in capsys.readouterr().out
    head, *asked = map(json.loads, out.read_text().splitlines())
    assert head["jacoby"] is True
    assert [(each["number"], each["jacoby"]) for each in asked] == [(0, True), (2, True)]
    with pytest.raises(SystemExit):
        run(monkeypatch, "--out", str(tmp_path / "other"), "--jacoby", "--scores", "2-3")
    assert "Jacoby's rule is for money" in capsys.readouterr().err
