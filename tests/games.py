"""Games at random: what a game may be answered, and whole games that anybody could play."""

import random

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll, Resignation, ResignationAnswer
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.roll import Roll

DICE = range(1, 7)
WORDS = (*CubeAction, *DoubleAnswer, *ResignationAnswer, *(Resignation(n) for n in (1, 2, 3)))
RARE = (CubeAction.DOUBLE, DoubleAnswer.DROP, ResignationAnswer.ACCEPT)


def allowed_words(game):
    """Everything but dice and plays that the game may be answered."""
    return [word for word in WORDS if game.refusal(word) is None]


def random_answer(game, chance, *, resigns=0.01, words=0.5):
    """An answer that the rules allow; how often it is a resignation, and a word before the dice."""
    said = allowed_words(game)
    offers = [word for word in said if isinstance(word, Resignation)]
    others = [word for word in said if not isinstance(word, Resignation)]
    if offers and chance.random() < resigns:
        return chance.choice(offers)
    if others and (game.doubles or game.resigned or chance.random() < words):
        return chance.choice(others)
    first, second = chance.choice(DICE), chance.choice(DICE)
    if game.turn is None:
        return OpeningRoll(first, second)
    if game.roll is None:
        return Roll.of_dice(first, second)
    plays = legal_plays(game.state.position, game.roll)
    return chance.choice(plays) if plays else CheckerPlay((), game.state.position)


def random_game(start, seed, **odds):
    """Each game and its answer from the start to the end, and the result."""
    chance = random.Random(seed)
    game, steps = start, []
    while isinstance(game, Game):
        answer = random_answer(game, chance, **odds)
        steps.append((game, answer))
        game = game.after(answer)
    return steps, game
