"""Coverage-guided fuzzing of what is read: python -m tests.fuzz.coverage PARSER --seconds 180.

Each input is read, or refused with one sentence, within five seconds and two gigabytes; anything
else ends the run, with the input in a file that `--again FILE` reads once more. Inputs that reach
new code are kept in `--corpus`, if given, for the next run. It needs atheris, which is no
dependency of Blot: pip install atheris.
"""

import argparse
import logging
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

try:
    import atheris
except ImportError:
    sys.exit("coverage-guided fuzzing needs atheris: pip install atheris")

INSTRUMENTED = [
    "protocol.wire",
    "protocol.backgammon.formats",
    "protocol.backgammon.adapters",
    "protocol.backgammon.servers",
    "protocol.draughts.formats",
    "protocol.draughts.adapters",
]
"""Where new code is looked for; kernels are numba's, and are left as they are."""

with atheris.instrument_imports(include=INSTRUMENTED):
    from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
    from bot.backgammon.rules.match import GameState
    from bot.backgammon.rules.position import START
    from bot.backgammon.rules.record import replay
    from bot.backgammon.rules.roll import Roll
    from bot.draughts.rules.record import replay as replayed_moves
    from bot.draughts.rules.variant import VARIANTS
    from protocol.backgammon.adapters.bgammon_client import BgammonClient
    from protocol.backgammon.adapters.external_client import parse_answer
    from protocol.backgammon.adapters.fibs_client import FibsClient
    from protocol.backgammon.adapters.gnubg_external import MAX_ANSWER
    from protocol.backgammon.formats.match_file import READERS
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.backgammon.formats.ubgi import parse_ubgi_play
    from protocol.backgammon.servers.match_store import MatchStore
    from protocol.backgammon.servers.player import Account, Player
    from protocol.backgammon.servers.policy import Policy
    from protocol.backgammon.servers.seat import ServerError
    from protocol.draughts.adapters.dxp import message_text, parse_message
    from protocol.draughts.adapters.hub_engine import MAX_HUB_LINE
    from protocol.draughts.formats.fen import fen_text, parse_fen
    from protocol.draughts.formats.pdn import parse_pdn
    from protocol.errors import WireError
    from protocol.wire.lines import MAX_LINE, Goodbye, LineCutter
    from tests.fakes.fibs_board import Clock
    from tests.fakes.restless_player import RestlessPlayer
    from tests.fuzz import (
        fuzz_draughts,
        fuzz_fibs,
        fuzz_gnubg,
        fuzz_hub,
        fuzz_ubgi,
        match_files,
        readers,
    )
    from tests.plain.xg_files import xg_file

MAX_SENTENCE = 400
SECONDS = 5
MEGABYTES = 2048

RECORDS = tempfile.TemporaryDirectory()
"""Where clients of servers keep their matches meanwhile."""

Read = Callable[[bytes], object]


def match_reader(ending: str) -> Read:
    """Reads a match file; what it holds can be played again."""

    def read(data: bytes) -> None:
        found = READERS[ending](data)
        list(replay(found.match))

    return read


def read_xg(data: bytes) -> None:
    """Read an .xg file, or, behind a first byte of zero, records that are packed into one first."""
    match_reader(".xg")(
        xg_file([data[1:]], packed=False, comments=b"") if data[:1] == b"\0" else data
    )


def read_id(data: bytes) -> None:
    """Find the ID in a text, and ask what it asks."""
    pasted = pasted_id(data.decode("utf-8", "replace"))
    if pasted.finished is None:
        assert pasted.request


def read_answers(data: bytes) -> None:
    """Read an answer of a program to each kind of question."""
    text = data.decode("ascii", "replace")
    play = ChooseCheckerPlay(GameState(START), Roll(1 + data[0] % 6, 1) if data else Roll(3, 1))
    for request in (play, ChooseCubeAction(GameState(START)), AnswerDouble(GameState(START))):
        with suppress(ValueError):
            parse_answer(text, request)
    parse_ubgi_play(text, START, play.roll)


def lines_reader(
    make_adapter: Callable[[list[str]], object], answer: re.Pattern[str], longest: int = MAX_LINE
) -> Read:
    """Hands lines to an adapter, whose answers must look like that."""

    def read(data: bytes) -> None:
        answers: list[str] = []
        adapter = make_adapter(answers)
        cutter = LineCutter(longest)
        with suppress(Goodbye):
            for line in (*cutter.cut(data), *cutter.end()):
                adapter.receive(line)
        for each in answers:
            assert answer.fullmatch(each), f"{data!r} was answered with {each!r}"
            assert len(each) < MAX_ANSWER * 2
            assert "internal" not in each

    return read


def client_reader(kind: type[FibsClient] | type[BgammonClient]) -> Read:
    """Hands what a server says to its client, which may end the login and nothing else."""
    store, policy = MatchStore(Path(RECORDS.name)), Policy(delay=0.1, patience=0.1, unlimited=True)

    def read(data: bytes) -> None:
        clock, cutter = Clock(), LineCutter()
        player = Player(Account("fake", "blot_b", "x"), RestlessPlayer(), policy, store, clock)
        client = kind(player, lambda line, told=None: None)
        with suppress(ServerError):
            for line in (*cutter.cut(data), *cutter.end()):
                client.receive(line)
                clock.sleep(max(min(client.agenda.seconds, 1.0), 0.0))
                client.act()
        client.lost()

    return read


def said_by(lines: list[str]) -> list[bytes]:
    """What a server says, in pieces of forty lines."""
    return ["\n".join(lines[at : at + 40]).encode() for at in range(0, len(lines), 40)]


def bgammon_lines() -> list[str]:
    """What a fake of bgammon.org says."""
    with tempfile.TemporaryDirectory() as folder:
        return fuzz_fibs.bgammon_lines(Path(folder))


def read_hub(data: bytes) -> None:
    """Answer lines of a Hub controller, and finish each search that they begin."""
    searches: list[Callable[[], None]] = []
    lines_reader(
        lambda answers: fuzz_hub.new_engine(answers, searches), fuzz_hub.ANSWER, MAX_HUB_LINE
    )(data)
    assert len(searches) <= 1, "a second search was begun"
    for search in searches:
        search()


def read_fen(data: bytes) -> None:
    """Read a position of draughts, which is written and read again."""
    text = data.decode("utf-8", "replace")
    for variant in VARIANTS.values():
        with suppress(ValueError):
            position = parse_fen(text, variant)
            assert parse_fen(fen_text(position), variant) == position


def read_pdn(data: bytes) -> None:
    """Read games of draughts; what they hold can be played again."""
    for game in parse_pdn(data.decode("utf-8", "replace")).games:
        list(replayed_moves(game))


def read_dxp(data: bytes) -> None:
    """Read a message of DamExchange, which is written again."""
    with suppress(WireError):
        message_text(parse_message(data.decode("utf-8", "replace")))


PARSERS: dict[str, tuple[Read, Callable[[], Iterable[bytes]]]] = {
    "mat": (match_reader(".mat"), lambda: match_files.good_files()["mat"]),
    "sgf": (match_reader(".sgf"), lambda: match_files.good_files()["sgf"]),
    "xg": (read_xg, lambda: [b"\0" + match for match in readers.xg_matches()]),
    "ids": (read_id, lambda: [text.encode() for text in readers.texts()]),
    "gnubg": (
        lines_reader(fuzz_gnubg.new_adapter, re.compile(r"\t?[ -~]*")),
        lambda: [line.encode() for line in fuzz_gnubg.LINES],
    ),
    "ubgi": (
        lines_reader(
            lambda answers: fuzz_ubgi.new_engine(fuzz_ubgi.AnyPlayer(), answers), fuzz_ubgi.ANSWER
        ),
        lambda: [line.encode() for line in fuzz_ubgi.LINES] + ["\n".join(fuzz_ubgi.LINES).encode()],
    ),
    "answers": (
        read_answers,
        lambda: [b"8/5 6/5", b"bar/22 off", b"24/18*/14(2)", b"resign gammon", b"take", b"pass"],
    ),
    "fibs": (client_reader(FibsClient), lambda: said_by(fuzz_fibs.fibs_lines())),
    "bgammon": (client_reader(BgammonClient), lambda: said_by(bgammon_lines())),
    "hub": (
        read_hub,
        lambda: [line.encode() for line in fuzz_hub.LINES] + ["\n".join(fuzz_hub.LINES).encode()],
    ),
    "fen": (read_fen, lambda: [text.encode() for text in fuzz_draughts.FENS]),
    "pdn": (read_pdn, lambda: [text.encode() for text in fuzz_draughts.GAMES]),
    "dxp": (read_dxp, lambda: [text.encode() for text in fuzz_draughts.MESSAGES]),
}
"""Parsers by name, and the good inputs that each begins with."""


def checked(read: Read) -> Read:
    """Reads, and fails for what is neither read nor refused with one sentence."""

    def test(data: bytes) -> None:
        try:
            read(data)
        except ValueError as error:
            sentence = str(error)
            assert 0 < len(sentence) < MAX_SENTENCE, f"no sentence: {sentence!r}"
            assert "\n" not in sentence, f"no one sentence: {sentence!r}"

    return test


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parser", choices=PARSERS)
    parser.add_argument("--seconds", type=int, default=180)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--again", type=Path, metavar="FILE")
    options = parser.parse_args()
    read, seeds = PARSERS[options.parser]
    logging.disable()
    with tempfile.TemporaryDirectory() as temporary:
        corpus = options.corpus or Path(temporary)
        for number, seed in enumerate(seeds()):
            (corpus / f"seed-{number}").write_bytes(seed)
        limits = [f"-timeout={SECONDS}", f"-rss_limit_mb={MEGABYTES}", "-max_len=20000"]
        run = [f"-max_total_time={options.seconds}", f"-seed={options.seed}", str(corpus)]
        run = [str(options.again)] if options.again else [*run, "-print_final_stats=1"]
        atheris.Setup([sys.argv[0], *limits, *run], checked(read))
        atheris.Fuzz()


if __name__ == "__main__":
    main()
