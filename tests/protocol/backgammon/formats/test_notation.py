import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.play import CheckerPlay, Leg, legal_plays
from bot.backgammon.rules.position import START, Position, turned
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.notation import parse_play, play_text, short_play_text
from protocol.backgammon.formats.position_id import position_id
from tests.gnubg_script import run_in_gnubg
from tests.plain.games import scattered_turns, turns_of_games
from tests.strategies import positions, rolls

OPENING = Roll(3, 1)


def play(start, *legs):
    """Legs put together without asking whether they are legal."""
    return CheckerPlay(tuple(Leg(*leg) for leg in legs), start)


PLAYS = [
    (((8, 5), (6, 5)), "8/5 6/5", "8/5 6/5"),
    (((6, 5), (8, 5)), "6/5 8/5", "8/5 6/5"),
    (((24, 23), (23, 20)), "24/23 23/20", "24/20"),
    (((8, 5), (8, 5)), "8/5 8/5", "8/5(2)"),
    (((13, 9), (13, 9), (9, 5), (9, 5)), "13/9 13/9 9/5 9/5", "13/5(2)"),
    (((24, 18), (13, 11)), "24/18* 13/11", "24/18* 13/11"),
    (((24, 18), (18, 15)), "24/18* 18/15", "24/18*/15"),
    (((24, 18), (18, 14)), "24/18* 18/14*", "24/18*/14*"),
    (((24, 18), (24, 18)), "24/18* 24/18", "24/18*(2)"),
    (((24, 18), (24, 18), (18, 12)), "24/18* 24/18 18/12", "24/18*/12 24/18"),
    (((25, 22), (6, 5)), "bar/22 6/5", "bar/22 6/5"),
    (((25, 22), (22, 18)), "bar/22 22/18*", "bar/18*"),
    (((6, 0), (6, 0)), "6/off 6/off", "6/off(2)"),
    (((4, 2), (2, 0)), "4/2 2/off", "4/off"),
    ((), "", ""),
]


@pytest.mark.parametrize(("legs", "text", "short"), PLAYS, ids=[row[2] for row in PLAYS])
def test_play_is_written_leg_by_leg_and_short(legs, text, short):
    start = Position.of({25: 1, 24: 3, 13: 3, 8: 3, 6: 3, 4: 2}, {11: 1, 7: 1})
    assert play_text(play(start, *legs), start) == text
    assert short_play_text(play(start, *legs), start) == short


@given(start=positions(), roll=rolls())
def test_every_legal_play_is_read_back_from_both_texts(start, roll):
    for legal in legal_plays(start, roll)[:40]:
        for text in (play_text(legal, start), short_play_text(legal, start)):
            assert parse_play(text, start, roll) == legal
            assert len(text) < 40


@given(start=positions(), roll=rolls(), rng=st.randoms(use_true_random=False))
def test_order_case_stars_and_separators_do_not_matter(start, roll, rng):
    for legal in legal_plays(start, roll)[:10]:
        moves = play_text(legal, start).split()
        rng.shuffle(moves)
        loose = ", ".join(moves).upper().replace("*", "")
        assert parse_play(f" {loose}*\r\n", start, roll) == legal


@pytest.mark.parametrize(
    "text",
    [
        "8/5 6/5",
        "6/5 8/5",
        "8 5 6 5",
        "8/5*,6/5",
        "8/5 6/5\r",
        "8 / 5 6/5",
        "8/5, 6/5",
        "8/5(1) 6 5",
        "8-5 6-5",
        "8 - 5, 6-5",
    ],
)
def test_opening_point_is_read_in_every_way_gnubg_reads_it(text):
    assert short_play_text(parse_play(text, START, OPENING), START) == "8/5 6/5"


@pytest.mark.parametrize("text", ["24/20", "24/23/20", "24/21/20", "24/21 21/20", "21/20 24/21"])
def test_hops_may_be_joined_or_separate(text):
    assert short_play_text(parse_play(text, START, OPENING), START) == "24/20"


@pytest.mark.parametrize("text", ["bar/22 6/5", "B/22 6/5", "25/22 6 5", "6/5 BAR/22*"])
def test_bar_has_three_names(text):
    start = Position.of({25: 1, 6: 2}, {1: 1})
    parsed = parse_play(text, start, OPENING)
    assert parsed.after == Position.of({22: 1, 6: 1, 5: 1}, {1: 1})


@pytest.mark.parametrize("text", ["3/off 1/off", "3/o 1/0", "1/OFF 3/O", "3 0 1 0"])
def test_off_has_three_names(text):
    start = Position.of({3: 2, 1: 1}, {25: 1})
    assert parse_play(text, start, OPENING).after == Position.of({3: 1}, {25: 1})


def test_counted_moves_stand_for_several():
    start = Position.of({13: 4}, {1: 1})
    parsed = parse_play("13/5(2)", start, Roll(4, 4))
    assert parsed.after == Position.of({13: 2, 5: 2}, {1: 1})


def test_silent_hop_prefers_the_way_without_a_hit():
    start = Position.of({24: 2}, {24: 1, 5: 1})
    assert parse_play("24/14", start, Roll(6, 4)).after == Position.of(
        {24: 1, 14: 1}, {24: 1, 5: 1}
    )
    hitting = parse_play("24/20/14", start, Roll(6, 4))
    assert hitting.after == Position.of({24: 1, 14: 1}, {25: 1, 24: 1})


def test_silent_hop_hits_if_there_is_no_other_way():
    start = Position.of({24: 2}, {24: 1, 7: 2, 5: 1})
    assert parse_play("24/14", start, Roll(6, 4)).after.points[0] == -1


def test_silent_hop_over_either_of_two_blots_is_ambiguous():
    start = Position.of({24: 2}, {24: 1, 7: 1, 5: 1})
    with pytest.raises(ValueError, match="'24/14' is ambiguous: name the point where it hits"):
        parse_play("24/14", start, Roll(6, 4))
    assert parse_play("24/18/14", start, Roll(6, 4)).after.points[20] == -1


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("8/x 6/5", "cannot read '8/x' in the play '8/x 6/5'"),
        ("8 x", "cannot read the play '8 x'"),
        ("8-X", "cannot read the play '8-X'"),
        ("8*/y", "cannot read the play '8*/y'"),
    ],
)
def test_only_what_was_typed_is_quoted(text, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        parse_play(text, START, OPENING)


def test_empty_text_is_the_play_of_a_roll_that_cannot_be_played():
    start = Position.of({25: 1, 6: 2}, {6: 2, 5: 2})
    assert parse_play(" ", start, Roll(6, 5)) == CheckerPlay((), start)
    with pytest.raises(ValueError, match="'bar/24' cannot be played: 6-5 allows no play"):
        parse_play("bar/24", start, Roll(6, 5))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "a play is missing: 3-1 can be played"),
        ("24/18", "'24/18' is not a legal play of 3-1"),
        ("13/7", "'13/7' is not a legal play of 3-1"),
        ("8/5", "'8/5' is not a legal play of 3-1"),
        ("bar/22", "'bar/22' is not a legal play of 3-1"),
        ("7/4 8/7 6/5", "'7/4 8/7 6/5' is not a legal play of 3-1"),
        ("roll", "cannot read 'roll' in the play 'roll'"),
        ("move 8/5", "cannot read 'move' in the play 'move 8/5'"),
        ("8 6/5", "cannot read '8' in the play '8 6/5'"),
        ("8/5 6", "cannot read '6' in the play '8/5 6'"),
        ("13/99", "cannot read '13/99' in the play '13/99'"),
        ("/13", "cannot read '/13' in the play '/13'"),
        ("6/off/5", "cannot read '6/off/5' in the play '6/off/5'"),
        ("5/6", "cannot read '5/6' in the play '5/6'"),
        ("8/5(5)", "cannot read '8/5(5)' in the play '8/5(5)'"),
        ("8/5(2", "cannot read '8/5(2' in the play '8/5(2'"),
        ("8/5(4) 6/5", "cannot read '8/5(4) 6/5' in the play '8/5(4) 6/5'"),
        ("8/5 " * 99, "cannot read '8/5 8/5 8/5 8/5 8/5 ' in the play"),
    ],
)
def test_bad_play_is_refused_in_one_sentence(text, complaint):
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the sentence is compared below
        parse_play(text, START, OPENING)
    assert str(caught.value).startswith(complaint)
    assert len(str(caught.value)) < 120


LEGS = st.sampled_from(["8/5", "6/5", "24/23", "24/20", "/20", "*", "(2)", "5", "bar/24", "8/4"])


@given(
    text=st.text(max_size=60)
    | st.text("0123456789/()* ,bof", max_size=30)
    | st.lists(LEGS, max_size=4).map(" ".join)
)
def test_no_text_makes_it_fail_otherwise(text):
    try:
        parsed = parse_play(text, START, OPENING)
    except ValueError:
        return
    assert parsed in legal_plays(START, OPENING)


def turns_to_try():
    """Positions and rolls from random games and scattered checkers."""
    rng = random.Random(5)

    def any_board(board, roll):
        plays = legal_plays(Position(board), roll)
        return rng.choice(plays).after.points if plays else board

    games = turns_of_games(any_board, 60, 6)
    return [
        (Position(board), roll)
        for turns in (games, scattered_turns(60, 7))
        for board, roll in turns
        if legal_plays(Position(board), roll)
    ]


SCRIPT = """
import gnubg, json
for line in '''set threads 1|set player 0 human|set player 1 human|set automatic game off
set automatic roll off|set automatic move off|set automatic bearoff off|set confirm new off
set display off|set cube use off|set evaluation chequerplay evaluation plies 0
new session'''.replace(chr(10), "|").split("|"):
    gnubg.command(line)

def set_up(turn):
    for line in ("set turn 1", "set board " + turn["id"], "set dice %d %d" % tuple(turn["dice"])):
        gnubg.command(line)

for turn in (turns := json.load(open("values.json"))):
    set_up(turn)
    turn["hints"] = [hint["move"] for hint in gnubg.hint(4000)["hint"]]
    turn["short"] = [gnubg.movetupletostring(tuple(l), gnubg.board()) for l in turn["legs"]]
    turn["ids"] = []
    for text in turn["texts"]:
        set_up(turn)
        gnubg.command("move " + text)
        turn["ids"].append(gnubg.positionid(gnubg.board()))
json.dump(turns, open("values.json", "w"))
"""


@pytest.mark.gnubg
def test_gnubg_takes_every_play_as_written_and_its_own_are_read():
    tried = turns_to_try()
    rng = random.Random(8)
    turns, chosen = [], []
    for start, roll in tried:
        going_on = [legal for legal in legal_plays(start, roll) if legal.after.checkers]
        some = rng.sample(going_on, min(8, len(going_on)))
        chosen.append(some)
        turns.append(
            {
                "id": position_id(start),
                "dice": [roll.high, roll.low],
                "legs": [[end for leg in p.legs for end in (leg.source, leg.target)] for p in some],
                "texts": [play_text(legal, start) for legal in some],
            }
        )
    answers = run_in_gnubg(SCRIPT, turns)
    for (start, roll), some, answer in zip(tried, chosen, answers, strict=True):
        assert answer["ids"] == [position_id(turned(legal.after)) for legal in some]
        assert answer["short"] == [short_play_text(legal, start) for legal in some]
        hinted = {parse_play(hint, start, roll).after for hint in answer["hints"]}
        assert hinted == {legal.after for legal in legal_plays(start, roll)}
        assert len(hinted) == len(answer["hints"])
    assert sum(map(len, chosen)) > 500
