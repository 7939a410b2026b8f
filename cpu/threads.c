/* threads.c: one call on several threads, each with its own rows.
 *
 * Threads live as long as the call. A pool would save their start, about 10 µs each in calls that take milliseconds. But
 * a fork would leave its state broken, and two callers would have to share it. */
#include <pthread.h>
#include <signal.h>
#include <string.h>

#include "job.h"

/* MAX_THREADS is more than memory can serve. A thread with less than LEAST_BYTES of work is not worth its start. */
enum { MAX_THREADS = 64, LEAST_BYTES = 2 << 20 };

/* The most rows for which distinct notes their use. With more rows, indices must ascend. */
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

/* distinct returns whether no pair names a row of logits twice. Two threads on one row could each restore logits that the
 * other has just masked. */
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

/* count returns the number of threads that pays for a job. */
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
  /* The host's signal handlers must not run on threads that the host does not know. */
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
