"""TD(lambda): after each game the network learns from its end back to its beginning."""

from typing import Any

from numpy.typing import NDArray

from bot.archive import Arrays
from bot.backgammon.kernels.network import Layers
from bot.backgammon.kernels.selfplay import learn_by_selfplay
from bot.backgammon.network import Network, random_network
from bot.backgammon.selfplay import Tally, new_generator
from bot.backgammon.training.settings import Settings


class TemporalDifference:
    """A network playing itself; what it learns depends on nothing but the settings."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tally = Tally()
        self._layers = random_network(settings.hidden_units, settings.seed).layers
        self._generator = new_generator(settings.seed)

    def advance(self, games: int) -> None:
        """Play so many games more and learn from each."""
        counts = self.tally.counts
        learn_by_selfplay(
            games,
            self.settings.most_plies,
            self.settings.rate_at(self.tally.games),
            self.settings.trace,
            self._generator,
            self._layers,
            counts,
        )

    @property
    def network(self) -> Network:
        """The network as it is now, a copy."""
        return Network(Layers(*(array.copy() for array in self._layers)))

    def state(self) -> dict[str, NDArray[Any]]:
        """All that advance changes, as arrays by name."""
        arrays: dict[str, NDArray[Any]] = dict(self._layers._asdict())
        return {**arrays, "generator": self._generator, "tally": self.tally.counts}

    def restore(self, state: Arrays) -> None:
        """Go back to a state; raises ValueError if it is of another network."""
        for name, array in self.state().items():
            saved = state.get(name)
            if saved is None or saved.shape != array.shape or saved.dtype != array.dtype:
                raise ValueError(f"{name} in the checkpoint does not fit these settings")
            array[...] = saved
