"""The plugin in vLLM's HTTP server: responses to clients, behind its front end in Python and its front end in Rust."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
import vllm
from conftest import CHOICES, CONSTRAINTS, PATTERN, SCHEMA
from serving import serving
from test_vllm import LARK, folder, plugin_at  # noqa: F401

CHAT = "{% for m in messages %}{{ m.content }}\n{% endfor %}"
UNIQUE = {"type": "array", "items": {"enum": [1, 2, 3]}, "uniqueItems": True, "minItems": 1}
BAD = {"type": "json_schema", "json_schema": {"type": "x"}}
BAD_TAG = {"type": "structural_tag", "format": {"type": "tag", "begin": "<a>", "content": BAD, "end": "</a>"}}
TAG = CONSTRAINTS["structural_tag"].spec


@pytest.fixture(scope="module")
def model(folder):  # noqa: F811
    (Path(folder) / "chat_template.jinja").write_text(CHAT)
    return folder


def run(model, tmp_path_factory, environment, *options):
    home = tmp_path_factory.mktemp("server")
    return serving(model, home / "log", plugin_at(home) | environment, *options)


@pytest.fixture(scope="module")
def server(model, tmp_path_factory):
    with run(model, tmp_path_factory, {}, "--structured-outputs-config.backend", "sluice") as made:
        yield made


def right(text):
    jsonschema.validate(json.loads(text), SCHEMA)
    return True


def schema_format(schema):
    return {"type": "json_schema", "json_schema": {"name": "x", "schema": schema}}


def test_what_is_served(server):
    assert all(re.fullmatch(PATTERN, t) for t in server.texts(structured_outputs={"regex": PATTERN}, n=4))
    assert server.texts(structured_outputs={"choice": CHOICES})[0] in CHOICES
    assert server.texts(structured_outputs={"grammar": LARK})
    assert right(server.chat(response_format=schema_format(SCHEMA)))
    assert right(server.chat(response_format=schema_format(SCHEMA), stream=True))
    assert CONSTRAINTS["structural_tag"].right(server.chat(response_format=TAG))
    found = json.loads(server.chat(response_format=schema_format(UNIQUE)))
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("stream", [False, True])
def test_what_is_refused(server, stream):
    """Each with its place and a way out that a client can take, before anything is streamed."""
    for asked, said in (
        ({"response_format": BAD_TAG}, r'structural_tag:/format/content/json_schema/type: there is no type "x"'),
        ({"structured_outputs": {"structural_tag": json.dumps(BAD_TAG)}}, r'type: there is no type "x"'),
        ({"response_format": schema_format({"$ref": "http://other"})}, r"json_schema:/\$ref: .*copy the schema into"),
        ({"response_format": schema_format({"allOf": [False]})}, "json_schema"),
        ({"structured_outputs": {"grammar": 'rot ::= "a"'}}, 'no rule "root" to start at; add one'),
        ({"structured_outputs": {"grammar": "root ::= <|none|>"}}, r'no special or added token "<\|none\|>"'),
        ({"structured_outputs": {"regex": "(a"}}, "regex:1:"),
    ):
        told = server.refused(**asked, stream=stream)
        assert re.search(said, told, re.DOTALL), told
        assert "option" not in told and "::" not in told.replace("::=", ""), told
    assert right(server.chat(response_format=schema_format(SCHEMA)))


def test_what_only_the_engine_finds(server, tmp_path):
    """Beyond the budget of the front end's check: the error of that request alone."""
    wrong = "root ::= " + "".join(f'"{i:x}" [a-f] | ' for i in range(60_000)) + "missing"
    status, told = server.ask("/v1/completions", prompt="a", structured_outputs={"grammar": wrong})
    assert status >= 400 and "missing" in told, told[:1000]
    assert right(server.chat(response_format=schema_format(SCHEMA)))


RUST = Path(vllm.__file__).with_name("vllm-rs")


@pytest.mark.skipif(not RUST.exists(), reason="this build of vLLM has no front end in Rust")
@pytest.mark.parametrize("backend", ["auto", "guidance"])
def test_the_front_end_in_rust(model, tmp_path_factory, backend):
    """It knows vLLM's names alone and has checks of its own, by name: docs/vllm.md has the table."""
    environment = {"SLUICE_VLLM": "auto" if backend == "auto" else "always", "VLLM_USE_RUST_FRONTEND": "1"}
    option = "--structured-outputs-config.backend", backend
    with run(model, tmp_path_factory, environment, *option) as server:
        assert all(re.fullmatch(PATTERN, t) for t in server.texts(structured_outputs={"regex": PATTERN}))
        assert server.texts(structured_outputs={"choice": CHOICES})[0] in CHOICES
        assert right(server.chat(response_format=schema_format(SCHEMA)))
        assert server.texts(structured_outputs={"grammar": LARK})
        unique, tag = {"response_format": schema_format(UNIQUE)}, {"response_format": TAG}
        if backend == "auto":
            assert CONSTRAINTS["structural_tag"].right(server.chat(**tag))
            assert "not supported by xgrammar" in server.refused(**unique)
            assert 'there is no type "x"' in server.refused(response_format=BAD_TAG)
        else:
            found = json.loads(server.chat(**unique))
            assert len(set(found)) == len(found)
            assert "structures" in server.refused(**tag)
