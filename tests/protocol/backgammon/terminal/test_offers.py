"""Doubles and resignations at the table, from people to bots and back."""

import pytest

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.rules.decision import AnswerDouble, CubeAction
from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from tests.fakes.cube_player import cube_player
from tests.sitting import ask
from tests.tables import play_first

MONEY = MoneyRules()
NO_JACOBY = MoneyRules(jacoby=False)
BEAVERS = MoneyRules(beavers=True)


def at_double(sit, opponent, length=None, points=(0, 0), money=MONEY, **setting):
    """A person on roll after the opening, asked whether to roll or to double."""
    rules = Setting((HUMAN, opponent), length, seed=3, cube=True, money=money, **setting)
    table = Table(rules, points)
    table.throw(1, 3)
    play_first(table, "8/5 6/5")
    return sit(table)


def test_person_who_may_double_is_asked_and_enter_rolls(sit):
    sitting = at_double(sit, "taker")
    assert sitting.talk.prompt() == "● You, roll or double> "
    assert "cube │ [1] │" in sitting.sent[-1]
    assert "The dice are not rolled yet: Enter rolls, double offers the cube." in sitting.say("8/5")
    assert "There is no double to take." in sitting.say("take")
    assert "● You roll" in sitting.say("")
    assert sitting.table.record.events[-2].answer is CubeAction.ROLL
    assert "The dice are rolled already." in sitting.say("roll")
    assert "No doubling now: doubling comes before the dice." in sitting.say("double")


def test_person_doubles_and_the_bot_takes(sit):
    sitting = at_double(sit, "taker")
    said = sitting.say("double")
    assert "● You double to 2.\n○ taker takes: the cube is at 2.\n● You roll" in said
    assert "pips, cube 2" in said
    assert "─[2]─" in sitting.say("board")
    assert sitting.table.game.cube_owner == 1


def test_person_doubles_and_the_bot_drops(sit):
    sitting = at_double(sit, "dropper")
    assert "○ dropper drops.\n● You win 1 point: ● You 1, ○ dropper 0" in sitting.say("double")
    assert sitting.talk.prompt() == "Enter for the next game> "
    assert sitting.say("undo") == "There is nothing to take back."


def test_person_is_beavered_and_takes_or_drops(sit):
    sitting = at_double(sit, "beaverer", money=BEAVERS)
    assert "○ beaverer beavers: the cube is offered back at 4." in sitting.say("double")
    assert sitting.talk.prompt() == "● You, take, drop or beaver> "
    assert "doubled to │ [4] │" in sitting.sent[-1]
    sitting.advisor = cube_player("taker")
    assert "Proper action: take.\nTo drop loses 1.720." in sitting.say("hint")
    assert "The double has to be answered first." in sitting.say("resign")
    assert "● You take: the cube is at 4." in sitting.say("take")
    assert sitting.table.game.cube_owner == 1
    dropped = at_double(sit, "beaverer", money=BEAVERS)
    dropped.say("double")
    assert "● You drop.\n○ beaverer wins 2 points" in dropped.say("drop")


def test_beaver_of_a_bot_is_a_take_where_it_is_not_allowed(sit):
    for sitting in (at_double(sit, "beaverer"), at_double(sit, "beaverer", 7)):
        assert "○ beaverer takes: the cube is at 2." in sitting.say("double")


def answered(sit, opponent="doubler", money=MONEY):
    """A person whose opening play the bot has answered with a double, an offer or a play."""
    table = Table(Setting((HUMAN, opponent), seed=3, cube=True, money=money))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    return sit(table)


def test_bot_doubles_and_the_person_takes(sit):
    sitting = answered(sit)
    assert "○ doubler doubles to 2." in sitting.sent
    assert sitting.talk.prompt() == "● You, take or drop> "
    assert "Answer the double: take or drop." in sitting.say("")
    assert "Answer the double: take or drop." in sitting.say("8/5")
    assert "No doubling now: the double waits for its answer." in sitting.say("double")
    assert "No doubling now: the double waits for its answer." in sitting.say("roll")
    said = sitting.say("take")
    assert "● You take: the cube is at 2." in said
    assert "○ doubler rolls" in said
    assert sitting.talk.prompt() == "● You, roll or double> "
    assert "● You double to 4.\n○ doubler takes: the cube is at 4." in sitting.say("double")


def test_bot_doubles_and_the_person_drops(sit):
    sitting = answered(sit)
    assert "● You drop.\n○ doubler wins 1 point: ● You 0, ○ doubler 1" in sitting.say("drop")
    assert "No doubling now: the game is over." in sitting.say("double")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("accept", "● You take: the cube is at 2."),
        ("reject", "● You drop."),
        ("pass", "● You drop."),
    ],
)
def test_double_is_answered_in_gnubg_s_words(sit, word, told):
    assert told in answered(sit).say(word)


def test_beavers_go_on_three_times(sit):
    sitting = at_double(sit, "beaverer", money=BEAVERS)
    sitting.say("double")
    said = sitting.say("beaver")
    assert "● You beaver: the cube is offered back at 8." in said
    assert "○ beaverer beavers: the cube is offered back at 16." in said
    assert sitting.talk.prompt() == "● You, take or drop> "
    assert "A double is beavered up to 3 times." in sitting.say("beaver")
    sitting.say("take")
    assert (sitting.table.game.cube_shown, sitting.table.game.cube_owner) == (16, 1)


def test_bot_that_is_beavered_takes_or_beavers_by_what_it_expects(sit):
    sitting = answered(sit, "mad", money=BEAVERS)
    assert sitting.talk.prompt() == "● You, take, drop or beaver> "
    said = sitting.say("beaver")
    assert "● You beaver: the cube is offered back at 4." in said
    assert "○ mad takes: the cube is at 4." in said
    assert (sitting.table.game.cube_shown, sitting.table.game.cube_owner) == (4, 0)
    hopeful = answered(sit, money=BEAVERS)
    assert "○ doubler beavers: the cube is offered back at 8." in hopeful.say("beaver")


def test_double_that_waits_is_in_the_id_and_the_hint(sit):
    sitting = answered(sit)
    assert isinstance(pasted_id(sitting.say("id")).request, AnswerDouble)
    assert "Proper action: take." in sitting.say("hint")


def test_crawford_game_is_told_and_nobody_is_asked(sit):
    rules = Setting((HUMAN, "doubler"), 3, seed=3, cube=True)
    table = Table(rules, (1, 2), is_crawford=True)
    table.throw(3, 1)
    sitting = sit(table)
    assert "Crawford game" in sitting.sent[-1]
    said = sitting.say("8/5 6/5")
    assert "double" not in said.replace("doubler", "")
    assert "You roll" in said
    assert "No doubling now: it is the Crawford game." in sitting.say("double")


def test_match_with_the_cube_is_played_over_the_crawford_game_to_its_end(sit):
    rules = Setting((HUMAN, "taker"), 3, seed=5, cube=True)
    sitting = sit(Table(rules))
    player = baseline("pubeval", 0)
    crawford, asked = [], {True: 0, False: 0}
    while not sitting.table.is_match_over:
        table = sitting.table
        if table.result:
            assert "double" not in "".join(sitting.sent[-3:])
            sitting.say("")
            crawford.append(sitting.table.is_crawford)
        elif sitting.talk.prompt().endswith("roll or double> "):
            asked[table.is_crawford] += 1
            sitting.say("")
        else:
            turn = table.turn
            sitting.say(short_play_text(player.choose(turn.position, turn.roll), turn.position))
    assert sum(crawford) == 1
    assert asked[True] == 0
    assert asked[False] > 0
    assert "and the match" in "".join(sitting.sent)
    assert sitting.kept.load() is None


def test_bot_resigns_and_the_person_accepts(sit):
    sitting = answered(sit, "quitter")
    assert "○ quitter offers to resign a single game, 1 point." in sitting.sent
    assert sitting.talk.prompt() == "● You: accept? [y/N] "
    assert sitting.sent[-1].count("\n") > 10, "the board is shown to who has to answer"
    assert "● You win a single game, 1 point: ● You 1, ○ quitter 0" in sitting.say("y")


def test_declined_resignation_is_offered_again_in_another_position_or_if_it_is_more(sit):
    sitting = answered(sit, "quitter", NO_JACOBY)
    said = sitting.say("n")
    assert "● You decline: the game goes on." in said
    assert "○ quitter rolls" in said
    assert "○ quitter offers to resign a gammon, 2 points." in said
    assert sitting.talk.prompt() == "● You: accept? [y/N] "
    said = sitting.say("no")
    assert "○ quitter plays" in said
    assert "resign" not in said
    sitting.say("")
    turn = sitting.table.turn
    player = baseline("pubeval", 0)
    said = sitting.say(short_play_text(player.choose(turn.position, turn.roll), turn.position))
    assert said.count("○ quitter offers to resign a single game, 1 point.") == 1


def test_bot_does_not_offer_again_what_was_declined_in_the_position(sit):
    said = answered(sit, "stubborn").say("n")
    assert "○ stubborn plays" in said
    assert "resign" not in said


def test_person_does_not_offer_again_what_was_declined_in_the_position(sit):
    sitting = at_double(sit, "proud")
    assert "○ proud declines: the game goes on." in sitting.say("resign gammon")
    for offer in ("gammon", "single"):
        assert sitting.say(f"resign {offer}") == "As much was declined in this position."
    assert "○ proud declines" in sitting.say("resign backgammon")
    assert sitting.kept.load().record == sitting.table.record


@pytest.mark.parametrize(
    ("word", "told"),
    [("accept", "wins a single game"), ("agree", "wins a single game")]
    + [(word, "the game goes on") for word in ("reject", "decline", "")],
)
def test_resignation_is_answered_with_the_words_of_gnubg_too(sit, word, told):
    sitting = at_double(sit, HUMAN)
    question = ask(sitting, "resign single")
    assert question == "○ Player 2: accept a single game? [y/N] "
    assert told in sitting.say(word)


def test_who_is_asked_what_he_resigns_may_resign_nothing(sit):
    sitting = at_double(sit, "taker")
    assert ask(sitting, "resign").startswith("Resign a single game, a gammon")
    assert sitting.say("") == ""
    ask(sitting, "resign")
    assert "○ taker wins a gammon" in sitting.say("g")


def test_nothing_is_offered_or_answered_where_no_game_is_played(sit):
    before = sit(Table(Setting((HUMAN, HUMAN), cube=True, dice=Dice.MANUAL)))
    assert before.say("resign single") == "No game is being played."
    over = at_double(sit, "dropper")
    over.say("double")
    assert over.say("resign single") == "No game is being played."
    assert over.say("take") == "The game is over."
    assert over.say("accept") == "There is no double and no resignation to accept."


def test_bot_resigns_to_a_bot_which_accepts_or_goes_on(sit):
    for names, is_declined in ((("quitter", "taker"), False), (("quitter", "proud"), True)):
        sitting = sit(Table(Setting(names, seed=4, cube=True, money=NO_JACOBY)))
        told = "\n".join(sitting.sent)
        offers = told.count("offers to resign")
        assert told.count(": the game goes on.") == offers * is_declined
        assert offers > 2 if is_declined else offers == 1
        assert sitting.table.result


def test_resignation_is_worth_the_cube_and_gammons_count_after_a_double_under_jacoby(sit):
    sitting = at_double(sit, "taker")
    assert "○ taker wins a gammon, 1 point by the Jacoby rule" in sitting.say("resign gammon")
    sitting = at_double(sit, "taker")
    sitting.say("double")
    assert "○ taker wins a gammon, 4 points: " in sitting.say("resign gammon")


def test_typed_dice_or_double_are_asked_for(sit):
    sitting = at_double(sit, "doubler", dice=Dice.MANUAL)
    assert sitting.talk.prompt() == "● You, dice or double> "
    assert "Type the dice as they fell, such as 31." in sitting.say("roll")
    sitting.say("31")
    sitting.say("8/5 6/5")
    assert sitting.talk.prompt() == "● You, take or drop> "
    sitting.say("take")
    assert sitting.talk.prompt() == "○ doubler, dice> "
    assert "No doubling now: the cube is the other side's." in sitting.say("double")
    quiet = at_double(sit, "taker", dice=Dice.MANUAL)
    quiet.say("31")
    quiet.say("8/5 6/5")
    assert quiet.talk.prompt() == "○ taker, dice> "
    assert "○ taker is the one to choose." in quiet.say("double")


def test_two_people_double_each_other(sit):
    sitting = at_double(sit, HUMAN)
    assert sitting.talk.prompt() == "● Player 1, roll or double> "
    ask(sitting, "double")
    assert sitting.talk.prompt() == "○ Player 2, take or drop> "
    sitting.say("take")
    assert sitting.talk.prompt().startswith("● Player 1 ")


def test_two_bots_double_each_other_until_a_match_is_over(sit):
    sitting = sit(Table(Setting(("doubler", "mad"), 7, seed=4, cube=True)))
    while not sitting.table.is_match_over:
        sitting.say("")
    told = "\n".join(sitting.sent)
    assert "● doubler doubles to 2.\n○ mad takes" in told
    assert "○ mad doubles to 4.\n● doubler takes" in told
    assert "and the match" in told


def test_undo_stops_at_the_roll_of_who_could_have_doubled(sit):
    sitting = at_double(sit, "taker")
    for _ in range(2):
        sitting.say("")
        turn = sitting.table.turn
        sitting.say(short_play_text(turn.plays[0], turn.position))
    assert sitting.talk.prompt() == "● You, roll or double> "
    assert "Taken back: the last turn." in sitting.say("undo")
    assert sitting.say("undo") == "There is nothing to take back since the roll."
    assert sitting.table.turn.position == turn.position


def test_hint_before_the_roll_is_the_cube_table(sit):
    sitting = at_double(sit, "taker")
    sitting.advisor = cube_player("taker")
    said = sitting.say("hint")
    assert "Double, take  +0.720\n" in said
    assert "Proper action: double, take." in said


def test_hint_without_the_cube_says_nothing_of_it(sit):
    talk = sit(Table(Setting((HUMAN, HUMAN), 1, dice=Dice.MANUAL)))
    for line in ("3 1", "8/5 6/5", ""):
        talk.say(line)
    assert len(talk.say("hint").splitlines()) == 2
