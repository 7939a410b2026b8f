# `make bench`: the native benchmark always, the peers' harness where ../shared is. BENCH="--native --sample 0" and so on
# are handed to tests/bench/bench.py; see its --help.
.PHONY: bench
bench: lib
	python3 tests/bench/bench.py $(BENCH)

# What the steps of a scheduler cost from Python: known states and new ones, drafts, two threads, beside a thread that
# hogs the interpreter lock. STEPS="--only threads" and so on; see --help.
.PHONY: bench-steps
bench-steps: lib $(VENV)/.done
	$(VENV)/bin/python tests/bench/steps.py $(STEPS)

# Long lists of strings, beside LLGuidance where SLUICE_PEERS names an environment that has it. LISTS="--sizes 1000"; see
# --help.
.PHONY: bench-lists
bench-lists: lib $(VENV)/.done
	$(if $(SLUICE_PEERS),$(SLUICE_PEERS)/bin/python,$(VENV)/bin/python) tests/bench/lists.py $(LISTS)
