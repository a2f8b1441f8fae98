import numpy as np
import pytest

from bot.backgammon.arena import piece as piece_module
from bot.backgammon.arena.luck import LuckMeter
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.piece import Piece, pairs_in_piece
from bot.backgammon.arena.run_file import RunFile
from bot.backgammon.arena.standing import Standing
from bot.backgammon.arena.tournament import Plan, TooManyFaultsError, Tournament
from bot.backgammon.engine.level import Level
from bot.estimate import Bounds, SequentialTest
from protocol.backgammon.commands.entrants import NamedEntrant
from tests.fakes.entrants import FakeEntrant

PUBEVAL, BLOCKERS, RANDOM = (FakeEntrant(name) for name in ("pubeval", "blockers", "random"))


def plan(*entrants, games=60, length=None, cube=False, duels=((0, 1),), **more):
    return Plan(entrants, duels, MatchFormat(games, length, cube, seed=3), **more)


def figures(tournament):
    """All that must not depend on how a tournament was played."""
    return [
        (it.pairs, it.tally.samples, it.tally.won, it.tally.lost, it.adjusted_samples, it.faults)
        for it in tournament.standings
    ]


def played(wanted, parallel=1, file=None):
    tournament = Tournament(wanted, file or RunFile())
    tournament.play(parallel)
    return tournament


@pytest.mark.parametrize("name", ["pubeval", "restless", "td-128"])
@pytest.mark.parametrize(("length", "cube"), [(None, False), (None, True), (3, True)])
def test_a_deterministic_player_against_itself_comes_out_exactly_even(name, length, cube):
    entrant = NamedEntrant(name, name) if name == "td-128" else FakeEntrant(name)
    (standing,) = played(plan(entrant, entrant, games=12, length=length, cube=cube)).standings
    assert set(standing.tally.samples) == {standing.even}
    assert len(standing.tally.samples) == 6


@pytest.mark.slow
def test_the_result_is_the_same_with_any_number_of_processes():
    failing, duels = FakeEntrant("pubeval", "forfeits"), ((0, 1), (0, 2), (1, 2))
    wanted = plan(BLOCKERS, RANDOM, failing, games=40, duels=duels, max_faults=1000)
    assert figures(played(wanted)) == figures(played(wanted, parallel=2))


def test_the_result_is_the_same_after_any_interruption(tmp_path):
    wanted = plan(PUBEVAL, RANDOM, BLOCKERS, games=40, duels=((0, 1), (0, 2), (1, 2)))
    file = RunFile.create(tmp_path / "run.db", {})

    def interrupt():
        raise KeyboardInterrupt

    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            Tournament(wanted, file).play(1, on_piece=interrupt)
    assert [(piece.duel, piece.first) for piece in file.pieces()] == [(0, 0), (1, 0), (2, 0)]
    assert figures(played(wanted, file=file)) == figures(played(wanted))
    begun_anew = Tournament(wanted, file)
    assert begun_anew.pairs_left == 0
    assert figures(begun_anew) == figures(played(wanted))


def test_pieces_that_come_early_wait_for_those_before_them():
    wanted = plan(PUBEVAL, BLOCKERS, games=96)
    source, file = RunFile(), RunFile()
    whole = played(wanted, file=source)
    pieces = wanted.pieces(0)
    assert len(pieces) > 3
    for piece in pieces[1:3]:
        file.add(source.played(piece))
    tournament = Tournament(wanted, file)
    assert tournament.standings[0].pairs == 0
    told = []
    tournament = Tournament(wanted, file, lambda duel, pair: told.append(pair.number))
    tournament.play()
    assert told == list(range(48))
    assert figures(tournament) == figures(whole)


@pytest.mark.slow
def test_a_test_ends_at_the_same_pair_whatever_is_played_behind_it():
    wanted = plan(PUBEVAL, RANDOM, games=4000, bounds=Bounds(0, 0.1))
    one, two = played(wanted), played(wanted, parallel=2)
    assert figures(one) == figures(two)
    (standing,) = one.standings
    assert standing.is_decided
    assert 64 <= standing.pairs < 500
    assert one.pairs_left == 0


def test_duel_that_is_decided_is_played_no_further_and_the_others_are(monkeypatch):
    file = RunFile()
    tournament = Tournament(plan(PUBEVAL, BLOCKERS, games=48, duels=((0, 1), (1, 0))), file)
    first, other = tournament.standings
    decided = property(lambda it: it is first and it.pairs > 0)
    monkeypatch.setattr(Standing, "is_decided", decided)
    tournament.play()
    assert (first.pairs, other.pairs, tournament.pairs_left) == (1, 24, 0)
    assert [piece.duel for piece in file.pieces()] == [0, 1, 1, 1]


def test_no_pair_counts_behind_the_end_of_a_test_amid_a_piece():
    wanted, told = plan(PUBEVAL, BLOCKERS, games=400, bounds=Bounds(0, 0.05)), []
    tournament = Tournament(wanted, RunFile(), lambda duel, pair: told.append(pair.number))
    tournament.play()
    (standing,) = tournament.standings
    assert standing.pairs not in {piece.end for piece in wanted.pieces(0)}
    assert told == list(range(standing.pairs))
    test = SequentialTest(wanted.bounds)
    for sample in standing.tally.samples:
        test.add(sample)
    assert test.is_over


def test_a_player_that_fails_loses_the_game_and_is_named():
    wanted = plan(PUBEVAL, FakeEntrant("blockers", "forfeits"), games=4, max_faults=100)
    (standing,) = played(wanted).standings
    assert len(standing.faults) == 4
    assert {fault.player for fault in standing.faults} == {1}
    assert standing.faults[0].transcript == ("> go", "< bye")
    assert standing.tally.samples == [1.0, 1.0]
    answers = plan(FakeEntrant("blockers", "answers wrongly"), PUBEVAL, games=4, max_faults=100)
    (standing,) = played(answers).standings
    assert "against the rules" in standing.faults[0].reason
    assert standing.tally.samples == [-1.0, -1.0]


@pytest.mark.parametrize("parallel", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_too_many_failures_end_the_run_with_what_it_has(parallel):
    wanted = plan(PUBEVAL, FakeEntrant("blockers", "forfeits"), games=40_000, max_faults=3)
    file = RunFile()
    tournament = Tournament(wanted, file)
    with pytest.raises(TooManyFaultsError, match=r"given up: \d+ games .* blockers: it went away"):
        tournament.play(parallel)
    pairs = tournament.standings[0].pairs
    assert 0 < pairs < 20_000  # however late the first of two processes is ready
    pieces = file.pieces()
    with pytest.raises(TooManyFaultsError):
        Tournament(wanted, file).play()
    assert file.pieces() == pieces


def test_run_ends_with_the_last_failure_that_it_may_have():
    failing = FakeEntrant("blockers", "forfeits")
    assert played(plan(PUBEVAL, failing, games=4, max_faults=5)).pairs_left == 0
    with pytest.raises(TooManyFaultsError, match="given up: 4 games were lost by players"):
        played(plan(PUBEVAL, failing, games=4, max_faults=4))


def test_a_deep_player_has_pieces_of_a_pair():
    def pairs(player, **more):
        entrant = NamedEntrant("it", player)
        return pairs_in_piece((entrant, entrant), MatchFormat(2, **more))

    assert pairs("td-128") == 32
    assert pairs("td-128:1") == 32
    assert pairs("td-128:3") == pairs(Level("td-128"), length=5, cube=True) == 1
    assert pairs("gnubg:2") == pairs("best") == 1
    assert pairs("td-128", cube=True) == 2


@pytest.mark.slow  # it takes minutes uncompiled
def test_luck_leaves_a_result_that_is_nearer_to_the_truth():
    players = (NamedEntrant(name, name) for name in ("td-256", "td-128"))
    (standing,) = played(plan(*players, games=100, meter=LuckMeter("td-128"))).standings
    raw, adjusted = standing.tally.score, standing.adjusted
    assert adjusted.error < raw.error / 2
    assert abs(adjusted.mean - raw.mean) < 4 * raw.error


def test_a_file_of_another_plan_is_refused():
    file = RunFile()
    played(plan(PUBEVAL, BLOCKERS, games=96), file=file)
    with pytest.raises(ValueError, match="shared it out in another way"):
        Tournament(plan(PUBEVAL, BLOCKERS, games=10), file)


def test_time_and_thoughts_of_all_pieces_are_added_up_whenever_they_were_played():
    wanted, file = plan(PUBEVAL, BLOCKERS, games=46), RunFile()
    first = played(wanted, file=file)
    pieces = [file.played(piece) for piece in file.pieces()]
    assert len(pieces) == 3
    for tournament in (first, Tournament(wanted, file)):
        assert tournament.seconds == pytest.approx(sum(piece.seconds for piece in pieces))
        for player, thought in enumerate(tournament.thought[0]):
            parts = np.array([piece.thought[player] for piece in pieces])
            assert thought == pytest.approx(parts.sum(axis=0))


def test_nobody_stays_seated_after_a_tournament():
    played(plan(PUBEVAL, BLOCKERS, games=2))
    assert not piece_module._seated


def test_every_pair_is_in_a_piece():
    wanted = plan(PUBEVAL, BLOCKERS, games=46)
    assert wanted.pieces(0) == [Piece(0, 0, 8), Piece(0, 8, 16), Piece(0, 16, 23)]


def test_what_is_played_anew_for_more_games_stays_until_then(tmp_path):
    file = RunFile.create(tmp_path / "run.db", {})
    played(plan(PUBEVAL, RANDOM, games=10), file=file)
    (short,) = file.pieces()
    longer = Tournament(plan(PUBEVAL, RANDOM, games=20), file)
    assert (longer.replayed, file.pieces()) == (short.end, [short])
    longer.play(1)
    assert [piece.end for piece in file.pieces()] == [8, 10]
    assert figures(longer) == figures(played(plan(PUBEVAL, RANDOM, games=20)))
