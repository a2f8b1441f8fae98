import json

import pytest

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.rules.decision import ChooseCubeAction, CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, ResignationAnswer
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import gnubg_id
from protocol.backgammon.table import saved_game
from protocol.backgammon.table.saved_game import load, save
from protocol.backgammon.table.table import Dice, Setting, Table
from tests.tables import LAST_CHECKER, play_first

DOUBLE, ROLL = CubeAction.DOUBLE, CubeAction.ROLL
TAKE, DROP, BEAVER = DoubleAnswer.TAKE, DoubleAnswer.DROP, DoubleAnswer.BEAVER
DICE = ((6, 5), (4, 2), (3, 3), (5, 1), (6, 4))


def table_of_three_turns(**setting):
    table = Table(Setting(("human", "pubeval"), **setting), (1, 3), 4)
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    play_first(table, "24/14")
    table.throw(5, 5)
    table.turn = table.turn.with_text("13/8")
    return table


def same(one, other):
    facts = [
        (
            *(t.setting, t.points, t.number, t.is_crawford, t.game),
            *(t.position, t.now, t.record, t.result),
        )
        for t in (one, other)
    ]
    return facts[0] == facts[1]


def of_version_2(values):
    """The values as Blot wrote them before it kept the record of the game."""
    values = dict(values, version=2, turns=[], turn=None, resigned=None)
    legs, events = values.pop("legs"), values.pop("events")
    for event in events:
        if "play" in event:
            values["turns"].append(values["turn"] | event)
            values["turn"] = None
        elif "dice" in event:
            values["turn"] = event | {"play": legs}
        elif "cube" in event:
            values["turns"].append(event)
        elif "resign" in event:
            values["resigned"] = event["resign"]
    return values


def saved_values(table, path):
    """What is in the file of the table, as version 2 had it."""
    save(table, path)
    return of_version_2(json.loads(path.read_text()))


def doubled(length=None, points=(0, 0), *acts):
    """A table with beavers allowed where player 1 may double after the opening, and these acts."""
    setting = Setting(("human", "pubeval"), length, cube=True, money=MoneyRules(beavers=True))
    table = Table(setting, points)
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    for act in acts:
        table.answer(act)
    return table


def damaged(tmp_path, change):
    """A saved game whose values were changed."""
    path = tmp_path / "game.json"
    values = saved_values(table_of_three_turns(length=5), path)
    change(values)
    path.write_text(json.dumps(values))
    return path


@pytest.mark.parametrize("length", [None, 5])
def test_saved_game_is_loaded_as_it_was(tmp_path, length):
    table = table_of_three_turns(length=length, dice=Dice.MANUAL, seed=77)
    save(table, tmp_path / "game.json")
    again = load(tmp_path / "game.json")
    assert same(again, table)
    assert again.turn.dice_left == (5, 5, 5)
    assert [played.play.after for played in again.turns] == [
        played.play.after for played in table.turns
    ]


@pytest.mark.parametrize("legs", ["13/11 11/5", "13/7 7/5"])
def test_legs_of_one_checker_are_loaded_in_the_order_of_their_dice(tmp_path, legs):
    table = Table(Setting(("human", "human")))
    table.throw(6, 2)
    for leg in legs.split():
        table.turn = table.turn.with_move(*map(int, leg.split("/")))
    save(table, tmp_path / "game.json")
    assert load(tmp_path / "game.json").turn == table.turn


def test_legs_that_older_blots_have_joined_are_loaded(tmp_path):
    table = Table(Setting(("human", "human")))
    table.throw(6, 2)
    path = tmp_path / "game.json"
    save(table, path)
    path.write_text(json.dumps(json.loads(path.read_text()) | {"legs": "13/5"}))
    assert load(path).now == table.turn.with_text("13/5").now


def test_table_before_the_opening_and_after_a_resignation_can_be_saved(tmp_path):
    table = Table(Setting(("human", "human")))
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)
    table.throw(1, 2)
    table.resign(3)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)


@pytest.mark.parametrize(
    "acts",
    [
        (),
        (DOUBLE,),
        (DOUBLE, TAKE),
        (DOUBLE, DROP),
        (DOUBLE, BEAVER),
        (DOUBLE, BEAVER, TAKE),
        (DOUBLE, BEAVER, DROP),
        (ROLL,),
    ],
)
def test_cube_and_a_double_that_waits_are_saved(tmp_path, acts):
    table = doubled(None, (0, 0), *acts)
    save(table, tmp_path / "a")
    again = load(tmp_path / "a")
    assert same(again, table)
    assert again.answers == table.answers


def test_cube_turned_twice_in_a_game_is_saved_between_the_turns(tmp_path):
    table = doubled(None, (0, 0), DOUBLE, TAKE)
    table.throw(6, 4)
    play_first(table, "24/14")
    table.answer(DOUBLE)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)
    table.answer(TAKE)
    table.throw(2, 1)
    table.turn = table.turn.with_text("13/11")
    save(table, tmp_path / "a")
    again = load(tmp_path / "a")
    assert same(again, table)
    assert again.game.cube_shown == 4
    assert again.turn.dice_left == (1,)


@pytest.mark.parametrize("acts", [(DOUBLE,), (DOUBLE, TAKE), (DOUBLE, DROP)])
def test_a_double_with_a_dead_cube_is_read_though_nobody_may_make_it_here(tmp_path, acts):
    table = doubled(5, (1, 4))
    assert not table.may_double
    for act in acts:
        table.follow(act)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)


def test_crawford_game_is_saved(tmp_path):
    setting = Setting(("human", "pubeval"), 5, cube=True)
    table = Table(setting, (4, 1), 3, is_crawford=True)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)
    assert load(tmp_path / "a").is_crawford


@pytest.mark.parametrize(
    "acts", [(), (DOUBLE,), (DOUBLE, TAKE), (DOUBLE, BEAVER, TAKE), (DOUBLE, DROP), (ROLL,)]
)
def test_game_of_the_version_before_the_record_is_loaded_as_it_was(tmp_path, acts):
    path = tmp_path / "game.json"
    for table in (doubled(None, (0, 0), *acts), table_of_three_turns(length=5)):
        path.write_text(json.dumps(saved_values(table, path)))
        assert same(load(path), table)
    table.resign(2)
    path.write_text(json.dumps(saved_values(table, path)))
    assert same(load(path), table)


def test_declined_resignation_is_saved(tmp_path):
    table = doubled()
    table.resign(2, ResignationAnswer.DECLINE)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)
    assert load(tmp_path / "a").game.declined == 2


@pytest.mark.parametrize("turn", [0, 1])
def test_position_set_up_by_hand_is_saved_and_played_on(tmp_path, turn):
    setting = Setting(("human", "pubeval"), 7, cube=True)
    score = Score(7, 2, 1) if turn else Score(7, 1, 2)
    cube = Cube(2, CubeOwner.ON_ROLL)
    game = Game(GameState(LAST_CHECKER, cube, score), turn, Roll(2, 1))
    table = Table(setting, (1, 2), game=game)
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)
    play_first(table, "1/off")
    save(table, tmp_path / "a")
    assert same(load(tmp_path / "a"), table)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v["events"].pop(0), "turn 1: player 1 is not the one to play"),
        (lambda v: v["events"].pop(1), "turn 1: player 2 is not the one to double"),
        (lambda v: v["events"][1].pop("play"), "turn 1: nothing is done in"),
        (lambda v: v["events"][1].pop("player"), "damaged: 'player' is missing"),
        (lambda v: v["events"].append({"player": 1, "resign": 1}), "player 1 is not the one to re"),
        (lambda v: v["events"].append({"player": 2, "resign": 4}), "1, 2 or 3 points, not 4"),
        (lambda v: v["events"].append({"player": 2, "resign": "1"}), "resign cannot be '1'"),
        (lambda v: v["events"].append({"player": 2, "play": "8/5"}), "dice are not rolled yet"),
        (
            lambda v: v["events"].append({"player": 2, "resignation": "accept"}),
            "turn 2: there is no resignation to accept",
        ),
        (
            lambda v: v["events"].append({"player": 1, "set_up": v["id"]}),
            "turn 2: a position is set up in mid-game",
        ),
        (
            lambda v: v["events"].insert(0, {"player": 1, "set_up": v["id"]}),
            "the position set up has other rules or another score",
        ),
        (lambda v: v.update(legs="8/5"), "no dice are rolled for the legs 8/5"),
        (lambda v: v.update(legs=1), "legs cannot be '1'"),
    ],
)
def test_record_that_cannot_be_is_refused_with_the_reason(tmp_path, change, message):
    path = tmp_path / "game.json"
    save(doubled(None, (0, 0), DOUBLE, TAKE), path)
    values = json.loads(path.read_text())
    values["id"] = gnubg_id(ChooseCubeAction(GameState(START, score=Score(5, 0, 0))))
    change(values)
    path.write_text(json.dumps(values))
    with pytest.raises(ValueError, match=message):
        load(path)


def test_game_of_the_version_before_the_cube_is_loaded_without_it(tmp_path):
    path = tmp_path / "game.json"
    table = table_of_three_turns(length=5)
    values = saved_values(table, path)
    for name in ("cube", "jacoby", "beavers", "crawford"):
        values.pop(name)
    path.write_text(json.dumps(values | {"version": 1}))
    assert same(load(path), table)
    assert not load(path).setting.cube


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.pop("cube"), "damaged: 'cube' is missing"),
        (lambda v: v.update(cube=1), "cube cannot be '1'"),
        (lambda v: v.update(cube=False), "turn 2: this game is played without the cube"),
        (lambda v: v.update(crawford=True), "a Crawford game is for matches with the cube"),
        (lambda v: v["turns"][1].update(player=1), "turn 2: player 1 is not the one to double"),
        (lambda v: v["turns"][1].update(cube="turn"), "turn 2: nothing called 'turn' is done"),
        (lambda v: v["turns"][1].update(cube=2), "turn 2: cube cannot be '2'"),
        (lambda v: v["turns"].pop(1), "turn 2: player 1 is not the one to take"),
        (lambda v: v["turns"].pop(0), "turn 1: player 2 is not the one to double"),
        (lambda v: v["turns"].append(v["turns"][1]), "the cube is the other side's"),
        (lambda v: v["turns"].pop(2) and v.update(resigned=1), "player 2 is not the one to resign"),
        (
            lambda v: (
                v["turns"].pop(2) and v.update(turn={"player": 2, "dice": [3, 1], "play": ""})
            ),
            "the double waits for its answer",
        ),
    ],
)
def test_game_whose_cube_breaks_the_rules_is_refused(tmp_path, change, message):
    path = tmp_path / "game.json"
    values = saved_values(doubled(None, (0, 0), DOUBLE, TAKE), path)
    change(values)
    path.write_text(json.dumps(values))
    with pytest.raises(ValueError, match=message):
        load(path)


def test_crawford_game_at_a_score_without_one_is_refused(tmp_path):
    path = tmp_path / "game.json"
    save(doubled(5, (1, 2)), path)
    values = json.loads(path.read_text())
    path.write_text(json.dumps(values | {"crawford": True}))
    with pytest.raises(ValueError, match="damaged: no Crawford game at 1-2 to 5"):
        load(path)


def test_saving_leaves_no_other_file_and_replaces_the_old_one(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("old")
    save(table_of_three_turns(), path)
    assert [entry.name for entry in tmp_path.iterdir()] == ["game.json"]


def test_game_that_cannot_be_written_is_reported_and_nothing_is_left(tmp_path):
    with pytest.raises(ValueError, match=r"cannot save .*nowhere"):
        save(table_of_three_turns(), tmp_path / "nowhere" / "game.json")
    (tmp_path / "folder").mkdir()
    with pytest.raises(ValueError, match=r"cannot save .*folder"):
        save(table_of_three_turns(), tmp_path / "folder")
    assert [entry.name for entry in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON, or cut off"),
        (b'{"format": "blot game", "vers', "not JSON, or cut off"),
        (b"\xff\xfe\x00", "not JSON, or cut off"),
        (b"[" * 200_000, "not JSON, or cut off"),
        (b"[]", "is no saved game of Blot$"),
        (b'{"format": "other"}', "is no saved game of Blot$"),
        (b'{"format": "blot game", "version": 9}', "version 9, this Blot reads versions 1 to 3"),
        (b'{"format": "blot game", "version": 1}', "damaged: 'players' is missing"),
        (b" " * 16_000_001, "longer than 16 MB"),
    ],
)
def test_file_that_is_no_saved_game_is_refused_in_one_sentence(tmp_path, content, message):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=message) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda v: v.update(points=[7, 0]), "no score of a match to 5: 7-0"),
        (lambda v: v.update(points=[1]), "points has 1 entries, not 2"),
        (lambda v: v.update(points=[True, 0]), "points cannot be 'True'"),
        (lambda v: v.update(length="5"), "length cannot be '5'"),
        (lambda v: v.update(players="ab"), "players cannot be 'ab'"),
        (lambda v: v.update(dice="loaded"), "'loaded' is not a valid Dice"),
        (lambda v: v.update(resigned=7), "1, 2 or 3 points, not 7"),
        (lambda v: v["turns"][0].update(dice=[3, 7]), "turn 1: no roll of two dice: 7-3"),
        (lambda v: v["turns"][0].update(dice=[3, 3]), "turn 1: 3-3 is a tie"),
        (lambda v: v["turns"][0].update(play="9/5"), "turn 1: .* is not a legal play of 3-1"),
        (lambda v: v["turns"][1].update(player=1), "turn 2: player 1 is not on roll"),
        (lambda v: v["turns"][1].update(player=3), "turn 2: player 3 is not on roll"),
        (lambda v: v["turns"][1].pop("play"), "damaged: 'play' is missing"),
        (lambda v: v["turn"].update(play="13/12"), "13/12: .*"),
    ],
)
def test_damaged_game_is_refused_with_what_is_wrong(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        load(damaged(tmp_path, change))


def test_nothing_comes_after_the_end_of_a_game(tmp_path):
    path = tmp_path / "game.json"
    table = Table(Setting(("human", "pubeval")))
    numbers = iter(range(1000))
    player = baseline("pubeval", 0)
    while not table.result:
        turn = table.throw(*((3, 1) if not table.turns else DICE[next(numbers) % len(DICE)]))
        table.answer(player.choose(turn.position, turn.roll))
    save(table, path)
    assert same(load(path), table)
    values = saved_values(table, path)
    for change in ({"resigned": 1}, {"turn": values["turns"][-1]}):
        path.write_text(json.dumps(values | change))
        with pytest.raises(ValueError, match="the game is over before it"):
            load(path)


def test_missing_file_is_reported(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read .*: No such file"):
        load(tmp_path / "none.json")


def test_a_session_too_long_to_be_read_again_leaves_what_is_kept(tmp_path, monkeypatch):
    path, table = tmp_path / "game.json", table_of_three_turns()
    save(table, path)
    monkeypatch.setattr(saved_game, "MAX_BYTES", path.stat().st_size)
    play_first(table, "13/8(2) 8/3")
    with pytest.raises(ValueError, match=r"cannot save .*game\.json: the session is too long"):
        save(table, path)
    assert len(load(path).turns) == 2
