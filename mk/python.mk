# `make test-torch`: rows that are torch tensors. torch is 6 GB with its CUDA libraries, so this is no part of `make test`;
# an environment that has it is named by SLUICE_PEERS, else one is made under build/venv-torch.
TORCH_PYTHON := $(if $(SLUICE_PEERS),$(SLUICE_PEERS)/bin/python,build/venv-torch/bin/python)

.PHONY: test-torch
test-torch: lib $(TORCH_PYTHON)
	$(TORCH_PYTHON) bindings/python/tests_torch/check_torch.py

build/venv-torch/bin/python:
	@$(PYTHON) -m venv build/venv-torch
	@build/venv-torch/bin/pip install --quiet --disable-pip-version-check torch numpy
