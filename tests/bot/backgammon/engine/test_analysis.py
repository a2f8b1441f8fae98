"""Verdicts on choices, and the luck of rolls."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from bot.backgammon.engine.analysis import (
    CANDIDATES_KEPT,
    Analyst,
    CubeVerdict,
    PlayVerdict,
    cube_loss,
    stake_of,
)
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import NO_DATABASES
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, NetworkEvaluator
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.games import random_match
from tests.strategies import positions

ENGINE = Engine(NetworkEvaluator(random_network(12, 1)))
ANALYST = Analyst(ENGINE, ENGINE)
AWAY = np.arange(1.0, 65.0)
SIMPLE = MatchEquityTable("simple", AWAY / (AWAY + AWAY[:, np.newaxis]), 1 / (1 + AWAY))


@settings(max_examples=10)
@given(position=positions())
def test_luck_is_nothing_on_average(position):
    for score in (None, Score(5, 3, 1)):
        state = GameState(position, score=score)
        luck = sum(roll.chance * ANALYST.luck(state, roll) for roll in ROLLS)
        assert luck == pytest.approx(0, abs=1e-6)


def test_luck_without_the_cube_is_nothing_on_average_where_the_bar_is_closed():
    engine = Engine(NetworkEvaluator(random_network(12, 1)), cube=False)
    points = [0] * 26
    points[25], points[6], points[19:25] = 1, 14, [-2] * 6
    state = GameState(Position(tuple(points)), score=Score(5, 3, 1))
    for roll in ROLLS:
        assert Analyst(engine, engine, has_cube=False).luck(state, roll) == pytest.approx(
            0, abs=1e-6
        )


@pytest.mark.parametrize("score", [None, Score(5, 3, 1)])
@pytest.mark.parametrize("cube", [True, False])
def test_roll_that_dances_leaves_what_the_other_side_has_on_roll(score, cube):
    engine = Engine(NetworkEvaluator(random_network(12, 1)), cube=cube, met=SIMPLE)
    position = Position.of({25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 13: 5})
    state = GameState(position, score=score)
    analyst = Analyst(engine, engine, SIMPLE, has_cube=cube)
    enters, dances = Roll(2, 1), Roll(6, 5)
    chances, worth = engine.worth(state.turned())
    entered = engine.decide(ChooseCheckerPlay(state, enters)).candidates[0].equity
    danced = -chances.equity
    if cube and score is None:
        danced = -worth
    elif cube:
        won, lost = (SIMPLE.mwc_after(score, points) for points in (1, -1))
        danced = 2 * (1 - worth - lost) / (won - lost) - 1
    found = analyst.luck(state, enters) - analyst.luck(state, dances)
    assert found == pytest.approx(entered - danced, abs=1e-6)


def test_luck_of_the_first_roll_counts_both_who_might_have_won_it():
    state = GameState(START)
    thrown = [roll for roll in ROLLS if not roll.is_double]
    luck = sum(ANALYST.luck(state, roll, is_opening=True) for roll in thrown) / len(thrown)
    equities = [
        ENGINE.decide(ChooseCheckerPlay(state, roll)).candidates[0].equity for roll in thrown
    ]
    assert luck == pytest.approx(sum(equities) / len(thrown), abs=1e-6)
    request = ChooseCheckerPlay(state, Roll(3, 1))
    first = ANALYST.verdict(Choice(1, 1, 1, 0, request, legal_plays(START, Roll(3, 1))[0]))
    assert first.luck == ANALYST.luck(state, Roll(3, 1), is_opening=True)
    assert first.luck != ANALYST.luck(state, Roll(3, 1))


def test_play_loses_what_it_lies_behind_the_best_and_has_its_rank():
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    rows = ENGINE.all_candidates(request)
    for rank, row in enumerate(rows, start=1):
        verdict = ANALYST.verdict(Choice(1, 1, 1, 0, request, row.play))
        assert verdict.rank == rank
        assert verdict.legal == len(rows) == len(legal_plays(START, Roll(3, 1)))
        assert verdict.played.play == row.play
        assert verdict.loss == pytest.approx(rows[0].equity - row.equity)
        assert verdict.is_unforced


def test_verdict_keeps_the_best_plays_and_the_one_that_was_played_once():
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    rows = ENGINE.all_candidates(request)
    for rank, row in enumerate(rows, start=1):
        others = rows[:CANDIDATES_KEPT]
        kept = others if rank <= CANDIDATES_KEPT else (*others, row)
        assert ANALYST.verdict(Choice(1, 1, 1, 0, request, row.play)).candidates == kept


def test_play_that_was_made_is_evaluated_as_deep_as_the_best():
    evaluator = CompositeEvaluator(random_network(12, 1), NO_DATABASES)
    engine = Engine(evaluator, SearchSettings(1, (MoveFilter(0, 1, 0.0),)))
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    worst = engine.all_candidates(request)[-1]
    verdict = Analyst(engine, ENGINE).verdict(Choice(1, 1, 1, 0, request, worst.play))
    assert (worst.ply, verdict.played.ply) == (0, 1)


def test_roll_that_allows_no_play_was_played_without_a_loss():
    closed = Position.of({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2))
    request = ChooseCheckerPlay(GameState(closed), Roll(3, 1))
    verdict = ANALYST.verdict(Choice(1, 1, 1, 0, request, CheckerPlay((), closed)))
    assert (verdict.legal, verdict.rank, verdict.played) == (0, 1, None)
    assert (verdict.loss, verdict.is_unforced, verdict.static_loss) == (0, False, None)


def test_best_play_is_good_where_another_looks_better_without_looking_ahead():
    evaluator = CompositeEvaluator(random_network(12, 1), NO_DATABASES)
    static = Engine(evaluator, candidates=1)
    analyst = Analyst(Engine(evaluator, SearchSettings(1)), static)
    good = []
    for roll in ROLLS[:5]:
        request = ChooseCheckerPlay(GameState(START), roll)
        deep = Engine(evaluator, SearchSettings(1)).all_candidates(request)
        seen = Engine(evaluator).all_candidates(request)
        for row in deep[:2]:
            verdict = analyst.verdict(Choice(1, 1, 1, 0, request, row.play))
            shallow = next(each for each in seen if each.play.after == row.play.after)
            assert verdict.static_loss == pytest.approx(seen[0].equity - shallow.equity)
            is_best = deep[0].equity == row.equity
            assert verdict.is_good == (is_best and seen[0].play.after != row.play.after)
            good.append(verdict.is_good)
    assert set(good) == {True, False}


def test_roll_without_a_play_has_luck_alone():
    request = ChooseCheckerPlay(GameState(START), Roll(3, 1))
    verdict = ANALYST.verdict(Choice(1, 1, 1, 0, request, None))
    assert (verdict.rank, verdict.loss, verdict.is_unforced) == (None, 0, False)


@pytest.mark.parametrize("rules", [Rules(), Rules(3), Rules(has_cube=False)])
def test_every_choice_of_a_match_gets_a_verdict(rules):
    analyst = (
        ANALYST
        if rules.has_cube
        else Analyst(Engine(NetworkEvaluator(random_network(12, 1)), cube=False), ENGINE)
    )
    for choice in choices_of(random_match(rules, 2, games=1)):
        verdict = analyst.verdict(choice)
        assert verdict.loss >= 0
        kind = PlayVerdict if isinstance(choice.request, ChooseCheckerPlay) else CubeVerdict
        assert isinstance(verdict, kind)


def test_best_action_and_answer_lose_nothing_and_the_others_their_difference():
    too_good = CubeEvaluation(1.2, 1.6, 1.0)
    assert cube_loss(too_good, CubeAction.ROLL) == 0
    assert cube_loss(too_good, CubeAction.DOUBLE) == pytest.approx(0.2)
    assert cube_loss(too_good, DoubleAnswer.TAKE) == pytest.approx(0.6)
    double = CubeEvaluation(0.5, 0.8, 1.0)
    assert cube_loss(double, CubeAction.ROLL) == pytest.approx(0.3)
    assert cube_loss(double, DoubleAnswer.DROP) == pytest.approx(0.2)
    beaver = CubeEvaluation(-0.1, -0.2, 1.0, may_beaver=True)
    assert cube_loss(beaver, CubeAction.DOUBLE) == pytest.approx(0.3)
    assert cube_loss(beaver, DoubleAnswer.TAKE) == pytest.approx(0.2)
    assert cube_loss(beaver, DoubleAnswer.BEAVER) == 0


def test_double_is_close_where_it_is_made_or_would_be_no_very_bad_one():
    chances = ENGINE.chances(START)
    verdict = CubeVerdict(CubeAction.ROLL, CubeEvaluation(0.3, 0.1, 1.0), chances, 1.0)
    assert not verdict.is_close
    assert replace(verdict, evaluation=CubeEvaluation(0.3, 0.2, 1.0)).is_close
    assert replace(verdict, answer=CubeAction.DOUBLE).is_close
    assert replace(verdict, evaluation=CubeEvaluation(1.4, 2.5, 3.0)).is_close


def test_stake_is_the_cube_and_in_a_match_half_of_what_lies_between_win_and_loss():
    assert stake_of(GameState(START, Cube(4, CubeOwner.ON_ROLL))) == 4
    score = Score(3, 1, 0)
    met = blot_table()
    for told, used in ((None, met), (SIMPLE, SIMPLE)):
        assert stake_of(GameState(START, score=score), told) == pytest.approx(
            (used.mwc_after(score, 1) - used.mwc_after(score, -1)) / 2
        )


class Ahead:
    """Gives the player on roll 6 wins in 10, none of them a gammon, in every position."""

    def outcomes(self, boards):
        return np.repeat(np.array([[0.6, 0, 0, 0, 0]], np.float32), len(boards), axis=0)


OWN, AHEAD = Cube(2, CubeOwner.ON_ROLL), Score(5, 4, 0)


@pytest.mark.parametrize(
    ("score", "cube", "rolls", "taken"),
    [
        # who loses the game comes to 2 away each, or with a double has lost the match
        (Score(5, 3, 1), OWN, 0.6 + 0.4 * 0.5, 0.6),
        # whoever wins the game has won the match
        (Score(5, 3, 3), OWN, 0.6, 0.6),
        # the trailer doubles as soon as he can: he wins 2 points, or with a double 4
        (AHEAD, Cube(), 0.6 + 0.4 * blot_table().mwc_after(AHEAD, -2), 0.6 + 0.4 * 0.5),
    ],
)
def test_double_with_a_dead_cube_loses_what_the_taker_wins_more(score, cube, rolls, taken):
    engine, state = Engine(Ahead()), GameState(START, cube, score)
    lost = []
    for request, answer in (
        (ChooseCubeAction(state), CubeAction.DOUBLE),
        (AnswerDouble(state), DoubleAnswer.TAKE),
        (AnswerDouble(state), DoubleAnswer.DROP),
    ):
        verdict = Analyst(engine, engine).verdict(Choice(1, 1, 1, 0, request, answer))
        assert verdict.evaluation.mwc == pytest.approx((rolls, taken, 1))
        assert verdict.chances.win == pytest.approx(0.6)
        lost.append(verdict.loss * verdict.stake)
    assert lost == pytest.approx([rolls - taken, 0, 1 - taken], abs=1e-6)


@pytest.mark.parametrize("beavers", [0, 1])
def test_answer_to_a_beaver_is_judged_without_another_one(beavers):
    state = GameState(START, money=MoneyRules(beavers=True))
    choice = Choice(1, 1, 1, 0, AnswerDouble(state), DoubleAnswer.TAKE, beavers)
    assert ANALYST.verdict(choice).evaluation.may_beaver is not bool(beavers)


def test_double_that_the_rules_forbid_has_no_verdict():
    asked = ChooseCubeAction(GameState(START, score=Score(3, 2, 1, True)))
    with pytest.raises(ValueError, match="no choice with the cube"):
        ANALYST.verdict(Choice(1, 1, 1, 0, asked, CubeAction.ROLL))
