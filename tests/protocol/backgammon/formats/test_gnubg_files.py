import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.mat import parse_mat
from tests.games import random_match
from tests.gnubg_files import different, through_gnubg

RULES = (
    Rules(5),
    Rules(3, crawford=False),
    Rules(3, has_cube=False),
    Rules(beavers=True),
    Rules(jacoby=False, beavers=True),
    Rules(automatic_doubles=2),
)


@pytest.mark.gnubg
def test_games_come_back_from_gnubg_as_they_went():
    matches = [
        random_match(rules, seed, games=2, resigns=0.02, words=0.3, as_gnubg=True)
        for rules in RULES
        for seed in (1, 200)
    ]
    ways = [(way, different(match, read)) for way, match, read in through_gnubg(matches, 60)]
    assert {way for way, _ in ways} == {"sgf to sgf", "sgf to mat", "mat to sgf", "mat to mat"}
    assert [sentence for _, sentence in ways if sentence] == []


@pytest.mark.gnubg
def test_a_take_in_the_last_row_comes_back_from_gnubg_as_it_went():
    rows = "  1) 31: 8/5 6/5                  Doubles => 2\n  2)  Takes\n      Wins 2 points\n"
    match = parse_mat(f" 5 point match\n\n Game 1\n Alice : 0   Bob : 0\n{rows}").whole
    assert [different(match, read) for _, match, read in through_gnubg([match], 60)] == [None] * 4


@pytest.mark.gnubg
def test_games_at_scores_that_were_set_by_hand_come_back_from_gnubg_at_these():
    row = "  1) 31: 8/5 6/5                  Doubles => 2\n"
    row += "  2)  Drops                      Wins 1 point\n"
    heads = (f" Game {game}\n Alice : {3 - game}   Bob : 2\n" for game in (1, 2, 3))
    match = parse_mat(" 5 point match\n\n" + "".join(f"{head}{row}\n" for head in heads)).whole
    assert [game.points for game in match.games] == [(2, 2), (1, 2), (0, 2)]
    assert [different(match, read) for _, match, read in through_gnubg([match], 60)] == [None] * 4
