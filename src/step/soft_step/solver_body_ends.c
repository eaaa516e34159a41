/// Motions of soft-step's bodies at the end of a step.
#include "dynamics/integrator.h"
#include "math/simd.h"
#include "parallel/parallel.h"
#include "step/soft_step/joint_energy.h"
#include "step/soft_step/pushed_bodies.h"
#include "step/soft_step/solver_bodies.h"

#include <stdatomic.h>

// rad per step: below this, a spin that does not follow the body's turn keeps its energy.
#define LEAST_TURN 0.05

// --- bodies that touch nothing ---------------------------------------------------------------

static mo_decay decay_of(const mo_soft_step *s, double coefficient) {
  return mo_decay_of(coefficient, s->dt / s->substeps, s->substeps);
}

// A velocity at the end of the step, from that without damping.
static mo_vec3 damped(const mo_soft_step *s, double coefficient, mo_vec3 start, mo_vec3 end) {
  if (!(coefficient > 0.0)) {
    return end;
  }
  mo_decay decay = decay_of(s, coefficient);
  return mo_add_scaled(mo_scale(decay.kept, start), decay.mean, mo_sub(end, start));
}

mo_velocity mo_free_body_velocity(const mo_soft_step *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_motion *start = &s->world->motions[slot];
  mo_motion motion;
  mo_motion_copy(&motion, start);
  if (body->type == MO_BODY_DYNAMIC) {
    mo_kick(&body->mass, &s->soft->wrenches[slot], s->dt, &motion);
  }
  return (mo_velocity){
      damped(s, body->linear_damping, start->linear_velocity, motion.linear_velocity),
      damped(s, body->angular_damping, start->angular_velocity, motion.angular_velocity)};
}

// The velocity with which a body moves. `weight` is the part of that at the end without damping: 1
// if all of it is there from the start of the step.
static mo_vec3 moving(const mo_soft_step *s, double coefficient, double weight, mo_vec3 start,
                      mo_vec3 end) {
  if (coefficient > 0.0 && weight < 1.0) {
    weight = decay_of(s, coefficient).weight;
  }
  return mo_lerp(start, end, weight);
}

// Moves a body that has no contact or constraint, in double precision. Gravity alone displaces it
// as it displaces the others in their substeps: by the mean of the velocities there. Other forces
// act at the start of the step (pushed_bodies.h). Its angular momentum keeps its direction and
// size.
static void move_free(const mo_soft_step *s, uint32_t slot, mo_velocity free, mo_motion *motion) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_mass *mass = &body->mass;
  double n = s->substeps;
  double weight = mo_body_is_pushed(s, slot) ? 1.0 : (n + 1.0) / (2.0 * n);
  mo_vec3 linear = moving(s, body->linear_damping, weight, motion->linear_velocity, free.linear);
  mo_vec3 spin = moving(s, body->angular_damping, weight, motion->angular_velocity, free.angular);
  if (mass->is_isotropic) {
    mo_integrate_pose(motion, mass->center_of_mass, linear, spin, s->dt);
  } else {
    mo_rotation turn = mo_integrate_free_rotation(mass, motion->orientation, free.angular, s->dt);
    mo_integrate_pose(motion, mass->center_of_mass, linear, mo_v3_zero(), s->dt);
    motion->orientation = turn.orientation;
    free.angular = turn.angular_velocity;
    mo_motion_update_origin(motion, mass->center_of_mass);
  }
  motion->linear_velocity = free.linear;
  motion->angular_velocity = free.angular;
}

// --- bodies that the solver moves ------------------------------------------------------------

static void move_kinematic(const mo_soft_step *s, uint32_t slot, mo_motion *motion) {
  mo_integrate_pose(motion, s->world->bodies[slot].mass.center_of_mass, motion->linear_velocity,
                    motion->angular_velocity, s->dt);
}

// A body on its way to the end of the step.
typedef struct solved_body {
  uint32_t slot, place; // its slot and its place among the awake ones
  mo_motion *motion;    // at the end, but for orientation and position
  mo_vec3 turn;         // rad, rotation vector, world
} solved_body;

// What is missing from the displacement of a body.
MO_APART void add_lag(const mo_soft_step *s, uint32_t slot, mo_velocity end, mo_velocity *moved) {
  const mo_motion *start = &s->world->motions[slot];
  double lag = mo_pushed_body_lag(s, slot);
  if (lag > 0.0) {
    moved->linear = mo_add_scaled(moved->linear, lag, mo_sub(end.linear, start->linear_velocity));
    moved->angular =
        mo_add_scaled(moved->angular, lag, mo_sub(end.angular, start->angular_velocity));
  }
}

static inline solved_body begin_solved(const mo_soft_step *s, uint32_t place) {
  uint32_t slot = s->world->awake[place];
  const mo_solver_body *body = &s->soft->step.bodies[s->soft->indices[slot]];
  const mo_motion *start = &s->world->motions[slot];
  mo_motion *motion = &s->soft->end[place];
  mo_velocity end = {mo_v3_from_floats(body->linear_velocity),
                     mo_v3_from_floats(body->angular_velocity)};
  mo_velocity moved = {mo_v3_from_floats(body->displacement), mo_v3_from_floats(body->rotation)};
  if (s->soft->has_pushed) {
    add_lag(s, slot, end, &moved);
  }
  motion->orientation = start->orientation;
  motion->center_of_mass = mo_add(start->center_of_mass, moved.linear);
  motion->linear_velocity = end.linear;
  motion->angular_velocity = end.angular;
  return (solved_body){slot, place, motion, moved.angular};
}

// Turns the spin from axes that the body has been in to those of the end.
static inline void turn_spin(mo_quat from, mo_motion *motion) {
  mo_quat turn = mo_quat_mul(motion->orientation, mo_quat_conjugate(from));
  motion->angular_velocity = mo_quat_rotate(turn, motion->angular_velocity);
}

static inline void end_solved(const mo_soft_step *s, const solved_body *of) {
  const mo_body *body = &s->world->bodies[of->slot];
  mo_motion *motion = of->motion;
  const mo_motion *start = &s->world->motions[of->slot];
  uint32_t index = s->soft->indices[of->slot];
  mo_spin_rule rule = s->soft->masses[index].spin_rule;
  if (rule == MO_SPIN_BY_MOMENTUM) {
    const mo_substep_spin *spin = &s->soft->step.spins[index];
    motion->orientation = spin->orientation;
    motion->angular_velocity = mo_substep_spin_end(spin, motion->angular_velocity);
  }
  mo_motion_update_origin(motion, body->mass.center_of_mass);
  bool is_turned = mo_length_squared(of->turn) > mo_square(LEAST_TURN);
  if (rule == MO_SPIN_IN_FROZEN_AXES) {
    turn_spin(mo_solver_middle_orientation(s, start), motion);
  } else if (is_turned && mo_body_turns_its_spin(s, of->slot)) {
    turn_spin(start->orientation, motion);
  }
}

// --- all -------------------------------------------------------------------------------------

// A range of awake bodies.
typedef struct body_range {
  const mo_soft_step *step;
  _Atomic uint32_t infinite; // the first awake body whose motion at the end is not finite
} body_range;

// Keeps the first, whichever thread comes first.
MO_APART void note_infinite(body_range *range, uint32_t i) {
  uint32_t known = atomic_load_explicit(&range->infinite, memory_order_relaxed);
  while (i < known &&
         !atomic_compare_exchange_weak_explicit(&range->infinite, &known, i, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

_Static_assert(sizeof(mo_motion) == 16 * sizeof(double), "a motion is eight pairs of numbers");

// mo_motion_is_finite: a number that is not finite differs from itself by NaN.
static inline bool is_finite_motion(const mo_motion *motion) {
  const double *numbers = (const double *)motion;
  mo_f64x2 differences = mo_f64x2_splat(0.0);
  for (int i = 0; i < 16; i += 2) {
    mo_f64x2 pair = mo_f64x2_load(numbers + i);
    differences += pair - pair;
  }
  double norm = mo_quat_norm_squared(motion->orientation);
  return mo_i64x2_bits(differences == mo_f64x2_splat(0.0)) == 3 && mo_is_finite(norm) && norm > 0.0;
}

static inline void check_motion(body_range *range, const mo_soft_step *s, uint32_t i) {
  if (!is_finite_motion(&s->soft->end[i])) {
    note_infinite(range, i);
  }
}

// Turns two bodies at once; the second one may be none.
static inline void move_two(body_range *range, const mo_soft_step *s, const solved_body pair[2],
                            uint32_t count) {
  mo_quat none = mo_quat_identity();
  mo_quat_turn_two(&pair[0].motion->orientation, &pair[0].turn,
                   count > 1 ? &pair[1].motion->orientation : &none, &pair[1].turn);
  for (uint32_t i = 0; i < count; i++) {
    end_solved(s, &pair[i]);
    check_motion(range, s, pair[i].place);
  }
}

// Moves a body that the solver has not moved.
static void move_other(const mo_soft_step *s, uint32_t i) {
  uint32_t slot = s->world->awake[i];
  mo_motion *motion = &s->soft->end[i];
  mo_motion_copy(motion, &s->world->motions[slot]);
  if (s->world->bodies[slot].type != MO_BODY_DYNAMIC) {
    move_kinematic(s, slot, motion);
  } else {
    move_free(s, slot, s->soft->free[i], motion);
  }
}

static void move_range(void *context, uint32_t first, uint32_t last) {
  body_range *range = context;
  // A copy of its own, which no write to a body can alias.
  const mo_soft_step step = *range->step, *s = &step;
  const mo_soft_stage *soft = s->soft;
  solved_body pair[2] = {{0}};
  uint32_t count = 0;
  for (uint32_t i = first; i < last; i++) {
    uint32_t slot = s->world->awake[i];
    if (soft->indices[slot] > 0 && s->world->bodies[slot].type == MO_BODY_DYNAMIC) {
      pair[count++] = begin_solved(s, i);
    } else if (!mo_step_is_in_rows(s->choice, slot)) {
      move_other(s, i);
      check_motion(range, s, i);
    }
    if (count == 2) {
      move_two(range, s, pair, count);
      count = 0;
    }
  }
  if (count > 0) {
    move_two(range, s, pair, count);
  }
}

mo_result mo_solver_bodies_move(mo_soft_step *s) {
  mo_world *world = s->world;
  s->soft->end = MO_ARENA_TAKE_RAW(&world->step_arena, mo_motion, world->awake_count);
  if (!s->soft->end || !mo_pushed_bodies_sum(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  body_range range = {.step = s, .infinite = UINT32_MAX};
  mo_parallel_for(world->awake_count, MO_BODIES_AT_ONCE, move_range, &range);
  if (range.infinite != UINT32_MAX) {
    return mo_world_refuse_motion(world, world->awake[range.infinite]);
  }
  return mo_joint_energy_limit(s) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
