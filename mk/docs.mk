# `make lint-prose`: vale with the rules in .vale over README.md and the pages. Its binary on PyPI and npm is downloaded
# from elsewhere when it is first run; the Go proxy has its sources. A version after 3.22 needs a commit of a library
# that the proxy does not have.
#
# docs/CAPABILITIES.md is made from the tables of the front ends.
VALE := $(GO) run github.com/vale-cli/vale/v3/cmd/vale@v3.22.0
PROSE := $(filter-out docs/CAPABILITIES.md,$(wildcard README.md SECURITY.md CONTRIBUTING.md \
  ARCHITECTURE.md RATIONALE.md PROOFS.md bindings/python/README.md docs/*.md))

LINTS += lint-prose
.PHONY: lint-prose
lint-prose:
	@$(PYTHON) .vale/tests/check.py $(VALE)
	@$(VALE) $(PROSE)

# `make docs`: the site in build/site, without a warning.
DOCS_VENV := build/venv-docs
TESTS += docs

.PHONY: docs docs-requirements
docs: $(DOCS_VENV)/.done
	@NO_MKDOCS_2_WARNING=1 PATH="$(CURDIR)/$(DOCS_VENV)/bin:$$PATH" GO='$(GO)' $(DOCS_VENV)/bin/mkdocs build --strict --clean -f site/mkdocs.yml
	@echo "built build/site/index.html"

$(DOCS_VENV)/.done: site/requirements.txt
	@rm -rf $(DOCS_VENV)
	@$(PYTHON) -m venv $(DOCS_VENV)
	@$(DOCS_VENV)/bin/pip install --quiet --disable-pip-version-check --require-hashes -r $<
	@touch $@

# Pins anew what site/requirements.in names, with hashes.
docs-requirements:
	@$(PYTHON) -m venv build/venv-pins
	@build/venv-pins/bin/pip install --quiet --disable-pip-version-check uv==0.13.9
	build/venv-pins/bin/uv pip compile --quiet --upgrade --generate-hashes --universal --python-version 3.11 --no-header \
	  --no-emit-index-url -o site/requirements.txt site/requirements.in
