#include "solvers/by_island.h"

#include "math/scalar.h"
#include "solvers/block_pgs/taut_joints.h"
#include "solvers/certificate.h"
#include "solvers/island_packing.h"

// Sets the velocities of all bodies.
static mo_solve_result sweep(mo_row_problem *problem, const mo_by_island_settings *settings,
                             mo_ordering_cache *cache, mo_arena *arena, mo_by_island *by,
                             mo_velocity *velocities) {
  if (!by->is_packed &&
      !mo_packed_rows_make(problem, settings->sweeps.tolerance, cache, arena, &by->packed)) {
    return (mo_solve_result){.result = MO_ERROR_OUT_OF_MEMORY};
  }
  mo_solve_result solved =
      mo_packed_rows_solve(&by->packed, problem, velocities, &settings->sweeps);
  if (!by->is_packed) {
    mo_packed_rows_write(&by->packed, problem);
  }
  return solved;
}

static bool asks_for_exact(const mo_row_problem *problem) {
  for (uint32_t i = 0; i < problem->body_count; i++) {
    const mo_row_body *body = &problem->bodies[i];
    if (body->solver != MO_SOLVER_BLOCK_PGS && mo_row_body_moves(body)) {
      return true;
    }
  }
  return false;
}

// Marks the bodies of islands in which some body asks for an exact solver.
static bool *find_exact_bodies(const mo_row_problem *problem, const mo_island_partition *partition,
                               mo_arena *arena) {
  bool *exact = MO_ARENA_TAKE(arena, bool, problem->body_count);
  for (uint32_t i = 0; exact && i < partition->island_count; i++) {
    uint32_t first = partition->first_body[i], end = partition->first_body[i + 1];
    bool any = false;
    for (uint32_t k = first; k < end; k++) {
      any = any || problem->bodies[partition->bodies[k]].solver != MO_SOLVER_BLOCK_PGS;
    }
    for (uint32_t k = first; k < end; k++) {
      exact[partition->bodies[k]] = any;
    }
  }
  return exact;
}

mo_result mo_by_island_begin(const mo_row_problem *problem, mo_arena *arena, mo_by_island *out) {
  *out = (mo_by_island){0};
  if (!asks_for_exact(problem)) {
    return MO_OK;
  }
  mo_result result = mo_island_partition_make(problem, arena, &out->partition);
  out->solutions = MO_ARENA_TAKE(arena, mo_island_solution, out->partition.island_count);
  return out->solutions ? result : MO_ERROR_OUT_OF_MEMORY;
}

mo_result mo_by_island_stiffen(mo_row_problem *problem, const mo_by_island *by_island,
                               mo_arena *arena) {
  bool *exact = NULL;
  if (by_island->solutions) {
    exact = find_exact_bodies(problem, &by_island->partition, arena);
    if (!exact) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
  }
  return mo_taut_joints_stiffen(problem, exact, arena) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// --- islands that are left to block-pgs ------------------------------------------------------

static bool is_left(const mo_by_island *by, uint32_t island) {
  return by->solutions[island].solver == MO_SOLVER_BLOCK_PGS;
}

// Extracts the problem of the islands that are left to block-pgs, with the same bodies.
static mo_result extract_left(const mo_row_problem *problem, const mo_by_island *by,
                              mo_arena *arena, mo_row_problem *out) {
  *out = *problem;
  out->blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, problem->block_count);
  out->rows = MO_ARENA_TAKE_RAW(arena, mo_row, problem->row_count);
  out->block_count = out->row_count = 0;
  if (!out->blocks || !out->rows) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < by->partition.island_count; i++) {
    for (uint32_t k = by->partition.first_block[i];
         is_left(by, i) && k < by->partition.first_block[i + 1]; k++) {
      const mo_row_block *block = &problem->blocks[by->partition.blocks[k]];
      mo_row_block *copy = &out->blocks[out->block_count++];
      *copy = *block;
      copy->first_row = out->row_count;
      for (uint32_t r = 0; r < block->row_count; r++) {
        out->rows[out->row_count++] = problem->rows[block->first_row + r];
      }
    }
  }
  return MO_OK;
}

// Copies the impulses of an extracted problem back.
static void return_impulses(const mo_row_problem *left, const mo_by_island *by,
                            mo_row_problem *problem) {
  uint32_t at = 0;
  for (uint32_t i = 0; i < by->partition.island_count; i++) {
    for (uint32_t k = by->partition.first_block[i];
         is_left(by, i) && k < by->partition.first_block[i + 1]; k++) {
      const mo_row_block *block = &problem->blocks[by->partition.blocks[k]];
      for (uint32_t r = 0; r < block->row_count; r++) {
        problem->rows[block->first_row + r].impulse = left->rows[at++].impulse;
      }
    }
  }
}

// --- islands out of work ---------------------------------------------------------------------

// The certificate of an island's impulses, m/s; NaN without memory.
static double certificate_of(const mo_island_view *island, mo_friction_law law,
                             mo_exact_workspace *workspace) {
  mo_packed_island packed;
  mo_arena_reset(&workspace->arena);
  return mo_island_pack_velocities(island, &workspace->arena, &packed)
             ? mo_certificate_of_impulses(&packed.problem, law, &workspace->arena).worst
             : (double)NAN;
}

static void set_free_velocities(const mo_row_problem *problem, const mo_by_island *by,
                                uint32_t island, mo_velocity *velocities) {
  for (uint32_t k = by->partition.first_body[island]; k < by->partition.first_body[island + 1];
       k++) {
    uint32_t body = by->partition.bodies[k];
    velocities[body] =
        (mo_velocity){problem->bodies[body].free_linear, problem->bodies[body].free_angular};
  }
}

static void put_impulses(mo_row_problem *problem, const mo_by_island *by, uint32_t island,
                         const double *impulses) {
  for (uint32_t k = by->partition.first_block[island]; k < by->partition.first_block[island + 1];
       k++) {
    const mo_row_block *block = &problem->blocks[by->partition.blocks[k]];
    for (uint32_t r = block->first_row; r < block->first_row + block->row_count; r++) {
      problem->rows[r].impulse = impulses[r];
    }
  }
}

// The sweeps' result of an island that ran out of work, or the exact solver's best point if its
// certificate is smaller.
static void take_better(mo_row_problem *problem, const mo_by_island_settings *settings,
                        mo_exact_workspace *workspace, mo_by_island *by, uint32_t index,
                        const double *best, const mo_solve_result *swept, mo_velocity *velocities) {
  mo_island_solution *solution = &by->solutions[index];
  mo_island_view island = {.source = problem, .partition = &by->partition, .index = index};
  double after = certificate_of(&island, settings->exact.friction_law, workspace);
  if (solution->residual <= after) {
    solution->solver = solution->tried;
    put_impulses(problem, by, index, best);
    set_free_velocities(problem, by, index, velocities);
    return; // the impulses are applied with those of the other islands
  }
  solution->solved.status = swept->status;
  solution->solved.iterations += swept->iterations;
  solution->residual = after;
  if (after <= settings->exact.tolerance) {
    solution->event = MO_ISLAND_AS_ASKED;
    solution->solved.status = MO_SOLVE_CONVERGED;
  }
}

// Solves these islands, and sets the velocities of all bodies accordingly.
static mo_result solve_left(mo_row_problem *problem, const mo_by_island_settings *settings,
                            mo_exact_workspace *workspace, mo_arena *arena, mo_by_island *by,
                            mo_velocity *velocities) {
  mo_row_problem left;
  mo_result result = extract_left(problem, by, arena, &left);
  double *before = MO_ARENA_TAKE_RAW(arena, double, problem->row_count);
  if (result != MO_OK || !before) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 0; i < problem->row_count; i++) {
    before[i] = problem->rows[i].impulse;
  }
  mo_solve_result solved = sweep(&left, settings, &workspace->orderings, arena, by, velocities);
  if (solved.result != MO_OK) {
    return solved.result;
  }
  return_impulses(&left, by, problem);
  for (uint32_t i = 0; i < by->partition.island_count; i++) {
    if (is_left(by, i) && by->solutions[i].event == MO_ISLAND_WORK_LIMIT) {
      take_better(problem, settings, workspace, by, i, before, &solved, velocities);
    } else if (is_left(by, i)) {
      by->solutions[i].solved = solved;
    }
  }
  return MO_OK;
}

// --- solve -----------------------------------------------------------------------------------

static void add_to_total(mo_solve_result *total, const mo_solve_result *solved) {
  total->iterations += solved->iterations;
  total->factorisations += solved->factorisations;
  total->status = solved->status > total->status ? solved->status : total->status;
}

static void apply_impulses(const mo_row_problem *problem, const mo_by_island *by, uint32_t island,
                           mo_velocity *velocities) {
  for (uint32_t k = by->partition.first_block[island]; k < by->partition.first_block[island + 1];
       k++) {
    const mo_row_block *block = &problem->blocks[by->partition.blocks[k]];
    for (uint32_t r = 0; r < block->row_count; r++) {
      mo_block_row_apply(problem, block, r, problem->rows[block->first_row + r].impulse,
                         velocities);
    }
  }
}

mo_result mo_by_island_solve(mo_row_problem *problem, const mo_by_island_settings *settings,
                             mo_exact_workspace *workspace, mo_arena *arena,
                             mo_by_island *by_island, mo_velocity *velocities) {
  if (!by_island->solutions) {
    mo_solve_result solved =
        sweep(problem, settings, &workspace->orderings, arena, by_island, velocities);
    add_to_total(&by_island->total, &solved);
    return solved.result;
  }
  for (uint32_t i = 0; !settings->again && i < by_island->partition.island_count; i++) {
    by_island->solutions[i].spent = 0;
    by_island->solutions[i].event = MO_ISLAND_AS_ASKED;
  }
  mo_exact_solve(problem, &by_island->partition, &settings->exact, workspace, by_island->solutions);
  bool any_left = false;
  for (uint32_t i = 0; i < by_island->partition.island_count; i++) {
    any_left = any_left || is_left(by_island, i);
  }
  for (uint32_t i = 0; i < problem->body_count; i++) {
    velocities[i] = (mo_velocity){problem->bodies[i].free_linear, problem->bodies[i].free_angular};
  }
  mo_result result =
      any_left ? solve_left(problem, settings, workspace, arena, by_island, velocities) : MO_OK;
  bool left_counted = false;
  for (uint32_t i = 0; result == MO_OK && i < by_island->partition.island_count; i++) {
    bool left = is_left(by_island, i);
    if (!left) {
      apply_impulses(problem, by_island, i, velocities);
    }
    if (!left || !left_counted) {
      add_to_total(&by_island->total, &by_island->solutions[i].solved);
    }
    left_counted = left_counted || left; // all these islands share one solve
  }
  return result;
}

// --- positions -------------------------------------------------------------------------------

// Factorisations that a position correction may use: it needs fewer than the velocities did, and
// the next step makes up for a correction that fails.
#define POSITION_FACTORISATIONS 100

// The gaps that rows should have at the end of the step. Joints keep theirs: their errors are
// corrected after the step, with the joints' true geometry.
static void find_targets(const mo_row_problem *problem, const mo_velocity *velocities,
                         const mo_split_impulse_settings *settings, double *targets) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    bool bilateral = block->bound == MO_BOUND_BILATERAL;
    for (uint32_t k = 0; k < mo_position_row_count(block); k++) {
      double speed = mo_block_row_velocity(problem, block, k, velocities);
      double gap_after = problem->rows[block->first_row + k].gap + problem->dt * speed;
      targets[block->first_row + k] =
          bilateral ? 0.0 : mo_position_target(gap_after, false, problem->dt, settings);
    }
  }
}

mo_result mo_by_island_correct(const mo_row_problem *problem, const mo_by_island *by_island,
                               const mo_velocity *velocities,
                               const mo_split_impulse_settings *settings,
                               mo_exact_workspace *workspace, mo_arena *arena,
                               mo_velocity *pseudo) {
  if (!by_island->solutions) {
    return mo_split_impulse_solve(problem, velocities, settings, &workspace->orderings, arena,
                                  pseudo);
  }
  mo_row_problem left;
  double *targets = MO_ARENA_TAKE_RAW(arena, double, problem->row_count);
  mo_result result = extract_left(problem, by_island, arena, &left);
  if (result == MO_OK) {
    result =
        mo_split_impulse_solve(&left, velocities, settings, &workspace->orderings, arena, pseudo);
  }
  if (!targets || result != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  find_targets(problem, velocities, settings, targets);
  mo_solver_settings exact = {.max_iterations = POSITION_FACTORISATIONS,
                              .tolerance = settings->tolerance};
  mo_exact_project(problem, &by_island->partition, by_island->solutions, targets, &exact, workspace,
                   pseudo);
  return MO_OK;
}
