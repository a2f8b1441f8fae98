from types import SimpleNamespace

import numpy as np
import pytest

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.evaluator import CompositeEvaluator, NetworkEvaluator
from bot.backgammon.evaluation.met import computed_table
from bot.backgammon.evaluation.met_recurrence import RATES
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.decision import (
    AnswerDouble,
    AnswerResignation,
    BatchDecider,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from protocol.backgammon.arena import named_players
from protocol.backgammon.arena.named_players import (
    assert_there,
    decider,
    gnubg_plies,
    jobs_of_player,
    known_level,
)

ON_THE_BAR = Position.of({25: 1}, {24: 2, 23: 2, 22: 2, 21: 2, 20: 2, 19: 2})
ON_THE_BAR_SHUT_OUT = Position.of({25: 1}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
LAST_CHECKERS = Position.of({2: 1, 1: 1}, {1: 1})
POSITIONS = (START, ON_THE_BAR, ON_THE_BAR_SHUT_OUT, LAST_CHECKERS)


def every_roll():
    positions = [position for position in POSITIONS for _ in ROLLS]
    boards = np.array([position.points for position in positions], np.int8)
    rolls = list(ROLLS) * len(POSITIONS)
    return positions, rolls, boards, np.array([(roll.high, roll.low) for roll in rolls], np.int8)


@pytest.mark.parametrize(
    ("name", "plies"),
    [("gnubg", 0), ("gnubg:0", 0), ("gnubg:2", 2), ("pubeval", None), ("gnubg.npz", None)],
)
def test_gnubg_is_known_with_its_plies(name, plies):
    assert gnubg_plies(name) == plies


@pytest.mark.parametrize("name", ["gnubg:", "gnubg:x", "gnubg:-1", "gnubg:5", "gnubg:²"])
def test_plies_that_gnubg_does_not_play_are_refused(name):
    with pytest.raises(ValueError, match="gnubg plays at 0 to 4 plies"):
        gnubg_plies(name)


def test_an_unknown_player_is_told_who_there_is():
    with pytest.raises(ValueError, match=r"no player 'kasparov': .*gnubg.*blockers.*pubeval.*"):
        decider("kasparov", seed=1)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("random:3", "random does not look ahead: leave out :3"),
        ("pubeval:2", "pubeval does not look ahead: leave out :2"),
        ("simple-1:", "simple-1 does not look ahead: leave out :"),
        ("expert:1", "expert has its own depth: leave out :1, or name weights with plies"),
        ("best:9", "best has its own depth: leave out :9"),
        ("td-128:7", "td-128 looks 0 to 3 plies ahead, as td-128:1, not 7"),
        ("td-128:two", "td-128 looks 0 to 3 plies ahead, as td-128:1, not two"),
        ("default:", "default looks 0 to 3 plies ahead, as default:1, not nothing"),
        ("kasparov:7", "no player 'kasparov:7': it is none of"),
    ],
)
def test_plies_that_a_player_does_not_look_ahead_are_refused(name, sentence):
    for ask in (known_level, jobs_of_player, lambda name: decider(name, seed=1)):
        with pytest.raises(ValueError, match=sentence):
            ask(name)


def test_baseline_is_known_without_weights():
    assert known_level("random") == Level("random")


def test_level_without_its_weights_is_told_as_such_and_no_name_is_doubted():
    with pytest.raises(ValueError, match="nowhere") as refusal:
        decider(Level("nowhere.npz"), seed=1)
    assert "no player" not in str(refusal.value)


def test_program_needs_the_rules_compiled_and_nothing_else():
    assert jobs_of_player("ubgi:anything") == jobs_of_player("external:a:1") == ["boards", "plays"]


@pytest.mark.parametrize("player", ["gnubg:2", "ubgi:it", "external:it"])
def test_program_that_is_not_there_is_told_before_anything_is_compiled(monkeypatch, player):
    asked = []

    def met(*name, **more):
        asked.append("met")
        return SimpleNamespace(close=lambda: asked.append("gone"))

    for way in ("find_gnubg", "started", "outside_player"):
        monkeypatch.setattr(named_players, way, met)
    monkeypatch.setattr(named_players, "COMPILATION", SimpleNamespace(missing=list))
    assert_there(player, [])
    assert_there(Level("default"), ["plays"])
    assert asked == []
    assert_there(player, ["plays"])
    assert asked == (["met"] if player == "gnubg:2" else ["met", "gone"])


def test_engine_plays_with_the_cube_and_the_match_equities_given():
    given = {"cube": False, "met": computed_table("mine", RATES)}
    noted = []

    class Noting(Level):
        def engine(self, tell, **more):
            noted.append(more)

    decider(Noting("td-128"), seed=1, **given)
    assert noted == [{"candidates": 1, **given}]


def test_weights_in_a_file_look_as_far_as_listed_ones(tmp_path):
    path = tmp_path / "mine.npz"
    random_network(4, seed=1).save(path)
    assert known_level(f"{path}:3") == Level(str(path), SearchSettings(3))
    assert known_level("easy:1") == Level("easy", SearchSettings(1))
    with pytest.raises(ValueError, match=r"mine\.npz looks 0 to 3 plies ahead"):
        known_level(f"{path}:4")


@pytest.mark.parametrize("name", ["blockers", "pubeval"])
def test_baselines_play_many_games_as_they_play_one(name):
    positions, rolls, boards, dice = every_roll()
    before = boards.copy()
    chosen = decider(name, seed=1).boards_chosen(boards, dice)
    assert (boards == before).all()
    one = baseline(name, 1)
    for position, roll, board in zip(positions, rolls, chosen, strict=True):
        assert one.choose(position, roll).after == Position.of_board(board)


@pytest.mark.parametrize(
    ("engine", "games_at_once"),
    [
        (Engine(NetworkEvaluator(random_network(10, 1)), cube=False), 512),
        (Engine(CompositeEvaluator(random_network(10, 1)), cube=False), 512),
        (Engine(CompositeEvaluator(random_network(10, 1)), SearchSettings(1), cube=False), 64),
    ],
)
def test_an_engine_plays_many_games_as_it_plays_one(engine, games_at_once):
    assert isinstance(engine, BatchDecider)
    assert engine.games_at_once == games_at_once
    positions, rolls, boards, dice = every_roll()
    before = boards.copy()
    chosen = engine.boards_chosen(boards, dice)
    for position, roll, board in zip(positions, rolls, chosen, strict=True):
        decision = engine.decide(ChooseCheckerPlay(GameState(position), roll))
        best = decision.candidates[0].equity if decision.candidates else None
        equities = {candidate.play.after: candidate.equity for candidate in decision.candidates}
        assert equities.get(Position.of_board(board)) == pytest.approx(best, abs=1e-6)
        if best is None:
            assert Position.of_board(board) == position
    assert (boards == before).all()


def test_a_baseline_in_the_engines_chair_rolls_and_takes():
    player = decider("pubeval", seed=1)
    state = GameState(START)
    play = player.decide(ChooseCheckerPlay(state, Roll(3, 1))).play
    assert {(leg.source, leg.target) for leg in play.legs} == {(8, 5), (6, 5)}
    assert player.decide(ChooseCubeAction(state)).action is CubeAction.ROLL
    assert player.decide(AnswerDouble(state)).answer is DoubleAnswer.TAKE
    assert player.decide(AnswerResignation(state, 1)).accepted
