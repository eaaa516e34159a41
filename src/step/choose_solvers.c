/// Decides which awake bodies soft-step solves, and which are solved by rows.
#include "memory/array.h"
#include "memory/union_find.h"
#include "step/boundary.h"
#include "step/overload.h"
#include "step/stages.h"

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  mo_solver_choice *choice;
} stage;

// s: the longest substep of soft-step. Errors of one substep move bodies for the whole of the next;
// beyond this length, boxes at rest on a plane rock and sink in, and fly apart within half a
// second.
#define LONGEST_SUBSTEP 0.04

// Joins two bodies that a pair of shapes or a constraint may bring together in this step.
static void join(const mo_world *world, uint32_t *parents, uint32_t slot_a, uint32_t slot_b) {
  if (mo_world_is_dynamic(world, slot_a) && mo_world_is_dynamic(world, slot_b)) {
    mo_union_find_join(parents, slot_a, slot_b);
  }
}

static void join_all(const mo_world *world, uint32_t *parents) {
  const mo_pair_store *pairs = &world->pairs;
  for (uint32_t i = 0; i < pairs->near_count; i++) {
    join(world, parents, pairs->near[i].slot_a, pairs->near[i].slot_b);
  }
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(pairs, &walk));) {
    join(world, parents, c->pair.slot_a, c->pair.slot_b);
  }
  uint32_t slots[MO_ROW_SIDES];
  for (uint32_t i = 0; i < world->constraint_ids.slot_count; i++) {
    uint32_t count = mo_world_joined_slots(world, i, slots);
    for (uint32_t k = 1; k < count; k++) {
      mo_union_find_join(parents, slots[0], slots[k]);
    }
  }
}

// Whether the substeps are too long for soft-step. Then block-pgs takes its place.
static bool is_too_long(const stage *s) {
  return s->dt > LONGEST_SUBSTEP * s->world->settings.substeps;
}

static bool asks_for_rows(const stage *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  return body->type == MO_BODY_DYNAMIC &&
         (mo_world_body_solver(s->world, body) != MO_SOLVER_SOFT_STEP || is_too_long(s));
}

// Removes the contacts of soft-step whose bodies went over to the row solvers. They start without
// impulses there.
static bool hand_over_contacts(stage *s) {
  mo_pair_store *pairs = &s->world->pairs;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = pairs->colours[c].contacts_count; i-- > 0;) {
      const mo_pair *pair = &pairs->colours[c].contacts[i].pair;
      if (!s->choice->in_rows[pair->slot_a] && !s->choice->in_rows[pair->slot_b]) {
        continue;
      }
      if (mo_pair_record(pairs, pair)->flags & MO_CONTACT_PART) {
        if (!mo_world_drop_part(s->world, pair->contact)) {
          return false;
        }
        continue;
      }
      if (!MO_RESERVE(pairs, near, pairs->near_count + 1) ||
          !mo_pair_store_reserve_notes(pairs, 1)) {
        return false;
      }
      mo_substep_contact contact = mo_pair_store_take_contact(pairs, c, i);
      contact.pair.allowance = MO_NOT_COMPARED; // until the bodies come back
      mo_pair_store_add_near(pairs, &contact.pair);
    }
  }
  return true;
}

mo_result mo_step_choose_solvers(mo_world *world, double dt, mo_solver_choice *choice) {
  stage all = {world, dt, choice}, *s = &all;
  uint32_t slots = world->ids.slot_count;
  bool all_soft = mo_is_substep_solver(world->settings.solver) && !is_too_long(s);
  if (!choice->is_searched && !is_too_long(s) && mo_step_find_overloaded(world, choice) != MO_OK) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  choice->is_searched = true; // once in a step, while soft-step has the contacts
  if (all_soft && world->solver_override_count == 0 && !choice->chosen) {
    s->choice->has_soft = true;
    return MO_OK;
  }
  uint32_t *parents = MO_ARENA_TAKE_RAW(&world->step_arena, uint32_t, slots);
  uint8_t *rows = MO_ARENA_TAKE(&world->step_arena, uint8_t, slots);
  s->choice->in_rows = MO_ARENA_TAKE(&world->step_arena, uint8_t, slots);
  s->choice->has_soft = false;
  if (!parents || !rows || !s->choice->in_rows) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_union_find_reset(parents, slots);
  if (world->solver_override_count > 0) {
    join_all(world, parents);
  }
  // Sleeping bodies are joined too: whoever wakes them gets their solver.
  for (uint32_t slot = 0; slot < slots; slot++) {
    if (world->ids.alive[slot] && asks_for_rows(s, slot)) {
      rows[mo_union_find_root(parents, slot)] = 1;
    }
  }
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (mo_world_is_dynamic(world, slot)) {
      s->choice->in_rows[slot] =
          rows[mo_union_find_root(parents, slot)] || (choice->chosen && choice->chosen[slot]);
      s->choice->has_soft = s->choice->has_soft || !s->choice->in_rows[slot];
    }
  }
  // Bodies without contacts and constraints move alike in both ways. Rows take them if no body is
  // left for soft-step.
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    s->choice->in_rows[slot] =
        s->choice->in_rows[slot] || (!mo_world_is_dynamic(world, slot) && !s->choice->has_soft);
  }
  s->choice->row_alive = MO_ARENA_TAKE_RAW(&world->step_arena, uint8_t, slots);
  for (uint32_t slot = 0; s->choice->row_alive && slot < slots; slot++) {
    s->choice->row_alive[slot] =
        world->ids.alive[slot] && (s->choice->in_rows[slot] || !mo_world_is_dynamic(world, slot));
  }
  return s->choice->row_alive && hand_over_contacts(s) && mo_boundary_find(world, choice)
             ? MO_OK
             : MO_ERROR_OUT_OF_MEMORY;
}
