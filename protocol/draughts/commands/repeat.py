"""`blot draughts repeat`: many games of one setting, and what came of them."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.lab.command_line import whole_number
from bot.signals import stopping_gently
from protocol.errors import UsageError, as_usage
from protocol.progress import progress, tell
from protocol.subcommands import Parsers

if TYPE_CHECKING:
    from bot.draughts.arena.depth_games import DepthDuel, DepthPlayer


def add_repeat(subcommands: Parsers) -> None:
    """Add `blot draughts repeat`."""
    parser = subcommands.add_parser(
        "repeat",
        help="play many games of one setting",
        description="Let two players of fixed depths play many games, in pairs with the colours "
        "swapped that begin with the same moves by chance, and tell results, boards met and only "
        "moves. Ctrl-C ends it after the pair, a second one at once.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "--variant",
        choices=("czech", "international"),
        default="czech",
        help="draughts to play (default: czech)",
    )
    parser.add_argument(
        "--depths",
        type=int,
        nargs=2,
        default=(4, 3),
        metavar="PLIES",
        help="depths of the first player and of the second, 0 to move by chance (default: 4 3)",
    )
    parser.add_argument(
        "--states",
        type=Path,
        nargs=2,
        default=(Path("none"), Path("none")),
        metavar="FILE",
        help="tables of states of the first player and of the second, or the word none for a "
        "player without (default: none none)",
    )
    parser.add_argument(
        "--minimax",
        action="store_true",
        help="look at every move of the tree instead of by alpha-beta: the same moves, more boards",
    )
    parser.add_argument("--games", type=int, default=200, metavar="N", help="games (default: 200)")
    parser.add_argument(
        "--random-plies",
        type=whole_number(0),
        default=4,
        metavar="N",
        help="plies by chance in the beginning of each pair (default: 4)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(0),
        default=1,
        metavar="N",
        help="number that all chance comes from (default: 1)",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_repeat)


def _repeat(options: argparse.Namespace) -> int:
    """Play the games, and tell of those that were played even if it ended early."""
    from bot.draughts.arena.depth_games import DepthDuel
    from bot.draughts.jobs import COMPILATION, DEPTH_GAMES
    from bot.draughts.kernels.depth_games import MAX_PLIES
    from bot.draughts.rules.variant import VARIANTS
    from bot.draughts.training.settings import MAX_COUNT
    from protocol.compilation import compile_first

    if not 2 <= options.games <= MAX_COUNT or options.games % 2:
        raise UsageError(
            f"games are played in pairs: --games is even and 2 to {MAX_COUNT:,}, "
            f"not {options.games:,}"
        )
    if options.random_plies >= MAX_PLIES:
        raise UsageError(f"a game has no {options.random_plies} plies by chance")
    first, second = _entrants(options)
    variant = VARIANTS[options.variant]
    duel = DepthDuel(variant, first, second, options.seed, options.random_plies)

    def standing() -> str:
        score = duel.result.score
        return "" if score is None else f"the first scores {100 * score.mean:.1f} %"

    compile_first(COMPILATION, (DEPTH_GAMES,))
    with stopping_gently() as is_stopped, progress("games", options.games, standing) as show:
        while duel.result.games < options.games and not is_stopped():
            duel.play_pair()
            show(duel.result.games)
    if duel.result.games < options.games:
        tell(f"blot: interrupted after {duel.result.games:,} of {options.games:,} games")
    if duel.result.games:
        print(json.dumps(_values(duel), indent=2) if options.json else duel_text(duel))
    return 0 if duel.result.games == options.games else 130


def _entrants(options: argparse.Namespace) -> "list[DepthPlayer]":
    """The players that the options name."""
    from bot.draughts.arena.depth_games import DepthPlayer
    from bot.draughts.engine.alpha_beta import AlphaBetaSettings
    from bot.draughts.evaluation.state_table import StateTable

    with as_usage():
        settings = [AlphaBetaSettings(depth, not options.minimax) for depth in options.depths]
    if options.minimax and not any(options.depths):
        raise UsageError("--minimax is of a search, and nobody searches here: leave it out")
    found = []
    for each, path in zip(settings, options.states, strict=True):
        if path == Path("none"):
            found.append(DepthPlayer(each))
            continue
        if each.depth == 0:
            raise UsageError(
                f"who moves by chance asks no table of states: give none instead of {path}"
            )
        found.append(DepthPlayer(each, StateTable.load(path)))
    return found


def _values(duel: "DepthDuel") -> dict[str, Any]:
    result = duel.result
    score = result.score
    assert score is not None
    counts = zip(("first", "second"), duel.counts, strict=True)
    return {
        **{name: getattr(result, name) for name in ("games", "won", "drawn", "lost")},
        "plies": result.plies,
        "broken_off": result.broken_off,
        "score": score.mean,
        "error": _error(duel),
        "same_pairs": duel.same_pairs,
        **{name: asdict(each) for name, each in counts},
    }


def _error(duel: "DepthDuel") -> float | None:
    """The standard error of the score, None if no pair tells anything of it."""
    score = duel.result.score
    if score is None or duel.same_pairs == duel.result.samples:
        return None
    return score.error


def duel_text(duel: "DepthDuel") -> str:
    """The result of a duel in lines: the games, then each player's decisions."""
    from bot.draughts.arena.depth_games import share_error
    from bot.estimate import Estimate

    result = duel.result
    score = result.score
    assert score is not None
    points = Estimate(score.mean, _error(duel)).percent_95
    lines = [
        f"The first won {result.won:,}, drew {result.drawn:,} and lost {result.lost:,} of "
        f"{result.games:,} games: {points} (95 %) of the points; "
        f"{result.plies / result.games:.1f} plies a game."
    ]
    if duel.same_pairs:
        lines.append(
            f"{duel.same_pairs:,} of {result.samples:,} pairs are one game twice, as the players "
            "chose alike: they tell nothing of who is better."
        )
    if result.broken_off:
        lines.append(f"{result.broken_off:,} games were broken off and count as drawn.")
    for name, counts in zip(("first", "second"), duel.counts, strict=True):
        if not counts.decisions:
            lines.append(f"The {name} decided nothing.")
            continue
        share = counts.only / counts.decisions
        only = Estimate(share, share_error(share, counts.decisions)).percent_95
        text = f"The {name}: {only} (95 %) only moves of {counts.decisions:,}"
        if counts.searches:
            text += f", {counts.nodes / counts.searches:,.0f} boards met a search"
        lines.append(f"{text}.")
    return "\n".join(lines)
