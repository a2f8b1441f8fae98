import json

import pytest

from bot.lab.found_values import found_values

ABOUT = {"seed": 1, "rates": (0.1, 0.2)}


def asked(path, key, value):
    """The value found for a key, and whether it had to be asked for."""
    calls = []
    with found_values(path, ABOUT) as values:
        found = values.found(key, lambda: calls.append(key) or value)
    return found, bool(calls)


def test_value_is_found_once_and_kept(tmp_path):
    path = tmp_path / "journal.jsonl"
    assert asked(path, "a", (1, 0.1)) == ([1, 0.1], True)
    assert asked(path, "a", None) == ([1, 0.1], False)
    assert asked(path, "b", 2) == (2, True)
    assert len(path.read_bytes().splitlines()) == 3


def test_values_tell_which_keys_were_found(tmp_path):
    with found_values(tmp_path / "journal.jsonl", ABOUT) as values:
        assert "a" not in values
        values.found("a", lambda: None)
        assert "a" in values


def test_line_that_was_cut_off_is_found_again(tmp_path):
    path = tmp_path / "journal.jsonl"
    asked(path, "a", 1)
    asked(path, "b", 2)
    whole = path.read_bytes()
    path.write_bytes(whole[:-4])
    assert asked(path, "b", 2) == (2, True)
    assert path.read_bytes() == whole


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"something else\n", "is no journal"),
        (b"something else", "is no journal"),
        (b'{"key": "a"}\n', "is no journal"),
        (
            b'{"about": {"seed": 2, "nodes": null, "rates": [1, 2]}}\n',
            "was begun with seed 2, rates 1,2: give these again, or another folder",
        ),
        (json.dumps({"about": ABOUT}).encode() + b'\n{"key": "a"}\n', "is damaged"),
    ],
)
def test_file_of_something_else_is_left_alone(tmp_path, content, sentence):
    path = tmp_path / "journal.jsonl"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=sentence), found_values(path, ABOUT):
        pass
    assert path.read_bytes() == content


def test_only_one_process_adds_to_the_values(tmp_path):
    path = tmp_path / "journal.jsonl"
    with (
        found_values(path, ABOUT),
        pytest.raises(ValueError, match="another process"),
        found_values(path, ABOUT),
    ):
        pass
