# Differential fuzzing of Lark grammars against the PyPI package lark: tests/larkfuzz/__main__.py says how.
#
#   make fuzz-lark                      an hour; TIME=600 for ten minutes, SEED=7 to choose where it begins
#   make fuzz-lark LARK="--only 7:12"   one round again
#   make test-fuzz-lark                 half a minute, always the same grammars

TESTS += test-fuzz-lark

.PHONY: fuzz-lark test-fuzz-lark
fuzz-lark: lib $(VENV)/.done
	$(VENV)/bin/python tests/larkfuzz $(if $(LARK),$(LARK),--time $(TIME)) $(if $(SEED),--seed $(SEED))

test-fuzz-lark: lib $(VENV)/.done
	$(VENV)/bin/python tests/larkfuzz --grammars 40
