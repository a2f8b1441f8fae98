import pytest

from protocol.backgammon.formats.clip import ClipReader, Kind

BOARD = (
    "board:You:bob:3:0:1:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0"
    ":1:6:2:0:0:1:1:1:0:1:-1:0:25:0:0:0:0:2:0:0:0"
)


def read(*lines):
    reader = ClipReader()
    return [told for line in lines for told in reader.read(line)]


@pytest.mark.parametrize(
    ("line", "kind", "fields"),
    [
        ("login: ", Kind.PROMPT, {}),
        ("5 bob - - 1 0 1418.61 23 1 10 h c -", Kind.WHO, {"who": "bob", "experience": "23"}),
        ("5 bob - - 1 0 -4.0 6 1 10 h null -", Kind.WHO, {"rating": "-4.0"}),
        ("8 bob bob drops connection.", Kind.GONE, {"who": "bob"}),
        ("  opponent      matchlength   score (your points first)", Kind.SAVED_LIST, {}),
        (" gives up. You win 1 point.", Kind.DROPPED, {"points": "1", "winner": "You"}),
        ("no saved games.", Kind.NO_SAVED_MATCH, {}),
        ("  eve   unlimited             4 -  2", Kind.SAVED_MATCH, {"who": "eve"}),
        ("2 win the game and get {1} points. Congratulation!", Kind.GAME_WON, {"points": "2"}),
        ("12 bob You roll 6 and 6.", Kind.TOLD, {"text": "You roll 6 and 6."}),
        ("> 15 bob hi", Kind.KIBITZED, {"who": "bob"}),
        ("bob wants to play a 5 point match with you.", Kind.INVITED, {"length": "5"}),
        ("bob wants to play an unlimited match with you.", Kind.INVITED, {"who": "bob"}),
        ("bob wants to resume a saved match with you.", Kind.INVITED_BACK, {"who": "bob"}),
        ("** Player bob has joined you for a 3 point match.", Kind.BEGUN, {"length": "3"}),
        ("** You are now playing an unlimited match with bob", Kind.BEGUN, {"who": "bob"}),
        ("bob has joined you. Your running match was loaded.", Kind.RESUMED, {"who": "bob"}),
        ("You rolled 6, bob rolled 1", Kind.OPENING, {"own": "6", "other": "1"}),
        ("You roll 5 and 3.", Kind.ROLLED, {"one": "5", "two": "3"}),
        ("bob rolls 5 and 3.", Kind.ROLLED, {"who": "bob"}),
        ("It''s your turn. Please roll or double", Kind.CAN_DOUBLE, {}),
        ("bob moves 8-4 6-4 .", Kind.MOVED, {"who": "bob", "moves": "8-4 6-4"}),
        ("bob moves 12-17 bar-22.", Kind.MOVED, {"moves": "12-17 bar-22"}),
        ("The only possible move is bar-4 6-off .", Kind.MOVED, {"moves": "bar-4 6-off "}),
        ("bob can't move.", Kind.STUCK, {"who": "bob"}),
        ("You can''t move.", Kind.STUCK, {}),
        ("bob doubles. Type 'accept' or 'reject'.", Kind.DOUBLED, {"who": "bob"}),
        ("bob doubles. Type 'accept', 'reject' or 'redouble'.", Kind.DOUBLED, {"who": "bob"}),
        ("bob accepts the double.The cube shows 2.", Kind.TAKEN, {"who": "bob", "cube": "2"}),
        ("You give up. bob wins 2 points.", Kind.DROPPED, {"points": "2"}),
        ("bob gives up. You win 1 point.", Kind.DROPPED, {"who": "bob", "points": "1"}),
        ("bob accepts and wins 2 points.", Kind.ACCEPTED, {"who": "bob", "points": "2"}),
        ("bob wins the 3 point match 3-1 .", Kind.MATCH_WON, {"first": "3", "second": "1"}),
        ("Connection with bob timed out. The game was saved.", Kind.LEFT, {"who": "bob"}),
        ("bob logs out. The game was saved.", Kind.LEFT, {"who": "bob"}),
        ("** bob won't listen to you.", Kind.WONT_LISTEN, {"who": "bob"}),
        ("** You're not playing.", Kind.NOT_PLAYING, {}),
        ("** Another user has logged in with your name.", Kind.KICKED, {}),
        ("** You can't do that.", Kind.REFUSED, {"text": "You can't do that."}),
        (" *bob 3 1 - 1", Kind.SAVED_MATCH, {"who": "bob", "online": "*"}),
        ("  bob unlimited 1 - 1", Kind.SAVED_MATCH, {"who": "bob"}),
        ("** You're now ready to invite or join someone.", Kind.CHAT, {}),
    ],
)
def test_a_line_is_understood(line, kind, fields):
    (told,) = read(line)
    assert told.kind is kind
    assert told.fields.items() >= fields.items()


def test_lines_glued_together_are_told_apart():
    told = read(BOARD + "5 bob - - 1 0 1418.61 23 1 10 h c -")
    assert [each.kind for each in told] == [Kind.BOARD, Kind.WHO]
    assert told[0]["board"] == BOARD
    told = read(
        "You win the game and get 1 point. Congratulations!Score is 1-0 in a 3 point match."
    )
    assert [each.kind for each in told] == [Kind.GAME_WON]


def test_the_message_of_the_day_says_nothing():
    told = read("3", "You roll 6 and 6.", "login: ", "4", "You roll 6 and 5.")
    assert [each.kind for each in told] == [Kind.MOTD, Kind.ROLLED]


def test_jibs_tells_of_others_matches_in_the_same_line():
    others = (
        "adam and eve start a new 3-point match.cain and abel are resuming their unlimited match."
    )
    chat, invited = read(f"{others}bob wants to play a 5 point match with you.")
    assert (chat.kind, invited.kind, invited["who"]) == (Kind.CHAT, Kind.INVITED, "bob")


@pytest.mark.parametrize("line", ["", " ", "turn: bob", "13", "You roll 7 and 1.", "x" * 2000])
def test_other_lines_are_left(line):
    assert read(line) == []
