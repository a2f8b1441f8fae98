import json

import pytest

from protocol.cli import main


def test_knowledge_tells_play_and_losses_for_each_position(capsys):
    assert main(["lab", "knowledge", "--weights", "easy", "--json"]) == 0
    values = json.loads(capsys.readouterr().out)
    assert (values["weights"], values["stronger"]) == ("easy", "default")
    rows = {row["about"]: row for row in values["answers"]}
    assert rows["opening 31"]["play"] == "8/5 6/5"
    assert rows["opening 31"]["position_id"] == "4HPwATDgc/ABMA"
    assert rows["opening 31"]["is_accepted"]
    late = rows["saves a backgammon with its last two checkers back"]
    assert not late["is_accepted"]
    assert late["loss"] == pytest.approx(1.0, abs=1e-3)


def test_knowledge_table_says_how_many_are_as_accepted(capsys):
    assert main(["lab", "knowledge", "--weights", "easy"]) == 0
    shown = capsys.readouterr().out
    assert "of 25 as accepted" in " ".join(shown.split())
    assert "Woolsey" in shown


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["knowledge", "--resume"], "has only --weights and --json"),
        (["outputs", "--json"], "--json is for blot lab knowledge"),
        (["knowledge", "--weights", "nobody"], "nobody"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_a_sentence(arguments, said, capsys):
    assert main(["lab", *arguments]) in (1, 2)
    assert said in capsys.readouterr().err
