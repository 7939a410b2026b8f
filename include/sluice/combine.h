/* sluice/combine.h: constraints made of constraints. Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_COMBINE_H
#define SLUICE_COMBINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* How constraints are put together. since 0.1 */
enum {
  SLUICE_CONCAT = 1, /* the output satisfies one after another */
  SLUICE_UNION = 2   /* the output satisfies at least one */
};

/* sluice_combine: the constraint that several make together, as a structural tag, which sluice_grammar_compile takes
 * with SLUICE_KIND_STRUCTURAL_TAG. Its option "special_tokens" should be "tokens": then special tokens are allowed
 * where a part names them. Other options count for all parts. Places in its errors and notes are those of the tag:
 * part 1 is /format/elements/1.
 * how        SLUICE_CONCAT or SLUICE_UNION.
 * kinds, specs, lengths    n of each, at least one: the parts. They are of any kind but SLUICE_KIND_REQUEST; a
 *            structural tag is one with "format". What is wrong within a part, compiling tells.
 * text       the caller's, capacity bytes; as much as fits is written, without NUL; may be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_ARGUMENT (the pointer is the part's number).
 * threads    any.      since 0.1 */
sluice_status sluice_combine(uint32_t how, size_t n, const uint32_t *kinds, const char *const *specs,
                             const size_t *lengths, char *text, size_t capacity, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_COMBINE_H */
