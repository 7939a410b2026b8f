# Platforms other than this one. docs/platforms.md says which are tested, built and unsupported.
#
#   make test-platforms   package core, without cgo: builds and vets with its tests for macOS and Windows,
#                         two minutes of processor time each the first time
#   make test-arm64       the library for aarch64 under qemu-user: C programs, the kernels for NEON, the Python tests
#
# Neither is a part of `make test`.
PLATFORMS ?= darwin/arm64 windows/amd64

.PHONY: test-platforms test-arm64
test-platforms:
	@set -e; for p in $(PLATFORMS); do \
		echo "core on $$p: go build, go vet"; \
		export GOOS=$${p%/*} GOARCH=$${p#*/} CGO_ENABLED=0; \
		$(GO) build ./core/...; $(GO) vet ./core/...; \
	done; echo "test-platforms: $(PLATFORMS) build, and their tests type-check"

test-arm64: $(DIST_VENV)/.done
	@GO='$(GO)' PYTHON='$(CURDIR)/$(DIST_VENV)/bin/python' sh mk/arm64.sh build/arm64
