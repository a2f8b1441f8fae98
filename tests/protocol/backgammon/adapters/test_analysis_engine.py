"""The analysis engine: a line of JSON in, lines of JSON out."""

import io
import json
import threading

import pytest

from protocol.backgammon.adapters.analysis_engine import (
    MAX_LINE,
    AnalysisEngine,
    FieldError,
    query_of,
    read_lines,
)

WAIT = 60.0


class Program:
    """A program that asks, and what it is answered."""

    def __init__(self, answer, workers=1):
        self.answers = []
        self.engine = AnalysisEngine(answer, self.answers.append, workers)

    def ask(self, *lines):
        with self.engine as engine:
            for line in lines:
                engine.receive(line if isinstance(line, bytes) else json.dumps(line).encode())
            engine.finish()
        return self.answers


def echo(query):
    return {"count": query.count}


def test_query_is_answered_with_its_id():
    asked = {"id": "a", "position": "P", "count": 3}, {"id": 2, "position": "P"}
    assert Program(echo).ask(*asked) == [{"id": "a", "count": 3}, {"id": 2, "count": 5}]


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"position": "P"}, "id"),
        ({"id": True, "position": "P"}, "id"),
        ({"id": [1], "position": "P"}, "id"),
        ({"id": "x" * 1000, "position": "P"}, "id"),
        ({"id": 1}, "position"),
        ({"id": 1, "position": 5}, "position"),
        ({"id": 1, "position": "P", "dice": [7, 1]}, "dice"),
        ({"id": 1, "position": "P", "dice": [1]}, "dice"),
        ({"id": 1, "position": "P", "dice": ["", "1"]}, "dice"),
        ({"id": 1, "position": "P", "dice": [True, 1]}, "dice"),
        ({"id": 1, "position": "P", "dice": [1.0, 1]}, "dice"),
        ({"id": 1, "position": "P", "dice": "7x"}, "dice"),
        ({"id": 1, "position": "P", "dice": {}}, "dice"),
        ({"id": 1, "position": "P", "count": 0}, "count"),
        ({"id": 1, "position": "P", "count": True}, "count"),
        ({"id": 1, "position": "P", "cube": 1}, "cube"),
        ({"id": 1, "position": "P", "colour": 1}, "colour"),
        ({"id": 1, "position": "P", "action": "dance"}, "action"),
        ({"id": 1, "position": "P", "action": []}, "action"),
        ({"id": 9, "action": "terminate"}, "id"),
    ],
)
def test_what_is_wrong_with_a_query_is_answered_with_the_field(values, field):
    last, answered = {"id": "last", "position": "P"}, Program(echo)
    (error,) = [row for row in answered.ask(values, last) if row["id"] != "last"]
    assert error["field"] == field
    assert error["error"]
    assert answered.answers[-1] == {"id": "last", "count": 5}


@pytest.mark.parametrize("line", [b"not json", b"[1]", b'"x"', b"\xff\xfe", b"[" * 99_000, b"1"])
def test_line_that_is_no_query_is_answered_and_the_next_is_read(line):
    error, answer = Program(echo).ask(line, {"id": 1, "position": "P"})
    assert error["id"] is None
    assert "no JSON" in error["error"]
    assert answer == {"id": 1, "count": 5}


def test_dice_may_be_a_text():
    assert query_of({"id": 1, "position": "P", "dice": "31"}).dice == (3, 1)


def test_empty_lines_are_skipped():
    assert Program(echo).ask(b"\n", b"  ") == []


def test_error_of_an_answer_ends_that_query_alone():
    def answer(query):
        if query.id == 1:
            raise FieldError("level", "none such")
        if query.id == 2:
            raise RuntimeError("broken")
        return {}

    answers = Program(answer).ask(*({"id": i, "position": "P"} for i in (1, 2, 3)))
    assert answers == [
        {"id": 1, "error": "level: none such", "field": "level"},
        {"id": 2, "error": "broken"},
        {"id": 3},
    ]


def test_queries_are_answered_as_they_are_done():
    second_done = threading.Event()

    def answer(query):
        if query.id == 1:
            assert second_done.wait(WAIT)
        else:
            second_done.set()
        return {}

    answers = Program(answer, workers=2).ask(*({"id": i, "position": "P"} for i in (1, 2)))
    assert {"id": 1} in answers
    assert answers[0] == {"id": 2}


def test_query_that_is_terminated_stops_and_says_so():
    begun = threading.Event()

    def answer(query):
        begun.set()
        assert query.stop.wait(WAIT)
        return {"plays": []}

    answers = []
    with AnalysisEngine(answer, answers.append) as engine:
        engine.receive(b'{"id": 1, "position": "P"}')
        assert begun.wait(WAIT)
        engine.receive(b'{"id": 2, "position": "P"}')
        engine.receive(b'{"id": 1, "position": "P"}')
        engine.receive(b'{"id": 2, "action": "terminate"}')
        engine.receive(b'{"id": 1, "action": "terminate"}')
        engine.finish()
    assert answers[0]["field"] == "id"
    assert answers[1:] == [{"id": 1, "terminated": True}, {"id": 2, "terminated": True}]


def test_line_that_is_too_long_is_cut_and_the_next_one_is_whole():
    lines = list(read_lines(io.BytesIO(b"x" * (3 * MAX_LINE) + b"\nnext\nlast")))
    assert [len(line) for line in lines] == [MAX_LINE, 5, 4]


def test_answers_that_cannot_be_sent_end_it_with_the_reason():
    def send(values):
        raise OSError("no room")

    with AnalysisEngine(echo, send) as engine:
        engine.receive(b'{"id": 1, "position": "P"}')
        engine.receive(b'{"id": 2, "position": "P"}')
        with pytest.raises(OSError, match="no room"):
            engine.finish()
        with pytest.raises(OSError, match="no room"):
            engine.receive(b'{"id": 3, "position": "P"}')


def test_who_reads_no_answer_does_not_hold_up_the_end():
    began, is_read, sent = threading.Event(), threading.Event(), []

    def send(values):
        began.set()
        is_read.wait(WAIT)
        sent.append(values)

    with AnalysisEngine(echo, send) as engine:
        engine.receive(b'{"id": 1, "position": "P"}')
        assert began.wait(WAIT)
    assert not sent
    is_read.set()
