#include "collision/convex/gjk.h"

// Iterations that only invalid input (NaN) reaches: pairs of hulls with hundreds of vertices take
// about a dozen.
#define MAX_ITERATIONS 64
// Relative error of the distance at which the search ends.
#define DUALITY_GAP 1e-14
// Relative to the scale of the pair: the accuracy of differences of coordinates.
#define ROUND_OFF 1e-15
// Relative to the scale of the pair: a smaller distance counts as touching. The direction of the
// closest points is accurate to ROUND_OFF / distance, so here to about 1e-5; for smaller distances
// EPA gives the better normal.
#define TOUCHING 1e-10
// The same two for a rough search: the normal is accurate to 0.05 rad, and where that needs more
// digits EPA takes over.
#define ROUGH_DUALITY_GAP 1e-3
#define ROUGH_TOUCHING 1e-5
// Relative, like a cosine: a flatter tetrahedron has no inside.
#define FLAT 1e-14
// Relative to the scale of the pair: a support plane that is further from the origin proves that
// the origin is outside. It is ten times the accuracy of differences of coordinates.
#define PROVEN_OUTSIDE 1e-14

mo_minkowski mo_minkowski_of(const mo_convex *a, const mo_convex *b, mo_transform b_in_a) {
  return (mo_minkowski){
      .a = a,
      .b = b,
      .b_in_a = b_in_a,
      .start_a = mo_convex_first_vertex(a),
      .start_b = mo_convex_first_vertex(b),
      .scale = a->scale + b->scale,
  };
}

mo_minkowski mo_minkowski_create(const mo_convex *a, mo_transform placement_a, const mo_convex *b,
                                 mo_transform placement_b) {
  return mo_minkowski_of(a, b, mo_transform_relative(placement_a, placement_b));
}

// A point of B in the frame of A.
static mo_vec3 place_b(const mo_minkowski *pair, mo_vec3 point) {
  return pair->b->kind == MO_CORE_POINT ? pair->b_in_a.translation
                                        : mo_transform_point(pair->b_in_a, point);
}

void mo_simplex_witnesses(const mo_simplex *simplex, mo_vec3 *point_a, mo_vec3 *point_b) {
  *point_a = *point_b = mo_v3_zero();
  for (int i = 0; i < simplex->count; i++) {
    const mo_minkowski_vertex *vertex = &simplex->vertices[i];
    *point_a = mo_add_scaled(*point_a, simplex->weights[i], vertex->point_a);
    *point_b = mo_add_scaled(*point_b, simplex->weights[i], vertex->point_b);
  }
}

static void find_support(mo_minkowski *pair, mo_vec3 direction, mo_minkowski_vertex *out) {
  mo_vec3 backwards = mo_neg(mo_mat3_mul_transposed(pair->b_in_a.rotation, direction));
  mo_vec3 point_a = mo_convex_support(pair->a, &pair->start_a, direction);
  mo_vec3 point_b = place_b(pair, mo_convex_support(pair->b, &pair->start_b, backwards));
  out->difference = mo_sub(point_a, point_b);
  out->point_a = point_a;
  out->point_b = point_b;
  out->a = pair->start_a;
  out->b = pair->start_b;
}

mo_minkowski_vertex mo_minkowski_support(mo_minkowski *pair, mo_vec3 direction) {
  mo_minkowski_vertex vertex;
  find_support(pair, direction, &vertex);
  return vertex;
}

// --- the point of a simplex closest to the origin --------------------------------------------

// The best point so far, by the vertices of the simplex that carry it and their weights.
typedef struct closest_point {
  mo_vec3 point;
  double distance_squared;
  int count;
  int index[3];
  double weights[3];
} closest_point;

static void offer(closest_point *best, closest_point candidate) {
  candidate.distance_squared = mo_length_squared(candidate.point);
  if (candidate.distance_squared < best->distance_squared) {
    *best = candidate;
  }
}

static void offer_segment(closest_point *best, const mo_simplex *s, int i, int j) {
  mo_vec3 p = s->vertices[i].difference, q = s->vertices[j].difference;
  mo_vec3 along = mo_sub(q, p);
  double end = mo_length_squared(along), t = -mo_dot(p, along);
  if (!(t > 0.0)) {
    offer(best, (closest_point){.point = p, .count = 1, .index = {i}, .weights = {1.0}});
  } else if (t >= end) {
    offer(best, (closest_point){.point = q, .count = 1, .index = {j}, .weights = {1.0}});
  } else {
    t /= end;
    offer(best, (closest_point){.point = mo_add_scaled(p, t, along),
                                .count = 2,
                                .index = {i, j},
                                .weights = {1.0 - t, t}});
  }
}

static void offer_triangle(closest_point *best, const mo_simplex *s, int i, int j, int k) {
  mo_vec3 p = s->vertices[i].difference, q = s->vertices[j].difference,
          r = s->vertices[k].difference;
  mo_vec3 normal = mo_cross(mo_sub(q, p), mo_sub(r, p));
  // Signed areas: six times the volumes of the origin's projection with each side, times the length
  // of the normal.
  double u = mo_dot(normal, mo_cross(q, r)), v = mo_dot(normal, mo_cross(r, p)),
         w = mo_dot(normal, mo_cross(p, q));
  if (u > 0.0 && v > 0.0 && w > 0.0) {
    double whole = u + v + w;
    mo_vec3 point = mo_scale(mo_dot(normal, p) / mo_length_squared(normal), normal);
    offer(best, (closest_point){.point = point,
                                .count = 3,
                                .index = {i, j, k},
                                .weights = {u / whole, v / whole, w / whole}});
    return;
  }
  // The projection lies outside, so a side is closest. All three are tried, so that a wrong sign on
  // a sliver does no harm.
  offer_segment(best, s, i, j);
  offer_segment(best, s, j, k);
  offer_segment(best, s, k, i);
}

// Returns false if the origin is inside.
static bool offer_tetrahedron(closest_point *best, const mo_simplex *s) {
  static const int faces[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  bool outside = false;
  for (int f = 0; f < 4; f++) {
    mo_vec3 p = s->vertices[faces[f][0]].difference;
    mo_vec3 q = mo_sub(s->vertices[faces[f][1]].difference, p),
            r = mo_sub(s->vertices[faces[f][2]].difference, p);
    mo_vec3 normal = mo_cross(q, r);
    mo_vec3 apex = mo_sub(s->vertices[faces[f][3]].difference, p);
    double apex_side = mo_dot(normal, apex), origin_side = -mo_dot(normal, p);
    // On the side of the apex the face cannot be closest, unless the tetrahedron is too flat to
    // have sides.
    double flat = FLAT * mo_length(normal) * mo_length(apex);
    if (fabs(apex_side) <= flat || apex_side * origin_side <= 0.0) {
      outside = true;
      offer_triangle(best, s, faces[f][0], faces[f][1], faces[f][2]);
    }
  }
  return outside;
}

// Weights of the origin inside a tetrahedron: the fractions of the volume that it cuts off.
static void weigh_inside(mo_simplex *s) {
  mo_vec3 a = s->vertices[0].difference, b = s->vertices[1].difference;
  mo_vec3 c = s->vertices[2].difference, d = s->vertices[3].difference;
  double volumes[4] = {fabs(mo_dot(b, mo_cross(c, d))), fabs(mo_dot(a, mo_cross(c, d))),
                       fabs(mo_dot(a, mo_cross(b, d))), fabs(mo_dot(a, mo_cross(b, c)))};
  double whole = volumes[0] + volumes[1] + volumes[2] + volumes[3];
  for (int i = 0; i < 4; i++) {
    s->weights[i] = volumes[i] / whole;
  }
}

// The point of a simplex that is closest to the origin. Returns false if the origin is inside.
static bool find_closest(const mo_simplex *s, closest_point *best) {
  *best = (closest_point){.distance_squared = INFINITY};
  switch (s->count) {
  case 1:
    offer(best,
          (closest_point){
              .point = s->vertices[0].difference, .count = 1, .index = {0}, .weights = {1.0}});
    return true;
  case 2:
    offer_segment(best, s, 0, 1);
    return true;
  case 3:
    offer_triangle(best, s, 0, 1, 2);
    return true;
  default:
    return offer_tetrahedron(best, s);
  }
}

// Member by member: compilers copy a whole vertex by a call.
static inline void copy_vertex(mo_minkowski_vertex *to, const mo_minkowski_vertex *from) {
  to->difference = from->difference;
  to->point_a = from->point_a;
  to->point_b = from->point_b;
  to->a = from->a;
  to->b = from->b;
}

// The same of a simplex that is known to be without the origin. The vertices of a tetrahedron on a
// smooth surface may be so near to each other that the round-off of their coordinates has its sides
// point anywhere, and the origin seem to be inside. Then all sides are tried.
static void find_closest_outside(const mo_simplex *s, closest_point *best) {
  if (!find_closest(s, best)) {
    offer_triangle(best, s, 0, 1, 2);
    offer_triangle(best, s, 0, 2, 3);
    offer_triangle(best, s, 0, 3, 1);
    offer_triangle(best, s, 1, 3, 2);
  }
}

// Keeps only the vertices that carry the closest point, of which most are where they were.
static void keep_carriers(mo_simplex *s, const closest_point *closest) {
  mo_minkowski_vertex kept[3];
  s->count = closest->count;
  for (int i = 0; i < s->count; i++) {
    s->weights[i] = closest->weights[i];
    if (closest->index[i] != i) {
      copy_vertex(&kept[i], &s->vertices[closest->index[i]]);
    }
  }
  for (int i = 0; i < s->count; i++) {
    if (closest->index[i] != i) {
      copy_vertex(&s->vertices[i], &kept[i]);
    }
  }
}

static bool contains(const mo_simplex *s, const mo_minkowski_vertex *vertex) {
  for (int i = 0; i < s->count; i++) {
    if (mo_v3_equal(s->vertices[i].difference, vertex->difference)) {
      return true;
    }
  }
  return false;
}

// --- the search ------------------------------------------------------------------------------

// The part of a simplex known from another pose that is now closest to the origin.
static mo_vec3 restart_simplex(mo_simplex *s, mo_minkowski *pair, const mo_simplex *known) {
  s->count = known->count;
  for (int i = 0; i < s->count; i++) {
    mo_minkowski_vertex *vertex = &s->vertices[i];
    vertex->a = known->vertices[i].a;
    vertex->b = known->vertices[i].b;
    vertex->point_a = mo_convex_vertex(pair->a, vertex->a);
    vertex->point_b = place_b(pair, mo_convex_vertex(pair->b, vertex->b));
    vertex->difference = mo_sub(vertex->point_a, vertex->point_b);
  }
  closest_point closest;
  find_closest(s, &closest);
  keep_carriers(s, &closest);
  pair->start_a = s->vertices[0].a;
  pair->start_b = s->vertices[0].b;
  return closest.point;
}

// The first simplex of one vertex, along the line between the centres.
static mo_vec3 start_simplex(mo_simplex *s, mo_minkowski *pair) {
  mo_vec3 centre_b = mo_transform_point(pair->b_in_a, pair->b->centre);
  find_support(pair, mo_sub(centre_b, pair->a->centre), &s->vertices[0]);
  s->weights[0] = 1.0;
  s->count = 1;
  return s->vertices[0].difference;
}

// Adds the vertex behind the last one to the simplex, and reduces it to the part that is closest to
// the origin. Returns false, with nothing changed, if that is not closer than `v`, the closest
// point so far: then round-off dominates. `v` becomes zero if the origin is inside, which it is not
// where that is proven.
static bool advance(mo_simplex *s, bool is_outside, mo_vec3 *v, double *v_squared) {
  closest_point closest;
  s->count++;
  if (is_outside) {
    find_closest_outside(s, &closest);
  } else if (!find_closest(s, &closest)) {
    weigh_inside(s);
    *v = mo_v3_zero();
    *v_squared = 0.0;
    return true;
  }
  if (!(closest.distance_squared < *v_squared)) {
    s->count--;
    return false;
  }
  keep_carriers(s, &closest);
  *v = closest.point;
  *v_squared = closest.distance_squared;
  return true;
}

mo_gjk_result mo_gjk(mo_minkowski *pair, double max_distance) {
  mo_simplex none;
  none.count = 0;
  return mo_gjk_from(pair, &none, max_distance);
}

mo_gjk_result mo_gjk_from(mo_minkowski *pair, const mo_simplex *start, double max_distance) {
  mo_gjk_result result;
  result.status = MO_GJK_APART;
  result.distance = 0.0;
  result.normal = mo_v3_zero();
  result.iterations = 0;
  mo_simplex *s = &result.simplex;
  mo_vec3 v = start->count > 0 ? restart_simplex(s, pair, start) : start_simplex(s, pair);
  double v_squared = mo_length_squared(v);
  double touching_squared = mo_square((pair->is_rough ? ROUGH_TOUCHING : TOUCHING) * pair->scale);
  double duality_gap = pair->is_rough ? ROUGH_DUALITY_GAP : DUALITY_GAP;

  while (result.iterations < MAX_ITERATIONS && v_squared > touching_squared) {
    result.iterations++;
    mo_minkowski_vertex *w = &s->vertices[s->count];
    find_support(pair, mo_neg(v), w);

    // v . w / |v| is a lower bound of the distance, |v| an upper one.
    double v_length = sqrt(v_squared), bound = mo_dot(v, w->difference) / v_length;
    if (bound > max_distance) {
      result.status = MO_GJK_BEYOND;
      result.distance = bound;
      result.normal = mo_scale(-1.0 / v_length, v);
      return result;
    }
    if (v_length - bound <= duality_gap * v_length + ROUND_OFF * pair->scale || contains(s, w) ||
        !advance(s, bound > PROVEN_OUTSIDE * pair->scale, &v, &v_squared)) {
      break;
    }
  }

  mo_simplex_witnesses(s, &result.point_a, &result.point_b);
  if (v_squared <= touching_squared) {
    result.status = MO_GJK_OVERLAP;
    return result;
  }
  result.distance = sqrt(v_squared);
  result.normal = mo_scale(-1.0 / result.distance, v);
  return result;
}
