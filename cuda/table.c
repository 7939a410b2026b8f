/* table.c: the map, its list by age, and the marks of content. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

/* mix folds a 128-bit product, so that every bit of the result depends on every bit of both factors. */
static inline uint64_t mix(uint64_t a, uint64_t b) {
  __uint128_t product = (__uint128_t)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Odd numbers without pattern: the binary digits of the square roots of 2, 3, 5 and 7. */
static const uint64_t digits[4] = {0x6A09E667F3BCC909, 0xBB67AE8584CAA73B, 0x3C6EF372FE94F82B, 0xA54FF53A5F1D36F1};

table_key table_mark(const uint32_t *row, size_t words, uint64_t secret) {
  /* Four lanes let products overlap in time; two ends give 128 bits. */
  uint64_t lane[4];
  for (int i = 0; i < 4; i++) {
    lane[i] = mix(secret ^ digits[i], digits[(i + 1) % 4] + words);
  }
  size_t at = 0;
  for (; at + 16 <= words; at += 16) {
    uint64_t part[8];
    memcpy(part, row + at, sizeof part);
    for (int i = 0; i < 4; i++) {
      lane[i] = mix(part[2 * i] ^ lane[i], part[2 * i + 1] ^ digits[i]) + (lane[i] << 1 | lane[i] >> 63);
    }
  }
  uint64_t rest[8] = {0};
  memcpy(rest, row + at, (words - at) * sizeof row[0]);
  for (int i = 0; i < 4; i++) {
    lane[i] = mix(rest[2 * i] ^ lane[i], rest[2 * i + 1] ^ digits[i]) + (lane[i] << 1 | lane[i] >> 63);
  }
  const uint64_t a = mix(lane[0] ^ digits[2], lane[1] ^ secret);
  const uint64_t b = mix(lane[2] ^ digits[3], lane[3] ^ secret);
  return (table_key){.low = mix(a ^ digits[0], b ^ lane[1]) ^ lane[3], .high = mix(b ^ digits[1], a ^ lane[2]) | 1};
}

/* place returns the index's place for a key: the place that holds it, or else the empty one. */
static uint32_t place(const table *t, table_key key) {
  uint32_t at = (uint32_t)mix(key.low ^ t->secret, key.high ^ digits[0]) & t->index_mask;
  while (t->index[at] != 0) {
    const table_key *there = &t->slots[t->index[at] - 1].key;
    if (there->low == key.low && there->high == key.high) {
      break;
    }
    at = (at + 1) & t->index_mask;
  }
  return at;
}

/* unplace empties a place and moves back the entries that it had displaced. */
static void unplace(table *t, uint32_t hole) {
  t->index[hole] = 0;
  for (uint32_t at = (hole + 1) & t->index_mask; t->index[at] != 0; at = (at + 1) & t->index_mask) {
    uint32_t entry = t->index[at];
    t->index[at] = 0;
    t->index[place(t, t->slots[entry - 1].key)] = entry;
  }
}

/* unlink_slot takes a slot out of the list by age. */
static void unlink_slot(table *t, uint32_t slot) {
  table_slot *s = &t->slots[slot];
  if (s->newer != TABLE_NONE) {
    t->slots[s->newer].older = s->older;
  } else {
    t->newest = s->older;
  }
  if (s->older != TABLE_NONE) {
    t->slots[s->older].newer = s->newer;
  } else {
    t->oldest = s->newer;
  }
}

/* link_newest puts a slot at the newest end of the list by age. */
static void link_newest(table *t, uint32_t slot) {
  table_slot *s = &t->slots[slot];
  s->newer = TABLE_NONE;
  s->older = t->newest;
  if (t->newest != TABLE_NONE) {
    t->slots[t->newest].newer = slot;
  } else {
    t->oldest = slot;
  }
  t->newest = slot;
}

/* The key of a slot whose mask was dropped; no name and no mark equals it. */
static const table_key no_key = {0, 0};

static bool is_key(table_key key) { return key.low != 0 || key.high != 0; }

bool table_new(table *t, uint32_t n, uint64_t secret) {
  uint32_t places = 4;
  while (places < 2 * n) {
    places *= 2;
  }
  *t = (table){.n = n, .newest = TABLE_NONE, .oldest = TABLE_NONE, .index_mask = places - 1, .secret = secret};
  t->slots = calloc(n, sizeof t->slots[0]);
  t->index = calloc(places, sizeof t->index[0]);
  if (t->slots == NULL || t->index == NULL) {
    table_free(t);
    return false;
  }
  return true;
}

void table_free(table *t) {
  free(t->slots);
  free(t->index);
  t->slots = NULL;
  t->index = NULL;
}

uint32_t table_find(table *t, table_key key) {
  uint32_t entry = t->index[place(t, key)];
  if (entry == 0) {
    return TABLE_NONE;
  }
  if (t->slots[entry - 1].holders++ == 0) {
    unlink_slot(t, entry - 1);
  }
  return entry - 1;
}

uint32_t table_take(table *t, table_key key, bool *evicted) {
  uint32_t slot;
  *evicted = false;
  if (t->used < t->n) {
    slot = t->used++;
  } else if (t->oldest == TABLE_NONE) {
    return TABLE_NONE;
  } else {
    slot = t->oldest;
    unlink_slot(t, slot);
    if (is_key(t->slots[slot].key)) {
      *evicted = true;
      unplace(t, place(t, t->slots[slot].key));
    }
  }
  t->slots[slot].key = key;
  t->slots[slot].holders = 1;
  t->index[place(t, key)] = slot + 1;
  return slot;
}

void table_release(table *t, uint32_t slot) {
  if (--t->slots[slot].holders == 0) {
    link_newest(t, slot);
  }
}

void table_drop(table *t, uint32_t slot) {
  unplace(t, place(t, t->slots[slot].key));
  t->slots[slot].key = no_key;
}
