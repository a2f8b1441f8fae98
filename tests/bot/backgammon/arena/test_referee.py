from itertools import cycle

import pytest

from bot.backgammon.arena.played_pair import GameResult
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.arena.referee import play_game
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    DoubleAnswer,
    PlayDecision,
)
from bot.backgammon.rules.game import Resignation
from bot.backgammon.rules.match import Cube, CubeOwner, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, Leg
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.roll import Roll
from tests.fakes.scripted_player import EVEN, ScriptedPlayer, doubled

TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER
BEAVERS = MoneyRules(jacoby=False, beavers=True)
ROLLS = [(3, 1), (4, 2), (6, 5), (5, 5), (2, 1), (6, 4), (4, 3), (6, 1), (3, 3)]


def played(*players, first=0, **stakes):
    rolls = (Roll.of_dice(*roll) for roll, _ in zip(cycle(ROLLS), range(400), strict=False))
    return play_game(players, rolls, first=first, **stakes)


def once(turn=0):
    """Doubles at the first chance after so many."""
    chances = iter(range(1000))
    return lambda state: next(chances) == turn


def in_order(*decisions):
    """Answers doubles one after the other."""
    rest = iter(decisions)
    return lambda state: next(rest)


def test_a_game_without_doubles_counts_its_kind():
    player, opponent = ScriptedPlayer(), ScriptedPlayer()
    result = played(player, opponent, money=MoneyRules(jacoby=False))
    assert abs(result.points) == result.kind
    for one in (player, opponent):
        assert {state.cube for state in one.states(ChooseCubeAction)} == {Cube()}


def test_the_first_roll_is_played_by_the_first_seat_without_a_double():
    player, opponent = ScriptedPlayer(), ScriptedPlayer()
    played(player, opponent, first=1, score=Score(5, 0, 0))
    assert isinstance(opponent.asked[0], ChooseCheckerPlay)
    assert opponent.asked[0].roll == Roll(3, 1)
    assert isinstance(player.asked[0], ChooseCubeAction)
    assert player.asked[0].state.position != START


@pytest.mark.parametrize("first", [0, 1])
def test_a_drop_costs_the_cube_before_the_double(first):
    doubler = ScriptedPlayer(once())
    other = ScriptedPlayer(answers=lambda state: doubled(DROP))
    players = (doubler, other) if first == 0 else (other, doubler)
    assert played(*players, first=first) == GameResult(1 if first == 0 else -1, 1)
    assert other.states(AnswerDouble) == doubler.states(ChooseCubeAction)


def test_a_take_gives_the_cube_to_the_taker_who_alone_may_redouble():
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer(once(3))
    player.answers = lambda state: doubled(DROP)
    assert played(player, opponent) == GameResult(-2, 1)
    assert opponent.states(ChooseCubeAction)[-1].cube == Cube(2, CubeOwner.ON_ROLL)
    assert len(player.states(ChooseCubeAction)) == 1
    assert player.states(AnswerDouble)[0].cube == Cube(2, CubeOwner.ON_ROLL)
    assert player.states(ChooseCheckerPlay)[-1].cube == Cube(2, CubeOwner.OTHER)


def test_redoubles_raise_the_stake():
    player, opponent = ScriptedPlayer(lambda state: True), ScriptedPlayer(lambda state: True)
    opponent.answers = in_order(*[doubled(TAKE)] * 3, doubled(DROP))
    assert played(player, opponent) == GameResult(128, 1)
    values = [state.cube.value for state in opponent.states(AnswerDouble)]
    assert values == [2, 8, 32, 128]


@pytest.mark.parametrize(
    ("money", "answer", "cube"),
    [
        (MoneyRules(beavers=False), TAKE, Cube(2, CubeOwner.OTHER)),
        (MoneyRules(beavers=False), BEAVER, Cube(2, CubeOwner.OTHER)),
        (BEAVERS, BEAVER, Cube(4, CubeOwner.OTHER)),
    ],
)
def test_a_beaver_is_a_take_where_none_is_allowed(money, answer, cube):
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer()
    opponent.answers = lambda state: doubled(answer, -0.5)
    player.answers = lambda state: doubled(TAKE, -0.5)
    played(player, opponent, money=money)
    assert player.states(ChooseCheckerPlay)[-1].cube == cube
    assert len(player.states(AnswerDouble)) == (cube.value == 4)


def test_a_beaver_in_a_match_is_a_take():
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer()
    opponent.answers = lambda state: doubled(BEAVER)
    played(player, opponent, score=Score(7, 0, 0), money=BEAVERS)
    assert player.states(ChooseCheckerPlay)[-1].cube == Cube(2, CubeOwner.OTHER)


def test_the_roller_is_asked_about_a_beaver_with_the_own_roll_to_come():
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer()
    opponent.answers = lambda state: doubled(BEAVER)
    player.answers = lambda state: doubled(TAKE, -1.5)
    assert played(player, opponent, money=BEAVERS) == GameResult(-2, 1)
    asked = player.states(AnswerDouble)[0]
    assert asked.position == player.states(ChooseCubeAction)[0].position
    assert asked.cube == Cube(2, CubeOwner.ON_ROLL)


def test_a_chain_ends_after_three_beavers_and_leaves_the_cube_with_the_first_taker():
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer()
    opponent.answers = lambda state: doubled(BEAVER)
    player.answers = lambda state: doubled(TAKE, 0.5)
    played(player, opponent, money=BEAVERS)
    assert [state.cube.value for state in opponent.states(AnswerDouble)] == [1, 4]
    assert [state.cube.value for state in player.states(AnswerDouble)] == [2, 8]
    assert [state.money.beavers for state in player.states(AnswerDouble)] == [True, False]
    assert opponent.states(ChooseCubeAction)[-1].cube == Cube(16, CubeOwner.ON_ROLL)


def test_a_raccoon_may_be_dropped():
    player, opponent = ScriptedPlayer(once()), ScriptedPlayer()
    opponent.answers = in_order(doubled(BEAVER), doubled(DROP))
    player.answers = lambda state: doubled(TAKE, 0.5)
    assert played(player, opponent, money=BEAVERS) == GameResult(4, 1)


def test_under_the_jacoby_rule_gammons_count_only_with_a_turned_cube():
    def result(is_doubled, jacoby):
        player = ScriptedPlayer(once() if is_doubled else lambda state: False)
        value = 2 if is_doubled else 1
        opponent = ScriptedPlayer(resigns=lambda state: 2 * (state.cube.value == value))
        return played(player, opponent, money=MoneyRules(jacoby))

    assert result(False, jacoby=True) == GameResult(1, 1)
    assert result(False, jacoby=False) == GameResult(2, 2)
    assert result(True, jacoby=True) == GameResult(4, 2)


def test_nobody_doubles_in_the_crawford_game_nor_with_a_dead_cube():
    crawford = ScriptedPlayer(lambda state: True), ScriptedPlayer(lambda state: True)
    played(*crawford, score=Score(5, 4, 2, is_crawford=True))
    dead = ScriptedPlayer(lambda state: True), ScriptedPlayer(once(1))
    played(*dead, score=Score(5, 4, 2))
    assert [player.states(ChooseCubeAction) for player in crawford] == [[], []]
    assert dead[0].states(ChooseCubeAction) == []
    assert {state.score for state in dead[1].states(ChooseCubeAction)} == {Score(5, 2, 4)}
    assert dead[0].states(AnswerDouble)[0].score == Score(5, 2, 4)


def test_an_accepted_resignation_ends_the_game():
    player = ScriptedPlayer(resigns=lambda state: 2)
    opponent = ScriptedPlayer()
    assert played(player, opponent, score=Score(5, 0, 0)) == GameResult(-2, 2)
    assert opponent.asked == [AnswerResignation(player.asked[0].state, 2)]


def test_a_declined_resignation_is_not_repeated_in_the_same_position():
    player = ScriptedPlayer(resigns=lambda state: 1)
    opponent = ScriptedPlayer(accepts=lambda state, points: False)
    assert played(player, opponent) is not None
    asked = opponent.states(AnswerResignation)
    assert len(asked) == len(player.states(ChooseCheckerPlay)) > 5
    assert len({state.position for state in asked}) == len(asked)
    assert len(player.states(ChooseCubeAction)) == len(asked) - 1


def test_the_board_is_seen_by_whoever_is_asked():
    player, opponent = ScriptedPlayer(once(2)), ScriptedPlayer()
    played(player, opponent, score=Score(7, 1, 3))
    assert {state.score for state in player.states(ChooseCheckerPlay)} == {Score(7, 1, 3)}
    assert {state.score for state in opponent.states(ChooseCheckerPlay)} == {Score(7, 3, 1)}
    assert opponent.states(AnswerDouble)[0].score == Score(7, 1, 3)
    first = player.asked[0]
    after = player._engine.decide(first).play.after
    assert opponent.asked[0].state.position == turned(after)


def test_a_game_that_outlasts_its_rolls_has_no_result():
    players = ScriptedPlayer(), ScriptedPlayer()
    assert play_game(players, [Roll(3, 1), Roll(2, 1)], first=0) is None


class Confused:
    """A player that answers every question with a roll."""

    def decide(self, request):
        return CubeDecision(CubeAction.ROLL, EVEN)


class Cheat:
    """A player that plays a six whatever is rolled."""

    def decide(self, request):
        return PlayDecision(CheckerPlay((Leg(24, 18),), turned(START)), ())


@pytest.mark.parametrize(
    ("player", "reason"),
    [
        (Confused(), "a player answered ChooseCheckerPlay with CubeDecision"),
        (Cheat(), "the legs lead to another position"),
    ],
)
@pytest.mark.parametrize("first", [0, 1])
def test_an_answer_against_the_rules_loses_a_single_game(player, reason, first):
    found = []
    result = played(player, player, first=first, on_forfeit=lambda *told: found.append(told))
    assert result == GameResult(1 if first else -1, 1)
    ((seat, forfeit),) = found
    assert seat == first
    assert reason in str(forfeit)


def test_who_fails_to_answer_a_resignation_loses_the_game_himself():
    class Speechless(ScriptedPlayer):
        def decide(self, request):
            if isinstance(request, AnswerResignation):
                raise ForfeitError("nothing to say", ["> resign?"])
            return super().decide(request)

    found = []
    players = ScriptedPlayer(resigns=lambda state: 2), Speechless()
    result = played(*players, on_forfeit=lambda *told: found.append(told))
    assert result == GameResult(1, 1)
    ((seat, forfeit),) = found
    assert (seat, str(forfeit), forfeit.transcript) == (1, "nothing to say", ("> resign?",))


@pytest.mark.parametrize("accepts", [True, False])
def test_who_tells_nothing_but_a_resignation_fails_only_if_it_is_declined(accepts):
    class Stubborn(ScriptedPlayer):
        def decide(self, request):
            raise ForfeitError("resigned again and again", resigns=2)

    found, answers = [], []
    result = played(
        Stubborn(),
        ScriptedPlayer(accepts=lambda state, points: accepts),
        money=MoneyRules(jacoby=False),
        on_forfeit=lambda *told: found.append(told),
        answers=answers,
    )
    assert result == (GameResult(-2, 2) if accepts else GameResult(-1, 1))
    assert len(found) == (not accepts)
    assert (Resignation(2) in answers) == accepts


def test_who_offers_what_was_declined_in_the_same_position_and_fails_loses_the_game():
    class Repeating(ScriptedPlayer):
        def decide(self, request):
            if isinstance(request, ChooseCheckerPlay):
                raise ForfeitError("resigned again", resigns=1)
            return super().decide(request)

    found = []
    players = ScriptedPlayer(), Repeating(resigns=lambda state: 1)
    players[0].accepts = lambda state, points: False
    result = played(*players, on_forfeit=lambda *told: found.append(told))
    assert result == GameResult(1, 1)
    ((seat, forfeit),) = found
    assert (seat, str(forfeit)) == (1, "resigned again")
    assert len(players[0].states(AnswerResignation)) == 1
