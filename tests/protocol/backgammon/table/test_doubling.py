import pytest

from bot.backgammon.rules.match import Cube, CubeOwner
from protocol.backgammon.table.doubling import Act, CubeAct, Doubling, doubling_after


def after(*acts):
    """The cube after acts of players 0 and 1, as in `0 double`."""
    words = (act.split() for act in acts)
    return doubling_after(CubeAct(int(player), Act(word), 1) for player, word in words)


@pytest.mark.parametrize(
    ("acts", "value", "owner", "asked"),
    [
        ((), 1, None, None),
        (("0 roll",), 1, None, None),
        (("0 double",), 1, None, 1),
        (("0 double", "1 take"), 2, 1, None),
        (("0 double", "1 drop"), 1, None, None),
        (("0 double", "1 take", "1 double"), 2, 1, 0),
        (("0 double", "1 take", "1 double", "0 take"), 4, 0, None),
        (("0 double", "1 take", "1 double", "0 drop"), 2, 1, None),
        (("0 double", "1 beaver"), 2, 1, 0),
        (("0 double", "1 beaver", "0 take"), 4, 1, None),
        (("0 double", "1 beaver", "0 drop"), 2, 1, None),
        (("0 double", "1 beaver", "0 beaver"), 4, 1, 1),
        (("0 double", "1 beaver", "0 beaver", "1 take"), 8, 1, None),
        (("0 double", "1 beaver", "0 beaver", "1 drop"), 4, 1, None),
        (("0 double", "1 beaver", "0 take", "1 double", "0 take"), 8, 0, None),
    ],
)
def test_acts_move_the_cube(acts, value, owner, asked):
    doubling = after(*acts)
    assert (doubling.value, doubling.owner, doubling.asked) == (value, owner, asked)


def test_cube_shows_twice_its_value_while_a_double_waits():
    assert after("0 double").value_offered == 2
    assert after("0 double", "1 beaver").value_offered == 4
    assert after("0 double", "1 drop").value_offered == 1


def test_three_beavers_may_follow_each_other():
    assert after().answers == ()
    chain = ["0 double", "1 beaver", "0 beaver", "1 beaver"]
    for count in (1, 2, 3):
        assert after(*chain[:count]).answers == (Act.TAKE, Act.DROP, Act.BEAVER)
    assert after(*chain).answers == (Act.TAKE, Act.DROP)
    assert after("0 double", "1 drop").answers == ()


def test_beaver_needs_room_on_the_cube():
    assert Act.BEAVER in Doubling(1024, 0, doubler=0).answers
    assert Act.BEAVER not in Doubling(2048, 0, doubler=0).answers


def test_each_player_sees_the_cube_from_his_side():
    assert Doubling().cube_of(0) == Cube()
    taken = after("0 double", "1 take")
    assert taken.cube_of(1) == Cube(2, CubeOwner.ON_ROLL)
    assert taken.cube_of(0) == Cube(2, CubeOwner.OTHER)
