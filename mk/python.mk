# `make lint-types`, a part of `make lint-python`: mypy and pyright find nothing, and every public name has a whole type.
PYTHON_BIN := $(CURDIR)/$(VENV)/bin

.PHONY: lint-types
lint-types: $(VENV)/.done
	cd bindings/python && $(PYTHON_BIN)/mypy
	cd bindings/python && PATH='$(PYTHON_BIN)':$$PATH pyright --warnings
	cd bindings/python && PATH='$(PYTHON_BIN)':$$PATH PYTHONPATH=. pyright --verifytypes sluice --ignoreexternal
