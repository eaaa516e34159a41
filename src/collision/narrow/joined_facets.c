#include "collision/narrow/joined_facets.h"

#include "collision/narrow/manifold_reduction.h"

// Cosine of 5 degrees: a face lies on triangles that are inclined to it by less. A body that is
// 1 m wide may move as far before the normals of its contacts are renewed that they are out of date
// by half as much.
#define LIES_ON 0.9962
// Fraction of the bounding radius: closer points count as one.
#define SAME_PLACE 1e-6
// Of the square of the longest distance from one of the places: with less than this for twice the
// area, they are almost on a line, across which round-off inclines the plane.
#define LEAST_WIDTH 0.02
// Stands for no face.
#define NO_FACE UINT32_MAX

// The face of a polyhedron that lies on what a normal out of it meets.
static uint32_t lying_face(const mo_hull *hull, mo_vec3 normal) {
  uint32_t face = mo_hull_face_at_vertex(hull, mo_hull_support_vertex(hull, normal), normal);
  return mo_dot(hull->faces[face].normal, normal) > LIES_ON ? face : NO_FACE;
}

// The points of joined manifolds.
typedef struct joined_points {
  mo_vec3 normal;
  double same_place; // m
  double metre;      // in the unit of all lengths here
  int count;
  mo_contact_candidate candidates[MO_MESH_MANIFOLDS * MO_MANIFOLD_POINTS];
} joined_points;

// Adds a point, unless a deeper one is at its place.
static void add_point(joined_points *joined, mo_contact_candidate point) {
  for (int i = 0; i < joined->count; i++) {
    mo_contact_candidate *known = &joined->candidates[i];
    if (known->feature_id == point.feature_id ||
        mo_distance_between(known->position, point.position) <= joined->same_place) {
      *known = point.separation < known->separation ? point : *known;
      return;
    }
  }
  joined->candidates[joined->count++] = point;
}

// The points of a manifold are on the face, so that they are as far from the surface along its
// normal as the projection of their separations says.
static void add_manifold(joined_points *joined, const mo_manifold *manifold) {
  double along = mo_dot(manifold->normal, joined->normal);
  for (int i = 0; i < manifold->point_count; i++) {
    const mo_manifold_point *p = &manifold->points[i];
    add_point(joined, (mo_contact_candidate){p->point_b, along * p->separation, p->feature_id});
  }
}

// Twice the area of a triangle of places, on the side of a normal.
static mo_vec3 area_of(const mo_vec3 *p, int i, int j, int k, mo_vec3 normal) {
  mo_vec3 area = mo_cross(mo_sub(p[j], p[i]), mo_sub(p[k], p[i]));
  return mo_dot(area, normal) < 0.0 ? mo_neg(area) : area;
}

// The normal of the plane through places on the mesh: the mean of those of all triangles of them.
// That of the face, if they are too few or almost on a line.
static mo_vec3 normal_of_places(const mo_vec3 *places, int count, mo_vec3 face) {
  mo_vec3 sum = mo_v3_zero();
  double size = 0.0;
  for (int i = 0; i < count; i++) {
    size = mo_max(size, mo_length_squared(mo_sub(places[i], places[0])));
    for (int j = 0; j < i; j++) {
      for (int k = 0; k < j; k++) {
        sum = mo_add(sum, area_of(places, i, j, k, face));
      }
    }
  }
  double area = mo_length(sum);
  mo_vec3 normal = area > LEAST_WIDTH * size ? mo_scale(1.0 / area, sum) : face;
  return mo_dot(normal, face) > LIES_ON ? normal : face;
}

static mo_vec3 normal_of_support(const mo_manifold *manifold, mo_vec3 face, double support) {
  mo_vec3 places[MO_MANIFOLD_POINTS];
  int count = 0;
  for (int i = 0; i < manifold->point_count; i++) {
    if (manifold->points[i].separation < support) {
      places[count++] = manifold->points[i].point_b;
    }
  }
  return normal_of_places(places, count, face);
}

static void write_joined(const joined_points *joined, mo_vec3 ties, double support,
                         mo_manifold *out) {
  int chosen[MO_MANIFOLD_POINTS];
  out->point_count = mo_manifold_reduce(joined->candidates, joined->count, joined->normal, ties,
                                        joined->metre, chosen);
  for (int i = 0; i < out->point_count; i++) {
    const mo_contact_candidate *c = &joined->candidates[chosen[i]];
    out->points[i] = (mo_manifold_point){c->position, c->position, c->separation, c->feature_id};
  }
  out->normal = normal_of_support(out, joined->normal, support);
  for (int i = 0; i < out->point_count; i++) {
    mo_manifold_point *p = &out->points[i];
    p->point_a = mo_add_scaled(p->point_b, -p->separation, out->normal);
  }
}

static int count_of(const uint32_t faces[], int count, uint32_t face) {
  int same = 0;
  for (int i = 0; i < count; i++) {
    same += faces[i] == face;
  }
  return same;
}

// Joins the manifolds of a face, of which `first` is the first.
static void join(const mo_hull *hull, const mo_transform *placement, double support,
                 const mo_mesh_manifolds *all, const uint32_t faces[], int first,
                 joined_points *joined, mo_manifold *out) {
  joined->normal = mo_mat3_mul(placement->rotation, hull->faces[faces[first]].normal);
  joined->count = 0;
  for (int i = first; i < all->count; i++) {
    if (faces[i] == faces[first]) {
      add_manifold(joined, &all->manifolds[i]);
    }
  }
  write_joined(joined, mo_mat3_mul(placement->rotation, mo_tie_direction()), support, out);
}

void mo_join_facets(const mo_shape *convex, const mo_transform *placement, double support,
                    double metre, mo_mesh_manifolds *all) {
  if (convex->core.kind != MO_CORE_HULL || all->count < 2) {
    return;
  }
  const mo_hull *hull = convex->core.hull;
  joined_points joined = {.same_place = SAME_PLACE * convex->bounding_radius, .metre = metre};
  uint32_t faces[MO_MESH_MANIFOLDS];
  for (int i = 0; i < all->count; i++) {
    faces[i] =
        lying_face(hull, mo_mat3_mul_transposed(placement->rotation, all->manifolds[i].normal));
  }
  int kept = 0;
  for (int i = 0; i < all->count; i++) {
    if (faces[i] == NO_FACE || count_of(faces, all->count, faces[i]) == 1) {
      all->manifolds[kept++] = all->manifolds[i];
    } else if (count_of(faces, i, faces[i]) == 0) { // the first of its face
      mo_manifold one;
      join(hull, placement, support, all, faces, i, &joined, &one);
      all->manifolds[kept++] = one;
    }
  }
  all->count = kept;
}
