#!/bin/sh
# installed.sh CMAKE BUILD CONSUMER: installs BUILD under a prefix of its own and builds CONSUMER against it, once with
# find_package and, if pkg-config is installed, with pkg-config.
set -eu
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"$1" --install "$2" --prefix "$scratch/prefix" >/dev/null
"$1" -S "$3" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
"$1" --build "$scratch/build" >/dev/null
"$scratch/build/consumer"
if [ -n "$(find "$scratch/prefix" -name libsluice.a)" ]; then
	"$scratch/build/consumer_static"
	! ldd "$scratch/build/consumer_static" | grep sluice || { echo "consumer_static needs the shared library" >&2; exit 1; }
fi
for text in LICENSE THIRD_PARTY.md; do
	[ -s "$scratch/prefix/share/licenses/sluice/$text" ] || { echo "$text was not installed" >&2; exit 1; }
done

if command -v pkg-config >/dev/null 2>&1; then
	PKG_CONFIG_PATH=$(dirname "$(find "$scratch/prefix" -name sluice.pc)")
	export PKG_CONFIG_PATH
	# shellcheck disable=SC2046 # flags are words
	cc -o "$scratch/with_pkg_config" "$3/consumer.c" $(pkg-config --cflags --libs sluice)
	LD_LIBRARY_PATH=$(pkg-config --variable=libdir sluice) "$scratch/with_pkg_config"
else
	echo "pkg-config is not installed: sluice.pc was not tried"
fi
