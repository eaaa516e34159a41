/// The order of soft-step's bodies: by cells of space, so that the bodies of a group of contacts
/// lie together in memory.
#include "memory/sort.h"
#include "step/soft_step/solver_bodies.h"

// Side of a cell in mean bounding radii.
#define CELL_RADII 4.0
// Cells per axis, a power of two. Cells further out wrap around, so no body is too far away.
#define CELLS_PER_AXIS 16u

static bool is_solved(const mo_soft_step *s, uint32_t slot) {
  const mo_world *world = s->world;
  return !mo_step_is_in_rows(s->choice, slot) &&
         (world->pairs.contact_counts[slot] > 0 || mo_world_is_in_joints(world, slot));
}

// The side of a cell in metres.
static double cell_side(const mo_world *world) {
  double radii = 0.0;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    radii += world->bodies[world->awake[i]].bounding_radius;
  }
  return CELL_RADII * radii / world->awake_count;
}

// The index of a body's cell on a Morton curve.
static uint32_t cell_of(const mo_motion *motion, double side) {
  mo_vec3 turns = mo_scale(1.0 / (side * CELLS_PER_AXIS), motion->center_of_mass);
  const double at[3] = {turns.x, turns.y, turns.z};
  uint32_t cell = 0;
  for (int axis = 0; axis < 3; axis++) {
    double part = at[axis] - floor(at[axis]); // rounding may give 1
    uint32_t place = part > 0.0 ? (uint32_t)(part * CELLS_PER_AXIS) % CELLS_PER_AXIS : 0;
    for (int bit = 0; place >> bit != 0; bit++) {
      cell |= (place >> bit & 1u) << (3 * bit + axis);
    }
  }
  return cell;
}

static void put_number(mo_soft_stage *soft, uint32_t slot, uint32_t number) {
  soft->indices[slot] = number;
  soft->slots[number] = slot;
}

static void number_by_slot(mo_soft_step *s) {
  const mo_world *world = s->world;
  uint32_t next = 1;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    if (is_solved(s, world->awake[i])) {
      put_number(s->soft, world->awake[i], next++);
    }
  }
  s->soft->step.body_count = next;
}

// Numbers by cell, and within a cell by slot.
static bool number_by_cell(mo_soft_step *s) {
  mo_world *world = s->world;
  uint32_t cell_count = CELLS_PER_AXIS * CELLS_PER_AXIS * CELLS_PER_AXIS;
  uint32_t *firsts = MO_ARENA_TAKE(&world->step_arena, uint32_t, cell_count + 1);
  uint32_t *cells = MO_ARENA_TAKE_RAW(&world->step_arena, uint32_t, world->awake_count);
  uint32_t *order = MO_ARENA_TAKE_RAW(&world->step_arena, uint32_t, world->awake_count);
  if (!firsts || !cells || !order) {
    return false;
  }
  double side = cell_side(world);
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    cells[i] = is_solved(s, slot) ? cell_of(&world->motions[slot], side) : MO_NO_GROUP;
  }
  mo_sort_by_group(cells, world->awake_count, cell_count, firsts, order);
  for (uint32_t i = 0; i < firsts[cell_count]; i++) {
    put_number(s->soft, world->awake[order[i]], 1 + i);
  }
  s->soft->step.body_count = 1 + firsts[cell_count];
  return true;
}

bool mo_solver_bodies_note_joints(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  if (world->constraint_ids.alive_count == 0) {
    step->in_joints = NULL;
    return true;
  }
  bool *in_joints = MO_ARENA_TAKE(&world->step_arena, bool, step->body_count);
  for (uint32_t i = 1; in_joints && i < step->body_count; i++) {
    in_joints[i] = mo_world_is_in_joints(world, s->soft->slots[i]);
  }
  step->in_joints = in_joints;
  return in_joints != NULL;
}

bool mo_solver_bodies_number(mo_soft_step *s) {
  if (s->world->awake_count > MO_LEAST_BLOCKS * MO_BLOCK_BODIES) {
    return number_by_cell(s);
  }
  number_by_slot(s);
  return true;
}
