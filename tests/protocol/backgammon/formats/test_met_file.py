from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.backgammon.evaluation.cube import cube_evaluation, cube_table, rolled_values
from bot.backgammon.evaluation.met import blot_table
from bot.backgammon.kernels.efficiency import Efficiencies
from bot.backgammon.rules.match import GameState, Score
from bot.backgammon.rules.position import START
from protocol.backgammon.formats.met_file import read_table

GNUBG = Path("/usr/share/gnubg/met")
DEAD, LIVE = 0.0, 1.0
"""Efficiencies of a cube that nobody turns any more, and of one that is turned at the best time."""

GOOD = """<?xml version = "1.0"?>
<!DOCTYPE met PUBLIC "-//GNU Backgammon//DTD Match Equity Tables//EN" "met.dtd">
<met>
  <info><name> Three
   points </name><description>made up</description><length>3</length></info>
  <pre-crawford-table type="explicit">
    <row> <me>0.5</me> <me>0.7</me> <me>0.75</me> </row>
    <row> <me>0.3</me> <me> 0.5 </me> <me>0.6</me> </row>
    <row> <me>0.25</me> <me>0.4</me> <me>0.5</me> </row>
  </pre-crawford-table>
  <post-crawford-table type="explicit" player="both">
    <row> <me>0.5</me> <me>0.49</me> </row>
  </post-crawford-table>
</met>
"""


def read(folder, text):
    """The table in a file with this text."""
    path = folder / "some.xml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_table(path)


def xml_of(pre, post):
    """A MET file with these chances."""
    rows = "".join(f"<row>{''.join(f'<me>{chance}</me>' for chance in row)}</row>" for row in pre)
    after = "".join(f"<me>{chance}</me>" for chance in post)
    return (
        f"<met><pre-crawford-table>{rows}</pre-crawford-table>"
        f"<post-crawford-table><row>{after}</row></post-crawford-table></met>"
    )


def test_a_table_has_the_chances_of_its_file(tmp_path):
    met = read(tmp_path, GOOD)
    assert met.name == "Three points"
    assert met.mwc(1, 2) == pytest.approx(0.7, abs=1e-5)
    assert met.mwc(3, 2) == pytest.approx(0.4, abs=1e-5)
    assert met.mwc(2, 1, is_post_crawford=True) == pytest.approx(0.49, abs=1e-5)


def test_a_written_table_comes_back(tmp_path):
    met = blot_table()
    again = read(tmp_path, xml_of(met.pre, met.post))
    assert np.abs(again.pre - met.pre).max() < 2e-6
    assert np.abs(again.post - met.post).max() < 2e-6


def test_a_short_table_is_continued_as_blots_own_would_be(tmp_path):
    met = blot_table()
    again = read(tmp_path, xml_of(met.pre[:15, :15], met.post[:15]))  # as far as rolled out
    assert np.abs(again.pre - met.pre).max() < 2e-6
    assert np.abs(again.post - met.post).max() < 2e-6


@given(st.lists(st.floats(0, 1), min_size=15, max_size=15), st.integers(1, 6))
@settings(max_examples=30)
def test_any_table_in_order_becomes_one_in_which_every_point_counts(tmp_path_factory, noise, size):
    away = np.arange(size)
    falls = np.zeros(11)
    falls[1:] = np.sort(noise[:10])
    scores = 0.5 + (falls[away] - falls[away[:, np.newaxis]]) / 2
    post = np.sort(noise[10 : 10 + size])[::-1]
    met = read(tmp_path_factory.mktemp("met"), xml_of(scores, post[:5]))
    assert (np.diff(met.pre, axis=0) < 0).all()
    assert (np.diff(met.post) < 0).all()
    assert np.abs(met.pre[:size, :size] - scores).max() < 2e-6


def test_a_table_for_each_player_is_read_if_they_are_alike(tmp_path):
    table = GOOD[GOOD.index("  <post") : GOOD.index("</met>")]
    each = table.replace("both", "0") + table.replace("both", "1").replace("0.49", "0.488")
    met = read(tmp_path, GOOD.replace(table, each))
    assert met.mwc(2, 1, is_post_crawford=True) == pytest.approx(0.489, abs=1e-5)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("<met>", "<mat>", "it is not XML \\(mismatched tag"),
        ("met>", "catalog>", "its XML is a 'catalog', not a 'met'"),
        ("explicit", "zadeh", "its pre-Crawford table is of type 'zadeh', a formula"),
        ('explicit" player', 'mec" player', "its post-Crawford table is of type 'mec', a formula"),
        ("<me>0.6</me>", "", "row 2 of 3 has 2 chances"),
        ("<me>0.6</me>", "<me>0.6</me><me>0.7</me>", "row 2 of 3 has 4 chances"),
        ("0.75", "1.75", "'1.75' is no chance from 0 to 1"),
        ("0.75", "nan", "'nan' is no chance from 0 to 1"),
        ("0.75", "-0.1", "'-0.1' is no chance from 0 to 1"),
        ("0.75", "much", "'much' is no chance from 0 to 1"),
        ("<me>0.75</me>", "<me/>", "'' is no chance from 0 to 1"),
        ("0.75", "0.65", "its pre-Crawford chances rise with the points"),
        ("<me>0.49<", "<me>0.51<", "its post-Crawford chances rise with the points"),
        ("<me>0.75<", "<me>0.85<", "for players of different strength"),
        ("<length>3", "<length>7", "its length is said to be '7', and it has 3 rows"),
        ('player="both"', 'player="2"', "each player has one row"),
        ('player="both"', 'player="0"', "each player has one row"),
        ("<row> <me>0.5</me> <me>0.49</me> </row>", "", "post-Crawford table has no chances"),
        ("post-crawford-table", "post-table", "each player has one row"),
        ("pre-crawford-table", "pre-table", "it has 0 pre-Crawford tables, not 1"),
        ('"met.dtd">', '"met.dtd" [<!ENTITY a "0.5">]>', "it is not plain XML"),
    ],
)
def test_a_file_that_is_no_table_is_refused_in_one_sentence(tmp_path, old, new, message):
    assert old in GOOD
    with pytest.raises(ValueError, match=message) as error:
        read(tmp_path, GOOD.replace(old, new))
    assert str(tmp_path / "some.xml") in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "it is not XML"),
        (b"\x00\x01\x02", "it is not plain XML"),
        (GOOD.encode("utf-16"), "it is not plain XML"),
        (b"\xff\xfe<met/>", "it is not XML"),
        (b"<?xml version='1.0' encoding='klingon'?><met/>", "it is not XML"),
        (b" " * 1_000_001, "it has over 1,000,000 bytes"),
        (xml_of(np.full((65, 65), 0.5), [0.5]).encode(), "goes beyond 64 points"),
        (b"<met>" * 100_000, "it is not XML"),
    ],
)
def test_what_is_no_xml_or_too_much_of_it_is_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        read(tmp_path, text)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"cannot read .*none\.xml: No such file"):
        read_table(tmp_path / "none.xml")
    with pytest.raises(ValueError, match="Is a directory"):
        read_table(tmp_path)


@pytest.fixture(scope="module")
def kazaross():
    """The table most people use, as GNU Backgammon brings it along."""
    return read_table(GNUBG / "Kazaross-XG2.xml")


@pytest.mark.gnubg
def test_blots_table_is_close_to_the_one_most_people_use(kazaross):
    apart = 100 * np.abs(blot_table().pre - kazaross.pre)[:25, :25]
    assert apart.mean() < 0.5
    assert apart.max() < 1.5
    assert 100 * np.abs(blot_table().post - kazaross.post)[:25].max() < 1.5


def take_point(met, score, efficiency, gammons=0.0):
    """The chance to win with which a double is just taken, so many of the lost games gammons."""
    cube = cube_table(
        GameState(START, score=score.turned()),
        met,
        efficiencies=Efficiencies(efficiency, efficiency, 0.0),
    )
    taken, dropped = 1.0, 0.0
    while taken - dropped > 1e-5:
        chance = (taken + dropped) / 2
        doubler = np.array([[1 - chance, (1 - chance) * gammons, 0, 0, 0]], np.float32)
        evaluation = cube_evaluation(
            rolled_values(START.board[np.newaxis], doubler, 0, cube)[0], cube
        )
        if evaluation.double_take > evaluation.double_drop:
            dropped = chance
        else:
            taken = chance
    return taken


@pytest.mark.gnubg
def test_take_points_of_dead_and_live_cubes_are_those_that_others_have_published(kazaross):
    # L. H. Madsen, R package backgammon, data-raw/notes_xg_live_cube.R: eXtreme Gammon's at 3 away
    # each, 30.17 % x 75.08 % = 22.65 %
    assert take_point(kazaross, Score(3, 0, 0), DEAD) == pytest.approx(0.3017, abs=1e-4)
    assert take_point(kazaross, Score(3, 0, 0), LIVE) == pytest.approx(0.2265, abs=1e-4)
    # R. Janowski, www.bgonline.org, 9 July 2013: the leader's at 3 away, 4 away, and where each
    # game that he loses is a gammon
    leader = Score(4, 1, 0)
    assert take_point(kazaross, leader, DEAD) == pytest.approx(0.24, abs=0.002)
    assert take_point(kazaross, leader, LIVE) == pytest.approx(0.195, abs=0.002)
    assert take_point(kazaross, leader, DEAD, gammons=1) == pytest.approx(0.615, abs=0.005)
    assert take_point(kazaross, leader, LIVE, gammons=1) == pytest.approx(0.5, abs=0.005)
    # www.bkgm.com/rgb, "Gammonless takepoint formula": (32 - 17) / (60 - 17) at 4 away, 3 away
    woolsey = read_table(GNUBG / "woolsey.xml")
    assert take_point(woolsey, Score(4, 0, 1), DEAD) == pytest.approx(15 / 43, abs=0.005)
    # at 2 away each the cube is dead once it is turned
    for efficiency in (DEAD, LIVE):
        found = take_point(kazaross, Score(2, 0, 0), efficiency)
        assert found == pytest.approx(kazaross.mwc(2, 1), abs=1e-4)
