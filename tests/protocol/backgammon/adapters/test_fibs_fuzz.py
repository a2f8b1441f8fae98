from tests.fuzz.fuzz_fibs import fuzz


def test_damaged_lines_of_servers_raise_nothing_and_matches_are_played_among_them():
    counts, _ = fuzz(4000, seed=11)
    assert counts["damaged"] > 1900
    assert min(counts["sent"], counts["ended"], counts["matches"]) > 0
