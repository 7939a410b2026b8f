#!/bin/sh
# readme.sh ROOT LIBRARY: the C and Go programs of README.md compile without a warning and run.
set -eu
root=$1
library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# block LANGUAGE NUMBER: a fenced block of that language, counted from 1.
block() {
	awk -v fence="\`\`\`$1" -v number="$2" '
		inside && /^```$/ { inside = 0 }
		inside && count == number { print }
		$0 == fence { inside = 1; count++ }' "$root/README.md"
}
block c 1 >"$scratch/example.c"
block c 2 >"$scratch/apply.c"
block go 1 >"$scratch/example.go"
[ -s "$scratch/example.c" ] && [ -s "$scratch/apply.c" ] && [ -s "$scratch/example.go" ]

cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$root/include" -o "$scratch/example" "$scratch/example.c" "$library" \
	"-Wl,-rpath,$(dirname "$library")"
"$scratch/example" "$root/tests/data/tokenizer.json.gz"
cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$root/include" -o "$scratch/apply" "$scratch/apply.c" "$library" \
	"-Wl,-rpath,$(dirname "$library")"
"$scratch/apply"
cd "$root"
"${GO:-go}" run "$scratch/example.go"
