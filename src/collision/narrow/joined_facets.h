/// Triangles that carry one face of a convex polyhedron together.
#pragma once

#include "collision/narrow/mesh_manifolds.h"

/// Joins the manifolds of triangles on which one face of a polyhedron lies to a single one.
///
/// A face that lies on a gently curved surface meets a triangle of another normal every few
/// centimetres. Each of them alone would be a contact of up to four points, of which most carry
/// nothing, since a face rests on three. Together they are the contact of two faces that are almost
/// parallel, with its best points (Gregorius, GDC 2015). The normal is that of the plane through
/// the points of the mesh on which the face lies or soon will, so that a plate in a shallow valley
/// is pushed to the middle; where these are fewer than three it is that of the face.
/// @param convex what the manifolds' normals point away from; nothing is joined unless its core is
/// a polyhedron
/// @param support m: the face soon lies on points that are nearer
void mo_join_facets(const mo_shape *convex, const mo_transform *placement, double support,
                    double metre, mo_mesh_manifolds *all);
