"""Filed match: what files leave out of a record, and where its comments go."""

from dataclasses import replace

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import (
    Ending,
    Game,
    OpeningRoll,
    Resignation,
    ResignationAnswer,
    Result,
)
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed, automatic_cube

PLAY = legal_plays(START, Roll(3, 1))[0]
MONEY = Rules()
ON_ROLL = Game(GameState(START, money=MoneyRules(True, False)), 0)


def filed(*events, rules=MONEY, **more):
    match = MatchRecord(("one", "two"), rules, (GameRecord(events=events, **more),))
    return as_filed(match).games[0]


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        (Rules(5, jacoby=False, beavers=True), Rules(5)),
        (Rules(5, crawford=False), Rules(5, crawford=False)),
        (Rules(5, has_cube=False, crawford=False), Rules(5, has_cube=False)),
        (Rules(jacoby=False, beavers=True, crawford=False), Rules(jacoby=False, beavers=True)),
        (Rules(has_cube=False, jacoby=False, crawford=False), Rules(has_cube=False)),
        (Rules(automatic_doubles=2), Rules()),
    ],
)
def test_rules_that_do_not_count_are_as_nobody_has_changed_them(rules, told):
    assert as_filed(MatchRecord(("one", "two"), rules)).rules == told


def test_what_files_do_not_tell_leaves_its_comments_to_what_comes_next():
    events = filed(
        Event(OpeningRoll(3, 1), "rolled", (("A", ("0",)),)),
        Event(PLAY, "played", (("A", ("1",)),)),
        Event(CubeAction.ROLL, "not yet"),
        Event(Resignation(1), "enough"),
        Event(ResignationAnswer.DECLINE, "go on"),
        Event(Roll(6, 5), "at last"),
    ).events
    assert events == (
        Event(OpeningRoll(3, 1)),
        Event(PLAY, "rolled\nplayed", (("A", ("0",)), ("A", ("1",)))),
        Event(Roll(6, 5), "not yet\nenough\ngo on\nat last"),
    )


def test_comments_that_nothing_comes_behind_are_of_the_game():
    result = Result(0, 2, ending=Ending.RESIGNED, counts_gammons=False)
    game = filed(
        Event(OpeningRoll(2, 2)),
        Event(OpeningRoll(3, 1)),
        Event(Resignation(2), "gone", (("B", ()),)),
        result=result,
        comment="a game",
        annotations=(("A", ()),),
    )
    assert (game.comment, game.events) == ("a game\ngone", (Event(OpeningRoll(3, 1)),))
    assert game.annotations == (("A", ()), ("B", ()))
    assert game.result == replace(result, kind=1)  # as a gammon under Jacoby counted
    played = replace(result, ending=Ending.PLAYED)
    assert filed(Event(OpeningRoll(3, 1)), result=played).result == played


def test_a_play_takes_the_comment_of_its_roll_alone():
    rolled = replace(ON_ROLL, roll=Roll(3, 1))
    assert filed(Event(rolled, "set up"), Event(PLAY, "played")).events == (
        Event(rolled, "set up"),
        Event(PLAY, "played"),
    )
    opened = Event(OpeningRoll(3, 1), "rolled"), Event(PLAY)
    doubled = Event(ON_ROLL), Event(CubeAction.DOUBLE), Event(DoubleAnswer.TAKE)
    events = filed(*doubled, Event(Roll(3, 1), "rolled"), Event(PLAY)).events
    assert [event.comment for event in events] == ["", "", "", "", "rolled"]
    second = Event(Roll(6, 5), "rolled again"), Event(legal_plays(PLAY.after, Roll(6, 5))[0], "6-5")
    events = filed(*opened, *second, Event(Roll(2, 1), "not yet played")).events
    told = ["", "rolled", "", "rolled again\n6-5", "not yet played"]
    assert [event.comment for event in events] == told


def test_automatic_doubles_are_a_cube_that_is_set_up_turned():
    rules = Rules(automatic_doubles=2)
    for ties, cube in ((1, 2), (2, 4), (3, 4)):
        rolls = [Event(OpeningRoll(tie, tie), f"tie {tie}") for tie in range(1, ties + 1)]
        made, opening = filed(*rolls, Event(OpeningRoll(3, 1), "now"), rules=rules).events
        assert made.answer == replace(MONEY.new_game(), state=replace(
            MONEY.new_game().state, cube=Cube(cube)
        ))  # fmt: skip
        assert automatic_cube(made) == Cube(cube)
        assert opening.answer == OpeningRoll(3, 1)
        told = [f"tie {tie}" for tie in range(1, ties + 1)]
        assert "\n".join(filter(None, (made.comment, opening.comment))) == "\n".join([*told, "now"])
    assert len(filed(Event(OpeningRoll(3, 1)), rules=rules).events) == 1


@pytest.mark.parametrize(
    "game",
    [
        MONEY.new_game(),
        replace(ON_ROLL, state=replace(ON_ROLL.state, cube=Cube(2))),
        Game(GameState(Position.of({6: 2}, {6: 2}), Cube(2), money=MoneyRules(True, False)), None),
    ],
)
def test_no_other_position_is_one_of_automatic_doubles(game):
    assert automatic_cube(Event(game)) is None
    assert automatic_cube(Event(OpeningRoll(3, 1))) is None


def test_only_what_was_set_up_at_once_before_a_position_is_replaced():
    turned = Event(replace(MONEY.new_game(), state=replace(MONEY.new_game().state, cube=Cube(2))))
    kept = filed(
        turned,
        Event(OpeningRoll(3, 1), "rolled"),
        Event(ON_ROLL, "one"),
        Event(Roll(6, 5), "changed"),
        Event(ON_ROLL, "other"),
        Event(CubeAction.DOUBLE),
        Event(DoubleAnswer.TAKE),
        Event(replace(ON_ROLL, roll=Roll(2, 1)), "last"),
    ).events
    assert [event.answer for event in kept] == [
        turned.answer,
        ON_ROLL,
        CubeAction.DOUBLE,
        DoubleAnswer.TAKE,
        replace(ON_ROLL, roll=Roll(2, 1)),
    ]
    assert kept[1].comment == "rolled\none\nchanged\nother"
    assert kept[-1].comment == "last"


def test_a_double_in_a_position_set_up_is_told_behind_it_and_what_is_declined_is_not():
    cube = Cube(2, CubeOwner.ON_ROLL)
    state = replace(ON_ROLL.state, cube=cube)
    waiting = Game(state, 0, doubles=1, declined=1)
    assert [event.answer for event in filed(Event(waiting, "set up")).events] == [
        Game(state, 0),
        CubeAction.DOUBLE,
    ]
    rolling = Game(state, 0, is_rolling=True)
    assert filed(Event(rolling, "set up")).events == (Event(Game(state, 0), "set up"),)


def test_a_roll_that_is_still_to_be_played_is_set_up_with_its_position():
    rolled = replace(ON_ROLL, roll=Roll(3, 1))
    assert filed(Event(ON_ROLL, "set up"), Event(Roll(3, 1), "rolled")).events == (
        Event(rolled, "set up\nrolled"),
    )
    played = Event(ON_ROLL, "set up"), Event(Roll(3, 1)), Event(PLAY, "played")
    assert filed(*played).events == played
    assert filed(*played, *played, Event(Roll(6, 5))).events == (
        *played,
        *played,
        Event(Roll(6, 5)),
    )
