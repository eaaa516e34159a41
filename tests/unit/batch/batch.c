/// Batches of worlds, beside worlds by themselves.
#include "helper_fixture.h"
#include "joint_machines.h"
#include "test_group.h"

#include <string.h>

#define DT (1.0 / 60.0)
#define WORLDS 8
#define GRAVITY 9.81

// A cart on rails along x with a pole on a hinge about y, and a box beside that falls on a floor.
typedef struct cart_pole {
  mo_world *world;
  mo_body_id cart, pole, box;
  mo_constraint_id rail, hinge;
} cart_pole;

static cart_pole make_cart_pole(mo_solver solver) {
  cart_pole out = {.world = joint_world(solver, GRAVITY)};
  add_floor(out.world);
  mo_body_def cart = body_at(0, 0, 1, 1.0), pole = body_at(0, 0, 1.5, 0.1);
  cart.filter.mask = pole.filter.mask = 0;
  out.cart = add_body(out.world, cart, box(0.2, 0.1, 0.1));
  out.pole = add_body(out.world, pole, box(0.02, 0.02, 0.5));
  out.box = add_body(out.world, body_at(3, 0, 0.6, 1.0), box(0.5, 0.5, 0.5));
  out.rail = add_axle(out.world, MO_CONSTRAINT_SLIDER, MO_NULL_BODY_ID, out.cart, vec(1, 0, 0));
  mo_constraint_def hinge = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  hinge.body_a = out.cart;
  hinge.body_b = out.pole;
  hinge.anchor_b = vec(0, 0, -0.5);
  hinge.axis_a = hinge.axis_b = vec(0, 1, 0);
  out.hinge = add_joint(out.world, &hinge);
  return out;
}

static mo_batch_channel of_joint(mo_batch_quantity quantity, mo_constraint_id joint) {
  return (mo_batch_channel){.quantity = quantity, .joint = joint};
}
static mo_batch_channel of_body(mo_batch_quantity quantity, mo_body_id body) {
  return (mo_batch_channel){.quantity = quantity, .body = body};
}

// A batch with one effort on the rail, and what a learner sees.
static mo_batch *make_batch(const cart_pole *m, uint32_t count) {
  const mo_batch_channel actions[] = {of_joint(MO_BATCH_EFFORT, m->rail)};
  const mo_batch_channel observations[] = {
      of_joint(MO_BATCH_COORDINATE, m->rail), of_joint(MO_BATCH_COORDINATE, m->hinge),
      of_joint(MO_BATCH_RATE, m->hinge), of_body(MO_BATCH_CONTACT, m->box),
      of_body(MO_BATCH_CONTACT_FORCE, m->box)};
  const mo_batch_channel starts[] = {
      of_joint(MO_BATCH_COORDINATE, m->rail), of_joint(MO_BATCH_RATE, m->rail),
      of_joint(MO_BATCH_COORDINATE, m->hinge), of_joint(MO_BATCH_RATE, m->hinge)};
  const mo_batch_def def = {count, actions, observations, starts, 1, 5, 4};
  mo_result result;
  mo_batch *batch = mo_batch_create(m->world, &def, &result);
  if (!batch) {
    print_error("%s\n", mo_world_last_error(m->world));
  }
  assert_int_equal(result, MO_OK);
  return batch;
}

static double *array_of(mo_batch *batch, mo_batch_list list) {
  uint32_t row_size;
  return mo_batch_array(batch, list, &row_size);
}

static double push_of(uint32_t world, int step) { return 0.5 * world - 1.0 + 0.1 * (step % 7); }

// The hashes of worlds by themselves, which the batch's must equal.
static void expect_hashes_of_single_worlds(mo_solver solver, mo_batch *batch, int steps) {
  for (uint32_t k = 0; k < WORLDS; k++) {
    cart_pole m = make_cart_pole(solver);
    for (int i = 0; i < steps; i++) {
      mo_vec3 push = vec(push_of(k, i), 0, 0);
      if (push.x != 0.0) {
        assert_int_equal(mo_body_apply_force(m.world, m.cart, push, NULL), MO_OK);
      }
      assert_int_equal(mo_world_step(m.world, DT), MO_OK);
    }
    assert_true(mo_world_hash(m.world) == mo_world_hash(mo_batch_world(batch, k)));
    mo_world_destroy(m.world);
  }
}

static void step_batch(mo_batch *batch, int steps) {
  double *actions = array_of(batch, MO_BATCH_ACTIONS);
  for (int i = 0; i < steps; i++) {
    for (uint32_t k = 0; k < WORLDS; k++) {
      actions[k] = push_of(k, i);
    }
    assert_int_equal(mo_batch_step(batch, DT, 1), 0);
  }
}

static void worlds_of_a_batch_are_as_worlds_by_themselves(void **state) {
  (void)state;
  for (int s = 0; s < FREE_SOLVERS; s++) {
    cart_pole m = make_cart_pole(joint_solvers[s]);
    mo_batch *batch = make_batch(&m, WORLDS);
    mo_world_destroy(m.world);
    step_batch(batch, 60);
    expect_hashes_of_single_worlds(joint_solvers[s], batch, 60);
    mo_batch_destroy(batch);
  }
}

static void threads_change_no_bit(void **state) {
  (void)state;
  start_threads(3);
  worlds_of_a_batch_are_as_worlds_by_themselves(state);
  stop_threads();
}

static void a_reset_goes_back_to_the_template(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  step_many(m.world, DT, 5);
  mo_batch *batch = make_batch(&m, WORLDS);
  uint64_t first = mo_world_hash(m.world);
  uint8_t mask[WORLDS] = {0, 1, 0, 1};
  step_batch(batch, 20);
  uint64_t second = mo_world_hash(mo_batch_world(batch, 2));
  assert_int_equal(mo_batch_reset(batch, mask), 0);
  assert_true(mo_world_hash(mo_batch_world(batch, 1)) == first);
  assert_true(mo_world_hash(mo_batch_world(batch, 2)) == second);
  assert_true(mo_world_hash(mo_batch_world(batch, 3)) == first);
  assert_int_equal(mo_batch_reset(batch, NULL), 0);
  assert_true(mo_world_hash(mo_batch_world(batch, 2)) == first);
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
}

// A pole of a cart: what hangs on a joint goes with it, and joints stay closed.
static void starts_set_coordinates_and_rates(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_batch *batch = make_batch(&m, WORLDS);
  double *starts = array_of(batch, MO_BATCH_STARTS);
  for (uint32_t k = 0; k < WORLDS; k++) {
    const double row[] = {0.1 * k, 0.2, 3.0 * k, -0.5 * k}; // many turns of the pole
    memcpy(&starts[4 * k], row, sizeof row);
  }
  assert_int_equal(mo_batch_reset(batch, NULL), 0);
  for (uint32_t k = 0; k < WORLDS; k++) {
    mo_world *world = mo_batch_world(batch, k);
    mo_coordinate_state rail, hinge;
    assert_int_equal(mo_constraint_get_coordinate(world, m.rail, 0, &rail), MO_OK);
    assert_int_equal(mo_constraint_get_coordinate(world, m.hinge, 0, &hinge), MO_OK);
    assert_near(rail.value, 0.1 * k, 1e-14);
    assert_near(rail.rate, 0.2, 1e-14);
    assert_near(hinge.value, 3.0 * k, 1e-13);
    assert_near(hinge.rate, -0.5 * k, 1e-13);
    double errors[6] = {0};
    assert_int_equal(mo_constraint_violation(world, m.hinge, errors), MO_OK);
    for (int i = 0; i < 5; i++) {
      assert_near(errors[i], 0.0, 1e-13);
    }
    assert_int_equal(mo_constraint_velocity_violation(world, m.hinge, errors), MO_OK);
    for (int i = 0; i < 5; i++) {
      assert_near(errors[i], 0.0, 1e-13);
    }
  }
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
}

static void contacts_are_seen(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_batch *batch = make_batch(&m, 1);
  const double *seen = array_of(batch, MO_BATCH_OBSERVATIONS);
  assert_true(seen[3] == 0.0);
  assert_int_equal(mo_batch_step(batch, DT, 120), 0);
  assert_true(seen[3] == 1.0);
  assert_near(seen[6], GRAVITY, 1e-3); // the weight of 1 kg
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
}

static void a_world_that_refuses_does_not_stop_the_others(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_batch *batch = make_batch(&m, 3);
  double *actions = array_of(batch, MO_BATCH_ACTIONS);
  actions[0] = NAN;
  actions[1] = 1.0;
  actions[2] = 1e300; // the motion overflows
  uint64_t first = mo_world_hash(m.world);
  assert_int_equal(mo_batch_step(batch, DT, 2), 2);
  const uint32_t *results = mo_batch_results(batch);
  assert_int_equal(results[0], MO_ERROR_INVALID_ARGUMENT);
  assert_string_equal(mo_world_last_error(mo_batch_world(batch, 0)),
                      "mo_batch_step: actions[0] must be finite, got NaN");
  assert_int_equal(results[1], MO_OK);
  assert_int_equal(mo_world_step_count(mo_batch_world(batch, 1)), 2);
  assert_int_equal(results[2], MO_ERROR_NOT_FINITE);
  assert_true(mo_world_hash(mo_batch_world(batch, 0)) == first);
  actions[0] = actions[1] = actions[2] = 0.0;
  assert_int_equal(mo_batch_step(batch, DT, 1), 0);
  assert_int_equal(mo_world_step(m.world, DT), MO_OK);
  assert_true(mo_world_hash(mo_batch_world(batch, 2)) == mo_world_hash(m.world));
  double *starts = array_of(batch, MO_BATCH_STARTS);
  starts[4] = INFINITY; // of world 1
  assert_int_equal(mo_batch_reset(batch, NULL), 1);
  assert_string_equal(mo_world_last_error(mo_batch_world(batch, 1)),
                      "mo_batch_reset: starts[0] must be finite, got Infinity");
  assert_true(mo_world_hash(mo_batch_world(batch, 1)) == first);
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
}

typedef struct refusal {
  mo_batch_list list;
  mo_batch_channel channel;
  mo_result result;
  const char *text;
} refusal;

static void expect_refusal(mo_world *world, const refusal *r) {
  mo_batch_def def = {.count = 1};
  const mo_batch_channel **lists[] = {&def.actions, &def.observations, &def.starts};
  uint32_t *counts[] = {&def.action_count, &def.observation_count, &def.start_count};
  *lists[r->list] = &r->channel;
  *counts[r->list] = 1;
  mo_result result;
  size_t bytes = mo_allocated_bytes();
  assert_null(mo_batch_create(world, &def, &result));
  assert_int_equal(result, r->result);
  assert_string_equal(mo_world_last_error(world), r->text);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void bad_channels_are_refused_by_name(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_constraint_def more = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  more.body_a = m.pole;
  more.anchor_a = vec(0, 0, 0.5);
  more.anchor_b = vec(0, 0, 2); // the world's
  const refusal refusals[] = {
      {MO_BATCH_ACTIONS, of_joint(MO_BATCH_TIME, m.rail), MO_ERROR_INVALID_ARGUMENT,
       "mo_batch_create: actions[0].quantity must be one that this array may have, got 9"},
      {MO_BATCH_OBSERVATIONS, of_joint((mo_batch_quantity)77, m.rail), MO_ERROR_INVALID_ARGUMENT,
       "mo_batch_create: observations[0].quantity must be one that this array may have, got 77"},
      {MO_BATCH_ACTIONS, of_joint(MO_BATCH_EFFORT, MO_NULL_CONSTRAINT_ID), MO_ERROR_STALE_HANDLE,
       "mo_batch_create: actions[0].joint must be a joint of the template that is alive, got 0"},
      {MO_BATCH_STARTS, of_body(MO_BATCH_POSITION, MO_NULL_BODY_ID), MO_ERROR_STALE_HANDLE,
       "mo_batch_create: starts[0].body must be a body of the template that is alive, got 0"},
      {MO_BATCH_OBSERVATIONS,
       {.quantity = MO_BATCH_RATE, .joint = m.rail, .coordinate = 1},
       MO_ERROR_INVALID_ARGUMENT,
       "mo_batch_create: observations[0].coordinate must be the number of a coordinate that the "
       "joint has, got 1"}};
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
    expect_refusal(m.world, &refusals[i]);
  }
  add_joint(m.world, &more);
  expect_refusal(m.world,
                 &(refusal){MO_BATCH_STARTS, of_joint(MO_BATCH_COORDINATE, m.hinge),
                            MO_ERROR_INVALID_ARGUMENT,
                            "mo_batch_create: starts[0].joint must be no part of a loop where its "
                            "coordinate is set, got 2"});
  const mo_batch_def none = {.count = 0};
  mo_result result;
  assert_null(mo_batch_create(m.world, &none, &result));
  assert_string_equal(mo_world_last_error(m.world),
                      "mo_batch_create: count must be a whole number from 1 to 1048576, got 0");
  mo_world_destroy(m.world);
}

static void all_memory_comes_back(void **state) {
  (void)state;
  size_t bytes = mo_allocated_bytes();
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_batch *batch = make_batch(&m, WORLDS);
  step_batch(batch, 30);
  mo_batch_reset(batch, NULL);
  uint32_t slots;
  const float *transforms = mo_batch_transforms(batch, &slots);
  assert_int_equal(slots, mo_world_slot_count(m.world));
  assert_memory_equal(transforms, mo_world_transforms(m.world), slots * 8 * sizeof(float));
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
  assert_int_equal(mo_allocated_bytes(), bytes);
}

static void steps_take_no_memory_after_the_first(void **state) {
  (void)state;
  cart_pole m = make_cart_pole(MO_SOLVER_SOFT_STEP);
  mo_batch *batch = make_batch(&m, WORLDS);
  step_batch(batch, 120);
  uint64_t calls = mo_allocation_count();
  step_batch(batch, 60);
  assert_true(mo_allocation_count() == calls);
  mo_batch_destroy(batch);
  mo_world_destroy(m.world);
}

TEST_GROUP(batch) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(worlds_of_a_batch_are_as_worlds_by_themselves),
      cmocka_unit_test(threads_change_no_bit),
      cmocka_unit_test(a_reset_goes_back_to_the_template),
      cmocka_unit_test(starts_set_coordinates_and_rates),
      cmocka_unit_test(contacts_are_seen),
      cmocka_unit_test(a_world_that_refuses_does_not_stop_the_others),
      cmocka_unit_test(bad_channels_are_refused_by_name),
      cmocka_unit_test(all_memory_comes_back),
      cmocka_unit_test(steps_take_no_memory_after_the_first),
  };
  return run_group(tests, NULL, NULL);
}
