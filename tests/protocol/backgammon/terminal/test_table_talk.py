import pytest

from bot.backgammon.arena.baselines import baseline
from bot.backgammon.rules.position import START, Position
from protocol.backgammon.formats.notation import short_play_text
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import gnubg_id
from protocol.backgammon.table.table import HUMAN, Dice, Setting, Table
from protocol.backgammon.terminal.table_picture import Window
from tests.sitting import Sitting, ask
from tests.tables import LAST_CHECKER, table_at

AGAINST_PUBEVAL = (HUMAN, "pubeval")
PEOPLE = (HUMAN, HUMAN)


@pytest.fixture
def opened(sit):
    """A person who has to play 3-1 from the start against pubeval."""
    return sit(table_at(Setting(AGAINST_PUBEVAL, seed=3), START, (3, 1)))


def test_a_game_is_played_to_its_end_and_the_next_begins(sit):
    sitting = sit(Table(Setting(AGAINST_PUBEVAL, length=3, seed=11)))
    player = baseline("blockers", 0)
    questions = 0
    while not sitting.table.is_match_over:
        if sitting.table.result:
            assert sitting.talk.prompt() == "Enter for the next game> "
            sitting.say("")
            continue
        turn = sitting.table.turn
        sitting.say(short_play_text(player.choose(turn.position, turn.roll), turn.position))
        questions += 1
    assert questions > 15
    assert sitting.talk.prompt() == "Enter for the next match> "
    assert " and the match, " in sitting.sent[-2]
    assert sitting.kept.load() is None
    sitting.say("")
    assert sitting.table.score == (0, 0)


def test_person_is_asked_with_the_board_and_the_dice(opened):
    assert opened.talk.prompt() == "● You 3-1> "
    assert "│ 3 ││ 1 │" in opened.sent[-1]


def test_bots_turn_is_told_and_marked(opened):
    told = opened.say("8/5 6/5")
    assert "● You play 8/5 6/5." in told
    assert "○ pubeval rolls " in told
    assert "○ pubeval plays " in told
    assert "◎" in told
    assert "● You roll" in told


def test_play_is_made_leg_by_leg_with_targets_marked(opened):
    marked = opened.say("8")
    assert marked.count("▼") == 4
    assert "8 may go to 7 or 5." in marked
    opened.say("5")
    assert opened.talk.prompt() == "● You 1 left> "
    assert "1 can still be played" not in opened.say("")
    opened.say("6/5")
    assert opened.talk.prompt() == "● You Enter ends the turn> "
    assert "24/23: the roll is played." in opened.say("24/23")
    assert "No checker can go from 8: the roll is played." in opened.say("8")
    assert "● You play 8/5 6/5." in opened.say("")


def test_another_source_may_be_named_instead(opened):
    opened.say("8")
    assert "6 may go to 5 or 3." in opened.say("6")
    assert "No checker can go from 20, only from 24 13 8 6." in opened.say("20")
    opened.say("5")
    assert opened.table.turn.legs[0].source == 6


def test_undo_takes_back_a_leg_and_then_a_turn(opened):
    assert opened.say("undo") == "There is nothing to take back."
    opened.say("8/5 6/5")
    opened.say(str(opened.table.turn.next_legs[0].source))
    leg = opened.table.turn.next_legs[0]
    opened.say(f"{leg.source}/{leg.target}")
    assert "Taken back: the last leg." in opened.say("undo")
    assert "Taken back: the last turn." in opened.say("undo")
    assert opened.talk.prompt() == "● You 3-1> "
    assert opened.table.now == START


def test_enter_plays_the_only_play_and_else_draws_the_board(sit):
    forced = sit(table_at(Setting(PEOPLE), LAST_CHECKER, (2, 1)))
    assert "Player 1 wins a gammon" in forced.say("")
    free = sit(table_at(Setting(PEOPLE), START, (2, 1)))
    assert free.say("").count("bar") == 1


def test_turn_without_a_legal_play_passes(sit):
    blocked = Position.of({25: 1, 1: 14}, {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2})
    sitting = sit(table_at(Setting(AGAINST_PUBEVAL), blocked, (6, 5)))
    assert sitting.sent[0] == "● You have no legal play."
    assert sitting.table.turns[0].play.legs == ()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("xyzzy", "Cannot read 'xyzzy' in the play 'xyzzy'."),
        ("hnit", "Cannot read 'hnit' in the play 'hnit'. Did you mean hint?"),
        ("8/5 6/5 13/12", "13/12: the other side holds point 12."),
        ("bar/3", "bar/3: you have no checker on the bar."),
        ("\x00\x1b[2J", "Cannot read"),
        ("9" * 5000, "A line has 4,000 letters at most."),
        ("8 X", "Cannot read the play '8 X'."),
        ("move", "Move takes a play: move 8/5 6/5."),
        ("move 8 5 6", "Cannot read '6' in the play '8 5 6'."),
        ("move 13 12", "13/12: the other side holds point 12."),
        ("accept", "There is no double and no resignation to accept."),
        ("reject", "There is no double and no resignation to reject."),
        ("pass", "There is no double to drop."),
        ("exit now", "Exit stands alone"),
        ("8/5(9)", "Cannot read '8/5(9)'"),
        ("hint x", "Hint takes a number of plays, not 'x'."),
        ("hint 0", "Hint takes a number of plays, not '0'."),
        ("undo all", "Undo stands alone, without 'all'."),
        ("pips 3", "Pips stands alone"),
        ("id 3", "Id stands alone"),
        ("board 3", "Board stands alone"),
        ("help me", "Help stands alone"),
        ("new game", "New stands alone"),
        ("quit now", "Quit stands alone"),
        ("resign all", "Resign single, gammon or backgammon, not 'all'."),
        ("save", "Save takes a file: save game.json."),
        ("export", "Export takes a file: export game.mat or game.sgf."),
        ("export x.xg", "A match is written to a name with .mat or .sgf, not to x.xg."),
        ("load", "Load takes a file: load game.json."),
        ("load none.json", "Cannot read none.json: No such file or directory."),
        ("save none/none.json", "Cannot save none/none.json: No such file or directory."),
    ],
)
def test_nonsense_gets_a_sentence_and_changes_nothing(opened, line, answer):
    before = opened.table.turn
    assert opened.say(line).startswith(answer)
    assert opened.table.turn == before
    assert opened.talk.prompt() == "● You 3-1> "


@pytest.mark.parametrize("line", ["8-5 6-5", "move 8 5 6 5", "MOVE 8-5 6-5", "move 8/5 6/5"])
def test_plays_are_read_as_gnubg_s_command_and_with_hyphens(opened, line):
    assert "● You play 8/5 6/5." in opened.say(line)


def test_move_takes_a_leg_a_point_is_not_one_and_move_alone_ends_the_turn(opened):
    opened.say("move 8 5")
    assert opened.say("move 8") == "Cannot read '8' in the play '8'."
    opened.say("move 6 5")
    assert "● You play 8/5 6/5." in opened.say("move")


def test_move_without_a_roll_is_refused(sit):
    sitting = sit(Table(Setting(AGAINST_PUBEVAL, dice=Dice.MANUAL)))
    assert sitting.say("move 8/5 6/5") == "The dice are not rolled yet."


def test_only_what_was_typed_is_quoted_of_an_ambiguous_leg(sit):
    start = Position.of({24: 2, 10: 1}, {24: 1, 7: 1, 5: 1})
    sitting = sit(table_at(Setting(AGAINST_PUBEVAL), start, (6, 4)))
    assert sitting.say("24 14") == "'24 14' is ambiguous: name the point where it hits."


def test_score_is_told_and_exit_leaves(opened):
    assert opened.say("score") == "● You 0, ○ pubeval 0 in money games."
    opened.say("exit")
    assert opened.talk.is_left


def test_hint_ranks_five_plays_or_as_many_as_asked_for(opened):
    assert len(opened.say("hint").splitlines()) == 6
    assert len(opened.say("HINT 2").splitlines()) == 3


def test_hint_in_the_middle_of_a_turn_shows_what_is_still_possible(opened):
    opened.say("8/5")
    lines = opened.say("hint 50").splitlines()[1:]
    assert lines
    assert all("8/5" in line or "8/4" in line or "8/7" in line for line in lines)


def test_pips_id_and_help(opened, sit):
    assert opened.say("pips") == "● You 167, ○ pubeval 167 pips."
    assert pasted_id(opened.say("id")).request == opened.table.question
    session = sit(table_at(Setting(PEOPLE), START, (3, 1), (5, 2)))
    first = session.say("id").splitlines()[0]
    assert first == f"GNUBG ID: {gnubg_id(session.table.question, session_points=(2, 5))}"
    for command in (
        "hint",
        "undo",
        "resign",
        "pips",
        "id",
        "save",
        "export",
        "load",
        "new",
        "quit",
    ):
        assert command in opened.say("help")
    assert opened.say("?") == opened.say("help")
    assert opened.say("board").count("bar") == 1


def test_resignation_is_offered_and_accepted(opened):
    assert "single game, a gammon or a backgammon" in ask(opened, "resign")
    assert opened.say("") == ""
    ask(opened, "resign")
    assert opened.say("x") == "Resign single, gammon or backgammon, not 'x'."
    ask(opened, "resign")
    assert "○ pubeval wins a gammon, 2 points" in opened.say("g")
    assert opened.say("8/5 6/5") == "The game is over: Enter begins the next one."
    assert opened.say("hint") == "The game is over: there is nothing to choose."
    assert opened.say("resign") == "No game is being played."
    assert "Taken back: the resignation." in opened.say("undo")
    assert opened.table.result is None


def test_resignation_may_be_declined(sit):
    sitting = sit(table_at(Setting((HUMAN, "proud")), START, (3, 1)))
    assert sitting.say("resign single") == "○ proud declines: the game goes on."
    assert sitting.table.result is None
    people = sit(table_at(Setting(PEOPLE), START, (3, 1)))
    assert ask(people, "resign 3") == "○ Player 2: accept a backgammon? [y/N] "
    assert people.say("perhaps") == "Answer yes or no."
    assert people.say("n") == "○ Player 2 declines: the game goes on."
    assert people.say("resign 3") == "As much was declined in this position."
    people = sit(table_at(Setting(PEOPLE), START, (3, 1)))
    ask(people, "resign 3")
    assert "Player 2 wins a backgammon, 3 points" in people.say("yes")


@pytest.mark.parametrize(
    ("word", "told"),
    [("accept", "wins a gammon"), ("agree", "wins a gammon"), ("reject", "the game goes on")],
)
def test_resignation_is_answered_in_gnubg_s_words(sit, word, told):
    people = sit(table_at(Setting(PEOPLE), START, (3, 1)))
    ask(people, "resign gammon")
    assert told in people.say(word)


def test_no_game_is_kept_whose_opening_roll_was_taken_back(sit):
    sitting = sit(Table(Setting(PEOPLE, dice=Dice.MANUAL)))
    sitting.say("6 1")
    assert (sitting.talk.kept_as, sitting.kept.exists) == ("game", True)
    sitting.say("undo")
    assert (sitting.talk.kept_as, sitting.kept.exists) == ("", False)


def test_typed_dice_are_asked_for_and_read(sit):
    sitting = sit(Table(Setting(AGAINST_PUBEVAL, dice=Dice.MANUAL)))
    assert sitting.talk.prompt() == "Opening dice, ● You first> "
    assert sitting.say("77") == "No two dice from 1 to 6, such as 31 or 3-1: '77'."
    assert sitting.say("") == "No two dice from 1 to 6, such as 31 or 3-1: ''."
    assert sitting.say("4 4") == "4-4 is a tie: the opening is rolled again."
    assert sitting.say("hint") == "Before the opening roll there is nothing to choose."
    assert sitting.say("resign") == "No game is being played."
    assert "○ pubeval 5. ○ pubeval begins." in sitting.say("2-5")
    assert sitting.talk.prompt() == "● You, dice> "
    sitting.say("31")
    assert sitting.talk.prompt() == "● You 3-1> "
    sitting.say("undo")
    assert sitting.talk.prompt() == "● You, dice> "
    sitting.say("undo")
    assert sitting.table.game.turn is None
    sitting.say("6 1")
    sitting.say("13/7 8/7")
    assert sitting.talk.prompt() == "○ pubeval, dice> "
    assert "○ pubeval is on roll; resign in your own turn." in sitting.say("resign")


def test_two_bots_play_without_questions_until_the_game_is_over(sit):
    sitting = sit(Table(Setting(("pubeval", "random"), seed=4)))
    assert sitting.table.result
    assert sitting.talk.prompt() == "Enter for the next game> "
    assert sum("┌" in text for text in sitting.sent) >= len(sitting.table.turns)


def test_game_is_kept_as_it_goes(opened):
    opened.say("8/5")
    assert opened.kept.load().now == opened.table.now
    opened.say("6/5")
    opened.say("")
    assert opened.kept.load().turn.roll == opened.table.turn.roll
    opened.say("quit")
    assert opened.talk.is_left
    assert opened.kept.load().score == (0, 0)


def test_trouble_with_keeping_is_told_once(opened):
    opened.kept.path.unlink()
    opened.kept.path.mkdir()
    assert opened.say("8/5").count("The game is not kept: cannot save") == 1
    assert "not kept" not in opened.say("6/5")
    assert opened.table.turn.is_complete


def test_game_not_begun_is_not_kept(sit):
    sitting = sit(Table(Setting(PEOPLE, dice=Dice.MANUAL)))
    sitting.say("quit")
    assert sitting.kept.load() is None


def test_small_window_gets_one_sentence_and_words(opened):
    opened.window = Window(40, 24)
    first = opened.say("board")
    assert first.count("A window of 40 columns and 24 rows is\ntoo small") == 1
    assert "You: 24(2) 13(5) 8(3) 6(5)" in first.replace("\n  ", " ")
    assert "too small" not in opened.say("board")
    opened.window = Window(80, 24)
    assert "┌" in opened.say("board")
    opened.window = Window(40, 24)
    assert "too small" in opened.say("board")


def test_commands_and_plays_are_completed(opened):
    assert opened.talk.completions("") == []
    assert opened.talk.completions("h") == ["hint", "help"]
    assert opened.talk.completions("8/5 6")[0] == "8/5 6/5"
    assert opened.talk.completions("8-5 6-")[0] == "8/5 6/5"
    assert opened.talk.completions("mo") == ["move"]
    assert opened.talk.completions("move") == ["move"]
    assert opened.talk.completions("move 8/5 6")[0] == "move 8/5 6/5"
    assert opened.talk.completions("  hi") == ["hint"]
    for word in ("accept", "reject", "pass", "exit", "score"):
        assert word in opened.talk.completions(word[:2])
    ask(opened, "resign")
    assert opened.talk.completions("h") == []


def test_roll_is_played_no_more_once_the_game_is_over(opened):
    opened.table.resign(1)
    assert opened.talk.completions("8/") == []
    assert opened.say("move 8/5 6/5") == "The game is over: Enter begins the next one."


def test_point_that_was_named_is_forgotten_at_enter(opened):
    opened.say("8")
    opened.say("")
    assert opened.say("5").startswith("No checker can go from 5")


def test_missing_player_cannot_sit_down(tmp_path):
    with pytest.raises(ValueError, match="no player 'nobody'"):
        Sitting(Table(Setting((HUMAN, "nobody"))), tmp_path)
