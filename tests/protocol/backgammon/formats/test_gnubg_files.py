import pytest

from bot.backgammon.rules.record import Rules
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
