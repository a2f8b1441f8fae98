"""The compiler: what it keeps, and where."""

import importlib.util

import pytest
from numba.core import config

from bot.kernels import compiler
from bot.kernels.kernel import COMPILES

pytestmark = pytest.mark.skipif(not COMPILES, reason="kernels are Python here")


@pytest.fixture
def successor(tmp_path, monkeypatch):
    """A function in a source of its own."""
    source = tmp_path / "source.py"
    source.write_text("def successor(number):\n    return number + 1\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("source", source)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    spec.loader.exec_module(module)
    return module.successor


def use(monkeypatch, folder, is_writable=True):
    """Let the compiler have this folder for its code; None for no folder."""
    monkeypatch.setattr(compiler, "folder", lambda: folder if is_writable else None)
    monkeypatch.setattr(compiler, "folder_to_read", lambda: folder)
    monkeypatch.setitem(vars(config), "CACHE_DIR", str(folder or ""))


def test_nothing_is_kept_beside_a_source_where_no_folder_can_be_had(
    successor, tmp_path, monkeypatch
):
    use(monkeypatch, None)
    assert compiler.whole(successor)(3) == 4
    assert [path.name for path in tmp_path.rglob("*")] == ["source.py"]


def test_code_is_read_where_nothing_can_be_written(successor, tmp_path, monkeypatch):
    def refuse(*_, **more):
        raise PermissionError("nothing is to be written")

    folder = tmp_path / "code"
    use(monkeypatch, folder)
    assert compiler.whole(successor)(3) == 4
    kept = sorted(tmp_path.rglob("*"))
    use(monkeypatch, folder, is_writable=False)
    for writer in ("tempfile.TemporaryFile", "os.makedirs", "os.replace"):
        monkeypatch.setattr(writer, refuse)
    found = compiler.whole(successor)
    assert found(3) == 4
    assert list(found.stats.cache_hits.values()) == [1]
    assert found(0.5) == 1.5  # compiled, as it is not there
    assert sorted(tmp_path.rglob("*")) == kept


def test_what_is_kept_has_nothing_that_another_function_could_take_in(
    successor, tmp_path, monkeypatch
):
    use(monkeypatch, tmp_path / "code")
    compiled, found = compiler.whole(successor), compiler.whole(successor)
    assert (compiled(3), found(3)) == (4, 4)
    ((signature, loaded),) = found.overloads.items()
    code = str(loaded.library._shared_module)
    assert code.count("define") == code.count("unreachable") == 2
    assert code != str(compiled.overloads[signature].library._get_module_for_linking())
    assert compiler.address(found, "int64(int64)") > 0
