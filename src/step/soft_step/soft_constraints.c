#include "step/soft_step/soft_constraints.h"

#include "constraints/drives.h"
#include "constraints/substep_joint_form.h"
#include "solvers/soft_step/joints/joint_data.h"
#include "step/constraint_rows.h"
#include "step/soft_step/bent_rows.h"
#include "world/constraints.h"

// --- joints ----------------------------------------------------------------------------------

static mo_vec3 center_of(const mo_world *world, uint32_t slot) {
  return slot == MO_WORLD_SLOT ? mo_v3_zero() : world->bodies[slot].mass.center_of_mass;
}

// The most coordinates of all joints.
static uint32_t count_coordinates(const mo_world *world) {
  const mo_id_pool *ids = &world->constraint_ids;
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    count += ids->alive[slot] ? mo_constraint_substep_coordinates(&world->constraints[slot]) : 0;
  }
  return count;
}

// Whether nobody has to look at the constraint of a joint after a step.
static bool is_quiet(const mo_constraint *constraint, const mo_substep_joint *joint) {
  return mo_substep_joint_is_ball(joint) && !mo_constraint_is_followed(constraint);
}

// The bodies of a constraint whose motors have to know what they move.
static void find_bodies(const mo_world *world, const mo_constraint *constraint,
                        mo_row_body out[MO_ROW_SIDES]) {
  if (mo_constraint_arrives(constraint)) {
    mo_world_constraint_row_bodies(world, constraint, out);
  }
}

static mo_constraint_settings settings_of(const mo_soft_step *s) {
  return (mo_constraint_settings){.dt = s->dt, .substeps = s->substeps};
}

// Adds the joint of a constraint that has a soft form.
static void add_joint(const mo_soft_step *s, uint32_t slot, uint32_t *coordinate_count) {
  mo_world *world = s->world;
  mo_joint_store *store = &world->joints;
  mo_substep_joints *joints = &store->joints;
  const mo_constraint *constraint = &world->constraints[slot];
  mo_constraint_settings settings = settings_of(s);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_row_body bodies[MO_ROW_SIDES];
  find_bodies(world, constraint, bodies);
  uint32_t index = joints->count++;
  store->is_joint[slot] = 1;
  store->slots[index] = slot;
  mo_substep_joint *joint = &joints->joints[index];
  *joint = mo_constraint_substep_joint(
      constraint, &at, bodies, &settings, center_of(world, constraint->slot_a),
      center_of(world, constraint->slot_b), &joints->coordinates[*coordinate_count]);
  joint->first_coordinate = *coordinate_count;
  *coordinate_count += joint->coordinate_count;
  if (mo_substep_joint_is_driven(joints, index)) {
    store->driven[store->driven_count++] = index;
  }
  store->is_quiet[index] = is_quiet(constraint, joint);
  if (!store->is_quiet[index]) {
    store->busy[store->busy_count++] = index;
  }
}

// Lists the constraints that have a soft form, and marks them.
static bool make_joints(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_joint_store *store = &world->joints;
  mo_substep_joints *joints = &store->joints;
  const mo_id_pool *ids = &world->constraint_ids;
  mo_world_settle_joints(world);
  mo_arena_reset(&store->arena);
  *joints = (mo_substep_joints){
      .arena = &store->arena,
      .joints = MO_ARENA_TAKE_RAW(&store->arena, mo_substep_joint, ids->alive_count),
      .coordinates =
          MO_ARENA_TAKE_RAW(&store->arena, mo_substep_coordinate, count_coordinates(world))};
  store->slots = MO_ARENA_TAKE_RAW(&store->arena, uint32_t, ids->alive_count);
  store->driven = MO_ARENA_TAKE_RAW(&store->arena, uint32_t, ids->alive_count);
  joints->quiet = store->is_quiet = MO_ARENA_TAKE_RAW(&store->arena, uint8_t, ids->alive_count);
  store->busy = MO_ARENA_TAKE_RAW(&store->arena, uint32_t, ids->alive_count);
  store->driven_count = store->busy_count = 0;
  store->is_joint = MO_ARENA_TAKE(&store->arena, uint8_t, ids->slot_count);
  store->has_rows = false;
  uint32_t coordinate_count = 0;
  if (!joints->joints || !joints->coordinates || !store->slots || !store->driven ||
      !store->is_quiet || !store->busy || !store->is_joint) {
    return false;
  }
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (!ids->alive[slot] || !mo_world_constraint_moves(world, s->soft->indices, constraint)) {
      continue;
    }
    if (!mo_constraint_has_substep_form(constraint)) {
      store->has_rows = true;
      continue;
    }
    add_joint(s, slot, &coordinate_count);
  }
  store->is_made = store->is_fresh = true;
  return true;
}

// --- rows ------------------------------------------------------------------------------------

static void make_row_bodies(const mo_soft_step *s, mo_row_problem *problem, uint32_t *bodies) {
  const mo_soft_stage *soft = s->soft;
  for (uint32_t i = 0; i < problem->body_count; i++) {
    bodies[i] = i;
    problem->bodies[i] = (mo_row_body){0};
    if (i == 0) {
      continue;
    }
    const mo_motion *motion = &soft->start[i];
    const mo_body *body = &s->world->bodies[soft->slots[i]];
    mo_mass mass = mo_body_effective_mass(body);
    mo_mat3 inverse_inertia = mo_motion_world_tensor(motion, mass.inverse_inertia);
    double h = s->dt / s->substeps; // damping as in the substeps (mo_solver_loss)
    problem->bodies[i] = (mo_row_body){
        .free_linear = motion->linear_velocity,
        .free_angular = motion->angular_velocity,
        .inverse_mass = mo_decay_of(body->linear_damping, h, 1).mean * mass.inverse_mass,
        .inverse_inertia =
            mo_mat3_scale(mo_decay_of(body->angular_damping, h, 1).mean, inverse_inertia)};
  }
}

// Makes rows of the constraints without a soft form. They are kept after the step, so that
// read-outs of it need not call functions of the user.
static mo_result make_rows(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_substep_joints *joints = &world->joints.joints;
  mo_arena *arena = &world->step_arena, *lasting = &world->spare_problem_arena;
  uint32_t count = mo_world_constraint_row_count(world), body_count = s->soft->step.body_count;
  mo_row_problem *problem = MO_ARENA_TAKE(lasting, mo_row_problem, 1);
  uint32_t *bodies = MO_ARENA_TAKE_RAW(arena, uint32_t, body_count);
  joints->rows = MO_ARENA_TAKE(arena, mo_substep_rows, 1);
  s->soft->row_firsts = MO_ARENA_TAKE(arena, uint32_t, world->constraint_ids.slot_count);
  if (!problem || !bodies || !joints->rows || !s->soft->row_firsts) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  *problem = (mo_row_problem){.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, body_count),
                              .body_count = body_count,
                              .blocks = MO_ARENA_TAKE_RAW(lasting, mo_row_block, count),
                              .rows = MO_ARENA_TAKE_RAW(lasting, mo_row, count),
                              .pairs = mo_world_take_row_pairs(world, lasting, 0),
                              .dt = s->dt};
  if (!problem->bodies || !problem->blocks || !problem->rows || !problem->pairs) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  make_row_bodies(s, problem, bodies);
  *joints->rows = (mo_substep_rows){.problem = problem, .bodies = bodies};
  mo_constraint_pass pass = {
      .motions = world->motions,
      .time = world->time,
      .row_bodies = s->soft->indices,
      .skipped = world->joints.is_joint,
      .settings = {.dt = s->dt,
                   .substeps = s->substeps,
                   .max_correction_speed = world->settings.max_correction_speed,
                   .impulse_scale = mo_world_warm_start_scale(world, s->dt)}};
  mo_result result = mo_world_append_constraint_rows(world, &pass, problem, s->soft->row_firsts);
  return result == MO_OK ? mo_bent_rows_find(s, joints->rows, s->soft->row_firsts) : result;
}

// Drives may have been given other targets, and a motor's speed depends on where its coordinate is
// and how fast it goes.
static void refresh_drives(const mo_soft_step *s) {
  const mo_world *world = s->world;
  const mo_joint_store *store = &world->joints;
  mo_constraint_settings settings = settings_of(s);
  for (uint32_t k = 0; k < store->driven_count; k++) {
    uint32_t i = store->driven[k];
    const mo_constraint *c = &world->constraints[store->slots[i]];
    mo_constraint_place at = mo_world_constraint_place(world, world->motions, world->time, c);
    mo_row_body bodies[MO_ROW_SIDES];
    find_bodies(world, c, bodies);
    mo_constraint_refresh_drives(
        c, &at, bodies, &settings,
        &store->joints.coordinates[store->joints.joints[i].first_coordinate]);
  }
}

// --- interface -------------------------------------------------------------------------------

mo_result mo_soft_constraints_make(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_joint_store *store = &world->joints;
  if (world->constraint_ids.alive_count == 0) {
    return MO_OK;
  }
  // The bodies that are solved by rows may differ in every step.
  bool is_kept = store->is_made && !s->choice->in_rows && store->substeps == s->substeps;
  if (!is_kept && !make_joints(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  store->substeps = s->substeps;
  refresh_drives(s);
  // Constraints have to learn once that soft-step solves them as joints.
  store->joints.keeps_quiet = !store->is_fresh && !store->is_watched && world->breakable_count == 0;
  store->joints.rows = NULL;
  s->soft->step.joints = &store->joints;
  return store->has_rows ? make_rows(s) : MO_OK;
}

// The orientation of a body at the start of the step.
static const mo_quat *start_orientation(const mo_soft_step *s, uint32_t slot) {
  static const mo_quat identity = {0.0, 0.0, 0.0, 1.0};
  if (slot == MO_WORLD_SLOT) {
    return &identity;
  }
  uint32_t index = s->soft->indices[slot];
  return index > 0 ? &s->soft->start[index].orientation : &s->world->motions[slot].orientation;
}

static void commit_joint(mo_soft_step *s, uint32_t index) {
  mo_world *world = s->world;
  const mo_substep_joint *joint = &world->joints.joints.joints[index];
  mo_substep_coordinate *coordinates = &world->joints.joints.coordinates[joint->first_coordinate];
  mo_constraint *constraint = &world->constraints[world->joints.slots[index]];
  mo_constraint_take_substep_impulses(constraint, joint, coordinates,
                                      start_orientation(s, joint->slot_a));
  mo_world_follow_coordinate(world, constraint, s->dt);
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    coordinates[i].value = constraint->last_values[i];
  }
  if (world->breakable_count > 0) {
    mo_world_check_load(world, constraint, s->dt);
  }
}

void mo_soft_constraints_commit(mo_soft_step *s) {
  const mo_substep_joints *joints = s->soft->step.joints;
  mo_joint_store *store = &s->world->joints;
  if (!joints) {
    return;
  }
  store->is_ahead = joints->keeps_quiet;
  store->is_fresh = false;
  uint32_t count = store->is_ahead ? store->busy_count : joints->count;
  for (uint32_t i = 0; i < count; i++) {
    commit_joint(s, store->is_ahead ? store->busy[i] : i);
  }
  if (joints->rows) {
    mo_world_take_constraint_impulses(s->world, joints->rows->problem, NULL, s->soft->row_firsts);
  }
}
