/// Ids as programs have them: one kind each, of one world each.
#include "test_group.h"
#include "world_fixture.h"

#include <stdio.h>

// --- numbers ---------------------------------------------------------------------------------

static void ids_are_stored_and_loaded(void **state) {
  (void)state;
  mo_body_id id = mo_body_id_load(0xabcdef0112345678ull);
  assert_true(mo_body_id_store(id) == 0xabcdef0112345678ull);
  assert_int_equal(mo_body_id_world(id), 0xabcd);
  assert_int_equal(mo_body_id_generation(id), 0xef01);
  assert_same_body(mo_body_id_load(mo_body_id_store(id)), id);
  assert_int_equal(mo_body_id_slot(id), 0x12345677);
  assert_true(mo_body_id_store(MO_NULL_BODY_ID) == 0);
  assert_true(mo_constraint_id_store(MO_NULL_CONSTRAINT_ID) == 0);
  assert_true(mo_potential_id_store(MO_NULL_POTENTIAL_ID) == 0);
  assert_true(mo_body_id_is_null(mo_body_id_load(0)));
  mo_body_id others[3] = {id, id, id};
  others[0].bits += 1;
  others[1].bits += 1ull << 32;
  others[2].bits += 1ull << 48;
  for (int i = 0; i < 3; i++) {
    assert_false(mo_body_id_equals(id, others[i]));
  }
}

static bool is_same(mo_vec3 a, mo_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

// --- every function that takes an id ---------------------------------------------------------

// One of everything, twice: the ids of one world are handed to the other.
typedef struct room {
  mo_world *world;
  mo_body_id a, b;
  mo_constraint_id joint;
  mo_potential_id spring;
} room;

static room make_room(void) {
  room r = {.world = make_world(mo_world_def_default())};
  r.a = add_body(r.world, body_at(0, 0, 0, 1), sphere(0.5));
  r.b = add_body(r.world, body_at(2, 0, 0, 1), sphere(0.5));
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_a = r.a;
  joint.body_b = r.b;
  joint.anchor_a = vec(1, 0, 0);
  joint.anchor_b = vec(-1, 0, 0);
  r.joint = mo_constraint_create(r.world, &joint);
  mo_potential_def spring = mo_potential_def_default(MO_POTENTIAL_SPRING);
  const mo_body_id ends[2] = {r.a, r.b};
  spring.bodies = ends;
  spring.body_count = 2;
  spring.stiffness = 1.0;
  r.spring = mo_potential_create(r.world, &spring);
  return r;
}

// The functions of a body that only change that. Each is refused with the same code.
static void each_of_a_body_refuses(mo_world *world, mo_body_id id, mo_result code) {
  const mo_quat turn = {0, 0, 0, 1};
  const mo_result results[] = {
      mo_body_destroy(world, id),
      mo_body_set_position(world, id, vec(1, 2, 3)),
      mo_body_set_orientation(world, id, turn),
      mo_body_set_linear_velocity(world, id, vec(1, 2, 3)),
      mo_body_set_angular_velocity(world, id, vec(1, 2, 3)),
      mo_body_set_type(world, id, MO_BODY_STATIC),
      mo_body_set_mass(world, id, 7.0),
      mo_body_set_density(world, id, 7.0),
      mo_body_set_inertia(world, id, (mo_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}),
      mo_body_set_center_of_mass(world, id, vec(0, 0.1, 0)),
      mo_body_set_friction(world, id, 0.9),
      mo_body_set_restitution(world, id, 0.9),
      mo_body_set_linear_damping(world, id, 0.9),
      mo_body_set_angular_damping(world, id, 0.9),
      mo_body_set_gravity_scale(world, id, 0.9),
      mo_body_set_solver(world, id, true, MO_SOLVER_EXACT),
      mo_body_set_filter(world, id, (mo_filter){2, 3, 4}),
      mo_body_set_bullet(world, id, true),
      mo_body_set_allow_sleep(world, id, false),
      mo_body_sleep(world, id),
      mo_body_wake(world, id),
      mo_body_apply_force(world, id, vec(1, 0, 0), NULL),
      mo_body_apply_torque(world, id, vec(1, 0, 0)),
      mo_body_apply_impulse(world, id, vec(1, 0, 0), NULL),
      mo_body_apply_angular_impulse(world, id, vec(1, 0, 0)),
      mo_body_clear_forces(world, id),
  };
  for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
    assert_int_equal(results[i], code);
  }
}

// What the last of them said, and those that have no room for a text.
static void a_body_is_not_found(mo_world *world, mo_body_id id, mo_result code, const char *text) {
  assert_string_equal(mo_world_last_error(world), text);
  mo_body_state body = {.mass = -1.0};
  assert_int_equal(mo_body_get_state(world, id, &body), code);
  assert_true(body.mass == -1.0);
  assert_false(mo_body_is_alive(world, id));
  assert_true(is_same(mo_body_local_point(world, id, vec(1, 2, 3)), vec(1, 2, 3)));
  assert_true(is_same(mo_body_local_vector(world, id, vec(1, 2, 3)), vec(1, 2, 3)));
}

// The functions that have a body beside something of this world.
static void others_refuse_a_body(const room *r, mo_body_id id, mo_result code, const char *what) {
  char text[96];
#define SAYS(...)                                                                                  \
  do {                                                                                             \
    snprintf(text, sizeof text, __VA_ARGS__);                                                      \
    assert_string_equal(mo_world_last_error(r->world), text);                                      \
    assert_int_equal(mo_world_last_result(r->world), code);                                        \
  } while (0)
  mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  joint.body_a = id;
  joint.body_b = r->b;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(r->world, &joint)));
  SAYS("mo_constraint_create: body_a %s", what);
  joint.body_a = r->a;
  joint.body_b = id;
  assert_true(mo_constraint_id_is_null(mo_constraint_create(r->world, &joint)));
  SAYS("mo_constraint_create: body_b %s", what);
  const mo_body_id bodies[2] = {r->a, id};
  mo_potential_def drag = mo_potential_def_default(MO_POTENTIAL_DRAG);
  drag.bodies = bodies;
  drag.body_count = 2;
  assert_true(mo_potential_id_is_null(mo_potential_create(r->world, &drag)));
  SAYS("mo_potential_create: bodies %s", what);
  mo_wrench wrench = {.force = {-1.0, 0.0, 0.0}};
  assert_int_equal(mo_potential_get_wrench(r->world, r->spring, id, &wrench), code);
  SAYS("mo_potential_get_wrench: body %s", what);
  mo_ray ray = mo_ray_default();
  ray.direction = vec(1, 0, 0);
  ray.filter.exclude = id;
  mo_query_hit hit = {.shape = 77};
  const mo_query_hit *hits = NULL;
  uint32_t count = 77;
  assert_int_equal(mo_world_cast_ray(r->world, &ray, &hit), code);
  SAYS("mo_world_cast_ray: exclude %s", what);
  assert_int_equal(mo_world_cast_ray_all(r->world, &ray, &hits, &count), code);
  SAYS("mo_world_cast_ray_all: exclude %s", what);
  assert_true(wrench.force.x == -1.0 && hit.shape == 77 && count == 77 && hits == NULL);
}

static void each_of_a_constraint_refuses(const room *r, mo_constraint_id id, mo_result code,
                                         const char *what) {
  char text[96];
  double numbers[MO_CONSTRAINT_ROWS] = {-1.0};
  assert_int_equal(mo_constraint_destroy(r->world, id), code);
  SAYS("mo_constraint_destroy: constraint %s", what);
  assert_int_equal(mo_constraint_violation(r->world, id, numbers), code);
  SAYS("mo_constraint_violation: constraint %s", what);
  assert_int_equal(mo_constraint_velocity_violation(r->world, id, numbers), code);
  SAYS("mo_constraint_velocity_violation: constraint %s", what);
  assert_int_equal(mo_constraint_break(r->world, id), code);
  SAYS("mo_constraint_break: constraint %s", what);
  mo_constraint_state found = {.coordinate = -1.0};
  assert_int_equal(mo_constraint_get_state(r->world, id, &found), code);
  assert_true(numbers[0] == -1.0 && found.coordinate == -1.0);
  assert_false(mo_constraint_is_alive(r->world, id));
  assert_null(mo_constraint_type_name(r->world, id));
  assert_null(mo_constraint_impulses(r->world, id));
}

static void each_of_a_potential_refuses(const room *r, mo_potential_id id, mo_result code,
                                        const char *what) {
  char text[96];
  double energy = -1.0;
  mo_wrench wrench = {.force = {-1.0, 0.0, 0.0}};
  assert_int_equal(mo_potential_destroy(r->world, id), code);
  SAYS("mo_potential_destroy: potential %s", what);
  assert_int_equal(mo_potential_get_energy(r->world, id, &energy), code);
  SAYS("mo_potential_get_energy: potential %s", what);
  assert_int_equal(mo_potential_get_wrench(r->world, id, r->a, &wrench), code);
  SAYS("mo_potential_get_wrench: potential %s", what);
  assert_true(energy == -1.0 && wrench.force.x == -1.0);
  assert_false(mo_potential_is_alive(r->world, id));
}
#undef SAYS

static void ids_of_another_world_are_refused(void **state) {
  (void)state;
  room here = make_room(), there = make_room();
  // They differ by their worlds alone.
  assert_int_equal(mo_body_id_slot(there.a), mo_body_id_slot(here.a));
  assert_int_equal(mo_body_id_generation(there.a), mo_body_id_generation(here.a));
  uint64_t before = mo_world_hash(here.world);
  const mo_result code = MO_ERROR_INVALID_ARGUMENT;
  const char *what = "must be of this world, got id 1 of another world";
  each_of_a_body_refuses(here.world, there.a, code);
  a_body_is_not_found(here.world, there.a, code,
                      "mo_body_clear_forces: body must be of this world, got id 1 of another "
                      "world");
  others_refuse_a_body(&here, there.a, code, what);
  each_of_a_constraint_refuses(&here, there.joint, code, what);
  each_of_a_potential_refuses(&here, there.spring, code, what);
  assert_true(mo_world_hash(here.world) == before);
  mo_world_destroy(there.world);
  mo_world_destroy(here.world);
}

static void ids_of_a_world_that_is_gone_are_refused(void **state) {
  (void)state;
  room gone = make_room();
  mo_world_destroy(gone.world);
  room here = make_room(); // perhaps at the same address
  assert_int_equal(mo_body_destroy(here.world, gone.a), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_constraint_destroy(here.world, gone.joint), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_potential_destroy(here.world, gone.spring), MO_ERROR_INVALID_ARGUMENT);
  mo_world_destroy(here.world);
}

static void stale_ids_are_refused(void **state) {
  (void)state;
  room here = make_room(), old = here;
  assert_int_equal(mo_potential_destroy(here.world, old.spring), MO_OK);
  assert_int_equal(mo_body_destroy(here.world, old.a), MO_OK); // and its joint
  // Others take their slots.
  here.a = add_body(here.world, body_at(0, 0, 0, 1), sphere(0.5));
  assert_int_equal(mo_body_id_slot(here.a), mo_body_id_slot(old.a));
  mo_potential_def drag = mo_potential_def_default(MO_POTENTIAL_DRAG);
  here.spring = mo_potential_create(here.world, &drag);
  uint64_t before = mo_world_hash(here.world);
  const mo_result code = MO_ERROR_STALE_HANDLE;
  const char *what = "must be alive, got id 1";
  each_of_a_body_refuses(here.world, old.a, code);
  a_body_is_not_found(here.world, old.a, code,
                      "mo_body_clear_forces: body must be alive, got id 1");
  others_refuse_a_body(&here, old.a, code, what);
  each_of_a_constraint_refuses(&here, old.joint, code, what);
  each_of_a_potential_refuses(&here, old.spring, code, what);
  // The second life of a slot.
  assert_int_equal(mo_body_destroy(here.world, here.a), MO_OK);
  assert_int_equal(mo_body_wake(here.world, here.a), code);
  assert_string_equal(mo_world_last_error(here.world),
                      "mo_body_wake: body must be alive, got id 4294967297");
  assert_true(mo_world_hash(here.world) != before);
  mo_world_destroy(here.world);
}

static void null_and_impossible_ids_are_refused(void **state) {
  (void)state;
  room here = make_room();
  const mo_result code = MO_ERROR_STALE_HANDLE;
  each_of_a_body_refuses(here.world, MO_NULL_BODY_ID, code);
  a_body_is_not_found(here.world, MO_NULL_BODY_ID, code,
                      "mo_body_clear_forces: body must be alive, got null");
  each_of_a_constraint_refuses(&here, MO_NULL_CONSTRAINT_ID, code, "must be alive, got null");
  each_of_a_potential_refuses(&here, MO_NULL_POTENTIAL_ID, code, "must be alive, got null");
  const mo_body_id beyond = mo_body_id_load(mo_body_id_store(here.a) | 0xFFFFFFFFFFFFull);
  each_of_a_body_refuses(here.world, beyond, code);
  assert_string_equal(mo_world_last_error(here.world),
                      "mo_body_clear_forces: body must be alive, got id 281474976710655");
  mo_world_destroy(here.world);
}

// --- tags ------------------------------------------------------------------------------------

static void the_tag_of_a_world_is_in_no_result(void **state) {
  (void)state;
  room first = make_room(), second = make_room();
  assert_int_not_equal(mo_body_id_world(first.a), mo_body_id_world(second.a));
  assert_int_equal(mo_body_id_world(first.a), mo_world_tag(first.world));
  assert_true(mo_world_hash(first.world) == mo_world_hash(second.world));
  step_many(first.world, 1.0 / 60, 20);
  step_many(second.world, 1.0 / 60, 20);
  assert_true(mo_world_hash(first.world) == mo_world_hash(second.world));
  mo_world_destroy(first.world);
  mo_world_destroy(second.world);
}

static void tags_count_from_1_to_65535_and_again(void **state) {
  (void)state;
  uint16_t last = 0;
  for (uint32_t i = 0; i < 65536; i++) {
    mo_world *world = make_world(mo_world_def_default());
    mo_body_def def = body_at(0, 0, 0, 1);
    uint16_t tag = mo_body_id_world(mo_body_create(world, &def));
    assert_int_not_equal(tag, 0);
    if (i > 0) {
      assert_int_equal(tag, last == 65535 ? 1 : last + 1);
    }
    last = tag;
    mo_world_destroy(world);
  }
}

TEST_GROUP(ids) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ids_are_stored_and_loaded),
      cmocka_unit_test(ids_of_another_world_are_refused),
      cmocka_unit_test(ids_of_a_world_that_is_gone_are_refused),
      cmocka_unit_test(stale_ids_are_refused),
      cmocka_unit_test(null_and_impossible_ids_are_refused),
      cmocka_unit_test(the_tag_of_a_world_is_in_no_result),
      cmocka_unit_test(tags_count_from_1_to_65535_and_again),
  };
  return run_group(tests, NULL, NULL);
}
