"""The help of every command is in plain English."""

import argparse
import re

import pytest

from protocol.cli import COMMANDS, parser_of
from protocol.wire.log import MAX_LOG_BYTES


def parsers(parser, name):
    """The parsers of a command and of those below it, with their names."""
    yield name, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for word, below in action.choices.items():
                yield from parsers(below, f"{name} {word}")


PARSERS = dict(parsers(parser_of(COMMANDS), "blot"))


def test_a_log_is_the_same_wherever_one_is_written():
    texts = [" ".join(parser.format_help().split()) for parser in PARSERS.values()]
    logging = [text for text in texts if "--log FILE write" in text]
    assert len(logging) == 5
    assert all("at 10 MB it is renamed FILE.1" in text for text in logging)
    assert MAX_LOG_BYTES == 10_000_000


@pytest.mark.parametrize(
    "parser", [pytest.param(parser, id=name) for name, parser in PARSERS.items()]
)
def test_what_holds_without_an_option_is_told_once_and_set_off_from_what_it_does(parser):
    help_text = " ".join(parser.format_help().split())
    assert "if not given" not in help_text
    assert "neither is given" not in help_text
    assert not re.search(r"default: [^)]*\) \(default", help_text)
