/* machine.c: reads the levels and caches of this machine once, when the library is loaded. */
#include <unistd.h>

#include "machine.h"
#include "sluice.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* The defaults are the caches of a small core, for machines that do not report theirs. */
static apply_machine here = {SLUICE_CPU_GENERIC, 1u << 20, 16u << 20, false};

const apply_machine *apply_here(void) { return &here; }

uint32_t sluice_cpu_level(void) { return here.level; }

/* note_cache takes in a level's data cache of size bytes. */
static void note_cache(unsigned level, size_t size) {
  if (level == 2) {
    here.own_cache = size;
  }
  if (level >= 2) {
    here.all_cache = size;
  }
}

#if defined(__x86_64__)

/* look_at_caches reads the processor's table of caches. The C library's sysconf() adds up the caches of the whole host, of
 * which a virtual machine sees a part: 384 MiB instead of 32 on the machine of README.md. */
static void look_at_caches(void) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  /* The same table under two numbers: AMD's, if its processors say that they have it, and Intel's. */
  unsigned leaf = __get_cpuid(0x80000001, &a, &b, &c, &d) && (c >> 22 & 1) != 0 ? 0x8000001D : 4;
  for (unsigned i = 0; i < 16 && __get_cpuid_count(leaf, i, &a, &b, &c, &d); i++) {
    unsigned type = a & 31, level = a >> 5 & 7;
    if (type == 0) {
      break;
    }
    if (type != 2) { /* 2 is a cache of instructions */
      note_cache(level, (size_t)((b >> 22) + 1) * ((b >> 12 & 0x3FF) + 1) * ((b & 0xFFF) + 1) * ((size_t)c + 1));
    }
  }
}

/* all returns whether every one of the bits is set. */
static bool all(uint64_t set, uint64_t bits) { return (set & bits) == bits; }

/* saved_registers returns XCR0: the register states that the operating system saves when it switches threads. It
 * requires OSXSAVE. */
static uint64_t saved_registers(void) {
  uint32_t low, high;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

/* look_at_instructions reads CPUID and XCR0 itself: __builtin_cpu_supports answers 0 for everything if the library was
 * linked without libgcc's or compiler-rt's initialised table, and then the kernels would be plain C without a word. */
static void look_at_instructions(void) {
  enum {
    OSXSAVE = 1 << 27, /* leaf 1, ECX */
    BMI1 = 1 << 3,     /* leaf 7, EBX, as are those below */
    AVX2 = 1 << 5,
    ERMS = 1 << 9,
    AVX512F = 1 << 16,
    AVX512BW = 1 << 30,
    SSE_STATE = 1 << 1, /* XCR0 */
    AVX_STATE = 1 << 2,
    MASK_STATE = 1 << 5, /* k0 to k7 */
    ZMM_LOW_STATE = 1 << 6,
    ZMM_HIGH_STATE = 1 << 7
  };
  const unsigned AVX512VL = 1u << 31;
  unsigned a = 0, features = 0, c = 0, d = 0, basic = 0;
  if (!__get_cpuid_count(7, 0, &a, &features, &c, &d)) {
    return;
  }
  here.string_stores = all(features, ERMS);
  if (!__get_cpuid(1, &a, &c, &basic, &d) || !all(basic, OSXSAVE)) {
    return;
  }
  uint64_t saved = saved_registers();
  if (all(features, AVX2 | BMI1) && all(saved, SSE_STATE | AVX_STATE)) {
    here.level = SLUICE_CPU_AVX2;
    if (all(features, AVX512F | AVX512BW | AVX512VL) && all(saved, MASK_STATE | ZMM_LOW_STATE | ZMM_HIGH_STATE)) {
      here.level = SLUICE_CPU_AVX512;
    }
  }
}

#else

static void look_at_instructions(void) {
#if defined(__aarch64__)
  here.level = SLUICE_CPU_NEON; /* part of the architecture */
#endif
}

static void look_at_caches(void) {
  long own = sysconf(_SC_LEVEL2_CACHE_SIZE), all = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (own > 0) {
    note_cache(2, (size_t)own);
  }
  if (all > 0) {
    note_cache(3, (size_t)all);
  }
}

#endif

__attribute__((constructor(102))) static void look_around(void) {
  look_at_caches();
  look_at_instructions();
}
