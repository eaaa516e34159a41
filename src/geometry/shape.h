/// Collision shapes inside the engine.
#pragma once

#include "geometry/bounds.h"
#include "geometry/convex.h"
#include "geometry/mesh.h"
#include "geometry/shape_class.h"
#include "math/quat.h"

struct mo_shape {
  mo_hash_node node; ///< of the pool (shape_pool.h)
  uint32_t reference_count;
  const mo_shape_class *class;
  mo_convex core;         ///< for a plane only the kind is set
  mo_hull *hull;          ///< box and hull: that of the core, with a reference; else null
  mo_mesh *mesh;          ///< mesh and height field: owned, else null
  mo_placed_shape *parts; ///< compound: owned, in the frame of the compound, else null
  uint32_t part_count;
  mo_vec3 normal;           ///< plane, unit
  double offset;            ///< plane
  double volume;            ///< m^3, 0 for a plane
  double surface_area;      ///< m^2, 0 for a plane
  mo_vec3 centroid;         ///< shape frame
  mo_mat3 inertia_per_mass; ///< about the centroid, m^2
  double bounding_radius;   ///< about the centroid; infinite for a plane
  double inner_radius; ///< m, of a ball about the centroid inside the shape; infinite for a plane
  uint64_t content;    ///< mo_shape_content_hash
  bool is_made;        ///< a constructor makes it; else it was read from bytes
};

/// The kinds of shapes. Those with a hull are in shape_hull.h.
extern const mo_shape_class mo_sphere_class, mo_capsule_class, mo_tapered_capsule_class;
extern const mo_shape_class mo_cylinder_class, mo_cone_class, mo_plane_class;
extern const mo_shape_class mo_mesh_class, mo_heightfield_class, mo_compound_class;

/// The end of a constructor: gives the shape with this content, with one reference for the caller.
/// That is the shape which is there already, if an equal one is (shape_pool.h); else a new one on
/// the heap. Takes over what the content owns (its reference to a hull, a mesh, parts and their
/// references), also where it fails. Null without memory; `result`, which may be null, says so.
mo_shape *mo_shape_allocate(const mo_shape *content, mo_result *result);
/// The same for a shape that comes from bytes, with its hash.
mo_shape *mo_shape_allocate_read(const mo_shape *content, mo_result *result);
/// The same for shapes whose volume and moments must be finite and not zero. Sizes for which they
/// overflow or underflow are refused.
mo_shape *mo_shape_allocate_solid(const mo_shape *content, mo_result *result);
/// Gives back what a content owns that is not given to mo_shape_allocate.
void mo_shape_release_contents(const mo_shape *content);
/// Bounds by the support mapping, for classes without a faster way.
mo_bounds mo_shape_support_bounds(const mo_shape *shape, const mo_transform *placement);
/// Returns no shape, and the reason.
mo_shape *mo_shape_fail(mo_result why, mo_result *result);

/// Axis-aligned bounds of a placed shape, tight over the vertices of a hull. A plane has infinite
/// bounds, except that an axis-aligned one is bounded on its solid side.
static inline mo_bounds mo_shape_bounds(const mo_shape *shape, const mo_transform *placement) {
  return shape->class->bounds(shape, placement);
}

/// The placement of a part of a compound.
static inline mo_transform mo_shape_part_placement(const mo_transform *compound,
                                                   const mo_placed_shape *part) {
  mo_transform local = mo_transform_from_pose(part->pose);
  return (mo_transform){mo_mat3_mul_mat3(compound->rotation, local.rotation),
                        mo_transform_point(*compound, local.translation)};
}

/// Whether a shape is a surface of triangles without an inside.
static inline bool mo_shape_is_surface(const mo_shape *shape) { return shape->mesh != NULL; }

/// The support point of the convex hull of some placed shapes, in their common frame, m. Without
/// shapes `out` stays as it is.
/// @param unit of length 1
/// @return MO_OK; MO_ERROR_NOT_SUPPORTED if one of them is a plane, a mesh or a height field
mo_result mo_placed_shapes_support(const mo_placed_shape *shapes, uint32_t count, mo_vec3 unit,
                                   mo_vec3 *out);
/// The unit vector along a direction of any length. Returns false for one that is 0 or not finite.
bool mo_support_direction(mo_vec3 direction, mo_vec3 *unit);

/// Whether a shape is infinite and has no mass. Only static bodies can have one.
static inline bool mo_shape_is_unbounded(const mo_shape *shape) {
  return shape->core.kind == MO_CORE_NONE;
}
