"""The page on a phone: all of it can be read, and touched with a thumb."""

import pytest
from selenium.webdriver.common.keys import Keys

from bot.backgammon.evaluation.network import random_network
from tests.protocol.backgammon.browser.test_visits import FITS, SIX_ONE, open_editor

pytestmark = pytest.mark.slow

THUMB = 40
"""Pixels that a button is high at least."""


@pytest.fixture
def phone(server, visitor):
    """A person who is to play, with the page on a phone."""
    server.begin("human", "human", length=None)
    server.act("set", id=SIX_ONE)
    visitor.come()
    assert visitor.asked() == "play"
    visitor.size(360, 640)
    return visitor


def edge(phone, selector, name):
    """Where an edge of an element is."""
    return phone.run(
        "return document.querySelector(arguments[0]).getBoundingClientRect()[arguments[1]]",
        selector,
        name,
    )


def test_set_up_stands_next_to_the_board(phone):
    phone.one("#chances:not([hidden])")
    open_editor(phone)
    assert edge(phone, "#editor", "top") - edge(phone, "#lower", "bottom") < 20


def test_figures_of_a_rollout_stand_in_one_line_below_their_play(phone):
    phone.press("o")
    phone.one("#rollout-rows tbody tr")
    phone.press("o")
    for row in ("thead tr", "tbody tr"):
        tops = phone.run(
            "return [...document.querySelectorAll(arguments[0])].map((each) =>"
            " each.getBoundingClientRect().top)",
            f"#rollout-rows {row}:first-child > :not(:first-child)",
        )
        assert len(tops) == 8
        assert len(set(tops)) == 1


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_numbers_of_the_points_can_be_read(phone, size):
    phone.size(*size)
    height = phone.run(
        "const {a} = document.querySelector('svg.board').getScreenCTM();"
        "return a * parseFloat(getComputedStyle(document.querySelector('.number')).fontSize)"
    )
    assert height > 8


def test_a_player_with_cube_and_score_has_room_for_the_name(server, phone):
    server.begin("human", "easy", length=25)
    server.act("set", id=SIX_ONE.replace(":0:0:1:61:0:0:0:0:", ":1:1:1:61:12:11:0:25:"))
    phone.size(320, 640)
    phone.one("#lower .cube-note")
    assert phone.run(FITS, "#lower strong")
    assert phone.run("return document.querySelector('#lower').offsetHeight") < THUMB


def test_a_name_of_any_length_makes_the_page_no_wider(server, phone, tmp_path):
    path = tmp_path / f"{'long' * 20}.npz"
    random_network(8, 5).save(path)
    server.begin("human", str(path), length=None)
    server.act("settings", tutor=0.5)
    phone.catch_up(server)
    phone.asked()
    phone.press("r")
    phone.one('dialog [data-points="3"]').click()
    phone.one("#summary:not([hidden])")
    for selector in ("html", "#panel", "#summary", "#log-rows", "#chances-text", "#actions"):
        phone.one(f"{selector}:not([hidden])")
        assert phone.run(FITS, selector), selector


def test_a_server_that_is_away_hides_no_part_of_the_board(server, phone):
    phone.press("m", "x", Keys.ENTER)
    phone.one("#message:not([hidden])")
    server.kill()
    phone.one("#gone:not([hidden])")
    assert edge(phone, "#gone", "top") > edge(phone, "#board", "bottom")
    assert phone.many("#message:not([hidden])") == []
    server.start()
    phone.one("#gone[hidden]")


def test_every_button_is_as_high_as_a_thumb_needs(phone):
    phone.press("h")
    phone.one("#hint button.play")
    low = phone.run(
        "return [...document.querySelectorAll('button, summary, #trials, #notation')].filter("
        "(each) => each.getClientRects().length && each.offsetHeight < arguments[0]).map("
        "({outerHTML}) => outerHTML)",
        THUMB - 1,
    )
    assert low == []


CUT = """
const pen = document.createElement('canvas').getContext('2d');
return [...document.querySelectorAll('dialog select')].flatMap((each) => {
  const {font, paddingLeft, paddingRight} = getComputedStyle(each);
  const room = each.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  pen.font = font;
  const texts = [...each.options].map((at) => at.text);
  return texts.filter((text) => pen.measureText(text).width > room);
});
"""
"""The choices of a dialog that their fields have no room for."""


def test_every_choice_fits_its_field(phone):
    for name in ("new", "settings"):
        phone.open_dialog(name)
        assert phone.run(CUT) == []
