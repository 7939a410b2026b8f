# The engine at its limits.
#
#   make test-determinism N=20000   so many random constraints, asked in every order, by several goroutines, with states
#                                   renewed and in several processes; `go test` asks about 160. SLUICE_TEST_SEED=7 chooses where it begins
N ?= 5000

.PHONY: test-determinism
test-determinism:
	SLUICE_DETERMINISM=$(N) $(GO) test ./core/internal/limittest -run TestDeterminismLong -count=1 -timeout 0 -v
