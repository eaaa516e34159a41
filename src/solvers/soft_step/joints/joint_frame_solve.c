/// Joints of soft-step that are more than a ball. Angles come first, then points, then drives and
/// limits.
#include "solvers/soft_step/joints/joint_frame_solve.h"

#include "solvers/soft_step/joints/joint_coordinate_rows.h"

// --- applying impulses -----------------------------------------------------------------------

MO_APART void push_point(const mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 p) {
  mo_joint_push_ball(l, v, p);
}

MO_APART void push_angle(const mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 p) {
  v->a.angular = mo_vec3x4_sub(v->a.angular, mo_mass_lanes_turn(&l->mass_a, p));
  v->b.angular = mo_vec3x4_add(v->b.angular, mo_mass_lanes_turn(&l->mass_b, p));
}

static void push_coordinate(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                            mo_joint_pair *v, mo_f32x4 impulse) {
  mo_vec3x4 p = mo_vec3x4_scale(impulse, c->direction);
  if (mo_substep_is_angle(c->kind)) {
    push_angle(l, v, p);
  } else {
    push_point(l, v, p);
  }
}

void mo_joint_frame_push(const mo_joint_lanes *l, mo_joint_pair *v) {
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    push_angle(l, v, mo_joint_angle_vector(l, l->frame->impulse));
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    push_coordinate(l, &l->coordinates[i], v, mo_coordinate_impulse(&l->coordinates[i]));
  }
  if (mo_joint_has_point_rows(l)) {
    push_point(l, v, mo_joint_point_vector(l, l->impulse));
  }
}

// --- rates -----------------------------------------------------------------------------------

MO_APART mo_f32x4 coordinate_rate(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                                  const mo_joint_pair *v) {
  mo_vec3x4 velocity = mo_substep_is_angle(c->kind) ? mo_vec3x4_sub(v->b.angular, v->a.angular)
                                                    : mo_joint_point_velocity(l, v);
  return mo_vec3x4_dot(velocity, c->direction);
}

MO_APART mo_vec3x4 point_rate(const mo_joint_lanes *l, const mo_joint_pair *v) {
  return mo_joint_point_rows(l, mo_joint_point_velocity(l, v));
}

MO_APART mo_vec3x4 angle_rate(const mo_joint_lanes *l, const mo_joint_pair *v) {
  return mo_joint_angle_rows(l, mo_vec3x4_sub(v->b.angular, v->a.angular));
}

// --- locks -----------------------------------------------------------------------------------
//
// The mass of a point is that of bodies whose angles hold, and the mass of a limit that of bodies
// whose points and angles hold, so one visit is exact. After each impulse the locks are restored,
// however soft they are.

MO_APART void add_to_angle(mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 change) {
  l->frame->impulse = mo_vec3x4_add(l->frame->impulse, change);
  push_angle(l, v, mo_joint_angle_vector(l, change));
}

static void hold_angle(mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 rate) {
  mo_vec3x4 lost = mo_vec3x4_sub(rate, angle_rate(l, v));
  add_to_angle(l, v, mo_factor_solve(&l->frame->mobility, lost));
}

MO_APART void add_to_point(mo_joint_lanes *l, mo_joint_pair *v, mo_vec3x4 change) {
  l->impulse = mo_vec3x4_add(l->impulse, change);
  if (l->angle == MO_SUBSTEP_ANGLE_FREE) {
    push_point(l, v, mo_joint_point_vector(l, change));
    return;
  }
  mo_vec3x4 held = angle_rate(l, v);
  push_point(l, v, mo_joint_point_vector(l, change));
  hold_angle(l, v, held);
}

// mass_scale (w + bias).
static inline mo_vec3x4 wanted_change(const mo_softness_lanes *s, mo_vec3x4 rate, mo_vec3x4 error) {
  return mo_vec3x4_scale(s->mass_scale, mo_vec3x4_add_scaled(rate, s->bias_rate, error));
}

// Solves angle and point as one block, by elimination, except for what softness takes back.
static void solve_with_angle(mo_joint_lanes *l, const mo_softness_lanes *s, mo_joint_pair *v) {
  mo_joint_frame_lanes *f = l->frame;
  mo_vec3x4 before = point_rate(l, v);
  mo_vec3x4 wanted = wanted_change(s, angle_rate(l, v), f->error);
  add_to_angle(l, v, mo_vec3x4_neg(mo_factor_solve(&f->mobility, wanted)));
  // The change that the angle made at the point is removed in full.
  if (mo_joint_has_point_rows(l)) {
    wanted =
        mo_vec3x4_add(wanted_change(s, before, l->error), mo_vec3x4_sub(point_rate(l, v), before));
    add_to_point(l, v, mo_vec3x4_neg(mo_factor_solve(&l->mobility, wanted)));
  }
}

// --- coordinates -----------------------------------------------------------------------------

// Whether a limit pushes or is met in this substep, in any lane.
static bool limits_matter(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                          const mo_softness_lanes *s, const mo_joint_pair *v) {
  mo_f32x4 rate = coordinate_rate(l, c, v), zero = mo_f32x4_zero();
  mo_i32x4 closes =
      (rate + c->lower_gap * s->inverse_h < zero) | (c->upper_gap * s->inverse_h - rate < zero);
  mo_i32x4 pushes = (c->lower_impulse > zero) | (c->upper_impulse > zero);
  return mo_i32x4_bits(closes | pushes) != 0;
}

static void solve_coordinate(mo_joint_lanes *l, mo_joint_coordinate_lanes *c,
                             const mo_softness_lanes *s, mo_joint_pair *v, mo_f32x4 coming,
                             bool moves_springs) {
  if (!c->drives && !limits_matter(l, c, s, v)) {
    return;
  }
  for (int row = c->drives ? 0 : LOWER; row < COORDINATE_ROWS; row++) {
    if (!mo_is_row_solved(c, row)) {
      continue;
    }
    mo_f32x4 rate = coordinate_rate(l, c, v);
    if (row < LOWER) {
      rate += coming;
    }
    mo_vec3x4 held_point = point_rate(l, v);
    mo_vec3x4 held_angle = l->angle == MO_SUBSTEP_ANGLE_FREE ? held_point : angle_rate(l, v);
    push_coordinate(l, c, v, mo_coordinate_change(c, s, row, rate, moves_springs));
    if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
      hold_angle(l, v, held_angle);
    }
    if (mo_joint_has_point_rows(l)) {
      mo_vec3x4 lost = mo_vec3x4_sub(held_point, point_rate(l, v));
      add_to_point(l, v, mo_factor_solve(&l->mobility, lost));
    }
  }
}

// What softness takes back, of all impulses at once, because they may be large and nearly cancel.
// Drives have their own softness.
typedef struct taken_back {
  mo_vec3x4 point, angle;
  mo_f32x4 limits[MO_JOINT_COORDINATES]; // along their directions
} taken_back;

static taken_back taken_of(const mo_joint_lanes *l, const mo_softness_lanes *s) {
  taken_back taken;
  const mo_joint_frame_lanes *f = l->frame;
  taken.point = mo_vec3x4_scale(s->impulse_scale, mo_joint_passing(l));
  taken.angle = mo_vec3x4_scale(s->impulse_scale, mo_vec3x4_sub(f->impulse, f->steady));
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    const mo_joint_coordinate_lanes *c = &l->coordinates[i];
    mo_f32x4 lower = mo_passing_at_limit(c->lower_impulse, c->lower_steady);
    mo_f32x4 upper = mo_passing_at_limit(c->upper_impulse, c->upper_steady);
    taken.limits[i] = s->impulse_scale * (lower - upper);
  }
  return taken;
}

static void push_back(const mo_joint_lanes *l, mo_joint_pair *v, const taken_back *taken) {
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    push_angle(l, v, mo_joint_angle_vector(l, mo_vec3x4_neg(taken->angle)));
  }
  if (mo_joint_has_point_rows(l)) {
    push_point(l, v, mo_joint_point_vector(l, mo_vec3x4_neg(taken->point)));
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    // mo_limit_change has not included it in the impulses
    push_coordinate(l, &l->coordinates[i], v, -taken->limits[i]);
  }
}

static void take_back(mo_joint_lanes *l, mo_joint_pair *v, const taken_back *taken) {
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    l->frame->impulse = mo_vec3x4_sub(l->frame->impulse, taken->angle);
  }
  if (mo_joint_has_point_rows(l)) {
    l->impulse = mo_vec3x4_sub(l->impulse, taken->point);
  }
  push_back(l, v, taken);
}

// The rates that taking back will add to the coordinates. Drives, which are solved before it, count
// on them: else they would miss their laws by as much.
static void find_coming_rates(const mo_joint_lanes *l, const taken_back *taken,
                              mo_f32x4 coming[MO_JOINT_COORDINATES]) {
  bool is_driven = false;
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    coming[i] = mo_f32x4_zero();
    is_driven = is_driven || l->coordinates[i].drives;
  }
  if (is_driven) {
    mo_velocity_lanes rest = {mo_vec3x4_zero(), mo_vec3x4_zero()};
    mo_joint_pair v = {.a = rest, .b = rest};
    push_back(l, &v, taken);
    for (uint32_t i = 0; i < l->coordinate_count; i++) {
      coming[i] = coordinate_rate(l, &l->coordinates[i], &v);
    }
  }
}

// Solves a point without locked angles, except for what softness takes back.
static void solve_point(mo_joint_lanes *l, const mo_softness_lanes *s, mo_joint_pair *v) {
  mo_vec3x4 wanted = wanted_change(s, point_rate(l, v), l->error);
  add_to_point(l, v, mo_vec3x4_neg(mo_factor_solve(&l->mobility, wanted)));
}

void mo_joint_frame_solve(mo_joint_lanes *l, const mo_softness_lanes *s, mo_joint_pair *v,
                          bool moves_springs) {
  if (l->angle == MO_SUBSTEP_ANGLE_FREE && l->coordinate_count == 0) { // a rod
    add_to_point(
        l, v,
        mo_joint_block_change(&l->mobility, s, point_rate(l, v), l->error, mo_joint_passing(l)));
    return;
  }
  taken_back taken = taken_of(l, s);
  mo_f32x4 coming[MO_JOINT_COORDINATES];
  find_coming_rates(l, &taken, coming);
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    solve_with_angle(l, s, v);
  } else if (mo_joint_has_point_rows(l)) {
    solve_point(l, s, v);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    solve_coordinate(l, &l->coordinates[i], s, v, coming[i], moves_springs);
  }
  take_back(l, v, &taken);
}
