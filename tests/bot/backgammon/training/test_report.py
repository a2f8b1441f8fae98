"""Learning curves, drawn."""

from dataclasses import replace

import pytest

from bot.backgammon.training import report
from bot.backgammon.training.measurement import Measurement, write_measurements
from bot.backgammon.training.report import draw_learning_curves

pytest.importorskip("matplotlib", reason="draws with matplotlib")

AT_FIRST = Measurement(1000, 1.0, 60.0, 10_000, 0.2, 0.005, -0.9, 0.01, 0.9, 0.01, 1.9, 0.03, 0)
LATER = replace(AT_FIRST, games=2000, seconds=2.0, pubeval_won=0.5, pubeval_points=0.1)


def folder_with(path, *measurements):
    path.mkdir(parents=True)
    write_measurements(path / "tests.csv", measurements)
    return path


def drawn_figure(folders, picture, monkeypatch):
    """The figure as it was when it was written."""
    figures = []

    def keep(path, write):
        figures.append(write.__closure__[0].cell_contents)
        write_whole(path, write)

    write_whole = report.write_whole
    monkeypatch.setattr(report, "write_whole", keep)
    draw_learning_curves(folders, picture)
    return figures[0]


def test_curves_of_two_runs_stand_in_one_picture(tmp_path, monkeypatch):
    one = folder_with(tmp_path / "a" / "run", AT_FIRST, LATER)
    unknown = replace(AT_FIRST, pubeval_won_error=None, pubeval_points_error=None)
    other = folder_with(tmp_path / "b" / "run", unknown)
    figure = drawn_figure([one, other], tmp_path / "curve.png", monkeypatch)
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    for axes in figure.axes:
        curves = {bars.get_label(): bars for bars in axes.containers}
        assert set(curves) == {str(one), str(other)}
        assert list(curves[str(one)].lines[0].get_xdata()) == [1, 2]
        assert len(axes.get_legend().get_texts()) == 3
    won, points = (axes.containers[0].lines[0].get_ydata() for axes in figure.axes)
    assert list(won) == [20, 50]
    assert list(points) == [-0.9, 0.1]


def test_no_legend_hides_a_curve(tmp_path, monkeypatch):
    lost = [replace(AT_FIRST, games=1000 * n, pubeval_won=0.02) for n in range(1, 7)]
    figure = drawn_figure([folder_with(tmp_path / "run", *lost)], tmp_path / "a.png", monkeypatch)
    for axes in figure.axes:
        box = axes.get_legend().get_window_extent()
        seen = axes.transData.transform(axes.containers[0].lines[0].get_xydata())
        assert not any(box.contains(*place) for place in seen)


def test_curve_is_named_after_its_folder(tmp_path, monkeypatch):
    folder = folder_with(tmp_path / "wide", AT_FIRST)
    monkeypatch.chdir(folder)
    figure = drawn_figure([folder.relative_to(folder)], folder / "curve.png", monkeypatch)
    assert figure.axes[0].containers[0].get_label() == "wide"


def test_folder_without_tests_is_named_and_nothing_drawn(tmp_path):
    run = folder_with(tmp_path / "run")
    with pytest.raises(ValueError, match="run has no measurements yet"):
        draw_learning_curves([run], tmp_path / "curve.png")
    assert not (tmp_path / "curve.png").exists()


def test_picture_is_of_the_kind_that_its_name_tells(tmp_path):
    run = folder_with(tmp_path / "run", AT_FIRST)
    draw_learning_curves([run], tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text()


def test_picture_that_cannot_be_written_is_named(tmp_path):
    run = folder_with(tmp_path / "run", AT_FIRST)
    with pytest.raises(OSError, match=r"cannot write .*none/curve\.png: No such file"):
        draw_learning_curves([run], tmp_path / "none" / "curve.png")


def test_a_run_that_is_no_folder_is_named(tmp_path):
    (tmp_path / "run").write_text("games")
    for name in ("run", "none"):
        with pytest.raises(ValueError, match=f"no folder .*{name}: a learning curve"):
            draw_learning_curves([tmp_path / name], tmp_path / "curve.png")
