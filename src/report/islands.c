/// Read-outs of the last step's problem: its islands.
#include "report/islands.h"

#include "solvers/certificate.h"
#include "solvers/exact/bilateral.h"
#include "solvers/island_packing.h"
#include "step/soft_step/soft_problem.h"

// --- islands ---------------------------------------------------------------------------------

// The partition of the last step: the step's own, or one made now in the query arena.
static mo_result last_partition(mo_world *world, mo_island_partition *out) {
  mo_arena_reset(&world->query_arena);
  mo_result result = mo_world_complete_problem(world);
  if (result != MO_OK) {
    return result;
  }
  if (world->last_step.by_island.solutions && world->last_step.soft.body_count == 0) {
    *out = world->last_step.by_island.partition;
    return MO_OK;
  }
  return mo_island_partition_make(&world->last_step.problem, &world->query_arena, out);
}

// The islands of the last step, counted without the rows of soft-step where these are not there
// yet.
static mo_result count_islands(mo_world *world, uint32_t *count) {
  const mo_step_record *last = &world->last_step;
  const mo_by_island *by = &last->by_island;
  if (last->has_problem || last->dt == 0.0 || (last->problem.body_count > 0 && !by->solutions)) {
    mo_island_partition partition = {0};
    mo_result result = last_partition(world, &partition);
    *count = partition.island_count;
    return result;
  }
  mo_arena_reset(&world->query_arena);
  mo_result result = mo_world_count_substep_islands(world, &world->query_arena, count);
  *count += by->solutions ? by->partition.island_count : 0;
  return result;
}

uint32_t mo_world_island_count(mo_world *world) {
  uint32_t count = 0;
  mo_result result = count_islands(world, &count);
  if (result == MO_ERROR_OUT_OF_MEMORY) {
    mo_world_refuse_text(world, result, "mo_world_island_count", "no memory for the islands");
  }
  return result == MO_OK ? count : 0;
}

uint32_t mo_world_missed_island_count(const mo_world *world) {
  return world->last_step.stats.missed_islands;
}

uint32_t mo_world_refused_pair_count(const mo_world *world) {
  return world->last_step.stats.refused_pairs;
}

// The body with number `index` in the last step's problem. Dynamic bodies keep their order.
static mo_body_id body_of_row(const mo_world *world, uint32_t index) {
  uint32_t slot = world->last_step.row_slots[index];
  return mo_world_body_in_slot(world, slot);
}

static double residual_of(const mo_island_view *island, mo_friction_law law, mo_arena *arena) {
  mo_packed_island packed;
  if (!mo_island_pack_velocities(island, arena, &packed)) {
    return (double)NAN;
  }
  return mo_certificate_of_impulses(&packed.problem, law, arena).worst;
}

// Computed only on request, because it would double the cost of the step's solve. 0 without memory.
static double condition_of(const mo_island_view *island, double tolerance, mo_arena *arena) {
  mo_packed_island packed;
  mo_solver_settings settings = {
      .max_iterations = 1, .tolerance = tolerance, .estimate_condition = true};
  if (!mo_island_pack_velocities(island, arena, &packed)) {
    return 0.0;
  }
  return mo_bilateral_solve(&packed.problem, &settings, NULL, arena).condition;
}

static bool is_soft(const mo_island_view *island) {
  return island->source->bodies[mo_island_body(island, 0)].solver == MO_SOLVER_SOFT_STEP;
}

// How the row solvers solved an island; null if they did not solve it. Their islands come after
// those of soft-step in their own order, because islands are ordered by their bodies.
static const mo_island_solution *solution_of(const mo_world *world, const mo_island_view *island) {
  const mo_by_island *by = &world->last_step.by_island;
  uint32_t others = island->partition->island_count - by->partition.island_count;
  return by->solutions && island->index >= others ? &by->solutions[island->index - others] : NULL;
}

// What the certificate says of an island of soft-step or block-pgs, neither of which measures it.
// Joints that are open are not solved, however good the certificate of their velocities is.
static mo_solve_status judge(const mo_island *island, double tolerance) {
  mo_solve_status own = island->status;
  if (island->residual <= tolerance && island->event != MO_ISLAND_OPEN_JOINTS) {
    return MO_SOLVE_CONVERGED;
  }
  return own == MO_SOLVE_CONVERGED ? MO_SOLVE_STALLED : own; // sweeps that change nothing
}

static mo_island describe(mo_world *world, const mo_island_view *island) {
  const mo_island_solution *solution = solution_of(world, island);
  mo_island out = {.solver = MO_SOLVER_BLOCK_PGS,
                   .bodies = mo_island_body_count(island),
                   .rows = mo_island_row_count(island),
                   .first_body = body_of_row(world, mo_island_body(island, 0))};
  if (is_soft(island)) {
    out.solver = MO_SOLVER_SOFT_STEP;
    out.status = MO_SOLVE_BUDGET; // its substeps are made, and it does not look
    out.iterations = world->last_step.soft.substeps;
  } else if (solution) {
    out.solver = solution->solver;
    out.event = solution->event;
    bool has_failed = solution->event == MO_ISLAND_STALLED;
    out.status = has_failed ? MO_SOLVE_STALLED : solution->solved.status;
    out.iterations = solution->solved.iterations;
    out.factorisations = solution->solved.factorisations;
    out.residual = solution->residual;
  }
  if (out.solver == MO_SOLVER_BLOCK_PGS || out.solver == MO_SOLVER_SOFT_STEP) {
    out.residual = residual_of(island, world->last_step.friction_law, &world->query_arena);
    out.status = judge(&out, world->settings.tolerance);
  }
  return out;
}

uint32_t mo_world_islands(mo_world *world, mo_island *out, uint32_t capacity) {
  mo_island_partition partition = {0};
  if (last_partition(world, &partition) != MO_OK) {
    mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_islands",
                         "no memory for the islands");
    return 0;
  }
  for (uint32_t i = 0; i < partition.island_count && i < capacity; i++) {
    mo_island_view island = {
        .source = &world->last_step.problem, .partition = &partition, .index = i};
    out[i] = describe(world, &island);
    if (out[i].solver == MO_SOLVER_BILATERAL) {
      out[i].condition = condition_of(&island, world->settings.tolerance, &world->query_arena);
    }
  }
  return partition.island_count;
}

// --- counts ----------------------------------------------------------------------------------

static void add_islands(mo_stats *stats, mo_solve_status status, uint32_t count) {
  switch (status) {
  case MO_SOLVE_CONVERGED:
    stats->converged_islands += count;
    break;
  case MO_SOLVE_BUDGET:
    stats->budget_islands += count;
    break;
  case MO_SOLVE_STALLED:
    stats->stalled_islands += count;
    break;
  default:
    break;
  }
}

// Whether what is known of all islands does not tell which of them are within the tolerance.
static bool must_measure(const mo_world *world, const mo_stats *stats, uint32_t soft) {
  const mo_by_island *by = &world->last_step.by_island;
  bool any = soft > 0 && world->settings.certify && !(stats->residual <= world->settings.tolerance);
  for (uint32_t i = 0; by->solutions && i < by->partition.island_count; i++) {
    any = any || by->solutions[i].solver == MO_SOLVER_BLOCK_PGS;
  }
  return any;
}

static void count_measured(mo_world *world, mo_stats *stats) {
  mo_island_partition partition = {0};
  if (last_partition(world, &partition) != MO_OK) {
    return;
  }
  for (uint32_t i = 0; i < partition.island_count; i++) {
    mo_island_view island = {
        .source = &world->last_step.problem, .partition = &partition, .index = i};
    add_islands(stats, describe(world, &island).status, 1);
  }
}

static void count_known(const mo_world *world, mo_stats *stats, uint32_t soft) {
  const mo_by_island *by = &world->last_step.by_island;
  add_islands(stats, world->settings.certify ? MO_SOLVE_CONVERGED : MO_SOLVE_BUDGET, soft);
  for (uint32_t i = 0; by->solutions && i < by->partition.island_count; i++) {
    add_islands(stats, by->solutions[i].solved.status, 1);
  }
}

void mo_islands_count_statuses(mo_world *world, mo_stats *stats) {
  uint32_t rows = world->last_step.by_island.partition.island_count;
  uint32_t soft = stats->islands > rows ? stats->islands - rows : 0;
  if (must_measure(world, stats, soft)) {
    count_measured(world, stats);
  } else {
    count_known(world, stats, soft);
  }
  stats->status = stats->stalled_islands > 0     ? MO_SOLVE_STALLED
                  : stats->budget_islands > 0    ? MO_SOLVE_BUDGET
                  : stats->converged_islands > 0 ? MO_SOLVE_CONVERGED
                                                 : MO_SOLVE_NONE;
}
