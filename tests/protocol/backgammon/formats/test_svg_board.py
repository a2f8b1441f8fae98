from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.match import Cube, CubeOwner, GameState
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.svg_board import (
    NAMESPACE,
    Picture,
    picture_of,
    place_name,
    place_point,
    svg_board,
)
from tests.strategies import positions


def drawn(picture, bottom=0):
    """The elements of a class, each with its attributes."""
    root = ElementTree.fromstring(svg_board(picture, bottom=bottom))
    return lambda name: [each for each in root.iter() if name in each.get("class", "").split()]


@given(position=positions(), bottom=st.sampled_from([0, 1]))
def test_every_checker_is_drawn_on_its_place(position, bottom):
    found = drawn(Picture(position.points), bottom)
    places = {each.get("data-place"): each for each in found("place")}
    assert len(places) == 28
    for seat, sign in ((0, 1), (1, -1)):
        for point in range(1, 26):
            place = places[place_name(point, seat)]
            own = position.points[point if seat == 0 else 25 - point] * sign
            if own > 0:
                assert place.get("data-count") == str(own)
                assert place.get("data-seat") == str(seat)
                assert len(place.findall(f"{{{NAMESPACE}}}circle[@class='checker s{seat}']")) == own
    assert len(found("off")) == position.off + position.other_off
    checkers = found("checker")
    assert len(checkers) + len(found("off")) == 30
    width, height = 856, 660
    for circle in checkers:
        assert 25 <= float(circle.get("cx")) <= width - 25
        assert 25 <= float(circle.get("cy")) <= height - 25


@pytest.mark.parametrize("bottom", [0, 1])
def test_the_home_of_the_seat_at_the_bottom_is_on_the_lower_right(bottom):
    found = drawn(Picture(START.points), bottom)
    six = [each for each in found("checker") if each.get("data-at") == place_name(6, bottom)]
    assert all(float(each.get("cx")) > 428 and float(each.get("cy")) > 330 for each in six)
    assert [each.text for each in found("number")][:2] == ["1", "2"]


def test_dice_used_and_the_cube_of_a_player_are_told():
    found = drawn(Picture(START.points, 4, 1, (3, 3, 3, 3), (3,), 0))
    assert [each.get("class") for each in found("die")] == ["die s0 used", *["die s0"] * 3]
    assert len(found("pip")) == 12
    assert [each.text for each in found("value")] == ["4"]
    assert [each.text for each in drawn(Picture(START.points, 1))("value")] == ["64"]
    assert not drawn(Picture(START.points))("cube")


def test_tall_stack_tells_its_number_and_an_empty_place_no_seat():
    found = drawn(Picture(Position.of({6: 7, 5: 5, 4: 3}, {6: 15}).points))
    assert sorted(each.text for each in found("count")) == ["15", "7"]
    seats = [each.get("data-seat") for each in found("place") if each.get("data-count") == "0"]
    assert set(seats) == {None}


def test_double_is_drawn_with_the_cube_as_it_would_be():
    state = GameState(START, Cube(2, CubeOwner.ON_ROLL))
    assert picture_of(ChooseCubeAction(state), 1).cube == 2
    double = picture_of(AnswerDouble(state), 1)
    assert (double.cube, double.cube_owner) == (4, 1)


@pytest.mark.parametrize(("seat", "bottom"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_dice_lie_in_the_middle_of_a_half_on_the_right_for_the_seat_at_the_bottom(seat, bottom):
    found = drawn(Picture(START.points, 1, None, (6, 5), (), seat), bottom)
    across = [float(pip.get("cx")) for pip in found("pip")]
    points = [float(each.get("cx")) for each in found("checker")]
    middle = (min(points) + max(points)) / 2
    half = (middle, max(points)) if seat == bottom else (min(points), middle)
    assert half[0] < min(across) < sum(half) / 2 < max(across) < half[1]


def test_a_high_cube_keeps_its_figures_on_its_face():
    for value in (1, 2, 64):
        assert drawn(Picture(START.points, value))("value")[0].get("textLength") is None
    for value in (128, 4096):
        found = drawn(Picture(START.points, value, 0))
        face, figures = found("face")[0], found("value")[0]
        assert float(figures.get("textLength")) < float(face.get("width"))


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("bottom", [0, 1])
def test_arrows_show_where_a_play_goes(seat, bottom):
    play = next(play for play in legal_plays(START, Roll(6, 5)) if len(play.legs) == 2)
    picture = picture_of(ChooseCheckerPlay(GameState(START), Roll(6, 5)), seat, play)
    found = drawn(picture, bottom)
    source = next(each for each in found("checker") if each.get("data-at") == picture.arrows[0][0])
    x, y = found("arrow")[0].get("d").split("L")[0][1:].split()
    assert float(x) == pytest.approx(float(source.get("cx")), abs=1)
    assert (float(y) > 330) == (float(source.get("cy")) > 330)
    assert len(found("arrow")) == 2
    assert [each.get("class") for each in found("die")] == [f"die s{seat}"] * 2


@pytest.mark.parametrize("seat", [0, 1])
def test_places_are_named_and_found_again(seat):
    names = [place_name(point, seat) for point in range(26)]
    assert len(set(names)) == 26
    assert [place_point(name, seat) for name in names] == list(range(26))
    with pytest.raises(ValueError, match="no place of this player is called 'bar"):
        place_point(f"bar{1 - seat}", seat)
