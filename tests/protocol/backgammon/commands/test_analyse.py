"""`blot analyse`: a match file in, statistics and files out."""

import io
import json
import signal
from dataclasses import replace
from types import SimpleNamespace

import pytest

from bot.backgammon.engine.analysis import PlayVerdict
from bot.backgammon.rules.decision import AnswerDouble, ChooseCheckerPlay, ChooseCubeAction
from bot.backgammon.rules.position import START
from bot.backgammon.rules.record import Occasion, Rules
from protocol.backgammon.adapters import gnubg_program
from protocol.backgammon.adapters.gnubg_analysis import gnubg_analysis
from protocol.backgammon.commands.analysts import MAX_GNUBG_PLIES
from protocol.backgammon.formats.match_file import read_match, write_match
from protocol.backgammon.formats.notation import parse_play
from protocol.backgammon.formats.pasted_id import pasted_id
from protocol.backgammon.formats.position_id import position_id
from protocol.backgammon.formats.svg_board import NAMESPACE
from protocol.backgammon.servers.board_drops import place_with_board_drops
from protocol.backgammon.table.saved_game import save
from protocol.backgammon.table.table import Setting, Table
from tests.games import random_match
from tests.protocol.backgammon.formats.test_met_file import GOOD


@pytest.fixture(scope="module")
def match_file(tmp_path_factory):
    """A match of two players who play anything."""
    path = tmp_path_factory.mktemp("matches") / "match.sgf"
    write_match(random_match(Rules(2), 6, words=0.2, resigns=0.0), path)
    return path


@pytest.fixture
def analyse(blot, weights):
    """Run `blot analyse` without looking ahead."""
    return lambda *options: blot("analyse", "--ply", "0", "--weights", weights, *map(str, options))


def summary(text):
    return json.loads(text.splitlines()[-1])["summary"]


def test_statistics_and_worst_choices_are_shown(analyse, match_file):
    code, out, _ = analyse(match_file)
    assert code == 0
    for word in ("unforced moves", "close or actual ones", "PR", "rating", "The worst choices"):
        assert word in out


def test_each_choice_is_a_line_of_json_and_the_last_one_sums_up(analyse, match_file):
    code, out, _ = analyse(match_file, "--json")
    assert code == 0
    *rows, last = map(json.loads, out.splitlines())
    assert all(row["analysis"]["ply"] == 0 and row["analysis"]["digest"] for row in rows)
    players = last["summary"]["players"]
    moves = [row for row in rows if row.get("rank")]
    assert sum(player["moves"] for player in players) == len(moves)
    lost = sum(row["loss"] for row in rows if row.get("legal", 2) > 1)
    assert sum(player["lost"]["equity"] for player in players) == pytest.approx(lost, abs=1e-3)
    assert last["summary"]["won"] != 0


def test_interrupted_analysis_goes_on_with_several_processes(analyse, match_file, tmp_path):
    whole, part = tmp_path / "whole.jsonl", tmp_path / "part.jsonl"
    first = analyse(match_file, "--out", whole, "--json")[1]
    part.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:-9]) + b'{"number')
    second = analyse(match_file, "--out", part, "--workers", 2, "--json")[1]
    assert part.read_bytes() == whole.read_bytes()
    assert first == second


def test_analysis_that_is_told_to_end_does_so_as_after_an_interrupt(
    analyse, match_file, monkeypatch
):
    monkeypatch.setattr(
        "protocol.backgammon.commands.analyse.judged_by",
        lambda *_: signal.raise_signal(signal.SIGTERM),
    )
    assert analyse(match_file) == (130, "", "")


def test_analysis_does_not_go_on_by_another_table_of_the_same_name(analyse, match_file, tmp_path):
    tables = [tmp_path / name / "met.xml" for name in ("one", "other")]
    for text, table in zip((GOOD, GOOD.replace("0.49", "0.48")), tables, strict=True):
        table.parent.mkdir()
        table.write_text(text)
    out = tmp_path / "a.jsonl"
    assert analyse(match_file, "--out", out, "--met", tables[0])[0] == 0
    assert analyse(match_file, "--out", out, "--met", tables[0])[0] == 0
    assert analyse(match_file, "--out", out, "--met", tables[1])[0] == 1


def test_drops_cost_what_the_board_would_where_the_match_was_played_so(analyse, tmp_path):
    match = random_match(Rules(jacoby=False), 11, games=3, words=0.3, resigns=0.0)
    there = Occasion(place=place_with_board_drops("fake:1337"))
    drops = []
    for name, occasion in (("usual", Occasion()), ("there", there)):
        path, out = tmp_path / f"{name}.sgf", tmp_path / f"{name}.jsonl"
        write_match(replace(match, occasion=occasion), path)
        code, _, told = analyse(path, "--out", out)
        assert code == 0
        assert ("a drop costs what the board would" in told) == (occasion == there)
        lines = [json.loads(line) for line in out.read_text().splitlines()]
        drops.append({each["evaluation"]["double_drop"] for each in lines if "evaluation" in each})
    assert drops[0] == {1.0}
    assert {2.0, 3.0} <= drops[1] <= {1.0, 2.0, 3.0}
    code, _, told = analyse(tmp_path / "there.sgf", "--out", tmp_path / "usual.jsonl")
    assert code == 1
    assert "has an analysis by other settings" in told


@pytest.mark.gnubg
def test_drops_cost_what_the_board_would_by_gnubg_too(blot, tmp_path):
    match = random_match(Rules(jacoby=False), 11, games=3, words=0.3, resigns=0.0)
    path, out = tmp_path / "there.sgf", tmp_path / "there.jsonl"
    write_match(replace(match, occasion=Occasion(place=place_with_board_drops("fake:1"))), path)
    code, _, told = blot("analyse", str(path), "--by", "gnubg", "--ply", "0", "--out", str(out))
    assert (code, "a drop costs what the board would" in told) == (0, True)
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    drops = {each["evaluation"]["double_drop"] for each in lines if "evaluation" in each}
    assert {2.0, 3.0} <= drops <= {1.0, 2.0, 3.0}


def test_page_picture_and_sgf_are_written(analyse, match_file, tmp_path):
    page, picture, sgf = (tmp_path / name for name in ("a.html", "a.svg", "a.sgf"))
    code, _, _ = analyse(
        match_file, "--html", page, "--picture", picture, "--sgf", sgf, "--worst", 2
    )
    assert code == 0
    text = page.read_text()
    assert text.count("<svg ") == 2
    assert "http" not in text.replace(NAMESPACE, "")
    assert "|BAR|" in text
    assert "<svg" in picture.read_text()
    notes = [event.annotations for event in read_match(sgf).whole.games[0].events]
    assert any(name == "LU" for note in notes for name, _ in note)


def test_cards_ask_what_was_wrong_and_are_read_back(blot, tmp_path):
    match_file = tmp_path / "session.sgf"
    write_match(random_match(Rules(), 11, games=3, words=0.3, resigns=0.0), match_file)
    cards, out = tmp_path / "cards.jsonl", tmp_path / "a.jsonl"
    options = "--level", "easy", "--above", "0.01", "--cards", str(cards), "--out", str(out)
    code, _, _ = blot("analyse", str(match_file), *options)
    assert code == 0
    lines = [json.loads(line) for line in out.read_text().splitlines()]
    wrong = [line for line in lines if line["loss"] > 0.01]
    read = [json.loads(line) for line in cards.read_text().splitlines()]
    assert len(read) == len(wrong)
    kinds = {"play": ChooseCheckerPlay, "double": ChooseCubeAction, "answer": AnswerDouble}
    assert {card["question"]["kind"] for card in read} == set(kinds)
    for card, line in zip(read, wrong, strict=True):
        question = card["question"]
        requests = pasted_id(question["id"]).request, pasted_id(question["xgid"]).request
        asked = pasted_id(line["id"]).request
        assert requests[0] == requests[1] == asked
        assert type(asked) is kinds[question["kind"]]
        losses = {row["choice"]: row["loss"] for row in card["choices"]}
        assert losses[card["answer"]] == 0
        assert losses[card["chosen"]] == pytest.approx(card["loss"], abs=2e-6)
        assert {"win", "win_gammon", "lose_gammon"} <= set(card["why"])
        assert card["loss"] == pytest.approx(line["loss"], abs=2e-6)
        assert question["player"] == line["player"]
        assert ("shots" in card["why"]) == (question["kind"] == "play")
        assert position_id(asked.state.position) in question["board"]
        if question["kind"] == "play":
            assert question["dice"] == [asked.roll.high, asked.roll.low]
            rows = {row["choice"]: row for row in card["choices"]}
            for name, gain in card["why"].items():
                told = rows[card["answer"]][name] - rows[card["chosen"]][name]
                assert gain == pytest.approx(told, abs=2e-5)
            best = parse_play(card["answer"], asked.state.position, asked.roll)
            assert best.after != asked.state.position


def test_each_game_is_judged_at_its_own_score_and_a_broken_one_is_said(analyse, tmp_path):
    match = random_match(Rules(3), 2, games=1, resigns=0.0)
    first = replace(match.games[0], points=(0, 0), is_crawford=False)
    path = tmp_path / "broken.mat"
    write_match(replace(match, games=(first, replace(first, points=(1, 1)))), path)
    code, out, told = analyse(path, "--json")
    assert (code, "broken.mat, game 2 begins at 1-1, though" in told) == (0, True)
    scores = {json.loads(line)["id"].partition(":")[2] for line in out.splitlines()[:-1]}
    assert len(scores) > 1


def test_saved_game_is_analysed(analyse, tmp_path):
    table = Table(Setting(("human", "pubeval"), seed=3))
    table.throw(3, 1)
    table.answer(table.turn.plays[0])
    save(table, tmp_path / "game.json")
    code, out, _ = analyse(tmp_path / "game.json", "--json")
    assert code == 0
    assert sum(player["moves"] for player in summary(out)["players"]) == 1


def test_position_is_analysed_by_its_id(analyse):
    code, out, _ = analyse(position_id(START))
    assert code == 0
    assert "Proper action" in out
    code, out, _ = analyse("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:0:3:0:10", "--json")
    values = json.loads(out)
    assert (code, values["dice"], values["analysis"]["ply"]) == (0, [5, 2], 0)
    code, out, _ = analyse("AADg/w//vwAAAA", "--json")  # no path, in which // would be /
    assert (code, json.loads(out)["id"]) == (0, "AADg/w//vwAAAA")
    code, _, told = analyse(position_id(START), "--out", "a.jsonl")
    assert code == 2
    assert "--out is of a match" in told


@pytest.mark.parametrize(
    ("options", "expected", "sentence"),
    [
        ((), 2, "name the match file to analyse"),
        (("none.mat",), 1, "cannot read none.mat"),
        (("none",), 1, "cannot read none: No such file"),
        (("notes.doc",), 1, "its name ends with none of .mat, .txt, .sgf, .xg or .json"),
        (("folder.json",), 1, "folder.json is a folder: name one match file"),
        (("{match}", "--worst", "-1"), 2, "--worst: 0 choices or more"),
        (("{match}", "--trials", "9"), 2, "--trials are of a comparison: give --compare"),
        (("{match}", "--compare", "easy", "--above", "-1"), 2, "--above: equity of 0 or more"),
        (
            ("{match}", "--compare", "easy", "--trials", "1"),
            2,
            "a rollout has 2 to 1,000,000 trials",
        ),
        (("{match}", "--by", "gnubg", "--compare", "gnubg"), 2, "gnubg judges already"),
        (("{match}", "--worst", "3", "--json"), 2, "--worst is for the table and the page"),
        ((position_id(START), "--workers", "2"), 2, "--workers share out the choices of a match"),
        ((position_id(START), "--met", "x"), 2, "--met counts in matches with the cube"),
        (("{match}", "--by", "gnubg"), 2, "--weights is Blot's"),
        (("--stdio", "--json"), 2, "--stdio gets its positions in queries: leave out --json"),
        (("{match}", "--stdio"), 2, "--stdio gets its positions in queries"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(
    analyse, match_file, options, expected, sentence, monkeypatch
):
    monkeypatch.chdir(match_file.parent)
    (match_file.parent / "folder.json").mkdir(exist_ok=True)
    (match_file.parent / "notes.doc").touch()
    code, _, told = analyse(*(str(match_file) if each == "{match}" else each for each in options))
    assert code == expected
    assert sentence in told
    assert len(told.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--workers", "0"), "argument --workers: 1 to 256 processes, not 0; see"),
        (("--workers", "999"), "argument --workers: 1 to 256 processes, not 999; see"),
    ],
)
def test_number_of_workers_that_cannot_be_is_wrong_usage(analyse, match_file, options, sentence):
    code, _, told = analyse(match_file, *options)
    assert code == 2
    assert sentence in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--ply", "4"), "--ply: Blot looks 0 to 3 plies ahead, not 4; --by gnubg looks up to 4"),
        (("--ply", "4", "--by", "blot", "--compare", "gnubg"), "0 to 3 plies ahead, not 4"),
        (("--ply", "5", "--by", "gnubg"), "0 to 3 plies ahead, gnubg 0 to 4, not 5; see"),
        (("--ply", "x"), "0 to 3 plies ahead, gnubg 0 to 4, not x; see"),
    ],
)
def test_plies_are_those_of_who_judges(blot, match_file, options, sentence):
    code, _, told = blot("analyse", str(match_file), *options)
    assert code == 2
    assert sentence in told
    assert len(told.splitlines()) == 1


@pytest.mark.parametrize(
    "options",
    [
        ("--compare", "expert"),
        ("--level", "hard", "--compare", "hard"),
        ("--ply", "0", "--compare", "hard"),
    ],
)
def test_nobody_is_compared_with_himself(blot, match_file, options):
    code, _, told = blot("analyse", str(match_file), *options)
    assert code == 2
    assert f"--compare {options[-1]}: {options[-1]} judges already, give another" in told


def test_gnubg_may_be_asked_for_as_many_plies_as_it_looks_ahead(blot, match_file):
    assert gnubg_program.MAX_PLIES == MAX_GNUBG_PLIES
    asked = "--by", "gnubg", "--ply", str(MAX_GNUBG_PLIES), "--filter", "normal"
    code, _, told = blot("analyse", str(match_file), *asked)
    assert (code, told) == (2, "blot: --filter is Blot's: leave it out with --by gnubg\n")


def test_baseline_has_no_equities_to_judge_by(blot, match_file):
    code, _, told = blot("analyse", str(match_file), "--weights", "pubeval")
    assert code == 2
    assert "pubeval has no equities" in told


MATCH = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"


def test_queries_are_answered_until_input_ends(analyse, monkeypatch):
    start = position_id(START)
    asked = [
        {"id": 1, "position": start, "dice": [3, 1], "count": 2},
        {"id": 2, "position": start},
        {"id": 3, "position": "nonsense"},
        {"id": 4, "position": start, "level": "best"},
        {"id": 5, "position": start, "cube": False, "dice": "66"},
        {"id": 6, "position": MATCH, "jacoby": True},
        {"id": 7, "position": start, "cube": False, "beavers": True},
        {"id": 8, "position": MATCH, "jacoby": False},
    ]
    text = "\n".join(map(json.dumps, asked)).encode()
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(text)))
    code, out, _ = analyse("--stdio", "--workers", 2)
    assert code == 0
    found = {row["id"]: row for row in map(json.loads, out.splitlines())}
    assert len(found[1]["plays"]) == 2
    assert found[2]["cube"]["no_double"]
    assert (found[3]["field"], found[4]["field"]) == ("position", "level")
    assert found[5]["cubeful"] is False
    assert (found[6]["field"], found[7]["field"]) == ("jacoby", "beavers")
    assert len(found[8]["plays"]) == 5


@pytest.mark.gnubg
def test_match_is_analysed_by_gnubg_into_the_same_report_and_gone_on_with(blot, tmp_path):
    match_file, kept = tmp_path / "session.sgf", tmp_path / "a.jsonl"
    write_match(random_match(Rules(), 11, games=2, words=0.3, resigns=0.0), match_file)
    asked = "analyse", str(match_file), "--by", "gnubg", "--ply", "0", "--json", "--out", str(kept)
    code, out, told = blot(*asked)
    assert code == 0
    assert "gnubg analyses at 0-ply" in told
    assert summary(out)["by"] == "gnubg (0-ply)"
    whole = kept.read_bytes()
    lines = whole.splitlines(keepends=True)
    games = [json.loads(line)["game"] for line in lines]
    assert max(games) > 1
    count = games.count(1) + 3
    kept.write_bytes(b"".join(lines[:count]) + lines[count][:30])
    assert blot(*asked)[1] == out
    assert kept.read_bytes() == whole


@pytest.mark.gnubg
def test_gnubg_tells_what_plays_lose_without_looking_ahead(match_file):
    match = read_match(match_file).whole
    match = replace(match, games=match.games[:1])
    shallow, deep = (gnubg_analysis(match, ply).verdicts for ply in (0, 1))
    for one, other in zip(shallow, deep, strict=True):
        if isinstance(other, PlayVerdict) and other.is_unforced:
            assert other.static_loss == pytest.approx(one.loss)
            assert other.is_good == (other.loss == 0 < one.loss)


@pytest.mark.slow
def test_two_analysts_are_compared_and_disputes_rolled_out_and_gone_on_with(
    blot, match_file, tmp_path, monkeypatch
):
    monkeypatch.setattr("protocol.backgammon.commands.analysts.ROLLOUT_PLY", 0)
    out = tmp_path / "a.jsonl"
    alone = "analyse", str(match_file), "--level", "medium", "--out", str(out)
    asked = *alone, "--compare", "easy", "--above", "0.05", "--trials", "2", "--json"
    code, first, _ = blot(*asked)
    assert code == 0
    *rows, last = map(json.loads, first.splitlines())
    found = last["agreement"]
    assert found["choices"] == len(rows) / 2
    assert {row["analysis"]["weights"] for row in rows} == {"medium", "easy"}
    assert found["plays"]["same"] <= found["plays"]["count"]
    disputes = found["disputed"]
    assert disputes
    assert all(min(one["losses"]) > 0.05 and one["trials"] == 2 for one in disputes)
    assert sum(found["right"].values()) == len(disputes)
    whole = out.read_bytes()
    assert len(whole.splitlines()) == len(rows) + len(disputes)
    out.write_bytes(b"".join(whole.splitlines(keepends=True)[: -len(disputes) - 4]) + b'{"nu')
    assert blot(*asked)[1] == first
    assert out.read_bytes() == whole
    code, _, told = blot(*alone)
    assert code == 1
    assert "has more lines than this analysis" in told
    code, shown, _ = blot(*asked[:-1], "--worst", "0")
    assert code == 0
    assert "The same best play in" in shown
    assert "disputed by more than 0.05 of equity" in shown
