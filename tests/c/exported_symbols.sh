#!/bin/sh
# exported_symbols.sh LIBRARY HEADER: the library shows exactly the functions that the header and its parts declare.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
nm -D --defined-only "$1" | sed -n 's/.* T \([a-zA-Z_0-9]*\)@@.*/\1/p' | sort >"$scratch/shown"
grep -ho '^[a-z].*\bsluice_[a-z_0-9]*(' "$2" "${2%.h}"/*.h | sed 's/.*\(sluice_[a-z_0-9]*\)($/\1/' | sort >"$scratch/declared"
diff -u "$scratch/declared" "$scratch/shown" || {
	echo "the header declares what has '-', the library shows what has '+'" >&2
	exit 1
}
[ -s "$scratch/shown" ]
soname=$(readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[ "$soname" = "libsluice.so.$(sed -n 's/^#define SLUICE_ABI_VERSION //p' "$2")" ]
