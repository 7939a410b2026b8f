#!/bin/sh
# dist.sh OUT ARCH…: puts the files of a release into OUT, for x86_64 and aarch64: wheels, archives of the library with headers,
# pkg-config and CMake files, bills of materials, a source distribution, and the SHA-256 of each in SHA256SUMS.
#
# PYTHON names a Python with mk/requirements-dist.txt, GO the Go command. Every byte follows from the commit, so two runs
# write the same files: times in archives are the commit's, owners are 0, names are sorted.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:?usage: dist.sh OUT ARCH…}
shift
PYTHON=${PYTHON:?dist.sh: PYTHON names a Python with mk/requirements-dist.txt; make dist sets it}
GO=${GO:-go}
glibc=2.28
umask 022

for tool in "$GO" cmake git gzip tar sha256sum; do
	command -v "$tool" >/dev/null 2>&1 || { echo "make dist: '$tool' is not on the PATH: install it" >&2; exit 1; }
done
[ -e "$root/.git" ] || { echo "make dist: $root is no checkout: the commit is part of what is built" >&2; exit 1; }

version=$(sed -n 's/^#define SLUICE_VERSION "\(.*\)"/\1/p' "$root/include/sluice.h")
SLUICE_COMMIT=$(git -C "$root" describe --always --abbrev=40 --exclude='*' --dirty)
SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct)
ZIG="$PYTHON -m ziglang"
ZIG_GLOBAL_CACHE_DIR=${ZIG_GLOBAL_CACHE_DIR:-$root/build/zig-cache}
export SLUICE_COMMIT SOURCE_DATE_EPOCH ZIG ZIG_GLOBAL_CACHE_DIR GO
case $SLUICE_COMMIT in
*-dirty) echo "make dist: files differ from the commit: these artefacts are for tests" >&2 ;;
esac

rm -rf "$out"
mkdir -p "$out"
out=$(cd "$out" && pwd)
work=$root/build/dist
rm -rf "$work"
mkdir -p "$work"

# pack ARCHIVE FOLDER: FOLDER of $work as a tar.gz whose bytes follow from its contents alone.
pack() {
	tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=ustar \
		-cf - "$2" | gzip -9n >"$1"
}

say() { printf 'make dist: %s\n' "$*"; }

say "cyclonedx-gomod, which writes the bills of materials"
GOBIN=$work "$GO" install -trimpath github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0

for arch; do
	case $arch in
	x86_64) goarch=amd64 ;;
	aarch64) goarch=arm64 ;;
	*) echo "make dist: unknown architecture '$arch': x86_64 or aarch64" >&2; exit 1 ;;
	esac
	name=sluice-$version-linux-$arch
	say "$name: library, for glibc $glibc"
	GOOS=linux GOARCH=$goarch
	export GOOS GOARCH
	cmake -S "$root" -B "$work/cmake-$arch" -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DCMAKE_INSTALL_LIBDIR=lib \
		"-DSLUICE_CC=sh '$root/capi/zigcc.sh' $arch-linux-gnu.$glibc" >"$work/$arch.log"
	cmake --build "$work/cmake-$arch" >>"$work/$arch.log" || { cat "$work/$arch.log" >&2; exit 1; }
	cmake --install "$work/cmake-$arch" --prefix "$work/$name" >>"$work/$arch.log"

	# The modules that are linked in, and Go's standard library. Without time and serial number: the commit is named.
	mkdir "$work/sboms-$arch"
	CGO_ENABLED=1 "$work/cyclonedx-gomod" app -json -notimestamp -noserial -std -main capi \
		-output "$work/sboms-$arch/sluice.cdx.json" "$root" 2>"$work/sbom-$arch.log" ||
		{ cat "$work/sbom-$arch.log" >&2; exit 1; }
	cp "$work/sboms-$arch/sluice.cdx.json" "$out/$name.cdx.json"
	pack "$out/$name.tar.gz" "$name"

	tag=manylinux_$(echo $glibc | tr . _)_$arch
	say "$name: wheel, $tag"
	(cd "$root" && SLUICE_LIBRARY="$work/cmake-$arch/lib/libsluice.so" SLUICE_SBOMS="$work/sboms-$arch" \
		"$PYTHON" -m build --wheel --no-isolation --outdir "$out" "-C--build-option=--plat-name=$tag" \
		>"$work/wheel-$arch.log" 2>&1) || { cat "$work/wheel-$arch.log" >&2; exit 1; }
done
unset GOOS GOARCH

say "source distribution"
(cd "$root" && "$PYTHON" -m build --sdist --no-isolation --outdir "$work/sdist" >"$work/sdist.log" 2>&1) ||
	{ cat "$work/sdist.log" >&2; exit 1; }
sdist=sluice_engine-$version
tar -C "$work" -xzf "$work/sdist/$sdist.tar.gz"
pack "$out/$sdist.tar.gz" "$sdist"

(cd "$out" && sha256sum -- * >"$work/sums" && mv "$work/sums" SHA256SUMS && cat SHA256SUMS)
