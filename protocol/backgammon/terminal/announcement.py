"""Announcement: what happens at a table, in sentences."""

from collections.abc import Iterable
from difflib import get_close_matches

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, OpeningRoll
from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import Position, turned
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.table.table import HUMAN, KINDS_OF_WINS, Table
from protocol.backgammon.terminal.board_view import CRAWFORD, Look

YOU = "You"

STAKE_OF_WORD = {
    word: points
    for points, level in KINDS_OF_WINS.items()
    for word in (str(points), level.split()[1])
}
STAKE_OF_WORD |= {"s": 1, "n": 1, "normal": 1, "g": 2, "b": 3}

HELP = """\
8/5 6/5      play the roll; 8-5 6-5, 8 5 6 5, move 8 5 6 5, 24/18/15, bar/22,
             6/off and 8/4(2) are read too
8/5          play one leg; 8 alone shows where it may go, then 5 takes it there
Enter        roll; end a turn that is played; play the only play; draw the board
double       offer the cube at twice its value before you roll
take, drop   answer a double (also accept; reject, pass); beaver takes it and
             doubles back where allowed
hint [N]     the best five (or N) plays; without dice, chances and cube
undo         take back the last leg, else your last turn, the dice as they fell,
             but never past a double, or a roll that you chose
tutor on     tell what loses much, and offer to take it back; tutor off ends it,
             tutor 0.05 tells from so much equity on
resign       offer to lose the cube: resign single, gammon or backgammon
pips, score  both pip counts; the score; board draws the board
id           position and match ID, as GNU Backgammon writes them, and XGID
save FILE    write the game to a file; load FILE goes on with it
export FILE  write the match so far for other programs, as .mat or .sgf
new          begin again, score and all
quit, exit   leave, as with Ctrl-C; the game is kept and offered next time"""


def seat_names(players: tuple[str, str]) -> tuple[str, str]:
    """The names of the players: a single person is You, files go without their folders."""

    def name(seat: int) -> str:
        if players[seat] == HUMAN:
            return f"Player {seat + 1}" if players[1 - seat] == HUMAN else YOU
        return players[seat].replace("\\", "/").rstrip("/").rpartition("/")[2] or players[seat]

    return name(0), name(1)


def does_text(table: Table, seat: int, verb: str, look: Look) -> str:
    """A player, with the shape of the checkers, and what the player does: `○ hard rolls`."""
    name = seat_names(table.setting.players)[seat]
    return f"{look.player(seat, name)} {verb}{'s' * (name != YOU)}"


def roll_text(table: Table, first: int, second: int, look: Look) -> str:
    """A sentence on a roll; in the opening, on who begins."""
    if not isinstance(table.record.events[-1].answer, OpeningRoll):
        return f"{does_text(table, table.mover, 'roll', look)} {first}-{second}."
    names = seat_names(table.setting.players)
    shown = [look.player(seat, name) for seat, name in enumerate(names)]
    begins = does_text(table, table.mover, "begin", look)
    return f"Opening: {shown[0]} {first}, {shown[1]} {second}. {begins}."


def turn_text(table: Table, seat: int, play: CheckerPlay, before: Position, look: Look) -> str:
    """A sentence on a turn that was played."""
    if not play.legs:
        return f"{does_text(table, seat, 'have', look).replace('haves', 'has')} no legal play."
    return f"{does_text(table, seat, 'play', look)} {short_play_text(play, before)}."


def act_text(table: Table, seat: int, act: CubeAction | DoubleAnswer, look: Look) -> str:
    """A sentence on an action with the cube, and on what it shows now."""
    does, value = does_text(table, seat, act.value, look), table.game.cube_shown
    match act:
        case CubeAction.DOUBLE:
            return f"{does} to {value}."
        case DoubleAnswer.BEAVER:
            return f"{does}: the cube is offered back at {value}."
        case DoubleAnswer.TAKE:
            return f"{does}: the cube is at {value}."
        case _:
            return f"{does}."


def score_text(table: Table, look: Look) -> str:
    """The score of the session or match."""
    names = seat_names(table.setting.players)
    sides = ", ".join(
        f"{look.player(seat, name)} {points}"
        for seat, (name, points) in enumerate(zip(names, table.score, strict=True))
    )
    length = table.setting.length
    game = f", {CRAWFORD}" if table.is_crawford and not table.result else ""
    return f"{sides} {'in money games' if length is None else f'in a match to {length}'}{game}"


def points_text(points: int) -> str:
    """The points, in words."""
    return f"{points} point{'s' * (points != 1)}"


def result_text(table: Table, look: Look) -> str:
    """Sentences on the end of the game and the score; the table's game is over."""
    result = table.result
    if result is None:
        raise ValueError("the game is not over")
    won, points = KINDS_OF_WINS[result.kind], points_text(result.points)
    wins = does_text(table, result.winner, "win", look)
    if result.kind > 1 and not result.counts_gammons:
        points += " by the Jacoby rule"
    if table.is_match_over:
        own, other = table.score[result.winner], table.score[1 - result.winner]
        return f"{wins} {won} and the match, {own} to {other}."
    how = points if result.ending is Ending.DROPPED else f"{won}, {points}"
    return f"{wins} {how}: {score_text(table, look)}."


def pips_text(table: Table, look: Look) -> str:
    """Both pip counts, with the legs played so far."""
    counts = table.now.pip_count, turned(table.now).pip_count
    names = seat_names(table.setting.players)
    return (
        ", ".join(
            f"{look.player(seat, name)} {counts[seat != table.mover]}"
            for seat, name in enumerate(names)
        )
        + " pips."
    )


def parse_stake(word: str) -> int:
    """Points at cube 1 of what is resigned: single, gammon, backgammon or 1, 2, 3."""
    if word.lower() not in STAKE_OF_WORD:
        raise ValueError(f"resign single, gammon or backgammon, not {word[:40]!r}")
    return STAKE_OF_WORD[word.lower()]


def guess_text(line: str, commands: Iterable[str]) -> str:
    """A command that may have been meant by the first word, or nothing."""
    word = line.partition(" ")[0].lower()
    near = get_close_matches(word, commands, 1) if word.isalpha() else []
    return f" Did you mean {near[0]}?" if near and near[0] != word else ""
