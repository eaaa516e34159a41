/// A path: B's anchor is on a curve that is fixed in A, and the length along it is the coordinate.
/// B may turn freely, or an axis of it stays along the tangent, or it turns with the curve's frame.
///
/// C is the offset of the anchor from the nearest point of the curve, across the curve (and the
/// turn of B relative to the frame there). As the curve bends, J v = 0 would lead B off along the
/// tangent, and the next step, whose tangent is another one, would take a part of its speed.
#include "constraints/path.h"

#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"
#include "constraints/joint_rotation.h"

/// Least value of 1 - offset . bend: how much faster the nearest point may run than the anchor.
#define LEAST_GAIN 0.1

typedef struct path_state {
  mo_anchors anchors;
  mo_joint_frames frames; // A's is the frame of the curve
  mo_curve_point point;   // of the curve, in A
  mo_vec3 tangent;        // in the world
  double gain;            // m of the curve per m that the anchor moves along the tangent
  double across[2];       // m, the offset along y and z of the frame
  double twist;           // rad/m of the frame
} path_state;

static mo_joint_frames frames_of(const mo_constraint *c, const mo_constraint_place *at,
                                 mo_quat curve_frame) {
  return mo_joint_frames_between(&at->a, &at->b, mo_quat_mul(c->frame_a, curve_frame), c->frame_b);
}

static path_state state_at(const mo_constraint *c, const mo_constraint_place *at) {
  path_state s = {.anchors = mo_anchors_at(c, at)};
  mo_vec3 place = mo_quat_rotate_inverse(at->a.orientation, s.anchors.offset);
  double near_u = mo_curve_at_length(c->curve, c->last_values[0]).u;
  s.point = mo_curve_project(c->curve, place, near_u);
  mo_curve_frame frame = mo_curve_frame_at(c->curve, &s.point);
  mo_vec3 offset = mo_sub(place, s.point.position);
  s.frames = frames_of(c, at, frame.orientation);
  s.tangent = mo_quat_rotate(at->a.orientation, s.point.tangent);
  s.gain = 1.0 / mo_max(1.0 - mo_dot(offset, s.point.bend), LEAST_GAIN);
  s.across[0] = mo_dot(offset, mo_quat_rotate(frame.orientation, mo_v3(0.0, 1.0, 0.0)));
  s.across[1] = mo_dot(offset, mo_quat_rotate(frame.orientation, mo_v3(0.0, 0.0, 1.0)));
  s.twist = frame.twist;
  return s;
}

static mo_jacobian_row row_along(const path_state *s) {
  return mo_offset_row(&s->anchors, mo_scale(s->gain, s->tangent), true);
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  path_state s = state_at(c, at);
  mo_set_coordinate(&out[0], s.point.length, row_along(&s));
}

// --- definition ------------------------------------------------------------------------------

static mo_constraint_refusal check(const mo_constraint_def *def) {
  bool is_closed = def->path.is_closed;
  uint32_t least = is_closed ? MO_CURVE_LEAST_CLOSED_POINTS : MO_CURVE_LEAST_POINTS;
  if (!def->path.points || def->path.point_count < least ||
      def->path.point_count > MO_CURVE_MOST_POINTS) {
    return (mo_constraint_refusal){"path.point_count",
                                   "must be 2 to 65536, of a closed path 3 or more",
                                   def->path.points ? def->path.point_count : 0.0};
  }
  if ((unsigned)def->path.alignment > MO_PATH_ALIGN_FRAME) {
    return (mo_constraint_refusal){"path.alignment", "must be one of mo_path_alignment",
                                   (double)def->path.alignment};
  }
  for (uint32_t i = 0; i < def->path.point_count; i++) {
    uint32_t next = i + 1 < def->path.point_count ? i + 1 : 0;
    double chord = mo_distance_between(def->path.points[i], def->path.points[next]);
    if ((next > 0 || is_closed) && !(chord > 0.0 && mo_is_finite(1.0 / chord * chord))) {
      return (mo_constraint_refusal){
          "path.points", "must be finite, and each another one than the next; the index", i};
    }
  }
  return (mo_constraint_refusal){0};
}

void mo_path_limit(const mo_constraint *c, mo_coordinate_drive *drive) {
  if (c->curve && !mo_curve_is_closed(c->curve)) {
    drive->lower = mo_clamp(drive->lower, 0.0, mo_curve_length(c->curve));
    drive->upper = mo_clamp(drive->upper, 0.0, mo_curve_length(c->curve));
  }
}

static void init(mo_constraint *c, const mo_constraint_def *def, const mo_constraint_place *at) {
  c->path_alignment = def->path.alignment;
  c->anchor_a = mo_v3_zero(); // the points are in A
  c->curve = mo_curve_create(def->path.points, def->path.point_count, def->path.is_closed);
  if (!c->curve) {
    return;
  }
  mo_vec3 place = mo_quat_rotate_inverse(at->a.orientation, mo_anchors_at(c, at).offset);
  mo_curve_point start = mo_curve_search(c->curve, place);
  mo_quat frame = mo_curve_frame_at(c->curve, &start).orientation;
  mo_quat world = mo_quat_mul(at->a.orientation, mo_quat_mul(c->frame_a, frame));
  c->last_values[0] = start.length;
  c->frame_b = mo_quat_normalize(mo_quat_mul(mo_quat_conjugate(at->b.orientation), world));
}

static uint32_t own_rows(const mo_constraint *c) {
  static const uint32_t counts[] = {
      [MO_PATH_ALIGN_NONE] = 2, [MO_PATH_ALIGN_TANGENT] = 4, [MO_PATH_ALIGN_FRAME] = 5};
  return counts[c->path_alignment];
}

// --- rows ------------------------------------------------------------------------------------

// The errors of the turn of B relative to the frame, and their rates. Returns their number.
static uint32_t turn_errors(const mo_constraint *c, const path_state *s, double errors[3],
                            mo_vec3 rates[3]) {
  if (c->path_alignment == MO_PATH_ALIGN_TANGENT) {
    mo_swing_error(s->frames.relative, errors, rates);
    return 2;
  }
  if (c->path_alignment == MO_PATH_ALIGN_FRAME) {
    mo_put_vec3(errors, 1.0, mo_rotation_error(s->frames.relative, rates));
    return 3;
  }
  return 0;
}

static mo_constraint_failure evaluate(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  path_state s = state_at(c, at);
  double errors[3];
  mo_vec3 rates[3];
  uint32_t count = turn_errors(c, &s, errors, rates);
  out[0] = s.across[0];
  out[1] = s.across[1];
  for (uint32_t i = 0; i < count; i++) {
    out[2 + i] = errors[i];
  }
  return NULL;
}

static mo_jacobian_row add_rows(mo_jacobian_row a, double scale, mo_jacobian_row b) {
  return (mo_jacobian_row){
      mo_add_scaled(a.linear_a, scale, b.linear_a), mo_add_scaled(a.angular_a, scale, b.angular_a),
      mo_add_scaled(a.linear_b, scale, b.linear_b), mo_add_scaled(a.angular_b, scale, b.angular_b)};
}

static mo_constraint_failure jacobian(const mo_constraint *c, const mo_constraint_place *at,
                                      double *out) {
  path_state s = state_at(c, at);
  mo_jacobian_row along = row_along(&s);
  double errors[3];
  mo_vec3 rates[3];
  uint32_t count = turn_errors(c, &s, errors, rates);
  for (int i = 0; i < 2; i++) { // y turns to z with the frame's twist
    mo_vec3 axis = mo_joint_axis(&s.frames, 0.0, i == 0, i == 1);
    double turned = i == 0 ? s.across[1] : -s.across[0];
    mo_jacobian_row row = mo_offset_row(&s.anchors, axis, true);
    out = mo_put_row(out, 1.0, add_rows(row, s.twist * turned, along));
  }
  // rad/m that the frame turns, in its own axes
  mo_vec3 bend = mo_quat_rotate(at->a.orientation, s.point.bend);
  mo_vec3 world = mo_add_scaled(mo_cross(s.tangent, bend), s.twist, s.tangent);
  mo_vec3 turn = mo_quat_rotate_inverse(s.frames.a, world);
  for (uint32_t i = 0; i < count; i++) {
    mo_jacobian_row row = mo_angular_row(&s.frames, rates[i]);
    out = mo_put_row(out, 1.0, add_rows(row, -mo_dot(rates[i], turn), along));
  }
  return NULL;
}

// The acceleration of B's anchor in A, in world axes, if all velocities stay: of turns alone.
static mo_vec3 acceleration_in_a(const path_state *s, const mo_constraint_place *at,
                                 mo_vec3 *velocity) {
  mo_vec3 turn_a = at->a.angular_velocity, turn_b = at->b.angular_velocity;
  mo_vec3 arm = mo_add(s->anchors.arm_a, s->anchors.offset); // from A's centre of mass
  mo_vec3 circling = mo_cross(turn_b, s->anchors.arm_b);
  mo_vec3 moving = mo_sub(mo_add(at->b.linear_velocity, circling), at->a.linear_velocity);
  *velocity = mo_sub(moving, mo_cross(turn_a, arm));
  mo_vec3 carried = mo_cross(turn_a, mo_sub(mo_cross(turn_a, arm), mo_scale(2.0, moving)));
  return mo_add(mo_cross(turn_b, circling), carried);
}

// Of the offsets. The turns follow the frame to first order.
static void curvature(const mo_constraint *c, const mo_constraint_place *at, double *out) {
  path_state s = state_at(c, at);
  mo_vec3 velocity, acceleration = acceleration_in_a(&s, at, &velocity);
  double speed = s.gain * mo_dot(s.tangent, velocity);
  mo_vec3 bend = mo_quat_rotate(at->a.orientation, s.point.bend);
  mo_vec3 leaves = mo_add_scaled(acceleration, -speed * speed, bend);
  out[0] = mo_dot(mo_joint_axis(&s.frames, 0.0, 1.0, 0.0), leaves);
  out[1] = mo_dot(mo_joint_axis(&s.frames, 0.0, 0.0, 1.0), leaves);
}

const mo_constraint_class mo_path_class = {.name = "path",
                                           .coordinate_count = 1,
                                           .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                           .check = check,
                                           .init = init,
                                           .dimension = 5,
                                           .own_rows = own_rows,
                                           .makes_rows = true,
                                           .evaluate = evaluate,
                                           .jacobian = jacobian,
                                           .curvature = curvature,
                                           .coordinates = coordinates,
                                           .drawing = MO_DRAW_PATH};
