# Differential fuzzing of JSON Schema against the PyPI package jsonschema: tests/fuzz/__main__.py says how.
#
#   make fuzz-schema                      an hour; TIME=600 for ten minutes, SEED=7 to choose where it begins
#   make fuzz-schema FUZZ="--only 7:12"   one round again
#   make test-fuzz-schema                 half a minute, always the same schemas
TIME ?= 3600

TESTS += test-fuzz-schema

.PHONY: fuzz-schema test-fuzz-schema
fuzz-schema: lib $(VENV)/.done
	$(VENV)/bin/python tests/fuzz $(if $(FUZZ),$(FUZZ),--time $(TIME)) $(if $(SEED),--seed $(SEED))

test-fuzz-schema: lib $(VENV)/.done
	$(VENV)/bin/python -m pytest -q tests/fuzz
	$(VENV)/bin/python tests/fuzz --schemas 3000
