#include "collision/convex/epa.h"
#include "collision/narrow/feature.h"
#include "collision/narrow/hull_manifold.h"
#include "collision/narrow/pairs.h"
#include "collision/narrow/support_polygon.h"

// The most faces of a hull that are all compared before GJK is used.
#define MAX_SCANNED_FACES 128

// A hull, and the core of a round shape in its frame: a segment, or a point if both ends are one.
typedef struct round_pair {
  const mo_hull *hull;
  const mo_shape *round;
  mo_vec3 ends[2];
  double radius;
  double metre;                  // in the unit of all lengths here
  const mo_transform *placement; // of the hull
} round_pair;

static bool is_point(const mo_shape *round) { return round->core.kind == MO_CORE_POINT; }

static double height_over(const mo_hull *hull, uint32_t face, mo_vec3 point) {
  return mo_dot(hull->faces[face].normal, point) - hull->faces[face].offset;
}

static double core_height(const round_pair *p, uint32_t face) {
  return mo_min(height_over(p->hull, face, p->ends[0]), height_over(p->hull, face, p->ends[1]));
}

// --- the cached simplex ----------------------------------------------------------------------

// A vertex of the simplex in 16 bits: a flag that it exists, the half-edge of the core's end, and
// the half-edge of the hull.
#define IS_VERTEX 0x8000u
#define IS_END 0x4000u
#define HALF_EDGE_MASK 0x3fffu

static uint16_t pack_vertex(const mo_simplex *s, int i) {
  if (i >= s->count || s->vertices[i].a > HALF_EDGE_MASK) {
    return 0;
  }
  bool is_end = s->vertices[i].b != MO_NO_FEATURE && s->vertices[i].b != 0;
  return (uint16_t)(IS_VERTEX | (is_end ? IS_END : 0) | s->vertices[i].a);
}

static void remember_simplex(mo_collision_cache *cache, const mo_simplex *s) {
  cache->kind = s->count <= 3 ? MO_AXIS_SIMPLEX : MO_AXIS_UNKNOWN;
  cache->feature_a = pack_vertex(s, 0);
  cache->feature_b = pack_vertex(s, 1);
  cache->direction_z = pack_vertex(s, 2);
}

// The cached simplex, as far as it fits these shapes.
static mo_simplex recall_simplex(const mo_collision_cache *cache, const mo_shape *round,
                                 const mo_hull *hull) {
  uint16_t packed[3] = {cache->feature_a, cache->feature_b, cache->direction_z};
  mo_simplex s;
  s.count = 0;
  for (int i = 0; cache->kind == MO_AXIS_SIMPLEX && i < 3; i++) {
    uint32_t edge = packed[i] & HALF_EDGE_MASK;
    if ((packed[i] & IS_VERTEX) && edge < hull->half_edge_count) {
      uint32_t end = (packed[i] & IS_END) ? 1 : 0;
      s.vertices[s.count].a = edge;
      s.vertices[s.count++].b = is_point(round) ? MO_NO_FEATURE : end;
    }
  }
  return s;
}

// --- the nearest face --------------------------------------------------------------------------

static mo_vec3x4 splat(mo_vec3 v) {
  return (mo_vec3x4){mo_f32x4_splat((float)v.x), mo_f32x4_splat((float)v.y),
                     mo_f32x4_splat((float)v.z)};
}

// Finds the face whose plane the core is highest above, and that height. Returns false if there are
// too many faces, or if single precision cannot hold the numbers.
static bool find_highest_face(const round_pair *p, uint32_t *face, double *height) {
  const mo_hull *hull = p->hull;
  const mo_hull_features *f = &hull->features;
  mo_vec3 first = mo_sub(p->ends[0], f->centre), last = mo_sub(p->ends[1], f->centre);
  double distance =
      f->size + mo_v3_max_component(mo_v3_abs(first)) + mo_v3_max_component(mo_v3_abs(last));
  if (!f->is_usable || hull->face_count > MAX_SCANNED_FACES || !(distance < 1e8)) {
    return false;
  }
  mo_f32x4 heights[MAX_SCANNED_FACES / 4], highest = mo_f32x4_splat(-INFINITY);
  mo_vec3x4 x = splat(first), y = splat(last);
  for (uint32_t g = 0; g < f->face_groups; g++) {
    heights[g] =
        mo_f32x4_min(mo_vec3x4_dot(f->faces[g].normal, x), mo_vec3x4_dot(f->faces[g].normal, y)) -
        f->faces[g].offset;
    highest = mo_f32x4_max(heights[g], highest);
  }
  float top =
      mo_max_float(mo_max_float(highest[0], highest[1]), mo_max_float(highest[2], highest[3]));
  mo_f32x4 near_top = mo_f32x4_splat((float)(top - MO_HEIGHT_ROUND_OFF * distance));
  *height = -INFINITY;
  for (uint32_t g = 0; g < f->face_groups; g++) {
    int lanes = mo_i32x4_bits(heights[g] >= near_top);
    for (uint32_t i = 4u * g; lanes != 0; i++, lanes >>= 1) {
      if ((lanes & 1) && i < hull->face_count && core_height(p, i) > *height) {
        *height = core_height(p, i);
        *face = i;
      }
    }
  }
  return *height > -INFINITY;
}

// --- contacts --------------------------------------------------------------------------------

// Adds the contact below a point of the core, `height` above the plane of a face.
static void add_on_face(const round_pair *p, mo_vec3 normal, mo_vec3 point, double height,
                        double margin, uint32_t name, mo_manifold *out) {
  double separation = height - p->radius;
  if (separation < margin) {
    out->points[out->point_count++] = (mo_manifold_point){
        mo_transform_point(*p->placement, mo_add_scaled(point, -height, normal)),
        mo_transform_point(*p->placement, mo_add_scaled(point, -p->radius, normal)), separation,
        name};
  }
}

// The part of the core over a face: from `t[0]` to `t[1]` of its length, and the names of its ends.
// Returns false if no part is.
static bool clip_core(const round_pair *p, uint32_t index, double t[2], uint32_t names[2]) {
  const mo_face *face = &p->hull->faces[index];
  t[0] = 0.0;
  t[1] = 1.0;
  names[0] = is_point(p->round) ? MO_FEATURE_ROUND : mo_feature_vertex_b(0);
  names[1] = is_point(p->round) ? MO_FEATURE_ROUND : mo_feature_vertex_b(1);
  for (uint32_t i = 0; i < face->vertex_count; i++) {
    uint32_t side = face->first_vertex + i, twin = p->hull->half_edges[side].twin;
    const mo_plane *plane = &p->hull->features.sides[side];
    double first = mo_dot(plane->normal, p->ends[0]) - plane->offset;
    double last = mo_dot(plane->normal, p->ends[1]) - plane->offset;
    if (first > 0.0 && last > 0.0) {
      return false;
    }
    if (first <= 0.0 && last <= 0.0) {
      continue;
    }
    double crossing = first / (first - last);
    int end = first > 0.0 ? 0 : 1;
    if (end == 0 ? crossing > t[0] : crossing < t[1]) {
      t[end] = crossing;
      names[end] = mo_feature_edges(side < twin ? side : twin, 0);
    }
  }
  return t[0] <= t[1];
}

// Makes contacts of the core with a face. Returns false, with nothing written, if the deepest one
// does not have the `distance` of the core.
static bool set_points_on_face(const round_pair *p, uint32_t face, double distance, double margin,
                               mo_manifold *out) {
  double t[2];
  uint32_t names[2];
  if (!clip_core(p, face, t, names)) {
    return false;
  }
  mo_vec3 normal = p->hull->faces[face].normal;
  mo_vec3 from = mo_lerp(p->ends[0], p->ends[1], t[0]), to = mo_lerp(p->ends[0], p->ends[1], t[1]);
  double heights[2] = {height_over(p->hull, face, from), height_over(p->hull, face, to)};
  if (!(fabs(mo_min(heights[0], heights[1]) - distance) <=
        mo_face_tolerance(p->radius, p->metre))) {
    return false;
  }
  out->normal = mo_mat3_mul(p->placement->rotation, normal);
  add_on_face(p, normal, from, heights[0], margin, names[0], out);
  if (!is_point(p->round) && t[1] > t[0]) {
    add_on_face(p, normal, to, heights[1], margin, names[1], out);
  }
  return true;
}

// --- along an edge -----------------------------------------------------------------------------

// Sine: a capsule at a larger angle touches an edge at one point.
#define PARALLEL 0.02
// Relative to the radius: two points that are closer count as one.
#define SAME_PLACE 1e-3

// Makes two contacts of a capsule that lies along an edge, at the ends of the part where they are
// side by side. Returns false, with nothing written, if it does not, or if the deeper one does not
// have the `distance` of the core.
static bool set_points_on_edge(const round_pair *p, mo_vec3 normal, double distance, double margin,
                               mo_manifold *out) {
  mo_convex core = mo_convex_hull(p->hull, 0.0);
  mo_support_polygon edge = mo_find_support_polygon(&core, normal);
  mo_vec3 whole = mo_sub(p->ends[1], p->ends[0]), along = mo_normalize(whole);
  mo_vec3 from = edge.points[0], side = mo_sub(edge.points[1], from);
  if (edge.count != 2 || !edge.is_flat ||
      mo_length(mo_cross(mo_normalize(side), along)) > PARALLEL) {
    return false;
  }
  double length = mo_length(whole), turn = mo_dot(side, along);
  int last = turn > 0.0 ? 1 : 0;
  double start = mo_dot(mo_sub(edge.points[1 - last], p->ends[0]), along);
  double end = mo_dot(mo_sub(edge.points[last], p->ends[0]), along);
  const double t[2] = {mo_max(0.0, start), mo_min(length, end)};
  const uint32_t names[2] = {
      start > 0.0 ? mo_feature_vertex_a(edge.names[1 - last]) : mo_feature_vertex_b(0),
      end < length ? mo_feature_vertex_a(edge.names[last]) : mo_feature_vertex_b(1)};
  mo_vec3 points[2];
  double heights[2];
  for (int i = 0; i < 2; i++) {
    points[i] = mo_add_scaled(p->ends[0], t[i], along);
    double part = (t[i] - mo_dot(mo_sub(from, p->ends[0]), along)) / turn;
    heights[i] = mo_dot(normal, mo_sub(points[i], mo_add_scaled(from, part, side)));
  }
  if (!(t[1] - t[0] > SAME_PLACE * p->radius && fabs(mo_min(heights[0], heights[1]) - distance) <=
                                                    mo_face_tolerance(p->radius, p->metre))) {
    return false;
  }
  out->normal = mo_mat3_mul(p->placement->rotation, normal);
  for (int i = 0; i < 2; i++) {
    add_on_face(p, normal, points[i], heights[i], margin, names[i], out);
  }
  return true;
}

// --- by distance -------------------------------------------------------------------------------

// The least distance of hull and core by GJK, or by EPA where they overlap.
static void collide_by_distance(const round_pair *p, mo_minkowski *pair, double margin,
                                mo_collision_cache *cache, double *gap, mo_manifold *out) {
  mo_simplex start = recall_simplex(cache, p->round, p->hull);
  mo_gjk_result gjk = mo_gjk_from(pair, &start, margin + p->radius);
  remember_simplex(cache, &gjk.simplex);
  double distance = gjk.distance;
  mo_vec3 normal = gjk.normal, on_hull = gjk.point_a, on_core = gjk.point_b;
  if (gjk.status == MO_GJK_OVERLAP && is_point(p->round)) {
    // The centre is inside: the nearest face is the shortest way out.
    on_core = p->ends[0];
    normal = p->hull->faces[mo_hull_nearest_face(p->hull, on_core, &distance)].normal;
    on_hull = mo_add_scaled(on_core, -distance, normal);
  } else if (gjk.status == MO_GJK_OVERLAP) {
    mo_epa_result epa = mo_epa(pair, &gjk.simplex);
    distance = -epa.depth;
    normal = epa.normal;
    on_hull = epa.point_a;
    on_core = epa.point_b;
  }
  *gap = distance - p->radius;
  if (gjk.status == MO_GJK_BEYOND || !(*gap < margin)) {
    return;
  }
  uint32_t face = mo_hull_face_at_vertex(p->hull, mo_hull_support_vertex(p->hull, normal), normal);
  if (!is_point(p->round) && mo_dot(p->hull->faces[face].normal, normal) > MO_FACE_ALIGNMENT &&
      set_points_on_face(p, face, distance, margin, out)) {
    return;
  }
  if (!is_point(p->round) && set_points_on_edge(p, normal, distance, margin, out)) {
    return;
  }
  out->normal = mo_mat3_mul(p->placement->rotation, normal);
  out->point_count = 1;
  out->points[0] = (mo_manifold_point){
      mo_transform_point(*p->placement, on_hull),
      mo_transform_point(*p->placement, mo_add_scaled(on_core, -p->radius, normal)), *gap,
      MO_FEATURE_ROUND};
}

// A ball outside a box: the nearest point has the coordinates of the centre, limited to the sides.
// Returns false if the centre is inside.
static bool collide_box_sphere(const round_pair *p, double margin, double *gap, mo_manifold *out) {
  mo_vec3 half = p->hull->upper, centre = p->ends[0];
  mo_vec3 nearest = mo_v3_min(mo_v3_max(centre, mo_neg(half)), half);
  mo_vec3 between = mo_sub(centre, nearest);
  if (!(mo_length_squared(between) > 0.0)) {
    return false;
  }
  mo_set_round_contact(mo_transform_point(*p->placement, nearest), 0.0,
                       mo_mat3_mul(p->placement->rotation, between), p->radius, mo_v3_zero(),
                       margin, gap, out);
  return true;
}

// Collides with the hull without its radius.
static void collide_core(const mo_shape_pair *shapes, double margin, double *gap,
                         mo_manifold *out) {
  const mo_shape *a = shapes->a, *b = shapes->b;
  const mo_transform *placement_a = shapes->placement_a, *placement_b = shapes->placement_b;
  bool is_sphere = is_point(b);
  double radius = b->core.radius;
  mo_vec3 centre = mo_transform_point_inverse(*placement_a, placement_b->translation);
  mo_vec3 half = mo_scale(b->core.half_extents.y,
                          mo_mat3_mul_transposed(placement_a->rotation, placement_b->rotation.cy));
  round_pair p = {a->hull,       b,          {mo_sub(centre, half), mo_add(centre, half)}, radius,
                  shapes->metre, placement_a};
  if (is_sphere && a->hull->is_box && collide_box_sphere(&p, margin, gap, out)) {
    return;
  }
  uint32_t face = 0;
  double height;
  if (find_highest_face(&p, &face, &height)) {
    *gap = height - radius;
    if (*gap >= margin) {
      return;
    }
    // The core is outside the plane and over the face, so no other point is nearer. A point inside
    // all planes is pushed out through the nearest.
    if ((height > 0.0 || is_sphere) && set_points_on_face(&p, face, height, margin, out)) {
      return;
    }
  }
  mo_minkowski pair = mo_minkowski_create(&a->core, *placement_a, &b->core, *placement_b);
  collide_by_distance(&p, &pair, margin, shapes->cache, gap, out);
}

void mo_collide_hull_round(const mo_shape_pair *pair, double *gap, mo_manifold *out) {
  double radius = pair->a->core.radius;
  collide_core(pair, pair->margin + radius, gap, out);
  mo_round_manifold(radius, 0.0, gap, out);
}
