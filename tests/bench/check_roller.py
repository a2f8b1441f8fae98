"""Whether a level that rolls out decides better than one that searches, judged by long rollouts.

    python -m tests.bench.check_roller --out FILE [--disputes 300] [--minutes 60] [--workers 2]

Games of money and matches are played 0 plies deep; both levels are asked about every play, double
and take on the way. Where they differ both choices are rolled out at 1-ply with dice of their own,
the luck subtracted: the gain is what the first level's choice is worth more, in points at the cube
(as gnubg counts them in a match). Each game is a line of FILE; with the same FILE it goes on where
it ended. Tells the gain per dispute with its standard error, by kind, and the processor seconds of
each level's decisions. No process of the levels' own, so that seconds are of one core.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from statistics import fmean, median
from typing import Any

from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import LEVELS, Level
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_result import RolledOutCube
from bot.backgammon.engine.rollout_start import play_start, roll_start, take_start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.decision import (
    AnswerDouble,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeDecision,
    Decision,
    DoubleAnswer,
    DoubleDecision,
    PlayDecision,
    Request,
)
from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.match import GameState, MoneyRules, Score
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from bot.estimate import estimate
from bot.journal import Journal, open_journal
from bot.lab.command_line import (
    file_to_write,
    number_from,
    seed_number,
    told_in_a_sentence,
    whole_number,
)
from bot.weights import weights_digest
from bot.workers import result_of, submitted, worker_pool

JUDGES_SEED = 1_000_003
NAMES = ("seconds", "others_seconds")
JUDGE = RolloutPlayer()

BEGINNING = b'{"level"'
"""Of a file of games."""


@told_in_a_sentence()
def main() -> None:
    """Play on, and tell what all games of the file have shown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--level", choices=LEVELS, default="best")
    parser.add_argument("--against", choices=LEVELS, default="expert")
    parser.add_argument("--out", type=file_to_write, required=True)
    parser.add_argument("--disputes", type=whole_number(1), default=300)
    parser.add_argument("--minutes", type=number_from(0), default=60.0)
    parser.add_argument("--workers", type=whole_number(1, 256), default=2)
    parser.add_argument("--seed", type=seed_number, default=1)
    parser.add_argument("--ply", type=whole_number(0, 3), default=1, help="of the judge's rollouts")
    parser.add_argument("--truncate", type=whole_number(0), default=11, help="0 to play to the end")
    parser.add_argument("--trials", type=whole_number(2), default=72)
    options = parser.parse_args()
    judge = RolloutSettings(options.trials, options.truncate or None, options.ply)
    asked = {name: getattr(options, name) for name in ("level", "against", "seed")}
    asked |= {"judge": repr(judge), "what": repr((LEVELS[options.level], LEVELS[options.against]))}
    names = LEVELS[options.level].weights, LEVELS[options.against].weights, JUDGE.weights
    digests = [weights_digest(name) for name in names]
    with (
        open_journal(options.out, "file of games that were judged", BEGINNING) as journal,
        worker_pool(options.workers) as pool,
    ):
        games = _games_in(journal, asked, digests)
        end = time.monotonic() + 60 * options.minutes
        played = {each["game"] for each in games}
        numbers = (game for game in range(10**6) if game not in played)
        piece = options.level, options.against, judge, options.seed
        waiting = submitted(pool, judged_game, ((*piece, next(numbers)) for _ in range(8)))
        while _count(games) < options.disputes and time.monotonic() < end:
            games.append(result_of(pool, waiting.pop(0), PIECE_SECONDS))
            journal.add(games[-1])
            waiting += submitted(pool, judged_game, [(*piece, next(numbers))])
            print(f"{len(games)} games, {_count(games)} disputes", flush=True)
    _tell(games)


def _games_in(journal: Journal, asked: dict[str, Any], digests: list[str]) -> list[dict[str, Any]]:
    """The games that a file has already; raises ValueError if they were judged otherwise.

    Older files do not tell the digests of their networks.
    """
    lines = journal.take_all()
    if not lines:
        journal.add(asked | {"sha256": digests})
        return []
    try:
        first, *games = [json.loads(line) for line in lines]
    except ValueError:
        raise ValueError(f"{journal.path} is no {journal.kind}") from None
    if first not in (asked, asked | {"sha256": digests}):
        raise ValueError(f"{journal.path} is of other settings; name another file")
    return games


def _count(games: list[dict[str, Any]]) -> int:
    return sum(len(game["disputes"]) for game in games)


def _tell(games: list[dict[str, Any]]) -> None:
    if not games:
        raise ValueError("no game was judged in that time: give more --minutes")
    disputes = [each for game in games for each in game["disputes"]]
    decisions = sum(len(game["seconds"]) for game in games)
    print(f"{decisions} decisions, {len(disputes)} disputes")
    for kind in ("", "play", "double", "take", "money", "match"):
        gains = [each["gain"] for each in disputes if kind in ("", each["kind"], each["stake"])]
        if gains:
            print(f"gain per dispute, {kind or 'all'}: {estimate(gains)} ({len(gains)})")
    for name in NAMES:
        times = sorted(second for game in games for second in game[name])
        print(
            f"{name}: median {median(times):.3f}, mean {fmean(times):.3f}, "
            f"nine of ten within {times[int(0.9 * len(times))]:.3f} s of one processor"
        )


def judged_game(level: str, against: str, judge: RolloutSettings, seed: int, game: int) -> Any:
    """One game: the disputes in it and what each level's decisions took."""
    first, second, quick = _engine(LEVELS[level]), _engine(LEVELS[against]), _engine(Level())
    found: dict[str, Any] = {"game": game, "seconds": [], "others_seconds": [], "disputes": []}
    chance = random.Random(1_000_000 * seed + game)
    for number, request in enumerate(_requests(quick, chance)):
        is_play = isinstance(request, ChooseCheckerPlay)
        if is_play and len(legal_plays(request.state.position, request.roll)) < 2:
            continue
        decisions = []
        for engine, name in zip((first, second), NAMES, strict=True):
            began = time.process_time()
            decisions.append(engine.decide(request))
            found[name].append(round(time.process_time() - began, 4))
        settings = replace(judge, seed=JUDGES_SEED * (game + 1) + number)
        gain = _gain(request, decisions[0], decisions[1], settings)
        if gain is not None:
            kind, points, error = gain
            stake = "money" if request.state.score is None else "match"
            found["disputes"].append(
                {"kind": kind, "stake": stake, "gain": points, "error": error, "number": number}
            )
    return found


@lru_cache
def _engine(level: Level) -> Engine:
    """A player of the level in this process alone."""
    roller = level.roller and replace(level.roller, workers=1)
    return replace(level, roller=roller).engine(print, candidates=1)


def _requests(quick: Engine, chance: random.Random) -> Iterator[Request]:
    """What is asked in a game that the quick engine plays against itself."""
    score = None
    if chance.random() < 0.5:
        length = chance.choice((3, 5, 7))
        score = Score(length, chance.randrange(length - 1), chance.randrange(length - 1))
    game: Any = Game(GameState(START, score=score, money=MoneyRules(jacoby=chance.random() < 0.5)))
    while isinstance(game, Game):
        request = game.request
        if request is None:
            dice = chance.randint(1, 6), chance.randint(1, 6)
            game = game.after(OpeningRoll(*dice) if game.turn is None else Roll.of_dice(*dice))
            continue
        yield request
        game = game.after(answer_of(game, quick.decide(request)))


def _gain(
    request: Request, ours: Decision, theirs: Decision, settings: RolloutSettings
) -> tuple[str, float, float] | None:
    """By how much our decision is better, and the standard error; None if it is the same."""
    state, met = request.state, blot_table()
    match request, ours, theirs:
        case ChooseCheckerPlay(), PlayDecision(own), PlayDecision(other):
            if own.after == other.after:
                return None
            starts = [play_start(state, play.after, met) for play in (own, other)]
            mine, yours = _rolled_out(starts, settings)
            return "play", yours.equity - mine.equity, mine.loss_error(yours)
        case ChooseCubeAction(), CubeDecision(action=own), CubeDecision(action=other):
            if own is other:
                return None
            starts = [roll_start(state, met), take_start(state, met)]
            gain, error = RolledOutCube(*_rolled_out(starts, settings)).margin
            return "double", gain if own is CubeAction.DOUBLE else -gain, error
        case AnswerDouble(), DoubleDecision(own), DoubleDecision(other):
            if DoubleAnswer.DROP not in (own, other) or own is other:
                return None
            (taken,) = _rolled_out([take_start(state, met)], settings)
            gain = 1.0 - taken.equity
            return "take", -gain if own is DoubleAnswer.DROP else gain, taken.equity_error
        case _:
            return None


def _rolled_out(starts: Any, settings: RolloutSettings) -> Any:
    *_, known = rollouts(starts, JUDGE, settings)
    return known


if __name__ == "__main__":
    main()
