from pathlib import Path

import pytest

from bot.draughts.rules.move import Move
from bot.draughts.rules.position import Position
from bot.draughts.rules.record import GameRecord, Line, RecordedMove, replay
from bot.draughts.rules.variant import CZECH, INTERNATIONAL
from protocol.draughts.formats.fen import fen_text
from protocol.draughts.formats.notation import move_text
from protocol.draughts.formats.pdn import parse_pdn, read_pdn
from protocol.draughts.formats.pdn_writing import pdn_text, result_text, write_pdn

GAME = """[Event "A \\"test\\" \\\\ of tags"]
[White "Novák"]
[Result "2-0"]
[GameType "20,W,10,10,N2,0"]

1. 32-28 19-23 2. 28x19 14x23 {equal} 3. 37-32 2-0
"""


def only(text, variant=INTERNATIONAL):
    (game,) = parse_pdn(text, variant).whole
    return game


def moves_of(game):
    texts = []
    for position, move in replay(game):
        texts.append(move_text(move, plain(position), position.variant))
    return " ".join(texts)


def plain(position):
    from bot.draughts.rules.legality import legal_moves

    return legal_moves(position)


def test_a_game_has_tags_moves_and_a_score():
    game = only(GAME)
    assert game.tags == (("Event", 'A "test" \\ of tags'), ("White", "Novák"))
    assert moves_of(game) == "32-28 19-23 28x19 14x23 37-32"
    assert game.line.moves[3].comments == ("equal",)
    assert (game.score, game.variant) == ((2, 0), INTERNATIONAL)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("2-0", (2, 0)),
        ("1-0", (2, 0)),
        ("1-1", (1, 1)),
        ("1/2-1/2", (1, 1)),
        ("0-2", (0, 2)),
        ("0-1", (0, 2)),
        ("0-0", (0, 0)),
        ("*", None),
        ("", None),
    ],
)
def test_a_result_is_read_in_either_scale(text, score):
    assert only(f"1. 32-28 19-23 {text}").score == score
    assert only(f'[Result "{text}"]\n1. 32-28 *').score == score
    assert only(f'[Result "{text}"]\n1. 32-28').score == score


def test_each_variant_has_its_own_scale():
    assert [result_text((2, 0), variant) for variant in (INTERNATIONAL, CZECH)] == ["2-0", "1-0"]
    assert [result_text((1, 1), variant) for variant in (INTERNATIONAL, CZECH)] == [
        "1-1",
        "1/2-1/2",
    ]


@pytest.mark.parametrize("kind", ["29", "29,W,8,8,A0,0"])
def test_the_game_type_tells_czech_draughts(kind):
    game = only(f'[GameType "{kind}"]\n1. c3-d4 b6-a5 1/2-1/2')
    assert (game.variant, moves_of(game)) == (CZECH, "c3-d4 b6-a5")
    assert "\n1. c3-d4 b6-a5 1/2-1/2\n" in pdn_text([game])


def test_without_a_game_type_the_given_variant_is_played():
    assert only("1. c3-d4 b6-a5", CZECH).variant is CZECH
    assert only("1. 32-28").variant is INTERNATIONAL


def test_a_position_is_set_up_and_black_may_begin():
    game = only('[SetUp "1"]\n[FEN "B:W32:BK6,20"]\n1... 20-24 2. 32-28 0-2')
    assert fen_text(game.start) == "B:W32:BK6,20"
    assert '[SetUp "1"]\n[FEN "B:W32:BK6,20"]\n\n1... 20-24 2. 32-28 0-2' in pdn_text([game])
    assert only('[SetUp "0"]\n[FEN "x"]\n1. 32-28').start == Position.start(INTERNATIONAL)


def test_comments_variations_and_remarks_are_kept():
    text = (
        "{before} 1. 32-28! ; to the end\n 1... 19-23 $14 (1... 18-23 {or} (1... 17-22?!) 2. 38-32)"
        " {after} 2. 28x19 * 14x23 (!) *"
    )
    line = only(text).line
    assert line.comments == ("before",)
    first, second, third, fourth = line.moves
    assert (first.glyphs, first.comments) == ((1,), ("to the end",))
    assert (second.glyphs, second.comments) == ((14,), ("after",))
    (variation,) = second.variations
    assert [each.move.start for each in variation.moves] == [18, 38]
    assert variation.moves[0].comments == ("or",)
    assert variation.moves[0].variations[0].moves[0].glyphs == (6,)
    assert (third.glyphs, fourth.glyphs) == ((7,), (1,))
    assert parse_pdn(pdn_text([only(text)])).whole == (only(text),)


def test_words_are_read_without_blanks_between_them_and_over_line_ends():
    assert moves_of(only("1.32-28 19-23\n2.28x19\r\n14x23{x}3.37-32 *")).endswith("37-32")
    assert moves_of(only("1 32-28 19-23 2 28x19")).endswith("28x19")
    assert moves_of(only("% 1. 31-27\n1. 32-28 1... 19-23")) == "32-28 19-23"


def test_moves_of_real_collections_have_blanks_behind_the_sign_and_zeros_before_a_digit():
    text = "1. 32-28 19-23  2. 28x 19 14x23  3. 37-32 10-14  4. 41-37  5-10 1- 1"
    assert moves_of(only(text)).endswith("41-37 5-10")
    assert only(text).score == (1, 1)
    assert moves_of(only("01. 34-29 17-22 02. 40-34 11-17 03. 45-40 06-11 *")).endswith("6-11")
    with pytest.raises(ValueError, match="'32-' is no move"):
        only("1. 32-\n28 *")


def test_a_remark_in_brackets_has_any_number_of_signs():
    first, second = only("1. 32-28(?!!) 19-23 (!?!!!) *").line.moves
    assert (first.glyphs, second.glyphs) == ((6, 1), (5, 3, 1))


def test_several_games_stand_in_a_text_whatever_divides_them():
    text = (
        '[White "a"]\n1. 32-28 *\n\n[White "b"]\n1. 31-27\n[White "c"]\n*1. 31-26 1-1 1. 32-27 2-0'
    )
    games = parse_pdn(text).whole
    assert [game.tags for game in games][:3] == [(("White", each),) for each in "abc"]
    assert [len(game.moves) for game in games] == [1, 1, 0, 1, 1]
    assert [game.score for game in games] == [None, None, None, (1, 1), (2, 0)]


def test_a_comment_behind_the_result_belongs_to_the_game():
    games = parse_pdn("1. 32-28 2-0 {time} 1. 31-27 *").whole
    assert games[0].line.moves[0].comments == ("time",)
    assert games[1].line.comments == ()


def test_a_draw_that_nobody_claimed_does_not_end_the_game():
    moves = " ".join(["46-5 1-6 5-46 6-1"] * 6)
    game = only(f'[FEN "W:WK46,50:BK1"]\n{moves} 1-1')
    assert len(game.moves) == 24


def test_a_long_game_is_written_in_lines_of_79_signs():
    comment = " ".join(["word"] * 60)
    record = GameRecord(
        Position.start(INTERNATIONAL), Line((RecordedMove(Move(32, 28), (), (comment,)),))
    )
    assert max(map(len, pdn_text([record]).splitlines())) <= 79


@pytest.mark.parametrize(
    ("text", "kept", "fault"),
    [
        ("1. 32-28 32-27 2. 31-27", 1, "line 1: 32-27 is not legal here; .* would be"),
        ("1. 32-28\n19-23\n2. 31-27", 2, "line 3: 31-27 is not legal: a capture must be made"),
        ("1. 32-28 hello", 1, "line 1: 'hello' is no move"),
        ("1. 32-28 {no end", 1, "a comment has no end }"),
        ("1. 32-28 [no tag", 1, 'a tag is \\[Name "value"\\]'),
        ("1. 32-28 (1. 31-27 2-0", 1, "a variation has no result"),
        ("1. 32-28 (1. 31-27", 1, "a bracket \\) is missing"),
        ("1. 32-28 ) 19-23", 1, "there is no variation to close"),
        ("(1. 32-28)", 0, "a variation comes behind a move"),
        ("! 1. 32-28", 0, "a move is wanted first"),
        ("1. 32-28 " + "(1. 31-27 " * 99, 1, "more than 50 variations"),
        ('[Result "2-0"]\n1. 32-28 0-2', 1, "tell different results"),
        ('[Result "12-8"]\n1. 32-28 *', 1, "the tag Result is none: '12-8'"),
        ('[White "a"]\n[White "b"]\n1. 32-28 *', 1, "line 2: the tag White stands there twice"),
        ("1. 32-28 \x00", 1, "stands outside of any word|is no move"),
    ],
)
def test_a_game_is_read_up_to_its_fault(text, kept, fault):
    read = parse_pdn(f'{text}\n\n[White "next"]\n1. 31-26 2-0')
    assert [len(game.moves) for game in read.games] == [kept, 1]
    assert len(read.faults) == 1
    with pytest.raises(ValueError, match=f"^game 1, .*{fault}"):
        _ = read.whole


@pytest.mark.parametrize(
    ("tags", "fault"),
    [
        ('[GameType "25"]', "line 1: the game type '25' is neither 20"),
        ('[GameType "x,y"]', "the game type 'x' is neither 20"),
        ('[FEN "W:W99:B1"]', "cannot read the FEN 'W:W99:B1': the squares are 1 to 50, not 99"),
    ],
)
def test_a_game_that_cannot_be_set_up_is_a_fault_alone(tags, fault):
    read = parse_pdn(f'{tags}\n1. 32-28 *\n\n[White "next"]\n1. 31-26 2-0')
    assert [game.tags for game in read.games] == [(("White", "next"),)]
    assert str(read.faults[0]).startswith("game 1, line ")
    assert fault in str(read.faults[0])


@pytest.mark.parametrize("text", ["", "\n\n", "{only a comment}", "% nothing"])
def test_a_text_without_a_game_is_refused(text):
    with pytest.raises(ValueError, match="there is no game of draughts in it"):
        parse_pdn(text)


def test_a_game_that_is_not_legal_cannot_be_written():
    record = GameRecord(Position.start(INTERNATIONAL), Line((RecordedMove(Move(32, 22)),)))
    with pytest.raises(ValueError, match="a move from 32 to 22 is not legal"):
        pdn_text([record])
    with pytest.raises(ValueError, match="move 1 is against the rules"):
        list(replay(record))


def test_a_file_without_a_game_is_named_whatever_its_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a").touch()
    with pytest.raises(ValueError, match=r"^a: there is no game of draughts"):
        read_pdn(Path("a"))


def test_files_are_written_and_read_whole(tmp_path):
    path = tmp_path / "games.pdn"
    write_pdn([only(GAME)], path)
    assert read_pdn(path).whole == (only(GAME),)
    path.write_bytes('[White "Knofl\xed\xe8ek"]\n1. 32-28 *'.encode("latin-1"))
    assert read_pdn(path).whole[0].tags[0][1].startswith("Knofl")
    path.write_text("")
    with pytest.raises(ValueError, match=r"games\.pdn: there is no game"):
        read_pdn(path)
    with pytest.raises(ValueError, match=r"none\.pdn"):
        read_pdn(tmp_path / "none.pdn")
