/* The header alone, under -std=c99 -pedantic: it needs no other header before it, may be included twice, and its numbers
 * never change. */
#include <sluice.h>

#define PINNED(name, condition) typedef char pinned_##name[(condition) ? 1 : -1]

PINNED(ok, SLUICE_OK == 0);
PINNED(argument, SLUICE_E_ARGUMENT == 1 && SLUICE_E_HANDLE == 2 && SLUICE_E_BUSY == 3);
PINNED(syntax, SLUICE_E_SYNTAX == 4 && SLUICE_E_INVALID == 5 && SLUICE_E_UNSUPPORTED == 6);
PINNED(unsatisfiable, SLUICE_E_UNSATISFIABLE == 7 && SLUICE_E_LIMIT == 8 && SLUICE_E_IO == 9);
PINNED(internal, SLUICE_E_INTERNAL == 10 && SLUICE_E_REJECTED == 11 && SLUICE_E_FORKED == 12);
PINNED(unavailable, SLUICE_E_UNAVAILABLE == 13 && SLUICE_E_DEVICE == 14);
PINNED(kinds, SLUICE_KIND_JSON_SCHEMA == 1 && SLUICE_KIND_REGEX == 2 && SLUICE_KIND_EBNF == 3 && SLUICE_KIND_LARK == 4);
PINNED(kinds2, SLUICE_KIND_STRUCTURAL_TAG == 5 && SLUICE_KIND_CHOICE == 6 && SLUICE_KIND_JSON_OBJECT == 7 &&
                   SLUICE_KIND_ANY_JSON == 8 && SLUICE_KIND_REQUEST == 9 && SLUICE_KIND_GRAMMAR == 10);
PINNED(flags, SLUICE_TOKEN_SPECIAL == 1 && SLUICE_TOKEN_ADDED == 2 && SLUICE_TOKEN_END == 4);
PINNED(after_end, SLUICE_REJECT_AFTER_END == 1 && SLUICE_ALL_ALLOWED_AFTER_END == 2);
PINNED(state, SLUICE_STATE_COMPLETED == 1 && SLUICE_STATE_TERMINATED == 2 && SLUICE_STATE_STOPPED == 4);
PINNED(effects, SLUICE_EFFECT_NARROWER == 1 && SLUICE_EFFECT_WIDER == 2 && SLUICE_EFFECT_IGNORED == 3);
PINNED(ids, SLUICE_ID_ROW == -1 && SLUICE_ID_NONE == -2);

/* Sizes and offsets of ABI 1 with 64-bit pointers. Structs grow at their end only. */
#if UINTPTR_MAX == UINT64_MAX
PINNED(error,
       sizeof(sluice_error) == 2040 && offsetof(sluice_error, offset) == 24 && offsetof(sluice_error, message) == 1008);
PINNED(config, sizeof(sluice_vocabulary_config) == 56);
PINNED(options, sizeof(sluice_vocabulary_options) == 32);
PINNED(facts, sizeof(sluice_vocabulary_facts) == 64);
PINNED(grammar, sizeof(sluice_grammar_facts) == 48 && offsetof(sluice_grammar_facts, compile_work) == 40);
PINNED(note, sizeof(sluice_note) == 1688);
PINNED(matcher, sizeof(sluice_matcher_options) == 32);
PINNED(reasoning, sizeof(sluice_reasoning) == 48);
PINNED(batch, offsetof(sluice_batch, ids) == 80 && sizeof(sluice_batch) == 152);
PINNED(stop, sizeof(sluice_stop) == 16 && SLUICE_NO_STOP == UINT32_MAX);
PINNED(trees, sizeof(sluice_trees) == 40);
PINNED(mask_key, sizeof(sluice_mask_key) == 16);
PINNED(pool_options, sizeof(sluice_cuda_pool_options) == 24);
PINNED(pool_put, sizeof(sluice_cuda_put) == 72);
PINNED(pool_use, sizeof(sluice_cuda_pool_use) == 32);
PINNED(pool_facts, sizeof(sluice_cuda_pool_facts) == 72);
PINNED(device, sizeof(sluice_device_facts) == 264);
PINNED(devices, sizeof(sluice_devices_facts) == 352);
#endif

int main(void) { return sluice_abi_version() == SLUICE_ABI_VERSION ? 0 : 1; }
