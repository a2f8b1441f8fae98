from tests.fuzz.fuzz_ubgi import fuzz


def test_damaged_lines_are_answered_in_words_of_the_protocol():
    kinds, _ = fuzz(3000, seed=11)
    assert {"error", "bestmove", "bestcube", "bestturn", "goodbye", "sorry"} <= set(kinds)
