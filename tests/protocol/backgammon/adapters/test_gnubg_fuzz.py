from tests.fuzz.fuzz_gnubg import fuzz


def test_damaged_lines_are_answered_in_words_of_gnubg():
    kinds, _ = fuzz(3000, seed=11)
    wanted = {"Error", "Error:", "take", "roll", "play or figures", "answers read"}
    assert wanted <= set(kinds)
