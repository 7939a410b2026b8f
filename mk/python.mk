# `make test-torch`: rows and logits that are torch tensors, and the kernel in Triton under Triton's interpreter; on a GPU, where there is one. torch is 6 GB with its CUDA libraries, so this is no part of `make test`;
# an environment that has it is named by SLUICE_PEERS, else one is made under build/venv-torch.
TORCH_PYTHON := $(if $(SLUICE_PEERS),$(SLUICE_PEERS)/bin/python,build/venv-torch/bin/python)

.PHONY: test-torch
test-torch: lib $(TORCH_PYTHON)
	$(TORCH_PYTHON) bindings/python/tests_torch/check_torch.py
	$(TORCH_PYTHON) bindings/python/tests_torch/check_apply.py
	$(TORCH_PYTHON) bindings/python/tests_torch/check_gpu.py

build/venv-torch/bin/python:
	@$(PYTHON) -m venv build/venv-torch
	@build/venv-torch/bin/pip install --quiet --disable-pip-version-check torch numpy

# `make test-jax`: logits that are JAX arrays, in an environment of their own.
.PHONY: test-jax
test-jax: lib build/venv-jax/bin/python
	build/venv-jax/bin/python bindings/python/tests_jax/check_jax.py

build/venv-jax/bin/python:
	@$(PYTHON) -m venv build/venv-jax
	@build/venv-jax/bin/pip install --quiet --disable-pip-version-check jax numpy
