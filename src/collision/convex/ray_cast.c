#include "collision/convex/ray_cast.h"

#include "collision/convex/gjk.h"

// Rounds of the search. A ray that grazes a smooth surface halves its distance in each round; other
// rays double their digits.
#define MAX_ROUNDS 64
// Relative to the size of the core and the distance of the ray's origin: a smaller gap counts as
// touching. It is 100 times the accuracy of GJK.
#define TOUCHING 1e-13

// --- by the support mapping ------------------------------------------------------------------

// The gap between a point and a rounded core, negative inside, and the outward normal of the shape
// nearest to the point, which is zero in or on the core.
typedef struct nearness {
  double gap;
  mo_vec3 normal;
} nearness;

static nearness measure(const mo_convex *core, mo_vec3 point) {
  mo_convex origin = mo_convex_point(0.0);
  mo_minkowski pair = mo_minkowski_of(core, &origin, (mo_transform){mo_mat3_identity(), point});
  mo_gjk_result gjk = mo_gjk(&pair, INFINITY);
  return (nearness){gjk.distance - core->radius, gjk.normal};
}

static bool is_in_core(const nearness *at) { return mo_v3_equal(at->normal, mo_v3_zero()); }

// Newton's method for the gap as a function of the distance along the ray. The function is convex,
// so no round passes the surface (conservative advancement, Mirtich 1996; ray casts by GJK, van den
// Bergen 2004). The plane through the nearest point bounds the shape, and the next point is where
// the ray meets that plane.
static mo_local_hit cast_at_core(const mo_convex *core, const mo_local_ray *ray) {
  double touching = TOUCHING * (core->scale + core->radius + mo_length(ray->origin));
  nearness at = measure(core, ray->origin);
  if (is_in_core(&at) || at.gap < 0.0) {
    return mo_ray_starts_inside(ray);
  }
  double distance = 0.0;
  for (int round = 0; round < MAX_ROUNDS; round++) {
    double slope = mo_dot(at.normal, ray->direction);
    if (!(slope < 0.0)) {
      break; // it moves away for ever
    }
    mo_vec3 normal = at.normal;
    distance += mo_max(at.gap, 0.0) / -slope;
    at = at.gap > touching ? measure(core, mo_ray_point(ray, distance)) : at;
    if (is_in_core(&at) || at.gap <= touching) {
      // A core without a radius has no normal at the hit: that of the last plane is used.
      return (mo_local_hit){distance, mo_ray_point(ray, distance),
                            is_in_core(&at) ? normal : at.normal};
    }
  }
  return mo_ray_misses();
}

// --- any shape -------------------------------------------------------------------------------

bool mo_shape_cast_ray(const mo_shape *shape, mo_transform placement, mo_vec3 origin,
                       mo_vec3 unit_direction, double max_distance, mo_surface_hit *out) {
  mo_local_ray ray = {mo_transform_point_inverse(placement, origin),
                      mo_mat3_mul_transposed(placement.rotation, unit_direction)};
  mo_local_hit hit = shape->class->cast_ray ? shape->class->cast_ray(shape, &ray)
                                            : cast_at_core(&shape->core, &ray);
  // Numbers that overflowed are no hit.
  if (!(hit.distance <= max_distance && mo_is_finite(hit.distance))) {
    return false;
  }
  mo_vec3 position = hit.distance > 0.0 ? mo_transform_point(placement, hit.position) : origin;
  *out = (mo_surface_hit){hit.distance, position, mo_mat3_mul(placement.rotation, hit.normal)};
  return true;
}
