/// The part of a ray that is inside half-spaces (Cyrus and Beck 1978), for shapes with flat faces.
#pragma once

#include "geometry/local_ray.h"

typedef struct mo_ray_clip {
  double enter, leave;
  double enters_by; ///< where it may have entered at the earliest, because of its slack
  mo_vec3 normal;   ///< of the face through which it enters
  bool has_entered; ///< the ray enters through a face
  bool is_inside;   ///< the ray starts inside all half-spaces
} mo_ray_clip;

static inline mo_ray_clip mo_ray_clip_begin(void) {
  return (mo_ray_clip){.leave = INFINITY, .enters_by = -INFINITY, .is_inside = true};
}

/// Cuts off what is outside the half-space normal . x <= offset. Returns false if nothing is left.
static inline bool mo_ray_clip_by(mo_ray_clip *clip, const mo_local_ray *ray, mo_vec3 normal,
                                  double offset) {
  double height = mo_dot(normal, ray->origin) - offset, slope = mo_dot(normal, ray->direction);
  clip->is_inside = clip->is_inside && height < 0.0;
  if (slope < 0.0 && height >= 0.0) {
    double by = (height - ray->slack) / -slope;
    if (by > clip->enters_by) {
      clip->has_entered = true;
      clip->enters_by = by;
      clip->enter = height / -slope;
      clip->normal = normal;
    }
  } else if (slope > 0.0 && height <= ray->slack) {
    clip->leave = mo_min(clip->leave, (ray->slack - height) / slope);
  } else if (!(height <= ray->slack)) {
    return false; // it starts above and does not come nearer
  }
  return clip->enters_by <= clip->leave;
}

static inline mo_local_hit mo_ray_clip_end(const mo_ray_clip *clip, const mo_local_ray *ray) {
  if (clip->is_inside) {
    return mo_ray_starts_inside(ray);
  }
  // Without an entry face the ray starts on the surface and moves along it or away.
  return clip->has_entered
             ? (mo_local_hit){clip->enter, mo_ray_point(ray, clip->enter), clip->normal}
             : mo_ray_misses();
}
