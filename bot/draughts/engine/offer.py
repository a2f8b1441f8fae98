"""Offer: what a player answers to whoever offers a draw."""

from threading import Event

from bot.draughts.rules.decision import Limits, Player
from bot.draughts.rules.game import Game, Result


def agrees(player: Player, game: Game, limits: Limits, stop: Event) -> bool:
    """Whether a player that is offered a draw by the side to move agrees: unless it is ahead.

    Moves without a choice are made first, as players make them without a look at their worth. Who
    tells no scores agrees. Raises ValueError if the game is over.
    """
    side = game.position.turn
    after: Game | Result = game
    while isinstance(after, Game) and len(after.moves) == 1:
        after = after.after(after.moves[0])
    if isinstance(after, Result):
        return after.winner in (None, side)
    score = player.search(after, limits, stop, lambda _: None).score
    if score is None:
        return True
    return score >= 0 if after.position.turn is side else score <= 0
