// sluice/jobs.hpp: compilations in the background. Part of sluice.hpp, which includes it.
#include <sluice.hpp>  // before the guard: it includes this file, in its place

#ifndef SLUICE_JOBS_HPP
#define SLUICE_JOBS_HPP

namespace sluice {

// job is a compilation in the background. Its destructor ends it.
class job : public detail::handle<sluice_job_free> {
 public:
  using handle::handle;

  // wait returns the grammar if it is ready within patience microseconds, and none otherwise. Once it has returned the
  // grammar or thrown, the job is over.
  std::optional<grammar> wait(std::uint32_t patience = UINT32_MAX) {
    detail::failure e;
    sluice_grammar id = 0;
    sluice_status status = sluice_job_wait(get(), patience, &id, &e);
    if (status == SLUICE_E_UNFINISHED) {
      return std::nullopt;
    }
    e.check(status);
    return grammar(id);
  }
  // notify writes the job's handle to a pipe when the job is over.
  void notify(int descriptor) const {
    detail::failure e;
    e.check(sluice_job_notify(get(), descriptor, &e));
  }
  // cancel ends the job: wait throws SLUICE_E_CANCELLED, unless the job is done.
  void cancel() const {
    detail::failure e;
    e.check(sluice_job_cancel(get()));
  }
};

}  // namespace sluice

#endif  // SLUICE_JOBS_HPP
