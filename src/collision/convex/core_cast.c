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

static bool has_vertices(const mo_convex *core) { return core->kind != MO_CORE_CURVED; }

// Measures with the last simplex as a start: the moving core only moves along a line.
static nearness measure(mo_minkowski *pair, mo_simplex *known, double reach) {
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

static bool is_touching(const nearness *at, double touching) {
  return at->gap <= touching || mo_v3_equal(at->normal, mo_v3_zero());
}

mo_cast_status mo_cast_core(const mo_convex *target, const mo_convex *moving, mo_transform start,
                            mo_vec3 direction, double max_distance, double touching,
                            mo_local_hit *hit) {
  mo_minkowski pair = mo_minkowski_of(target, moving, start);
  mo_simplex known;
  known.count = 0;
  nearness at = measure(&pair, &known, max_distance);
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
    at = measure(&pair, &known, max_distance - distance);
    if (is_touching(&at, touching)) {
      // Cores without a radius have no normal where they meet: that of the last plane is used.
      bool is_bare = mo_v3_equal(at.normal, mo_v3_zero());
      *hit = (mo_local_hit){distance, at.point, is_bare ? normal : at.normal};
      return MO_CAST_HITS;
    }
  }
  return MO_CAST_MISSES;
}
