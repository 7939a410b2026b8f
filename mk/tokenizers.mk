# The Rust library behind github.com/daulet/tokenizers, and the tests that need it.
#
#   make tokenizers-lib    builds build/tokenizers/libtokenizers.a from the Go module's own source, with cargo
#   make test-roundtrip    proves the bytes of every token against that library
#
# Neither is needed to build or use Sluice. Without cargo, or where cargo cannot fetch crates, both say so and succeed;
# REQUIRE_TOKENIZERS=1 makes that an error.

GO ?= go
TOKENIZERS_DIR := build/tokenizers
TOKENIZERS_LIB := $(TOKENIZERS_DIR)/libtokenizers.a

TESTS += test-roundtrip

.PHONY: tokenizers-lib test-roundtrip

tokenizers-lib:
	@GO='$(GO)' REQUIRE_TOKENIZERS='$(REQUIRE_TOKENIZERS)' sh mk/tokenizers.sh $(TOKENIZERS_DIR)

test-roundtrip: tokenizers-lib
	@if [ -f $(TOKENIZERS_LIB) ]; then \
		CGO_ENABLED=1 CGO_LDFLAGS="-L$(CURDIR)/$(TOKENIZERS_DIR)" $(GO) test -C tests/roundtrip -count=1 -tags tokenizers .; \
	else \
		echo "test-roundtrip: SKIPPED: $(TOKENIZERS_LIB) was not built, for the reason above"; \
	fi
