/// Soft-step: contacts and joints as stiff, damped springs that are solved implicitly, a few small
/// steps per step of the world, one Gauss-Seidel pass each, four at a time (soft constraints: Catto
/// 2011; small steps: Macklin et al. 2019, "Small Steps in Physics Simulation").
///
///   prepare -> per substep { velocities += forces, warm start, solve with bias, positions += h
///   velocities, relax: solve without bias } -> restitution -> store
///
/// Velocities and the way since the start of the step are float; what is far away, poses, is
/// double and does not enter but through differences.
#pragma once

#include "dynamics/body.h"
#include "memory/arena.h"
#include "solvers/substep/substep_contact.h"

/// Colours of the contact graph. No two contacts of a colour share a body that moves, so that any
/// four can be solved at once; but the last colour takes what found no other and is solved one by
/// one.
#define MO_SUBSTEP_COLOURS 24

/// The moving state of a body in a step: one line of the cache. Lane 3 of each is free for the
/// solver. Index 0 stands for everything that does not move and stays zero.
typedef struct mo_solver_body {
  float linear_velocity[4];  ///< m/s
  float angular_velocity[4]; ///< rad/s, world
  float displacement[4];     ///< m, of the centre of mass since the start of the step
  float rotation[4];         ///< rad, rotation vector since the start of the step, world
} mo_solver_body;

/// What a body keeps during a step.
typedef struct mo_solver_mass {
  float inverse_mass;       ///< 1/kg, 0 for kinematic bodies
  float inverse_inertia[6]; ///< world axes at the start of the step: xx yy zz xy xz yz
  float turns; ///< above 0: its own inertia turns its spin in every substep, which angular_gain
               ///< leaves out then. Also makes inverse mass and inertia two 16-byte loads
  float linear_gain[4];  ///< m/s that forces add per substep
  float angular_gain[4]; ///< rad/s, likewise
} mo_solver_mass;

/// Contacts of one colour, owned by the world and persistent.
typedef struct mo_substep_colour {
  mo_substep_contact *contacts;
  uint32_t contacts_count, contacts_capacity;
} mo_substep_colour;

typedef struct mo_substep_settings {
  double dt; ///< s, of the whole step
  uint32_t substeps;
  double contact_hertz;         ///< 1/s, at most 1/(8 h) is used
  double contact_damping;       ///< damping ratio of contacts
  double joint_hertz;           ///< 1/s
  double joint_damping;         ///< damping ratio of joints
  double linear_slop;           ///< m: what friction takes for touching
  double max_correction_speed;  ///< m/s
  double restitution_threshold; ///< m/s
  double impulse_scale;         ///< of the warm start: new dt / old dt, 0 for none
  bool friction_per_point;      ///< each point its own disc, instead of one and a twist per contact
} mo_substep_settings;

typedef struct mo_substep_joints mo_substep_joints;
typedef struct mo_contact_solve mo_contact_solve;

/// One step, as the world hands it over.
typedef struct mo_substep_solver {
  mo_substep_settings settings;
  const mo_motion *motions; ///< per slot, at the start of the step
  const uint32_t *indices;  ///< per slot: index of its mo_solver_body, 0 where it does not move
  mo_solver_body *bodies;   ///< velocities at the start in, all of the end out
  const mo_solver_mass *masses;
  uint32_t body_count;        ///< with index 0
  mo_substep_colour *colours; ///< MO_SUBSTEP_COLOURS
  mo_substep_joints *joints;  ///< or null
  mo_arena *arena;            ///< working memory
  mo_contact_solve *contacts; ///< the solver's own, in the arena, from solve to store
} mo_substep_solver;

/// Solves the step: moves `bodies`. Contacts and joints are only read.
/// @return false without memory
bool mo_substep_solve(mo_substep_solver *step);
/// Leaves the impulses of a step that was solved in the contacts and joints.
/// @return bits of the colours whose contacts changed places
uint32_t mo_substep_store(mo_substep_solver *step);
