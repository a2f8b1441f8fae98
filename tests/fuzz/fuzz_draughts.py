"""Damage FEN, moves, PDN and DXP messages by the thousand: read, or refused with one sentence.

    python -m tests.fuzz.fuzz_draughts pdn --cases 10000

What is read must be written and read again as the same; a game that is read must be legal.
"""

import argparse
import signal

from bot.draughts.rules.legality import legal_moves
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import replay
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.adapters.dxp import message_text, parse_message
from protocol.draughts.formats.fen import fen_text, parse_fen
from protocol.draughts.formats.notation import move_text, parse_move
from protocol.draughts.formats.pdn import parse_pdn
from protocol.draughts.formats.pdn_writing import pdn_text
from protocol.errors import WireError
from tests.fuzz.damage import damaged_text
from tests.fuzz.readers import MAX_SECONDS, report, run

FENS = (
    "W:W31-50:B1-20",
    "B:W31,32,K5:B1,K46,20.",
    "W:Wa1,c1,Ka3:Bb8",
    "W:W:BK1,K2",
    "W:WK25:B8,23,30,31",
)
MOVES = ("32-28", "25x34x12x3", "25x48x26x3", "25x36", "c5:e3:g5:d8", "c3-d4", "14x3")
GAMES = (
    '[Event "a"]\n[White "b \\"c\\""]\n[Result "2-0"]\n[GameType "20,W,10,10,N2,0"]\n\n'
    "1. 32-28! 19-23 2. 28x19 14x23 {equal} (2... 13x24 $14 (2... 13x24 ; no\n)) 3. 37-32 2-0\n",
    '[GameType "29"]\n\n1. c3-d4 b6-a5 2. g3-f4 d6-e5 3. f4:d6 c7:e5:c3 4. b2:d4 1/2-1/2\n',
    '[SetUp "1"]\n[FEN "W:WK25:B8,23,30,31"]\n\n1. 25x34x12x3 31-37 *\n\n1. 31-26 20-25 *\n',
)
MESSAGES = (
    f"R01{'Tornado 4.0':32}W060065A",
    f"R01{'x':32}Z005000BW{'z' * 20}{'e' * 10}{'w' * 20}",
    f"A{'x':32}0",
    "M001205250412202223",
    "M0000322800",
    "E21",
    "Chello",
    "B005Z",
    "K1",
)


def fen(chance):
    variant = chance.choice((INTERNATIONAL, CZECH))
    position = parse_fen(damaged_text(chance, chance.choice(FENS)), variant)
    assert parse_fen(fen_text(position), variant) == position
    return "is read"


def move(chance):
    text = chance.choice(MOVES)
    variant = CZECH if text[0] in "abcdefgh" or text == "14x3" else INTERNATIONAL
    setting = {INTERNATIONAL: FENS[4], CZECH: "W:WK14:B7,15,18,19,24"}[variant]
    start = "x" not in text and ":" not in text
    position = Position.start(variant) if start else parse_fen(setting, variant)
    moves = legal_moves(position)
    found = parse_move(damaged_text(chance, text), moves, variant)
    assert parse_move(move_text(found, moves, variant), moves, variant) == found
    return "is read"


def pdn(chance):
    read = parse_pdn(damaged_text(chance, chance.choice(GAMES)))
    for fault in read.faults:
        if "\n" in str(fault) or len(str(fault)) > 400:
            raise AssertionError(f"no sentence: {fault}")
    for game in read.games:
        list(replay(game))
    if read.games:
        again = parse_pdn(pdn_text(read.games)).whole
        assert [game.line for game in again] == [game.line for game in read.games]
        assert [game.start for game in again] == [game.start for game in read.games]
        assert [game.score for game in again] == [game.score for game in read.games]
    return "is read up to a fault" if read.faults else "is read"


def dxp(chance):
    text = damaged_text(chance, chance.choice(MESSAGES))
    try:
        message = parse_message(text)
    except WireError as error:
        raise ValueError(str(error)) from None
    again = parse_message(message_text(message))  # a name may have had signs without room
    assert again == message or (hasattr(again, "name") and again.name != message.name)
    assert message_text(again) == message_text(message)
    return "is read"


CASES = {"fen": fen, "move": move, "pdn": pdn, "dxp": dxp}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=sorted(CASES))
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    signal.signal(signal.SIGALRM, _hang)
    came = run(CASES[options.what], options.cases, options.seed, MAX_SECONDS)
    print("\n".join(report(*came)))


def _hang(number, frame):
    raise TimeoutError(f"a case takes longer than {MAX_SECONDS} seconds")


if __name__ == "__main__":
    main()
