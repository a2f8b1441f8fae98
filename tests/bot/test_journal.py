"""A file of JSON lines that only grows."""

import json
import subprocess
import sys

import pytest

from bot.journal import Journal, open_journal


def opened(path):
    return open_journal(path, "analysis", b'{"number"')


def lines_of(journal):
    found = []
    while journal.next_line is not None:
        found.append(json.loads(journal.next_line)["number"])
        journal.take()
    return found


def test_lines_are_taken_in_their_order_and_new_ones_stand_behind_them(tmp_path):
    path = tmp_path / "a.jsonl"
    for number in range(3):
        with opened(path) as journal:
            assert lines_of(journal) == list(range(number))
            journal.add({"number": number})
    assert len(path.read_bytes().splitlines()) == 3


def test_lines_that_are_written_at_once_all_stand_in_the_file(tmp_path):
    path = tmp_path / "a.jsonl"
    with opened(path) as journal:
        for number in range(3):
            journal.add({"number": number})
            assert len(path.read_bytes().splitlines()) == number + 1, "an end may come at any time"
    with opened(path) as journal:
        assert lines_of(journal) == [0, 1, 2]


def test_one_process_writes_a_journal(tmp_path):
    path = tmp_path / "a.jsonl"
    refused = pytest.raises(ValueError, match=r"another process writes its analysis to .*a\.jsonl")
    for _ in range(2):
        with opened(path), refused:
            opened(path).__enter__()


def test_place_for_no_file_is_one_sentence(tmp_path):
    path = tmp_path / "none" / "a.jsonl"
    with pytest.raises(ValueError, match=r"^cannot use .*a\.jsonl: No such file or directory$"):
        opened(path).__enter__()


def test_line_that_was_cut_off_is_replaced_only_by_a_new_one(tmp_path):
    path = tmp_path / "a.jsonl"
    cut_off = b'{"number": 1, "equity": 0.12'  # longer than the line that takes its place
    path.write_bytes(b'{"number": 0}\n' + cut_off)
    with opened(path) as journal:
        assert lines_of(journal) == [0]
    assert path.read_bytes().endswith(cut_off)
    with opened(path) as journal:
        lines_of(journal)
        journal.add({"number": 1})
    assert path.read_bytes() == b'{"number": 0}\n{"number": 1}\n'


def test_nothing_is_added_before_what_nobody_took(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"number": 0}\n')
    with opened(path) as journal, pytest.raises(ValueError, match="more lines than this analysis"):
        journal.add({"number": 1})
    assert path.read_bytes() == b'{"number": 0}\n'


def test_all_lines_that_are_left_can_be_taken_at_once(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"number": 0}\n{"number": 1}\n{"number": 2}\n')
    with opened(path) as journal:
        journal.take()
        assert journal.take_all() == [b'{"number": 1}\n', b'{"number": 2}\n']
        assert journal.take_all() == []
        journal.add({"number": 3})
    assert len(path.read_bytes().splitlines()) == 4


def test_without_a_file_lines_are_kept_nowhere():
    journal = Journal()
    journal.add({"number": 0})
    assert journal.next_line is None


def test_a_line_for_which_there_is_no_room_names_the_file(tmp_path):
    """By a process of its own, whose files may have no more than so many bytes."""
    path = tmp_path / "a.jsonl"
    program = (
        "import resource, sys; from pathlib import Path; from bot.journal import open_journal\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "with open_journal(Path(sys.argv[1]), 'analysis', b'{') as journal:\n"
        "    journal.add({'text': 'x' * 200})\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(path)], capture_output=True, text=True, timeout=60
    )
    assert ended.stderr.splitlines()[-1] == f"OSError: cannot write {path}: File too large"


def test_without_a_path_there_is_no_file():
    with open_journal(None, "journal", b"{") as journal:
        journal.add({"number": 0})
        assert journal.next_line is None


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(b"other\n", "is no journal: give another file"), (None, "no regular file")],
)
def test_what_is_no_journal_is_refused(tmp_path, content, complaint):
    path = tmp_path / "file"
    path.mkdir() if content is None else path.write_bytes(content)
    with pytest.raises(ValueError, match=complaint), open_journal(path, "journal", b"{"):
        pass
    assert content is None or path.read_bytes() == content
