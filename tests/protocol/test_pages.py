"""The pages of all games: the same texts in every language, light, and nothing from elsewhere."""

import json
import re

import pytest

from protocol.web import PAGE
from tests.pages import FOLDERS, LANGUAGES, asked, code, texts

MAX_BYTES = 300_000
THEMES = (None, "dark", "contrast")
OTHERS = [language for language in LANGUAGES if language != "en"]


def placeholders(text):
    """The names of the values in a text, in any of its forms."""
    forms = text.values() if isinstance(text, dict) else [text]
    return set(re.findall(r"\{(\w+)\}", " ".join(forms)))


@pytest.mark.parametrize("folder", [PAGE, *FOLDERS.values()], ids=lambda path: path.parts[-3])
def test_every_language_has_the_same_texts_with_the_same_values(folder):
    paths = sorted((folder / "texts").iterdir())
    assert [path.stem for path in paths] == sorted(LANGUAGES)
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in paths}
    for language in OTHERS:
        assert list(found[language]) == list(found["en"])
        for key, text in found["en"].items():
            own, all_values = placeholders(found[language][key]), placeholders(text)
            is_sentence_of_the_server = key.startswith("error.")  # which may tell less
            assert own <= all_values if is_sentence_of_the_server else own == all_values, key
            assert isinstance(found[language][key], dict) == isinstance(text, dict), key
    assert all(text for each in found.values() for text in each.values())


@pytest.mark.parametrize("game", FOLDERS)
def test_no_text_of_a_game_stands_in_for_a_shared_one(game):
    shared = json.loads((PAGE / "texts" / "en.json").read_text("utf-8"))
    own = json.loads((FOLDERS[game] / "texts" / "en.json").read_text("utf-8"))
    assert own.keys() & shared.keys() == set()


@pytest.mark.parametrize("game", FOLDERS)
def test_every_text_that_a_page_asks_for_is_there(game):
    assert len(asked(game)) > 60
    assert asked(game) - set(texts(game)["en"]) == set()


@pytest.mark.parametrize("game", FOLDERS)
def test_every_file_that_a_page_imports_is_there(game):
    folder = FOLDERS[game]
    imported = set(re.findall(r'(?:from|src=|href=) ?"(?:\./)?([\w./]+\.\w+)"', code(folder)))
    assert {"shared/server.js", "shared/style.css", "app.js"} <= imported
    for name in imported:
        shared = name.removeprefix("shared/")
        assert (PAGE / shared if shared != name else folder / name).exists(), name


@pytest.mark.parametrize("game", FOLDERS)
def test_page_is_light(game):
    files = [*FOLDERS[game].rglob("*"), *PAGE.rglob("*")]
    assert sum(path.stat().st_size for path in files if path.is_file()) < MAX_BYTES


@pytest.mark.parametrize("folder", [PAGE, *FOLDERS.values()], ids=lambda path: path.parts[-3])
def test_page_has_no_address_of_another_site(folder):
    for path in folder.rglob("*"):
        if path.suffix in {".js", ".css", ".html"}:
            found = set(re.findall(r"https?://[^\s\"'`)]+", path.read_text("utf-8")))
            assert found <= {"http://www.w3.org/2000/svg"}, path.name


def colours(theme, *folders):
    """The colours of pages in a theme, by name; None is that of all without one."""
    known = {}
    for of in dict.fromkeys((None, theme)):
        named = "" if of is None else rf'\[data-theme="{of}"\]'
        for path in (PAGE / "style.css", *(folder / "board.css" for folder in folders)):
            for block in re.findall(rf":root{named} {{([^}}]*)}}", path.read_text("utf-8")):
                known |= re.findall(r"--([\w-]+): #(\w+);", block)
    return known


def luminance(colour):
    """The relative luminance of a colour as WCAG 2 defines it."""
    digits = colour if len(colour) == 6 else "".join(2 * each for each in colour)
    parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
    linear = [
        each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts
    ]
    return sum(part * each for part, each in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one, other):
    """The contrast of two colours as WCAG 2 defines it."""
    high, low = sorted(map(luminance, (one, other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize(
    ("name", "least"), [("edge", 3), ("focus", 3), ("ink", 4.5), ("faint", 4.5), ("accent", 4.5)]
)
def test_what_is_read_and_used_stands_out_from_what_is_behind(theme, name, least):
    known = colours(theme)
    for ground in ("ground", "card"):
        assert contrast(known[name], known[ground]) >= least, ground


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["source", "pointed"])
def test_squares_of_pieces_that_may_move_stand_out(theme, name):
    known = colours(theme, FOLDERS["draughts"])
    assert contrast(known[name], known["dark"]) >= 3


def test_whatever_is_typed_in_or_clicked_has_an_edge_that_is_seen():
    style = (PAGE / "style.css").read_text("utf-8")
    for selector in ("button, select", 'input[type="text"], input[type="number"]'):
        _, _, rest = style.partition(f"\n{selector} {{")
        assert "border: 1px solid var(--edge)" in rest.partition("}")[0]
