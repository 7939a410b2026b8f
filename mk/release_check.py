"""Builds a release twice from clean clones of the commit and checks it, as `make release-check` does; docs/releasing.md
says what for. Everything happens in build/release; the checked artefacts are left in build/release/dist.

Each check prints one line that begins with "ok", or ends the program with the reason.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
WORK = ROOT / "build" / "release"
DIST = WORK / "dist"
ARCHES = ("x86_64", "aarch64")
GLIBC = (2, 28)
TOOLS = {
    "go": "Go, https://go.dev",
    "cmake": "Debian: cmake",
    "cc": "Debian: gcc",
    "git": "Debian: git",
    "readelf": "Debian: binutils",
    "abidiff": "Debian: abigail-tools",
    "qemu-aarch64": "Debian: qemu-user",
    "apt-get": "Debian: apt, which fetches an aarch64 Python",
}

# Run with an installed package and nothing else: prints a valid output and the paths of the modules.
EXAMPLE = """
import json, random, sys
import sluice
v = sluice.Vocabulary.from_file(sys.argv[1])
schema = {"type": "object", "properties": {"unit": {"enum": ["celsius"]}}, "required": ["unit"],
          "additionalProperties": False}
m = sluice.Compiler(v).compile_json_schema(schema, compact=True).matcher()
masks, text, tokens = sluice.allocate_bitmask(1, v), b"", v.tokens()
while not m.terminated:
    m.fill(masks, 0)
    token = random.Random(1).choice(list(sluice.allowed_ids(masks)))
    m.accept(token)
    text += b"" if token in v.end_tokens else tokens[token]
assert json.loads(text) == {"unit": "celsius"}, text
print(json.dumps({"output": text.decode(), "level": sluice.cpu_level(), "file": sluice.__file__,
                  **sluice.capabilities()["build"]}))
"""


def fail(reason: str) -> None:
    raise SystemExit(f"release-check: {reason}")


def run(*command: object, **options) -> str:
    """Runs a command and returns its output; ends the program with the output if it fails."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, **options)
    if done.returncode != 0:
        sys.stderr.write(done.stdout[-8000:] + done.stderr[-8000:])
        fail(f"failed: {' '.join(map(str, command))}")
    return done.stdout


def ok(text: str) -> None:
    print(f"ok  {text}", flush=True)


def expected_level() -> str:
    """The kernels that this machine can run, by /proc/cpuinfo."""
    if platform.machine() == "aarch64":
        return "neon"
    flags = set(re.search(r"^flags\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[1].split())
    if {"avx2", "bmi1", "avx512f", "avx512bw", "avx512vl"} <= flags:
        return "avx512"
    return "avx2" if {"avx2", "bmi1"} <= flags else "generic"


def build_twice() -> str:
    """Makes dist in two clones whose paths differ, and compares. Returns the commit."""
    if run("git", "status", "--porcelain", "--untracked-files=no", cwd=ROOT):
        fail("files differ from the commit: commit them first, the commit is part of what is released")
    commit = run("git", "rev-parse", "HEAD", cwd=ROOT).strip()
    shutil.rmtree(WORK, ignore_errors=True)
    for folder in (WORK / "first", WORK / "in another folder" / "second"):
        run("git", "clone", "--quiet", "--no-checkout", ROOT, folder)
        run("git", "checkout", "--quiet", "--detach", commit, cwd=folder)
        run("sh", "mk/dist.sh", "dist", *ARCHES, cwd=folder)
    shutil.copytree(WORK / "first" / "dist", DIST)
    sums = [(p / "dist" / "SHA256SUMS").read_text() for p in (WORK / "first", WORK / "in another folder" / "second")]
    if sums[0] != sums[1]:
        fail(f"two builds of one commit differ:\n{sums[0]}\n{sums[1]}")
    ok(f"two clones in different folders give the same {len(sums[0].splitlines())} files")
    return commit


def check_libraries() -> dict[str, Path]:
    """Unpacks the archives and looks at the libraries in them."""
    libraries = {}
    for arch in ARCHES:
        (archive,) = DIST.glob(f"sluice-*-linux-{arch}.tar.gz")
        with tarfile.open(archive) as tar:
            tar.extractall(WORK / "unpacked", filter="tar")
        folder = WORK / "unpacked" / archive.name.removesuffix(".tar.gz")
        library = folder / "lib" / "libsluice.so.1"
        dynamic, sections = run("readelf", "-dW", library), run("readelf", "-SlW", library)
        if "BIND_NOW" not in dynamic or "GNU_RELRO" not in sections:
            fail(f"{library}: not full RELRO")
        if ".symtab" in sections or ".debug_" in sections:
            fail(f"{library}: not stripped")
        for file in ("include/sluice.h", "lib/pkgconfig/sluice.pc", "lib/cmake/sluice/sluice-config.cmake"):
            if not (folder / file).is_file():
                fail(f"{archive.name}: {file} is missing")
        ok(f"{archive.name}: full RELRO, stripped, {library.stat().st_size / 1e6:.1f} MB")
        libraries[arch] = library
    return libraries


def check_wheels() -> None:
    for arch in ARCHES:
        (wheel,) = DIST.glob(f"*-manylinux_{GLIBC[0]}_{GLIBC[1]}_{arch}.whl")
        shown = run(sys.executable, "-m", "auditwheel", "show", wheel)
        found = re.search(rf'platform\s+tag:\s+"manylinux_(\d+)_(\d+)_{arch}"', shown)
        if not found or (int(found[1]), int(found[2])) > GLIBC:
            fail(f"auditwheel does not agree with {wheel.name}:\n{shown}")
        with zipfile.ZipFile(wheel) as z:
            (bill,) = (json.loads(z.read(n)) for n in z.namelist() if n.endswith(".dist-info/sboms/sluice.cdx.json"))
        beside = json.loads(next(DIST.glob(f"*-linux-{arch}.cdx.json")).read_text())
        names = {c["name"] for c in bill["components"]}
        if bill != beside or bill["bomFormat"] != "CycloneDX" or "std" not in names:
            fail(f"{wheel.name}: its bill of materials is not the one beside it")
        ok(f"{wheel.name}: auditwheel says manylinux_{found[1]}_{found[2]}; its SBOM has {', '.join(sorted(names))}")


def check_output(name: str, text: str, commit: str, level: str) -> None:
    got = json.loads(text.splitlines()[-1])
    if got["commit"] != commit:
        fail(f"{name}: built from {got['commit']}, not from {commit}")
    if got["level"] != level:
        fail(f"{name}: its kernels are {got['level']}, this processor has {level}")
    ok(f"{name}: prints {got['output']}, kernels {got['level']}, version {got['version']}")


def check_installs(commit: str) -> None:
    """Installs the source distribution, and the wheel with every Python that is here, in empty environments."""
    data = ROOT / "tests" / "data" / "tokenizer.json.gz"
    (wheel,) = DIST.glob(f"*_{platform.machine()}.whl")
    (source,) = DIST.glob("sluice_engine-*.tar.gz")
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SLUICE_LIBRARY", "SLUICE_COMMIT", "CC")}
    pythons = [sys.executable, *filter(runs, (f"python3.{n}" for n in range(9, 20) if n != sys.version_info.minor))]
    for file, python in [(source, sys.executable), *((wheel, p) for p in pythons)]:
        venv = WORK / "venv"
        run(python, "-m", "venv", "--clear", venv)
        run(venv / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check", file, env=env, cwd=WORK)
        text = run(venv / "bin" / "python", "-I", "-c", EXAMPLE, data, env=env, cwd=WORK)
        check_output(f"{file.name} in {run(venv / 'bin' / 'python', '-V').strip()}", text, commit, expected_level())


def runs(python: str) -> bool:
    """Tells whether the command is a Python; a version manager may have one that only complains."""
    return shutil.which(python) is not None and subprocess.run([python, "-V"], capture_output=True).returncode == 0


def check_arm64(library: Path, commit: str) -> None:
    """Runs C programs, the Python tests and the installed wheel under qemu-user."""
    folder = ROOT / "build" / "arm64"
    run("sh", "mk/arm64.sh", folder, cwd=ROOT, env=os.environ | {"SLUICE_ARM64_LIBRARY": str(library)})
    ok("aarch64 under qemu-user: C programs, kernels and Python tests pass")
    (wheel,) = DIST.glob("*_aarch64.whl")
    target = WORK / "aarch64"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", target]
    run(*pip, "--platform", f"manylinux_{GLIBC[0]}_{GLIBC[1]}_aarch64", "--only-binary=:all:", "--no-deps", wheel)
    root = os.environ.get("SLUICE_ARM64_ROOT", folder / "root")
    env = {k: v for k, v in os.environ.items() if k != "SLUICE_LIBRARY"} | {"PYTHONPATH": str(target)}
    python = ["qemu-aarch64", "-L", root, f"{root}/usr/bin/python3"]
    text = run(*python, "-c", EXAMPLE, ROOT / "tests/data/tokenizer.json.gz", env=env, cwd=WORK)
    check_output(wheel.name, text, commit, "neon")


def check_speed(library: Path) -> None:
    """Compares applying masks with the library that the system's compiler builds."""
    reference, program = WORK / "reference", WORK / "apply_ratio"
    run("sh", "capi/build.sh", reference, cwd=ROOT, env={k: v for k, v in os.environ.items() if k != "CC"})
    run("cc", "-std=c99", "-O2", f"-I{ROOT}/include", ROOT / "tests/bench/apply_ratio.c", "-o", program, "-ldl")
    ok(run(program, library, reference / "libsluice.so").strip())


def main() -> None:
    missing = [f"{name} ({where})" for name, where in TOOLS.items() if shutil.which(name) is None]
    if missing:
        fail("missing on the PATH: " + "; ".join(missing))
    os.environ["PYTHON"] = sys.executable
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(ROOT / "build" / "zig-cache"))
    run("sh", "capi/abi/abi.sh", "check", cwd=ROOT, env=os.environ | {"REQUIRE_ABI": "1"})
    ok("the ABI agrees with the last release")
    commit = build_twice()
    libraries = check_libraries()
    check_wheels()
    check_installs(commit)
    check_speed(libraries[platform.machine()])
    check_arm64(libraries["aarch64"], commit)
    print(f"\n{commit}, in {DIST}:\n\n{(DIST / 'SHA256SUMS').read_text()}")


if __name__ == "__main__":
    main()
