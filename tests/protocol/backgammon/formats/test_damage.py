"""A slice of what tests/fuzz damages: it is read, or refused with one sentence."""

import random

from tests.fuzz.damage import damaged_bytes, damaged_text
from tests.fuzz.readers import id_case, run, xg_case


def test_damaged_ids_are_read_or_refused():
    came, slowest = run(id_case(), 3000, seed=15)
    assert set(came) == {"asks", "is refused", "is over"}
    assert slowest < 1


def test_damaged_xg_files_are_read_as_far_as_they_can_be_or_refused():
    came, _ = run(xg_case(), 400, seed=15)
    assert set(came) == {"is read to the end", "stops at a fault", "is refused"}
    assert min(came.values()) > 40


def test_damage_is_the_same_for_the_same_seed():
    for damaged, whole in ((damaged_text, "XGID=-a-" * 9), (damaged_bytes, b"RGMH" * 900)):
        once, again = (damaged(random.Random(3), whole) for _ in range(2))
        assert once == again != whole
