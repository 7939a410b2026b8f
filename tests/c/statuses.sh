#!/bin/sh
# Compares the statuses that sluice.h and its parts list under "returns", function by function, with those that the
# program `statuses` has provoked.
#
#   statuses.sh HEADER… PROGRAM
set -eu
header=
while [ $# -gt 1 ]; do
	header="$header $1"
	shift
done
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" | sed 's/^unseen //' | sort -u >"$work/seen"

# A comment's statuses belong to the functions that are declared between it and the next comment. "as sluice_x" adds
# the statuses of x, "as the call without try_" the statuses of the function's namesake.
awk '
	/^\/\*/ { listed = ""; whole = 0; same = ""; reading = 0 }
	/returns / { reading = 1 }
	/^ \* (threads|ownership|cost|since)/ { reading = 0 }
	reading {
		text = $0
		while (match(text, /SLUICE_(OK|E_[A-Z]+)/)) {
			listed = listed " " substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
		}
		if (match($0, /returns +as sluice_[a-z_]+/)) {
			same = substr($0, RSTART, RLENGTH)
			sub(/.* /, "", same)
		}
		if ($0 ~ /returns +as the call without try_/) whole = 1
	}
	/^sluice_status sluice_[a-z_]+\(/ {
		name = $2
		sub(/\(.*/, "", name)
		from = same
		if (whole) { from = name; sub(/_try_/, "_", from) }
		all = listed (from == "" ? "" : " " returns[from])
		returns[name] = all
		n = split(all, codes, " ")
		for (i = 1; i <= n; i++) print name, codes[i]
		if (n == 0) print name, "nothing"
	}
' $header | sort -u >"$work/listed"

if ! diff "$work/listed" "$work/seen" >"$work/difference"; then
	echo "statuses.sh: < is listed in $header and was not provoked, > was provoked and is not listed:" >&2
	cat "$work/difference" >&2
	exit 1
fi
echo "statuses.sh: $(wc -l <"$work/seen") statuses of $(cut -d' ' -f1 "$work/seen" | sort -u | wc -l) functions"
