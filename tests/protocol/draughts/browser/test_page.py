"""The page in Chromium: what is seen, clicked, dragged and typed, in every language."""

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from protocol.draughts.browser.api import MAX_LISTED
from tests.language_walk import Walk, untold, wrong_plurals
from tests.protocol.draughts.browser.test_sentences import refused_sentences
from tests.protocol.draughts.browser.test_texts import TEXTS

pytestmark = pytest.mark.slow

TWO_WAYS = "W:WK25:B8,23,30,31"
"""A king that gets from 25 to 3 by two ways, and takes other pieces on each."""

FEW = {"czech": "W:W14,21,23:B10,11", "international": "W:W17,33,39:B20,23"}
"""Positions from which the first moves on the board capture, make a king and win."""

MOST = 20


def click(visitor, square):
    visitor.one(f'[data-place="{square}"] .hit').click()


@pytest.mark.parametrize("variant", FEW)
def test_game_is_played_by_clicks_to_its_end(server, visitor, variant):
    server.start_game(variant=variant, fen=FEW[variant])
    visitor.come()
    for _ in range(MOST):
        version = visitor.version
        if visitor.asked() == "next":
            break
        click(visitor, visitor.places("source")[0])
        click(visitor, visitor.places("target")[0])
        visitor.after(version)
    told = server.state()
    assert told["result"]
    assert TEXTS["en"][f"ending.{told['result']['ending']}"] in visitor.text("#prompt")
    assert len(told["line"]) > 4
    assert visitor.text("#live")


def test_whoever_goes_by_keys_alone_plays_on_from_the_board(server, visitor):
    server.start_game(black="easy")
    visitor.come()
    focused = "return document.activeElement.closest('.place')?.dataset.place"
    visitor.run("document.querySelector('.place.source').focus()")
    for _ in range(2):
        visitor.asked()
        assert visitor.wait_for(focused) in visitor.places("source")
        version = visitor.version
        visitor.press(Keys.ENTER)
        visitor.run("document.querySelector('.place.target').focus()")
        visitor.press(Keys.ENTER)
        visitor.after(version)


def test_fields_of_learning_keep_the_focus_while_others_move(server, visitor):
    server.start_game("easy", "easy")
    server.post("act", {"version": 0, "do": "pause"})
    visitor.come()
    visitor.catch_up(server)
    visitor.run("document.getElementById('learning').open = true")
    visitor.run("document.querySelector('#learning-form [name=depth]').focus()")
    version = visitor.version
    server.act("step")
    visitor.after(version)
    visitor.catch_up(server)
    assert visitor.run("return document.activeElement.name") == "depth"
    assert visitor.text("#learning-form .faint") == TEXTS["en"]["learning.text"]


def test_ways_of_a_capture_are_told_apart_by_a_square_between(server, visitor):
    server.start_game(variant="international", fen=TWO_WAYS)
    visitor.come()
    click(visitor, 25)
    click(visitor, 3)
    assert "click a square" in visitor.text("#message")
    version = visitor.version
    click(visitor, 48)
    visitor.after(version)
    assert server.state()["last"]["way"] == [48, 26, 3]


def test_move_is_shown_by_the_list_and_played_by_enter(server, visitor):
    server.start_game(variant="international", fen=TWO_WAYS)
    visitor.come()
    version = visitor.version
    visitor.one('[data-move="25x34x12x3"]').click()
    assert len(visitor.many(".arrow.pointed")) == 3
    assert len(visitor.many(".arrow ~ .mark")) == 3
    assert visitor.many(".mark ~ .arrow") == []  # which would hide a stroke of each
    visitor.press(Keys.ENTER)
    visitor.after(version)
    assert server.state()["last"]["way"] == [34, 12, 3]
    ActionChains(visitor.driver, duration=0).move_to_element(visitor.one("h1")).perform()
    visitor.one(".arrow.s0")  # the last move's, where no other is pointed at


def test_move_is_typed_with_completion_and_nonsense_is_told(server, visitor):
    server.start_game()
    visitor.come()
    visitor.press("m", "c3-e5", Keys.ENTER)
    visitor.wait_for("return document.getElementById('message').textContent.includes('c3-e5')")
    visitor.run("document.getElementById('notation').value = ''")
    version = visitor.version
    visitor.press("c3")
    visitor.one("#completions:not([hidden]) li")
    assert [each.text for each in visitor.many("#completions li")] == ["c3-b4", "c3-d4"]
    visitor.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER, Keys.ENTER)
    visitor.after(version)
    assert server.state()["line"] == [{"numbers": "22-18", "letters": "c3-d4"}]


def test_piece_is_dragged_by_a_finger_and_moved_by_keys(server, visitor):
    server.start_game()
    visitor.come()
    version = visitor.version
    piece, target = (visitor.one(f'[data-place="{at}"] .hit') for at in (22, 18))
    finger = ActionBuilder(
        visitor.driver, mouse=PointerInput(interaction.POINTER_TOUCH, "finger"), duration=0
    )
    way = finger.pointer_action.move_to(piece).pointer_down().move_by(12, 0)
    way.move_to(target).pointer_up()
    finger.perform()
    visitor.after(version)
    version = visitor.version
    visitor.run("document.querySelector('.place.source').focus()")
    visitor.press(Keys.ENTER)
    visitor.run("document.querySelector('.place.target').focus()")
    visitor.press(" ")
    visitor.after(version)
    assert len(server.state()["line"]) == 2


def test_second_finger_that_is_cancelled_leaves_the_piece_to_the_first(server, visitor):
    server.start_game()
    visitor.come()
    visitor.asked()
    piece = visitor.one('[data-place="22"] .hit')
    box = visitor.run("return arguments[0].getBoundingClientRect()", piece)
    touch = visitor.driver.execute_cdp_cmd

    def touched(kind, *steps):
        points = [{"x": box["x"] + 20 + step, "y": box["y"] + 20} for step in steps]
        touch("Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points})

    touch("Emulation.setTouchEmulationEnabled", {"enabled": True})
    touched("Start", 0)
    touched("Move", 30)
    cancel = "new PointerEvent('pointercancel', {pointerId: 4711, bubbles: true})"
    visitor.run(f"document.querySelector('.place').dispatchEvent({cancel})")
    assert len(visitor.many(".ghost")) == 1
    touched("End")
    touch("Emulation.setTouchEmulationEnabled", {"enabled": False})
    assert visitor.many(".ghost, .lifted") == []


def test_bot_answers_and_the_game_goes_on_after_a_reload_and_a_restart(server, visitor):
    server.start_game(black="easy")
    visitor.come()
    version = visitor.version
    click(visitor, 22)
    click(visitor, 18)
    visitor.after(version)
    visitor.wait_for("return document.querySelectorAll('#line-rows li').length")
    visitor.wait_for("return document.body.dataset.asks === 'move'")
    line = visitor.text("#line-rows")
    visitor.driver.refresh()
    visitor.wait_for("return document.body.dataset.version")
    assert visitor.text("#line-rows") == line
    server.kill()
    visitor.one("#gone:not([hidden])")
    server.start()
    visitor.one("#gone[hidden]")
    visitor.wait_for(
        "return Number(document.body.dataset.version) === arguments[0]", server.state()["version"]
    )
    assert visitor.asked() == "move"
    assert visitor.text("#line-rows") == line
    visitor.press("u")
    visitor.wait_for("return document.getElementById('line').hidden")


def test_new_game_of_two_bots_is_watched_paused_and_gone_on_with(server, visitor):
    visitor.come()
    server.act("settings", delay=0.2)
    visitor.open_dialog("new")
    for name, value in (("player0", "random"), ("player1", "alpha-beta"), ("origin", "ballot")):
        Select(visitor.one(f"[data-name={name}]")).select_by_value(value)
    visitor.one("[data-name=depth1]").clear()
    visitor.one("[data-name=depth1]").send_keys("2")
    visitor.one("dialog .primary").click()
    visitor.wait_for("return document.querySelector('#upper').textContent.includes('depth 2')")
    visitor.wait_for("return !document.querySelector('dialog[open]')")  # it would take the key
    visitor.one('[data-do="pause"]')
    visitor.press("p")
    visitor.wait_for("return document.body.dataset.asks === 'paused'")
    before, shown = len(server.state()["line"]), visitor.text("#line-rows")
    visitor.press(Keys.ENTER)
    visitor.wait_for(
        "return document.querySelector('#line-rows').textContent !== arguments[0]"
        " && document.body.dataset.asks === 'paused'",
        shown,
    )
    assert len(server.state()["line"]) == before + 1


def test_table_of_states_that_is_given_up_does_not_come_back(server, visitor):
    server.post("learn", {"variant": "czech", "games": 2, "depth": 1, "is_shared": True})
    visitor.come()
    visitor.wait_for("return document.querySelector('#learning-rows').dataset.running === 'false'")
    _, (table, *_) = server.post("tables", {"variant": "czech"})
    server.start_game(black=f"alpha-beta:1:{table['file']}")
    visitor.come()
    visitor.open_dialog("new")
    table = "[data-name=table1]"
    visitor.wait_for(f"return document.querySelector('{table}').value")
    Select(visitor.one(table)).select_by_value("")
    Select(visitor.one("[data-name=origin]")).select_by_value("ballot")
    visitor.wait_for("return document.querySelector('[data-name=ballot]').length > 1")
    assert visitor.one(table).get_attribute("value") == ""


def test_hint_is_shown_as_an_arrow_and_played(server, visitor):
    server.start_game()
    visitor.come()
    visitor.press("h")
    first = visitor.one("#hint-rows button.play")
    first.click()
    version = visitor.version
    assert len(visitor.many(".arrow.pointed")) == 1
    first.click()
    visitor.after(version)
    assert len(server.state()["line"]) == 1


def test_file_of_games_is_opened_and_its_game_kept(server, visitor, tmp_path):
    server.start_game()
    visitor.come()
    visitor.open_dialog("position")
    file = visitor.one("[data-name=file]")
    visitor.run("arguments[0].dispatchEvent(new Event('change'))", file)  # none was chosen
    path = tmp_path / "games.pdn"
    path.write_text(f"1. c3-b4 b6-c5 *\n{'1. c3-d4 *' * MAX_LISTED}\n")
    file.send_keys(str(path))
    first = visitor.one("dialog[data-name=games] button:not(.close)")
    assert visitor.text("dialog .faint") == "The first 500 of 501 games."
    first.click()
    visitor.one("#dialog:not([open])")
    opened = server.state()["line"]
    assert [each["letters"] for each in opened] == ["c3-b4", "b6-c5"]
    server.start_game()
    visitor.open_dialog("games")
    visitor.one("dialog[data-name=games]")
    next(each for each in visitor.many("dialog li button") if "Czech" in each.text).click()
    visitor.one("#dialog:not([open])")
    assert server.state()["line"] == opened


def test_no_state_is_shown_in_english_where_another_language_is_spoken(server, visitor, tmp_path):
    visitor.come()
    walk = Walk(visitor, TEXTS)
    visitor.run("for (const each of document.querySelectorAll('details')) each.open = true")
    server.start_game(variant="international", fen=TWO_WAYS)
    visitor.wait_for("return document.querySelector('[data-place=\"50\"]')")
    visitor.press("h")
    visitor.one("#hint-rows button.play")
    walk.look("move")
    for name in ("new", "games", "position", "settings", "help"):
        walk.look(name, lambda name=name: visitor.open_dialog(name))
    visitor.close_dialog()
    server.act("resign")
    visitor.wait_for("return document.body.dataset.asks === 'next'")
    walk.look("next")
    server.start_game("random", "random", delay=10)
    visitor.one("#line-rows li")
    server.act("pause")
    visitor.wait_for("return document.body.dataset.asks === 'paused'")
    walk.look("paused")
    assert walk.faults == {}
    assert untold(walk, sorted(set(refused_sentences(tmp_path))), TEXTS) == []
    assert wrong_plurals(visitor) == []


def test_reason_that_begins_with_a_clause_begins_with_a_capital(visitor):
    visitor.come(language="cs")
    told = visitor.driver.execute_async_script(
        "const [sentence, done] = arguments;"
        "import('./shared/texts.js').then(({reason}) => done(reason(sentence)))",
        "game 1, line 1: '}' stands outside of any word",
    )
    assert told == "Partie 1, řádek 1: „}“ stojí mimo slova."


@pytest.mark.parametrize("variant", FEW)
def test_page_fits_from_the_phone_to_the_projector(server, visitor, variant):
    server.start_game(variant=variant)
    visitor.come()
    for width, height in ((360, 740), (1280, 720), (1920, 1080)):
        visitor.size(width, height)
        wide, board = visitor.run(
            "return [document.documentElement.scrollWidth,"
            " document.querySelector('svg.board').getBoundingClientRect().width]"
        )
        assert wide <= width
        assert board > 0.85 * min(width, height)


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_axe_finds_no_fault(server, visitor, theme):
    server.start_game(variant="international", fen=TWO_WAYS)
    visitor.come(theme=theme)
    visitor.one('[data-move="25x34x12x3"]').click()
    visitor.run("for (const each of document.querySelectorAll('details')) each.open = true")
    found = visitor.faults()
    for name in ("new", "settings", "position") if theme == "light" else ():
        visitor.open_dialog(name)
        found += visitor.faults()
        visitor.close_dialog()
    assert found == []
