"""Whole matches in Chromium, by mouse and by keyboard."""

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from tests.browsers import LIMIT
from tests.protocol.backgammon.browser.test_page import SURE

pytestmark = pytest.mark.slow


def roll_or_confirm(visitor):
    version = visitor.version
    visitor.one(".die.wanted").click()
    visitor.after(version)


def play_by_mouse(visitor):
    """One checker, from the last place offered to the first that it reaches: as far as it can."""
    version = visitor.version
    source = visitor.places("source")[-1]
    visitor.top_of(source).click()
    target = visitor.places("target")[0]
    visitor.one(f'[data-place="{target}"]').click()
    visitor.after(version)


def play_by_keys(visitor):
    """A whole play, the first that the list completes."""
    version, point = visitor.version, visitor.places("source")[-1]
    if visitor.run("return document.activeElement.id") != "notation":
        visitor.press("m")
    visitor.press("b" if point.startswith("bar") else point)
    visitor.one("#completions:not([hidden]) li")
    visitor.press(Keys.ARROW_DOWN, Keys.TAB, Keys.ENTER)
    visitor.after(version)


def test_a_whole_match_is_played_by_mouse(server, visitor):
    server.begin("human", "easy", seed=3)
    visitor.come()
    while (asks := visitor.asked()) != "next":
        if asks == "play" and not visitor.many(".die.wanted"):
            play_by_mouse(visitor)
        else:
            roll_or_confirm(visitor)
    assert "match" in visitor.text("#prompt")
    assert server.state()["result"]["match_over"]


def test_a_whole_match_is_played_by_keyboard(server, visitor):
    server.begin("human", "easy", seed=4)
    visitor.come()
    while (asks := visitor.asked()) != "next":
        if asks == "play" and not visitor.many(".die.wanted"):
            play_by_keys(visitor)
        else:
            version = visitor.version
            visitor.press(Keys.ENTER)
            visitor.after(version)
    assert server.state()["result"]["match_over"]
    version = visitor.version
    visitor.press(Keys.ENTER)
    visitor.after(version)
    assert server.state()["result"] is None


def test_match_is_saved_as_a_file_or_the_reason_told(server, visitor, tmp_path):
    server.begin("human", "human", length=None)
    visitor.come()
    server.act("set", id=SURE.replace(":5:10", ":0:10"))
    visitor.wait_for("return document.body.dataset.asks === 'roll'")
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path), "eventsEnabled": False}
    visitor.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    visitor.open_dialog("position")
    visitor.one('a[href$=".mat"]').click()
    visitor.wait_for("return document.getElementById('message').textContent.includes('.mat file')")
    visitor.one('a[href$=".sgf"]').click()
    WebDriverWait(visitor.driver, LIMIT).until(lambda _: list(tmp_path.glob("*.sgf")))
    assert next(tmp_path.glob("*.sgf")).read_bytes().startswith(b"(;")
