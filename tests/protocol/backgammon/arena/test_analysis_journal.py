"""An analysis as lines of JSON, gone on with."""

import json
import math
import os
from contextlib import contextmanager, nullcontext
from functools import reduce
from itertools import product
from operator import getitem

import pytest

from bot.backgammon.engine.agreement import Ruling
from bot.backgammon.engine.analysis import Analyst, CubeVerdict, PlayVerdict
from bot.backgammon.engine.engine import Engine
from bot.backgammon.evaluation.evaluator import NetworkEvaluator
from bot.backgammon.evaluation.network import random_network
from bot.backgammon.rules.choice import choices_of
from bot.backgammon.rules.record import Rules
from bot.journal import open_journal
from protocol.backgammon.arena.analysis_journal import (
    BEGINNING,
    KIND,
    AnalysisJournal,
    RulingJournal,
)
from protocol.backgammon.formats.analysis_lines import CUBE_EQUITIES
from tests.games import random_match

ENGINE = Engine(NetworkEvaluator(random_network(12, 1)))
ANALYST = Analyst(ENGINE, ENGINE)
CHOICES = choices_of(random_match(Rules(3), 1, games=1))[:12]
VERDICTS = [ANALYST.verdict(choice) for choice in CHOICES]
NAMES = ("one", "two")


@contextmanager
def opened(path, analysis=("ply", 0), match="m"):
    with open_journal(path, KIND, BEGINNING) as journal:
        yield AnalysisJournal(CHOICES, NAMES, dict([analysis]), match, journal)


def written(path, count):
    with opened(path) as journal:
        for verdict in VERDICTS[len(journal.verdicts) : count]:
            journal.add(verdict)
        return journal.verdicts


def test_each_line_tells_the_choice_its_loss_and_the_settings(tmp_path):
    path = tmp_path / "a.jsonl"
    written(path, len(VERDICTS))
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [row["number"] for row in rows] == list(range(1, len(CHOICES) + 1))
    for row, choice, verdict in zip(rows, CHOICES, VERDICTS, strict=True):
        assert (row["analysis"], row["match"]) == ({"ply": 0}, "m")
        assert row["player"] == NAMES[choice.seat]
        assert row["loss"] == pytest.approx(verdict.loss, abs=1e-6)


def test_interrupted_analysis_goes_on_and_is_the_same_as_a_whole_one(tmp_path):
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    written(whole, len(VERDICTS))
    written(parts, 5)
    with parts.open("ab") as file:
        file.write(whole.read_bytes().splitlines()[5][:40])
    verdicts = written(parts, len(VERDICTS))
    assert parts.read_bytes() == whole.read_bytes()
    for found, verdict in zip(verdicts, VERDICTS, strict=True):
        assert type(found) is type(verdict)
        assert found.loss == pytest.approx(verdict.loss, abs=2e-6)
        if isinstance(verdict, PlayVerdict):
            assert (found.rank, found.legal) == (verdict.rank, verdict.legal)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"match": "other"}, "has the analysis of another match"),
        ({"analysis": ("ply", 2)}, "has an analysis by other settings, ply 0"),
    ],
)
def test_file_of_something_else_is_left_alone(tmp_path, options, sentence):
    path = tmp_path / "a.jsonl"
    written(path, 3)
    before = path.read_bytes()
    with pytest.raises(ValueError, match=sentence), opened(path, **options):
        pass
    assert path.read_bytes() == before


BLOT = {"by": "blot", "weights": "default", "digest": "69", "ply": 3, "met": "blot", "trials": 0}
NORMAL = {"filter": [[0, 8, 0.16], [2, 2, 0.04]]}
SHARED = {"first": 1, "second": 2}
NINE = {"trials": 9, "ply": 1}


@pytest.mark.parametrize(
    ("kept", "wanted", "words"),
    [
        (BLOT | NORMAL, BLOT | NORMAL | {"weights": "hard", "digest": "7"}, "weights default"),
        (BLOT | NORMAL, BLOT | {"filter": [[0, 4, 0.1]], "ply": 2}, "ply 3, filter normal"),
        (BLOT | {"filter": [[0, 4, 0.1]]}, BLOT | NORMAL, "filter 0:4:0.1"),
        (BLOT | NORMAL | {"ply": 0}, BLOT | {"filter": []}, "ply 0"),
        (BLOT | NORMAL, BLOT | NORMAL | {"digest": "7"}, "weights that have changed since"),
        (BLOT, BLOT | {"trials": 36, "met": "mine.xml"}, "no rollouts, no met"),
        (BLOT | {"trials": 36, "met": "mine.xml"}, BLOT, "level best, met mine.xml"),
        ({"by": "gnubg", "ply": 3}, BLOT | NORMAL, "by gnubg, ply 3"),
        (
            BLOT | NORMAL,
            {"by": "gnubg", "ply": 3},
            "by blot, weights default, ply 3, filter normal",
        ),
        (SHARED | {"above": 0.05}, SHARED | {"above": 0.1}, "above 0.05"),
        (SHARED | {"rollout": NINE}, SHARED | {"rollout": NINE | {"trials": 36}}, "trials 9"),
        (
            SHARED | {"rollout": NINE},
            SHARED | {"rollout": NINE | {"ply": 2}},
            "rollouts by other weights",
        ),
        ("nonsense", BLOT, ""),
        (BLOT | {"filter": 3}, BLOT | NORMAL, ""),
        (BLOT, BLOT | {"above": 0.1}, ""),
    ],
)
def test_other_settings_are_told_as_the_options_name_them(tmp_path, kept, wanted, words):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"number": 1, "match": "m", "analysis": kept}) + "\n")
    sentence = f"by other settings, {words}: give these again, or another file"
    if not words:
        sentence = "by other settings: give another file"
    with open_journal(path, KIND, BEGINNING) as journal, pytest.raises(ValueError, match=sentence):
        AnalysisJournal(CHOICES, NAMES, wanted, "m", journal)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("something else\n", "is no analysis"),
        ("something else", "is no analysis"),
        ("{}\n", "is no analysis"),
        ('{"number": 1, "match": "m", "analysis": {"ply": 0}}\n', "cannot read line 1"),
    ],
)
def test_file_that_is_no_analysis_is_left_alone(tmp_path, text, sentence):
    path = tmp_path / "a.jsonl"
    path.write_text(text)
    with pytest.raises(ValueError, match=sentence), opened(path):
        pass
    assert path.read_text() == text


@pytest.mark.parametrize("line", ["nonsense", '{"number": 2}', "3", "[" * 100_000], ids=len)
def test_line_of_something_else_is_told_with_its_number(tmp_path, line):
    path = tmp_path / "a.jsonl"
    written(path, 1)
    path.write_text(f"{path.read_text()}{line}\n")
    told = pytest.raises(ValueError, match=r"a\.jsonl is no analysis: line 2 is none of it$")
    with told, opened(path):
        pass


def test_lines_behind_the_last_choice_are_left_to_others(tmp_path):
    path = tmp_path / "a.jsonl"
    written(path, 3)
    with open_journal(path, KIND, BEGINNING) as journal:
        assert len(AnalysisJournal(CHOICES[:2], NAMES, {"ply": 0}, "m", journal).verdicts) == 2
        assert json.loads(journal.next_line)["number"] == 3


def test_line_of_another_choice_is_told_with_its_number(tmp_path):
    path = tmp_path / "a.jsonl"
    written(path, 2)
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(rows[1] + rows[0])
    with pytest.raises(ValueError, match="damaged in line 1"), opened(path):
        pass


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *product(["legal", "rank", "luck", "static_loss", "equity", "ply", "mwc"], ["much", []]),
        *product(["legal", "rank", "ply"], [math.inf]),
    ],
)
def test_a_number_that_is_none_is_damage(tmp_path, name, value):
    path = tmp_path / "a.jsonl"
    written(path, 1)
    row = json.loads(path.read_text())
    (row if name in row else row["plays"][0])[name] = value
    path.write_text(json.dumps(row) + "\n")
    with pytest.raises(ValueError, match="is damaged"), opened(path):
        pass


@pytest.mark.parametrize("value", ["much", []])
@pytest.mark.parametrize(
    ("kind", "where"),
    [(PlayVerdict, ("plays", 0, "chances", 4)), (CubeVerdict, ("chances", 0))]
    + [(CubeVerdict, ("evaluation", name)) for name in CUBE_EQUITIES],
)
def test_a_number_within_a_line_that_is_none_is_damage(tmp_path, kind, where, value):
    path = tmp_path / "a.jsonl"
    written(path, next(i for i, each in enumerate(VERDICTS, 1) if isinstance(each, kind)))
    *lines, last = path.read_text().splitlines()
    row = json.loads(last)
    *outer, name = where
    reduce(getitem, outer, row)[name] = value
    path.write_text("\n".join([*lines, json.dumps(row), ""]))
    with pytest.raises(ValueError, match="is damaged"), opened(path):
        pass


@pytest.mark.parametrize("value", ["much", []])
@pytest.mark.parametrize("name", ["edge", "error", "trials"])
def test_a_ruling_of_no_number_is_damage(tmp_path, name, value):
    path = tmp_path / "a.jsonl"
    row = {"number": 1, "match": "m", "analysis": {}, "disputed": {"game": 1}}
    ruling = {"edge": 0.1, "error": 0.01, "trials": 36}
    for told, sentence in ((ruling, None), (ruling | {name: value}, "is damaged")):
        path.write_text(json.dumps(row | told) + "\n")
        expected = nullcontext() if sentence is None else pytest.raises(ValueError, match=sentence)
        with open_journal(path, KIND, BEGINNING) as journal, expected:
            assert RulingJournal([{"game": 1}], {}, "m", journal).rulings == [Ruling(0.1, 0.01, 36)]


def test_rulings_are_kept_each_with_the_choice_that_it_is_of(tmp_path):
    path = tmp_path / "a.jsonl"
    disputed, rulings = [{"game": 1}, {"game": 2}], [Ruling(0.1, 0.01, 36), Ruling(-0.2, 0.02, 72)]
    for number, ruling in enumerate(rulings):
        with open_journal(path, KIND, BEGINNING) as lines:
            journal = RulingJournal(disputed, {}, "m", lines)
            assert journal.rulings == rulings[:number]
            journal.add(ruling)
            assert journal.rulings == rulings[: number + 1]
            assert [line["disputed"] for line in journal.lines] == disputed[: number + 1]
    told = pytest.raises(ValueError, match=r"damaged in line 1: it is of \{'game': 1\}$")
    with open_journal(path, KIND, BEGINNING) as lines, told:
        RulingJournal(disputed[::-1], {}, "m", lines)


def test_without_a_journal_verdicts_are_kept_in_memory():
    journal = AnalysisJournal(CHOICES, NAMES, {"ply": 0}, "m")
    journal.add(VERDICTS[0])
    assert len(journal.verdicts) == len(journal.lines) == 1


def test_folder_is_no_file_to_write_to(tmp_path):
    with pytest.raises(ValueError, match="cannot use"), opened(tmp_path):
        pass


def test_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe.jsonl"
    os.mkfifo(path)
    with pytest.raises(ValueError, match="no regular file"), opened(path):
        pass


def test_file_that_another_analysis_writes_is_left_to_it(tmp_path):
    path = tmp_path / "a.jsonl"
    with opened(path), pytest.raises(ValueError, match="another process writes"), opened(path):
        pass
