/// Gears, and racks with pinions: one row that couples the coordinates of two joints, A with B and
/// C with D. A gear has first + ratio * second = const, a rack second - ratio * first = const.
///
/// A coordinate is the angle of a hinge or the travel of a slider, of which the row is that of the
/// joint itself. Full turns need no memory but the first coordinate of the last step: those of the
/// wheel that turns faster follow from the other one, so they are counted at any speed.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

// --- coordinates -----------------------------------------------------------------------------

// A coordinate and its row, with the turns that bring it nearest to `near`.
static double measure(const mo_constraint *c, const mo_constraint_place *at, int index, double near,
                      mo_jacobian_row *row) {
  const mo_constraint_body *a = index ? &at->c : &at->a, *b = index ? &at->d : &at->b;
  mo_joint_frames frames = mo_joint_frames_between(a, b, index ? c->frame_c : c->frame_a,
                                                   index ? c->frame_d : c->frame_b);
  if (c->coupled_kinds[index] == MO_COORDINATE_LENGTH) {
    mo_anchors anchors = mo_anchors_between(a, b, index ? c->anchor_c : c->anchor_a,
                                            index ? c->anchor_d : c->anchor_b);
    mo_vec3 axis = mo_joint_axis(&frames, 1.0, 0.0, 0.0);
    *row = mo_offset_row(&anchors, axis, true);
    return mo_dot(anchors.offset, axis);
  }
  mo_vec3 rate;
  double angle = mo_hinge_angle(frames.relative, near, &rate);
  *row = mo_angular_row(&frames, rate);
  return angle;
}

// Both coordinates, and the factors with which they enter the row.
typedef struct coupled_state {
  double values[2], factors[2];
  mo_jacobian_row rows[2];
} coupled_state;

static bool is_rack(const mo_constraint *c) { return c->type == MO_CONSTRAINT_RACK_AND_PINION; }

static void set_factors(const mo_constraint *c, double factors[2]) {
  factors[0] = is_rack(c) ? -c->ratio : 1.0;
  factors[1] = is_rack(c) ? 1.0 : c->ratio;
}

// The coordinate whose turns are counted by itself: a travel, which has none, or the slower angle.
static int leading_index(const mo_constraint *c, const double factors[2]) {
  bool turns_first = c->coupled_kinds[0] == MO_COORDINATE_ANGLE;
  bool turns_second = c->coupled_kinds[1] == MO_COORDINATE_ANGLE;
  if (turns_first && turns_second) {
    return fabs(factors[0]) < fabs(factors[1]);
  }
  return turns_first;
}

static coupled_state state_at(const mo_constraint *c, const mo_constraint_place *at) {
  coupled_state s;
  set_factors(c, s.factors);
  int leads = leading_index(c, s.factors), follows = !leads;
  double near = leads ? (c->coupled_sum - s.factors[0] * c->last_values[0]) / s.factors[1]
                      : c->last_values[0];
  s.values[leads] = measure(c, at, leads, near, &s.rows[leads]);
  near = (c->coupled_sum - s.factors[leads] * s.values[leads]) / s.factors[follows];
  s.values[follows] = measure(c, at, follows, near, &s.rows[follows]);
  return s;
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  coupled_state s = state_at(c, at);
  mo_set_coordinate(&out[0], s.values[0], s.rows[0]);
}

// --- definition ------------------------------------------------------------------------------

static mo_constraint_refusal check(const mo_constraint_def *def) {
  if (!(def->ratio != 0.0 && mo_is_finite(def->ratio) && mo_is_finite(1.0 / def->ratio))) {
    return (mo_constraint_refusal){"ratio", "must be finite and not 0", def->ratio};
  }
  return (mo_constraint_refusal){0};
}

// Takes the coordinates as they are now for those at which the row holds.
static void keep_sum(mo_constraint *c, const double values[2]) {
  double factors[2];
  set_factors(c, factors);
  c->coupled_sum = factors[0] * values[0] + factors[1] * values[1];
}

static void set_pair_frames(const mo_constraint_body *a, const mo_constraint_body *b, mo_vec3 axis,
                            mo_quat *frame_a, mo_quat *frame_b) {
  mo_vec3 unit = mo_normalize(axis);
  mo_vec3 world = mo_quat_rotate(a->orientation, unit);
  mo_constraint_set_frames(a->orientation, b->orientation, unit, world, frame_a, frame_b);
}

// Without joints both pairs turn about their axes, and their angles are 0 now.
static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  c->coupled_kinds[0] = MO_COORDINATE_ANGLE;
  c->coupled_kinds[1] = is_rack(c) ? MO_COORDINATE_LENGTH : MO_COORDINATE_ANGLE;
  set_pair_frames(&at->a, &at->b, def->axis_a, &c->frame_a, &c->frame_b);
  set_pair_frames(&at->c, &at->d, def->axis_b, &c->frame_c, &c->frame_d);
  mo_jacobian_row row;
  const double values[2] = {measure(c, at, 0, 0.0, &row), measure(c, at, 1, 0.0, &row)};
  keep_sum(c, values);
}

void mo_coupling_take_joints(mo_constraint *c, const mo_constraint *first,
                             const mo_constraint *second, const mo_constraint_place *at) {
  c->coupled_kinds[0] = first->class->coordinate_kinds[0];
  c->coupled_kinds[1] = second->class->coordinate_kinds[0];
  c->anchor_a = first->anchor_a;
  c->anchor_b = first->anchor_b;
  c->frame_a = first->frame_a;
  c->frame_b = first->frame_b;
  c->anchor_c = second->anchor_a;
  c->anchor_d = second->anchor_b;
  c->frame_c = second->frame_a;
  c->frame_d = second->frame_b;
  mo_jacobian_row row;
  const double values[2] = {measure(c, at, 0, first->last_values[0], &row),
                            measure(c, at, 1, second->last_values[0], &row)};
  keep_sum(c, values);
  c->last_values[0] = values[0];
}

void mo_coupling_set_ratio(mo_constraint *c, double ratio, const mo_constraint_place *at) {
  coupled_state s = state_at(c, at);
  c->ratio = ratio;
  keep_sum(c, s.values);
}

// --- the row ---------------------------------------------------------------------------------

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  coupled_state s = state_at(c, at);
  out[0] = s.factors[0] * s.values[0] + s.factors[1] * s.values[1] - c->coupled_sum;
  return NULL;
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  coupled_state s = state_at(c, at);
  out = mo_put_row(out, s.factors[0], s.rows[0]);
  mo_put_row(out, s.factors[1], s.rows[1]);
  return NULL;
}

// Gears and racks differ in the factors alone.
#define COUPLING_CLASS(NAME)                                                                       \
  {                                                                                                \
    .name = (NAME), .bodies = MO_CONSTRAINT_JOINS_FOUR, .has_axes = true, .couples_joints = true,  \
    .coordinate_count = 1, .coordinate_kinds = {MO_COORDINATE_ANGLE}, .check = check,              \
    .init = init, .dimension = 1, .makes_rows = true, .evaluate = evaluate, .jacobian = jacobian,  \
    .coordinates = coordinates                                                                     \
  }

const mo_constraint_class mo_gear_class = COUPLING_CLASS("gear");
const mo_constraint_class mo_rack_and_pinion_class = COUPLING_CLASS("rackAndPinion");
