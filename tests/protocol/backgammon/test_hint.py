import json

import pytest
from hypothesis import given, settings

from bot.backgammon.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.engine import Engine
from bot.backgammon.evaluator import NetworkEvaluator
from bot.backgammon.match import GameState
from bot.backgammon.network import random_network
from bot.backgammon.position import START
from bot.backgammon.roll import Roll
from protocol.backgammon.hint import hint_lines, hint_values, rated_plays
from tests.strategies import positions, rolls

ENGINE = Engine(NetworkEvaluator(random_network(8, seed=5)), cube=False)


def test_plays_are_ranked_with_their_loss():
    lines = hint_lines(ChooseCheckerPlay(GameState(START), Roll(3, 1)), ENGINE, 5)
    assert len(lines) == 6
    assert lines[0].split() == ["ply", "equity", "loss", "win", "w.gam", "w.bg", "l.gam", "l.bg"]
    assert [line.split()[0] for line in lines[1:]] == list("12345")
    equities = [float(line[19:].split()[0]) for line in lines[1:]]
    assert equities == sorted(equities, reverse=True)
    losses = [float(line[19:].split()[1]) for line in lines[2:]]
    assert losses == pytest.approx([e - equities[0] for e in equities[1:]], abs=0.0011)


@settings(max_examples=50)
@given(position=positions(), roll=rolls())
def test_hint_fits_into_eighty_columns(position, roll):
    lines = hint_lines(ChooseCheckerPlay(GameState(position), roll), ENGINE, 50)
    assert max(map(len, lines)) <= 80
    assert len({len(line) for line in lines}) == 1


@settings(max_examples=50)
@given(position=positions(), roll=rolls())
def test_values_for_a_program_agree_with_the_engine(position, roll):
    question = ChooseCheckerPlay(GameState(position), roll)
    values = json.loads(json.dumps(hint_values(question, ENGINE, 3)))
    rated = rated_plays(question, ENGINE)[:3]
    assert values["dice"] == [roll.high, roll.low]
    assert [row["equity"] for row in values["plays"]] == pytest.approx(
        [row.equity for row in rated], abs=1e-4
    )
    assert [row["chances"]["win"] for row in values["plays"]] == pytest.approx(
        [row.chances.win for row in rated], abs=1e-4
    )
    assert all(row["loss"] >= 0 for row in values["plays"])


@pytest.mark.parametrize("kind", [ChooseCubeAction, AnswerDouble])
def test_without_a_roll_the_chances_of_the_player_on_roll_are_told(kind):
    chances = ENGINE.chances(START)
    question = kind(GameState(START))
    assert hint_lines(question, ENGINE, 5)[1].split() == [
        f"{chances.equity:+.3f}",
        *(
            f"{100 * chance:.1f}"
            for chance in (
                chances.win,
                chances.win_gammon,
                chances.win_backgammon,
                chances.lose_gammon,
                chances.lose_backgammon,
            )
        ),
    ]
    values = hint_values(question, ENGINE, 5)
    assert values["dice"] is None
    assert values["equity"] == pytest.approx(chances.equity, abs=1e-4)
