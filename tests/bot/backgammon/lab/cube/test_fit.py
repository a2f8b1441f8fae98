"""How live a cube is: numbers that agree best with rollouts, and what they save."""

import json
import sys

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import EFFICIENCIES
from bot.backgammon.lab.cube import fit
from bot.backgammon.lab.cube.answers import SCORES, score_of, values_with
from bot.backgammon.lab.cube.fit import (
    NUMBERS,
    UNIFORM,
    answers_in,
    fitted,
    losses,
    main,
    table_lines,
)
from bot.backgammon.rules.match import CubeOwner
from bot.backgammon.rules.position import START, Position

HEAD = json.dumps({"cube rollouts": "easy"})


def decision(number, win, board=START.board, owner=CubeOwner.CENTRED, gammons=0.3):
    return {
        "number": number,
        "board": board.tolist(),
        "cube": 1 if owner is CubeOwner.CENTRED else 2,
        "owner": owner.name,
        "chances": [win, gammons * win, 0.0, max(0.4 - gammons, 0.0) * (1 - win), 0.0],
        "static": [0.0, 0.0],
        "deeper": [0.0, 0.0],
        "rolled_out": [0.0, 0.0],
    }


@pytest.mark.parametrize(
    ("said", "rolled_out", "lost"),
    [
        ((0.5, 0.6), (0.5, 0.4), (0.1, 0)),
        ((0.5, 0.4), (0.5, 0.7), (0.2, 0)),
        ((0.5, 0.6), (0.5, 0.6), (0, 0)),
        ((0.8, 1.1), (0.8, 0.9), (0, 0.1)),
        ((0.8, 0.9), (0.7, 1.3), (0, 0.3)),
        ((1.2, 1.1), (0.9, 1.1), (0.1, 0)),
    ],
)
def test_wrong_doubles_and_wrong_answers_lose_what_rollouts_say(said, rolled_out, lost):
    assert losses(np.array([said]), np.array([rolled_out]))[0] == pytest.approx(lost)


RACE = Position.of({6: 10, 5: 5}, {7: 8, 6: 7}).board
BEHIND = Position.of({24: 2, 22: 2, 6: 4, 4: 7}, {8: 9, 5: 6}).board
OTHERS = {"pips": 0.1, "owner": 0.05, "owner_gammons": 0.2, "contact_way": 0.3, "race_way": 0.2}


def decisions(truth):
    """Decisions in matches, with contact and in races, rolled out as such efficiencies have it."""
    answers = [
        decision(SCORES.index(score), win, board, owner, gammons)
        for score in (None, (2, 3), (4, 4), (5, 4), (3, 5), (4, 5))
        for win in np.linspace(0.45, 0.85, 9)
        for board, gammons in (
            (START.board, 0.3),
            (START.board, 0.1),
            (BEHIND, 0.2),
            (BEHIND, 0.9),
            (RACE, 0.0),
        )
        for owner in CubeOwner
        if owner is not CubeOwner.OTHER
    ]
    found = values_with(answers, truth, NO_DATABASES)
    for each, values in zip(answers, found, strict=True):
        each["rolled_out"] = values.tolist()
    return answers


@pytest.mark.parametrize("truth", [EFFICIENCIES, UNIFORM, UNIFORM._replace(**OTHERS)])
def test_numbers_by_which_the_rollouts_came_about_are_found_again(truth):
    answers = decisions(truth)
    best, errors = fitted(answers, NO_DATABASES)
    wanted = [getattr(truth, name) for name in NUMBERS]
    assert [getattr(best, name) for name in NUMBERS] == pytest.approx(wanted, abs=1e-3)
    assert errors == pytest.approx(0, abs=1e-3)
    title, *rows = table_lines(answers, NO_DATABASES)
    assert title == f"{len(answers)} decisions"
    *_, last = rows
    name, *cells = last.replace(",", "").split()
    assert name == "fitted"
    assert [float(cells[i]) for i in (0, 4, -2, -1)] == [0, 0, 0, 0]


def test_table_tells_what_decisions_lose_with_one_efficiency_and_how_much_less_with_others():
    answers = decisions(EFFICIENCIES)
    *_, uniform, in_use, _ = table_lines(answers, NO_DATABASES)
    rolled_out = values_with(answers, EFFICIENCIES, NO_DATABASES)
    lost = 1000 * losses(values_with(answers, UNIFORM, NO_DATABASES), rolled_out).mean(axis=0)
    assert lost.sum() > 0.2
    cells = uniform.removeprefix("one efficiency").replace(",", "").split()
    assert [float(cells[0]), float(cells[4])] == pytest.approx(lost, abs=0.006)
    cells = in_use.removeprefix("in use").replace(",", "").split()
    assert [float(cells[0]), float(cells[4])] == [0, 0]
    assert [float(cells[1]), float(cells[5])] == pytest.approx(-lost, abs=0.006)


def test_errors_of_the_numbers_are_those_of_the_noise():
    answers = decisions(EFFICIENCIES)
    sure = [each["rolled_out"] for each in answers]
    # for money more is off than elsewhere, and rolling and a double that is taken together
    sizes = [0.02 if score_of(each["number"]) is None else 0.002 for each in answers]
    off = []
    for seed in range(5):
        noise = np.random.default_rng(seed).normal(0, sizes)
        for each, equities, more in zip(answers, sure, noise, strict=True):
            each["rolled_out"] = [equity + more for equity in equities]
        best, errors = fitted(answers, NO_DATABASES)
        off.append([getattr(best, name) - getattr(EFFICIENCIES, name) for name in NUMBERS] / errors)
    told_by_money = [NUMBERS.index(name) for name in ("gammons", "owner_gammons", "money")]
    squares = np.mean(np.square(off), axis=0)
    assert 0.5 < squares[told_by_money].mean() < 1.5
    assert squares.max() < 2


def test_a_question_that_is_answered_alike_in_two_files_makes_nothing_surer():
    answers = decisions(EFFICIENCIES)
    noise = np.random.default_rng(1).normal(0, 0.05, (len(answers), 2))
    for each, more in zip(answers, noise, strict=True):
        each["rolled_out"] = (np.array(each["rolled_out"]) + more).tolist()
    _, *once = table_lines(answers, NO_DATABASES)
    _, *twice = table_lines([*answers, *answers], NO_DATABASES)
    assert once == twice


def test_a_fit_that_does_not_come_to_rest_is_no_fit(monkeypatch):
    monkeypatch.setattr(fit, "MAX_ROUNDS", 1)
    with pytest.raises(ValueError, match="the numbers of the cube still change after 1 rounds"):
        fitted(decisions(UNIFORM), NO_DATABASES)


def test_decisions_that_do_not_tell_all_numbers_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_text("\n".join([HEAD, json.dumps(decision(6, 0.7)), ""]))
    monkeypatch.setattr(sys, "argv", ["owned_cube", str(path)])
    with pytest.raises(SystemExit, match="too few decisions to tell all numbers of the cube"):
        main()
    path.write_text(HEAD + "\n")
    with pytest.raises(SystemExit, match="the files have no decision"):
        main()


def test_a_last_line_cut_short_is_left_out(tmp_path):
    path = tmp_path / "file"
    lines = [decision(0, 0.7), decision(6, 0.7)]
    path.write_text("\n".join([HEAD, json.dumps(lines[0]), json.dumps(lines[1])[:50]]))
    assert answers_in(path) == lines[:1]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (None, "there is no file .*other"),
        ("", "other is no file of cube rollouts"),
        ("hello\n", "other is no file of cube rollouts"),
        (f"{HEAD}\nhello\n", "other is damaged"),
        (f"{HEAD}\n{{}}\n", "other is damaged"),
        ("a folder", "other is a folder: name files of cube rollouts"),
    ],
)
def test_another_file_is_named(text, reason, tmp_path, monkeypatch):
    path = tmp_path / "other"
    if text == "a folder":
        path.mkdir()
    elif text is not None:
        path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["owned_cube", str(path)])
    with pytest.raises(SystemExit, match=reason):
        main()
