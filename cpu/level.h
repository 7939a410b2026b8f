/* level.h: the choice of a kernel. */
#ifndef SLUICE_CPU_LEVEL_H
#define SLUICE_CPU_LEVEL_H

#include <stdint.h>

#include "kernel.h"

/* apply_kernel_of returns the kernel of a level, NULL if this machine cannot run it. */
const apply_kernel *apply_kernel_of(uint32_t level);

#endif /* SLUICE_CPU_LEVEL_H */
