# The JSON-Schema-Test-Suite and MaskBench, every decision compared with tests/conformance/expected.
#
#   make conformance                      all of it, about half a minute, and a table
#   make conformance CONFORMANCE=draft7   one run; `-cases draft7` prints what does not pass; see tests/conformance/main.go
#   make conformance-update               accepts the changes, and prints them
#
# The data lies beside the checkout; without it both say so and succeed. `make test` runs the suite and a share of MaskBench.
.PHONY: conformance conformance-update

conformance:
	$(GO) run ./tests/conformance $(CONFORMANCE)

conformance-update:
	$(GO) run ./tests/conformance -update $(CONFORMANCE)
