from pathlib import Path

import pytest

from bot.backgammon.rules.position import START
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from tests.sitting import ask
from tests.tables import bearing_off_table, table_at

PEOPLE = (HUMAN, HUMAN)


@pytest.fixture
def opened(sit):
    """A person who has to play 3-1 from the start against pubeval."""
    return sit(table_at(Setting((HUMAN, "pubeval"), seed=3), START, (3, 1)))


def test_game_is_saved_and_loaded(opened, tmp_path):
    path = tmp_path / "my game.json"
    assert opened.say(f"save {tmp_path}") == f"{tmp_path} is a folder: name a file in it."
    opened.say("8/5")
    assert opened.say(f"save {path}") == f"Saved: {path}"
    assert "write over it? [y/N]" in ask(opened, f"save {path}")
    assert opened.say("no") == ""
    ask(opened, f"save {path}")
    assert opened.say("y") == f"Saved: {path}"
    opened.say("6/5")
    opened.say("")
    assert "Leave this game, which is kept, for the one in the file? [y/N]" in ask(
        opened, f"load {path}"
    )
    opened.say("y")
    assert opened.talk.prompt() == "● You 1 left> "
    assert opened.table.turn.legs[0].source == 8


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nobody", "No player 'nobody'."),
        ("ubgi:no/where", "Cannot start the UBGI program 'no/where': No such file or directory."),
    ],
)
def test_game_whose_player_is_missing_is_not_loaded(opened, tmp_path, name, told):
    save(Table(Setting((HUMAN, name))), tmp_path / "game.json")
    before = opened.table
    ask(opened, f"load {tmp_path / 'game.json'}")
    assert opened.say("y") == told
    assert opened.table is before


def test_new_begins_again_after_a_question(sit):
    sitting = sit(table_at(Setting(PEOPLE, length=5), START, (3, 1), (2, 3)))
    assert ask(sitting, "new") == "Give up this game and the score? [y/N] "
    sitting.say("n")
    assert sitting.table.points == (2, 3)
    assert sitting.kept.exists
    ask(sitting, "new")
    sitting.talk.receive("y")
    assert not sitting.kept.exists
    assert sitting.table.points == (0, 0)
    assert "Opening" in sitting.say("")
    over = sit(bearing_off_table(Setting(PEOPLE, length=1)))
    assert "Opening" in over.say("new")


def test_a_game_that_is_not_begun_is_not_said_to_be_kept(opened, tmp_path):
    save(Table(Setting(PEOPLE, dice=Dice.MANUAL)), tmp_path / "game.json")
    opened.say("8/5")
    ask(opened, f"load {tmp_path / 'game.json'}")
    opened.say("y")
    assert opened.table.game.turn is None
    assert opened.talk.kept_as == ""
    assert opened.kept.load().turn.legs


def test_saved_table_is_the_one_that_goes_on(opened, tmp_path):
    opened.say(f"save {tmp_path / 'a'}")
    loaded = load(tmp_path / "a")
    assert loaded.thrown_dice() == opened.table.thrown_dice()


def test_game_saved_under_the_name_of_a_match_file_is_exported(opened, tmp_path):
    path = tmp_path / "game.MAT"
    assert opened.say(f"save {path}") == f"Exported: {path}"
    assert read_match(path).whole.players == (HUMAN, "pubeval")


def test_game_that_is_not_begun_is_not_exported(sit, tmp_path):
    sitting = sit(Table(Setting(PEOPLE, dice=Dice.MANUAL)))
    assert sitting.say(f"export {tmp_path / 'game.mat'}") == (
        "There is nothing to export: no game is begun."
    )


def test_game_that_could_not_be_kept_is_given_up_for_another_only_after_a_question(sit, tmp_path):
    (tmp_path / "kept").write_text("a file where the folder should be")
    sitting = sit(table_at(Setting(PEOPLE), START, (3, 1)))
    assert sitting.sent[0].startswith("The game is not kept: ")
    save(Table(Setting(PEOPLE)), tmp_path / "game.json")
    question = ask(sitting, f"load {tmp_path / 'game.json'}")
    assert question == "Give up this game for the one in the file? [y/N] "


def test_path_that_one_may_not_look_at_is_told_in_a_sentence(opened, tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "is_dir", refuse)
    path = tmp_path / "game.json"
    assert opened.say(f"save {path}") == f"Cannot use {path}: Permission denied."


def test_match_at_the_table_is_exported_whole(tmp_path, sit):
    session = sit(table_at(Setting(PEOPLE, cube=True), START, (3, 1)))
    session.say("resign single")
    session.say("yes")
    session.say("")
    for name in ("games.mat", "games.sgf"):
        path = tmp_path / name
        session.say(f"export {path}")
        match = read_match(path).whole
        assert match.games[0].result.points == 1
        assert match.players == PEOPLE
    session.say(f"export {tmp_path}")
    assert len(list(tmp_path.glob("*_human-human.mat"))) == 1
    save(session.table, tmp_path / "kept.json")
    assert load(tmp_path / "kept.json").match.games[0] == match.games[0]
