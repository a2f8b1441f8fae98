"""Sentences of the server: each that a person at the page can bring about has its form."""

import re

import pytest

from bot.draughts.rules.game import Ending
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from bot.draughts.training import state_learning
from protocol.draughts.browser import learning, thoughts
from protocol.draughts.browser import sitting as draughts_sitting
from protocol.draughts.browser.wishes import Wishes
from protocol.draughts.formats import fen, notation, pdn, square
from protocol.draughts.table import kept_games, table
from tests.pages import has_form, sentences
from tests.protocol.draughts.browser.test_texts import TEXTS

MODULES = (fen, notation, pdn, square, kept_games, table, learning, thoughts, draughts_sitting)
ELSEWHERE = {"is_way", "take_unfinished", "_reason"}
"""Functions of them that no question of the page comes to, or that raise nothing."""

IN_WORDS = {
    "7 is not legal7",
    "7 is no move: write 7",
    "cannot add games to 7: 7; mend the file, or move it away",
    "the game is over in this position: 7",
    "7: 7",
}
"""Sentences with words among their values, which have a form for each: see refused_sentences."""

START = Position.start(CZECH)


def refused_sentences(folder):
    """Sentences that are really raised, most of them with others inside."""

    def tried(act, *arguments):
        with pytest.raises((ValueError, OSError)) as refused:
            act(*arguments)
        return str(refused.value)

    at = table.Table(START)
    captures = table.Table(fen.parse_fen("W:Wc3:Bd4,f8", CZECH))
    for game, text in (
        *((at, text) for text in ("x", "c3", "j9-a1", "a2-b3", "99-1", "c3:e5", "a1-b2", "i9-h8")),
        (captures, "c3-b4"),
    ):
        yield tried(notation.parse_move, text, game.game.moves, CZECH)
    yield tried(notation.parse_move, "c3-d4", (), CZECH)
    for text in (
        "",
        "X:W1:B2",
        "W:W1",
        "W:X1:B2",
        "W:W1:W2",
        "W:Wq:B2",
        "W:W9-5:B2",
        "W:W9,9:B2",
        "W:W9:B9",
        "W:W1:B9",
        "W:Wa2:B9",
        "W:W99:B9",
        "W" * 2000,
    ):
        yield tried(fen.parse_fen, text, CZECH)
    for text in (
        '[White "a"]\n[White "b"]\n\n1. c3-d4 *',
        '[GameType "7"]\n\n1. c3-d4 *',
        '[Result "7"]\n\n1. c3-d4 *',
        '[Result "1-0"]\n\n1. c3-d4 0-1',
        *("1. c3-d4 (c3-d4 1-0) *", "1. c3-d4 (c3-d4", "( c3-d4 )", "1. c3-d4 ) *", "1. c3-d4 { *"),
        *(
            "1. $3 c3-d4",
            "1. c3-d4 [ *",
            "1. c3-d4 } *",
            "1. c3-d5 *",
            "1. c3-d4 " + "(b6-a5 " * 60,
        ),
    ):
        (first, *_) = pdn.parse_pdn(text, CZECH).faults
        yield str(first)
    yield tried(pdn.parse_pdn, "", CZECH)
    yield tried(at.undo)
    against = table.Table(START, ("easy", table.HUMAN))
    against.play(against.game.moves[0])
    yield tried(against.undo)
    for ending in Ending:
        if ending not in (Ending.AGREED, Ending.RESIGNED, Ending.FORFEITED):
            yield f"the game is over in this position: {ending.value}"
            yield f"what follows the end of the game is left out: {ending.value}"
    yield tried(table.Table, fen.parse_fen("W:W:B1", CZECH))
    kept = kept_games.KeptGames(folder / "czech.pdn")
    yield tried(kept.take, 7)
    (folder / "czech.pdn").write_text("1. c3-d5 *")
    yield tried(kept_games.KeptGames.load, folder / "czech.pdn", CZECH)
    yield tried(kept_games.KeptGames(folder / "czech.pdn" / "x.pdn").keep, at)
    for name in ("nobody", "alpha-beta:99", "hub:x", f"alpha-beta:2:{folder / 'none.npz'}"):
        yield tried(thoughts.check_player, name, CZECH)
    states = folder / "states.npz"
    states.write_bytes(b"")
    yield tried(thoughts.check_player, f"alpha-beta:2:{states}", CZECH)
    states.unlink()
    learnt = state_learning.StateLearning(state_learning.LearningSettings(depth=1))
    learnt.tables[0].save(states)
    yield tried(thoughts.check_player, f"alpha-beta:2:{states}", INTERNATIONAL)
    yield tried(lambda: Wishes(white=99))
    yield tried(lambda: state_learning.LearningSettings(depth=99))


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_sentence_that_is_raised_has_a_form(module):
    found = {text for text in sentences(module, ELSEWHERE) if re.sub(r"[7 :]", "", text)}
    assert {text for text in found if not has_form(text, TEXTS["en"])} <= IN_WORDS


def test_sentences_that_are_really_raised_have_forms(tmp_path):
    raised = set(refused_sentences(tmp_path))
    assert len(raised) > 45
    assert {text for text in raised if not has_form(text, TEXTS["en"])} == set()
