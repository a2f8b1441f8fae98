"""What the tutor says."""

from bot.backgammon.engine.analysis import CubeVerdict, PlayVerdict
from bot.backgammon.engine.match_statistics import PlayerStatistics
from bot.backgammon.rules.choice import Choice
from bot.backgammon.rules.decision import (
    AnswerDouble,
    Candidate,
    ChooseCheckerPlay,
    ChooseCubeAction,
    CubeAction,
    CubeEvaluation,
    DoubleAnswer,
)
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.outcome import Chances
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import parse_play
from protocol.backgammon.reports.lesson import lesson_lines, summary_text

ROLL = Roll(3, 1)
GOOD, BAD = (parse_play(text, START, ROLL) for text in ("8/5 6/5", "8/4"))
ROWS = (
    Candidate(GOOD, Chances(0.55, 0.17, 0.01, 0.12, 0.01), 0.2),
    Candidate(BAD, Chances(0.48, 0.13, 0.01, 0.15, 0.01), -0.05),
)
PLAYED = PlayVerdict(ROWS, 16, 2, 0.1, 0.25)


def test_play_is_told_with_the_better_one_and_the_figures_of_both():
    request = ChooseCheckerPlay(GameState(START, score=Score(5, 1, 2)), ROLL)
    first, titles, good, bad, _ = lesson_lines(Choice(1, 1, 1, 0, request, BAD), PLAYED)
    assert first == "8/4 loses 0.250, 6.25 % of the match: very bad."
    assert titles.split() == ["equity", "win", "%", "gammons", "lost", "shots"]
    assert good.split() == ["8/5", "6/5", "+0.200", "55.0", "17.0", "12.0", "0"]
    assert bad.split()[:5] == ["8/4", "-0.050", "48.0", "13.0", "15.0"]
    assert all(len(line) <= 80 for line in (first, titles, good, bad))


def test_choice_with_the_cube_is_told_with_its_table():
    evaluation, chances = CubeEvaluation(0.5, 0.55, 1.0), ROWS[0].chances
    state = GameState(START)
    rolled = CubeVerdict(CubeAction.ROLL, evaluation, chances, 1.0)
    lines = lesson_lines(Choice(1, 2, 0, 0, ChooseCubeAction(state), CubeAction.ROLL), rolled)
    assert lines[0] == "Not to double loses 0.050: doubtful."
    assert any("Proper action: double, take." in line for line in lines)
    dropped = CubeVerdict(DoubleAnswer.DROP, evaluation, chances, 1.0)
    lines = lesson_lines(Choice(1, 2, 0, 1, AnswerDouble(state), DoubleAnswer.DROP), dropped)
    assert lines[0] == "To drop loses 0.450: very bad."
    assert any("Proper action: take." in line for line in lines)


def test_game_is_summed_up_with_errors_and_luck():
    player = PlayerStatistics()
    player.add(PLAYED)
    assert summary_text("You:", player) == (
        "You: 1 decision: 0 doubtful, 0 bad, 1 very bad;\n"
        "0.250 lost, 250.0 mEMG each, Awful!; luck +0.100."
    )
    assert "none, n/a" in summary_text("You:", PlayerStatistics())
