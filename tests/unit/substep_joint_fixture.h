/// Bodies on joints under soft-step without contacts: a loop of its own, as small as can be.
#pragma once

#include "constraints/substep_joint.h"
#include "dynamics/body.h"
#include "math/quat.h"
#include "solvers/soft_step/substep_joints.h"

#include <stdlib.h>

#define SOFT_WORLD UINT32_MAX

typedef struct substep_scene {
  mo_motion *motions;
  mo_mass *masses;
  mo_substep_joint *joints;
  uint32_t *indices;
  mo_substep_coordinate *coordinates;
  uint32_t body_count, joint_count, coordinate_count;
  mo_vec3 gravity;
  mo_substep_settings settings;
  mo_substep_rows *rows; // or null
  mo_arena arena;
} substep_scene;

static inline substep_scene substep_scene_begin(uint32_t bodies, uint32_t joints) {
  return (substep_scene){.motions = calloc(bodies, sizeof(mo_motion)),
                         .masses = calloc(bodies, sizeof(mo_mass)),
                         .indices = calloc(bodies, sizeof(uint32_t)),
                         .joints = calloc(joints, sizeof(mo_substep_joint)),
                         .coordinates = calloc(2 * joints, sizeof(mo_substep_coordinate)),
                         .gravity = {0.0, 0.0, -9.81},
                         .settings = {.dt = 1.0 / 60.0,
                                      .metre = 1.0,
                                      .substeps = 4,
                                      .contact_hertz = 30.0,
                                      .contact_damping = 10.0,
                                      .joint_hertz = 120.0,
                                      .joint_damping = 1.0,
                                      .linear_slop = 0.005,
                                      .max_correction_speed = 3.0,
                                      .restitution_threshold = 1.0,
                                      .impulse_scale = 1.0}};
}

static inline void substep_scene_end(substep_scene *s) {
  free(s->motions);
  free(s->masses);
  free(s->indices);
  free(s->joints);
  free(s->coordinates);
  mo_arena_free(&s->arena);
}

/// A body at rest with its centre of mass there; mass 0: it does not move.
static inline uint32_t substep_body(substep_scene *s, mo_vec3 at, double mass, double inertia) {
  uint32_t slot = s->body_count++;
  s->motions[slot] =
      (mo_motion){.position = at, .center_of_mass = at, .orientation = mo_quat_identity()};
  s->masses[slot] = (mo_mass){
      .mass = mass, .inertia = mo_mat3_diagonal(inertia, inertia, inertia), .is_isotropic = true};
  if (mass > 0.0) {
    mo_mass_complete(&s->masses[slot]);
  }
  return slot;
}

static inline mo_substep_joint *substep_joint(substep_scene *s, mo_substep_point_lock point,
                                              mo_substep_angle_lock angle, uint32_t a, uint32_t b,
                                              mo_vec3 arm_a, mo_vec3 arm_b) {
  mo_substep_joint *joint = &s->joints[s->joint_count++];
  *joint = (mo_substep_joint){.slot_a = a,
                              .slot_b = b,
                              .point = point,
                              .angle = angle,
                              .arm_a = arm_a,
                              .arm_b = arm_b,
                              .frame_a = mo_quat_identity(),
                              .frame_b = mo_quat_identity()};
  return joint;
}

/// Gives a joint a coordinate; all of one joint, then all of the next.
static inline mo_substep_coordinate *substep_coordinate(substep_scene *s, mo_substep_joint *joint,
                                                        mo_substep_coordinate_kind kind,
                                                        double lower, double upper) {
  if (joint->coordinate_count++ == 0) {
    joint->first_coordinate = s->coordinate_count;
  }
  mo_substep_coordinate *coordinate = &s->coordinates[s->coordinate_count++];
  *coordinate = (mo_substep_coordinate){.kind = kind, .lower = lower, .upper = upper};
  return coordinate;
}

/// A ball at a point of the world, for bodies that are not turned.
static inline mo_substep_joint *soft_ball(substep_scene *s, uint32_t a, uint32_t b, mo_vec3 point) {
  mo_vec3 arm_a = a == SOFT_WORLD ? point : mo_sub(point, s->motions[a].center_of_mass);
  mo_vec3 arm_b = mo_sub(point, s->motions[b].center_of_mass);
  return substep_joint(s, MO_SUBSTEP_POINT_BALL, MO_SUBSTEP_ANGLE_FREE, a, b, arm_a, arm_b);
}

static inline mo_vec3 substep_point(const substep_scene *s, uint32_t slot, mo_vec3 arm) {
  const mo_motion *m = &s->motions[slot == SOFT_WORLD ? 0 : slot];
  return slot == SOFT_WORLD ? arm : mo_add(m->center_of_mass, mo_quat_rotate(m->orientation, arm));
}

/// From A's point to B's, m.
static inline mo_vec3 soft_offset(const substep_scene *s, const mo_substep_joint *joint) {
  return mo_sub(substep_point(s, joint->slot_b, joint->arm_b),
                substep_point(s, joint->slot_a, joint->arm_a));
}

static inline double soft_worst_error(const substep_scene *s) {
  double worst = 0.0;
  for (uint32_t i = 0; i < s->joint_count; i++) {
    worst = mo_max(worst, mo_length(soft_offset(s, &s->joints[i])));
  }
  return worst;
}

// --- a step ----------------------------------------------------------------------------------

static inline void soft_put(float *to, mo_vec3 v) {
  to[0] = (float)v.x;
  to[1] = (float)v.y;
  to[2] = (float)v.z;
}

static inline mo_vec3 soft_get(const float *from) {
  return mo_v3((double)from[0], (double)from[1], (double)from[2]);
}

/// Bodies, masses and indices of a step. False without memory.
static inline bool soft_step_begin(substep_scene *s, mo_substep_joints *joints,
                                   mo_substep_solver *step) {
  mo_arena_reset(&s->arena);
  mo_solver_body *bodies = MO_ARENA_TAKE(&s->arena, mo_solver_body, s->body_count + 1);
  mo_solver_mass *masses = MO_ARENA_TAKE(&s->arena, mo_solver_mass, s->body_count + 1);
  if (!bodies || !masses) {
    return false;
  }
  double h = s->settings.dt / s->settings.substeps;
  uint32_t count = 1;
  for (uint32_t slot = 0; slot < s->body_count; slot++) {
    const mo_motion *m = &s->motions[slot];
    bool is_static = s->masses[slot].mass == 0.0 && mo_length(m->linear_velocity) == 0.0 &&
                     mo_length(m->angular_velocity) == 0.0;
    s->indices[slot] = is_static ? 0 : count++;
    if (is_static) {
      continue;
    }
    mo_solver_body *body = &bodies[s->indices[slot]];
    mo_solver_mass *mass = &masses[s->indices[slot]];
    soft_put(body->linear_velocity, m->linear_velocity);
    soft_put(body->angular_velocity, m->angular_velocity);
    mo_mat3 inverse = mo_motion_world_tensor(m, s->masses[slot].inverse_inertia);
    mass->inverse_mass = (float)s->masses[slot].inverse_mass;
    const double six[6] = {inverse.cx.x, inverse.cy.y, inverse.cz.z,
                           inverse.cy.x, inverse.cz.x, inverse.cz.y};
    for (int i = 0; i < 6; i++) {
      mass->inverse_inertia[i] = (float)six[i];
    }
    if (s->masses[slot].mass > 0.0) {
      soft_put(mass->linear_gain, mo_scale(h, s->gravity));
    }
  }
  *joints = (mo_substep_joints){.joints = s->joints,
                                .count = s->joint_count,
                                .coordinates = s->coordinates,
                                .rows = s->rows,
                                .arena = &s->arena};
  *step = (mo_substep_solver){.settings = s->settings,
                              .motions = s->motions,
                              .indices = s->indices,
                              .bodies = bodies,
                              .masses = masses,
                              .body_count = count,
                              .joints = joints,
                              .arena = &s->arena};
  return true;
}

static inline void soft_push_bodies(mo_substep_solver *step) {
  for (uint32_t i = 1; i < step->body_count; i++) {
    for (int c = 0; c < 3; c++) {
      step->bodies[i].linear_velocity[c] += step->masses[i].linear_gain[c];
    }
  }
}

static inline void soft_move_bodies(mo_substep_solver *step) {
  float h = (float)(step->settings.dt / step->settings.substeps);
  for (uint32_t i = 1; i < step->body_count; i++) {
    mo_solver_body *body = &step->bodies[i];
    for (int c = 0; c < 3; c++) {
      body->displacement[c] += h * body->linear_velocity[c];
      body->rotation[c] += h * body->angular_velocity[c];
    }
  }
}

static inline void soft_step_substeps(mo_substep_joints *joints, mo_substep_solver *step) {
  for (uint32_t k = 0; k < step->settings.substeps; k++) {
    soft_push_bodies(step);
    mo_substep_joints_solve(joints, step, true);
    soft_move_bodies(step);
    mo_substep_joints_solve(joints, step, false);
  }
}

static inline void soft_step_end(substep_scene *s, const mo_substep_solver *step) {
  for (uint32_t slot = 0; slot < s->body_count; slot++) {
    mo_motion *m = &s->motions[slot];
    if (s->indices[slot] > 0) {
      const mo_solver_body *body = &step->bodies[s->indices[slot]];
      m->center_of_mass = mo_add(m->center_of_mass, soft_get(body->displacement));
      m->position = m->center_of_mass;
      m->orientation =
          mo_quat_normalize(mo_quat_mul(mo_quat_exp(soft_get(body->rotation)), m->orientation));
      m->linear_velocity = soft_get(body->linear_velocity);
      m->angular_velocity = soft_get(body->angular_velocity);
    }
  }
}

/// One step of the world. False without memory, with nothing moved.
static inline bool substep_scene_step(substep_scene *s) {
  mo_substep_joints joints;
  mo_substep_solver step;
  if (!soft_step_begin(s, &joints, &step) || !mo_substep_joints_prepare(&joints, &step)) {
    return false;
  }
  soft_step_substeps(&joints, &step);
  mo_substep_joints_store(&joints, &step);
  soft_step_end(s, &step);
  return true;
}

// --- scenes ----------------------------------------------------------------------------------

/// A horizontal sheet of n x n balls of 1 kg and radius 0.4 m, 1 m apart, linked to their
/// neighbours half-way, its first row to the world: it swings down.
static inline substep_scene soft_sheet(uint32_t n) {
  substep_scene s = substep_scene_begin(n * n, 2 * n * n);
  for (uint32_t row = 0; row < n; row++) {
    for (uint32_t column = 0; column < n; column++) {
      uint32_t slot = substep_body(&s, mo_v3(column, row, 0.0), 1.0, 0.064);
      soft_ball(&s, row == 0 ? SOFT_WORLD : slot - n, slot, mo_v3(column, row - 0.5, 0.0));
      if (column > 0) {
        soft_ball(&s, slot - 1, slot, mo_v3(column - 0.5, row, 0.0));
      }
    }
  }
  return s;
}

/// Chains of links of 1 m and 1 kg, let go from the horizontal; the last link has another mass.
static inline substep_scene soft_chains(uint32_t chains, uint32_t links, double end_mass) {
  substep_scene s = substep_scene_begin(chains * links, chains * links);
  for (uint32_t c = 0; c < chains; c++) {
    for (uint32_t i = 0; i < links; i++) {
      double mass = i + 1 == links ? end_mass : 1.0, y = 5.0 * c;
      uint32_t slot = substep_body(&s, mo_v3(i + 0.5, y, 0.0), mass, 0.0585 * mass);
      soft_ball(&s, i == 0 ? SOFT_WORLD : slot - 1, slot, mo_v3(i, y, 0.0));
    }
  }
  return s;
}
