"""The geometry of the board on the page: where arrows begin and end."""

import pytest

pytestmark = pytest.mark.slow

HOP = "XGID=-a---BDaB---dEa--c-e----B-:0:0:1:64:0:0:0:0:10"
LAST = f"XGID=-AA{19 * '-'}ccc-:0:0:1:21:0:0:0:0:10"

WAYS = """
const {arrows, spot} = await import(new URL('geometry.js', location.href));
const svg = document.querySelector('svg.board');
const [legs, isPlayed, place, nth] = arguments;
const ways = arrows(svg, legs, '', isPlayed).map((each) => {
  const corners = each.getAttribute('d').slice(1, -1).split('L');
  const at = corners.map((corner) => corner.split(' ').map(Number));
  return [(at[0][0] + at[6][0]) / 2, (at[0][1] + at[6][1]) / 2, ...at[3]];
});
const {x, y} = spot(svg, place, nth);
arguments[arguments.length - 1]([ways, [x, y]]);
"""
"""Where each arrow of legs begins and ends, and where the nth checker of a place lies."""


@pytest.fixture
def board(server, visitor):
    """Show that position: a person is to play it."""

    def show(position):
        server.begin("human", "human", length=None)
        server.act("set", id=position)
        visitor.come()
        visitor.asked()
        return visitor

    return show


def ways(visitor, *arguments):
    """The arrows of legs as they are drawn, and the middle of a checker."""
    return visitor.driver.execute_async_script(WAYS, *arguments)


def test_a_checker_goes_on_from_where_it_came_to(board):
    page = board(HOP)
    for is_played in (True, False):
        (first, second), _ = ways(page, [["24", "18"], ["18", "14"]], is_played, "18", 0)
        assert first[2:] == pytest.approx(second[:2], abs=0.2)


def test_a_checker_that_goes_on_leaves_its_place_to_the_next(board):
    legs = [["24", "18"], ["18", "14"], ["24", "18"]]
    (*_, third), lowest = ways(board(HOP), legs, False, "18", 0)
    assert third[2:] == pytest.approx(lowest, abs=0.2)


def test_arrows_of_what_was_borne_off_end_at_the_last_of_the_tray(board):
    page = board(LAST)
    (first, second), last = ways(page, [["2", "off0"], ["1", "off0"]], True, "off0", 14)
    assert first[2:] == pytest.approx(last, abs=0.2)
    assert second[3] == pytest.approx(last[1] + 19, abs=0.2)
