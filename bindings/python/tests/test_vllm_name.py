"""The hook `name` of the plugin for vLLM, without vLLM: values of its configuration. See test_vllm.py."""

from __future__ import annotations

import sys
import types
from typing import Literal

import pydantic
import pydantic.dataclasses
import pytest
from vllm_shape import put_in_place

from sluice.vllm import _hooks, register


class Structured:
    """vLLM's StructuredOutputsConfig, with a rule for its own backends."""

    backend, disable_any_whitespace, disable_additional_properties = "auto", False, False

    @pydantic.model_validator(mode="after")
    def _validate_structured_output_config(self):
        if self.disable_additional_properties:
            raise ValueError("vLLM's own rule")
        return self


@pytest.fixture
def kinds(monkeypatch, vocabulary):
    """vLLM's StructuredOutputsConfig and the VllmConfig around it, in their modules."""
    put_in_place(monkeypatch, vocabulary)
    members = {k: v for k, v in vars(Structured).items() if k not in ("__dict__", "__weakref__")}
    told = {"backend": Literal["auto", "xgrammar"], "disable_any_whitespace": bool}
    members["__annotations__"] = {**told, "disable_additional_properties": bool}
    structured = pydantic.dataclasses.dataclass(type("StructuredOutputsConfig", (), members))
    whole = type("VllmConfig", (), {"__annotations__": {"structured": structured}})
    whole = pydantic.dataclasses.dataclass(whole)
    for name, kind in (("vllm.config.structured_outputs", structured), ("vllm.config", whole)):
        module = types.ModuleType(name)
        setattr(module, kind.__name__, kind)
        monkeypatch.setitem(sys.modules, name, module)
    return structured, whole


def test_the_name_is_a_value(kinds, monkeypatch, caplog):
    """vLLM's rules stay for its own backends. A wrong environment variable is an error of the configuration."""
    caplog.set_level("INFO", "vllm.sluice")
    structured, whole = kinds
    monkeypatch.setenv("SLUICE_OPTIONS", "[]")
    register()  # an engine with another backend starts all the same
    monkeypatch.delenv("SLUICE_OPTIONS")
    assert caplog.messages[0].startswith("Sluice is hooked in: name, backend,") and "lacks" not in caplog.text
    assert not _hooks._state.chosen
    for made in (structured("sluice", disable_additional_properties=True), whole({"backend": "sluice"}).structured):
        assert made.backend == "sluice" and _hooks._state.chosen
    with pytest.raises(ValueError, match="vLLM's own rule"):
        structured("xgrammar", disable_additional_properties=True)
    with pytest.raises(ValueError, match="'auto', 'xgrammar' or 'sluice'"):
        structured("another")
    monkeypatch.setenv("SLUICE_OPTIONS", "[]")
    assert structured("xgrammar").backend == "xgrammar" and _hooks._state.chosen
    with pytest.raises(ValueError, match="SLUICE_OPTIONS="):
        structured("sluice")


def test_engines_that_auto_serves(kinds, monkeypatch):
    """The configuration that is read last is the engine's."""
    register()
    for switch, backend, chosen in ("", "auto", False), ("auto", "auto", True), ("auto", "xgrammar", False):
        monkeypatch.setenv(_hooks.SWITCH, switch)
        assert kinds[0](backend).backend == backend and _hooks._state.chosen is chosen


@pytest.mark.parametrize("place", [0, 1, None])
def test_a_name_that_cannot_be_added(kinds, monkeypatch, caplog, place):
    """The classes are as they were, and the log names the hook."""
    rebuild = pydantic.dataclasses.rebuild_dataclass

    def fails(kind, **options):
        if place is None:  # nothing happens
            return
        rebuild(kind, **options)
        if kind is kinds[place]:
            raise TypeError("not in this release")

    def there():
        field = kinds[0].__dataclass_fields__["backend"], kinds[0].__pydantic_fields__["backend"]
        return [dict(vars(k)) for k in kinds], kinds[0].__annotations__["backend"], field[0].type, field[1].annotation

    before = there()
    monkeypatch.setattr(pydantic.dataclasses, "rebuild_dataclass", fails)
    register()
    assert "lacks the place for: name (" in caplog.text and there() == before
    with pytest.raises(ValueError, match="'auto' or 'xgrammar'"):
        kinds[0]("sluice")
    with pytest.raises(ValueError, match="vLLM's own rule"):
        kinds[0](disable_additional_properties=True)
