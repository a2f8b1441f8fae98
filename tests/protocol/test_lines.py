"""A conversation over two open files: how it ends, and what it may be kept from."""

import logging
import os
import subprocess
import sys
from contextlib import contextmanager

import pytest

from protocol.wire import Goodbye, serve_stream

LIMIT = 60.0


class Echo:
    """Sends every line back; whoever says `quit` goes."""

    def __init__(self, send):
        self._send = send

    def receive(self, line):
        if line == "quit":
            raise Goodbye
        self._send(line)


@contextmanager
def said(data):
    """A file from which this is read, and which does not end."""
    source, to_us = os.pipe()
    os.write(to_us, data)
    try:
        yield source
    finally:
        os.close(source)
        os.close(to_us)


def test_who_says_goodbye_is_not_waited_for(caplog):
    from_us, target = os.pipe()
    with said(b"8/5\nquit\n6/5\n") as source, caplog.at_level(logging.DEBUG, "blot.wire"):
        serve_stream(source, target, Echo)
    os.close(target)
    with os.fdopen(from_us, "rb") as answers:
        assert answers.read() == b"8/5\n"
    assert caplog.messages == ["0 > 8/5", "0 < 8/5", "0 > quit"]


def test_a_line_is_as_long_as_its_protocol_wants():
    from_us, target = os.pipe()
    with said(b"123456789\nquit\n") as source:
        serve_stream(source, target, Echo, 5)
    os.close(target)
    with os.fdopen(from_us, "rb") as answers:
        assert answers.read() == b"123456\n"


def test_a_place_without_room_for_answers_is_told_in_a_sentence():
    told = pytest.raises(OSError, match=r"^cannot write standard output: No space left on device$")
    target = os.open("/dev/full", os.O_WRONLY)
    with said(b"8/5\n") as source, told:
        serve_stream(source, target, Echo)
    os.close(target)


def test_who_reads_no_more_answers_is_told_as_such():
    from_us, target = os.pipe()
    os.close(from_us)
    with said(b"8/5\n") as source, pytest.raises(BrokenPipeError):
        serve_stream(source, target, Echo)
    os.close(target)


def test_what_is_printed_beside_the_answers_goes_to_standard_error():
    program = (
        "import os; from protocol.wire import kept_for_answers; answers = kept_for_answers()\n"
        "print('beside', flush=True); os.system('echo by another'); os.write(answers, b'8/5')"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=LIMIT)
    assert (done.stdout, done.stderr) == (b"8/5", b"beside\nby another\n")
