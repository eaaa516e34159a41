/// Distances of what is made of many convex pieces: meshes and compounds.
#include "collision/convex/distance.h"
#include "collision/convex/triangle_shape.h"

// B is made of many pieces. The nearest so far.
typedef struct piece_search {
  const mo_shape *a, *b;
  mo_transform pose_a, pose_b;
  mo_distance_result nearest;
} piece_search;

static void keep_nearer(piece_search *search, mo_distance_result one) {
  if (one.distance < search->nearest.distance) {
    search->nearest = one;
  }
}

// --- compounds -------------------------------------------------------------------------------

static void measure_parts(piece_search *search) {
  for (uint32_t i = 0; i < search->b->part_count; i++) {
    const mo_placed_shape *part = &search->b->parts[i];
    keep_nearer(search, mo_distance_placed(search->a, search->pose_a, part->shape,
                                           mo_shape_part_placement(&search->pose_b, part)));
  }
}

// --- meshes ----------------------------------------------------------------------------------

static mo_transform placed(const mo_transform *mesh, const mo_triangle_shape *triangle) {
  return (mo_transform){mesh->rotation, mo_transform_point(*mesh, triangle->centroid)};
}

static double measure_triangle(void *user, uint32_t index, double reach) {
  piece_search *search = user;
  mo_triangle at = mo_mesh_triangle(search->b->mesh, index);
  mo_triangle_shape triangle;
  mo_triangle_shape_make(&at, 0.0, &triangle);
  keep_nearer(search, mo_distance_placed(search->a, search->pose_a, &triangle.shape,
                                         placed(&search->pose_b, &triangle)));
  return mo_min(reach, search->nearest.distance > 0.0 ? search->nearest.distance : -1.0);
}

// A plane has no box to search around.
static bool measure_all(void *user, uint32_t index) {
  piece_search *search = user;
  measure_triangle(search, index, INFINITY);
  return search->nearest.distance > 0.0;
}

// The box of A in the frame of B.
static mo_bounds box_of_a(const piece_search *search) {
  mo_transform in_b = mo_transform_relative(search->pose_b, search->pose_a);
  return mo_shape_bounds(search->a, &in_b);
}

static void measure_mesh(piece_search *search) {
  const mo_mesh *mesh = search->b->mesh;
  if (mo_shape_is_unbounded(search->a)) {
    mo_mesh_search(mesh, mesh->bounds, measure_all, search);
  } else {
    mo_mesh_search_near(mesh, box_of_a(search), INFINITY, measure_triangle, search);
  }
}

mo_distance_result mo_distance_to_pieces(const mo_shape *a, mo_transform pose_a, const mo_shape *b,
                                         mo_transform pose_b) {
  piece_search search = {a, b, pose_a, pose_b, {.distance = INFINITY}};
  if (b->parts) {
    measure_parts(&search);
  } else {
    measure_mesh(&search);
  }
  return search.nearest;
}
