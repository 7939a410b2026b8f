# What every constraint of the collections answers, a line each, so that two commits can be compared:
#
#   make hash-masks OUT=old.txt                           in the one checkout
#   make hash-masks OUT=new.txt                           in the other
#   make hash-masks HASHES="-compare old.txt new.txt"     what changed; `diff` shows the same
#   make hash-masks HASHES="-steps -only 'llama3_1 bfcl/simple_python_0$$'"   every step of one constraint
#
# HASHES="-step 4" takes every fourth schema of MaskBench, HASHES="-time 600" the first ten minutes.
.PHONY: hash-masks
hash-masks:
	$(GO) run ./tests/hashes $(if $(OUT),-o $(OUT)) $(HASHES)
