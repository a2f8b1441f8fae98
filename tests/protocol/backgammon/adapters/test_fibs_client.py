"""The client of FIBS: transcripts with two servers, and a fake one that misbehaves."""

from pathlib import Path

import pytest

from bot.backgammon.rules.record import replay
from protocol.backgammon.adapters.fibs_client import FibsClient
from protocol.backgammon.formats.match_file import read_match
from protocol.backgammon.servers.agenda import Task
from protocol.backgammon.servers.match_store import MatchStore
from protocol.backgammon.servers.player import Account, Player, RefusedLoginError
from protocol.backgammon.servers.policy import Policy
from protocol.backgammon.servers.seat import ServerError
from protocol.backgammon.servers.staying import stay
from tests.fakes.fibs_board import ME, Mischief
from tests.fakes.fibs_server import FakeFibs
from tests.fakes.fibs_talk import BEGUN, QUICK, Talk
from tests.fakes.restless_player import RestlessPlayer
from tests.fakes.transcript_player import TranscriptPlayer

TRANSCRIPTS = Path(__file__).parents[3] / "transcripts"


@pytest.fixture
def talk(tmp_path):
    return Talk(tmp_path)


@pytest.mark.parametrize(
    ("server", "name", "matches"),
    [("baldlies", "blot_b", 2), ("jibs", "blot_b", 2), ("baldlies_resumed", "blot_f", 1)],
)
def test_the_client_says_what_it_said_to_the_server(tmp_path, server, name, matches):
    lines = (TRANSCRIPTS / f"fibs_{server}.txt").read_text(encoding="utf-8").splitlines()
    decider = TranscriptPlayer()
    talk = Talk(tmp_path, Policy(delay=0.0, patience=0.2), decider, name=name)
    ours = [line[2:] for line in lines if line.startswith("< ")]
    sent = 0
    for line in lines:
        if line.startswith(">"):
            if line.startswith("> board:"):
                decider.is_ascending = line.split(":")[42] == "1"
            decider.next = next((each for each in ours[sent:] if is_answer(each)), "")
            talk.client.receive(line[2:])
            continue
        for _ in range(20):
            if len(talk.sent) > sent:
                break
            decider.next = line[2:]
            talk.clock.sleep(max(talk.client.agenda.seconds, 0.0))
            talk.client.act()
        assert talk.sent[sent : sent + 1] == [line[2:]], f"line {sent} of ours"
        sent += 1
    played = talk.store.matches()
    assert len(played) == matches
    for each in played:
        assert each.gaps == 0
        match = read_match(tmp_path / each.file).whole
        assert len(list(replay(match))) > 10
        assert match.games[-1].points_after[0] >= each.points


def test_a_match_begun_by_somebody_else_goes_on_after_its_crawford_game(tmp_path):
    """BaldLies tells so by a field; the opponent doubles at once, which Crawford's game forbids."""
    text = (TRANSCRIPTS / "fibs_baldlies_resumed.txt").read_text(encoding="utf-8")
    lines = [line[2:] for line in text.splitlines() if line.startswith("> ")]
    talk = Talk(tmp_path, Policy(delay=1e6), name="blot_f")
    seen = set()
    for line in lines:
        talk.client.receive(line)
        seat = talk.client.seat
        if seat is not None and seat.match.game is not None:
            score = seat.match.game.state.score
            seen.add((score.length, seat.match.points, score.is_crawford))
    assert seen == {(3, (2, 1), False), (3, (2, 2), False)}
    assert talk.store.matches()[0].gaps == 0


def is_answer(words):
    return words.split()[0] in ("move", "roll", "double", "accept", "reject", "resign")


def stayed(folder, mischief=(), matches=2, seed=1, policy=QUICK, **fake_options):
    """The fake after so many matches, and the store."""
    fake = FakeFibs(seed, mischief=mischief, **fake_options)
    store = MatchStore(folder)
    player = Player(Account("fake", ME, "secret99"), RestlessPlayer(), policy, store, fake.clock)

    def is_stopping():
        assert fake.clock.now < 1e6, fake.heard[-10:]
        return len(fake.finished) >= matches

    stay(
        fake.connect,
        lambda send: FibsClient(player, send),
        is_stopping,
        clock=fake.clock,
        sleep=fake.clock.sleep,
    )
    return fake, store


@pytest.mark.parametrize("ascending", [False, True])
def test_whole_matches_are_played_and_recorded(tmp_path, ascending):
    fake, store = stayed(tmp_path, ascending=ascending)
    played = store.matches()
    assert [(each.points, each.other_points) for each in played] == fake.finished
    assert {each.gaps for each in played} == {0}
    assert {Path(each.file).suffix for each in played} == {".mat"}
    assert played[-1].rating_before == 1500.0
    assert played[-1].other_rating == 1600.0
    assert fake.heard[-1] == "bye"
    for each in played:
        match = read_match(tmp_path / each.file).whole
        assert match.players == (ME, "mallory")
        assert match.games[-1].points_after == (each.points, each.other_points)


@pytest.mark.parametrize(
    "mischief",
    [each for each in Mischief if each is not Mischief.RESET],
    ids=lambda each: each.name,
)
def test_misbehaviour_does_not_end_or_change_a_match(tmp_path, mischief):
    fake, store = stayed(tmp_path, [mischief], matches=1, lengths=(2,))
    played = store.matches()
    assert [(each.points, each.other_points) for each in played] == fake.finished
    assert fake.connections == 1


def test_lost_connections_are_made_anew_and_the_match_resumed(tmp_path):
    fake, store = stayed(tmp_path, [Mischief.RESET], lengths=(3, 5))
    assert fake.connections > 2
    assert len(store.matches()) == len(fake.finished)


def test_nothing_is_answered_twice(tmp_path):
    fake, _ = stayed(tmp_path, matches=1)
    assert fake.refusals == 0
    assert not any(line.startswith("board") for line in fake.heard)


def test_everything_at_once_ends_all_the_same(tmp_path):
    fake, store = stayed(tmp_path, list(Mischief), matches=1, seed=5)
    assert len(fake.finished) == 1
    assert len(store.matches()) == 1


def test_the_password_is_sent_and_never_told(talk):
    assert talk.hear("login: ") == [f"login Blot 1008 {ME} ********"]


def test_a_second_prompt_is_a_refusal(talk):
    talk.hear("login: ")
    with pytest.raises(RefusedLoginError, match="refuses name or password"):
        talk.hear("login: ")


def test_a_server_that_does_not_let_us_in_is_given_up(talk):
    with pytest.raises(ServerError, match="in time"):
        talk.wait(100)


def test_silence_is_asked_about_and_then_given_up(talk):
    talk.log_in()
    assert talk.wait(620) == [f"rawwho {ME}"]
    with pytest.raises(ServerError, match="silent"):
        talk.wait(100)


@pytest.mark.parametrize("answer", [f"5 {ME} - - 1 0 1500.00 1 0 1 h Blot -", None])
def test_a_server_that_says_much_and_hears_nothing_is_given_up(talk, answer):
    """A thread of Jibs may die, while others go on telling us who is there."""
    talk.log_in()
    talk.hear("bob wants to play a 1 point match with you.")
    assert talk.wait(40)[0] == "join bob"
    if answer:
        talk.hear(answer)
    for _ in range(10):
        talk.hear("7 eve eve logs in.", "5 eve - - 1 0 1500.00 1 0 1 h Blot -")
    if answer:
        talk.wait(100)
    else:
        with pytest.raises(ServerError, match="does not answer us"):
            talk.wait(100)


def test_settings_are_toggled_to_what_is_wanted(talk):
    sent = talk.hear(f"2 {ME} 1 0 1 1 1 0 0 1 2396 0 1 0 1 3457.85 0 0 0 1 1 Europe/Prague")
    assert sent == [
        *(f"toggle {name}" for name in ("autoboard", "autodouble", "automove", "crawford")),
        "toggle report",
        "back",
    ]


def test_instant_redoubles_are_not_played(talk):
    line = f"2 {ME} 1 1 0 0 0 0 1 1 23 0 1 0 1 3457.85 0 1 {{}} 0 1 UTC"
    assert talk.hear(line.format("none")) == []
    assert talk.hear(line.format("3")) == ["set redoubles none"]


def test_ready_is_toggled_once(talk):
    talk.log_in()
    line = f"5 {ME} - - 0 0 1500.00 1 0 1 h Blot -"
    assert talk.hear(line, line) == ["toggle ready"]
    talk.wait(40)
    assert talk.hear(line) == ["toggle ready"]


@pytest.mark.parametrize(
    ("line", "policy", "answer"),
    [
        ("bob wants to play a 5 point match with you.", Policy(), "join bob"),
        ("bob wants to resume a saved match with you.", Policy(), "join bob"),
        ("bob wants to play a 17 point match with you.", Policy(), "I play matches of 1 to 15"),
        ("bob wants to play an unlimited match with you.", Policy(), "no unlimited matches"),
        ("bob wants to play an unlimited match with you.", Policy(unlimited=True), "join bob"),
        (
            "bob wants to play a 1 point match with you.",
            Policy(refuse=frozenset({"bob"})),
            "keeper",
        ),
        ("Bob wants to play a 1 point match with you.", Policy(only=frozenset({"eve"})), "keeper"),
        ("bob wants to play a 1 point match with you.", Policy(least_experience=50), "of 50"),
    ],
)
def test_invitations_are_answered_by_the_policy(tmp_path, line, policy, answer):
    talk = Talk(tmp_path, policy)
    talk.log_in()
    name = line.split()[0]
    assert talk.hear(line, f"Type 'join {name}' to accept.") == [f"rawwho {name}"]
    talk.hear(f"5 {name} - - 1 0 1500.00 49 0 1 h - -", "6")
    sent = talk.wait()
    assert len(sent) == 1
    assert answer in sent[0]
    if not sent[0].startswith("join"):
        assert sent[0].startswith(f"tell {name} ")
        talk.hear(line)
        assert talk.wait() == []


def test_who_has_left_too_often_is_declined(talk):
    talk.client.player.policy = Policy()
    talk.log_in()
    for _ in range(3):
        talk.store.left("fake", "Bob")
    talk.hear("bob wants to play a 5 point match with you.")
    assert "left 3 matches" in talk.wait()[0]


def test_an_invitation_that_would_end_a_saved_match_is_answered_by_another(talk):
    talk.log_in()
    talk.hear(
        "bob wants to play a 5 point match with you.",
        "WARNING: Don't accept if you want to continue the saved 3 point match!",
    )
    sent = talk.wait()
    assert sent[0] == "invite bob"
    assert sent[1].startswith("tell bob ")


def test_who_has_a_saved_match_and_is_there_is_invited_once(talk):
    talk.log_in()
    assert talk.hear("**bob                3                1 -  0") == ["rawwho bob"]
    line = "5 bob - - 1 0 1500.00 49 0 1 h - -"
    assert talk.hear(line) == ["invite bob"]
    assert talk.hear(line) == []
    talk.hear("8 bob bob logs out.")
    assert talk.hear(line) == ["invite bob"]
    assert talk.hear("5 eve - - 1 0 1500.00 49 0 1 h - -") == []


def test_talk_is_answered_once_and_shouts_never(talk):
    talk.log_in()
    assert talk.hear("12 bob hello \x1b[31mthere") == [f"tell bob {QUICK.answer}"]
    assert talk.hear("12 bob again", "15 bob and again", "13 bob shout", "14 bob whisper") == []
    assert talk.hear("15 eve nice") == [f"tell eve {QUICK.answer}"]


def test_who_gags_us_never_hears_a_word(talk):
    talk.log_in()
    talk.hear("** bob won't listen to you.")
    assert talk.hear("12 bob hello") == []
    talk.hear("bob wants to play a 60 point match with you.")
    assert talk.wait() == []


def test_a_greeting_is_said_if_there_is_one(tmp_path):
    talk = Talk(tmp_path, Policy(greeting="Good luck!"))
    talk.log_in()
    assert talk.hear("** You are now playing a 3 point match with bob") == ["tell bob Good luck!"]


def test_an_opponent_who_thinks_for_ever_is_left(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    assert talk.wait(5)[0].startswith("move ")
    talk.hear(BEGUN[4].replace(":1:6:1:0:0:", ":-1:0:0:0:0:").replace("-3:0:-5", "-3:0:-5"))
    sent = []
    for _ in range(10):
        talk.clock.now += 300
        talk.client.agenda.put(Task.IDLE, 1000)
        talk.client.agenda.drop(Task.SERVER)
        sent += talk.wait(1)
    assert "leave" in sent


def test_a_server_that_ignores_an_answer_is_asked_and_then_given_up(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    assert [line.split()[0] for line in talk.wait(40)] == ["move", "board"]
    with pytest.raises(ServerError, match="does not go on"):
        talk.wait(100)


def test_a_board_that_still_asks_is_answered_again(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    first = talk.wait(40)
    talk.hear(BEGUN[4])
    assert talk.wait(5) == first[:1]


def test_a_refused_move_leads_to_a_board_and_in_the_end_away(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    for answer in ("board", "board", "leave"):
        assert talk.wait(5)[0].startswith("move ")
        assert talk.hear("** Illegal move.") == [answer]
        talk.hear(BEGUN[4])


def test_a_match_is_kept_when_the_opponent_goes_and_resumed(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.hear("bob drops connection. The game was saved.")
    assert talk.store.departures("fake", "bob") == 1
    kept = talk.store.kept("fake", ME, "bob")
    assert [type(event.answer).__name__ for event in kept.games[0].events] == ["OpeningRoll"]
    talk.hear("bob has joined you. Your running match was loaded.", BEGUN[4])
    assert talk.client.seat.match.gaps == 0
    assert talk.client.seat.match.rules.length == 3


def test_one_match_at_a_time(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    sent = talk.hear("eve wants to play a 1 point match with you.")
    assert sent == [f"tell eve {QUICK.decline} one match at a time"]


@pytest.mark.parametrize(
    "told", [["You double. Please wait for bob to accept or reject."], []], ids=["told", "untold"]
)
def test_a_drop_is_understood_where_baldlies_leaves_out_who_drops(talk, told):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.wait(5)
    after = "board:You:bob:3:0:0:0:-2:0:0:0:0:5:2:2:0:0:0:-5:4:0:0:0:-3:0:-5:0:0:0:0:2:0"
    talk.hear(f"{after}:-1:0:0:5:2:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0")
    talk.hear("bob moves 12-17 12-14 .", "It's your turn. Please roll or double.")
    talk.hear(*told, " gives up. You win 1 point.")
    assert talk.client.seat.match.points == (1, 0)
    assert talk.client.seat.match.gaps == 0


def test_a_stop_waits_for_the_end_of_the_match(talk):
    talk.log_in()
    talk.hear(*BEGUN)
    talk.sent.clear()
    talk.client.stop()
    assert talk.sent == []
    assert not talk.client.is_done
    assert talk.hear("bob wins the 3 point match 3-0 .") == ["bye"]
    assert talk.client.is_done
    assert [(each.points, each.other_points) for each in talk.store.matches()] == [(0, 3)]


def test_a_stop_without_a_match_says_goodbye(talk):
    talk.log_in()
    talk.sent.clear()
    talk.client.stop()
    assert talk.sent == ["bye"]


@pytest.mark.parametrize(
    "line",
    [
        "** Player mary has joined you for a 92 point match.",
        "** You are now playing a 92 point match with mary",
    ],
)
def test_match_of_a_length_that_cannot_be_ends_the_connection(tmp_path, line):
    talk = Talk(tmp_path)
    talk.log_in()
    with pytest.raises(ServerError, match="begins cannot be: a match has 1 to 64 points, not 92"):
        talk.hear(line)
    assert talk.client.seat is None
