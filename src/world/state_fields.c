#include "world/state_fields.h"

#include "geometry/shape_content.h"
#include "geometry/shape_fields.h"
#include "geometry/shape_stream.h"
#include "memory/byte_stream.h"

_Static_assert(MO_INDICES <= MO_STREAM_TYPES, "a stream has room for all types of records");

// --- fields of the records -------------------------------------------------------------------

#define NUMBERS(record, member) MO_FIELD(record, member, double)
#define FLOATS(record, member) MO_FIELD(record, member, float)
#define WORDS(record, member) MO_FIELD(record, member, uint32_t)
#define HALVES(record, member) MO_FIELD(record, member, uint16_t)
#define FLAG(record, member) MO_FLAG(record, member)
#define BYTES(record, member) MO_FIELD(record, member, uint8_t)
#define LONGS(record, member) MO_FIELD(record, member, uint64_t)

static const mo_field settings_fields[] = {
    // clang-format off
    // Made from bindings/schema by scripts/generate-bindings.mjs.
    NUMBERS(mo_world_def, length_unit),
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
    FLAG(mo_world_def, allow_sleep),
    NUMBERS(mo_world_def, sleep_threshold),
    NUMBERS(mo_world_def, time_to_sleep),
    // End of what is made.
    // clang-format on
};
const mo_record_type mo_state_settings =
    MO_STREAM_RECORD(mo_world_def, settings_fields, MO_INDEX_SETTINGS);

// The length of the last step scales the impulses from which the next one starts.
static const mo_field world_fields[] = {
    NUMBERS(mo_world, time),
    LONGS(mo_world, step_count),
    LONGS(mo_world, next_serial),
    NUMBERS(mo_world, last_step.dt),
    FLAG(mo_world, has_woken),
    FLAG(mo_world, has_fallen_asleep),
    FLAG(mo_world, has_activity_changed),
    FLAG(mo_world, has_dead_pairs),
    FLAG(mo_world, has_stale_pairs),
};
const mo_record_type mo_state_world = MO_STREAM_RECORD(mo_world, world_fields, MO_INDEX_WORLD);

// In their order in memory, as all records of which there are many, so that they are few pieces.
static const mo_field body_fields[] = {
    WORDS(mo_body, type),
    WORDS(mo_body, shape_count),
    FLAG(mo_body, is_enabled),
    FLAG(mo_body, bullet),
    FLAG(mo_body, allow_sleep),
    FLAG(mo_body, has_solver),
    BYTES(mo_body, locks),
    NUMBERS(mo_body, gravity_scale),
    NUMBERS(mo_body, linear_damping),
    NUMBERS(mo_body, angular_damping),
    NUMBERS(mo_body, force),
    NUMBERS(mo_body, torque),
    NUMBERS(mo_body, mass.mass),
    NUMBERS(mo_body, mass.center_of_mass),
    NUMBERS(mo_body, mass.inertia),
    NUMBERS(mo_body, friction),
    NUMBERS(mo_body, restitution),
    NUMBERS(mo_body, density),
    FLAG(mo_body, given.mass),
    FLAG(mo_body, given.inertia),
    FLAG(mo_body, given.center_of_mass),
    WORDS(mo_body, filter.category),
    WORDS(mo_body, filter.mask),
    WORDS(mo_body, filter.group),
    WORDS(mo_body, solver),
    LONGS(mo_body, serial),
    NUMBERS(mo_body, last_linear_velocity),
    NUMBERS(mo_body, last_angular_velocity),
    WORDS(mo_body, friction_combine),
    WORDS(mo_body, restitution_combine),
    NUMBERS(mo_body, rolling_friction),
    NUMBERS(mo_body, spinning_friction),
    NUMBERS(mo_body, surface_velocity),
    WORDS(mo_body, target.state),
    NUMBERS(mo_body, target.pose),
    NUMBERS(mo_body, target.time),
};
const mo_record_type mo_state_body = MO_STREAM_RECORD(mo_body, body_fields, MO_INDEX_BODY);

static const mo_field motion_fields[] = {
    NUMBERS(mo_motion, position),
    NUMBERS(mo_motion, orientation),
    NUMBERS(mo_motion, linear_velocity),
    NUMBERS(mo_motion, angular_velocity),
};
const mo_record_type mo_state_motion = MO_STREAM_RECORD(mo_motion, motion_fields, MO_INDEX_MOTION);

static const mo_field center_fields[] = {NUMBERS(mo_motion, center_of_mass)};
const mo_record_type mo_state_center = MO_STREAM_RECORD(mo_motion, center_fields, MO_INDEX_CENTER);

static const mo_field activity_fields[] = {
    NUMBERS(mo_body_activity, displacement), NUMBERS(mo_body_activity, box_limit),
    FLOATS(mo_body_activity, still_time),    FLOATS(mo_body_activity, energy_tank),
    WORDS(mo_body_activity, island),         WORDS(mo_body_activity, next),
    FLAG(mo_body_activity, is_awake),        BYTES(mo_body_activity, was_awake),
    BYTES(mo_body_activity, loose),          FLAG(mo_body_activity, has_center),
};
const mo_record_type mo_state_activity =
    MO_STREAM_RECORD(mo_body_activity, activity_fields, MO_INDEX_ACTIVITY);

const mo_record_type mo_state_placed_shape =
    MO_STREAM_RECORD(mo_placed_shape, mo_placed_shape_fields, MO_INDEX_PLACED_SHAPE);

static const mo_field shape_place_fields[] = {
    LONGS(mo_shape_place, content),    WORDS(mo_shape_place, proxy),
    FLOATS(mo_shape_place, box.lower), FLOATS(mo_shape_place, box.upper),
    FLAG(mo_shape_place, is_moved),
};
const mo_record_type mo_state_shape_place =
    MO_STREAM_RECORD(mo_shape_place, shape_place_fields, MO_INDEX_SHAPE_PLACE);

static const mo_field constraint_fields[] = {
    WORDS(mo_constraint, type),
    WORDS(mo_constraint, slot_a),
    WORDS(mo_constraint, slot_b),
    FLAG(mo_constraint, collide_connected),
    FLAG(mo_constraint, has_stabilization),
    NUMBERS(mo_constraint, alpha),
    NUMBERS(mo_constraint, beta),
    NUMBERS(mo_constraint, compliance),
    NUMBERS(mo_constraint, anchor_a),
    NUMBERS(mo_constraint, anchor_b),
    NUMBERS(mo_constraint, frame_a),
    NUMBERS(mo_constraint, frame_b),
    NUMBERS(mo_constraint, length),
    FLAG(mo_constraint, pose_motor.has_position),
    FLAG(mo_constraint, pose_motor.has_orientation),
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
    FLAG(mo_constraint, is_active),
    FLAG(mo_constraint, has_substep_impulses),
    NUMBERS(mo_constraint, substep_impulses),
};
const mo_record_type mo_state_constraint =
    MO_STREAM_RECORD(mo_constraint, constraint_fields, MO_INDEX_CONSTRAINT);

// Of constraints that soft-step has solved as joints.
static const mo_field steady_fields[] = {NUMBERS(mo_constraint, steady_impulses)};
const mo_record_type mo_state_steady =
    MO_STREAM_RECORD(mo_constraint, steady_fields, MO_INDEX_STEADY);

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
    FLAG(mo_joint_coordinate, drive.locked),
    NUMBERS(mo_joint_coordinate, mass),
};
const mo_record_type mo_state_coordinate =
    MO_STREAM_RECORD(mo_joint_coordinate, coordinate_fields, MO_INDEX_COORDINATE);

// Of constraints of four bodies.
static const mo_field more_bodies_fields[] = {
    WORDS(mo_constraint, slot_c),      WORDS(mo_constraint, slot_d),
    WORDS(mo_constraint, joint_slots), WORDS(mo_constraint, coupled_kinds),
    NUMBERS(mo_constraint, anchor_c),  NUMBERS(mo_constraint, anchor_d),
    NUMBERS(mo_constraint, frame_c),   NUMBERS(mo_constraint, frame_d),
    NUMBERS(mo_constraint, ratio),     NUMBERS(mo_constraint, coupled_sum),
};
const mo_record_type mo_state_more_bodies =
    MO_STREAM_RECORD(mo_constraint, more_bodies_fields, MO_INDEX_MORE_BODIES);

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
const mo_record_type mo_state_wheel = MO_STREAM_RECORD(mo_constraint, wheel_fields, MO_INDEX_WHEEL);

const mo_record_type mo_state_pulley =
    MO_STREAM_RECORD(mo_constraint, pulley_fields, MO_INDEX_PULLEY);

static const mo_field bounds_fields[] = {
    WORDS(mo_row_bounds, kind),
    NUMBERS(mo_row_bounds, lower),
    NUMBERS(mo_row_bounds, upper),
    NUMBERS(mo_row_bounds, friction),
};
const mo_record_type mo_state_bounds =
    MO_STREAM_RECORD(mo_row_bounds, bounds_fields, MO_INDEX_BOUNDS);

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
const mo_record_type mo_state_potential =
    MO_STREAM_RECORD(mo_potential_def, potential_fields, MO_INDEX_POTENTIAL);

// The cache of the narrow phase changes its results only by round-off, but bits count here. Shapes
// and bodies of a pair are those of its contact.
#define PAIR_FIELDS(record, pair)                                                                  \
  WORDS(record, pair contact), FLAG(record, pair has_new_materials), FLAG(record, pair lies),      \
      NUMBERS(record, pair allowance), BYTES(record, pair cache.kind),                             \
      BYTES(record, pair cache.is_swapped), HALVES(record, pair cache.feature_a),                  \
      HALVES(record, pair cache.feature_b), HALVES(record, pair cache.direction_z)

static const mo_field pair_fields[] = {PAIR_FIELDS(mo_pair, )};
const mo_record_type mo_state_pair = MO_STREAM_RECORD(mo_pair, pair_fields, MO_INDEX_PAIR);

static const mo_field substep_contact_fields[] = {
    PAIR_FIELDS(mo_substep_contact, pair.),  WORDS(mo_substep_contact, point_count),
    FLOATS(mo_substep_contact, restitution), FLOATS(mo_substep_contact, normal),
    FLOATS(mo_substep_contact, friction),
};
const mo_record_type mo_state_substep_contact =
    MO_STREAM_RECORD(mo_substep_contact, substep_contact_fields, MO_INDEX_SUBSTEP_CONTACT);

#define SUBSTEP_POINT_FIELDS(k)                                                                    \
  FLOATS(mo_substep_contact, points[k].arm_a), FLOATS(mo_substep_contact, points[k].arm_b),        \
      FLOATS(mo_substep_contact, points[k].start_impulse),                                         \
      WORDS(mo_substep_contact, points[k].feature_id)

static const mo_field substep_points_fields[] = {
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
const mo_record_type mo_state_substep_points =
    MO_VARIED_RECORD(mo_substep_contact, substep_points_fields, MO_INDEX_SUBSTEP_POINTS);

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
    WORDS(mo_contact_record, generation),
    BYTES(mo_contact_record, flags),
};
const mo_record_type mo_state_contact_record =
    MO_STREAM_RECORD(mo_contact_record, contact_record_fields, MO_INDEX_CONTACT_RECORD);

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
const mo_record_type mo_state_contact =
    MO_STREAM_RECORD(mo_contact, contact_fields, MO_INDEX_CONTACT);

static const mo_field contact_point_fields[] = {
    NUMBERS(mo_contact_point_state, position),
    NUMBERS(mo_contact_point_state, separation),
    WORDS(mo_contact_point_state, feature_id),
    NUMBERS(mo_contact_point_state, normal_impulse),
    NUMBERS(mo_contact_point_state, tangent_impulse),
};
const mo_record_type mo_state_contact_point =
    MO_STREAM_RECORD(mo_contact_point_state, contact_point_fields, MO_INDEX_CONTACT_POINT);

#define PLAIN(type, record)                                                                        \
  static const mo_field record##_fields[] = {{0, sizeof(type), sizeof(type), false}};              \
  const mo_record_type mo_state_##record = MO_RECORD(type, record##_fields)
PLAIN(uint8_t, bytes);
PLAIN(uint16_t, halves);
PLAIN(uint32_t, words);
PLAIN(float, floats);
PLAIN(double, numbers);

bool mo_settings_equal(const mo_world_def *a, const mo_world_def *b) {
  return mo_record_equal(&mo_state_settings, a, b);
}

#define TYPE(name) &mo_state_##name,
const mo_record_type *const mo_state_types[] = {
    TYPE(settings) TYPE(world) TYPE(body) TYPE(motion) TYPE(center) TYPE(activity)
        TYPE(placed_shape) TYPE(shape_place) TYPE(constraint) TYPE(steady) TYPE(more_bodies)
            TYPE(wheel) TYPE(pulley) TYPE(coordinate) TYPE(bounds) TYPE(potential) TYPE(pair)
                TYPE(substep_contact) TYPE(substep_points) TYPE(contact_record) TYPE(contact)
                    TYPE(contact_point) NULL};
