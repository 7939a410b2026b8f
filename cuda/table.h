/* table.h: a bounded map from the keys of masks to slots of a pool. It evicts the mask that was released longest ago.
 *
 * It knows nothing of devices. INVARIANT: the list by age has exactly the slots whose mask no ticket holds. So its oldest
 * slot may always be replaced, and no other. For one thread at a time; the pool has the lock. */
#ifndef SLUICE_CUDA_TABLE_H
#define SLUICE_CUDA_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* table_key: the key of a mask: the caller's name for it, or the mark of its content. */
typedef struct table_key {
  uint64_t low;
  uint64_t high;
} table_key;

/* table_slot: one place for a mask. */
typedef struct table_slot {
  table_key key;
  uint32_t holders; /* how often it is held */
  uint32_t older;   /* the list by age; slot numbers, TABLE_NONE at its ends */
  uint32_t newer;
} table_slot;

enum { TABLE_NONE = 0xFFFFFFFF };

/* table: bounded, not shared. */
typedef struct table {
  uint32_t n;
  uint32_t used; /* slots 0 … used - 1 hold a mask; slots are taken in order */
  uint32_t newest;
  uint32_t oldest;
  uint32_t index_mask; /* the index has index_mask + 1 places, at least twice as many as slots */
  uint64_t secret;     /* prevents callers from choosing keys that collide */
  table_slot *slots;
  uint32_t *index; /* open addressing: slot + 1, or 0 */
} table;

/* table_new makes room for n masks; false if there is no memory. */
bool table_new(table *t, uint32_t n, uint64_t secret);
void table_free(table *t);

/* table_find returns the slot of a key, held once more, or TABLE_NONE. */
uint32_t table_find(table *t, table_key key);

/* table_take returns a slot for a new key, held once, or TABLE_NONE if all slots are held. *evicted says whether it
 * evicted another mask. */
uint32_t table_take(table *t, table_key key, bool *evicted);

/* table_release ends one hold of a slot. */
void table_release(table *t, uint32_t slot);

/* table_drop forgets the mask of a held slot, because its content did not arrive. The caller still releases the slot. */
void table_drop(table *t, uint32_t slot);

/* table_mark is the mark of a row's content: 128 bits that depend on all of it and on the secret. */
table_key table_mark(const uint32_t *row, size_t words, uint64_t secret);

#endif /* SLUICE_CUDA_TABLE_H */
