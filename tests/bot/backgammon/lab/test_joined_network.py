"""Two networks in one."""

import numpy as np
import pytest

from bot.backgammon.evaluation.network import load_network
from bot.backgammon.lab.joined_network import joined_network, main
from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import ROLLS
from tests.plain.networks import decided_network

ONE, OTHER = decided_network(6, 4, seed=1), decided_network(5, 3, seed=2, phases=8)
BOARDS = np.array(
    [play.after.points for roll in ROLLS for play in legal_plays(START, roll)], np.int8
)


def logits(network):
    chances = network.outcomes(BOARDS).astype(np.float64)
    return np.log(chances / (1 - chances))


@pytest.mark.parametrize("share", [0.0, 0.35, 1.0])
def test_sums_of_the_outputs_are_the_weighed_mean_of_both(share):
    joined = joined_network(ONE, OTHER, share)
    assert joined.shape == "196-11-8x7-5"
    expected = (1 - share) * logits(ONE) + share * logits(OTHER)
    assert logits(joined) == pytest.approx(expected, abs=2e-3)


def test_history_adds_up_what_was_played():
    one, other = load_network("td-128"), load_network("td-256")
    joined = joined_network(one, other, 0.5)
    assert joined.history["games"] == 2_000_000
    assert joined.shape == "196-384-5"


def test_networks_of_other_layers_are_not_joined():
    with pytest.raises(ValueError, match="cannot be joined: 196-6-4-5 on classic-1, 196-5-5 on"):
        joined_network(ONE, decided_network(5), 0.5)


def test_command_writes_the_network(tmp_path, monkeypatch, capsys):
    paths = [tmp_path / "one.npz", tmp_path / "other.npz"]
    for network, path in zip((ONE, OTHER), paths, strict=True):
        network.save(path)
    out = str(tmp_path / "joined.npz")
    monkeypatch.setattr(
        "sys.argv", ["joined_network", *map(str, paths), "--share", "0.2", "--out", out]
    )
    main()
    assert capsys.readouterr().out.startswith("196-11-8x7-5: ")
    assert load_network(out).history["share"] == 0.2
    monkeypatch.setattr(
        "sys.argv", ["joined_network", *map(str, paths), "--share", "1.5", "--out", out]
    )
    with pytest.raises(SystemExit):
        main()
    assert "--share is 0 to 1, not 1.5" in capsys.readouterr().err
