from bot.table import table_text


def test_numbers_have_six_digits_and_what_is_unknown_is_left_out():
    rows = [{"games": 1234567, "won": 0.123456789}, {"games": 2, "won": None}]
    assert table_text(["games", "won"], rows) == "games,won\r\n1234567,0.123457\r\n2,\r\n"
