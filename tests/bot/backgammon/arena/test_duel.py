import pytest

from bot.backgammon.arena.duel import duel, played_pairs
from bot.backgammon.arena.match_format import MatchFormat
from bot.backgammon.arena.tally import Tally
from bot.backgammon.rules.decision import ChooseCheckerPlay
from bot.backgammon.rules.position import START
from protocol.backgammon.arena.named_players import decider
from tests.fakes.restless_player import RestlessPlayer
from tests.fakes.scripted_player import ScriptedPlayer


class Watched:
    """A player, and the dice of the first seat's first move in each game it saw."""

    def __init__(self, name, games_at_once=512):
        self.player = decider(name, seed=1)
        self.games_at_once = games_at_once
        self.openings = []

    def decide(self, request):
        return self.player.decide(request)

    def boards_chosen(self, boards, dice):
        start = START.board
        self.openings += [
            tuple(d) for b, d in zip(boards, dice.tolist(), strict=True) if (b == start).all()
        ]
        return self.player.boards_chosen(boards, dice)


class Sleeper:
    """A player that never moves."""

    games_at_once = 2

    def decide(self, request):
        raise AssertionError("many games at once are not asked about one by one")

    def boards_chosen(self, boards, dice):
        return boards.copy()


def played(name, other, match_format, **options):
    tally = Tally(match_format.length)
    duel(decider(name, seed=1), decider(other, seed=2), match_format, tally, **options)
    return tally


@pytest.mark.parametrize("name", ["pubeval", "blockers"])
def test_a_player_against_itself_scores_exactly_nothing(name):
    tally = played(name, name, MatchFormat(games=40))
    assert tally.samples == [0.0] * 20
    assert tally.won == tally.lost
    assert tally.games == 40


def test_matches_of_a_player_against_itself_are_shared():
    tally = played("pubeval", "pubeval", MatchFormat(games=10, length=3))
    assert tally.samples == [0.5] * 5
    assert tally.games >= 10


def test_a_pair_has_the_same_dice_and_swapped_sides():
    one, other = Watched("pubeval"), Watched("pubeval")
    duel(one, other, MatchFormat(games=60), Tally())
    assert len(one.openings) == len(other.openings) == 30
    assert sorted(one.openings) == sorted(other.openings)
    assert all(high > low for high, low in one.openings)
    assert len(set(one.openings)) > 5


def test_the_dice_of_a_game_depend_on_seed_and_pair_alone():
    few = played("pubeval", "blockers", MatchFormat(games=20, seed=7))
    many = played("pubeval", "blockers", MatchFormat(games=40, seed=7))
    assert many.samples[:10] == few.samples
    in_small_batches = Tally()
    match_format = MatchFormat(games=20, seed=7)
    duel(Watched("pubeval", 6), decider("blockers", seed=2), match_format, in_small_batches)
    assert in_small_batches.samples == few.samples
    assert played("pubeval", "blockers", MatchFormat(games=20, seed=8)).samples != few.samples


def test_a_seed_repeats_even_random_players():
    match_format = MatchFormat(games=20, seed=3)
    assert (
        played("random", "random", match_format).samples
        == played("random", "random", match_format).samples
    )


def test_the_better_player_wins_and_points_agree_with_the_kinds():
    tally = played("pubeval", "random", MatchFormat(games=40))
    points = sum(level * (tally.won[level] - tally.lost[level]) for level in (1, 2, 3))
    assert sum(tally.samples) * 2 == points
    assert tally.score.mean > 1
    assert tally.won[2] > 0


def test_endless_games_are_broken_off_and_counted():
    tally = Tally()
    duel(Sleeper(), Sleeper(), MatchFormat(games=4), tally, max_plies=50)
    assert (tally.unfinished, tally.games, tally.samples) == (4, 0, [])
    matches = Tally(length=3)
    duel(Sleeper(), Sleeper(), MatchFormat(games=4, length=3), matches, max_plies=50)
    assert (matches.unfinished, matches.samples) == (4, [])


def test_a_pair_tells_how_many_of_its_games_were_broken_off():
    players = decider("pubeval", seed=1), decider("blockers", seed=2)
    pairs = played_pairs(players, MatchFormat(games=40), range(20), max_plies=50)
    broken_off = [tuple(not contest for contest in pair.contests) for pair in pairs]
    assert {(True, False), (False, True)} <= {*broken_off}
    assert [pair.unfinished for pair in pairs] == [sum(each) for each in broken_off]


def test_many_games_are_played_at_once_where_both_can():
    class Counted(Watched):
        most = asked = 0

        def boards_chosen(self, boards, dice):
            self.most = max(self.most, len(boards))
            self.asked += len(boards)
            return super().boards_chosen(boards, dice)

    players = Counted("pubeval", 12), Counted("blockers", 8)
    tally = Tally()
    duel(*players, MatchFormat(games=20), tally)
    assert [player.most for player in players] == [4, 4]
    assert len(tally.decision_seconds) == players[0].asked


@pytest.mark.parametrize("cube", [False, True])
def test_whoever_plays_progress_is_told_after_decisions_and_pairs(cube):
    tally, told = Tally(), []
    players = Watched("blockers", 1), Watched("blockers", 1)
    match_format = MatchFormat(6, cube=cube)
    duel(*players, match_format, tally, on_progress=lambda: told.append(tally.contests))
    assert len(told) == len(tally.decision_seconds) + 3
    assert sorted(set(told)) == [0, 2, 4, 6]


@pytest.mark.parametrize("length", [None, 3])
@pytest.mark.parametrize("cube", [False, True])
def test_an_interrupted_duel_has_whole_pairs(length, cube):
    class Interrupted(Watched):
        def decide(self, request):
            self.count()
            return super().decide(request)

        def boards_chosen(self, boards, dice):
            self.count()
            return super().boards_chosen(boards, dice)

        def count(self):
            self.asked = getattr(self, "asked", 0) + 1
            if self.asked == 400:
                raise KeyboardInterrupt

    tally = Tally(length)
    with pytest.raises(KeyboardInterrupt):
        duel(Interrupted("pubeval", 2), Watched("pubeval"), MatchFormat(600, length, cube), tally)
    assert tally.contests == 2 * len(tally.samples) > 0
    assert set(tally.samples) == {0.0 if length is None else 0.5}
    assert tally.won == tally.lost


def test_odd_numbers_are_refused_between_players_here():
    with pytest.raises(ValueError, match="pairs with the same dice, so not 3"):
        played("pubeval", "pubeval", MatchFormat(games=3))


class OneByOne:
    """A player that is asked one question at a time."""

    def __init__(self, name, seed):
        self.player = decider(name, seed=seed)

    def decide(self, request):
        return self.player.decide(request)


@pytest.mark.parametrize("cube", [False, True])
@pytest.mark.parametrize("length", [None, 3])
def test_players_that_never_double_get_the_same_one_by_one(length, cube):
    match_format = {"games": 20, "length": length, "seed": 5}
    at_once = played("pubeval", "blockers", MatchFormat(**match_format))
    one_by_one = Tally(length)
    players = OneByOne("pubeval", 1), OneByOne("blockers", 2)
    duel(*players, MatchFormat(**match_format, cube=cube), one_by_one)
    assert one_by_one.samples == at_once.samples
    assert (one_by_one.won, one_by_one.lost) == (at_once.won, at_once.lost)
    assert one_by_one.points_per_game == at_once.points_per_game


def test_without_the_cube_nobody_is_asked_about_it():
    players = restless(True), restless(False)
    duel(*players, MatchFormat(2), Tally())
    assert {type(request) for player in players for request in player.asked} == {ChooseCheckerPlay}


def restless(is_quick):
    """A player that doubles at once or never, and always takes."""
    return ScriptedPlayer(doubles=lambda state: is_quick)


def test_with_the_cube_a_player_against_itself_scores_exactly_nothing():
    tally = Tally()
    duel(RestlessPlayer(), RestlessPlayer(), MatchFormat(20, cube=True, beavers=True), tally)
    assert tally.samples == [0.0] * 10
    matches = Tally(length=5)
    duel(RestlessPlayer(), RestlessPlayer(), MatchFormat(10, 5, cube=True), matches)
    assert matches.samples == [0.5] * 5
    assert matches.points_per_game.mean == 0


def test_with_the_cube_both_games_of_a_pair_have_the_same_dice():
    players = restless(True), restless(False)
    duel(*players, MatchFormat(2, cube=True, jacoby=True), Tally())
    rolls = [
        [request.roll for request in player.asked if isinstance(request, ChooseCheckerPlay)]
        for player in players
    ]
    openings = [
        request.roll
        for player in players
        for request in player.asked
        if isinstance(request, ChooseCheckerPlay) and request.state.position == START
    ]
    assert len(openings) == 2
    assert openings[0] == openings[1]
    assert {len(found) for found in rolls} != {0}


def test_a_match_with_the_cube_comes_to_its_crawford_game_and_its_end():
    players = restless(True), restless(False)
    tally = Tally(length=3)
    duel(*players, MatchFormat(20, 3, cube=True), tally)
    scores = {state.score for state in players[0].states(ChooseCheckerPlay)}
    assert any(score.is_crawford for score in scores)
    assert any(1 in (score.away, score.other_away) and not score.is_crawford for score in scores)
    assert tally.won.total() + tally.lost.total() == tally.games >= 20
    assert all(0 <= sample <= 1 for sample in tally.samples)


def test_our_decisions_are_timed_and_endless_games_counted():
    tally = Tally()
    player = restless(False)
    duel(player, restless(False), MatchFormat(4, cube=True), tally, max_plies=5)
    assert (tally.unfinished, tally.samples, tally.games) == (4, [], 0)
    assert len(tally.decision_seconds) == len(player.asked)
