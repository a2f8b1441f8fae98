import pytest

from bot.draughts.rules.position import Position
from bot.draughts.rules.variant import CZECH, Side
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
