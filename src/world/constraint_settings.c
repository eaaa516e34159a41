/// Changes of constraints that exist.
#include "constraints/drives.h"
#include "world/checks.h"
#include "world/constraints.h"

// --- effective masses ------------------------------------------------------------------------

void mo_world_constraint_row_bodies(const mo_world *world, const mo_constraint *constraint,
                                    mo_row_body out[MO_ROW_SIDES]) {
  const uint32_t slots[MO_ROW_SIDES] = {constraint->slot_a, constraint->slot_b, constraint->slot_c,
                                        constraint->slot_d};
  for (int i = 0; i < MO_ROW_SIDES; i++) {
    out[i] = (mo_row_body){0};
    if (slots[i] != MO_WORLD_SLOT) {
      mo_mass mass = mo_body_effective_mass(&world->bodies[slots[i]]);
      out[i].inverse_mass = mass.inverse_mass;
      out[i].inverse_inertia =
          mo_motion_world_tensor(&world->motions[slots[i]], mass.inverse_inertia);
    }
  }
}

void mo_world_weigh_constraint(const mo_world *world, mo_constraint *constraint) {
  mo_row_body bodies[MO_ROW_SIDES];
  mo_world_constraint_row_bodies(world, constraint, bodies);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_constraint_set_masses(constraint, &at, bodies);
}

void mo_world_weigh_constraints(mo_world *world, uint32_t body_slot) {
  uint32_t slot = mo_world_next_constraint(world, body_slot, 0);
  while (slot < world->constraint_ids.slot_count) {
    mo_world_weigh_constraint(world, &world->constraints[slot]);
    slot = mo_world_next_constraint(world, body_slot, slot + 1);
  }
}

// --- effect ----------------------------------------------------------------------------------

static void silence(mo_constraint *constraint) {
  constraint->is_active = false;
  constraint->has_substep_impulses = false; // and so soft-step starts from those that follow
  for (uint32_t i = 0; i < constraint->dimension; i++) {
    constraint->impulses[i] = 0.0;
  }
}

void mo_world_silence_constraints(mo_world *world, uint32_t body_slot) {
  mo_world_settle_joints(world);
  uint32_t slot = mo_world_next_constraint(world, body_slot, 0);
  while (slot < world->constraint_ids.slot_count) {
    uint32_t slots[MO_ROW_SIDES];
    if (mo_world_dynamic_slots(world, &world->constraints[slot], slots) == 0) {
      silence(&world->constraints[slot]);
    }
    slot = mo_world_next_constraint(world, body_slot, slot + 1);
  }
}

static void wake_bodies(mo_world *world, const mo_constraint *constraint) {
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  for (uint32_t i = 0; i < count; i++) {
    mo_world_wake_slot(world, slots[i]);
  }
}

void mo_world_wake_joined(mo_world *world, uint32_t body_slot) {
  uint32_t slot = mo_world_next_constraint(world, body_slot, 0);
  while (slot < world->constraint_ids.slot_count) {
    wake_bodies(world, &world->constraints[slot]);
    slot = mo_world_next_constraint(world, body_slot, slot + 1);
  }
}

// --- setters ---------------------------------------------------------------------------------

// Counts a constraint that begins (+1) or ceases (-1) to be as it is, at its bodies and among the
// motors that arrive.
static void count_drives(mo_world *world, const mo_constraint *constraint, int change) {
  mo_world_count_acting(world, constraint, change);
  world->arriving_count += mo_constraint_arrives(constraint) ? (uint32_t)change : 0;
}

mo_result mo_check_constraint_coordinate(mo_world *world, const char *function, mo_constraint_id id,
                                         uint32_t coordinate) {
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  uint32_t count = world->constraints[mo_constraint_id_slot(id)].class->coordinate_count;
  return coordinate < count
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "coordinate",
                               "must be the number of a coordinate that its type has", coordinate);
}

mo_result mo_constraint_get_drive(mo_world *world, mo_constraint_id id, uint32_t coordinate,
                                  mo_coordinate_drive *out) {
  MO_RETURN_IF_REFUSED(
      mo_check_constraint_coordinate(world, "mo_constraint_get_drive", id, coordinate));
  *out = world->constraints[mo_constraint_id_slot(id)].coordinates[coordinate].drive;
  return MO_OK;
}

// Whether soft-step's joints, which have limits and which drives there are, fit no more.
static bool needs_other_rows(const mo_coordinate_drive *was, const mo_coordinate_drive *is) {
  bool differs = was->lower != is->lower || was->upper != is->upper ||
                 mo_drive_roles(was) != mo_drive_roles(is);
  return differs || was->locked != is->locked || (was->max_force > 0.0) != (is->max_force > 0.0);
}

mo_result mo_constraint_set_drive(mo_world *world, mo_constraint_id id, uint32_t coordinate,
                                  const mo_coordinate_drive *drive) {
  static const char *const function = "mo_constraint_set_drive";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_coordinate(world, function, id, coordinate));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  MO_RETURN_IF_REFUSED(mo_check_drive(world, function, constraint->class, coordinate, drive));
  if (needs_other_rows(&constraint->coordinates[coordinate].drive, drive)) {
    mo_world_forget_joints(world);
    constraint->has_substep_impulses = false; // its rows have them, under the names that they keep
  }
  count_drives(world, constraint, -1);
  mo_constraint_change_drive(constraint, coordinate, drive);
  count_drives(world, constraint, 1);
  wake_bodies(world, constraint);
  return MO_OK;
}

static mo_result check_type(mo_world *world, const char *function, mo_constraint_id id,
                            const bool *may) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  uint32_t type = (uint32_t)world->constraints[mo_constraint_id_slot(id)].type;
  return type <= MO_CONSTRAINT_PATH && may[type]
             ? MO_OK
             : mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                    "this type of constraint has none");
}

// A pulley keeps its rope as taut as it is.
static void set_pulley_ratio(const mo_world *world, mo_constraint *constraint, double ratio) {
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  mo_coordinate before, after;
  mo_coordinate_drive drive = constraint->coordinates[0].drive;
  constraint->class->coordinates(constraint, &at, &before);
  constraint->ratio = ratio;
  constraint->class->coordinates(constraint, &at, &after);
  drive.upper += after.value - before.value;
  mo_constraint_change_drive(constraint, 0, &drive);
}

mo_result mo_constraint_set_ratio(mo_world *world, mo_constraint_id id, double ratio) {
  static const char *const function = "mo_constraint_set_ratio";
  static const bool may[MO_CONSTRAINT_PATH + 1] = {[MO_CONSTRAINT_GEAR] = true,
                                                   [MO_CONSTRAINT_RACK_AND_PINION] = true,
                                                   [MO_CONSTRAINT_PULLEY] = true};
  MO_RETURN_IF_REFUSED(check_type(world, function, id, may));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  mo_constraint_def def = mo_constraint_def_default(constraint->type);
  def.ratio = ratio;
  mo_constraint_refusal refusal = constraint->class->check(&def);
  if (refusal.argument) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, refusal.argument,
                           refusal.must, refusal.got);
  }
  if (constraint->type == MO_CONSTRAINT_PULLEY) {
    set_pulley_ratio(world, constraint, ratio);
  } else {
    mo_constraint_place at =
        mo_world_constraint_place(world, world->motions, world->time, constraint);
    mo_coupling_set_ratio(constraint, ratio, &at);
  }
  wake_bodies(world, constraint);
  return MO_OK;
}

mo_result mo_constraint_set_steering(mo_world *world, mo_constraint_id id, double angle) {
  static const char *const function = "mo_constraint_set_steering";
  static const bool may[MO_CONSTRAINT_PATH + 1] = {[MO_CONSTRAINT_WHEEL] = true};
  MO_RETURN_IF_REFUSED(check_type(world, function, id, may));
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "steering", angle, -MO_PI, MO_PI,
                                      "must be an angle in rad, -pi to pi"));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  constraint->steering = angle;
  wake_bodies(world, constraint);
  return MO_OK;
}

static mo_result check_pose_motor(mo_world *world, const char *function, mo_constraint_id id) {
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  bool is_one = world->constraints[mo_constraint_id_slot(id)].type == MO_CONSTRAINT_MOTOR;
  return is_one ? MO_OK
                : mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                       "constraint must be of type MO_CONSTRAINT_MOTOR");
}

mo_result mo_constraint_get_pose_motor(mo_world *world, mo_constraint_id id, mo_pose_motor *out) {
  MO_RETURN_IF_REFUSED(check_pose_motor(world, "mo_constraint_get_pose_motor", id));
  *out = world->constraints[mo_constraint_id_slot(id)].pose_motor;
  return MO_OK;
}

mo_result mo_constraint_set_pose_motor(mo_world *world, mo_constraint_id id,
                                       const mo_pose_motor *motor) {
  static const char *const function = "mo_constraint_set_pose_motor";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(check_pose_motor(world, function, id));
  mo_constraint_refusal refusal = mo_pose_motor_check(motor);
  if (refusal.argument) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, refusal.argument,
                           refusal.must, refusal.got);
  }
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  count_drives(world, constraint, -1);
  mo_constraint_set_pose(constraint, motor);
  count_drives(world, constraint, 1);
  wake_bodies(world, constraint);
  return MO_OK;
}

// What may break, or lets its bodies collide, makes no bodies one.
static void follow_rigidity(mo_world *world, const mo_constraint *constraint, bool was_rigid) {
  if (mo_constraint_is_rigid(constraint) != was_rigid) {
    mo_world_update_rigid_groups(world);
  }
}

mo_result mo_constraint_set_break(mo_world *world, mo_constraint_id id, double force,
                                  double torque) {
  static const char *const function = "mo_constraint_set_break";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  MO_RETURN_IF_REFUSED(mo_check_break(world, function, constraint->class, force, torque));
  if (!mo_world_reserve_breaks(world, 1)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function,
                                "no memory to tell of another broken constraint");
  }
  bool was_rigid = mo_constraint_is_rigid(constraint);
  world->breakable_count -= mo_constraint_may_break(constraint);
  constraint->break_force = force;
  constraint->break_torque = torque;
  world->breakable_count += mo_constraint_may_break(constraint);
  follow_rigidity(world, constraint, was_rigid);
  wake_bodies(world, constraint);
  return MO_OK;
}

mo_result mo_constraint_set_collide_connected(mo_world *world, mo_constraint_id id,
                                              bool collide_connected) {
  static const char *const function = "mo_constraint_set_collide_connected";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  mo_constraint *constraint = &world->constraints[mo_constraint_id_slot(id)];
  bool was_rigid = mo_constraint_is_rigid(constraint);
  constraint->collide_connected = collide_connected;
  world->joined.is_stale = true;
  follow_rigidity(world, constraint, was_rigid);
  uint32_t slots[MO_ROW_SIDES], count = mo_constraint_slots(constraint, slots);
  for (uint32_t i = 0; i < count; i++) {
    mo_world_touch_proxies(world, slots[i]);
  }
  if (count > 1) {
    mo_world_recheck_contacts(world, slots[0]);
  }
  wake_bodies(world, constraint);
  return MO_OK;
}
