#include "world/restore.h"

#include "constraints/constraint_class.h"
#include "constraints/drives.h"
#include "memory/allocator.h"
#include "memory/array.h"
#include "world/constraints.h"
#include "world/state_fields.h"

#include <math.h>

// --- checks ----------------------------------------------------------------------------------

static bool is_body_or_world(const mo_world *world, uint32_t slot) {
  return slot == MO_WORLD_SLOT || (slot < world->ids.slot_count && world->ids.alive[slot]);
}

static bool are_bodies(const mo_world *world, const mo_constraint *c) {
  bool has_more = mo_constraint_joins_four(c);
  bool needs_a = !has_more && c->class->bodies != MO_CONSTRAINT_JOINS_TWO;
  return is_body_or_world(world, c->slot_a) && is_body_or_world(world, c->slot_b) &&
         is_body_or_world(world, c->slot_c) && is_body_or_world(world, c->slot_d) &&
         c->slot_a != c->slot_b && (!needs_a || c->slot_a != MO_WORLD_SLOT) &&
         (c->class->bodies != MO_CONSTRAINT_HAS_ONE || c->slot_b == MO_WORLD_SLOT) &&
         (!has_more || c->slot_c != c->slot_d);
}

// Gains and impulses. Other numbers are what the user's were, or follow from poses that are far
// out: they may be infinite, and no step relies on them.
static bool is_good_constraint(const mo_constraint *c) {
  return mo_is_finite(c->alpha) && c->alpha >= 0.0 && mo_is_finite(c->beta) && c->beta >= 0.0 &&
         mo_is_finite(c->compliance) && c->compliance >= 0.0 && c->break_force >= 0.0 &&
         c->break_torque >= 0.0;
}

static bool is_kind(mo_coordinate_kind kind) { return (unsigned)kind <= MO_COORDINATE_ANGLE; }

static bool are_good_drives(const mo_constraint *c) {
  bool good = is_kind(c->coupled_kinds[0]) && is_kind(c->coupled_kinds[1]);
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    good = good && (unsigned)c->coordinates[i].drive.motor <= MO_MOTOR_POSITION;
  }
  return good;
}

// --- reading one -----------------------------------------------------------------------------

// A curve through the points: one that is there, or a new one. Null without memory.
static mo_curve *take_curve(const mo_restore *r, uint32_t slot, const mo_path_def *path) {
  const mo_id_pool *ids = &r->present->constraint_ids;
  bool was_there = slot < ids->slot_count && ids->alive[slot];
  mo_curve *known[] = {was_there ? r->present->constraints[slot].curve : NULL, r->last_curve};
  for (int i = 0; i < 2; i++) {
    if (known[i] &&
        mo_curve_goes_through(known[i], path->points, path->point_count, path->is_closed)) {
      return mo_curve_retain(known[i]);
    }
  }
  return mo_curve_create(path->points, path->point_count, path->is_closed);
}

// The curve of a path. The points are checked as those of a definition.
static void read_curve(mo_restore *r, mo_constraint *c) {
  c->path_alignment = (mo_path_alignment)mo_read_word(&r->in);
  uint32_t closed = mo_read_word(&r->in), count = mo_read_word(&r->in);
  bool fits = closed <= 1 && count <= MO_CURVE_MOST_POINTS &&
              count <= mo_reader_rest(&r->in) / sizeof(mo_vec3);
  if (!mo_restore_expect(r, fits, "a path has too many points")) {
    return;
  }
  mo_vec3 *points = mo_allocate((count + 1) * sizeof *points);
  if (mo_restore_got(r, points != NULL)) {
    mo_read_records(&r->in, &mo_state_numbers, points, count * (sizeof *points / sizeof(double)));
    mo_constraint_def def = {.type = MO_CONSTRAINT_PATH,
                             .path = {points, count, closed, c->path_alignment}};
    if (mo_restore_expect(r, !c->class->check(&def).argument, "a path is damaged")) {
      uint32_t slot = (uint32_t)(c - r->world->constraints);
      c->curve = r->last_curve = take_curve(r, slot, &def.path);
      mo_restore_got(r, c->curve != NULL);
    }
  }
  mo_release(points);
}

// The records behind the first one that its type has.
static void read_rest(mo_restore *r, mo_constraint *c) {
  mo_read_records(&r->in, &mo_state_steady, c, c->has_substep_impulses);
  mo_read_records(&r->in, &mo_state_more_bodies, c, mo_constraint_joins_four(c));
  mo_read_records(&r->in, &mo_state_wheel, c, c->type == MO_CONSTRAINT_WHEEL);
  mo_read_records(&r->in, &mo_state_pulley, c, c->type == MO_CONSTRAINT_PULLEY);
  if (c->type == MO_CONSTRAINT_PATH) {
    read_curve(r, c);
  }
}

static void read_rows(mo_restore *r, mo_constraint *c) {
  mo_read_records(&r->in, &mo_state_coordinate, c->coordinates, c->class->coordinate_count);
  mo_read_records(&r->in, &mo_state_numbers, c->last_values, c->class->coordinate_count);
  bool fits = are_good_drives(c);
  if (!mo_restore_expect(r, fits, "a coordinate of a joint is damaged") ||
      !mo_restore_expect(r, mo_constraint_restore_rows(c), "a constraint has wrong rows")) {
    return;
  }
  mo_read_records(&r->in, &mo_state_bounds, c->bounds, c->dimension);
  mo_read_records(&r->in, &mo_state_numbers, c->impulses, c->dimension);
  for (uint32_t i = 0; i < c->dimension; i++) {
    fits = fits && mo_row_bounds_are_valid(c->bounds[i]);
  }
  mo_restore_expect(r, fits, "a row of a constraint is damaged");
}

static void restore_constraint(mo_restore *r, mo_constraint *c) {
  c->slot_c = c->slot_d = c->joint_slots[0] = c->joint_slots[1] = MO_WORLD_SLOT;
  mo_read_records(&r->in, &mo_state_constraint, c, 1);
  c->class = mo_constraint_class_of(c->type);
  bool fits = c->class && c->dimension <= MO_CONSTRAINT_ROWS && is_good_constraint(c);
  if (!mo_restore_expect(r, fits, "a constraint is damaged") || !c->class) {
    c->class = NULL;
    return;
  }
  mo_constraint_set_name(c, c->class->name);
  read_rest(r, c);
  if (mo_restore_is_good(r) &&
      mo_restore_expect(r, are_bodies(r->world, c), "a constraint has wrong bodies") &&
      mo_restore_got(r, mo_constraint_restore_arrays(c))) {
    read_rows(r, c);
  }
}

// --- all of them -----------------------------------------------------------------------------

// Gears and racks couple joints that are there, and each counts its users.
static void complete_coupling(mo_restore *r, mo_constraint *c) {
  mo_world *world = r->world;
  for (int i = 0; i < 2; i++) {
    uint32_t slot = c->joint_slots[i];
    if (slot == MO_WORLD_SLOT) {
      continue;
    }
    bool fits = slot < world->constraint_ids.slot_count && world->constraint_ids.alive[slot] &&
                c->class->couples_joints && !world->constraints[slot].class->couples_joints &&
                c->joint_slots[!i] != MO_WORLD_SLOT;
    if (mo_restore_expect(r, fits, "a gear couples what is no joint")) {
      world->constraints[slot].users++;
    }
  }
  world->breakable_count += c->joint_slots[0] != MO_WORLD_SLOT;
}

static void complete(mo_restore *r, mo_constraint *c) {
  mo_world *world = r->world;
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(c, slots);
  complete_coupling(r, c);
  world->breakable_count += mo_constraint_may_break(c);
  world->arriving_count += mo_constraint_arrives(c);
  for (uint32_t i = 0; i < count; i++) {
    world->bodies[slots[i]].joint_count++;
  }
  mo_world_count_acting(world, c, 1);
}

void mo_restore_constraints(mo_restore *r) {
  mo_world *world = r->world;
  mo_id_pool *ids = &world->constraint_ids;
  mo_restore_ids(r, ids);
  uint32_t slots = ids->slot_count;
  if (!mo_restore_is_good(r) || !mo_restore_got(r, MO_RESERVE(world, constraints, slots) &&
                                                       mo_world_reserve_breaks(world, slots))) {
    ids->slot_count = 0;
    return;
  }
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < slots; slot++) {
    if (ids->alive[slot]) {
      restore_constraint(r, &world->constraints[slot]);
    }
  }
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < slots; slot++) {
    if (ids->alive[slot]) {
      complete(r, &world->constraints[slot]);
    }
  }
  mo_restore_got(r, mo_world_find_rigid_groups(world));
  world->joined.is_stale = true;
}

// --- potentials ------------------------------------------------------------------------------

// A body of a list: an id of this world, or null for the world's end of a spring.
static mo_body_id read_body(mo_restore *r) {
  uint32_t slot = mo_read_word(&r->in), generation = mo_read_word(&r->in);
  if (slot == MO_NO_SLOT) {
    return MO_NULL_BODY_ID;
  }
  return mo_restore_body_id(r, slot, generation);
}

static void restore_bodies_of(mo_restore *r, mo_potential_def *potential, uint32_t count) {
  bool fits = count <= mo_reader_rest(&r->in) / (2 * sizeof(uint32_t));
  if (count == 0 || !mo_restore_expect(r, fits, "a potential has too many bodies")) {
    return;
  }
  mo_body_id *bodies = mo_allocate(count * sizeof *bodies);
  potential->bodies = bodies;
  for (uint32_t i = 0; mo_restore_got(r, bodies != NULL) && i < count; i++) {
    bodies[i] = read_body(r);
  }
  potential->body_count = bodies ? count : 0;
}

void mo_restore_potentials(mo_restore *r) {
  mo_world *world = r->world;
  mo_id_pool *ids = &world->potential_ids;
  mo_restore_ids(r, ids);
  if (!mo_restore_is_good(r) ||
      !mo_restore_got(r, MO_RESERVE(world, potentials, ids->slot_count))) {
    ids->slot_count = 0;
    return;
  }
  for (uint32_t slot = 0; mo_restore_is_good(r) && slot < ids->slot_count; slot++) {
    mo_potential_def *potential = &world->potentials[slot];
    if (!ids->alive[slot]) {
      continue;
    }
    mo_read_records(&r->in, &mo_state_potential, potential, 1);
    uint32_t count = potential->body_count;
    potential->body_count = 0;
    restore_bodies_of(r, potential, count);
    mo_restore_expect(r, mo_world_is_good_potential(world, potential), "a potential is damaged");
  }
}
