#include "step/certificate.h"

#include "solvers/certificate.h"
#include "step/soft_step/soft_problem.h"

mo_residual mo_step_certificate(mo_world *world) {
  mo_residual residual = {0};
  mo_arena_reset(&world->query_arena);
  mo_result result = mo_world_complete_problem(world);
  if (result == MO_OK) {
    result = mo_certificate_evaluate(&world->last_step.problem, world->last_step.friction_law,
                                     &world->query_arena, &residual);
  }
  if (result == MO_ERROR_OUT_OF_MEMORY) {
    mo_world_refuse_text(world, result, "mo_world_residual", "no memory for the certificate");
  }
  if (result != MO_OK) {          // the error text names a constraint that failed
    residual.worst = (double)NAN; // an unknown error must not read as none
  }
  return residual;
}

void mo_step_certify(mo_world *world) {
  mo_stats *stats = &world->last_step.stats;
  mo_profile_begin(&world->profiler, MO_PROFILE_CERTIFICATE);
  stats->residual = mo_max(stats->residual, mo_step_certificate(world).worst);
  mo_profile_end(&world->profiler, MO_PROFILE_CERTIFICATE);
}
