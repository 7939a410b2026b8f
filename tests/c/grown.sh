#!/bin/sh
# Builds the library from a header whose structs have all grown by a member, as a later version's will, and shows that
# programs compiled before work with it; and that programs compiled with that header work with the library of today.
#
#   grown.sh CHECKOUT LIBRARY PROGRAMS
#
# LIBRARY is today's libsluice.so, PROGRAMS the folder of the programs that CMake built with today's header.
set -eu
root=$1 library=$2 programs=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir "$work/tree"
(cd "$root" && tar -cf - go.mod go.sum include capi cpu cuda core) | (cd "$work/tree" && tar -xf -)
grown=$work/tree/include
for header in "$grown/sluice.h" "$grown"/sluice/*.h; do
	awk '
		/^typedef struct sluice_/ { inside = 1; sized = 0 }
		inside && /struct_size/ { sized = 1 }
		inside && /^} sluice_/ { if (sized) print "  uint64_t grown;"; inside = 0 }
		{ print }
	' "$header" >"$work/header"
	sed 's/^#define SLUICE_VERSION ".*"/#define SLUICE_VERSION "grown"/' "$work/header" >"$header"
done
test "$(cat "$grown"/*.h "$grown"/sluice/*.h | grep -c 'uint64_t grown;')" -ge 16

sh "$work/tree/capi/build.sh" "$work/new" >/dev/null
for program in structs generate constraints mask_key random_calls; do
	LD_LIBRARY_PATH="$work/new" "$programs/$program" $([ "$program" != structs ] || echo grown) >/dev/null ||
		{ echo "grown.sh: $program of today fails with the library of tomorrow" >&2; exit 1; }
done

folder=$(dirname "$library")
for program in errors generate constraints mask_key; do
	"${CC:-cc}" -std=gnu99 -I"$grown" "$root/tests/c/$program.c" -o "$work/$program" -L"$folder" -l:libsluice.so.1 -lpthread
	LD_LIBRARY_PATH="$folder" "$work/$program" >/dev/null ||
		{ echo "grown.sh: $program of tomorrow fails with the library of today" >&2; exit 1; }
done
echo "grown.sh: old programs and new ones agree"
