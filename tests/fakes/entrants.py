"""Entrants for tests: players of a tournament that are made in any process, good or bad."""

from dataclasses import dataclass

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.players import ForfeitError
from bot.backgammon.rules.decision import (
    ChooseCheckerPlay,
    CubeAction,
    CubeDecision,
    Decider,
    Decision,
    Request,
)
from tests.fakes.restless_player import RestlessPlayer
from tests.fakes.scripted_player import EVEN


class Failing:
    """Plays as another until it fails, at every position with so many pips left for it."""

    def __init__(self, player: Decider, way: str) -> None:
        self._player = player
        self._way = way

    def decide(self, request: Request) -> Decision:
        is_now = sum(request.state.position.points) % 5 == 0
        if is_now and self._way == "forfeits":
            raise ForfeitError("it went away", ["> go", "< bye"])
        if is_now and self._way == "answers wrongly" and isinstance(request, ChooseCheckerPlay):
            return CubeDecision(CubeAction.ROLL, EVEN)
        return self._player.decide(request)


@dataclass(frozen=True)
class FakeEntrant:
    """A baseline or `restless`, by its name; fails: in which way it does, if it does."""

    name: str
    fails: str = ""

    @property
    def plays_by_chance(self) -> bool:
        return self.name == "random"

    @property
    def games_at_once(self) -> int:
        return 16

    def sit_down(self, match_format: MatchFormat, seed: int) -> Decider:
        player = RestlessPlayer() if self.name == "restless" else baseline(self.name, seed)
        return Failing(player, self.fails) if self.fails else player
