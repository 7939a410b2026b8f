"""What the plugins for engines share when they hook."""

from __future__ import annotations

import importlib
import sys

import pytest

from sluice import _hooking


def test_after_import(tmp_path, monkeypatch):
    """The function is called once, when the module is whole; an import that fails may be tried again."""
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("sluice_late", "sluice_other"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    (tmp_path / "sluice_late.py").write_text("import sys\nif sys.sluice_fails: raise RuntimeError\nwhole = True\n")
    (tmp_path / "sluice_other.py").write_text("")
    before, seen = list(sys.meta_path), []
    _hooking.after_import("sluice_late", lambda: seen.append(sys.modules["sluice_late"].whole))
    monkeypatch.setattr(sys, "sluice_fails", True, raising=False)
    importlib.import_module("sluice_other")
    with pytest.raises(RuntimeError):
        importlib.import_module("sluice_late")
    assert seen == []
    monkeypatch.setattr(sys, "sluice_fails", False, raising=False)
    importlib.import_module("sluice_late")
    assert seen == [True] and sys.meta_path == before
    _hooking.after_import("sluice_late", lambda: seen.append("at once"))
    assert seen == [True, "at once"]


def test_after_import_of_what_is_not_there(monkeypatch):
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    _hooking.after_import("sluice_missing", lambda: pytest.fail("it is not there"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("sluice_missing")
