"""Jobs: the kernels of draughts in portions that are compiled together."""

from threading import Event

from bot.compilation import Compilation, Job
from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.engine.engine import Engine
from bot.draughts.evaluation.endings import built_endings, check_endings
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.draughts.rules.decision import Limits, Player
from bot.draughts.rules.game import Game
from bot.draughts.rules.legality import legal_moves
from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH
from bot.draughts.training.self_play import SelfPlay
from bot.draughts.training.settings import Settings
from bot.draughts.training.state_learning import LearningSettings, StateLearning

COMPILATION = Compilation("bot.draughts.jobs")
"""The jobs of draughts."""

MOVES, SEARCH, ALPHA_BETA, ENDINGS, SELF_PLAY, DEPTH_GAMES = (
    "moves of draughts",
    "search of draughts",
    "alpha-beta of draughts",
    "endings of draughts",
    "self-play of draughts",
    "games of draughts by depth",
)
"""The names of the jobs."""

_SELF_PLAY = Settings(CZECH.name, games=1, depth=1, endings=0)


_GAMES_OF_LEARNING = 20
"""Games after which a table of states has grown: a kernel moves its states to more places."""


def _answered(player: Player) -> None:
    """Let a player move in a game with an earlier position, of which a kernel makes the key."""
    start = Position.start(CZECH)
    player.search(Game(start, earlier=(start,)), Limits(depth=1), Event(), lambda _: None)


def _learn_states() -> None:
    StateLearning(LearningSettings(depth=1)).advance(_GAMES_OF_LEARNING)


JOBS = {
    MOVES: Job(lambda: legal_moves(Position.start(CZECH)), 3.0),
    SEARCH: Job(lambda: _answered(Engine(PatternEvaluation.untrained(CZECH), rows=1 << 10)), 10.0),
    ALPHA_BETA: Job(lambda: _answered(AlphaBeta(AlphaBetaSettings(depth=1))), 5.0),
    ENDINGS: Job(lambda: check_endings(CZECH, built_endings(CZECH, 2)), 5.0),
    SELF_PLAY: Job(lambda: SelfPlay(_SELF_PLAY).advance(1), 10.0),
    DEPTH_GAMES: Job(_learn_states, 10.0),
}
"""By the names that people see."""
