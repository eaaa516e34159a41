/// Ball, fixed, hinge and slider. C of each: position errors first, then angular ones, then what is
/// left to the limits.
#include "constraints/constraint_class.h"
#include "constraints/joint_rotation.h"

// The joint's frame on both bodies: A's in the world, and B's as seen from it.
typedef struct frames {
  mo_quat a;
  mo_quat relative;
} frames;

static frames frames_at(const mo_constraint *c, const mo_constraint_place *at) {
  mo_quat a = mo_quat_mul(at->a.orientation, c->frame_a);
  mo_quat b = mo_quat_mul(at->b.orientation, c->frame_b);
  return (frames){a, mo_quat_mul(mo_quat_conjugate(a), b)};
}

// The row of an angular error whose rate is given in A's frame.
static mo_jacobian_row angular_row(const frames *f, mo_vec3 rate) {
  mo_vec3 world = mo_quat_rotate(f->a, rate);
  return (mo_jacobian_row){.angular_a = mo_neg(world), .angular_b = world};
}

// --- both anchors in one place ---------------------------------------------------------------

static double *put_point(const mo_anchors *anchors, double *out) {
  return mo_put_vec3(out, 1.0, anchors->offset);
}

static double *put_point_rows(const mo_anchors *anchors, double *out) {
  out = mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(1.0, 0.0, 0.0), false));
  out = mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(0.0, 1.0, 0.0), false));
  return mo_put_row(out, 1.0, mo_offset_row(anchors, mo_v3(0.0, 0.0, 1.0), false));
}

static mo_constraint_failure ball_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                           double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  put_point(&anchors, out);
  return NULL;
}

static mo_constraint_failure ball_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                           double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  put_point_rows(&anchors, out);
  return NULL;
}

const mo_constraint_class mo_ball_class = {
    .name = "ball", .makes_rows = true, .evaluate = ball_evaluate, .jacobian = ball_jacobian};

// --- fixed -----------------------------------------------------------------------------------

static double *put_rotation(const frames *f, double *out) {
  mo_vec3 rates[3];
  return mo_put_vec3(out, 1.0, mo_rotation_error(f->relative, rates));
}

static double *put_rotation_rows(const frames *f, double *out) {
  mo_vec3 rates[3];
  mo_rotation_error(f->relative, rates);
  for (int i = 0; i < 3; i++) {
    out = mo_put_row(out, 1.0, angular_row(f, rates[i]));
  }
  return out;
}

static mo_constraint_failure fixed_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                            double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  put_rotation(&f, put_point(&anchors, out));
  return NULL;
}

static mo_constraint_failure fixed_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                            double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  put_rotation_rows(&f, put_point_rows(&anchors, out));
  return NULL;
}

const mo_constraint_class mo_fixed_class = {
    .name = "fixed", .makes_rows = true, .evaluate = fixed_evaluate, .jacobian = fixed_jacobian};

// --- hinge -----------------------------------------------------------------------------------

// The angle next to the one at the end of the last step, so that turns are counted.
static double hinge_angle(const mo_constraint *c, const frames *f, mo_vec3 *rate) {
  double turn = mo_twist_angle(f->relative, rate) - c->last_coordinate;
  return c->last_coordinate + (turn - 2.0 * MO_PI * floor(turn / (2.0 * MO_PI) + 0.5));
}

static double hinge_coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  frames f = frames_at(c, at);
  mo_vec3 rate;
  return hinge_angle(c, &f, &rate);
}

static mo_constraint_failure hinge_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                            double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  mo_vec3 swing_rates[2], rate;
  out = put_point(&anchors, out);
  mo_swing_error(f.relative, out, swing_rates);
  mo_put_limits(c, hinge_angle(c, &f, &rate), out + 2);
  return NULL;
}

static mo_constraint_failure hinge_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                            double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  double swing[2];
  mo_vec3 swing_rates[2], rate;
  mo_swing_error(f.relative, swing, swing_rates);
  mo_twist_angle(f.relative, &rate);
  out = put_point_rows(&anchors, out);
  out = mo_put_row(out, 1.0, angular_row(&f, swing_rates[0]));
  out = mo_put_row(out, 1.0, angular_row(&f, swing_rates[1]));
  mo_put_limit_rows(c, angular_row(&f, rate), out);
  return NULL;
}

const mo_constraint_class mo_hinge_class = {.name = "hinge",
                                            .makes_rows = true,
                                            .evaluate = hinge_evaluate,
                                            .jacobian = hinge_jacobian,
                                            .coordinate = hinge_coordinate};

// --- slider ----------------------------------------------------------------------------------

// An axis of A's frame in the world.
static mo_vec3 axis_of(const frames *f, double x, double y, double z) {
  return mo_quat_rotate(f->a, mo_v3(x, y, z));
}

static double slider_coordinate(const mo_constraint *c, const mo_constraint_place *at) {
  frames f = frames_at(c, at);
  return mo_dot(mo_anchors_at(c, at).offset, axis_of(&f, 1.0, 0.0, 0.0));
}

static mo_constraint_failure slider_evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  *out++ = mo_dot(anchors.offset, axis_of(&f, 0.0, 1.0, 0.0));
  *out++ = mo_dot(anchors.offset, axis_of(&f, 0.0, 0.0, 1.0));
  mo_put_limits(c, slider_coordinate(c, at), put_rotation(&f, out));
  return NULL;
}

static mo_constraint_failure slider_jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                             double *out) {
  mo_anchors anchors = mo_anchors_at(c, at);
  frames f = frames_at(c, at);
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, axis_of(&f, 0.0, 1.0, 0.0), true));
  out = mo_put_row(out, 1.0, mo_offset_row(&anchors, axis_of(&f, 0.0, 0.0, 1.0), true));
  out = put_rotation_rows(&f, out);
  mo_put_limit_rows(c, mo_offset_row(&anchors, axis_of(&f, 1.0, 0.0, 0.0), true), out);
  return NULL;
}

const mo_constraint_class mo_slider_class = {.name = "slider",
                                             .makes_rows = true,
                                             .evaluate = slider_evaluate,
                                             .jacobian = slider_jacobian,
                                             .coordinate = slider_coordinate};
