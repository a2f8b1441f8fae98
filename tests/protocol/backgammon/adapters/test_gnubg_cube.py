"""Every use of the cube and of resignations, against gnubg itself."""

import re
from contextlib import contextmanager

import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    DoubleAnswer,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.position import START, Position, turned
from protocol.backgammon.adapters.gnubg_program import GnubgGame, GnubgProgram
from protocol.backgammon.arena.gnubg_duel import duel_with_gnubg, seated
from protocol.backgammon.formats.position_id import gnubg_id
from tests.fakes.restless_player import RestlessPlayer
from tests.fakes.scripted_player import ScriptedPlayer, doubled

pytestmark = pytest.mark.gnubg

BEAVERS = MoneyRules(jacoby=False, beavers=True)
TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER
GAMMON = Position.of({10: 5, 9: 5, 8: 5}, {2: 1, 1: 1})
"""The player on roll is about to lose a gammon."""

LOST = Position.of({6: 5}, {1: 1})
"""The player on roll is about to lose, but not a gammon."""

AHEAD = Position.of({6: 5, 5: 5, 4: 5}, {7: 2, 6: 5, 5: 5, 4: 3})
"""A race in which the player on roll doubles and the other takes."""


@contextmanager
def gnubg_against(player, money=BEAVERS):
    """gnubg at 0-ply on seat 0 across from the player."""
    with (
        GnubgProgram(activity=lambda: len(player.asked)) as gnubg,
        seated(player, gnubg.folder, money) as address,
    ):
        gnubg.seat_external_player(address, plies=0, seed=3)
        gnubg.set_rules(cube=True, jacoby=money.jacoby, beavers=money.beavers)
        yield gnubg


def played_from(state, player, roller=1):
    """How a money game goes on from there; the seat on roll may double."""
    with gnubg_against(player, state.money) as gnubg:
        gnubg.command("set player 1 human")
        gnubg.command("new session")
        gnubg.seat_external_player("./seat", plies=0, seed=3)
        gnubg.command(f"set gnubgid {gnubg_id(ChooseCubeAction(state), roller=roller)}")
        return gnubg.play_game("play")


def game(winner, points, level=1):
    return GnubgGame(winner, level, points, ends_match=False)


def one_double(points):
    """Doubles once; after a beaver the stake is worth so many points at 2. Then it resigns."""
    return ScriptedPlayer(
        doubles=lambda state: state.cube.owner is not CubeOwner.OTHER and state.cube.value < 4,
        answers=lambda state: doubled(TAKE, points),
        resigns=lambda state: 3 * (state.cube.owner is CubeOwner.OTHER),
    )


@pytest.mark.parametrize(
    ("points", "values", "end"),
    [
        (-1.5, [2], game("gnubg", 2)),
        (-0.5, [2], game("gnubg", 12, 3)),
        (0.5, [2, 8], game("gnubg", 48, 3)),
    ],
    ids=["drop", "take", "raccoon"],
)
def test_gnubg_beavers_our_double_and_we_answer(points, values, end):
    player = one_double(points)
    assert played_from(GameState(START, money=BEAVERS), player) == end
    assert [state.cube.value for state in player.states(AnswerDouble)] == values
    assert {state.position for state in player.states(AnswerDouble)} == {START}


@pytest.mark.parametrize(
    ("answer", "cubes", "winner_points"),
    [
        (DROP, [Cube()], ("gnubg", 1)),
        (TAKE, [Cube()], None),
        (BEAVER, [Cube(), Cube(4, CubeOwner.ON_ROLL)], None),
    ],
    ids=["drop", "take", "beaver"],
)
def test_gnubg_doubles_and_we_answer(answer, cubes, winner_points):
    player = ScriptedPlayer(answers=lambda state: doubled(answer))
    end = played_from(GameState(AHEAD, money=BEAVERS), player, roller=0)
    assert [state.cube for state in player.states(AnswerDouble)] == cubes
    assert {state.position for state in player.states(AnswerDouble)} == {AHEAD}
    if winner_points:
        assert (end.winner, end.points) == winner_points
    else:
        stake = {TAKE: 2, BEAVER: 16}[answer]
        assert end.points == stake * end.kind
        assert player.states(ChooseCubeAction)[0].cube == Cube(stake, CubeOwner.ON_ROLL)


@pytest.mark.parametrize(("position", "level"), [(AHEAD, 3), (GAMMON, 0)], ids=["take", "drop"])
def test_we_redouble_and_gnubg_answers(position, level):
    position = position if level else turned(GAMMON)
    player = one_double(0)
    end = played_from(GameState(position, Cube(2, CubeOwner.ON_ROLL), money=BEAVERS), player)
    assert end == (game("gnubg", 12, 3) if level else game("blot", 2))
    assert player.states(ChooseCubeAction)[0].cube == Cube(2, CubeOwner.ON_ROLL)


def test_gnubg_redoubles_and_we_drop():
    player = ScriptedPlayer(answers=lambda state: doubled(DROP))
    state = GameState(AHEAD, Cube(2, CubeOwner.ON_ROLL), money=MoneyRules(jacoby=False))
    end = played_from(state, player, roller=0)
    assert player.states(AnswerDouble)[0].cube == Cube(2, CubeOwner.ON_ROLL)
    assert end == game("gnubg", 2)


@pytest.mark.parametrize(
    ("position", "offers", "end"),
    [
        (LOST, [1], game("gnubg", 1)),
        (GAMMON, [2], game("gnubg", 2, 2)),
        (GAMMON, [1, 2], game("gnubg", 2, 2)),
        (GAMMON, [1], game("gnubg", 2, 2)),
    ],
    ids=["single", "gammon", "more", "declined"],
)
def test_gnubg_accepts_what_it_can_expect_and_we_play_on_else(position, offers, end):
    stakes = iter(offers)
    player = ScriptedPlayer(resigns=lambda state: next(stakes, offers[-1]))
    assert played_from(GameState(position, money=BEAVERS), player) == end
    assert len(player.asked) == (len(offers) if offers != [1] or position == LOST else 3)


def matches(player, count, *commands):
    """Matches to 3 with always the same player; their number of games."""
    games = 0
    with gnubg_against(player) as gnubg:
        for command in commands:
            gnubg.command(command)
        for _ in range(count):
            end = gnubg.play_game("new match 3")
            games += 1
            while not end.ends_match:
                end = gnubg.play_game("new game")
                games += 1
    return games


def bold():
    """Doubles a cube at 1 whenever it may, and drops all redoubles."""
    return ScriptedPlayer(
        doubles=lambda state: state.cube.value == 1,
        answers=lambda state: doubled(TAKE if state.cube.value == 1 else DROP),
    )


def test_nobody_doubles_in_a_crawford_game_or_with_a_dead_cube():
    player = bold()
    assert matches(player, 6) > 6
    plays = {state.score for state in player.states(ChooseCheckerPlay)}
    assert any(score.is_crawford for score in plays)
    assert any(score.other_away == 1 and not score.is_crawford for score in plays)
    for state in player.states(ChooseCubeAction) + player.states(AnswerDouble):
        assert state.doubling_refusal is None
    assert any(state.score.other_away == 1 for state in player.states(ChooseCubeAction))


def test_without_the_crawford_rule_the_trailer_doubles_at_once():
    player = bold()
    matches(player, 5, "set automatic crawford off")
    plays = {state.score for state in player.states(ChooseCheckerPlay)}
    assert not any(score.is_crawford for score in plays)
    assert any(score.other_away == 1 for score in plays)
    assert all(state.doubling_refusal is None for state in player.states(ChooseCubeAction))


def test_a_session_with_beavers_is_played_without_a_fault(tmp_path):
    tally, mat, sgf = Tally(), tmp_path / "games.mat", tmp_path / "games.sgf"
    match_format = MatchFormat(4, cube=True, jacoby=True, beavers=True, seed=2)
    duel_with_gnubg(RestlessPlayer(), match_format, tally, files=(mat, sgf))
    assert tally.games == 4
    assert tally.rejected_plays == []
    assert len(re.findall(r"^ Game \d+$", mat.read_text(), re.MULTILINE)) == 4
    assert len(re.findall(r"\(;FF\[4\]", sgf.read_text())) == 4
    assert "RU[Jacoby]" in sgf.read_text()
    assert re.search(r"Doubles => \d+", mat.read_text())
