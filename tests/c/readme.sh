#!/bin/sh
# readme.sh ROOT LIBRARY: the C and Go programs of README.md compile without a warning and run.
set -eu
root=$1
library=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# block LANGUAGE: the first fenced block of that language.
block() {
	sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/{/^\`\`\`/!p;/^\`\`\`\$/q}" "$root/README.md"
}
block c >"$scratch/example.c"
block go >"$scratch/example.go"
[ -s "$scratch/example.c" ] && [ -s "$scratch/example.go" ]

cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$root/include" -o "$scratch/example" "$scratch/example.c" "$library" \
	"-Wl,-rpath,$(dirname "$library")"
"$scratch/example" "$root/tests/data/tokenizer.json.gz"
cd "$root"
"${GO:-go}" run "$scratch/example.go"
