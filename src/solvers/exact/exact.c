#include "solvers/exact/exact.h"

#include "math/scalar.h"
#include "solvers/certificate.h"
#include "solvers/cone/cone_solver.h"
#include "solvers/exact/active_set.h"
#include "solvers/exact/bilateral.h"
#include "solvers/exact/position_sweeps.h"

#include <string.h>

void mo_exact_workspace_free(mo_exact_workspace *workspace) {
  mo_arena_free(&workspace->arena);
  mo_arena_free(&workspace->sweeps);
  mo_ordering_cache_free(&workspace->orderings);
}

// --- choice of the solver --------------------------------------------------------------------

static mo_solver asked_solver(const mo_island_view *island) {
  mo_solver asked = MO_SOLVER_BLOCK_PGS;
  for (uint32_t i = 0; i < mo_island_body_count(island); i++) {
    mo_solver wanted = island->source->bodies[mo_island_body(island, i)].solver;
    asked = wanted > asked ? wanted : asked;
  }
  return asked;
}

// The least general solver that supports all bounds of the island.
static mo_solver needed_solver(const mo_island_view *island) {
  mo_solver needed = MO_SOLVER_BILATERAL;
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    mo_bound bound = mo_island_block(island, i)->bound;
    if (bound == MO_BOUND_CONE) {
      return MO_SOLVER_CONE;
    }
    needed = bound == MO_BOUND_BILATERAL ? needed : MO_SOLVER_ACTIVE_SET;
  }
  return needed;
}

static mo_solver choose_solver(const mo_island_view *island) {
  mo_solver asked = asked_solver(island);
  if (asked == MO_SOLVER_BLOCK_PGS) {
    return asked;
  }
  mo_solver needed = needed_solver(island);
  return asked == MO_SOLVER_EXACT || needed > asked ? needed : asked;
}

// --- solve -----------------------------------------------------------------------------------

// Fraction of the tolerance that solvers aim at: the impulses of a step also correct what those of
// the step before left open, so each step's forces may be wrong by twice that.
#define AIM 0.5
// The same once more for an island that its solver has finished and the certificate rejects.
#define SHARP_AIM 0.05

static mo_solve_result run_solver(mo_solver solver, mo_contact_problem *packed,
                                  const mo_solver_settings *settings, double aim,
                                  mo_exact_workspace *workspace) {
  mo_solver_settings inner = *settings;
  inner.tolerance *= aim;
  inner.work = &workspace->work;
  switch (solver) {
  case MO_SOLVER_BILATERAL:
    return mo_bilateral_solve(packed, &inner, &workspace->orderings, &workspace->arena);
  case MO_SOLVER_ACTIVE_SET:
    return mo_active_set_solve(packed, &inner, &workspace->orderings, &workspace->arena);
  default:
    return mo_cone_solve(packed, &inner, &workspace->orderings, &workspace->arena);
  }
}

// Counted operations per row of packing an island, scaling it and measuring its certificate.
#define SETUP_WORK 500.0
// The same of the sweeps that correct positions where an exact solver cannot.
#define SWEEPS_WORK 1500.0

// Pays for what is done also where no work is left, with no more than there is.
static void spend_at_most(mo_work *work, double cost) {
  mo_work_spend(work, work->limit > 0.0 ? mo_min(cost, mo_work_left(work)) : cost);
}

static bool is_finite_list(const double *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (!mo_is_finite(values[i])) {
      return false;
    }
  }
  return true;
}

static mo_island_solution leave_to_block_pgs(mo_island_event event) {
  return (mo_island_solution){
      .solver = MO_SOLVER_BLOCK_PGS, .event = event, .residual = (double)NAN};
}

// An island that is being solved.
typedef struct island_solve {
  const mo_island_view *island;
  mo_row_problem *problem; // its source
  mo_contact_problem *packed;
  const mo_solver_settings *settings;
  const mo_island_sweeper *sweeper;
  mo_exact_workspace *workspace;
  mo_island_solution solution;
  double *last; // impulses of the last step, for another start; null: there is none
} island_solve;

static bool is_solved(const island_solve *s) {
  return s->solution.residual <= s->settings->tolerance;
}

static double measure(const island_solve *s) {
  return mo_certificate_of_impulses(s->packed, s->settings->friction_law, &s->workspace->arena)
      .worst;
}

// Brings the impulses within their bounds, and measures what they leave.
static double enforce_and_measure(island_solve *s) {
  mo_contact_problem_enforce_bounds(s->packed);
  return measure(s);
}

// Factorisations that the island may still use in this step.
static uint32_t factorisations_left(const island_solve *s) {
  uint32_t most = s->settings->max_iterations, spent = s->solution.spent;
  return spent < most ? most - spent : 0;
}

static mo_solve_result run(island_solve *s, double aim) {
  mo_solver_settings left = *s->settings;
  left.max_iterations = factorisations_left(s);
  mo_solve_result solved = run_solver(s->solution.solver, s->packed, &left, aim, s->workspace);
  s->solution.spent += solved.factorisations;
  return solved;
}

// Returns null without memory.
static double *copy_impulses(const island_solve *s) {
  double *copy = MO_ARENA_TAKE_RAW(&s->workspace->arena, double, s->packed->row_count);
  if (copy) {
    memcpy(copy, s->packed->impulse, s->packed->row_count * sizeof *copy);
  }
  return copy;
}

// Tries to improve the impulses. Keeps what is better by its certificate.
static void try_more(island_solve *s, bool (*improve)(island_solve *)) {
  double *before = copy_impulses(s);
  if (!before) {
    return;
  }
  double residual = improve(s) ? enforce_and_measure(s) : (double)INFINITY;
  if (residual < s->solution.residual) {
    s->solution.residual = residual;
  } else {
    memcpy(s->packed->impulse, before, s->packed->row_count * sizeof *before);
  }
}

// Solves again, to a smaller tolerance, what its solver calls solved and the certificate does not:
// a trifle by which bounds move the impulse of a light body is a large velocity.
static bool sharpen(island_solve *s) {
  mo_solve_result again = run(s, SHARP_AIM);
  s->solution.solved.iterations += again.iterations;
  s->solution.solved.factorisations += again.factorisations;
  return again.result == MO_OK;
}

// --- sweeps ----------------------------------------------------------------------------------

// Sweeps of block-pgs before other methods.
#define FLOOR_SWEEPS 20.0
// Counted operations of such a sweep per row.
#define FLOOR_WORK 270.0
// The same of making the island's own problem for it.
#define FLOOR_SETUP_WORK 1500.0
// Operations per row below which nothing but sweeps pays: a factorisation and some iterations.
#define POOR 32000.0
// Times as much is what a start uses up to its third interior point, of some 15 factorisations
// each. With less for each of them, a second start would take from the first one what it needs.
#define RICH 50.0
// The part of a poor island's work that goes to sweeps. The rest is for its certificates.
#define PART_OF_POOR 0.8
// Tolerances: a warm start with a smaller error is left to other methods, because sweeps would make
// what is smooth in it rough.
#define NEAR 1e4

// The impulses of an island's rows in their order, where they are finite.
static void take_impulses(island_solve *s) {
  const mo_island_view *island = s->island;
  uint32_t count = 0;
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    for (uint32_t k = 0; k < block->row_count; k++, count++) {
      double impulse = s->problem->rows[block->first_row + k].impulse;
      s->packed->impulse[count] = mo_is_finite(impulse) ? impulse : 0.0;
    }
  }
}

static void put_impulses(const island_solve *s) {
  mo_island_put_impulses(s->island, s->packed->impulse, s->problem);
}

// Sweeps from the impulses of the rows.
static bool sweep(island_solve *s, double sweeps) {
  double made = s->sweeper->sweep(s->sweeper->context, s->island, (uint32_t)sweeps);
  double cost = (made * FLOOR_WORK + FLOOR_SETUP_WORK) * s->packed->row_count;
  spend_at_most(&s->workspace->work, cost);
  if (made > 0.0) {
    take_impulses(s);
    put_impulses(s);
  }
  return made > 0.0;
}

// From the best point of a method that has no sweeps of its own.
static bool sweep_on(island_solve *s) { return sweep(s, FLOOR_SWEEPS); }

static double floor_sweeps(double rows, const mo_work *work) {
  double left = mo_work_left(work);
  bool is_poor = left > 0.0 && left < POOR * rows;
  return is_poor ? mo_max(FLOOR_SWEEPS, PART_OF_POOR * left / (FLOOR_WORK * rows)) : FLOOR_SWEEPS;
}

// Sweeps what its warm start is far from solving.
static void lay_floor(island_solve *s) {
  if (measure(s) > NEAR * s->settings->tolerance) {
    sweep(s, floor_sweeps(s->packed->row_count, &s->workspace->work));
  }
}

// --- an island -------------------------------------------------------------------------------

// Whether half of the work is so much for the island that two starts may share it. Later solves of
// a step start near the solution of the first one, of which sweeps keep more than Newton's method
// does, where loads have many answers.
static bool affords_two_starts(const island_solve *s) {
  double left = mo_work_left(&s->workspace->work);
  return s->solution.spent == 0 && 0.5 * left > RICH * POOR * s->packed->row_count;
}

// From where sweeps lead, with half of the work where the rest is for another start.
static mo_solve_result run_cone(island_solve *s) {
  mo_work *work = &s->workspace->work;
  double limit = work->limit;
  s->last = affords_two_starts(s) ? copy_impulses(s) : NULL;
  work->limit -= s->last ? 0.5 * mo_work_left(work) : 0.0;
  lay_floor(s);
  mo_solve_result solved = run(s, AIM);
  work->limit = limit;
  return solved;
}

// From the impulses of the last step: Newton's method may reach the solution from there and not
// from where sweeps lead.
static bool start_again(island_solve *s) {
  memcpy(s->packed->impulse, s->last, s->packed->row_count * sizeof *s->last);
  return run(s, AIM).result == MO_OK;
}

// The certificate decides, not the solver.
static void conclude(island_solve *s, bool out_of_work) {
  mo_solve_result *solved = &s->solution.solved;
  bool is_short = out_of_work || solved->status == MO_SOLVE_BUDGET;
  solved->out_of_work = out_of_work && !is_solved(s);
  if (is_solved(s)) {
    solved->status = MO_SOLVE_CONVERGED;
  } else {
    s->solution.event = is_short ? MO_ISLAND_BUDGET : MO_ISLAND_STALLED;
    solved->status = is_short ? MO_SOLVE_BUDGET : MO_SOLVE_STALLED;
  }
}

// Solves a packed island from the impulses in its rows.
static mo_island_solution solve_packed(island_solve *s) {
  mo_island_solution *solution = &s->solution;
  bool has_budget = factorisations_left(s) > 0;
  s->workspace->work.is_short = false;
  solution->solved = solution->solver == MO_SOLVER_CONE ? run_cone(s) : run(s, AIM);
  bool is_short = solution->solved.result != MO_OK && s->workspace->work.is_short;
  if (solution->solved.result != MO_OK && !is_short) {
    return leave_to_block_pgs(MO_ISLAND_TOO_BIG);
  }
  solution->residual = enforce_and_measure(s);
  if (!is_solved(s) && solution->solved.status == MO_SOLVE_CONVERGED) {
    try_more(s, sharpen);
  }
  if (!is_solved(s) && s->last) {
    try_more(s, start_again);
  }
  if (!is_finite_list(s->packed->impulse, s->packed->row_count) ||
      !mo_is_finite(solution->residual)) {
    return leave_to_block_pgs(MO_ISLAND_STALLED);
  }
  put_impulses(s);
  bool out_of_work = is_short || solution->solved.out_of_work || !has_budget;
  if (!is_solved(s) && out_of_work && solution->solver == MO_SOLVER_ACTIVE_SET) {
    try_more(s, sweep_on);
    put_impulses(s);
  }
  conclude(s, out_of_work);
  return *solution;
}

static mo_island_solution solve_island(const mo_island_view *island, mo_row_problem *problem,
                                       const mo_solver_settings *settings,
                                       const mo_island_sweeper *sweeper,
                                       const mo_island_solution *before,
                                       mo_exact_workspace *workspace) {
  mo_solver solver = choose_solver(island);
  if (solver == MO_SOLVER_BLOCK_PGS) {
    return leave_to_block_pgs(MO_ISLAND_AS_ASKED);
  }
  mo_arena_reset(&workspace->arena);
  mo_packed_island packed;
  if (!mo_island_pack_velocities(island, &workspace->arena, &packed)) {
    return leave_to_block_pgs(MO_ISLAND_TOO_BIG);
  }
  spend_at_most(&workspace->work, SETUP_WORK * packed.problem.row_count);
  island_solve s = {.island = island,
                    .problem = problem,
                    .packed = &packed.problem,
                    .settings = settings,
                    .sweeper = sweeper,
                    .workspace = workspace,
                    .solution = {.solver = solver, .spent = before->spent}};
  return solve_packed(&s);
}

// --- shares of the work ----------------------------------------------------------------------

// Fraction of the work that is left in a step that one call may use: impacts that add energy are
// solved again, and positions are corrected after the velocities.
#define PART_OF_CALL 0.8

// The islands of a call, which share its work: each may use an equal part of what those before it
// left. Small islands come first, so that only large ones run out.
typedef struct work_shares {
  mo_work *work;
  double limit;     // of the step
  double end;       // where the call's part ends
  uint32_t waiting; // islands that are still to come
} work_shares;

static work_shares begin_shares(mo_work *work) {
  return (work_shares){.work = work,
                       .limit = work->limit,
                       .end = work->spent + PART_OF_CALL * mo_max(0.0, work->limit - work->spent)};
}

static void take_share(work_shares *s) {
  if (s->limit > 0.0) {
    double left = mo_max(0.0, s->end - s->work->spent);
    s->work->limit = s->work->spent + left / mo_max(1.0, s->waiting);
  }
  s->waiting--;
}

static void end_shares(const work_shares *s) { s->work->limit = s->limit; }

void mo_exact_solve(mo_row_problem *problem, const mo_island_partition *partition, const bool *due,
                    const mo_solver_settings *settings, const mo_island_sweeper *sweeper,
                    mo_exact_workspace *workspace, mo_island_solution *solutions) {
  work_shares shares = begin_shares(&workspace->work);
  mo_island_view island = {.source = problem, .partition = partition};
  for (uint32_t i = 0; i < partition->island_count; i++) {
    shares.waiting += !due || due[i];
  }
  for (uint32_t i = 0; i < partition->island_count; i++) {
    island.index = partition->by_size[i];
    mo_island_solution *solution = &solutions[island.index];
    if (!due || due[island.index]) {
      take_share(&shares);
      *solution = solve_island(&island, problem, settings, sweeper, solution, workspace);
    }
  }
  end_shares(&shares);
}

// --- positions -------------------------------------------------------------------------------

// Fraction of the largest target by which a result may miss a target. If it misses by more, the
// targets exclude each other, and the impulses are arbitrarily large.
#define POSITION_ACCURACY 1e-3
// Joints may displace a body by this many times the sum of all targets: a zigzag of links nearly in
// line needs far more than it closes.
#define JOINT_REACH 10.0
// m: a displacement that is always allowed, because for a straight chain it is the square root of
// the error that it closes.
#define JOINT_STEP 0.1

static bool meets_targets(const mo_contact_problem *problem, double tolerance, mo_arena *arena) {
  double largest = 0.0;
  for (uint32_t i = 0; i < problem->row_count; i++) {
    largest = mo_max(largest, fabs(problem->free_velocity[i]));
  }
  double worst = mo_certificate_of_impulses(problem, MO_FRICTION_COULOMB, arena).worst;
  return worst <= mo_max(tolerance, POSITION_ACCURACY * largest); // false for NaN
}

static bool has_joints(const mo_contact_problem *problem) {
  for (uint32_t i = 0; i < problem->block_count; i++) {
    if (problem->blocks[i].bound == MO_BOUND_BILATERAL) {
      return true;
    }
  }
  return false;
}

// The highest speed of a correction: no body has to move further than all targets together. Targets
// that nearly exclude each other, such as those of two almost parallel faces that squeeze a body,
// would be met far away.
static double allowed_speed(const mo_contact_problem *problem, double dt, double metre) {
  double sum = 0.0;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      sum += fabs(problem->free_velocity[k]);
    }
  }
  return has_joints(problem) ? mo_max(JOINT_REACH * sum, JOINT_STEP * metre / dt) : sum;
}

static double fastest(const mo_island_view *island, uint32_t body_count,
                      const mo_velocity *velocities) {
  double most = 0.0;
  for (uint32_t i = 0; i < body_count; i++) {
    most = mo_max(most, mo_length(velocities[mo_island_body(island, i)].linear));
  }
  return most;
}

static void scale_velocities(const mo_island_view *island, uint32_t body_count, double factor,
                             mo_velocity *velocities) {
  for (uint32_t i = 0; i < body_count; i++) {
    mo_velocity *v = &velocities[mo_island_body(island, i)];
    *v = (mo_velocity){mo_scale(factor, v->linear), mo_scale(factor, v->angular)};
  }
}

// Joints outrank overlaps: what cannot move apart without opening a joint stays overlapped. So
// contacts and limits give way as springs do, which joints do not: by the part of their mobility by
// which one that is free to move may miss its target.
static void soften_bounds(mo_packed_island *packed) {
  mo_contact_problem *problem = &packed->problem;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    for (uint32_t k = block->first_row; k < block->first_row + block->row_count; k++) {
      bool yields = block->bound != MO_BOUND_BILATERAL;
      packed->softening[k] +=
          yields ? POSITION_ACCURACY * mo_contact_problem_mobility(problem, k) : 0.0;
      problem->impulse[k] = 0.0;
    }
  }
}

static bool solve_positions(mo_solver solver, mo_contact_problem *problem,
                            const mo_solver_settings *settings, mo_exact_workspace *workspace) {
  mo_solve_result solved = run_solver(solver, problem, settings, AIM, workspace);
  return solved.result == MO_OK && is_finite_list(problem->impulse, problem->row_count) &&
         meets_targets(problem, settings->tolerance, &workspace->arena);
}

static void project_island(const mo_island_view *island, const double *targets,
                           const mo_solver_settings *settings, mo_exact_workspace *workspace,
                           mo_velocity *pseudo) {
  mo_arena_reset(&workspace->arena);
  mo_packed_island packed;
  if (!mo_island_pack_positions(island, targets, &workspace->arena, &packed)) {
    return;
  }
  mo_work_spend(&workspace->work, SETUP_WORK * packed.problem.row_count);
  mo_solver solver =
      needed_solver(island) == MO_SOLVER_BILATERAL ? MO_SOLVER_BILATERAL : MO_SOLVER_ACTIVE_SET;
  bool good = solve_positions(solver, &packed.problem, settings, workspace);
  if (!good && solver == MO_SOLVER_ACTIVE_SET && has_joints(&packed.problem)) {
    soften_bounds(&packed);
    good = solve_positions(solver, &packed.problem, settings, workspace);
  }
  uint32_t bodies = packed.problem.body_count;
  double allowed = allowed_speed(&packed.problem, island->source->dt, mo_solver_metre(settings));
  if (good) {
    mo_island_add_velocities(island, &packed, pseudo);
    double speed = fastest(island, bodies, pseudo);
    if (speed <= allowed) {
      return;
    }
    if (solver == MO_SOLVER_BILATERAL && mo_is_finite(speed)) {
      scale_velocities(island, bodies, allowed / speed,
                       pseudo); // a fraction of the displacement helps too
      return;
    }
    scale_velocities(island, bodies, 0.0, pseudo);
  }
  mo_work_spend(&workspace->work, SWEEPS_WORK * packed.problem.row_count);
  if (mo_position_sweeps(&packed.problem, &workspace->arena)) {
    mo_island_add_velocities(island, &packed, pseudo);
    double speed = fastest(island, bodies, pseudo);
    if (speed > allowed) {
      scale_velocities(island, bodies, allowed / speed, pseudo);
    }
  }
}

// Whether a row that holds a position must move.
static bool asks_for_correction(const mo_island_view *island, const double *targets,
                                double tolerance) {
  for (uint32_t i = mo_island_block_begin(island); i < mo_island_block_end(island); i++) {
    const mo_row_block *block = mo_island_block(island, i);
    for (uint32_t k = 0; k < mo_position_row_count(block); k++) {
      double target = targets[block->first_row + k];
      if (target > tolerance || (block->bound == MO_BOUND_BILATERAL && target < -tolerance)) {
        return true;
      }
    }
  }
  return false;
}

static bool is_moved(const mo_island_view *island, const mo_island_solution *solution,
                     const double *targets, double tolerance) {
  return !mo_island_is_swept(solution) && asks_for_correction(island, targets, tolerance);
}

void mo_exact_project(const mo_row_problem *problem, const mo_island_partition *partition,
                      const mo_island_solution *solutions, const double *targets,
                      const mo_solver_settings *settings, mo_exact_workspace *workspace,
                      mo_velocity *pseudo) {
  work_shares shares = begin_shares(&workspace->work);
  mo_island_view island = {.source = problem, .partition = partition};
  shares.waiting = partition->island_count;
  for (uint32_t i = 0; i < partition->island_count; i++) {
    island.index = partition->by_size[i];
    take_share(&shares);
    if (is_moved(&island, &solutions[island.index], targets, settings->tolerance)) {
      project_island(&island, targets, settings, workspace, pseudo);
    }
  }
  end_shares(&shares);
}
