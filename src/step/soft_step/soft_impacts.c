#include "step/soft_step/soft_impacts.h"

#include "math/scalar.h"
#include "step/impact_reflections.h"
#include "step/soft_step/soft_problem.h"

#include <string.h>

// The contacts of soft-step as rows, and where each block comes from.
typedef struct impact_rows {
  mo_soft_step *s;
  mo_row_problem problem;
  mo_contact_settings settings;
  mo_velocity *start;         // per body of the problem
  double *restitutions;       // per block
  mo_struck_point *of_blocks; // per block
} impact_rows;

// --- whether there are impacts ---------------------------------------------------------------

// The speed with which B leaves A at a point.
static double parting_speed(const mo_world *world, const mo_substep_contact *contact, uint32_t k) {
  const mo_motion *a = &world->motions[contact->pair.slot_a],
                  *b = &world->motions[contact->pair.slot_b];
  const mo_substep_point *point = &contact->points[k];
  mo_vec3 of_a =
      mo_add(a->linear_velocity, mo_cross(a->angular_velocity, mo_v3_from_floats(point->arm_a)));
  mo_vec3 of_b =
      mo_add(b->linear_velocity, mo_cross(b->angular_velocity, mo_v3_from_floats(point->arm_b)));
  return mo_dot(mo_v3_from_floats(contact->normal), mo_sub(of_b, of_a));
}

static bool has_impact(const mo_world *world, const mo_substep_contact *contact, double threshold) {
  for (uint32_t k = 0; contact->restitution > 0.0f && k < contact->point_count; k++) {
    if (parting_speed(world, contact, k) < -threshold) {
      return true;
    }
  }
  return false;
}

static bool has_impacts(const mo_soft_step *s) {
  double threshold = mo_world_restitution_threshold(s->world, s->dt);
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(&s->world->pairs, &walk));) {
    if (has_impact(s->world, c, threshold)) {
      return true;
    }
  }
  return false;
}

// --- rows ------------------------------------------------------------------------------------

static bool make_room(impact_rows *rows) {
  mo_world *world = rows->s->world;
  mo_arena *arena = &world->step_arena;
  uint32_t points = MO_MANIFOLD_POINTS * mo_pair_store_contact_count(&world->pairs);
  uint32_t bodies = rows->s->soft->step.body_count;
  mo_row_problem *problem = &rows->problem;
  problem->bodies = MO_ARENA_TAKE(arena, mo_row_body, bodies);
  problem->blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, points);
  problem->rows = MO_ARENA_TAKE_RAW(arena, mo_row, 3 * (size_t)points);
  rows->start = MO_ARENA_TAKE(arena, mo_velocity, bodies);
  rows->restitutions = MO_ARENA_TAKE_RAW(arena, double, points);
  rows->of_blocks = MO_ARENA_TAKE_RAW(arena, mo_struck_point, points);
  return problem->bodies && problem->blocks && problem->rows && rows->start && rows->restitutions &&
         rows->of_blocks;
}

static void append_bodies(impact_rows *rows) {
  const mo_world *world = rows->s->world;
  const mo_soft_stage *soft = rows->s->soft;
  rows->problem.body_count = soft->step.body_count;
  for (uint32_t i = 1; i < soft->step.body_count; i++) {
    const mo_motion *motion = &world->motions[soft->slots[i]];
    rows->start[i] = mo_step_velocity(motion);
    rows->problem.bodies[i] = mo_soft_body_to_rows(
        &world->bodies[soft->slots[i]], motion, &soft->masses[i], rows->s->dt, rows->s->substeps);
  }
}

static void append_contact(impact_rows *rows, mo_substep_contact *soft) {
  const mo_world *world = rows->s->world;
  const uint32_t *indices = rows->s->soft->indices;
  uint32_t slot_a = soft->pair.slot_a, slot_b = soft->pair.slot_b;
  const mo_motion *a = &world->motions[slot_a], *b = &world->motions[slot_b];
  mo_contact contact = mo_substep_contact_to_rows(world, soft, a, b);
  contact.surface_velocity = mo_v3_zero(); // impacts are of the bodies alone: they drive nothing
  mo_contact_side side_a = mo_step_contact_side(indices[slot_a], a);
  mo_contact_side side_b = mo_step_contact_side(indices[slot_b], b);
  for (uint32_t k = 0; k < contact.point_count; k++) {
    uint32_t block = rows->problem.block_count + k;
    rows->restitutions[block] = contact.restitution;
    rows->of_blocks[block] = (mo_struck_point){.contact = soft, .point = k};
  }
  mo_contact_append_rows(&rows->problem, &contact, &side_a, &side_b, &rows->settings);
}

static bool make_rows(impact_rows *rows) {
  mo_pair_store *pairs = &rows->s->world->pairs;
  if (!make_room(rows)) {
    return false;
  }
  append_bodies(rows);
  mo_contact_walk walk = {0};
  for (mo_substep_contact *c; (c = mo_pair_store_next(pairs, &walk));) {
    append_contact(rows, c);
  }
  return true;
}

// --- impacts ---------------------------------------------------------------------------------

// The speed with which a contact that is to part from its surface with `target` parts here, `gap`
// before it. Free flight in substeps of h, in which forces add `gain` to the approach, keeps
// (approach + gain / 2)^2 / 2 + gain gap / h.
static double speed_here(double target, double approach, double gain, double gap, double h) {
  if (!(approach > 0.0)) {
    return target; // the impact came through others
  }
  double half = 0.5 * gain, fall = gain * mo_max(0.0, gap) / h;
  double meets = mo_square(approach + half) + 2.0 * fall;
  // what is faster than the own approach came through other contacts
  double own = mo_min(target, approach);
  double squared = mo_square(own / approach) * meets - 2.0 * fall + target * target - own * own;
  return mo_max(0.0, half + (squared > 0.0 ? sqrt(squared) : 0.0));
}

static void adjust_speeds(const impact_rows *rows, mo_impact_targets *targets) {
  const mo_row_problem *problem = &rows->problem;
  double n = rows->s->substeps;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    const mo_row_block *block = &problem->blocks[i];
    mo_velocity free[MO_ROW_SIDES];
    mo_block_free_velocities(problem, block, free);
    const mo_row *row = &problem->rows[block->first_row];
    double approach = -mo_block_row_velocity(problem, block, 0, rows->start);
    double gain = (-mo_row_velocity_of_sides(row, NULL, free) - approach) / n;
    if (targets->is_hit[i]) {
      targets->speeds[i] =
          speed_here(targets->speeds[i], approach, gain, row->gap, rows->s->dt / n);
    }
  }
}

static void write_velocities(const impact_rows *rows, const mo_velocity *velocities) {
  const mo_substep_solver *step = &rows->s->soft->step;
  for (uint32_t i = 1; i < step->body_count; i++) {
    mo_velocity was = rows->start[i], is = velocities[i];
    if (mo_distance_between(was.linear, is.linear) > 0.0 ||
        mo_distance_between(was.angular, is.angular) > 0.0) {
      mo_v3_to_floats(is.linear, step->bodies[i].linear_velocity);
      mo_v3_to_floats(is.angular, step->bodies[i].angular_velocity);
    }
  }
}

static void note_impulses(impact_rows *rows, const double *impulses) {
  mo_substep_solver *step = &rows->s->soft->step;
  step->struck = rows->of_blocks;
  for (uint32_t i = 0; i < rows->problem.block_count; i++) {
    if (impulses[i] > 0.0) {
      mo_struck_point point = rows->of_blocks[i];
      point.impulse = (float)impulses[i];
      rows->of_blocks[step->struck_count++] = point;
    }
  }
}

mo_result mo_soft_reflect_impacts(mo_soft_step *s) {
  mo_world *world = s->world;
  if (world->settings.impact_law == MO_IMPACT_NEWTON || !has_impacts(s)) {
    return MO_OK;
  }
  impact_rows rows = {.s = s,
                      .problem = {.dt = s->dt},
                      .settings = {.dt = s->dt, .restitution_threshold = INFINITY}};
  mo_arena *arena = &world->step_arena;
  if (!make_rows(&rows)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_impact_targets targets;
  mo_result result =
      mo_impacts_find(world, &rows.problem, rows.restitutions, rows.start, arena, &targets);
  if (result != MO_OK || !targets.any) {
    return result;
  }
  adjust_speeds(&rows, &targets);
  mo_velocity *velocities = MO_ARENA_TAKE_RAW(arena, mo_velocity, rows.problem.body_count);
  double *impulses = MO_ARENA_TAKE_RAW(arena, double, rows.problem.block_count);
  if (!velocities || !impulses) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  memcpy(velocities, rows.start, rows.problem.body_count * sizeof *velocities);
  result = mo_impacts_separate(world, &rows.problem, &targets, velocities, impulses, arena);
  if (result == MO_OK) {
    write_velocities(&rows, velocities);
    note_impulses(&rows, impulses);
  }
  return result;
}
