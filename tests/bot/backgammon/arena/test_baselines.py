from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from bot.backgammon.arena.baselines import (
    BASELINES,
    SIMPLE_PLANS,
    PubevalPlayer,
    RandomPlayer,
    baseline,
    pubeval_weights,
)
from bot.backgammon.kernels.baselines import PUBEVAL_WIN, pubeval_score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import ROLLS, Roll
from tests.plain.baselines import plain_simple_rank
from tests.plain.games import choice_of, scattered_turns, turns_of_games
from tests.strategies import positions, rolls

DANCING = Position.of({25: 1, 6: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})


@pytest.mark.parametrize("name", BASELINES)
def test_player_without_a_legal_play_keeps_the_position(name):
    assert baseline(name, seed=1).choose(DANCING, Roll(6, 4)) == CheckerPlay((), DANCING)


@pytest.mark.parametrize("name", BASELINES)
def test_players_choose_among_the_legal_plays(name):
    player = baseline(name, seed=1)
    for board, roll in scattered_turns(100, seed=5):
        plays = legal_plays(Position(board), roll)
        choice = player.choose(Position(board), roll)
        assert choice in plays if plays else choice == CheckerPlay((), Position(board))


def test_unknown_baseline_is_refused_with_the_names_there_are():
    with pytest.raises(ValueError, match="no baseline 'gammon'; there are random, blockers, pub"):
        baseline("gammon", seed=1)


def test_random_player_repeats_its_choices_with_the_same_seed_only():
    def choices(seed):
        player = RandomPlayer(seed)
        return [player.choose(START, roll).after for roll in ROLLS * 3]

    assert choices(7) == choices(7) != choices(8)


def test_random_player_chooses_each_play_equally_often():
    player = RandomPlayer(1)
    times = Counter(player.choose(START, Roll(3, 1)).after for _ in range(1600))
    assert len(times) == 16
    chi_squared = sum((count - 100) ** 2 / 100 for count in times.values())
    assert chi_squared < 37.7  # 15 degrees of freedom, one in a thousand


def test_blockers_make_the_five_point_with_31():
    assert baseline("blockers", 1).choose(START, Roll(3, 1)).after.points[4:7] == (0, 2, 4)


def test_blockers_bear_off_as_many_as_they_can_in_a_race():
    position = Position.of({6: 2, 4: 2, 2: 2, 1: 2}, {1: 2})
    assert baseline("blockers", 1).choose(position, Roll(6, 4)).after.off == position.off + 2


@pytest.mark.parametrize("name", SIMPLE_PLANS)
@given(position=positions(), roll=rolls())
def test_simple_players_take_what_their_description_ranks_first(name, position, roll):
    ranks = [
        plain_simple_rank(name, position.points, play.after.points)
        for play in legal_plays(position, roll)
    ]
    if ranks:
        chosen = baseline(name, 1).choose(position, roll).after.points
        assert plain_simple_rank(name, position.points, chosen) == max(ranks)


def test_pubeval_weights_are_the_published_ones():
    contact, race = pubeval_weights()
    assert (len(contact), len(race)) == (122, 122)
    # As printed at the head of Tesauro's WT.cntc.
    assert np.allclose(
        contact[:7], [0.25696, -0.66937, -1.66135, -2.02487, -2.53398, -0.16092, -1.11725]
    )
    assert not race[[1, 2, 3, 4, 115, 120]].any()


def test_blank_lines_and_comments_of_a_weights_file_are_passed_over(tmp_path):
    path = tmp_path / "pubeval.txt"
    path.write_text("# comment\n\n" + "".join(f"{i} {i} {-i}\n\n" for i in range(122)))
    contact, race = pubeval_weights(path)
    assert contact.tolist() == (-race).tolist() == list(range(122))


def test_pubeval_likes_nothing_better_than_the_last_checker_off():
    position = Position.of({3: 1}, {3: 2, 2: 1})
    assert PubevalPlayer().choose(position, Roll(2, 1)).after.checkers == 0
    after = Position.of({}, {3: 2, 2: 1}).board
    assert pubeval_score(after, pubeval_weights()[0]) == PUBEVAL_WIN


def test_pubeval_scores_are_those_of_gnubg_nn():
    judges = pytest.importorskip("tests.plain.judges", reason="judges exist for Linux on x86-64")
    contact, race = pubeval_weights()
    for board, _ in scattered_turns(500, seed=2):
        weights = race if Position(board).is_race else contact
        score = pubeval_score(np.array(board, np.int8), weights)
        assert score == pytest.approx(judges.gnubg_pubeval_score(board), abs=2e-5)


def test_pubeval_chooses_as_in_gnubg_nn():
    judges = pytest.importorskip("tests.plain.judges", reason="judges exist for Linux on x86-64")
    from tests.plain.agreement import pubeval_difference

    choice = choice_of(PubevalPlayer())
    compared = 0
    for turn in turns_of_games(judges.gnubg_choice, 1000, seed=4):
        if judges.gnubg_boards_after(turn[0], turn[1].high, turn[1].low):
            assert abs(pubeval_difference(turn, choice)) < 2e-5
            compared += 1
    assert compared > 800


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("0 1.0 1.0\n", "does not hold the rows 0 to 121 in order"),
        ("".join(f"{i} 1.0\n" for i in range(122)), "row 0 of .* has 2 fields, not 3"),
        ("".join(f"{i} 1.0 x\n" for i in range(122)), "could not convert string to float: 'x'"),
    ],
)
def test_weights_file_with_other_contents_is_refused_by_name(tmp_path, text, complaint):
    path = tmp_path / "pubeval.txt"
    path.write_text("# comment\n" + text)
    with pytest.raises(ValueError, match=complaint) as refusal:
        pubeval_weights(path)
    assert "pubeval.txt" in str(refusal.value)
