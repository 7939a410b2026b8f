# `make bench`: Sluice beside its peers on the committed sample of MaskBench and BFCL. It makes build/venv-bench, of 6 GB
# because XGrammar needs torch; BENCH="--small" needs no peers. See tests/bench/bench.py --help.
.PHONY: bench bench-data bench-table bench-figures bench-drafts
bench: lib
	$(PYTHON) tests/bench/bench.py $(BENCH)

# The whole sets, from their sources, into build/bench-data: BENCH_DATA="--out DIR".
bench-data: $(VENV)/.done
	$(VENV)/bin/python tests/bench/fetch.py $(BENCH_DATA)

# The tables of README.md and docs/benchmarks.md, and the figures, from the JSON files in tests/bench/results.
bench-table:
	$(PYTHON) tests/bench/tables.py

bench-figures:
	$(PYTHON) tests/bench/figures.py

# Forced tokens and drafts along BFCL in six layouts, with the tokenizer of Llama 3.1. Other tokenizers and MaskBench:
# `make lab NAME=drafts`.
bench-drafts:
	$(GO) run ./tests/lab/drafts -tokenizers llama3_1 -share 45 -precision 98 $(ARGS)
	$(GO) test ./core -run '^$$' -bench ForcedTokens
