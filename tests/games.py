"""Games at random: what a game may be answered, and whole games that anybody could play."""

import random

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll, Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord
from bot.backgammon.rules.roll import Roll

DICE = range(1, 7)
WORDS = (*CubeAction, *DoubleAnswer, *ResignationAnswer, *(Resignation(n) for n in (1, 2, 3)))


def allowed_words(game):
    """Everything but dice and plays that the game may be answered."""
    return [word for word in WORDS if game.refusal(word) is None]


def random_answer(game, chance, *, resigns=0.01, words=0.5, as_gnubg=False, turns_dead_cube=True):
    """An answer that the rules allow; how often it is a resignation, and a word before the dice.

    turns_dead_cube: as anybody may, though GNU Backgammon allows it in match files only. as_gnubg:
    GNU Backgammon passes by itself, before anybody could resign, in match files it plays what is
    forced, and an accepted offer of a gammon brings its points there though the Jacoby rule holds.
    """
    said = allowed_words(game)
    plays = legal_plays(game.state.position, game.roll) if game.roll else ()
    offers = [word for word in said if isinstance(word, Resignation)]
    if as_gnubg and game.roll and len(plays) < 2:
        offers = []
    if as_gnubg and not game.counts_gammons:
        offers = offers[: Resignation(1) in offers]
    others = [word for word in said if not isinstance(word, Resignation)]
    if CubeAction.DOUBLE in others and not (turns_dead_cube or game.may_double):
        others.remove(CubeAction.DOUBLE)
    if offers and chance.random() < resigns:
        return chance.choice(offers)
    if others and (game.doubles or game.resigned or chance.random() < words):
        return chance.choice(others)
    first, second = chance.choice(DICE), chance.choice(DICE)
    if game.turn is None:
        return OpeningRoll(first, second)
    if game.roll is None:
        return Roll.of_dice(first, second)
    return chance.choice(plays) if plays else CheckerPlay((), game.state.position)


def random_game(start, seed, choose=None, **odds):
    """Each game and its answer from the start to the end, and the result.

    choose: makes the plays, all but the dice and the words being left to chance.
    """
    chance = random.Random(seed)
    game, steps = start, []
    while isinstance(game, Game):
        answer = random_answer(game, chance, **odds)
        if choose and isinstance(answer, CheckerPlay):
            answer = choose(game)
        steps.append((game, answer))
        game = game.after(answer)
    return steps, game


def random_match(rules, seed, games=3, **odds):
    """A match to its end, or so many money games, as a record."""
    points, is_crawford, played = (0, 0), False, []
    while not rules.is_over(points) and (rules.length or len(played) < games):
        start = rules.new_game(points, is_crawford=is_crawford)
        steps, result = random_game(start, seed + len(played), **odds)
        events = tuple(Event(answer) for _, answer in steps)
        played.append(GameRecord(points, is_crawford, events, result))
        is_crawford = rules.is_crawford_next(points, result)
        points = played[-1].points_after
    return MatchRecord(("one", "two"), rules, tuple(played))
