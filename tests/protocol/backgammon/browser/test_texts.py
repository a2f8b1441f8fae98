"""The texts of the page: the same in every language, and all that are asked for."""

import json
import re
from pathlib import Path

import pytest

from protocol.backgammon.browser import api

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
    differing = [key for key in english if placeholders(texts[key]) != placeholders(english[key])]
    assert differing == []


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


def test_page_is_light():
    assert sum(path.stat().st_size for path in PAGE.rglob("*") if path.is_file()) < MAX_BYTES


def test_page_has_no_address_of_another_site():
    for path in PAGE.rglob("*"):
        if path.suffix in {".js", ".css", ".html"}:
            found = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8")))
            assert found <= {"http://www.w3.org/2000/svg"}, path.name
