# The speed of the working tree beside that of another commit, in one run:
#
#   make bench-commits BASE=<commit>                      1,000 schemas of MaskBench, three rounds
#   make bench-commits BASE=<commit> SPEED="-schemas 0"   all of them; SPEED=-help says what else there is
#   make bench-commits BASE=<commit> SPEED="-collection slow -fresh"   what was slow once, each with an empty compiler
.PHONY: bench-commits
bench-commits:
	$(GO) run ./tests/speed -base '$(BASE)' $(SPEED)
