#!/bin/sh
# test_cuda.sh BUILD: runs the programs of tests/cuda that want a GPU, which CMake has put into BUILD, with the machine's own
# driver, and again below compute-sanitizer if that is there. Without a GPU it says why and succeeds;
# REQUIRE_CUDA=1 makes that a failure.
set -eu
build=${1:?usage: test_cuda.sh BUILD}
programs=$build/tests/cuda
# The programs may have been linked on another machine.
LD_LIBRARY_PATH=$build/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH

"$programs/devices"
status=0
"$programs/cuda_forms" 20000 || status=$?
if [ "$status" = 77 ]; then
	echo "test-cuda: SKIPPED, for the reason above"
	[ -z "${REQUIRE_CUDA:-}" ] || exit 1
	exit 0
fi
[ "$status" = 0 ] || exit "$status"
"$programs/cuda_pool" 30000

sanitizer=$(command -v compute-sanitizer || true)
if [ -z "$sanitizer" ]; then
	echo "test-cuda: compute-sanitizer is not on the path: the runs above are all there is"
	exit 0
fi
# The tests make calls that the driver must refuse, which is no error.
check() {
	"$sanitizer" --report-api-errors no --error-exitcode 1 --tool "$@"
}
for tool in memcheck initcheck; do
	check "$tool" "$programs/cuda_forms" 300
	check "$tool" "$programs/cuda_pool" 1000
done
