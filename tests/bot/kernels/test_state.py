"""The folder of compiled code."""

import os
import pwd
import shutil
from pathlib import Path

import pytest

from bot.kernels import state


@pytest.fixture
def sources(tmp_path):
    """A copy of the kernel sources, as old as they are."""
    bot = Path(state.__file__).parent.parent
    copy = tmp_path / "bot"
    for source in bot.glob("**/kernels/*.py"):
        target = copy / source.relative_to(bot)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    return copy


def test_any_change_of_a_kernel_source_gives_another_state(sources):
    before = state.digest_of_state(sources)
    assert state.digest_of_state(sources) == before
    with (sources / "backgammon" / "kernels" / "boards.py").open("a") as file:
        file.write("\n")
    assert state.digest_of_state(sources) != before


def test_sources_written_anew_are_another_state_as_they_are_for_numba(sources):
    before = state.digest_of_state(sources)
    os.utime(sources / "backgammon" / "kernels" / "boards.py")
    assert state.digest_of_state(sources) != before


def test_same_sources_elsewhere_are_another_state_as_they_are_for_numba(sources):
    elsewhere = sources.parent / "elsewhere"
    shutil.copytree(sources, elsewhere)
    assert state.digest_of_state(elsewhere) != state.digest_of_state(sources)


def test_only_the_last_states_are_kept(tmp_path):
    for age in range(12):
        folder = tmp_path / f"state{age}"
        folder.mkdir()
        os.utime(folder, (1000 - age, 1000 - age))
    state.forget_old_states(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"state{i}" for i in range(8)]


def test_compiled_jobs_are_remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "_made_folder", lambda: (tmp_path, None))
    monkeypatch.setattr(state, "COMPILES", True)
    assert not state.is_compiled("search")
    state.mark_compiled("search")
    assert state.is_compiled("search")
    assert not state.is_compiled("training")


def test_lost_folder_of_compiled_code_does_no_harm(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "_made_folder", lambda: (tmp_path / "gone", None))
    monkeypatch.setattr(state, "COMPILES", True)
    state.mark_compiled("search")
    assert not state.is_compiled("search")


def test_cache_folder_follows_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for variable in ("BLOT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    assert state.user_cache() == tmp_path / ".cache" / "blot"
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert state.user_cache() == tmp_path / "xdg" / "blot"
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "own"))
    assert state.user_cache() == tmp_path / "own" / "blot"


def test_where_the_system_knows_no_home_the_cache_folder_is_one_that_is_not_there(monkeypatch):
    def unknown(user):
        raise KeyError(user)

    for variable in ("HOME", "BLOT_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)
    assert not state.user_cache().exists()


def test_a_folder_that_its_owner_cannot_write_in_is_none(tmp_path, monkeypatch):
    def refuse(dir):
        raise PermissionError(13, "Permission denied", dir)

    monkeypatch.setenv("BLOT_CACHE", str(tmp_path))
    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    made = state._made_folder.__wrapped__()
    monkeypatch.setattr(state, "_made_folder", lambda: made)
    assert state.folder() is None
    assert state.writing_problem() == "Permission denied"
    assert state.folder_to_read() == made[0]
    assert [os.listdir(path) for path in (tmp_path / "blot" / "kernels").iterdir()] == [[]]


def test_jobs_stay_compiled_where_nothing_can_be_written(tmp_path, monkeypatch):
    monkeypatch.setattr(state, "COMPILES", True)
    monkeypatch.setattr(state, "_made_folder", lambda: (tmp_path, None))
    state.mark_compiled("search")
    monkeypatch.setattr(state, "_made_folder", lambda: (tmp_path, OSError("read-only")))
    state.mark_compiled("training")
    assert state.is_compiled("search")
    assert not state.is_compiled("training")
