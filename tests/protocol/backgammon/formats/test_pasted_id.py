import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.backgammon.rules.decision import ChooseCubeAction
from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.adapters.gnubg_program import GnubgProgram
from protocol.backgammon.formats.diagram import diagram
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import gnubg_id
from tests.strategies import game_states

TRANSCRIPTS = Path(__file__).parents[3] / "transcripts"
BOARDS = (TRANSCRIPTS / "gnubg_diagrams.txt").read_text().strip("\n").split("\n\n")
ANALYSIS = (TRANSCRIPTS / "gnubg_analysis.txt").read_text()

POSITION, MATCH = "4HPwATDgc/ABMA", "cAkAAAAAAAAA"
BOTH = f"{POSITION}:{MATCH}"
XGID = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"

GAMES = {
    "a money session": ["new session"],
    "dice": ["new match 7", "set dice 64"],
    "a score": ["new match 7", "set score 2 4"],
    "the Crawford game": ["new match 7", "set score 6 4", "set crawford on"],
    "player 0 on roll": ["new match 7", "set turn 0"],
    "an owned cube": ["new match 7", "set cube value 4", "set cube owner 0"],
    "a double": ["new match 7", "double"],
    "a resignation": ["new match 7", "resign gammon"],
    "checkers on the bar and off": ["new session", "set board wXPwAVCwZ/CAYA"],
}
"""What gnubg is told, after which a board of its own stands on the screen."""


def ids_in(board):
    """The two IDs in the lines over a board."""
    return [line.split(": ")[1] for line in board.splitlines()[:2]]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: ":".join(ids_in(board)))
def test_ids_are_found_in_all_that_gnubg_makes_of_them(board):
    position, match = ids_in(board)
    for text in (
        f"{position}:{match}",
        f"{position} {match}",
        f"GNUBG ID: {position}:{match}",
        f"GNUBG ID: {position} {match}",
        f"GNUBGID={position}:{match}",
        f"gnubgid {position}:{match}",
        f"Position ID: {position} Match ID: {match}",
        f"Position ID: {position}\nMatch ID: {match}",
        "\n".join(board.splitlines()[:2]),
        board,
        board.replace("\n", "\r\n"),
        " ".join(board.split()),
        f"\n  (root) show board\n{board}\n  (root) hint\n",
    ):
        assert pasted_id(text).text == f"{position}:{match}"


@pytest.mark.parametrize(
    "lines",
    [
        " GNU Backgammon  ID de position: {}\n                 ID de match   : {}",
        " GNU Backgammon  ID pozice: {}\n                 ID zápasu   : {}",
        " GNU Backgammon  Positions ID: : {}\n                 MatchID   : {}",
    ],
)
def test_ids_are_found_in_gnubgs_other_languages(lines):
    assert pasted_id(lines.format(POSITION, MATCH)).text == BOTH
    with pytest.raises(ValueError, match=f"'{MATCH[:-1]}' has 11"):
        pasted_id(lines.format(POSITION, MATCH[:-1]))


def test_a_position_id_may_stand_alone():
    quoted = (f"`{POSITION}`", f"**{POSITION}**", f"[{POSITION}]!")
    for text in (POSITION, f" {POSITION}\n", f"Position ID: {POSITION}", *quoted):
        assert (pasted_id(text).text, pasted_id(text).record) == (POSITION, None)


@pytest.mark.parametrize(
    "text",
    ["What is best at {}?", "In {} I hit.\nWas that right?", "Alice wrote: ({})", "see {}, 31"],
)
def test_a_gnubg_id_is_found_in_a_sentence(text):
    assert pasted_id(text.format(BOTH)).text == BOTH
    with pytest.raises(ValueError, match="two different match IDs"):
        pasted_id(text.format(f"{BOTH} or {POSITION}:MAEAAAAAAAAA"))


def test_a_move_of_gnubgs_analysis_is_the_position_it_is_about():
    first, second = re.split(r"(?=Move number 2)", ANALYSIS)
    assert pasted_id(first).text == f"{POSITION}:cAgTAAAAAAAA"
    assert pasted_id(second).text == "4HPwBSDgc/ABMA:MAEHAAAAAAAA"
    with pytest.raises(ValueError, match=f"two different position IDs, {POSITION} and 4HPwBSDg"):
        pasted_id(ANALYSIS)


@given(state=game_states(), roller=st.sampled_from((0, 1)))
def test_a_board_that_blot_draws_is_read(state, roller):
    request = ChooseCubeAction(state)
    board = diagram(request, roller=roller)
    assert pasted_id(board) == pasted_id(" ".join(board.split()))
    assert pasted_id(board).text == gnubg_id(request, roller=roller)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no position ID in ''"),
        ("nonsense", "'nonsense' has 8"),
        (f"{POSITION}:", "'' has 0"),
        (f"{BOTH} 31", "'31' has 2"),
        (f"{BOTH}\n31", "'31' has 2"),
        (f"GNUBG ID: {BOTH} 31", "'31' has 2"),
        (MATCH, f"^{MATCH} is a match ID; the position ID before it is missing$"),
        (f"Match ID   : {MATCH}", f"^{MATCH} is a match ID"),
        (f"Position ID: \nMatch ID: {MATCH}", f"^{MATCH} is a match ID"),
        (f"Position ID: {POSITION}\nMatch ID: {MATCH}A", f"'{MATCH}A' has 13"),
        (f"Position ID: {POSITION[:-1]}\nMatch ID: {MATCH}", f"'{POSITION[:-1]}' has 13"),
        (f"{POSITION}\n{MATCH[:-1]}", f"'{MATCH[:-1]}' has 11"),
        (f"{POSITION[:-1]}B", "ends in bits that mean nothing"),
        (f"{POSITION}:{MATCH[:-1]}z", "has padding"),
        (f"{POSITION} 4HPkQSCwZ/ABMA", f"two different position IDs, {POSITION} and 4HPkQSCw"),
        (f"{BOTH} {POSITION}:MAEAAAAAAAAA", f"two different match IDs, {MATCH} and MAEA"),
        (f"{BOARDS[0]}\n\n{BOARDS[1]}", f"two different match IDs, {MATCH} and cAnzACAAIAAE"),
        ("\n".join(BOARDS[0].splitlines()[2:]), r"no position ID in '\+13-14-15-.*\.\.\.'"),
    ],
)
def test_text_without_one_position_is_refused_in_one_sentence(text, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        pasted_id(text)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    "text",
    [
        XGID,
        f" {XGID}\n",
        f"XGID={XGID}",
        f"xgid: {XGID}",
        f"XGID = {XGID}",
        f"XGID=\n{XGID}",
        f"XGID={XGID.removesuffix(':10')}",
        f"What about XGID={XGID}, with 3-1? Position 14 letters: characteristic.",
        f"(XGID={XGID}).",
        f'<b>XGID={XGID}</b> <a href="x">ask gnubg</a>',
        f"see {XGID} and again XGID={XGID}",
        f"XGID={XGID}\n\nX:me   O:you\nScore is X:0 O:0 7 pt.(s) match.\n +13-14-15-16-17-18--",
        f"Position ID: {POSITION}\nMatch ID: cInlAAAAAAAE\nXGID={XGID}",
        f"{POSITION}:cInlAAAAAAAE XGID={XGID}",
        f"XGID={XGID} GNUBG ID: {POSITION}",
    ],
)
def test_an_xgid_is_found_with_anything_around_it(text):
    pasted = pasted_id(text)
    assert pasted.text == f"XGID={XGID}"
    assert pasted.request == pasted_id(f"{POSITION}:cInlAAAAAAAE").request


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (f"XGID={XGID.replace('31', '37')}", "^XGID '-b----E-.*' has dice '37'"),
        (f"{BOTH}\nXGID={XGID}", f"two different positions, XGID={XGID} and {MATCH}: paste one"),
        (f"4HPkQSCwZ/ABMA XGID={XGID}", "two different positions, XGID=.* and 4HPkQSCwZ/ABMA"),
        (f"{XGID} {XGID.replace('31', '32')}", "two different XGIDs, XGID=.*:31:.* and .*:32:"),
        (f"XGID={XGID} Match ID: {MATCH[:-1]}", f"'{MATCH[:-1]}' has 11"),
        ("XGID=", "XGID '' is not 10 fields"),
        (f"XGID={XGID[1:]}", "has a board of 25 characters"),
    ],
)
def test_an_xgid_that_is_wrong_or_not_alone_is_refused_in_one_sentence(text, complaint):
    with pytest.raises(ValueError, match=complaint) as refusal:
        pasted_id(text)
    assert "\n" not in str(refusal.value)


def test_an_xgid_tells_of_beavers_and_of_the_seat():
    pasted = pasted_id("-b----E-C---eE---c-e----B-:0:0:-1:31:0:0:3:0:10")
    assert pasted.request.state.money == MoneyRules(jacoby=True, beavers=True)
    assert pasted.record.roller == 0


def test_an_xgid_of_a_game_that_is_over_says_so():
    pasted = pasted_id("XGID=-A------------------------:0:0:1:00:0:0:1:0:10")
    assert pasted.finished
    with pytest.raises(ValueError, match=r"the game is over \(XGID 'XGID=-A---"):
        _ = pasted.request


@pytest.mark.parametrize("words", [[XGID], [f"XGID={XGID}"], ["XGID:", XGID], ["xgid", XGID]])
def test_every_command_reads_an_xgid(blot, weights, words):
    shown = blot("show", *words)[1].splitlines()
    assert shown[0].endswith(f"Position ID: {POSITION}")
    assert shown[-1] == f"XGID={XGID}"
    options = ("--ply", "0", "--count", "2", "--weights", weights, "--json")
    for command in (("hint",), ("rollout", "--trials", "2")):
        code, out, err = blot(command[0], *words, *command[1:], *options)
        values = json.loads(out)
        assert (code, values["id"], len(values["plays"])) == (0, f"XGID={XGID}", 2)
        assert "XGID" not in err


def test_what_blot_does_not_keep_of_an_xgid_is_told(blot, weights):
    limited, cubeless = (XGID.removesuffix("10") + limit for limit in ("1", "0"))
    options = ("--ply", "0", "--weights", weights)
    assert "This XGID lets the cube go up to 2; " in blot("hint", limited, *options)[2]
    assert "This XGID is of a game without the cube" in blot("hint", cubeless, *options)[2]
    assert blot("hint", cubeless, "--no-cube", *options)[2] == ""
    assert blot("show", limited)[1].splitlines()[-1] == f"XGID={limited}"


@pytest.mark.parametrize(
    "words",
    [
        [BOTH],
        [POSITION, MATCH],
        ["GNUBG", "ID:", BOTH],
        [f"GNUBGID={BOTH}"],
        ["Position", "ID:", POSITION, "Match", "ID:", MATCH],
        [BOARDS[0]],
        BOARDS[0].split(),
    ],
    ids=lambda words: " ".join(words)[:50],
)
def test_every_command_reads_what_the_shell_has_split_and_the_options_after_it(
    blot, weights, words
):
    assert blot("show", *words)[1].splitlines()[:2] == BOARDS[0].splitlines()[:2]
    options = ("--dice", "31", "--count", "2", "--weights", weights, "--json")
    for command in (("hint", "--ply", "0"), ("rollout", "--ply", "0", "--trials", "2")):
        code, out, _ = blot(command[0], *words, *command[1:], *options)
        values = json.loads(out)
        assert (code, values["id"], len(values["plays"])) == (0, BOTH, 2)


def test_what_show_prints_is_shown_again(blot):
    for board in BOARDS:
        shown = blot("show", board)[1]
        assert blot("show", shown) == (0, shown, "")


@pytest.mark.gnubg
@pytest.mark.parametrize("commands", GAMES.values(), ids=GAMES)
def test_a_board_on_gnubgs_screen_is_shown_as_it_stands_there(blot, commands):
    with GnubgProgram() as gnubg:
        for command in (
            "set player 0 human",
            "set player 1 human",
            "set automatic roll off",
            *commands[:1],
            "set player 1 name blot",
            "set turn 1",
            *commands[1:],
        ):
            gnubg.command(command)
        screen = gnubg.command("show board")
    code, shown, err = blot("show", screen)
    assert (code, err) == (0, "")
    board = screen[screen.index(" GNU Backgammon  Position ID") :].splitlines()[:15]
    assert shown.splitlines()[:15] == [line.rstrip() for line in board]
