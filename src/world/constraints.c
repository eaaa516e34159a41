/// Life and read-outs of constraints.
#include "memory/array.h"
#include "world/checks.h"

static mo_constraint_body body_at(const mo_world *world, const mo_motion *motions, uint32_t slot) {
  return slot == MO_WORLD_SLOT
             ? mo_constraint_body_world()
             : mo_constraint_body_of(mo_world_body_in_slot(world, slot), &motions[slot]);
}

mo_constraint_place mo_world_constraint_place(const mo_world *world, const mo_motion *motions,
                                              double time, const mo_constraint *constraint) {
  return (mo_constraint_place){.a = body_at(world, motions, constraint->slot_a),
                               .b = body_at(world, motions, constraint->slot_b),
                               .time = time};
}

mo_constraint_def mo_constraint_def_default(mo_constraint_type type) {
  return (mo_constraint_def){.type = type,
                             .axis_a = {1.0, 0.0, 0.0},
                             .axis_b = {1.0, 0.0, 0.0},
                             .lower = -INFINITY,
                             .upper = INFINITY,
                             .has_stabilization = type == MO_CONSTRAINT_CUSTOM,
                             .alpha = 10.0,
                             .beta = 10.0};
}

// --- checks of a definition ------------------------------------------------------------------

static const char *const create = "mo_constraint_create";

static mo_result refuse(mo_world *world, const char *text) {
  return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, create, text);
}

static mo_result check_bodies(mo_world *world, const mo_constraint_def *def) {
  bool is_joint = def->type != MO_CONSTRAINT_CUSTOM && def->type != MO_CONSTRAINT_UNIT_QUATERNION;
  bool has_a = !mo_body_id_is_null(def->body_a), has_b = !mo_body_id_is_null(def->body_b);
  if (has_a || !is_joint) {
    MO_RETURN_IF_REFUSED(mo_check_body_id(world, create, "body_a", def->body_a));
  }
  if (has_b || (is_joint && !has_a)) {
    MO_RETURN_IF_REFUSED(mo_check_body_id(world, create, "body_b", def->body_b));
  }
  if (mo_body_id_equals(def->body_a, def->body_b)) {
    return refuse(world, "body_a and body_b must be different bodies");
  }
  if (def->type == MO_CONSTRAINT_UNIT_QUATERNION && has_b) {
    return refuse(world, "body_b must be null: unitQuaternion is about one body");
  }
  return MO_OK;
}

static mo_result check_row_bounds(mo_world *world, const mo_constraint_def *def) {
  for (uint32_t i = 0; def->bounds && i < def->dimension; i++) {
    if (!mo_row_bounds_are_valid(def->bounds[i])) {
      return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "bounds",
                             "must come from mo_row_bounds_..., lower <= upper; see row", i);
    }
    if (def->bounds[i].kind != MO_BOUND_CONE) {
      continue;
    }
    for (uint32_t k = 1; k < 3; k++) {
      if (i + k >= def->dimension || def->bounds[i + k].kind != MO_BOUND_CONE ||
          def->bounds[i + k].friction != def->bounds[i].friction) {
        return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "bounds",
                               "must have three equal entries for a cone; see row", i);
      }
    }
    i += 2;
  }
  return MO_OK;
}

static mo_result check_custom(mo_world *world, const mo_constraint_def *def) {
  if (!def->evaluate) {
    return refuse(world, "evaluate must not be null");
  }
  if (def->dimension < 1 || def->dimension > MO_CONSTRAINT_ROWS) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "dimension", "must be 1 to 32",
                           def->dimension);
  }
  return check_row_bounds(world, def);
}

static mo_result check_axis(mo_world *world, const char *name, mo_vec3 axis) {
  double length = mo_length(axis);
  if (!(length > 0.0 && mo_is_finite(length) && mo_is_finite(1.0 / length))) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, create, name,
                                "must be finite and not zero", axis);
  }
  return MO_OK;
}

static mo_result check_limits(mo_world *world, const mo_constraint_def *def) {
  bool is_limited = def->lower != -INFINITY || def->upper != INFINITY;
  bool may_be_limited = def->type == MO_CONSTRAINT_DISTANCE || def->type == MO_CONSTRAINT_HINGE ||
                        def->type == MO_CONSTRAINT_SLIDER;
  if (is_limited && !may_be_limited) {
    return refuse(world, "limits are for hinge, slider and distance");
  }
  if (!(def->lower <= def->upper && def->lower < INFINITY && def->upper > -INFINITY)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "limits",
                           "must have lower <= upper, not NaN; lower is over upper or NaN",
                           def->lower);
  }
  if (def->type == MO_CONSTRAINT_DISTANCE && def->upper < 0.0) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "upper",
                           "must be 0 m or more for a distance", def->upper);
  }
  if (def->has_length) {
    MO_RETURN_IF_REFUSED(mo_check_range(world, create, "length", def->length, 0.0, INFINITY,
                                        "must be finite, 0 m or more"));
  }
  return MO_OK;
}

static mo_result check_def(mo_world *world, const mo_constraint_def *def) {
  if (!mo_constraint_class_of(def->type)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, create, "type",
                           "must be one of mo_constraint_type", (double)def->type);
  }
  MO_RETURN_IF_REFUSED(check_bodies(world, def));
  if (def->type == MO_CONSTRAINT_CUSTOM) {
    MO_RETURN_IF_REFUSED(check_custom(world, def));
  }
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_a", def->anchor_a));
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, create, "anchor_b", def->anchor_b));
  if (def->type == MO_CONSTRAINT_HINGE || def->type == MO_CONSTRAINT_SLIDER) {
    MO_RETURN_IF_REFUSED(check_axis(world, "axis_a", def->axis_a));
    MO_RETURN_IF_REFUSED(check_axis(world, "axis_b", def->axis_b));
  }
  MO_RETURN_IF_REFUSED(check_limits(world, def));
  static const char *const must = "must be finite, 0 or more";
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "alpha", def->alpha, 0.0, INFINITY, must));
  MO_RETURN_IF_REFUSED(mo_check_range(world, create, "beta", def->beta, 0.0, INFINITY, must));
  return mo_check_range(world, create, "compliance", def->compliance, 0.0, INFINITY, must);
}

// --- life ------------------------------------------------------------------------------------

static uint32_t slot_of(mo_body_id id) {
  return mo_body_id_is_null(id) ? MO_WORLD_SLOT : mo_body_id_slot(id);
}

// A constraint of its bodies comes (+1) or goes (-1): they wake.
static void count_constraint(mo_world *world, const mo_constraint *constraint, int change) {
  const uint32_t slots[2] = {constraint->slot_a, constraint->slot_b};
  world->joined.is_stale = true;
  mo_world_forget_joints(world);
  for (int i = 0; i < 2; i++) {
    if (slots[i] != MO_WORLD_SLOT) {
      world->constraint_counts[slots[i]] += (uint32_t)change;
      mo_world_wake_slot(world, slots[i]);
    }
  }
}

mo_constraint_id mo_constraint_create(mo_world *world, const mo_constraint_def *def) {
  if (mo_check_unlocked(world, create) != MO_OK || check_def(world, def) != MO_OK) {
    return MO_NULL_CONSTRAINT_ID;
  }
  mo_constraint constraint = {.slot_a = slot_of(def->body_a), .slot_b = slot_of(def->body_b)};
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, &constraint);
  bool has_rows = mo_constraint_init(&constraint, def, constraint.slot_a, constraint.slot_b, &at);
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  uint32_t slot = MO_NO_SLOT;
  if (has_rows && MO_RESERVE(world, constraints, world->constraint_ids.slot_count + 1)) {
    slot = mo_id_pool_take(&world->constraint_ids, &result);
  }
  if (slot == MO_NO_SLOT) {
    mo_constraint_free(&constraint);
    mo_world_refuse_text(world, result, create,
                         result == MO_ERROR_CAPACITY ? "all constraint ids are in use"
                                                     : "no memory for another constraint");
    return MO_NULL_CONSTRAINT_ID;
  }
  world->constraints[slot] = constraint;
  count_constraint(world, &constraint, 1);
  if (constraint.slot_a != MO_WORLD_SLOT && constraint.slot_b != MO_WORLD_SLOT) {
    mo_world_link(world, constraint.slot_a, constraint.slot_b);
    world->has_stale_pairs = true;
  }
  return mo_world_constraint_in_slot(world, slot);
}

static void end(mo_world *world, uint32_t slot) {
  mo_constraint *constraint = &world->constraints[slot];
  const uint32_t slots[2] = {constraint->slot_a, constraint->slot_b};
  count_constraint(world, constraint, -1);
  for (int i = 0; i < 2; i++) {
    if (slots[i] != MO_WORLD_SLOT) {
      mo_island_sets_loosen(&world->islands, slots[i]);
      mo_world_touch_proxies(world, slots[i]); // the two may collide from now on
    }
  }
  mo_constraint_free(constraint);
  mo_id_pool_give_back(&world->constraint_ids, slot);
}

mo_result mo_constraint_destroy(mo_world *world, mo_constraint_id id) {
  static const char *const function = "mo_constraint_destroy";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  end(world, mo_constraint_id_slot(id));
  return MO_OK;
}

void mo_world_forget_constraints(mo_world *world, uint32_t body_slot) {
  for (uint32_t slot = 0;
       world->constraint_counts[body_slot] > 0 && slot < world->constraint_ids.slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (world->constraint_ids.alive[slot] &&
        (constraint->slot_a == body_slot || constraint->slot_b == body_slot)) {
      end(world, slot);
    }
  }
}

uint32_t mo_world_constraint_count(const mo_world *world) {
  return world->constraint_ids.alive_count;
}
uint32_t mo_world_constraint_slot_count(const mo_world *world) {
  return world->constraint_ids.slot_count;
}

// --- read-outs -------------------------------------------------------------------------------

// Null where the id names none.
static const mo_constraint *find(const mo_world *world, mo_constraint_id id) {
  return mo_constraint_is_alive(world, id) ? &world->constraints[mo_constraint_id_slot(id)] : NULL;
}

mo_result mo_constraint_get_state(const mo_world *world, mo_constraint_id id,
                                  mo_constraint_state *out) {
  MO_RETURN_IF_REFUSED(mo_find_constraint(world, id));
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  bool has_coordinate = constraint->class->coordinate != NULL;
  *out = (mo_constraint_state){
      .type = constraint->type,
      .body_a = mo_world_body_in_slot(world, constraint->slot_a),
      .body_b = mo_world_body_in_slot(world, constraint->slot_b),
      .dimension = constraint->dimension,
      .is_active = constraint->is_active,
      .coordinate = has_coordinate ? constraint->class->coordinate(constraint, &at) : 0.0};
  return MO_OK;
}

const char *mo_constraint_type_name(const mo_world *world, mo_constraint_id id) {
  const mo_constraint *constraint = find(world, id);
  return constraint ? constraint->name : NULL;
}

const double *mo_constraint_impulses(const mo_world *world, mo_constraint_id id) {
  const mo_constraint *constraint = find(world, id);
  return constraint ? constraint->impulses : NULL;
}

// J v + dC/dt.
static mo_constraint_failure find_rates(const mo_constraint *constraint,
                                        const mo_constraint_place *at, double *out) {
  double jacobian[MO_CONSTRAINT_ROWS * MO_JACOBIAN_COLUMNS];
  mo_constraint_failure failure = mo_constraint_jacobian(constraint, at, jacobian);
  if (!failure) {
    failure = mo_constraint_time_derivative(constraint, at, out);
  }
  const mo_vec3 v[4] = {at->a.linear_velocity, at->a.angular_velocity, at->b.linear_velocity,
                        at->b.angular_velocity};
  for (uint32_t i = 0; !failure && i < constraint->dimension; i++) {
    for (uint32_t k = 0; k < 4; k++) {
      const double *j = &jacobian[MO_JACOBIAN_COLUMNS * i + 3 * k];
      out[i] += mo_dot(mo_v3(j[0], j[1], j[2]), v[k]);
    }
    failure = mo_is_finite(out[i]) ? failure : "its rate of change overflows";
  }
  return failure;
}

typedef mo_constraint_failure question(const mo_constraint *constraint,
                                       const mo_constraint_place *at, double *out);

// Asks a constraint at the present state, with the world locked.
static mo_result ask(mo_world *world, mo_constraint_id id, const char *function, question *about,
                     double *out) {
  MO_RETURN_IF_REFUSED(mo_check_constraint_id(world, function, id));
  const mo_constraint *constraint = find(world, id);
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  bool was_locked = world->is_locked;
  world->is_locked = true;
  mo_constraint_failure failure = about(constraint, &at, out);
  world->is_locked = was_locked;
  return failure ? mo_world_refuse_constraint(world, function, mo_constraint_id_slot(id), failure)
                 : MO_OK;
}

mo_result mo_constraint_violation(mo_world *world, mo_constraint_id id, double *out) {
  return ask(world, id, "mo_constraint_violation", mo_constraint_evaluate, out);
}

mo_result mo_constraint_velocity_violation(mo_world *world, mo_constraint_id id, double *out) {
  return ask(world, id, "mo_constraint_velocity_violation", find_rates, out);
}

// --- frames ----------------------------------------------------------------------------------

mo_vec3 mo_body_local_point(const mo_world *world, mo_body_id body, mo_vec3 world_point) {
  if (!mo_body_is_alive(world, body)) {
    return world_point;
  }
  const mo_motion *motion = &world->motions[mo_body_id_slot(body)];
  return mo_quat_rotate_inverse(motion->orientation, mo_sub(world_point, motion->position));
}

mo_vec3 mo_body_local_vector(const mo_world *world, mo_body_id body, mo_vec3 world_vector) {
  bool is_alive = mo_body_is_alive(world, body);
  return is_alive ? mo_quat_rotate_inverse(world->motions[mo_body_id_slot(body)].orientation,
                                           world_vector)
                  : world_vector;
}
