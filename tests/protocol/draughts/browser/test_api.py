import json
import threading
from contextlib import contextmanager

import pytest

from bot.compilation import Compilation
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH
from protocol.draughts.browser.api import MAX_LISTED, Api
from protocol.draughts.browser.preparation import Preparation
from protocol.draughts.formats.pdn import read_pdn
from protocol.draughts.table.kept_games import KeptGames
from protocol.draughts.table.table import HUMAN, Table
from protocol.thinker import StoppedError
from protocol.web import Events, RefusedError
from tests.pages import has_form
from tests.protocol.draughts.browser.test_texts import TEXTS

LIMIT = 300
"""Seconds; a first use compiles."""


class Heard(Events):
    """Events that are kept by name instead of sent."""

    def __init__(self):
        super().__init__()
        self.last = {}
        self.changed = threading.Condition()

    def send(self, name, values):
        with self.changed:
            self.last[name] = json.loads(json.dumps(values))
            self.changed.notify_all()

    def until(self, name, is_so):
        with self.changed:
            assert self.changed.wait_for(
                lambda: name in self.last and is_so(self.last[name]), LIMIT
            )
            return self.last[name]


@contextmanager
def opened(folder, players=(HUMAN, HUMAN)):
    def kept_of(variant):
        return KeptGames.load(folder / f"{variant.name}.pdn", variant)

    events = Heard()
    made = Api(Table(Position.start(CZECH), players), kept_of(CZECH), kept_of, folder, events)
    made.heard = events
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def api(tmp_path):
    with opened(tmp_path) as made:
        yield made


@pytest.fixture(scope="module")
def warm(tmp_path_factory):
    """One whose players have been loaded, for games that need not be the only ones."""
    with opened(tmp_path_factory.mktemp("warm")) as made:
        yield made


def ask(api, path, **values):
    return json.loads(json.dumps(api.answers[path](values)))


def act(api, do, **values):
    return ask(api, "act", version=api.sitting.version, do=do, **values)


def new(api, *players, variant="czech", origin="start", depths=(None, None), **more):
    wish = {"players": list(players), "depths": list(depths), "origin": origin}
    return ask(api, "new", variant=variant, **wish, **more)


def load(api, kept):
    """Go on with a game of the list of kept ones."""
    return ask(api, "load", **{name: kept[name] for name in ("variant", "n", "digest")})


def state(api):
    return api.heard.last["state"]


def texts(api):
    return [(each["numbers"], each["letters"]) for each in state(api)["moves"]]


def test_moves_are_told_in_both_notations_and_made_by_either(api):
    assert texts(api)[:2] == [("21-17", "a3-b4"), ("22-17", "c3-b4")]
    act(api, "text", text="c3-d4")
    act(api, "text", text="9-13")
    told = state(api)
    assert [each["letters"] for each in told["line"]] == ["c3-d4", "b6-a5"]
    assert told["last"] == {"from": 9, "to": 13, "way": [13], "captured": [], "seat": 1}
    assert told["turn"] == 0
    act(api, "move", n=0)
    assert len(state(api)["line"]) == 3


def test_capture_is_told_with_its_way(warm):
    new(warm, HUMAN, HUMAN, origin="fen", fen="W:Wc3:Bd4,f6,f8")
    (move,) = state(warm)["moves"]
    assert (move["letters"], move["way"], move["captured"]) == ("c3:g7", [15, 8], [11, 18])


def test_what_was_meant_for_another_state_is_refused(api):
    version = api.sitting.version
    act(api, "move", n=0)
    for path, act_of in (("act", {"do": "move", "n": 0}), ("hint", {})):
        with pytest.raises(RefusedError) as refused:
            ask(api, path, version=version, **act_of)
        assert refused.value.status == 409


def test_bot_answers_and_an_undo_goes_back_to_the_person(warm):
    new(warm, HUMAN, "random")
    act(warm, "settings", delay=0)
    act(warm, "move", n=0)
    warm.heard.until("state", lambda told: told["asks"] == "move" and len(told["line"]) == 2)
    act(warm, "undo")
    assert state(warm)["line"] == []
    assert state(warm)["players"][1]["kind"] == "random"


def test_demonstration_waits_goes_a_step_and_goes_on(warm):
    new(warm, "random", "alpha-beta:2")
    act(warm, "settings", delay=0.5)
    ask(warm, "act", version=0, do="pause")
    before = len(state(warm)["line"])
    assert state(warm)["asks"] == "paused"
    act(warm, "step")
    told = warm.heard.until("state", lambda told: told["asks"] == "paused")
    assert len(told["line"]) == before + 1
    act(warm, "settings", delay=0)
    act(warm, "go")
    told = warm.heard.until("state", lambda told: told["result"])
    assert told["asks"] == "next"
    assert told["result"]["ending"]


def test_depth_of_each_side_is_kept(api, tmp_path):
    new(api, HUMAN, "easy", depths=[None, 2])
    assert [each["depth"] for each in state(api)["players"]] == [None, 2]
    with opened(tmp_path, (HUMAN, "easy")) as other:
        assert [each["depth"] for each in state(other)["players"]] == [None, 2]
    with pytest.raises(ValueError, match="depth: 1 to 60 plies, not 0"):
        new(api, HUMAN, "easy", depths=[None, 0])
    with opened(tmp_path, (HUMAN, "random")) as other:  # which looks at nothing
        assert [each["depth"] for each in state(other)["players"]] == [None, None]


@pytest.mark.parametrize("ahead", ["W:WKa1:BKh8,Kd8", "W:Wa1:BKf8,Kd8,Kh8"])
def test_bot_that_is_not_ahead_agrees_on_a_draw(warm, ahead):
    new(warm, HUMAN, "alpha-beta:1", origin="fen", fen=ahead)
    act(warm, "draw")
    told = warm.heard.until("state", lambda told: told["asks"] != "bot")
    assert told["result"] is None
    assert told["log"][-1]["say"] == "declines"
    new(warm, HUMAN, "alpha-beta:1", origin="fen", fen="W:WKa1,Kc1:BKh6")
    act(warm, "draw")
    told = warm.heard.until("state", lambda told: told["asks"] != "bot")
    assert told["result"] == {"winner": None, "ending": "agreed", "score": "1/2-1/2"}


def test_hint_ranks_the_moves_with_value_and_depth(warm):
    new(warm, HUMAN, HUMAN)
    act(warm, "settings", advice="easy")
    hint = ask(warm, "hint", version=warm.sitting.version)
    assert len(hint["rows"]) == len(state(warm)["moves"])
    scores = [row["score"] for row in hint["rows"]]
    assert scores == sorted(scores, reverse=True)
    assert {row["depth"] for row in hint["rows"]} == {2}
    assert hint["rows"][0]["line"][0]["letters"] == hint["rows"][0]["letters"]


def test_thinking_bot_is_stopped_and_moves_at_once(api):
    new(api, HUMAN, "alpha-beta:30")
    act(api, "move", n=0)
    told = state(api)
    assert told["may"] == ["stop", "undo"]
    stops = api.sitting.player.stops
    act(api, "stop")
    assert api.sitting.player.stops == stops + 1
    api.heard.until("state", lambda told: len(told["line"]) == 2)


def test_game_is_begun_from_a_ballot_and_from_a_fen(warm):
    openings = ask(warm, "ballots", variant="international")
    assert len(openings) == 79
    new(warm, HUMAN, HUMAN, variant="international", origin="ballot", ballot=3)
    line = " ".join(each["numbers"] for each in state(warm)["line"])
    assert line == openings[3]["numbers"]
    new(warm, HUMAN, HUMAN, variant="international", origin="ballot", ballot=None)
    assert len(state(warm)["line"]) >= 2
    act(warm, "set", fen="B:W31,K32:B1,2")
    assert state(warm)["fen"] == "B:W31,K32:B1,2"
    with pytest.raises(ValueError, match="cannot read the FEN 'x'"):
        act(warm, "set", fen="x")


def test_games_of_both_kinds_are_kept_and_gone_on_with(api, tmp_path):
    act(api, "move", n=0)
    new(api, HUMAN, HUMAN, variant="international")
    act(api, "text", text="32-28")
    assert len(read_pdn(tmp_path / "international.pdn").whole) == 1
    new(api, HUMAN, HUMAN)
    (kept,) = ask(api, "games")
    assert (kept["variant"], kept["plies"], kept["score"]) == ("czech", 1, None)
    load(api, kept)
    assert [each["letters"] for each in state(api)["line"]] == ["a3-b4"]
    act(api, "move", n=0)
    assert [len(game.moves) for game in read_pdn(tmp_path / "czech.pdn", CZECH).whole] == [2]


def test_kept_demonstration_waits_until_it_is_told_to_go(api):
    new(api, "random", "random")
    ask(api, "act", version=0, do="pause")
    act(api, "step")
    api.heard.until("state", lambda told: told["asks"] == "paused" and told["line"])
    new(api, HUMAN, HUMAN)
    (kept,) = ask(api, "games")
    load(api, kept)
    assert state(api)["asks"] == "paused"


def test_kept_game_is_not_opened_by_its_number_in_another_list(api):
    for text in ("c3-d4", "c3-b4", "a3-b4"):
        act(api, "text", text=text)
        new(api, HUMAN, HUMAN)
    act(api, "text", text="e3-d4")
    first, *_ = ask(api, "games")[::-1]
    load(api, first)
    with pytest.raises(RefusedError, match="the kept games have changed since") as refused:
        load(api, first)
    assert refused.value.status == 409
    assert has_form(str(refused.value), TEXTS["en"])
    assert [each["letters"] for each in state(api)["line"]] == ["c3-d4"]
    second, *_ = ask(api, "games")[::-1]
    load(api, second)
    assert [each["letters"] for each in state(api)["line"]] == ["c3-b4"]


def test_game_of_the_terminal_comes_to_the_page_meanwhile(api, tmp_path):
    terminal = KeptGames.load(tmp_path / "czech.pdn", CZECH)
    other = Table(Position.start(CZECH))
    other.play(other.game.moves[3])
    terminal.keep(other)
    act(api, "move", n=0)
    assert [each["plies"] for each in ask(api, "games")] == [1]
    assert len(read_pdn(tmp_path / "czech.pdn", CZECH).whole) == 2


def test_all_kept_games_are_listed(api, tmp_path):
    (tmp_path / "czech.pdn").write_text("1. c3-d4 *\n" * (MAX_LISTED + 1))
    assert len(ask(api, "games")) == MAX_LISTED + 1


def test_move_that_is_made_while_a_game_is_loaded_leaves_one_of_each(api, monkeypatch):
    for moves in ("c3-d4", "c3-b4"):
        new(api, HUMAN, HUMAN)
        act(api, "text", text=moves)
    sitting, sit_at = api.sitting, api._sit_at

    def sit_late(*table, **more):
        version, move = sitting.version, sitting.table.game.moves[0]
        bot = threading.Thread(
            target=sitting._conclude, args=(version, lambda: sitting._move(move))
        )
        bot.start()
        bot.join(0.1)
        sit_at(*table, **more)

    monkeypatch.setattr(api, "_sit_at", sit_late)
    (game,) = ask(api, "games")
    load(api, game)
    assert [each["plies"] for each in ask(api, "games")] == [1]
    assert state(api)["line"][0]["letters"] == "c3-d4"


def test_pdn_is_saved_and_opened(api):
    act(api, "text", text="c3-d4")
    media_type, content = api.exported("game.pdn")
    assert "pdn" in media_type
    new(api, HUMAN, "random", variant="international")
    ask(api, "pdn", text=content.decode())
    assert (state(api)["variant"], len(state(api)["line"])) == ("czech", 1)
    assert all(each["is_person"] for each in state(api)["players"])
    two = (
        content.decode()
        + '\n[White "a"]\n[Black "hub:b"]\n[GameType "20"]\n\n1. 32-28 18-23 99-1 *\n'
    )
    games = ask(api, "pdn", text=two)["games"]
    assert [(each["players"], each["plies"]) for each in games] == [
        ([HUMAN, HUMAN], 1),
        (["a", "hub:b"], 2),
    ]
    assert "game 2, line" in ask(api, "pdn", text=two, n=1)["fault"]
    assert state(api)["variant"] == "international"
    moves = "46-41 1-7 41-46 7-1 " * 3
    drawn = f'[FEN "W:WK46,45,40:BK1,26,31"]\n[GameType "20"]\n\n{moves}2-0\n'
    left_out = "what follows the end of the game is left out: the same position for the third time"
    assert ask(api, "pdn", text=drawn)["fault"] == left_out
    assert len(state(api)["line"]) == 8
    with pytest.raises(ValueError, match="there is no game of draughts in it"):
        ask(api, "pdn", text="")
    with pytest.raises(ValueError, match=r"a game is exported as \.pdn"):
        api.exported("game.exe")


def test_fault_that_is_told_is_of_the_game_that_was_opened(api):
    russian = '[GameType "25"]\n\n1. c3-d4 *\n\n'
    whole, broken = (f'[GameType "20"]\n\n1. 32-28 18-23 {end}*\n\n' for end in ("", "99-1 "))
    assert ask(api, "pdn", text=russian + whole)["fault"] is None
    games = russian + broken + whole
    assert "game 2, line" in ask(api, "pdn", text=games, n=0)["fault"]
    assert ask(api, "pdn", text=games, n=1)["fault"] is None


def test_table_of_states_learns_stops_goes_on_and_is_played_with(warm):
    ask(warm, "learn", variant="czech", games=100_000, depth=1, is_shared=True)
    with pytest.raises(ValueError, match="a run is under way"):
        ask(warm, "learn", variant="czech", games=3, depth=1, is_shared=True)
    told = warm.heard.until("learning", lambda told: told["games"] > 2 or not told["running"])
    assert told["running"], told
    assert told["states"] > 10
    ask(warm, "learn/stop")
    told = warm.heard.until("learning", lambda told: not told["running"])
    assert told["failed"] is None
    played = told["games"]
    ask(warm, "learn", variant="czech", games=played + 1, depth=1, is_shared=True)
    told = warm.heard.until("learning", lambda told: told["games"] == played + 1)
    told = warm.heard.until("learning", lambda told: not told["running"])
    assert told["failed"] is None
    (table,) = ask(warm, "tables", variant="czech")
    assert table["name"] == "czech-1/states.npz"
    new(warm, HUMAN, f"alpha-beta:2:{table['file']}")
    act(warm, "move", n=0)
    told = warm.heard.until("state", lambda told: len(told["line"]) == 2)
    assert told["players"][1]["table"] == "states.npz"
    with pytest.raises(ValueError, match="is of czech draughts, not international"):
        new(warm, HUMAN, f"alpha-beta:2:{table['file']}", variant="international")


def test_compilation_at_a_first_start_is_told_while_it_lasts(monkeypatch):
    told = []
    monkeypatch.setattr(Compilation, "missing", lambda self, names: ["search"])
    monkeypatch.setattr(
        Compilation, "compile", lambda self, names, report: report(1.0, 7.4, ["search"])
    )
    Preparation(told.append).need_kernels("search")
    assert [(each["what"], each["left"]) for each in told] == [
        ("", None),
        ("compiling", 7),
        ("", None),
    ]


def test_compilation_is_broken_off_when_the_page_is_closed(monkeypatch):
    told = []
    preparation = Preparation(told.append)

    def compile_for_ever(_, names, report):
        preparation.close()
        report(1.0, 7.4, names)
        pytest.fail("compilation goes on")

    monkeypatch.setattr(Compilation, "missing", lambda _, names: ["search"])
    monkeypatch.setattr(Compilation, "compile", compile_for_ever)
    with pytest.raises(StoppedError):
        preparation.need_kernels("search")
    assert [each["what"] for each in told] == ["", ""]


def test_no_program_is_started(api, tmp_path):
    mark = tmp_path / "started"
    with pytest.raises(ValueError, match="a page starts no programs"):
        new(api, HUMAN, f"hub:touch {mark}")
    table = Table(Position.start(CZECH), (HUMAN, f"hub:touch {mark}"))
    table.play(table.game.moves[0])
    KeptGames.load(tmp_path / "czech.pdn", CZECH).keep(table)
    (kept,) = ask(api, "games")
    load(api, kept)
    assert state(api)["players"][1]["name"] == HUMAN
    assert not mark.exists()
