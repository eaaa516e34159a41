#include "math/scalar.h"
#include "step/stages.h"

// m: a gap up to this counts as closed (contact.c).
#define CLOSED_GAP 1e-8

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
// part: of that change with which it moves all through the step
static mo_motion correct(const mo_motion *flow, const mo_mass *mass, mo_velocity v, mo_velocity p,
                         double part, double dt) {
  mo_vec3 linear = mo_scale(part, mo_sub(v.linear, flow->linear_velocity)),
          angular = mo_scale(part, mo_sub(v.angular, flow->angular_velocity));
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

// Whether a block is a limit that the flow held, as it did the joints of its island. A kinematic
// body of it is in no island.
static bool is_in_flow(const stage *s, uint32_t block) {
  const mo_row_problem *problem = &s->rows->problem;
  uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(problem, &problem->blocks[block], bodies);
  bool in_flow = false;
  for (uint32_t i = 0; block < s->rows->constraint_block_count && i < count; i++) {
    in_flow = in_flow || s->ends->placed[bodies[i]] == MO_PLACED_BY_FLOW;
  }
  return in_flow;
}

// Bodies that a contact or limit pushes move with their velocity at the end.
static void place_pushed_bodies(stage *s) {
  for (uint32_t i = 0; i < s->rows->problem.block_count; i++) {
    const mo_row_block *block = &s->rows->problem.blocks[i];
    if (block->bound != MO_BOUND_BILATERAL && !is_in_flow(s, i) &&
        s->rows->problem.rows[block->first_row].impulse != 0.0) {
      uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(&s->rows->problem, block, bodies);
      for (uint32_t k = 0; k < count; k++) {
        s->ends->placed[bodies[k]] = MO_PLACED_BY_END_VELOCITY;
      }
    }
  }
}

// Whether a contact is where it is asked to be if its bodies move with the mean velocity of the
// step: one that pushes stays closed, and the others stay open.
static bool contact_allows_mean(const stage *s, const mo_row_block *block) {
  const mo_row_problem *problem = &s->rows->problem;
  const mo_row *row = &problem->rows[block->first_row];
  double closed = CLOSED_GAP * mo_world_metre(s->world), rates[2];
  for (int end = 0; end < 2; end++) {
    mo_velocity v[2] = {{mo_v3_zero(), mo_v3_zero()}, {mo_v3_zero(), mo_v3_zero()}};
    const uint32_t bodies[2] = {block->body_a, block->body_b};
    for (int i = 0; i < 2; i++) {
      if (bodies[i] > 0) {
        v[i] = end ? s->solution->velocities[bodies[i]]
                   : mo_step_velocity(&s->world->motions[s->rows->row_slots[bodies[i]]]);
      }
    }
    rates[end] = mo_row_velocity(row, &v[0], &v[1]);
  }
  if (row->impulse != 0.0) {
    return 0.5 * s->dt * fabs(rates[1] - rates[0]) <= closed;
  }
  return row->gap + 0.5 * s->dt * (rates[0] + rates[1]) >= mo_min(row->gap, 0.0) - closed;
}

// Whether an island slides, rolls or rests: it has nothing but contacts, and no impact.
static bool moves_smoothly(const stage *s, uint32_t island) {
  const mo_island_partition *partition = &s->solution->by_island.partition;
  for (uint32_t k = partition->first_block[island]; k < partition->first_block[island + 1]; k++) {
    uint32_t index = partition->blocks[k];
    const mo_row_block *block = &s->rows->problem.blocks[index];
    bool is_twist = block->bound == MO_BOUND_BOX;
    if (index < s->rows->constraint_block_count || (!is_twist && !contact_allows_mean(s, block))) {
      return false;
    }
  }
  return true;
}

// Forces of contacts that last all through the step accelerate evenly: bodies move with the mean of
// their velocities at its start and end, to second order, as integrators of that order do without
// contacts. That of an impact does not, and where it comes in the step is not known: its bodies
// move with their velocity at the end, which the surface asks for.
static void place_sliding_bodies(stage *s) {
  const mo_island_partition *partition = &s->solution->by_island.partition;
  for (uint32_t i = 0; i < partition->island_count; i++) {
    bool is_smooth = moves_smoothly(s, i);
    for (uint32_t k = partition->first_body[i]; is_smooth && k < partition->first_body[i + 1];
         k++) {
      s->ends->placed[partition->bodies[k]] = MO_PLACED_BY_MEAN;
    }
  }
}

// Whether an integrator moves bodies in uniform acceleration with the mean of their velocities.
static bool moves_with_mean(const mo_integrator_kind *integrator) {
  return integrator->potential_lag == 0.0;
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
  double part = 1.0;
  switch ((mo_placed)s->ends->placed[body]) {
  case MO_PLACED_BY_END_VELOCITY:
    return move_with(start, mass, v, p, s->dt);
  case MO_PLACED_BY_FLOW:
    flow.linear_velocity = v.linear; // only p is left to correct
    flow.angular_velocity = v.angular;
    break;
  case MO_PLACED_BY_MEAN:
    part = 0.5;
    break;
  case MO_PLACED_BY_CORRECTION:
    break;
  }
  return correct(&flow, mass, v, p, part, s->dt);
}

void mo_step_displace(const mo_world *world, double dt, uint32_t slot, mo_velocity pseudo,
                      mo_row_ends *ends) {
  mo_motion *motion = &ends->motions[slot];
  *motion = correct(motion, &world->bodies[slot].mass, mo_step_velocity(motion), pseudo, 1.0, dt);
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
  if (moves_with_mean(mo_integrator_kind_of(world->settings.integrator))) {
    place_sliding_bodies(s);
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (choice->row_alive[slot]) {
      const mo_body *body = &world->bodies[slot];
      bool rests = body->type == MO_BODY_STATIC || !body->is_enabled;
      ends->motions[slot] = rests ? world->motions[slot] : place(s, slot);
    }
  }
  return mo_step_check_motions(world, dt, choice, ends);
}
