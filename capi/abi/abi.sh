#!/bin/sh
# abi.sh write|check: the ABI of this checkout, as libabigail sees it, into capi/abi/sluice-<release>.xml, or compared with
# the committed file: functions and symbol versions, types of parameters, layouts of structs.
#
# Every function of the header is defined in C (capi/entry.c, cpu, cuda), so these files alone, compiled with debug
# information, have the ABI of the library; the test exported_symbols shows that the library exports the same functions.
# Go's own debug information would add thousands of types. Enums are no function's parameters, so libabigail does not see
# them: sluice-<release>.values has each constant of the headers with its value.
#
# "check" fails for every difference but new functions and structs that grow at their end as capi/abi/allowed.ini says.
# It needs Debian's package abigail-tools, says so without it, and succeeds then unless REQUIRE_ABI=1.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
release=$(sed -n 's/^#define SLUICE_VERSION "\([0-9]*\.[0-9]*\)\..*"/\1/p' "$root/include/sluice.h")
soname=libsluice.so.$(sed -n 's/^#define SLUICE_ABI_VERSION //p' "$root/include/sluice.h")
committed=$root/capi/abi/sluice-$release.xml

if ! command -v abidw >/dev/null 2>&1 || ! command -v abidiff >/dev/null 2>&1; then
	echo "abi: SKIPPED: abidw and abidiff are not on the PATH (Debian: abigail-tools)" >&2
	[ "${REQUIRE_ABI:-0}" != 1 ]
	exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -shared -fPIC -g -O0 -std=gnu11 -fdebug-prefix-map="$root/=" -I"$root/include" -Wl,-soname,"$soname" \
	-Wl,--version-script="$root/capi/libsluice.map" "$root"/capi/entry.c "$root"/cpu/*.c "$root"/cuda/*.c \
	-o "$scratch/$soname"
abidw --headers-dir "$root/include" --drop-private-types --exported-interfaces-only --no-corpus-path \
	--no-comp-dir-path --no-show-locs --no-elf-needed --no-parameter-names --no-write-default-sizes \
	--type-id-style hash "$scratch/$soname" >"$scratch/abi.xml"
grep -ohE '\bSLUICE_[A-Z0-9_]+ = [^,/}]*[^,/} ]' "$root"/include/*.h "$root"/include/sluice/*.h | LC_ALL=C sort >"$scratch/values"

case ${1:?usage: abi.sh write|check} in
write)
	mv "$scratch/abi.xml" "$committed"
	mv "$scratch/values" "${committed%.xml}.values"
	echo "abi: wrote $committed"
	;;
check)
	[ -f "$committed" ] || { echo "abi: $committed is missing: 'make abi' writes it for a new release" >&2; exit 1; }
	if ! abidiff --no-added-syms --suppressions "$root/capi/abi/allowed.ini" "$committed" "$scratch/abi.xml"; then
		echo "abi: the header no longer agrees with release $release: undo it, or make a new ABI version" >&2
		exit 1
	fi
	gone=$(LC_ALL=C comm -23 "${committed%.xml}.values" "$scratch/values")
	if [ -n "$gone" ]; then
		printf 'abi: constants of release %s that the headers no longer have with these values:\n%s\n' "$release" "$gone" >&2
		exit 1
	fi
	echo "abi: agrees with release $release"
	;;
*)
	echo "usage: abi.sh write|check" >&2
	exit 1
	;;
esac
