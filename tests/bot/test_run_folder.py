"""Folders of runs: new ones, and those that hold something."""

import pytest

from bot.files import stamp_of
from bot.run_folder import CHECKPOINT, SNAPSHOTS, alone_in, new_folder, prepare


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


def test_a_folder_with_a_checkpoint_holds_another_run(tmp_path):
    (tmp_path / CHECKPOINT).touch()
    with pytest.raises(ValueError, match=r"holds another run: resume it or choose another folder$"):
        prepare(tmp_path)


def test_a_new_run_begins_in_a_folder_that_is_made_or_has_something_else(tmp_path):
    for _ in range(2):
        prepare(tmp_path / "run")
        assert [path.name for path in (tmp_path / "run").iterdir()] == [SNAPSHOTS]
    (tmp_path / "run" / "notes").touch()
    prepare(tmp_path / "run")


def test_one_process_trains_in_a_folder_while_nobody_else_has(tmp_path):
    stamp = stamp_of(tmp_path / CHECKPOINT)
    for _ in range(2):
        refused = pytest.raises(ValueError, match=r"^another process is training in ")
        with alone_in(tmp_path, stamp), refused:
            alone_in(tmp_path, stamp).__enter__()
    (tmp_path / CHECKPOINT).touch()
    with pytest.raises(ValueError, match=r"^another process has trained in .*: resume it again$"):
        alone_in(tmp_path, stamp).__enter__()
    with alone_in(tmp_path, stamp_of(tmp_path / CHECKPOINT)):
        pass
