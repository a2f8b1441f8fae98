"""The texts of the page: all that the server may say, and nothing that nobody asks for."""

import inspect
import json
import re

from bot.draughts.engine.alpha_beta import MAX_DEPTH
from bot.draughts.engine.level import LEVELS
from bot.draughts.rules.game import Ending
from bot.draughts.rules.variant import VARIANTS
from protocol import web
from protocol.draughts.arena.named_players import ALPHA_BETA, MINIMAX, RANDOM
from protocol.draughts.browser import preparation, sitting
from protocol.draughts.table.table import HUMAN
from tests.pages import FOLDERS, code, texts, unasked

GAME = "draughts"
PAGE = FOLDERS[GAME]
TEXTS = texts(GAME)


def words_of_the_server():
    """The keys for all that the server may say in a word."""
    source = inspect.getsource(sitting)
    says = set(re.findall(r'_note\("(\w+)"', source))
    assert {"moves", "declines", "new_game", "undone", "wins"} <= says
    yield from (f"log.{word}" for word in says)
    asks = set(re.findall(r'"(\w+)"', inspect.getsource(sitting.Sitting.asks.fget)))
    assert {"move", "bot", "paused", "next"} <= asks
    yield from (f"ask.{word}" for word in asks)
    acts = set(re.findall(r'"([a-z-]+)"', inspect.getsource(sitting.Sitting.may.fget)))
    yield from (f"do.{act}" for act in acts - asks - {"text"})
    endings = (ending.name.lower() for ending in Ending if ending is not Ending.FORFEITED)
    yield from (f"ending.{name}" for name in endings)  # nobody forfeits a game at a page
    yield from (f"level.{name}" for name in (*LEVELS, ALPHA_BETA, MINIMAX, RANDOM))
    yield from (f"variant.{name}" for name in VARIANTS)
    whats = set(re.findall(r'"what": "(\w+)"', inspect.getsource(preparation)))
    yield from (f"preparing.{what}" for what in whats)
    yield from (f"{name}{seat}" for name in ("side.", "piece.man", "piece.king") for seat in (0, 1))


def test_every_word_of_the_server_has_a_text():
    keys = set(words_of_the_server())
    assert len(keys) > 40
    assert keys - set(TEXTS["en"]) == set()


def test_every_text_is_asked_for():
    own = json.loads((PAGE / "texts" / "en.json").read_text("utf-8"))
    assert unasked(own, code(PAGE) + code(web.PAGE), set(words_of_the_server())) == set()


def test_every_shared_text_is_asked_for_by_a_page():
    shared = json.loads((web.PAGE / "texts" / "en.json").read_text("utf-8"))
    content = "".join(code(folder) for folder in (web.PAGE, *FOLDERS.values()))
    words = set(words_of_the_server()) | {"log.new_game", "log.undone", "do.stop"}
    assert unasked(shared, content, words) == set()


def test_every_player_can_be_chosen():
    dialogs = (PAGE / "dialogs.js").read_text("utf-8")
    offered = set()
    for name in ("LEVELS", "SEARCHERS"):
        offered |= set(json.loads(re.search(rf"{name} = (\[.*?\])", dialogs)[1]))
    assert offered == {*LEVELS, ALPHA_BETA, MINIMAX}
    assert f'PLAYERS = ["{HUMAN}", ...LEVELS, ...SEARCHERS, "{RANDOM}"]' in dialogs


def test_every_depth_and_no_other_can_be_given():
    most = re.findall(r'max: "(\d+)"', (PAGE / "dialogs.js").read_text("utf-8"))
    assert most == [f"{MAX_DEPTH}"]
