"""The option --cluster: where it has no use, or leads nowhere, one sentence says so."""

import pytest

from protocol.cli import main

NOWHERE = ["--cluster", "127.0.0.1:1"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["rollout", "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10", *NOWHERE],
            "no cluster answers at",
        ),
        (["match", "random", "simple-1", "--games", "2", *NOWHERE], "no cluster answers at"),
        (["match", "random", "simple-1", "--games", "2", "--cluster", "there"], "HOST:PORT"),
        (
            ["match", "random", "simple-1", "--games", "2", "--cluster", f"there:{'9' * 20}"],
            "HOST:PORT",
        ),
        (
            ["train", "--learner", "lookahead", "--cluster", "there"],
            "HOST:PORT of a cluster's head",
        ),
        (["rollout", "4HPwATDgc/ABMA", "--cluster", "there"], "HOST:PORT of a cluster's head"),
        (["match", "--opponent", "random", *NOWHERE], "--cluster"),
        (
            ["match", "random", "simple-1", "--parallel", "2", *NOWHERE],
            "--parallel is for this machine alone, and 127.0.0.1:1 has its own processors",
        ),
        (["rollout", "4HPwATDgc/ABMA", "--workers", "2", *NOWHERE], "--workers is for this"),
        (["train", "--learner", "td", "--games", "1", *NOWHERE], "--learner lookahead"),
        (["lab", "hypergammon", *NOWHERE], "nothing to do in hypergammon"),
        (["draughts", "lab", "nodes", *NOWHERE], "unrecognized arguments: --cluster"),
    ],
)
def test_cluster_that_is_of_no_use_is_one_sentence(words, said, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    try:
        status = main(words)
    except SystemExit as left:
        status = left.code
    assert status in (1, 2)
    errors = capsys.readouterr().err
    assert said in errors.splitlines()[-1]
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
