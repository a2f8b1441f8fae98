"""`blot play` without a terminal: what is refused, and what is begun."""

import io

import pytest

from bot.backgammon.rules.decision import AnswerDouble, AnswerResignation, ChooseCheckerPlay
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.position import START
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.position_id import gnubg_id, parse_gnubg_id, position_id
from protocol.backgammon.table.kept_games import KeptGames
from protocol.backgammon.table.table import HUMAN, Setting, Table

ROLLED = ChooseCheckerPlay(GameState(START, score=Score(5, 3, 1)), Roll(3, 1))
MONEY = ChooseCheckerPlay(GameState(START, Cube(2, CubeOwner.ON_ROLL)), Roll(3, 1))
OF_MATCH, OF_MONEY = gnubg_id(ROLLED), gnubg_id(MONEY, session_points=(2, 6))
OF_XGID = gnubg_id(MONEY, session_points=(6, 2))
PLAYERS = (HUMAN, "pubeval")
RESIGNED = gnubg_id(AnswerResignation(GameState(START), 1))
DOUBLED = gnubg_id(AnswerDouble(GameState(START)), roller=0)


@pytest.fixture
def play(blot, monkeypatch, tmp_path, weights):
    """Run `blot play` with these lines on standard input."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    def play(*options, lines=()):
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        is_watched = "--games" in options or "--me" in options
        hints = () if is_watched else ("--delay", "0", "--weights", weights)
        return blot("play", *hints, *options)

    return play


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--no-cube", "--jacoby"), "--jacoby is a rule of the cube; leave it out with --no-cube"),
        (("--no-cube", "--beavers"), "--beavers is a rule of the cube"),
        (("--length", "5", "--jacoby"), "--jacoby is a rule of money games; leave it out"),
        (("--length", "5", "--beavers"), "--beavers is a rule of money games; leave it out"),
        (("--no-cube", "--met", "x"), "--met counts in matches with the cube"),
        (("--seed", "3", "--dice", "manual"), "--seed is of dice that Blot rolls"),
        (("--games", "--length", "5"), "--games lists games; leave out --length"),
        (("--games", "--game", "a"), "--games lists games; leave out --game"),
        (("--games", "--delay", "0"), "--games lists games; leave out --delay"),
        (("--games", "--ascii"), "--games lists games; leave out --ascii"),
        (("--me", "hard", "--weights", "easy"), "--weights is for hints, and nobody is there"),
        (("--me", "hard", "--tutor"), "--tutor is for people, and none plays"),
        (("--games", "--tutor"), "--games lists games; leave out --tutor"),
        (("--opponent", "human"), "--delay is between what bots do, and none plays"),
        (("--load", "a", "--no-cube"), "--no-cube is for a new game, and --load goes on with one"),
        (("--length", "0"), "a match has 1 to "),
        (("--seed", "-1"), "a seed is 0 to "),
        (("--from", OF_MATCH, "--length", "7"), "--length is told by the ID, a match to 5"),
        (
            ("--from", OF_MONEY, "--length", "7"),
            "--length is told by the ID, a money session",
        ),
        (("--from", OF_MATCH, "--beavers"), "--beavers is a rule of money games"),
    ],
)
def test_what_would_not_count_is_wrong_usage_and_nothing_is_kept(play, tmp_path, options, sentence):
    code, out, err = play(*options)
    assert (code, out) == (2, "")
    assert err.startswith(f"blot: {sentence}")
    assert not KeptGames(tmp_path / "blot").all()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--game", "../a"), "a game is named with up to 40 letters"),
        (("--opponent", "nobody"), "no player 'nobody'"),
        (("--from", "nonsense"), "a position ID has 14 characters"),
        (("--from", RESIGNED), "no game begins where a resignation waits"),
        (("--from", OF_MONEY, "--no-cube"), "the cube is turned to 2"),
    ],
)
def test_what_cannot_be_begun_fails_and_nothing_is_kept(play, tmp_path, options, sentence):
    code, out, err = play(*options)
    assert (code, out) == (1, "")
    assert err.startswith(f"blot: {sentence}")
    assert not KeptGames(tmp_path / "blot").all()


def test_nothing_is_told_of_a_new_game_whose_player_cannot_sit_down(play, tmp_path):
    assert play("--opponent", "pubeval", lines=["quit"])[0] == 0
    (tmp_path / "bin").write_bytes(b"damaged")
    for name in ("bin", "gnubg", "external:127.0.0.1:0"):
        code, out, err = play("--opponent", name)
        assert (code, out) == (1, "")
        assert err.count("\n") == 1
    assert len(KeptGames(tmp_path / "blot").all()) == 1
    out = play("--opponent", "pubeval", lines=["quit"])[1]
    assert "A new game, as --opponent was given, kept as game-2; " in out


@pytest.mark.parametrize(
    ("players", "options", "sentence"),
    [
        (("human", "human"), ("--delay", "1"), "--delay is between what bots do, and none plays"),
        (("random", "pubeval"), ("--tutor",), "--tutor is for people, and none plays"),
        (("random", "pubeval"), ("--weights", "easy"), "--weights is for hints, and nobody"),
    ],
)
def test_what_a_game_that_goes_on_has_no_use_for_is_refused(
    blot, monkeypatch, tmp_path, players, options, sentence
):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.StringIO())
    games = KeptGames(tmp_path / "blot")
    games.called("a").keep(Table(Setting(players, length=1)))
    for given in (("--game", "a"), ("--load", str(games.called("a").path))):
        code, out, err = blot("play", *given, *options)
        assert (code, out) == (2, "")
        assert err.startswith(f"blot: {sentence}")


def test_help_names_every_kind_of_player(play):
    code, out, _ = play("--help")
    assert code == 0
    assert all(name in out for name in ("pubeval", "ubgi:COMMAND", "external:HOST:PORT", "PATH"))


@pytest.mark.parametrize("name", ["nonesuch", "damaged.npz"])
def test_weights_that_cannot_give_hints_are_refused(blot, monkeypatch, tmp_path, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "damaged.npz").write_bytes(b"damaged")
    code, out, err = blot("play", "--weights", name)
    assert (code, out) == (1, "")
    assert name in err


@pytest.mark.parametrize(
    "options", [("--level", "easy", "--opponent", "hard"), ("--new", "--load", "a")]
)
def test_options_that_say_the_same_twice_are_wrong_usage(play, options):
    code, _, err = play(*options)
    assert code == 2
    assert "not allowed with" in err


def test_defaults_are_never_refused(play):
    assert play("--no-cube", "--opponent", "pubeval", lines=["quit"])[0] == 0
    assert play("--length", "3", "--opponent", "pubeval", lines=["quit"])[0] == 0


def test_opponent_is_called_by_its_level_and_no_level_is_asked_for_without_a_terminal(play):
    for options, name in (((), "hard"), (("--level", "easy"), "easy")):
        code, out, _ = play("--new", *options, lines=["quit"])
        assert code == 0
        assert f"○ {name}" in out
        assert "Which level" not in out


def test_games_are_kept_by_name_and_listed(play, tmp_path):
    for name in ("first", "second"):
        out = play("--game", name, "--opponent", "pubeval", lines=["quit"])[1]
        assert f"The game is kept as {name}; blot play --game {name} goes on with it." in out
    listed = play("--games")[1]
    assert listed.startswith("second: ● You 0, ○ pubeval 0 in money games")
    assert "\nfirst: " in listed
    code, _, err = play("--game", "first", "--length", "5")
    assert code == 1
    assert "--length is for a new game, and first is kept" in err
    assert play("--game", "first", lines=["quit"])[0] == 0
    assert len(KeptGames(tmp_path / "blot").all()) == 2


def test_bots_are_kept_under_a_name_only(play, tmp_path):
    bots = ("--me", "random", "--opponent", "pubeval", "--seed", "1", "--delay", "0")
    assert "kept" not in play(*bots)[1]
    assert not KeptGames(tmp_path / "blot").all()
    assert "kept as bots" in play(*bots, "--game", "bots")[1]


@pytest.mark.parametrize(
    ("options", "setting"),
    [
        (
            ("--no-jacoby", "--beavers", "--seed", "3"),
            Setting(PLAYERS, seed=3, cube=True, money=MoneyRules(jacoby=False, beavers=True)),
        ),
        (
            ("--length", "3", "--no-cube", "--seed", "3"),
            Setting(PLAYERS, 3, seed=3, cube=False, money=MoneyRules()),
        ),
    ],
)
def test_a_new_game_has_the_rules_and_the_dice_of_its_options(play, tmp_path, options, setting):
    play("--opponent", "pubeval", *options)
    assert KeptGames(tmp_path / "blot").called("game").load().setting == setting


def test_game_begins_at_an_id_of_a_match_and_its_id_is_told_again(play):
    code, out, _ = play("--from", OF_MATCH, "--opponent", "pubeval", lines=["id", "score"])
    assert code == 0
    assert OF_MATCH in out
    assert "You 3, ○ pubeval 1 in a match to 5" in out
    assert " rolls " not in out.partition(OF_MATCH)[0]


def test_game_begins_at_an_id_of_a_money_session_with_points_cube_and_jacoby(play, tmp_path):
    out = play("--from", OF_MONEY, "--opponent", "pubeval", lines=["id", "score"])[1]
    assert OF_MONEY in out
    assert "You 6, ○ pubeval 2 in money games" in out
    table = KeptGames(tmp_path / "blot").called("game").load()
    assert table.setting.money == parse_gnubg_id(OF_MONEY).state.money
    play("--from", OF_MONEY, "--no-jacoby", "--beavers", "--opponent", "pubeval")
    table = KeptGames(tmp_path / "blot").called("game-2").load()
    assert table.setting.money == MoneyRules(jacoby=False, beavers=True)


def test_game_begins_at_an_xgid_with_its_rules_unless_options_say_otherwise(play, tmp_path):
    xgid = "XGID=-b----E-C---eE---c-e----B-:1:1:1:31:2:6:3:0:10"
    out = play("--from", xgid, "--opponent", "pubeval", lines=["id", "score"])[1]
    assert f"{OF_XGID}\n{xgid}\n" in out
    assert "You 2, ○ pubeval 6 in money games" in out
    play("--from", xgid, "--no-beavers", "--opponent", "pubeval")
    games = KeptGames(tmp_path / "blot")
    tables = [games.called(name).load() for name in ("game", "game-2")]
    assert [table.setting.money.beavers for table in tables] == [True, False]


def test_player_0_of_an_id_is_the_opponent(play):
    out = play("--from", DOUBLED, "--opponent", "pubeval", lines=["id"])[1]
    assert "You, take or drop>" in out
    assert DOUBLED in out


def test_game_begins_at_a_bare_position_with_the_rules_of_the_options(play):
    position = position_id(START)
    out = play("--from", position, "--length", "3", "--opponent", "pubeval", lines=["score"])[1]
    assert "You 0, ○ pubeval 0 in a match to 3" in out
    assert "You, roll or double>" in out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--load", "none.json"), "cannot read none.json: No such file or directory"),
        (("--load", "bad.json"), "bad.json is no saved game of Blot"),
        (("--opponent", "nobody"), "no player 'nobody': it is none of human, ubgi:COMMAND"),
        (("--opponent", "bad.json"), "bad.json is no weights file"),
        (("--opponent", "human", "--me", "nobody"), "no player 'nobody'"),
        (("--from", "nonsense"), "a position ID has 14 characters"),
        (("--opponent", "external:127.0.0.1:1"), "the external player 127.0.0.1:1: cannot connect"),
        (("--opponent", "human", "--me", "ubgi:/nonesuch"), "cannot start the UBGI program '/n"),
    ],
)
def test_wrong_names_and_files_are_told_before_anything_is_compiled(
    play, monkeypatch, tmp_path, options, sentence
):
    (tmp_path / "bad.json").write_text("{}")
    monkeypatch.setattr("bot.compilation.is_compiled", lambda job: False)
    monkeypatch.setattr(
        "protocol.backgammon.reports.compilation.compile_first",
        lambda jobs: pytest.fail("compiled first"),
    )
    code, out, err = play(*options)
    assert (code, out) == (1, "")
    assert err.startswith(f"blot: {sentence}")
    assert err.count("\n") == 1
