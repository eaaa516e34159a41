/// The order of soft-step's bodies: by cells of space, so that the bodies of a group of contacts
/// lie together in memory.
#include "memory/sort.h"
#include "step/soft_step/solver_bodies.h"

// Side of a cell in mean bounding radii.
#define CELL_RADII 4.0
// Cells per axis, as a power of two. Cells further out wrap around, so no body is too far away.
#define CELL_BITS 4
#define CELLS_PER_AXIS (1 << CELL_BITS)
#define CELLS (1u << 3 * CELL_BITS)
// Fewer bodies than this fit the processor's cache in any order.
#define FEW_BODIES 4096u
// Contacts per body, on average, below which order does not matter: bodies on a floor do not touch
// each other.
#define FEW_CONTACTS 2.0
// Bodies from which the mean radius and the contacts per body are estimated.
#define SAMPLES 256u

static bool is_solved(const mo_soft_step *s, uint32_t slot) {
  const mo_world *world = s->world;
  return !mo_step_is_in_rows(s->choice, slot) &&
         (world->pairs.contact_counts[slot] > 0 || mo_world_is_in_joints(world, slot));
}

// The side of a cell in metres; zero if cells do not help.
static double cell_side(const mo_world *world) {
  double radii = 0.0, contacts = 0.0, count = 0.0;
  for (uint32_t i = 0; i < world->awake_count; i += 1 + world->awake_count / SAMPLES) {
    radii += world->bodies[world->awake[i]].bounding_radius;
    contacts += world->pairs.contact_counts[world->awake[i]];
    count += 1.0;
  }
  return contacts > FEW_CONTACTS * count ? CELL_RADII * radii / count : 0.0;
}

// The index of a body's cell on a Morton curve.
static uint16_t cell_of(const mo_motion *motion, double side) {
  mo_vec3 turns = mo_scale(1.0 / (side * CELLS_PER_AXIS), motion->center_of_mass);
  const double at[3] = {turns.x, turns.y, turns.z};
  uint32_t cell = 0;
  for (int axis = 0; axis < 3; axis++) {
    double part = at[axis] - floor(at[axis]); // rounding may give 1
    uint32_t place = part > 0.0 ? (uint32_t)(part * CELLS_PER_AXIS) % CELLS_PER_AXIS : 0;
    for (int bit = 0; bit < CELL_BITS; bit++) {
      cell |= (place >> bit & 1u) << (3 * bit + axis);
    }
  }
  return (uint16_t)cell;
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

// Numbers by cell, and within a cell by slot, with a counting sort.
static bool number_by_cell(mo_soft_step *s, double side) {
  mo_world *world = s->world;
  uint32_t *next = MO_ARENA_TAKE(&world->step_arena, uint32_t, CELLS + 1);
  uint16_t *cells = MO_ARENA_TAKE_RAW(&world->step_arena, uint16_t, world->awake_count);
  if (!next || !cells) {
    return false;
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    cells[i] = cell_of(&world->motions[slot], side);
    next[cells[i] + 1] += is_solved(s, slot);
  }
  next[0] = 1;
  mo_sum_counts(next, CELLS);
  s->soft->step.body_count = next[CELLS];
  for (uint32_t i = 0; i < world->awake_count; i++) {
    if (is_solved(s, world->awake[i])) {
      put_number(s->soft, world->awake[i], next[cells[i]]++);
    }
  }
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
  double side = s->world->awake_count > FEW_BODIES ? cell_side(s->world) : 0.0;
  if (side > 0.0) {
    return number_by_cell(s, side);
  }
  number_by_slot(s);
  return true;
}
