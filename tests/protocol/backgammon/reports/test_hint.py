import json
from dataclasses import replace
from typing import NamedTuple

import pytest
from hypothesis import given, settings

from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    CubeEvaluation,
    Decision,
    DoubleAnswer,
    DoubleDecision,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.reports.hint import all_candidates, hint_lines, hint_values
from tests.fakes.cube_player import cube_player
from tests.strategies import positions, rolls

ENGINE = Engine(NetworkEvaluator(random_network(8, seed=5)), cube=False)


def test_plays_are_ranked_with_their_loss():
    lines = hint_lines(ChooseCheckerPlay(GameState(START), Roll(3, 1)), ENGINE, 5)
    assert len(lines) == 6
    assert lines[0].split() == [
        "cubeful",
        "ply",
        "equity",
        "loss",
        "win",
        "w.gam",
        "w.bg",
        "l.gam",
        "l.bg",
    ]
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
    evaluated = all_candidates(question, ENGINE)[:3]
    assert values["dice"] == [roll.high, roll.low]
    assert [row["equity"] for row in values["plays"]] == pytest.approx(
        [row.equity for row in evaluated], abs=1e-4
    )
    assert [row["chances"]["win"] for row in values["plays"]] == pytest.approx(
        [row.chances.win for row in evaluated], abs=1e-4
    )
    assert all(row["loss"] >= 0 for row in values["plays"])


class Rolled(NamedTuple):
    """Decides as it was told to."""

    decision: Decision

    def decide(self, request):
        return self.decision


def test_plays_that_were_rolled_out_are_marked_and_their_errors_told():
    question = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    decision = ENGINE.decide(question)
    first, second, *others = decision.candidates
    rows = (replace(first, trials=144, error=0.004), replace(second, trials=72, error=0.011))
    player = Rolled(replace(decision, candidates=(*rows, *others)))
    lines = hint_lines(question, player, 3)
    assert [line[15:19].strip() for line in lines[1:4]] == ["R", "R", "0"]
    assert lines[4:] == ["R: rolled out, 144 trials at most, standard errors to 0.011."]
    values = hint_values(question, player, 3)["plays"]
    assert [row.get("trials") for row in values] == [144, 72, None]
    assert [row.get("error") for row in values] == [0.004, 0.011, None]


def test_cube_decision_says_how_often_it_was_rolled_out():
    chances, evaluated = ENGINE.chances(START), CubeEvaluation(0.5, 0.6, 1.0)
    state = GameState(START)
    for question, decision in (
        (ChooseCubeAction(state), CubeDecision(CubeAction.DOUBLE, chances, evaluated, trials=144)),
        (AnswerDouble(state), DoubleDecision(DoubleAnswer.TAKE, chances, evaluated, 144)),
    ):
        player = Rolled(decision)
        assert hint_lines(question, player)[-1] == "Rolled out, 144 trials."
        assert hint_values(question, player)["trials"] == 144
        searched = Rolled(replace(decision, trials=0))
        assert "trials" not in "".join(hint_lines(question, searched))
        assert "trials" not in hint_values(question, searched)


def test_who_is_beavered_is_told_his_own_chances_and_what_is_best_for_him():
    chances = Chances(0.02, 0, 0, 0, 0)
    evaluated = CubeEvaluation(-1.9, -1.9, 1.0, may_beaver=True)
    decision = DoubleDecision(DoubleAnswer.BEAVER, chances.turned(), evaluated)
    question = AnswerDouble(GameState(START))
    values = hint_values(question, Rolled(decision), is_beavered=True)
    assert values["chances"]["win"] == pytest.approx(0.02, abs=1e-3)
    assert values["proper"] == "drop"
    assert values["answer"]["take"]["equity"] == -1.9
    lines = hint_lines(question, Rolled(decision), is_beavered=True)
    assert "Proper action: drop." in lines
    assert lines[1].split()[1] == "2.0"
    values = hint_values(question, Rolled(decision))
    assert (values["proper"], values["answer"]["take"]["equity"]) == ("beaver", 1.9)
    assert values["chances"]["win"] == pytest.approx(0.98, abs=1e-3)


def test_without_a_roll_the_chances_of_the_player_on_roll_are_told():
    chances = ENGINE.chances(START)
    question = ChooseCubeAction(GameState(START))
    numbers = (
        chances.win,
        chances.win_gammon,
        chances.win_backgammon,
        chances.lose_gammon,
        chances.lose_backgammon,
    )
    lines = hint_lines(question, ENGINE, uses_cube=False)
    assert lines[1].split() == [
        f"{chances.equity:+.3f}",
        *(f"{100 * chance:.1f}" for chance in numbers),
    ]
    values = hint_values(question, ENGINE, uses_cube=False)
    assert values["dice"] is None
    assert values["equity"] == pytest.approx(chances.equity, abs=1e-4)


CUBE_HINT = """\
cubeless equity   win w.gam  w.bg l.gam  l.bg
         +0.505  70.0  20.0   1.0  10.0   0.5

cubeful       points   diff
No double     +0.600 -0.120
Double, take  +0.720
Double, drop  +1.000 +0.280
Proper action: double, take.
Not to double loses 0.120, to drop a double 0.280."""


def test_before_the_roll_the_cube_table_follows_the_chances():
    question = ChooseCubeAction(GameState(START))
    assert "\n".join(hint_lines(question, cube_player("taker"))) == CUBE_HINT
    values = json.loads(json.dumps(hint_values(question, cube_player("taker"))))
    assert values["cube"]["double_take"] == {"equity": 0.72}
    assert values["proper"] == "double, take"
    assert values["may_not_double"] is None
    assert values["resigns"] == 0


@pytest.mark.parametrize(
    ("state", "reason"),
    [
        (
            GameState(START, score=Score(5, 4, 1, is_crawford=True)),
            "it is the Crawford game",
        ),
        (
            GameState(START, score=Score(5, 4, 1)),
            "the cube's value is enough to win the match",
        ),
        (GameState(START, Cube(2, CubeOwner.OTHER)), "the cube is the other side's"),
    ],
)
def test_who_may_not_double_is_told_why_beside_the_chances(state, reason):
    question = ChooseCubeAction(state)
    lines = hint_lines(question, cube_player("taker"))
    told = "The player on roll may not double"
    if "enough" in reason:
        told = "A double would gain nothing"
    assert lines[2:] == [f"{told}: {reason}."]
    values = hint_values(question, cube_player("taker"))
    assert values["may_not_double"] == reason
    assert values["cube"] is None
    assert values["proper"] == "roll"
    assert len(hint_lines(question, cube_player("taker"), uses_cube=False)) == 2
    assert hint_values(question, cube_player("taker"), uses_cube=False)["may_not_double"] is None


def test_double_in_the_id_is_answered():
    question = AnswerDouble(GameState(START, score=Score(7, 2, 4)))
    lines = hint_lines(question, cube_player("taker"))
    assert lines[-2:] == ["Proper action: take.", "To drop loses 0.480 (11.00 %)."]
    values = hint_values(question, cube_player("taker"))
    assert values["answer"]["take"] == {"equity": -0.52, "mwc": 0.41}
    assert values["proper"] == "take"
    assert values["chances"]["win"] == 0.3


def test_double_without_a_evaluation_is_answered_too():
    question = AnswerDouble(GameState(START))
    assert hint_lines(question, ENGINE)[-1].startswith("Proper action: ")
    assert hint_values(question, ENGINE)["answer"] is None


@pytest.mark.parametrize(("name", "answer"), [("taker", "accept"), ("proud", "decline")])
def test_resignation_in_the_id_is_answered(name, answer):
    question = AnswerResignation(GameState(START), 2)
    assert hint_lines(question, cube_player(name))[-1] == f"Offered a gammon: {answer}."
    values = hint_values(question, cube_player(name))
    assert (values["offered"], values["proper"]) == (2, answer)


def test_lost_game_is_to_be_resigned():
    question = ChooseCubeAction(GameState(START))
    lines = hint_lines(question, cube_player("quitter"))
    assert lines[-1] == "The game is lost: resign a single game."
    assert hint_values(question, cube_player("quitter"))["resigns"] == 1


def test_plays_of_a_match_are_evaluated_by_its_winning_chance():
    question = ChooseCheckerPlay(GameState(START, score=Score(7, 2, 4)), Roll(3, 1))
    lines = hint_lines(question, cube_player("taker"))
    assert lines[0].split()[3:] == ["loss", "mwc", "%", "win", "w.gam", "l.gam"]
    assert lines[1].split()[-5:] == ["+0.250", "61.20", "70.0", "20.0", "10.0"]
    assert len(lines[0]) == len(lines[1]) <= 80
    values = hint_values(question, cube_player("taker"))
    assert values["plays"][0]["mwc"] == 0.612
    assert values["plays"][0]["equity"] == 0.25
    assert set(values["plays"][0]["chances"]) >= {"win_backgammon", "lose_backgammon"}


def test_equities_are_said_to_be_cubeful_or_cubeless():
    question = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    for uses_cube, word in ((True, "cubeful "), (False, "cubeless ")):
        assert hint_lines(question, ENGINE, uses_cube=uses_cube)[0].startswith(word)
        assert hint_values(question, ENGINE, uses_cube=uses_cube)["cubeful"] is uses_cube
    before = hint_values(ChooseCubeAction(GameState(START)), ENGINE)
    assert before["cubeful"] is False
    assert "mwc" not in before


@pytest.mark.parametrize("own", [2, 6], ids=["may double", "Crawford game"])
def test_match_winning_chance_stands_beside_the_chances_of_a_match(own):
    engine = Engine(NetworkEvaluator(random_network(8, seed=5)))
    state = GameState(START, score=Score(7, own, 4, is_crawford=own == 6))
    lines = hint_lines(ChooseCubeAction(state), engine)
    values = hint_values(ChooseCubeAction(state), engine)
    assert lines[0].split()[:4] == ["cubeless", "equity", "mwc", "%"]
    assert lines[1].split()[1] == f"{100 * values['mwc']:.2f}"
    if values["cube"]:
        assert values["mwc"] == values["cube"]["no_double"]["mwc"]


def test_who_answers_sees_the_match_winning_chance_of_the_best_answer():
    engine = Engine(NetworkEvaluator(random_network(8, seed=5)))
    state = GameState(START, score=Score(7, 2, 4))
    values = hint_values(AnswerDouble(state), engine)
    assert values["mwc"] == max(row["mwc"] for row in values["answer"].values())
    offered = hint_values(AnswerResignation(state, 1), engine)
    mwcs = hint_values(ChooseCubeAction(state), engine)["cube"].values()
    rolled, taken, dropped = (row["mwc"] for row in mwcs)
    assert offered["mwc"] == pytest.approx(1 - max(rolled, min(taken, dropped)), abs=2e-6)
