/// Motions of soft-step's bodies at the end of a step.
#include "dynamics/integrator.h"
#include "parallel/parallel.h"
#include "step/carriers.h"
#include "step/fast/joint_energy.h"
#include "step/fast/pushed_bodies.h"
#include "step/fast/solver_bodies.h"

#include <stdatomic.h>

// rad per step: below this, a spin that does not follow the body's turn keeps its energy.
#define LEAST_TURN 0.05

// --- bodies that touch nothing ---------------------------------------------------------------

mo_velocity mo_free_body_velocity(const mo_fast_step *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  mo_motion motion;
  mo_motion_copy(&motion, &s->world->motions[slot]);
  if (body->type == MO_BODY_DYNAMIC) {
    mo_kick_damped(body, &s->fast->wrenches[slot], s->dt, &motion);
  }
  return (mo_velocity){motion.linear_velocity, motion.angular_velocity};
}

// Moves a body that has no contact or constraint, in double precision. Gravity alone displaces it
// as it displaces the others in their substeps: by the mean of the velocities there. Other forces
// act at the start of the step (pushed_bodies.h). Its angular momentum keeps its direction and
// size.
static void move_free(const mo_fast_step *s, uint32_t slot, mo_velocity free, mo_motion *motion) {
  const mo_mass *mass = &s->world->bodies[slot].mass;
  double n = s->substeps;
  double weight = mo_body_is_pushed(s, slot) ? 1.0 : (n + 1.0) / (2.0 * n);
  mo_vec3 linear = mo_lerp(motion->linear_velocity, free.linear, weight);
  mo_vec3 spin = mo_lerp(motion->angular_velocity, free.angular, weight);
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

static void move_kinematic(const mo_fast_step *s, uint32_t slot, mo_motion *motion) {
  mo_integrate_pose(motion, s->world->bodies[slot].mass.center_of_mass, motion->linear_velocity,
                    motion->angular_velocity, s->dt);
}

static void move_solved(const mo_fast_step *s, uint32_t slot, mo_motion *motion) {
  uint32_t index = s->fast->indices[slot];
  const mo_solver_body *body = &s->fast->step.bodies[index];
  mo_vec3 linear = mo_v3_from_floats(body->linear_velocity),
          angular = mo_v3_from_floats(body->angular_velocity);
  mo_vec3 move = mo_v3_from_floats(body->displacement), turn = mo_v3_from_floats(body->rotation);
  double lag = s->fast->has_pushed ? mo_pushed_body_lag(s, slot) : 0.0;
  if (lag > 0.0) {
    move = mo_add_scaled(move, lag, mo_sub(linear, motion->linear_velocity));
    turn = mo_add_scaled(turn, lag, mo_sub(angular, motion->angular_velocity));
  }
  if (s->fast->carriers.of_islands) {
    mo_velocity carried =
        mo_carriers_lag(&s->fast->carriers, s->world, slot, (mo_velocity){linear, angular},
                        (mo_velocity){move, turn}, s->dt);
    move = mo_add(move, carried.linear);
    turn = mo_add(turn, carried.angular);
  }
  mo_integrate_pose(motion, s->world->bodies[slot].mass.center_of_mass, move, turn, 1.0);
  const mo_substep_spin *spin = mo_solver_mass_spin(&s->fast->masses[index], s->fast->step.spins);
  if (spin) {
    motion->orientation = spin->orientation;
    angular = mo_substep_spin_end(spin, angular);
    mo_motion_update_origin(motion, s->world->bodies[slot].mass.center_of_mass);
  }
  motion->linear_velocity = linear;
  motion->angular_velocity = angular;
  bool is_turned = mo_length_squared(turn) > mo_square(LEAST_TURN);
  if (is_turned && mo_body_turns_its_spin(s, slot)) {
    mo_quat start = mo_quat_conjugate(s->world->motions[slot].orientation);
    motion->angular_velocity =
        mo_quat_rotate(mo_quat_mul(motion->orientation, start), motion->angular_velocity);
  }
}

// --- all -------------------------------------------------------------------------------------

// A range of awake bodies.
typedef struct body_range {
  const mo_fast_step *step;
  _Atomic uint32_t infinite; // the first awake body whose motion at the end is not finite
} body_range;

// Keeps the first, whichever thread comes first.
static void note_infinite(body_range *range, uint32_t i) {
  uint32_t known = atomic_load_explicit(&range->infinite, memory_order_relaxed);
  while (i < known &&
         !atomic_compare_exchange_weak_explicit(&range->infinite, &known, i, memory_order_relaxed,
                                                memory_order_relaxed)) {
  }
}

static void move_range(void *context, uint32_t first, uint32_t last) {
  body_range *range = context;
  // A copy of its own, which no write to a body can alias.
  const mo_fast_step step = *range->step, *s = &step;
  const mo_fast_stage *fast = s->fast;
  for (uint32_t i = first; i < last; i++) {
    uint32_t slot = s->world->awake[i];
    if (mo_step_is_in_rows(s->choice, slot)) {
      continue;
    }
    mo_motion *motion = &fast->end[i];
    mo_motion_copy(motion, &s->world->motions[slot]);
    if (s->world->bodies[slot].type != MO_BODY_DYNAMIC) {
      move_kinematic(s, slot, motion);
    } else if (fast->indices[slot] > 0) {
      move_solved(s, slot, motion);
    } else {
      move_free(s, slot, fast->free[i], motion);
    }
    if (!mo_motion_is_finite(motion)) {
      note_infinite(range, i);
    }
  }
}

mo_result mo_solver_bodies_move(mo_fast_step *s) {
  mo_world *world = s->world;
  s->fast->end = MO_ARENA_TAKE_RAW(&world->step_arena, mo_motion, world->awake_count);
  if (!s->fast->end || !mo_pushed_bodies_sum(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  body_range range = {.step = s, .infinite = UINT32_MAX};
  mo_parallel_for(world->awake_count, MO_BODIES_AT_ONCE, move_range, &range);
  if (range.infinite != UINT32_MAX) {
    return mo_world_refuse_motion(world, world->awake[range.infinite]);
  }
  return mo_joint_energy_limit(s) ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
