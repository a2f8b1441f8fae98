"""`blot draughts match`: two players against each other."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bot.lab.command_line import seed_number
from protocol.draughts.commands.options import (
    add_limits,
    add_variant,
    limits_of,
    refuse_existing,
    refuse_idle_limits,
    refuse_missing_folder,
    variant_of,
)
from protocol.errors import UsageError, as_usage
from protocol.subcommands import Parsers
from protocol.values import print_values
from protocol.workers import MAX_WORKERS, worker_count

if TYPE_CHECKING:
    from bot.draughts.arena.duel import Duel, PlayedPair
    from bot.draughts.arena.tally import Tally
    from bot.estimate import SequentialTest

MAX_GAMES = 1_000_000


def add_match(subcommands: Parsers) -> None:
    """Add `blot draughts match`."""
    parser = subcommands.add_parser(
        "match",
        help="let two players play many games",
        description="Let two players play pairs of games, each pair from one opening drawn by lot "
        "with the colours swapped. A player is a level (easy, medium, hard, expert, best), random, "
        "alpha-beta:DEPTH or minimax:DEPTH (the thesis's player, with a table of states behind "
        "another colon), or hub:COMMAND. The score counts 1 for a win and a half for a draw; "
        "pairs with the same moves count once.",
        allow_abbrev=False,
    )
    parser.add_argument("players", nargs=2, metavar="PLAYER", help="who plays, the first is ours")
    add_variant(parser)
    parser.add_argument(
        "--games",
        type=_games,
        default=20,
        metavar="N",
        help="games, an even number (default: 20)",
    )
    parser.add_argument(
        "--opening",
        type=int,
        default=2,
        choices=range(5),
        metavar="PLIES",
        help="plies of the openings, 0 to 4; the longer, the more there are (default: 2)",
    )
    add_limits(parser, "of both players")
    parser.add_argument(
        "--seed",
        type=seed_number,
        default=1,
        metavar="N",
        help="number that the order of the openings comes from (default: 1)",
    )
    parser.add_argument(
        "--parallel",
        type=worker_count,
        default=1,
        metavar="N",
        help=f"pairs played at once, 1 to {MAX_WORKERS} (default: 1)",
    )
    parser.add_argument(
        "--record",
        type=Path,
        metavar="FILE",
        help="keep the pairs in this file; the same command goes on with what is there, with more "
        "--games to more",
    )
    parser.add_argument(
        "--sprt",
        type=float,
        nargs=2,
        metavar=("LOW", "HIGH"),
        help="stop as soon as it is clear, with 5 %% error, whether the first player's mean result "
        "of a pair is LOW or HIGH above an even one, in standard deviations of a pair; --games is "
        "the most to play",
    )
    parser.add_argument("--pdn", type=Path, metavar="FILE", help="write the games to a new file")
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")
    parser.set_defaults(run=_match)


def _match(options: argparse.Namespace) -> int:
    """Play, and report what was played even if it ended early."""
    from threading import Event

    from bot.draughts.arena.duel import Duel
    from bot.draughts.arena.tally import Tally
    from bot.estimate import Bounds
    from protocol.draughts.arena.named_players import compile_for, entrant
    from protocol.draughts.arena.recorded_pairs import recorded_pairs
    from protocol.progress import progress, tell

    variant, limits = variant_of(options), limits_of(options)
    if options.pdn is not None:
        refuse_existing(options.pdn)
        refuse_missing_folder(options.pdn)
        if options.record is not None and options.record.resolve() == options.pdn.resolve():
            raise UsageError(f"--record and --pdn name the same file, {options.pdn}")
    with as_usage():
        tally = Tally(None if options.sprt is None else Bounds(*options.sprt))
    one, other = (entrant(name, variant) for name in options.players)
    refuse_idle_limits(options, options.players)
    duel = Duel(variant, (one, other), (limits, limits), options.opening, options.seed)
    pairs = []
    stop, status = Event(), 1
    count = options.games // 2
    with recorded_pairs(duel, options.record, _about(options)) as record:
        compile_for(options.players, variant)
        kept = 2 * record.kept(count)
        with progress("games", options.games, lambda: _standing(tally), kept) as show:
            try:
                for pair in record.pairs(count, options.parallel, stop):
                    tally.add(pair)
                    pairs.append(pair)
                    show(tally.games)
                    if tally.is_decided:
                        break
            except KeyboardInterrupt:
                stop.set()
                status = 130
                tell(f"blot: interrupted after {tally.games} of {options.games} games")
    if options.json:
        print_values(_table(duel, tally, options.players))
    else:
        print(_text(tally, options.players), flush=True)
    if options.pdn is not None:
        _write(options.pdn, pairs, options.players)
    return 0 if tally.games == options.games or tally.is_decided else status


def _about(options: argparse.Namespace) -> dict[str, Any]:
    """All that a pair depends on but its number; digests of tables, of which names tell nothing."""
    from bot.weights import digest_of
    from protocol.draughts.arena.named_players import table_of

    names = ("variant", "opening", "seed", "depth", "nodes", "seconds")
    about = {"match": options.players, **{name: getattr(options, name) for name in names}}
    tables = [table for table in map(table_of, options.players) if table is not None]
    return about | ({"tables": [digest_of(table)[:16] for table in tables]} if tables else {})


def _standing(tally: "Tally") -> str:
    return f"{tally.won} won, {tally.drawn} drawn, {tally.lost} lost" if tally.games else ""


def _text(tally: "Tally", names: list[str]) -> str:
    """The result in a few lines."""
    if tally.score is None:
        return "No pair of games was finished."
    pairs = len(tally.samples)
    lines = [
        f"{names[0]} against {names[1]}: {tally.won} won, {tally.drawn} drawn, {tally.lost} lost",
        f"score {tally.score.percent_95} (95 %, {pairs} pair{'s' * (pairs != 1)}){_elo(tally)}",
    ]
    lines += [
        f"{name}: {1000 * seconds / count:.1f} ms a move"
        for name, seconds, count in zip(names, tally.seconds, tally.decisions, strict=True)
        if count
    ]
    if tally.repeated:
        lines.append(
            f"pairs that went move for move as one before: {tally.repeated}; the score and its "
            "error leave them out"
        )
    if tally.test is not None:
        lines.append(_test_text(tally.test))
    return "\n".join([*lines, *dict.fromkeys(tally.faults)])


def _test_text(test: "SequentialTest") -> str:
    """How the sequential test stands."""
    end = "over" if test.is_over else "not over"
    return (
        f"sequential test {end}, LLR {test.llr:+.2f}: {test.likelier_text}; "
        f"{100 * (0.5 + test.unbiased_mean):.1f} % is the median-unbiased score"
    )


def _elo(tally: "Tally") -> str:
    return "" if tally.elo is None else f", {tally.elo:+.0f} elo"


def _table(duel: "Duel", tally: "Tally", names: list[str]) -> dict[str, Any]:
    return {
        "players": names,
        "variant": duel.variant.name,
        "seed": duel.seed,
        "games": tally.games,
        "won": tally.won,
        "drawn": tally.drawn,
        "lost": tally.lost,
        "score": tally.score and tally.score.mean,
        "score_error": tally.score and tally.score.error,
        "elo": tally.elo,
        "repeated": tally.repeated,
        "llr": tally.test and tally.test.llr,
        "is_decided": tally.test and tally.test.is_over,
        "seconds": tally.seconds,
        "decisions": tally.decisions,
        "endings": {
            "too long" if ending is None else ending.value: count
            for ending, count in tally.endings.items()
        },
        "faults": tally.faults,
    }


def _write(path: Path, pairs: "list[PlayedPair]", names: list[str]) -> None:
    """Write the games of the pairs in the order of their numbers."""
    from protocol.draughts.formats.pdn_writing import write_pdn
    from protocol.draughts.formats.played_games import played_record

    games = []
    for pair in sorted(pairs, key=lambda pair: pair.number):
        for number, game in enumerate(pair.games):
            white, black = names if number == 0 else names[::-1]
            games.append(played_record(game, white, black, f"{pair.number + 1}.{number + 1}"))
    write_pdn(games, path)


def _games(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and 2 <= int(text) <= MAX_GAMES) or int(text) % 2:
        raise argparse.ArgumentTypeError(f"an even number from 2 to {MAX_GAMES:,}, not {text!r}")
    return int(text)
