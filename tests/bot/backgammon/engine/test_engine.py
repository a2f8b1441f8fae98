"""Every question of a game, answered from one evaluator."""

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.move_filter import MoveFilter
from bot.backgammon.engine.search import Search, SearchSettings
from bot.backgammon.evaluation.bearoff import build_databases
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, NetworkEvaluator
from bot.backgammon.evaluation.met import MatchEquityTable, blot_table
from bot.backgammon.evaluation.network import load_network, random_network
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
    ProperAction,
)
from bot.backgammon.rules.match import MAX_CUBE, Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances, chances_of, cubeless_equities
from bot.backgammon.rules.play import Leg, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from tests.strategies import positions, rolls

EVALUATOR = NetworkEvaluator(random_network(12, 1))
ENGINE = Engine(EVALUATOR, cube=False)


class Fixed:
    """Gives every position the same chances."""

    def __init__(self, *chances):
        self._chances = np.array(chances, np.float32)

    def outcomes(self, boards):
        return np.repeat(self._chances[np.newaxis], len(boards), axis=0)


@given(position=positions(), roll=rolls())
def test_every_legal_play_is_evaluated_and_the_best_chosen(position, roll):
    decision = ENGINE.decide(ChooseCheckerPlay(GameState(position), roll))
    plays = legal_plays(position, roll)
    assert {candidate.play for candidate in decision.candidates} == set(plays)
    if not plays:
        assert decision.play.legs == ()
        assert decision.play.after == position
        return
    replies = np.stack([turned(candidate.play.after).board for candidate in decision.candidates])
    expected = -cubeless_equities(EVALUATOR.outcomes(replies))
    assert [candidate.equity for candidate in decision.candidates] == pytest.approx(
        expected.tolist(), abs=1e-4
    )
    assert decision.play == decision.candidates[0].play
    assert np.allclose(expected, sorted(expected, reverse=True), atol=1e-4)
    for candidate in decision.candidates:
        assert candidate.chances.equity == pytest.approx(candidate.equity, abs=1e-5)


def test_winning_play_is_evaluated_by_the_rules():
    position = Position.of({1: 2}, {1: 15})
    decision = ENGINE.decide(ChooseCheckerPlay(GameState(position), Roll(2, 1)))
    assert decision.play.after.checkers == 0
    assert decision.candidates[0].equity == 2


def test_fewer_candidates_are_listed_on_demand():
    decision = Engine(EVALUATOR, candidates=2).decide(
        ChooseCheckerPlay(GameState(START), Roll(3, 1))
    )
    assert len(decision.candidates) == 2


def test_without_the_cube_it_never_doubles():
    decision = Engine(Fixed(0.8, 0.2, 0, 0, 0), cube=False).decide(
        ChooseCubeAction(GameState(START))
    )
    assert decision.action is CubeAction.ROLL
    assert decision.chances.win == pytest.approx(0.8)


@pytest.mark.parametrize(
    ("win", "answer"),
    [(0.74, DoubleAnswer.TAKE), (0.75, DoubleAnswer.TAKE), (0.76, DoubleAnswer.DROP)],
)
def test_without_the_cube_it_takes_with_a_quarter_of_the_games(win, answer):
    decision = Engine(Fixed(win, 0, 0, 0, 0), cube=False).decide(AnswerDouble(GameState(START)))
    assert decision.answer is answer
    assert decision.chances.win == pytest.approx(1 - win)


def test_plays_evaluated_deeper_stand_first_and_say_so():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    search = SearchSettings(1, (MoveFilter(0, 3, 3.0),))
    engine = Engine(evaluator, search, cube=False)
    decision = engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1)))
    plies = [candidate.ply for candidate in decision.candidates]
    assert plies == [1, 1, 1] + [0] * (len(plies) - 3)
    for first, last in ((0, 3), (3, len(plies))):
        equities = [candidate.equity for candidate in decision.candidates[first:last]]
        assert equities == sorted(equities, reverse=True)
    for candidate in decision.candidates:
        assert candidate.chances.equity == pytest.approx(candidate.equity, abs=1e-5)


def test_cube_is_answered_as_deep_as_plays_are_evaluated():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    for ply in (0, 1):
        search = SearchSettings(ply)
        decision = Engine(evaluator, search).decide(AnswerDouble(GameState(START)))
        expected = Search(evaluator, search).outcomes(START.board)[0]
        assert decision.chances == chances_of(expected).turned()


@pytest.mark.parametrize(
    ("margin", "ply"), [(0.0, 0), (100.0, 1)], ids=["clear at a glance", "worth a look"]
)
@pytest.mark.parametrize("request_of", [ChooseCubeAction, AnswerDouble])
def test_clear_cube_decision_is_not_looked_into_where_the_decision_alone_matters(
    request_of, margin, ply
):
    evaluator = CompositeEvaluator(EVALUATOR.network)
    settings = SearchSettings(1, (MoveFilter(0, 3, margin),))
    request = request_of(money())
    decided = Engine(evaluator, settings, candidates=1).decide(request)
    assert decided == Engine(evaluator, SearchSettings(ply)).decide(request)
    assert Engine(evaluator, settings).decide(request) != Engine(evaluator).decide(request)


def test_wanted_plays_are_evaluated_as_deep_as_the_best_and_change_no_other():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    engine = Engine(evaluator, SearchSettings(1, (MoveFilter(0, 2, 100.0),)))
    request = ChooseCheckerPlay(money(), Roll(3, 1))
    decided = engine.decide(request).candidates
    assert [row.ply for row in decided[:3]] == [1, 1, 0]
    wanted = decided[-1].play
    found = {row.play: row for row in engine.all_candidates(request, [wanted])}
    assert found[wanted].ply == 1
    deep = Engine(evaluator, SearchSettings(1, (MoveFilter(0, 99, 100.0),)))
    assert found[wanted] == next(r for r in deep.decide(request).candidates if r.play == wanted)
    assert all(found[row.play] == row for row in decided if row.play != wanted)
    assert engine.all_candidates(request, [wanted])[0] == decided[0]


def test_plays_beside_wanted_ones_are_listed_by_equity_behind_the_best():
    evaluator = CompositeEvaluator(random_network(12, 2))  # without sorting they are not
    engine = Engine(evaluator, SearchSettings(1, (MoveFilter(0, 2, 100.0),)))
    request = ChooseCheckerPlay(money(), Roll(3, 1))
    decided = engine.decide(request).candidates
    best, *others = engine.all_candidates(request, [decided[-1].play])
    assert best.ply == 1
    capped = [min(row.equity, best.equity) for row in others]
    assert capped == sorted(capped, reverse=True)


def test_who_may_not_double_does_not_think_about_it():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    settings = SearchSettings(1, (MoveFilter(0, 3, 100.0),))
    request = ChooseCubeAction(money(cube=Cube(2, CubeOwner.OTHER)))
    decided = Engine(evaluator, settings, candidates=1).decide(request)
    assert decided == Engine(evaluator).decide(request)


@pytest.mark.parametrize(("count", "ply"), [(1, 0), (2, 1), (None, 1)])
def test_play_without_rivals_is_looked_into_unless_the_decision_alone_matters(count, ply):
    settings = SearchSettings(1, (MoveFilter(0, 1, 0.0),))
    engine = Engine(CompositeEvaluator(EVALUATOR.network), settings, candidates=count)
    request = ChooseCheckerPlay(money(), Roll(3, 1))
    first, second = engine.all_candidates(request)[:2]
    assert first.ply == engine.decide(request).candidates[0].ply == ply
    assert engine.all_candidates(request, [second.play])[0].ply == 1


def test_without_the_cube_nobody_doubles_where_the_decision_alone_matters():
    evaluator = CompositeEvaluator(EVALUATOR.network)
    settings = SearchSettings(1, (MoveFilter(0, 3, 100.0),))
    engine = Engine(evaluator, settings, candidates=1, cube=False)
    assert engine.decide(ChooseCubeAction(money())).action is CubeAction.ROLL


def test_evaluator_without_a_network_cannot_look_ahead():
    with pytest.raises(ValueError, match="Fixed evaluates positions, it cannot look ahead"):
        Engine(Fixed(0.5, 0, 0, 0, 0), SearchSettings(1))


def money(position=START, cube=None, *, jacoby=False, beavers=False):
    """A money game."""
    return GameState(position, cube or Cube(), None, MoneyRules(jacoby, beavers))


def in_match(length, own, other, cube=None, *, is_crawford=False, position=START):
    """A game of a match."""
    return GameState(position, cube or Cube(), Score(length, own, other, is_crawford))


MIDDLE = Position.of({13: 2, 8: 3, 6: 4, 5: 3, 4: 3}, {24: 2, 13: 4, 8: 3, 6: 4, 3: 2})
OWN, OTHERS = (Cube(2, owner) for owner in (CubeOwner.ON_ROLL, CubeOwner.OTHER))


@pytest.mark.parametrize(
    ("win", "gammon", "action", "proper"),
    [
        (0.5, 0.1, CubeAction.ROLL, ProperAction.NO_DOUBLE_TAKE),
        (0.72, 0.1, CubeAction.DOUBLE, ProperAction.DOUBLE_TAKE),
        (0.78, 0.1, CubeAction.DOUBLE, ProperAction.DOUBLE_DROP),
        (0.85, 0.8, CubeAction.ROLL, ProperAction.TOO_GOOD_DROP),
    ],
)
def test_it_doubles_when_that_is_worth_most(win, gammon, action, proper):
    engine = Engine(Fixed(win, gammon, 0, 0, 0))
    decision = engine.decide(ChooseCubeAction(money(MIDDLE)))
    assert decision.action is action
    assert decision.evaluation.proper is proper
    assert decision.resigns == 0
    answered = engine.decide(AnswerDouble(money(MIDDLE)))
    assert answered.evaluation == decision.evaluation
    assert answered.chances.win == pytest.approx(1 - win)
    drops = "drop" in proper.value
    assert answered.answer is (DoubleAnswer.DROP if drops else DoubleAnswer.TAKE)


@pytest.mark.parametrize(
    "state",
    [
        money(cube=OTHERS),
        money(cube=Cube(MAX_CUBE, CubeOwner.ON_ROLL)),
        in_match(5, 4, 2, is_crawford=True),
        in_match(5, 4, 2),
        in_match(5, 3, 0, OWN),
        in_match(1, 0, 0),
    ],
)
def test_where_nobody_may_double_the_dice_are_rolled(state):
    decision = Engine(Fixed(0.75, 0, 0, 0, 0)).decide(ChooseCubeAction(state))
    assert decision.action is CubeAction.ROLL
    assert decision.evaluation is None
    assert state.doubling_refusal is not None


def test_trailer_doubles_at_once_after_the_crawford_game():
    for win in (0.3, 0.6):
        decision = Engine(Fixed(win, 0, 0, 0, 0)).decide(ChooseCubeAction(in_match(5, 2, 4)))
        assert decision.action is CubeAction.DOUBLE


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        (money(beavers=True), DoubleAnswer.BEAVER),
        (money(), DoubleAnswer.TAKE),
        (in_match(7, 0, 0), DoubleAnswer.TAKE),
    ],
)
def test_bad_double_is_beavered_only_in_money_games_with_beavers(state, answer):
    engine = Engine(Fixed(0.4, 0.1, 0, 0.1, 0))
    assert engine.decide(AnswerDouble(state)).answer is answer
    assert engine.decide(ChooseCubeAction(state)).action is CubeAction.ROLL


@pytest.mark.parametrize("request_of", [ChooseCubeAction, AnswerDouble])
def test_sure_win_without_gammons_is_to_be_cashed(request_of):
    decision = Engine(Fixed(1, 0, 0, 0, 0)).decide(request_of(money(MIDDLE)))
    assert decision.evaluation.proper is ProperAction.DOUBLE_DROP


def test_without_the_cube_a_position_is_worth_its_chances():
    engine, each = (
        Engine(Fixed(0.6, 0.1, 0, 0.2, 0.05), cube=False),
        Chances(0.6, 0.1, 0, 0.2, 0.05),
    )
    assert engine.worth(money())[1] == pytest.approx(0.2 + 0.1 - 0.25)
    score = Score(5, 1, 3)
    expected = blot_table().mwc_of_chances(score, 2, each)
    assert engine.worth(GameState(START, OWN, score))[1] == pytest.approx(expected)


def test_double_of_who_is_ahead_is_not_beavered():
    decision = Engine(Fixed(0.6, 0.1, 0, 0.1, 0)).decide(AnswerDouble(money(beavers=True)))
    assert 0 < decision.evaluation.double_take < 1
    assert decision.answer is DoubleAnswer.TAKE


def test_double_with_a_dead_cube_is_taken_as_a_drop_loses_the_match():
    engine = Engine(Fixed(0.95, 0.5, 0, 0, 0))
    assert engine.decide(AnswerDouble(in_match(5, 3, 0, OWN))).answer is DoubleAnswer.TAKE
    assert engine.decide(AnswerDouble(in_match(5, 2, 0, OWN))).answer is DoubleAnswer.DROP


def test_double_that_nobody_can_have_made_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="nobody doubles with the other side's cube"):
        Engine(Fixed(0.4, 0.1, 0, 0.1, 0)).decide(AnswerDouble(money(cube=OTHERS)))


def test_match_score_says_what_a_double_is_worth():
    engine = Engine(Fixed(0.7, 0.2, 0, 0.05, 0))
    evaluated = engine.decide(ChooseCubeAction(in_match(7, 5, 3))).evaluation
    assert evaluated.double_drop == 1
    assert all(0 < mwc < 1 for mwc in evaluated.mwc)
    assert evaluated.mwc[2] == pytest.approx(blot_table().mwc(1, 4))
    assert engine.decide(ChooseCubeAction(money())).evaluation.mwc is None


def test_other_match_equities_give_other_evaluations():
    state = in_match(7, 5, 3)
    away = np.arange(1.0, 65.0)
    simple = MatchEquityTable("simple", away / (away + away[:, np.newaxis]), 1 / (1 + away))
    evaluator = Fixed(0.7, 0.2, 0, 0.05, 0)
    evaluated = Engine(evaluator, met=simple).decide(ChooseCubeAction(state)).evaluation
    assert evaluated.mwc[2] == pytest.approx(4 / 5)
    assert evaluated != Engine(evaluator).decide(ChooseCubeAction(state)).evaluation


TRAINED = CompositeEvaluator(load_network("td-256"), build_databases(lambda text: None, 4, 3))
PLAYER = Engine(TRAINED)


def test_play_for_the_gammon_differs_from_the_play_that_saves_it():
    going = in_match(7, 5, 6, is_crawford=True)
    saving = in_match(7, 6, 5, is_crawford=True)
    plays = [
        PLAYER.decide(ChooseCheckerPlay(state, Roll(6, 4))).play.legs for state in (going, saving)
    ]
    assert set(plays[0]) == {Leg(8, 2), Leg(6, 2)}
    assert plays[1][0] == Leg(24, 18)
    assert plays[0] == PLAYER.decide(ChooseCheckerPlay(going, Roll(6, 4))).play.legs


@pytest.mark.parametrize("ply", [0, 1])
def test_plays_are_evaluated_in_points_or_as_the_match_stands(ply):
    engine = Engine(TRAINED, SearchSettings(ply, (MoveFilter(0, 3, 1.0),)))
    state = in_match(7, 3, 5, OTHERS)
    for candidate in engine.decide(ChooseCheckerPlay(state, Roll(3, 1))).candidates:
        lost, won = (blot_table().mwc_after(state.score, points) for points in (-2, 2))
        assert candidate.mwc == pytest.approx(
            (won + lost) / 2 + candidate.equity * (won - lost) / 2
        )
        assert 0 < candidate.mwc < 1
    plays = engine.decide(ChooseCheckerPlay(money(), Roll(3, 1))).candidates
    assert [candidate.mwc for candidate in plays] == [None] * len(plays)
    assert plays[0].ply == ply
    equities = [candidate.equity for candidate in plays[:3]]
    assert equities == sorted(equities, reverse=True)
    assert plays[0].equity != pytest.approx(plays[0].chances.equity, abs=1e-4)


def test_winning_play_wins_the_cube():
    position = Position.of({1: 2}, {1: 15})
    cases = [
        (money(position), 2),
        (money(position, jacoby=True), 1),
        (money(position, OTHERS, jacoby=True), 2),
    ]
    for state, equity in cases:
        decision = PLAYER.decide(ChooseCheckerPlay(state, Roll(2, 1)))
        assert decision.candidates[0].equity == equity
    state = in_match(7, 5, 6, position=position)
    assert PLAYER.decide(ChooseCheckerPlay(state, Roll(2, 1))).candidates[0].mwc == 1
