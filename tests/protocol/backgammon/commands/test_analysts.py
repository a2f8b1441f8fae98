"""Who judges a match, and what keeps an analyst from it."""

import pytest

from bot.backgammon.rules.record import Rules
from protocol.backgammon.formats.match_file import write_match
from tests.games import random_match


@pytest.mark.parametrize(
    ("options", "code", "sentence"),
    [
        (("--by", "gnubg", "--level", "easy"), 2, "--level is Blot's: leave it out"),
        (("--by", "gnubg"), 1, "no gnubg on this machine"),
        (("--level", "easy", "--compare", "gnubg"), 1, "no gnubg on this machine"),
        (("--weights", "nosuch"), 1, "no weights 'nosuch'"),
        (("--met", "nosuch.xml"), 2, "--met counts in matches with the cube"),
    ],
)
def test_what_keeps_an_analyst_from_judging_is_told_before_any_work(
    blot, tmp_path, monkeypatch, options, code, sentence
):
    monkeypatch.setattr("shutil.which", lambda name, path=None: None)
    path, kept = tmp_path / "money.sgf", tmp_path / "kept.jsonl"
    write_match(random_match(Rules(None), 6, games=1), path)
    found, _, told = blot("analyse", str(path), "--out", str(kept), *options)
    assert (found, len(told.splitlines())) == (code, 1)
    assert sentence in told
    assert not kept.exists()
