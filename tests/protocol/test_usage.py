"""Wrong usage of the command is told in one sentence, which leads to the help."""

import pytest

from protocol.cli import main


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["serve", "--ply", "4"], "argument --ply: Blot looks 0 to 3 plies ahead, not 4"),
        (["hint", "--ply", "1", "--level", "best"], "argument --level: not allowed with argument"),
        (
            ["serve", "--port", "x"],
            "argument --port: a whole number from 0 to 65,535 is wanted, not 'x'",
        ),
        (
            ["serve", "--port", "70000"],
            "argument --port: a whole number from 0 to 65,535 is wanted, not '70000'",
        ),
        (["serve", "--por", "7100"], "unrecognized arguments: --por 7100; did you mean --port?"),
        (["match", "--games", "x"], "argument --games: a whole number is wanted, not 'x'"),
        (["rollout", "--error", "x"], "argument --error: a number is wanted, not 'x'"),
        (["train", "--out", ""], "argument --out: a file or a folder has a name, and this is none"),
        (["fibs", "--hlp"], "unrecognized arguments: --hlp; did you mean --help?"),
        (
            ["draughts", "play", "--level", "easy"],
            "unrecognized arguments: --level easy; see blot draughts play --help",
        ),
        (
            ["analyse", "a.mat", "b.sgf"],
            "unrecognized arguments: b.sgf; see blot analyse --help",
        ),
        (["hnt", "4HPwATDgc/ABMA"], "blot: no command 'hnt'; did you mean hint? See blot --help"),
        (["xyzzy"], "blot: no command 'xyzzy'; see blot --help"),
        (["--vers"], "blot: the following arguments are required: COMMAND; see blot --help"),
        (["--hlp"], "blot: the following arguments are required: COMMAND; see blot --help"),
    ],
)
def test_wrong_usage_is_one_sentence(arguments, sentence, capsys):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert sentence in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--xyzzy"], ["ID", "--xyzzy"], ["ID", "--ply", "x"], ["ID", "--dice"], []]
)
@pytest.mark.parametrize("command", ["hint", "rollout"])
def test_wrong_usage_of_a_subcommand_leads_to_its_own_help(command, arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        main([command, *arguments])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert said.startswith(f"blot {command}: ")
    assert said.endswith(f"see blot {command} --help\n")


@pytest.mark.parametrize("words", [[], ["draughts"]], ids=len)
def test_bare_command_shows_the_help(words, capsys):
    assert main(words) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith(" ".join(["usage: blot", *words]))
    assert "what to do:" in shown.out
    assert shown.err == ""


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("hint", "x", "--dice", "31", "--dice", "52"),
            "blot hint: --dice twice: give one of them",
        ),
        (("hint", "x", "--seconds=1", "--seconds=2"), "blot hint: --seconds twice"),
        (("hint", "x", "--cube", "--no-cube"), "blot hint: --cube and --no-cube: give one of them"),
        (("serve", "--unix", "x", "--stdio"), "--stdio: not allowed with argument --unix"),
    ],
)
def test_options_given_twice_are_wrong_usage(capsys, arguments, message):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("serve", "--unix", "x", "--port", "0"), "--port has no use beside --unix"),
        (("serve", "--stdio", "--host", "x"), "--host has no use beside --stdio"),
        (("serve", "--no-cube", "--jacoby"), "--jacoby is a rule of the cube"),
        (("serve", "--no-cube", "--met", "x"), "--met counts in matches with the cube"),
        (("serve", "--threads", "0"), "threads"),
        (("serve", "--seconds", "0"), "seconds"),
        (("serve", "--filter", "foo"), "no move filter 'foo'"),
    ],
)
def test_serve_refuses_what_would_change_nothing_as_wrong_usage(capsys, arguments, message):
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
