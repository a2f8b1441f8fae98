"""`blot weights`, run as people run it."""

import json

from bot.backgammon.evaluation.network import load_network
from bot.weights import listed_weights
from protocol.cli import main


def test_weights_are_listed_with_all_their_names(capsys):
    assert main(["weights"]) == 0
    listed = capsys.readouterr().out
    assert main(["weights", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert set(rows) == set(listed_weights())
    for name, row in rows.items():
        assert f"{row['shape']}, {row['inputs']}, {row['games']:,} games" in listed
        assert row["strength"] in listed
        for other in row["names"]:
            assert load_network(other).history == load_network(name).history
    assert {"default", "hard"} <= {name for row in rows.values() for name in row["names"]}
