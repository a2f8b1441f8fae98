"""XG: matches of our own, written as eXtreme Gammon does, are read back; what cannot be is told."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Ending, Game, OpeningRoll, Resignation, ResignationAnswer
from bot.backgammon.rules.match import Score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, turned
from bot.backgammon.rules.record import Event, GameRecord, Rules, replay
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.xg import CubeAnalysis, PlayAnalysis, parse_xg
from protocol.backgammon.formats.xg_comments import comments
from tests.games import random_match
from tests.plain.xg_files import (
    cube_record,
    game_footer,
    game_header,
    match_header,
    play_record,
    record,
    records_of,
    xg_file,
)
from tests.tables import LAST_CHECKER

ALL_RULES = [
    Rules(1),
    Rules(5),
    Rules(7, crawford=False),
    Rules(3, has_cube=False),
    Rules(),
    Rules(jacoby=False, beavers=True),
    Rules(has_cube=False),
]
EVALUATION = (0.01, 0.15, 0.45, 0.55, 0.16, 0.02, 0.123)
OPENED = Rules(5).new_game().after(OpeningRoll(3, 1))
OPENING = next(p for p in legal_plays(START, Roll(3, 1)) if p.after.points[5] == 2)
AFTER = OPENED.after(OPENING)
BEGUN = [
    match_header(Rules(5)),
    game_header(GameRecord()),
    play_record(Rules(5).new_game(), 0, (3, 1), OPENING),
]
UNTOLD = (Resignation, ResignationAnswer)


def as_told(match):
    """The match without what no .xg file tells: ties in the opening, offers to resign."""
    return tuple(
        replace(
            game,
            events=tuple(
                event
                for event in game.events
                if not isinstance(event.answer, UNTOLD)
                and not (isinstance(event.answer, OpeningRoll) and event.answer.is_tie)
            ),
            result=game.result and _counted(game.result),
        )
        for game in match.games
    )


def _counted(result):
    is_resigned = result.ending is Ending.RESIGNED
    return replace(result, kind=result.kind_counted) if is_resigned else result


@settings(max_examples=15)
@given(rules=st.sampled_from(ALL_RULES), seed=st.integers(0, 10**6), packed=st.booleans())
def test_match_of_our_own_is_read_back(rules, seed, packed):
    match = random_match(rules, seed, games=2, resigns=0.02)
    read = parse_xg(xg_file(records_of(match), packed=packed))
    assert read.fault is None
    assert read.match.games == as_told(match)
    assert read.match.players == match.players
    assert read.analyses == ()
    assert list(replay(read.match))


def test_roll_that_nobody_played_is_followed_by_a_resignation():
    lost = AFTER.after(Roll(6, 5)).won(0, 1, Ending.RESIGNED)
    parts = [*BEGUN, play_record(AFTER, 1, (6, 5), None), game_footer(lost)]
    (game,) = parse_xg(xg_file(parts)).match.games
    assert game.events[-1].answer == Roll(6, 5)
    assert game.result == lost


def test_beaver_and_raccoon_are_read():
    rules = Rules(beavers=True)
    game = rules.new_game().after(OpeningRoll(3, 1)).after(OPENING)
    answers = (DoubleAnswer.BEAVER, DoubleAnswer.BEAVER, DoubleAnswer.TAKE)
    parts = [
        match_header(rules),
        game_header(GameRecord()),
        play_record(rules.new_game(), 0, (3, 1), OPENING),
        cube_record(game, 1, answers),
    ]
    read = parse_xg(xg_file(parts))
    assert read.fault is None
    said = [event.answer for event in read.match.games[0].events]
    assert said[2:] == [CubeAction.DOUBLE, *answers]
    assert [*replay(read.match)][-1][0].after(answers[-1]).state.cube.value == 8


def test_analysis_of_a_play_stands_beside_the_match():
    plays = legal_plays(START, Roll(3, 1))
    told = [(play, (*EVALUATION[:6], 0.1 * number)) for number, play in enumerate(plays)]
    level = (1280 + 4, "h", 3)
    parts = [*BEGUN[:2], play_record(Rules(5).new_game(), 0, (3, 1), OPENING, told, level)]
    read = parse_xg(xg_file(parts))
    (analysis,) = read.analyses
    assert isinstance(analysis, PlayAnalysis)
    assert (analysis.position, analysis.roll, analysis.played) == (START, Roll(3, 1), OPENING)
    assert [each.play for each in analysis.plays] == list(plays)
    assert [each.equity for each in analysis.plays[:3]] == pytest.approx([0.0, 0.1, 0.2])
    assert [each.level for each in analysis.plays[:3]] == [1002, 3, 1002]
    chances = analysis.plays[0].chances
    assert (chances.win, chances.lose_gammon) == pytest.approx((0.55, 0.15))
    assert read.match.games[analysis.game].events[analysis.event].answer == OPENING


def test_analysis_of_a_double_is_the_doublers():
    told = EVALUATION, (0.5, 0.75, 1.0)
    parts = [*BEGUN, cube_record(AFTER, 1, [DoubleAnswer.DROP], told)]
    read = parse_xg(xg_file([*parts, game_footer(AFTER.won(1, 1, Ending.DROPPED))]))
    (analysis,) = read.analyses
    assert isinstance(analysis, CubeAnalysis)
    assert analysis.position == AFTER.state.position == turned(OPENING.after)
    evaluation = analysis.evaluation
    assert analysis.level == 2
    assert (evaluation.no_double, evaluation.double_take, evaluation.double_drop) == (0.5, 0.75, 1)
    assert read.match.games[0].events[analysis.event].answer is CubeAction.DOUBLE
    assert read.match.games[0].result.ending is Ending.DROPPED


def test_game_from_another_position_and_one_that_was_edited_are_set_up_by_hand():
    parts = [
        match_header(Rules(5)),
        game_header(GameRecord(), LAST_CHECKER),
        play_record(
            Game(replace(OPENED.state, position=LAST_CHECKER)), 0, (2, 1), *_only(LAST_CHECKER)
        ),
    ]
    assert isinstance(parse_xg(xg_file(parts)).match.games[0].events[0].answer, Game)
    uneven = replace(Rules(5).new_game(), state=replace(AFTER.state, score=Score(5, 0, 0)))
    for seat in (0, 1):
        parts[1:] = [
            game_header(GameRecord(), uneven.state.position),
            play_record(uneven, seat, (6, 5), None),
        ]
        read = parse_xg(xg_file(parts))
        assert read.fault is None
        assert [event.answer for event in read.match.games[0].events] == [
            uneven,
            OpeningRoll(6, 5) if seat == 0 else OpeningRoll(5, 6),
        ]
    edited = replace(AFTER, state=replace(AFTER.state, position=LAST_CHECKER))
    for place, part in (
        (296, lambda *fields: cube_record(edited, 0, (), None, *fields)),
        (2528, lambda *fields: play_record(edited, 1, (2, 1), None, (), *fields)),
    ):
        read = parse_xg(xg_file([*BEGUN, part((place, "B", 1))]))
        assert read.fault is None
        assert read.match.games[0].events[2] == Event(edited)
        assert parse_xg(xg_file([*BEGUN, part()])).fault.endswith(
            "the checkers stand elsewhere than the plays have led"
        )


def _only(position):
    (play,) = legal_plays(position, Roll(2, 1))
    return (play,)


@pytest.mark.parametrize(
    ("part", "fault"),
    [
        (play_record(AFTER, 0, (6, 5), None), "move 2: the other player is on roll"),
        (play_record(AFTER, 1, (6, 6), OPENING), "move 2: 6-6 cannot be played to where"),
        (play_record(AFTER, 1, (7, 1), None), "move 2: no roll of two dice"),
        (record(2, (12, "i", 7)), "move 1: there is no player 7"),
        (cube_record(replace(AFTER, state=AFTER.state.turned()), 0), "move 1: the checkers stand"),
        (cube_record(AFTER, 1, [DoubleAnswer.BEAVER]), "move 1: a beaver is not allowed here"),
        (cube_record(AFTER, 1, (), None, (20, "i", 9)), "move 1: there is no answer 9 to a double"),
        (game_header(GameRecord()), "move 1: another game begins before this one is over"),
        (match_header(Rules(5)), "move 1: a second match begins"),
        (record(1), "move 1: another game begins"),
        (record(4, (24, "3i", 1, 1, 1)), "move 1: the game is not over"),
        (record(4, (24, "3i", 0, 1, 1)), "move 1: there is no player 0"),
        (record(4, (24, "3i", 1, 1, 1001)), "move 1: the game is not over"),
        (record(4, (24, "3i", -1, 5, 101)), "move 1: with the cube at 1 no resignation brings"),
        (record(3, (188, "i", 33)), "move 1: a record of a play has 33 plays analysed"),
        (
            play_record(AFTER, 1, (6, 5), None, [(OPENING, EVALUATION)]),
            "move 2: a play is analysed that the roll does not allow",
        ),
        (
            cube_record(AFTER, 0, (), ((2.0, *EVALUATION[1:]), (0.0, 0.0, 0.0))),
            "move 1: an analysis has chances that cannot be",
        ),
        (
            cube_record(AFTER, 0, (), ((*EVALUATION[:5], -0.1, 0.0), (0.0, 0.0, 0.0))),
            "move 1: an analysis has chances that cannot be",
        ),
        (
            cube_record(AFTER, 0, (), (EVALUATION, (0.0, -1001.0, 0.0))),
            "move 1: an analysis has an equity that cannot be",
        ),
        (
            cube_record(AFTER, 0, (), (EVALUATION, (float("nan"), 0.0, 0.0))),
            "move 1: an analysis has an equity that cannot be",
        ),
    ],
)
def test_first_thing_that_cannot_be_is_told_and_what_came_before_is_kept(part, fault):
    read = parse_xg(xg_file([*BEGUN, part]))
    assert read.fault.startswith(f"game 1, {fault}")
    events = read.match.games[0].events
    assert [type(event.answer) for event in events[:2]] == [OpeningRoll, CheckerPlay]
    assert list(replay(read.match))


def test_next_game_begins_at_the_score_that_is_told_if_there_is_such_a_game():
    dropped = AFTER.won(1, 1, Ending.DROPPED)
    ended = [*BEGUN, cube_record(AFTER, 1, [DoubleAnswer.DROP]), game_footer(dropped)]
    for header, fault in (
        (GameRecord((0, 1)), None),
        (GameRecord((3, 2)), None),
        (GameRecord((0, 1), is_crawford=True), "cannot be: no Crawford game at 0-1 to 5"),
    ):
        read = parse_xg(xg_file([*ended, game_header(header)]))
        assert read.fault is None if fault is None else read.fault.endswith(fault)
        assert len(read.match.games) == 1 + (fault is None)


def test_comments_stand_beside_what_they_are_about():
    rich = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}}{\*\generator X;}\fs20 %s\par" + b"\x01\x02}"
    words = (b"match", b"game", b"end of game", b"play", b"left \\'e0 \\u1078?z\\{", b"roll")
    parts = [
        match_header(Rules(5), comments=(576, "2i", 0, -1)),
        game_header(GameRecord(), comments=(1, 2)),
        play_record(Rules(5).new_game(), 0, (3, 1), OPENING, (), (2524, "i", 3)),
        cube_record(AFTER, 0, (), None, (292, "i", 4)),
        play_record(replace(AFTER, is_rolling=True), 1, (6, 5), None, (), (2524, "i", 5)),
    ]
    read = parse_xg(xg_file(parts, comments=b"\r\n".join(rich % word for word in words)))
    assert read.fault is None
    (game,) = read.match.games
    assert (read.match.comment, game.comment) == ("match", "game\nend of game")
    assert [event.comment for event in game.events] == ["", "play", "left à жz{", "roll"]
    missing = parse_xg(xg_file([*parts[:1], game_header(GameRecord(), comments=(7, -1))]))
    assert missing.fault.endswith("there is no comment 7")
    parts = [match_header(Rules(5)), game_header(GameRecord(), comments=(1, -1))]
    assert parse_xg(xg_file(parts, comments=rich % b"one")).fault.endswith("there is no comment 1")
    assert missing.match.comment == ""


@pytest.mark.parametrize("ends", [True, False])
def test_a_comment_that_nothing_comes_behind_is_of_the_game(ends):
    comments = b"\r\n".join(rb"{\rtf1 %s\par}" % word for word in (b"game", b"cube"))
    parts = [
        *(BEGUN[0], game_header(GameRecord(), comments=(0, -1)), BEGUN[2]),
        cube_record(AFTER, -2, (), None, (292, "i", 1)),
        *([game_footer(AFTER.won(0, 1, Ending.RESIGNED))] * ends),
    ]
    read = parse_xg(xg_file(parts, comments=comments))
    assert (read.fault, read.match.games[0].comment) == (None, "game\ncube")


def test_analyses_and_faults_of_a_later_game_are_told_with_its_number():
    told = EVALUATION, (0.5, 0.75, 1.0)
    drop = cube_record(AFTER, 1, [DoubleAnswer.DROP], told)
    ended = [*BEGUN, drop, game_footer(AFTER.won(1, 1, Ending.DROPPED))]
    second = [game_header(GameRecord((0, 1))), BEGUN[2], drop]
    read = parse_xg(xg_file([*ended, *second]))
    assert read.fault is None
    assert [(each.game, each.event) for each in read.analyses] == [(0, 2), (1, 2)]
    read = parse_xg(xg_file([*ended, *second[:2], game_header(GameRecord((0, 2)))]))
    assert read.fault == "game 2, move 1: another game begins before this one is over"


def test_what_is_done_before_a_game_has_begun_is_told():
    read = parse_xg(xg_file([match_header(Rules(5)), cube_record(AFTER, 0)]))
    assert (read.fault, read.match.games) == ("before the first game: no game has begun", ())


def test_a_cube_that_nobody_may_turn_is_left_alone():
    header = game_header(GameRecord((4, 1), is_crawford=True))
    parts = [*(BEGUN[0], header, BEGUN[2]), cube_record(AFTER, 0)]
    read = parse_xg(xg_file([*parts, play_record(AFTER, 1, (6, 5), None)]))
    assert read.fault is None
    assert [type(each.answer) for each in read.match.games[0].events] == [
        OpeningRoll,
        CheckerPlay,
        Roll,
    ]


def test_letters_of_a_comment_that_rich_text_has_words_for_stay():
    told = rb"{\rtf1 \ldblquote Don\rquote t!\rdblquote\~he said\emdash 8\endash 5,\_no\-pe\par}"
    assert comments(told) == ("\u201cDon\u2019t!\u201d he said\u20148\u20135,-nope",)


def test_comments_too_long_to_be_any_are_refused():
    with pytest.raises(ValueError, match=r"the comments in the \.xg file have 2000000"):
        parse_xg(xg_file(BEGUN, comments=bytes(2_000_000)))


def test_fault_between_two_games_leaves_the_one_that_ended_whole():
    dropped = AFTER.won(1, 1, Ending.DROPPED)
    ended = [*BEGUN, cube_record(AFTER, 1, [DoubleAnswer.DROP])]
    for part in (
        game_header(GameRecord((0, 1)), comments=(7, -1)),
        game_header(GameRecord((0, 1)), OPENING.after, automatic_doubles=2),
        record(4, (24, "3i", 1, 9, 0)),
    ):
        read = parse_xg(xg_file([*ended, part]))
        assert read.fault
        assert [game.result for game in read.match.games] == [dropped]
        assert list(replay(read.match))


def test_automatic_doubles_are_refused_with_a_sentence():
    header = game_header(GameRecord(), automatic_doubles=1)
    assert parse_xg(xg_file([match_header(Rules()), header])).fault == (
        "before the first game: automatic doubles in an .xg file are not read"
    )


@pytest.mark.parametrize(
    ("parts", "complaint"),
    [
        ([], "there is no match in the .xg file"),
        ([record(1)], "the first record is not that of a match"),
        ([record(0)], "the record of the match is damaged"),
        ([match_header(Rules(5)), b"more"], "the records have 2560 bytes each"),
        ([match_header(Rules(5), variation=(96, "i", 2))], "of another game than backgammon"),
        ([match_header(Rules(5), length=(92, "i", 65))], "a match has 1 to 64 points, not 65"),
    ],
)
def test_file_without_a_match_is_refused_in_one_sentence(parts, complaint):
    with pytest.raises(ValueError, match=complaint):
        parse_xg(xg_file(parts))
