import os

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.rules.position import START
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import HUMAN, Setting
from protocol.backgammon.terminal.board_view import Look
from protocol.backgammon.terminal.conversation import Conversation
from protocol.backgammon.terminal.table_picture import Window
from tests.tables import table_at


def test_two_bots_of_a_name_have_seeds_of_their_own(tmp_path):
    seeds = []

    def seat(name, seed, setting):
        seeds.append((name, seed))
        return baseline(name, seed)

    Conversation(
        table_at(Setting(("random", "random"), seed=7), START, (3, 1)),
        lambda text: None,
        make_player=seat,
        kept=KeptGame(tmp_path / "game.json"),
        look=Look(),
        window=Window,
    )
    assert seeds == [("random", 7), ("random", 8)]
    assert not (tmp_path / "game.json").exists(), "nobody goes on with a game of bots"


def test_game_that_another_blot_has_written_meanwhile_is_left_and_this_one_kept_elsewhere(sit):
    sitting = sit(table_at(Setting((HUMAN, "pubeval")), START, (3, 1)))
    other = sitting.kept.path
    other.write_text("another game")
    os.utime(other, (1, 1))
    assert "Another Blot plays the game kept as game; this one is kept as game-2." in (
        sitting.say("8/5").splitlines()
    )
    assert other.read_text() == "another game"
    assert sitting.talk.kept_as == "game-2"


def test_what_cannot_be_kept_is_complained_of_once(sit, tmp_path):
    (tmp_path / "kept").write_text("a file where the folder should be")
    sitting = sit(table_at(Setting((HUMAN, "pubeval")), START, (3, 1)))
    sitting.say("8/5")
    assert sum("The game is not kept" in text for text in sitting.sent) == 1


def test_window_too_small_for_the_board_is_excused_until_it_is_large_enough_once(sit):
    sitting = sit(table_at(Setting((HUMAN, "pubeval")), START, (3, 1)))
    large, small, told = sitting.window, Window(20, 10), []
    for window in (small, small, large, small):
        sitting.window = window
        told.append("is too small for the board" in sitting.say("board").replace("\n", " "))
    assert told == [True, False, False, True]


def test_point_that_was_named_is_forgotten_once_another_checker_is_played(sit):
    sitting = sit(table_at(Setting((HUMAN, "pubeval")), START, (3, 1)))
    assert sitting.say("8").endswith("8 may go to 7 or 5.")
    sitting.say("24/23")
    assert "no checker can go from 5" in sitting.say("5").lower()
    assert len(sitting.table.turn.legs) == 1
