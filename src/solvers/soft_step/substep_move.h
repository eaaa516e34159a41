/// Moves a body of soft-step for a time, by its present velocities.
#pragma once

#include "math/simd.h"
#include "solvers/soft_step/substep.h"

/// Displacement and rotation += h velocities; h in s, negative to take a move back.
static inline void mo_solver_body_move(mo_solver_body *body, const mo_solver_mass *mass,
                                       mo_substep_spin *spins, float h) {
  mo_f32x4 by = mo_f32x4_splat(h), w = mo_f32x4_load(body->angular_velocity);
  mo_f32x4_store(body->displacement,
                 mo_f32x4_load(body->displacement) + by * mo_f32x4_load(body->linear_velocity));
  mo_f32x4 turn = mo_f32x4_load(body->rotation) + by * w;
  mo_substep_spin *fast = mo_solver_mass_spin(mass, spins);
  if (fast) {
    mo_vec3 t = mo_substep_spin_turn(fast, mo_v3(w[0], w[1], w[2]), (double)h);
    turn = mo_f32x4_set((float)t.x, (float)t.y, (float)t.z, 0.0f);
  }
  mo_f32x4_store(body->rotation, turn);
}
