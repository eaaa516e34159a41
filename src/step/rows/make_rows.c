#include "dynamics/locks.h"
#include "step/boundary.h"
#include "step/carriers.h"
#include "step/constraint_rows.h"
#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  const mo_free_motions *free;
  const mo_row_contacts *contacts;
  mo_row_set *rows;
  mo_carriers carriers; // of bodies that kinematic bodies carry
} stage;

static mo_result make_row_bodies(mo_world *world, const mo_solver_choice *choice,
                                 const mo_free_motions *free, mo_row_set *rows) {
  mo_arena *arena = &world->spare_problem_arena;
  rows->row_bodies = MO_ARENA_TAKE(&world->step_arena, uint32_t, world->ids.slot_count);
  rows->problem.bodies = MO_ARENA_TAKE(arena, mo_row_body, world->ids.alive_count + 1);
  uint32_t *row_slots = MO_ARENA_TAKE(arena, uint32_t, world->ids.alive_count + 1);
  rows->row_slots = row_slots;
  if (!rows->row_bodies || !rows->row_slots || !rows->problem.bodies) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  rows->problem.body_count = 1; // the world, which does not move, is body 0
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (!choice->row_alive[slot]) {
      continue;
    }
    mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
    rows->row_bodies[slot] = rows->problem.body_count;
    row_slots[rows->problem.body_count] = slot;
    rows->problem.bodies[rows->problem.body_count++] = (mo_row_body){
        .free_linear = free->velocities[slot].linear,
        .free_angular = free->velocities[slot].angular,
        .inverse_mass = mass.inverse_mass,
        .solver = mo_step_row_solver(world, choice, slot),
        .locked_translation = world->bodies[slot].locks & MO_LOCKED_TRANSLATION,
        .inverse_inertia = mo_motion_world_tensor(&world->motions[slot], mass.inverse_inertia)};
  }
  return MO_OK;
}

mo_contact_settings mo_step_contact_settings(const mo_world *world, double dt) {
  const mo_world_def *settings = &world->settings;
  bool baumgarte = settings->stabilization == MO_STABILIZATION_BAUMGARTE;
  bool rebounds = settings->impact_law == MO_IMPACT_NEWTON; // else mo_step_reflect_impacts has them
  return (mo_contact_settings){
      .dt = dt,
      .restitution_threshold = rebounds ? mo_world_restitution_threshold(world, dt) : INFINITY,
      .baumgarte = baumgarte ? settings->error_reduction / dt : 0.0,
      .linear_slop = mo_world_linear_slop(world, false),
      .metre = mo_world_metre(world),
      .max_correction_speed = settings->max_correction_speed,
      .potential_lag = mo_integrator_kind_of(settings->integrator)->potential_lag};
}

static mo_contact_side contact_side(const stage *s, uint32_t slot) {
  return mo_step_contact_side(s->rows->row_bodies[slot], &s->world->motions[slot]);
}

static mo_result make_constraint_rows(stage *s) {
  mo_world *world = s->world;
  bool baumgarte = world->settings.stabilization == MO_STABILIZATION_BAUMGARTE;
  uint8_t *skipped = NULL;
  if (!mo_boundary_skip_constraints(world, s->choice, &skipped)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_constraint_pass pass = {
      .motions = world->motions,
      .time = world->time,
      .row_bodies = s->rows->row_bodies,
      .skipped = skipped,
      .settings = {.dt = s->dt,
                   .baumgarte = baumgarte ? world->settings.error_reduction / s->dt : 0.0,
                   .max_correction_speed = world->settings.max_correction_speed,
                   .leads = true,
                   .leads_exact = world->settings.stabilization != MO_STABILIZATION_SPLIT,
                   .impulse_scale = mo_world_warm_start_scale(world, s->dt)}};
  mo_result result =
      mo_world_append_constraint_rows(world, &pass, &s->rows->problem, s->rows->constraint_rows);
  s->rows->constraint_block_count = s->rows->problem.block_count;
  return result;
}

static mo_result reserve_rows(stage *s) {
  mo_world *world = s->world;
  mo_arena *arena = &world->spare_problem_arena;
  uint32_t row_count = mo_world_constraint_row_count(world), block_count = row_count;
  for (uint32_t i = 0; i < s->contacts->count; i++) {
    const mo_contact *contact = &world->fresh_contacts[i];
    if (!s->contacts->is_solved[i]) {
      continue;
    }
    block_count += contact->point_count;
    row_count += contact->point_count * mo_contact_row_count(contact);
    block_count += mo_contact_twist_row_count(contact);
    row_count += mo_contact_twist_row_count(contact);
  }
  s->rows->problem.blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, block_count);
  s->rows->problem.rows = MO_ARENA_TAKE_RAW(arena, mo_row, row_count);
  s->rows->problem.pairs = mo_world_take_row_pairs(world, arena, 0);
  s->rows->constraint_rows =
      MO_ARENA_TAKE(&world->step_arena, uint32_t, world->constraint_ids.slot_count);
  bool has_room = s->rows->problem.blocks && s->rows->problem.rows && s->rows->problem.pairs &&
                  s->rows->constraint_rows;
  return has_room ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// Notes what kinematic bodies carry. Returns false without memory.
static bool find_carriers(stage *s) {
  const mo_contact *contacts = s->world->fresh_contacts;
  bool has_room = true;
  for (uint32_t i = 0; has_room && i < s->contacts->count; i++) {
    has_room = !s->contacts->is_solved[i] ||
               mo_carriers_note(&s->carriers, s->world, contacts[i].slot_a, contacts[i].slot_b);
  }
  return has_room;
}

// What turns bends from the centre of a body to the middle of a contact's points, m/s.
static mo_vec3 bend_at(const stage *s, uint32_t slot, const mo_contact *contact) {
  const mo_motion *motion = &s->world->motions[slot];
  mo_vec3 arm = mo_v3_zero();
  for (uint32_t i = 0; i < contact->point_count; i++) {
    mo_vec3 to_point = mo_sub(contact->points[i].position, motion->center_of_mass);
    arm = mo_add_scaled(arm, 1.0 / contact->point_count, to_point);
  }
  return mo_scale(1.0 / s->dt, mo_bend_of(mo_scale(s->dt, motion->angular_velocity), arm));
}

static void bend_contact(const stage *s, mo_contact *contact) {
  mo_carried_contact carried = {contact->slot_a, contact->slot_b, contact->shape_a,
                                contact->shape_b, contact->point_count};
  if (mo_carriers_bend(&s->carriers, s->world, &carried)) {
    contact->bend =
        mo_sub(bend_at(s, contact->slot_b, contact), bend_at(s, contact->slot_a, contact));
  }
}

static void make_contact_rows(stage *s) {
  mo_world *world = s->world;
  mo_contact_settings settings = mo_step_contact_settings(world, s->dt);
  for (uint32_t i = 0; i < s->contacts->count; i++) {
    mo_contact *contact = &world->fresh_contacts[i];
    if (!s->contacts->is_solved[i]) {
      continue;
    }
    bend_contact(s, contact);
    mo_contact_side a = contact_side(s, contact->slot_a), b = contact_side(s, contact->slot_b);
    mo_contact_append_rows(&s->rows->problem, contact, &a, &b, &settings);
  }
}

// Behind the rows of all points.
static void make_twist_rows(stage *s) {
  const mo_world *world = s->world;
  uint32_t first_block = s->rows->constraint_block_count;
  for (uint32_t i = 0; world->surface_count > 0 && i < s->contacts->count; i++) {
    const mo_contact *contact = &world->fresh_contacts[i];
    if (s->contacts->is_solved[i]) {
      mo_contact_side a = contact_side(s, contact->slot_a), b = contact_side(s, contact->slot_b);
      mo_contact_append_twist_rows(&s->rows->problem, contact, first_block, &a, &b);
      first_block += contact->point_count;
    }
  }
}

static uint32_t locked_axes(const stage *s, uint32_t body) {
  return body == 0 ? 0 : s->world->bodies[s->rows->row_slots[body]].locks & MO_LOCKED_TRANSLATION;
}

// Bodies with locked translation are among those that soft-step leaves to the rows.
static void lock_axes(stage *s) {
  mo_row_problem *problem = &s->rows->problem;
  for (uint32_t i = s->rows->constraint_block_count;
       s->world->solver_override_count > 0 && i < problem->block_count; i++) {
    mo_row_block *block = &problem->blocks[i];
    const uint32_t axes[MO_ROW_SIDES] = {locked_axes(s, block->body_a),
                                         locked_axes(s, block->body_b), 0, 0};
    mo_block_lock_axes(problem, block, axes);
  }
}

mo_result mo_step_make_rows(mo_world *world, double dt, const mo_solver_choice *choice,
                            const mo_free_motions *free, const mo_row_contacts *contacts,
                            mo_row_set *rows) {
  stage all = {world, dt, choice, free, contacts, rows, {NULL}}, *s = &all;
  mo_result result = make_row_bodies(world, choice, free, rows);
  if (result == MO_OK) {
    mo_boundary_add_loads(world, dt, choice, rows);
    result = find_carriers(s) ? reserve_rows(s) : MO_ERROR_OUT_OF_MEMORY;
  }
  if (result == MO_OK) {
    result = make_constraint_rows(s);
  }
  if (result == MO_OK) {
    make_contact_rows(s);
    s->rows->point_block_end = s->rows->problem.block_count;
    make_twist_rows(s);
    lock_axes(s);
  }
  return result;
}
