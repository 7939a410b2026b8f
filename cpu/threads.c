/* threads.c: one call on several threads, each with rows of its own.
 *
 * Threads live as long as the call. A pool would save their start, some 10 µs each, of calls that take milliseconds; it
 * would also be state that a fork leaves half alive, and that two callers have to share. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "apply.h"

/* More threads than memory can serve, and what a thread must find to do before it is worth its start. */
enum { MAX_THREADS = 64, LEAST_BYTES = 2 << 20 };

/* Rows whose use is noted, to find a row that two pairs name. Where there are more, indices must ascend. */
enum { NOTED_ROWS = 32768 };

typedef struct share {
  const apply_job *job;
  size_t first;
  size_t last;
} share;

static void *work(void *of) {
  const share *s = of;
  apply_pairs(s->job, s->first, s->last);
  return NULL;
}

/* distinct tells whether no row of logits is named twice: two threads on one row could each put back what the other has
 * just masked. */
static bool distinct(const sluice_apply_args *a) {
  const int32_t *index = a->logit_index;
  bool ascending = true;
  for (size_t i = 1; index != NULL && i < a->n; i++) {
    ascending = ascending && index[i] > index[i - 1];
  }
  if (index == NULL || ascending) {
    return true;
  }
  if (a->n_logit_rows > NOTED_ROWS) {
    return false;
  }
  uint64_t used[NOTED_ROWS / 64];
  memset(used, 0, (a->n_logit_rows + 63) / 64 * sizeof used[0]);
  for (size_t i = 0; i < a->n; i++) {
    uint64_t bit = (uint64_t)1 << (index[i] % 64);
    if ((used[index[i] / 64] & bit) != 0) {
      return false;
    }
    used[index[i] / 64] |= bit;
  }
  return true;
}

/* count returns how many threads a job is worth. */
static size_t count(const apply_job *job) {
  const sluice_apply_args *a = job->args;
  size_t row = a->vocab_size * job->element;
  size_t pairs_each = row == 0 ? a->n : (LEAST_BYTES + row - 1) / row;
  size_t n = pairs_each == 0 ? 1 : a->n / pairs_each;
  n = n < a->threads ? n : a->threads;
  n = n < MAX_THREADS ? n : MAX_THREADS;
  return n < 2 || !distinct(a) ? 1 : n;
}

void apply_threads(const apply_job *job) {
  size_t n = count(job), pairs = job->args->n;
  share shares[MAX_THREADS];
  pthread_t threads[MAX_THREADS];
  bool started[MAX_THREADS] = {false};
  for (size_t i = 0; i < n; i++) {
    shares[i] = (share){job, pairs / n * i + (i < pairs % n ? i : pairs % n), 0};
  }
  for (size_t i = 0; i < n; i++) {
    shares[i].last = i + 1 < n ? shares[i + 1].first : pairs;
  }
  /* The host's signal handlers are not to run on threads that it does not know. */
  sigset_t all, before;
  sigfillset(&all);
  bool blocked = n > 1 && pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  for (size_t i = 1; i < n; i++) {
    started[i] = pthread_create(&threads[i], NULL, work, &shares[i]) == 0;
  }
  if (blocked) {
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
  }
  work(&shares[0]);
  for (size_t i = 1; i < n; i++) {
    if (!started[i]) {
      work(&shares[i]);
    }
  }
  for (size_t i = 1; i < n; i++) {
    if (started[i]) {
      (void)pthread_join(threads[i], NULL);
    }
  }
}
