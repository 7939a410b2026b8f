# How much code the engine is: bytes without comments and blank lines, a package a line. Second opinions do not count.
.PHONY: code-size
code-size:
	@$(GO) run ./tests/codesize core/internal core/internal/oracle core/internal/testkit
