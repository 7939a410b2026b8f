# The Python package: its types for type checkers, and Python types as constraints.
#
#   make lint-types                      mypy and pyright find nothing, and every public name has a whole type;
#                                        part of make lint-python
#   make test-types TYPES=1000 SEED=0    so many random types compile, an output is generated with random logits, and
#                                        an object of the type is constructed from it. make test-python does so for 60
TYPES ?= 1000

PYTHON_BIN := $(CURDIR)/$(VENV)/bin

.PHONY: lint-types test-types
lint-types: $(VENV)/.done
	cd bindings/python && $(PYTHON_BIN)/mypy
	cd bindings/python && PATH='$(PYTHON_BIN)':$$PATH pyright --warnings
	cd bindings/python && PATH='$(PYTHON_BIN)':$$PATH PYTHONPATH=. pyright --verifytypes sluice --ignoreexternal

test-types: lib $(VENV)/.done
	$(VENV)/bin/python -W ignore bindings/python/tests/random_types.py --types $(TYPES) $(if $(SEED),--seed $(SEED))
