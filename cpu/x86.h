/* x86.h: constants and helpers of the kernels for AVX2 and AVX-512. */
#ifndef SLUICE_CPU_X86_H
#define SLUICE_CPU_X86_H

#include <stddef.h>
#include <stdint.h>

/* PERF: the shortest fills for which a string store, and non-temporal stores, pay. README.md has the numbers. */
enum { STRING_LEAST = 16384, STREAM_LEAST = 512 };

/* string_fill writes pattern to size bytes. The instruction knows the length, so the machine takes lines without reading
 * them first. at and size are even; if they are not multiples of four, both halves of pattern are equal. */
static inline void string_fill(unsigned char *at, size_t size, uint32_t pattern) {
  if ((uintptr_t)at % 4 != 0) {
    *(uint16_t *)at = (uint16_t)pattern;
    at += 2;
    size -= 2;
  }
  if (size % 4 != 0) {
    size -= 2;
    *(uint16_t *)(at + size) = (uint16_t)pattern;
  }
  size_t n = size / 4;
  __asm__ volatile("rep stosl" : "+D"(at), "+c"(n) : "a"(pattern) : "memory");
}

/* next_run removes the lowest run of ones from bits and returns its start and length. */
static inline size_t next_run(unsigned *bits, size_t *length) {
  size_t start = (size_t)__builtin_ctz(*bits);
  unsigned above = *bits >> start;
  *length = (size_t)__builtin_ctz(~above);
  *bits &= *bits + (1u << start);
  return start;
}

#endif /* SLUICE_CPU_X86_H */
