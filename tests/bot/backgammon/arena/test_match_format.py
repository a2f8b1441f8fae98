import pytest

from bot.backgammon.arena.match_format import MatchFormat


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"games": 0}, "1 to 10,000,000 games, not 0"),
        ({"games": 10_000_001}, "1 to 10,000,000 games, not 10,000,001"),
        ({"games": 2, "length": 0}, "1 to 64 points, not 0"),
        ({"games": 2, "length": 65}, "1 to 64 points, not 65"),
        ({"games": 2, "seed": -1}, "a seed is 0 to"),
        ({"games": 2, "length": 5, "jacoby": True}, "--jacoby is a rule of money games"),
        ({"games": 2, "length": 5, "cube": True, "beavers": True}, "--beavers is a rule of money"),
        ({"games": 2, "beavers": True}, "--beavers is a rule of the cube"),
        ({"games": 2, "jacoby": True}, "--jacoby is a rule of the cube"),
    ],
)
def test_terms_that_cannot_be_played_are_refused(values, sentence):
    with pytest.raises(ValueError, match=sentence):
        MatchFormat(**values)


@pytest.mark.parametrize(("games", "length"), [(1, 1), (10_000_000, 64)])
def test_terms_may_be_the_least_and_the_most(games, length):
    terms = MatchFormat(games=games, length=length, seed=0)
    assert (terms.games, terms.length, terms.seed) == (games, length, 0)


def test_terms_are_told_in_words():
    assert str(MatchFormat(games=1, length=7, cube=True)) == "1 match to 7, with the cube, seed 1"
    assert str(MatchFormat(games=2)) == "2 money games, cubeless, seed 1"
    assert str(MatchFormat(games=4, cube=True, jacoby=True, beavers=True)) == (
        "4 money games, with the cube, Jacoby rule, beavers, seed 1"
    )
