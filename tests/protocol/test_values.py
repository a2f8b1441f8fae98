"""Values for programs: whole lines, whatever comes between two."""

import io
import json
import sys

from protocol.values import print_values


class Pieces(io.StringIO):
    """Keeps what is written, piece by piece."""

    def __init__(self):
        super().__init__()
        self.pieces = []

    def write(self, text):
        self.pieces.append(text)
        return super().write(text)


def test_values_are_a_line_written_in_one_piece(monkeypatch):
    written = Pieces()
    monkeypatch.setattr(sys, "stdout", written)
    values = {"event": "pair", "points": [[-3], [2]], "players": ["Žiga", "two\nlines"]}
    print_values(values)
    (piece,) = written.pieces
    assert piece.count("\n") == 1
    assert piece.endswith("\n")
    assert json.loads(piece) == values
