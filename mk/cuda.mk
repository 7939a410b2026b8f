# The kernels for NVIDIA GPUs.
#
#   make ptx         cuda/apply.ptx from cuda/apply.cu, with NVRTC; no GPU and no CUDA toolkit is needed
#   make lint-ptx    the committed file is the output, and ptxas assembles it for every architecture
#   make test-cuda   the tests that need a GPU; says so and succeeds without one
#
# The tests without a GPU are part of `make test-c`: the kernels' own code as C++, and the loader against a driver of ours.

LINTS += lint-ptx

# Further files for clang-format.
CUDA_C_FILES = cuda/*.c cuda/*.h cuda/*.cu cuda/*.cuh capi/internal/devices/*.c capi/internal/devices/bind.h \
	tests/cuda/*.c tests/cuda/*.h tests/cuda/*.hpp tests/cuda/*.cpp

PTX_VENV := build/venv-ptx

.PHONY: ptx lint-ptx test-cuda

$(PTX_VENV)/.done: cuda/requirements.txt
	@rm -rf $(PTX_VENV)
	@$(PYTHON) -m venv $(PTX_VENV)
	@$(PTX_VENV)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

ptx: $(PTX_VENV)/.done
	$(PTX_VENV)/bin/python cuda/ptx.py

lint-ptx: $(PTX_VENV)/.done
	$(PTX_VENV)/bin/python cuda/ptx.py --check --ptxas

test-cuda: cmake-build
	sh mk/test_cuda.sh $(CMAKE_BUILD)
