from dataclasses import replace

import pytest

from bot.backgammon.rules.decision import CubeAction, DoubleAnswer
from bot.backgammon.rules.game import Game, OpeningRoll
from bot.backgammon.rules.match import Cube, CubeOwner, GameState, MoneyRules, Score
from bot.backgammon.rules.play import CheckerPlay, legal_plays
from bot.backgammon.rules.position import START, Position
from bot.backgammon.rules.record import Event, GameRecord, MatchRecord, Occasion, Rules
from bot.backgammon.rules.roll import Roll
from protocol.backgammon.formats.filed_match import as_filed
from protocol.backgammon.formats.mat import parse_mat
from protocol.backgammon.formats.mat_writing import mat_text
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.formats.sgf import parse_sgf
from protocol.backgammon.formats.sgf_writing import sgf_text
from tests.games import random_match

RULES = (Rules(3), Rules(beavers=True, automatic_doubles=2), Rules(jacoby=False), Rules(1))
RULES += (Rules(3, crawford=False), Rules(3, has_cube=False), Rules(has_cube=False))

ROOT = "(;FF[4]GM[6]CA[UTF-8]MI[length:0][game:0][ws:0][bs:0]PW[one]PB[two]RU[Jacoby]"
GNUBGS_ROOT = ROOT + "AP[GNU Backgammon:1.07.001]"
OPENING = "\n;W[31hefe]\n;B[64aggk]"
BEAVERED = ROOT + OPENING + "\n;W[double]\n;B[double]\n;W[take]\n;W[66xrxrmgmg])"
ANALYSED = (
    ROOT + "RE[B+1R]C[the game]GS[M:1 2][C:3]"
    "\n;W[31hefe]C[brackets [\\] and \\\\]A[0][hefe E ver 3 0.5]LU[0.1]"
    "\n;PL[B]DI[64]\n;B[64ak](;W[66xrxrmgmg];B[21abln])(;W[21fdcb]))"
)


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_what_is_written_is_read_again(rules):
    for seed in (1, 2, 3):
        match = random_match(rules, 100 * seed, resigns=0.02, words=0.3)
        read = parse_sgf(sgf_text(match))
        assert read.fault is None
        assert read.match == as_filed(match)


def test_both_formats_tell_the_same():
    match = random_match(Rules(5), 3, resigns=0.02, words=0.3)
    assert parse_sgf(sgf_text(match)).whole == parse_mat(mat_text(match)).whole


def test_head_of_a_match_is_kept():
    occasion = Occasion("An Event", "Final", "A Town", "2026-01-02", "Somebody", ("1600", "1700"))
    match = replace(
        random_match(Rules(1), 1),
        players=("[Élodie]", "no: \\2"),
        occasion=occasion,
        comment="a\nremark",
        first_game=4,
    )
    assert parse_sgf(sgf_text(match)).whole == as_filed(match)


def test_beaver_is_a_double_behind_a_double():
    match = parse_sgf(BEAVERED).whole
    answers = [event.answer for event in match.games[0].events]
    assert answers[4:7] == [CubeAction.DOUBLE, DoubleAnswer.BEAVER, DoubleAnswer.TAKE]
    assert match.rules.beavers


def test_comments_and_analysis_are_kept():
    match = parse_sgf(ANALYSED).whole
    game = match.games[0]
    assert game.comment == "the game"
    assert game.annotations == (("GS", ("M:1 2", "C:3")),)
    first = game.events[1]
    assert first.comment == "brackets [] and \\"
    assert first.annotations == (("A", ("0", "hefe E ver 3 0.5")), ("LU", ("0.1",)))
    assert parse_sgf(sgf_text(match)).whole == match


def test_only_the_first_variation_is_read_and_joined_legs_are_split():
    events = parse_sgf(ANALYSED).whole.games[0].events
    plays = [event.answer for event in events if isinstance(event.answer, CheckerPlay)]
    assert [len(play.legs) for play in plays] == [2, 2, 4, 2]


def test_position_set_up_by_hand_is_kept():
    position = Position.of({6: 2, 25: 1}, {1: 3, 25: 2})
    for turn in (0, 1):
        for owner in CubeOwner:
            state = GameState(position, Cube(4, owner), money=MoneyRules(True, False))
            for roll in (None, Roll(4, 2)):
                events = (Event(Game(state, turn, roll)),)
                match = MatchRecord(("one", "two"), Rules(), (GameRecord(events=events),))
                assert parse_sgf(sgf_text(match)).whole == match


@pytest.mark.parametrize("turn", [0, 1])
def test_position_set_up_by_hand_in_a_match_has_the_score_of_who_is_on_roll(turn):
    score = Score(7, 4, 1) if turn == 0 else Score(7, 1, 4)
    game = Game(GameState(Position.of({6: 2}, {1: 3}), Cube(2, CubeOwner.OTHER), score), turn)
    match = MatchRecord(("one", "two"), Rules(7), (GameRecord((4, 1), events=(Event(game),)),))
    assert parse_sgf(sgf_text(match)).whole == match


@pytest.mark.parametrize(
    ("node", "whites", "blacks", "cube"),
    [
        ("AE[a]AB[a][y]", {24: 2}, {24: 1, 25: 1}, Cube()),
        ("AE[x]", {}, {24: 2}, Cube()),
        ("AB[z]", {24: 2}, {24: 2}, Cube()),
        ("AE[a][x:z]", {}, {}, Cube()),
        ("AW[y]AE[x]", {25: 1}, {24: 2}, Cube()),
        ("CV[2]", {24: 2}, {24: 2}, Cube(2)),
        ("CV[2]CO[b]", {24: 2}, {24: 2}, Cube(2, CubeOwner.OTHER)),
    ],
)
def test_a_node_may_change_the_checkers_of_one_side_or_the_cube_alone(node, whites, blacks, cube):
    """Bars are y, whoever's, and z is off, where a side's other checkers are anyway."""
    (event,) = parse_sgf(ROOT + f"\n;PL[W]{node})").whole.games[0].events
    position = Position.of(*({6: 5, 8: 3, 13: 5} | each for each in (whites, blacks)))
    assert event.answer == Game(GameState(position, cube, money=MoneyRules(True, False)), 0)


def test_a_game_in_which_a_beaver_or_a_resignation_waits_has_no_nodes():
    state = GameState(START, Cube(2, CubeOwner.OTHER), money=MoneyRules(True, True))
    for game in (Game(state, 0, doubles=2), Game(state, 0, resigned=1)):
        match = MatchRecord(
            ("one", "two"), Rules(beavers=True), (GameRecord(events=(Event(game),)),)
        )
        with pytest.raises(ValueError, match="in which a beaver or a resignation waits"):
            sgf_text(match)


@pytest.mark.parametrize("score", [None, Score(5, 0, 0), Score(5, 3, 0)], ids=str)
def test_double_that_waits_is_kept_in_a_position_set_up_by_hand_the_cube_dead_or_not(score):
    position = Position.of({6: 2, 25: 1}, {1: 3, 25: 2})
    waiting = Game(GameState(position, Cube(4, CubeOwner.ON_ROLL), score), 0, doubles=1)
    record = GameRecord((score.own, score.other) if score else (0, 0), events=(Event(waiting),))
    match = MatchRecord(("one", "two"), Rules(score and score.length), (record,))
    assert parse_sgf(sgf_text(match)).whole == as_filed(match)
    assert len(as_filed(match).games[0].events) == 2


@pytest.mark.parametrize(
    ("turn", "answer", "cube"),
    [
        (0, Roll(4, 2), 2),
        (1, Roll(3, 3), 2),
        (None, OpeningRoll(2, 5), 1),
        (None, OpeningRoll(2, 5), 2),
        (None, OpeningRoll(5, 2), 1),
    ],
)
def test_a_roll_in_a_position_set_up_by_hand_is_kept(turn, answer, cube):
    game = Game(GameState(START, Cube(cube), money=MoneyRules(True, False)), turn)
    rolled = Event(answer, "a good one")
    play = Event(legal_plays(START, game.after(answer).roll)[0])
    for events in ((Event(game), rolled), (Event(game), rolled, play)):
        match = MatchRecord(("one", "two"), Rules(), (GameRecord(events=events),))
        read = parse_sgf(sgf_text(match)).whole
        assert read == as_filed(match)
        assert "a good one" in {event.comment for event in read.games[0].events}


def test_a_roll_at_the_end_is_still_to_be_played_as_gnubg_saves_it():
    rolled = parse_sgf(ROOT + OPENING + "\n;PL[W]DI[41]\n;W[41])").whole.games[0]
    assert rolled.events[-1].answer == Roll(4, 1)
    with pytest.raises(ValueError, match="a play is missing: 4-1 can be played"):
        _ = parse_sgf(ROOT + OPENING + "\n;W[41]\n;B[21ab])").whole


@pytest.mark.parametrize(
    ("hint", "last"),
    [
        ("\n;PL[W]DI[52]LU[0.1]\n;W[52mhxv]A[0][mhxv E ver 3 0.4]", Roll(5, 2)),
        ("\n;W[double]\n;W[take]DA[E ver 3 0C 1]", CubeAction.DOUBLE),
        ("\n;W[double]\n;B[double]\n;W[double]\n;W[take]", DoubleAnswer.BEAVER),
    ],
    ids=["a play", "a take", "a take of a raccoon"],
)
def test_a_hint_that_gnubg_saves_as_the_last_node_was_not_done(hint, last):
    """As GNU Backgammon 1.07 writes after `hint`; who was beavered has a take there in any case."""
    game = parse_sgf(GNUBGS_ROOT + OPENING + hint + ")").whole.games[0]
    assert game.events[-1].answer == last
    assert game.result is None


def test_a_play_before_the_double_is_answered_is_no_hint():
    with pytest.raises(ValueError, match="the double waits for its answer"):
        _ = parse_sgf(GNUBGS_ROOT + OPENING + "\n;W[double]\n;W[66xrxrmgmg])").whole


@pytest.mark.parametrize(
    ("nodes", "doubles"),
    [
        ("\n;B[double]", 1),
        ("\n;B[double]DA[E ver 3 0C 1]", 0),
        ("\n;B[double]DA[E ver 3 0C 1]\n;B[double]DA[E ver 3 0C 1]", 1),
    ],
    ids=["doubled", "a hint about doubling", "doubled after a hint"],
)
def test_a_double_that_gnubg_was_only_asked_about_was_not_made(nodes, doubles):
    """As GNU Backgammon 1.07 saves a position set up by hand, `hint` and `double`."""
    set_up = "\n;PL[B]DI[21]\n;CV[2]\n;CP[b]"
    (event, *made) = parse_sgf(GNUBGS_ROOT + set_up + nodes + ")").whole.games[0].events
    assert event.answer.state.cube == Cube(2, CubeOwner.ON_ROLL)
    assert (event.answer.turn, event.answer.roll) == (1, None)
    assert [each.answer for each in made] == doubles * [CubeAction.DOUBLE]


def test_a_roll_that_was_taken_back_in_gnubg_before_a_double_is_left_out():
    """As its `set turn` does without a node; the first roll of a session is its own."""
    doubled = parse_sgf(GNUBGS_ROOT + "\n;PL[B]DI[21]\n;B[double]\n;W[take])").whole.games[0]
    assert [each.answer for each in doubled.events[1:]] == [CubeAction.DOUBLE, DoubleAnswer.TAKE]


@pytest.mark.parametrize("act", ["\n;W[64xrmi]\n;B[52lqac]", "\n;W[double]\n;B[take]"])
def test_a_turn_that_was_given_by_hand_in_gnubg_is_a_position_set_up(act):
    """Its `set turn` leaves no node: the same player acts again."""
    game = parse_sgf(GNUBGS_ROOT + "\n;W[31hefe]" + act + ")").whole.games[0]
    _, played, given, *made = game.events
    assert (given.answer.turn, given.answer.roll) == (0, None)
    assert given.answer.state.position == played.answer.after
    assert made
    with pytest.raises(ValueError, match="the other player is"):
        _ = parse_sgf(ROOT + "\n;W[31hefe]" + act + ")").whole


@pytest.mark.parametrize(
    ("played", "rolled", "play"),
    [
        ("\n;W[31hefe]", "\n;PL[W]DI[63]", "\n;W[63xrxu]"),
        (OPENING, "\n;PL[B]DI[63]", "\n;B[63aggj]"),
    ],
    ids=["White", "Black"],
)
def test_a_roll_of_who_was_not_on_roll_is_a_position_set_up(played, rolled, play):
    """As GNU Backgammon saves `set turn` and `set dice`."""
    for root in (ROOT, GNUBGS_ROOT):
        last = parse_sgf(root + played + rolled + ")").whole.games[0].events[-1].answer
        assert (last.turn, last.roll) == ("WB".index(play[2]), Roll(6, 3))
    *_, set_up, made = parse_sgf(ROOT + played + rolled + play + ")").whole.games[0].events
    assert set_up.answer == last
    assert isinstance(made.answer, CheckerPlay)


def test_a_roll_of_its_own_that_another_program_wrote_was_played():
    for apart in ("\n;", ""):  # also in one node
        played = f"{ROOT}{OPENING}\n;PL[W]DI[52]{apart}W[52mhxv])"
        assert isinstance(parse_sgf(played).whole.games[0].events[-1].answer, CheckerPlay)


def test_an_opening_roll_that_was_changed_to_the_other_players_in_gnubg_is_left_out():
    for opening in (OPENING, "\n;W[31hefe]"):
        edited = parse_sgf(GNUBGS_ROOT + "\n;PL[B]DI[21]" + opening + ")").whole
        assert edited.games == parse_sgf(ROOT + opening + ")").whole.games


BOARD = "AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][x][x]"
BOARD += "AB[s][s][s][s][s][q][q][q][l][l][l][l][l][a][a]"


@pytest.mark.parametrize(
    "nodes",
    [
        f"\n;PL[B]DI[63]\n;PL[B]{BOARD}\n;B[65aggl]",
        f"\n;PL[B]DI[63]\n;PL[B]{BOARD}\n;W[31hefe]",
        f"\n;B[63aggj]\n;PL[W]{BOARD}\n;B[31qtst]",
        "\n;B[63aggj]\n;CV[2]\n;CP[w]\n;B[31qtst]",
        "\n;PL[B]DI[63]\n;W[double]\n;B[take]",
    ],
    ids=["set dice", "set turn, dice", "set turn", "set cube", "set turn, double"],
)
def test_turn_and_dice_that_were_given_by_hand_in_gnubg_are_those_of_who_acts(nodes):
    """As GNU Backgammon 1.07 saves `set board`, `set turn` and `set dice` before a play."""
    read = parse_sgf(GNUBGS_ROOT + nodes + ")").whole
    events = read.games[0].events
    assert sum(isinstance(event.answer, Game) for event in events) == 1
    acted = nodes.rpartition("\n;")[2]
    if "double" not in nodes:
        assert sgf_text(read).replace("\n", "").endswith(f";{acted})")
    assert parse_sgf(sgf_text(read)).match == as_filed(read)


def test_a_resignation_counts_more_under_jacoby_where_gnubg_has_let_it():
    match = parse_sgf(ROOT + "RE[W+3R]" + OPENING + ")").whole
    assert (match.games[0].points_after, match.rules.jacoby) == ((3, 0), True)
    assert parse_sgf(sgf_text(match)).whole == as_filed(match)
    assert parse_mat(mat_text(match)).whole.games[0].points_after == (3, 0)


def test_games_are_read_and_written_at_scores_that_were_set_by_hand_in_gnubg():
    """As its `set score` between games, `set crawford` and `set postcrawford` change them."""
    scores = (((0, 0), False), ((3, 4), True), ((3, 4), False), ((4, 1), True))
    text = "".join(
        GNUBGS_ROOT.replace("length:0", "length:5").replace("ws:0][bs:0", f"ws:{white}][bs:{black}")
        + f"RU[Crawford{':CrawfordGame' * is_crawford}]RE[W+1R]{OPENING})"
        for (white, black), is_crawford in scores
    )
    read = parse_sgf(text.replace("RU[Jacoby]", ""))
    assert [(game.points, game.is_crawford) for game in read.whole.games] == list(scores)
    told = "game 2 begins at 3-4, though the game before it ended at 1-0, the first of 3 such games"
    assert read.broken_scores == f"{told}: each game counts at its own score"
    assert parse_sgf(sgf_text(read.whole)).whole == read.whole


@pytest.mark.parametrize("told", ["?", "0", "Void", "Draw", ""])
def test_a_game_that_is_told_to_have_no_result_goes_on(told):
    read = parse_sgf(ROOT + f"RE[{told}]" + OPENING + ")")
    assert (read.fault, read.match.games[0].result) == (None, None)


def test_text_before_the_first_tree_is_passed_over():
    assert parse_sgf("See (below):\n\n" + ROOT + OPENING + ")") == parse_sgf(ROOT + OPENING + ")")


@pytest.mark.parametrize("charset", ["ISO-8859-2", "windows-1250", "hex", "nobody-knows"])
def test_names_are_in_the_charset_that_a_file_names(charset, tmp_path):
    path = tmp_path / "match.sgf"
    text = ROOT.replace("UTF-8", charset).replace("one", "Ji\xf8\xed") + OPENING + ")"
    path.write_bytes(text.encode("latin-1"))
    told = "Jiří" if charset in ("ISO-8859-2", "windows-1250") else "Jiøí"
    assert told in read_match(path).match.players


def test_a_gammon_borne_off_counts_once_under_jacoby_beside_one_that_was_resigned():
    """As GNU Backgammon 1.07 saves a session with Jacoby's rule."""
    last = "AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][t][t]AB[x][x]"
    borne_off = GNUBGS_ROOT + f"RE[B+1]\n;PL[B]DI[63]\n;PL[B]{last}\n;B[63xzxz])"
    resigned = GNUBGS_ROOT.replace("[game:0][ws:0][bs:0]", "[game:1][ws:0][bs:1]")
    read = parse_sgf(f"{borne_off}\n{resigned}RE[W+2R]\n;PL[B]DI[65])").whole
    assert read.rules.jacoby
    assert [game.points_after for game in read.games] == [(0, 1), (2, 1)]


def test_a_double_in_the_game_that_gnubg_calls_crawfords_tells_that_there_is_none():
    """As it saves a match without Crawford's rule that it has read from a .mat file."""
    root = GNUBGS_ROOT.replace("length:0][game:0][ws:0", "length:3][game:0][ws:2")
    root = root.replace("RU[Jacoby]", "RU[Crawford:CrawfordGame]")
    assert parse_sgf(root + OPENING + ")").whole.games[0].is_crawford
    read = parse_sgf(root + OPENING + "\n;W[double]\n;B[take])").whole
    assert (read.rules.crawford, read.games[0].is_crawford) == (False, False)
    faulty = parse_sgf(root + OPENING + "\n;W[take])")
    assert faulty.match.games[0].is_crawford


@pytest.mark.parametrize(("rules", "points"), [("NoCube:Jacoby", 1), ("NoCube", 3)])
def test_a_backgammon_without_a_cube_counts_once_under_jacoby_in_gnubg(rules, points):
    last = "AE[a:y]AW[f][f][f][f][f][h][h][h][m][m][m][m][m][t][t]AB[x][x]"
    root = GNUBGS_ROOT.replace("RU[Jacoby]", f"RU[{rules}]RE[B+{points}]")
    read = parse_sgf(f"{root}\n;PL[B]{last}\n;B[63xzxz])").whole
    assert read.games[0].points_after == (0, points)
    assert (read.rules.has_cube, read.games[0].result.kind) == (False, 3)
    assert f"RU[{rules}]" in sgf_text(read)
    assert parse_sgf(sgf_text(read)).whole == read


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (ROOT + "\n;W[31hefd])", "line 2, column 1: game 1, node 2: '8/5 6/4' is not a legal play"),
        (ROOT + OPENING + "\n;B[31hefe])", "line 4, .*node 4: the other player is on roll"),
        (ROOT + "\n;W[33hefe])", "no game begins with 3-3"),
        (ROOT + OPENING + "\n;B[take])", "the other player is to answer, not the one to take"),
        (ROOT + OPENING + "\n;W[take])", "there is no double to take"),
        (ROOT + OPENING + "\n;W[mate])", "cannot read the action 'mate'"),
        (ROOT + OPENING + "\n;W[21ab", "line 4, column 3: cannot read"),
        (ROOT + OPENING, "a bracket \\) is missing"),
        (ROOT + "RE[W+1]" + OPENING + ")", "the game is not over"),
        (ROOT + "RE[W+9R]" + OPENING + ")", "no resignation brings 9 points"),
        (ROOT + OPENING + "\n;AW[b][b]AB[b])", "both sides are on one point"),
        (ROOT + OPENING + "\n;AW[" + 16 * "b][" + "b])", "checkers, more than 15"),
        (ROOT + OPENING + "\n;AW[A])", "cannot read the points 'A'"),
        (ROOT + OPENING + "\n;PL[x])", "no colour: 'x'"),
        (ROOT + OPENING + "\n;PL[])", "no colour: ''"),
        (ROOT + OPENING + "\n;DI[17])", "no two dice: '17'"),
        (ROOT + OPENING + "\n;CV[3])", "a cube shows a power of two up to 4096, not 3"),
        (ROOT + OPENING + "\n;CV[two])", "a cube shows a power of two up to 4096, not 'two'"),
        (ROOT + "\n;CV[2]CP[w])", "nobody owns the cube before the opening roll"),
        (ROOT + OPENING + ")" + ROOT.replace("two", "she") + ")", "the players are others"),
    ],
)  # fmt: skip
def test_reading_stops_at_the_first_impossible_node(text, fault):
    read = parse_sgf(text)
    with pytest.raises(ValueError, match=fault):
        _ = read.whole
    assert len(read.match.games) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no tree begins with GM"),
        ("(;FF[4]GM[1];B[aa])", "no tree begins with GM"),
        ("(;GM[6]RU[Nackgammon])", "nackgammon is another game"),
        ("(;GM[6]MI[length:-1])", "length is no number"),
        ("(;GM[6]MI[length:65])", "a match has 1 to 64 points"),
    ],
)
def test_another_file_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_sgf(text)
