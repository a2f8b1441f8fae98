"""Faults of Jibs, from its transcripts: points that are set where they should be added."""

from pathlib import Path

import pytest

from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.policy import Policy
from tests.fakes.fibs_talk import BEGUN, Talk

TRANSCRIPTS = Path(__file__).parents[3] / "transcripts"


def said(name):
    """What Jibs says in a transcript: whoever accepts a resignation has only the points of it."""
    lines = (TRANSCRIPTS / name).read_text(encoding="utf-8").splitlines()
    return [line[2:] for line in lines if line.startswith(">")]


@pytest.fixture
def talk(tmp_path):
    """The host of the matches in the transcripts, who answers nothing by itself in time."""
    talk = Talk(tmp_path, Policy(delay=100.0), name="blot_a")
    talk.log_in()
    return talk


@pytest.mark.parametrize("name", ["fibs_jibs_score.txt", "fibs_jibs_twice.txt"])
def test_a_match_of_which_jibs_forgets_points_has_a_file_with_all_its_games(talk, tmp_path, name):
    lines = said(name)
    talk.hear(*lines)
    match = talk.client.seat.match
    points = int(lines[-2].split(":")[4]), int(lines[-2].split(":")[5])
    assert match.points == points
    assert match.gaps == 2  # it begins amid a game, whose end Jibs counts otherwise
    talk.hear("blot_b wins the 3 point match 3-2 .")
    (played,) = talk.store.matches()
    games = read_match(tmp_path / played.file).whole.games
    assert [game.points for game in games] == [(1, points[1] if points[0] == 1 else 0), points]
    assert games[0].result is None
    assert len(games[0].events) > 1


def test_jibs_line_about_two_points_is_understood(talk):
    lines = said("fibs_jibs_twice.txt")
    talk.hear(*lines[: lines.index("2 win the game and get {1} points. Congratulation!") + 1])
    assert talk.client.seat.match.points == (3, 0)


def test_a_match_that_is_over_by_its_points_is_not_if_jibs_asks_for_the_next_game(talk):
    lines = said("fibs_jibs_twice.txt")
    talk.hear(*lines[:-4])
    assert lines[-5].startswith("Type 'join'")
    assert talk.client.seat.match.points == (1, 0)
    talk.hear("13 somebody shouts")
    talk.client.agenda.drop(Task.NEXT)
    talk.wait(60)
    assert talk.store.matches() == []
    talk.hear(*lines[-4:])
    assert talk.client.seat.match.points == (2, 0)


def test_jibs_that_does_not_know_the_question_whether_it_is_there_is_there(talk):
    talk.hear(*(line.replace("bob", "blot_b") for line in BEGUN))
    talk.client.agenda.drop(Task.SERVER, Task.ANSWER)
    assert "rawwho blot_a" in talk.wait(620)
    talk.hear("** Not yet implemented: 'rawwho blot_a'")
    talk.client.agenda.drop(Task.SERVER, Task.ANSWER)
    talk.wait(100)
    assert talk.client.seat is not None
