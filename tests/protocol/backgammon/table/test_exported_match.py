from protocol.backgammon.table.exported_match import exported_match
from protocol.backgammon.table.table import HUMAN, Setting, Table


def test_other_programs_are_told_no_folders_of_this_machine():
    table = Table(Setting((HUMAN, "/home/somebody/nets/mine.npz")))
    assert exported_match(table).players == (HUMAN, "mine.npz")
