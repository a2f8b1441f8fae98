"""The texts of the page: the same in every language, and all that are asked for."""

import inspect
import json
import re
from pathlib import Path

import pytest

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.engine.level import LEVELS
from bot.backgammon.engine.match_statistics import RATINGS, WORST_RATING, Skill
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer, ProperAction
from bot.backgammon.rules.game import ResignationAnswer
from protocol.backgammon.browser import api, sitting
from protocol.backgammon.formats.analysis_lines import mark_text
from protocol.backgammon.table.table import HUMAN

PAGE = Path(api.__file__).parent / "page"
TEXTS = {path.stem: json.loads(path.read_text("utf-8")) for path in (PAGE / "texts").glob("*.json")}
MAX_BYTES = 300_000


def placeholders(text):
    """The names of the values in a text, in any of its forms."""
    forms = text.values() if isinstance(text, dict) else [text]
    return set(re.findall(r"\{(\w+)\}", " ".join(forms)))


@pytest.mark.parametrize("language", TEXTS)
def test_every_language_has_the_same_texts_with_the_same_values(language):
    texts, english = TEXTS[language], TEXTS["en"]
    assert set(texts) == set(english)
    for key, text in english.items():
        own, all_values = placeholders(texts[key]), placeholders(text)
        is_sentence_of_the_server = key.startswith("error.")  # which may tell less
        assert own <= all_values if is_sentence_of_the_server else own == all_values, key


@pytest.mark.parametrize("language", TEXTS)
def test_no_text_is_empty_and_plurals_are_plurals_everywhere(language):
    for key, text in TEXTS[language].items():
        assert text, key
        assert isinstance(text, dict) == isinstance(TEXTS["en"][key], dict), key


def test_every_text_that_the_page_asks_for_is_there():
    asked = set()
    for path in [*PAGE.glob("*.js"), PAGE / "index.html"]:
        content = path.read_text("utf-8")
        asked |= set(re.findall(r"""\bt\("([\w.-]+)"|data-(?:t|label)="([\w.-]+)\"""", content))
    keys = {first or second for first, second in asked}
    assert len(keys) > 80
    assert keys - set(TEXTS["en"]) == set()


def words_of_the_server():
    """The keys for all that the server may say in a word."""
    source = inspect.getsource(sitting)
    says = {
        *re.findall(r'_note\("(\w+)"', source),
        *re.findall(r'^    \S+: "(\w+s)",', source, re.M),
    }
    assert {"rolls", "beavers", "new_game", "undone"} <= says
    yield from (f"log.{word}" for word in says)
    asks = {"opening", "dice", "double", "resignation", "roll", "play", "bot", "lesson"}
    yield from (f"ask.{word}" for word in asks)
    yield from (f"kind.{kind}" for kind in range(4))
    yield from (f"level.{name}" for name in (*LEVELS, *BASELINES))
    yield from (f"mark.{mark_text(mark).replace(' ', '_')}" for mark in Skill if mark.value)
    ratings = [word for _, word in RATINGS] + [WORST_RATING, "n/a"]
    yield from (f"rating.{key(word)}" for word in ratings)
    proper = [key(action.value).replace("_to_double", "") for action in ProperAction]
    yield from (f"action.{word.replace('optional_double', 'optional')}" for word in proper)
    answers = [*CubeAction, *DoubleAnswer, *ResignationAnswer]
    yield from (f"action.{answer.value}" for answer in answers)
    acts = re.findall(r'"([a-z-]+)"', inspect.getsource(sitting.Sitting.may.fget))
    yield from (
        f"do.{act}" for act in acts if act not in {"move", "text", "dice", *asks} or act == "roll"
    )


def key(word):
    """A word of the server as the page makes a key of it."""
    return re.sub("[^a-z]+", "_", word.lower()).rstrip("_")


def test_every_word_of_the_server_has_a_text():
    keys = set(words_of_the_server())
    assert len(keys) > 70
    assert keys - set(TEXTS["en"]) == set()


def test_every_text_is_asked_for():
    code = "".join(path.read_text("utf-8") for path in [*PAGE.glob("*.js"), PAGE / "index.html"])
    made = "|".join(
        re.escape(start) for start in set(re.findall(r"`([a-z_]+\.)(?:\w+\.)?\$", code))
    )
    made += "|" + "|".join(re.escape(start) for start in re.findall(r'\("([a-z]+\.)",', code))
    server = set(words_of_the_server())
    for name in TEXTS["en"]:
        plain = name.removesuffix("_you")
        is_made = re.match(rf"error\.|\w+\.title|{made}", plain) or plain in server
        assert is_made or f'"{plain}"' in code or f'"{name}"' in code, name


def test_page_is_light():
    assert sum(path.stat().st_size for path in PAGE.rglob("*") if path.is_file()) < MAX_BYTES


def test_page_has_no_address_of_another_site():
    for path in PAGE.rglob("*"):
        if path.suffix in {".js", ".css", ".html"}:
            found = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8")))
            assert found <= {"http://www.w3.org/2000/svg"}, path.name


def test_every_level_and_baseline_can_be_chosen():
    offered = re.search(r"PLAYERS = (\[.*?\])", (PAGE / "dialogs.js").read_text("utf-8"))
    assert set(json.loads(offered[1])) == {HUMAN, *LEVELS, *BASELINES}
