"""Whole matches in Chromium, by mouse and by keyboard."""

import pytest
from selenium.webdriver.common.keys import Keys

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
