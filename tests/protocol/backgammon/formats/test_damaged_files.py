import random
import time

import pytest

from tests.fuzz.match_files import MAX_SECONDS, PIECES, READ, damaged, good_files, outcome


@pytest.fixture(scope="module")
def good():
    return good_files()


@pytest.mark.parametrize("kind", sorted(READ))
def test_damaged_file_is_refused_or_read_up_to_its_fault(kind, good):
    seen = set()
    for number in range(300):
        chance = random.Random(f"suite {kind} {number}")
        data = damaged(chance.choice(good[kind]), PIECES[kind], chance)
        started = time.process_time()
        seen.add(outcome(kind, data))
        assert time.process_time() - started < MAX_SECONDS
    assert seen == {"read", "read to the fault", "refused"}
