"""Whether everyone finds the same plays: the generator, gnubg-nn, bgsage and the plain twin."""

from bot.backgammon.arena.baselines import pubeval_weights
from bot.backgammon.kernels.baselines import pubeval_score
from bot.backgammon.rules.play import RollWorkspace, boards_after, legs_of_steps
from bot.backgammon.rules.position import Position
from tests.plain.games import Choice, Turn
from tests.plain.judges import (
    bgsage_boards_after,
    gnubg_boards_after,
    gnubg_pubeval_choice,
)
from tests.plain.plays import Board, plain_boards_after, plain_replay


def checked_plays(turn: Turn, workspace: RollWorkspace, *, ask_twin: bool = False) -> int:
    """The number of plays of a turn; raises AssertionError unless everyone finds the same."""
    board, roll = turn
    after, steps = boards_after(Position(board).board, roll, workspace)
    rows = [tuple(row) for row in after.tolist()]
    found = set(rows)
    assert len(found) == len(rows), f"a board twice: {turn}"
    _compare(turn, "gnubg-nn", found, gnubg_boards_after(board, roll.high, roll.low))
    _compare(turn, "bgsage", found, bgsage_boards_after(board, roll.high, roll.low))
    if ask_twin:
        _compare(turn, "plain twin", found, plain_boards_after(board, roll.high, roll.low))
    for row, step in zip(rows, steps, strict=True):
        legs = [(leg.source, leg.target) for leg in legs_of_steps(step)]
        replayed = plain_replay(board, roll.high, roll.low, legs)
        assert replayed == row, f"steps {legs} lead elsewhere: {turn}"
    return len(rows)


def _compare(turn: Turn, name: str, ours: set[Board], theirs: set[Board]) -> None:
    assert ours == theirs, f"{turn}: only ours {ours - theirs}, only {name} {theirs - ours}"


def pubeval_difference(turn: Turn, choice: Choice) -> float:
    """How much higher pubeval scores our choice than gnubg-nn's; 0 for the same board."""
    board, roll = turn
    ours, theirs = choice(board, roll), gnubg_pubeval_choice(board, roll)
    if ours == theirs:
        return 0.0
    contact, race = pubeval_weights()
    weights = race if Position(board).is_race else contact
    return pubeval_score(Position(ours).board, weights) - pubeval_score(
        Position(theirs).board, weights
    )
