"""Visits in Chromium that leave the usual way: keys alone, set-ups, windows, reloads, restarts."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.browsers import Visitor
from tests.protocol.backgammon.browser.test_page import DOUBLED, SURE

pytestmark = pytest.mark.slow

TO_ROLL = SURE.replace(":5:10", ":0:10")
SIX_ONE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:61:0:0:0:0:10"

POSTED = """
window.posted = [];
const fetched = window.fetch;
window.fetch = (...words) => {
  window.posted.push(words[0]);
  return fetched(...words);
};
"""
"""Notes what the page posts from now on."""


FITS = (
    "const {scrollWidth, clientWidth} = document.querySelector(arguments[0]);"
    "return scrollWidth <= clientWidth"
)
"""Whether what is in an element has room in it."""


@pytest.fixture
def roll(server, visitor):
    """A person who may roll, in a position that will soon be over."""
    server.begin("human", "human", length=None)
    server.act("settings", auto=False)
    server.act("set", id=TO_ROLL)
    visitor.come()
    assert visitor.asked() == "roll"
    return visitor


def open_editor(visitor):
    visitor.open_dialog("position")
    visitor.one('[data-do="edit"]').click()
    visitor.one("#editor:not([hidden])")


def hold_enter(visitor, selector):
    """Hold Enter down where that element has the focus; whether the browser acts on it."""
    return visitor.run(
        "return document.querySelector(arguments[0]).dispatchEvent(new KeyboardEvent('keydown',"
        " {key: 'Enter', repeat: true, bubbles: true, cancelable: true}))",
        selector,
    )


def test_enter_rolls_neither_behind_a_set_up_nor_while_it_is_held(server, roll):
    roll.run(POSTED)
    open_editor(roll)
    roll.run("document.activeElement.blur()")
    roll.press(Keys.ENTER)
    roll.press(Keys.ESCAPE)
    assert hold_enter(roll, "body")
    assert not hold_enter(roll, ".die")
    assert not hold_enter(roll, "#notation")
    assert roll.run("return window.posted") == []
    roll.press(Keys.ENTER)
    roll.wait_for("return document.body.dataset.asks === 'play'")


def test_set_up_is_given_up_when_another_game_is_begun(server, roll):
    open_editor(roll)
    roll.open_dialog("position")
    roll.one("[data-name=paste]").send_keys(TO_ROLL, Keys.ENTER)
    roll.one("#editor[hidden]")
    open_editor(roll)
    roll.open_dialog("settings")
    roll.one("[data-name=auto]").click()
    roll.close_dialog()
    assert not roll.many("#editor[hidden]")
    roll.open_dialog("new")
    roll.one("dialog .primary").click()
    roll.one("#editor[hidden]")
    roll.wait_for("return document.body.dataset.asks === 'play'")
    roll.one(".place.source")


def test_resignations_are_offered_with_the_points_that_they_cost(server, roll):
    server.begin("human", "human", length=None, jacoby=True)
    roll.catch_up(server)
    roll.asked()
    roll.press("r")
    roll.one("dialog[open][data-name=resign]")
    offers = [each.text for each in roll.many("dialog [data-points]")]
    assert offers == [f"{kind}: 1 point" for kind in ("a single game", "a gammon", "a backgammon")]
    roll.many("dialog [data-points]")[1].click()
    roll.wait_for("return document.body.dataset.asks === 'resignation'")
    server.act("decline")
    roll.wait_for("return document.body.dataset.asks === 'play'")
    roll.press("r")
    roll.one("dialog[open][data-name=resign]")
    assert [each.text for each in roll.many("dialog [data-points]")] == ["a backgammon: 1 point"]
    roll.close_dialog()


def test_set_up_begins_with_the_state_while_its_checkers_are_still_on_their_way(server, visitor):
    server.begin("human", "easy", length=None)
    server.act("set", id=SIX_ONE)
    visitor.come(speed="slow")
    server.act("text", text="13/7 8/7")
    visitor.catch_up(server)
    visitor.open_dialog("position")
    server.act("confirm")
    visitor.wait_for(
        "return [...document.querySelectorAll('.checker')].some((at) => at.getAnimations().length)"
    )
    visitor.run("document.querySelector('[data-do=edit]').click()")
    points = server.state()["points"]
    visitor.one('[data-do="edited"]').click()
    visitor.one("#editor[hidden]")
    assert server.state()["points"] == points


def set_up_at(visitor, seat, place):
    """Click a place of a set-up with a seat chosen, 2 for removing; the checkers that lie there."""
    visitor.one(f'#editor [data-seat="{seat}"]').click()
    return visitor.run(
        "const place = document.querySelector(arguments[0]);"
        "place.dispatchEvent(new MouseEvent('click', {bubbles: true}));"
        "return Number(place.dataset.count)",
        f'[data-place="{place}"]',
    )


def test_checkers_are_removed_with_no_other_button(server, roll):
    open_editor(roll)
    roll.one("#editor .pair:nth-of-type(2) button").click()  # the starting position
    assert [set_up_at(roll, 2, place) for place in ("6", "6", "1", "2", "off0")] == [4, 3, 1, 0, 2]
    roll.press(Keys.ESCAPE)


def test_points_have_the_numbers_of_whoever_of_two_people_is_to_play(server, roll):
    numbers = "return [...document.querySelectorAll('.board .number')].map((at) => at.textContent)"
    label = "return document.querySelector(`[data-place='${arguments[0]}']`).ariaLabel"
    for turn, six in (("-1", "19"), ("1", "6")):
        server.act("set", id=f"XGID=-b----E-C---eE---c-e----B-:0:0:{turn}:31:0:0:0:0:10")
        roll.catch_up(server)
        assert roll.run(label, six) == "Point 6, 5 checkers"
        assert roll.run(numbers).index("6") == int(six) - 1
    server.begin("human", "easy", length=None)
    server.act("set", id="XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10")
    roll.catch_up(server)
    assert roll.run(numbers)[5] == "6"


def test_right_answer_to_a_double_is_told_as_part_of_a_sentence(server, roll):
    server.act("set", id=DOUBLED)
    roll.wait_for("return document.body.dataset.asks === 'double'")
    roll.press("h")
    assert roll.one("#hint-rows strong").text == "Proper action: take."


def test_hint_where_nobody_may_double_tells_the_equity_and_no_empty_table(server, roll):
    server.begin("human", "human", length=None, dice="manual")
    server.act("set", id=DOUBLED.replace("0:0:-1:D:0:0:0:0", "0:0:1:00:4:3:1:5"))
    roll.catch_up(server)
    roll.press("h")
    roll.one("#hint-rows strong")
    assert roll.text("#hint-rows p").startswith("equity ")
    assert len(roll.many("#hint-rows table")) == 1


def test_no_sixteenth_checker_is_set_up(server, roll):
    open_editor(roll)
    roll.one("#editor .pair:nth-of-type(2) button").click()
    assert [set_up_at(roll, 0, place) for place in ("1", "6", "2")] == [2, 5, 0]
    assert set_up_at(roll, 2, "6") == 4
    assert set_up_at(roll, 0, "1") == 1
    roll.press(Keys.ESCAPE)


def test_rules_that_do_not_count_in_a_match_are_those_of_the_next_game(server, roll):
    for length in (1, 3):
        server.begin("human", "human", length=length, beavers=True)
        roll.catch_up(server)
        roll.open_dialog("new")
        before = roll.version
        roll.one("dialog .primary").click()
        roll.after(before)
        state = server.state()
        assert [state[rule] for rule in ("has_cube", "jacoby", "beavers")] == [True] * 3
    assert state["cube_used"]
    open_editor(roll)
    assert len(roll.many("#editor .grid > .field")) == 4
    roll.press(Keys.ESCAPE)
    server.begin("human", "human", length=1)
    roll.catch_up(server)
    open_editor(roll)
    assert len(roll.many("#editor .grid > .field")) == 2
    roll.press(Keys.ESCAPE)


def focused(visitor):
    """The classes of what has the focus."""
    return visitor.run("return [...document.activeElement.classList]")


def test_whoever_goes_by_keys_alone_plays_on_from_the_board(server, visitor):
    server.begin("human", "easy", seed=4)
    visitor.come()
    assert visitor.asked() == "play"
    visitor.run("document.querySelector('.place.source').focus()")
    while "source" in focused(visitor):
        version = visitor.version
        visitor.press(Keys.ENTER)
        visitor.run("document.querySelector('.place.target').focus()")
        visitor.press(Keys.ENTER)
        visitor.after(version)
    assert "wanted" in focused(visitor)
    version = visitor.version
    visitor.press(Keys.ENTER)
    visitor.after(version)
    visitor.asked()
    assert {"die", "source"} & set(focused(visitor))


CONNECTIONS = 6
"""Connections that a browser opens to one server."""


def test_more_tabs_than_a_browser_has_connections_show_the_game_on_return(server, roll):
    driver, first = roll.driver, roll.driver.current_window_handle
    for _ in range(CONNECTIONS):
        driver.switch_to.new_window("tab")
        Visitor(driver, server.address).come(speed="fast")
    unseen = {"url": server.address, "background": True}
    driver.execute_cdp_cmd("Target.createTarget", unseen)
    server.act("roll")
    others = [each for each in driver.window_handles if each != first]
    for handle in others:
        driver.switch_to.window(handle)
        assert roll.wait_for("return document.body.dataset.asks === 'play'")
        assert roll.run("return document.getElementById('gone').hidden")
        driver.close()
    driver.switch_to.window(first)
    assert roll.wait_for("return document.body.dataset.asks === 'play'")


def test_next_match_is_as_long_as_the_last_whatever_its_length(server, roll):
    server.begin("human", "human", length=4)
    roll.catch_up(server)
    roll.open_dialog("new")
    assert roll.run("return document.querySelector('[data-name=length]').value") == "4"
    version = roll.version
    roll.one("dialog [type=submit]").click()
    roll.after(version)
    assert server.state()["length"] == 4


@pytest.mark.parametrize(("length", "word"), [(1, "Next match"), (5, "Next game")])
def test_what_comes_after_a_game_is_called_what_it_is(server, roll, length, word):
    server.begin("human", "human", length=length, dice="manual")
    server.act("dice", dice=[2, 1])
    server.act("resign", points=1)
    server.act("accept")
    roll.catch_up(server)
    assert roll.text('[data-do="next"] span') == word
    server.act("next")
    assert server.state()["number"] == (1 if length == 1 else 2)


def test_every_new_game_is_said_to_who_does_not_see_it(server, roll):
    for _ in range(2):
        roll.run("document.getElementById('live').textContent = ''")
        server.begin("human", "human", dice="manual")
        assert roll.wait_for("return document.getElementById('live').textContent")


OFFLINE = "Network.emulateNetworkConditions"


def test_one_question_that_fails_does_not_leave_the_server_away(server, roll):
    roll.driver.execute_cdp_cmd("Network.enable", {})
    rates = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    roll.driver.execute_cdp_cmd(OFFLINE, {"offline": True, **rates})
    roll.press("h")
    roll.one("#gone:not([hidden])")
    roll.driver.execute_cdp_cmd(OFFLINE, {"offline": False, **rates})
    roll.one("#gone[hidden]")


def test_words_of_any_length_stay_in_their_boxes(server, roll):
    server.begin("human", "human", dice="manual", length=3)
    roll.catch_up(server)
    for width in (360, 683, 1121):
        roll.size(width, 640)
        assert roll.run(FITS, "#match")
        roll.run("document.getElementById('notation').value = ''")
        roll.press("m", "x" * 100, Keys.ENTER)
        roll.one("#message:not([hidden])")
        assert roll.run(FITS, "#message")


def test_a_second_finger_leaves_the_checker_to_the_first(server, roll):
    server.act("set", id=SIX_ONE)
    roll.catch_up(server)
    touch = roll.driver.execute_cdp_cmd
    middle = (
        "const {x, y, width, height} = arguments[0].getBoundingClientRect();"
        "return {x: x + width / 2, y: y + height / 2}"
    )
    first, second = (roll.run(middle, roll.top_of(at)) for at in roll.places("source")[:2])

    def touched(kind, *steps):
        points = [
            {"x": at["x"] + step, "y": at["y"] + step, "id": finger}
            for finger, (at, step) in enumerate(zip((first, second), steps, strict=False))
        ]
        touch("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 2})
    for kind, steps in (("Start", [0]), ("Move", [20]), ("Start", [20, 0]), ("Move", [20, 30])):
        touched(f"touch{kind}", *steps)
    assert len(roll.many(".ghost")) == 1
    touched("touchEnd", 20)
    touched("touchEnd")
    touch("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert roll.many(".ghost, .lifted") == []


LATE = """
const fetched = window.fetch;
window.fetch = async (...words) => {
  const answer = await fetched(...words);
  if (words[0] === 'new') await new Promise((letGo) => { window.letGo = letGo; });
  return answer;
};
"""
"""Holds the answers to new games back until letGo is called."""


def test_answer_that_comes_late_closes_no_other_dialog(server, roll):
    roll.run(LATE)
    roll.open_dialog("new")
    roll.one("dialog .primary").click()
    roll.wait_for("return Boolean(window.letGo)")
    roll.open_dialog("settings")
    roll.driver.execute_async_script("window.letGo(); setTimeout(arguments[0])")
    assert roll.many("dialog[open][data-name=settings]")
