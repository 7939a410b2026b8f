# The verbs of this repository. Nothing has to be typed before any of them on a machine with Go, a C and C++ compiler,
# CMake and Python 3: what else they need they put into build/.
#
#   make lib      build/libsluice.so (and its soname link)
#   make demo     four constraints, compiled and generated from Python
#   make quick    archtest, the tests of the engine's rooms and the cases, in a minute
#   make test     everything that must pass
#   make lint     formatters and linters, versions pinned; `make lint-prose` is vale over the pages (mk/docs.mk)
#   make docs     the site in build/site, with references of Python, C and Go
#   make dump     the result of every stage for a constraint, and why a token may come next or not (mk/dump.mk)
#   make bench    Sluice beside its peers
#   make lab      the laboratory: searches and measurements by name (mk/lab.mk)
#   make fmt      lets the formatters write
#   make install  through CMake, under PREFIX (/usr/local); `make uninstall` removes the files of the last one
#   make dist     wheels, archives and a source distribution in dist/ (mk/dist.mk); `make release-check` checks them
#   make clean
#
# Fragments in mk/ add verbs and append to TESTS and LINTS.
.DEFAULT_GOAL := lib
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

GO ?= go
PYTHON ?= python3
PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# Everything that `make test` and `make lint` run, in this order.
TESTS := test-go test-pure test-race test-c test-python
LINTS := lint-go lint-c lint-python lint-shell

VENV := build/venv
CMAKE_BUILD := build/cmake

include $(sort $(wildcard mk/*.mk))

# ---- build ----

.PHONY: lib
lib:
	@GO='$(GO)' sh capi/build.sh build
	@echo "built build/libsluice.so ($$(du -h build/libsluice.so.[0-9]* | cut -f1))"

# The tools that Python code here is run and checked with. The stamp names the pins, so that a change of them shows.
$(VENV)/.done: tests/requirements.txt
	@rm -rf $(VENV)
	@$(PYTHON) -m venv $(VENV)
	@$(VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.PHONY: cmake-build install uninstall
cmake-build:
	@cmake -S . -B $(CMAKE_BUILD) -DCMAKE_BUILD_TYPE=Release -DSLUICE_STATIC=ON >/dev/null
	@cmake --build $(CMAKE_BUILD) --parallel $(JOBS)

# An installation builds no tests. STATIC=1 installs libsluice.a as well.
CMAKE_INSTALL := build/cmake-install
install:
	@cmake -S . -B $(CMAKE_INSTALL) -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX='$(PREFIX)' \
		-DSLUICE_STATIC=$(if $(STATIC),ON,OFF) >/dev/null
	@cmake --build $(CMAKE_INSTALL)
	@cmake --install $(CMAKE_INSTALL)
	@sh mk/installed.sh $(CMAKE_INSTALL)

uninstall:
	@sh mk/installed.sh $(CMAKE_INSTALL) uninstall

# ---- test ----

.PHONY: test test-go test-pure test-race test-c test-python
test: $(TESTS)
	@echo "make test: all of $(TESTS)"

# The inner loop: the tests that an edit of the engine breaks first. `go test` answers from its cache for packages that are as before.
ROOMS := $(addprefix ./core/internal/,terminal/... rewrite pushdown tokentrie tokenset mask)
.PHONY: quick
quick:
	$(GO) test -short ./core/internal/archtest $(ROOMS)
	$(GO) test -short -run 'TestCases' ./core

# go test alone prints why a test is skipped only with -v, and then all else too.
GOTESTSUM := $(GO) run gotest.tools/gotestsum@v1.13.0 --format pkgname-and-test-fails
test-go:
	$(GOTESTSUM) -- -timeout 30m ./...

# core works without cgo: all of it builds, and its public package passes its tests. No file there is for cgo alone
# or for its absence, so that the packages below are the same that test-go has tested.
test-pure:
	CGO_ENABLED=0 $(GO) vet ./core/...
	CGO_ENABLED=0 $(GO) test -short -timeout 30m ./core

# Packages with several goroutines: core, and below it the tests that use several. -short leaves out long tests on one
# (testkit.Alone), because that has no races, and under the detector they take ten times as long; so do the cases.
RACE := CGO_ENABLED=1 $(GO) test -race -short -timeout 30m
test-race:
	$(RACE) -skip '^TestCases$$' ./core ./core/internal/cache ./capi/internal/handle ./capi/internal/pipes
	$(RACE) -run 'Concurrent|TestDeterminism$$' ./core/internal/enginetest ./core/internal/limittest ./core/internal/mask

test-c: cmake-build
	ctest --test-dir $(CMAKE_BUILD) --output-on-failure

test-python: lib $(VENV)/.done
	cd bindings/python && ../../$(VENV)/bin/python -m pytest -q

# ---- demo ----

.PHONY: demo
demo: lib $(VENV)/.done
	@$(VENV)/bin/python tests/demo $(DEMO)

# ---- lint ----

GOFUMPT := $(GO) run mvdan.cc/gofumpt@v0.12.0
STATICCHECK := $(GO) run honnef.co/go/tools/cmd/staticcheck@v0.8.2
C_FILES = $(wildcard include/*.h include/*.hpp include/sluice/*.h include/sluice/*.hpp cpu/*.c cpu/*.h $(CUDA_C_FILES) capi/*.c capi/*.h tests/c/*.c tests/c/*.h tests/c/*.cpp tests/c/consumer/*.c tests/bench/*.c)

.PHONY: lint lint-go lint-c lint-python lint-shell fmt
lint: $(LINTS)
	@echo "make lint: all of $(LINTS)"

lint-go:
	@unformatted=$$($(GOFUMPT) -l .) || exit 1; if [ -n "$$unformatted" ]; then echo "not formatted (make fmt):"; echo "$$unformatted"; exit 1; fi
	$(GO) vet ./...
	$(STATICCHECK) ./...

lint-c: $(VENV)/.done
	$(VENV)/bin/clang-format --dry-run -Werror $(C_FILES)

lint-python: $(VENV)/.done
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(MAKE) lint-types

lint-shell:
	@for f in capi/*.sh capi/abi/*.sh tests/c/*.sh $(wildcard mk/*.sh); do sh -n $$f || exit 1; done; bash -n .ci/run

fmt: $(VENV)/.done
	$(GOFUMPT) -w .
	$(VENV)/bin/clang-format -i $(C_FILES)
	$(VENV)/bin/ruff check --fix .
	$(VENV)/bin/ruff format .

.PHONY: clean
clean:
	rm -rf build dist
