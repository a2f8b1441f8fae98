"""What modules that are run say of wrong arguments."""

import argparse
import signal

import numpy as np
import pytest

from bot.lab.command_line import (
    existing_file,
    existing_folder,
    file_to_write,
    lab_parser,
    number_from,
    seed_number,
    told_in_a_sentence,
    whole_number,
)
from bot.seed import MAX_SEED
from tests.processes import hang_ups_heard


def test_help_tells_the_first_line_and_what_is_taken_if_nothing_is_given(capsys):
    parser = lab_parser("Kinds: makes them.\n\nMore of that.")
    parser.add_argument("--games", type=int, default=20, help="at each score")
    parser.add_argument("--only", nargs="+", default=["race"], help="no others")
    parser.add_argument("--jacoby", action="store_true", help="under that rule")
    parser.add_argument("--out", required=True, help="file")
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    told = capsys.readouterr().out
    assert "Kinds: makes them." in told
    assert "More" not in told
    assert told.count("default") == told.count("at each score (default: 20)") == 1


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (whole_number(1), "0", "a whole number from 1 on is wanted, not '0'"),
        (whole_number(0, 3), "9", "a whole number from 0 to 3 is wanted, not '9'"),
        (whole_number(0), "many", "from 0 on is wanted, not 'many'"),
        (whole_number(2, is_even=True), "3", "an even number from 2 on is wanted, not '3'"),
        (seed_number, "-1", "from 0 to 2,147,483,647 is wanted, not '-1'"),
        (number_from(0), "-1", "a number from 0 on is wanted, not '-1'"),
        (number_from(0), "nan", "a number from 0 on is wanted, not 'nan'"),
        (number_from(0), "long", "a number from 0 on is wanted, not 'long'"),
    ],
)
def test_number_out_of_its_bounds_is_named_with_them(read, text, sentence):
    with pytest.raises(argparse.ArgumentTypeError, match=sentence):
        read(text)


def test_numbers_at_their_bounds_are_read():
    assert [whole_number(0, 3)(text) for text in "03"] == [0, 3]
    assert whole_number(2, is_even=True)("2") == 2
    assert seed_number(str(MAX_SEED)) == MAX_SEED
    assert [number_from(0)(text) for text in ("0", "inf")] == [0, float("inf")]


def test_file_and_folder_are_told_apart(tmp_path):
    file = tmp_path / "file"
    file.touch()
    assert existing_file(str(file)) == file_to_write(str(file)) == file
    assert existing_folder(str(tmp_path)) == tmp_path
    for read, path, sentence in (
        (existing_file, tmp_path, "is a folder: a file is wanted"),
        (existing_file, tmp_path / "none", "there is no file .*none"),
        (existing_folder, file, "is a file: a folder is wanted"),
        (existing_folder, tmp_path / "none", "there is no folder .*none"),
        (file_to_write, tmp_path, "is a folder: name a file"),
        (file_to_write, tmp_path / "none" / "a.npz", "no folder .*none to write a.npz to"),
    ):
        with pytest.raises(argparse.ArgumentTypeError, match=sentence):
            read(str(path))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("no weights 'other'"), "^no weights 'other'$"),
        (FileNotFoundError(2, "No such file", "a.npz"), "^cannot use a.npz: No such file$"),
        (OSError("no cluster answers"), "^no cluster answers$"),
        (OSError(28, "No space left"), "^No space left$"),
    ],
)
def test_what_goes_wrong_ends_with_one_sentence(error, sentence):
    with pytest.raises(SystemExit, match=sentence), told_in_a_sentence():
        raise error


def test_other_mistakes_are_not_hidden():
    with pytest.raises(ZeroDivisionError), told_in_a_sentence():
        raise ZeroDivisionError
    with pytest.raises(ValueError, match="broadcast"), told_in_a_sentence():
        np.zeros(2)[:] = np.zeros(3)
    with pytest.raises(ValueError, match="equal division"), told_in_a_sentence():
        np.split(np.arange(3), 2)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interruption_ends_with_its_code_and_without_a_traceback(capsys, number):
    with hang_ups_heard():
        before = signal.getsignal(number)
        with pytest.raises(SystemExit) as stop, told_in_a_sentence():
            signal.raise_signal(number)
        assert stop.value.code == 130
        assert capsys.readouterr().err == "interrupted\n"
        is_hang_up = number == signal.SIGHUP  # and is heard once
        assert signal.getsignal(number) == (signal.SIG_IGN if is_hang_up else before)
