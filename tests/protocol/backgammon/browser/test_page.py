"""The page in Chromium: what is seen, clicked and typed."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from tests.browsers import Visitor

pytestmark = pytest.mark.slow

DOUBLED = "XGID=-b----E-C---eE---c-e----B-:0:0:-1:D:0:0:0:0:10"
SURE = f"XGID=-AA{19 * '-'}ccc-:0:0:1:00:0:0:0:5:10"

STANDS = "return document.getElementById('rollout-word').textContent === arguments[0]"
"""Whether the button of rollouts has that word."""


@pytest.fixture
def game(server, visitor):
    """A person at a game whose first roll is to be played."""
    server.begin("human", "easy", seed=4)
    visitor.come()
    assert visitor.asked() == "play"
    return visitor


def choose(visitor, place):
    visitor.top_of(place).click()
    return visitor.places("target")


def play_a_leg(visitor):
    version, source = visitor.version, visitor.places("source")[0]
    choose(visitor, source)
    visitor.top_of(source).click()
    visitor.after(version)


def counts(visitor):
    """The checkers on all places, those of seat 1 below zero."""
    return visitor.run(
        "return [...document.querySelectorAll('.place')].map(({dataset}) =>"
        " dataset.place + ':' + (dataset.seat === '1' ? -1 : 1) * dataset.count).sort()"
    )


def test_checker_is_dragged_to_its_point(game):
    version, before = game.version, counts(game)
    source = game.places("source")[0]
    target = choose(game, source)[0]
    actions = ActionChains(game.driver, duration=0).click_and_hold(game.top_of(source))
    point = game.one(f'[data-place="{target}"] .hit')
    actions.move_by_offset(12, 0).move_to_element(point).release().perform()
    game.after(version)
    assert counts(game) != before
    assert game.many(".lifted, .ghost") == []


def test_finger_drags_a_checker_too(game):
    version, source = game.version, game.places("source")[0]
    target = choose(game, source)[0]
    finger = ActionBuilder(
        game.driver, mouse=PointerInput(interaction.POINTER_TOUCH, "finger"), duration=0
    )
    way = finger.pointer_action.move_to(game.top_of(source)).pointer_down().move_by(12, 0)
    way.move_to(game.one(f'[data-place="{target}"] .hit')).pointer_up()
    finger.perform()
    game.after(version)


def test_checkers_that_move_arrive_where_the_server_has_them(server, visitor):
    server.begin("human", "easy", seed=4)
    visitor.come(speed="fast")
    visitor.asked()
    while not visitor.many(".die.wanted"):
        play_a_leg(visitor)
    version = visitor.version
    visitor.press(Keys.ENTER)
    visitor.after(version)
    visitor.asked()
    shown = dict(each.split(":") for each in counts(visitor))
    points = server.state()["points"]
    assert [int(shown[f"{point}"]) for point in range(1, 25)] == points[1:25]
    assert visitor.many(".arrow")


def test_checker_dropped_on_no_point_of_its_goes_back(game):
    before, source = counts(game), game.places("source")[0]
    actions = ActionChains(game.driver, duration=0).click_and_hold(game.top_of(source))
    actions.move_by_offset(12, 0).move_to_element(game.one("#prompt")).release().perform()
    assert game.many(".lifted, .ghost") == []
    assert counts(game) == before


def test_swapped_dice_are_played_in_the_other_order(server, game):
    first, second = server.state()["dice_left"]
    assert first != second
    game.one(".die").click()
    version, targets = game.version, server.state()["targets"]
    place = next(
        each
        for each, ways in targets.items()
        if {way["dice"][0] for way in ways} >= {first, second}
    )
    choose(game, place)
    game.top_of(place).click()
    game.after(version)
    assert server.state()["dice_left"] == [first]


def test_legs_are_undone_one_by_one_and_all_at_once(game):
    before = counts(game)
    play_a_leg(game)
    one = counts(game)
    play_a_leg(game)
    game.one(".die.wanted")
    version = game.version
    game.press("u")
    game.after(version)
    assert counts(game) == one
    play_a_leg(game)
    version = game.version
    game.press("z")
    game.after(version)
    assert counts(game) == before


def test_enter_confirms_after_buttons_were_clicked(game):
    play_a_leg(game)
    version = game.version
    game.one('[data-do="undo"]').click()
    game.after(version)
    while not game.many(".die.wanted"):
        play_a_leg(game)
    version = game.version
    game.one('[data-do-page="flip"]').click()
    game.press(Keys.ENTER)
    game.after(version)
    game.one('#log-rows li[data-say="plays"]')
    game.one('[data-do-page="flip"]').click()


def test_reload_in_mid_turn_keeps_the_legs(game):
    play_a_leg(game)
    legs = counts(game)
    game.driver.refresh()
    assert game.asked() == "play"
    assert counts(game) == legs
    assert game.many('[data-do="undo-turn"]:not(:disabled)')


def test_two_windows_show_the_same_game(server, game):
    first = game.driver.current_window_handle
    game.driver.switch_to.new_window("window")
    other = Visitor(game.driver, server.address)
    other.come()
    version, second = other.version, game.driver.current_window_handle
    play_a_leg(other)
    legs = counts(other)
    game.driver.switch_to.window(first)
    game.after(version)
    assert counts(game) == legs
    game.driver.switch_to.window(second)
    game.driver.close()
    game.driver.switch_to.window(first)


def test_double_of_a_bot_stays_until_it_is_answered(server, visitor):
    server.begin("human", "easy", length=5)
    visitor.come()
    server.act("set", id=DOUBLED)
    assert visitor.wait_for("return document.body.dataset.asks === 'double'")
    visitor.driver.refresh()
    assert visitor.asked() == "double"
    assert "2" in visitor.text("#prompt")
    visitor.press("t")
    visitor.wait_for("return document.body.dataset.asks !== 'double'")
    assert server.state()["cube"]["value"] == 2


def test_own_double_is_asked_for_once_more(server, visitor):
    server.begin("human", "easy", length=5)
    visitor.come()
    server.act("set", id=SURE)
    visitor.wait_for("return document.body.dataset.asks === 'roll'")
    version = visitor.version
    visitor.press("d")
    visitor.one('[data-do="sure"]')
    visitor.press(Keys.ESCAPE)
    assert not visitor.many('[data-do="sure"]')
    assert visitor.version == version
    visitor.one(".cube.wanted").click()
    visitor.one('[data-do="sure"]').click()
    visitor.after(version)
    assert "doubles" in [entry["say"] for entry in server.state()["log"]]


def test_hint_chosen_is_drawn_with_arrows(game):
    game.press("h")
    rows = game.wait_for(
        "const rows = document.querySelectorAll('#hint button.play');"
        "return rows.length && [...rows]"
    )
    assert 2 <= len(rows) <= 5
    rows[1].click()
    arrows = game.many(".arrow")
    assert arrows
    assert all("loss-" in each.get_attribute("class") for each in arrows)


def test_rollout_is_shown_as_it_goes_and_stopped(server, visitor):
    server.begin("human", "easy", length=5)
    visitor.come()
    server.act("set", id=SURE)
    visitor.wait_for("return document.body.dataset.asks === 'roll'")
    start = visitor.text("#rollout-word")
    visitor.run("document.getElementById('trials').value = '20736'")
    visitor.press("o")
    visitor.one("#rollout-rows tbody tr")
    assert visitor.text("#rollout-word") != start
    visitor.driver.refresh()
    visitor.one("#rollout-rows tbody tr")
    assert visitor.text("#rollout-rows .faint") == "Running …"
    visitor.press("o")
    visitor.wait_for(STANDS, start)
    assert visitor.text("#rollout-rows .faint") == "Done."
    visitor.press("o")
    visitor.wait_for(f"return !(() => {{ {STANDS} }})()", start)
    server.kill()
    server.start()
    visitor.wait_for(STANDS, start)


def test_dice_are_typed_in(server, visitor):
    server.begin("human", "human", dice="manual")
    visitor.come()
    assert visitor.asked() == "opening"
    version = visitor.version
    visitor.press("m", "31", Keys.ENTER)
    visitor.after(version)
    assert server.state()["dice"] == [3, 1]


def test_tutor_shows_the_better_play_and_takes_the_bad_one_back(server, game):
    server.act("settings", tutor=0)
    before = counts(game)
    server.act("text", text=worst_hint(server))
    game.one(".die.wanted").click()
    game.wait_for("return document.body.dataset.asks === 'lesson'")
    assert len(game.many("#lesson button.play")) == 2
    assert game.many(".arrow.loss-0")
    game.press("b")
    game.wait_for("return document.body.dataset.asks === 'play'")
    assert counts(game) == before
    server.act("settings", tutor=None)


def worst_hint(server):
    """The play that a hint ranks last."""
    status, hint = server.post("hint", {"version": server.state()["version"]})
    assert status == 200, hint
    return hint["rows"][-1]["text"]


def test_position_is_set_up_on_the_board(server, visitor):
    server.begin("human", "human", length=None)
    visitor.come()
    visitor.open_dialog("position")
    visitor.one('[data-do="edit"]').click()
    visitor.one("#editor .pair:nth-of-type(2) button:nth-of-type(2)").click()
    for place, seat in (("3", 0), ("3", 0), ("5", 0), ("22", 1)):
        visitor.one(f'#editor [data-seat="{seat}"]').click()
        visitor.one(f'[data-place="{place}"]').click()
    version = visitor.version
    first, second = (Select(each) for each in visitor.many("#editor .grid .pair select"))
    first.select_by_value("")
    visitor.one('[data-do="edited"]').click()
    assert visitor.text("#message") == "Choose both dice, or none."
    second.select_by_value("")
    visitor.one('[data-do="edited"]').click()
    visitor.after(version)
    points = server.state()["points"]
    assert {place: count for place, count in enumerate(points) if count} == {3: 2, 5: 1, 22: -1}


def test_ids_are_copied_even_where_the_page_has_no_clipboard(server, visitor):
    server.begin("human", "human", length=None)
    visitor.come()
    address = server.address.rpartition(":")
    origin = f"{address[0]}:{address[2].partition('/')[0]}"
    visitor.driver.execute_cdp_cmd(
        "Browser.grantPermissions", {"origin": origin, "permissions": ["clipboardReadWrite"]}
    )
    visitor.press("c")
    state = server.state()
    visitor.wait_for("return document.getElementById('message').textContent")
    assert clipboard(visitor) == state["id"]
    visitor.run("navigator.clipboard.writeText = () => Promise.reject(new Error('not allowed'))")
    visitor.open_dialog("position")
    visitor.one('[data-copy="xgid"]').click()
    visitor.wait_for("return document.querySelector('[data-copy=xgid]').textContent === 'Copied'")
    assert clipboard(visitor) == state["xgid"]
    visitor.close_dialog()
    visitor.press("c")
    visitor.wait_for("return document.getElementById('message').textContent.includes('Copied')")
    assert clipboard(visitor) == state["id"]


def clipboard(visitor):
    """The text that was copied last."""
    return visitor.driver.execute_async_script(
        "const done = arguments[0]; navigator.clipboard.readText().then(done, String).then(done)"
    )


def test_every_language_is_shown_in_place_and_remembered(server, visitor):
    server.begin("human", "easy", seed=4, length=5)
    visitor.come()
    seen = set()
    languages = [each.get_attribute("value") for each in visitor.many("#language option")]
    assert languages == ["cs", "en", "sl"]
    for language in languages:
        Select(visitor.one("#language")).select_by_value(language)
        visitor.wait_for("return document.documentElement.lang === arguments[0]", language)
        seen.add(visitor.text("#prompt"))
    assert len(seen) == len(languages)
    visitor.driver.refresh()
    visitor.asked()
    assert visitor.run("return document.documentElement.lang") == languages[-1]


def test_page_fits_every_window_in_every_language(game):
    for language in ("en", "sl", "cs"):
        Select(game.one("#language")).select_by_value(language)
        game.wait_for("return document.documentElement.lang === arguments[0]", language)
        for width, height in ((360, 740), (1024, 768), (1366, 650), (1920, 1010)):
            game.size(width, height)
            root = game.run(
                "const {scrollWidth, clientWidth, scrollHeight} = document.documentElement;"
                "return {scrollWidth, clientWidth, scrollHeight}"
            )
            assert root["scrollWidth"] <= root["clientWidth"] <= width
            assert root["scrollHeight"] <= height or width == 360


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_no_fault(server, visitor, theme):
    server.begin("human", "easy", seed=4)
    visitor.come(theme=theme)
    visitor.asked()
    visitor.press("h")
    visitor.one("#hint button.play")
    play_a_leg(visitor)
    found = visitor.faults()
    dialogs = ("new", "settings", "help", "position", "games")
    for name in dialogs if theme == "light" else dialogs[:1]:
        visitor.open_dialog(name)
        found += visitor.faults()
        visitor.close_dialog()
    assert found == []


def test_page_is_light_and_takes_nothing_from_elsewhere(server, visitor):
    visitor.come()
    visitor.asked()
    loaded = visitor.run(
        "return performance.getEntriesByType('resource').map((each) =>"
        " [each.name, each.encodedBodySize])"
    )
    assert all(name.startswith(server.address) for name, _ in loaded)
    assert 20_000 < sum(size for _, size in loaded) < 300_000


def test_game_goes_on_when_the_server_was_killed(server, game):
    play_a_leg(game)
    legs = counts(game)
    server.kill()
    game.wait_for("return !document.getElementById('gone').hidden")
    game.run("delete document.body.dataset.version")
    server.start()
    game.wait_for("return document.body.dataset.version")
    assert game.run("return document.getElementById('gone').hidden")
    assert game.asked() == "play"
    assert counts(game) == legs
    play_a_leg(game)
