/// Rows of the coordinates of joints: limits and drives. Private to soft-step's joints.
#pragma once

#include "solvers/soft_step/joints/joint_pair.h"

/// The sum of the impulses that push a coordinate up.
static inline mo_f32x4 mo_coordinate_impulse(const mo_joint_coordinate_lanes *c) {
  mo_f32x4 impulse = c->lower_impulse - c->upper_impulse;
  for (int i = 0; c->drives && i < MO_SUBSTEP_DRIVES; i++) {
    impulse += c->drives[i].impulse;
  }
  return impulse;
}

/// The part of a limit's impulse that softness takes back. One that has let go has none.
static inline mo_f32x4 mo_passing_at_limit(mo_f32x4 impulse, mo_f32x4 steady) {
  return mo_f32x4_keep(impulse > mo_f32x4_zero(), impulse - steady);
}

/// The change of one limit's impulse, whose gap shrinks with `rate` < 0, except for the part that
/// softness takes back. An open limit may close within the substep, and is rigid.
static mo_f32x4 mo_limit_change(const mo_joint_coordinate_lanes *c, const mo_softness_lanes *s,
                                mo_f32x4 rate, mo_f32x4 gap, mo_f32x4 steady, mo_f32x4 *impulse) {
  mo_f32x4 zero = mo_f32x4_zero(), one = mo_f32x4_splat(1.0f);
  mo_i32x4 open = gap > zero;
  mo_f32x4 bias = gap * mo_f32x4_select(open, s->inverse_h, s->bias_rate);
  mo_f32x4 mass_scale = mo_f32x4_select(open, one, s->mass_scale);
  mo_f32x4 kept = *impulse - s->impulse_scale * mo_passing_at_limit(*impulse, steady);
  *impulse = mo_f32x4_max(kept - c->mass * mass_scale * (rate + bias), zero);
  return *impulse - kept;
}

/// The impulse of a spring belongs to the poses at the start of a substep. At the poses of its end,
/// in the relax pass, it would be one substep ahead, so it stays.
static mo_f32x4 mo_drive_change(const mo_joint_coordinate_lanes *c, mo_joint_drive_lanes *drive,
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

/// The rows of a coordinate in the order in which they are solved: limits come last and prevail.
enum { LOWER = MO_SUBSTEP_DRIVES, UPPER, COORDINATE_ROWS };

static inline mo_f32x4 mo_coordinate_change(mo_joint_coordinate_lanes *c,
                                            const mo_softness_lanes *s, int row, mo_f32x4 rate,
                                            bool moves_springs) {
  switch (row) {
  case LOWER:
    return mo_limit_change(c, s, rate, c->lower_gap, c->lower_steady, &c->lower_impulse);
  case UPPER:
    return -mo_limit_change(c, s, -rate, c->upper_gap, c->upper_steady, &c->upper_impulse);
  default:
    return mo_drive_change(c, &c->drives[row], rate, moves_springs);
  }
}

static inline bool mo_is_row_solved(const mo_joint_coordinate_lanes *c, int row) {
  return row >= LOWER || c->drives[row].is_solved;
}
