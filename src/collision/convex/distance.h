/// Distances of placed shapes inside the engine.
#pragma once

#include "geometry/shape.h"

/// mo_distance of shapes whose placements are known.
mo_distance_result mo_distance_placed(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                      mo_transform pose_b);
/// The distance of a bounded shape A to a plane B, negative if they overlap. The normal from A to B
/// and the points are set in any case: the lowest point of A, and that on the plane.
mo_distance_result mo_distance_to_plane(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                        mo_transform pose_b);
/// mo_distance_placed where B is a mesh or a compound: the least distance of its triangles or
/// parts.
mo_distance_result mo_distance_to_pieces(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                         mo_transform pose_b);
