"""The mean of networks."""

from dataclasses import replace

import numpy as np
import pytest

from bot.backgammon.lab.mean_network import main, mean_network
from tests.plain.networks import decided_network

ONE, OTHER = (
    replace(decided_network(4, 3, seed=seed), history={"games": seed, "plies": 10 * seed})
    for seed in (1, 2)
)


def test_every_weight_is_the_mean_of_the_networks():
    mean = mean_network([ONE, OTHER])
    for found, first, second in zip(mean.layers, ONE.layers, OTHER.layers, strict=True):
        assert found.dtype == np.float32
        assert found == pytest.approx((first + second) / 2)


def test_history_adds_up_what_was_played():
    assert mean_network([ONE, OTHER]).history == {"mean_of": 2, "games": 3, "plies": 30}


def test_networks_of_different_shapes_have_no_mean():
    with pytest.raises(ValueError, match="no mean: 196-4-3-5 on classic-1, 196-5-5 on classic-1"):
        mean_network([ONE, decided_network(5)])


def test_command_writes_the_mean(tmp_path, monkeypatch, capsys):
    paths = [tmp_path / "one.npz", tmp_path / "other.npz"]
    for network, path in zip((ONE, OTHER), paths, strict=True):
        network.save(path)
    out = tmp_path / "mean.npz"
    monkeypatch.setattr("sys.argv", ["mean_network", *map(str, paths), "--out", str(out)])
    main()
    assert capsys.readouterr().out == f"196-4-3-5: the mean of 2 is in {out}\n"
    assert out.exists()


def test_command_says_in_a_sentence_which_file_is_missing(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.argv", ["mean_network", "nothing.npz", "--out", str(tmp_path / "a")])
    with pytest.raises(SystemExit, match=r"nothing\.npz"):
        main()


def test_mean_is_not_written_over_a_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["mean_network", "td-128", "--out", str(tmp_path)])
    with pytest.raises(SystemExit):
        main()
    assert f"--out: {tmp_path} is a folder: name a file" in capsys.readouterr().err
