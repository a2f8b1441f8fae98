import threading
from pathlib import Path

import pytest

from bot.draughts.rules.decision import Clock, Found, Limits
from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.adapters.hub_engine import MAX_HUB_LINE, HubEngine
from protocol.draughts.adapters.hub_parameter import HubParameter
from protocol.draughts.formats.fen import fen_text, parse_fen
from protocol.draughts.formats.hub_position import hub_position_text, parse_hub_position
from protocol.wire import Goodbye
from tests.fakes.draughts_player import Broken, FirstMove

TRANSCRIPT = Path(__file__).parents[3] / "transcripts" / "hub_session.txt"
IDENTITY = {
    "name": "Blot",
    "version": "1.0",
    "author": "The Blot developers",
    "country": "CZ",
}
START = hub_position_text(Position.start(INTERNATIONAL))
THREADS = HubParameter("threads", "1", "int", least=1, most=16)


class Talk:
    """A conversation with an engine; searches run when told to if is_beside, else at once."""

    def __init__(self, player=None, is_beside=False):
        self.player = player or FirstMove()
        self.made = []
        self.answers = []
        self.searches = []
        self.timers = []
        beside = {"begin": self.searches.append} if is_beside else {}
        self.engine = HubEngine(
            self.make,
            self.answers.append,
            parameters=[THREADS],
            identity=IDENTITY,
            later=lambda seconds, act: self.timers.append((seconds, act)),
            **beside,
        )

    def make(self, values):
        self.made.append(values)
        if values["threads"] == "13":
            raise ValueError("13 threads bring no luck")
        return self.player

    def __call__(self, *lines):
        """What is answered to the lines, but for the info."""
        self.answers.clear()
        for line in lines:
            self.engine.receive(line)
        return [line for line in self.answers if not line.startswith("info ")]

    def finish(self):
        """Run the search that was begun; what is answered."""
        self.answers.clear()
        self.searches.pop()()
        return [line for line in self.answers if not line.startswith("info ")]

    @property
    def position(self):
        """The position last searched, as FEN."""
        return fen_text(self.player.asked[-1][0].position)

    @property
    def limits(self):
        return self.player.asked[-1][1]


@pytest.fixture
def talk():
    return Talk()


def test_a_session_is_answered_as_the_transcript_tells():
    talk = Talk()
    wanted = TRANSCRIPT.read_text(encoding="utf-8").splitlines()
    held = []
    for line in wanted:
        if line.startswith("> "):
            held.append(line)
            talk.answers.clear()
            if line == "> quit":
                with pytest.raises(Goodbye):
                    talk(line[2:])
            else:
                talk(line[2:])
            held += [f"< {answer}" for answer in talk.answers]
    assert held == wanted


def test_the_player_is_made_at_init_and_anew_after_a_change(talk):
    talk("hub", "set-param name=threads value=3", "init", "init", "go think")
    assert [values["threads"] for values in talk.made] == ["3"]
    talk("set-param name=threads value=4", "go think", "new-game", "go think")
    assert [values["threads"] for values in talk.made] == ["3", "4", "4"]


@pytest.mark.parametrize(
    ("level", "limits"),
    [
        ("level depth=3", Limits(depth=3)),
        ("level depth=1", Limits(depth=1)),
        ("level nodes=500", Limits(nodes=500)),
        ("level move-time=0.5", Limits(seconds=0.5)),
        ("level move-time=0.012345678901234568", Limits(seconds=0.012345678901234568)),
        ("level time=60", Limits(clock=Clock(60.0))),
        ("level time=60 inc=2.5", Limits(clock=Clock(60.0, 2.5))),
        ("level time=60 inc=0", Limits(clock=Clock(60.0, 0.0))),
        ("level moves=9 time=60", Limits(clock=Clock(60.0, 0.0, 9))),
        ("level time=-1", Limits(clock=Clock(-1.0))),
        ("level infinite", Limits(is_infinite=True)),
        ("level depth=3 move-time=2", Limits(depth=3, seconds=2.0)),
        ("level", Limits()),
        ("", Limits()),
    ],
)
def test_levels_are_limits_of_the_search(talk, level, limits):
    assert talk(level, "go think") == ["done move=31-26 ponder=16-21"]
    assert talk.limits == limits


def test_an_analysis_without_a_level_is_infinite(talk):
    talk("go analyze")
    assert talk.limits == Limits(is_infinite=True)


def test_moves_behind_a_position_are_made_and_repetitions_known(talk):
    kings = "W" + "".join({46: "W", 45: "W", 1: "B"}.get(square, "e") for square in range(1, 51))
    talk(f'pos pos={kings} moves="46-41 1-6 41-46 6-1"', "go think")
    game = talk.player.asked[-1][0]
    assert len(game.earlier) == 4
    assert game.earlier[0] == game.position


def test_a_controller_may_go_on_after_a_draw_it_does_not_see(talk):
    kings = "W" + "".join({46: "W", 1: "B"}.get(square, "e") for square in range(1, 51))
    moves = " ".join(["46-41 1-6 41-46 6-1"] * 4)
    (answer,) = talk(f'pos pos={kings} moves="{moves}"', "go think")
    assert answer.startswith("done move=46-")


def test_moves_lead_on_from_a_position_that_is_drawn_as_it_stands(talk):
    talk("set-param name=variant value=czech")
    kings = hub_position_text(parse_fen("W:WKa1:BKe1", CZECH))
    assert talk(f'pos pos={kings} moves="29-4 31-13"') == []
    assert talk("go think") == ['error message="the game is over: a king against a king"', "done"]


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (Found(Move(31, 26)), ["info time=0.000 pv=31-26", "done move=31-26"]),
        (
            Found(Move(31, 26), 0.125, 3, 2_000_000, 0.5, (Move(31, 26),)),
            [
                "info depth=3 score=0.12 nodes=2000000 time=0.500 nps=4.000 pv=31-26",
                "done move=31-26",
            ],
        ),
        (
            Found(Move(31, 26), -1.0, None, None, 2.0, (Move(31, 26), Move(16, 21))),
            ['info score=-1.00 time=2.000 pv="31-26 16-21"', "done move=31-26 ponder=16-21"],
        ),
        (
            Found(Move(31, 26), line=(Move(32, 28), Move(16, 21)), nodes=5),
            ['info nodes=5 time=0.000 pv="32-28 16-21"', "done move=31-26"],
        ),
    ],
)
def test_what_a_player_knows_of_its_search_is_told_and_no_more(found, told):
    class Telling:
        def search(self, game, limits, stop, tell):
            tell(found)
            return found

    answers = []
    HubEngine(lambda values: Telling(), answers.append).receive("go think")
    assert answers == told


def test_a_variant_begins_with_its_own_position_and_no_other_parameter_does(talk):
    kings = "W" + "".join({46: "W", 45: "W", 1: "B"}.get(square, "e") for square in range(1, 51))
    talk(f"pos pos={kings}", "set-param name=threads value=2", "go think")
    assert talk.position == fen_text(parse_hub_position(kings, INTERNATIONAL))
    talk("set-param name=variant value=czech", "go think")
    assert talk.position == fen_text(Position.start(CZECH))


def test_the_longest_line_is_read_and_what_is_told_has_no_sign_that_ends_a_line():
    def refuse(values):
        raise ValueError("two\nlines " + "x" * 400)

    talk = Talk()
    assert talk("x" * MAX_HUB_LINE) == []
    answers = []
    HubEngine(refuse, answers.append).receive("init")
    assert answers == [f'error message="two?lines {"x" * 290}"']


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ('pos pos="', "cannot read"),
        ("=", "a line begins with a command"),
        ("pos", "the international position has 51 signs, not 0"),
        (f"pos pos=X{START[1:]}", "a position begins with W or B"),
        (f"pos pos={START} moves=32-27x", "'32-27x' is no move"),
        (f"pos pos={START} moves=32-22", "the move 32-22 is not legal"),
        (f'pos pos={START} moves="32-28 19-23 31-27"', "the move 31-27 is not legal"),
        ("level depth=0", "level depth is 1 or more, not '0'"),
        ("level depth=x", "level depth is 1 or more, not 'x'"),
        ("level nodes=1.5", "level nodes is 1 or more"),
        ("level move-time=0", "level move-time is a number of seconds, not '0'"),
        ("level move-time=nan", "level move-time is a number of seconds"),
        ("level time=inf", "level time is a number of seconds"),
        ("level time=9 inc=-1", "level inc is a number of seconds"),
        ("level time=9 moves=0", "level moves is 1 or more"),
        ("go", "go think, go ponder or go analyze is wanted"),
        ("go think analyze", "go think, go ponder or go analyze is wanted"),
        ("set-param", "there is no parameter ''"),
        ("set-param name=threads value=17", "threads is 1 to 16, not '17'"),
        ("set-param name=threads value=two", "threads is 1 to 16, not 'two'"),
        ("set-param name=variant value=bt", "variant is one of normal, czech, not 'bt'"),
        ("x" * 99999, "a line has at most 65536 bytes"),
    ],
)
def test_a_wrong_line_gets_one_error_and_the_session_goes_on(talk, line, sentence):
    (answer,) = talk(line)
    assert answer.startswith('error message="')
    assert sentence in answer
    assert talk("ping", f"pos pos={START}", "go think") == [
        "pong",
        "done move=31-26 ponder=16-21",
    ]


def test_what_is_not_known_is_skipped(talk):
    assert talk("", "  ", "uci", "position startpos", "level depth=2 colour=red", "stop") == []
    assert talk("ponder-hit") == []


def test_a_wrong_position_is_not_searched(talk):
    error, again, done = talk(f"pos pos={START} moves=32-22", "go think")
    assert error == 'error message="the move 32-22 is not legal"'
    assert (again, done) == ('error message="no position is known"', "done")


def test_a_finished_game_is_answered_with_an_error_and_done(talk):
    lost = "W" + "b" + "e" * 49
    assert talk(f"pos pos={lost}", "go think") == [
        'error message="the game is over in this position"',
        "done",
    ]


def test_a_player_that_cannot_be_made_is_an_error():
    talk = Talk()
    talk("set-param name=threads value=13")
    assert talk("init") == ['error message="13 threads bring no luck"']
    assert talk("go think") == ['error message="13 threads bring no luck"', "done"]


@pytest.mark.parametrize("move", [None, Move(32, 22)])
def test_an_error_of_ours_is_answered(move, caplog):
    talk = Talk(Broken(move))
    assert talk("go think") == [
        'error message="an error of ours; see standard error"',
        "done",
    ]
    assert "an error of ours" in caplog.text


def test_a_controller_that_has_gone_is_no_error_of_ours(caplog):
    def gone(line):
        raise BrokenPipeError

    engine = HubEngine(lambda values: FirstMove(), gone)
    with pytest.raises(BrokenPipeError):
        engine.receive("go think")
    assert caplog.text == ""


def test_during_a_search_only_a_few_commands_are_heard():
    talk = Talk(is_beside=True)
    assert talk("go think") == []
    assert talk("ping") == ["pong"]
    assert talk("go think") == ['error message="go: a search is under way"']
    assert talk(f"pos pos={START}") == ['error message="pos: a search is under way"']
    assert talk("unheard-of") == []
    assert talk.finish() == ["done move=31-26 ponder=16-21"]
    assert talk.searches == []


def test_stop_reaches_its_search_and_does_not_last():
    talk = Talk(is_beside=True)
    talk("go think")
    stop = talk.engine._search.stop
    talk("stop", "stop")
    assert stop.is_set()
    assert talk.finish() == ["done move=31-26 ponder=16-21"]
    talk("go think")
    assert not talk.engine._search.stop.is_set()


def test_time_runs_from_the_ponder_hit():
    talk = Talk(is_beside=True)
    talk("level move-time=3", "go ponder")
    assert talk.timers == []
    talk("ponder-hit", "ponder-hit")
    ((seconds, act),) = talk.timers
    stop = talk.engine._search.stop
    assert (seconds, stop.is_set()) == (3.0, False)
    act()
    assert stop.is_set()
    assert talk.finish() == ["done move=31-26 ponder=16-21"]
    assert talk.limits == Limits(is_infinite=True)


@pytest.mark.parametrize(
    ("level", "is_stopped"),
    [("depth=2", True), ("depth=3", False), ("nodes=2000", True), ("infinite", False)],
)
def test_a_search_that_was_hit_ends_at_its_depth(level, is_stopped):
    talk = Talk(is_beside=True)
    talk(f"level {level}", "go ponder", "ponder-hit")
    stop = talk.engine._search.stop
    assert not stop.is_set()
    talk.finish()
    assert stop.is_set() == is_stopped


def test_limits_count_from_the_hit_and_a_hit_for_a_search_that_ponders():
    talk = Talk(is_beside=True)
    talk("level depth=2", "go ponder")
    stop = talk.engine._search.stop
    talk.finish()
    assert not stop.is_set()
    talk("go ponder", "ponder-hit")
    assert talk.timers == []
    talk.finish()
    talk("level move-time=3", "go think", "ponder-hit")
    assert talk.timers == []


def test_the_time_of_a_hit_runs_by_itself():
    searches = []
    engine = HubEngine(lambda values: FirstMove(), lambda line: None, begin=searches.append)
    for line in ("level move-time=0.01", "go ponder", "ponder-hit"):
        engine.receive(line)
    assert engine._search.stop.wait(60.0)
    searches.pop()()
    for line in ("level move-time=300", "go ponder", "ponder-hit"):
        engine.receive(line)
    (timer,) = (each for each in threading.enumerate() if isinstance(each, threading.Timer))
    timer.cancel()
    assert timer.daemon, "who quits meanwhile does not wait for it"


def test_a_hit_without_limits_ends_the_search():
    talk = Talk(is_beside=True)
    talk("go ponder", "ponder-hit")
    assert talk.engine._search.stop.is_set()


def test_quit_stops_the_search():
    talk = Talk(is_beside=True)
    talk("go think")
    stop = talk.engine._search.stop
    with pytest.raises(Goodbye):
        talk("quit")
    assert stop.is_set()


def test_czech_draughts_has_its_own_positions():
    talk = Talk()
    talk("set-param name=variant value=czech")
    position = parse_fen("W:Wc3:Bd4,h8", CZECH)
    assert talk(f"pos pos={hub_position_text(position)}", "go think") == [
        "done move=22x15x18 ponder=4-8"
    ]
    assert talk.position == fen_text(position)
