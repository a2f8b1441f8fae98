import pytest

from protocol.backgammon.formats.toml_file import MAX_BYTES, toml_in


def test_settings_are_read_as_any_editor_writes_them(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes("\ufeffname = 'Žofka'\r\n[more]\r\nplies = 2\r\n".encode())
    assert toml_in(path) == {"name": "Žofka", "more": {"plies": 2}}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"name", "is no TOML: Expected '=' after a key"),
        (b"name = '\xe9'", "is no TOML: it is no text in UTF-8$"),
        (b"name = " + b"[" * 100_000, "is no TOML: its brackets are nested too deeply$"),
        (b"name = " + b"9" * 5_000, r"is no TOML: .*4300 digits"),
        (b"#" * (MAX_BYTES + 1), "is longer than 1 MB$"),
    ],
)
def test_a_file_without_settings_is_named(tmp_path, content, reason):
    path = tmp_path / "settings.toml"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=rf"settings\.toml {reason}"):
        toml_in(path)


def test_as_many_bytes_as_a_file_may_have_are_read(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert toml_in(path) == {}
