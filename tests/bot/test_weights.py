"""The networks that come with Blot."""

import shutil
from types import SimpleNamespace

import pytest

from bot import weights
from bot.backgammon.evaluation.network import load_network
from bot.draughts.evaluation.patterns import PatternEvaluation
from bot.weights import (
    DEFAULT,
    Listed,
    benchmark_file,
    bring_weights,
    digest_of,
    evaluation_file,
    listed_weights,
    match_equities_file,
    weights_aliases,
    weights_digest,
    weights_file,
    weights_folder,
)
from bot.workers import on_cluster

EVALUATIONS = ("draughts-czech", "draughts-international")


@pytest.mark.parametrize("name", EVALUATIONS)
def test_listed_evaluation_is_the_one_in_its_file(name):
    evaluation = PatternEvaluation.load(evaluation_file(name))
    assert f"draughts-{evaluation.variant.name}" == name
    assert evaluation.history["games"] >= 10_000
    assert evaluation_file(name).stat().st_size < 2e6


def test_an_evaluation_that_is_not_listed_is_told():
    with pytest.raises(ValueError, match="no evaluation 'chess': it is one of draughts-"):
        evaluation_file("chess")


@pytest.mark.parametrize("name", sorted(listed_weights()))
def test_listed_network_is_the_one_in_its_file(name):
    listed = listed_weights()[name]
    network = load_network(name)
    assert network.shape == listed.shape
    assert str(network.inputs) == listed.inputs
    assert network.history["games"] == listed.games
    assert (weights_folder() / listed.file).stat().st_size < 20e6


def test_every_file_of_weights_is_listed_and_described():
    folder = weights_folder()
    described = (folder / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in folder.glob("*.npz")}
    assert files == {
        benchmark_file().name,
        match_equities_file().name,
        *(evaluation_file(name).name for name in EVALUATIONS),
        *(listed.file for listed in listed_weights().values()),
    }
    assert all(f"`{file}`" in described for file in files)


def test_default_stands_for_a_listed_network():
    assert load_network(DEFAULT).history["plies"] >= 3_000_000


def test_aliases_stand_for_listed_networks():
    aliases = weights_aliases()
    assert {"default", "hard"} <= set(aliases)
    assert not set(aliases) & set(listed_weights())
    for alias, name in aliases.items():
        assert weights_file(alias) == weights_file(name)


def test_the_three_levels_are_there_and_differ():
    files = {weights_file(level) for level in ("easy", "medium", "hard")}
    assert len({digest_of(file) for file in files}) == 3


def test_file_is_loaded_by_its_path():
    path = weights_folder() / next(iter(listed_weights().values())).file
    assert load_network(str(path)).history["games"] > 0


def test_unknown_name_is_told_the_known_ones():
    with pytest.raises(ValueError, match=r"no weights 'gnu': give a file or one of default, "):
        load_network("gnu")


def test_an_empty_name_and_a_folder_are_no_weights(tmp_path):
    with pytest.raises(ValueError, match="no weights '': give a file or one of"):
        load_network("")
    with pytest.raises(ValueError, match="no weights 'xxx"):
        load_network("x" * 300)
    with pytest.raises(ValueError, match="is a folder, no weights file"):
        load_network(str(tmp_path))


@pytest.mark.parametrize("name", ["kinds", "match_equities", "draughts-czech"])
def test_files_of_blot_that_are_no_networks_are_told_so(name):
    with pytest.raises(ValueError, match=rf"{name}\.npz is no weights file, but something else"):
        load_network(str(weights_folder() / f"{name}.npz"))


def test_missing_file_is_named():
    with pytest.raises(ValueError, match=r"no weights file gnu\.npz"):
        load_network("gnu.npz")


def copied_weights(tmp_path, monkeypatch):
    folder = tmp_path / "weights"
    shutil.copytree(weights_folder(), folder)
    monkeypatch.setattr(weights, "weights_folder", lambda: folder)
    return folder


def test_changed_file_is_refused(tmp_path, monkeypatch):
    folder = copied_weights(tmp_path, monkeypatch)
    listed: Listed = next(iter(listed_weights().values()))
    with (folder / listed.file).open("ab") as file:
        file.write(b"!")
    with pytest.raises(ValueError, match="damaged"):
        load_network(listed.name)


def test_changed_benchmark_is_refused(tmp_path, monkeypatch):
    folder = copied_weights(tmp_path, monkeypatch)
    assert benchmark_file().parent == folder
    with benchmark_file().open("ab") as file:
        file.write(b"!")
    with pytest.raises(ValueError, match="damaged"):
        benchmark_file()


def test_lost_file_is_named(tmp_path, monkeypatch):
    folder = copied_weights(tmp_path, monkeypatch)
    listed = next(iter(listed_weights().values()))
    (folder / listed.file).unlink()
    with pytest.raises(ValueError, match="listed but missing"):
        load_network(listed.name)


def test_digest_of_weights_is_of_the_networks_of_deep_searches_too(tmp_path, monkeypatch):
    folder = copied_weights(tmp_path, monkeypatch)
    row = listed_weights()[weights_aliases()[DEFAULT]]
    alone = digest_of(weights_file())
    assert weights_digest(str(weights_file())) == alone
    found = weights_digest()
    assert found == weights_digest(row.name) != alone
    manifest = folder / "manifest.toml"
    manifest.write_text(manifest.read_text().replace(f'tree = "{row.tree}"', 'tree = "td-128"'))
    assert weights_digest() not in (found, alone)


def test_weights_are_found_inside_the_package_of_a_copy_or_missed_in_a_sentence(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(weights, "__file__", str(tmp_path / "bot" / "weights.py"))
    with pytest.raises(ValueError, match=r"^no weights folder beside .*bot; install Blot again$"):
        weights_folder()
    (tmp_path / "bot" / "_weights").mkdir(parents=True)
    (tmp_path / "bot" / "_weights" / "manifest.toml").touch()
    assert weights_folder() == tmp_path / "bot" / "_weights"


def test_only_weights_in_a_file_are_brought_to_a_node_which_keeps_them_once(tmp_path, monkeypatch):
    files, brought = [tmp_path / "one.npz", tmp_path / "other.npz"], []
    for file in files:
        file.write_text(file.name)
    with on_cluster(SimpleNamespace(first=lambda take, *piece: brought.append((take, piece)))):
        bring_weights(["", "default", "td-128", *map(str, files), str(files[0])])
    monkeypatch.setenv("BLOT_CACHE", str(tmp_path / "cache" / "of a node"))
    monkeypatch.setattr(weights, "_brought", {})
    for file, (take, piece) in zip(files, brought, strict=True):
        file.unlink()
        take(*piece)
        kept = weights_file(str(file))
        assert kept.is_relative_to(tmp_path / "cache")
        assert kept.read_text() == file.name
        before = kept.stat()
        take(*piece)
        assert kept.stat() == before
