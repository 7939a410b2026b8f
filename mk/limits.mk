# The engine at its limits.
#
#   make test-determinism N=20000   so many random constraints, asked in every order, by several goroutines, with states
#                                   renewed and in several processes; `go test` asks about 160.
#                                   SLUICE_TEST_SEED=7 chooses where it begins
#   make fuzz-slow                  an hour (TIME=600: ten minutes) of growing constraints towards the slowest
#                                   call; findings are files in build/slow, and are measured again at
#                                   the end. It fails for those that cost too much each time.
#                                   SLOW_VOCABULARY=small is faster than Llama 3.1's,
#                                   SLOW_KINDS=regex,json_schema looks for some kinds only
#   make fuzz-slow FILE=build/slow/ebnf-1.json   one finding again
#   make test-hostile               800 hostile constraints: CPU time and memory of every call;
#                                   HOSTILE="-only '^tag'", see tests/hostile/main.go
#   make bench-tenants              150 ordinary schemas beside heavy neighbours, a minute each, in one compiler
#                                   and in two; TENANTS="-time 15 -only windows"
#   make test-memory                the memory of long-lived grammars, three minutes for each kind of text;
#                                   MEMORY="-time 20 -only ebnf". MEMORY="-schemas 17000": resident memory of a process that
#                                   compiles and walks so many schemas, 320 MiB at most
#   make fuzz-strings               a minute of strings with formats, patterns and lengths of real schemas, in pairs:
#                                   none may compile and then be refused with limit; STRINGS="-time 3600 -seed 7"
N ?= 5000

fuzz-strings:
	$(GO) run ./tests/strings $(STRINGS)

.PHONY: fuzz-strings test-determinism fuzz-slow test-hostile bench-tenants test-memory
bench-tenants:
	$(GO) run ./tests/tenants $(TENANTS)

test-memory:
	$(GO) run ./tests/memory $(MEMORY)

test-hostile:
	@mkdir -p build
	$(GO) build -o build/hostile ./tests/hostile
	build/hostile $(HOSTILE)

fuzz-slow:
	SLUICE_SLOW_TIME=$(TIME) SLUICE_SLOW_FOLDER='$(CURDIR)/build/slow' SLUICE_SLOW_FILE='$(abspath $(FILE))' \
		SLUICE_SLOW_VOCABULARY=$(SLOW_VOCABULARY) SLUICE_SLOW_KINDS=$(SLOW_KINDS) \
		$(GO) test ./core/internal/limittest -run 'TestSlow$$' -count=1 -timeout 0 -v

test-determinism:
	SLUICE_DETERMINISM=$(N) $(GO) test ./core/internal/limittest -run 'TestDeterminismLong|TestHeavyAgain' \
		-count=1 -timeout 0 -v
