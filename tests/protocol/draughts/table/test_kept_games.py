import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from protocol.draughts.table.kept_games import KeptGames
from protocol.draughts.table.table import HUMAN, Table


def table(plies=0):
    made = Table(Position.start(CZECH), (HUMAN, HUMAN))
    for _ in range(plies):
        made.play(made.game.moves[0])
    return made


@pytest.fixture
def path(tmp_path):
    return tmp_path / "kept" / "czech.pdn"


def plies(path):
    return [len(record.moves) for record in KeptGames.load(path, CZECH).earlier]


def test_games_of_another_blot_are_not_written_over(path):
    ours, theirs = KeptGames.load(path, CZECH), KeptGames.load(path, CZECH)
    mine = table(2)
    ours.keep(mine)
    theirs.keep(table(3))
    mine.play(mine.game.moves[0])
    mine.play(mine.game.moves[0])
    ours.keep(mine)
    assert plies(path) == [3, 4]


def test_game_that_another_blot_has_gone_on_with_is_there_twice(path):
    ours = KeptGames.load(path, CZECH)
    mine = table(1)
    ours.keep(mine)
    theirs = KeptGames.load(path, CZECH)
    gone_on = theirs.take_unfinished(CZECH)
    gone_on.play(gone_on.game.moves[0])
    theirs.keep(gone_on)
    mine.play(mine.game.moves[-1])
    ours.keep(mine)
    assert plies(path) == [2, 2]


def test_earlier_game_is_taken_and_the_one_at_the_table_stays(path):
    kept = KeptGames.load(path, CZECH)
    for count in (1, 2, 3):
        kept.keep(table(count))
    taken = kept.take(0)
    assert len(taken.moves) == 1
    kept.keep(taken)
    assert plies(path) == [2, 3, 1]
    with pytest.raises(ValueError, match=r"no game 9 in .*czech\.pdn"):
        kept.take(8)


def test_game_of_another_variant_is_not_gone_on_with_and_its_own_is_named(path):
    international = Table(Position.start(INTERNATIONAL))
    international.play(international.game.moves[0])
    KeptGames(path).keep(international)
    kept = KeptGames.load(path, INTERNATIONAL)
    with pytest.raises(ValueError, match=r"has a game of international draughts: give --variant"):
        kept.take_unfinished(CZECH)


def test_there_is_no_game_before_the_first(path):
    kept = KeptGames.load(path, CZECH)
    kept.keep(table(1))
    with pytest.raises(ValueError, match=r"there is no game 0 in .*czech\.pdn"):
        kept.take(-1)


def test_folder_that_cannot_be_made_or_written_in_is_told_in_a_sentence(path, monkeypatch):
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(ValueError, match=r"the folder .* cannot be made: File exists"):
        KeptGames(path).keep(table(1))
    path.parent.unlink()
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.raises(OSError, match=r"cannot write .*czech\.pdn: Permission denied"):
        KeptGames(path).keep(table(1))


def test_result_that_no_move_tells_comes_back(path):
    given_up, drawn = table(1), table(2)
    given_up.end(given_up.game.resigned(Side.BLACK))
    drawn.end(drawn.game.agreed())
    kept = KeptGames.load(path, CZECH)
    kept.keep(given_up)
    kept.keep(drawn)
    again = KeptGames.load(path, CZECH)
    assert again.take_unfinished(CZECH) is None
    assert again.take(1).result == drawn.result
    assert again.take(0).result == given_up.result


def test_two_blots_that_write_at_once_lose_no_game(path):
    counts, rounds = (2, 3, 4, 5), 5
    path.parent.mkdir()

    def keep(count):
        kept = KeptGames.load(path, CZECH)
        for _ in range(rounds):
            kept.keep(table(count))

    with ThreadPoolExecutor(len(counts)) as threads:
        list(threads.map(keep, counts))
    assert sorted(plies(path)) == sorted(counts * rounds)


def test_what_a_file_says_of_a_game_stays_as_it_goes_on(path):
    path.parent.mkdir()
    said = (
        '[Event "Club evening"]\n[White "human"]\n[Black "human"]\n\n'
        "{A quiet one} 1. c3-b4! {best} (1. c3-d4 b6-a5) b6-a5 $2"
    )
    path.write_text(f"{said} *\n")
    kept = KeptGames.load(path, CZECH)
    taken = kept.take_unfinished(CZECH)
    taken.play(taken.game.moves[0])
    kept.keep(taken)
    (record,) = KeptGames.load(path, CZECH).earlier
    assert ("Event", "Club evening") in record.tags
    assert record.line.comments == ("A quiet one",)
    first, second, third = record.line.moves
    assert (first.glyphs, first.comments, len(first.variations)) == ((1,), ("best",), 1)
    assert (second.glyphs, third.glyphs) == ((2,), ())
    taken.undo()
    taken.undo()
    taken.play(taken.game.moves[-1])
    assert taken.record.line.moves[1].glyphs == ()


def test_a_game_that_both_lost_comes_back_so(path):
    path.parent.mkdir()
    path.write_text("1. c3-b4 0-0\n")
    kept = KeptGames.load(path, CZECH)
    taken = kept.take(0)
    kept.keep(taken)
    assert KeptGames.load(path, CZECH).earlier[0].score == (0, 0)
    taken.undo()
    assert taken.record.score is None
    taken.end(taken.game.agreed())
    assert taken.record.score == (1, 1)


@pytest.mark.parametrize(
    ("start", "moves", "reason"),
    [
        (
            "W:W36,37,K46:B15,14,K5",
            "1. 46-41 5-10 2. 41-46 10-5 3. 46-41 5-10 4. 41-46 10-5 5. 46-41",
            "the game is over",
        ),
        ("W:W:B15", "", "the game is over in this position: no move left"),
    ],
)
def test_a_kept_game_that_cannot_go_on_is_named_with_a_way_out(path, start, moves, reason):
    path.parent.mkdir()
    path.write_text(f'[FEN "{start}"]\n\n{moves} *\n')
    kept = KeptGames.load(path, INTERNATIONAL)
    with pytest.raises(ValueError, match=rf"game 1 of .*czech\.pdn: {reason}; give --new"):
        kept.take_unfinished(INTERNATIONAL)
