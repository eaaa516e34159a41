#include "constraints/constraint_class.h"

void mo_put_limits(const mo_constraint *constraint, double coordinate, double *out) {
  if (constraint->lower > -INFINITY) {
    *out++ = coordinate - constraint->lower;
  }
  if (constraint->upper < INFINITY) {
    *out = constraint->upper - coordinate;
  }
}

double *mo_put_row(double *out, double sign, mo_jacobian_row row) {
  out = mo_put_vec3(out, sign, row.linear_a);
  out = mo_put_vec3(out, sign, row.angular_a);
  out = mo_put_vec3(out, sign, row.linear_b);
  return mo_put_vec3(out, sign, row.angular_b);
}

void mo_put_limit_rows(const mo_constraint *constraint, mo_jacobian_row row, double *out) {
  if (constraint->lower > -INFINITY) {
    out = mo_put_row(out, 1.0, row);
  }
  if (constraint->upper < INFINITY) {
    mo_put_row(out, -1.0, row);
  }
}

mo_anchors mo_anchors_at(const mo_constraint *constraint, const mo_constraint_place *at) {
  mo_vec3 a = mo_add(at->a.position, mo_quat_rotate(at->a.orientation, constraint->anchor_a));
  mo_vec3 b = mo_add(at->b.position, mo_quat_rotate(at->b.orientation, constraint->anchor_b));
  return (mo_anchors){.arm_a = mo_sub(a, at->a.center_of_mass),
                      .arm_b = mo_sub(b, at->b.center_of_mass),
                      .offset = mo_sub(b, a)};
}

mo_jacobian_row mo_offset_row(const mo_anchors *anchors, mo_vec3 direction, bool turns) {
  mo_vec3 arm_a = turns ? mo_add(anchors->arm_a, anchors->offset) : anchors->arm_a;
  return (mo_jacobian_row){.linear_a = mo_neg(direction),
                           .angular_a = mo_neg(mo_cross(arm_a, direction)),
                           .linear_b = direction,
                           .angular_b = mo_cross(anchors->arm_b, direction)};
}
