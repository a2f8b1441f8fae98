"""Rollout journal: the trials of a rollout as a file of JSON lines, gone on with at any time."""

import base64
import binascii
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from bot.backgammon.engine.rollout_start import Start
from bot.backgammon.engine.rollout_trials import RolloutPlayer, RolloutSettings
from bot.backgammon.kernels.rollout import COLUMNS, Samples
from bot.backgammon.rules.decision import ChooseCubeAction
from bot.journal import Journal
from bot.weights import weights_digest
from protocol.backgammon.formats.position_id import gnubg_id

KIND, BEGINNING = "rollout", b'{"rollout"'
"""A journal's kind, and the beginning of its first line."""

NUMBERS = np.dtype("<f8")


class RolloutJournal:
    """Trials of several starts: those that the journal has, and new ones behind them.

    trials: float64[len(starts), 2, n, 6], what there is. The first line tells what is rolled out
    and how, each other one some trials, with all their bits. How many trials are wanted, by how
    many workers and to which error may change from call to call. Raises ValueError if the journal
    is of another rollout, or damaged.
    """

    def __init__(
        self,
        starts: Sequence[Start],
        player: RolloutPlayer,
        settings: RolloutSettings,
        journal: Journal,
    ) -> None:
        self._journal = journal
        self._shape = len(starts), 2, -1, COLUMNS
        about = {"rollout": _about(starts, player, settings)}
        parts = [np.empty((len(starts), 2, 0, COLUMNS))]
        if journal.next_line is None:
            journal.add(about)
        elif _values(journal, 1) != about:
            raise ValueError(
                f"{journal.path} has a rollout of something else, or by other settings: give the "
                "same options again, or another file"
            )
        else:
            journal.take()
        while journal.next_line is not None:
            parts.append(self._part(len(parts) + 1, sum(part.shape[2] for part in parts)))
            journal.take()
        self.trials: Samples = np.concatenate(parts, axis=2)

    def add(self, first: int, trials: Samples) -> None:
        """Keep more trials from the first on; float64[len(starts), 2, n, 6]."""
        data = base64.b64encode(trials.astype(NUMBERS).tobytes()).decode()
        self._journal.add({"first": first, "trials": data})

    def _part(self, line: int, first: int) -> Samples:
        values = _values(self._journal, line)
        try:
            if values["first"] != first:
                raise ValueError("trials are missing")
            data = base64.b64decode(values["trials"], validate=True)
            return np.frombuffer(data, NUMBERS).reshape(self._shape)
        except (KeyError, TypeError, ValueError, binascii.Error):
            path = self._journal.path
            raise ValueError(f"{path} is damaged: cannot read line {line}") from None


def _values(journal: Journal, line: int) -> Any:
    assert journal.next_line is not None
    try:
        return json.loads(journal.next_line)
    except (ValueError, RecursionError):
        raise ValueError(f"{journal.path} is damaged: cannot read line {line}") from None


def _about(
    starts: Sequence[Start], player: RolloutPlayer, settings: RolloutSettings
) -> dict[str, Any]:
    """All that the trials depend on, as JSON can say."""
    told = asdict(settings)
    for name in ("trials", "error", "workers"):
        del told[name]
    values: dict[str, Any] = json.loads(
        json.dumps(
            {
                "starts": [
                    {
                        "id": gnubg_id(ChooseCubeAction(start.state)),
                        "may_double": start.may_double,
                        "unit": start.unit,
                        "cube": start.has_cube,
                        "met": start.met and start.met.digest[:16],
                    }
                    for start in starts
                ],
                "weights": weights_digest(player.weights)[:16],
                "databases": player.has_databases,
                **told,
            }
        )
    )
    return values
