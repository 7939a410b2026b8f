"""The benchmark: its native program, its harness and reports, the fetching of data sets, and the committed tables."""

from __future__ import annotations

import functools
import gzip
import hashlib
import http.server
import importlib.util
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading

import numpy as np
import pytest
from conftest import ROOT

import sluice
from sluice import _library

BENCH = ROOT / "tests" / "bench"
TOKENIZER = ROOT / "tests" / "data" / "tokenizer.json.gz"
SHARED = ROOT.parent / "shared" / "data"
sys.path.insert(0, str(BENCH))

import bfcl
import engines
import fetch
import harness
import jobs
import report
import sample
import tables
import worker
from vocabulary import Vocabulary


def byte_vocabulary():
    """The committed tokenizer, with an encoder that needs no package: one token a byte."""
    read = sluice.Vocabulary.from_file(TOKENIZER)
    tokens = [read.token_bytes(i) for i in range(read.size)]
    of_byte = {token: i for i, token in reversed(list(enumerate(tokens))) if len(token) == 1}
    encode = lambda text: [of_byte[bytes([b])] for b in text.encode()]
    return Vocabulary(TOKENIZER, tokens, read.token_id("<|end|>"), encode)


def small():
    return jobs.read_jobs(BENCH / "small.jsonl.gz")


@pytest.fixture(scope="module")
def native(tmp_path_factory):
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.skip("no C compiler on this machine: the native benchmark cannot be built")
    program = tmp_path_factory.mktemp("native") / "native"
    library = _library.find().resolve()
    flags = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", str(ROOT / "include")]
    link = [str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([compiler, *flags, str(BENCH / "native.c"), "-o", str(program), *link], check=True)
    return program


def run(native, picked, folder, *flags):
    packed, out = folder / "jobs.bin", folder / "out.jsonl"
    jobs.write(picked, byte_vocabulary(), packed)
    subprocess.run([str(native), str(packed), str(TOKENIZER), str(out), *flags], check=True, timeout=120)
    first, *rest = (json.loads(line) for line in out.read_text().splitlines())
    assert first["engine"] == "sluice-c" and first["version"] == sluice.version()
    assert first["noop_ns"] > 0 and first["clock_ns"] > 0
    return rest


def test_native_verdicts(native, tmp_path):
    picked = small()[:12]
    wrong = json.loads(json.dumps(picked[0]))
    for test in wrong["tests"]:
        test["valid"] = not test["valid"]
    broken = {"id": "broken", "kind": "regex", "spec": "a(", "tests": [{"valid": True, "text": "a"}]}
    plain = run(native, [*picked, wrong, broken], tmp_path)
    for job, r in zip(picked, plain):
        assert (r["id"], r["outcome"], r["valid_rejected"], r["invalid_accepted"]) == (job["id"], "ok", 0, 0)
        assert r["bad"] == [] and len(r["fills"]) > 0 and r["cpu_ns"] >= r["first_mask_ns"] > r["compile_ns"] > 0
    labels = [t["valid"] for t in picked[0]["tests"]]
    assert (plain[12]["valid_rejected"], plain[12]["invalid_accepted"]) == (labels.count(False), labels.count(True))
    assert plain[12]["bad"] == list(range(len(labels)))
    assert plain[13]["outcome"] == "unsupported" and "regex" in plain[13]["error"]


def test_second_walk(native, tmp_path):
    for r in run(native, small()[:3], tmp_path, "--twice"):
        assert len(r["again"]) == len(r["fills"]) == len(r["cold"]) and set(r["cold"]) <= {"0", "1"}


def test_worker_verdicts(native, tmp_path):
    """Python and C walk alike: as many masks, the same verdicts."""
    vocabulary, picked = byte_vocabulary(), small()[:8]
    engine, row = engines.Sluice(vocabulary), np.zeros(vocabulary.words, dtype=np.int32)
    picked[1]["tests"][0]["valid"] = not picked[1]["tests"][0]["valid"]
    broken = {"id": "broken", "kind": "regex", "spec": "a(", "tests": []}
    found = [worker.run(engine, job, vocabulary, worker.Walk(engine, row, 0)) for job in (*picked, broken)]
    for ours, theirs in zip(found, run(native, [*picked, broken], tmp_path), strict=True):
        assert ours["outcome"] == theirs["outcome"] and len(ours["fills"]) == len(theirs["fills"])
        if ours["outcome"] == "ok":
            assert ours["bad"] == theirs["bad"]
    assert found[1]["bad"] == [0] and found[-1]["outcome"] == "unsupported"


WORKER = """
import json, os, sys, time
out = os.fdopen(int(sys.argv[sys.argv.index("--descriptor") + 1]), "w")
start = int(sys.argv[sys.argv.index("--start") + 1])
if sys.argv[1] == "broken":
    raise SystemExit("no such package")
print(json.dumps({"engine": sys.argv[1], "version": "1"}), file=out, flush=True)
for name in "abcde"[start:]:
    if name == "b":
        while True: pass
    if name == "c":
        os.abort()
    if name == "d":
        held = bytearray(400 << 20)
        time.sleep(60)
    print(json.dumps({"id": name, "outcome": "ok", "fills": []}), file=out, flush=True)
"""


def test_harness_limits(tmp_path, monkeypatch):
    (tmp_path / "worker.py").write_text(WORKER)
    monkeypatch.setattr(harness, "HERE", tmp_path)
    log, limits = tmp_path / "log", harness.Limits(seconds=0.5, megabytes=200)
    about, *found = harness.records("some", [], list("abcde"), limits, log)
    assert about == {"engine": "some", "version": "1"}
    outcomes = [(r["id"], r["outcome"]) for r in found]
    assert outcomes == [("a", "ok"), ("b", "time"), ("c", "crash"), ("d", "memory"), ("e", "ok")]
    with pytest.raises(harness.EngineError, match="broken did not start"):
        list(harness.records("broken", [], ["a"], limits, log))
    assert "no such package" in log.read_text()


def record(name, outcome="ok", fills=(), bad=(), first=1000):
    made = {"id": name, "outcome": outcome, "fills": list(fills), "bad": list(bad)}
    if outcome == "ok":
        made |= {"valid_rejected": len(bad), "invalid_accepted": 0, "compile_ns": 500, "first_mask_ns": first}
    return made


def test_report():
    about = {"version": "1", "load_ns": 5e6}
    ours = [record("a", fills=[1000, 3000]), record("b", fills=[9000], bad=[0]), record("c", fills=[7000])]
    theirs = [record("a", fills=[2000, 4000]), record("b", "time"), record("c", "unsupported")]
    none = [record(name, "unsupported") for name in "abc"]
    common, found = report.summary({"x": (about, ours), "y": (about, theirs), "z": (about, none)})
    assert common == 1, "an engine that compiles none does not count"
    assert (found["x"]["right"], found["x"]["valid_rejected"], found["y"]["stopped"]) == (2, 1, {"time": 1})
    assert found["x"]["mask"]["avg"] == 2 and found["y"]["mask"]["max"] == 4 and "mask" not in found["z"]
    assert len(found["x"]["mask_grid"]) == len(report.GRID) and found["x"]["masks"] == 2


def test_least_of_rounds():
    first = [record("a", fills=[5, 1], first=9), record("b", "time")]
    second = [record("a", fills=[3, 2], first=10), record("b", fills=[4])]
    merged = report.least([first, second])
    assert merged[0]["fills"] == [3, 1] and merged[0]["first_mask_ns"] == 9 and merged[1]["fills"] == [4]
    with pytest.raises(ValueError, match="a: an engine's answers differ"):
        report.least([first, [record("a", fills=[3, 2], bad=[1]), record("b", "time")]])


def bench(*arguments):
    command = [sys.executable, str(BENCH / "bench.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--full", "--only", "maskbench", "--data", "/nowhere"], "run `make bench-data`"),
        (["--only", "kubernetes"], "the sets of this run are maskbench, bfcl, many, batch"),
        (["--engines", "outlines"], "engine outlines is none of sluice-c, sluice, llguidance"),
    ],
)
def test_a_request_without_data_fails(arguments, told):
    done = bench(*arguments)
    assert done.returncode != 0 and told in done.stderr, done.stderr


def test_engines_that_cannot_be_installed(tmp_path):
    """An environment without the packages is an error that names them."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python").symlink_to(sys.executable)
    if importlib.util.find_spec("matplotlib"):
        pytest.skip("this environment has all that the benchmark needs")
    command = [sys.executable, str(BENCH / "bench.py"), "--engines", "llguidance", "--only", "bfcl"]
    environment = os.environ | {"SLUICE_PEERS": str(tmp_path)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode != 0 and "lacks" in done.stderr and "requirements.txt" in done.stderr


# ---- data ----


def case(name, function, answer):
    return {"id": name, "function": [function]}, {"id": name, "ground_truth": [answer]}


AREA = {
    "name": "area",
    "parameters": {
        "type": "dict",
        "properties": {
            "base": {"type": "float", "default": 1.0},
            "unit": {"type": "string", "enum": ["m", "km"]},
            "any": {"type": "any", "description": "d"},
        },
        "required": ["base"],
    },
}


def test_tool_calls():
    cases = [
        case("one", AREA, {"area": {"unit": ["", "km"], "base": [10]}}),
        case("two", AREA, {"area": {"base": ["ten"]}}),
        case("three", AREA, {"circle": {"base": [1]}}),
    ]
    questions, answers = zip(*cases)
    (made,) = bfcl.cases(questions, answers)
    assert made["id"] == "bfcl/one", "cases whose reference does not fit are left out"
    (tag,) = json.loads(made["spec"])["format"]["tags"]
    assert tag["content"]["json_schema"] == {
        "type": "object",
        "properties": {
            "base": {"type": "number"},
            "unit": {"type": "string", "enum": ["m", "km"]},
            "any": {"description": "d"},
        },
        "required": ["base"],
        "additionalProperties": False,
    }
    texts = {t.get("why", t["valid"]): t["text"].removeprefix(bfcl.BEFORE) for t in made["tests"]}
    assert made["tests"][0]["text"].endswith('<function=area>{"base": 10, "unit": "km"}</function>')
    assert texts["unknown function"] == '<function=area_x>{"base": 10, "unit": "km"}</function>'
    assert texts["required base missing"] == '<function=area>{"unit": "km"}</function>'
    assert texts["base of wrong type"] == '<function=area>{"base": {"wrong": 1}, "unit": "km"}</function>'
    assert texts["cut short"] == '<function=area>{"base": 10, "unit": "km"'
    vocabulary = byte_vocabulary()
    walk = worker.Walk(engines.Sluice(vocabulary), np.zeros(vocabulary.words, dtype=np.int32), 0)
    assert worker.run(walk.engine, made, vocabulary, walk)["bad"] == []


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def digest(data):
    return hashlib.sha256(data).hexdigest()


def served(folder):
    """Writes small sources of both sets and their manifest, and serves them."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    files = {
        f"maskbench/data/{name}.json": json.dumps({"schema": schema, "tests": [{"valid": True, "data": 1}]}).encode()
        for name, schema in (("b", {"type": "integer"}), ("a", {"minimum": 0}), ("left-out", {}))
    }
    with tarfile.open(folder / "archive.tar.gz", "w:gz") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(f"set-1234/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    chosen = [name for name in sorted(files) if "left" not in name]
    listing = "".join(f"{digest(files[name])}  {name}\n" for name in chosen)
    (folder / "list.gz").write_bytes(gzip.compress(listing.encode()))
    lines = ['{"id":"a","schema":{"minimum":0}', '{"id":"b","schema":{"type":"integer"}']
    made = "".join(f'{line},"tests":[{{"valid":true,"data":1}}]}}\n' for line in lines)
    about = {"source": "here", "revision": "1234", "licence": "none"}
    maskbench = about | {
        "archive": address + "archive.tar.gz",
        "files": "list.gz",
        "made": {"maskbench/dev.jsonl.gz": digest(made.encode())},
    }
    rows = {}
    for category in bfcl.CATEGORIES:
        cases = [case(f"{category}_{i}", AREA, {"area": {"base": [i]}}) for i in range(4)]
        for name, some in ((f"BFCL_v4_{category}.json", 0), (f"possible_answer/BFCL_v4_{category}.json", 1)):
            rows[name] = "".join(json.dumps(pair[some]) + "\n" for pair in cases).encode()
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(rows[name])
    calls = about | {"base": address, "files": {name: digest(content) for name, content in rows.items()}}
    calls["made"] = {"bfcl/dev.jsonl.gz": "unknown", "bfcl/many.jsonl.gz": "unknown"}
    manifest = folder / "manifest.json"
    manifest.write_text(json.dumps({"maskbench": maskbench, "bfcl": calls}))
    return server, manifest


def test_fetch(tmp_path, capsys):
    server, manifest = served(tmp_path)
    try:
        fetch.fetch(manifest, ["maskbench"], tmp_path / "out")
        found = jobs.read_jobs(tmp_path / "out" / "maskbench" / "dev.jsonl.gz")
        assert [(job["id"], job["schema"]) for job in found] == [("a", {"minimum": 0}), ("b", {"type": "integer"})]
        made = re.compile(r"bfcl/dev.jsonl.gz: SHA-256 is [0-9a-f]{64}, and the manifest has unknown")
        with pytest.raises(fetch.DataError, match=made):
            fetch.fetch(manifest, ["bfcl"], tmp_path / "out")
        assert not (tmp_path / "out" / "bfcl").exists(), "data of another hash is not written"
        (tmp_path / "BFCL_v4_parallel.json").write_text("{}\n")
        with pytest.raises(fetch.DataError, match=r"^BFCL_v4_parallel\.json: SHA-256 is"):
            fetch.fetch(manifest, ["bfcl"], tmp_path / "out")
        (tmp_path / "archive.tar.gz").unlink()
        with pytest.raises(fetch.DataError, match=r"archive\.tar\.gz: HTTP Error 404"):
            fetch.fetch(manifest, ["maskbench"], tmp_path / "out")
    finally:
        server.shutdown()


def test_manifest():
    """The manifest names a hash of every file; the list of MaskBench's files has as many as the project runs."""
    manifest = json.loads(fetch.MANIFEST.read_text())
    listed = fetch.listing(fetch.MANIFEST.parent / manifest["maskbench"]["files"])
    hashes = [*listed.values(), *manifest["bfcl"]["files"].values()]
    hashes += [h for entry in manifest.values() for h in entry["made"].values()]
    assert len(listed) == 6758 and len(manifest["bfcl"]["files"]) == 2 * len(bfcl.CATEGORIES)
    assert all(re.fullmatch(r"[0-9a-f]{64}", h) for h in hashes)
    for entry in manifest.values():
        assert re.fullmatch(r"[0-9a-f]{40}", entry["revision"])
        assert entry["revision"] in entry.get("archive", entry.get("base"))


def test_sample_is_of_the_data():
    for name in sample.SIZES:
        found = jobs.read_jobs(sample.SAMPLE / f"{name}.jsonl.gz")
        assert len(found) >= sample.SIZES[name] and all(job["tests"] for job in found)
    if not SHARED.is_dir():
        pytest.skip("there is no shared/data beside the checkout")
    manifest = json.loads(fetch.MANIFEST.read_text())
    for entry in manifest.values():
        for path, expected in entry["made"].items():
            assert digest(gzip.decompress((SHARED / path).read_bytes())) == expected, path
    for name, content in sample.make(SHARED).items():
        committed = (sample.SAMPLE / name).read_bytes()
        assert gzip.decompress(committed) == gzip.decompress(content), f"{name}: run tests/bench/sample.py"


# ---- tables ----


def test_tables_are_of_the_results():
    """README.md and docs/benchmarks.md have the numbers of tests/bench/results."""
    results = tables.load()
    for name in tables.PAGES:
        text = (ROOT / name).read_text()
        assert tables.BLOCK.search(text), f"{name} has no table"
        assert tables.updated(text, results) == text, f"{name}: run `make bench-table`"


def test_figures_are_there():
    """Every figure that a page shows is committed in both variants, and every committed figure is shown."""
    folder = ROOT / "docs" / "figures"
    shown = set()
    for page in (ROOT / "README.md", ROOT / "docs" / "benchmarks.md"):
        shown |= set(re.findall(r"figures/([a-z-]+\.svg)", page.read_text()))
    assert shown == {path.name for path in folder.glob("*.svg")}
    assert all(path.read_text().startswith("<?xml") for path in folder.glob("*.svg"))


def test_best_of_a_row_is_bold():
    some = {"sluice": {"v": 2.0}, "sluice-c": {"v": 1.0}, "glrmask": {"v": 1.5}, "xgrammar": {"v": None}}
    value = lambda engine: engine["v"]
    assert tables.row("x", some, value) == ["x", "2 (1)", "**1.5**", "–"]
    assert tables.row("x", some, value, most=True) == ["x", "**2** (1)", "1.5", "–"]
    assert [tables.number(v) for v in (None, 0.456, 12.34, 99.9, 1234.5, 6_758)] == [
        "–", "0.456", "12.3", "99.9", "1,230", "6,758",
    ]  # fmt: skip
