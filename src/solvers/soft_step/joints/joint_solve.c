/// Joints of soft-step: passes over four joints at a time.
#include "solvers/soft_step/joints/joint_coordinate_rows.h"
#include "solvers/soft_step/joints/joint_frame_solve.h"

// rad per substep: turns by less part the points of a joint by next to nothing.
#define LEAST_BENT_TURN 0.05f

static inline void solve_ball(mo_joint_lanes *l, const mo_softness_lanes *s, mo_joint_pair *v) {
  mo_vec3x4 change = mo_joint_block_change(&l->mobility, s, mo_joint_point_velocity(l, v), l->error,
                                           mo_joint_passing(l));
  l->impulse = mo_vec3x4_add(l->impulse, change);
  mo_joint_push_ball(l, v, change);
}

static inline mo_f32x4 squared(mo_vec3x4 v) { return mo_vec3x4_dot(v, v); }

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

// Balls have functions of their own, in which no velocity leaves the registers.

MO_APART void warm_start_frame(mo_joint_lanes *l, mo_solver_body *bodies) {
  mo_joint_pair v = mo_joint_gather(l, bodies);
  mo_joint_frame_push(l, &v);
  mo_joint_scatter(l, bodies, &v);
}

MO_APART void solve_frame(mo_joint_lanes *l, mo_solver_body *bodies, const mo_softness_lanes *s,
                          bool moves_springs) {
  mo_joint_pair v = mo_joint_gather(l, bodies);
  mo_joint_frame_solve(l, s, &v, moves_springs);
  mo_joint_scatter(l, bodies, &v);
}

void mo_joint_lanes_warm_start(mo_joint_lanes *l, mo_solver_body *bodies) {
  if (l->in_assembly) {
    forget(l);
  } else if (l->frame) {
    warm_start_frame(l, bodies);
  } else {
    mo_joint_pair v = mo_joint_gather(l, bodies);
    mo_joint_push_ball(l, &v, l->impulse);
    mo_joint_scatter(l, bodies, &v);
  }
}

static mo_softness_lanes softness_of(const mo_joint_softness *softness) {
  return (mo_softness_lanes){
      mo_f32x4_splat(softness->bias_rate), mo_f32x4_splat(softness->mass_scale),
      mo_f32x4_splat(softness->impulse_scale), mo_f32x4_splat(softness->inverse_h)};
}

void mo_joint_lanes_solve(mo_joint_lanes *l, mo_solver_body *bodies,
                          const mo_joint_softness *softness) {
  if (l->in_assembly) {
    return;
  }
  if (l->frame) {
    mo_softness_lanes s = softness_of(softness);
    solve_frame(l, bodies, &s, softness->moves_springs);
  } else {
    mo_softness_lanes s = softness_of(softness);
    mo_joint_pair v = mo_joint_gather(l, bodies);
    solve_ball(l, &s, &v);
    mo_joint_scatter(l, bodies, &v);
  }
}

// Adds to the error by how much the points part because their bodies turn within the substep that
// follows, which velocities do not show: 4 mm at the end of a forearm of 60 rad/s.
static void add_bend_ahead(mo_joint_lanes *l, const mo_joint_pair *v, const mo_substep_solver *step,
                           const mo_joint_softness *softness) {
  float least = LEAST_BENT_TURN * softness->inverse_h;
  mo_f32x4 spins = mo_f32x4_max(squared(v->a.angular), squared(v->b.angular));
  mo_i32x4 bends = spins > mo_f32x4_splat(least * least);
  if (mo_i32x4_bits(bends) == 0 || l->point != MO_SUBSTEP_POINT_BALL ||
      !(softness->bias_rate > 0.0f)) {
    return;
  }
  mo_f32x4 h = mo_f32x4_splat(1.0f / softness->inverse_h);
  mo_vec3x4 bend = mo_joint_lanes_bend(l, step, mo_vec3x4_scale(h, v->a.angular),
                                       mo_vec3x4_scale(h, v->b.angular));
  mo_f32x4 scale = mo_f32x4_keep(bends, mo_f32x4_splat(softness->inverse_h / softness->bias_rate));
  l->error = mo_vec3x4_add_scaled(l->error, scale, bend);
}

// The lanes whose points part, or are to approach, at more than a speed.
static mo_i32x4 parts(const mo_joint_lanes *l, const mo_joint_pair *v, float bias_rate,
                      float speed) {
  mo_vec3x4 rate = mo_joint_point_rows(l, mo_joint_point_velocity(l, v));
  mo_vec3x4 w = mo_vec3x4_add_scaled(rate, mo_f32x4_splat(bias_rate), l->error);
  return squared(w) > mo_f32x4_splat(speed * speed);
}

static void close_lanes(mo_joint_lanes *l, const mo_joint_softness *softness, mo_i32x4 open,
                        mo_joint_pair *v) {
  mo_softness_lanes s = {.bias_rate = mo_f32x4_splat(softness->bias_rate),
                         .mass_scale = mo_f32x4_keep(open, mo_f32x4_splat(1.0f)),
                         .impulse_scale = mo_f32x4_zero(),
                         .inverse_h = mo_f32x4_splat(softness->inverse_h)};
  if (l->frame) {
    mo_joint_frame_solve(l, &s, v, false);
  } else {
    solve_ball(l, &s, v);
  }
}

int mo_joint_lanes_close(mo_joint_lanes *l, const mo_substep_solver *step,
                         const mo_joint_softness *softness, float speed, uint32_t due) {
  if (l->in_assembly || !mo_joint_has_point_rows(l)) {
    return 0;
  }
  mo_joint_pair v = mo_joint_gather(l, step->bodies);
  mo_vec3x4 error = l->error;
  add_bend_ahead(l, &v, step, softness);
  mo_i32x4 open = parts(l, &v, softness->bias_rate, speed) & mo_i32x4_of_bits(due);
  if (mo_i32x4_bits(open) != 0) {
    close_lanes(l, softness, open, &v);
    mo_joint_scatter(l, step->bodies, &v);
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

// Adds the impulses of a substep to the sums.
static void sum(mo_joint_lanes *l) {
  l->total = mo_vec3x4_add(l->total, l->impulse);
  if (l->frame) {
    l->frame->total = mo_vec3x4_add(l->frame->total, l->frame->impulse);
  }
  for (uint32_t i = 0; i < l->coordinate_count; i++) {
    sum_coordinate(&l->coordinates[i]);
  }
}

// Of balls, without the terms that are zero where errors are left alone.
static inline void relax_ball(mo_joint_lanes *l, mo_solver_body *bodies) {
  mo_joint_pair v = mo_joint_gather(l, bodies);
  mo_vec3x4 rate = mo_joint_point_velocity(l, &v);
  mo_vec3x4 change = mo_vec3x4_neg(mo_factor_solve(&l->mobility, rate));
  l->impulse = mo_vec3x4_add(l->impulse, change);
  l->total = mo_vec3x4_add(l->total, l->impulse);
  mo_joint_push_ball(l, &v, change);
  mo_joint_scatter(l, bodies, &v);
}

void mo_joint_lanes_relax(mo_joint_lanes *l, mo_solver_body *bodies,
                          const mo_joint_softness *rigid) {
  if (l->frame || l->in_assembly) {
    mo_joint_lanes_solve(l, bodies, rigid);
    sum(l);
  } else {
    relax_ball(l, bodies);
  }
}
