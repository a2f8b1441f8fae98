"""Sentences of the server: each that a person at the page can bring about has its form."""

import re

import pytest

from bot.backgammon.rules.match import Cube, CubeOwner
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from bot.workers import pool
from protocol import sitting
from protocol.backgammon.arena.named_players import known_level
from protocol.backgammon.browser import thoughts
from protocol.backgammon.formats import notation, pasted_id, position_id, xgid
from protocol.backgammon.table import kept_games, saved_game, set_up, table, turn
from tests.pages import has_form, sentences
from tests.protocol.backgammon.browser.test_texts import TEXTS

MODULES = (turn, notation, pasted_id, position_id, xgid, table, set_up, kept_games, sitting)
ELSEWHERE = {
    *("xgid_text", "parse_dice", "__post_init__", "__init__"),
    *("match_id", "parse_gnubg_id"),
}
"""Functions of them that no question of the page comes to."""

IN_WORDS = {
    "7: you have no checker 7",
    "cannot read 7the play 7",
    "two different 7 IDs, 7 and 7: paste one position alone",
    "7 (7 7)",
    "has 7 7",
    "7 7 ends in bits that mean nothing",
}
"""Sentences with words among their values, which have a form for each: see refused_sentences."""

PASTED = (
    "nothing here",
    "4HPwATDgc/ABM",
    "4HPwATDgc/AB!!",
    "4HPwATDgc/ABMB",
    "//////////////",
    "AAAAAAAAAAAAAA",
    "cAkAAAAAAAAA",
    "cAkAAAAAAAAB",
    "4HPwATDgc/ABMA 4HPKATDgc/ABMA",
    "4HPwATDgc/ABMA cAkAAAAAAAAA cAkQAAAAAAAA",
    "XGID=-b----E-C---eE---c-e----B-:0:0",
    "XGID=-b----E-C---eE---c-e----B:0:0:1:00:0:0:0:0:10",
    "XGID=-b----E-C---eE---c-e----O-:0:0:1:00:0:0:0:0:10",
    "XGID=" + 26 * "-" + ":0:0:1:00:0:0:0:0:10",
    "XGID=Ab----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10",
    *(
        f"XGID=-b----E-C---eE---c-e----B-:{fields}"
        for fields in (
            "0:1:1:00:0:0:0:0:10",
            "99:0:1:00:0:0:0:0:10",
            "0:7:1:00:0:0:0:0:10",
            "0:0:7:00:0:0:0:0:10",
            "0:0:1:77:0:0:0:0:10",
            "0:0:1:B:0:0:0:0:10",
            "0:0:1:00:-7:0:0:0:10",
            "0:0:1:00:0:0:9:0:10",
            "0:0:1:00:0:0:2:5:10",
            "0:0:1:00:9:0:0:5:10",
            "0:0:1:00:0:0:1:5:10",
            "0:0:1:00:0:0:0:-5:10",
            "0:0:1:00:0:0:0:0:99",
            "1:-1:1:D:0:0:0:0:10",
            "0:0:1:D:4:3:1:5:10",
            "12:1:1:D:0:0:0:0:10",
        )
    ),
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 "
    "XGID=-b----E-C---eE---c-e----B-:0:0:-1:00:0:0:0:0:10",
    "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10 4HPKATDgc/ABMA",
)


def refused_sentences(folder):
    """Sentences that are really raised, most of them with others inside."""

    def tried(act, *arguments):
        with pytest.raises((ValueError, OSError)) as refused:
            act(*arguments)
        return str(refused.value)

    for text in PASTED:
        yield tried(lambda text: pasted_id.pasted_id(text).request, text)
    ended = position_id.position_id(Position.of({}, {6: 1}))
    yield tried(lambda: pasted_id.pasted_id(ended).request)
    opening = turn.Turn(START, Roll(3, 1))
    barred = turn.Turn(Position.of({25: 1, 6: 2}, {6: 2}), Roll(6, 1))
    danced = turn.Turn(Position.of({25: 1}, dict.fromkeys(range(1, 7), 2)), Roll(6, 1))
    for at, text in (
        *(
            (opening, text)
            for text in ("", "x/y", "8/5 x/y", "7/4", "bar/22", "6/1", "8/6", "6/off")
        ),
        *((opening, text) for text in ("8/5/4/3", "8/5 6/5 24/23", "24/22", "8/5 8 5 6")),
        *((barred, text) for text in ("6/5", "bar/19", "bar/24 6/off")),
        (danced, "bar/24"),
    ):
        yield tried(at.with_text, text)
    yield tried(opening.with_text("8/5 6/5").with_move, 6, 5)
    yield tried(notation.parse_play, "", START, Roll(3, 1))
    yield tried(notation.parse_play, "8/5", START, Roll(3, 1))
    yield tried(lambda: opening.play or opening.with_text("8/5").play)
    yield tried(table.Table(table.Setting(("human", "human"))).throw, 3, 3)
    yield tried(table.Table(table.Setting(("human", "human"))).take_back)
    yield tried(table.Setting, ("human", "human"), 99)
    yield tried(Cube, 1, CubeOwner.OTHER)
    games = kept_games.KeptGames(folder)
    yield tried(games.called, "../etc")
    yield from (tried(_kept(folder, text).load) for text in ("{", "{}", '{"format": 1}'))
    good = _kept(folder, "")
    good.keep(table.Table(table.Setting(("human", "human"))))
    whole = good.path.read_text()
    for old, new in (('"version": 3', '"version": 99'), ('"events"', '"eventz"'), ('"auto"', "3")):
        assert old in whole
        yield tried(_kept(folder, whole.replace(old, new)).load)
    yield tried(saved_game.save, table.Table(table.Setting(("human", "human"))), folder)
    inside = kept_games.KeptGame(good.path / "below" / "game.json")
    yield tried(inside.keep, table.Table(table.Setting(("human", "human"))))
    for name in ("nobody", "random:2", "expert:1", "default:99"):
        yield tried(known_level, name)
    yield tried(thoughts.player_of_page, "ubgi:program")
    yield pool.DIED
    yield pool._SILENT.format(600)


def _kept(folder, text):
    """A kept game with this text for a file."""
    path = folder / "one.json"
    path.write_text(text)
    return kept_games.KeptGame(path)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_every_sentence_that_is_raised_has_a_form(module):
    found = {text for text in sentences(module, ELSEWHERE) if re.sub(r"[7 :]", "", text)}
    assert found
    assert {text for text in found if not has_form(text, TEXTS["en"])} <= IN_WORDS


def test_sentences_that_are_really_raised_have_forms(tmp_path):
    raised = set(refused_sentences(tmp_path))
    assert len(raised) > 50
    assert {text for text in raised if not has_form(text, TEXTS["en"])} == set()
