#!/bin/sh
# The classes of sluice.hpp reach every function of sluice.h and its parts, and each header can be included first.
#
#   classes.sh INCLUDE
set -eu
include=$1
missing=0
for function in $(grep -ho '^[a-z].*\bsluice_[a-z_0-9]*(' "$include/sluice.h" "$include"/sluice/*.h |
	sed 's/.*\(sluice_[a-z_0-9]*\)($/\1/' | sort -u); do
	cat "$include/sluice.hpp" "$include"/sluice/*.hpp | grep -q "\b$function\b" || { echo "sluice.hpp has no class for $function" >&2; missing=1; }
done
for header in "$include"/*.hpp "$include"/sluice/*.hpp; do
	c++ -std=c++17 -Wall -Wextra -Werror -I"$include" -fsyntax-only -x c++ -include "$header" /dev/null || missing=1
done
for header in "$include"/*.h "$include"/sluice/*.h; do
	cc -std=c99 -pedantic -Wall -Wextra -Werror -I"$include" -fsyntax-only -x c -include "$header" /dev/null || missing=1
done
exit $missing
