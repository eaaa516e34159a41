#include "math/scalar.h"
#include "step/stages.h"

#include <string.h>

// What the stages of this file read and write.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_free_motions *free;
  mo_row_set *rows;
} stage;

// m: rows are kept as long as no point of a body moves by more than this in a step or from where
// they were made. The gaps are linear in the displacement; their error is below its square over the
// body's radius. Bodies that come within reach meanwhile have a contact already, because contacts
// begin earlier.
#define REST_DISPLACEMENT 5e-5

// How far a velocity moves any point of the body in the step, m.
static double displacement_of(double dt, const mo_body *body, mo_velocity v) {
  double spin = mo_length(v.angular); // zero for a plane, whose radius is infinite
  return dt * (mo_length(v.linear) + (spin > 0.0 ? body->bounding_radius * spin : 0.0));
}

static bool rests(const mo_world *world, double dt, uint32_t slot) {
  const mo_motion *motion = &world->motions[slot];
  mo_velocity velocity = {motion->linear_velocity, motion->angular_velocity};
  return displacement_of(dt, &world->bodies[slot], velocity) <= REST_DISPLACEMENT;
}

static double reach_of(const stage *s, uint32_t slot) {
  return displacement_of(s->dt, &s->world->bodies[slot], s->free->velocities[slot]);
}

// --- keeping ---------------------------------------------------------------------------------

// Whether the bodies are too slow for any overlap to exceed what is left uncorrected.
static bool needs_no_mending(const mo_world *world, double least_gap) {
  return world->settings.stabilization != MO_STABILIZATION_SPLIT ||
         least_gap - 4.0 * REST_DISPLACEMENT >= -mo_world_linear_slop(world, false);
}

bool mo_step_may_keep_rows(const mo_world *world, double dt, const mo_solver_choice *choice,
                           const mo_row_contacts *contacts, const mo_row_set *rows,
                           const mo_row_solution *solution) {
  // Two bodies at rest do not bounce.
  bool may = !choice->has_fast && !world->contact_rule.function &&
             rows->constraint_block_count == 0 && !solution->by_island.solutions &&
             mo_world_restitution_threshold(world, dt) * dt > 2.0 * REST_DISPLACEMENT;
  for (uint32_t i = 1; may && i < rows->problem.body_count; i++) {
    may = rests(world, dt, rows->row_slots[i]);
  }
  for (uint32_t i = 0; may && i < contacts->count; i++) {
    may = contacts->is_solved[i];
  }
  for (uint32_t i = 0; may && i < rows->problem.block_count; i++) {
    may = rows->problem.blocks[i].point_contact;
  }
  return may && needs_no_mending(world, mo_least_gap(&rows->problem));
}

void mo_step_keep_rows(mo_world *world, double dt, const mo_free_motions *free,
                       const mo_row_contacts *contacts, const mo_row_solution *solution,
                       mo_row_set *rows) {
  const stage s = {world, dt, free, rows};
  mo_arena *arena = &world->spare_problem_arena;
  mo_kept_step *kept = &rows->kept;
  *kept = (mo_kept_step){
      .dt = dt,
      .rows = {.packed = solution->by_island.packed, .least_gap = mo_least_gap(&rows->problem)},
      .body_count = rows->problem.body_count,
      .bodies = MO_ARENA_TAKE_RAW(arena, mo_kept_body, rows->problem.body_count),
      .contacts = MO_ARENA_TAKE_RAW(arena, uint32_t, rows->problem.block_count),
      .points = MO_ARENA_TAKE_RAW(arena, uint32_t, rows->problem.block_count)};
  kept->is_valid = kept->bodies && kept->contacts && kept->points;
  for (uint32_t i = 1; kept->is_valid && i < rows->problem.body_count; i++) {
    uint32_t slot = rows->row_slots[i];
    kept->bodies[i] = (mo_kept_body){.center_of_mass = world->motions[slot].center_of_mass,
                                     .orientation = world->motions[slot].orientation,
                                     .displacement = world->displacements[slot],
                                     .reach = reach_of(&s, slot)};
  }
  for (uint32_t i = 0, block = 0; kept->is_valid && i < contacts->count; i++) {
    for (uint32_t k = 0; k < world->fresh_contacts[i].point_count; k++, block++) {
      kept->contacts[block] = i;
      kept->points[block] = k;
    }
  }
}

// --- going on with them ----------------------------------------------------------------------

static bool is_as_before(const stage *s, uint32_t index) {
  const mo_world *world = s->world;
  const mo_kept_body *kept = &world->kept.bodies[index];
  const mo_row_body *body = &s->rows->problem.bodies[index];
  const mo_row_body *before = &world->last_step.problem.bodies[index];
  uint32_t slot = s->rows->row_slots[index];
  double displacement = world->displacements[slot] - kept->displacement;
  return slot == world->last_step.row_slots[index] && body->inverse_mass == before->inverse_mass &&
         body->solver == before->solver && displacement >= 0.0 &&
         displacement <= REST_DISPLACEMENT && rests(world, s->dt, slot) &&
         reach_of(s, slot) <= kept->reach + REST_DISPLACEMENT;
}

static bool are_as_before(const stage *s) {
  const mo_world *world = s->world;
  bool same = s->rows->problem.body_count == world->last_step.problem.body_count;
  for (uint32_t i = 1; same && i < s->rows->problem.body_count; i++) {
    same = is_as_before(s, i);
  }
  return same;
}

// Displacement and rotation of a body since the rows were made.
static mo_velocity displacement(const mo_kept_body *from, const mo_motion *to) {
  mo_quat turn = mo_quat_mul(to->orientation, mo_quat_conjugate(from->orientation));
  double twice = turn.w < 0.0 ? -2.0 : 2.0;
  return (mo_velocity){mo_sub(to->center_of_mass, from->center_of_mass),
                       mo_scale(twice, mo_v3(turn.x, turn.y, turn.z))};
}

mo_result mo_step_take_up_rows(mo_world *world, double dt, const mo_solver_choice *choice,
                               const mo_free_motions *free, mo_row_set *rows,
                               mo_row_solution *solution) {
  const stage s = {world, dt, free, rows};
  if (!world->kept.is_valid || world->kept.dt != dt || choice->has_fast ||
      world->constraint_ids.alive_count > 0 ||
      !needs_no_mending(world, world->kept.rows.least_gap)) {
    return MO_OK;
  }
  mo_result result = mo_step_make_row_bodies(world, choice, free, rows);
  if (result != MO_OK || !are_as_before(&s)) {
    return result;
  }
  mo_row_body *bodies = rows->problem.bodies;
  rows->problem = world->last_step.problem;
  rows->problem.bodies = bodies;
  rows->kept = world->kept;
  rows->is_kept = true;
  solution->by_island.packed = rows->kept.rows.packed;
  solution->by_island.is_packed = true;
  return MO_OK;
}

mo_result mo_step_refresh_rows(mo_world *world, double dt, mo_row_set *rows, mo_velocity *room) {
  mo_contact_settings settings = mo_step_contact_settings(world, dt);
  world->kept.is_valid = false; // valid again after the commit
  for (uint32_t i = 1; i < rows->problem.body_count; i++) {
    room[i] = displacement(&rows->kept.bodies[i], &world->motions[rows->row_slots[i]]);
  }
  bool is_done = mo_kept_rows_refresh(&rows->kept.rows, &rows->problem, room, &settings,
                                      MO_MISFIT * world->settings.tolerance, &world->journal);
  memset(room, 0, rows->problem.body_count * sizeof *room);
  return is_done ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// --- what the others see -----------------------------------------------------------------------

typedef struct kept_contacts {
  mo_contact *contacts;
  const mo_kept_step *kept;
} kept_contacts;

static void update_point(void *context, const mo_kept_point *kept) {
  const kept_contacts *all = context;
  mo_contact *contact = &all->contacts[all->kept->contacts[kept->block]];
  mo_contact_point_state *point = &contact->points[all->kept->points[kept->block]];
  point->separation = kept->separation;
  point->normal_impulse = kept->normal_impulse;
  point->tangent_impulse = kept->tangent_impulse;
}

void mo_step_commit_kept_rows(mo_world *world, mo_row_set *rows) {
  mo_step_record *last = &world->last_step;
  kept_contacts all = {world->contacts, &rows->kept};
  mo_kept_rows_visit_points(&rows->kept.rows, update_point, &all);
  memcpy(last->problem.bodies, rows->problem.bodies,
         rows->problem.body_count * sizeof *rows->problem.bodies);
  rows->problem.bodies = last->problem.bodies;
  rows->row_slots = last->row_slots;
}
