/// Joints of soft-step: Jacobians, errors and effective masses at the poses of a substep.
#include "solvers/soft_step/joints/joint_mobility.h"
#include "solvers/soft_step/joints/joint_turns.h"

// Fraction of the mobility of the free bodies that is added to that of a hinge's limit: for bodies
// that are small relative to their arms the latter is a difference of large floats.
#define LEAST_LIMIT_MOBILITY 1e-4f
// rad: larger errors of a joint are corrected no faster, as with MO_JOINT_MOST_ERROR.
#define MOST_ANGLE 0.2f
// Lower bound of 1 + cos between the axes of a hinge, so that opposite axes do not turn at infinite
// speed.
#define LEAST_HINGE_COSINE 0.01f
// Axes with a smaller sine between them have one direction.
#define LEAST_SINE 1e-6f

static inline mo_f32x4 splat(float x) { return mo_f32x4_splat(x); }

// The part of an error that is removed at once.
static inline mo_vec3x4 limited(mo_vec3x4 error, float limit) {
  mo_f32x4 square = mo_vec3x4_dot(error, error), most = splat(limit);
  mo_i32x4 is_large = square > most * most;
  if (mo_i32x4_bits(is_large) == 0) {
    return error;
  }
  mo_f32x4 scale = mo_f32x4_select(is_large, most / mo_f32x4_sqrt(square), splat(1.0f));
  return mo_vec3x4_scale(scale, error);
}

// What is solved in an assembly needs masses of its own only for drives.
static bool needs_masses(const mo_joint_lanes *l) {
  bool is_needed = !l->in_assembly;
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    is_needed = is_needed || l->coordinates[i].drives;
  }
  return is_needed;
}

// --- kinds of joints -------------------------------------------------------------------------

// A ball without a frame.
static inline void refresh_free_ball(mo_joint_lanes *l, mo_vec3x4 offset) {
  l->error = limited(offset, l->most_error);
  if (!l->in_assembly) {
    mo_axis_turns a, b;
    l->mobility =
        mo_factor(l->are_round ? mo_round_point_mobility(l) : mo_point_mobility(l, &a, &b));
  }
}

static void refresh_ball(mo_joint_lanes *l, mo_vec3x4 offset, bool with_masses) {
  l->error = limited(offset, l->most_error);
  if (!with_masses) {
    return;
  }
  mo_axis_turns a, b;
  mo_symmetric_lanes k = mo_point_mobility(l, &a, &b);
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    mo_vec3x4 x = mo_vec3x4_add(a.x, b.x), y = mo_vec3x4_add(a.y, b.y);
    mo_vec3x4 z = mo_vec3x4_add(a.z, b.z);
    mo_vec3x4 by_x = mo_angular_impulse(l, x), by_y = mo_angular_impulse(l, y);
    k.xx -= mo_vec3x4_dot(x, by_x);
    k.yy -= mo_vec3x4_dot(y, by_y);
    k.zz -= mo_held_back(l, z, z);
    k.xy -= mo_vec3x4_dot(y, by_x);
    k.xz -= mo_vec3x4_dot(z, by_x);
    k.yz -= mo_vec3x4_dot(z, by_y);
  }
  l->mobility = mo_factor(k);
}

// Sets the distances of a coordinate to its limits, and its errors from the rests of its drives.
static void set_gaps(mo_joint_coordinate_lanes *c, mo_f32x4 value, mo_f32x4 change,
                     float most_error) {
  c->lower_gap = mo_f32x4_max(value - c->lower, splat(-most_error));
  c->upper_gap = mo_f32x4_max(c->upper - value, splat(-most_error));
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].error = c->drives[i].start_error + change;
  }
}

static void refresh_line(mo_joint_lanes *l, mo_vec3x4 offset, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  l->arm_a = mo_vec3x4_add(l->arm_a, offset);
  l->error = limited(
      (mo_vec3x4){mo_vec3x4_dot(offset, f->y), mo_vec3x4_dot(offset, f->z), mo_f32x4_zero()},
      l->most_error);
  if (!with_masses) {
    return;
  }
  mo_point_row y = mo_point_row_of(l, f->y), z = mo_point_row_of(l, f->z);
  l->mobility = mo_factor_2x2(mo_point_coupling(l, &y, &y), mo_point_coupling(l, &z, &z),
                              mo_point_coupling(l, &y, &z));
}

static void refresh_distance(mo_joint_lanes *l, mo_vec3x4 offset) {
  mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 zero = mo_f32x4_zero(), length = mo_f32x4_sqrt(mo_vec3x4_dot(offset, offset));
  mo_i32x4 has_length = length > zero; // coincident points may separate in any direction
  mo_vec3x4 d = mo_vec3x4_scale(mo_inverse_or_zero(length), offset);
  f->axis = (mo_vec3x4){mo_f32x4_select(has_length, d.x, splat(1.0f)), d.y, d.z};
  mo_point_row row = mo_point_row_of(l, f->axis);
  mo_f32x4 mobility = mo_point_coupling(l, &row, &row);
  if (l->coordinate_count > 0) {
    l->coordinates->direction = f->axis;
    set_gaps(l->coordinates, length, length - l->coordinates->start, l->most_error);
    l->coordinates->mass = mo_inverse_or_zero(mobility);
    return;
  }
  l->error = limited((mo_vec3x4){length - f->length, zero, zero}, l->most_error);
  l->mobility = (mo_factor_lanes){mo_inverse_or_zero(mobility), zero, zero, zero, zero, zero};
}

static void refresh_hinge(mo_joint_lanes *l, mo_vec3x4 rotation_b, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  // The rotation from A's axis to B's: 2 tan(angle / 2).
  mo_turn_lanes turn_b = mo_turn_of(rotation_b);
  mo_vec3x4 axis_b = mo_turn_vector(&turn_b, f->start_axis_b);
  mo_f32x4 cosine = splat(1.0f) + mo_vec3x4_dot(f->axis, axis_b);
  mo_f32x4 scale = splat(2.0f) / mo_f32x4_max(cosine, splat(LEAST_HINGE_COSINE));
  mo_vec3x4 error = mo_vec3x4_scale(scale, mo_vec3x4_cross(f->axis, axis_b));
  f->error =
      limited((mo_vec3x4){mo_vec3x4_dot(error, f->y), mo_vec3x4_dot(error, f->z), mo_f32x4_zero()},
              MOST_ANGLE);
  if (!with_masses) {
    return;
  }
  mo_symmetric_lanes k = mo_angular_mobility(l);
  mo_vec3x4 turn_y = mo_symmetric_mul(&k, f->y), turn_z = mo_symmetric_mul(&k, f->z);
  f->mobility = mo_factor_2x2(mo_vec3x4_dot(f->y, turn_y), mo_vec3x4_dot(f->z, turn_z),
                              mo_vec3x4_dot(f->y, turn_z));
}

// The mass of a coordinate is that of bodies whose locks hold, so it is set after them.

static void refresh_travel(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c, mo_vec3x4 offset,
                           bool with_masses) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 value = mo_vec3x4_dot(offset, f->axis);
  c->direction = f->axis;
  set_gaps(c, value, value - c->start, l->most_error);
  if (!with_masses) {
    return;
  }
  // An impulse along the axis turns nothing while the orientations hold.
  mo_point_row x = mo_point_row_of(l, f->axis);
  c->mass = mo_inverse_or_zero(mo_point_coupling(l, &x, &x));
}

// Sets the mass of an angle: of the torque about its direction, together with the torques that hold
// the other angles; the motion that it gives the point is subtracted too.
static void set_angle_mass(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c) {
  mo_symmetric_lanes k = mo_angular_mobility(l);
  mo_vec3x4 free = mo_symmetric_mul(&k, c->direction), torque = c->direction;
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    torque = mo_vec3x4_sub(torque, mo_angular_impulse(l, free));
  }
  mo_vec3x4 turn_a = mo_mass_lanes_turn(&l->mass_a, torque);
  mo_vec3x4 turn_b = mo_mass_lanes_turn(&l->mass_b, torque);
  mo_f32x4 mobility = mo_vec3x4_dot(free, torque);
  mo_f32x4 least = splat(LEAST_LIMIT_MOBILITY) * mobility;
  if (l->point != MO_SUBSTEP_POINT_FREE) {
    mo_vec3x4 moved =
        mo_vec3x4_add(mo_vec3x4_cross(turn_a, l->arm_a), mo_vec3x4_cross(turn_b, l->arm_b));
    mobility -= mo_vec3x4_dot(moved, mo_joint_point_impulse(l, moved));
  }
  c->mass = mo_inverse_or_zero(mo_f32x4_max(mobility, mo_f32x4_zero()) + least);
}

// B's rotation relative to A, to second order (Baker, Campbell and Hausdorff).
static mo_vec3x4 relative_rotation(const mo_displacement_lanes *a, const mo_displacement_lanes *b) {
  return mo_vec3x4_add_scaled(mo_vec3x4_sub(b->rotation, a->rotation), splat(-0.5f),
                              mo_vec3x4_cross(a->rotation, b->rotation));
}

static void refresh_turn(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c,
                         const mo_displacement_lanes *a, const mo_displacement_lanes *b) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_f32x4 change = mo_vec3x4_dot(f->start_axis, relative_rotation(a, b));
  c->direction = f->axis;
  set_gaps(c, c->start + change, change, MOST_ANGLE);
}

// Impulses of limits whose directions have turned round since the last substep would push where
// they pulled.
static void set_direction(mo_joint_coordinate_lanes *c, mo_vec3x4 direction) {
  mo_i32x4 is_kept = mo_vec3x4_dot(c->direction, direction) >= mo_f32x4_zero();
  c->lower_impulse = mo_f32x4_keep(is_kept, c->lower_impulse);
  c->upper_impulse = mo_f32x4_keep(is_kept, c->upper_impulse);
  c->direction = direction;
}

// The gap to the cone by the sine and cosine of its difference from the angle: the arc of a sine to
// third order, which is below the true one, and 1 beyond a quarter turn.
static void refresh_swing(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_vec3x4 across = mo_vec3x4_cross(f->axis, f->axis_b);
  mo_f32x4 sine = mo_f32x4_sqrt(mo_vec3x4_dot(across, across)), one = splat(1.0f);
  mo_f32x4 cosine = mo_vec3x4_dot(f->axis, f->axis_b);
  // Axes in one direction may part in any.
  mo_i32x4 has_direction = sine > splat(LEAST_SINE);
  across = mo_vec3x4_select(
      has_direction, mo_vec3x4_scale(one / mo_f32x4_max(sine, splat(LEAST_SINE)), across), f->y);
  set_direction(c, across);
  mo_f32x4 gap_sine = c->upper_sine * cosine - c->upper_cosine * sine;
  mo_f32x4 gap_cosine = c->upper_cosine * cosine + c->upper_sine * sine;
  mo_f32x4 arc = gap_sine * (one + splat(1.0f / 6.0f) * gap_sine * gap_sine);
  mo_f32x4 far = mo_f32x4_select(gap_sine < mo_f32x4_zero(), -one, one);
  mo_f32x4 gap = mo_f32x4_select(gap_cosine > mo_f32x4_zero(), arc, far);
  gap = mo_f32x4_select(c->upper < splat(INFINITY), gap, splat(INFINITY));
  c->lower_gap = splat(INFINITY);
  c->upper_gap = mo_f32x4_max(gap, splat(-MOST_ANGLE));
}

// The direction along which a twist turns, between the axes, about which none of it is swing: by
// differentiating the angle of swing and twist.
static mo_vec3x4 twist_direction(mo_vec3x4 axis, mo_vec3x4 axis_b) {
  mo_f32x4 cosine = splat(1.0f) + mo_vec3x4_dot(axis, axis_b);
  mo_f32x4 scale = splat(1.0f) / mo_f32x4_max(cosine, splat(LEAST_HINGE_COSINE));
  return mo_vec3x4_scale(scale, mo_vec3x4_add(axis, axis_b));
}

// How far it has turned is found by the mean of the directions of the start and of now.
static void refresh_twist(const mo_joint_lanes *l, mo_joint_coordinate_lanes *c,
                          const mo_displacement_lanes *a, const mo_displacement_lanes *b) {
  const mo_joint_frame_lanes *f = l->frame;
  mo_vec3x4 now = twist_direction(f->axis, f->axis_b);
  mo_vec3x4 mean = mo_vec3x4_add(now, twist_direction(f->start_axis, f->start_axis_b));
  mo_f32x4 change = splat(0.5f) * mo_vec3x4_dot(mean, relative_rotation(a, b));
  set_direction(c, now);
  set_gaps(c, c->start + change, change, MOST_ANGLE);
}

static void refresh_fixed(mo_joint_lanes *l, const mo_displacement_lanes *a,
                          const mo_displacement_lanes *b, bool with_masses) {
  mo_joint_frame_lanes *f = l->frame;
  mo_quat_lanes back =
      mo_quat_lanes_of((mo_vec3x4){-a->rotation.x, -a->rotation.y, -a->rotation.z});
  mo_quat_lanes turn = mo_quat_lanes_mul((mo_quat_lanes){f->start_turn, f->start_turn_w}, back);
  turn = mo_quat_lanes_mul(mo_quat_lanes_of(b->rotation), turn);
  // 4 tan(angle / 4), for the shorter rotation.
  mo_i32x4 is_long = turn.w < mo_f32x4_zero();
  mo_f32x4 scale = splat(4.0f) / (splat(1.0f) + mo_f32x4_abs(turn.w));
  f->error = limited(mo_vec3x4_scale(mo_f32x4_select(is_long, -scale, scale), turn.v), MOST_ANGLE);
  if (with_masses) {
    f->mobility = mo_factor(mo_angular_mobility(l));
  }
}

static void refresh_coordinates(mo_joint_lanes *l, const mo_displacement_lanes *a,
                                const mo_displacement_lanes *b, mo_vec3x4 offset,
                                bool with_masses) {
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    mo_joint_coordinate_lanes *c = &l->coordinates[i];
    switch (c->kind) {
    case MO_SUBSTEP_TURN:
      refresh_turn(l, c, a, b);
      break;
    case MO_SUBSTEP_SWING:
      refresh_swing(l, c);
      break;
    case MO_SUBSTEP_TWIST:
      refresh_twist(l, c, a, b);
      break;
    case MO_SUBSTEP_TRAVEL:
      refresh_travel(l, c, offset, with_masses);
      break;
    case MO_SUBSTEP_LENGTH: // refresh_distance has set it
      break;
    }
    if (with_masses && mo_substep_is_angle(c->kind)) {
      set_angle_mass(l, c);
    }
  }
}

// Sets the axes of A's joint frame, which has turned.
static void turn_axes(mo_joint_frame_lanes *f, const mo_turn_lanes *turn) {
  f->y = mo_turn_vector(turn, f->start_y);
  f->z = mo_turn_vector(turn, f->start_z);
  f->axis = mo_vec3x4_cross(f->y, f->z);
}

// The rest for joints that are more than a ball. Their bodies' rotations are looked at again.
MO_APART void refresh_frame(mo_joint_lanes *l, const mo_displacement_lanes *a,
                            const mo_displacement_lanes *b, mo_vec3x4 offset) {
  bool with_masses = needs_masses(l);
  if (l->point != MO_SUBSTEP_POINT_DISTANCE) {
    mo_turn_lanes turn = mo_turn_of(a->rotation);
    turn_axes(l->frame, &turn);
  }
  if (mo_joint_is_limited_ball(l)) {
    mo_turn_lanes turn = mo_turn_of(b->rotation);
    l->frame->axis_b = mo_turn_vector(&turn, l->frame->start_axis_b);
  }
  if (l->angle == MO_SUBSTEP_ANGLE_HINGE) {
    refresh_hinge(l, b->rotation, with_masses);
  } else if (l->angle == MO_SUBSTEP_ANGLE_FIXED) {
    refresh_fixed(l, a, b, with_masses);
  }
  switch (l->point) {
  case MO_SUBSTEP_POINT_FREE:
    break;
  case MO_SUBSTEP_POINT_BALL:
    refresh_ball(l, offset, with_masses);
    break;
  case MO_SUBSTEP_POINT_LINE:
    refresh_line(l, offset, with_masses);
    break;
  case MO_SUBSTEP_POINT_DISTANCE:
    refresh_distance(l, offset);
    break;
  }
  refresh_coordinates(l, a, b, offset, with_masses);
}

void mo_joint_lanes_refresh(mo_joint_lanes *l, const mo_solver_body *bodies) {
  mo_displacement_lanes a = mo_gather_displacements(bodies, l->body_a),
                        b = mo_gather_displacements(bodies, l->body_b);
  mo_turn_lanes turn_a = mo_turn_of(a.rotation), turn_b = mo_turn_of(b.rotation);
  mo_vec3x4 change_a = mo_turn_change(&turn_a, l->start_arm_a);
  mo_vec3x4 change_b = mo_turn_change(&turn_b, l->start_arm_b);
  l->arm_a = mo_vec3x4_add(l->start_arm_a, change_a);
  l->arm_b = mo_vec3x4_add(l->start_arm_b, change_b);
  mo_vec3x4 displacement_a = mo_vec3x4_add(a.displacement, change_a);
  mo_vec3x4 displacement_b = mo_vec3x4_add(b.displacement, change_b);
  mo_vec3x4 offset = mo_vec3x4_add(l->start_offset, mo_vec3x4_sub(displacement_b, displacement_a));
  if (l->frame) {
    refresh_frame(l, &a, &b, offset);
  } else {
    refresh_free_ball(l, offset);
  }
}

void mo_joint_lanes_refresh_start(mo_joint_lanes *l) {
  l->arm_a = l->start_arm_a;
  l->arm_b = l->start_arm_b;
  if (l->frame) {
    mo_displacement_lanes none = {mo_vec3x4_zero(), mo_vec3x4_zero()};
    refresh_frame(l, &none, &none, l->start_offset);
  } else {
    refresh_free_ball(l, l->start_offset);
  }
}

// A bit for each body whose spin is turned in each substep.
static uint32_t fast_bodies(const mo_substep_solver *step, const uint32_t bodies[4]) {
  uint32_t bits = 0;
  for (uint32_t lane = 0; lane < 4; lane++) {
    bits |= (uint32_t)(step->masses[bodies[lane]].spin_rule == MO_SPIN_BY_MOMENTUM) << lane;
  }
  return bits;
}

// By how much more than by velocities, m, an arm changes while its body turns by a rotation vector.
// These are added up, but for spins that are turned in each substep.
static mo_vec3x4 arm_bend(const mo_substep_solver *step, const uint32_t bodies[4],
                          mo_vec3x4 start_arm, mo_vec3x4 arm, mo_vec3x4 turn) {
  mo_i32x4 is_fast = mo_i32x4_of_bits(fast_bodies(step, bodies));
  mo_vec3x4 rotation = mo_gather_displacements(step->bodies, bodies).rotation;
  mo_vec3x4 from = mo_vec3x4_select(is_fast, arm, start_arm);
  mo_vec3x4 so_far = mo_vec3x4_select(is_fast, mo_vec3x4_zero(), rotation);
  mo_turn_lanes ahead = mo_turn_of(mo_vec3x4_add(so_far, turn));
  mo_vec3x4 change = mo_vec3x4_sub(mo_turn_vector(&ahead, from), arm);
  return mo_vec3x4_sub(change, mo_vec3x4_cross(turn, arm));
}

mo_vec3x4 mo_joint_lanes_bend(const mo_joint_lanes *l, const mo_substep_solver *step,
                              mo_vec3x4 turn_a, mo_vec3x4 turn_b) {
  return mo_vec3x4_sub(arm_bend(step, l->body_b, l->start_arm_b, l->arm_b, turn_b),
                       arm_bend(step, l->body_a, l->start_arm_a, l->arm_a, turn_a));
}
