import io

import pytest

from protocol.cli import main
from protocol.draughts.formats.pdn import read_pdn


@pytest.fixture(autouse=True)
def state(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("protocol.draughts.commands.play.DELAY", 0.0)
    return tmp_path / "state" / "blot"


@pytest.fixture
def play(monkeypatch, capsys):
    """Plays with these lines typed; the exit status and what was said."""

    def played(lines, *words):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        status = main(["draughts", "play", "--ascii", *words])
        said = capsys.readouterr()
        return status, said.out + said.err

    return played


def test_game_that_is_left_goes_on_at_the_next_start(play, state):
    status, said = play(["32-28", "quit"], "--black", "random")
    assert status == 0
    assert "x black (random) moves " in said
    kept = read_pdn(state / "draughts-international.pdn").whole[-1]
    assert len(kept.moves) == 2
    status, said = play(["undo", "fen"])
    assert "goes on; --new begins another." in said
    assert "W:W31,32,33" in said
    assert read_pdn(state / "draughts-international.pdn").whole[-1].moves == ()


def test_new_game_is_begun_where_it_is_asked_for(play, state):
    play(["c3-d4"], "--variant", "czech", "--black", "human")
    _, said = play(["fen"], "--variant", "czech", "--new", "--white", "human", "--black", "human")
    assert "goes on" not in said
    assert "W:W21,22,23" in said
    play(["c3-b4"], "--variant", "czech", "--new", "--white", "human", "--black", "human")
    kept = read_pdn(state / "draughts-czech.pdn").whole
    assert [len(game.moves) for game in kept] == [1, 1]
    play(["new", "c3-b4", "b6-a5"], "--variant", "czech")
    kept = read_pdn(state / "draughts-czech.pdn").whole
    assert [len(game.moves) for game in kept] == [1, 1, 2]


def test_game_begins_in_a_position(play):
    _, said = play(["moves"], "--variant", "czech", "--from", "W:Wc3,a1:Bb4", "--black", "human")
    assert "1 c3:a5" in said


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--from", "cannot read the FEN ''"),
        ("--white", "no player ''"),
        ("--black", "no player ''"),
    ],
)
def test_empty_option_is_refused_and_not_taken_for_none(play, option, reason):
    play(["32-28", "quit"], "--black", "random")
    status, said = play(["quit"], option, "")
    assert status == 1
    assert reason in said


def test_two_bots_play_to_the_end_and_the_result_is_told(play, tmp_path):
    path = tmp_path / "game.pdn"
    words = ("--white", "random", "--black", "random", "--variant", "czech", "--game", str(path))
    status, said = play(["quit"], *words)
    assert status == 0
    assert " wins: " in said or "A draw: " in said
    assert read_pdn(path).whole[-1].score is not None


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--from", "nonsense"], 1, "cannot read the FEN 'nonsense'"),
        (["--from", "W:W:B1"], 1, "the game is over in this position"),
        (["--black", "nobody"], 1, "no player 'nobody': it is one of human, easy, "),
        (["--game", "/nonexist/x.pdn"], 1, "there is no folder for the file /nonexist/x.pdn"),
        (["--black", "human", "--depth", "3"], 2, "--depth limits a search, and nobody searches"),
        (["--black", "human", "--delay", "3"], 2, "--delay is between what bots do, and none"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_sentence(words, code, sentence, play):
    status, said = play([], *words)
    assert status == code
    assert sentence in said


def test_game_that_cannot_be_kept_is_said_to_be_so_once_and_first(play, state):
    state.parent.touch()
    status, said = play(["32-28", "31-27", "quit"], "--black", "random")
    assert status == 0
    told = f"The game is not kept: the folder {state} cannot be made: Not a directory.\n"
    assert said.startswith(told)
    assert said.count("not kept") == 1
    assert said.count("moves") == 2


def test_kept_game_of_another_variant_is_named(play, tmp_path):
    path = tmp_path / "game.pdn"
    play(["c3-d4"], "--variant", "czech", "--black", "human", "--game", str(path))
    status, said = play([], "--game", str(path))
    assert status == 1
    assert "has a game of czech draughts: give --variant czech" in said


def test_damaged_game_is_left_as_it_is(play, tmp_path):
    path = tmp_path / "game.pdn"
    path.write_text("1. 32-28 99-1 *")
    for options in ((), ("--new",)):
        status, said = play([], "--game", str(path), *options)
        assert status == 1
        assert "cannot add games to" in said
        assert "game.pdn: game 1, line 1: " in said
        assert said.endswith("; mend the file, or move it away\n")
    assert path.read_text() == "1. 32-28 99-1 *"


def test_player_that_there_is_not_is_named_before_anything_is_compiled(play, monkeypatch):
    monkeypatch.setattr("protocol.draughts.arena.named_players.compile_for", pytest.fail)
    _, said = play([], "--white", "nosuch", "--black", "nosuch")
    assert said.startswith("blot: no player 'nosuch': it is one of human, easy, medium, hard, ")
    assert ", minimax:DEPTH, " in said


def test_pause_between_bots_is_taken_as_given(play, monkeypatch):
    seen = []
    monkeypatch.setattr(
        "protocol.draughts.terminal.terminal.sit", lambda *given: seen.append(given)
    )
    play([], "--black", "random", "--delay", "2.5")
    play([], "--new", "--black", "random")
    assert [delay for _, _, delay in seen] == [2.5, 0.0]


def test_program_that_a_file_names_is_not_started(play, tmp_path):
    path, mark = tmp_path / "game.pdn", tmp_path / "ran"
    head = f'[White "human"]\n[Black "hub:touch {mark}"]\n[GameType "20"]\n\n'
    path.write_text(head + "1. 32-28 *\n")
    status, said = play(["quit"], "--game", str(path))
    assert status == 1
    assert f"{path} has hub:touch {mark} play Black, and a file starts no program: give" in said
    assert not mark.exists()
