from argparse import ArgumentTypeError
from pathlib import Path

import pytest

from protocol.picture_file import picture_file


@pytest.mark.parametrize("text", ["a.png", "in/b.svg", "c.PDF"])
def test_ending_tells_the_kind_of_a_picture(text):
    assert picture_file(text) == Path(text)


@pytest.mark.parametrize("text", ["x.foo", "x", "png", ".png", ""])
def test_name_of_no_picture_is_told_which_endings_there_are(text):
    with pytest.raises(ArgumentTypeError, match=r"ends with \.png, \.svg or \.pdf, not"):
        picture_file(text)
