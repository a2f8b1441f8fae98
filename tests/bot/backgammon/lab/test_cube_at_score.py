"""What the owner of a cube lacks at the score: losses by rollouts, and which numbers save most."""

import json
import sys

import numpy as np
import pytest

from bot.backgammon.evaluation.bearoff import NO_DATABASES
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
        "errors": [0.01, 0.01],
    }


@pytest.mark.parametrize(
    ("said", "found", "lost"),
    [
        ((0.5, 0.6), (0.5, 0.4), (0.1, 0)),
        ((0.5, 0.4), (0.5, 0.7), (0.2, 0)),
        ((0.5, 0.6), (0.5, 0.6), (0, 0)),
        ((0.8, 1.1), (0.8, 0.9), (0, 0.1)),
        ((0.8, 0.9), (0.7, 1.3), (0, 0.3)),
        ((1.2, 1.1), (0.9, 1.1), (0.1, 0)),
    ],
)
def test_wrong_doubles_and_wrong_answers_lose_what_rollouts_say(said, found, lost):
    assert losses(np.array([said]), np.array([found]))[0] == pytest.approx(lost)


def test_numbers_by_which_the_rollouts_came_about_save_most():
    wins = np.linspace(0.55, 0.85, 60)
    number = SCORES.index((4, 4))
    answers = [decision(number, win) for win in wins]
    truth = UNIFORM._replace(ahead=0.44, behind=0.6, gammons=0.3)
    found = values_with(answers, truth, NO_DATABASES)
    for each, values in zip(answers, found, strict=True):
        each["rolled_out"] = values.tolist()
    title, _, best, *_, worst = table_lines(answers, NO_DATABASES)
    assert title.startswith("60 decisions")
    perfect = losses(values_with(answers, UNIFORM, NO_DATABASES), found)
    cells = best.replace("±", "").split()
    saved = 1000 * perfect.mean(axis=0)
    assert saved.sum() > 0.2
    assert [float(cells[3]), float(cells[5])] == pytest.approx(saved.tolist(), abs=0.006)
    assert best != worst


def test_money_and_races_are_left_out(tmp_path):
    race = Position.of({6: 15}, {6: 15}).board
    lines = [decision(0, 0.7), decision(6, 0.7), decision(6, 0.7, race)]
    path = tmp_path / "file"
    path.write_text("\n".join([HEAD, *map(json.dumps, lines)]) + "\n")
    assert match_answers([path]) == [lines[1]]
    path.write_text("\n".join([HEAD, json.dumps(lines[0])]))
    with pytest.raises(ValueError, match="no decision in a match"):
        match_answers([path])


@pytest.mark.parametrize("text", ["", "hello\n"])
def test_another_file_is_named(text, tmp_path, monkeypatch):
    path = tmp_path / "other"
    path.write_text(text)
    monkeypatch.setattr(sys, "argv", ["cube_at_score", str(path)])
    with pytest.raises(SystemExit, match="other is no file of cube rollouts"):
        main()
