#include "math/scalar.h"
#include "step/stages.h"

#include <string.h>

// m: the most that any point of a body moves in a step of which rows are kept, and from where they
// were made. The gaps, which are linear in the way, are off by less than that squared over the
// radius of the body; and what comes within reach meanwhile has a contact already, as far as
// contacts begin.
#define REST_WAY 5e-5

// How far a velocity takes any point of a body in the step, m.
static double displacement_of(const mo_step *s, const mo_body *body, mo_velocity v) {
  double spin = mo_length(v.angular); // of a plane, whose radius is infinite, none
  return s->dt * (mo_length(v.linear) + (spin > 0.0 ? body->bounding_radius * spin : 0.0));
}

static bool rests(const mo_step *s, uint32_t slot) {
  const mo_motion *motion = &s->world->motions[slot];
  mo_velocity velocity = {motion->linear_velocity, motion->angular_velocity};
  return displacement_of(s, &s->world->bodies[slot], velocity) <= REST_WAY;
}

static double reach_of(const mo_step *s, uint32_t slot) {
  return displacement_of(s, &s->world->bodies[slot], s->free_velocities[slot]);
}

// --- keeping ---------------------------------------------------------------------------------

// Whether no row can come to overlap by more than what is left alone, slow as the bodies are.
static bool needs_no_mending(const mo_step *s, double least_gap) {
  return s->world->settings.stabilization != MO_STABILIZATION_SPLIT ||
         least_gap - 4.0 * REST_WAY >= -mo_world_linear_slop(s->world, false);
}

bool mo_step_may_keep_rows(const mo_step *s) {
  const mo_world *world = s->world;
  // Two bodies that rest do not bounce.
  bool may = !s->has_fast && s->constraint_block_count == 0 && !s->by_island.solutions &&
             mo_world_restitution_threshold(world, s->dt) * s->dt > 2.0 * REST_WAY;
  for (uint32_t i = 1; may && i < s->problem.body_count; i++) {
    may = rests(s, s->row_slots[i]);
  }
  for (uint32_t i = 0; may && i < s->contact_count; i++) {
    may = s->contact_is_solved[i];
  }
  for (uint32_t i = 0; may && i < s->problem.block_count; i++) {
    may = s->problem.blocks[i].point_contact;
  }
  return may && needs_no_mending(s, mo_least_gap(&s->problem));
}

void mo_step_keep_rows(mo_step *s) {
  const mo_world *world = s->world;
  mo_arena *arena = &s->world->spare_problem_arena;
  mo_kept_step *kept = &s->kept;
  *kept = (mo_kept_step){
      .dt = s->dt,
      .rows = {.packed = s->by_island.packed, .least_gap = mo_least_gap(&s->problem)},
      .body_count = s->problem.body_count,
      .bodies = MO_ARENA_TAKE_RAW(arena, mo_kept_body, s->problem.body_count),
      .contacts = MO_ARENA_TAKE_RAW(arena, uint32_t, s->problem.block_count),
      .points = MO_ARENA_TAKE_RAW(arena, uint32_t, s->problem.block_count)};
  kept->is_valid = kept->bodies && kept->contacts && kept->points;
  for (uint32_t i = 1; kept->is_valid && i < s->problem.body_count; i++) {
    uint32_t slot = s->row_slots[i];
    kept->bodies[i] = (mo_kept_body){.center_of_mass = world->motions[slot].center_of_mass,
                                     .orientation = world->motions[slot].orientation,
                                     .displacement = world->displacements[slot],
                                     .reach = reach_of(s, slot)};
  }
  for (uint32_t i = 0, block = 0; kept->is_valid && i < s->contact_count; i++) {
    for (uint32_t k = 0; k < world->fresh_contacts[i].point_count; k++, block++) {
      kept->contacts[block] = i;
      kept->points[block] = k;
    }
  }
}

// --- going on with them ----------------------------------------------------------------------

static bool is_as_before(const mo_step *s, uint32_t index) {
  const mo_world *world = s->world;
  const mo_kept_body *kept = &world->kept.bodies[index];
  const mo_row_body *body = &s->problem.bodies[index];
  const mo_row_body *before = &world->last_step.problem.bodies[index];
  uint32_t slot = s->row_slots[index];
  double displacement = world->displacements[slot] - kept->displacement;
  return slot == world->last_step.row_slots[index] && body->inverse_mass == before->inverse_mass &&
         body->solver == before->solver && displacement >= 0.0 && displacement <= REST_WAY &&
         rests(s, slot) && reach_of(s, slot) <= kept->reach + REST_WAY;
}

static bool are_as_before(const mo_step *s) {
  const mo_world *world = s->world;
  bool same = s->problem.body_count == world->last_step.problem.body_count;
  for (uint32_t i = 1; same && i < s->problem.body_count; i++) {
    same = is_as_before(s, i);
  }
  return same;
}

// Way and turn of a body since the rows were made.
static mo_velocity displacement(const mo_kept_body *from, const mo_motion *to) {
  mo_quat turn = mo_quat_mul(to->orientation, mo_quat_conjugate(from->orientation));
  double twice = turn.w < 0.0 ? -2.0 : 2.0;
  return (mo_velocity){mo_sub(to->center_of_mass, from->center_of_mass),
                       mo_scale(twice, mo_v3(turn.x, turn.y, turn.z))};
}

mo_result mo_step_take_up_rows(mo_step *s) {
  const mo_world *world = s->world;
  if (!world->kept.is_valid || world->kept.dt != s->dt || s->has_fast ||
      world->constraint_ids.alive_count > 0 || !needs_no_mending(s, world->kept.rows.least_gap)) {
    return MO_OK;
  }
  mo_result result = mo_step_make_row_bodies(s);
  if (result != MO_OK || !are_as_before(s)) {
    return result;
  }
  mo_row_body *bodies = s->problem.bodies;
  s->problem = world->last_step.problem;
  s->problem.bodies = bodies;
  s->kept = world->kept;
  s->has_kept_rows = true;
  s->by_island.packed = s->kept.rows.packed;
  s->by_island.is_packed = true;
  return MO_OK;
}

mo_result mo_step_refresh_rows(mo_step *s) {
  mo_world *world = s->world;
  mo_contact_settings settings = mo_step_contact_settings(s);
  mo_velocity *displacements = s->pseudo_velocities; // which are zero, and will be again
  world->kept.is_valid = false;                      // until the commit
  for (uint32_t i = 1; i < s->problem.body_count; i++) {
    displacements[i] = displacement(&s->kept.bodies[i], &world->motions[s->row_slots[i]]);
  }
  bool is_done = mo_kept_rows_refresh(&s->kept.rows, &s->problem, displacements, &settings,
                                      MO_MISFIT * world->settings.tolerance, &world->journal);
  memset(displacements, 0, s->problem.body_count * sizeof *displacements);
  return is_done ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

void mo_step_place_kept_bodies(mo_step *s) {
  mo_kept_rows_mark_pushed(&s->kept.rows, s->placed, MO_PLACED_BY_END_VELOCITY);
}

// --- what the others see -----------------------------------------------------------------------

static void update_point(void *context, const mo_kept_point *kept) {
  const mo_step *s = context;
  mo_contact *contact = &s->world->contacts[s->kept.contacts[kept->block]];
  mo_contact_point_state *point = &contact->points[s->kept.points[kept->block]];
  point->separation = kept->separation;
  point->normal_impulse = kept->normal_impulse;
  point->tangent_impulse = kept->tangent_impulse;
}

void mo_step_commit_kept_rows(mo_step *s) {
  mo_step_record *last = &s->world->last_step;
  mo_kept_rows_visit_points(&s->kept.rows, update_point, s);
  memcpy(last->problem.bodies, s->problem.bodies,
         s->problem.body_count * sizeof *s->problem.bodies);
  s->problem.bodies = last->problem.bodies;
  s->row_slots = last->row_slots;
}
