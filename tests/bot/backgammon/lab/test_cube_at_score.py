"""What the owner of a cube lacks at the score: losses by rollouts, and which numbers save most."""

import json
import sys

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.cube import EFFICIENCIES
from bot.backgammon.lab.cube_at_score import (
    UNIFORM,
    losses,
    main,
    match_answers,
    table_lines,
)
from bot.backgammon.lab.cube_rollouts import SCORES, values_with
from bot.backgammon.rules.match import CubeOwner
from bot.backgammon.rules.position import START, Position

HEAD = json.dumps({"cube rollouts": "easy"})


def decision(number, win, board=START.board):
    return {
        "number": number,
        "board": board.tolist(),
        "cube": 1,
        "owner": CubeOwner.CENTRED.name,
        "chances": [win, 0.3 * win, 0.0, 0.1 * (1 - win), 0.0],
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


def cells(line):
    """The three numbers of a row, what is saved doubling and taking, and the bias."""
    each = line.replace("±", "").split()
    return [*map(float, each[:3]), float(each[3]), float(each[5]), float(each[7])]


@pytest.mark.parametrize(
    "truth",
    [EFFICIENCIES, UNIFORM._replace(least_chance=0.44, per_chance=0.6, per_price=0.3)],
)
def test_numbers_by_which_the_rollouts_came_about_save_all_that_one_efficiency_loses(truth):
    number = SCORES.index((4, 4))
    answers = [decision(number, win) for win in np.linspace(0.55, 0.85, 60)]
    found = values_with(answers, truth, NO_DATABASES)
    for each, values in zip(answers, found, strict=True):
        each["rolled_out"] = values.tolist()
    title, _, now, best, *others = table_lines(answers)
    assert title.startswith("60 decisions")
    lost = 1000 * losses(values_with(answers, UNIFORM, NO_DATABASES), found).mean(axis=0)
    assert lost.sum() > 0.2
    rows = {tuple(row[:3]): row[3:] for row in map(cells, [now, best, *others])}
    assert rows[truth[3:]] == pytest.approx([*lost, 0], abs=0.006)
    assert now.endswith("as Blot plays")
    saved = [sum(cells(line)[3:5]) for line in (best, *others)]
    assert saved == sorted(saved, reverse=True)


def test_money_and_races_are_left_out(tmp_path):
    race = Position.of({6: 15}, {6: 15}).board
    lines = [decision(0, 0.7), decision(6, 0.7), decision(6, 0.7, race)]
    path = tmp_path / "file"
    path.write_text("\n".join([HEAD, *map(json.dumps, lines), ""]))
    assert match_answers([path]) == [lines[1]]
    path.write_text("\n".join([HEAD, json.dumps(lines[0]), json.dumps(lines[1])[:50]]))
    with pytest.raises(ValueError, match="no decision in a match"):
        match_answers([path])


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
    monkeypatch.setattr(sys, "argv", ["cube_at_score", str(path)])
    with pytest.raises(SystemExit, match=reason):
        main()
