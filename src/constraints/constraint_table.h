/// All types of constraints. Private to src/constraints.
#pragma once

#include "constraints/constraint.h"

/// Calls X(type, class) for each of them.
#define MO_FOR_EACH_CONSTRAINT_CLASS(X)                                                            \
  X(MO_CONSTRAINT_CUSTOM, mo_custom_class)                                                         \
  X(MO_CONSTRAINT_UNIT_QUATERNION, mo_unit_quaternion_class)                                       \
  X(MO_CONSTRAINT_DISTANCE, mo_distance_class)                                                     \
  X(MO_CONSTRAINT_BALL, mo_ball_class)                                                             \
  X(MO_CONSTRAINT_FIXED, mo_fixed_class)                                                           \
  X(MO_CONSTRAINT_HINGE, mo_hinge_class)                                                           \
  X(MO_CONSTRAINT_SLIDER, mo_slider_class)                                                         \
  X(MO_CONSTRAINT_MOTOR, mo_motor_class)                                                           \
  X(MO_CONSTRAINT_ROPE, mo_rope_class)                                                             \
  X(MO_CONSTRAINT_UNIVERSAL, mo_universal_class)                                                   \
  X(MO_CONSTRAINT_GEAR, mo_gear_class)                                                             \
  X(MO_CONSTRAINT_RACK_AND_PINION, mo_rack_and_pinion_class)                                       \
  X(MO_CONSTRAINT_PULLEY, mo_pulley_class)                                                         \
  X(MO_CONSTRAINT_SPRING, mo_spring_class)                                                         \
  X(MO_CONSTRAINT_SIX_DOF, mo_six_dof_class)                                                       \
  X(MO_CONSTRAINT_WHEEL, mo_wheel_class)                                                           \
  X(MO_CONSTRAINT_PATH, mo_path_class)

#define MO_DECLARE_CONSTRAINT_CLASS(type, class) extern const mo_constraint_class class;
MO_FOR_EACH_CONSTRAINT_CLASS(MO_DECLARE_CONSTRAINT_CLASS)

/// The entry of a class in a table by type.
#define MO_CONSTRAINT_CLASS_ENTRY(type, class) [type] = &(class),
