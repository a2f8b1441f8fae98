"""A sitting of no game: people act, a thread does the rest, and whatever happens is a version."""

from dataclasses import dataclass

import pytest

from protocol.sitting import LOGGED, Sitting, StaleError
from protocol.thinker import StoppedError
from protocol.web import STALE

LIMIT = 60


@dataclass(frozen=True)
class Wishes:
    delay: float = 0.0


class Table(Sitting):
    """Counts to a number by itself, after the steps that are to fail; people raise the number."""

    TIMELESS = frozenset({"greet"})

    def __init__(self, *failures, until=0, forgives=False, delay=0.0):
        self.versions = []
        super().__init__(Wishes(delay), lambda: self.versions.append(self.version))
        self.count, self.until = 0, until
        self.failures, self.forgives = list(failures), forgives
        self.kept, self.is_full = [], False
        self.steps = []

    @property
    def may(self):
        return ["more", "greet", "stop"]

    def _do(self, do, values):
        if do == "more":
            if values["by"] < 0:
                raise ValueError("that is fewer")
            self.until += values["by"]
        else:
            assert do == "greet", "nothing else is done at the table"

    def _keep(self):
        if self.is_full:
            raise ValueError("no room")
        self.kept.append(self.count)

    def _is_due(self):
        return self.count < self.until

    def _step(self, version):
        self.steps.append(version)
        if self.failures:
            raise self.failures.pop(0)
        self._conclude(version, self._add)

    def _add(self):
        self.count += 1
        self._note("counts", 0, number=self.count)

    def _forgive(self):
        return self.forgives

    def wait(self, is_so):
        with self.lock:
            assert self.lock.wait_for(lambda: is_so(self), LIMIT)


@pytest.fixture
def sit():
    made = []

    def seat(*failures, **more):
        made.append(Table(*failures, **more))
        return made[-1]

    yield seat
    for table in made:
        table.close()
        assert not table._dealer.is_alive()


def test_every_change_is_kept_and_told_and_makes_another_version(sit):
    table = sit()
    assert (table.version, table.trouble, table._is_hurried) == (0, "", False)
    table.act(0, "more", {"by": 1})
    table.wish(delay=2.0)
    assert (table.version, table.versions, table.kept) == (2, [1, 2], [0, 0])
    assert (table.until, table.wishes) == (1, Wishes(2.0))


def test_what_was_meant_for_another_version_is_refused_unless_it_means_the_same_at_any_time(sit):
    table = sit()
    table.act(0, "more", {"by": 1})
    with pytest.raises(StaleError) as refused:
        table.act(0, "more", {"by": 1})
    assert refused.value.status == STALE
    table.act(0, "greet", {})
    assert (table.until, table.version) == (1, 2)


def test_what_may_not_or_cannot_be_done_changes_nothing(sit):
    table = sit()
    with pytest.raises(ValueError, match=r"^that is not possible now$"):
        table.act(0, "leave", {})
    with pytest.raises(ValueError, match=r"^that is fewer$"):
        table.act(0, "more", {"by": -1})
    assert (table.version, table.versions) == (0, [])


def test_a_game_that_cannot_be_kept_is_trouble_until_it_can(sit):
    table = sit()
    table.is_full = True
    table.act(0, "more", {"by": 0})
    assert (table.trouble, table.version, table.versions) == ("no room", 1, [1])
    table.is_full = False
    table.act(1, "more", {"by": 0})
    assert table.trouble == ""


def test_who_thinks_is_stopped_and_hurried_until_something_else_is_done(sit):
    table = sit()
    stops = table.player.stops
    table.act(0, "stop", {})
    assert (table.player.stops, table._is_hurried, table.version) == (stops + 1, True, 1)
    table.act(1, "more", {"by": 0})
    assert (table.player.stops, table._is_hurried) == (stops + 1, False)


def test_what_nobody_decides_is_done_from_when_the_sitting_is_open_to_when_people_have_to(sit):
    table = sit(until=3)
    assert table.count == 0
    table.open()
    table.wait(lambda table: table.count == 3)
    assert table.kept == [1, 2, 3]
    table.act(table.version, "more", {"by": 2})
    table.wait(lambda table: table.count == 5)
    assert [entry["n"] for entry in table.log] == [1, 2, 3, 4, 5]
    assert table.log[-1] == {"n": 5, "say": "counts", "seat": 0, "number": 5}


def test_what_was_done_for_another_version_or_a_closed_table_is_not_done(sit):
    table = sit()
    table._conclude(1, table._add)
    assert (table.count, table.version) == (0, 0)
    table._conclude(0, table._add)
    assert (table.count, table.version) == (1, 1)
    table.close()
    table._conclude(1, table._add)
    assert table.count == 1


def test_after_a_failure_nothing_is_done_until_people_act(sit):
    table = sit(ChildProcessError("it has died"), until=1)
    table.act(0, "greet", {})
    table.open()
    table.wait(lambda table: table.trouble)
    assert (table.trouble, table.version, table.versions) == ("it has died", 2, [1, 2, 2])
    assert table.steps == [1]
    table.act(2, "greet", {})
    table.wait(lambda table: table.count == 1)
    assert (table.trouble, table.steps) == ("", [1, 3])


def test_a_failure_that_is_done_without_is_told_and_the_game_goes_on(sit):
    table = sit(ValueError("no advice"), until=1, forgives=True)
    table.open()
    table.wait(lambda table: table.count == 1)
    assert (table.steps, table.versions) == ([0, 1], [1, 1, 2])


def test_a_failure_at_a_table_that_has_changed_since_is_forgotten(sit):
    table = sit()
    table.act(0, "greet", {})
    table._fail(0, "too late")
    assert (table.trouble, table.version) == ("", 1)


def test_who_was_stopped_is_asked_again_without_a_word(sit):
    table = sit(StoppedError(), until=1)
    table.open()
    table.wait(lambda table: table.count == 1)
    assert (table.steps, table.versions) == ([0, 0], [1])


def test_people_have_time_to_see_what_happened_but_a_table_that_is_closed_does_not_wait(sit):
    table = sit(until=2, delay=10 * LIMIT)
    table.open()
    table.wait(lambda table: table.count == 1)
    table.close()
    assert (table.count, table._dealer.is_alive()) == (1, False)


def test_nobody_thinks_at_a_table_that_is_closed(sit):
    table = sit()
    table.close()
    for thinker in (table.player, table.adviser):
        with pytest.raises(StoppedError):
            thinker.ask(len, "abc")


def test_a_log_has_the_last_that_happened_and_another_table_begins_none_anew(sit):
    table = sit()
    for number in range(LOGGED + 1):
        table._note("counts", number=number)
    assert [entry["n"] for entry in table.log] == list(range(2, LOGGED + 2))
    table._begin_log()
    table._note("begins")
    assert list(table.log) == [{"n": LOGGED + 2, "say": "begins", "seat": None}]
