#include "collision/convex/core_cast.h"

#include "collision/convex/gjk.h"

// Rounds of the search. A cast that grazes a smooth surface halves its gap in each round; others
// double their digits.
#define MAX_ROUNDS 64
// Relative to the sizes of the cores: a smaller gap counts as touching. It is 100 times the
// accuracy of GJK.
#define TOUCHING 1e-13
// Relative to the distance of the two frames: likewise. It is a few units of the last place of the
// coordinates.
#define FAR_TOUCHING 1e-15
double mo_cast_touching(const mo_convex *a, const mo_convex *b, double distance) {
  return TOUCHING * (a->scale + a->radius + b->scale + b->radius) + FAR_TOUCHING * distance;
}

// The nearest points of two rounded cores.
typedef struct nearness {
  double gap;     // m, negative if they overlap; a lower bound of it where they are too far apart
  mo_vec3 normal; // out of the target; zero if the bare cores touch
  mo_vec3 point;  // on the target
} nearness;

static bool has_vertices(const mo_convex *core) {
  return core->kind != MO_CORE_CURVED && core->kind != MO_CORE_REVOLVED;
}

// The point of a core that is nearest to a point. Returns false for cores that have no formula.
static bool find_nearest(const mo_convex *core, mo_vec3 point, mo_vec3 *nearest) {
  mo_vec3 half = core->half_extents;
  switch (core->kind) {
  case MO_CORE_POINT:
  case MO_CORE_SEGMENT:
    *nearest = mo_v3(0.0, mo_clamp(point.y, -half.y, half.y), 0.0);
    return true;
  case MO_CORE_HULL:
    half = core->hull->upper;
    *nearest = mo_v3_max(mo_neg(half), mo_v3_min(point, half));
    return core->hull->is_box;
  default:
    return false;
  }
}

// Measures by GJK, with the last simplex as a start: the moving core only moves along a line.
static nearness measure_cores(mo_minkowski *pair, mo_simplex *known, double reach) {
  double radius_a = pair->a->radius, radii = radius_a + pair->b->radius;
  mo_gjk_result gjk = mo_gjk_from(pair, known, reach + radii);
  bool is_known = gjk.status == MO_GJK_APART && has_vertices(pair->a) && has_vertices(pair->b);
  known->count = 0;
  for (int i = 0; is_known && i < gjk.simplex.count; i++) {
    known->vertices[known->count++] = gjk.simplex.vertices[i];
  }
  return (nearness){gjk.distance - radii, gjk.normal,
                    gjk.status == MO_GJK_BEYOND ? mo_v3_zero()
                                                : mo_add_scaled(gjk.point_a, radius_a, gjk.normal)};
}

// Whether a point is above a side of a box, neither inside it nor beyond an edge or a corner, by
// the way to it from the nearest point of the box.
static bool is_above_side(mo_vec3 away) {
  return (away.x != 0.0) + (away.y != 0.0) + (away.z != 0.0) == 1;
}

// Finds the end of a capsule's axis that is nearest to a box, if it is above a side of the box. The
// plane of the side has all of the axis beyond it, at least that far, so no search is needed: that
// is where characters stand and walk.
static bool find_nearest_end(const mo_minkowski *pair, mo_vec3 *end, mo_vec3 *nearest) {
  mo_vec3 centre = pair->b_in_a.translation;
  mo_vec3 half = mo_scale(pair->b->half_extents.y, pair->b_in_a.rotation.cy);
  const mo_vec3 ends[2] = {mo_sub(centre, half), mo_add(centre, half)};
  for (int i = 0; i < 2; i++) {
    find_nearest(pair->a, ends[i], nearest);
    mo_vec3 away = mo_sub(ends[i], *nearest);
    if (is_above_side(away) && mo_dot(away, mo_sub(ends[1 - i], ends[i])) >= 0.0) {
      *end = ends[i];
      return true;
    }
  }
  return false;
}

// Measures to a point of the moving core. Its distance has the round-off of coordinates, so within
// the gap that counts as touching there is no normal.
static nearness measure_point(const mo_minkowski *pair, mo_vec3 point, mo_vec3 nearest,
                              double touching) {
  double radius_a = pair->a->radius;
  mo_vec3 away = mo_sub(point, nearest);
  double distance = mo_length(away);
  mo_vec3 normal = distance > touching ? mo_scale(1.0 / distance, away) : mo_v3_zero();
  return (nearness){distance - radius_a - pair->b->radius, normal,
                    mo_add_scaled(nearest, radius_a, normal)};
}

static nearness measure(mo_minkowski *pair, mo_simplex *known, double reach, double touching) {
  mo_vec3 point = pair->b_in_a.translation, nearest;
  bool is_ball = pair->b->kind == MO_CORE_POINT && find_nearest(pair->a, point, &nearest);
  bool is_capsule =
      pair->b->kind == MO_CORE_SEGMENT && pair->a->kind == MO_CORE_HULL && pair->a->hull->is_box;
  return is_ball || (is_capsule && find_nearest_end(pair, &point, &nearest))
             ? measure_point(pair, point, nearest, touching)
             : measure_cores(pair, known, reach);
}

static bool is_touching(const nearness *at, double touching) {
  return at->gap <= touching || mo_v3_equal(at->normal, mo_v3_zero());
}

mo_cast_status mo_cast_core(const mo_convex *target, const mo_convex *moving, mo_transform start,
                            mo_vec3 direction, double max_distance, double touching,
                            mo_local_hit *hit) {
  mo_minkowski pair = mo_minkowski_of(target, moving, start);
  mo_simplex known;
  known.count = 0;
  nearness at = measure(&pair, &known, max_distance, touching);
  if (is_touching(&at, touching)) {
    return MO_CAST_STARTS_TOUCHING;
  }
  double distance = 0.0;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    mo_vec3 normal = at.normal;
    double slope = mo_dot(normal, direction);
    if (!(slope < 0.0)) {
      return MO_CAST_MISSES; // it moves away for ever
    }
    distance += at.gap / -slope;
    if (!(distance <= max_distance)) {
      return MO_CAST_MISSES;
    }
    pair.b_in_a.translation = mo_add_scaled(start.translation, distance, direction);
    // What is only known to be beyond reach has no nearest point: it must not count as touching.
    at = measure(&pair, &known, mo_max(max_distance - distance, 2.0 * touching), touching);
    if (is_touching(&at, touching)) {
      // Cores without a radius have no normal where they meet: that of the last plane is used.
      bool is_bare = mo_v3_equal(at.normal, mo_v3_zero());
      *hit = (mo_local_hit){distance, at.point, is_bare ? normal : at.normal};
      return MO_CAST_HITS;
    }
  }
  return MO_CAST_MISSES;
}
