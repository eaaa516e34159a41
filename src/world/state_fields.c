#include "world/state_fields.h"

#include "geometry/shape_content.h"

// --- fields of the records -------------------------------------------------------------------

#define NUMBERS(record, member) MO_FIELD(record, member, double)
#define FLOATS(record, member) MO_FIELD(record, member, float)
#define WORDS(record, member) MO_FIELD(record, member, uint32_t)
#define HALVES(record, member) MO_FIELD(record, member, uint16_t)
#define BYTES(record, member) MO_FIELD(record, member, uint8_t)
#define LONGS(record, member) MO_FIELD(record, member, uint64_t)

static const mo_field settings_fields[] = {
    // clang-format off
    // Made from bindings/schema by scripts/generate-bindings.mjs.
    NUMBERS(mo_world_def, gravity),
    WORDS(mo_world_def, solver),
    WORDS(mo_world_def, stabilization),
    WORDS(mo_world_def, integrator),
    WORDS(mo_world_def, iterations),
    NUMBERS(mo_world_def, tolerance),
    NUMBERS(mo_world_def, restitution_threshold),
    WORDS(mo_world_def, impact_law),
    NUMBERS(mo_world_def, linear_slop),
    NUMBERS(mo_world_def, error_reduction),
    NUMBERS(mo_world_def, max_correction_speed),
    WORDS(mo_world_def, friction_law),
    WORDS(mo_world_def, effort),
    WORDS(mo_world_def, max_iterations),
    NUMBERS(mo_world_def, work_budget),
    NUMBERS(mo_world_def, exact_memory_limit),
    WORDS(mo_world_def, substeps),
    NUMBERS(mo_world_def, contact_hertz),
    NUMBERS(mo_world_def, contact_damping),
    NUMBERS(mo_world_def, joint_hertz),
    NUMBERS(mo_world_def, joint_damping),
    BYTES(mo_world_def, allow_sleep),
    NUMBERS(mo_world_def, sleep_threshold),
    NUMBERS(mo_world_def, time_to_sleep),
    // End of what is made.
    // clang-format on
};
static const mo_record_type settings = MO_RECORD(mo_world_def, settings_fields);

// The length of the last step scales the impulses from which the next one starts.
static const mo_field world_fields[] = {
    NUMBERS(mo_world, time),
    LONGS(mo_world, step_count),
    LONGS(mo_world, next_serial),
    NUMBERS(mo_world, last_step.dt),
    BYTES(mo_world, has_woken),
    BYTES(mo_world, has_fallen_asleep),
    BYTES(mo_world, has_activity_changed),
    BYTES(mo_world, has_dead_pairs),
    BYTES(mo_world, has_stale_pairs),
};
static const mo_record_type world_record = MO_RECORD(mo_world, world_fields);

static const mo_field body_fields[] = {
    LONGS(mo_body, serial),
    WORDS(mo_body, type),
    WORDS(mo_body, shape_count),
    NUMBERS(mo_body, mass.mass),
    NUMBERS(mo_body, mass.inertia),
    NUMBERS(mo_body, mass.center_of_mass),
    NUMBERS(mo_body, friction),
    NUMBERS(mo_body, restitution),
    NUMBERS(mo_body, linear_damping),
    NUMBERS(mo_body, angular_damping),
    NUMBERS(mo_body, gravity_scale),
    WORDS(mo_body, filter.category),
    WORDS(mo_body, filter.mask),
    WORDS(mo_body, filter.group),
    NUMBERS(mo_body, density),
    BYTES(mo_body, given.mass),
    BYTES(mo_body, given.inertia),
    BYTES(mo_body, given.center_of_mass),
    BYTES(mo_body, bullet),
    BYTES(mo_body, allow_sleep),
    BYTES(mo_body, has_solver),
    WORDS(mo_body, solver),
    NUMBERS(mo_body, force),
    NUMBERS(mo_body, torque),
    NUMBERS(mo_body, last_linear_velocity),
    NUMBERS(mo_body, last_angular_velocity),
    BYTES(mo_body, locks),
    WORDS(mo_body, friction_combine),
    WORDS(mo_body, restitution_combine),
    NUMBERS(mo_body, rolling_friction),
    NUMBERS(mo_body, spinning_friction),
    NUMBERS(mo_body, surface_velocity),
    WORDS(mo_body, target.state),
    NUMBERS(mo_body, target.pose),
    NUMBERS(mo_body, target.time),
};
static const mo_record_type body_record = MO_RECORD(mo_body, body_fields);

static const mo_field motion_fields[] = {
    NUMBERS(mo_motion, position),         NUMBERS(mo_motion, orientation),
    NUMBERS(mo_motion, center_of_mass),   NUMBERS(mo_motion, linear_velocity),
    NUMBERS(mo_motion, angular_velocity),
};
static const mo_record_type motion_record = MO_RECORD(mo_motion, motion_fields);

static const mo_field placed_shape_fields[] = {
    NUMBERS(mo_placed_shape, pose),
    NUMBERS(mo_placed_shape, friction),
    NUMBERS(mo_placed_shape, restitution),
    NUMBERS(mo_placed_shape, density),
    BYTES(mo_placed_shape, sensor),
    BYTES(mo_placed_shape, has_filter),
    WORDS(mo_placed_shape, filter.category),
    WORDS(mo_placed_shape, filter.mask),
    WORDS(mo_placed_shape, filter.group),
    WORDS(mo_placed_shape, friction_combine),
    WORDS(mo_placed_shape, restitution_combine),
};
static const mo_record_type placed_shape_record = MO_RECORD(mo_placed_shape, placed_shape_fields);

static const mo_field shape_fields[] = {LONGS(mo_shape, content)};
static const mo_record_type shape_record = MO_RECORD(mo_shape, shape_fields);

static const mo_field box_fields[] = {FLOATS(mo_aabb, lower), FLOATS(mo_aabb, upper)};
static const mo_record_type box_record = MO_RECORD(mo_aabb, box_fields);

static const mo_field constraint_fields[] = {
    WORDS(mo_constraint, type),
    WORDS(mo_constraint, slot_a),
    WORDS(mo_constraint, slot_b),
    BYTES(mo_constraint, collide_connected),
    BYTES(mo_constraint, has_stabilization),
    NUMBERS(mo_constraint, alpha),
    NUMBERS(mo_constraint, beta),
    NUMBERS(mo_constraint, compliance),
    NUMBERS(mo_constraint, anchor_a),
    NUMBERS(mo_constraint, anchor_b),
    NUMBERS(mo_constraint, frame_a),
    NUMBERS(mo_constraint, frame_b),
    NUMBERS(mo_constraint, length),
    BYTES(mo_constraint, pose_motor.has_position),
    BYTES(mo_constraint, pose_motor.has_orientation),
    NUMBERS(mo_constraint, pose_motor.target_position),
    NUMBERS(mo_constraint, pose_motor.target_orientation),
    NUMBERS(mo_constraint, pose_motor.max_force),
    NUMBERS(mo_constraint, pose_motor.max_torque),
    NUMBERS(mo_constraint, pose_motor.gains),
    NUMBERS(mo_constraint, linear_mass),
    NUMBERS(mo_constraint, angular_mass),
    NUMBERS(mo_constraint, break_force),
    NUMBERS(mo_constraint, break_torque),
    WORDS(mo_constraint, dimension),
    BYTES(mo_constraint, is_active),
    BYTES(mo_constraint, has_substep_impulses),
    NUMBERS(mo_constraint, substep_impulses),
};
static const mo_record_type constraint_record = MO_RECORD(mo_constraint, constraint_fields);

// Of constraints that soft-step has solved as joints.
static const mo_field steady_fields[] = {NUMBERS(mo_constraint, steady_impulses)};
static const mo_record_type steady_record = MO_RECORD(mo_constraint, steady_fields);

static const mo_field coordinate_fields[] = {
    NUMBERS(mo_joint_coordinate, drive.lower),
    NUMBERS(mo_joint_coordinate, drive.upper),
    NUMBERS(mo_joint_coordinate, drive.spring),
    NUMBERS(mo_joint_coordinate, drive.spring_rest),
    WORDS(mo_joint_coordinate, drive.motor),
    NUMBERS(mo_joint_coordinate, drive.target_velocity),
    NUMBERS(mo_joint_coordinate, drive.target_position),
    NUMBERS(mo_joint_coordinate, drive.max_force),
    NUMBERS(mo_joint_coordinate, drive.gains),
    NUMBERS(mo_joint_coordinate, drive.friction),
    BYTES(mo_joint_coordinate, drive.locked),
    NUMBERS(mo_joint_coordinate, mass),
};
static const mo_record_type coordinate_record = MO_RECORD(mo_joint_coordinate, coordinate_fields);

// Of constraints of four bodies.
static const mo_field more_bodies_fields[] = {
    WORDS(mo_constraint, slot_c),      WORDS(mo_constraint, slot_d),
    WORDS(mo_constraint, joint_slots), WORDS(mo_constraint, coupled_kinds),
    NUMBERS(mo_constraint, anchor_c),  NUMBERS(mo_constraint, anchor_d),
    NUMBERS(mo_constraint, frame_c),   NUMBERS(mo_constraint, frame_d),
    NUMBERS(mo_constraint, ratio),     NUMBERS(mo_constraint, coupled_sum),
};
static const mo_record_type more_bodies_record = MO_RECORD(mo_constraint, more_bodies_fields);

static const mo_field pulley_fields[] = {
    NUMBERS(mo_constraint, ratio),
    NUMBERS(mo_constraint, ground_anchor_a),
    NUMBERS(mo_constraint, ground_anchor_b),
};
static const mo_field wheel_fields[] = {
    NUMBERS(mo_constraint, frame_c),
    NUMBERS(mo_constraint, frame_d),
    NUMBERS(mo_constraint, steering),
};
static const mo_record_type wheel_record = MO_RECORD(mo_constraint, wheel_fields);

static const mo_record_type pulley_record = MO_RECORD(mo_constraint, pulley_fields);

static const mo_field bounds_fields[] = {
    WORDS(mo_row_bounds, kind),
    NUMBERS(mo_row_bounds, lower),
    NUMBERS(mo_row_bounds, upper),
    NUMBERS(mo_row_bounds, friction),
};
static const mo_record_type bounds_record = MO_RECORD(mo_row_bounds, bounds_fields);

// The functions that a custom potential calls are not part of the state.
static const mo_field potential_fields[] = {
    WORDS(mo_potential_def, type),
    WORDS(mo_potential_def, body_count),
    NUMBERS(mo_potential_def, gravity),
    NUMBERS(mo_potential_def, center),
    NUMBERS(mo_potential_def, mu),
    NUMBERS(mo_potential_def, softening),
    NUMBERS(mo_potential_def, moment),
    NUMBERS(mo_potential_def, field),
    NUMBERS(mo_potential_def, source_moment),
    NUMBERS(mo_potential_def, linear_drag),
    NUMBERS(mo_potential_def, quadratic_drag),
    NUMBERS(mo_potential_def, angular_drag),
    NUMBERS(mo_potential_def, anchor_a),
    NUMBERS(mo_potential_def, anchor_b),
    NUMBERS(mo_potential_def, stiffness),
    NUMBERS(mo_potential_def, rest_length),
    NUMBERS(mo_potential_def, damping),
    NUMBERS(mo_potential_def, velocity),
    NUMBERS(mo_potential_def, fluid_density),
    NUMBERS(mo_potential_def, surface_normal),
    NUMBERS(mo_potential_def, surface_offset),
    NUMBERS(mo_potential_def, gravitational_constant),
    WORDS(mo_potential_def, region.type),
    NUMBERS(mo_potential_def, region.center),
    NUMBERS(mo_potential_def, region.radius),
    NUMBERS(mo_potential_def, region.half_extents),
    NUMBERS(mo_potential_def, region.orientation),
};
static const mo_record_type potential_record = MO_RECORD(mo_potential_def, potential_fields);

// The cache of the narrow phase changes its results only by round-off, but bits count here.
#define PAIR_FIELDS(record, pair)                                                                  \
  WORDS(record, pair contact), WORDS(record, pair slot_a), WORDS(record, pair slot_b),             \
      BYTES(record, pair has_new_materials), NUMBERS(record, pair allowance),                      \
      BYTES(record, pair cache.kind), BYTES(record, pair cache.is_swapped),                        \
      HALVES(record, pair cache.feature_a), HALVES(record, pair cache.feature_b),                  \
      HALVES(record, pair cache.direction_z)

static const mo_field pair_fields[] = {PAIR_FIELDS(mo_pair, )};
static const mo_record_type pair_record = MO_RECORD(mo_pair, pair_fields);

#define SUBSTEP_POINT_FIELDS(k)                                                                    \
  FLOATS(mo_substep_contact, points[k].arm_a), FLOATS(mo_substep_contact, points[k].arm_b),        \
      FLOATS(mo_substep_contact, points[k].start_impulse),                                         \
      WORDS(mo_substep_contact, points[k].feature_id)

static const mo_field substep_contact_fields[] = {
    PAIR_FIELDS(mo_substep_contact, pair.),
    WORDS(mo_substep_contact, point_count),
    FLOATS(mo_substep_contact, restitution),
    FLOATS(mo_substep_contact, friction),
    FLOATS(mo_substep_contact, normal),
    FLOATS(mo_substep_contact, start_tangent),
    FLOATS(mo_substep_contact, start_twist),
    FLOATS(mo_substep_contact, separations),
    SUBSTEP_POINT_FIELDS(0),
    SUBSTEP_POINT_FIELDS(1),
    SUBSTEP_POINT_FIELDS(2),
    SUBSTEP_POINT_FIELDS(3),
    FLOATS(mo_substep_contact, normal_impulses),
    FLOATS(mo_substep_contact, tangent_impulse),
    FLOATS(mo_substep_contact, twist_impulse),
};
static const mo_record_type substep_contact_record =
    MO_RECORD(mo_substep_contact, substep_contact_fields);

// The positions of a contact's pair and manifold follow from the order of those lists.
static const mo_field contact_record_fields[] = {
    WORDS(mo_contact_record, proxy_a),
    WORDS(mo_contact_record, proxy_b),
    WORDS(mo_contact_record, slot_a),
    WORDS(mo_contact_record, slot_b),
    WORDS(mo_contact_record, child_a),
    WORDS(mo_contact_record, child_b),
    NUMBERS(mo_contact_record, friction),
    NUMBERS(mo_contact_record, restitution),
    NUMBERS(mo_contact_record, rolling_friction),
    NUMBERS(mo_contact_record, spinning_friction),
    FLOATS(mo_contact_record, start_twist),
    FLOATS(mo_contact_record, twist),
    FLOATS(mo_contact_record, slide),
    BYTES(mo_contact_record, flags),
    WORDS(mo_contact_record, generation),
};
static const mo_record_type near_contact_record =
    MO_RECORD(mo_contact_record, contact_record_fields);

static const mo_field contact_fields[] = {
    WORDS(mo_contact, contact),
    WORDS(mo_contact, slot_a),
    WORDS(mo_contact, slot_b),
    WORDS(mo_contact, shape_a),
    WORDS(mo_contact, shape_b),
    NUMBERS(mo_contact, friction),
    NUMBERS(mo_contact, restitution),
    NUMBERS(mo_contact, normal),
    WORDS(mo_contact, point_count),
    NUMBERS(mo_contact, rolling_friction),
    NUMBERS(mo_contact, spinning_friction),
    NUMBERS(mo_contact, twist_impulse),
};
static const mo_record_type contact_record = MO_RECORD(mo_contact, contact_fields);

static const mo_field contact_point_fields[] = {
    NUMBERS(mo_contact_point_state, position),
    NUMBERS(mo_contact_point_state, separation),
    WORDS(mo_contact_point_state, feature_id),
    NUMBERS(mo_contact_point_state, normal_impulse),
    NUMBERS(mo_contact_point_state, tangent_impulse),
};
static const mo_record_type contact_point_record =
    MO_RECORD(mo_contact_point_state, contact_point_fields);

// If no step is kept, the rest of the record is zero or out of date.
static const mo_field kept_step_fields[] = {BYTES(mo_kept_step, is_valid)};
static const mo_record_type kept_step_record = MO_RECORD(mo_kept_step, kept_step_fields);

static const mo_field kept_body_fields[] = {
    NUMBERS(mo_kept_body, center_of_mass),
    NUMBERS(mo_kept_body, orientation),
    NUMBERS(mo_kept_body, displacement),
    NUMBERS(mo_kept_body, reach),
};
static const mo_record_type kept_body_record = MO_RECORD(mo_kept_body, kept_body_fields);

#define PLAIN(type, record)                                                                        \
  static const mo_field record##_fields[] = {{0, sizeof(type), sizeof(type)}};                     \
  static const mo_record_type record = MO_RECORD(type, record##_fields)
PLAIN(uint8_t, bytes);
PLAIN(uint16_t, halves);
PLAIN(uint32_t, words);
PLAIN(float, floats);
PLAIN(double, numbers);

bool mo_settings_equal(const mo_world_def *a, const mo_world_def *b) {
  return mo_record_equal(&settings, a, b);
}

// --- where the records are -------------------------------------------------------------------

typedef struct visitor {
  const mo_world *world;
  mo_state_function *function;
  void *context;
} visitor;

static void visit(const visitor *v, const mo_record_type *type, const void *records, size_t count) {
  v->function(v->context, type, records, count);
}

static void visit_word(const visitor *v, uint32_t word) { visit(v, &words, &word, 1); }

// A list, preceded by its length.
static void visit_list(const visitor *v, const mo_record_type *type, const void *records,
                       uint32_t count) {
  visit_word(v, count);
  visit(v, type, records, count);
}

// Which ids are alive, and which come next.
static void visit_ids(const visitor *v, const mo_id_pool *ids) {
  visit_list(v, &halves, ids->generation, ids->slot_count);
  visit(v, &bytes, ids->alive, ids->slot_count);
  visit_list(v, &words, ids->free_slots, ids->free_slots_count);
}

static void visit_shapes(const visitor *v, const mo_body *body) {
  const mo_broad_phase *bp = &v->world->broad_phase;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    uint32_t proxy = body->proxies[i];
    visit(v, &placed_shape_record, &body->shapes[i], 1);
    visit(v, &shape_record, body->shapes[i].shape, 1);
    visit_word(v, proxy);
    visit(v, &box_record, &bp->boxes[proxy], 1);
    visit_word(v, bp->places[proxy].moved != 0);
  }
}

static void visit_activity(const visitor *v, uint32_t slot) {
  const mo_world *world = v->world;
  visit_word(v, mo_world_is_awake(world, slot));
  visit(v, &bytes, &world->was_awake[slot], 1);
  visit(v, &floats, &world->still_times[slot], 1);
  if (world->still_times[slot] > 0.0f) {
    visit(v, &numbers, (const double *)&world->still_places[slot],
          sizeof(mo_still_place) / sizeof(double));
  }
  visit(v, &numbers, &world->displacements[slot], 1);
  visit(v, &numbers, &world->box_limits[slot], 1);
  visit(v, &words, &world->islands.names[slot], 1);
  visit(v, &words, &world->islands.next[slot], 1);
  if (world->islands.names[slot] == slot) {
    visit(v, &bytes, &world->islands.loose[slot], 1);
  }
}

static void visit_bodies(const visitor *v) {
  const mo_world *world = v->world;
  visit_ids(v, &world->ids);
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      visit(v, &body_record, &world->bodies[slot], 1);
      visit(v, &motion_record, &world->motions[slot], 1);
      visit_shapes(v, &world->bodies[slot]);
      visit_activity(v, slot);
    }
  }
}

static void visit_constraints(const visitor *v) {
  const mo_world *world = v->world;
  visit_ids(v, &world->constraint_ids);
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (world->constraint_ids.alive[slot]) {
      visit(v, &constraint_record, constraint, 1);
      visit(v, &steady_record, constraint, constraint->has_substep_impulses);
      visit(v, &more_bodies_record, constraint, mo_constraint_joins_four(constraint));
      visit(v, &wheel_record, constraint, constraint->type == MO_CONSTRAINT_WHEEL);
      visit(v, &pulley_record, constraint, constraint->type == MO_CONSTRAINT_PULLEY);
      visit(v, &coordinate_record, constraint->coordinates, constraint->class->coordinate_count);
      visit(v, &numbers, constraint->last_values, constraint->class->coordinate_count);
      visit(v, &bounds_record, constraint->bounds, constraint->dimension);
      visit(v, &numbers, constraint->impulses, constraint->dimension);
    }
  }
}

// Without the tag of the world, so that worlds that were built alike have equal states.
static void visit_id(const visitor *v, mo_body_id id) {
  visit_word(v, mo_body_id_slot(id));
  visit_word(v, mo_body_id_generation(id));
}

static void visit_potentials(const visitor *v) {
  const mo_world *world = v->world;
  visit_ids(v, &world->potential_ids);
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    const mo_potential_def *potential = &world->potentials[slot];
    if (world->potential_ids.alive[slot]) {
      visit(v, &potential_record, potential, 1);
      for (uint32_t i = 0; i < potential->body_count; i++) {
        visit_id(v, potential->bodies[i]);
      }
    }
  }
}

// Free records do not count, except for the generation that comes next.
static void visit_records(const visitor *v) {
  const mo_contact_store *store = &v->world->pairs.records;
  visit_word(v, store->records_count);
  for (uint32_t i = 0; i < store->records_count; i++) {
    const mo_contact_record *record = &store->records[i];
    if (record->flags) {
      visit(v, &near_contact_record, record, 1);
    } else {
      visit_word(v, record->generation);
    }
  }
  visit_list(v, &words, store->free, store->free_count);
  visit_list(v, &words, store->changed, store->changed_count);
  visit_list(v, &words, store->reported, store->reported_count);
}

static void visit_pairs(const visitor *v) {
  const mo_broad_phase *bp = &v->world->broad_phase;
  const mo_pair_store *pairs = &v->world->pairs;
  visit_word(v, bp->proxies_count);
  visit_list(v, &words, bp->free_ids, bp->free_ids_count);
  visit_records(v);
  visit_list(v, &pair_record, pairs->near, pairs->near_count);
  visit_list(v, &pair_record, pairs->asleep, pairs->asleep_count);
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &pairs->colours[c];
    visit_list(v, &substep_contact_record, colour->contacts, colour->contacts_count);
  }
  visit_list(v, &substep_contact_record, pairs->asleep_contacts, pairs->asleep_contacts_count);
}

static void visit_contacts(const visitor *v) {
  const mo_world *world = v->world;
  visit_word(v, world->contacts_count);
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    visit(v, &contact_record, contact, 1);
    visit(v, &contact_point_record, contact->points, contact->point_count);
  }
}

static void visit_kept_step(const visitor *v) {
  const mo_kept_step *kept = &v->world->kept;
  visit(v, &kept_step_record, kept, 1);
  if (kept->is_valid) {
    visit(v, &numbers, &kept->dt, 1);
    visit(v, &numbers, &kept->rows.least_gap, 1);
    visit_list(v, &kept_body_record, kept->bodies + 1, kept->body_count - 1);
    visit_list(v, &mo_kept_manifold_record, kept->rows.packed.lanes.manifolds,
               kept->rows.packed.lanes.count);
  }
}

void mo_world_visit_state(const mo_world *world, mo_state_function *function, void *context) {
  visitor v = {world, function, context};
  visit(&v, &settings, &world->settings, 1);
  visit(&v, &world_record, world, 1);
  visit_bodies(&v);
  visit_constraints(&v);
  visit_potentials(&v);
  visit_pairs(&v);
  visit_contacts(&v);
  visit_kept_step(&v);
}
