/// Contacts with a plane that shapes of a union make together. Private to src/step.
///
/// Where every point at which a shape would touch the plane of a face is on the surface of the
/// union, the union is a half-space to that shape, and is felt as one: each pair with a part of it
/// has of the contact with the half-space the points that are on that part. Seams then have neither
/// points nor normals of their own, and the solvers get the same rows whatever a floor is made of
/// (docs/physics.md, One surface; tests/invariance, ground). It is a matter of poses alone, so that
/// pairs may be compared in any order and at any time.
#pragma once

#include "collision/narrow/mesh_manifolds.h"
#include "step/speculation.h"
#include "world/activity.h"

/// The most shapes of a union near a mover that are asked for a plane, for which there is room on
/// the stack: with more there is none, so that their order does not count.
#define MO_UNION_PARTS 32

typedef struct mo_union_part {
  const mo_shape *shape;
  mo_transform at;
  bool is_level;       ///< it may have a face in the plane
  bool rises;          ///< it may be higher than the plane somewhere
  const mo_face *face; ///< of a hull, in the plane; null: it is not known
  uint64_t order;      ///< in which parts that are as near come
} mo_union_part;

/// A pair of a body that moves and a part of a union.
typedef struct mo_union_pair {
  const mo_moving_shape *mover, *fixed;
  uint32_t mover_slot, fixed_slot, mover_proxy;
  /// Whether a mesh that is alone is asked for planes of its own triangles too. Its narrow phase
  /// knows most of what that says, and the answer costs more than a comparison.
  bool asks_meshes;
} mo_union_pair;

/// The sides of a pair of moving shapes.
/// @param side of the mover, 0 for A
static inline mo_union_pair mo_union_pair_of(const mo_pair *pair, const mo_moving_shape *a,
                                             const mo_moving_shape *b, int side, bool asks_meshes) {
  return side == 0 ? (mo_union_pair){a, b, pair->slot_a, pair->slot_b, pair->proxy_a, asks_meshes}
                   : (mo_union_pair){b, a, pair->slot_b, pair->slot_a, pair->proxy_b, asks_meshes};
}

/// The most faces at a contact that are tried: as many as meet at the corner of a box.
#define MO_UNION_FACES 3

/// A face of a part that looks to the mover.
typedef struct mo_union_face {
  mo_vec3 normal, point; ///< world
  double along;          ///< cosine to the normal of the contact
} mo_union_face;

typedef struct mo_union_plane {
  /// The body of the fixed shape, with the plane in the place of its shapes.
  mo_moving_shape moving;
  mo_shape shape;
  mo_placed_shape placed;
  mo_body body;
  const mo_union_pair *pair;
  uint32_t face_count;
  mo_union_face faces[MO_UNION_FACES]; ///< the one that is most along the contact's normal first
  uint32_t tried;                      ///< faces, of which the last one is that of the plane
  double room; ///< m: the points of a share stay on their parts as long as the mover moves by less
  mo_vec3 centre; ///< of the mover, brought to the plane
  double size;    ///< m, of the mover
  uint32_t count;
  mo_union_part parts[MO_UNION_PARTS];
} mo_union_plane;

typedef enum mo_union_share {
  MO_UNION_NO_PLANE, ///< the union is no half-space there
  MO_UNION_ALL_OF_PLANE,
  MO_UNION_PART_OF_PLANE, ///< other pairs have other points
} mo_union_share;

/// The side of a pair that moves, over what no contact moves: 0 for A, 1 for B, -1 for neither.
static inline int mo_union_plane_side(const mo_world *world, const mo_pair *pair) {
  bool moves_a = mo_world_is_dynamic(world, pair->slot_a),
       moves_b = mo_world_is_dynamic(world, pair->slot_b);
  return moves_a == moves_b ? -1 : moves_a ? 0 : 1;
}
/// Whether anything else of the union is near a pair, or its part has seams within.
/// @param side of the mover, 0 for A
/// @param asks_meshes as of mo_union_pair
bool mo_union_may_have_plane(const mo_world *world, const mo_pair *pair, int side,
                             bool asks_meshes);

/// Lists the faces with which a part touches a mover, and what else of the union is near.
/// @param manifold of the two, with points
/// @param side of the mover in it, 0 for A
void mo_union_plane_begin(const mo_world *world, const mo_union_pair *pair,
                          const mo_manifold *manifold, int side, mo_union_plane *out);
/// Sets the plane of the face that is most along the contact's normal and was not tried yet.
/// @returns false if there is none
bool mo_union_plane_next(mo_union_plane *plane);

/// Leaves of a manifold of the mover with the plane the points of this part, and sets `room`.
/// @param led m: how far the points on the plane are ahead of where they are now
/// @param found with the part itself, with points
/// @param[in,out] manifold with the plane. It may have no points: what passes does not touch it. It
/// is not changed where there is no plane
mo_union_share mo_union_plane_share(mo_union_plane *plane, int side, mo_vec3 led,
                                    const mo_manifold *found, mo_manifold *manifold);

/// Drops of the manifolds of a mesh those without points, and those that have the same share as
/// another one, which was with an edge of the same face.
void mo_union_drop_doubles(mo_mesh_manifolds *all);
