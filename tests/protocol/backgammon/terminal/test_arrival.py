import os

import pytest

from bot.backgammon.rules.position import START
from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.terminal.arrival import Arrival, games_text
from tests.tables import table_at

PEOPLE = Setting((HUMAN, "hard"))
BOTS = Setting(("random", "pubeval"))


class Person:
    """Somebody who arrives, answers in this order, and is told things."""

    def __init__(self, folder, *answers):
        self.games = KeptGames(folder)
        self.answers = list(answers)
        self.asked, self.told = [], []

    def keep(self, name, setting=PEOPLE, age=0):
        place = self.games.called(name)
        place.load()
        place.keep(table_at(setting, START, (3, 1)))
        os.utime(place.path, (100 - age, 100 - age))

    def seated(self, setting=PEOPLE, **wishes):
        arrival = Arrival(self.games, setting, **wishes)
        table, place, notice = arrival.seated(self._ask, self.told.append)
        self.told += [notice] if notice else []
        assert not self.answers
        return table, place.name

    def _ask(self, question):
        self.asked.append(question)
        return self.answers.pop(0)


def test_first_game_is_begun_without_a_word(tmp_path):
    person = Person(tmp_path)
    table, name = person.seated()
    assert (name, table.is_begun, person.told) == ("game", False, [])


def test_latest_game_is_offered_and_the_others_are_told_of(tmp_path):
    person = Person(tmp_path, "perhaps", "")
    person.keep("old", age=5)
    person.keep("new")
    table, name = person.seated()
    assert (name, table.is_begun) == ("new", True)
    assert person.asked == ["Go on with it? [Y/n] "] * 2
    assert person.told == [
        "Kept as new: ● You 0, ○ hard 0 in money games, 0 turns played.",
        "blot play --games lists all 2 that are kept.",
        "Answer yes or no.",
    ]


def test_kept_game_is_left_for_a_new_one_and_stays(tmp_path):
    person = Person(tmp_path, "no", "easy")
    person.keep("game")
    table, name = person.seated(asks_level=True)
    assert (name, table.setting.players) == ("game-2", (HUMAN, "easy"))
    assert person.games.called("game").exists


def test_new_game_leaves_the_kept_ones_where_they_are(tmp_path):
    for wishes, reason in (
        ({"is_new": True}, ""),
        ({"given": ("--length",)}, ", as --length was given"),
    ):
        person = Person(tmp_path)
        person.keep("game")
        table, name = person.seated(**wishes)
        assert (name, table.is_begun, person.asked) == ("game-2", False, [])
        assert person.told == [
            f"A new game{reason}, kept as game-2; blot play --games lists the others."
        ]
    assert person.games.called("game").exists


def test_bots_alone_are_asked_nothing_and_not_offered_to_people(tmp_path):
    person = Person(tmp_path)
    person.keep("bots", BOTS)
    assert person.seated()[1] == "game"
    person.keep("game")
    person.told.clear()
    assert person.seated(BOTS)[0].setting == BOTS
    assert (person.asked, person.told) == ([], [])


def test_level_is_asked_for_with_a_default(tmp_path):
    question = "Which level: easy, medium, hard, expert or best? [hard] "
    for answers, level in ((("",), "hard"), (("hardest", "2", " Easy "), "easy")):
        person = Person(tmp_path, *answers)
        table, _ = person.seated(asks_level=True)
        assert table.setting.players == (HUMAN, level)
        assert person.asked == [question] * len(answers)


def test_game_is_taken_up_by_its_name_or_begun_under_it(tmp_path):
    person = Person(tmp_path)
    table, name = person.seated(name="mine")
    assert (name, table.is_begun) == ("mine", False)
    person.keep("mine")
    table, name = person.seated(name="mine")
    assert (name, table.is_begun, person.asked) == ("mine", True, [])
    with pytest.raises(ValueError, match="--seed is for a new game, and mine is kept: leave"):
        person.seated(name="mine", given=("--seed",))
    for wishes in ({"is_new": True}, {"saved": Table(PEOPLE)}):
        with pytest.raises(ValueError, match="a game is kept as mine already; give another name"):
            person.seated(name="mine", **wishes)


def test_game_from_a_file_gets_a_place_of_its_own(tmp_path):
    person = Person(tmp_path)
    person.keep("game")
    saved = Table(PEOPLE)
    assert person.seated(saved=saved) == (saved, "game-2")
    assert person.seated(saved=saved, name="mine") == (saved, "mine")


def test_damaged_game_is_set_aside_when_it_would_be_offered(tmp_path):
    person = Person(tmp_path, "y")
    person.keep("good", age=5)
    (tmp_path / "bad.json").write_text("{")
    assert person.seated()[1] == "good"
    damaged, *told = person.told
    assert "It is now" in damaged
    assert told == ["A game is kept: ● You 0, ○ hard 0 in money games, 0 turns played."]
    assert (tmp_path / "bad.damaged").exists()


def test_damaged_game_asked_for_by_name_is_refused_and_stays(tmp_path):
    person = Person(tmp_path)
    (tmp_path / "bad.json").write_text("{")
    with pytest.raises(ValueError, match="is no saved game"):
        person.seated(name="bad")
    assert (tmp_path / "bad.json").exists()


def test_games_are_listed_with_score_and_time_damaged_ones_too(tmp_path):
    person = Person(tmp_path)
    assert games_text(person.games) == "No game is kept."
    person.keep("mine", age=5)
    (tmp_path / "bad.json").write_text("{")
    bad, mine, last = games_text(person.games).splitlines()
    assert bad.startswith("bad: ")
    assert "is no saved game of Blot" in bad
    assert mine.startswith("mine: ● You 0, ○ hard 0 in money games, 0 turns played, last 19")
    assert last == "blot play --game NAME goes on with one of them."


def test_game_that_cannot_be_played_so_is_refused_before_anything_is_asked(tmp_path):
    def refuse(setting):
        raise ValueError("no such game")

    new = {"is_new": True, "asks_level": True}
    for wishes in (new, {"name": "kept"}, {"saved": Table(PEOPLE)}, {}):
        person = Person(tmp_path)
        person.keep("kept")
        with pytest.raises(ValueError, match="no such game"):
            person.seated(check=refuse, **wishes)
        assert not person.asked
