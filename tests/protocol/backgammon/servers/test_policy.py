import pytest

from protocol.backgammon.servers.policy import Policy, policy_of, read_policy


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_policy_is_read_from_toml(tmp_path, encoding):
    file = tmp_path / "policy.toml"
    file.write_text(
        'delay = 1\nlengths = [3, 7]\nonly = ["Bob"]\nunlimited = true\ngreeting = "Hi"', encoding
    )
    policy = read_policy(file)
    assert policy == Policy(
        delay=1.0, lengths=(3, 7), only=frozenset({"bob"}), unlimited=True, greeting="Hi"
    )
    assert policy.refusal("BOB", None, 0, 0) is None
    assert policy.refusal("bob", 2, 0, 0) == "I play matches of 3 to 7 points"


def test_lengths_below_the_usual_offer_need_no_other_offer():
    assert policy_of({"lengths": [1, 3]}).lengths == (1, 3)


def test_a_greeting_is_off_by_default():
    assert Policy().greeting == ""


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"dealy": 1}, "no setting 'dealy'"),
        ({"delay": "x"}, "delay is a number"),
        ({"delay": -1}, "delay is a number"),
        ({"delay": True}, "delay is a number"),
        ({"delay": float("nan")}, "delay is a number"),
        ({"delay": float("inf")}, "delay is a number, 0 or more and less than 1,000,000, not inf"),
        ({"most-dropped": 1.5}, "most-dropped is a whole number"),
        ({"offer": 3.5}, "offer is a whole number"),
        ({"offer": 0}, "offer is 1 to 15, as lengths says, not 0"),
        ({"offer": 99, "lengths": [1, 3]}, "offer is 1 to 3, as lengths says, not 99"),
        ({"lengths": [5, 1]}, "lengths is the least"),
        ({"lengths": [0, 1]}, "lengths is the least"),
        ({"lengths": 5}, "lengths is the least"),
        ({"unlimited": 1}, "unlimited is true or false"),
        ({"only": "bob"}, "only is a list"),
        ({"answer": 5}, "answer is a sentence"),
        ({"answer": "a\nbye"}, "answer is a sentence"),
        ({"answer": "x" * 201}, "answer is a sentence"),
    ],
)
def test_wrong_settings_are_named(table, sentence):
    with pytest.raises(ValueError, match=sentence):
        policy_of(table)


@pytest.mark.parametrize("content", [b"delay = ", b"delay = 1\ndelay = 2", b"x", b"\xbf"])
def test_what_is_no_toml_is_named(tmp_path, content):
    file = tmp_path / "policy.toml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=r"policy\.toml is no TOML"):
        read_policy(file)


def test_a_missing_policy_is_named(tmp_path):
    with pytest.raises(ValueError, match="cannot read"):
        read_policy(tmp_path / "none.toml")


def test_who_left_too_often_or_has_played_too_little_is_declined():
    policy = Policy(most_dropped=3, least_experience=50)
    assert policy.refusal("bob", 5, 2, 50) is None
    assert policy.refusal("bob", 5, 3, 50) == "you have left 3 matches with me"
    once = Policy(most_dropped=1).refusal("bob", 5, 1, 50)
    assert once == "you have left 1 match with me"
    assert policy.refusal("bob", 5, 0, 49) == "I play those with an experience of 50 or more"
    assert Policy(most_dropped=0).refusal("bob", 5, 99, 0) is None
