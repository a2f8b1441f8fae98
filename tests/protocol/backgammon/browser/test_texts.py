"""The texts of the page: all that the server may say, and nothing that nobody asks for."""

import inspect
import json
import re

from bot.backgammon.arena.baselines import BASELINES
from bot.backgammon.engine.level import LEVELS
from bot.backgammon.engine.match_statistics import RATINGS, WORST_RATING, Skill
from bot.backgammon.rules.decision import CubeAction, DoubleAnswer, ProperAction
from bot.backgammon.rules.game import ResignationAnswer
from bot.backgammon.rules.match import MAX_CUBE
from bot.seed import MAX_SEED
from protocol import web
from protocol.backgammon.browser import sitting
from protocol.backgammon.formats.analysis_lines import mark_text
from protocol.backgammon.table.table import HUMAN
from tests.pages import FOLDERS, code, texts, unasked

GAME = "backgammon"
PAGE = FOLDERS[GAME]
TEXTS = texts(GAME)


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
    yield from (f"kind.{kind}" for kind in (1, 2, 3))
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
    own = json.loads((PAGE / "texts" / "en.json").read_text("utf-8"))
    assert unasked(own, code(PAGE) + code(web.PAGE), set(words_of_the_server())) == set()


def test_every_level_and_baseline_can_be_chosen():
    offered = re.search(r"PLAYERS = (\[.*?\])", (PAGE / "dialogs.js").read_text("utf-8"))
    assert set(json.loads(offered[1])) == {HUMAN, *LEVELS, *BASELINES}


def test_every_cube_can_be_set_up():
    powers = re.search(r"CUBES = Array.from\(\{ length: (\d+) \}", (PAGE / "editor.js").read_text())
    assert int(powers[1]) == MAX_CUBE.bit_length()


def test_every_seed_and_no_other_can_be_given():
    most = re.findall(r'max: "(\d+)"', (PAGE / "dialogs.js").read_text("utf-8"))
    assert most == [f"{MAX_SEED}"]
