#include "solvers/soft_step/joint_stiffness.h"

#include "solvers/taut_body.h"

// The impulses of a substep from which four joints start, on their B. The lanes of those that
// assemblies solve have none.
static mo_vec3x4 start_impulses(const mo_joint_lanes *l, const mo_substep_joints *joints,
                                const mo_substep_settings *settings) {
  if (!l->in_assembly) {
    return l->impulse;
  }
  mo_f32x4 rows[4] = {mo_f32x4_zero(), mo_f32x4_zero(), mo_f32x4_zero(), mo_f32x4_zero()};
  for (uint32_t lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    const double *p = &joints->joints[l->joints[lane]].start_impulses[MO_SUBSTEP_POINT_IMPULSE];
    rows[lane] = mo_row_of(mo_v3(p[0], p[1], p[2]));
  }
  float to_substep = (float)(settings->impulse_scale / settings->substeps);
  return mo_vec3x4_scale(mo_f32x4_splat(to_substep),
                         mo_lanes_of_rows(rows[0], rows[1], rows[2], rows[3]));
}

// --- what no body exceeds --------------------------------------------------------------------

// A bound of the swings (taut_body.h) of four bodies: tr(I^-1 K) <= p . r tr(I^-1).
static mo_f32x4 swings(const mo_mass_lanes *m, mo_vec3x4 arm, mo_vec3x4 impulse, float h) {
  mo_f32x4 pull = mo_f32x4_splat(h) * mo_vec3x4_dot(arm, impulse);
  return (m->xx + m->yy + m->zz) * mo_f32x4_max(pull, mo_f32x4_zero());
}

static void add_swings(float *of_bodies, const mo_joint_lanes *l, const mo_substep_joints *joints,
                       const mo_substep_settings *settings) {
  float h = (float)(settings->dt / settings->substeps);
  mo_vec3x4 p = start_impulses(l, joints, settings);
  mo_f32x4 a = swings(&l->mass_a, l->start_arm_a, mo_vec3x4_neg(p), h);
  mo_f32x4 b = swings(&l->mass_b, l->start_arm_b, p, h);
  for (uint32_t lane = 0; lane < 4; lane++) {
    of_bodies[l->body_a[lane]] += a[lane];
    of_bodies[l->body_b[lane]] += b[lane];
  }
}

// --- bodies ----------------------------------------------------------------------------------

static void add_lanes(mo_taut_body *bodies, const mo_joint_lanes *l,
                      const mo_substep_joints *joints, const mo_substep_settings *settings) {
  double h = settings->dt / settings->substeps;
  mo_vec3x4 impulses = start_impulses(l, joints, settings);
  for (uint32_t lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    mo_vec3 p = mo_lane_vector(&impulses, lane);
    mo_taut_body_add(&bodies[l->body_a[lane]], mo_lane_vector(&l->start_arm_a, lane),
                     mo_scale(-1.0, p), h);
    mo_taut_body_add(&bodies[l->body_b[lane]], mo_lane_vector(&l->start_arm_b, lane), p, h);
  }
}

static bool stiffen(const mo_taut_body *body, mo_solver_mass *mass) {
  mo_mat3 inverse = mo_solver_inverse_inertia(mass);
  if (!mo_taut_body_stiffen(body, &inverse)) {
    return false;
  }
  const mo_vec3 x = inverse.cx, y = inverse.cy, z = inverse.cz;
  const double six[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
  for (uint32_t k = 0; k < 6; k++) {
    mass->inverse_inertia[k] = (float)six[k];
  }
  return true;
}

static bool stiffen_all(const mo_substep_joints *joints, mo_substep_solver *step, bool *is_any) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  mo_taut_body *bodies = MO_ARENA_TAKE(step->arena, mo_taut_body, step->body_count);
  for (uint32_t i = 0; bodies && i < groups->lane_count; i++) {
    if (groups->lanes[i].point == MO_SUBSTEP_POINT_BALL) {
      add_lanes(bodies, &groups->lanes[i], joints, &step->settings);
    }
  }
  for (uint32_t i = 1; bodies && i < step->body_count; i++) {
    *is_any = stiffen(&bodies[i], &step->masses[i]) || *is_any;
  }
  return bodies;
}

bool mo_joints_stiffen(const mo_substep_joints *joints, mo_substep_solver *step, bool *is_any) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  float *of_bodies = MO_ARENA_TAKE(step->arena, float, step->body_count);
  for (uint32_t i = 0; of_bodies && i < groups->lane_count; i++) {
    if (groups->lanes[i].point == MO_SUBSTEP_POINT_BALL) {
      add_swings(of_bodies, &groups->lanes[i], joints, &step->settings);
    }
  }
  bool may_be_fast = false;
  for (uint32_t i = 1; of_bodies && i < step->body_count; i++) {
    may_be_fast = may_be_fast || of_bodies[i] > (float)MO_SWING_LIMIT;
  }
  *is_any = false;
  return of_bodies && (!may_be_fast || stiffen_all(joints, step, is_any));
}
