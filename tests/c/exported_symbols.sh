#!/bin/sh
# exported_symbols.sh LIBRARY HEADER [ARCHIVE]: the library, and the archive if there is one, show exactly the functions
# that the header and its parts declare, each with the symbol version of the release in which it was new.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# "name release", by the symbol versions of the library and by the "since" of the comment above a function.
nm -D --defined-only "$1" | sed -n 's/.* T \([a-zA-Z_0-9]*\)@@SLUICE_\(.*\)/\1 \2/p' | sort >"$scratch/shown"
awk '
	FNR == 1 { since = "none" }
	match($0, /since [0-9]+\.[0-9]+/) { since = substr($0, RSTART + 6, RLENGTH - 6) }
	/^[a-z].* \**sluice_[a-z_0-9]*\(/ { match($0, /sluice_[a-z_0-9]*\(/); print substr($0, RSTART, RLENGTH - 1), since }
' "$2" "${2%.h}"/*.h | sort >"$scratch/declared"
diff -u "$scratch/declared" "$scratch/shown" || {
	echo "the header declares the functions with '-', the library shows those with '+': see capi/libsluice.map" >&2
	exit 1
}
[ -s "$scratch/shown" ]
if [ -n "${3:-}" ]; then
	sed 's/ .*//' "$scratch/declared" >"$scratch/names"
	nm -g --defined-only "$3" | sed -n 's/.* [A-Z] \(.*\)/\1/p' | sort | diff -u "$scratch/names" - || {
		echo "the header declares the functions with '-', the archive shows those with '+'" >&2
		exit 1
	}
fi
soname=$(readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libsluice.so.$(sed -n 's/^#define SLUICE_ABI_VERSION //p' "$2")" ]
