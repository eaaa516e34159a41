/// The distance of two points, in metres: fixed (C = |d| - length, C = d where the length is 0), or
/// within limits (a rod that gives way, a rope).
#include "constraints/constraint_class.h"

static double distance_coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  return mo_length(mo_anchors_at(c, at).offset);
}

static mo_constraint_failure distance_evaluate(const mo_constraint *c,
                                               const mo_constraint_place *at, double *out) {
  if (mo_is_coincidence(c)) {
    return mo_ball_class.evaluate(c, at, out);
  }
  double distance = distance_coordinate(c, at);
  if (mo_limit_count(c) > 0) {
    mo_put_limits(c, distance, out);
  } else {
    out[0] = distance - c->length;
  }
  return NULL;
}

static mo_constraint_failure distance_jacobian(const mo_constraint *c,
                                               const mo_constraint_place *at, double *out) {
  if (mo_is_coincidence(c)) {
    return mo_ball_class.jacobian(c, at, out);
  }
  mo_anchors anchors = mo_anchors_at(c, at);
  mo_vec3 direction = mo_normalize(anchors.offset);
  if (mo_length_squared(direction) == 0.0) {
    direction = mo_v3(1.0, 0.0, 0.0); // coincident points: any way out is as good
  }
  mo_jacobian_row row = mo_offset_row(&anchors, direction, false);
  if (mo_limit_count(c) > 0) {
    mo_put_limit_rows(c, row, out);
  } else {
    mo_put_row(out, 1.0, row);
  }
  return NULL;
}

const mo_constraint_class mo_distance_class = {.name = "distance",
                                               .makes_rows = true,
                                               .evaluate = distance_evaluate,
                                               .jacobian = distance_jacobian,
                                               .coordinate = distance_coordinate};
