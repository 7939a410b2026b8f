#!/bin/sh
# arm64.sh WORK: builds the library for aarch64 into WORK, and runs C programs and the Python tests with it under qemu-user.
#
# PYTHON names a Python with ziglang, which compiles. The aarch64 C library, Python, NumPy and pytest are Debian's packages,
# which apt downloads and dpkg-deb unpacks into WORK/root; nothing is installed. SLUICE_ARM64_ROOT names another root.
# SLUICE_ARM64_LIBRARY names a library to test instead of building one.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
work=${1:?usage: arm64.sh WORK}
PYTHON=${PYTHON:?arm64.sh: PYTHON names a Python with ziglang; make test-arm64 sets it}
mkdir -p "$work"
work=$(cd "$work" && pwd)
arm=${SLUICE_ARM64_ROOT:-$work/root}
ZIG="$PYTHON -m ziglang"
ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$root/build/zig-cache}
export ZIG ZIG_GLOBAL_CACHE_DIR
compile="sh $root/capi/zigcc.sh aarch64-linux-gnu.2.28"

need() {
	command -v "$1" >/dev/null 2>&1 || { echo "test-arm64: '$1' is not on the PATH: install $2" >&2; exit 1; }
}
need qemu-aarch64 "Debian's package qemu-user"

if [ ! -x "$arm/usr/bin/python3" ]; then
	need apt-get "the root of an aarch64 system by hand and name it in SLUICE_ARM64_ROOT"
	need dpkg-deb "the root of an aarch64 system by hand and name it in SLUICE_ARM64_ROOT"
	apt=$work/apt
	mkdir -p "$apt/state/lists/partial" "$apt/cache/archives/partial" "$arm"
	: >"$apt/status"
	get() {
		apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 -o Dir::State="$apt/state" \
			-o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User="$(id -un)" \
			-o Debug::NoLocking=1 "$@"
	}
	get update
	get install -y --no-install-recommends --download-only python3 python3-numpy python3-pytest >/dev/null
	for package in "$apt"/cache/archives/*.deb; do dpkg-deb -x "$package" "$arm"; done
	rm -rf "$apt"
fi

library=${SLUICE_ARM64_LIBRARY:-}
if [ -z "$library" ]; then
	GOOS=linux GOARCH=arm64 CC=$compile sh "$root/capi/build.sh" "$work/lib"
	library=$work/lib/libsluice.so
fi
mkdir -p "$work/c/lib"
cp "$library" "$work/c/lib/libsluice.so.1"
run() {
	qemu-aarch64 -L "$arm" -E LD_LIBRARY_PATH="$work/c/lib:$arm/usr/lib/aarch64-linux-gnu/blas:$arm/usr/lib/aarch64-linux-gnu/lapack" "$@"
}

# The kernels for NEON and the C programs through the library. Left out are programs that fork: qemu-user 7 ends with a
# failed assertion of its own when a process with several threads forks.
for program in "generate" "cpu_level" "errors" "constraints" "structs" "batch" "mask_key" "threads" "statuses" \
	"random_calls 1 2000" "apply 1 300" "cases $root/tests/cases/cases.txt"; do
	name=${program%% *}
	[ "$name" = "$program" ] && arguments= || arguments=${program#* }
	$compile -std=gnu11 -O1 -fno-sanitize=undefined -I"$root/include" "$root/tests/c/$name.c" -o "$work/c/$name" \
		"$work/c/lib/libsluice.so.1" -lpthread
	# shellcheck disable=SC2086 # arguments are words
	run "$work/c/$name" $arguments >"$work/c/$name.log" 2>&1 ||
		{ cat "$work/c/$name.log" >&2; echo "test-arm64: $name failed" >&2; exit 1; }
	echo "test-arm64: $name passed"
done

# The Python tests that start no other process: the kernel of this machine would have to know how to start it.
cd "$root/bindings/python"
SLUICE_LIBRARY="$work/c/lib/libsluice.so.1" PYTHONPATH="$root/bindings/python" PYTHONDONTWRITEBYTECODE=1 \
	run "$arm/usr/bin/python3" -m pytest -q -p no:cacheprovider \
	tests/test_abi.py tests/test_apply.py tests/test_batch.py tests/test_cases.py tests/test_constraints.py \
	tests/test_errors.py tests/test_jobs.py tests/test_matcher.py tests/test_reasoning.py tests/test_rows.py \
	tests/test_threads.py tests/test_vocabulary.py \
	--deselect tests/test_apply.py::test_without_numpy_and_torch \
	--deselect tests/test_jobs.py::test_cancelled_jobs_leave_nothing --deselect tests/test_jobs.py::test_fork_with_jobs
