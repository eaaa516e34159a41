/// All kinds of shapes. A new one is a line at the end: the place of a line is the number of its
/// kind in snapshots.
#pragma once

#include "geometry/shape.h"
#include "geometry/shape_hull.h"

/// Calls X(class) for each of them.
#define MO_FOR_EACH_SHAPE_CLASS(X)                                                                 \
  X(mo_sphere_class)                                                                               \
  X(mo_box_class)                                                                                  \
  X(mo_capsule_class)                                                                              \
  X(mo_cylinder_class)                                                                             \
  X(mo_cone_class)                                                                                 \
  X(mo_hull_class)                                                                                 \
  X(mo_plane_class)                                                                                \
  X(mo_mesh_class)                                                                                 \
  X(mo_rounded_box_class)                                                                          \
  X(mo_rounded_hull_class)                                                                         \
  X(mo_tapered_capsule_class)                                                                      \
  X(mo_heightfield_class)                                                                          \
  X(mo_compound_class)

#define MO_SHAPE_CLASS_ENTRY(class) &(class),

/// The class with a number; null: there is none.
const mo_shape_class *mo_shape_class_of(uint32_t number);
/// How many there are.
uint32_t mo_shape_class_count(void);
