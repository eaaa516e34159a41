/// Triangles that carry one face of a convex polyhedron together.
#pragma once

#include "collision/narrow/mesh_manifolds.h"

/// Joins the manifolds of triangles on which one face of a polyhedron lies to a single one, whose
/// normal is that of the face.
///
/// A face that lies on a gently curved surface meets a triangle of another normal every few
/// centimetres. Each of them alone would be a contact of up to four points, of which most carry
/// nothing, since a face rests on three. Together they are the contact of two faces that are almost
/// parallel, which has the normal of one of them and its best points (Gottschalk, Lin and Manocha
/// 1996; Gregorius, GDC 2015). The force of the face goes where its triangles together push it:
/// in a shallow valley towards the middle.
/// @param convex what the manifolds' normals point away from; nothing is joined unless its core is
/// a polyhedron
void mo_join_facets(const mo_shape *convex, const mo_transform *placement, mo_mesh_manifolds *all);
