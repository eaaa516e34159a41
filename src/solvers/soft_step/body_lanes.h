/// Loads and stores soft-step's bodies four at a time. Each body is one 64-byte line, moved by
/// 16-byte loads and transposes instead of float by float.
///
/// Lanes without a body have index 0. Index 0 and kinematic bodies may stand in several lanes, even
/// of ranges that run on different threads. A lane is to write back only the bits that it read. An
/// impulse may overflow, and zero inverse mass times infinity is no zero, so contacts mask what
/// they change (mo_moving_part); joints do not. Builds with threads do not write such lanes: any
/// write is a data race, and the cache line would move from thread to thread. Builds without
/// threads do write them, because a test per lane takes longer. (Writing turns -0 into +0, so the
/// velocities of these bodies have no -0.)
#pragma once

#include "math/simd.h"
#include "solvers/soft_step/substep.h"

/// Velocities of four bodies: m/s and rad/s, world.
typedef struct mo_velocity_lanes {
  mo_vec3x4 linear, angular;
} mo_velocity_lanes;

/// Their displacements since the start of the step: m and rad (rotation vector), world.
typedef struct mo_displacement_lanes {
  mo_vec3x4 displacement, rotation;
} mo_displacement_lanes;

/// Smaller components of unit vectors, of lengths in metres and of spins in rad/s are round-off, as
/// of bodies that are aligned with the axes. Their products would be subnormal floats, which take a
/// hundred times as long.
#define MO_LEAST_COMPONENT 1e-12f

/// Rounds small numbers to zero.
static inline mo_f32x4 mo_without_round_off(mo_f32x4 x, float least) {
  return mo_f32x4_keep(mo_f32x4_abs(x) >= mo_f32x4_splat(least), x);
}

/// A vector as a row of x y z 0.
static inline mo_f32x4 mo_row_of(mo_vec3 v) {
  return mo_f32x4_set((float)v.x, (float)v.y, (float)v.z, 0.0f);
}

/// A lane of four vectors.
static inline mo_vec3 mo_lane_vector(const mo_vec3x4 *v, uint32_t lane) {
  return mo_v3(v->x[lane], v->y[lane], v->z[lane]);
}

/// Transposes four rows of x y z and an unused fourth into one vector per lane.
static inline mo_vec3x4 mo_lanes_of_rows(mo_f32x4 a, mo_f32x4 b, mo_f32x4 c, mo_f32x4 d) {
  mo_f32x4_transpose(&a, &b, &c, &d);
  return (mo_vec3x4){a, b, c};
}

/// Loads row `indices[i]` of an array, whose rows begin every `stride` floats, into lane i.
static inline mo_vec3x4 mo_gather_rows(const float *rows, uint32_t stride,
                                       const uint32_t indices[4]) {
  return mo_lanes_of_rows(mo_f32x4_load(rows + (size_t)indices[0] * stride),
                          mo_f32x4_load(rows + (size_t)indices[1] * stride),
                          mo_f32x4_load(rows + (size_t)indices[2] * stride),
                          mo_f32x4_load(rows + (size_t)indices[3] * stride));
}

/// Floats from one item to the next of an array of these.
#define MO_FLOATS_OF(type) ((uint32_t)(sizeof(type) / sizeof(float)))

static inline mo_velocity_lanes mo_gather_velocities(const mo_solver_body *bodies,
                                                     const uint32_t indices[4]) {
  return (mo_velocity_lanes){
      mo_gather_rows(bodies->linear_velocity, MO_FLOATS_OF(mo_solver_body), indices),
      mo_gather_rows(bodies->angular_velocity, MO_FLOATS_OF(mo_solver_body), indices)};
}

static inline mo_displacement_lanes mo_gather_displacements(const mo_solver_body *bodies,
                                                            const uint32_t indices[4]) {
  return (mo_displacement_lanes){
      mo_gather_rows(bodies->displacement, MO_FLOATS_OF(mo_solver_body), indices),
      mo_gather_rows(bodies->rotation, MO_FLOATS_OF(mo_solver_body), indices)};
}

// --- one body --------------------------------------------------------------------------------

static inline mo_mat3 mo_solver_inverse_inertia(const mo_solver_mass *mass) {
  const float *i = mass->inverse_inertia;
  return (mo_mat3){{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}};
}

/// The velocities of body `i` after the forces and the damping of a substep.
static inline void mo_add_forces(const mo_solver_mass *masses, const mo_solver_loss *losses,
                                 uint32_t i, mo_f32x4 *v, mo_f32x4 *w) {
  mo_f32x4 dv = mo_f32x4_load(masses[i].linear_gain), dw = mo_f32x4_load(masses[i].angular_gain);
  if (losses) {
    dv -= mo_f32x4_splat(losses[i].linear) * *v;
    dw -= mo_f32x4_splat(losses[i].angular) * *w;
  }
  *v += dv;
  *w += dw;
}

// --- masses ----------------------------------------------------------------------------------

/// Inverse masses and inertias (world axes) of four bodies.
typedef struct mo_mass_lanes {
  mo_f32x4 inverse_mass;
  mo_f32x4 xx, yy, zz, xy, xz, yz;
} mo_mass_lanes;

static inline mo_mass_lanes mo_gather_masses(const mo_solver_mass *masses,
                                             const uint32_t indices[4]) {
  mo_f32x4 head[4], tail[4];
  for (int i = 0; i < 4; i++) {
    // a mass begins with its inverse mass and the six of the inertia
    const float *mass = &masses[indices[i]].inverse_mass;
    head[i] = mo_f32x4_load(mass);
    tail[i] = mo_f32x4_load(mass + 4);
  }
  mo_f32x4_transpose(&head[0], &head[1], &head[2], &head[3]);
  mo_f32x4_transpose(&tail[0], &tail[1], &tail[2], &tail[3]);
  return (mo_mass_lanes){head[0], head[1], head[2], head[3], tail[0], tail[1], tail[2]};
}

/// Applies the inverse inertias to vectors in world axes.
static inline mo_vec3x4 mo_mass_lanes_turn(const mo_mass_lanes *m, mo_vec3x4 v) {
  return (mo_vec3x4){m->xx * v.x + m->xy * v.y + m->xz * v.z,
                     m->xy * v.x + m->yy * v.y + m->yz * v.z,
                     m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

// --- writing ---------------------------------------------------------------------------------

/// Lanes whose bodies are written, as bits: at least those of moving bodies.
static inline int mo_written_lanes(const mo_mass_lanes *m) {
#ifdef MO_THREADS
  return mo_i32x4_bits(m->inverse_mass > mo_f32x4_zero());
#else
  (void)m;
  return 15;
#endif
}

/// A change of the bodies' velocities where they move, zero elsewhere, also if it is not finite.
static inline mo_vec3x4 mo_moving_part(const mo_mass_lanes *m, mo_vec3x4 change) {
  mo_i32x4 moves = m->inverse_mass > mo_f32x4_zero();
  return (mo_vec3x4){mo_f32x4_keep(moves, change.x), mo_f32x4_keep(moves, change.y),
                     mo_f32x4_keep(moves, change.z)};
}

/// Stores a vector per lane as rows, whose fourth float becomes zero.
static inline void mo_scatter_rows(float *rows, uint32_t stride, const uint32_t indices[4],
                                   int written, mo_vec3x4 v) {
  mo_f32x4 none = mo_f32x4_zero();
  mo_f32x4_transpose(&v.x, &v.y, &v.z, &none);
  const mo_f32x4 values[4] = {v.x, v.y, v.z, none};
  for (int i = 0; i < 4; i++) {
    if (written & 1 << i) {
      mo_f32x4_store(rows + (size_t)indices[i] * stride, values[i]);
    }
  }
}

static inline void mo_scatter_velocities(mo_solver_body *bodies, const uint32_t indices[4],
                                         const mo_mass_lanes *masses, mo_velocity_lanes v) {
  int written = mo_written_lanes(masses);
  mo_scatter_rows(bodies->linear_velocity, MO_FLOATS_OF(mo_solver_body), indices, written,
                  v.linear);
  mo_scatter_rows(bodies->angular_velocity, MO_FLOATS_OF(mo_solver_body), indices, written,
                  v.angular);
}
