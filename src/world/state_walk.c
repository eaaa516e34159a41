/// Where the records of the state are (state_fields.h).
#include "world/state_fields.h"

#include <string.h>

typedef struct visitor {
  const mo_world *world;
  mo_state_function *function;
  void *context;
} visitor;

static void visit(const visitor *v, const mo_record_type *type, const void *records, size_t count) {
  v->function(v->context, type, records, count);
}

static void visit_word(const visitor *v, uint32_t word) { visit(v, &mo_state_words, &word, 1); }

// A list, preceded by its length.
static void visit_list(const visitor *v, const mo_record_type *type, const void *records,
                       uint32_t count) {
  visit_word(v, count);
  visit(v, type, records, count);
}

// Which ids are alive, and which come next.
static void visit_ids(const visitor *v, const mo_id_pool *ids) {
  visit_list(v, &mo_state_halves, ids->generation, ids->slot_count);
  visit(v, &mo_state_bytes, ids->alive, ids->slot_count);
  visit_list(v, &mo_state_words, ids->free_slots, ids->free_slots_count);
}

// --- bodies ----------------------------------------------------------------------------------
//
// All records of a type follow each other, over all bodies: what takes them has less to do for many
// records than for each of them.

// Records that are put together from several arrays are given by so many.
#define BLOCK 32

// Of an array by slot, those of the bodies.
static void visit_slots(const visitor *v, const mo_record_type *type, const void *array) {
  const unsigned char *records = array;
  for (uint32_t slot = 0, count; (count = mo_id_pool_run(&v->world->ids, &slot)); slot += count) {
    visit(v, type, records + (size_t)slot * type->size, count);
  }
}

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

// To the bit: a zero has a sign.
static bool has_center(const mo_motion *m) {
  return bits_of(m->center_of_mass.x) != bits_of(m->position.x) ||
         bits_of(m->center_of_mass.y) != bits_of(m->position.y) ||
         bits_of(m->center_of_mass.z) != bits_of(m->position.z);
}

static mo_body_activity activity_of(const mo_world *world, uint32_t slot) {
  const mo_island_sets *islands = &world->islands;
  return (mo_body_activity){
      .displacement = world->displacements[slot],
      .box_limit = world->box_limits[slot],
      .still_time = world->still_times[slot],
      .energy_tank = world->energy_tanks[slot],
      .island = islands->names[slot],
      .next = islands->next[slot],
      .is_awake = mo_world_is_awake(world, slot),
      .was_awake = world->was_awake[slot],
      .loose = islands->names[slot] == slot ? islands->loose[slot] : 0,
      .has_center = has_center(&world->motions[slot]),
  };
}

static void visit_activities(const visitor *v) {
  const mo_world *world = v->world;
  mo_body_activity block[BLOCK];
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      block[count++] = activity_of(world, slot);
    }
    if (count == BLOCK || slot + 1 == world->ids.slot_count) {
      visit(v, &mo_state_activity, block, count);
      count = 0;
    }
  }
}

static void visit_centers(const visitor *v) {
  const mo_world *world = v->world;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot] && has_center(&world->motions[slot])) {
      visit(v, &mo_state_center, &world->motions[slot], 1);
    }
  }
}

static void visit_still_places(const visitor *v) {
  const mo_world *world = v->world;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot] && world->still_times[slot] > 0.0f) {
      visit(v, &mo_state_numbers, (const double *)&world->still_places[slot],
            sizeof(mo_still_place) / sizeof(double));
    }
  }
}

static mo_shape_place place_of(const mo_world *world, const mo_body *body, uint32_t shape) {
  const mo_broad_phase *bp = &world->broad_phase;
  uint32_t proxy = body->proxies[shape];
  return (mo_shape_place){.content = body->shapes[shape].shape->content,
                          .proxy = proxy,
                          .box = bp->boxes[proxy],
                          .is_moved = bp->places[proxy].moved != 0};
}

static void visit_shape_places(const visitor *v) {
  const mo_world *world = v->world;
  mo_shape_place block[BLOCK];
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    const mo_body *body = &world->bodies[slot];
    for (uint32_t i = 0; world->ids.alive[slot] && i < body->shape_count; i++) {
      block[count++] = place_of(world, body, i);
      if (count == BLOCK) {
        visit(v, &mo_state_shape_place, block, count);
        count = 0;
      }
    }
  }
  visit(v, &mo_state_shape_place, block, count);
}

static void visit_shapes(const visitor *v) {
  const mo_world *world = v->world;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      visit(v, &mo_state_placed_shape, world->bodies[slot].shapes, world->bodies[slot].shape_count);
    }
  }
  visit_shape_places(v);
}

static void visit_bodies(const visitor *v) {
  visit_ids(v, &v->world->ids);
  visit_slots(v, &mo_state_body, v->world->bodies);
  visit_activities(v);
  visit_slots(v, &mo_state_motion, v->world->motions);
  visit_centers(v);
  visit_still_places(v);
  visit_shapes(v);
}

// --- constraints and potentials --------------------------------------------------------------

static void visit_path(const visitor *v, const mo_constraint *path) {
  uint32_t count;
  const mo_vec3 *points = mo_curve_points(path->curve, &count);
  visit_word(v, (uint32_t)path->path_alignment);
  visit_word(v, mo_curve_is_closed(path->curve));
  visit_word(v, count);
  visit(v, &mo_state_numbers, points, count * (sizeof *points / sizeof(double)));
}

static void visit_constraints(const visitor *v) {
  const mo_world *world = v->world;
  mo_world_settle_joints(world);
  visit_ids(v, &world->constraint_ids);
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    if (world->constraint_ids.alive[slot]) {
      visit(v, &mo_state_constraint, constraint, 1);
      visit(v, &mo_state_steady, constraint, constraint->has_substep_impulses);
      visit(v, &mo_state_more_bodies, constraint, mo_constraint_joins_four(constraint));
      visit(v, &mo_state_wheel, constraint, constraint->type == MO_CONSTRAINT_WHEEL);
      visit(v, &mo_state_pulley, constraint, constraint->type == MO_CONSTRAINT_PULLEY);
      if (constraint->curve) {
        visit_path(v, constraint);
      }
      visit(v, &mo_state_coordinate, constraint->coordinates, constraint->class->coordinate_count);
      visit(v, &mo_state_numbers, constraint->last_values, constraint->class->coordinate_count);
      visit(v, &mo_state_bounds, constraint->bounds, constraint->dimension);
      visit(v, &mo_state_numbers, constraint->impulses, constraint->dimension);
    }
  }
}

// Without the tag of the world, so that worlds that were built alike have equal states.
static void visit_id(const visitor *v, mo_body_id id) {
  visit_word(v, mo_body_id_slot(id));
  visit_word(v, mo_body_id_generation(id));
}

static void visit_potentials(const visitor *v) {
  const mo_world *world = v->world;
  visit_ids(v, &world->potential_ids);
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    const mo_potential_def *potential = &world->potentials[slot];
    if (world->potential_ids.alive[slot]) {
      visit(v, &mo_state_potential, potential, 1);
      for (uint32_t i = 0; i < potential->body_count; i++) {
        visit_id(v, potential->bodies[i]);
      }
    }
  }
}

// --- pairs and contacts ----------------------------------------------------------------------

// Free records do not count, except for the generation that comes next.
static void visit_records(const visitor *v) {
  const mo_contact_store *store = &v->world->pairs.records;
  visit_word(v, store->records_count);
  for (uint32_t i = 0; i < store->records_count;) {
    uint32_t first = i;
    while (i < store->records_count && store->records[i].flags) {
      i++;
    }
    visit(v, &mo_state_contact_record, &store->records[first], i - first);
    for (; i < store->records_count && !store->records[i].flags; i++) {
      visit_word(v, store->records[i].generation);
    }
  }
  visit_list(v, &mo_state_words, store->free, store->free_count);
  visit_list(v, &mo_state_words, store->changed, store->changed_count);
  visit_list(v, &mo_state_words, store->reported, store->reported_count);
}

static void visit_substep_contacts(const visitor *v, const mo_substep_contact *contacts,
                                   uint32_t count) {
  visit_list(v, &mo_state_substep_contact, contacts, count);
  visit(v, &mo_state_substep_points, contacts, count);
}

static void visit_pairs(const visitor *v) {
  const mo_broad_phase *bp = &v->world->broad_phase;
  const mo_pair_store *pairs = &v->world->pairs;
  visit_word(v, bp->proxies_count);
  visit_list(v, &mo_state_words, bp->free_ids, bp->free_ids_count);
  visit_records(v);
  visit_list(v, &mo_state_pair, pairs->near, pairs->near_count);
  visit_list(v, &mo_state_pair, pairs->asleep, pairs->asleep_count);
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &pairs->colours[c];
    visit_substep_contacts(v, colour->contacts, colour->contacts_count);
  }
  visit_substep_contacts(v, pairs->asleep_contacts, pairs->asleep_contacts_count);
}

static void visit_contacts(const visitor *v) {
  const mo_world *world = v->world;
  visit_word(v, world->contacts_count);
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    visit(v, &mo_state_contact, contact, 1);
    visit(v, &mo_state_contact_point, contact->points, contact->point_count);
  }
}

void mo_world_visit_state(const mo_world *world, mo_state_function *function, void *context) {
  visitor v = {world, function, context};
  visit(&v, &mo_state_settings, &world->settings, 1);
  visit(&v, &mo_state_world, world, 1);
  visit_bodies(&v);
  visit_constraints(&v);
  visit_potentials(&v);
  visit_pairs(&v);
  visit_contacts(&v);
}
