/// Joints of soft-step: solves for impulses. Angles come first, then points, then drives and
/// limits.
#include "solvers/substep/joint_lanes.h"

// rad per substep: bodies that turn by less keep their impulses as they are.
#define CALM_TURN 0.1f
// rad per substep: the largest turn by impulses that point the wrong way. Joints that hold need far
// less, even where bodies hit the floor; joints that break apart ask for ten times as much in the
// next substep.
#define MOST_WRONG_TURN 3.0f
// rad per substep: turns by less part the points of a joint by next to nothing.
#define LEAST_BENT_TURN 0.05f
// A turn, and a displacement along the axis or a length.
#define MOST_COORDINATES 2

typedef struct pair_lanes {
  mo_velocity_lanes a, b;
} pair_lanes;

// Softness with a value per lane.
typedef struct softness_lanes {
  mo_f32x4 bias_rate, mass_scale, impulse_scale, inverse_h;
} softness_lanes;

// --- applying impulses -----------------------------------------------------------------------

static inline void push_ball(const mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 p) {
  v->a.linear = mo_vec3x4_add_scaled(v->a.linear, -l->mass_a.inverse_mass, p);
  v->b.linear = mo_vec3x4_add_scaled(v->b.linear, l->mass_b.inverse_mass, p);
  mo_vec3x4 turn_a = mo_mass_lanes_turn(&l->mass_a, mo_vec3x4_cross(l->arm_a, p));
  mo_vec3x4 turn_b = mo_mass_lanes_turn(&l->mass_b, mo_vec3x4_cross(l->arm_b, p));
  v->a.angular = mo_vec3x4_sub(v->a.angular, turn_a);
  v->b.angular = mo_vec3x4_add(v->b.angular, turn_b);
}

MO_APART void push_point(const mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 p) {
  push_ball(l, v, p);
}

MO_APART void push_angle(const mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 p) {
  v->a.angular = mo_vec3x4_sub(v->a.angular, mo_mass_lanes_turn(&l->mass_a, p));
  v->b.angular = mo_vec3x4_add(v->b.angular, mo_mass_lanes_turn(&l->mass_b, p));
}

static void push_coordinate(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                            pair_lanes *v, mo_f32x4 impulse) {
  mo_vec3x4 p = mo_vec3x4_scale(impulse, l->frame->axis);
  if (c->kind == MO_SUBSTEP_TURN) {
    push_angle(l, v, p);
  } else {
    push_point(l, v, p);
  }
}

// The sum of the impulses that push a coordinate up.
static inline mo_f32x4 coordinate_impulse(const mo_joint_coordinate_lanes *c) {
  mo_f32x4 impulse = c->lower_impulse - c->upper_impulse;
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    impulse += c->drives[i].impulse;
  }
  return impulse;
}

// --- rows ------------------------------------------------------------------------------------

static inline mo_vec3x4 point_velocity(const mo_joint_lanes *l, const pair_lanes *v) {
  mo_vec3x4 a = mo_vec3x4_add(v->a.linear, mo_vec3x4_cross(v->a.angular, l->arm_a));
  mo_vec3x4 b = mo_vec3x4_add(v->b.linear, mo_vec3x4_cross(v->b.angular, l->arm_b));
  return mo_vec3x4_sub(b, a);
}

// The change of the impulse of a block: -mass_scale K^-1 (w + bias) - impulse_scale impulse.
static inline mo_vec3x4 block_change(const mo_factor_lanes *k, const softness_lanes *s,
                                     mo_vec3x4 rate, mo_vec3x4 error, mo_vec3x4 impulse) {
  mo_vec3x4 w = mo_vec3x4_add_scaled(rate, s->bias_rate, error);
  mo_vec3x4 change = mo_vec3x4_scale(s->mass_scale, mo_factor_solve(k, w));
  change = mo_vec3x4_add_scaled(change, s->impulse_scale, impulse);
  return mo_vec3x4_neg(change);
}

// The part of a limit's impulse that softness takes back. One that has let go has none.
static inline mo_f32x4 passing_at_limit(mo_f32x4 impulse, mo_f32x4 steady) {
  return mo_f32x4_keep(impulse > mo_f32x4_zero(), impulse - steady);
}

// The change of one limit's impulse, whose gap shrinks with `rate` < 0, except for the part that
// softness takes back. An open limit may close within the substep, and is rigid.
static mo_f32x4 limit_change(const mo_joint_coordinate_lanes *c, const softness_lanes *s,
                             mo_f32x4 rate, mo_f32x4 gap, mo_f32x4 steady, mo_f32x4 *impulse) {
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_i32x4 open = gap > zero;
  mo_f32x4 bias = gap * mo_f32x4_select(open, s->inverse_h, s->bias_rate);
  mo_f32x4 mass_scale = mo_f32x4_select(open, one, s->mass_scale);
  mo_f32x4 kept = *impulse - s->impulse_scale * passing_at_limit(*impulse, steady);
  *impulse = mo_f32x4_max(kept - c->mass * mass_scale * (rate + bias), zero);
  return *impulse - kept;
}

MO_APART mo_f32x4 coordinate_rate(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                                  const pair_lanes *v) {
  mo_vec3x4 velocity =
      c->kind == MO_SUBSTEP_TURN ? mo_vec3x4_sub(v->b.angular, v->a.angular) : point_velocity(l, v);
  return mo_vec3x4_dot(velocity, l->frame->axis);
}

MO_APART mo_vec3x4 point_rate(const mo_joint_lanes *l, const pair_lanes *v) {
  return mo_joint_point_rows(l, point_velocity(l, v));
}

MO_APART mo_vec3x4 angle_rate(const mo_joint_lanes *l, const pair_lanes *v) {
  return mo_joint_angle_rows(l, mo_vec3x4_sub(v->b.angular, v->a.angular));
}

// --- locks -----------------------------------------------------------------------------------
//
// The mass of a point is that of bodies whose angles hold, and the mass of a limit that of bodies
// whose points and angles hold, so one visit is exact. After each impulse the locks are restored,
// however soft they are.

MO_APART void add_to_angle(mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 change) {
  l->frame->impulse = mo_vec3x4_add(l->frame->impulse, change);
  push_angle(l, v, mo_joint_angle_vector(l, change));
}

static void hold_angle(mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 rate) {
  mo_vec3x4 lost = mo_vec3x4_sub(rate, angle_rate(l, v));
  add_to_angle(l, v, mo_factor_solve(&l->frame->mobility, lost));
}

MO_APART void add_to_point(mo_joint_lanes *l, pair_lanes *v, mo_vec3x4 change) {
  l->impulse = mo_vec3x4_add(l->impulse, change);
  if (l->angle == MO_SUBSTEP_ANGLE_FREE) {
    push_point(l, v, mo_joint_point_vector(l, change));
    return;
  }
  mo_vec3x4 held = angle_rate(l, v);
  push_point(l, v, mo_joint_point_vector(l, change));
  hold_angle(l, v, held);
}

// The part of the impulse that softness takes back.
static inline mo_vec3x4 passing(const mo_joint_lanes *l) {
  return mo_vec3x4_sub(l->impulse, l->steady);
}

static inline void solve_ball(mo_joint_lanes *l, const softness_lanes *s, pair_lanes *v) {
  mo_vec3x4 change = block_change(&l->mobility, s, point_velocity(l, v), l->error, passing(l));
  l->impulse = mo_vec3x4_add(l->impulse, change);
  push_ball(l, v, change);
}

// mass_scale (w + bias).
static inline mo_vec3x4 wanted_change(const softness_lanes *s, mo_vec3x4 rate, mo_vec3x4 error) {
  return mo_vec3x4_scale(s->mass_scale, mo_vec3x4_add_scaled(rate, s->bias_rate, error));
}

// Solves angle and point as one block, by elimination, except for what softness takes back.
static void solve_with_angle(mo_joint_lanes *l, const softness_lanes *s, pair_lanes *v) {
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

// Whether a limit pushes or is met in this substep, in any lane.
static bool limits_matter(const mo_joint_lanes *l, const mo_joint_coordinate_lanes *c,
                          const softness_lanes *s, const pair_lanes *v) {
  mo_f32x4 rate = coordinate_rate(l, c, v), zero = mo_f32x4_zero();
  mo_i32x4 closes =
      (rate + c->lower_gap * s->inverse_h < zero) | (c->upper_gap * s->inverse_h - rate < zero);
  mo_i32x4 pushes = (c->lower_impulse > zero) | (c->upper_impulse > zero);
  return mo_i32x4_bits(closes | pushes) != 0;
}

// The impulse of a spring belongs to the poses at the start of a substep. At the poses of its end,
// in the relax pass, it would be one substep ahead, so it stays.
static mo_f32x4 drive_change(const mo_joint_coordinate_lanes *c, mo_joint_drive_lanes *drive,
                             mo_f32x4 rate, bool moves_springs) {
  mo_f32x4 one = mo_f32x4_splat(1.0f), before = drive->impulse, most = drive->limit;
  mo_f32x4 wanted =
      rate - drive->speed + drive->bias_rate * drive->error + drive->softening * before;
  mo_f32x4 change = -c->mass * wanted / (one + drive->softening * c->mass);
  mo_f32x4 impulse = mo_f32x4_max(mo_f32x4_min(before + change, most), -most);
  mo_i32x4 stays = drive->is_soft > mo_f32x4_splat(moves_springs ? 2.0f : 0.5f);
  drive->impulse = mo_f32x4_select(stays, before, impulse);
  return drive->impulse - before;
}

// The rows of a coordinate in the order in which they are solved: limits come last and prevail.
enum { LOWER = MO_SUBSTEP_DRIVES, UPPER, COORDINATE_ROWS };

static inline mo_f32x4 row_change(mo_joint_coordinate_lanes *c, const softness_lanes *s, int row,
                                  mo_f32x4 rate, bool moves_springs) {
  switch (row) {
  case LOWER:
    return limit_change(c, s, rate, c->lower_gap, c->lower_steady, &c->lower_impulse);
  case UPPER:
    return -limit_change(c, s, -rate, c->upper_gap, c->upper_steady, &c->upper_impulse);
  default:
    return drive_change(c, &c->drives[row], rate, moves_springs);
  }
}

static inline bool is_row_solved(const mo_joint_coordinate_lanes *c, int row) {
  return row >= LOWER || c->drives[row].is_solved;
}

static void solve_coordinate(mo_joint_lanes *l, mo_joint_coordinate_lanes *c,
                             const softness_lanes *s, pair_lanes *v, mo_f32x4 coming,
                             bool moves_springs) {
  if (!c->drives && !limits_matter(l, c, s, v)) {
    return;
  }
  for (int row = c->drives ? 0 : LOWER; row < COORDINATE_ROWS; row++) {
    if (!is_row_solved(c, row)) {
      continue;
    }
    mo_f32x4 rate = coordinate_rate(l, c, v);
    if (row < LOWER) {
      rate += coming;
    }
    mo_vec3x4 held_point = point_rate(l, v);
    mo_vec3x4 held_angle = l->angle == MO_SUBSTEP_ANGLE_FREE ? held_point : angle_rate(l, v);
    push_coordinate(l, c, v, row_change(c, s, row, rate, moves_springs));
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
  mo_f32x4 limits[MOST_COORDINATES]; // along the axis
} taken_back;

static taken_back taken_of(const mo_joint_lanes *l, const softness_lanes *s) {
  taken_back taken;
  const mo_joint_frame_lanes *f = l->frame;
  taken.point = mo_vec3x4_scale(s->impulse_scale, passing(l));
  taken.angle = mo_vec3x4_scale(s->impulse_scale, mo_vec3x4_sub(f->impulse, f->steady));
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    const mo_joint_coordinate_lanes *c = &l->coordinates[i];
    mo_f32x4 lower = passing_at_limit(c->lower_impulse, c->lower_steady);
    mo_f32x4 upper = passing_at_limit(c->upper_impulse, c->upper_steady);
    taken.limits[i] = s->impulse_scale * (lower - upper);
  }
  return taken;
}

static void push_back(const mo_joint_lanes *l, pair_lanes *v, const taken_back *taken) {
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    push_angle(l, v, mo_joint_angle_vector(l, mo_vec3x4_neg(taken->angle)));
  }
  if (mo_joint_has_point_rows(l)) {
    push_point(l, v, mo_joint_point_vector(l, mo_vec3x4_neg(taken->point)));
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    // limit_change has not included it in the impulses
    push_coordinate(l, &l->coordinates[i], v, -taken->limits[i]);
  }
}

static void take_back(mo_joint_lanes *l, pair_lanes *v, const taken_back *taken) {
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
                              mo_f32x4 coming[MOST_COORDINATES]) {
  bool is_driven = false;
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    coming[i] = mo_f32x4_zero();
    is_driven = is_driven || l->coordinates[i].drives;
  }
  if (is_driven) {
    mo_velocity_lanes rest = {mo_vec3x4_zero(), mo_vec3x4_zero()};
    pair_lanes v = {rest, rest};
    push_back(l, &v, taken);
    for (uint32_t i = 0; i < l->coordinate_count; i++) {
      coming[i] = coordinate_rate(l, &l->coordinates[i], &v);
    }
  }
}

// Solves a point without locked angles, except for what softness takes back.
static void solve_point(mo_joint_lanes *l, const softness_lanes *s, pair_lanes *v) {
  mo_vec3x4 wanted = wanted_change(s, point_rate(l, v), l->error);
  add_to_point(l, v, mo_vec3x4_neg(mo_factor_solve(&l->mobility, wanted)));
}

static void solve_frame(mo_joint_lanes *l, const softness_lanes *s, pair_lanes *v,
                        bool moves_springs) {
  if (l->angle == MO_SUBSTEP_ANGLE_FREE && l->coordinate_count == 0) { // a rod
    add_to_point(l, v, block_change(&l->mobility, s, point_rate(l, v), l->error, passing(l)));
    return;
  }
  taken_back taken = taken_of(l, s);
  mo_f32x4 coming[MOST_COORDINATES];
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

// --- passes ----------------------------------------------------------------------------------

static inline pair_lanes gather(const mo_joint_lanes *l, const mo_solver_body *bodies) {
  return (pair_lanes){mo_gather_velocities(bodies, l->body_a),
                      mo_gather_velocities(bodies, l->body_b)};
}

static inline void scatter(const mo_joint_lanes *l, mo_solver_body *bodies, const pair_lanes *v) {
  mo_scatter_velocities(bodies, l->body_a, &l->mass_a, v->a);
  mo_scatter_velocities(bodies, l->body_b, &l->mass_b, v->b);
}

static inline mo_f32x4 squared(mo_vec3x4 v) { return mo_vec3x4_dot(v, v); }

// The change of a body's spin when the impulses p and q (angular) of a joint turn with the body by
// `angle`.
static inline mo_vec3x4 wrong_turn(const mo_mass_lanes *m, mo_vec3x4 arm, mo_vec3x4 angle,
                                   mo_vec3x4 p, mo_vec3x4 q) {
  mo_vec3x4 by_arm = mo_vec3x4_cross(mo_vec3x4_cross(angle, arm), p);
  return mo_mass_lanes_turn(m, mo_vec3x4_add(by_arm, mo_vec3x4_cross(angle, q)));
}

static void scale_coordinate(mo_joint_coordinate_lanes *c, mo_f32x4 scale) {
  c->lower_impulse *= scale;
  c->upper_impulse *= scale;
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].impulse *= scale;
  }
}

// Impulses push the wrong way when the joint has turned since they were computed. For a light body
// with long arms between heavy ones they would grow in each substep by more than a visit takes
// back. So only as much of them is kept as turns the body by at most MOST_WRONG_TURN.
MO_APART void calm(mo_joint_lanes *l, const pair_lanes *v, float h) {
  mo_joint_frame_lanes *f = l->frame;
  mo_vec3x4 p = mo_joint_point_vector(l, l->impulse), q = mo_vec3x4_zero();
  if (f) {
    q = mo_joint_angle_vector(l, f->impulse);
  }
  for (uint32_t i = 0; f && i < l->coordinate_count; i++) {
    const mo_joint_coordinate_lanes *c = &l->coordinates[i];
    mo_vec3x4 *pushed = c->kind == MO_SUBSTEP_TURN ? &q : &p;
    *pushed = mo_vec3x4_add_scaled(*pushed, coordinate_impulse(c), f->axis);
  }
  mo_f32x4 by = mo_f32x4_splat(h * h); // for angles in a substep, and for turns
  mo_vec3x4 a = wrong_turn(&l->mass_a, l->arm_a, mo_vec3x4_scale(by, v->a.angular), p, q);
  mo_vec3x4 b = wrong_turn(&l->mass_b, l->arm_b, mo_vec3x4_scale(by, v->b.angular), p, q);
  mo_f32x4 most = mo_f32x4_splat(MOST_WRONG_TURN * MOST_WRONG_TURN);
  mo_f32x4 scale = mo_f32x4_sqrt(most / mo_f32x4_max(squared(a) + squared(b), most));
  l->impulse = mo_vec3x4_scale(scale, l->impulse);
  if (f) {
    f->impulse = mo_vec3x4_scale(scale, f->impulse);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    scale_coordinate(&l->coordinates[i], scale);
  }
}

static void push_frame(const mo_joint_lanes *l, pair_lanes *v) {
  if (l->angle != MO_SUBSTEP_ANGLE_FREE) {
    push_angle(l, v, mo_joint_angle_vector(l, l->frame->impulse));
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    push_coordinate(l, &l->coordinates[i], v, coordinate_impulse(&l->coordinates[i]));
  }
  if (mo_joint_has_point_rows(l)) {
    push_point(l, v, mo_joint_point_vector(l, l->impulse));
  }
}

// What an assembly solves needs no impulses to start from.
static void forget(mo_joint_lanes *l) {
  l->impulse = mo_vec3x4_zero();
  if (l->frame) {
    l->frame->impulse = mo_vec3x4_zero();
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    mo_joint_coordinate_lanes *c = &l->coordinates[i];
    c->lower_impulse = c->upper_impulse = mo_f32x4_zero();
    for (int k = 0; c->drives && k < MO_SUBSTEP_DRIVES; k++) {
      c->drives[k].impulse = mo_f32x4_zero();
    }
  }
}

void mo_joint_lanes_warm_start(mo_joint_lanes *l, mo_solver_body *bodies, float h) {
  if (l->in_assembly) {
    forget(l);
    return;
  }
  pair_lanes v = gather(l, bodies);
  mo_f32x4 angle_squared = mo_f32x4_splat(h * h) * (squared(v.a.angular) + squared(v.b.angular));
  if (mo_i32x4_bits(angle_squared > mo_f32x4_splat(CALM_TURN * CALM_TURN)) != 0) {
    calm(l, &v, h);
  }
  if (!l->frame) {
    push_ball(l, &v, l->impulse);
  } else {
    push_frame(l, &v);
  }
  scatter(l, bodies, &v);
}

void mo_joint_lanes_solve(mo_joint_lanes *l, mo_solver_body *bodies,
                          const mo_joint_softness *softness) {
  softness_lanes s = {mo_f32x4_splat(softness->bias_rate), mo_f32x4_splat(softness->mass_scale),
                      mo_f32x4_splat(softness->impulse_scale), mo_f32x4_splat(softness->inverse_h)};
  if (l->in_assembly) {
    return;
  }
  pair_lanes v = gather(l, bodies);
  if (!l->frame) {
    solve_ball(l, &s, &v);
  } else {
    solve_frame(l, &s, &v, softness->moves_springs);
  }
  scatter(l, bodies, &v);
}

// The acceleration of a point by the spin of its body, m/s^2.
static inline mo_vec3x4 bend_of(mo_vec3x4 spin, mo_vec3x4 arm) {
  return mo_vec3x4_cross(spin, mo_vec3x4_cross(spin, arm));
}

// Adds to the error by how much the points part because their bodies turn within the substep that
// follows, which velocities do not show: 4 mm at the end of a forearm of 60 rad/s.
static void add_bend_ahead(mo_joint_lanes *l, const pair_lanes *v,
                           const mo_joint_softness *softness) {
  float least = LEAST_BENT_TURN * softness->inverse_h, h = 1.0f / softness->inverse_h;
  mo_f32x4 spins = mo_f32x4_max(squared(v->a.angular), squared(v->b.angular));
  if (mo_i32x4_bits(spins > mo_f32x4_splat(least * least)) == 0 ||
      l->point != MO_SUBSTEP_POINT_BALL || !(softness->bias_rate > 0.0f)) {
    return;
  }
  mo_vec3x4 bend = mo_vec3x4_sub(bend_of(v->b.angular, l->arm_b), bend_of(v->a.angular, l->arm_a));
  mo_f32x4 scale = mo_f32x4_splat(0.5f * h / softness->bias_rate);
  l->error = mo_vec3x4_add_scaled(l->error, scale, bend);
}

// The lanes whose points part, or are to approach, at more than a speed.
static mo_i32x4 parts(const mo_joint_lanes *l, const pair_lanes *v, float bias_rate, float speed) {
  mo_vec3x4 w = mo_vec3x4_add_scaled(point_rate(l, v), mo_f32x4_splat(bias_rate), l->error);
  return squared(w) > mo_f32x4_splat(speed * speed);
}

static void close_lanes(mo_joint_lanes *l, const mo_joint_softness *softness, mo_i32x4 open,
                        pair_lanes *v) {
  softness_lanes s = {.bias_rate = mo_f32x4_splat(softness->bias_rate),
                      .mass_scale = mo_f32x4_keep(open, mo_f32x4_splat(1.0f)),
                      .impulse_scale = mo_f32x4_zero(),
                      .inverse_h = mo_f32x4_splat(softness->inverse_h)};
  if (!l->frame) {
    solve_ball(l, &s, v);
  } else {
    solve_frame(l, &s, v, false);
  }
}

int mo_joint_lanes_close(mo_joint_lanes *l, mo_solver_body *bodies,
                         const mo_joint_softness *softness, float speed) {
  if (l->in_assembly || !mo_joint_has_point_rows(l)) {
    return 0;
  }
  pair_lanes v = gather(l, bodies);
  mo_vec3x4 error = l->error;
  add_bend_ahead(l, &v, softness);
  mo_i32x4 open = parts(l, &v, softness->bias_rate, speed);
  if (mo_i32x4_bits(open) != 0) {
    close_lanes(l, softness, open, &v);
    scatter(l, bodies, &v);
  }
  l->error = error;
  return mo_i32x4_bits(open);
}

static void sum_coordinate(mo_joint_coordinate_lanes *c) {
  c->lower_total += c->lower_impulse;
  c->upper_total += c->upper_impulse;
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    c->drives[i].total += c->drives[i].impulse;
  }
}

void mo_joint_lanes_sum(mo_joint_lanes *l) {
  l->total = mo_vec3x4_add(l->total, l->impulse);
  if (l->frame) {
    l->frame->total = mo_vec3x4_add(l->frame->total, l->frame->impulse);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    sum_coordinate(&l->coordinates[i]);
  }
}
