# The files of a release, in dist/: wheels and archives for x86-64 and aarch64, a source distribution, bills of materials.
#
#   make dist            all of it from the checkout, some five minutes the first time
#   make dist DIST_ARCHES=x86_64
#   make release-check   dist twice from clean clones, byte for byte the same, and every check before a release
#   make vulncheck       known vulnerabilities of modules and tools; needs the network
#   make pins            writes the requirements files with hashes from their .in files
#
# docs/releasing.md describes dist/ and its checks.
DIST_ARCHES ?= x86_64 aarch64
DIST_VENV := build/venv-dist

$(DIST_VENV)/.done: mk/requirements-dist.txt
	@rm -rf $(DIST_VENV)
	@$(PYTHON) -m venv $(DIST_VENV)
	@$(DIST_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

.PHONY: dist
dist: $(DIST_VENV)/.done
	@GO='$(GO)' PYTHON='$(CURDIR)/$(DIST_VENV)/bin/python' sh mk/dist.sh dist $(DIST_ARCHES)

.PHONY: release-check
release-check: $(DIST_VENV)/.done
	@$(DIST_VENV)/bin/python mk/release_check.py

# Versions and hashes of everything that a virtual environment here installs, for every Python from 3.11 on; uv reads
# markers of all of them. --no-deps: neither of CUDA's packages needs the rest of CUDA.
PINS = $(DIST_VENV)/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate \
	--custom-compile-command 'make pins'
.PHONY: pins
pins: $(DIST_VENV)/.done
	$(PINS) mk/requirements-dist.in -o mk/requirements-dist.txt
	$(PINS) tests/requirements.in -o tests/requirements.txt
	$(PINS) --no-deps cuda/requirements.in -o cuda/requirements.txt

# Known vulnerabilities of the modules and of Go, and of the Python tools. It asks the databases of vuln.go.dev and PyPI, so
# it needs the network and is no part of `make test`.
GOVULNCHECK := $(GO) run golang.org/x/vuln/cmd/govulncheck@v1.9.0
.PHONY: vulncheck
vulncheck: $(DIST_VENV)/.done
	$(GOVULNCHECK) ./core/... ./capi/...
	@for f in tests cuda; do \
		echo "pip-audit: $$f/requirements.txt"; \
		$(DIST_VENV)/bin/pip-audit --disable-pip --require-hashes -r $$f/requirements.txt || exit 1; \
	done
