#!/bin/sh
# Builds libsluice.so.<ABI> and its development link in the directory given. The Makefile, CMake and the Python wheel all
# build through this file, so that there is one library and not several that differ in a flag.
#
#   capi/build.sh DIRECTORY
#
# GO names the Go command; CC, CGO_CFLAGS and CGO_LDFLAGS mean what they mean to it.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: capi/build.sh DIRECTORY}
go=${GO:-go}

if ! command -v "$go" >/dev/null 2>&1; then
	echo "capi/build.sh: the Go command '$go' was not found: install Go (go.mod says which version), or set GO" >&2
	exit 1
fi
abi=$(sed -n 's/^#define SLUICE_ABI_VERSION //p' "$root/include/sluice.h")
mkdir -p "$out"
out=$(cd "$out" && pwd)
scratch=$(mktemp -d "$out/.build.XXXXXX")
trap 'rm -rf "$scratch"' EXIT

# The go command does not look at headers outside a package's own folder: their sum among the flags makes it build anew
# when one changes.
sum=$(cat "$root"/include/*.h "$root"/include/sluice/*.h "$root"/cpu/*.h "$root"/cuda/*.h | cksum | tr -d ' ')
CGO_CFLAGS="${CGO_CFLAGS:--g -O2} -DSLUICE_HEADERS_SUM=$sum"
export CGO_CFLAGS

# The map is what hides Go's runtime; -z defs refuses symbols that nobody defines; -s -w drop debug tables, which Go's
# own stack traces do not need.
(cd "$root" && CGO_ENABLED=1 "$go" build -buildmode=c-shared -trimpath -buildvcs=false \
	-ldflags "-s -w -extldflags '-Wl,-soname,libsluice.so.$abi \"-Wl,--version-script=$root/capi/libsluice.map\" -Wl,-z,defs'" \
	-o "$scratch/libsluice.so" ./capi)

# A running process may have the old file mapped, so it is replaced and not overwritten. The header that Go writes beside
# the library is left behind: include/sluice.h is the contract.
mv -f "$scratch/libsluice.so" "$out/libsluice.so.$abi"
ln -sf "libsluice.so.$abi" "$out/libsluice.so"
