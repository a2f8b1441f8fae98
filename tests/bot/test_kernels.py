"""The folder of compiled code."""

import os
import shutil
from pathlib import Path

import bot.kernels as kernels


def test_any_change_of_a_kernel_source_gives_another_state(tmp_path, monkeypatch):
    copy = tmp_path / "bot"
    for source in Path(kernels.__file__).parent.parent.glob("**/kernels/*.py"):
        target = copy / source.relative_to(Path(kernels.__file__).parent.parent)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, target)
    before = kernels._state_of_sources()
    monkeypatch.setattr(kernels, "__file__", str(copy / "kernels" / "__init__.py"))
    assert kernels._state_of_sources() == before
    with (copy / "backgammon" / "kernels" / "boards.py").open("a") as file:
        file.write("\n")
    assert kernels._state_of_sources() != before


def test_only_the_last_states_are_kept(tmp_path):
    for age in range(12):
        folder = tmp_path / f"state{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    kernels._forget_old_states(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"state{i}" for i in range(8)]


def test_compiled_jobs_are_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "FOLDER", tmp_path)
    monkeypatch.setitem(kernels._NUMBA_SETTINGS, "DISABLE_JIT", 0)
    assert not kernels.is_compiled("engine")
    kernels.mark_compiled("engine")
    assert kernels.is_compiled("engine")
    assert not kernels.is_compiled("train")


def test_lost_folder_of_compiled_code_does_no_harm(tmp_path, monkeypatch):
    monkeypatch.setattr(kernels, "FOLDER", tmp_path / "gone")
    monkeypatch.setitem(kernels._NUMBA_SETTINGS, "DISABLE_JIT", 0)
    kernels.mark_compiled("engine")
    assert not kernels.is_compiled("engine")
