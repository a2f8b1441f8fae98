import pytest

from protocol.backgammon.servers.password import VARIABLE, password
from protocol.backgammon.servers.player import Account


def test_the_password_is_in_a_file_of_its_owner(tmp_path):
    file = tmp_path / "password"
    file.write_text("secret99\n")
    file.chmod(0o600)
    assert password(file) == "secret99"


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o660, 0o622])
def test_a_file_that_others_can_use_is_refused(tmp_path, mode):
    file = tmp_path / "password"
    file.write_text("secret99\n")
    file.chmod(mode)
    with pytest.raises(ValueError, match="chmod 600") as refused:
        password(file)
    assert "secret99" not in str(refused.value)


def test_the_password_is_in_the_environment(monkeypatch):
    monkeypatch.setenv(VARIABLE, "secret99")
    assert password(None) == "secret99"
    monkeypatch.delenv(VARIABLE)
    with pytest.raises(ValueError, match="--password-file FILE"):
        password(None)


@pytest.mark.parametrize("text", ["", "two words", "a\x1bb", "two\nlines"])
def test_what_no_login_carries_is_refused_without_being_shown(monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(ValueError, match="password") as refused:
        password(None)
    assert not text or text not in str(refused.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(ValueError, match="cannot read"):
        password(tmp_path / "none")


def test_no_text_of_an_account_shows_its_password():
    assert "secret99" not in repr(Account("fibs.com:4321", "blot", "secret99"))


def test_a_folder_is_no_file_with_a_password_and_is_not_to_be_locked(tmp_path):
    tmp_path.chmod(0o755)
    with pytest.raises(ValueError, match=r"is a folder, no file with a password$"):
        password(tmp_path)


def test_a_file_that_is_too_long_is_told_so(tmp_path):
    file = tmp_path / "password"
    file.write_text("x" * 5000)
    file.chmod(0o600)
    with pytest.raises(ValueError, match="password is longer than 1,000 bytes"):
        password(file)
