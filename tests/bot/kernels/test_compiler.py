"""The compiler: what it keeps, and where."""

import importlib.util

import pytest
from numba.core import config

from bot.kernels import compiler
from bot.kernels.kernel import COMPILES

pytestmark = pytest.mark.skipif(not COMPILES, reason="kernels are Python here")


def test_nothing_is_kept_beside_a_source_where_no_folder_can_be_had(tmp_path, monkeypatch):
    source = tmp_path / "source.py"
    source.write_text("def successor(number):\n    return number + 1\n", encoding="utf-8")
    spec = importlib.util.spec_from_file_location("source", source)
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setattr("sys.dont_write_bytecode", True)
    spec.loader.exec_module(module)
    monkeypatch.setattr(compiler, "folder", lambda: None)
    monkeypatch.setitem(vars(config), "CACHE_DIR", "")
    assert compiler.whole(module.successor)(3) == 4
    assert list(tmp_path.rglob("*")) == [source]
