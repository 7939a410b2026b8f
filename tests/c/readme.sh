#!/bin/sh
# readme.sh ROOT LIBRARY: the C and Go programs of the pages in docs compile without a warning and run.
set -eu
root=$1
library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# block PAGE LANGUAGE: the first fenced block of that language.
block() {
	awk -v fence="\`\`\`$2" -v number=1 '
		inside && /^```$/ { inside = 0 }
		inside && count == number { print }
		$0 == fence { inside = 1; count++ }' "$root/docs/$1.md"
}
block c c >"$scratch/example.c"
block masks c >"$scratch/apply.c"
block go go >"$scratch/example.go"
[ -s "$scratch/example.c" ] && [ -s "$scratch/apply.c" ] && [ -s "$scratch/example.go" ]

cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$root/include" -o "$scratch/example" "$scratch/example.c" "$library" \
	"-Wl,-rpath,$(dirname "$library")"
"$scratch/example" "$root/tests/data/tokenizer.json.gz"
cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$root/include" -o "$scratch/apply" "$scratch/apply.c" "$library" \
	"-Wl,-rpath,$(dirname "$library")"
"$scratch/apply"
cd "$root"
"${GO:-go}" run "$scratch/example.go"
