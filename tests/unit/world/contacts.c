/// The records of contacts: who is near, who touches, when that begins and ends, and that the lists
/// of bodies hold just the pairs of the store, whatever happens.
#include "test_group.h"
#include "world/world.h"
#include "world_fixture.h"

#include <stdlib.h>

#define DT (1.0 / 60)
#define MARKS (MO_CONTACT_NEAR | MO_CONTACT_TOUCHING | MO_CONTACT_BEGAN | MO_CONTACT_ENDED)

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS};
#define SOLVERS 2

static mo_world *world_with(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  return make_world(settings);
}

static bool is_between(const mo_contact_record *record, uint32_t a, uint32_t b) {
  return (record->slot_a == a && record->slot_b == b) ||
         (record->slot_a == b && record->slot_b == a);
}

// Of the contact of two bodies with one shape each, or null. Of one that ended and one that began
// in the same step the latter.
static const mo_contact_record *record_between(const mo_world *world, mo_body_id a, mo_body_id b) {
  const mo_contact_store *store = &world->pairs.records;
  const mo_contact_record *found = NULL;
  for (uint32_t i = 0; i < store->records_count; i++) {
    const mo_contact_record *record = &store->records[i];
    bool is_later = !found || record->flags & MO_CONTACT_NEAR;
    if (record->flags && is_between(record, mo_body_id_slot(a), mo_body_id_slot(b)) && is_later) {
      found = record;
    }
  }
  return found;
}

static int marks_between(const mo_world *world, mo_body_id a, mo_body_id b) {
  const mo_contact_record *record = record_between(world, a, b);
  return record ? record->flags & MARKS : 0;
}

// --- the store is whole ----------------------------------------------------------------------

static uint32_t check_pair(const mo_world *world, const mo_pair *pair, uint32_t place,
                           uint32_t index) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, pair);
  assert_true(record->flags & MO_CONTACT_NEAR);
  assert_int_equal(record->place, place);
  assert_int_equal(record->index, index);
  assert_int_equal(record->slot_a, pair->slot_a);
  assert_int_equal(record->slot_b, pair->slot_b);
  return 1;
}

static uint32_t check_pairs(const mo_world *world) {
  const mo_pair_store *pairs = &world->pairs;
  uint32_t count = 0;
  for (uint32_t i = 0; i < pairs->near_count; i++) {
    count += check_pair(world, &pairs->near[i], MO_PLACE_NEAR, i);
  }
  for (uint32_t i = 0; i < pairs->asleep_count; i++) {
    count += check_pair(world, &pairs->asleep[i], MO_PLACE_ASLEEP, i);
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    for (uint32_t i = 0; i < pairs->colours[c].contacts_count; i++) {
      count += check_pair(world, &pairs->colours[c].contacts[i].pair, MO_PLACE_COLOURS + c, i);
    }
  }
  for (uint32_t i = 0; i < pairs->asleep_contacts_count; i++) {
    count += check_pair(world, &pairs->asleep_contacts[i].pair, MO_PLACE_ASLEEP_CONTACTS, i);
  }
  return count;
}

// Both ends of each contact are in the list of their body, once.
static uint32_t check_list(const mo_world *world, uint32_t slot) {
  const mo_contact_store *store = &world->pairs.records;
  uint32_t count = 0, previous = MO_NO_CONTACT;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    const mo_contact_record *record = &store->records[mo_contact_of_edge(edge)];
    assert_true(record->flags & MO_CONTACT_NEAR);
    assert_int_equal(edge & 1 ? record->slot_b : record->slot_a, slot);
    assert_int_equal(store->edges[edge].previous, previous);
    previous = edge;
    count++;
  }
  return count;
}

// The manifolds of the row solvers and their contacts name each other.
static void check_manifolds(const mo_world *world) {
  uint32_t count = 0, named = 0;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    if (world->contacts[i].point_count > 0) {
      const mo_contact_record *record = &world->pairs.records.records[world->contacts[i].contact];
      assert_int_equal(record->manifold_count, 1);
      assert_int_equal(record->first_manifold, i);
      count++;
    }
  }
  for (uint32_t i = 0; i < world->pairs.records.records_count; i++) {
    const mo_contact_record *record = &world->pairs.records.records[i];
    named += record->flags & MO_CONTACT_NEAR ? record->manifold_count : 0;
  }
  assert_int_equal(named, count);
}

static void check_store(const mo_world *world) {
  const mo_contact_store *store = &world->pairs.records;
  uint32_t near = 0, ends = 0, used = 0;
  for (uint32_t i = 0; i < store->records_count; i++) {
    near += (store->records[i].flags & MO_CONTACT_NEAR) != 0;
    used += store->records[i].flags != 0;
  }
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    ends += check_list(world, slot);
  }
  assert_int_equal(check_pairs(world), near);
  assert_int_equal(ends, 2 * near);
  for (uint32_t i = 0; i < store->reported_count; i++) { // they are free after the next step
    used += store->records[store->reported[i]].flags == 0;
  }
  assert_int_equal(used + store->free_count, store->records_count);
  check_manifolds(world);
}

// After a step: who touches is who has contact points, and what began or ended is what changed.
static void check_marks(const mo_world *world) {
  const mo_contact_store *store = &world->pairs.records;
  for (uint32_t i = 0; i < store->records_count; i++) {
    const mo_contact_record *record = &store->records[i];
    bool has_manifold = (record->flags & MO_CONTACT_NEAR) &&
                        (record->manifold_count > 0 || mo_pair_place_has_manifold(record->place));
    assert_int_equal((record->flags & MO_CONTACT_TOUCHING) != 0, has_manifold);
    assert_true(!(record->flags & MO_CONTACT_BEGAN) || has_manifold);
    assert_true(!(record->flags & MO_CONTACT_ENDED) || !has_manifold);
  }
}

// --- begin and end ---------------------------------------------------------------------------

// Steps until a mark shows; how many steps. Until then the marks are `before`.
static int steps_until(mo_world *world, mo_body_id a, mo_body_id b, int mark, int before) {
  for (int steps = 1; steps < 1000; steps++) {
    assert_int_equal(mo_world_step(world, DT), MO_OK);
    if (marks_between(world, a, b) & mark) {
      return steps;
    }
    assert_int_equal(marks_between(world, a, b) & (MARKS & ~MO_CONTACT_NEAR), before);
  }
  fail_msg("mark %d never shows", mark);
  return 0;
}

static void a_contact_begins_once_and_lasts_through_rest_and_sleep(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 1.5, 1), sphere(0.5));
    int steps = steps_until(world, floor, ball, MO_CONTACT_BEGAN, 0);
    assert_true(steps > 15 && steps < 40); // it falls 1 m in 0.45 s
    const int began = MO_CONTACT_NEAR | MO_CONTACT_TOUCHING | MO_CONTACT_BEGAN;
    assert_int_equal(marks_between(world, floor, ball), began);
    for (int k = 0; k < 300; k++) {
      step_many(world, DT, 1);
      assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
    }
    assert_int_equal(mo_world_awake_count(world), 0);
    mo_body_wake(world, ball);
    step_many(world, DT, 1);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
    mo_world_destroy(world);
  }
}

static void it_ends_once_where_the_two_part(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 0.5, 1), sphere(0.5));
    step_many(world, DT, 20);
    mo_body_set_linear_velocity(world, ball, vec(0, 0, 20));
    steps_until(world, floor, ball, MO_CONTACT_ENDED, MO_CONTACT_TOUCHING);
    assert_false(marks_between(world, floor, ball) & MO_CONTACT_TOUCHING);
    step_many(world, DT, 1);
    assert_int_equal(marks_between(world, floor, ball) & ~MO_CONTACT_NEAR, 0);
    step_many(world, DT, 20);
    assert_null(record_between(world, floor, ball));
    steps_until(world, floor, ball, MO_CONTACT_BEGAN, 0); // it comes back
    mo_world_destroy(world);
  }
}

static void it_ends_with_a_body(void **state) {
  (void)state;
  for (int i = 0; i < 2 * SOLVERS; i++) {
    mo_world *world = world_with(solvers[i / 2]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 0.5, 1), sphere(0.5));
    step_many(world, DT, i % 2 ? 200 : 10);
    assert_int_equal(mo_world_awake_count(world), i % 2 ? 0 : 1);
    mo_body_destroy(world, ball);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
    uint32_t generation = record_between(world, floor, ball)->generation;
    step_many(world, DT, 1);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_ENDED);
    step_many(world, DT, 1);
    assert_null(record_between(world, floor, ball));
    assert_int_equal(world->pairs.records.free_count, 1);
    assert_int_equal(world->pairs.records.records[0].generation, generation + 1);
    check_store(world);
    mo_world_destroy(world);
  }
}

static void it_ends_where_a_filter_parts_the_two(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 0.5, 1), sphere(0.5));
    mo_body_id other = add_body(world, body_at(5, 0, 0.5, 1), sphere(0.5));
    step_many(world, DT, 200);
    mo_filter filter = mo_filter_default();
    filter.mask = 0;
    mo_body_set_filter(world, ball, filter);
    step_many(world, DT, 1);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_ENDED);
    assert_int_equal(marks_between(world, floor, other), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
    check_store(world);
    mo_world_destroy(world);
  }
}

static void another_solver_neither_ends_nor_begins_it(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
    step_many(world, DT, 20);
    mo_world_def settings = mo_world_get_settings(world);
    settings.solver = solvers[1 - i];
    mo_world_set_settings(world, &settings);
    for (int k = 0; k < 20; k++) {
      step_many(world, DT, 1);
      assert_int_equal(marks_between(world, floor, cube), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
      check_store(world);
    }
    mo_world_destroy(world);
  }
}

// --- a step that is refused ------------------------------------------------------------------

static bool fails;

static bool evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  (void)user;
  (void)b;
  (void)time;
  *out = a->center_of_mass.x - 20.0;
  return !fails;
}

// Something whose function fails when it is told to, after contacts were found.
static void add_bead(mo_world *world) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  mo_body_def bead = body_at(20, 0, 5, 1);
  bead.allow_sleep = false; // nobody asks a function of bodies that sleep
  def.body_a = add_body(world, bead, sphere(0.2));
  def.dimension = 1;
  def.evaluate = evaluate;
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
}

static void refuse_step(mo_world *world) {
  uint64_t hash = mo_world_hash(world);
  fails = true;
  assert_int_equal(mo_world_step(world, DT), MO_ERROR_CONSTRAINT_FAILED);
  fails = false;
  assert_true(mo_world_hash(world) == hash);
  check_store(world);
}

static void a_refused_step_begins_and_ends_nothing(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 0.6, 1), sphere(0.5));
    add_bead(world);
    bool began = false;
    for (int k = 0; k < 40; k++) {
      int before = marks_between(world, floor, ball);
      refuse_step(world);
      assert_int_equal(marks_between(world, floor, ball), before);
      step_many(world, DT, 1);
      assert_false(began && marks_between(world, floor, ball) & MO_CONTACT_BEGAN);
      began = began || marks_between(world, floor, ball) & MO_CONTACT_BEGAN;
    }
    assert_true(began);
    mo_body_destroy(world, ball);
    refuse_step(world);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_NEAR | MO_CONTACT_TOUCHING);
    step_many(world, DT, 1);
    assert_int_equal(marks_between(world, floor, ball), MO_CONTACT_ENDED);
    mo_world_destroy(world);
  }
}

// --- materials -------------------------------------------------------------------------------

static void materials_are_those_of_both_shapes_and_follow_the_bodies(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id ball = add_body(world, body_at(0, 0, 0.5, 1), sphere(0.5));
    mo_body_set_friction(world, floor, 0.9);
    mo_body_set_restitution(world, ball, 0.3);
    step_many(world, DT, 2);
    assert_true(record_between(world, floor, ball)->friction == sqrt(0.9 * 0.5));
    assert_true(record_between(world, floor, ball)->restitution == 0.0);
    mo_body_set_friction(world, ball, 0.2);
    mo_body_set_restitution(world, floor, 0.6);
    assert_true(record_between(world, floor, ball)->friction == sqrt(0.9 * 0.2));
    assert_true(record_between(world, floor, ball)->restitution == sqrt(0.6 * 0.3));
    mo_body_destroy(world, ball);
    mo_body_set_friction(world, floor, 0.1); // the contact is still there, its ball is not
    step_many(world, DT, 1);
    mo_world_destroy(world);
  }
}

// --- everything at once ----------------------------------------------------------------------

#define MOST_BODIES 40

typedef struct crowd {
  mo_world *world;
  mo_body_id bodies[MOST_BODIES];
  uint32_t count, random;
} crowd;

static uint32_t below(crowd *c, uint32_t count) {
  c->random = c->random * 1664525u + 1013904223u;
  return (c->random >> 8) % count;
}

static void add_one(crowd *c) {
  double x = 0.5 * below(c, 8), y = 0.5 * below(c, 4), z = 0.5 + 0.5 * below(c, 6);
  mo_body_def def = body_at(x, y, z, 1);
  def.allow_sleep = below(c, 4) > 0;
  c->bodies[c->count++] = add_body(c->world, def, below(c, 2) ? sphere(0.3) : box(0.3, 0.3, 0.3));
}

static void join_two(crowd *c) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_a = c->bodies[below(c, c->count)];
  def.body_b = c->bodies[below(c, c->count)];
  mo_constraint_create(c->world, &def); // refused for a body with itself
}

static void change(crowd *c) {
  uint32_t i = below(c, c->count);
  mo_body_id body = c->bodies[i];
  mo_filter filter = mo_filter_default();
  switch (below(c, 11)) {
  case 0:
    mo_body_destroy(c->world, body);
    c->bodies[i] = c->bodies[--c->count];
    add_one(c);
    break;
  case 1:
    filter.mask = below(c, 2) ? 0 : UINT32_MAX;
    mo_body_set_filter(c->world, body, filter);
    break;
  case 2:
    mo_body_set_type(c->world, body, below(c, 2) ? MO_BODY_DYNAMIC : MO_BODY_KINEMATIC);
    break;
  case 3:
    mo_body_set_center_of_mass(c->world, body, vec(0.01 * below(c, 10), 0, 0));
    break;
  case 4:
    mo_body_set_solver(c->world, body, below(c, 3) == 0, MO_SOLVER_BLOCK_PGS);
    break;
  case 5:
    mo_body_sleep(c->world, body);
    break;
  case 6:
    mo_body_wake(c->world, body);
    break;
  case 7:
    mo_body_set_friction(c->world, body, 0.1 * below(c, 10));
    break;
  case 8:
    mo_body_set_position(c->world, body, vec(0.5 * below(c, 8), 0.5 * below(c, 4), 1.5));
    break;
  case 9:
    join_two(c);
    break;
  default:
    mo_body_set_mass(c->world, body, below(c, 2) ? 1.0 : 1e-13); // too light for single precision
  }
}

static void the_store_stays_whole_whatever_happens(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    crowd c = {.world = world_with(solvers[i]), .random = 7};
    add_floor(c.world);
    add_bead(c.world);
    while (c.count < MOST_BODIES) {
      add_one(&c);
    }
    for (int step = 0; step < 600; step++) {
      for (uint32_t k = below(&c, 3); k > 0; k--) {
        change(&c);
        check_store(c.world);
      }
      if (below(&c, 4) == 0) {
        refuse_step(c.world);
      }
      step_many(c.world, DT, 1);
      check_store(c.world);
      check_marks(c.world);
    }
    // Records are used again: there were never many more contacts than now.
    assert_true(c.world->pairs.records.records_count < 600);
    mo_world_destroy(c.world);
  }
}

// --- who wakes -------------------------------------------------------------------------------

// The contacts of bodies that have just fallen asleep are still among those that are awake.
static void what_has_just_fallen_asleep_wakes_where_its_floor_goes(void **state) {
  (void)state;
  for (int i = 0; i < SOLVERS; i++) {
    mo_world *world = world_with(solvers[i]);
    mo_body_id floor = add_floor(world);
    mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
    for (int k = 0; k < 300 && mo_world_awake_count(world) > 0; k++) {
      step_many(world, DT, 1);
    }
    assert_int_equal(mo_world_awake_count(world), 0);
    mo_body_set_position(world, floor, vec(0, 0, -9));
    step_many(world, DT, 30);
    assert_true(state_of(world, cube).position.z < 0.0);
    mo_world_destroy(world);
  }
}

TEST_GROUP(contacts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_contact_begins_once_and_lasts_through_rest_and_sleep),
      cmocka_unit_test(it_ends_once_where_the_two_part),
      cmocka_unit_test(it_ends_with_a_body),
      cmocka_unit_test(it_ends_where_a_filter_parts_the_two),
      cmocka_unit_test(another_solver_neither_ends_nor_begins_it),
      cmocka_unit_test(a_refused_step_begins_and_ends_nothing),
      cmocka_unit_test(materials_are_those_of_both_shapes_and_follow_the_bodies),
      cmocka_unit_test(the_store_stays_whole_whatever_happens),
      cmocka_unit_test(what_has_just_fallen_asleep_wakes_where_its_floor_goes),
  };
  return run_group(tests, NULL, NULL);
}
