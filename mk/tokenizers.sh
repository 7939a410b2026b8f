#!/bin/sh
# Builds libtokenizers.a into the directory $1. Does nothing if the library of the required version is there already.
set -eu
out=$1
go=${GO:-go}
module=github.com/daulet/tokenizers

# missing says why the library cannot be built. That is an error only if REQUIRE_TOKENIZERS=1.
missing() {
	echo "lab roundtrip: not built: $1" >&2
	echo "lab roundtrip: Sluice works without it; the round-trip tests are left out" >&2
	if [ "${REQUIRE_TOKENIZERS:-0}" = 1 ]; then exit 1; fi
	exit 0
}

here=tests/lab/roundtrip # the Go module that requires it
version=$($go list -C $here -m -f '{{.Version}}' "$module")
if [ -f "$out/libtokenizers.a" ] && [ "$(cat "$out/version" 2>/dev/null)" = "$version" ]; then
	exit 0
fi
rm -f "$out/libtokenizers.a" "$out/version"

command -v cargo >/dev/null 2>&1 || missing "cargo, Rust's build tool, is not on the PATH (https://rustup.rs)"
$go mod download -C $here "$module" || missing "the Go module $module $version cannot be downloaded"
dir=$($go list -C $here -m -f '{{.Dir}}' "$module")

# The module cache is read-only and cargo writes beside its sources. Output of an earlier run is kept.
mkdir -p "$out/src"
cp -R "$dir/." "$out/src/"
chmod -R u+w "$out/src"
echo "lab roundtrip: building $module $version with cargo, about two minutes the first time" >&2
if ! (cd "$out/src" && cargo build --release --locked >../cargo.log 2>&1); then
	tail -n 15 "$out/cargo.log" >&2
	missing "cargo failed (the whole log is $out/cargo.log)"
fi
cp "$out/src/target/release/libtokenizers.a" "$out/libtokenizers.a"
echo "$version" >"$out/version"
