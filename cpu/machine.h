/* machine.h: the properties of this machine. */
#ifndef SLUICE_CPU_MACHINE_H
#define SLUICE_CPU_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* apply_machine: the properties of this machine, read when the library is loaded. Immutable from then on. */
typedef struct apply_machine {
  uint32_t level;     /* the best SLUICE_CPU_* */
  size_t own_cache;   /* bytes of a core's second-level cache */
  size_t all_cache;   /* bytes of the last-level cache */
  bool string_stores; /* x86: rep stos writes whole lines without reading them first */
} apply_machine;

const apply_machine *apply_here(void);

#endif /* SLUICE_CPU_MACHINE_H */
