#include "test_group.h"
#include "world_fixture.h"

#include <stdlib.h>
#include <string.h>

#define DT 0.016

static void free_fall_is_semi_implicit_euler(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id ball = add_body(world, body_at(0, 0, 100, 2.0), sphere(0.5));
  step_many(world, DT, 10);
  mo_body_state s = state_of(world, ball);
  assert_true(fabs(s.linear_velocity.z + 9.81 * 0.16) < 1e-13);
  assert_true(fabs(s.position.z - (100.0 - 9.81 * DT * DT * 55.0)) < 1e-12);
  assert_true(fabs(s.linear_acceleration.z + 9.81) < 1e-11);
  assert_true(fabs(mo_world_time(world) - 0.16) < 1e-15);
  mo_world_destroy(world);
}

static void resting_cube_carries_its_weight(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 5.0), box(0.5, 0.5, 0.5));
  for (int i = 0; i < 100; i++) {
    step_many(world, DT, 1);
    mo_contact_point points[8];
    uint32_t count = mo_world_contact_points(world, points, 8);
    double sum = 0.0;
    assert_int_equal(count, 4);
    for (uint32_t k = 0; k < count; k++) {
      sum += points[k].normal_impulse;
    }
    assert_true(fabs(sum - 0.7848) < 1e-9);
    assert_true(mo_world_residual(world).worst < 1e-9);
  }
  assert_true(fabs(state_of(world, cube).position.z - 0.5) < 1e-8);
  mo_world_destroy(world);
}

// A58: 0.2 of 1 cm in one step of 16 ms is 0.125 m/s, and it stays in the velocity.
static void baumgarte_pushes_through_the_velocity(void **state) {
  (void)state;
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  settings.stabilization = MO_STABILIZATION_BAUMGARTE;
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_id cube = add_body(world, body_at(0, 0, 0.49, 1.0), box(0.5, 0.5, 0.5));
  step_many(world, DT, 1);
  assert_true(fabs(state_of(world, cube).linear_velocity.z - 0.125) < 1e-9);
  mo_world_destroy(world);
}

// A59: the same by pseudo-velocities moves 2 mm and leaves no velocity; a slop of 5 mm leaves half
// of the overlap alone.
static void split_impulses_move_without_velocity(void **state) {
  (void)state;
  const double slops[] = {0.0, 0.005}, moves[] = {0.002, 0.001};
  for (int i = 0; i < 2; i++) {
    mo_world_def settings = acceptance_settings();
    settings.gravity = vec(0, 0, 0);
    settings.stabilization = MO_STABILIZATION_SPLIT;
    settings.linear_slop = slops[i];
    mo_world *world = make_world(settings);
    add_floor(world);
    mo_body_id cube = add_body(world, body_at(0, 0, 0.49, 1.0), box(0.5, 0.5, 0.5));
    step_many(world, DT, 1);
    assert_true(fabs(state_of(world, cube).position.z - 0.49 - moves[i]) < 1e-9);
    assert_true(mo_world_energy(world).kinetic == 0.0);
    mo_world_destroy(world);
  }
}

static void correction_speed_is_capped(void **state) {
  (void)state;
  for (int mode = MO_STABILIZATION_SPLIT; mode <= MO_STABILIZATION_BAUMGARTE; mode++) {
    mo_world_def settings = acceptance_settings();
    settings.gravity = vec(0, 0, 0);
    settings.stabilization = (mo_stabilization)mode;
    mo_world *world = make_world(settings);
    add_floor(world);
    mo_body_id cube = add_body(world, body_at(0, 0, 0.1, 1.0), box(0.5, 0.5, 0.5));
    step_many(world, DT, 1);
    assert_true(fabs(state_of(world, cube).position.z - 0.1 - 3.0 * DT) < 1e-9);
    mo_world_destroy(world);
  }
}

// A64
static void two_static_bodies_in_each_other_never_move(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  mo_body_id a = add_body(world, def, box(1, 1, 1));
  def.position = vec(0.5, 0, 0);
  mo_body_id b = add_body(world, def, box(1, 1, 1));
  step_many(world, DT, 10);
  assert_true(state_of(world, a).position.x == 0.0 && state_of(world, b).position.x == 0.5);
  assert_int_equal(mo_world_contact_point_count(world), 0);
  mo_world_destroy(world);
}

// A65
static void nothing_happens_in_no_time_and_bad_time_is_refused(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  assert_int_equal(mo_world_step(world, DT), MO_OK); // an empty world
  mo_body_id ball = add_body(world, body_at(0, 0, 1, 1.0), sphere(0.5));
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_world_step(world, 0.0), MO_OK);
  assert_int_equal(mo_world_step(world, -0.01), MO_ERROR_INVALID_ARGUMENT);
  assert_string_equal(
      mo_world_last_error(world),
      "mo_world_step: dt must be 0 or a finite number of seconds above 1e-308, got -0.01");
  assert_int_equal(mo_world_step(world, (double)NAN), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_body_apply_force(world, ball, vec(0, (double)NAN, 1e-7), NULL),
                   MO_ERROR_INVALID_ARGUMENT);
  assert_string_equal(mo_world_last_error(world),
                      "mo_body_apply_force: force must be finite, got [0, NaN, 1e-7]");
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

static void overflow_is_refused_and_undone(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id ball = add_body(world, body_at(0, 0, 0, 1.0), sphere(0.5));
  assert_int_equal(mo_body_set_linear_velocity(world, ball, vec(1e308, 0, 0)), MO_OK);
  assert_int_equal(mo_body_set_position(world, ball, vec(1.7e308, 0, 0)), MO_OK);
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_world_step(world, 10.0), MO_ERROR_NOT_FINITE);
  assert_true(mo_world_hash(world) == hash);
  assert_int_equal(mo_body_set_position(world, ball, vec(0, 0, 0)), MO_OK);
  assert_int_equal(mo_world_step(world, DT), MO_OK);
  mo_world_destroy(world);
}

static void a_refused_step_leaves_the_certificate_as_it_was(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  add_body(world, body_at(0, 0, 0.5, 5.0), box(0.5, 0.5, 0.5));
  mo_body_id far = add_body(world, body_at(1e300, 0, 0, 1.0), sphere(0.5));
  step_many(world, DT, 1);
  mo_residual before = mo_world_residual(world);
  assert_int_equal(before.contacts, 4);
  assert_int_equal(mo_body_set_linear_velocity(world, far, vec(1.7e308, 0, 0)), MO_OK);
  assert_int_equal(mo_world_step(world, 1e3), MO_ERROR_NOT_FINITE);
  mo_residual after = mo_world_residual(world);
  assert_int_equal(after.contacts, 4);
  assert_true(after.worst == before.worst && after.rms == before.rms);
  assert_int_equal(mo_world_stats(world).contact_points, 4);
  mo_world_destroy(world);
}

static void a_step_too_short_to_divide_by_is_refused(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_floor(world);
  mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 5.0), box(0.5, 0.5, 0.5));
  assert_int_equal(mo_world_step(world, 1e-320), MO_ERROR_INVALID_ARGUMENT);
  step_many(world, 1e-300, 1);
  step_many(world, DT, 10);
  assert_true(fabs(state_of(world, cube).position.z - 0.5) < 1e-8);
  mo_world_destroy(world);
}

static void a_step_without_contacts_solves_nothing(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  add_body(world, body_at(0, 0, 10, 5.0), sphere(0.5));
  step_many(world, DT, 1);
  assert_int_equal(mo_world_stats(world).status, MO_SOLVE_NONE);
  assert_int_equal(mo_world_stats(world).iterations, 0);
  mo_world_destroy(world);
}

static void mass_that_overflows_is_refused(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_def def = body_at(0, 0, 0, 0);
  def.density = 1e300;
  assert_true(mo_body_id_is_null(add_body(world, def, box(1e4, 1e4, 1e4))));
  assert_non_null(strstr(mo_world_last_error(world), "mass"));
  mo_body_id cube = add_body(world, body_at(0, 0, 0, 1e-300), box(0.5, 0.5, 0.5));
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_body_set_mass(world, cube, 1e300), MO_ERROR_INVALID_ARGUMENT); // 1e600 times
  assert_int_equal(mo_body_set_mass(world, cube, (double)INFINITY), MO_ERROR_INVALID_ARGUMENT);
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

static void sums_that_overflow_are_refused(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id ball = add_body(world, body_at(0, 0, 0, 1e-3), sphere(0.5));
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_body_apply_impulse(world, ball, vec(1e308, 0, 0), NULL), MO_ERROR_NOT_FINITE);
  assert_true(mo_world_hash(world) == hash);
  assert_int_equal(mo_body_apply_force(world, ball, vec(1.7e308, 0, 0), NULL), MO_OK);
  assert_int_equal(mo_body_apply_force(world, ball, vec(1.7e308, 0, 0), NULL), MO_ERROR_NOT_FINITE);
  assert_int_equal(mo_body_clear_forces(world, ball), MO_OK);
  step_many(world, DT, 1);
  mo_world_destroy(world);
}

static void a_change_of_type_keeps_mass_and_drops_forces(void **state) {
  (void)state;
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  mo_world *world = make_world(settings);
  mo_body_id cube = add_body(world, body_at(0, 0, 0, 6.0), box(0.5, 0.5, 0.5));
  assert_int_equal(mo_body_set_linear_velocity(world, cube, vec(1, 0, 0)), MO_OK);
  assert_int_equal(mo_body_apply_force(world, cube, vec(1e3, 0, 0), NULL), MO_OK);
  assert_int_equal(mo_body_set_type(world, cube, MO_BODY_STATIC), MO_OK);
  assert_true(state_of(world, cube).mass == 0.0 && state_of(world, cube).linear_velocity.x == 0.0);
  assert_int_equal(mo_body_apply_force(world, cube, vec(1e3, 0, 0), NULL), MO_OK);
  assert_int_equal(mo_body_set_type(world, cube, MO_BODY_DYNAMIC), MO_OK);
  step_many(world, DT, 1);
  mo_body_state s = state_of(world, cube);
  assert_true(s.mass == 6.0 && fabs(s.inertia.cx.x - 1.0) < 1e-15);
  assert_true(s.linear_velocity.x == 0.0);
  mo_world_destroy(world);
}

static void mass_scales_the_inertia_and_leaves_a_given_one(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id cube = add_body(world, body_at(0, 0, 0, 6.0), box(0.5, 0.5, 0.5));
  assert_int_equal(mo_body_set_mass(world, cube, 12.0), MO_OK);
  assert_true(fabs(state_of(world, cube).inertia.cy.y - 2.0) < 1e-15);
  assert_true(state_of(world, cube).density == 12.0);
  assert_int_equal(mo_body_set_density(world, cube, 3.0), MO_OK);
  assert_true(state_of(world, cube).mass == 3.0 &&
              fabs(state_of(world, cube).inertia.cy.y - 0.5) < 1e-15);
  mo_mat3 inertia = {vec(1, 0, 0), vec(0, 2, 0), vec(0, 0, 2.5)};
  assert_int_equal(mo_body_set_inertia(world, cube, inertia), MO_OK);
  assert_true(state_of(world, cube).inertia.cz.z == 2.5);
  inertia.cz.z = 0.0;
  assert_int_equal(mo_body_set_inertia(world, cube, inertia), MO_ERROR_INVALID_ARGUMENT);
  assert_true(state_of(world, cube).inertia.cz.z == 2.5);
  // A body without shapes whose mass comes after its inertia.
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  def.has_inertia = true;
  def.inertia = (mo_mat3){vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, 1)};
  mo_body_id point = mo_body_create(world, &def);
  assert_int_equal(mo_body_set_density(world, point, 2.0), MO_ERROR_INVALID_ARGUMENT);
  assert_int_equal(mo_body_set_mass(world, point, 2.0), MO_OK);
  assert_int_equal(mo_body_set_type(world, point, MO_BODY_DYNAMIC), MO_OK);
  assert_true(state_of(world, point).inertia.cx.x == 1.0);
  mo_world_destroy(world);
}

static void settings_can_be_changed_between_steps(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id ball = add_body(world, body_at(0, 0, 0, 1.0), sphere(0.5));
  mo_world_def settings = mo_world_get_settings(world);
  settings.gravity = vec(2, 0, 0);
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  step_many(world, 0.5, 1);
  assert_true(state_of(world, ball).linear_velocity.x == 1.0);
  settings.error_reduction = 1.5;
  assert_int_equal(mo_world_set_settings(world, &settings), MO_ERROR_INVALID_ARGUMENT);
  assert_string_equal(mo_world_last_error(world),
                      "mo_world_set_settings: error_reduction must be 0 to 1, got 1.5");
  assert_true(mo_world_get_settings(world).error_reduction == 0.2);
  mo_world_destroy(world);
}

static void bad_definitions_are_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_def def = body_at(0, 0, 0, 1.0);
  def.mass = 0.0;
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  assert_string_equal(mo_world_last_error(world),
                      "mo_body_create: mass must be a finite number above 0, got 0");
  def = body_at(0, 0, 0, 0);
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  assert_non_null(strstr(mo_world_last_error(world), "needs a mass"));
  def = body_at(0, 0, 0, 1.0);
  def.orientation = (mo_quat){0, 0, 0, 0};
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  def = body_at(0, 0, 0, 1.0);
  def.has_inertia = true;
  def.inertia = (mo_mat3){vec(1, 0, 0), vec(0, 1, 0), vec(0, 0, -1)};
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  def = body_at(0, 0, 0, 1.0);
  mo_result result;
  mo_shape *plane = mo_shape_create_plane(vec(0, 0, 1), 0.0, &result);
  assert_true(mo_body_id_is_null(add_body(world, def, plane)));
  assert_non_null(strstr(mo_world_last_error(world), "plane"));
  def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  def.linear_velocity = vec(1, 0, 0);
  assert_true(mo_body_id_is_null(mo_body_create(world, &def)));
  assert_int_equal(mo_world_body_count(world), 0);
  mo_world_destroy(world);
}

static void stale_handles_are_refused_and_slots_reused(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id first = add_body(world, body_at(0, 0, 0, 1.0), sphere(0.5));
  assert_int_equal(mo_body_destroy(world, first), MO_OK);
  assert_int_equal(mo_body_destroy(world, first), MO_ERROR_STALE_HANDLE);
  mo_body_id second = add_body(world, body_at(3, 0, 0, 1.0), sphere(0.5));
  assert_int_equal(mo_body_id_slot(second), mo_body_id_slot(first));
  assert_false(mo_body_id_equals(second, first));
  assert_int_equal(mo_body_set_position(world, first, vec(9, 9, 9)), MO_ERROR_STALE_HANDLE);
  assert_true(state_of(world, second).position.x == 3.0);
  assert_true(mo_world_transforms64(world)[0] == 3.0);
  assert_true(mo_body_is_alive(world, second) && !mo_body_is_alive(world, first));
  assert_same_body(mo_world_body_in_slot(world, 0), second);
  assert_true(mo_body_id_is_null(mo_world_body_in_slot(world, 1)));
  mo_world_destroy(world);
}

static void free_slots_read_as_zeros(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_id body = add_body(world, body_at(1, 2, 3, 1.0), sphere(0.5));
  assert_same_body(mo_world_body_ids(world)[0], body);
  assert_int_equal(mo_body_destroy(world, body), MO_OK);
  for (int i = 0; i < 8; i++) {
    assert_true(mo_world_transforms(world)[i] == 0.0f && mo_world_transforms64(world)[i] == 0.0 &&
                mo_world_velocities(world)[i] == 0.0);
  }
  assert_true(mo_body_id_is_null(mo_world_body_ids(world)[0]));
  mo_world_destroy(world);
}

static void off_centre_force_turns_and_impulse_acts_at_once(void **state) {
  (void)state;
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  mo_world *world = make_world(settings);
  mo_body_id cube = add_body(world, body_at(1, 0, 0, 6.0), box(0.5, 0.5, 0.5)); // I = 1
  mo_vec3 point = vec(1, 0.5, 0);
  assert_int_equal(mo_body_apply_force(world, cube, vec(6, 0, 0), &point), MO_OK);
  step_many(world, 0.1, 2); // the force lasts one step
  mo_body_state s = state_of(world, cube);
  assert_true(fabs(s.linear_velocity.x - 0.1) < 1e-15 && fabs(s.angular_velocity.z + 0.3) < 1e-15);
  assert_int_equal(mo_body_apply_impulse(world, cube, vec(-0.6, 0, 0), NULL), MO_OK);
  assert_true(fabs(state_of(world, cube).linear_velocity.x) < 1e-15);
  mo_world_destroy(world);
}

static void centre_of_mass_off_the_origin_falls_and_turns_about_itself(void **state) {
  (void)state;
  mo_world_def settings = acceptance_settings();
  settings.gravity = vec(0, 0, 0);
  mo_world *world = make_world(settings);
  mo_body_def def = body_at(0, 0, 0, 2.0);
  def.has_center_of_mass = true;
  def.center_of_mass = vec(0.5, 0, 0);
  def.angular_velocity = vec(0, 0, 1);
  mo_body_id cube = add_body(world, def, box(0.5, 0.5, 0.5));
  assert_true(fabs(state_of(world, cube).inertia.cz.z - 2.0 * (1.0 / 6.0 + 0.25)) < 1e-14);
  step_many(world, 0.001, 1000);
  mo_body_state s = state_of(world, cube);
  assert_true(fabs(s.world_center_of_mass.x - 0.5) < 1e-12 &&
              fabs(s.world_center_of_mass.y) < 1e-12);
  assert_true(fabs(s.position.x - (0.5 - 0.5 * cos(1.0))) < 1e-9 &&
              fabs(s.position.y + 0.5 * sin(1.0)) < 1e-9);
  mo_world_destroy(world);
}

static void kinematic_body_carries_what_stands_on_it(void **state) {
  (void)state;
  mo_world *world = make_world(acceptance_settings());
  mo_body_def def = body_at(0, 0, -0.5, 0);
  def.type = MO_BODY_KINEMATIC;
  def.linear_velocity = vec(0.5, 0, 0.25);
  mo_body_id lift = add_body(world, def, box(5, 5, 0.5));
  mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 1.0), box(0.5, 0.5, 0.5));
  step_many(world, DT, 100);
  assert_true(fabs(state_of(world, lift).position.z - (-0.5 + 0.25 * 1.6)) < 1e-12);
  mo_body_state s = state_of(world, cube);
  assert_true(fabs(s.linear_velocity.x - 0.5) < 1e-6 && fabs(s.linear_velocity.z - 0.25) < 1e-6);
  mo_world_destroy(world);
}

// --- memory ----------------------------------------------------------------------------------

static uint64_t allowed_calls;

static void *limited_allocate(size_t bytes, void *user) {
  (void)user;
  if (allowed_calls == 0) {
    return NULL;
  }
  allowed_calls--;
  return malloc(bytes);
}

static void limited_release(void *memory, void *user) {
  (void)user;
  free(memory);
}

// Whatever allocation fails in a step, the world is as it was, and the step succeeds once there is
// memory.
static void step_without_memory_changes_nothing(void **state) {
  (void)state;
  mo_set_allocator(limited_allocate, limited_release, NULL);
  uint64_t failures = 0;
  for (uint64_t limit = 0;; limit++) {
    allowed_calls = UINT64_MAX;
    mo_world *world = make_world(acceptance_settings());
    add_floor(world);
    for (int i = 0; i < 60; i++) {
      add_body(world, body_at(1.01 * (i % 10), 1.01 * (i / 10), 0.5, 1.0), box(0.5, 0.5, 0.5));
    }
    uint64_t hash = mo_world_hash(world);
    allowed_calls = limit;
    mo_result result = mo_world_step(world, DT);
    if (result != MO_OK) {
      assert_int_equal(result, MO_ERROR_OUT_OF_MEMORY);
      assert_true(mo_world_hash(world) == hash);
      assert_int_equal(mo_world_stats(world).contact_points, 0);
      failures++;
    }
    allowed_calls = UINT64_MAX;
    step_many(world, DT, 2);
    mo_world_destroy(world);
    if (result == MO_OK) {
      break;
    }
  }
  assert_true(failures > 5);
  mo_set_allocator(NULL, NULL, NULL);
}

static void body_without_memory_is_not_made(void **state) {
  (void)state;
  mo_set_allocator(limited_allocate, limited_release, NULL);
  allowed_calls = UINT64_MAX;
  mo_world *world = make_world(acceptance_settings());
  mo_shape *shape = box(1, 1, 1);
  mo_placed_shape placed = place(shape);
  mo_body_def def = body_at(0, 0, 0, 1.0);
  def.shapes = &placed;
  def.shape_count = 1;
  for (uint64_t limit = 0;; limit++) {
    allowed_calls = limit;
    mo_body_id id = mo_body_create(world, &def);
    allowed_calls = UINT64_MAX;
    if (!mo_body_id_is_null(id)) {
      break;
    }
    assert_int_equal(mo_world_last_result(world), MO_ERROR_OUT_OF_MEMORY);
    assert_int_equal(mo_world_body_count(world), 0);
  }
  mo_world_destroy(world);
  mo_shape_release(shape);
  mo_set_allocator(NULL, NULL, NULL);
}

static void a_steady_state_allocates_nothing(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_def floor = body_at(0, -0.5, 0, 0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(50, 0.5, 50));
  for (int i = 0; i < 30; i++) {
    add_body(world, body_at(1.1 * (i % 6), 0.5 + i / 6, 0, 1.0), box(0.5, 0.5, 0.5));
  }
  step_many(world, 1.0 / 60.0, 60);
  uint64_t calls = mo_allocation_count();
  step_many(world, 1.0 / 60.0, 120);
  assert_true(mo_allocation_count() == calls);
  mo_world_destroy(world);
}

static void same_input_gives_the_same_bits(void **state) {
  (void)state;
  uint64_t hashes[2];
  for (int run = 0; run < 2; run++) {
    mo_world *world = make_world(row_settings());
    mo_body_def floor = body_at(0, -0.5, 0, 0);
    floor.type = MO_BODY_STATIC;
    add_body(world, floor, box(50, 0.5, 50));
    for (int i = 0; i < 40; i++) {
      mo_body_def def = body_at(0.3 * (i % 5), 1.0 + 0.8 * i, 0.2 * (i % 3), 1.0 + i);
      def.angular_velocity = vec(i, 1, -i);
      add_body(world, def, i % 2 ? box(0.5, 0.3, 0.4) : sphere(0.4));
    }
    step_many(world, 1.0 / 60.0, 400);
    hashes[run] = mo_world_hash(world);
    mo_world_destroy(world);
  }
  assert_true(hashes[0] == hashes[1]);
}

TEST_GROUP(world) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_fall_is_semi_implicit_euler),
      cmocka_unit_test(resting_cube_carries_its_weight),
      cmocka_unit_test(baumgarte_pushes_through_the_velocity),
      cmocka_unit_test(split_impulses_move_without_velocity),
      cmocka_unit_test(correction_speed_is_capped),
      cmocka_unit_test(two_static_bodies_in_each_other_never_move),
      cmocka_unit_test(nothing_happens_in_no_time_and_bad_time_is_refused),
      cmocka_unit_test(overflow_is_refused_and_undone),
      cmocka_unit_test(a_refused_step_leaves_the_certificate_as_it_was),
      cmocka_unit_test(a_step_too_short_to_divide_by_is_refused),
      cmocka_unit_test(a_step_without_contacts_solves_nothing),
      cmocka_unit_test(mass_that_overflows_is_refused),
      cmocka_unit_test(sums_that_overflow_are_refused),
      cmocka_unit_test(a_change_of_type_keeps_mass_and_drops_forces),
      cmocka_unit_test(mass_scales_the_inertia_and_leaves_a_given_one),
      cmocka_unit_test(settings_can_be_changed_between_steps),
      cmocka_unit_test(bad_definitions_are_refused_by_name),
      cmocka_unit_test(stale_handles_are_refused_and_slots_reused),
      cmocka_unit_test(free_slots_read_as_zeros),
      cmocka_unit_test(off_centre_force_turns_and_impulse_acts_at_once),
      cmocka_unit_test(centre_of_mass_off_the_origin_falls_and_turns_about_itself),
      cmocka_unit_test(kinematic_body_carries_what_stands_on_it),
      cmocka_unit_test(step_without_memory_changes_nothing),
      cmocka_unit_test(body_without_memory_is_not_made),
      cmocka_unit_test(a_steady_state_allocates_nothing),
      cmocka_unit_test(same_input_gives_the_same_bits),
  };
  return run_group(tests, NULL, NULL);
}
