"""Table picture: what of a table is to be seen on the board, and from which side."""

from collections import Counter
from dataclasses import dataclass
from textwrap import wrap

from bot.backgammon.rules.play import CheckerPlay
from bot.backgammon.rules.position import turned
from protocol.backgammon.formats.notation import OFF
from protocol.backgammon.table.table import HUMAN, Table
from protocol.backgammon.terminal.announcement import seat_names
from protocol.backgammon.terminal.board_view import (
    BAR,
    HEIGHT,
    NARROWEST,
    WIDTH,
    BoardPicture,
    CubePicture,
    Look,
    board_lines,
    described_lines,
)

ROWS_NEEDED = HEIGHT + 3
"""Room for the board, a sentence and the prompt."""


@dataclass(frozen=True, slots=True)
class Window:
    """The size of a terminal's window."""

    columns: int = WIDTH
    rows: int = ROWS_NEEDED

    @property
    def is_too_small(self) -> bool:
        """Whether the board has no room."""
        return self.columns < WIDTH or self.rows < ROWS_NEEDED

    @property
    def excuse(self) -> str:
        """Why no board is drawn."""
        text = (
            f"A window of {self.columns} columns and {self.rows} rows is too small for the board: "
            f"it takes {WIDTH} and {ROWS_NEEDED}."
        )
        return "\n".join(wrap(text, max(self.columns, NARROWEST)))


def drawn_text(picture: BoardPicture, look: Look, window: Window) -> str:
    """The board, or what stands on it in words if the window is too small."""
    if window.is_too_small:
        return "\n".join(described_lines(picture, look, window.columns))
    return "\n".join(board_lines(picture, look))


def picture_of(table: Table, source: int | None = None) -> BoardPicture:
    """The board as it is now; a single person sits below, and reads the points as numbered there.

    source: the point, counted by the player on roll, whose targets are marked; None for none.
    While a person plays leg by leg, those legs are marked, else the last turn.
    """
    lower = _lower_seat(table)
    is_upper = table.mover != lower
    left, moved = _marks(table, lower)
    targets: set[int] = set()
    if table.turn and source is not None:
        legs = table.turn.next_legs
        targets = {leg.target for leg in legs if leg.source == source and leg.target != OFF}
        left, moved = frozenset(), {}
    return BoardPicture(
        position=turned(table.now) if is_upper else table.now,
        lower=lower,
        names=seat_names(table.setting.players),
        score=table.score,
        length=table.setting.length,
        is_numbered_for_upper=is_upper and table.setting.players.count(HUMAN) != 1,
        dice=table.turn.dice_left if table.turn and not table.result else (),
        left=left,
        moved=moved,
        targets=frozenset(BAR - point if is_upper else point for point in targets),
        cube=_cube(table),
        is_crawford=table.is_crawford,
    )


def _cube(table: Table) -> CubePicture | None:
    """The cube where it is in use."""
    if not table.setting.cube:
        return None
    game = table.game
    is_offered = game.doubles > 0 and not table.result
    value = game.cube_shown if is_offered else game.state.cube.value
    return CubePicture(value, game.cube_owner, is_offered)


def _lower_seat(table: Table) -> int:
    """The seat at the lower edge of the board."""
    return int(table.setting.players[0] != HUMAN and table.setting.players[1] == HUMAN)


def _marks(table: Table, lower: int) -> tuple[frozenset[int], dict[int, int]]:
    """Points that checkers have left, and how many have come to a point; the lower side's."""
    if table.turn and table.turn.legs:
        play, seat = CheckerPlay(table.turn.legs, table.now), table.mover
    elif table.turns:
        play, seat = table.turns[-1].play, table.turns[-1].player
    else:
        return frozenset(), {}
    net: Counter[int] = Counter()
    for leg in play.legs:
        net[leg.source] -= 1
        net[leg.target] += 1
    on_board = {
        (BAR - point if seat != lower else point): count
        for point, count in net.items()
        if point not in (OFF, BAR)
    }
    left = frozenset(point for point, count in on_board.items() if count < 0)
    return left, {point: count for point, count in on_board.items() if count > 0}
