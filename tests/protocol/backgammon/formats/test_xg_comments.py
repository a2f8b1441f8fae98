import pytest

from protocol.backgammon.formats.xg_comments import MAX_BYTES, comments

RICH = rb"{\rtf1\ansi %s}"


@pytest.mark.parametrize(
    ("rich", "text"),
    [
        (rb"two\par lines\line three", "two\nlines\nthree"),
        (rb"a\tab b", "a\tb"),
        (rb"\b bold\b0  and \fs20plain", "bold and plain"),
        (rb"\\ \{ \}", "\\ { }"),
        (rb"a\~b\_c\*d", "a b-cd"),
        (rb"caf\'e9", "caf\xe9"),
        (rb"\u1078?\u-3?x", "\u0436\ufffdx"),
        (rb"\u-10179?\u-8704?x", "\ufffd\ufffdx"),
        (rb"\u1078\'e6x", "\u0436x"),
        (rb"{\fonttbl{\f0 Arial;}{\f1 Times;}}a{\*\generator {X}}b{c}", "abc"),
        (b"one\r\n\x01\x02 line", "one line"),
    ],
)
def test_rich_text_is_read_as_plain_text(rich, text):
    lines = (RICH % rich).replace(b"\r\n", b"")
    assert comments(lines) == (text,)


def test_each_line_is_a_comment_and_what_is_not_rich_is_taken_as_it_stands():
    file = b"\r\n".join([RICH % b"one", rb" {\b two} ", b"", b"three\x01\x02four"])
    assert comments(file) == ("one", r"{\b two}", "", "three\r\nfour")


def test_comments_are_refused_beyond_their_limit():
    assert comments(b"x" * MAX_BYTES) == ("x" * MAX_BYTES,)
    with pytest.raises(ValueError, match="have 1048577 bytes"):
        comments(b"x" * (MAX_BYTES + 1))
