#include "world/soft_stage.h"

#include "parallel/parallel.h"
#include "world/activity.h"
#include "world/soft_constraints.h"

#include <stdatomic.h>

// Gap in slops from which on there is a contact: what bodies approach in a step at moderate speed.
#define SPECULATIVE_SLOPS 4.0
// m: what margins are measured by in a world without slop, where bodies are to touch all the same.
#define MARGIN_WITHOUT_SLOP 0.005
// Bodies that a thread takes at a time.
#define BODIES_AT_ONCE 128u

// --- bodies ----------------------------------------------------------------------------------

// Velocities after this step's forces, without constraints.
static mo_velocity push(const mo_body *body, const mo_motion *motion, const mo_wrench *wrench,
                        bool is_free, double dt) {
  mo_vec3 linear =
      mo_add_scaled(motion->linear_velocity, dt * body->mass.inverse_mass, wrench->force);
  mo_vec3 angular = is_free
                        ? mo_integrate_rotation(&body->mass, motion, wrench->torque, dt)
                        : mo_integrate_rotation_roughly(&body->mass, motion, wrench->torque, dt);
  return (mo_velocity){mo_scale(1.0 / (1.0 + dt * body->linear_damping), linear),
                       mo_scale(1.0 / (1.0 + dt * body->angular_damping), angular)};
}

// Every -0 becomes +0 (body_lanes.h).
static void put_lanes(float *out, mo_vec3 v) {
  out[0] = (float)v.x + 0.0f;
  out[1] = (float)v.y + 0.0f;
  out[2] = (float)v.z + 0.0f;
  out[3] = 0.0f;
}

static void set_mass(mo_soft_mass *out, const mo_body *body, const mo_motion *motion) {
  const mo_mass *mass = &body->mass;
  out->inverse_mass = (float)mass->inverse_mass;
  mo_mat3 inverse = mass->is_isotropic ? mass->inverse_inertia
                                       : mo_motion_world_tensor(motion, mass->inverse_inertia);
  const double entries[6] = {inverse.cx.x, inverse.cy.y, inverse.cz.z,
                             inverse.cy.x, inverse.cz.x, inverse.cz.y};
  for (int i = 0; i < 6; i++) {
    out->inverse_inertia[i] = (float)entries[i];
  }
}

static bool is_constrained(const mo_world *world, uint32_t slot) {
  return world->pairs.contact_counts[slot] > 0 || world->constraint_counts[slot] > 0;
}

// Fills in one of the bodies that the solver moves.
static void enter(const mo_step *s, uint32_t slot, mo_velocity free) {
  const mo_soft_stage *soft = &s->soft;
  const mo_body *body = &s->world->bodies[slot];
  const mo_motion *motion = &s->world->motions[slot];
  uint32_t index = soft->indices[slot];
  mo_soft_body *state = &soft->step.bodies[index];
  mo_soft_mass *mass = &soft->masses[index];
  soft->start[index] = *motion;
  *state = (mo_soft_body){0};
  *mass = (mo_soft_mass){0};
  put_lanes(state->linear_velocity, motion->linear_velocity);
  put_lanes(state->angular_velocity, motion->angular_velocity);
  if (body->type == MO_BODY_DYNAMIC) {
    double share = 1.0 / s->world->settings.substeps;
    set_mass(mass, body, motion);
    put_lanes(mass->linear_gain, mo_scale(share, mo_sub(free.linear, motion->linear_velocity)));
    put_lanes(mass->angular_gain, mo_scale(share, mo_sub(free.angular, motion->angular_velocity)));
  }
}

static bool is_mine(const mo_step *s, uint32_t slot) { return !mo_step_is_in_rows(s, slot); }

static mo_result find_forces(mo_step *s, mo_wrench **wrenches) {
  mo_world *world = s->world;
  *wrenches = MO_ARENA_TAKE_RAW(&world->step_arena, mo_wrench, world->ids.slot_count);
  return *wrenches ? mo_world_evaluate_forces(world, world->motions, world->time, *wrenches)
                   : MO_ERROR_OUT_OF_MEMORY;
}

// Numbers the awake bodies that the solver moves: what something holds or touches.
static void number_bodies(mo_step *s) {
  const mo_world *world = s->world;
  mo_soft_stage *soft = &s->soft;
  soft->step.body_count = 1;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (is_mine(s, slot) && is_constrained(world, slot)) {
      soft->slots[soft->step.body_count] = slot;
      soft->indices[slot] = soft->step.body_count++;
    }
  }
}

// Of awake bodies.
typedef struct body_range {
  mo_step *step;
  const mo_wrench *wrenches; // per slot
  _Atomic bool is_infinite;  // where some motion at the end is
} body_range;

static void gather_range(void *context, uint32_t first, uint32_t last) {
  const body_range *range = context;
  const mo_step *s = range->step;
  const mo_world *world = s->world;
  for (uint32_t i = first; i < last; i++) {
    uint32_t slot = world->awake[i];
    const mo_body *body = &world->bodies[slot];
    const mo_motion *motion = &world->motions[slot];
    if (!is_mine(s, slot)) {
      continue;
    }
    bool is_free = s->soft.indices[slot] == 0;
    s->soft.free[i] = body->type == MO_BODY_DYNAMIC
                          ? push(body, motion, &range->wrenches[slot], is_free, s->dt)
                          : (mo_velocity){motion->linear_velocity, motion->angular_velocity};
    if (!is_free) {
      enter(s, slot, s->soft.free[i]);
    }
  }
}

static mo_result gather(mo_step *s) {
  mo_world *world = s->world;
  mo_soft_stage *soft = &s->soft;
  mo_arena *arena = &world->spare_problem_arena;
  uint32_t slots = world->ids.slot_count, most = world->awake_count + 1;
  mo_wrench *wrenches;
  mo_result result = find_forces(s, &wrenches);
  if (result != MO_OK) {
    return result;
  }
  soft->indices = MO_ARENA_TAKE(arena, uint32_t, slots);
  soft->slots = MO_ARENA_TAKE_RAW(arena, uint32_t, most);
  soft->start = MO_ARENA_TAKE_RAW(arena, mo_motion, most);
  soft->masses = MO_ARENA_TAKE_RAW(arena, mo_soft_mass, most);
  soft->free = MO_ARENA_TAKE_RAW(&world->step_arena, mo_velocity, most);
  soft->step.bodies = MO_ARENA_TAKE_RAW(&world->step_arena, mo_soft_body, most);
  if (!soft->indices || !soft->slots || !soft->start || !soft->masses || !soft->free ||
      !soft->step.bodies) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  soft->step.bodies[0] = (mo_soft_body){0};
  soft->masses[0] = (mo_soft_mass){0};
  number_bodies(s);
  body_range range = {.step = s, .wrenches = wrenches};
  mo_parallel_for(world->awake_count, BODIES_AT_ONCE, gather_range, &range);
  return MO_OK;
}

// --- solve -----------------------------------------------------------------------------------

static mo_soft_settings solver_settings(const mo_world *world, double dt) {
  const mo_world_def *def = &world->settings;
  return (mo_soft_settings){.dt = dt,
                            .substeps = def->substeps,
                            .contact_hertz = def->contact_hertz,
                            .contact_damping = def->contact_damping,
                            .joint_hertz = def->joint_hertz,
                            .joint_damping = def->joint_damping,
                            .linear_slop = mo_world_linear_slop(world, true),
                            .friction_per_point = def->friction_per_point,
                            .max_correction_speed = def->max_correction_speed,
                            .restitution_threshold = mo_world_restitution_threshold(world, dt),
                            .impulse_scale = mo_world_warm_start_scale(world, dt)};
}

static mo_result solve(mo_step *s) {
  mo_world *world = s->world;
  mo_soft_stage *soft = &s->soft;
  soft->step.settings = solver_settings(world, s->dt);
  soft->step.motions = world->motions;
  soft->step.indices = soft->indices;
  soft->step.masses = soft->masses;
  soft->step.colours = world->pairs.colours;
  soft->step.arena = &world->step_arena;
  return mo_soft_step_solve(&soft->step) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// --- motions at the end ----------------------------------------------------------------------

// A body that nothing touches moves as in the substeps of the others, but in double precision: by
// the mean of the velocities that forces give it in them. One that its own inertia turns about
// keeps energy and angular momentum only if it turns about the spin that it ends with.
static mo_motion move_free(const mo_step *s, uint32_t slot, mo_velocity free) {
  mo_motion motion = s->world->motions[slot];
  double n = s->world->settings.substeps, weight = (n + 1.0) / (2.0 * n);
  mo_vec3 linear = mo_lerp(motion.linear_velocity, free.linear, weight);
  const mo_mass *mass = &s->world->bodies[slot].mass;
  mo_vec3 angular =
      mo_lerp(motion.angular_velocity, free.angular, mass->is_isotropic ? weight : 1.0);
  mo_integrate_pose(&motion, mass->center_of_mass, linear, angular, s->dt);
  motion.linear_velocity = free.linear;
  motion.angular_velocity = free.angular;
  return motion;
}

static mo_motion move_solved(const mo_step *s, uint32_t slot) {
  mo_motion motion = s->world->motions[slot];
  const mo_soft_body *body = &s->soft.step.bodies[s->soft.indices[slot]];
  mo_integrate_pose(&motion, s->world->bodies[slot].mass.center_of_mass,
                    mo_v3_from_floats(body->displacement), mo_v3_from_floats(body->rotation), 1.0);
  if (s->world->bodies[slot].type == MO_BODY_DYNAMIC) {
    motion.linear_velocity = mo_v3_from_floats(body->linear_velocity);
    motion.angular_velocity = mo_v3_from_floats(body->angular_velocity);
  }
  return motion;
}

static void move_range(void *context, uint32_t first, uint32_t last) {
  body_range *range = context;
  const mo_step *s = range->step;
  const mo_soft_stage *soft = &s->soft;
  for (uint32_t i = first; i < last; i++) {
    uint32_t slot = s->world->awake[i];
    if (!is_mine(s, slot)) {
      continue;
    }
    soft->end[i] = soft->indices[slot] ? move_solved(s, slot) : move_free(s, slot, soft->free[i]);
    if (!mo_motion_is_finite(&soft->end[i])) {
      atomic_store_explicit(&range->is_infinite, true, memory_order_relaxed);
    }
  }
}

static mo_result move(mo_step *s) {
  mo_world *world = s->world;
  s->soft.end = MO_ARENA_TAKE_RAW(&world->step_arena, mo_motion, world->awake_count);
  if (!s->soft.end) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  body_range range = {.step = s};
  mo_parallel_for(world->awake_count, BODIES_AT_ONCE, move_range, &range);
  return range.is_infinite ? MO_ERROR_NOT_FINITE : MO_OK;
}

// --- the stage -------------------------------------------------------------------------------

// What the margins of this stage are measured by: the slop, as a length that is small in this
// world.
static double small_length(const mo_world *world) {
  double slop = mo_world_linear_slop(world, true);
  return slop > 0.0 ? slop : MARGIN_WITHOUT_SLOP;
}

mo_result mo_soft_stage_run(mo_step *s) {
  mo_world *world = s->world;
  double small = small_length(world);
  mo_step_begin(s, MO_PROFILE_NARROW_PHASE);
  bool is_found =
      mo_world_update_soft_contacts(world, SPECULATIVE_SLOPS * small, small, &s->soft.changes) &&
      mo_world_sort_pairs_by_activity(world) && mo_world_sort_awake(world);
  mo_step_end(s, MO_PROFILE_NARROW_PHASE);
  if (!is_found) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_step_begin(s, MO_PROFILE_FORCES);
  mo_result result = gather(s);
  mo_step_end(s, MO_PROFILE_FORCES);
  mo_step_begin(s, MO_PROFILE_PREPARE);
  if (result == MO_OK) {
    result = mo_soft_constraints_make(s);
  }
  mo_step_end(s, MO_PROFILE_PREPARE);
  mo_step_begin(s, MO_PROFILE_SOLVE);
  if (result == MO_OK) {
    result = solve(s);
  }
  mo_step_end(s, MO_PROFILE_SOLVE);
  mo_step_begin(s, MO_PROFILE_INTEGRATE);
  if (result == MO_OK) {
    result = move(s);
  }
  mo_step_end(s, MO_PROFILE_INTEGRATE);
  return result;
}

void mo_soft_stage_undo(mo_step *s) { mo_world_undo_soft_contacts(s->world, &s->soft.changes); }

// Sees to it that the broad phase covers the bodies where they are now.
static void cover_bodies(mo_step *s) {
  mo_world *world = s->world;
  double reach = small_length(world) * SPECULATIVE_SLOPS * 0.5;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (is_mine(s, slot) && world->travels[slot] > world->box_limits[slot]) {
      world->box_limits[slot] =
          world->travels[slot] + mo_world_cover_body(world, slot, &world->motions[slot], reach);
    }
  }
}

void mo_soft_stage_commit(mo_step *s) {
  mo_soft_step_store(&s->soft.step);
  mo_world_keep_soft_contacts(s->world, &s->soft.changes);
  mo_soft_constraints_commit(s);
  cover_bodies(s);
}

mo_soft_record mo_soft_stage_record(const mo_step *s) {
  const mo_soft_stage *soft = &s->soft;
  return (mo_soft_record){.start = soft->start,
                          .masses = soft->masses,
                          .slots = soft->slots,
                          .indices = soft->indices,
                          .body_count = soft->step.body_count,
                          .slot_count = s->world->ids.slot_count,
                          .substeps = s->world->settings.substeps};
}
