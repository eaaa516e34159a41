#include "solvers/block_pgs/kept_rows.h"

#include "math/scalar.h"
#include "solvers/block_pgs/lane_frame.h"
#include "step/stages.h"

#include <string.h>

// m: the most that any point of a body moves in a step of which rows are kept, and from where they
// were made. The gaps, which are linear in the way, are off by less than that squared over the
// radius of the body; and what comes within reach meanwhile has a contact already, as far as
// contacts begin.
#define REST_WAY 5e-5

// How far a velocity takes any point of a body in the step, m.
static double displacement_of(const mo_step *s, const mo_body *body, mo_velocity v) {
  double spin = mo_length(v.angular); // of a plane, whose radius is infinite, none
  return s->dt * (mo_length(v.linear) + (spin > 0.0 ? body->bounding_radius * spin : 0.0));
}

static bool rests(const mo_step *s, uint32_t slot) {
  const mo_motion *motion = &s->world->motions[slot];
  mo_velocity velocity = {motion->linear_velocity, motion->angular_velocity};
  return displacement_of(s, &s->world->bodies[slot], velocity) <= REST_WAY;
}

static double reach_of(const mo_step *s, uint32_t slot) {
  return displacement_of(s, &s->world->bodies[slot], s->free_velocities[slot]);
}

// --- keeping ---------------------------------------------------------------------------------

// Whether no row can come to overlap by more than what is left alone, slow as the bodies are.
static bool needs_no_mending(const mo_step *s, double least_gap) {
  return s->world->settings.stabilization != MO_STABILIZATION_SPLIT ||
         least_gap - 4.0 * REST_WAY >= -mo_world_linear_slop(s->world, false);
}

static double least_gap_of(const mo_row_problem *problem) {
  double least = INFINITY;
  for (uint32_t i = 0; i < problem->block_count; i++) {
    least = mo_min(least, problem->rows[problem->blocks[i].first_row].gap);
  }
  return least;
}

bool mo_step_may_keep_rows(const mo_step *s) {
  const mo_world *world = s->world;
  // Two bodies that rest do not bounce.
  bool may = !s->has_fast && s->constraint_block_count == 0 && !s->by_island.solutions &&
             mo_world_restitution_threshold(world, s->dt) * s->dt > 2.0 * REST_WAY;
  for (uint32_t i = 1; may && i < s->problem.body_count; i++) {
    may = rests(s, s->row_slots[i]);
  }
  for (uint32_t i = 0; may && i < s->contact_count; i++) {
    may = s->contact_is_solved[i];
  }
  for (uint32_t i = 0; may && i < s->problem.block_count; i++) {
    may = s->problem.blocks[i].point_contact;
  }
  return may && needs_no_mending(s, least_gap_of(&s->problem));
}

void mo_step_keep_rows(mo_step *s) {
  const mo_world *world = s->world;
  mo_arena *arena = &s->world->spare_problem_arena;
  mo_kept_rows *kept = &s->kept;
  *kept = (mo_kept_rows){.dt = s->dt,
                         .least_gap = least_gap_of(&s->problem),
                         .packed = s->by_island.packed,
                         .bodies = MO_ARENA_TAKE_RAW(arena, mo_kept_body, s->problem.body_count),
                         .contacts = MO_ARENA_TAKE_RAW(arena, uint32_t, s->problem.block_count),
                         .points = MO_ARENA_TAKE_RAW(arena, uint32_t, s->problem.block_count)};
  kept->is_valid = kept->bodies && kept->contacts && kept->points;
  for (uint32_t i = 1; kept->is_valid && i < s->problem.body_count; i++) {
    uint32_t slot = s->row_slots[i];
    kept->bodies[i] = (mo_kept_body){.center_of_mass = world->motions[slot].center_of_mass,
                                     .orientation = world->motions[slot].orientation,
                                     .displacement = world->displacements[slot],
                                     .reach = reach_of(s, slot)};
  }
  for (uint32_t i = 0, block = 0; kept->is_valid && i < s->contact_count; i++) {
    for (uint32_t k = 0; k < world->fresh_contacts[i].point_count; k++, block++) {
      kept->contacts[block] = i;
      kept->points[block] = k;
    }
  }
}

// --- going on with them ----------------------------------------------------------------------

static bool is_as_before(const mo_step *s, uint32_t index) {
  const mo_world *world = s->world;
  const mo_kept_body *kept = &world->kept.bodies[index];
  const mo_row_body *body = &s->problem.bodies[index];
  const mo_row_body *before = &world->last_step.problem.bodies[index];
  uint32_t slot = s->row_slots[index];
  double displacement = world->displacements[slot] - kept->displacement;
  return slot == world->last_step.row_slots[index] && body->inverse_mass == before->inverse_mass &&
         body->solver == before->solver && displacement >= 0.0 && displacement <= REST_WAY &&
         rests(s, slot) && reach_of(s, slot) <= kept->reach + REST_WAY;
}

static bool are_as_before(const mo_step *s) {
  const mo_world *world = s->world;
  bool same = s->problem.body_count == world->last_step.problem.body_count;
  for (uint32_t i = 1; same && i < s->problem.body_count; i++) {
    same = is_as_before(s, i);
  }
  return same;
}

// Way and turn of a body since the rows were made.
static mo_velocity displacement(const mo_kept_body *from, const mo_motion *to) {
  mo_quat turn = mo_quat_mul(to->orientation, mo_quat_conjugate(from->orientation));
  double twice = turn.w < 0.0 ? -2.0 : 2.0;
  return (mo_velocity){mo_sub(to->center_of_mass, from->center_of_mass),
                       mo_scale(twice, mo_v3(turn.x, turn.y, turn.z))};
}

mo_result mo_step_take_up_rows(mo_step *s) {
  const mo_world *world = s->world;
  if (!world->kept.is_valid || world->kept.dt != s->dt || s->has_fast ||
      world->constraint_ids.alive_count > 0 || !needs_no_mending(s, world->kept.least_gap)) {
    return MO_OK;
  }
  mo_result result = mo_step_make_row_bodies(s);
  if (result != MO_OK || !are_as_before(s)) {
    return result;
  }
  mo_row_body *bodies = s->problem.bodies;
  s->problem = world->last_step.problem;
  s->problem.bodies = bodies;
  s->kept = world->kept;
  s->has_kept_rows = true;
  s->by_island.packed = s->kept.packed;
  s->by_island.is_packed = true;
  return MO_OK;
}

static void write_gaps(const mo_manifold_lanes *m, mo_row_problem *problem) {
  for (int lane = 0; lane < MO_LANES; lane++) {
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      mo_row *row = &problem->rows[problem->blocks[m->first_block[lane] + k].first_row];
      row->gap = m->gaps[k][lane];
      row->bias = row->plastic_bias = m->normal_biases[k][lane];
    }
  }
}

// Moves the gaps of two manifolds on. Returns whether their biases are as before, but for those of
// points that are left out and stay so.
static bool move_gaps(mo_manifold_lanes *m, const mo_velocity *displacements,
                      const mo_contact_settings *settings, double *least_gap) {
  mo_motion_lanes a = mo_load_motion(displacements, m->body_a),
                  b = mo_load_motion(displacements, m->body_b);
  mo_motion_lanes displacement = mo_relative_motion(m, &a, &b);
  bool same = true;
  for (int k = 0; k < MO_LANE_POINTS; k++) {
    m->gaps[k] = m->first_gaps[k] + mo_point_velocity(m, &displacement, k).x;
    for (int lane = 0; lane < MO_LANES; lane++) {
      if ((uint32_t)k < m->lane_points[lane]) {
        double bias = mo_contact_bias(m->gaps[k][lane], settings);
        same = same &&
               (bias == m->normal_biases[k][lane] || (bias > 0.0 && m->weights[k][lane] == 0.0));
        m->normal_biases[k][lane] = bias;
        *least_gap = mo_min(*least_gap, m->gaps[k][lane]);
      }
    }
  }
  return same;
}

// Of what the solver works with the impulses alone matter to the next step. False without memory,
// as the next.
static bool note_motion(mo_journal *journal, mo_manifold_lanes *m) {
  if (!mo_journal_reserve(journal, 3 * MO_NOTE_BYTES(sizeof m->impulses))) { // the largest of three
    return false;
  }
  MO_NOTE(journal, m->normal_biases);
  MO_NOTE(journal, m->gaps);
  MO_NOTE(journal, m->impulses);
  return true;
}

// Notes all of two manifolds that are packed anew, and their rows, which are written before.
static bool note_all(mo_journal *journal, mo_manifold_lanes *m, const mo_row_problem *problem) {
  const size_t rows = (size_t)MO_LANES * MO_LANE_POINTS * MO_BLOCK_ROWS;
  if (!mo_journal_reserve(journal,
                          MO_NOTE_BYTES(sizeof *m) + rows * MO_NOTE_BYTES(sizeof(mo_row)))) {
    return false;
  }
  MO_NOTE(journal, *m);
  for (int lane = 0; lane < MO_LANES; lane++) {
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      const mo_row_block *block = &problem->blocks[m->first_block[lane] + k];
      for (uint32_t r = 0; r < block->row_count; r++) {
        MO_NOTE(journal, problem->rows[block->first_row + r]);
      }
    }
  }
  return true;
}

mo_result mo_step_refresh_rows(mo_step *s) {
  mo_world *world = s->world;
  const mo_contact_lanes *lanes = &s->kept.packed.lanes;
  mo_contact_settings settings = mo_step_contact_settings(s);
  mo_velocity *displacements = s->pseudo_velocities; // which are zero, and will be again
  world->kept.is_valid = false;                      // until the commit
  s->kept.is_ahead = true;
  s->kept.least_gap = INFINITY;
  for (uint32_t i = 1; i < s->problem.body_count; i++) {
    displacements[i] = displacement(&s->kept.bodies[i], &world->motions[s->row_slots[i]]);
  }
  for (uint32_t i = 0; i < lanes->count; i++) {
    mo_manifold_lanes *m = &lanes->manifolds[i];
    if (!note_motion(&world->journal, m)) {
      return MO_ERROR_OUT_OF_MEMORY;
    }
    if (!move_gaps(m, displacements, &settings, &s->kept.least_gap)) {
      if (!note_all(&world->journal, m, &s->problem)) {
        return MO_ERROR_OUT_OF_MEMORY;
      }
      mo_manifold_lanes_write(m, &s->problem);
      write_gaps(m, &s->problem);
      mo_manifold_lanes_repack(&s->problem, MO_MISFIT * world->settings.tolerance, m);
    }
  }
  memset(displacements, 0, s->problem.body_count * sizeof *displacements);
  return MO_OK;
}

void mo_step_place_kept_bodies(mo_step *s) {
  const mo_contact_lanes *lanes = &s->kept.packed.lanes;
  for (uint32_t i = 0; i < lanes->count; i++) {
    const mo_manifold_lanes *m = &lanes->manifolds[i];
    for (int lane = 0; lane < MO_LANES; lane++) {
      double sum = 0.0;
      for (int k = 0; k < MO_LANE_POINTS; k++) {
        sum += m->impulses[k].x[lane];
      }
      if (sum > 0.0) {
        s->placed[m->body_a[lane]] = s->placed[m->body_b[lane]] = MO_PLACED_BY_END_VELOCITY;
      }
    }
  }
}

// --- what the others see -----------------------------------------------------------------------

static mo_vec3 in_lane(mo_vec3x2 v, int lane) { return mo_v3(v.x[lane], v.y[lane], v.z[lane]); }

static void update_contacts(mo_world *world, const mo_kept_rows *kept, const mo_manifold_lanes *m) {
  for (int lane = 0; lane < MO_LANES; lane++) {
    mo_vec3 t1 = in_lane(m->tangent_1, lane), t2 = in_lane(m->tangent_2, lane);
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      uint32_t block = m->first_block[lane] + k;
      mo_contact_point_state *point =
          &world->contacts[kept->contacts[block]].points[kept->points[block]];
      mo_vec3 impulse = in_lane(m->impulses[k], lane);
      point->separation = m->gaps[k][lane];
      point->normal_impulse = impulse.x;
      point->tangent_impulse = mo_add_scaled(mo_scale(impulse.y, t1), impulse.z, t2);
    }
  }
}

void mo_step_commit_kept_rows(mo_step *s) {
  mo_step_record *last = &s->world->last_step;
  const mo_contact_lanes *lanes = &s->kept.packed.lanes;
  for (uint32_t i = 0; i < lanes->count; i++) {
    update_contacts(s->world, &s->kept, &lanes->manifolds[i]);
  }
  memcpy(last->problem.bodies, s->problem.bodies,
         s->problem.body_count * sizeof *s->problem.bodies);
  s->problem.bodies = last->problem.bodies;
  s->row_slots = last->row_slots;
}

void mo_kept_rows_write_down(mo_kept_rows *kept, mo_row_problem *problem) {
  for (uint32_t i = 0; kept->is_ahead && i < kept->packed.lanes.count; i++) {
    mo_manifold_lanes_write(&kept->packed.lanes.manifolds[i], problem);
    write_gaps(&kept->packed.lanes.manifolds[i], problem);
  }
  kept->is_ahead = false;
}
