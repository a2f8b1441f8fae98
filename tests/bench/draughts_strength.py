"""Strength of Blot's engine in draughts: duels over 2-move ballots with the sides swapped.

    python -m tests.bench.draughts_strength czech thesis --nodes 20000 --pairs 49
    python -m tests.bench.draughts_strength international untrained --weights FILE --depth 5
    python -m tests.bench.draughts_strength czech other --other OLD --depth 5 --pairs 100
    python -m tests.bench.draughts_strength international mobydam --program PATH --seconds 1

thesis: the thesis's player at depth 8. untrained: Blot with the evaluation before it learnt, and
the same limits; other: the same with the weights of --other. mobydam: the program by H. Jetten and
others, which comes to us over DamExchange; nothing of it is kept. A line is printed for each pair,
with the score so far; --first leaves pairs out that were played before.
"""

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, nullcontext
from random import Random
from threading import Event

from bot.draughts.arena.ballots import ballots
from bot.draughts.arena.duel import Duel, PlayedPair, played_pairs
from bot.draughts.arena.played_game import PlayedGame
from bot.draughts.arena.tally import Tally
from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.engine.engine import Engine
from bot.draughts.engine.level import learnt_evaluation
from bot.draughts.evaluation.endings import load_endings, no_endings
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.rules.decision import Limits
from bot.draughts.rules.game import Game, Result
from bot.draughts.rules.move import Move
from bot.draughts.rules.variant import VARIANTS, Side, Variant
from bot.lab.command_line import existing_file, told_in_a_sentence, whole_number
from protocol.draughts.adapters.dxp_client import DxpClient, awaited_peer
from protocol.wire.sockets import close_listener, tcp_listener

THESIS_DEPTH = 8
_AGREED_MINUTES, _TO_THE_END = 60, 0
_QUIETLY = ("-t", "22", "-b", "/nonexistent")
"""Moby Dam with a small table and without a book."""


@told_in_a_sentence()
def main() -> None:
    """Play the pairs that the arguments ask for."""
    options = _options()
    variant = VARIANTS[options.variant]
    pieces = options.endings
    endings = load_endings(variant, _tell, pieces or None) if pieces != 0 else no_endings()
    evaluation = (
        PatternEvaluation.load(options.weights) if options.weights else learnt_evaluation(variant)
    )
    limits = Limits(depth=options.depth, nodes=options.nodes, seconds=options.seconds)
    engine = Engine(evaluation, endings=endings, threads=options.threads)
    numbers = range(options.first, options.first + options.pairs)
    if options.opponent == "mobydam":
        pairs = _pairs_with_mobydam(engine, limits, numbers, options)
    else:
        other: Engine | AlphaBeta = AlphaBeta(AlphaBetaSettings(depth=THESIS_DEPTH), seed=1)
        theirs = Limits(depth=THESIS_DEPTH)
        if options.opponent != "thesis":
            theirs = limits
            second = (
                PatternEvaluation.untrained(variant)
                if options.opponent == "untrained"
                else PatternEvaluation.load(options.other)
            )
            other = Engine(second, endings=endings, threads=options.threads)
        duel = Duel(
            variant, (lambda _: nullcontext(engine), lambda _: nullcontext(other)), (limits, theirs)
        )
        pairs = played_pairs(duel, numbers, 1, Event())
    tally = Tally()
    for pair in pairs:
        tally.add(pair)
        shares = " ".join(
            f"{game.points(side):g}" for game, side in zip(pair.games, Side, strict=True)
        )
        print(
            f"{pair.number + 1}: {shares}; in all +{tally.won} ={tally.drawn} -{tally.lost}, "
            f"score {tally.score}",
            flush=True,
        )


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("opponent", choices=("thesis", "untrained", "other", "mobydam"))
    parser.add_argument("--weights", type=existing_file)
    parser.add_argument("--other", type=existing_file, help="weights of the opponent named other")
    parser.add_argument("--pairs", type=whole_number(1), default=1000)
    parser.add_argument("--first", type=whole_number(0), default=0)
    parser.add_argument("--depth", type=whole_number(1))
    parser.add_argument("--nodes", type=whole_number(1))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--threads", type=whole_number(1), default=1)
    parser.add_argument(
        "--endings", type=int, choices=(0, 2, 3, 4), help="pieces (default: as at first use)"
    )
    parser.add_argument("--program", type=existing_file, help="Moby Dam's program")
    options = parser.parse_args()
    if options.seconds is not None and not options.seconds > 0:
        parser.error(f"--seconds is above 0, not {options.seconds:g}")
    wanted = {"other": "other", "program": "mobydam"}
    for name, opponent in wanted.items():
        if options.opponent == opponent and getattr(options, name) is None:
            parser.error(f"the opponent {opponent} needs --{name}")
        if options.opponent != opponent and getattr(options, name) is not None:
            parser.error(f"--{name} is for the opponent {opponent}, not {options.opponent}")
    if options.opponent == "mobydam" and options.seconds is None:
        parser.error("the opponent mobydam needs --seconds, which both have for a move")
    return options


def _pairs_with_mobydam(
    player: Engine, limits: Limits, numbers: Sequence[int], options: argparse.Namespace
) -> Iterator[PlayedPair]:
    """Pairs against a Moby Dam that has as long for a move as we have."""
    variant = VARIANTS[options.variant]
    openings = list(ballots(variant))
    Random(1).shuffle(openings)
    listener = tcp_listener("127.0.0.1", 0)
    listener.listen()  # the program comes at once, before we wait for it
    port = listener.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        program = subprocess.Popen(
            [options.program, "-c", "127.0.0.1", "-p", str(port), *_QUIETLY, "-e", folder],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert program.stdin is not None
            program.stdin.write(f"time {round(1000 * options.seconds)}\n")
            program.stdin.flush()
            with closing(awaited_peer(listener, 30)) as line:
                client = DxpClient(line, player, limits=limits)
                for number in numbers:
                    opening = openings[number % len(openings)]
                    one, other = (_game(client, side, variant, opening) for side in Side)
                    yield PlayedPair(number, (one, other))
        finally:
            close_listener(listener)
            program.kill()
            program.wait()


def _game(client: DxpClient, side: Side, variant: Variant, opening: tuple[Move, ...]) -> PlayedGame:
    """A game against the program at the other end."""
    game: Game | Result = Game.start(variant)
    for move in opening:
        assert isinstance(game, Game)
        game = game.after(move)
    assert isinstance(game, Game)
    played = client.invite(
        side,
        minutes=_AGREED_MINUTES,
        moves=_TO_THE_END,
        start=game.position,
        is_last=False,
    )
    told = "nothing" if played.told is None else f"reason {played.told.reason}"
    print(f"  {side.value}: {len(played.moves)} plies, {played.result}, told {told}", flush=True)
    return PlayedGame(variant, (*opening, *played.moves), played.result, (0, 0), (0, 0))


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    main()
