# The ABI beside the ABI of the release whose version the header has: capi/abi/abi.sh says how.
#
#   make abi-check   fails if an old program would no longer work; a part of `make test` if abidiff is installed
#   make abi         writes the files of capi/abi for a new release
TESTS += abi-check

.PHONY: abi abi-check
abi:
	@REQUIRE_ABI=1 sh capi/abi/abi.sh write

abi-check:
	@sh capi/abi/abi.sh check
