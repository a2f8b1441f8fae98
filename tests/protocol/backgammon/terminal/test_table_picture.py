from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.position import START, turned
from protocol.backgammon.table.table import Setting, Table
from protocol.backgammon.terminal.board_view import CubePicture, Look
from protocol.backgammon.terminal.table_picture import Window, drawn_text, picture_of
from tests.tables import bearing_off_table, play_first


def played(players):
    table = Table(Setting(players))
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.throw(6, 4)
    return table


def test_a_single_person_sits_below_and_keeps_the_numbers():
    for players, lower in ((("human", "pubeval"), 0), (("pubeval", "human"), 1)):
        picture = picture_of(played(players))
        assert picture.lower == lower
        assert not picture.is_numbered_for_upper
    assert picture_of(played(("pubeval", "human"))).position.points[20] == -2


def test_between_two_people_or_two_bots_the_numbers_are_the_movers():
    for players in (("human", "human"), ("random", "pubeval")):
        table = played(players)
        picture = picture_of(table)
        assert picture.lower == 0
        assert picture.is_numbered_for_upper
        assert picture.position == turned(table.now)
        play_first(table, "24/14")
        assert not picture_of(table).is_numbered_for_upper


def test_last_play_is_marked_in_the_lower_players_numbers():
    table = played(("human", "pubeval"))
    picture = picture_of(table)
    assert picture.left == {8, 6}
    assert picture.moved == {5: 2}
    play_first(table, "24/18/14")
    picture = picture_of(table)
    assert picture.left == {1}
    assert picture.moved == {11: 1}


def test_legs_being_played_are_marked_instead():
    table = played(("human", "human"))
    table.turn = table.turn.with_text("24/18")
    picture = picture_of(table)
    assert picture.left == {1}
    assert picture.moved == {7: 1}
    assert picture.dice == (4,)


def test_targets_of_a_point_replace_the_marks():
    table = played(("human", "human"))
    picture = picture_of(table, 24)
    assert picture.targets == {7}
    assert not picture.left
    assert not picture.moved
    assert picture_of(table, 9).targets == frozenset()


def test_finished_game_shows_no_dice_and_the_new_score():
    picture = picture_of(bearing_off_table(Setting(("human", "human"), length=5), (1, 0)))
    assert picture.score == (3, 0)
    assert picture.dice == ()


def test_window_too_small_gets_words():
    assert not Window(80, 24).is_too_small
    assert Window(79, 24).is_too_small
    assert Window(80, 17).is_too_small
    assert "79 columns and 24 rows" in Window(79, 24).excuse
    picture = picture_of(Table(Setting(("human", "human"))))
    assert picture.position == START
    assert "┌" in drawn_text(picture, Look(), Window())
    words = drawn_text(picture, Look(), Window(40, 24))
    assert "24(2)" in words
    for text in (words, Window(40, 24).excuse):
        assert max(map(len, text.splitlines())) <= 40


def test_cube_is_shown_where_it_is_in_use():
    assert picture_of(Table(Setting(("human", "human")))).cube is None
    table = Table(Setting(("human", "pubeval"), cube=True))
    assert picture_of(table).cube == CubePicture(1)
    table.throw(3, 1)
    play_first(table, "8/5 6/5")
    table.answer(CubeAction.DOUBLE)
    assert picture_of(table).cube == CubePicture(2, None, is_offered=True)
    table.answer(DoubleAnswer.TAKE)
    assert picture_of(table).cube == CubePicture(2, 0)
    assert not picture_of(table).is_crawford
    crawford = Table(Setting(("human", "pubeval"), 3, cube=True), (2, 0), is_crawford=True)
    assert picture_of(crawford).is_crawford
