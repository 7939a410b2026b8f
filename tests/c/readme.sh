#!/bin/sh
# readme.sh ROOT LIBRARY: the C, C++ and Go programs of the pages in docs compile without a warning and run. Each gets a
# tokenizer's file as its argument.
set -eu
root=$1
library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# blocks PAGE LANGUAGE ENDING: each fenced block of that language becomes a file PAGE-NUMBER.ENDING.
blocks() {
	awk -v fence="\`\`\`$2" -v to="$scratch/$(basename "$1" .md)-" -v ending="$3" '
		inside && /^```$/ { inside = 0; close(file) }
		inside { print >file }
		$0 == fence { inside = 1; file = to (++count) "." ending }' "$1"
}
for page in "$root"/docs/*.md; do
	blocks "$page" c c
	blocks "$page" cpp cpp
	blocks "$page" go go
done

run() {
	echo "$(basename "$1")"
	"$@" "$root/tests/data/tokenizer.json.gz"
}
flags="-pedantic -Wall -Wextra -Werror -I$root/include"
libraries="$library -Wl,-rpath,$(dirname "$library") -lpthread"
for file in "$scratch"/*.c "$scratch"/*.cpp; do
	# shellcheck disable=SC2086
	case $file in
	*.c) cc -std=c99 $flags -o "$file.run" "$file" $libraries ;;
	*.cpp) c++ -std=c++17 $flags -o "$file.run" "$file" $libraries ;;
	esac
	run "$file.run"
done
cd "$root"
for file in "$scratch"/*.go; do
	"${GO:-go}" run "$file"
done
ls "$scratch"/c-1.c "$scratch"/c-1.cpp "$scratch"/masks-1.c "$scratch"/batches-1.cpp "$scratch"/go-1.go >/dev/null
