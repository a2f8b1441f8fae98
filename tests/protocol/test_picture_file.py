from argparse import ArgumentTypeError
from pathlib import Path

import pytest
from matplotlib.figure import Figure

from protocol.picture_file import picture_file, write_figure


@pytest.mark.parametrize("text", ["a.png", "in/b.svg", "c.PDF"])
def test_ending_tells_the_kind_of_a_picture(text):
    assert picture_file(text) == Path(text)


@pytest.mark.parametrize("text", ["x.foo", "x", "png", ".png", ""])
def test_name_of_no_picture_is_told_which_endings_there_are(text):
    with pytest.raises(ArgumentTypeError, match=r"ends with \.png, \.svg or \.pdf, not"):
        picture_file(text)


@pytest.mark.parametrize("name", ["a.png", "b.SVG", "c.pdf"])
def test_a_picture_is_of_the_kind_that_its_name_tells(tmp_path, name):
    write_figure(Figure(figsize=(1, 1)), tmp_path / name)
    begins = {".png": b"\x89PNG", ".svg": b"<?xml", ".pdf": b"%PDF"}[Path(name).suffix.lower()]
    assert (tmp_path / name).read_bytes().startswith(begins)
