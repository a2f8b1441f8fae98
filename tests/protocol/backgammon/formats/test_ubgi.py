from pathlib import Path

import pytest
from hypothesis import given

from bot.backgammon.rules.play import legal_plays
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import parse_position_id
from protocol.backgammon.formats.ubgi import parse_ubgi_play, ubgi_play_text
from tests.strategies import positions, rolls

TRANSCRIPT = Path(__file__).parents[3] / "transcripts" / "ubgi_kestrel.tsv"
HEARD = [
    line.split("\t")
    for line in TRANSCRIPT.read_text(encoding="utf-8").splitlines()
    if not line.startswith("#")
]


@given(position=positions(), roll=rolls())
def test_every_legal_play_comes_back_from_its_text(position, roll):
    for play in legal_plays(position, roll)[:20]:
        assert parse_ubgi_play(ubgi_play_text(play), position, roll).after == play.after


def test_answers_of_another_engine_are_read_but_for_its_wrong_passes():
    wrong = []
    for identity, dice, line in HEARD:
        position, roll = parse_position_id(identity), Roll(int(dice[0]), int(dice[1]))
        word, _, text = line.partition(" ")
        assert word == "bestmove"
        try:
            play = parse_ubgi_play(text, position, roll)
        except ValueError:
            wrong.append((identity, text))
            assert any(not max(play.after.points) > 0 for play in legal_plays(position, roll))
        else:
            assert len(play.legs) == (0 if text == "pass" else len(text.split()))
    assert len(HEARD) > 150
    assert {text for _, text in wrong} == {"pass"}
    assert ("ugAAAAEAAAAAAA", "pass") in wrong


@pytest.mark.parametrize("text", ["", "pass", " pass "])
def test_pass_is_no_play_where_there_is_one(text):
    with pytest.raises(ValueError, match="a play is missing"):
        parse_ubgi_play(text, parse_position_id("4HPwATDgc/ABMA"), Roll(6, 1))
