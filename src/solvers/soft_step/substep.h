/// What soft-step's solver works on: the bodies, contacts and settings of one step.
#pragma once

#include "dynamics/body.h"
#include "memory/arena.h"
#include "solvers/soft_step/substep_contact.h"
#include "solvers/soft_step/substep_spin.h"

/// Colours of the contact graph. No two contacts of a colour share a moving body, so any four can
/// be solved at once. The last colour takes the contacts that fit into no other, and is solved one
/// by one.
#define MO_SUBSTEP_COLOURS 24

/// Bodies of a block of neighbours: they and their contacts of a colour fit into the cache of one
/// core.
#define MO_BLOCK_BODIES 1024u
/// Fewer blocks would leave threads without work. Fewer bodies fit into the cache in any order.
#define MO_LEAST_BLOCKS 4u
/// Bodies, groups of four contacts and lanes of joints that a thread takes at a time: few, so that
/// a small scene is shared too.
#define MO_BODIES_AT_ONCE 64u
#define MO_GROUPS_AT_ONCE 8u

/// The moving state of a body in a step: one cache line. Lane 3 of each row is free for the solver.
/// Index 0 stands for everything that does not move, and stays zero.
typedef struct mo_solver_body {
  float linear_velocity[4];  ///< m/s
  float angular_velocity[4]; ///< rad/s, world
  float displacement[4];     ///< m, of the centre of mass since the start of the step
  float rotation[4];         ///< rad, rotation vector since the start of the step, world
} mo_solver_body;

/// Where the gyroscopic change of a body's spin is made.
typedef enum mo_spin_rule {
  MO_SPIN_BY_GAIN,        ///< for the whole step: it is part of angular_gain
  MO_SPIN_IN_FROZEN_AXES, ///< in every substep, as if the body had not turned in the step
  MO_SPIN_BY_MOMENTUM,    ///< in every substep, as its mo_substep_spin has it
} mo_spin_rule;

/// Data of a body that stays the same during a step.
typedef struct mo_solver_mass {
  float inverse_mass;       ///< 1/kg, 0 for kinematic bodies
  float inverse_inertia[6]; ///< world axes at the start of the step: xx yy zz xy xz yz
  mo_spin_rule spin_rule;   ///< fills the second of two 16-byte loads
  float linear_gain[4];     ///< m/s that forces add per substep
  float angular_gain[4];    ///< rad/s that forces add per substep
} mo_solver_mass;

_Static_assert(sizeof(mo_solver_mass) == 16 * sizeof(float), "a mass is one cache line");

/// What damping does to a body in a substep, as part of the same law as its forces: with v' = a - c
/// v a substep takes v to v - lost v + gain, and an impulse changes it by as much as the force of
/// that mean does. So gains, inverse mass and inverse inertia of the body have the factor (1 -
/// exp(-c h)) / (c h) in them (mo_decay), and what rests carries its weight, whatever c is.
typedef struct mo_solver_loss {
  float linear, angular; ///< parts of the velocities that are lost
} mo_solver_loss;

/// Contacts of one colour, owned by the world and persistent.
typedef struct mo_substep_colour {
  mo_substep_contact *contacts;
  uint32_t contacts_count, contacts_capacity;
} mo_substep_colour;

/// What a contact has in addition if a surface moves or resists rolling or spinning, or if its
/// bodies turn together.
typedef struct mo_substep_surface {
  uint32_t colour, index;  ///< the contact, in the order before the step
  uint32_t contact;        ///< the same, as the caller knows it
  float slide[3];          ///< m/s, world: the surface of B relative to that of A
  float rolling, spinning; ///< m: bounds of the torques per normal force
  float start_twist[3]; ///< N m s, world, on B: in, of the last substep of the last step; out, of
                        ///< this one
  float twist[3];       ///< out: the sum over the step
  /// m, world: of B relative to A, what the rows leave out of the way of the contact's place until
  /// the start of each substep and the end of the step, three numbers each; null: nothing.
  const float *bends;
  bool arms_move; ///< bends are those of this step alone: the slide that is told has none of them
} mo_substep_surface;

typedef struct mo_substep_settings {
  double dt; ///< s, of the whole step
  uint32_t substeps;
  double contact_hertz;         ///< 1/s, see substep_hertz.h
  double contact_damping;       ///< damping ratio of contacts
  double joint_hertz;           ///< 1/s, see substep_hertz.h
  double joint_damping;         ///< damping ratio of joints
  double metre;                 ///< in the unit of lengths here
  double linear_slop;           ///< m: friction counts smaller separations as touching
  double max_correction_speed;  ///< m/s
  double restitution_threshold; ///< m/s
  double impulse_scale;         ///< of the warm start: new dt / old dt, 0 for none
  uint32_t last_substeps;       ///< of the last step; 0 for as many as this one has
} mo_substep_settings;

typedef struct mo_substep_joints mo_substep_joints;
typedef struct mo_contact_solve mo_contact_solve;
typedef struct mo_joint_closing mo_joint_closing;

/// A point that an impact before the first substep struck.
typedef struct mo_struck_point {
  mo_substep_contact *contact;
  uint32_t point;
  float impulse; ///< N s
} mo_struck_point;

/// The bodies whose velocities were changed when joints were closed after the contacts.
typedef struct mo_stirred_bodies {
  bool *are; ///< per body
  _Atomic bool any;
} mo_stirred_bodies;

/// What contacts have to do with bodies in joints (touched_bodies.h).
typedef struct mo_touched_bodies {
  bool *are;     ///< per body: it has contacts
  bool *reached; ///< per body: joints link it to one that has, or it has some itself
} mo_touched_bodies;

/// The problem of one step.
typedef struct mo_substep_solver {
  mo_substep_settings settings;
  const mo_motion *motions; ///< per slot, at the start of the step
  const mo_motion *starts;  ///< per body: the same, where `motions` has others before the store
  const uint32_t *indices;  ///< per slot: index of its mo_solver_body; 0: it does not move
  mo_solver_body *bodies;   ///< in: velocities at the start; out: all of the end
  mo_solver_mass *masses;   ///< per body; taut joints make inertias larger here (joint_stiffness.h)
  mo_substep_spin *spins;   ///< per body: of those with MO_SPIN_BY_MOMENTUM; or null
  const mo_solver_loss *losses; ///< per body; null: none is damped
  uint32_t body_count;          ///< with index 0
  const bool *in_joints;        ///< per body: joints hand loads on to its contacts; or null
  const bool *carried; ///< per body: a kinematic body that accelerates carries it; or null: none
  mo_substep_colour *colours;   ///< MO_SUBSTEP_COLOURS
  mo_substep_joints *joints;    ///< or null
  mo_substep_surface *surfaces; ///< of contacts that have some; or null
  uint32_t surface_count;
  mo_touched_bodies *touched;    ///< while the step is solved; null without joints or contacts
  mo_stirred_bodies *stirred;    ///< likewise
  mo_joint_closing *closing;     ///< likewise, from the first joint on that contacts open
  const mo_struck_point *struck; ///< their impulses are added to those of the step
  uint32_t struck_count;
  mo_arena *arena;            ///< working memory
  mo_contact_solve *contacts; ///< the solver's own, in the arena, from solve to store
} mo_substep_solver;

/// Whether impulses move a body of the step.
static inline bool mo_solver_moves(const mo_substep_solver *step, uint32_t body) {
  return step->masses[body].inverse_mass > 0.0f;
}
