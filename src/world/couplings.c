/// Gears and racks that couple joints: they have the bodies of these, and end with them.
#include "world/checks.h"
#include "world/constraints.h"

static const char *const create = "mo_constraint_create";

static mo_constraint *constraint_of(const mo_world *world, mo_constraint_id id) {
  return &world->constraints[mo_constraint_id_slot(id)];
}

static mo_result refuse(mo_world *world, const char *text) {
  return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create, text);
}

static bool has_joints(const mo_constraint_def *def) {
  return !mo_constraint_id_is_null(def->joint_a) || !mo_constraint_id_is_null(def->joint_b);
}

static bool has_bodies(const mo_constraint_def *def) {
  return !mo_body_id_is_null(def->body_a) || !mo_body_id_is_null(def->body_b) ||
         !mo_body_id_is_null(def->body_c) || !mo_body_id_is_null(def->body_d);
}

// --- making one ------------------------------------------------------------------------------

// The joint must be a hinge if it may turn, or a slider if it may travel.
static mo_result check_joint(mo_world *world, const char *name, mo_constraint_id id, bool may_turn,
                             bool may_travel) {
  MO_RETURN_IF_REFUSED(mo_check_joint_id(world, create, name, id));
  mo_constraint_type type = constraint_of(world, id)->type;
  if ((may_turn && type == MO_CONSTRAINT_HINGE) || (may_travel && type == MO_CONSTRAINT_SLIDER)) {
    return MO_OK;
  }
  return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, name,
                         !may_travel ? "must be a hinge, that of the pinion"
                         : !may_turn ? "must be a slider, that of the rack"
                                     : "must be a hinge or a slider",
                         (double)type);
}

mo_result mo_world_take_coupled_bodies(mo_world *world, mo_constraint_def *def) {
  const mo_constraint_class *class = mo_constraint_class_of(def->type);
  if (!class || !has_joints(def)) {
    return MO_OK;
  }
  if (!class->couples_joints) {
    return refuse(world, "joint_a and joint_b must be null: this type couples no joints");
  }
  if (has_bodies(def)) {
    return refuse(world, "joint_a and joint_b give the bodies, which must be null");
  }
  bool is_rack = def->type == MO_CONSTRAINT_RACK_AND_PINION;
  MO_RETURN_IF_REFUSED(check_joint(world, "joint_a", def->joint_a, true, !is_rack));
  MO_RETURN_IF_REFUSED(check_joint(world, "joint_b", def->joint_b, !is_rack, true));
  if (mo_constraint_id_equals(def->joint_a, def->joint_b)) {
    return refuse(world, "joint_a and joint_b must be different joints");
  }
  const mo_constraint *first = constraint_of(world, def->joint_a);
  const mo_constraint *second = constraint_of(world, def->joint_b);
  def->body_a = mo_world_body_in_slot(world, first->slot_a);
  def->body_b = mo_world_body_in_slot(world, first->slot_b);
  def->body_c = mo_world_body_in_slot(world, second->slot_a);
  def->body_d = mo_world_body_in_slot(world, second->slot_b);
  return MO_OK;
}

void mo_world_couple(mo_world *world, const mo_constraint_def *def, const mo_constraint_place *at,
                     mo_constraint *constraint) {
  if (!has_joints(def)) {
    return;
  }
  mo_constraint *first = constraint_of(world, def->joint_a);
  mo_constraint *second = constraint_of(world, def->joint_b);
  mo_coupling_take_joints(constraint, first, second, at);
  constraint->joint_slots[0] = mo_constraint_id_slot(def->joint_a);
  constraint->joint_slots[1] = mo_constraint_id_slot(def->joint_b);
  first->users++;
  second->users++;
  world->breakable_count++; // it breaks with a joint that breaks
}

// --- ending one ------------------------------------------------------------------------------

static bool couples(const mo_world *world, uint32_t slot, uint32_t joint_slot) {
  const mo_constraint *constraint = &world->constraints[slot];
  return world->constraint_ids.alive[slot] &&
         (constraint->joint_slots[0] == joint_slot || constraint->joint_slots[1] == joint_slot);
}

uint32_t mo_world_next_user(const mo_world *world, uint32_t joint_slot, uint32_t from) {
  uint32_t slot = from;
  while (slot < world->constraint_ids.slot_count && !couples(world, slot, joint_slot)) {
    slot++;
  }
  return slot;
}

void mo_world_uncouple(mo_world *world, uint32_t slot) {
  mo_constraint *constraint = &world->constraints[slot];
  for (uint32_t user = 0; constraint->users > 0; user++) {
    user = mo_world_next_user(world, slot, user);
    mo_world_end_constraint(world, user);
  }
  world->breakable_count -= constraint->joint_slots[0] != MO_WORLD_SLOT;
  for (int i = 0; i < 2; i++) {
    if (constraint->joint_slots[i] != MO_WORLD_SLOT) {
      world->constraints[constraint->joint_slots[i]].users--;
    }
  }
}
