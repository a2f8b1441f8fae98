"""The options that say how strong Blot plays."""

import argparse
import io
from dataclasses import replace

import pytest

from bot.backgammon.engine.level import LEVELS, Level, quick_twin
from bot.backgammon.engine.move_filter import FILTERS, MoveFilter
from bot.backgammon.engine.roller import LEAST_OF_DECISION
from bot.backgammon.engine.search import SearchSettings
from bot.backgammon.kernels.search import MAX_PLIES as DEEPEST
from bot.backgammon.rules.match import MoneyRules
from protocol.backgammon.commands.options import (
    DEFAULT_LEVEL,
    FILTER_NAMES,
    LEVEL_NAMES,
    MAX_PLIES,
    ROLLER,
    add_rules,
    add_strength,
    check_rules,
    level_of,
    level_text,
    money_of,
    parse_filters,
)
from protocol.cli import main


def chosen(*arguments):
    """The level that the arguments of a command make."""
    parser = argparse.ArgumentParser()
    add_strength(parser)
    return level_of(parser.parse_args(arguments))


def test_names_that_help_shows_are_those_there_are():
    assert tuple(LEVELS) == LEVEL_NAMES
    assert tuple(FILTERS) == FILTER_NAMES
    assert MAX_PLIES == DEEPEST


def test_level_is_expert_unless_plies_are_given():
    assert chosen() == LEVELS[DEFAULT_LEVEL] == LEVELS["expert"]
    assert chosen("--ply", "1") == Level(search=SearchSettings(1))
    assert chosen("--level", "easy") == LEVELS["easy"]


def test_other_options_count_more_than_the_level():
    level = chosen("--level", "expert", "--weights", "easy", "--threads", "2", "--filter", "tiny")
    assert level == Level("easy", SearchSettings(3, FILTERS["tiny"], threads=2))


def test_time_limit_looks_as_deep_as_blot_can_or_as_told():
    assert chosen("--seconds", "0.5").search.ply == MAX_PLIES
    level = chosen("--seconds", "0.5", "--ply", "1")
    assert (level.search.ply, level.search.seconds) == (1, 0.5)
    assert level_text(level) == "default 1-ply within 0.5 s"


def test_levels_are_called_by_their_names():
    assert level_text(chosen()) == "expert (default 3-ply)"
    assert level_text(chosen("--level", "best", "--threads", "2")) == (
        "best (default 3-ply and rollouts)"
    )
    assert level_text(chosen("--level", "best", "--workers", "4")) == (
        "best (default 3-ply and rollouts)"
    )
    rolling_expert = replace(LEVELS["expert"], roller=LEVELS["best"].roller)
    assert level_text(rolling_expert) == "default 3-ply and rollouts"
    assert level_text(chosen("--level", "hard")) == "hard (0-ply)"
    assert level_text(chosen("--ply", "2")) == "default 2-ply"
    assert level_text(chosen("--level", "expert", "--weights", "easy")) == "easy 3-ply"
    assert level_text(chosen("--weights", "pubeval")) == "pubeval"


def test_level_without_options_may_be_another():
    parser = argparse.ArgumentParser()
    add_strength(parser)
    quick = Level(search=SearchSettings(1))
    assert level_of(parser.parse_args([]), quick) == quick
    assert level_of(parser.parse_args(["--weights", "easy"]), quick).weights == "easy"
    assert level_of(parser.parse_args(["--level", "easy"]), quick) == LEVELS["easy"]


def test_level_that_rolls_out_is_given_workers_and_seconds():
    best = LEVELS["best"]
    assert chosen("--level", "best") == best
    assert best.roller is not None
    level = chosen("--level", "best", "--workers", "3", "--seconds", "1.5", "--weights", "easy")
    assert level == Level("easy", best.search, replace(best.roller, workers=3, seconds=1.5))
    assert level_text(best) == "best (default 3-ply and rollouts)"
    assert level_text(level) == "easy 3-ply and rollouts within 1.5 s"


def test_only_one_level_rolls_out():
    assert [name for name, level in LEVELS.items() if level.roller] == [ROLLER]


def test_baseline_does_not_look_ahead():
    assert chosen("--weights", "pubeval") == Level("pubeval")


def test_filters_are_read_by_number():
    assert parse_filters("0:4:0.2,2:3:0.05") == (MoveFilter(0, 4, 0.2), MoveFilter(2, 3, 0.05))


def test_twin_of_a_slow_level_is_quick_and_takes_the_same_ways():
    twin = quick_twin(LEVELS["best"])
    assert twin.search.ply == 2
    assert (twin.roller.workers, twin.roller.trials) == (1, LEAST_OF_DECISION)
    assert twin.roller.ply == LEVELS["best"].roller.ply
    assert quick_twin(chosen("--seconds", "5")).search.seconds is not None


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--filter", "wide"], "no move filter 'wide': give PLIES:MOST:MARGIN as 0:8:0.16, or one"),
        (["--filter", "0:0:0.1"], "at least one play through, not 0"),
        (["--filter", "0:8:-1"], "0 points or more, not -1"),
        (["--filter", "1:8:0.1"], "the first after 0, not after 1"),
        (["--threads", "0"], "1 to 256 threads, not 0"),
        (["--workers", "2"], "--workers roll out: give --level best with it"),
        (["--ply", "2", "--workers", "2"], "--workers roll out: give --level best with it"),
        (["--weights", "pubeval", "--workers", "2"], "nor looks ahead: leave out --workers"),
        (["--level", "best", "--workers", "0"], "1 to 256 workers, not 0"),
        (["--level", "best", "--seconds", "0"], "more than 0 seconds, not 0"),
        (["--seconds", "-1"], "more than 0 seconds, not -1"),
        (["--filter", "tiny", "--ply", "0"], "--filter is for looking ahead: give --ply 1 to 3"),
        (["--threads", "2", "--level", "hard"], "--threads is for looking ahead"),
        (
            ["--filter", "0:8:0.16,2:2:0.04", "--ply", "2"],
            "evaluated 2 plies deep are looked at no",
        ),
        (
            ["--weights", "pubeval", "--ply", "1"],
            "pubeval neither evaluates nor looks ahead: leave out --ply",
        ),
        (["--weights", "random", "--level", "easy"], "random neither evaluates nor looks ahead"),
        (["--seconds", "1", "--ply", "0"], "--seconds is time to look ahead: give --ply 1 to 3"),
    ],
)
def test_impossible_strength_is_one_sentence(arguments, sentence):
    with pytest.raises(ValueError, match=sentence) as refused:
        chosen(*arguments)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("options", "cube", "money"),
    [
        ((), True, MoneyRules(jacoby=True, beavers=False)),
        (("--no-cube", "--no-jacoby"), False, MoneyRules(jacoby=False, beavers=False)),
        (("--beavers",), True, MoneyRules(jacoby=True, beavers=True)),
    ],
)
def test_cube_and_money_rules_are_options(options, cube, money):
    parsed = rules(*options)
    assert getattr(parsed, "cube", True) is cube
    assert money_of(parsed) == money


def rules(*options):
    """What add_rules makes of options."""
    parser = argparse.ArgumentParser()
    add_rules(parser)
    return parser.parse_args(options)


@pytest.mark.parametrize(
    ("options", "cube", "length", "sentence"),
    [
        (["--jacoby"], True, 5, "--jacoby is a rule of money games"),
        (["--beavers"], False, None, "--beavers is a rule of the cube"),
        (["--met", "x"], True, None, "leave it out of money games"),
        (["--met", "x"], False, 5, "leave it out with --no-cube"),
        (["--met", "x"], True, 1, "--met says nothing about a match to 1 point"),
    ],
)
def test_rule_that_would_not_count_is_refused(options, cube, length, sentence):
    with pytest.raises(ValueError, match=sentence):
        check_rules(rules(*options), cube=cube, length=length)
    check_rules(rules(*options), cube=True, length=5 if "--met" in options else None)
    check_rules(rules("--no-jacoby", "--no-beavers"), cube=cube, length=length)


@pytest.mark.parametrize(
    "words",
    [
        "serve --weights bad.npz",
        "ubgi --weights bad.npz",
        "bench --weights bad.npz",
        "bench --kinds --weights bad.npz",
        "match --opponent bad.npz",
        "match --opponent random --weights bad.npz",
        "match random bad.npz --games 2",
        "play --opponent bad.npz",
        "hint 4HPwATDgc/ABMA --dice 31 --weights bad.npz",
        "rollout 4HPwATDgc/ABMA --dice 31 --weights bad.npz",
        "fibs --user blot --weights bad.npz",
    ],
)
def test_weights_that_are_none_are_told_before_anything_is_compiled(
    words, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BLOT_PASSWORD", "secret")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    (tmp_path / "bad.npz").write_bytes(b"damaged")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(
        "protocol.compilation.compile_first",
        lambda compilation, jobs: pytest.fail("compiled first"),
    )
    assert main(words.split()) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "blot: bad.npz is no weights file of Blot, or is damaged\n"
