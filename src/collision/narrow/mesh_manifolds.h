/// Contacts of a convex shape with a surface of triangles.
#pragma once

#include "collision/narrow/manifold.h"

/// The most manifolds of one convex shape and one mesh, each with a normal of its own.
#define MO_MESH_MANIFOLDS 6

typedef struct mo_mesh_manifolds {
  int count;
  mo_manifold manifolds[MO_MESH_MANIFOLDS]; ///< normals from the convex shape to the mesh
  double gap; ///< m: without manifolds a lower bound of the distance, at least the margin; else the
              ///< smallest separation
} mo_mesh_manifolds;

/// Finds the contacts closer than `margin` metres.
///
/// Where the convex shape is over a triangle the contact has the triangle's normal. Where it is
/// over an edge or a corner there is a contact only if no point of the surface beside it is nearer
/// (a local minimum of the distance: the Voronoi regions of Lin and Canny 1991). So flat and
/// concave edges are not felt, and a rim that several triangles share is one contact. Of two sides
/// the surface shows the one on which the centroid is, but a shape whose centroid is behind the
/// front by less than most of its inner radius is pushed out to the front.
/// @param mesh a shape for which mo_shape_is_surface holds; `convex` has a convex core
void mo_collide_mesh(const mo_shape *convex, const mo_transform *placement_convex,
                     const mo_shape *mesh, const mo_transform *placement_mesh, double margin,
                     double metre, mo_mesh_manifolds *out);
/// Exchanges the two sides of all manifolds.
void mo_mesh_manifolds_swap(mo_mesh_manifolds *all);
