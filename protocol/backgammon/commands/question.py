"""Question: the position, roll and rules that a command is asked about, typed by a person."""

import argparse
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from protocol.backgammon.commands.options import add_met, check_rules
from protocol.errors import UsageError, as_argument

if TYPE_CHECKING:
    from bot.backgammon.rules.decision import Request
    from bot.backgammon.rules.match import MoneyRules
    from bot.backgammon.rules.play import CheckerPlay
    from protocol.backgammon.formats.pasted_id import PastedId
    from protocol.backgammon.table.table import Setting, Table

BARE_XGID = re.compile("-[-A-Pa-p]{25}:")
"""The beginning of an XGID that looks like an option."""


def without_dash(argument: str) -> str:
    """The argument, an XGID that begins with a dash behind a blank."""
    return f" {argument}" if BARE_XGID.match(argument) else argument


COUNT = 5
"""Plays that are told of unless somebody wants more or fewer."""


class _Joined(argparse.Action):
    """Keeps words that the shell has split as one text."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        setattr(namespace, self.dest, " ".join(values or ()))


def add_id(parser: argparse.ArgumentParser) -> None:
    """Add ID, the text in which pasted_id finds one."""
    parser.add_argument(
        "id",
        metavar="ID",
        nargs="+",
        action=_Joined,
        help="position ID, POSITION:MATCH or XGID; in quotes also a text with one in it, or a "
        "board with its IDs as GNU Backgammon or blot show prints it",
    )


def add_question(parser: argparse.ArgumentParser, *, has_beavers: bool = True) -> None:
    """Add ID, --dice, --cube, --jacoby, --beavers (hidden if nobody beavers) and --met."""
    add_id(parser)
    unsaid = argparse.SUPPRESS
    parser.add_argument(
        "--dice", type=_dice, default=unsaid, metavar="31", help="the roll, instead of the ID's"
    )
    switch = argparse.BooleanOptionalAction
    rules = parser.add_argument_group("rules")
    rules.add_argument(
        "--cube",
        action=switch,
        default=unsaid,
        help="whether the cube is in use; it is by default. Without the cube equities are "
        "cubeless, of a money game",
    )
    rules.add_argument(
        "--jacoby",
        action=switch,
        default=unsaid,
        help="Jacoby rule in money games; by default as the ID says, and on if it says nothing",
    )
    beavers = "beavers in money games; by default as the XGID says, and off without one"
    rules.add_argument(
        "--beavers", action=switch, default=unsaid, help=beavers if has_beavers else unsaid
    )
    add_met(rules)


def add_plays(parser: argparse.ArgumentParser, counted: str) -> None:
    """Add --count, of what is counted, and --play, which may be given again and again."""
    parser.add_argument(
        "--count",
        type=_count,
        default=argparse.SUPPRESS,
        metavar="N",
        help=f"{counted} (default: {COUNT})",
    )
    parser.add_argument(
        "--play",
        action="append",
        default=argparse.SUPPRESS,
        metavar="PLAY",
        help='a play of your own beside the best, marked with >, as "24/20 13/7*"; may be given '
        "several times",
    )


def plays_of(options: argparse.Namespace, question: "Request") -> "tuple[CheckerPlay, ...]":
    """The plays that --play names; raises ValueError with the reason if one is not legal."""
    from bot.backgammon.rules.decision import ChooseCheckerPlay
    from protocol.backgammon.formats.notation import parse_play
    from protocol.backgammon.formats.refused_play import refusal

    if "play" not in options:
        return ()
    if not isinstance(question, ChooseCheckerPlay):
        raise UsageError("--play needs a roll: give it with --dice, or in the match ID")
    position, roll = question.state.position, question.roll
    for text in options.play:
        if reason := refusal(text, position, roll):
            raise ValueError(f"--play: {reason}")
    return tuple(parse_play(text, position, roll) for text in options.play)


def count_of(options: argparse.Namespace) -> int:
    """Number of plays that are wanted at most."""
    count: int = getattr(options, "count", COUNT)
    return count


def question_of(options: argparse.Namespace) -> "Request":
    """The question that the options ask.

    Raises ValueError with a sentence if that cannot be, or an option would change nothing.
    """
    from bot.backgammon.rules.decision import ChooseCheckerPlay

    question = question_about(
        identified(options.id, has_cube=has_cube(options)),
        getattr(options, "dice", None),
        jacoby=getattr(options, "jacoby", None),
        beavers=getattr(options, "beavers", None),
    )
    score = question.state.score
    check_rules(options, cube=has_cube(options), length=score.length if score else None)
    if "count" in options and not isinstance(question, ChooseCheckerPlay):
        raise UsageError("--count is of plays, and needs a roll: give it with --dice")
    return question


def has_cube(options: argparse.Namespace) -> bool:
    """Whether the cube is in use."""
    return getattr(options, "cube", True)


def identified(text: str, *, has_cube: bool = True) -> "PastedId":
    """The ID in a pasted text; what Blot does not keep of it is told on stderr.

    has_cube: whether the command is to think of the cube. Raises ValueError with one sentence if
    there is no such ID.
    """
    from protocol.backgammon.formats.pasted_id import pasted_id
    from protocol.progress import tell

    pasted = pasted_id(text)
    if pasted.xgid and pasted.xgid.note and (has_cube or pasted.xgid.limit):
        tell(pasted.xgid.note)
    return pasted


def question_about(
    pasted: "PastedId",
    dice: tuple[int, int] | None = None,
    *,
    jacoby: bool | None = None,
    beavers: bool | None = None,
) -> "Request":
    """The question that an ID puts to the player on roll; dice replace the ID's.

    jacoby and beavers are rules of money games; None leaves them as the ID has them, or Jacoby on
    and beavers off. Raises ValueError with one sentence if the game is over, or if dice are given
    where none can be rolled.
    """
    from dataclasses import replace

    from bot.backgammon.rules.decision import AnswerDouble, AnswerResignation, ChooseCheckerPlay
    from bot.backgammon.rules.roll import Roll

    request = pasted.request
    state = request.state
    if state.score is None:
        state = replace(state, money=_money(state.money, jacoby, beavers))
        request = replace(request, state=state)
    if dice is None:
        return request
    if isinstance(request, AnswerDouble | AnswerResignation):
        offer = "a double" if isinstance(request, AnswerDouble) else "a resignation"
        raise ValueError(f"{offer} waits for its answer there: no dice are rolled before")
    return ChooseCheckerPlay(state, Roll.of_dice(*dice))


def table_about(pasted: "PastedId", request: "Request", setting: "Setting") -> "Table":
    """The table where the ID's question is to be answered, its first player player 1 of the ID.

    setting: players and rules; length and rules of money games are those of the ID if it tells
    them. Raises ValueError with a sentence if they do not belong together.
    """
    from dataclasses import replace

    from protocol.backgammon.table.set_up import table_set_up

    score, record = request.state.score, pasted.record
    if record is None:
        start = setting.rules.new_game().state
        request = replace(request, state=replace(request.state, score=start.score))
        return table_set_up(setting, request, 0)
    length, money = (score.length, setting.money) if score else (None, request.state.money)
    setting = replace(setting, length=length, money=money)
    return table_set_up(setting, request, 1 - record.roller, (record.points[1], record.points[0]))


def _money(money: "MoneyRules", jacoby: bool | None, beavers: bool | None) -> "MoneyRules":
    from dataclasses import replace

    return replace(
        money,
        jacoby=money.jacoby if jacoby is None else jacoby,
        beavers=money.beavers if beavers is None else beavers,
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"at least 1 play, not {text!r}")
    return int(text)


@as_argument()
def _dice(text: str) -> tuple[int, int]:
    from protocol.backgammon.formats.notation import parse_dice

    return parse_dice(text)
