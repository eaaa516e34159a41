#include "step/soft_step/bent_rows.h"

#include "constraints/constraint_class.h"
#include "dynamics/rotation.h"
#include "step/constraint_rows.h"
#include "world/constraints.h"

typedef struct bent_rows {
  const mo_soft_step *step;
  const uint32_t *firsts; // per constraint slot
  uint32_t *slots;        // per bend: of its constraint
} bent_rows;

// --- following them --------------------------------------------------------------------------

// A body of a constraint where the substeps have brought it.
static mo_constraint_body body_now(const mo_soft_step *s, uint32_t slot) {
  if (slot == MO_WORLD_SLOT) {
    return mo_constraint_body_world();
  }
  mo_body_id id = mo_world_body_in_slot(s->world, slot);
  uint32_t index = s->soft->indices[slot];
  if (index == 0) {
    return mo_constraint_body_of(id, &s->world->motions[slot]);
  }
  const mo_solver_body *body = &s->soft->step.bodies[index];
  mo_motion motion = s->soft->start[index];
  mo_integrate_pose(&motion, s->world->bodies[slot].mass.center_of_mass,
                    mo_v3_from_floats(body->displacement), mo_v3_from_floats(body->rotation), 1.0);
  motion.linear_velocity = mo_v3_from_floats(body->linear_velocity);
  motion.angular_velocity = mo_v3_from_floats(body->angular_velocity);
  return mo_constraint_body_of(id, &motion);
}

// A row that locked axes leave nothing to do (mo_constraint_append_rows).
static bool is_idle(const mo_row *row) {
  mo_vec3 zero = mo_v3_zero();
  return mo_v3_equal(row->linear_a, zero) && mo_v3_equal(row->angular_a, zero) &&
         mo_v3_equal(row->linear_b, zero) && mo_v3_equal(row->angular_b, zero);
}

static void take_jacobian(const mo_constraint *c, const double *j, mo_row *rows) {
  for (uint32_t i = 0; i < c->dimension; i++, j += MO_JACOBIAN_COLUMNS) {
    if (is_idle(&rows[i])) {
      continue;
    }
    rows[i].linear_a = mo_get_vec3(j);
    rows[i].angular_a = mo_get_vec3(j + 3);
    rows[i].linear_b = mo_get_vec3(j + 6);
    rows[i].angular_b = mo_get_vec3(j + 9);
  }
}

// Far out of their range they keep the directions that they had: the step ends with an error.
static void aim(const mo_constraint *c, const mo_constraint_place *at, mo_row *rows,
                double *errors) {
  double jacobian[MO_JACOBIAN_NUMBERS];
  if (!mo_constraint_evaluate(c, at, errors) && !mo_constraint_jacobian(c, at, jacobian)) {
    take_jacobian(c, jacobian, rows);
  }
}

// Where the way turns by more than a radian in a substep nobody can be led along its chord.
static void lead(const mo_constraint *c, const mo_constraint_place *at, double h, double *out) {
  if (!c->class->curvature) {
    return;
  }
  double speed = mo_distance_between(at->a.linear_velocity, at->b.linear_velocity);
  c->class->curvature(c, at, out);
  for (uint32_t i = 0; i < c->dimension; i++) {
    double led = 0.5 * h * out[i];
    out[i] = fabs(led) < 0.5 * speed ? led : 0.0;
  }
}

static void follow(const mo_substep_rows *rows, uint32_t bend, const mo_substep_solver *step,
                   bool with_bias, double *out) {
  const bent_rows *all = rows->bends->context;
  const mo_soft_step *s = all->step;
  uint32_t slot = all->slots[bend];
  const mo_constraint *c = &s->world->constraints[slot];
  mo_constraint_place at = {.a = body_now(s, c->slot_a),
                            .b = body_now(s, c->slot_b),
                            .time = s->world->time,
                            .metre = mo_world_metre(s->world)};
  for (uint32_t i = 0; i < c->dimension; i++) {
    out[i] = 0.0;
  }
  if (with_bias) {
    lead(c, &at, step->settings.dt / step->settings.substeps, out);
  } else {
    aim(c, &at, &rows->problem->rows[all->firsts[slot]], out);
  }
}

// --- finding them ----------------------------------------------------------------------------

// A joint whose directions are all free has no rows that could turn.
static bool is_bent(const mo_world *world, uint32_t slot, const uint32_t *firsts) {
  const mo_constraint *constraint = &world->constraints[slot];
  return world->constraint_ids.alive[slot] && firsts[slot] < MO_OUTSIDE_PROBLEM &&
         constraint->dimension > 0 &&
         (constraint->class->curvature || constraint->class->turns_rows);
}

static uint32_t count_bends(const mo_world *world, const uint32_t *firsts) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    count += is_bent(world, slot, firsts);
  }
  return count;
}

// Blocks and constraints have the same order.
static void take_bends(const mo_world *world, const mo_row_problem *problem, bent_rows *all,
                       mo_substep_bends *bends) {
  uint32_t block = 0;
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    if (!is_bent(world, slot, all->firsts)) {
      continue;
    }
    uint32_t first = all->firsts[slot], end = first + world->constraints[slot].dimension;
    while (problem->blocks[block].first_row < first) {
      block++;
    }
    mo_substep_bend *bend = &bends->items[bends->count];
    all->slots[bends->count++] = slot;
    bend->first_block = block;
    while (block < problem->block_count && problem->blocks[block].first_row < end) {
      block++;
    }
    bend->block_count = block - bend->first_block;
  }
}

mo_result mo_bent_rows_find(const mo_soft_step *s, mo_substep_rows *rows, const uint32_t *firsts) {
  mo_arena *arena = &s->world->step_arena;
  uint32_t count = count_bends(s->world, firsts);
  if (count == 0) {
    return MO_OK;
  }
  mo_substep_bends *bends = MO_ARENA_TAKE(arena, mo_substep_bends, 1);
  bent_rows *all = MO_ARENA_TAKE(arena, bent_rows, 1);
  mo_substep_bend *items = MO_ARENA_TAKE(arena, mo_substep_bend, count);
  uint32_t *slots = MO_ARENA_TAKE(arena, uint32_t, count);
  if (!bends || !all || !items || !slots) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  *all = (bent_rows){.step = s, .firsts = firsts, .slots = slots};
  *bends = (mo_substep_bends){.items = items, .follow = follow, .context = all};
  take_bends(s->world, rows->problem, all, bends);
  rows->bends = bends;
  return MO_OK;
}
