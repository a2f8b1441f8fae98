"""Luck: what the dice of a game gave either player, as one evaluator sees both.

The luck of a roll is the worth after its best play less the mean of that over all 21 rolls. Its
expectation is 0 whatever the evaluator is worth, so that a result less the luck of its rolls is
right on average, and varies far less. Source of the method: GNU Backgammon, rollout.c.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from bot.backgammon.arena.played_pair import Contest, contest_records
from bot.backgammon.engine.candidates import CUBELESS
from bot.backgammon.engine.rollout_trials import RolloutPlayer, first_alike, seat_of
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.kernels.dice import ROLL_COUNT
from bot.backgammon.kernels.rollout import Replies, fill_replies_to, luck_of, no_replies
from bot.backgammon.rules.game import Game
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import MatchRecord, Rules, replay
from bot.backgammon.rules.roll import ROLLS, Roll


@dataclass(frozen=True, slots=True)
class LuckMeter:
    """Tells the luck of games by weights, 0 plies deep; met: match equities, for matches."""

    weights: str
    met: MatchEquityTable | None = None

    def measured(self, contest: Contest, rules: Rules) -> Contest:
        """The contest with the luck of each game: the first player's less the other's.

        In points, in a match in chances to win it. The opening roll is left out: in a pair it is
        either player's. Raises ValueError if the rules do not allow what was done.
        """
        records = contest_records(contest, rules)
        lucks = [0.0] * len(contest)
        number = -1
        for game, event in replay(MatchRecord(("", ""), rules, tuple(records))):
            if game.turn is None:
                number += 1
            elif isinstance(event.answer, Roll):
                luck = self.luck(game, event.answer)
                lucks[number] += -luck if game.turn else luck
        return tuple(replace(game, luck=luck) for game, luck in zip(contest, lucks, strict=True))

    def luck(self, game: Game, roll: Roll) -> float:
        """Luck of the player on roll, in points, in a match in chances to win it."""
        state = game.state
        seat = seat_of(RolloutPlayer(self.weights))
        table = CUBELESS
        if game.has_cube or state.score is not None:
            money = replace(state.money, beavers=False)
            met = self.met and first_alike(self.met)
            table = seat.table(GameState(START, state.cube, state.score, money), met)
        replies = _replies()
        board, rolls = state.position.board, (0, ROLL_COUNT)
        fill_replies_to(rolls, board, 0, table.root, table, seat.tools, replies)
        luck = luck_of(replies.values, ROLLS.index(roll))
        return luck / 2 if state.score is not None else luck * state.cube.value


@lru_cache(maxsize=1)
def _replies() -> Replies:
    """A workspace for the best replies to each roll at one position."""
    return no_replies()
