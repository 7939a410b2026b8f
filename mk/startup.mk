# `make bench-startup`: what loading the library, reading a tokenizer and making a compiler cost, in CPU time.
# TOKENIZERS="a.json b.json" names other files than the committed one.
TOKENIZERS ?= tests/data/tokenizer.json.gz

.PHONY: bench-startup
bench-startup: lib
	@$(CC) -std=c99 -O2 -Wall -Wextra -Iinclude tests/bench/startup.c -o build/bench-startup -Lbuild -l:libsluice.so '-Wl,-rpath,$(CURDIR)/build'
	@build/bench-startup $(TOKENIZERS)
