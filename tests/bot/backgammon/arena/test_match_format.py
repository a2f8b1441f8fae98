import pytest

from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.rules.match import MoneyRules
from bot.backgammon.rules.record import Rules
from bot.seed import MAX_SEED


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
    for seed in (0, MAX_SEED):
        terms = MatchFormat(games=games, length=length, seed=seed)
        assert (terms.games, terms.length, terms.seed) == (games, length, seed)


def test_terms_are_the_rules_that_are_played_by():
    assert MatchFormat(1, 7).rules == Rules(7, has_cube=False, jacoby=False)
    assert MatchFormat(1, 7, cube=True).rules == Rules(7, jacoby=False)
    for jacoby, beavers in ((True, False), (False, True)):
        terms = MatchFormat(1, cube=True, jacoby=jacoby, beavers=beavers)
        assert terms.rules == Rules(jacoby=jacoby, beavers=beavers)
        assert terms.money == MoneyRules(jacoby, beavers)


def test_terms_are_told_in_words():
    assert str(MatchFormat(games=1, length=7, cube=True)) == "1 match to 7, with the cube, seed 1"
    assert str(MatchFormat(games=3, length=7)) == "3 matches to 7, cubeless, seed 1"
    assert str(MatchFormat(games=1)) == "1 money game, cubeless, seed 1"
    assert str(MatchFormat(games=2)) == "2 money games, cubeless, seed 1"
    assert str(MatchFormat(games=4, cube=True, jacoby=True, beavers=True)) == (
        "4 money games, with the cube, Jacoby rule, beavers, seed 1"
    )
