/// Creation, destruction and lists of constraints.
#include "world/constraints.h"

#include "constraints/drives.h"
#include "memory/array.h"
#include "world/checks.h"

static mo_constraint_body body_at(const mo_world *world, const mo_motion *motions, uint32_t slot) {
  return slot == MO_WORLD_SLOT
             ? mo_constraint_body_world()
             : mo_constraint_body_of(mo_world_body_in_slot(world, slot), &motions[slot]);
}

mo_constraint_place mo_world_constraint_place(const mo_world *world, const mo_motion *motions,
                                              double time, const mo_constraint *constraint) {
  mo_constraint_place at;
  at.a = body_at(world, motions, constraint->slot_a);
  at.b = body_at(world, motions, constraint->slot_b);
  at.time = time;
  at.metre = mo_world_metre(world);
  if (constraint->slot_c != MO_WORLD_SLOT || constraint->slot_d != MO_WORLD_SLOT) {
    at.c = body_at(world, motions, constraint->slot_c);
    at.d = body_at(world, motions, constraint->slot_d);
  }
  return at;
}

// Whether the two axes of a type are of a cross: its arms, or the axis and the axle of a wheel.
static bool has_crossed_axes(mo_constraint_type type) {
  return type == MO_CONSTRAINT_UNIVERSAL || type == MO_CONSTRAINT_WHEEL;
}

mo_constraint_def mo_constraint_def_default(mo_constraint_type type) {
  const mo_constraint_class *class = mo_constraint_class_of(type);
  mo_constraint_def def = {.type = type,
                           .axis_a = {1.0, 0.0, 0.0},
                           .axis_b = {1.0, 0.0, 0.0},
                           .ratio = 1.0,
                           .pose_motor = {.target_orientation = {0.0, 0.0, 0.0, 1.0},
                                          .max_force = INFINITY,
                                          .max_torque = INFINITY},
                           .break_force = INFINITY,
                           .break_torque = INFINITY,
                           .has_stabilization = class && class->stabilizes_itself,
                           .alpha = 10.0,
                           .beta = 10.0};
  if (has_crossed_axes(type)) {
    def.axis_b = mo_v3(0.0, 1.0, 0.0);
  }
  for (int i = 0; i < MO_CONSTRAINT_COORDINATES; i++) {
    def.drives[i] = mo_coordinate_drive_default();
  }
  return def;
}

// --- checks of a definition ------------------------------------------------------------------

static const char *const create = "mo_constraint_create";

static mo_result refuse(mo_world *world, const char *text) {
  return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create, text);
}

// Two bodies that the constraint joins, of which one may be the world; the first not, if it is
// needed.
static mo_result check_pair(mo_world *world, const char *const names[2], mo_body_id first,
                            mo_body_id second, bool needs_first) {
  bool has_first = !mo_body_id_is_null(first), has_second = !mo_body_id_is_null(second);
  if (has_first || needs_first) {
    MO_RETURN_IF_REFUSED(mo_check_body_id(world, create, names[0], first));
  }
  return has_second || !has_first ? mo_check_body_id(world, create, names[1], second) : MO_OK;
}

static mo_result check_bodies(mo_world *world, const mo_constraint_class *class,
                              const mo_constraint_def *def) {
  static const char *const names[4] = {"body_a", "body_b", "body_c", "body_d"};
  bool joins_four = class->bodies == MO_CONSTRAINT_JOINS_FOUR;
  bool needs_a = !joins_four && class->bodies != MO_CONSTRAINT_JOINS_TWO;
  MO_RETURN_IF_REFUSED(check_pair(world, names, def->body_a, def->body_b, needs_a));
  if (mo_body_id_equals(def->body_a, def->body_b)) {
    return refuse(world, "body_a and body_b must be different bodies");
  }
  if (class->bodies == MO_CONSTRAINT_HAS_ONE && !mo_body_id_is_null(def->body_b)) {
    return refuse(world, "body_b must be null: this type of constraint is about one body");
  }
  if (joins_four) {
    MO_RETURN_IF_REFUSED(check_pair(world, names + 2, def->body_c, def->body_d, false));
    return mo_body_id_equals(def->body_c, def->body_d)
               ? refuse(world, "body_c and body_d must be different bodies")
               : MO_OK;
  }
  bool has_c = !mo_body_id_is_null(def->body_c), has_d = !mo_body_id_is_null(def->body_d);
  return has_c   ? refuse(world, "body_c must be null: this type of constraint has no such body")
         : has_d ? refuse(world, "body_d must be null: this type of constraint has no such body")
                 : MO_OK;
}

// Sine of the least angle between the arms of a universal joint, or the axis and axle of a wheel.
#define LEAST_CROSS 1e-6

static mo_result check_axis(mo_world *world, const char *name, mo_vec3 axis) {
  double length = mo_length(axis);
  if (!(length > 0.0 && mo_is_finite(length) && mo_is_finite(1.0 / length))) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, create, name,
                                "must be finite and not zero", axis);
  }
  return MO_OK;
}

static mo_vec3 world_axis(const mo_world *world, mo_body_id body, mo_vec3 axis) {
  mo_vec3 unit = mo_normalize(axis);
  return mo_body_id_is_null(body)
             ? unit
             : mo_quat_rotate(world->motions[mo_body_id_slot(body)].orientation, unit);
}

// The arms of a cross that lie along each other hold no angle, and never come apart; a wheel whose
// axle is the axis of its suspension does not roll. One that is made again in a state of its own
// may be on its way through that.
static mo_result check_cross(mo_world *world, const mo_constraint_def *def) {
  mo_vec3 cross = mo_cross(world_axis(world, def->body_a, def->axis_a),
                           world_axis(world, def->body_b, def->axis_b));
  return def->has_reference || mo_length(cross) > LEAST_CROSS
             ? MO_OK
             : mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, create, "axis_b",
                                    "must not be parallel to axis_a", def->axis_b);
}

static mo_result check_axes(mo_world *world, const mo_constraint_class *class,
                            const mo_constraint_def *def) {
  if (!class->has_axes) {
    return MO_OK;
  }
  MO_RETURN_IF_REFUSED(check_axis(world, "axis_a", def->axis_a));
  MO_RETURN_IF_REFUSED(check_axis(world, "axis_b", def->axis_b));
  return has_crossed_axes(def->type) ? check_cross(world, def) : MO_OK;
}

static mo_coordinate_kind kind_of(const mo_constraint_class *class, uint32_t coordinate) {
  return coordinate < class->coordinate_count ? class->coordinate_kinds[coordinate]
                                              : MO_COORDINATE_NONE;
}

mo_result mo_check_drive(mo_world *world, const char *function, const mo_constraint_class *class,
                         uint32_t coordinate, const mo_coordinate_drive *drive) {
  if (drive->locked && !class->may_lock) {
    return mo_world_refuse_text(
        world, MO_ERROR_INVALID_ARGUMENT, function,
        "locked must be false: this type of constraint locks no coordinate");
  }
  mo_constraint_refusal refusal = mo_drive_check(drive, kind_of(class, coordinate));
  return refusal.argument ? mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function,
                                            refusal.argument, refusal.must, refusal.got)
                          : MO_OK;
}

static mo_result check_drives(mo_world *world, const mo_constraint_class *class,
                              const mo_constraint_def *def) {
  for (uint32_t i = 0; i < MO_CONSTRAINT_COORDINATES; i++) {
    MO_RETURN_IF_REFUSED(mo_check_drive(world, create, class, i, &def->drives[i]));
  }
  return MO_OK;
}

mo_result mo_check_break(mo_world *world, const char *function, const mo_constraint_class *class,
                         double force, double torque) {
  static const char *const must = "must be 0 or more, or infinite";
  static const char *const none = "must be infinite: this type of constraint does not break";
  if (!(force >= 0.0) || (force < INFINITY && class->stabilizes_itself)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "break_force",
                           force >= 0.0 ? none : must, force);
  }
  if (!(torque >= 0.0) || (torque < INFINITY && class->stabilizes_itself)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "break_torque",
                           torque >= 0.0 ? none : must, torque);
  }
  return MO_OK;
}

// Checks what only the type of the constraint knows.
static mo_result check_own(mo_world *world, const mo_constraint_class *class,
                           const mo_constraint_def *def) {
  mo_constraint_refusal refusal =
      class->check ? class->check(def) : (mo_constraint_refusal){.argument = NULL};
  return refusal.argument ? mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create,
                                            refusal.argument, refusal.must, refusal.got)
                          : MO_OK;
}

static mo_result check_gains(mo_world *world, const mo_constraint_def *def) {
  static const char *const must = "must be finite, 0 or more";
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "alpha", def->alpha, 0.0, INFINITY, must));
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "beta", def->beta, 0.0, INFINITY, must));
  return mo_check_range(world, create, "compliance", def->compliance, 0.0, INFINITY, must);
}

static mo_result check_reference(mo_world *world, const mo_constraint_class *class,
                                 const mo_constraint_def *def) {
  const mo_constraint_reference *r = &def->reference;
  static const char *const must = "must be finite, 0 or more", *const finite = "must be finite";
  bool has_two = class->bodies == MO_CONSTRAINT_JOINS_FOUR || def->type == MO_CONSTRAINT_WHEEL;
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, create, r->frame_a));
  MO_RETURN_IF_REFUSED(mo_check_orientation(world, create, r->frame_b));
  if (has_two) {
    MO_RETURN_IF_REFUSED(mo_check_orientation(world, create, r->frame_c));
    MO_RETURN_IF_REFUSED(mo_check_orientation(world, create, r->frame_d));
  }
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "length", r->length, 0.0, INFINITY, must));
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "sum", r->sum, -INFINITY, INFINITY, finite));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, create, "linear_mass", r->linear_mass, 0.0, INFINITY, must));
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, create, "angular_mass", r->angular_mass, 0.0, INFINITY, must));
  for (uint32_t i = 0; i < class->coordinate_count; i++) {
    const mo_coordinate_reference *one = &r->coordinates[i];
    MO_RETURN_IF_REFUSED(
        mo_check_range(world, create, "value", one->value, -INFINITY, INFINITY, finite));
    MO_RETURN_IF_REFUSED(mo_check_range(world, create, "mass", one->mass, 0.0, INFINITY, must));
  }
  return MO_OK;
}

static mo_result check_def(mo_world *world, const mo_constraint_def *def) {
  const mo_constraint_class *class = mo_constraint_class_of(def->type);
  if (!class) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "type",
                           "must be one of mo_constraint_type", (double)def->type);
  }
  MO_RETURN_IF_REFUSED(check_bodies(world, class, def));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_a", def->anchor_a));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_b", def->anchor_b));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "ground_anchor_a", def->ground_anchor_a));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "ground_anchor_b", def->ground_anchor_b));
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "steering", def->steering, -MO_PI, MO_PI,
                                      "must be an angle in rad, -pi to pi"));
  MO_RETURN_IF_REFUSED(check_axes(world, class, def));
  MO_RETURN_IF_REFUSED(check_drives(world, class, def));
  MO_RETURN_IF_REFUSED(mo_check_break(world, create, class, def->break_force, def->break_torque));
  MO_RETURN_IF_REFUSED(check_own(world, class, def));
  if (def->has_reference) {
    MO_RETURN_IF_REFUSED(check_reference(world, class, def));
  }
  return check_gains(world, def);
}

// --- creation and destruction ----------------------------------------------------------------

static uint32_t slot_of(mo_body_id id) {
  return mo_body_id_is_null(id) ? MO_WORLD_SLOT : mo_body_id_slot(id);
}

bool mo_world_constraint_acts(const mo_world *world, const mo_constraint *constraint) {
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  bool acts = true;
  for (uint32_t i = 0; i < count; i++) {
    acts = acts && world->bodies[slots[i]].is_enabled;
  }
  return acts;
}

void mo_world_count_acting(mo_world *world, const mo_constraint *constraint, int change) {
  if (!mo_world_constraint_acts(world, constraint)) {
    return;
  }
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  for (uint32_t i = 0; i < count; i++) {
    world->constraint_counts[slots[i]] += (uint32_t)change;
    world->bodies[slots[i]].elastic_joints +=
        mo_constraint_is_elastic(constraint) ? (uint32_t)change : 0;
  }
}

void mo_world_count_acting_of(mo_world *world, uint32_t body_slot, int change) {
  uint32_t slot = mo_world_next_constraint(world, body_slot, 0);
  while (slot < world->constraint_ids.slot_count) {
    mo_world_count_acting(world, &world->constraints[slot], change);
    slot = mo_world_next_constraint(world, body_slot, slot + 1);
  }
}

// Counts a constraint that is created (+1) or destroyed (-1) at its bodies, which wake.
static void count_constraint(mo_world *world, const mo_constraint *constraint, int change) {
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  world->joined.is_stale = true;
  mo_world_forget_joints(world);
  world->joints.is_watched = false;
  mo_world_count_acting(world, constraint, change);
  for (uint32_t i = 0; i < count; i++) {
    world->bodies[slots[i]].joint_count += (uint32_t)change;
    mo_world_forget_path(world, slots[i]);
    mo_world_wake_slot(world, slots[i]);
  }
}

uint32_t mo_world_dynamic_slots(const mo_world *world, const mo_constraint *constraint,
                                uint32_t slots[MO_ROW_SIDES]) {
  uint32_t count = mo_constraint_slots(constraint, slots), kept = 0;
  if (!mo_world_constraint_acts(world, constraint)) {
    return 0;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (mo_world_is_dynamic(world, slots[i])) {
      slots[kept++] = slots[i];
    }
  }
  return kept;
}

void mo_world_link_constraint(mo_world *world, const mo_constraint *constraint) {
  uint32_t slots[MO_ROW_SIDES], count = mo_world_dynamic_slots(world, constraint, slots);
  for (uint32_t i = 1; i < count; i++) {
    mo_island_sets_join(&world->islands, slots[0], slots[i]);
  }
}

mo_constraint_id mo_constraint_create(mo_world *world, const mo_constraint_def *given) {
  mo_constraint_def with_bodies = *given;
  const mo_constraint_def *def = &with_bodies;
  if (mo_check_unlocked(world, create) != MO_OK ||
      mo_world_take_coupled_bodies(world, &with_bodies) != MO_OK ||
      check_def(world, def) != MO_OK) {
    return MO_NULL_CONSTRAINT_ID;
  }
  const uint32_t slots[MO_ROW_SIDES] = {slot_of(def->body_a), slot_of(def->body_b),
                                        slot_of(def->body_c), slot_of(def->body_d)};
  mo_constraint constraint = {
      .slot_a = slots[0], .slot_b = slots[1], .slot_c = slots[2], .slot_d = slots[3]};
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, &constraint);
  bool has_rows = mo_constraint_init(&constraint, def, slots, &at);
  if (has_rows) {
    mo_world_weigh_constraint(world, &constraint);
  }
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  uint32_t slot = MO_NO_SLOT;
  if (has_rows && mo_world_reserve_breaks(world, 1) &&
      MO_RESERVE(world, constraints, world->constraint_ids.slot_count + 1)) {
    slot = mo_id_pool_take(&world->constraint_ids, &result);
  }
  if (slot == MO_NO_SLOT) {
    mo_constraint_free(&constraint);
    mo_world_refuse_text(world, result, create,
                         result == MO_ERROR_CAPACITY ? "all constraint ids are in use"
                                                     : "no memory for another constraint");
    return MO_NULL_CONSTRAINT_ID;
  }
  mo_world_couple(world, def, &at, &constraint);
  if (def->has_reference) {
    mo_constraint_take_reference(&constraint, &def->reference);
  }
  world->constraints[slot] = constraint;
  if (mo_constraint_is_rigid(&constraint)) {
    mo_world_update_rigid_groups(world);
  }
  world->breakable_count += mo_constraint_may_break(&constraint);
  world->arriving_count += mo_constraint_arrives(&constraint);
  count_constraint(world, &constraint, 1);
  mo_world_link_constraint(world, &constraint);
  if (constraint.slot_a != MO_WORLD_SLOT && constraint.slot_b != MO_WORLD_SLOT) {
    mo_world_recheck_contacts(world, constraint.slot_a);
  }
  if (constraint.slot_d != MO_WORLD_SLOT) { // of a gear, B and D
    mo_world_recheck_contacts(world, constraint.slot_d);
  }
  return mo_world_constraint_in_slot(world, slot);
}

void mo_world_end_constraint(mo_world *world, uint32_t slot) {
  mo_constraint *constraint = &world->constraints[slot];
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  mo_world_uncouple(world, slot);
  world->breakable_count -= mo_constraint_may_break(constraint);
  world->arriving_count -= mo_constraint_arrives(constraint);
  count_constraint(world, constraint, -1);
  for (uint32_t i = 0; i < count; i++) {
    mo_island_sets_loosen(&world->islands, slots[i]);
    mo_world_touch_proxies(world, slots[i]); // A and B may collide from now on
  }
  bool was_rigid = mo_constraint_is_rigid(constraint);
  mo_constraint_free(constraint);
  mo_id_pool_give_back(&world->constraint_ids, slot);
  if (was_rigid) {
    mo_world_update_rigid_groups(world);
  }
}

mo_result mo_constraint_destroy(mo_world *world, mo_constraint_id id) {
  static const char *const function = "mo_constraint_destroy";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  mo_world_end_constraint(world, mo_constraint_id_slot(id));
  return MO_OK;
}

static bool is_of(const mo_world *world, uint32_t slot, uint32_t body_slot) {
  const mo_constraint *c = &world->constraints[slot];
  return world->constraint_ids.alive[slot] && (c->slot_a == body_slot || c->slot_b == body_slot ||
                                               c->slot_c == body_slot || c->slot_d == body_slot);
}

uint32_t mo_world_next_constraint(const mo_world *world, uint32_t body_slot, uint32_t from) {
  uint32_t slot = from, count = world->constraint_ids.slot_count;
  if (world->bodies[body_slot].joint_count == 0) {
    return count;
  }
  while (slot < count && !is_of(world, slot, body_slot)) {
    slot++;
  }
  return slot;
}

void mo_world_forget_constraints(mo_world *world, uint32_t body_slot) {
  uint32_t slot = 0;
  while ((slot = mo_world_next_constraint(world, body_slot, slot)) <
         world->constraint_ids.slot_count) {
    mo_world_end_constraint(world, slot);
  }
}

uint32_t mo_world_constraint_count(const mo_world *world) {
  return world->constraint_ids.alive_count;
}
uint32_t mo_world_constraint_slot_count(const mo_world *world) {
  return world->constraint_ids.slot_count;
}
