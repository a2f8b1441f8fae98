"""Two analysts beside each other, and rollouts of what they dispute."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.engine.agreement import (
    Opinions,
    Ruling,
    best_of,
    disputed,
    loss_by,
    opinions_of,
    ruling_on,
)
from bot.backgammon.engine.analysis import Analyst, CubeVerdict, PlayVerdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_start import (
    cubeless_start,
    play_start,
    roll_start,
    take_start,
)
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import Choice, choices_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import Roll
from tests.games import random_match

EVEN = Chances(0.5, 0.1, 0.0, 0.1, 0.0)
ROLL = Roll(3, 1)
PLAYS = legal_plays(START, ROLL)
SETTINGS = RolloutSettings(36, truncate=3, ply=0, seed=3)


def play_verdict(*equities):
    """A verdict on the plays, the best first, of which the first was made."""
    rows = [Candidate(play, EVEN, equity) for play, equity in zip(PLAYS, equities, strict=False)]
    played, ordered = rows[0], sorted(rows, key=lambda row: -row.equity)
    return PlayVerdict(tuple(ordered), len(PLAYS), ordered.index(played) + 1, 0.0, 1.0)


def play_opinions(first, second):
    request = ChooseCheckerPlay(GameState(START), ROLL)
    choice = Choice(1, 1, 0, 0, request, PLAYS[0])
    return Opinions(choice, play_verdict(*first), play_verdict(*second))


def cube_opinions(kind, answer, first, second):
    choice = Choice(1, 1, 0, 0, kind(GameState(START)), answer)
    return Opinions(
        choice, *(CubeVerdict(answer, CubeEvaluation(*one), EVEN, 1.0) for one in (first, second))
    )


def test_choice_is_disputed_if_both_say_that_the_others_loses_more():
    apart = play_opinions((0.10, 0.05), (0.05, 0.08))
    assert not apart.is_same
    assert apart.losses == pytest.approx((0.05, 0.03))
    assert disputed([apart], 0.02) == [apart]
    assert disputed([apart], 0.04) == []
    agreed = play_opinions((0.10, 0.05), (0.09, 0.01))
    assert agreed.is_same
    assert disputed([agreed], 0.0) == []


def test_close_cubes_are_disputed_and_forced_plays_are_not():
    apart = play_opinions((0.10, 0.05), (0.05, 0.08))
    forced = replace(apart, second=replace(apart.second, legal=1))
    close = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.55, 1.0), (0.5, -0.5, 1.0))
    assert close.losses == pytest.approx((0.05, 1.0))
    assert disputed([apart, forced, close], 0.02) == [apart, close]


def test_plays_that_leave_the_same_are_the_same_whichever_way_the_checkers_go():
    opinions = play_opinions((0.1,), (0.1,))
    (row,) = opinions.second.candidates
    other_way = replace(row, play=replace(row.play, legs=row.play.legs[::-1]))
    assert other_way.play != row.play
    assert replace(opinions, second=replace(opinions.second, candidates=(other_way,))).is_same


def test_no_play_is_the_best_where_there_is_none():
    with pytest.raises(ValueError, match="there is no play to choose"):
        best_of(replace(play_verdict(0.1), candidates=()))


def test_play_that_is_not_listed_loses_as_much_as_the_last_one_at_least():
    verdict = play_verdict(0.1, 0.05, 0.02)
    assert loss_by(verdict, PLAYS[1]) == pytest.approx(0.05)
    unlisted = replace(PLAYS[0], after=Position.of({6: 1}, {6: 1}))
    assert loss_by(verdict, unlisted) == pytest.approx(0.08)


def test_best_action_and_answer_follow_the_evaluation():
    for answer, equities, best in (
        (CubeAction.ROLL, (0.5, 0.8, 1.0), CubeAction.DOUBLE),
        (CubeAction.DOUBLE, (0.5, 0.4, 1.0), CubeAction.ROLL),
        (DoubleAnswer.TAKE, (0.9, 1.2, 1.0), DoubleAnswer.DROP),
        (DoubleAnswer.DROP, (0.5, 0.8, 1.0), DoubleAnswer.TAKE),
        (DoubleAnswer.TAKE, (-0.5, -0.3, 1.0, None, True), DoubleAnswer.BEAVER),
        (DoubleAnswer.DROP, (-0.5, -0.3, 1.0), DoubleAnswer.TAKE),
    ):
        assert best_of(CubeVerdict(answer, CubeEvaluation(*equities), EVEN, 1.0)) is best


def test_choices_are_put_side_by_side_though_one_left_some_out():
    engine = Engine(NetworkEvaluator(random_network(12, 1)))
    choices = choices_of(random_match(Rules(2), 3, games=1))[:20]
    judged = [(one, Analyst(engine, engine).verdict(one)) for one in choices]
    opinions = opinions_of(judged, judged[5:])
    assert [one.choice for one in opinions] == list(choices[5:])
    assert [(one.first, one.second) for one in opinions] == [
        (verdict, verdict) for _, verdict in judged[5:]
    ]


@pytest.mark.parametrize(("edge", "right"), [(0.1, 0), (-0.1, 1), (0.07, None), (-0.07, None)])
def test_analyst_is_right_where_chance_makes_it_seem_so_less_than_once_in_twenty_times(edge, right):
    assert Ruling(edge, 0.04, 36).right == right


@pytest.fixture(scope="module")
def player(tmp_path_factory):
    path = tmp_path_factory.mktemp("weights") / "net.npz"
    random_network(8, seed=5).save(path)
    return RolloutPlayer(str(path), has_databases=False)


def test_rollout_rules_the_same_whoever_chose_which_play(player):
    first, second = ([0.0] * len(PLAYS) for _ in range(2))
    first[1], second[2] = 0.1, 0.1
    edge = ruling_on(play_opinions(first, second), player, SETTINGS)
    reverse = ruling_on(play_opinions(second, first), player, SETTINGS)
    assert edge.edge == pytest.approx(-reverse.edge)
    assert edge.error > 0
    assert (edge.trials, reverse.trials) == (36, 36)


def test_rollout_tells_double_from_roll_and_take_from_drop(player):
    acted = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.8, 1.0), (0.5, 0.3, 1.0))
    ruling = ruling_on(acted, player, SETTINGS)
    answered = cube_opinions(AnswerDouble, DoubleAnswer.TAKE, (0.5, 0.8, 1.0), (0.9, 1.3, 1.0))
    taken = ruling_on(answered, player, SETTINGS)
    assert ruling.right == (None if abs(ruling.edge) <= 1.96 * ruling.error else ruling.edge < 0)
    assert taken.edge == pytest.approx(
        -ruling_on(
            replace(answered, first=answered.second, second=answered.first), player, SETTINGS
        ).edge
    )


def test_edge_is_what_the_first_ones_choice_is_worth_more(player):
    starts = [start(GameState(START), blot_table()) for start in (roll_start, take_start)]
    *_, (rolled, taken) = rollouts(starts, player, SETTINGS)
    assert taken.equity < 1
    acted = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.8, 1.0), (0.5, 0.3, 1.0))
    assert ruling_on(acted, player, SETTINGS).edge == pytest.approx(taken.equity - rolled.equity)
    answered = cube_opinions(AnswerDouble, DoubleAnswer.TAKE, (0.5, 0.8, 1.0), (0.9, 1.3, 1.0))
    assert ruling_on(answered, player, SETTINGS).edge == pytest.approx(1 - taken.equity)


@pytest.mark.parametrize("has_cube", [True, False])
def test_plays_are_rolled_out_with_the_cube_where_there_is_one(player, has_cube):
    first, second = ([0.0] * len(PLAYS) for _ in range(2))
    first[1], second[2] = 0.1, 0.1
    afters = PLAYS[1].after, PLAYS[2].after
    if has_cube:
        starts = [play_start(GameState(START), after, blot_table()) for after in afters]
    else:
        starts = [cubeless_start(turned(after)) for after in afters]
    *_, (one, other) = rollouts(starts, player, SETTINGS)
    ruling = ruling_on(play_opinions(first, second), player, SETTINGS, has_cube=has_cube)
    assert ruling.edge == pytest.approx(other.equity - one.equity)


def test_choices_that_count_are_unforced_plays_and_close_cubes():
    free, forced = play_opinions((0.1, 0.0), (0.0, 0.1)), play_opinions((0.1, 0.0), (0.0, 0.1))
    forced = replace(forced, second=replace(forced.second, legal=1))
    close, clear = (0.5, 0.52, 1.0), (0.5, -0.5, 1.0)
    either = cube_opinions(ChooseCubeAction, CubeAction.ROLL, clear, close)
    neither = cube_opinions(ChooseCubeAction, CubeAction.ROLL, clear, clear)
    assert [one.is_play for one in (free, forced, either)] == [True, False, False]
    assert [one.is_cube for one in (free, either, neither)] == [False, True, False]


def test_double_that_is_beavered_counts_twice(player):
    behind = Position.of({24: 2, 23: 2, 20: 11}, {3: 2, 4: 2, 6: 2})
    state = GameState(behind, money=MoneyRules(beavers=True))
    starts = [start(state) for start in (roll_start, take_start)]
    *_, (rolled, taken) = rollouts(starts, player, SETTINGS)
    assert taken.equity < 0
    acted = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.8, 1.0), (0.5, 0.3, 1.0))
    acted = replace(acted, choice=replace(acted.choice, request=ChooseCubeAction(state)))
    edge = 2 * taken.equity - rolled.equity
    assert ruling_on(acted, player, SETTINGS).edge == pytest.approx(edge)
    beavers, drops = (-0.5, -0.3, 1.0, None, True), (0.9, 1.2, 1.0)
    answered = cube_opinions(AnswerDouble, DoubleAnswer.TAKE, beavers, drops)
    answered = replace(answered, choice=replace(answered.choice, request=AnswerDouble(state)))
    edge = 1 - 2 * taken.equity
    assert ruling_on(answered, player, SETTINGS).edge == pytest.approx(edge)


def test_ruling_on_a_double_goes_by_the_match_equities_that_are_given(player):
    points = np.arange(len(blot_table().pre))
    met = replace(blot_table(), name="other", pre=0.5 + 0.007 * (points - points[:, np.newaxis]))
    state = GameState(START, score=Score(5, 2, 2))
    starts = [start(state, met) for start in (roll_start, take_start)]
    *_, (rolled, taken) = rollouts(starts, player, SETTINGS)
    acted = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.8, 1.0), (0.5, 0.3, 1.0))
    acted = replace(acted, choice=replace(acted.choice, request=ChooseCubeAction(state)))
    edge = taken.equity - rolled.equity
    assert ruling_on(acted, player, SETTINGS, met=met).edge == pytest.approx(edge)


def test_double_that_is_dropped_is_worth_what_the_first_one_says(player):
    state = GameState(Position.of({1: 4}, {6: 8}))
    starts = [start(state) for start in (roll_start, take_start)]
    *_, (rolled, taken) = rollouts(starts, player, SETTINGS)
    assert taken.equity > 1
    acted = cube_opinions(ChooseCubeAction, CubeAction.ROLL, (0.5, 0.8, 0.9), (0.5, 0.3, 1.0))
    acted = replace(acted, choice=replace(acted.choice, request=ChooseCubeAction(state)))
    assert ruling_on(acted, player, SETTINGS).edge == pytest.approx(0.9 - rolled.equity)
