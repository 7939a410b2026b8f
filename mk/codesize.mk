# How much code the engine has: bytes without comments, blank lines and tests, a package a line, the largest first.
# core/internal/archtest/testdata/code_size.txt holds a ceiling for each, which only falls.
.PHONY: code-size
code-size:
	@$(GO) test ./core/internal/archtest -run TestPackagesFit -count=1 -v | sed -n 's/^ *size_test.go:[0-9]*: //p'
