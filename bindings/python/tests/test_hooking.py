"""The common code of the plugins' hooks."""

from __future__ import annotations

import importlib
import logging
import sys
import types

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


class Meant(Exception):
    """Of ours, for the engine."""


def hooked(ours, **options):
    """An engine's class with a method that is hooked, and the calls of both."""
    calls = []

    class Engine:
        def work(self, x):
            calls.append(("theirs", x))
            if x == "bad":
                raise KeyError(x)
            return f"theirs {x}"

        @staticmethod
        def still(x):
            return f"theirs {x}"

    def make(original):
        def work(self, x):
            calls.append(("ours", x))
            return ours(original, self, x)

        return work

    _hooking.replace(Engine, "work", make, logging.getLogger("test"), **options)
    return Engine(), calls


def test_a_hook_that_fails(caplog):
    """The engine's own code runs, from then on."""
    engine, calls = hooked(lambda original, self, x: original(self, x) + 1)
    assert [engine.work("a"), engine.work("b")] == ["theirs a", "theirs b"]
    assert calls == [("ours", "a"), ("theirs", "a"), ("theirs", "a"), ("theirs", "b")]
    assert caplog.text.count("Sluice's failed: TypeError") == 1 and "Engine.work" in caplog.text


def test_a_hook_that_is_needed(caplog):
    """It is tried again."""
    engine, calls = hooked(lambda original, self, x: {"b": "ours b"}[x], needed=True)
    assert [engine.work(x) for x in "aba"] == ["theirs a", "ours b", "theirs a"]
    assert [who for who, _ in calls] == ["ours", "theirs", "ours", "ours", "theirs"]
    assert caplog.text.count("Sluice's failed") == 1


def test_what_the_engine_raises_is_raised():
    """Errors of the engine's own code pass through our hook, and an error in our call of it leads to a right call."""
    engine, calls = hooked(lambda original, self, x: original(self, x))
    for _ in range(2):
        with pytest.raises(KeyError):
            engine.work("bad")
    assert calls == [("ours", "bad"), ("theirs", "bad")] * 2
    engine, calls = hooked(lambda original, self, x: original(self))
    assert engine.work("a") == "theirs a" and calls == [("ours", "a"), ("theirs", "a")]


def test_what_is_meant_for_the_engine_is_raised():
    def ours(original, self, x):
        raise Meant

    engine, calls = hooked(ours, answers=(Meant,))
    for _ in range(2):
        with pytest.raises(Meant):
            engine.work("a")
    assert calls == [("ours", "a")] * 2


def test_static_methods_stay_static():
    engine, _ = hooked(lambda *_: None)
    logger = logging.getLogger("test")
    _hooking.replace(type(engine), "still", lambda original: lambda x: f"ours, {original(x)}", logger)
    assert engine.still(1) == type(engine).still(1) == "ours, theirs 1"


def test_needs():
    def plain(self, batch):
        pass

    def none(self, batch) -> None:
        pass

    def pair(self, batch) -> tuple[int, str]:
        return 1, ""

    def four(self, batch) -> tuple[int, int, int, int]:
        return 1, 2, 3, 4

    told = types.SimpleNamespace(plain=plain, none=none, pair=pair, four=four)
    for name in vars(told):
        _hooking.needs(getattr(told, name), "self", "batch")
        with pytest.raises(TypeError, match="takes self, batch"):
            _hooking.needs(getattr(told, name), "self", "rows")
    for function in (plain, none):
        _hooking.needs(function, "self", returns=None)
    _hooking.needs(pair, "self", values=2)
    _hooking.needs(plain, "self", values=2)
    for wrong in ({"returns": None}, {"values": 2}):
        with pytest.raises(TypeError, match="returns"):
            _hooking.needs(four, "self", **wrong)
