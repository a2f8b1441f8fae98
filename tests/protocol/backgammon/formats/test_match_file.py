"""Match files: their names."""

from datetime import datetime

import pytest

from protocol.backgammon.formats.match_file import dated_name

AT = datetime(2026, 1, 2, 15, 30)


def test_a_file_is_named_by_date_and_players():
    assert dated_name(("Alice", "Bob B."), AT, ".mat") == "2026-01-02_153000_Alice-Bob_B_.mat"


@pytest.mark.parametrize("letter", ["a", "é", "語", "\N{DESERET SMALL LETTER LONG I}"])
def test_a_file_can_have_the_name_of_players_whose_names_are_long(tmp_path, letter):
    name = dated_name((letter * 60, letter * 60), AT, ".mat")
    (tmp_path / name).touch()
    assert name.count(letter) >= 2 * 25
