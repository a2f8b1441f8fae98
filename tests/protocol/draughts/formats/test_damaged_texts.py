import pytest

from tests.fuzz.fuzz_draughts import CASES
from tests.fuzz.readers import run

NUMBERS = {"fen": 500, "move": 500, "pdn": 60, "dxp": 1000}


@pytest.mark.parametrize("what", sorted(CASES))
def test_a_damaged_text_is_read_or_refused_with_one_sentence(what):
    came, slowest = run(CASES[what], NUMBERS[what], seed=11)
    assert set(came) >= {"is read", "is refused" if what != "pdn" else "is read up to a fault"}
    assert slowest < 5
