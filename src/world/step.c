/// The step pipeline.
///
///   forces -> free velocities -> broad and narrow phase -> rows -> solver -> split impulses ->
///   poses
///
/// A step is a transaction: every stage works on copies in arenas and on the fresh contact list,
/// and only `commit`, which cannot fail, writes the world. A step that runs out of memory or
/// overflows leaves the world as it was.
#include "dynamics/integrator.h"
#include "dynamics/potential.h"
#include "memory/array.h"
#include "solvers/block_pgs.h"
#include "solvers/impact_energy.h"
#include "solvers/split_impulse.h"
#include "world/world.h"

// Approach speeds below this never bounce by default; above it, below what two steps of gravity
// give, they are resting contacts and not impacts.
#define LEAST_RESTITUTION_THRESHOLD 0.01

// How often the restitution of impacts that create energy is halved before it is dropped.
#define RESTITUTION_HALVINGS 4

// Index of the world itself among the bodies of a row problem.
#define WORLD_ROW_BODY 0u

typedef struct step {
  mo_world *world;
  double dt;
  mo_velocity *free_velocities; // per slot
  uint32_t *row_bodies;         // per slot: index in the problem
  uint32_t contact_count, pair_count;
  mo_row_problem problem;
  mo_velocity *velocities;        // per body of the problem, solved
  mo_velocity *pseudo_velocities; // the same, for positions only
  mo_motion *motions;             // per slot, at the end of the step
  mo_solve_result solved;
} step;

// --- free velocities -------------------------------------------------------------------------

static mo_velocity free_velocity(const mo_world *world, const mo_body *body,
                                 const mo_motion *motion, double dt) {
  mo_velocity v = {motion->linear_velocity, motion->angular_velocity};
  if (body->type != MO_BODY_DYNAMIC) {
    return v;
  }
  mo_wrench gravity =
      mo_gravity_wrench(mo_scale(body->gravity_scale, world->settings.gravity), body->mass.mass);
  mo_vec3 force = mo_add(body->force, gravity.force);
  mo_vec3 torque = mo_add(body->torque, gravity.torque);
  v.linear = mo_add_scaled(v.linear, dt * body->mass.inverse_mass, force);
  v.angular = mo_integrate_rotation(&body->mass, motion, torque, dt);
  // Damping by implicit Euler: stable for every coefficient.
  v.linear = mo_scale(1.0 / (1.0 + dt * body->linear_damping), v.linear);
  v.angular = mo_scale(1.0 / (1.0 + dt * body->angular_damping), v.angular);
  return v;
}

static mo_result find_free_velocities(step *s) {
  mo_world *world = s->world;
  s->free_velocities = MO_ARENA_TAKE(&world->step_arena, mo_velocity, world->ids.slot_count);
  if (!s->free_velocities) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      s->free_velocities[slot] =
          free_velocity(world, &world->bodies[slot], &world->motions[slot], s->dt);
    }
  }
  return MO_OK;
}

// --- rows ------------------------------------------------------------------------------------

static mo_result make_row_bodies(step *s) {
  mo_world *world = s->world;
  mo_arena *arena = &world->spare_problem_arena;
  s->row_bodies = MO_ARENA_TAKE(&world->step_arena, uint32_t, world->ids.slot_count);
  s->problem.bodies = MO_ARENA_TAKE(arena, mo_row_body, world->ids.alive_count + 1);
  if (!s->row_bodies || !s->problem.bodies) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  s->problem.body_count = WORLD_ROW_BODY + 1;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!world->ids.alive[slot]) {
      continue;
    }
    mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
    s->row_bodies[slot] = s->problem.body_count;
    s->problem.bodies[s->problem.body_count++] = (mo_row_body){
        .free_linear = s->free_velocities[slot].linear,
        .free_angular = s->free_velocities[slot].angular,
        .inverse_mass = mass.inverse_mass,
        .inverse_inertia = mo_motion_world_tensor(&world->motions[slot], mass.inverse_inertia)};
  }
  return MO_OK;
}

static mo_contact_settings contact_settings(const mo_world *world, double dt) {
  const mo_world_def *settings = &world->settings;
  double threshold = settings->restitution_threshold;
  if (threshold < 0.0) {
    threshold = mo_max(LEAST_RESTITUTION_THRESHOLD, 2.0 * mo_length(settings->gravity) * dt);
  }
  bool baumgarte = settings->stabilization == MO_STABILIZATION_BAUMGARTE;
  return (mo_contact_settings){.dt = dt,
                               .restitution_threshold = threshold,
                               .baumgarte = baumgarte ? settings->error_reduction / dt : 0.0,
                               .linear_slop = settings->linear_slop,
                               .max_correction_speed = settings->max_correction_speed};
}

static mo_contact_side contact_side(const step *s, uint32_t slot) {
  const mo_motion *motion = &s->world->motions[slot];
  return (mo_contact_side){.body = s->row_bodies[slot],
                           .center_of_mass = motion->center_of_mass,
                           .velocity = {motion->linear_velocity, motion->angular_velocity}};
}

static mo_result make_contact_rows(step *s) {
  mo_world *world = s->world;
  uint32_t row_count = 0, block_count = 0;
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const mo_contact *contact = &world->fresh_contacts[i];
    block_count += contact->point_count;
    row_count += contact->point_count * mo_contact_row_count(contact);
  }
  s->problem.blocks = MO_ARENA_TAKE_RAW(&world->spare_problem_arena, mo_row_block, block_count);
  s->problem.rows = MO_ARENA_TAKE_RAW(&world->spare_problem_arena, mo_row, row_count);
  if (!s->problem.blocks || !s->problem.rows) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_contact_settings settings = contact_settings(world, s->dt);
  for (uint32_t i = 0; i < s->contact_count; i++) {
    const mo_contact *contact = &world->fresh_contacts[i];
    mo_contact_side a = contact_side(s, contact->slot_a), b = contact_side(s, contact->slot_b);
    mo_contact_append_rows(&s->problem, contact, &a, &b, &settings);
  }
  return MO_OK;
}

// --- solve -----------------------------------------------------------------------------------

// Solves, and solves again with less restitution as long as an island's impacts create energy: with
// a half, a quarter, ... of it, at last with none.
static mo_result solve_velocities(step *s) {
  const mo_world_def *settings = &s->world->settings;
  mo_arena *arena = &s->world->step_arena;
  mo_solver_settings solver = {.max_iterations = settings->iterations,
                               .tolerance = settings->tolerance};
  uint32_t sweeps = 0;
  for (int attempt = 0;; attempt++) {
    s->solved = mo_block_pgs_solve(&s->problem, s->velocities, &solver, arena);
    if (s->solved.result != MO_OK) {
      return s->solved.result;
    }
    sweeps += s->solved.iterations;
    s->solved.iterations = sweeps;
    if (attempt > RESTITUTION_HALVINGS) {
      return MO_OK;
    }
    bool changed;
    double keep = attempt < RESTITUTION_HALVINGS ? 0.5 : 0.0;
    mo_result result = mo_impact_energy_cure(&s->problem, s->velocities, keep, arena, &changed);
    if (result != MO_OK || !changed) {
      return result;
    }
  }
}

static mo_result solve(step *s) {
  const mo_world_def *settings = &s->world->settings;
  mo_arena *arena = &s->world->step_arena;
  s->velocities = MO_ARENA_TAKE(arena, mo_velocity, s->problem.body_count);
  s->pseudo_velocities = MO_ARENA_TAKE(arena, mo_velocity, s->problem.body_count);
  if (!s->velocities || !s->pseudo_velocities) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  if (s->problem.row_count == 0) {
    for (uint32_t i = 0; i < s->problem.body_count; i++) {
      const mo_row_body *body = &s->problem.bodies[i];
      s->velocities[i] = (mo_velocity){body->free_linear, body->free_angular};
    }
    return MO_OK; // and the status MO_SOLVE_NONE
  }
  mo_result result = solve_velocities(s);
  if (result != MO_OK || settings->stabilization != MO_STABILIZATION_SPLIT) {
    return result;
  }
  mo_split_impulse_settings split = {.error_reduction = settings->error_reduction,
                                     .linear_slop = settings->linear_slop,
                                     .max_correction_speed = settings->max_correction_speed,
                                     .max_iterations = settings->iterations,
                                     .tolerance = settings->tolerance};
  return mo_split_impulse_solve(&s->problem, s->velocities, &split, arena, s->pseudo_velocities);
}

// --- poses -----------------------------------------------------------------------------------

static mo_vec3 rate_of_change(mo_vec3 before, mo_vec3 after, double dt) {
  return mo_scale(1.0 / dt, mo_sub(after, before));
}

static bool motion_is_finite(const mo_motion *m) {
  return mo_v3_is_finite(m->position) && mo_v3_is_finite(m->center_of_mass) &&
         mo_v3_is_finite(m->linear_velocity) && mo_v3_is_finite(m->angular_velocity) &&
         mo_is_finite(mo_quat_norm_squared(m->orientation));
}

static mo_result integrate_poses(step *s) {
  mo_world *world = s->world;
  s->motions = MO_ARENA_TAKE(&world->step_arena, mo_motion, world->ids.slot_count);
  if (!s->motions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!world->ids.alive[slot]) {
      continue;
    }
    mo_motion *motion = &s->motions[slot];
    *motion = world->motions[slot];
    if (world->bodies[slot].type == MO_BODY_STATIC) {
      continue;
    }
    mo_velocity v = s->velocities[s->row_bodies[slot]],
                p = s->pseudo_velocities[s->row_bodies[slot]];
    motion->linear_velocity = v.linear;
    motion->angular_velocity = v.angular;
    mo_integrate_pose(motion, world->bodies[slot].mass.center_of_mass, mo_add(v.linear, p.linear),
                      mo_add(v.angular, p.angular), s->dt);
    if (!world->bodies[slot].mass.is_isotropic && mo_length_squared(p.angular) > 0.0) {
      // The pose turns by p too. A spin that stayed as it is would be another one in the body's
      // frame, with another energy: it turns along.
      mo_quat turn = mo_quat_exp(mo_scale(s->dt, mo_add(v.angular, p.angular)));
      motion->angular_velocity = mo_quat_rotate(turn, v.angular);
    }
    const mo_motion *old = &world->motions[slot];
    if (!motion_is_finite(motion) ||
        !mo_v3_is_finite(rate_of_change(old->linear_velocity, v.linear, s->dt)) ||
        !mo_v3_is_finite(rate_of_change(old->angular_velocity, v.angular, s->dt))) {
      return MO_ERROR_NOT_FINITE;
    }
  }
  return MO_OK;
}

// --- commit ----------------------------------------------------------------------------------

static bool pose_differs(const mo_motion *a, const mo_motion *b) {
  return !mo_v3_equal(a->position, b->position) || a->orientation.x != b->orientation.x ||
         a->orientation.y != b->orientation.y || a->orientation.z != b->orientation.z ||
         a->orientation.w != b->orientation.w;
}

static void commit_bodies(step *s) {
  mo_world *world = s->world;
  world->moved_count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!world->ids.alive[slot]) {
      continue;
    }
    mo_body *body = &world->bodies[slot];
    mo_motion *old = &world->motions[slot], *new = &s->motions[slot];
    body->linear_acceleration = rate_of_change(old->linear_velocity, new->linear_velocity, s->dt);
    body->angular_acceleration =
        rate_of_change(old->angular_velocity, new->angular_velocity, s->dt);
    body->force = mo_v3_zero();
    body->torque = mo_v3_zero();
    if (body->type == MO_BODY_STATIC) {
      continue;
    }
    if (pose_differs(old, new)) {
      world->moved[world->moved_count++] = slot;
    }
    *old = *new;
    mo_world_publish_slot(world, slot);
  }
}

static void commit_contacts(step *s) {
  mo_world *world = s->world;
  uint32_t block = 0;
  for (uint32_t i = 0; i < s->contact_count; i++) {
    block = mo_contact_read_impulses(&world->fresh_contacts[i], &s->problem, block);
  }
  mo_contact *contacts = world->contacts;
  uint32_t capacity = world->contacts_capacity;
  world->contacts = world->fresh_contacts;
  world->contacts_capacity = world->fresh_contacts_capacity;
  world->contacts_count = s->contact_count;
  world->fresh_contacts = contacts;
  world->fresh_contacts_capacity = capacity;
}

static mo_stats collect_stats(const step *s) {
  const mo_world *world = s->world;
  mo_stats stats = {.contacts = world->contacts_count,
                    .contact_points = s->problem.block_count,
                    .pairs = s->pair_count,
                    .status = s->solved.status,
                    .iterations = s->solved.iterations,
                    .step_bytes = world->step_arena.used_bytes + world->problem_arena.used_bytes};
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    for (uint32_t k = 0; k < world->contacts[i].point_count; k++) {
      stats.max_penetration =
          mo_max(stats.max_penetration, -world->contacts[i].points[k].separation);
    }
  }
  return stats;
}

static void commit(step *s) {
  commit_bodies(s);
  commit_contacts(s);
  mo_arena last = s->world->problem_arena;
  s->world->problem_arena = s->world->spare_problem_arena;
  s->world->spare_problem_arena = last;
  s->world->time += s->dt;
  s->world->step_count++;
  s->world->last_step =
      (mo_step_record){.problem = s->problem, .stats = collect_stats(s), .dt = s->dt};
}

static mo_result run(step *s) {
  mo_result result = find_free_velocities(s);
  if (result == MO_OK) {
    result = mo_world_find_contacts(s->world, s->free_velocities, s->dt, &s->contact_count,
                                    &s->pair_count);
  }
  if (result == MO_OK) {
    result = make_row_bodies(s);
  }
  if (result == MO_OK) {
    result = make_contact_rows(s);
  }
  if (result == MO_OK) {
    result = solve(s);
  }
  return result == MO_OK ? integrate_poses(s) : result;
}

mo_result mo_world_step(mo_world *world, double dt) {
  if (dt == 0.0) {
    return MO_OK;
  }
  if (!(dt > 0.0 && mo_is_finite(dt) && mo_is_finite(1.0 / dt))) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, "mo_world_step", "dt",
                           "must be 0 or a finite number of seconds above 1e-308", dt);
  }
  step s = {.world = world, .dt = dt, .problem = {.dt = dt}};
  mo_arena_reset(&world->step_arena);
  mo_arena_reset(&world->spare_problem_arena);
  mo_result result = run(&s);
  if (result == MO_OK) {
    commit(&s);
    return MO_OK;
  }
  return mo_world_refuse_text(world, result, "mo_world_step",
                              result == MO_ERROR_NOT_FINITE
                                  ? "a body's motion overflowed; nothing was changed"
                                  : "no memory for the step; nothing was changed");
}
