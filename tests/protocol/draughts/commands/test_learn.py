import pytest

from bot.draughts.evaluation.state_table import StateTable
from protocol.cli import main


def learn(*options):
    return main(["draughts", "learn", *map(str, options)])


def test_a_table_is_learnt_and_prolonged(tmp_path, capsys):
    assert learn("--out", tmp_path / "run", "--games", 4, "--depth", 1) == 0
    told = capsys.readouterr().out
    table = StateTable.load(tmp_path / "run" / "states.npz")
    assert told.startswith("4 games, ")
    assert f"{len(table):,} states: {tmp_path}/run/states.npz. The best won" in told
    assert told.endswith(" % (95 %).\n")
    assert learn("--resume", tmp_path / "run", "--games", 6) == 0
    assert capsys.readouterr().out.startswith("6 games, ")
    assert len(StateTable.load(tmp_path / "run" / "states.npz")) > len(table)


def test_a_new_run_has_a_folder_of_its_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert learn("--games", 1, "--depth", 1, "--variant", "international", "--each") == 0
    assert "a new run of 1 games in runs/states-international" in capsys.readouterr().err
    names = {path.name for path in (tmp_path / "runs" / "states-international").iterdir()}
    assert names == {"checkpoint.npz", "states-white.npz", "states-black.npz"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--games", 0], "a run has 1 to 1,000,000,000 games, not 0"),
        (["--discount", 1], "a discount is more than 0 and less than 1, not 1"),
        (["--resume", "nowhere"], "nowhere holds no run"),
        (["--resume", "nowhere", "--depth", 3], "beside --resume only --games"),
    ],
)
def test_wrong_options_are_told_in_a_sentence(tmp_path, monkeypatch, capsys, options, reason):
    monkeypatch.chdir(tmp_path)
    assert learn(*options) == (1 if options == ["--resume", "nowhere"] else 2)
    assert reason in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.npz"))
