"""`blot signature`, run as people run it."""

import json
import re
from dataclasses import replace
from pathlib import Path

from bot.backgammon.arena.signature import Signature
from bot.weights import listed_weights, weights_aliases
from protocol.cli import main


def failure(capsys, *arguments):
    """What a command that fails says, which is one sentence."""
    assert main(arguments) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix("blot: ").removesuffix("\n")


def test_signature_comes_with_version_and_weights(capsys, monkeypatch):
    listed = listed_weights()[weights_aliases()["default"]].signature
    monkeypatch.setattr(
        "bot.backgammon.arena.signature.signature", lambda engines: Signature(listed, 1)
    )
    assert main(["signature"]) == 0
    said = capsys.readouterr().out
    found = re.fullmatch(r"(\d{7})  Blot (\S+), weights default \(([0-9a-f]{12})\)\n", said)
    assert found
    assert main(["signature", "--json", "--check", "--weights", "default"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["signature"] == int(found[1]) == listed
    assert table["version"] == found[2]
    assert table["weights"].startswith(found[3])
    assert table["weights"] in {row.sha256 for row in listed_weights().values()}


def test_signature_that_is_not_the_one_listed_fails_the_check(capsys, monkeypatch):
    rows = {name: replace(row, signature=1234567) for name, row in listed_weights().items()}
    monkeypatch.setattr("bot.weights.listed_weights", lambda: rows)
    monkeypatch.setattr(
        "bot.backgammon.arena.signature.signature", lambda engines: Signature(7654321, 1)
    )
    assert main(["signature", "--check"]) == 1
    told = "Blot plays otherwise with weights default: the signature is 7654321, "
    assert capsys.readouterr().err.endswith(f"blot: {told}the manifest lists 1234567\n")


def test_signature_that_is_not_listed_cannot_be_checked(capsys):
    told = "no signature to check: the manifest lists none for weights td-256"
    assert failure(capsys, "signature", "--check", "--weights", "td-256") == told


def test_signature_of_missing_weights_names_them(capsys, tmp_path):
    path = tmp_path / "none.npz"
    assert failure(capsys, "signature", "--weights", str(path)) == f"no weights file {path}"


def test_version_is_that_of_the_distribution():
    import tomllib

    from bot import VERSION

    project = tomllib.loads((Path(__file__).parents[4] / "pyproject.toml").read_text())
    assert project["project"]["version"] == VERSION
