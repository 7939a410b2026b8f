# What is released, in dist/: wheels and archives for x86-64 and aarch64, a source distribution, bills of materials.
#
#   make dist            all of it from the checkout, some five minutes the first time
#   make dist DIST_ARCHES=x86_64
#   make pins            writes the requirements files with hashes from their .in files
#
# docs/releasing.md says what is in dist/ and how it is checked.
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
