/* apply.cuh: how masks meet logits on a GPU: everything but the few instructions that only a GPU has.
 *
 * INVARIANT: logits are never read, and nothing but −inf is ever written to them, only where a mask denies. So every
 * store may happen twice, in any order and beside others: a row that several pairs name meets all their masks, and what
 * lies around a row stays as it is.
 *
 * The code is written for a warp and not for a thread: `Warp` is a policy that says how 32 lanes do something together.
 * On the device (apply.cu) a lane is a thread; in tests (emulate.hpp) a warp is a loop, so that what runs on the GPU is
 * what is compared with the generic kernel on machines without one. It must not know where masks come from, nor use
 * a header that NVRTC lacks. Start reading at apply_warp. */
#ifndef SLUICE_CUDA_APPLY_CUH
#define SLUICE_CUDA_APPLY_CUH

#include "params.h"

#ifdef __CUDACC_RTC__
#define CUDA_FN __device__ __forceinline__
#else
#define CUDA_FN inline
#endif

/* pair_rows: where the logits and the mask of one pair are. */
template <class Logit>
struct pair_rows {
  Logit *logits; /* NULL: the pair is left alone */
  const uint32_t *mask;
};

/* id_of: the id of a pair, whichever way it came. */
CUDA_FN int32_t id_of(const cuda_params &p, const cuda_ids *inline_ids, uint32_t pair) {
  if (inline_ids != nullptr) {
    return inline_ids->id[pair - p.first];
  }
  return p.ids != nullptr ? p.ids[pair] : CUDA_ID_ROW;
}

/* mask_of: the mask of a pair, NULL if it is to be left alone. Numbers that are out of range come from the device's
 * memory, where the host could not check them; they name no mask. */
CUDA_FN const uint32_t *mask_of(const cuda_params &p, const cuda_ids *inline_ids, uint32_t pair) {
  const int32_t id = id_of(p, inline_ids, pair);
  if (id >= 0) {
    return static_cast<uint32_t>(id) < p.n_slots ? p.pool + static_cast<uint64_t>(id) * p.pool_stride : nullptr;
  }
  if (id != CUDA_ID_ROW) {
    return nullptr;
  }
  const uint32_t row = p.mask_index != nullptr ? static_cast<uint32_t>(p.mask_index[pair]) : pair;
  if (row >= p.n_mask_rows) {
    return nullptr;
  }
  return p.mask_rows != nullptr ? p.mask_rows[row] : p.masks + row * p.mask_stride;
}

/* rows_of: both.
 * PERF: to look for all that a launch may have besides rows in order takes 0.2 us of 1.5 where there is one row, and 5 of 17
 * where there are 1,024 that allow everything. */
template <class Logit>
CUDA_FN pair_rows<Logit> rows_of(const cuda_params &p, const cuda_ids *inline_ids, uint32_t pair) {
  if (p.flags & CUDA_IN_ORDER) {
    return {static_cast<Logit *>(p.logits) + pair * p.logit_stride, p.masks + pair * p.mask_stride};
  }
  pair_rows<Logit> r = {nullptr, nullptr};
  if (p.enabled != nullptr && p.enabled[pair] == 0) {
    return r;
  }
  const uint32_t row = p.logit_index != nullptr ? static_cast<uint32_t>(p.logit_index[pair]) : pair;
  if (row >= p.n_logit_rows) {
    return r;
  }
  r.mask = mask_of(p, inline_ids, pair);
  if (r.mask != nullptr) {
    r.logits = static_cast<Logit *>(p.logit_rows != nullptr ? p.logit_rows[row] : p.logits);
    if (p.logit_rows == nullptr) {
      r.logits += row * p.logit_stride;
    }
  }
  return r;
}

/* word_at: word k of a mask as it applies to logits: 1 in place of every bit whose logit is to stay, also beyond the end
 * of the row, so that nobody behind this function has to think of ends. */
template <class Warp>
CUDA_FN uint32_t word_at(const Warp &warp, const cuda_params &p, const uint32_t *mask, uint32_t k) {
  const uint32_t first = k * 32;
  const uint32_t end = p.covered < p.vocab ? p.covered : p.vocab;
  if (first + 32 <= end) {
    return warp.load(mask + k);
  }
  if (first >= p.vocab) {
    return ~0u;
  }
  const uint32_t beyond = p.flags & CUDA_KEEP_BEYOND ? ~0u : 0;
  uint32_t word = beyond;
  if (first < p.covered) {
    word = warp.load(mask + k);
    const uint32_t covered = p.covered - first;
    if (covered < 32) {
      word = (word & ~(~0u << covered)) | (beyond << covered);
    }
  }
  const uint32_t left = p.vocab - first;
  return left < 32 ? word | (~0u << left) : word;
}

/* apply_sparse: the same where no word denies more than a few: each lane writes those of its own word, one after the other.
 * PERF: with 1 % denied a third of the words deny something, so walking over words takes six times the instructions. */
template <class Logit, class Warp>
CUDA_FN void apply_sparse(const Warp &warp, const cuda_params &p, Logit *tile, const typename Warp::words &words) {
  warp.lanes([&](uint32_t lane) {
    for (uint32_t left = ~warp.own(words, lane); left != 0; left &= left - 1) {
      warp.store(tile + lane * 32 + warp.lowest(left), p.negative_infinity);
    }
  });
}

/* apply_tile: the words of one tile meet their logits. words holds one word a lane.
 * A group is as many words as 32 stores of 16 bytes cover; where all of it is denied and the row is aligned, that is how
 * it is written. Else a word is one store of the warp: 32 neighbouring logits, those that are denied. */
template <class Logit, class Warp>
CUDA_FN void apply_tile(const Warp &warp, const cuda_params &p, Logit *tile, const typename Warp::words &words) {
  constexpr uint32_t group = 16 / sizeof(Logit);
  const uint32_t busy = warp.where_not(words, ~0u);
  if (busy == 0) {
    return;
  }
  if (!warp.any([&](uint32_t lane) { return warp.ones(~warp.own(words, lane)) > CUDA_SPARSE; })) {
    apply_sparse(warp, p, tile, words);
    return;
  }
  const uint32_t empty = ~warp.where_not(words, 0);
  const bool aligned = (reinterpret_cast<uintptr_t>(tile) & 15) == 0;
#pragma unroll 1
  for (uint32_t k = 0; k < p.tile_words; k += group) {
    const uint32_t all = ((1u << group) - 1) << k;
    if (!(busy & all)) {
      continue;
    }
    if (aligned && (empty & all) == all) {
      warp.lanes([&](uint32_t lane) { warp.store_wide(tile + k * 32 + lane * group, p.negative_infinity); });
      continue;
    }
#pragma unroll
    for (uint32_t i = k; i < k + group; i++) {
      const uint32_t word = warp.pick(words, i);
      warp.lanes([&](uint32_t lane) {
        if (!(word >> lane & 1)) {
          warp.store(tile + i * 32 + lane, p.negative_infinity);
        }
      });
    }
  }
}

/* apply_direct: logit i of the row is token i. */
template <class Logit, class Warp>
CUDA_FN void apply_direct(const Warp &warp, const cuda_params &p, const pair_rows<Logit> &r, uint32_t first) {
  const typename Warp::words words =
      warp.each([&](uint32_t lane) { return lane < p.tile_words ? word_at(warp, p, r.mask, first / 32 + lane) : ~0u; });
  apply_tile(warp, p, r.logits + first, words);
}

/* apply_mapped: logit i of the row is the token that the map says: neighbours share no words, so every lane looks up its
 * own. */
template <class Logit, class Warp>
CUDA_FN void apply_mapped(const Warp &warp, const cuda_params &p, const pair_rows<Logit> &r, uint32_t first) {
  for (uint32_t i = 0; i < p.tile_words * 32; i += 32) {
    warp.lanes([&](uint32_t lane) {
      const uint32_t at = first + i + lane;
      if (at >= p.vocab) {
        return;
      }
      /* In unsigned arithmetic a negative id is a large one, and like it not covered. */
      const uint32_t id = static_cast<uint32_t>(p.token_map[at]) + (p.flags & CUDA_MAP_OFFSETS ? at : 0);
      const bool stays =
          id < p.covered ? warp.load(r.mask + id / 32) >> id % 32 & 1 : (p.flags & CUDA_KEEP_BEYOND) != 0;
      if (!stays) {
        warp.store(r.logits + at, p.negative_infinity);
      }
    });
  }
}

/* apply_warp: what one warp does: one tile of one pair.
 * warp_index   the warp's number among those that share the pair. */
template <class Logit, bool mapped, class Warp>
CUDA_FN void apply_warp(const Warp &warp, const cuda_params &p, const cuda_ids *inline_ids, uint32_t warp_index,
                        uint32_t pair) {
  const uint32_t first =
      warp_index * p.tile_words * 32; /* of the tile's logits; no overflow, since vocab is below 2^31 */
  if (first >= p.vocab) {
    return;
  }
  const pair_rows<Logit> r = rows_of<Logit>(p, inline_ids, pair);
  if (r.logits == nullptr) {
    return;
  }
  if (mapped) {
    apply_mapped(warp, p, r, first);
  } else {
    apply_direct(warp, p, r, first);
  }
}

#endif /* SLUICE_CUDA_APPLY_CUH */
