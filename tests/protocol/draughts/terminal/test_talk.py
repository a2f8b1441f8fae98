from threading import Event

import pytest

from bot.draughts.engine.alpha_beta import AlphaBeta, AlphaBetaSettings
from bot.draughts.rules.decision import Found, Limits
from bot.draughts.rules.variant import CZECH, INTERNATIONAL, Side
from protocol.draughts.formats.fen import parse_fen
from protocol.draughts.formats.notation import example_moves
from protocol.draughts.table.table import HUMAN, Table
from protocol.draughts.terminal.board_view import Look, board_text
from protocol.draughts.terminal.talk import HELP, Talk
from protocol.draughts.terminal.terminal import GREETING
from protocol.line_reader import MENU_ROWS


class First:
    """Takes the first legal move; thinks of its score what it is told to."""

    def __init__(self, score=None):
        self.score = score

    def search(self, game, limits, stop, tell):
        assert isinstance(stop, Event)
        return Found(game.moves[0], self.score, 3 if self.score is not None else None)


def talk(fen="", variant=CZECH, bot=None, *, unicode=False):
    said = []
    start = Table(parse_fen(fen, variant) if fen else parse_start(variant))
    start.players = (HUMAN, "first" if bot else HUMAN)
    made = Talk(
        start,
        said.append,
        players=(None, bot),
        limits=Limits(),
        advisor=lambda: First(0.5),
        look=Look(unicode=unicode),
    )
    return made, said


def parse_start(variant):
    from bot.draughts.rules.position import Position

    return Position.start(variant)


def test_help_fits_into_a_window_of_80_by_24_as_the_greeting_does():
    assert len(HELP.splitlines()) + MENU_ROWS <= 24
    greetings = [GREETING.format(example_moves(variant)) for variant in (CZECH, INTERNATIONAL)]
    assert max(map(len, (*HELP.splitlines(), *greetings))) <= 80


def test_board_shows_pieces_names_and_the_last_move():
    made, said = talk()
    assert made.prompt() == "o white to move: "
    assert said[-1].splitlines()[1:3] == [
        " 8      x       x       x       x  ",
        " 7  x       x       x       x      ",
    ]
    made.receive("c3-d4")
    assert "[o]" in board_text(made.table.position, made.look, (18,))
    made.prompt()
    row = said[-1].splitlines()[5]
    assert (row[:3], row.split()) == (" 4 ", ["4", ".", "[o]", ".", "."])


def test_moves_are_numbered_and_played_by_number_or_notation():
    made, said = talk(variant=INTERNATIONAL)
    made.receive("moves")
    assert said[-2].startswith("1 31-26  2 31-27  3 32-27")
    assert said[-1] == "9 35-30"
    made.receive("2")
    assert (made.table.last.start, made.table.last.end) == (31, 27)
    made.receive("17-21")
    assert (made.table.last.start, made.table.last.end) == (17, 21)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("99", "The moves are numbered 1 to 7, not 99."),
        ("nonsense", "'nonsense' is no move: write a3-b4 or c3:e5."),
        ("a3-a4", "a4 is a light square, where no piece stands"),
        ("undo", "No move has been made."),
        ("hint 3", "Hint stands alone, without '3'."),
        ("Resign later", "Resign stands alone, without 'later'."),
        ("quit now", "Quit stands alone, without 'now'."),
        ("save", "Save takes a file: save game.pdn."),
        ("save ~nobody-here/a.pdn", "Cannot use ~nobody-here/a.pdn: there is no such home."),
        ("save a\0.pdn", "No file has a name with a NUL in it."),
        (f"save {'x' * 300}", f"Cannot use {'x' * 300}: File name too long."),
        ("9" * 5_000, "The moves are numbered 1 to 7, not 99999999999999999999."),
        ("save /nowhere/at/all.pdn", "Cannot write /nowhere/at/all.pdn"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(line, sentence):
    made, said = talk()
    made.receive(line)
    assert said[-1].startswith(sentence)
    assert said[-1].endswith(".")
    assert made.table.moves == []
    assert made.table.result is None
    assert not made.is_left


def test_bot_moves_says_so_and_the_only_move_is_made_by_enter():
    made, said = talk("W:Wc3,a1:Bb4,h8", bot=First(0.25))
    made.receive("")
    assert said[-1] == "The only move: c3:a5."
    assert not made.waits
    made.step()
    assert said[-1] == "x black (first) moves h8-g7 (+0.25, depth 3)."


def test_hint_tells_move_and_score():
    made, said = talk()
    made.receive("hint")
    assert said[-1].endswith(" (+0.50, depth 3)")


def test_draw_is_agreed_unless_the_bot_is_ahead():
    made, said = talk(bot=First(-0.5))  # of the person
    made.receive("draw")
    assert said[-1] == "x black (first) plays on."
    made, said = talk(bot=First(0.5))
    made.receive("draw")
    made.prompt()
    assert said[-1] == "A draw: an agreement, 1/2-1/2."


def test_bot_that_is_ahead_agrees_on_no_draw_before_an_only_move():
    bot = AlphaBeta(AlphaBetaSettings(2))
    made, said = talk("W:W46:BK1,K2,19", INTERNATIONAL, bot)
    assert len(made.table.game.moves) == 1
    made.receive("draw")
    assert said == ["x black (first) plays on."]


def test_resignation_ends_the_game_and_new_begins_another():
    made, said = talk()
    made.receive("resign")
    assert made.prompt() == "new, undo or quit: "
    assert said[-1] == "x black wins: a resignation, 0-1."
    made.receive("a3-b4")
    assert said[-1] == "The game is over: new, undo or quit."
    made.receive("new")
    assert made.table.result is None


def test_game_that_is_over_is_neither_played_nor_given_up_again():
    made, said = talk("W:Wc3,a1:Bb4,h8")
    made.receive("resign")
    for line in ("moves", "hint", "draw", "resign"):
        made.receive(line)
        assert said[-1] == "The game is over: new, undo or quit."
    made.receive("")
    assert not any("only move" in text for text in said)
    assert made.completions("c3") == []


def test_person_is_asked_once_the_game_is_over_whoever_was_to_move():
    made, _ = talk(bot=First())
    made.receive("c3-d4")
    assert not made.waits
    made.table.end(made.table.game.agreed())
    assert made.waits


def test_hint_is_the_whole_line_by_an_advisor_who_is_asked_to_come_once():
    came = []

    class Advisor:
        def search(self, game, *given):
            move = game.moves[0]
            return Found(move, line=(move, game.after(move).moves[0]))

    made, said = talk()
    made._make_advisor = lambda: came.append("here") or Advisor()
    for _ in range(2):
        made.receive("hint")
    assert said[-1] == "a3-b4 b6-a5"
    assert came == ["here"]


def test_game_that_cannot_be_kept_is_complained_of_once():
    made, said = talk()

    def refuse():
        raise OSError("no room")

    for _ in range(2):
        made.keep_by(refuse)
    assert said == ["The game is not kept: no room."]


def test_lines_are_completed_to_moves_and_commands():
    made, _ = talk()
    assert made.completions("c3") == ["c3-b4", "c3-d4"]
    assert made.completions("he") == ["help"]
    assert made.completions("") == made.completions("?") == []


def test_board_is_turned_round(tmp_path):
    made, said = talk()
    made.receive("flip")
    assert said[-1].splitlines()[1].startswith(" 1      o")
    made.receive("flip")
    assert said[-1].splitlines()[1].startswith(" 8      x")
    made.receive("flip")
    made.receive(f"save {tmp_path / 'game.pdn'}")
    assert (tmp_path / "game.pdn").read_text().startswith('[White "human"]')
    made.receive("quit")
    assert made.is_left


def test_no_file_is_saved_over_and_home_may_be_named(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    games = tmp_path / "games.pdn"
    games.write_text("all my games")
    made, said = talk()
    made.receive("save ~/games.pdn")
    assert said[-1] == f"{games} is there already: give another name."
    assert games.read_text() == "all my games"
    made.receive("save ~/game.pdn")
    assert said[-1] == f"The game is in {tmp_path / 'game.pdn'}."
    made.receive("save ~nobody-is-called-so/game.pdn")
    assert said[-1].startswith("Cannot use ~nobody-is-called-so/game.pdn: ")


def test_signs_of_the_pieces_differ_without_colour():
    signs = {Look(True).sign(side, king=king) for side in Side for king in (True, False)}
    assert len(signs) == 4
