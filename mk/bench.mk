# `make bench`: the native benchmark always, the peers' harness where ../shared is. BENCH="--native --sample 0" and so on
# are handed to tests/bench/bench.py; see its --help.
.PHONY: bench
bench: lib
	python3 tests/bench/bench.py $(BENCH)
