from bot.backgammon.arena.baselines import baseline
from bot.backgammon.rules.position import START
from protocol.backgammon.table.kept_games import KeptGame
from protocol.backgammon.table.table import HUMAN, Setting, Table
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
        Table(Setting(("random", "random"), seed=7)),
        lambda text: None,
        make_player=seat,
        kept=KeptGame(tmp_path / "game.json"),
        look=Look(),
        window=Window,
    )
    assert seeds == [("random", 7), ("random", 8)]


def test_point_that_was_named_is_forgotten_once_another_checker_is_played(sit):
    sitting = sit(table_at(Setting((HUMAN, "pubeval")), START, (3, 1)))
    assert sitting.say("8").endswith("8 may go to 7 or 5.")
    sitting.say("24/23")
    assert "no checker can go from 5" in sitting.say("5").lower()
    assert len(sitting.table.turn.legs) == 1
