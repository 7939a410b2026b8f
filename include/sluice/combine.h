/* sluice/combine.h: constraints made of constraints. Part of sluice.h, which includes it; its conventions hold here. */
#include "../sluice.h" /* before the guard: it includes this file, in its place */

#ifndef SLUICE_COMBINE_H
#define SLUICE_COMBINE_H

#ifdef __cplusplus
extern "C" {
#endif

/* How constraints are combined. since 0.1 */
enum {
  SLUICE_CONCAT = 1, /* the output satisfies the parts one after another */
  SLUICE_UNION = 2   /* the output satisfies at least one part */
};

/* sluice_combine: writes a structural tag that combines several constraints; compile it with SLUICE_KIND_STRUCTURAL_TAG
 * and the option "special_tokens": "tokens", so that special tokens are allowed only if a part names them. Other
 * options apply to all parts. Errors and notes point into the tag: the second part is at /format/elements/1.
 * how        SLUICE_CONCAT or SLUICE_UNION.
 * kinds, specs, lengths    n of each, at least one: the parts, of any kind but SLUICE_KIND_REQUEST, in UTF-8. A
 *            structural tag must have the member "format", and a choice must be a JSON list. Errors inside a part show
 *            when the tag is compiled.
 * text       your buffer of capacity bytes; a longer text is cut. No NUL is added. May be NULL with capacity 0.
 * length     optional; the length of the whole text.
 * returns    SLUICE_OK; SLUICE_E_SYNTAX, SLUICE_E_ARGUMENT (the pointer is the part's index).
 * threads    any.      since 0.1 */
sluice_status sluice_combine(uint32_t how, size_t n, const uint32_t *kinds, const char *const *specs,
                             const size_t *lengths, char *text, size_t capacity, size_t *length, sluice_error *error);

#ifdef __cplusplus
}
#endif

#endif /* SLUICE_COMBINE_H */
