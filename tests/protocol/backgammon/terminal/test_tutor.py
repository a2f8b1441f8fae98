"""The tutor at the table: after the play, never before."""

from dataclasses import replace

import pytest

from bot.backgammon.engine.analysis import Analyst
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.position import START
from protocol.backgammon.formats.notation import parse_play, short_play_text
from protocol.backgammon.table.loss import STANDARD
from protocol.backgammon.table.saved_game import save
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from protocol.backgammon.terminal.tutor import Tutor
from tests.tables import table_at

SETTING = Setting((HUMAN, "pubeval"), seed=3)


@pytest.fixture
def opened(sit):
    """A person with a tutor who has to play 3-1 from the start."""
    return sit(table_at(SETTING, START, (3, 1)), tutor=STANDARD)


def plays(sitting):
    """The best play, and the worst with its loss, as the tutor judges them."""
    request = sitting.table.question
    rows = sitting.advisor.all_candidates(request)
    worst = rows[-1].play
    analyst = Analyst(sitting.advisor, sitting.advisor)
    loss = analyst.verdict(Choice(1, 1, 0, 0, request, worst)).loss
    best, bad = (short_play_text(play, START) for play in (rows[0].play, worst))
    return best, bad, loss


def test_bad_play_is_told_of_with_figures_and_can_be_taken_back(opened):
    best, bad, loss = plays(opened)
    assert loss > STANDARD
    opened.talk.receive(bad)
    told = "\n".join(opened.sent)
    assert f"{bad} loses {loss:.3f}" in told
    assert best in told
    assert "shots" in told
    assert opened.talk.prompt() == "Take it back? [y/N] "
    opened.talk.receive("y")
    assert opened.table.turns == ()
    assert isinstance(opened.table.question, ChooseCheckerPlay)
    assert f"You play {best}" in opened.say(best)


def test_bad_play_stays_where_somebody_wants_it(opened):
    _, bad, _ = plays(opened)
    opened.talk.receive(bad)
    assert f"You play {bad}" in opened.say("")


def test_good_play_is_not_spoken_of(opened):
    best, _, _ = plays(opened)
    told = opened.say(best)
    assert "loses" not in told
    assert f"You play {best}" in told


def test_nothing_is_told_before_the_play_is_confirmed(opened):
    for leg in opened.advisor.all_candidates(opened.table.question)[-1].play.legs:
        opened.talk.receive(f"{leg.source}/{leg.target}")
    assert opened.talk.prompt() == "● You Enter ends the turn> "
    assert not any("loses" in text for text in opened.sent)
    opened.talk.receive("")
    assert any("loses" in text for text in opened.sent)


def test_legs_of_a_play_taken_back_return_to_where_they_came_from(opened):
    for leg in opened.advisor.all_candidates(opened.table.question)[-1].play.legs:
        opened.talk.receive(f"{leg.source}/{leg.target}")
    opened.talk.receive("")
    assert opened.talk.prompt() == "Take it back? [y/N] "
    opened.talk.receive("y")
    assert opened.table.turn.legs == ()
    told = len(opened.sent)
    opened.talk.prompt()
    assert len(opened.sent) == told + 1, "the board is shown again"


def test_tutor_is_switched_off_and_on_and_told_a_loss(opened):
    assert opened.say("tutor") == f"The tutor is on, from a loss of {STANDARD}."
    assert opened.say("tutor 0.5") == "The tutor is on, from a loss of 0.5."
    assert opened.say("tutor off") == "The tutor is off."
    _, bad, _ = plays(opened)
    assert "loses" not in opened.say(bad)
    assert "takes equity from 0 to 3, not 'x'" in opened.say("tutor x")
    assert opened.say("tutor on") == "The tutor is on, from a loss of 0.5."


def test_tutor_is_switched_on_again_from_the_loss_it_began_with(sit):
    sitting = sit(table_at(SETTING, START, (3, 1)), tutor=0.25)
    assert sitting.say("tutor off") == "The tutor is off."
    assert sitting.say("tutor on") == "The tutor is on, from a loss of 0.25."


def test_tutor_that_lets_nothing_pass_does_not_speak_of_the_best_play(sit):
    sitting = sit(table_at(SETTING, START, (3, 1)), tutor=0.0)
    best, _, _ = plays(sitting)
    assert f"You play {best}" in sitting.say(best)


def test_tutor_that_cannot_judge_says_so_at_once_if_it_is_on(sit):
    def refuse(setting):
        raise ValueError("nobody judges")

    conversation = sit(table_at(SETTING, START, (3, 1))).talk._conversation
    with pytest.raises(ValueError, match="nobody judges"):
        Tutor(conversation, refuse, 0.1)
    Tutor(conversation, refuse, None)


def test_game_is_summed_up_at_its_end(opened):
    best, _, _ = plays(opened)
    opened.say(best)
    opened.say("tutor 3")
    while opened.table.question and not opened.table.turn:
        opened.say("")
    told = opened.say("resign backgammon")
    assert "You: 1 decision:" in told
    assert "mEMG each" in told
    assert "pubeval: luck" in told


def test_game_without_a_tutor_is_not_summed_up(sit):
    sitting = sit(table_at(SETTING, START, (3, 1)))
    assert "decision" not in sitting.say("resign backgammon")


def test_double_that_loses_is_told_of_and_can_be_taken_back(sit):
    sitting = sit(Table(Setting((HUMAN, HUMAN), seed=3, cube=True, dice=Dice.MANUAL)), tutor=0.0)
    sitting.talk.receive("31")
    sitting.talk.receive("8/5 6/5")
    if sitting.talk.prompt().startswith("Take"):
        sitting.talk.receive("n")
    evaluation = sitting.advisor.decide(sitting.table.question).evaluation
    doubles = evaluation.doubled > evaluation.no_double
    sitting.talk.receive("21" if doubles else "double")
    assert sitting.talk.prompt() == "Take it back? [y/N] "
    assert ("Not to double" if doubles else "To double") in sitting.sent[-2] + sitting.sent[-1]
    sitting.talk.receive("y")
    assert not sitting.table.game.doubles
    assert sitting.table.turn is None


def test_same_play_is_judged_anew_in_a_game_without_the_cube(sit, tmp_path):
    sitting = sit(table_at(replace(SETTING, cube=True), START, (3, 1)), tutor=0.0)
    _, bad, loss = plays(sitting)
    sitting.talk.receive(bad)
    assert f"loses {loss:.3f}" in sitting.sent[-1]
    sitting.talk.receive("y")
    sitting.advisor = Engine(NetworkEvaluator(random_network(8, seed=7)))
    save(table_at(SETTING, START, (3, 1)), tmp_path / "cubeless.json")
    sitting.talk.receive(f"load {tmp_path / 'cubeless.json'}")
    sitting.talk.receive("y")
    sitting.talk.receive(bad)
    request = sitting.table.question
    other = Analyst(sitting.advisor, sitting.advisor).verdict(
        Choice(1, 1, 0, 0, request, parse_play(bad, START, request.roll))
    )
    assert f"{other.loss:.3f}" != f"{loss:.3f}"
    assert f"loses {other.loss:.3f}" in sitting.sent[-1]
