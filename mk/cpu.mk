# `make bench-apply`: what applying masks costs from C, by level; BENCH="128256 1 64" names vocabulary and rows.
.PHONY: bench-apply
bench-apply: lib
	@$(CC) -std=c99 -O3 -Wall -Wextra -Iinclude tests/bench/apply.c -o build/bench-apply -Lbuild -l:libsluice.so '-Wl,-rpath,$(CURDIR)/build'
	@build/bench-apply $(BENCH)
