#!/bin/sh
# zigcc.sh TARGET ARGUMENTS…: zig's C compiler for TARGET, as in x86_64-linux-gnu.2.28, whose last part is the glibc
# that the result needs at most. Set CC to "sh capi/zigcc.sh TARGET"; ZIG names the zig command ("python3 -m ziglang", which
# is PyPI's).
#
# Left out are flags that zig's linker refuses. Go's linker and go-nvml pass them to export all symbols and to accept
# undefined ones; capi/build.sh sets the opposite of both.
set -eu
target=$1
shift
for argument; do
	shift
	case $argument in
	-rdynamic | -Wl,--export-dynamic | -Wl,--unresolved-symbols=*) ;;
	*) set -- "$@" "$argument" ;;
	esac
done
# shellcheck disable=SC2086 # ZIG is a command with its arguments
exec ${ZIG:-python3 -m ziglang} cc -target "$target" "$@"
