#include "collision/narrow/hull_cache.h"

#include "collision/narrow/feature.h"
#include "collision/narrow/hull_clip.h"

// Square of the sine: edges closer to parallel have no normal.
#define PARALLEL_SQUARED 1e-12

// Components of a unit vector as whole numbers from 0.
#define DIRECTION_SCALE 32767.0
#define DIRECTION_ZERO 32768.0

static uint16_t pack(double x) { return (uint16_t)(DIRECTION_ZERO + floor(DIRECTION_SCALE * x)); }
static double unpack(uint16_t x) { return ((double)x - DIRECTION_ZERO) / DIRECTION_SCALE; }

void mo_cache_axis(mo_collision_cache *cache, const mo_hull_axis *axis) {
  mo_vec3 n = axis->normal;
  cache->kind = MO_AXIS_UNKNOWN;
  if (axis->kind == MO_AXIS_DIRECTION && mo_v3_max_component(mo_v3_abs(n)) <= 1.0) {
    cache->kind = MO_AXIS_DIRECTION;
    cache->feature_a = pack(n.x);
    cache->feature_b = pack(n.y);
    cache->direction_z = pack(n.z);
  } else if (axis->feature_a <= UINT16_MAX && axis->feature_b <= UINT16_MAX) {
    cache->kind = (uint8_t)axis->kind;
    cache->feature_a = (uint16_t)axis->feature_a;
    cache->feature_b = (uint16_t)axis->feature_b;
    cache->direction_z = 0;
  }
}

// A cache from other shapes must not index outside these.
static bool fits(const mo_collision_cache *cache, const mo_hull *a, const mo_hull *b) {
  switch (cache->kind) {
  case MO_AXIS_FACE_A:
    return cache->feature_a < a->face_count;
  case MO_AXIS_FACE_B:
    return cache->feature_b < b->face_count;
  case MO_AXIS_EDGES:
    return cache->feature_a < a->half_edge_count && cache->feature_b < b->half_edge_count;
  case MO_AXIS_DIRECTION:
    return true;
  default:
    return false;
  }
}

// --- separate hulls --------------------------------------------------------------------------

// A lower bound of the smallest height of the vertices along a unit direction in the frame of the
// hull, less than MO_HEIGHT_ROUND_OFF below it.
static double lowest(const mo_hull *hull, mo_vec3 direction) {
  if (hull->is_box) {
    return -mo_dot(mo_v3_abs(direction), hull->upper);
  }
  const mo_hull_features *f = &hull->features;
  mo_vec3x4 d = {mo_f32x4_splat((float)direction.x), mo_f32x4_splat((float)direction.y),
                 mo_f32x4_splat((float)direction.z)};
  mo_f32x4 least = mo_vec3x4_dot(f->vertices[0], d);
  for (uint32_t g = 1; g < f->vertex_groups; g++) {
    least = mo_f32x4_min(mo_vec3x4_dot(f->vertices[g], d), least);
  }
  double height = mo_min(mo_min(least[0], least[1]), mo_min(least[2], least[3]));
  return mo_dot(f->centre, direction) + height - MO_HEIGHT_ROUND_OFF * f->size;
}

// The distance of `other` beyond the plane of a face.
static double beyond_face(const mo_hull *hull, uint32_t index, const mo_transform *placement,
                          const mo_hull *other, const mo_transform *other_placement) {
  const mo_face *face = &hull->faces[index];
  mo_vec3 normal = mo_mat3_mul(placement->rotation, face->normal);
  mo_vec3 to_other = mo_sub(other_placement->translation, placement->translation);
  return mo_dot(normal, to_other) - face->offset +
         lowest(other, mo_mat3_mul_transposed(other_placement->rotation, normal));
}

static mo_vec3 edge_in_world(const mo_hull *hull, uint32_t edge, const mo_transform *placement) {
  const mo_half_edge *edges = hull->half_edges;
  return mo_mat3_mul(placement->rotation, mo_sub(hull->vertices[edges[edges[edge].twin].origin],
                                                 hull->vertices[edges[edge].origin]));
}

// The cached direction, or the one perpendicular to the two cached edges, of any length, world;
// zero for none.
static mo_vec3 remembered_direction(const mo_collision_cache *cache, const mo_hull *a,
                                    const mo_transform *placement_a, const mo_hull *b,
                                    const mo_transform *placement_b) {
  if (cache->kind == MO_AXIS_DIRECTION) {
    return mo_mat3_mul(
        placement_a->rotation,
        mo_v3(unpack(cache->feature_a), unpack(cache->feature_b), unpack(cache->direction_z)));
  }
  mo_vec3 to_b = mo_sub(placement_b->translation, placement_a->translation);
  mo_vec3 u = edge_in_world(a, cache->feature_a, placement_a);
  mo_vec3 v = edge_in_world(b, cache->feature_b, placement_b);
  mo_vec3 cross = mo_cross(u, v);
  if (!(mo_length_squared(cross) >
        PARALLEL_SQUARED * mo_length_squared(u) * mo_length_squared(v))) {
    return mo_v3_zero();
  }
  return mo_dot(cross, to_b) < 0.0 ? mo_neg(cross) : cross;
}

static double apart_along(mo_vec3 direction, const mo_hull *a, const mo_transform *placement_a,
                          const mo_hull *b, const mo_transform *placement_b) {
  double length = mo_length(direction);
  if (!(length > 0.0)) {
    return -INFINITY;
  }
  mo_vec3 normal = mo_scale(1.0 / length, direction);
  mo_vec3 to_b = mo_sub(placement_b->translation, placement_a->translation);
  return mo_dot(normal, to_b) + lowest(b, mo_mat3_mul_transposed(placement_b->rotation, normal)) +
         lowest(a, mo_neg(mo_mat3_mul_transposed(placement_a->rotation, normal)));
}

bool mo_is_still_apart(const mo_collision_cache *cache, const mo_hull *a,
                       const mo_transform *placement_a, const mo_hull *b,
                       const mo_transform *placement_b, double margin, double *gap) {
  double separation;
  if (!fits(cache, a, b) || !a->features.is_usable || !b->features.is_usable) {
    return false;
  }
  if (cache->kind == MO_AXIS_FACE_A) {
    separation = beyond_face(a, cache->feature_a, placement_a, b, placement_b);
  } else if (cache->kind == MO_AXIS_FACE_B) {
    separation = beyond_face(b, cache->feature_b, placement_b, a, placement_a);
  } else {
    separation = apart_along(remembered_direction(cache, a, placement_a, b, placement_b), a,
                             placement_a, b, placement_b);
  }
  if (!(separation >= margin)) {
    return false;
  }
  *gap = separation;
  return true;
}

// --- touching --------------------------------------------------------------------------------
//
// The penetration depth is the distance of the origin from the surface of the Minkowski difference
// M = B - A, which is convex. The cached feature gives a point p of that surface at the depth d
// along the normal. Is any point nearer? Suppose that M contains the disc of radius r about p
// perpendicular to the normal. A plane that bounds M at an angle of x to the normal then has a
// distance of at least d cos x + r sin x, and that is at least d if tan(x / 2) <= r / d. The
// remaining planes have the opposite direction, to within 2 atan(d / r). They are beyond the ball
// in M about the difference of the centroids, whose radius is the sum of those of balls in A and in
// B.

// Whether a disc of radius r proves that no plane is nearer than d. `normal` is from A to B, or for
// all arguments from B to A.
static bool is_deepest(const mo_hull *a, const mo_hull *b, const mo_transform *b_in_a,
                       mo_vec3 normal, double r, double d) {
  if (!(r >= d)) {
    return false;
  }
  double ball = a->features.inner_radius + b->features.inner_radius;
  mo_vec3 centre = mo_sub(mo_transform_point(*b_in_a, b->centroid), a->centroid);
  double height = mo_dot(centre, normal);
  double aside = sqrt(mo_max(0.0, mo_length_squared(centre) - height * height));
  double whole = r * r + d * d, cosine = (r * r - d * d) / whole, sine = 2.0 * r * d / whole;
  return ball + mo_min(height, height * cosine) - aside * sine >= d;
}

// The deepest point is above the inside of the reference face: the disc consists of points of that
// face.
static bool is_inside_face(const mo_face_contact *c) {
  mo_face face = c->reference->faces[c->reference_face];
  const mo_plane *sides = c->reference->features.sides + face.first_vertex;
  double inside = INFINITY;
  for (uint32_t i = 0; i < face.vertex_count; i++) {
    inside = mo_min(inside, sides[i].offset - mo_dot(sides[i].normal, c->deepest));
  }
  return is_deepest(c->reference, c->incident, &c->incident_in_reference, c->normal, inside,
                    -c->least);
}

// The deepest point is on the rim, but both faces share a patch. A disc in the patch, of radius r,
// is in M if half the distance to its middle is covered on each face; on the incident face that
// costs tilt x distance / 2 of depth. Planes that are less tilted than this over r are bounded by
// p. So the depth is d, except for d (tilt x distance / 2 r)^2 / 2.
static bool is_on_patch(const mo_face_contact *c) {
  if (c->count < 3) {
    return false;
  }
  mo_vec3 middle = mo_v3_zero();
  for (int i = 0; i < c->count; i++) {
    middle = mo_add_scaled(middle, 1.0 / c->count, c->candidates[i].position);
  }
  double squared = INFINITY;
  for (int i = 0; i < c->count; i++) {
    mo_vec3 p = c->candidates[i].position;
    mo_vec3 q = c->candidates[i + 1 < c->count ? i + 1 : 0].position;
    mo_vec3 across = mo_cross(mo_sub(q, p), c->normal);
    double length_squared = mo_length_squared(across);
    if (length_squared > 0.0) {
      squared = mo_min(squared, mo_square(mo_dot(across, mo_sub(middle, p))) / length_squared);
    }
  }
  double radius = sqrt(squared), d = -c->least;
  mo_vec3 tilt = mo_add(
      mo_mat3_mul(c->incident_in_reference.rotation, c->incident->faces[c->incident_face].normal),
      c->normal);
  double distance = mo_distance_between(middle, c->deepest) + radius;
  double angle_squared = mo_length_squared(tilt) * mo_square(distance) / (4.0 * squared);
  return 0.5 * d * angle_squared <= MO_FACE_TOLERANCE * c->metre &&
         is_deepest(c->reference, c->incident, &c->incident_in_reference, c->normal, radius, d);
}

// The deepest point of the incident face may be outside the reference face. Then the depth is that
// of the axis through the deepest point inside it: across the side and the edge that intersect
// there, or of the incident face if the point is a corner of the reference face.
static double separation_at_deepest(const mo_hull_pair *pair, const mo_face_contact *c) {
  uint32_t name = c->deepest_name, kind = name & MO_FEATURE_KIND;
  mo_hull_axis axis = {.separation = -INFINITY};
  if (kind == MO_FEATURE_EDGES) {
    uint32_t edge_a = name >> MO_FEATURE_EDGE_BITS & MO_FEATURE_EDGE_MASK;
    uint32_t edge_b = name & MO_FEATURE_EDGE_MASK;
    return mo_edge_axis(pair, edge_a, edge_b, &axis) ? axis.separation : -INFINITY;
  }
  bool is_corner = kind == (c->from_b ? MO_FEATURE_VERTEX_B : MO_FEATURE_VERTEX_A);
  if (is_corner) {
    axis = mo_face_axis(pair, c->from_b ? MO_AXIS_FACE_A : MO_AXIS_FACE_B, c->incident_face);
  }
  return axis.separation;
}

static bool face_by_cache(const mo_collision_cache *cache, const mo_hull_pair *pair, double margin,
                          mo_manifold *out) {
  bool of_a = cache->kind == MO_AXIS_FACE_A;
  uint32_t face = of_a ? cache->feature_a : cache->feature_b;
  mo_hull_axis axis = mo_face_axis(pair, (mo_axis_kind)cache->kind, face);
  if (!(axis.separation < margin)) {
    return false;
  }
  mo_face_contact contact;
  mo_face_contact_begin(&contact, pair, !of_a, face, of_a ? axis.feature_b : axis.feature_a);
  mo_clip_faces(&contact, margin);
  if (contact.count == 0 ||
      !(contact.least - axis.separation <= pair->face_tolerance ||
        contact.least - separation_at_deepest(pair, &contact) <= pair->face_tolerance)) {
    return false;
  }
  // For separate hulls the plane of the face bounds the distance from below, and the point from
  // above.
  if (contact.least < 0.0 && !is_inside_face(&contact) && !is_on_patch(&contact)) {
    return false;
  }
  mo_face_contact_points(&contact, of_a ? pair->placement_a : pair->placement_b, out);
  return true;
}

// Faces are tried before edges (hull_manifold.c).
static bool is_near_a_face(const mo_hull_pair *pair, const mo_hull_axis *axis) {
  const mo_half_edge *a = pair->a.hull->half_edges, *b = pair->b.hull->half_edges;
  uint32_t edge_a = axis->feature_a, edge_b = axis->feature_b;
  mo_vec3 n = axis->normal;
  return mo_dot(n, mo_placed_normal(&pair->a, a[edge_a].face)) > MO_FACE_ALIGNMENT ||
         mo_dot(n, mo_placed_normal(&pair->a, a[a[edge_a].twin].face)) > MO_FACE_ALIGNMENT ||
         mo_dot(n, mo_placed_normal(&pair->b, b[edge_b].face)) < -MO_FACE_ALIGNMENT ||
         mo_dot(n, mo_placed_normal(&pair->b, b[b[edge_b].twin].face)) < -MO_FACE_ALIGNMENT;
}

static bool edges_by_cache(const mo_collision_cache *cache, const mo_hull_pair *pair, double margin,
                           mo_manifold *out) {
  mo_hull_axis axis;
  double clearance;
  if (!mo_edge_axis(pair, cache->feature_a, cache->feature_b, &axis) ||
      !(axis.separation < margin) || is_near_a_face(pair, &axis) ||
      !mo_edge_contact_point(pair, &axis, out, &clearance)) {
    return false;
  }
  if (axis.separation < 0.0 && !is_deepest(pair->a.hull, pair->b.hull, &pair->b.in_a, axis.normal,
                                           clearance, -axis.separation)) {
    out->point_count = 0;
    return false;
  }
  return true;
}

bool mo_collide_by_cache(const mo_collision_cache *cache, const mo_hull_pair *pair, double margin,
                         mo_manifold *out) {
  if (!fits(cache, pair->a.hull, pair->b.hull)) {
    return false;
  }
  switch (cache->kind) {
  case MO_AXIS_FACE_A:
  case MO_AXIS_FACE_B:
    return face_by_cache(cache, pair, margin, out);
  case MO_AXIS_EDGES:
    return edges_by_cache(cache, pair, margin, out);
  default:
    return false;
  }
}
