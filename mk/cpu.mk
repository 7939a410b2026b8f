# `make test-neon`: the kernels for 64-bit ARM, cross-compiled and run under qemu where this machine is another one. It
# needs aarch64-linux-gnu-gcc and qemu-aarch64 (Debian: gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user), says so
# where they are missing, and is no part of `make test`. On such a machine itself `make test` tests them.
NEON_CC ?= aarch64-linux-gnu-gcc
NEON_RUN ?= qemu-aarch64

.PHONY: test-neon
test-neon:
	@if command -v $(NEON_CC) >/dev/null && command -v $(NEON_RUN) >/dev/null; then \
		set -e; mkdir -p build/neon; \
		echo 'const char *sluice_status_name(int s); const char *sluice_status_name(int s) { return s == 0 ? "ok" : "not ok"; }' >build/neon/name.c; \
		for test in apply apply_calls; do \
			$(NEON_CC) -std=gnu11 -O2 -Wall -Wextra -Werror -static -Iinclude tests/c/$$test.c cpu/*.c build/neon/name.c -o build/neon/$$test -lpthread; \
		done; \
		$(NEON_RUN) build/neon/apply 1 300; \
		$(NEON_RUN) build/neon/apply_calls; \
		echo "test-neon: passed"; \
	else \
		echo "test-neon: SKIPPED: $(NEON_CC) or $(NEON_RUN) is not on the PATH"; \
	fi

# `make bench-apply`: what applying masks costs from C, by level; BENCH="128256 1 64" names vocabulary and rows.
.PHONY: bench-apply
bench-apply: lib
	@$(CC) -std=c99 -O3 -Wall -Wextra -Iinclude tests/bench/apply.c -o build/bench-apply -Lbuild -l:libsluice.so '-Wl,-rpath,$(CURDIR)/build'
	@build/bench-apply $(BENCH)
