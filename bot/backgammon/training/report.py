"""Report: the learning curves of runs, drawn."""

import math
from collections.abc import Sequence
from pathlib import Path

from bot.archive import write_whole
from bot.backgammon.training.measurement import Measurement, read_measurements

NBG_WON = 61.4
"""Per cent of games against pubeval of the best net of the NBG thesis, Ljubljana 2010."""

PULVERGAMMON_POINTS = 0.26
"""Points per game against pubeval of the best player of the PulverGammon report, Denmark 2007."""


def draw_learning_curves(folders: Sequence[Path], picture: Path) -> None:
    """Draw what the runs in the folders measured against pubeval, with errors, to a file.

    picture: its ending tells what kind it is, a PNG file if there is none. Raises ValueError if a
    folder has no measurements or matplotlib is not installed.
    """
    curves = {_label_of(folder, folders): _curve_of(folder) for folder in folders}
    try:
        import matplotlib

        matplotlib.use("Agg")
        from matplotlib import pyplot
    except ImportError:
        raise ValueError("drawing needs matplotlib: pip install 'blot-gammon[plots]'") from None
    figure, (won, points) = pyplot.subplots(1, 2, figsize=(12, 5), layout="constrained")
    for label, curve in curves.items():
        games = [measurement.games / 1000 for measurement in curve]
        shares = [100 * measurement.pubeval_won for measurement in curve]
        errors = [100 * _drawn(measurement.pubeval_won_error) for measurement in curve]
        won.errorbar(games, shares, errors, label=label, marker=".", capsize=2)
        means = [measurement.pubeval_points for measurement in curve]
        errors = [_drawn(measurement.pubeval_points_error) for measurement in curve]
        points.errorbar(games, means, errors, label=label, marker=".", capsize=2)
    won.axhline(NBG_WON, color="grey", linestyle=":", label=f"NBG, 2010: {NBG_WON} %")
    won.set_ylabel("games won against pubeval (%)")
    label = f"PulverGammon, 2007: +{PULVERGAMMON_POINTS}"
    points.axhline(PULVERGAMMON_POINTS, color="grey", linestyle=":", label=label)
    points.set_ylabel("points per game against pubeval")
    for axes in (won, points):
        axes.set_xlabel("games of self-play (thousands)")
        axes.grid(alpha=0.3)
        axes.legend(loc="best")
    kind = picture.suffix.removeprefix(".") or "png"
    try:
        write_whole(picture, lambda file: figure.savefig(file, format=kind, dpi=120))
    finally:
        pyplot.close(figure)


def _drawn(error: float | None) -> float:
    """An error as matplotlib takes it, which draws no bar for one that is no number."""
    return math.nan if error is None else error


def _label_of(folder: Path, folders: Sequence[Path]) -> str:
    """The folder's name, its whole path if another folder has the same name."""
    names = [other.resolve().name for other in folders]
    name = folder.resolve().name
    return name if names.count(name) == 1 else str(folder)


def _curve_of(folder: Path) -> list[Measurement]:
    if not folder.is_dir():
        raise ValueError(f"no folder {folder}: a learning curve is drawn from the folder of a run")
    measurements = read_measurements(folder / "tests.csv")
    if not measurements:
        raise ValueError(f"{folder} has no measurements yet")
    return measurements
