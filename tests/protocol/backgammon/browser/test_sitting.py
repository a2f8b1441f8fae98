import threading

import pytest

from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.position import START, Position
from protocol.backgammon.browser.sitting import Sitting
from protocol.backgammon.browser.view import state_values
from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from protocol.sitting import StaleError
from tests.tables import table_at

PEOPLE = Setting((HUMAN, HUMAN), seed=3)
LIMIT = 300
"""Seconds; a first use compiles."""


class Watched:
    """A sitting, and a wait until it asks something."""

    def __init__(self, table, folder):
        self.games = KeptGames(folder)
        self.sitting = Sitting(table, self.games.free())
        self.sitting.open()
        self.sitting.wish(delay=0.0)

    def until(self, is_so):
        with self.sitting.lock:
            assert self.sitting.lock.wait_for(lambda: is_so(self.sitting), LIMIT)
            return state_values(self.sitting)

    def asks(self, *what):
        return self.until(lambda sitting: sitting.asks in what)

    def act(self, do, **values):
        self.sitting.act(self.sitting.version, do, values)


@pytest.fixture
def watch(tmp_path):
    made = []

    def begin(table):
        made.append(Watched(table, tmp_path))
        return made[-1]

    yield begin
    for each in made:
        each.sitting.close()
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if "_deal" in name]


def test_nobody_plays_before_a_sitting_is_open(tmp_path):
    table = Table(Setting(("random", "random")))
    sitting = Sitting(table, KeptGames(tmp_path).free())
    assert not sitting._dealer.is_alive()
    sitting.open()
    assert sitting._dealer.is_alive()
    sitting.close()


def test_two_people_move_checkers_until_the_turn_is_complete(watch):
    table = watch(table_at(PEOPLE, START, (3, 1)))
    state = table.asks("play")
    assert {"to": "5", "dice": [3]} in state["targets"]["8"]
    assert {"to": "20", "dice": [3, 1]} in state["targets"]["24"]
    with pytest.raises(ValueError, match="the other side holds point"):
        table.act("move", **{"from": "6", "to": "1"})
    with pytest.raises(ValueError, match=r"^that is not possible now$"):
        table.act("confirm")
    table.act("move", **{"from": "8", "to": "5"})
    table.act("undo")
    table.act("text", text="8/5 6/5")
    state = table.asks("play")
    assert state["is_complete"]
    assert state["dice_left"] == []
    table.act("confirm")
    state = table.until(lambda sitting: len(sitting.table.turns) == 1)
    assert state["last"]["legs"] == [["8", "5"], ["6", "5"]]
    assert state["last"]["text"] == "8/5 6/5"
    state = table.until(lambda sitting: sitting.table.mover == 1 and sitting.asks == "play")
    assert all(place in (*map(str, range(1, 25)), "bar1") for place in state["targets"])
    assert "1" in state["targets"] or "12" in state["targets"]


def test_what_was_meant_for_another_state_is_refused(watch):
    table = watch(table_at(PEOPLE, START, (3, 1)))
    table.asks("play")
    version = table.sitting.version
    table.act("move", **{"from": "8", "to": "5"})
    with pytest.raises(StaleError):
        table.sitting.act(version, "move", {"from": "6", "to": "5"})


def test_no_game_is_kept_whose_opening_roll_was_taken_back(watch):
    table = watch(Table(Setting((HUMAN, HUMAN), dice=Dice.MANUAL)))
    table.act("dice", dice=(6, 1))
    assert table.asks("play")["kept_as"] == "game"
    table.act("undo")
    assert table.asks("opening")["kept_as"] == ""
    assert table.games.all() == []


def test_the_game_is_kept_with_its_legs(watch):
    table = watch(table_at(PEOPLE, START, (3, 1)))
    table.asks("play")
    table.act("move", **{"from": "8", "to": "5"})
    (kept,) = table.games.all()
    assert kept.load().turn.legs == table.sitting.table.turn.legs


def test_a_double_and_a_resignation_wait_for_their_answers(watch):
    setting = Setting((HUMAN, HUMAN), cube=True, seed=3, money=MoneyRules(False, True))
    table = watch(table_at(setting, START, (3, 1)))
    table.act("text", text="8/5 6/5")
    table.act("confirm")
    table.asks("roll")
    table.act("double")
    state = table.asks("double")
    assert state["asked"] == 0
    assert state["cube"]["shown"] == 2
    assert {"take", "drop", "beaver"} <= set(state["may"])
    table.act("take")
    assert table.sitting.table.game.cube_owner == 0
    state = table.asks("play")
    table.act("resign", points=1)
    state = table.asks("resignation")
    assert (state["asked"], state["resigned"]) == (0, 1)
    table.act("decline")
    table.asks("play")
    table.act("resign", points=2)
    table.act("accept")
    state = table.asks("next")
    assert state["result"]["winner"] == 0
    assert state["result"]["points"] == 4
    assert [each["say"] for each in state["log"]][-1] == "wins"
    table.act("next")
    assert table.sitting.table.number == 2


def test_resignations_are_told_with_what_they_cost_until_they_are_declined(watch):
    table = watch(table_at(Setting((HUMAN, HUMAN), cube=True, money=MoneyRules()), START, (3, 1)))
    state = table.asks("play")
    assert state["stakes"] == [[1, 1], [2, 1], [3, 1]]  # under Jacoby, before a double
    table.act("resign", points=2)
    table.asks("resignation")
    table.act("decline")
    assert table.asks("play")["stakes"] == [[3, 1]]
    table.act("resign", points=3)
    table.act("decline")
    assert "resign" not in table.asks("play")["may"]
    table = watch(table_at(Setting((HUMAN, HUMAN), 5, cube=True), START, (3, 1)))
    assert table.asks("play")["stakes"] == [[1, 1], [2, 2], [3, 3]]


def test_dice_are_typed_in_where_that_is_wanted(watch):
    table = watch(Table(Setting((HUMAN, HUMAN), dice=Dice.MANUAL)))
    table.asks("opening")
    with pytest.raises(ValueError, match="is a tie"):
        table.act("dice", dice=(3, 3))
    table.act("dice", dice=(2, 6))
    state = table.asks("play")
    assert (state["turn"], state["dice"]) == (1, [6, 2])


def test_forced_plays_are_made_unless_they_are_wanted(watch):
    position = Position.of({25: 1, 6: 2}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 8: 2})
    table = watch(table_at(PEOPLE, position, (2, 1)))
    table.until(lambda sitting: sitting.table.mover == 1)
    assert table.sitting.table.turns[0].play.legs
    waiting = Watched(table_at(PEOPLE, START, (3, 1)), table.games.folder)
    try:
        waiting.sitting.wish(auto=False)
        waiting.sitting.seat_at(table_at(PEOPLE, position, (2, 1)), waiting.games.free())
        assert waiting.asks("play")["dice"] == [2, 1]
    finally:
        waiting.sitting.close()


def test_game_against_a_program_tells_where_it_goes_on(watch):
    table = watch(table_at(Setting(("external:localhost:1", HUMAN)), START, (3, 1)))
    told = table.until(lambda sitting: sitting.trouble)["trouble"]
    assert told == (
        "a page starts no programs, so 'external:localhost:1' plays in the terminal only"
    )


@pytest.mark.slow
def test_a_bot_answers_and_the_tutor_speaks_and_sums_up(watch):
    table = watch(table_at(Setting((HUMAN, "easy"), 1, seed=3), START, (3, 1)))
    table.sitting.wish(tutor=0.05, advice="hard")
    table.asks("play")
    table.act("text", text="13/10 6/5")
    table.act("confirm")
    state = table.asks("lesson")
    assert state["lesson"]["loss"] > 0.05
    assert state["lesson"]["best"]["text"] == "8/5 6/5"
    assert state["lesson"]["best"]["points_made"] == 1
    table.act("take-back")
    assert table.asks("play")["dice_left"] == [3, 1]
    table.act("text", text="8/5 6/5")
    table.act("confirm")
    state = table.until(lambda sitting: len(sitting.table.turns) >= 2)
    assert not state["players"][1]["is_person"]
    table.asks("play", "roll")
    table.act("resign", points=3)
    state = table.until(lambda sitting: sitting.summary is not None)
    assert state["summary"][0]["decisions"] >= 1
    assert state["summary"][1]["decisions"] == 0


@pytest.mark.slow
def test_a_thinking_bot_is_stopped_and_decides_at_once(watch):
    table = watch(Table(Setting(("default:3", "default:3"), seed=3)))
    table.until(lambda sitting: sitting.table.turn is not None)
    stops = table.sitting.player.stops
    table.act("stop")
    assert table.sitting.player.stops == stops + 1
    table.until(lambda sitting: len(sitting.table.turns) >= 1)


def test_who_thinks_about_a_game_that_was_left_is_stopped(watch):
    table = watch(Table(Setting((HUMAN, "random"), seed=3)))
    table.asks("play")
    stops = table.sitting.player.stops
    table.sitting.seat_at(Table(PEOPLE), table.games.free())
    assert table.sitting.player.stops == stops + 1


def test_undo_goes_back_to_a_choice_and_not_to_a_play_that_is_made_by_itself(watch):
    position = Position.of({8: 1, 4: 1, 1: 1}, {1: 8})
    table = watch(table_at(PEOPLE, position, (2, 1)))
    table.act("text", text="8/5")
    table.act("confirm")
    table.until(lambda sitting: len(sitting.table.turns) > 1 and sitting.asks != "bot")
    table.act("undo")
    state = table.asks("play")
    assert (state["turn"], state["dice"]) == (0, [2, 1])
    assert not table.sitting.table.turns
