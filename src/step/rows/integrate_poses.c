#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_free_motions *free;
  const mo_row_set *rows;
  const mo_row_solution *solution;
  mo_row_ends *ends;
  uint8_t *has_rows; // per body of the problem
} stage;

// The motion at the end of the step from that at its start, with velocity v and pseudo-velocity p.
static mo_motion move_with(const mo_motion *start, const mo_mass *mass, mo_velocity v,
                           mo_velocity p, double dt) {
  mo_motion motion = *start;
  motion.linear_velocity = v.linear;
  motion.angular_velocity = v.angular;
  mo_integrate_pose(&motion, mass->center_of_mass, mo_add(v.linear, p.linear),
                    mo_add(v.angular, p.angular), dt);
  if (!mass->is_isotropic && mo_length_squared(p.angular) > 0.0) {
    // The pose also turns by p. A spin that did not turn with it would be another one in the body's
    // frame, with another energy.
    mo_quat turn = mo_quat_exp(mo_scale(dt, mo_add(v.angular, p.angular)));
    motion.angular_velocity = mo_quat_rotate(turn, v.angular);
  }
  return motion;
}

// The same for a body without rows. Its angular momentum keeps its direction too.
// flow: with the spin after the forces, at the pose at the start
static mo_motion move_freely(const mo_motion *flow, const mo_mass *mass, double dt) {
  mo_motion motion = *flow;
  mo_rotation turn =
      mo_integrate_free_rotation(mass, flow->orientation, flow->angular_velocity, dt);
  motion.center_of_mass = mo_add_scaled(flow->center_of_mass, dt, flow->linear_velocity);
  motion.orientation = turn.orientation;
  motion.angular_velocity = turn.angular_velocity;
  mo_motion_update_origin(&motion, mass->center_of_mass);
  return motion;
}

// The integrator's motion at the end of the step, corrected for the change of velocity by
// constraints.
static mo_motion correct(const mo_motion *flow, const mo_mass *mass, mo_velocity v, mo_velocity p,
                         double dt) {
  mo_vec3 linear = mo_sub(v.linear, flow->linear_velocity),
          angular = mo_sub(v.angular, flow->angular_velocity);
  mo_motion motion = *flow;
  motion.linear_velocity = v.linear;
  motion.angular_velocity = v.angular;
  if (!mass->is_isotropic && mo_length_squared(p.angular) > 0.0) {
    motion.angular_velocity = mo_quat_rotate(mo_quat_exp(mo_scale(dt, p.angular)), v.angular);
  }
  mo_vec3 move = mo_add(linear, p.linear), turn = mo_add(angular, p.angular);
  if (mo_length_squared(move) > 0.0 || mo_length_squared(turn) > 0.0) {
    mo_integrate_pose(&motion, mass->center_of_mass, move, turn, dt);
  }
  return motion;
}

// Bodies that a contact or limit pushes move with their velocity at the end.
static void place_pushed_bodies(stage *s) {
  for (uint32_t i = 0; i < s->rows->problem.block_count; i++) {
    const mo_row_block *block = &s->rows->problem.blocks[i];
    if (block->bound != MO_BOUND_BILATERAL &&
        s->rows->problem.rows[block->first_row].impulse != 0.0) {
      uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(&s->rows->problem, block, bodies);
      for (uint32_t k = 0; k < count; k++) {
        s->ends->placed[bodies[k]] = MO_PLACED_BY_END_VELOCITY;
      }
    }
  }
}

// Marks the bodies that have rows.
static bool mark_bodies_with_rows(stage *s) {
  const mo_row_problem *problem = &s->rows->problem;
  s->has_rows = MO_ARENA_TAKE(&s->world->step_arena, uint8_t, problem->body_count);
  for (uint32_t i = 0; s->has_rows && i < problem->block_count; i++) {
    uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(problem, &problem->blocks[i], bodies);
    for (uint32_t k = 0; k < count; k++) {
      s->has_rows[bodies[k]] = true;
    }
  }
  return s->has_rows != NULL;
}

static mo_motion place(const stage *s, uint32_t slot) {
  uint32_t body = s->rows->row_bodies[slot];
  mo_velocity v = s->solution->velocities[body], p = s->solution->pseudo_velocities[body];
  const mo_mass *mass = &s->world->bodies[slot].mass;
  const mo_motion *start = &s->world->motions[slot];
  mo_motion flow = s->free->flow[slot];
  if (!s->has_rows[body] && s->world->bodies[slot].type == MO_BODY_DYNAMIC &&
      mo_integrator_kind_of(s->world->settings.integrator)->moves_with_end_velocity) {
    return move_freely(&flow, mass, s->dt);
  }
  switch ((mo_placed)s->ends->placed[body]) {
  case MO_PLACED_BY_END_VELOCITY:
    return move_with(start, mass, v, p, s->dt);
  case MO_PLACED_BY_FLOW:
    flow.linear_velocity = v.linear; // only p is left to correct
    flow.angular_velocity = v.angular;
    break;
  case MO_PLACED_BY_CORRECTION:
    break;
  }
  return correct(&flow, mass, v, p, s->dt);
}

void mo_step_displace(const mo_world *world, double dt, uint32_t slot, mo_velocity pseudo,
                      mo_row_ends *ends) {
  mo_motion *motion = &ends->motions[slot];
  *motion = correct(motion, &world->bodies[slot].mass, mo_step_velocity(motion), pseudo, dt);
}

// Whether a motion at the end of the step, and the accelerations that led to it, are finite.
static bool ends_finite(const mo_motion *old, const mo_motion *end, double dt) {
  return mo_motion_is_finite(end) &&
         mo_v3_is_finite(mo_step_rate_of_change(old->linear_velocity, end->linear_velocity, dt)) &&
         mo_v3_is_finite(mo_step_rate_of_change(old->angular_velocity, end->angular_velocity, dt));
}

mo_result mo_step_check_motions(mo_world *world, double dt, const mo_solver_choice *choice,
                                const mo_row_ends *ends) {
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    bool moves = choice->row_alive[slot] && world->bodies[slot].type != MO_BODY_STATIC;
    if (moves && !ends_finite(&world->motions[slot], &ends->motions[slot], dt)) {
      return mo_world_refuse_motion(world, slot);
    }
  }
  return MO_OK;
}

mo_result mo_step_integrate_poses(mo_world *world, double dt, const mo_solver_choice *choice,
                                  const mo_free_motions *free, const mo_row_set *rows,
                                  const mo_row_solution *solution, mo_row_ends *ends) {
  stage all = {world, dt, free, rows, solution, ends, NULL}, *s = &all;
  ends->motions = MO_ARENA_TAKE(&world->step_arena, mo_motion, world->ids.slot_count);
  if (!ends->motions || !mark_bodies_with_rows(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  place_pushed_bodies(s);
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (choice->row_alive[slot]) {
      const mo_body *body = &world->bodies[slot];
      bool rests = body->type == MO_BODY_STATIC || !body->is_enabled;
      ends->motions[slot] = rests ? world->motions[slot] : place(s, slot);
    }
  }
  return mo_step_check_motions(world, dt, choice, ends);
}
