# `make dump`: the result of every stage for a constraint, from the front end's grammar to the mask.
#
#   make dump                                               a small schema, before any output
#   make dump DUMP='-kind regex -spec "[a-z]+" -text ab'    after an output
#   make dump DUMP='-text "{" -token 12'                    why a token may come next, or not, and the mask's answer
#   make dump DUMP="-text '{' -token '\"}'"                  the same for a token by its text
#   make dump DUMP='-text @output.txt'                      after an output with line feeds
#   make dump DUMP='-options "{\"compact\": true}"'         with options of the compilation
#   make dump DUMP='-draw state -text "{"'                  as Graphviz DOT: grammar, rewritten, state, automaton
.PHONY: dump
dump:
	@$(GO) run ./tests/dump $(DUMP)
