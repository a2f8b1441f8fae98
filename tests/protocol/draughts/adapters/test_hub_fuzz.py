from tests.fuzz.fuzz_hub import fuzz


def test_damaged_lines_are_answered_in_words_of_the_protocol():
    kinds, _ = fuzz(1500, seed=11)
    assert {"id", "wait", "ready", "pong", "error", "info", "done", "goodbye"} <= set(kinds)
