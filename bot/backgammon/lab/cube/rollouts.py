"""Cube rollouts: what Blot says of doubles at common scores, against its own rollouts of them.

    python -m bot.backgammon.lab.cube.rollouts --out FILE [--positions 40] [--workers 2]
    python -m bot.backgammon.lab.cube.rollouts --out FILE --ply 1 --filter tiny --scores money 4-4
    python -m bot.backgammon.lab.cube.rollouts --out FILE --until-double --jacoby

For money and at every score of both sides 2 to 5 away, or those that are named, games are played 0
plies deep, one in three with a cube at 2 that the side owns which the score is named after; nobody
doubles; with --until-double they end where that would be a clear mistake, so that decisions are
those of games that are played with the cube; with --jacoby money alone is played for, under
Jacoby's rule. From each one cube decision of that side is taken that
is close as seen 0 plies deep. Rolling and a double that is taken are played out with the cube, the
luck subtracted. Each is a line of FILE; the same command goes on from there. Told are the biases of
what Blot says of both, at 0-ply and 2-ply, by score and by kind of position, in thousandths of a
point at the cube as gnubg counts them; and for each kind and owner of the cube the efficiency with
which values, by chances two plies deep, agree best with the rollouts. As decisions close in Blot's
eyes are looked at, a part of each bias is what chance made of its evaluations.
"""

import argparse
import json
import random
import time
from collections.abc import Iterator
from dataclasses import astuple, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from bot.backgammon.arena.tournament import PIECE_SECONDS
from bot.backgammon.compilation import COMPILATION, player_jobs, rollout_jobs
from bot.backgammon.engine.engine import Engine
from bot.backgammon.engine.level import Level
from bot.backgammon.engine.move_filter import FILTERS
from bot.backgammon.engine.rollout import rollouts
from bot.backgammon.engine.rollout_start import roll_start, take_start
from bot.backgammon.engine.rollout_trials import MAX_WORKERS, RolloutPlayer, RolloutSettings
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.evaluation.bearoff import load_databases
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.lab.cube.answers import (
    HEAD,
    PLY,
    SCORES,
    Answer,
    Score,
    efficiency_lines,
    equities_of,
    kind_name,
    read_answers,
    score_name,
    score_of,
    state_for,
    table_lines,
)
from bot.backgammon.lab.cube.efficiency import CLOSE_CALL
from bot.backgammon.rules.answer import answer_of
from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, CubeDecision, CubeEvaluation
from bot.backgammon.rules.game import Game, OpeningRoll, Result
from bot.backgammon.rules.match import Cube, CubeOwner, GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from bot.compilation import compile_missing
from bot.journal import Journal, open_journal
from bot.lab.command_line import lab_parser, seed_number, told_in_a_sentence, whole_number
from bot.weights import DEFAULT, weights_aliases, weights_digest
from bot.workers import result_of, submitted, worker_pool, works_alone

MAX_GAMES = 10_000
"""Games for one decision; close ones come in one of a few."""

CLEAR = 0.05
"""Equity at the cube by which a double that is left out is a clear mistake."""

_OWNERS = (CubeOwner.CENTRED, CubeOwner.CENTRED, CubeOwner.ON_ROLL)


def close_decision(
    score: Score,
    engine: Engine,
    dice: random.Random,
    *,
    until_double: bool = False,
    jacoby: bool = False,
) -> tuple[GameState, CubeEvaluation]:
    """A cube decision that is close as the engine sees it, one of the close ones of a game.

    until_double: none after the first clear double of a game; jacoby: under this rule. Raises
    ValueError if too many games have none that is close.
    """
    for _ in range(MAX_GAMES):
        owner = dice.choice(_OWNERS)
        cube = Cube() if owner is CubeOwner.CENTRED else Cube(2, owner)
        start = state_for(score, START.board, cube, jacoby=jacoby)
        state = start if dice.random() < 0.5 else start.turned()
        close = [
            (asked, found)
            for asked, found in _decisions(Game(state), engine, dice, until_double=until_double)
            if asked.score is None or (asked.score.away, asked.score.other_away) == score
            if is_close(found)
        ]
        if close:
            return dice.choice(close)
    raise ValueError(f"{MAX_GAMES:,} games have no close cube decision at the score {score}")


def is_close(evaluation: CubeEvaluation) -> bool:
    """Whether doubling or taking wrongly would lose little."""
    doubled = min(evaluation.double_take, evaluation.double_drop)
    margins = doubled - evaluation.no_double, evaluation.double_drop - evaluation.double_take
    return min(map(abs, margins)) < CLOSE_CALL


def _decisions(
    game: Game | Result, engine: Engine, dice: random.Random, *, until_double: bool
) -> Iterator[tuple[GameState, CubeEvaluation]]:
    """The doubles that may be offered in a game the engine plays against itself, offering none.

    If it doubled, only positions that it undervalues would be left undoubled. until_double: the
    game ends with the first clear double.
    """
    while isinstance(game, Game):
        request = game.request
        if request is None:
            throw = dice.randint(1, 6), dice.randint(1, 6)
            game = game.after(OpeningRoll(*throw) if game.turn is None else Roll.of_dice(*throw))
            continue
        decision = engine.decide(request)
        if isinstance(decision, CubeDecision):
            if (found := decision.evaluation) is not None:
                yield request.state, found
                if until_double and found.doubled - found.no_double > CLEAR:
                    return
            decision = replace(decision, action=CubeAction.ROLL, resigns=0)
        game = game.after(answer_of(game, decision))


def judged(
    weights: str, settings: RolloutSettings, until_double: bool, jacoby: bool, number: int
) -> Answer:
    """One decision at the score whose turn it is: what is said of it, and what rollouts found.

    until_double, jacoby: see `close_decision`.
    """
    score = score_of(number)
    seed = 1_000_000 * settings.seed + number
    dice = random.Random(seed)
    quick, deep = _engine(weights, 0), _engine(weights, PLY)
    state, static = close_decision(score, quick, dice, until_double=until_double, jacoby=jacoby)
    deeper = deep.decide(ChooseCubeAction(state))
    assert isinstance(deeper, CubeDecision)
    assert deeper.evaluation is not None, "it may double"
    met, player = blot_table(), RolloutPlayer(weights)
    starts = [roll_start(state, met), take_start(state, met)]
    *_, known = rollouts(starts, player, replace(settings, seed=seed))
    answer = {
        "number": number,
        "board": state.position.board.tolist(),
        "cube": state.cube.value,
        "owner": state.cube.owner.name,
        "chances": list(astuple(deeper.chances)),
        "static": equities_of(static),
        "deeper": equities_of(deeper.evaluation),
        "rolled_out": [each.equity for each in known],
    }
    return answer | {"jacoby": True} if jacoby else answer


@lru_cache
def _engine(weights: str, ply: int) -> Engine:
    """A player in this process alone."""
    return Level(weights, SearchSettings(ply)).engine(print, candidates=1)


def score_named(text: str) -> Score:
    """The score that is named money, or 4-3 for the side on roll 4 away and the other 3 away.

    Raises argparse.ArgumentTypeError for any other.
    """
    names = {"money" if score is None else f"{score[0]}-{score[1]}": score for score in SCORES}
    if text not in names:
        raise argparse.ArgumentTypeError(f"the scores are {', '.join(names)}, not {text!r}")
    return names[text]


def answers_of(journal: Journal, asked: dict[str, Any]) -> list[Answer]:
    """The answers that a file has already; raises ValueError if it was made otherwise."""
    lines = journal.take_all()
    if not lines:
        journal.add(asked)
        return []
    made, wanted = lines[0].decode(errors="replace").strip(), json.dumps(asked)
    if made != wanted:
        raise ValueError(f"{journal.path} was made otherwise: by {made}, not {wanted}")
    return read_answers(journal.path, lines[1:])


def in_their_order(
    pieces: list[tuple[str, RolloutSettings, bool, bool, int]], workers: int
) -> Iterator[Answer]:
    """The answers of these pieces, in their order; raises ChildProcessError if a worker dies."""
    if works_alone(workers):
        yield from (judged(*piece) for piece in pieces)
        return
    with worker_pool(workers) as pool:
        for future in submitted(pool, judged, pieces):
            yield result_of(pool, future, PIECE_SECONDS)


def _parser() -> argparse.ArgumentParser:
    """The options of this laboratory."""
    parser = lab_parser(__doc__)
    parser.add_argument(
        "--out", type=Path, required=True, help="file of what is rolled out, gone on with"
    )
    parser.add_argument("--weights", default=DEFAULT, help="name or file, of both players")
    parser.add_argument("--positions", type=int, default=40, help="at each score")
    parser.add_argument("--trials", type=int, default=216, help="games from each position")
    parser.add_argument("--ply", type=int, default=0, help="how deep they are played")
    parser.add_argument(
        "--filter", choices=FILTERS, help="which plays are looked at deeper; normal if not given"
    )
    parser.add_argument(
        "--scores",
        type=score_named,
        nargs="+",
        default=SCORES,
        metavar="SCORE",
        help="which scores, such as money or 4-3; all if none is named",
    )
    parser.add_argument(
        "--until-double",
        action="store_true",
        help="take no decision after the first clear double of a game",
    )
    parser.add_argument(
        "--jacoby", action="store_true", help="for money alone, and under Jacoby's rule"
    )
    parser.add_argument("--seed", type=seed_number, default=1, help="of positions and dice")
    parser.add_argument("--workers", type=whole_number(1, MAX_WORKERS), default=1, help="processes")
    return parser


@told_in_a_sentence()
def main() -> None:
    """Roll out what is not known yet, and tell what all of it shows."""
    parser = _parser()
    options = parser.parse_args()
    if options.positions < 2:
        parser.error(f"a bias needs two positions at the least, not {options.positions}")
    if options.filter and options.ply == 0:
        parser.error("--filter is for looking ahead: give --ply 1 to 3 with it")
    weights = weights_aliases().get(options.weights, options.weights)
    filters = FILTERS[options.filter or "normal"]
    settings = RolloutSettings(options.trials, ply=options.ply, seed=options.seed, filters=filters)
    if options.jacoby and options.scores not in (SCORES, [None]):
        parser.error("Jacoby's rule is for money: name no other score with --jacoby")
    asked_for = [None] if options.jacoby else options.scores
    scores = [score for score in SCORES if score in asked_for]
    asked = {"cube rollouts": weights, "sha256": weights_digest(weights)}
    asked |= {"settings": repr(settings), "scores": repr(scores)}
    if options.until_double:
        asked["until double"] = True
    if options.jacoby:
        asked["jacoby"] = True
    with open_journal(options.out, "file of cube rollouts", HEAD.encode()) as journal:
        answers = answers_of(journal, asked)
        compile_missing(COMPILATION, [*player_jobs(searches=True), *rollout_jobs(options.ply)])
        began = time.monotonic()
        numbers = [
            number
            for number in range(len(SCORES) * options.positions)
            if score_of(number) in scores
        ]
        given = weights, settings, options.until_double, options.jacoby
        pieces = [(*given, number) for number in numbers[len(answers) :]]
        for answer in in_their_order(pieces, options.workers):
            answers.append(answer)
            journal.add(answer)
            if len(answers) % len(scores) == 0:
                seconds = time.monotonic() - began
                print(f"{len(answers)} decisions, {seconds:.0f} s", flush=True)
    databases = load_databases(print)
    for lines in (
        table_lines(answers, score_name, "bias by score"),
        table_lines(answers, kind_name, "bias by kind"),
        efficiency_lines(answers, databases),
    ):
        print(*lines, sep="\n")


if __name__ == "__main__":
    main()
