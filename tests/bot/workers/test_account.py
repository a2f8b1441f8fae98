"""Account: who did what, in words."""

from collections import Counter

from bot.workers.account import Account


def test_account_names_a_few_nodes_and_what_was_done_again():
    answers = Counter({"10.0.0.2 ab": 3, "10.0.0.1 cd": 1})
    account = Account(answers, Counter({"memory was short": 1, "a worker died": 2}))
    assert str(account) == (
        "4 pieces on 2 nodes (10.0.0.1 cd: 1, 10.0.0.2 ab: 3); "
        "done again: 2 as a worker died, 1 as memory was short"
    )
    account.answers.update({"10.0.0.3 ef": 1, "10.0.0.4 gh": 1})
    assert "(10.0.0.1 cd: 1, 10.0.0.2 ab: 3, 10.0.0.3 ef: 1, 10.0.0.4 gh: 1)" in str(account)


def test_account_of_many_nodes_is_short():
    account = Account(Counter({f"node {number}": number for number in range(1, 6)}))
    assert str(account) == "15 pieces on 5 nodes (1 to 5 each); none done again"
