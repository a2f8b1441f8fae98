import threading

from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.browser.sitting import Sitting
from protocol.draughts.browser.wishes import Wishes
from protocol.draughts.table.kept_games import KeptGames
from protocol.draughts.table.table import Table

LIMIT = 300
"""Seconds; a first use compiles."""


def test_a_step_that_was_paused_away_does_not_pause_the_game_later(tmp_path):
    rests = threading.Event()
    sitting = Sitting(
        Table(Position.start(CZECH), ("random", "random")),
        KeptGames(tmp_path / "czech.pdn"),
        Wishes(delay=0),
        prepare=lambda names, variant: None,
        on_change=lambda: sitting.asks in ("paused", "next") and rests.set(),
    )
    for do in ("step", "pause", "go"):
        sitting.act(sitting.version, do, {})
    rests.clear()
    sitting.open()
    try:
        assert rests.wait(LIMIT)
        assert sitting.asks == "next"
    finally:
        sitting.close()


def test_a_game_that_could_not_be_kept_is_kept_at_the_next_change(tmp_path):
    folder = tmp_path / "kept"
    folder.write_text("in the way")
    sitting = Sitting(
        Table(Position.start(CZECH)),
        KeptGames(folder / "czech.pdn"),
        Wishes(),
        prepare=lambda names, variant: None,
    )
    sitting.act(sitting.version, "move", {"n": 0})
    assert "cannot be made" in sitting.trouble
    sitting.wish(delay=1)
    assert "cannot be made" in sitting.trouble
    folder.unlink()
    sitting.wish(delay=2)
    assert sitting.trouble == ""
    assert len(KeptGames.load(folder / "czech.pdn", CZECH).earlier[0].moves) == 1


def test_undo_goes_back_to_a_choice_and_not_to_a_move_that_is_made_by_itself(tmp_path):
    rests = threading.Event()
    sitting = Sitting(
        Table(Position.start(INTERNATIONAL)),
        KeptGames(tmp_path / "games.pdn"),
        Wishes(auto=True, delay=0),
        prepare=lambda names, variant: None,
        on_change=lambda: len(sitting.table.moves) == 3 and rests.set(),
    )
    sitting.open()
    try:
        for text in ("32-28", "19-23"):
            sitting.act(sitting.version, "text", {"text": text})
        assert rests.wait(LIMIT)
        sitting.act(sitting.version, "undo", {})
        assert len(sitting.table.moves) == 1
        assert sitting.asks == "move"
        sitting.act(sitting.version, "undo", {})
        assert sitting.table.moves == []
    finally:
        sitting.close()
