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

// --- which bodies swing too fast -------------------------------------------------------------

// What a joint adds to the swings (taut_body.h) of four bodies: with u along the arm, tr(I^-1 K) =
// h (p . r)(tr I^-1 - u . I^-1 u).
static mo_f32x4 swings(const mo_mass_lanes *m, mo_vec3x4 arm, mo_vec3x4 impulse, float h) {
  mo_f32x4 pull = mo_f32x4_splat(h) * mo_vec3x4_dot(arm, impulse);
  mo_f32x4 along =
      mo_vec3x4_dot(arm, mo_mass_lanes_turn(m, arm)) * mo_inverse_or_zero(mo_vec3x4_dot(arm, arm));
  return (m->xx + m->yy + m->zz - along) * mo_f32x4_max(pull, mo_f32x4_zero());
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

// The bodies that may swing too fast.
typedef struct taut_bodies {
  uint32_t *places; // per body: its place in the list from 1 on; 0: it is slow
  mo_taut_body *list;
  uint32_t count;
} taut_bodies;

static bool find_taut(const mo_substep_joints *joints, const mo_substep_solver *step,
                      taut_bodies *taut) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  float *of_bodies = MO_ARENA_TAKE(step->arena, float, step->body_count);
  taut->places = MO_ARENA_TAKE(step->arena, uint32_t, step->body_count);
  if (!of_bodies || !taut->places) {
    return false;
  }
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    if (groups->lanes[i].point == MO_SUBSTEP_POINT_BALL) {
      add_swings(of_bodies, &groups->lanes[i], joints, &step->settings);
    }
  }
  for (uint32_t i = 1; i < step->body_count; i++) {
    taut->places[i] = of_bodies[i] > (float)MO_SWING_LIMIT ? ++taut->count : 0;
  }
  taut->list = MO_ARENA_TAKE(step->arena, mo_taut_body, (size_t)taut->count + 1);
  return taut->list;
}

// --- their inertia ---------------------------------------------------------------------------

static bool has_taut(const taut_bodies *taut, const mo_joint_lanes *l) {
  uint32_t places = 0;
  for (uint32_t lane = 0; lane < 4; lane++) {
    places |= taut->places[l->body_a[lane]] | taut->places[l->body_b[lane]];
  }
  return places > 0;
}

static void add_end(const taut_bodies *taut, uint32_t body, const mo_vec3x4 *arms, uint32_t lane,
                    mo_vec3 impulse, double h) {
  if (taut->places[body] > 0) {
    mo_taut_body_add(&taut->list[taut->places[body]], mo_lane_vector(arms, lane), impulse, h);
  }
}

static void add_lanes(const taut_bodies *taut, const mo_joint_lanes *l,
                      const mo_substep_joints *joints, const mo_substep_settings *settings) {
  double h = settings->dt / settings->substeps;
  mo_vec3x4 impulses = start_impulses(l, joints, settings);
  for (uint32_t lane = 0; lane < 4 && l->joints[lane] != MO_NO_JOINT; lane++) {
    mo_vec3 p = mo_lane_vector(&impulses, lane);
    add_end(taut, l->body_a[lane], &l->start_arm_a, lane, mo_scale(-1.0, p), h);
    add_end(taut, l->body_b[lane], &l->start_arm_b, lane, p, h);
  }
}

static void stiffen(const mo_taut_body *body, mo_solver_mass *mass) {
  mo_mat3 inverse = mo_solver_inverse_inertia(mass);
  if (!mo_taut_body_stiffen(body, &inverse)) {
    return;
  }
  const mo_vec3 x = inverse.cx, y = inverse.cy, z = inverse.cz;
  const double six[6] = {x.x, y.y, z.z, x.y, x.z, y.z};
  for (uint32_t k = 0; k < 6; k++) {
    mass->inverse_inertia[k] = (float)six[k];
  }
}

static void stiffen_all(const taut_bodies *taut, const mo_substep_joints *joints,
                        mo_substep_solver *step) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    mo_joint_lanes *lanes = &groups->lanes[i];
    if (lanes->point == MO_SUBSTEP_POINT_BALL && has_taut(taut, lanes)) {
      add_lanes(taut, lanes, joints, &step->settings);
    }
  }
  for (uint32_t i = 1; i < step->body_count; i++) {
    if (taut->places[i] > 0) {
      stiffen(&taut->list[taut->places[i]], &step->masses[i]);
    }
  }
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    if (has_taut(taut, &groups->lanes[i])) {
      mo_joint_lanes_weigh(&groups->lanes[i], step);
    }
  }
}

bool mo_joints_stiffen(const mo_substep_joints *joints, mo_substep_solver *step) {
  taut_bodies taut = {0};
  if (!find_taut(joints, step, &taut)) {
    return false;
  }
  if (taut.count > 0) {
    stiffen_all(&taut, joints, step);
  }
  return true;
}
