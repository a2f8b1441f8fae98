"""The README is true: its commands are understood, its examples come out, what it names exists."""

import argparse
import re
import shlex
import subprocess
import sys
import tomllib
from dataclasses import fields
from pathlib import Path

import pytest

from bot.backgammon.evaluation.network import load_network
from protocol.backgammon.servers.policy import Policy, policy_of
from protocol.cli import main

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = {
    page: (ROOT / page / "README.md").read_text(encoding="utf-8") for page in ("bot", "protocol")
}

BLOCK = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
TEXT_OUTSIDE_BLOCKS = BLOCK.sub("", README)
INLINE = [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", TEXT_OUTSIDE_BLOCKS)]
LIMIT = 300.0
"""Seconds that the match line may take; its kernels may have to be compiled first."""

EXAMPLES = {"show", "hint"}
"""Commands whose output stands in the README, if they have nothing but a position."""


def blocks(language, text=README):
    return [block for name, block in BLOCK.findall(text) if name == language]


def blot_commands(line):
    """The arguments of each `blot` in a line of shell."""
    for part in line.split("&&"):
        words = shlex.split(part, comments=True)
        while words and words[0] in ("time", "timeout"):
            words = words[1:]
        if words and words[0] in ("blot", ".venv/bin/blot"):
            yield tuple(words[1:])


SHELL_LINES = [
    line
    for text in (README, *PAGES.values())
    for block in blocks("sh", text)
    for line in block.splitlines()
]
TYPED = [command for line in SHELL_LINES for command in blot_commands(line)]
TOLD = [command for code in INLINE if " -" in code for command in blot_commands(code)]


class UnderstoodError(Exception):
    """The arguments were understood; nothing was run."""


@pytest.fixture
def parse_only(monkeypatch):
    """Let the command understand its arguments and then do nothing."""
    parse = argparse.ArgumentParser.parse_args

    def parse_and_stop(parser, arguments):
        parse(parser, arguments)
        raise UnderstoodError

    monkeypatch.setattr(argparse.ArgumentParser, "parse_args", parse_and_stop)


def marked_block(mark, text=README):
    """The code block right after a comment, as .ci/run finds it."""
    found = re.search(rf"^<!-- {mark} -->\n```\w+\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return found[1] if found else ""


def test_commands_are_found():
    assert len(blocks("python")) == 1
    assert {"match", "serve", "show", "hint", "train"} <= {command[0] for command in TYPED}
    assert ("match", "--ply", "0", "--opponent", "pubeval", "--games", "40000") in TOLD


@pytest.mark.usefixtures("parse_only")
@pytest.mark.parametrize(
    "command", sorted({c for c in TYPED + TOLD if c != ("--help",)}), ids=" ".join
)
def test_command_is_understood(command):
    with pytest.raises(UnderstoodError):
        main(command)


@pytest.mark.usefixtures("parse_only")
def test_wrong_command_is_not_understood():
    with pytest.raises(SystemExit) as ended:
        main(["match", "--opponents", "gnubg"])
    assert ended.value.code == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    "command", sorted(c for c in TYPED if c[0] in EXAMPLES and len(c) == 2), ids=" ".join
)
def test_example_comes_out_as_printed(command, capsys):
    assert main(command) == 0
    output = capsys.readouterr().out.strip("\n")
    assert len(output.splitlines()) > 3
    assert any(output in block for block in blocks("text"))


@pytest.mark.slow
@pytest.mark.parametrize("program", blocks("python"))
def test_program_prints_what_stands_below_it(program, capsys):
    exec(program, {})
    assert capsys.readouterr().out in blocks("text")


@pytest.mark.slow
def test_engine_of_your_own_is_one(tmp_path, capsys):
    program = tmp_path / "careful.py"
    program.write_text(marked_block("the engine", PAGES["protocol"]))
    command = f"{sys.executable} {program}"
    assert main(["check", command]) == 0
    assert "level: 0 of 2" in capsys.readouterr().out
    words = ["match", f"ubgi:{command}", "pubeval", "--games", "2"]
    assert main([*words, "--length", "1", "--no-cube"]) == 0
    assert main([*words, "--length", "3"]) == 1
    told = capsys.readouterr().err
    assert told.endswith("it does not play with the cube: play without it\n")


@pytest.mark.parametrize("page", PAGES)
def test_page_names_what_there_is(page):
    text = BLOCK.sub("", PAGES[page])
    named = re.findall(r"`([\w/]+\.py|[\w/]+/)`", text)
    assert len(named) > 20
    tops = ("bot", "protocol", "tests")
    there = [path.as_posix() for top in tops for path in [ROOT / top, *ROOT.glob(f"{top}/**/*")]]
    for name in named:
        assert any(path.endswith(f"/{name.rstrip('/')}") for path in there), name


@pytest.mark.parametrize("page", PAGES)
def test_identifiers_of_a_page_are_in_the_sources(page):
    words = set(re.findall(r"`(\w+)(?:\(\))?`", BLOCK.sub("", PAGES[page])))
    named = {word for word in words if "_" in word or re.match(r"[A-Z]\w*[a-z]", word)}
    assert len(named) > 2
    tops = ("bot", "protocol", "tests/bench")
    sources = [path.read_text("utf-8") for top in tops for path in ROOT.glob(f"{top}/**/*.py")]
    assert named <= set(re.findall(r"\w+", " ".join(sources)))


def test_networks_are_listed(capsys):
    assert ("weights",) in TYPED
    assert main(["weights"]) == 0
    assert re.search(r"^td-128", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
def test_settings_file_trains_as_it_says(tmp_path):
    file, run = tmp_path / "mine.toml", tmp_path / "run"
    file.write_text(marked_block("the settings file"))
    table = tomllib.loads(file.read_text())
    assert {"lambda", "max-plies", "test-every", "hidden"} <= set(table)
    few = ["--games", "60", "--test-games", "2"]
    assert main(["train", "--out", str(run), "--settings", str(file), *few]) == 0
    kept = tomllib.loads((run / "settings.toml").read_text())
    assert kept.items() >= (table | {"games": 60, "test-games": 2}).items()
    assert load_network(str(run / "weights.npz")).shape == f"196-{table['hidden']}-5"


def test_each_of_the_two_commands_is_one_line():
    match, test = marked_block("the match line"), marked_block("the test line")
    start = "python3 -m venv .venv && .venv/bin/pip install --quiet --editable "
    assert match.splitlines() == [f"{start}. && .venv/bin/blot match --games 25"]
    assert test.splitlines() == [f"{start}'.[test]' && .venv/bin/pytest"]


@pytest.fixture
def run_match_line():
    """Run `blot` of the match line at 0 plies, for its seconds, after a line of Python."""

    def run(before=""):
        (words,) = blot_commands(marked_block("the match line"))
        script = f"import sys; {before}from protocol.cli import main; sys.exit(main(sys.argv[1:]))"
        return subprocess.run(
            [sys.executable, "-c", script, *words, "--ply", "0"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=LIMIT,
        )

    return run


@pytest.mark.slow
def test_match_line_is_played_against_pubeval_where_there_is_no_gnubg(
    run_match_line, monkeypatch, tmp_path
):
    monkeypatch.setenv("PATH", str(tmp_path))
    nowhere = "from protocol.backgammon.adapters import gnubg_program as g; g.FOLDERS = (); "
    played = run_match_line(nowhere)
    assert played.returncode == 0
    assert "playing pubeval instead" in played.stderr
    assert "playing 26 instead of 25" in played.stderr
    assert played.stdout.startswith("default 0-ply against pubeval, 26 money games, cubeless")
    assert "points per game: " in played.stdout


@pytest.mark.slow
@pytest.mark.gnubg
def test_match_line_is_played_against_gnubg_where_there_is_one(run_match_line):
    played = run_match_line()
    assert played.returncode == 0
    assert "instead" not in played.stderr
    assert played.stdout.startswith("default 0-ply against gnubg, 25 money games, cubeless")
    assert "points per game: " in played.stdout


def test_ci_takes_the_test_line_from_here():
    extract = next(
        line
        for line in (ROOT / ".ci/run").read_text().splitlines()
        if line.startswith("test_line=")
    )
    printed = subprocess.run(
        ["bash", "-c", f'{extract}; echo "$test_line"'],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert printed.stdout == marked_block("the test line")


def anchors(page):
    """The anchors of a page's titles, as GitHub makes them."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


def links(page):
    """Where a page's links lead to, but for those to other sites."""
    found = re.findall(r"\]\(([^)\s]+)\)", page.read_text(encoding="utf-8"))
    return sorted({link for link in found if not link.startswith("https://")})


@pytest.mark.parametrize(
    ("page", "link"),
    [
        (page, link)
        for page in [ROOT / "README.md", *ROOT.glob("[bpwt]*/**/*.md")]
        for link in links(page)
    ],
    ids=lambda each: each if isinstance(each, str) else each.relative_to(ROOT).as_posix(),
)
def test_link_leads_somewhere(page, link):
    name, _, anchor = link.partition("#")
    path = page.parent / name if name else page
    assert path.exists()
    assert not anchor or anchor in anchors(path)


def test_policy_that_is_shown_is_the_one_without_a_file():
    (shown,) = (block for block in blocks("toml", PAGES["protocol"]))
    table = tomllib.loads(shown)
    assert policy_of(table) == Policy()
    assert {name.replace("-", "_") for name in table} == {each.name for each in fields(Policy)}


@pytest.mark.parametrize(
    "path",
    sorted({c for c in INLINE if re.match(r"(bot|protocol|tests|weights|\.ci)/[\w./-]*$", c)}),
)
def test_path_in_the_text_exists(path):
    assert (ROOT / path).exists()
