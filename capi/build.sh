#!/bin/sh
# Builds the library into the directory given. The Makefile, CMake and the Python wheel all build through this file, so
# that there is one library and not several that differ in a flag.
#
#   capi/build.sh DIRECTORY            libsluice.so.<ABI> and its development link
#   capi/build.sh DIRECTORY archive    libsluice.a, whose only global symbols are the symbols of the header
#
# GO names the Go command; CC, CGO_CFLAGS, CGO_LDFLAGS, GOOS and GOARCH have their usual meaning. CC may be
# "sh capi/zigcc.sh TARGET". SLUICE_COMMIT names the commit that the library reports; else it is the file COMMIT of a
# source distribution, else the checkout's, else "unknown".
#
# The same sources, Go and C compiler give the same bytes, wherever the checkout lies.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: capi/build.sh DIRECTORY [archive]}
form=${2:-shared}
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

commit=${SLUICE_COMMIT:-}
if [ -z "$commit" ] && [ -f "$root/COMMIT" ]; then
	commit=$(cat "$root/COMMIT")
elif [ -z "$commit" ] && [ -e "$root/.git" ]; then
	commit=$(git -C "$root" describe --always --abbrev=40 --exclude='*' --dirty 2>/dev/null) || commit=
fi

# The go command does not look at headers outside a package's own folder: their sum among the flags makes it build anew
# when one changes.
sum=$(cat "$root"/include/*.h "$root"/include/sluice/*.h "$root"/cpu/*.h "$root"/cuda/*.h | cksum | tr -d ' ')
CGO_CFLAGS="${CGO_CFLAGS:--g -O2} -DSLUICE_HEADERS_SUM=$sum"
export CGO_CFLAGS CGO_ENABLED=1

# Go's build id depends on the flags, and so on the path of the map: it is left empty. The id of the linker is a hash of
# the contents. -s -w drop symbol and debug tables, which Go's own stack traces do not need.
ldflags="-s -w -buildid= -B none -X main.commit=${commit:-unknown}"
build() {
	(cd "$root" && "$go" build -trimpath -buildvcs=false "$@" ./capi)
}

case $form in
shared)
	# The map hides Go's runtime; -z defs refuses symbols that nobody defines; -z now, with the relro that Go sets,
	# makes all of the linkage tables read-only.
	build -buildmode=c-shared -o "$scratch/libsluice.so" -ldflags "$ldflags -extldflags '-Wl,-soname,libsluice.so.$abi \
\"-Wl,--version-script=$root/capi/libsluice.map\" -Wl,-z,defs -Wl,-z,now -Wl,-s -Wl,--build-id=sha1'"
	# A running process may have the old file mapped, so it is replaced and not overwritten. The header that Go writes
	# beside the library is left behind: include/sluice.h is the contract.
	mv -f "$scratch/libsluice.so" "$out/libsluice.so.$abi"
	ln -sf "libsluice.so.$abi" "$out/libsluice.so"
	;;
archive)
	build -buildmode=c-archive -o "$scratch/go.a" -ldflags "$ldflags"
	# -d gives common symbols a place: only then can they be made local.
	(cd "$scratch" && ${AR:-ar} x go.a && ${LD:-ld} -r -d -o all.o ./*.o &&
		${OBJCOPY:-objcopy} --strip-debug --wildcard --keep-global-symbol='sluice_*' all.o sluice.o &&
		${AR:-ar} crsD libsluice.a sluice.o)
	mv -f "$scratch/libsluice.a" "$out/libsluice.a"
	;;
*)
	echo "capi/build.sh: '$form' is neither 'shared' nor 'archive'" >&2
	exit 1
	;;
esac
