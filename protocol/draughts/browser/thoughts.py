"""Thoughts: what a thinker of `protocol.thinker` finds out for a page of draughts."""

from functools import lru_cache
from threading import Event

from bot.draughts.engine.level import LEVELS, level
from bot.draughts.engine.offer import agrees
from bot.draughts.engine.ranking import ranking
from bot.draughts.evaluation.endings import load_endings
from bot.draughts.rules.decision import Found, Limits, Player
from bot.draughts.rules.game import Game
from bot.draughts.rules.variant import VARIANTS, Variant
from protocol.draughts.arena.named_players import HUB, RANDOM, entrant

HURRIED = Limits(seconds=0.1)
"""The limits of a bot that was told to move now."""


def check_player(name: str, variant: Variant) -> None:
    """Raise ValueError unless a bot of that name plays at the page."""
    if name.startswith(HUB):
        raise ValueError(f"a page starts no programs, so {name[:40]!r} plays in the terminal only")
    entrant(name, variant)


def found_by(name: str, seed: int, depth: int | None, game: Game, is_hurried: bool) -> Found:
    """The move of the bot of that name; depth: plies that one of a level is to look ahead."""
    player = _player(name, seed, game.position.variant)
    return player.search(game, _limits(name, depth, is_hurried), Event(), _hear)


def agreed_by(name: str, seed: int, depth: int | None, game: Game, is_hurried: bool) -> bool:
    """Whether that bot agrees on the draw that the side to move offers."""
    player = _player(name, seed, game.position.variant)
    return agrees(player, game, _limits(name, depth, is_hurried), Event())


def wake_player(name: str, seed: int, variant: Variant) -> None:
    """Load what the bot of that name plays with."""
    _player(name, seed, variant)


def ranking_by(advice: str, game: Game) -> tuple[Found, ...]:
    """The moves as a level ranks them."""
    return ranking(_player(advice, 0, game.position.variant), game, level(advice).limits)


def solve_endings(variant: Variant) -> None:
    """Solve the endings of a variant, so that they are there; it takes minutes."""
    load_endings(VARIANTS[variant.name], _hear)


def _limits(name: str, depth: int | None, is_hurried: bool) -> Limits:
    """The limits of a bot's search."""
    if is_hurried and name != RANDOM:
        return HURRIED
    return Limits(depth=depth) if name in LEVELS else Limits()


@lru_cache(maxsize=4)
def _player(name: str, seed: int, variant: Variant) -> Player:
    """The bot of that name, which stays; raises ValueError if there is none."""
    check_player(name, variant)
    with entrant(name, variant)(seed) as player:
        return player


def _hear(_: object) -> None:
    """Take notice of nothing."""
