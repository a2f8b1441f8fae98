"""Folders of runs: new ones, and those that hold something."""

import pytest

from bot.run_folder import new_folder, prepare


def test_new_folder_is_one_that_was_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = [new_folder("quick") for _ in range(3)]
    assert list(map(str, made)) == ["runs/quick", "runs/quick-2", "runs/quick-3"]
    assert all(folder.is_dir() for folder in made)


def test_file_in_the_way_of_the_folders_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").write_text("")
    with pytest.raises(OSError, match="cannot make the folder runs/quick: Not a directory"):
        new_folder("quick")


def test_a_link_to_a_disk_that_is_not_there_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs").symlink_to(tmp_path / "nowhere")
    with pytest.raises(OSError, match="cannot make the folder runs/quick: runs is no folder"):
        new_folder("quick")


@pytest.mark.parametrize(
    "name", ["settings.toml", "tests.csv", "weights.npz", "snapshots/1.npz", "curve.png"]
)
def test_nothing_is_written_over_by_a_new_run(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(ValueError, match="would be written over: choose another folder"):
        prepare(tmp_path)
    assert (tmp_path / name).read_text() == "mine"


def test_an_empty_folder_of_snapshots_is_in_nobody_s_way(tmp_path):
    for _ in range(2):
        prepare(tmp_path)
        assert list(tmp_path.iterdir()) == [tmp_path / "snapshots"]
