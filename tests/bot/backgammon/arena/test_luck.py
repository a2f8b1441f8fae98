import numpy as np
import pytest

from bot.backgammon.arena.duel import played_pairs
from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.played_pair import GameResult, PlayedGame
from bot.backgammon.engine.level import Level
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.record import Rules
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.fakes.restless_player import RestlessPlayer

CUBELESS = Rules(None, has_cube=False)


def test_the_luck_of_a_roll_is_what_it_leaves_beyond_the_mean():
    engine = Level("td-128").engine(print, candidates=1, cube=False)

    def worth(position, roll):
        return engine.decide(ChooseCheckerPlay(GameState(position), roll)).candidates[0].equity

    actions = (["opening", 3, 1], ["play", 8, 5, 6, 5], ["roll", 6, 6])
    play = engine.decide(ChooseCheckerPlay(GameState(START), Roll(3, 1))).play
    assert sorted((leg.source, leg.target) for leg in play.legs) == [(6, 5), (8, 5)]
    reached = turned(play.after)
    mean = sum(roll.chance * worth(reached, roll) for roll in ROLLS)
    lost = PlayedGame(GameResult(-1, 1), (*actions, ["play", 24, 18, 24, 18, 13, 7, 13, 7]))
    (game,) = LuckMeter("td-128").measured((lost,), CUBELESS)
    assert game.luck == pytest.approx(mean - worth(reached, Roll(6, 6)), abs=1e-4)


@pytest.mark.parametrize("length", [None, 3])
def test_luck_is_the_other_players_the_other_way_round_and_even_in_the_mean(length):
    match_format = MatchFormat(20, length, cube=True, jacoby=length is None, seed=2)
    players = RestlessPlayer(), RestlessPlayer()
    meter = LuckMeter("td-128", None if length is None else blot_table())
    sums = []
    for pair in played_pairs(players, match_format, range(10)):
        one, other = (
            sum(game.luck for game in meter.measured(contest, match_format.rules))
            for contest in pair.contests
        )
        assert one == pytest.approx(-other, abs=1e-6)
        sums.append(one)
    assert abs(np.mean(sums)) < 4 * np.std(sums) / 10**0.5


@pytest.mark.parametrize("cube", [Cube(), Cube(2, CubeOwner.ON_ROLL), Cube(2, CubeOwner.OTHER)])
@pytest.mark.parametrize("score", [None, Score(7, 0, 0), Score(7, 6, 0)])
def test_luck_with_the_cube_or_in_a_match_is_what_a_search_says_there(cube, score):
    state, met = GameState(START, cube, score, MoneyRules(jacoby=False)), blot_table()
    engine = Level("td-128").engine(print, candidates=1, met=met)

    def worth(roll):
        best = engine.decide(ChooseCheckerPlay(state, roll)).candidates[0]
        return best.equity * cube.value if score is None else best.mwc

    mean = sum(roll.chance * worth(roll) for roll in ROLLS)
    found = LuckMeter("td-128", met).luck(Game(state, 0), Roll(6, 6))
    assert found == pytest.approx(worth(Roll(6, 6)) - mean, abs=1e-6)


def test_luck_in_a_match_without_the_cube_is_in_chances_to_win_it_too():
    meter, state = LuckMeter("td-128", blot_table()), GameState(START, score=Score(3, 2, 2))
    lucks = {meter.luck(Game(state, 0, has_cube=cube), Roll(6, 6)) for cube in (True, False)}
    assert len(lucks) == 1


def test_luck_of_a_roll_in_a_money_game_is_times_the_cube():
    meter, money = LuckMeter("td-128"), MoneyRules(jacoby=False)
    lucks = [
        meter.luck(Game(GameState(START, Cube(value, CubeOwner.OTHER), money=money), 0), Roll(3, 1))
        for value in (2, 8)
    ]
    assert lucks[0] > 0
    assert lucks[1] == pytest.approx(4 * lucks[0])


def test_a_game_against_the_rules_is_refused():
    cheat = PlayedGame(GameResult(1, 1), (["opening", 3, 1], ["play", 24, 18]))
    with pytest.raises(ValueError, match="the legs are not those of the dice"):
        LuckMeter("td-128").measured((cheat,), CUBELESS)
