import threading
from contextlib import contextmanager

import pytest

from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.position import START, Position
from protocol.backgammon.browser.api import Api
from protocol.backgammon.commands.board import _table, _table_of
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.table import HUMAN, Setting
from protocol.web import Events, RefusedError
from tests.pages import has_form
from tests.protocol.backgammon.browser.test_texts import TEXTS
from tests.sitting import Sitting as TerminalSitting
from tests.tables import table_at

LIMIT = 300
"""Seconds; a first use compiles."""


class Heard(Events):
    """Events that are kept by name instead of sent."""

    def __init__(self):
        super().__init__()
        self.last = {}
        self.rollout_told = threading.Event()

    def send(self, name, values):
        self.last[name] = values
        if name == "rollout" and values["known"]:
            self.rollout_told.set()


@contextmanager
def opened(folder):
    games, events = KeptGames(folder), Heard()
    table = table_at(Setting((HUMAN, HUMAN), 5, cube=True, seed=3), START, (3, 1))
    made = Api(table, games.free(), games, events, _table_of)
    made.heard, made.told = events.last, events.rollout_told
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def api(tmp_path):
    with opened(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def untouched(tmp_path_factory):
    """One whose game stays as it is."""
    with opened(tmp_path_factory.mktemp("kept")) as made:
        yield made


def act(api, do, **values):
    return api.answers["act"]({"version": api.sitting.version, "do": do, **values})


def until(api, is_so):
    with api.sitting.lock:
        assert api.sitting.lock.wait_for(lambda: is_so(api.sitting), LIMIT)


def test_pages_hear_the_whole_state_of_every_change(api):
    assert api.heard["state"]["asks"] == "play"
    act(api, "move", **{"from": "8", "to": "5"})
    state = api.heard["state"]
    assert state["dice_left"] == [1]
    assert state["players"][0]["pips"] == 164
    assert state["svg"].startswith('<svg class="board"')
    assert state["text_board"][0] == " +13-14-15-16-17-18------19-20-21-22-23-24-+"
    assert state["text_board"][-2] == " | O           X    |   | X  X           O |"


def test_a_stale_act_is_a_conflict(api):
    version = api.sitting.version
    act(api, "move", **{"from": "8", "to": "5"})
    with pytest.raises(RefusedError) as refused:
        api.answers["act"]({"version": version, "do": "undo"})
    assert refused.value.status == 409


@pytest.mark.parametrize(
    ("address", "values", "sentence"),
    [
        ("act", {}, "do is missing"),
        ("act", {"do": "roll"}, "version is missing"),
        ("act", {"do": 3, "version": 0}, "do cannot be '3'"),
        ("act", {"do": "roll", "version": True}, "version cannot be 'True'"),
        ("act", {"do": "move", "version": 0, "from": 8, "to": "5"}, "from cannot be '8'"),
        ("act", {"do": "resign", "version": 0, "points": 4}, "points: 1, 2 or 3, not 4"),
        ("act", {"do": "dice", "version": 0, "dice": [1, 7]}, "dice: two numbers from 1 to 6"),
        ("act", {"do": "settings", "version": 0, "tutor": 9}, "tutor: equity from 0 to 3"),
        ("act", {"do": "settings", "version": 0, "delay": -1}, "delay: 0 to 10 seconds"),
        ("act", {"do": "settings", "version": 0, "delay": 10**400}, "delay is too large"),
        ("act", {"do": "settings", "version": 0, "advice": "x"}, "advice: one of easy"),
        ("act", {"do": "set", "version": 0, "id": "none"}, "none"),
        ("act", {"do": "edit", "version": 0, "points": [1], "on_roll": 0}, "26 points"),
        ("act", {"do": "edit", "version": 0, "points": ["a"], "on_roll": 0}, "26 counts"),
        ("act", {"do": "edit", "version": 0, "points": [0] * 26, "on_roll": 2}, "0 or 1"),
        ("new", {"players": ["human"]}, "players: two names"),
        ("new", {"players": ["human", "nobody"]}, "no player 'nobody'"),
        ("new", {"players": ["human", "ubgi:x"]}, "no programs, so 'ubgi:x' plays in the terminal"),
        ("new", {"players": ["human", __file__]}, "is no weights file of Blot, or is damaged"),
        ("new", {"players": ["human", "/"]}, "is a folder, no weights file"),
        ("new", {"players": ["human", "human"], "length": 99}, "1 to 64 points, not 99"),
        ("new", {"players": ["human", "human"], "dice": "loaded"}, "loaded"),
        ("load", {"name": "../etc"}, "a game is named with"),
        ("load", {"name": "none"}, "no game is kept as none"),
        ("rollout", {"version": 0, "trials": 0}, "trials: 2 to 46656, not 0"),
        ("complete", {"text": None}, "text cannot be 'None'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(untouched, address, values, sentence):
    version = untouched.sitting.version
    with pytest.raises(ValueError, match=sentence):
        untouched.answers[address](values)
    assert untouched.sitting.version == version


def test_a_resignation_is_not_rolled_out(api):
    act(api, "resign", points=1)
    with pytest.raises(ValueError, match="does not answer resignations: a hint does") as refused:
        api.answers["rollout"]({"version": api.sitting.version})
    assert has_form(str(refused.value), TEXTS["en"])


@pytest.mark.parametrize("address", ["hint", "rollout"])
def test_a_roll_without_a_play_leaves_nothing_to_ask_about(api, address):
    shut_out = Position.of({6: 14, 25: 1}, dict.fromkeys(range(1, 7), 2) | {8: 3})
    with api.sitting.lock:
        api.sitting.table = table_at(Setting((HUMAN, HUMAN), 5, cube=True), shut_out, (3, 1))
        with pytest.raises(ValueError, match="there is nothing to decide now"):
            api.answers[address]({"version": api.sitting.version})


def test_plays_are_completed_as_in_the_terminal(untouched):
    assert "8/5 6/5" in untouched.answers["complete"]({"text": "8/5"})["lines"]
    assert untouched.answers["complete"]({"text": " "})["lines"] == []


def test_a_pasted_id_is_where_the_game_goes_on(api):
    act(api, "set", id="XGID=-a---BDaB---dEa--c-e----B-:0:0:1:64:0:0:1:0:10")
    state = api.heard["state"]
    assert (state["dice"], state["length"]) == ([6, 4], None)
    assert state["id"].startswith("4HPkQSCwZ/ABMA")
    assert act(api, "text", text="24/14*")["version"] > state["version"]


def test_an_xgid_of_a_game_without_the_cube_is_played_without(api):
    for limit in (0, 10):
        act(api, "set", id=f"XGID=-a---BDaB---dEa--c-e----B-:0:0:1:64:0:0:1:0:{limit}")
        assert api.heard["state"]["has_cube"] == (limit > 0)


def test_a_bare_position_is_played_by_the_rules_of_before(api):
    api.answers["new"]({"players": ["human", "human"], "cube": False, "seed": 4})
    for text, has_cube in (("4HPwATDgc/ABMA", False), ("4HPwATDgc/ABMA:cAkAAAAAAAAE", True)):
        act(api, "set", id=text)
        assert api.heard["state"]["has_cube"] == has_cube


def test_a_position_is_set_up_by_hand(api):
    points = [0] * 26
    # A checker on 12 leaves a choice: a forced play would be made at once.
    points[6], points[1], points[24], points[12], points[0] = 5, 2, -3, -1, -1
    cube = {"value": 4, "owner": 1}
    act(api, "edit", points=points, on_roll=1, dice=[2, 5], cube=cube)
    state = api.heard["state"]
    assert state["points"] == points
    assert (state["turn"], state["dice"], state["cube"]["owner"]) == (1, [5, 2], 1)
    assert state["cube"]["value"] == 4


def test_no_cube_is_set_up_that_no_double_brings_about_at_the_score(api):
    set_up = {"points": list(START.points), "on_roll": 1, "dice": None}
    for cube in ({"value": 2}, {"value": 16, "owner": 0}):
        with pytest.raises(ValueError, match=f"^at this score no cube at {cube['value']} can have"):
            act(api, "edit", **set_up, cube=cube)
    act(api, "edit", **set_up, cube={"value": 8, "owner": 0})
    assert api.heard["state"]["cube"]["owner"] == 0


def test_kept_games_are_listed_and_gone_on_with(api):
    act(api, "move", **{"from": "8", "to": "5"})
    api.answers["new"]({"players": ["human", "human"], "length": 3, "seed": 4})
    until(api, lambda sitting: sitting.table.turn is not None)
    names = {game["name"] for game in api.answers["games"]({})}
    assert names == {"game", "game-2"}
    assert api.heard["state"]["length"] == 3
    api.answers["load"]({"name": "game"})
    state = api.heard["state"]
    assert (state["length"], state["dice_left"]) == (5, [1])


def test_the_first_game_has_the_rules_of_play(tmp_path):
    table, _ = _table(KeptGames(tmp_path), is_new=False)
    assert (table.setting.cube, table.setting.money) == (True, MoneyRules(jacoby=True))


def test_a_game_begun_in_the_terminal_goes_on_here_and_there_again(tmp_path):
    setting = Setting((HUMAN, "pubeval"), seed=3)
    terminal = TerminalSitting(table_at(setting, START, (3, 1)), tmp_path)
    terminal.wait()
    terminal.say("8/5")
    games = KeptGames(terminal.kept.path.parent)
    table, kept = _table(games, is_new=False)
    here = Api(table, kept, games, Heard(), _table_of)
    try:
        assert here.sitting.table.turn.dice_left == (1,)
        act(here, "move", **{"from": "6", "to": "5"})
    finally:
        here.close()
    assert terminal.kept.load().turn.is_complete


def test_the_match_is_exported(api):
    act(api, "text", text="8/5 6/5")
    act(api, "confirm")
    kind, content = api.exported("match.sgf")
    assert kind == "application/x-go-sgf"
    exported = parse_sgf(content.decode()).whole
    assert len(exported.games[0].events) >= 2
    assert exported.occasion.date
    with pytest.raises(ValueError, match=r"exported as \.sgf or \.mat"):
        api.exported("match.exe")


@pytest.mark.slow
def test_hints_and_chances_come_from_a_process_that_thinks(api):
    hint = api.answers["hint"]({"version": api.sitting.version})
    assert hint["kind"] == "play"
    assert hint["rows"][0]["text"] == "8/5 6/5"
    assert hint["rows"][0]["legs"] == [["8", "5"], ["6", "5"]]
    assert len(hint["rows"]) == 5
    assert hint["rows"][0]["mark"] == ""
    assert hint["rows"][4]["mark"] in ("doubtful", "bad", "very_bad")
    act(api, "text", text="8/5 6/5")
    act(api, "confirm")
    until(api, lambda sitting: sitting.asks == "roll")
    cube = api.answers["hint"]({"version": api.sitting.version})
    assert cube["action"] == "no_double_take"
    assert [row["key"] for row in cube["rows"]] == ["no_double", "double_take", "double_drop"]
    assert cube["rows"][0]["diff"] == 0
    assert 0.3 < api.heard["chances"]["chances"][0] < 0.7
    act(api, "roll")
    until(api, lambda sitting: sitting.asks == "play")
    hint = api.answers["hint"]({"version": api.sitting.version})
    sources = {row["legs"][0][0] for row in hint["rows"]}
    assert sources <= set(api.heard["state"]["targets"])


@pytest.mark.slow
def test_who_is_beavered_is_advised_for_himself(api):
    rules = {"players": [HUMAN, HUMAN], "beavers": True, "jacoby": False}
    api.answers["new"](rules)
    act(api, "set", id="XGID=-BBBBBC---------------bcd-:0:0:1:00:0:0:2:0:10")
    act(api, "double")
    act(api, "beaver")
    version = {"version": api.sitting.version}
    hint = api.answers["hint"](version)
    assert hint["chances"][0] < 0.1
    assert hint["action"] == "drop"
    assert hint["rows"][0]["points"] < -1
    with pytest.raises(ValueError, match="the answer to a beaver is not rolled out"):
        api.answers["rollout"](version)


def test_a_match_without_a_game_is_not_exported_as_sgf(api):
    api.answers["new"]({"players": [HUMAN, HUMAN], "dice": "manual"})
    with pytest.raises(ValueError, match="no game has begun yet, and an SGF file has one"):
        api.exported("match.sgf")


@pytest.mark.slow
def test_a_rollout_is_told_as_it_becomes_known_and_stopped(api):
    points = [0] * 26
    points[1], points[2], points[24], points[23] = 3, 2, -3, -2
    act(api, "settings", auto=False)  # it would be played at once
    act(api, "edit", points=points, on_roll=0, dice=[2, 1])
    assert api.heard["rollout"] == {"id": None, "done": True, "failed": None, "known": None}
    api.answers["rollout"]({"version": api.sitting.version, "trials": 46656})
    assert (api.heard["rollout"]["id"], api.heard["rollout"]["done"]) != (None, True)
    assert api.told.wait(LIMIT)
    api.answers["rollout/stop"]({})
    told = api.heard["rollout"]
    assert "2/off 1/off" in {row["play"] for row in told["known"]["plays"]}
    assert told["id"] == api.heard["state"]["id"]
    assert told["failed"] is None
    assert told["known"]["trials"] < 46656
