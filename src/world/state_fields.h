/// The state of a world: everything on which its next steps depend. One list serves the hash and
/// the snapshot. Private to src.
///
/// The list contains bodies, constraints, potentials and settings, the values from which solvers
/// start, which bodies sleep, which pairs are near and in which order, and what lets a step leave
/// pairs out. It does not contain read-outs of the last step, working memory, and what is rebuilt
/// from the state with the same bits: trees, the list of awake bodies, the packed joints of
/// soft-step. Dropping any of those changes no bit of a later step.
#pragma once

#include "memory/record.h"
#include "world/world.h"

// --- the fields of each record (state_fields.c) ----------------------------------------------

/// The types of records that a snapshot writes as differences, each from the last one of its type
/// (byte_stream.h). Those of the state come first; the others are of what a snapshot has besides.
enum {
  MO_INDEX_SETTINGS = 1,
  MO_INDEX_WORLD,
  MO_INDEX_BODY,
  MO_INDEX_MOTION,
  MO_INDEX_CENTER,
  MO_INDEX_ACTIVITY,
  MO_INDEX_PLACED_SHAPE,
  MO_INDEX_SHAPE_PLACE,
  MO_INDEX_CONSTRAINT,
  MO_INDEX_STEADY,
  MO_INDEX_COORDINATE,
  MO_INDEX_MORE_BODIES,
  MO_INDEX_WHEEL,
  MO_INDEX_PULLEY,
  MO_INDEX_BOUNDS,
  MO_INDEX_POTENTIAL,
  MO_INDEX_PAIR,
  MO_INDEX_SUBSTEP_CONTACT,
  MO_INDEX_SUBSTEP_POINTS,
  MO_INDEX_CONTACT_RECORD,
  MO_INDEX_CONTACT,
  MO_INDEX_CONTACT_POINT,
  MO_INDEX_BODY_REPORT,
  MO_INDEX_CONSTRAINT_REPORT,
  MO_INDEX_TOUCH,
  MO_INDICES ///< one more than the last
};

/// What a world has of a body in arrays by slot.
typedef struct mo_body_activity {
  double displacement, box_limit; ///< m
  float still_time;               ///< s
  float energy_tank;              ///< J
  uint32_t island, next;          ///< the slot that names its island, and the next one in the ring
  bool is_awake;
  uint8_t was_awake;
  uint8_t loose;   ///< of its island, if the body names it; else 0
  bool has_center; ///< its centre of mass is another point than its origin
} mo_body_activity;

/// Which shape a shape of a body is, and where it is in the broad phase.
typedef struct mo_shape_place {
  uint64_t content; ///< the hash of it
  uint32_t proxy;
  mo_aabb box;
  bool is_moved;
} mo_shape_place;

/// Of the C types that their comments name.
extern const mo_record_type mo_state_settings; ///< mo_world_def
extern const mo_record_type mo_state_world;
extern const mo_record_type mo_state_body;
extern const mo_record_type mo_state_motion;
extern const mo_record_type mo_state_center;   ///< mo_motion, if it is not the origin
extern const mo_record_type mo_state_activity; ///< mo_body_activity
extern const mo_record_type mo_state_placed_shape;
extern const mo_record_type mo_state_shape_place; ///< mo_shape_place
extern const mo_record_type mo_state_constraint;
extern const mo_record_type mo_state_steady;      ///< mo_constraint, if soft-step solved it
extern const mo_record_type mo_state_more_bodies; ///< mo_constraint, of four bodies
extern const mo_record_type mo_state_wheel;       ///< mo_constraint, a wheel
extern const mo_record_type mo_state_pulley;      ///< mo_constraint, a pulley
extern const mo_record_type mo_state_coordinate;  ///< mo_joint_coordinate
extern const mo_record_type mo_state_bounds;      ///< mo_row_bounds
extern const mo_record_type mo_state_potential;   ///< mo_potential_def, without functions
extern const mo_record_type mo_state_pair;
extern const mo_record_type mo_state_substep_contact; ///< without what its points have
extern const mo_record_type mo_state_substep_points;  ///< mo_substep_contact, the rest of it
extern const mo_record_type mo_state_contact_record;
extern const mo_record_type mo_state_contact;
extern const mo_record_type mo_state_contact_point;
/// Single numbers.
extern const mo_record_type mo_state_bytes, mo_state_halves, mo_state_words, mo_state_floats,
    mo_state_numbers;

/// All of them but the last five, and null at the end.
extern const mo_record_type *const mo_state_types[];

/// Whether two sets of settings are equal in all that motions depend on.
bool mo_settings_equal(const mo_world_def *a, const mo_world_def *b);

// --- where they are (state_walk.c) -----------------------------------------------------------

typedef void mo_state_function(void *context, const mo_record_type *type, const void *records,
                               size_t count);

/// Calls `function` with all records of the state, in an order that depends on the state alone.
/// Lists of variable length are preceded by their length.
void mo_world_visit_state(const mo_world *world, mo_state_function *function, void *context);
