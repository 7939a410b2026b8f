/* apply.cuh: applies masks to logits on a GPU: all code except the few instructions that only a GPU has.
 *
 * INVARIANT: kernels never read logits, and write only −inf, only for forbidden tokens. So every store may happen twice,
 * in any order and beside others. All masks of a row that several pairs name apply, and memory around a row stays.
 *
 * The code is written for a warp and not for a thread: the policy `Warp` defines how 32 lanes act together. On the device
 * (apply.cu) a lane is a thread. In tests (emulate.hpp) a warp is a loop, so that machines without a GPU compare the
 * GPU's code with the generic kernel. The code must not know the source of masks, nor use a header that NVRTC lacks.
 * Start reading at apply_warp. */
#ifndef SLUICE_CUDA_APPLY_CUH
#define SLUICE_CUDA_APPLY_CUH

#include "params.h"

#ifdef __CUDACC_RTC__
#define CUDA_FN __device__ __forceinline__
#else
#define CUDA_FN inline
#endif

/* pair_rows: the addresses of the logits and the mask of one pair. */
template <class Logit>
struct pair_rows {
  Logit *logits; /* NULL: skip the pair */
  const uint32_t *mask;
};

/* id_of: the id of a pair, from the launch or from memory. */
CUDA_FN int32_t id_of(const cuda_params &p, const cuda_ids *inline_ids, uint32_t pair) {
  if (inline_ids != nullptr) {
    return inline_ids->id[pair - p.first];
  }
  return p.ids != nullptr ? p.ids[pair] : CUDA_ID_ROW;
}

/* mask_of: the mask of a pair, NULL to skip it. Numbers may be out of range, because the host cannot check the device's
 * memory; these name no mask. */
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

/* rows_of: both addresses of a pair.
 * PERF: testing for everything that a launch may have besides rows in order takes 0.2 us of 1.5 for one row, and 5 us of
 * 17 for 1,024 rows that allow everything. */
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

/* word_at: word k of a mask as it applies to logits: 1 for every logit that stays, also beyond the end of the row. So its
 * callers need not handle ends. */
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

/* apply_sparse: the same if no word forbids more than a few: each lane writes the logits of its own word, one by one.
 * PERF: if 1 % is forbidden, a third of the words forbid something; walking over words takes six times the instructions. */
template <class Logit, class Warp>
CUDA_FN void apply_sparse(const Warp &warp, const cuda_params &p, Logit *tile, const typename Warp::words &words) {
  warp.lanes([&](uint32_t lane) {
    for (uint32_t left = ~warp.own(words, lane); left != 0; left &= left - 1) {
      warp.store(tile + lane * 32 + warp.lowest(left), p.negative_infinity);
    }
  });
}

/* apply_tile applies the words of one tile. words holds one word for each lane.
 * A group is as many words as 32 stores of 16 bytes cover. If all of a group is forbidden and the row is aligned, the warp
 * writes it with these stores. Else each word is one store of the warp: the forbidden ones of 32 neighbouring logits. */
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

/* apply_mapped: the map names the token of logit i. Neighbours share no words, so every lane looks up its own. */
template <class Logit, class Warp>
CUDA_FN void apply_mapped(const Warp &warp, const cuda_params &p, const pair_rows<Logit> &r, uint32_t first) {
  for (uint32_t i = 0; i < p.tile_words * 32; i += 32) {
    warp.lanes([&](uint32_t lane) {
      const uint32_t at = first + i + lane;
      if (at >= p.vocab) {
        return;
      }
      /* In unsigned arithmetic a negative id is a large one, which the mask does not cover. */
      const uint32_t id = static_cast<uint32_t>(p.token_map[at]) + (p.flags & CUDA_MAP_OFFSETS ? at : 0);
      const bool stays =
          id < p.covered ? warp.load(r.mask + id / 32) >> id % 32 & 1 : (p.flags & CUDA_KEEP_BEYOND) != 0;
      if (!stays) {
        warp.store(r.logits + at, p.negative_infinity);
      }
    });
  }
}

/* apply_warp: the work of one warp: one tile of one pair.
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
