# `make capabilities` writes docs/CAPABILITIES.md from the tables of the front ends. A test compares.
.PHONY: capabilities
capabilities:
	$(GO) test ./core -run TestCapabilitiesPage -count=1 -update
