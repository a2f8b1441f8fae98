"""The page in every language: whatever it shows and says, in any state, is not English."""

import pytest
from selenium.webdriver.common.keys import Keys

from tests.language_walk import Walk, untold, wrong_plurals
from tests.protocol.backgammon.browser.test_page import DOUBLED, SURE, play_a_leg
from tests.protocol.backgammon.browser.test_sentences import refused_sentences
from tests.protocol.backgammon.browser.test_texts import TEXTS

pytestmark = pytest.mark.slow


@pytest.fixture
def walk(visitor):
    visitor.come()
    return Walk(visitor, TEXTS)


def test_no_state_of_a_game_is_shown_in_english(server, walk):
    visitor = walk.visitor
    visitor.run("document.getElementById('text-board').open = true")
    server.begin("human", "human", dice="manual", length=None, beavers=True, jacoby=True)
    visitor.wait_for("return document.body.dataset.asks === 'opening'")
    walk.look("opening", lambda: type_in(visitor, "77"))
    server.act("dice", dice=[3, 1])
    visitor.wait_for("return document.body.dataset.asks === 'play'")
    visitor.top_of("8").click()
    walk.look("play", lambda: type_in(visitor, "24/off"))
    server.act("text", text="8/5 6/5")
    visitor.one(".die.wanted")
    walk.look("confirm")
    server.act("confirm")
    visitor.wait_for("return document.body.dataset.asks === 'roll'")
    visitor.press("d")
    walk.look("sure")
    visitor.press(Keys.ENTER)
    visitor.wait_for("return document.body.dataset.asks === 'double'")
    walk.look("double")
    server.act("beaver")
    visitor.wait_for("return document.getElementById('live').textContent.length")
    walk.look("beaver")
    server.act("take")
    server.act("dice", dice=[2, 1])
    server.act("resign", points=2)
    visitor.wait_for("return document.body.dataset.asks === 'resignation'")
    walk.look("resignation")
    server.act("accept")
    visitor.wait_for("return document.body.dataset.asks === 'next'")
    walk.look("next")
    assert walk.faults == {}


def type_in(visitor, text):
    """Enter a text that is refused, and wait for the reason."""
    visitor.run("document.getElementById('message').textContent = ''")
    visitor.run(
        "const box = document.getElementById('notation'); box.value = arguments[0];"
        "document.getElementById('typed').requestSubmit()",
        text,
    )
    visitor.wait_for("return document.getElementById('message').textContent")


def test_no_analysis_is_shown_in_english(server, walk):
    visitor = walk.visitor
    server.begin("human", "easy", seed=4, length=1)
    server.act("settings", tutor=0)
    visitor.wait_for("return document.body.dataset.asks === 'play'")
    visitor.press("h")
    visitor.one("#hint button.play")
    walk.look("hint")
    status, hint = server.post("hint", {"version": server.state()["version"]})
    assert status == 200, hint
    server.act("text", text=hint["rows"][-1]["text"])
    server.act("confirm")
    visitor.wait_for("return document.body.dataset.asks === 'lesson'")
    walk.look("lesson")
    server.act("keep")
    server.act("settings", tutor=0.5)
    visitor.wait_for("return ['roll', 'play'].includes(document.body.dataset.asks)")
    server.act("resign", points=1)
    visitor.wait_for("return !document.getElementById('summary').hidden")
    walk.look("summary")
    server.begin("human", "easy", length=None)
    server.act("set", id=SURE.replace(":5:10", ":0:10"))
    visitor.wait_for("return document.body.dataset.asks === 'roll'")
    visitor.run("document.getElementById('trials').value = '324'")
    visitor.press("h")
    visitor.one("#hint-rows table")
    visitor.press("o")
    visitor.wait_for("return document.querySelectorAll('#rollout-rows tbody tr').length > 1")
    walk.look("cube hint and rollout")
    server.post("rollout/stop")
    server.act("settings", tutor=0)
    server.act("set", id=DOUBLED)
    server.act("drop")
    visitor.wait_for("return document.body.dataset.asks === 'lesson'")
    walk.look("cube lesson")
    assert walk.faults == {}


def test_no_dialog_is_shown_in_english(server, walk):
    visitor = walk.visitor
    server.begin("human", "human", seed=4, length=3)
    visitor.catch_up(server)
    play_a_leg(visitor)
    server.break_a_kept_game()
    for name in ("new", "games", "position", "settings", "help"):
        walk.look(name, lambda name=name: visitor.open_dialog(name))
    visitor.run("document.getElementById('dialog').close()")
    visitor.press("r")
    visitor.one("dialog[data-name=resign]")
    walk.look(
        "resign",
        lambda: visitor.run("document.getElementById('dialog').close()") or visitor.press("r"),
    )
    visitor.run("document.getElementById('dialog').close()")
    walk.look("editor", lambda: open_editor(visitor))
    visitor.run("document.getElementById('message').hidden = true")
    walk.look("editor left open")
    assert walk.faults == {}


def open_editor(visitor):
    """Set up an empty board and be refused."""
    for each in visitor.many('[data-do="cancel-edit"]'):
        visitor.run("arguments[0].click()", each)
    visitor.open_dialog("position")
    visitor.one('[data-do="edit"]').click()
    visitor.one("#editor .pair:nth-of-type(2) button:nth-of-type(2)").click()
    visitor.run("document.getElementById('message').textContent = ''")
    visitor.one('[data-do="edited"]').click()
    visitor.wait_for("return document.getElementById('message').textContent")


def test_no_reason_of_the_server_is_told_in_english(walk, tmp_path):
    assert untold(walk, sorted(set(refused_sentences(tmp_path))), TEXTS) == []


def test_every_reason_stands_alone_as_a_sentence(walk):
    for language in TEXTS:
        walk.speak(language)
        told = walk.visitor.driver.execute_async_script(
            "const [sentences, done] = arguments;"
            "import('./shared/texts.js').then(({reason}) => done(sentences.map(reason)))",
            [
                "the game is over",
                "a .mat file has no room for a position or a cube set up by hand",
                "bar/22: you have no checker on point 5",
                "not known: why?",
                "cannot read 'x' in the play '8/5 x'",
            ],
        )
        assert all(text[0].isupper() for text in told[:2])
        assert told[2].startswith("bar/22: ")
        assert all(text.endswith((".", "?")) and not text.endswith("..") for text in told)
        assert {"en": "'x'", "cs": "„x“", "sl": "»x«"}[language] in told[4]


@pytest.mark.parametrize(("wished", "spoken"), [("sl-SI", "sl"), ("de,cs-CZ", "cs"), ("de", "en")])
def test_first_language_wished_for_by_the_browser_that_there_is_is_spoken(visitor, wished, spoken):
    agent = {"userAgent": visitor.run("return navigator.userAgent")}
    override = "Emulation.setUserAgentOverride"
    visitor.driver.execute_cdp_cmd(override, {**agent, "acceptLanguage": wished})
    try:
        visitor.come(language=None)
        assert visitor.run("return document.documentElement.lang") == spoken
        assert visitor.text('[data-t="menu.help"]') == TEXTS[spoken]["menu.help"]
    finally:
        visitor.driver.execute_cdp_cmd(override, {**agent, "acceptLanguage": "en-US"})


def test_plurals_have_all_forms_of_their_language(visitor):
    visitor.come()
    assert wrong_plurals(visitor) == []


def test_notation_is_typed_in_the_words_of_the_reader(server, visitor):
    server.begin("human", "human", length=None)
    server.act("settings", auto=False)
    server.act("set", id=SURE.replace(":00:0:0:0:5:10", ":21:0:0:0:0:10"))
    visitor.come(language="sl")
    assert visitor.asked() == "play"
    version = visitor.version
    visitor.press("m", "2/v")
    visitor.one("#completions:not([hidden]) li")
    offered = [each.text for each in visitor.many("#completions li")]
    assert "2/ven 1/ven" in offered
    assert not [line for line in offered if "off" in line]
    visitor.press("en 1/ven", Keys.ENTER)
    visitor.after(version)
    assert server.state()["is_complete"]


HELD_BACK = """
const fetched = window.fetch;
window.fetch = async (...words) => {
  const isHeld = String(words[0]).endsWith('sl.json');
  if (isHeld) await new Promise((letGo) => { window.letGo = letGo; });
  const answer = await fetched(...words);
  const json = answer.json.bind(answer);
  if (isHeld) answer.json = async () => {
    const texts = await json();
    setTimeout(() => { window.cameLate = true; });
    return texts;
  };
  return answer;
};
const box = document.getElementById('language');
for (const language of ['sl', 'cs']) {
  box.value = language;
  box.dispatchEvent(new Event('change'));
}
"""
"""Chooses Slovene, whose texts are held back until letGo is called, and then Czech."""


def test_language_chosen_last_is_spoken_whichever_texts_come_first(visitor):
    visitor.come()
    visitor.run(HELD_BACK)
    visitor.wait_for("return document.documentElement.lang === 'cs'")
    visitor.run("window.letGo()")
    visitor.wait_for("return window.cameLate")
    assert visitor.run("return document.documentElement.lang") == "cs"
    assert visitor.text('[data-t="menu.help"]') == TEXTS["cs"]["menu.help"]
