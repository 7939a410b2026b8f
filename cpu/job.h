/* job.h: a call whose parameters have been checked. */
#ifndef SLUICE_CPU_JOB_H
#define SLUICE_CPU_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "kernel.h"
#include "sluice.h"

/* apply_job: a call with checked parameters. */
typedef struct apply_job {
  const sluice_apply_args *args;
  const apply_kernel *kernel;
  size_t element;
  size_t covered;
  uint32_t pattern;
  apply_place place;
} apply_job;

/* apply_pairs applies pairs first … last - 1. */
void apply_pairs(const apply_job *job, size_t first, size_t last);

/* apply_threads applies all pairs on as many threads as the arguments and the work allow. */
void apply_threads(const apply_job *job);

#endif /* SLUICE_CPU_JOB_H */
