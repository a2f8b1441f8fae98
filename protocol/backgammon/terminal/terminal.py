"""Terminal: a person at the table, through a window or a pipe."""

import shutil
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from typing import TextIO

from bot.backgammon.arena.players import seated
from bot.backgammon.compilation import jobs_of_level
from bot.backgammon.engine.analysis import Analyst
from bot.backgammon.engine.level import Level, quick_twin
from bot.backgammon.engine.search import NO_SEARCH
from bot.backgammon.evaluation.met import MatchEquityTable
from bot.backgammon.rules.decision import ChooseCheckerPlay, ChooseCubeAction, Decider
from bot.backgammon.rules.match import GameState
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.arena.named_players import (
    OUTSIDE_NAMES,
    decider,
    is_outside,
    jobs_of_player,
    known_level,
)
from protocol.backgammon.reports.advisor import advisor
from protocol.backgammon.reports.compilation import compile_first
from protocol.backgammon.table.kept_games import FIRST
from protocol.backgammon.table.table import HUMAN, Setting, Table
from protocol.backgammon.terminal.arrival import Seated
from protocol.backgammon.terminal.board_view import UNICODE, Look
from protocol.backgammon.terminal.table_picture import Window
from protocol.backgammon.terminal.table_talk import TableTalk
from protocol.encoding import has_letters
from protocol.line_reader import LineReader, shows_colour

GREETING = "Type a play such as 8/5 6/5, hint, or help."
KEPT = "The game is kept; blot play offers it again."
KEPT_BY_NAME = "The game is kept as {0}; blot play --game {0} goes on with it."


def sit(
    choose: Callable[[], Seated],
    reader: LineReader,
    *,
    hints: Level,
    met: MatchEquityTable | None = None,
    delay: float = 0.0,
    ascii_only: bool = False,
    on_result: Callable[[Table], None] = lambda table: None,
    tutor: float | None = None,
) -> None:
    """Let people and bots play at a table until they leave; the game is kept whatever ends it.

    choose: the table, after questions that reader may put. hints: how well hints are thought about.
    met: what bots and hints think a score is worth, Blot's own if None. delay: seconds between what
    bots do. on_result: see Conversation; tutor: see TableTalk.
    """
    seats = ExitStack()

    def seat(name: str, seed: int, setting: Setting) -> Decider:
        bot = seated_bot(name, seed, cube=setting.cube, met=met)
        seats.enter_context(seated(bot))
        return bot

    def advise(setting: Setting) -> Decider:
        return seats.enter_context(advisor(hints, cube=setting.cube, met=met))

    def judge(setting: Setting) -> Analyst:
        static = replace(hints, search=NO_SEARCH, roller=None)
        engines = (advisor(level, cube=setting.cube, met=met) for level in (hints, static))
        deep, quick = map(seats.enter_context, engines)
        return Analyst(deep, quick, met, has_cube=setting.cube)

    talk: TableTalk | None = None
    try:
        table, kept, notice = choose()
        talk = TableTalk(
            table,
            lambda text: print(text, flush=True),
            make_player=seat,
            make_advisor=advise,
            make_analyst=judge,
            kept=kept,
            look=look_for(sys.stdout, ascii_only=ascii_only),
            window=_window,
            on_result=on_result,
            tutor=tutor,
        )
        if notice:
            print(notice, flush=True)
        reader.converse(talk, GREETING, delay)
    except (KeyboardInterrupt, EOFError):
        print()
    finally:
        if talk:
            talk.keep()
        seats.close()
    if talk and talk.kept_as:
        print(KEPT if talk.kept_as == FIRST else KEPT_BY_NAME.format(talk.kept_as))


def seated_bot(
    name: str, seed: int, *, cube: bool = True, met: MatchEquityTable | None = None
) -> Decider:
    """The baseline, network or program of that name, its kernels compiled.

    cube: whether it is in use; met: see sit. Raises ValueError if there is none; only `random` uses
    the seed.
    """
    others = HUMAN, *OUTSIDE_NAMES
    if is_outside(name):  # a program has been asked when it was started
        compile_first(jobs_of_player(name, others))
        return decider(name, seed=seed, cube=cube, met=met)
    level = known_level(name, others=others)
    compile_first(jobs_of_level(level))
    bot, twin = (
        decider(each, seed=seed, cube=cube, met=met, others=others)
        for each in (name, quick_twin(level))
    )
    _warm(twin)
    return bot


def _warm(bot: Decider) -> None:
    """Have everything loaded that questions about a game need."""
    state = GameState(START)
    for request in (ChooseCheckerPlay(state, Roll(3, 1)), ChooseCubeAction(state)):
        bot.decide(request)


def look_for(stream: TextIO, *, ascii_only: bool) -> Look:
    """Colours on a terminal unless NO_COLOR is set; letters where the stream has no signs."""
    signs = UNICODE.checkers + UNICODE.moved + UNICODE.corners + UNICODE.left + UNICODE.came
    has_signs = not ascii_only and has_letters(stream, signs)
    return Look(unicode=has_signs, colour=shows_colour(stream))


def _window() -> Window:
    return Window(*shutil.get_terminal_size())
