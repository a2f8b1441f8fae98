import pytest

from protocol.backgammon.servers.courtesy import MAX_NAMES, Courtesy, Names, plain


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("plain", "plain"),
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b]0;title\x07name", "name"),
        ("\x1b]0;title\x1b\\name", "name"),
        ("\x1b(Bname", "name"),
        ("a\x07b\x00c\rd\x9bm", "abcdm"),
        ("\x1b", ""),
        ("Šárka", "Šárka"),
        ("\u202eright", "right"),
    ],
)
def test_escape_sequences_are_taken_out(text, seen):
    assert plain(text) == seen


def test_a_sentence_of_a_kind_is_said_once_to_a_person():
    courtesy = Courtesy()
    assert courtesy.allows("Bob", "answer")
    assert not courtesy.allows("bob", "answer")
    assert courtesy.allows("bob", "decline")
    assert courtesy.allows("eve", "answer")


def test_nothing_is_said_to_who_does_not_listen():
    courtesy = Courtesy()
    courtesy.gagged_by("Bob")
    assert not courtesy.allows("bob", "answer")


def test_names_do_not_grow_without_end():
    names = Names()
    for number in range(2 * MAX_NAMES):
        names.add(f"name{number}")
    assert "name0" not in names
    assert f"NAME{2 * MAX_NAMES - 1}" in names
    names.forget(f"name{2 * MAX_NAMES - 1}")
    assert f"name{2 * MAX_NAMES - 1}" not in names
    assert sum(f"name{number}" in names for number in range(2 * MAX_NAMES)) == MAX_NAMES - 1
