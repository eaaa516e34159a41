/// Sizes and numbers at the ends of their ranges: what cannot be is refused by name and leaves no
/// trace, what can be works in good time, and memory is given back.
#include "test_group.h"
#include "world_fixture.h"

#include "memory/arena.h"

#include <stdlib.h>
#include <string.h>

#define DT (1.0 / 60.0)

static bool is_number(mo_vec3 v) { return v.x == v.x && v.y == v.y && v.z == v.z; }

// --- an allocator with an end ----------------------------------------------------------------

typedef struct budget {
  size_t bytes; // of one block at most
  int calls;    // left before it fails
} budget;

static void *allocate_within(size_t bytes, void *user) {
  budget *b = user;
  return bytes > b->bytes || b->calls-- <= 0 ? NULL : malloc(bytes);
}

static void give_back(void *memory, void *user) {
  (void)user;
  free(memory);
}

// --- numbers ---------------------------------------------------------------------------------

// A creation that finds no memory takes no id: the next ones are called as if it had not been.
static void a_refused_creation_takes_no_id(void **state) {
  (void)state;
  mo_body_id expected[2] = {MO_NULL_BODY_ID, MO_NULL_BODY_ID};
  for (int calls = 0; calls < 60; calls++) {
    budget b = {SIZE_MAX, 1 << 30};
    mo_set_allocator(allocate_within, give_back, &b);
    mo_world *world = make_world(row_settings());
    mo_body_id gone = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
    add_body(world, body_at(3, 0, 0, 1), sphere(0.5));
    assert_int_equal(mo_body_destroy(world, gone), MO_OK);
    mo_shape *shape = sphere(0.25);
    mo_placed_shape placed = place(shape);
    mo_body_def def = body_at(6, 0, 0, 1);
    def.shapes = &placed;
    def.shape_count = 1;
    b.calls = calls;
    uint64_t hash = mo_world_hash(world);
    for (int i = 0; i < 2; i++) {
      mo_body_id id = mo_body_create(world, &def);
      if (mo_body_id_is_null(id)) {
        assert_int_equal(mo_world_last_result(world), MO_ERROR_OUT_OF_MEMORY);
        assert_true(mo_world_hash(world) == hash);
        b.calls = 1 << 30;
        id = mo_body_create(world, &def);
      }
      hash = mo_world_hash(world);
      expected[i] = mo_body_id_is_null(expected[i]) ? id : expected[i];
      // Each turn has a world of its own.
      assert_int_equal(mo_body_id_slot(id), mo_body_id_slot(expected[i]));
      assert_int_equal(mo_body_id_generation(id), mo_body_id_generation(expected[i]));
    }
    mo_shape_release(shape);
    mo_world_destroy(world);
    mo_set_allocator(NULL, NULL, NULL);
  }
}

static void a_centre_of_mass_that_overflows_is_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_def def = body_at(1.7e308, 0, 0, 1);
  def.has_inertia = def.has_center_of_mass = true; // else the inertia is what overflows
  def.inertia = (mo_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  def.center_of_mass = vec(1.7e308, 0, 0);
  assert_true(mo_body_id_is_null(add_body(world, def, sphere(0.5))));
  assert_non_null(strstr(mo_world_last_error(world), "center_of_mass"));
  def.position = vec(0, 0, 0);
  def.center_of_mass = vec(1e160, 0, 0); // the square of the distance of its shape overflows
  assert_true(mo_body_id_is_null(add_body(world, def, sphere(0.5))));
  assert_non_null(strstr(mo_world_last_error(world), "center_of_mass"));
  mo_body_id ball = add_body(world, body_at(1.7e308, 0, 0, 1), sphere(0.5));
  uint64_t hash = mo_world_hash(world);
  const mo_vec3 far[] = {{1.7e308, 0, 0}, {0, 1e160, 0}};
  for (int i = 0; i < 2; i++) {
    assert_int_equal(mo_body_set_center_of_mass(world, ball, far[i]), MO_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(mo_world_last_error(world), "center_of_mass"));
    assert_true(mo_world_hash(world) == hash);
  }
  mo_world_destroy(world);
}

static void a_pose_that_overflows_is_refused_by_name(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_id ball = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
  assert_int_equal(mo_body_set_center_of_mass(world, ball, vec(1e150, 0, 0)), MO_OK);
  assert_int_equal(mo_body_set_position(world, ball, vec(1e308, 0, 0)), MO_OK);
  uint64_t hash = mo_world_hash(world);
  assert_int_equal(mo_body_set_position(world, ball, vec(0, (double)INFINITY, 0)),
                   MO_ERROR_INVALID_ARGUMENT);
  assert_true(mo_world_hash(world) == hash);
  // The velocity of another centre of mass is the sum of two that overflows.
  assert_int_equal(mo_body_set_angular_velocity(world, ball, vec(0, 1e300, 0)), MO_OK);
  hash = mo_world_hash(world);
  assert_int_equal(mo_body_set_center_of_mass(world, ball, vec(0, 0, 1e140)),
                   MO_ERROR_INVALID_ARGUMENT);
  assert_non_null(strstr(mo_world_last_error(world), "velocity"));
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
}

static void energy_and_momentum_of_a_body_are_never_nan(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  const double speeds[] = {0.0, 1e-300, -1.0, 1e100, -1e160, 1e300, -1.7e308};
  mo_body_id spin = add_body(world, body_at(0, 0, 0, 5), box(0.1, 0.5, 0.7));
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_KINEMATIC;
  mo_body_id moved = add_body(world, def, sphere(0.5));
  assert_int_equal(mo_body_set_orientation(world, spin, (mo_quat){0.1, 0.2, -0.3, 0.9}), MO_OK);
  for (int i = 0; i < 7 * 7 * 7; i++) {
    mo_vec3 v = {speeds[i % 7], speeds[i / 7 % 7], speeds[i / 49]};
    assert_int_equal(mo_body_set_angular_velocity(world, spin, v), MO_OK);
    assert_int_equal(mo_body_set_linear_velocity(world, spin, v), MO_OK);
    assert_int_equal(mo_body_set_linear_velocity(world, moved, v), MO_OK);
    mo_body_state state_of_spin = state_of(world, spin);
    assert_true(state_of_spin.kinetic_energy >= 0.0);
    assert_true(is_number(state_of_spin.angular_momentum));
    assert_true(state_of(world, moved).kinetic_energy == 0.0);
  }
  // What does not overflow is right, whatever is on the way to it.
  assert_int_equal(mo_body_set_mass(world, spin, 1e-200), MO_OK);
  assert_int_equal(mo_body_set_linear_velocity(world, spin, vec(1e200, 0, 0)), MO_OK);
  assert_int_equal(mo_body_set_angular_velocity(world, spin, vec(0, 0, 0)), MO_OK);
  assert_true(fabs(state_of(world, spin).kinetic_energy / 0.5e200 - 1.0) < 1e-12);
  mo_world_destroy(world);
}

// A cube of 1 m that slides at 1 m/s: where it stops after a second.
static double slide(double mass, double friction) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  mo_body_def def = body_at(0, 0, -0.5, 0);
  def.type = MO_BODY_STATIC;
  def.friction = friction;
  add_body(world, def, box(50, 50, 0.5));
  def = body_at(0, 0, 0.5, mass);
  def.friction = friction;
  def.linear_velocity = vec(1, 0, 0);
  mo_body_id cube = add_body(world, def, box(0.5, 0.5, 0.5));
  step_many(world, DT, 60);
  mo_body_state end = state_of(world, cube);
  assert_true(fabs(end.position.z - 0.5) < 1e-3);
  assert_true(fabs(end.linear_velocity.x) < 1e-3);
  mo_world_destroy(world);
  return end.position.x;
}

// Soft-step is in single precision, but what a mass or a coefficient does is not.
static void friction_holds_at_any_mass_and_coefficient(void **state) {
  (void)state;
  const double masses[] = {1e-90, 1e-40, 1e-20, 1e-12, 1e-6, 1.0, 1e12, 1e18, 1e21, 1e30, 1e100};
  const double coefficients[] = {1e3, 1e19, 1e38, 1e39, 1e100, 1e300};
  for (int i = 0; i < 11; i++) {
    assert_true(fabs(slide(masses[i], 0.5) - 1.0 / (2.0 * 0.5 * 9.81)) < 0.01);
  }
  for (int i = 0; i < 6; i++) {
    assert_true(fabs(slide(1.0, coefficients[i])) < 1e-3);
  }
}

// A world with a mass that single precision does not hold changes back when the mass does.
static void a_mass_may_change_beyond_single_precision(void **state) {
  (void)state;
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_floor(world);
  mo_body_id cube = add_body(world, body_at(0, 0, 0.5, 1), box(0.5, 0.5, 0.5));
  const double masses[] = {1e30, 1.0, 1e-30, 2.0};
  mo_island island;
  for (int i = 0; i < 4; i++) {
    assert_int_equal(mo_body_set_mass(world, cube, masses[i]), MO_OK);
    step_many(world, DT, 30);
    assert_true(fabs(state_of(world, cube).position.z - 0.5) < 1e-2);
    assert_int_equal(mo_world_islands(world, &island, 1), 1);
    assert_int_equal(island.solver, i % 2 == 0 ? MO_SOLVER_BLOCK_PGS : MO_SOLVER_SOFT_STEP);
  }
  mo_world_destroy(world);
}

// Two touching bodies get a joint, and a body is created before the next step that is not refused:
// whether there was one that was refused does not show.
static void a_refused_step_between_a_joint_and_a_body_leaves_no_trace(void **state) {
  (void)state;
  uint64_t hashes[2];
  for (int refuses = 0; refuses < 2; refuses++) {
    mo_world *world = make_world(mo_world_def_default());
    mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.5));
    mo_body_id b = add_body(world, body_at(0.99, 0, 0, 1), sphere(0.5));
    step_many(world, DT, 1);
    mo_constraint_def joint = mo_constraint_def_default(MO_CONSTRAINT_BALL);
    joint.body_a = a;
    joint.body_b = b;
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
    if (refuses == 1) {
      assert_int_equal(mo_world_step(world, 1e300), MO_ERROR_NOT_FINITE);
    }
    add_body(world, body_at(5, 0, 0, 1), sphere(0.5));
    hashes[refuses] = mo_world_hash(world);
    mo_world_destroy(world);
  }
  assert_true(hashes[0] == hashes[1]);
}

// --- sizes -----------------------------------------------------------------------------------

static void expect_number(double x) { assert_true(x == x && fabs(x) < INFINITY); }

// Sums over bodies with extreme numbers of both signs.
static void energy_and_momentum_of_a_world_are_numbers(void **state) {
  (void)state;
  const double sizes[] = {1.7e308, 1e154, 1e20, 0.0, -1e20, -1e154, -1.7e308};
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(1e10, -1e200, 1e300);
  mo_world *world = make_world(settings);
  for (int i = 0; i < 7 * 7; i++) {
    mo_body_def def = body_at(sizes[i % 7], sizes[i / 7], -sizes[i % 7], i % 2 ? 1.0 : 1e300);
    def.has_inertia = true;
    def.inertia.cx = vec(1, 0, 0);
    def.inertia.cy = vec(0, 0.5, 0);
    def.inertia.cz = vec(0, 0, 0.7);
    def.linear_velocity = vec(sizes[i / 7], -sizes[i % 7], sizes[i / 7]);
    def.angular_velocity = vec(sizes[i % 7], sizes[i / 7], 0);
    def.gravity_scale = sizes[(i + 3) % 7];
    mo_body_create(world, &def); // or refuse it
    mo_energy energy = mo_world_energy(world);
    mo_momentum momentum = mo_world_momentum(world);
    const double numbers[] = {energy.kinetic,     energy.potential,   energy.total,
                              momentum.linear.x,  momentum.linear.y,  momentum.linear.z,
                              momentum.angular.x, momentum.angular.y, momentum.angular.z};
    for (int k = 0; k < 9; k++) {
      expect_number(numbers[k]);
    }
  }
  mo_world_destroy(world);
}

static void a_matrix_that_is_too_large_to_count_is_refused(void **state) {
  (void)state;
  mo_arena arena = {0};
  size_t half = (size_t)1 << (4 * sizeof(size_t)); // its square wraps to 0
  assert_null(mo_arena_take_matrix(&arena, half, half));
  assert_null(mo_arena_take_matrix(&arena, half - 1, half - 1));
  assert_null(mo_arena_take_matrix(&arena, 2, SIZE_MAX / 4));
  assert_null(mo_arena_take_matrix(&arena, 8, SIZE_MAX / 8));
  assert_null(mo_arena_take_matrix(&arena, 1, SIZE_MAX));
  assert_non_null(mo_arena_take_matrix(&arena, 0, half));
  assert_non_null(mo_arena_take_matrix(&arena, 3, 5));
  mo_arena_free(&arena);
}

#define CUBES 40

// A pile of cubes on a floor, with some contacts.
static mo_world *contacts_world(mo_solver solver) {
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  mo_world *world = make_world(settings);
  add_floor(world);
  for (int i = 0; i < CUBES; i++) {
    add_body(world, body_at(2.0 * (i % 8), 2.0 * (i / 8), 0.5, 1), box(0.5, 0.5, 0.5));
  }
  step_many(world, DT, 3);
  return world;
}

static void a_recorded_problem_gives_its_memory_back(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS};
  const size_t matrix = (size_t)9 * 16 * CUBES * CUBES * sizeof(double); // four points per cube
  for (int i = 0; i < 2; i++) {
    budget b = {SIZE_MAX, 1 << 30};
    mo_set_allocator(allocate_within, give_back, &b);
    mo_world *world = contacts_world(solvers[i]);
    (void)mo_world_residual(world); // has the arenas that all read-outs need
    mo_problem_record record;
    b.bytes = matrix - 1;
    assert_int_equal(mo_world_record_problem(world, &record), MO_ERROR_OUT_OF_MEMORY);
    size_t held = mo_allocated_bytes();
    assert_true(held < matrix);
    b.bytes = SIZE_MAX;
    for (int how = 0; how < 3; how++) {
      assert_int_equal(mo_world_record_problem(world, &record), MO_OK);
      assert_int_equal(record.contact_count, 4 * CUBES);
      assert_true(record.delassus[0] > 0.0 && record.friction[4 * CUBES - 1] > 0.0);
      assert_true(mo_allocated_bytes() >= held + matrix);
      if (how == 0) {
        mo_world_release_record(world);
      } else if (how == 1) {
        assert_int_equal(mo_world_step(world, DT), MO_OK);
      } else { // the next one takes its place
        assert_int_equal(mo_world_record_problem(world, &record), MO_OK);
        assert_true(mo_allocated_bytes() < held + 2 * matrix);
        continue;
      }
      assert_true(mo_allocated_bytes() < held + matrix / 2);
    }
    mo_world_destroy(world);
    assert_int_equal(mo_allocated_bytes(), 0);
    mo_set_allocator(NULL, NULL, NULL);
  }
}

#define MASSES 300000

// A mass matrix of many blocks: its rows are walked once and not once per block.
static void a_diagonal_mass_matrix_reduces_in_linear_time(void **state) {
  (void)state;
  uint32_t *place = malloc(MASSES * sizeof *place);
  double *mass = malloc(MASSES * sizeof *mass), *force = malloc(MASSES * sizeof *force);
  for (uint32_t i = 0; i < MASSES; i++) {
    place[i] = i;
    mass[i] = 2.0 + i % 3;
    force[i] = 1.0;
  }
  const uint32_t rows[3] = {0, 17, MASSES - 1}, columns[3] = {0, 1, 2};
  const double ones[3] = {1, 1, 2}, offset[3] = {0, 0, 5};
  mo_triplets m = {MASSES, MASSES, MASSES, place, place, mass};
  mo_triplets h = {MASSES, 3, 3, rows, columns, ones};
  double w[9], q[3];
  const char *refused;
  assert_int_equal(mo_problem_reduce(&m, &h, force, offset, w, q, &refused), MO_OK);
  assert_true(fabs(w[0] - 1.0 / mass[0]) < 1e-15 && fabs(w[4] - 1.0 / mass[17]) < 1e-15);
  assert_true(fabs(w[8] - 4.0 / mass[MASSES - 1]) < 1e-15 && w[1] == 0.0);
  assert_true(fabs(q[2] - 5.0 - 2.0 / mass[MASSES - 1]) < 1e-15);
  free(place);
  free(mass);
  free(force);
}

// One block of that many rows: its factors would take 34 GB.
static void rows_coupled_beyond_memory_are_refused(void **state) {
  (void)state;
  enum { ROWS = 65537 };
  budget b = {(size_t)1 << 28, 1 << 30};
  mo_set_allocator(allocate_within, give_back, &b);
  uint32_t *row = malloc(2 * ROWS * sizeof *row), *column = malloc(2 * ROWS * sizeof *column);
  double *value = malloc(2 * ROWS * sizeof *value), *force = calloc(ROWS, sizeof *force);
  for (uint32_t i = 0; i < ROWS; i++) {
    row[2 * i] = column[2 * i] = row[2 * i + 1] = i;
    column[2 * i + 1] = i > 0 ? i - 1 : 0;
    value[2 * i] = 4.0;
    value[2 * i + 1] = i > 0 ? 1.0 : 0.0;
  }
  const double zeros[3] = {0, 0, 0};
  mo_triplets m = {ROWS, ROWS, 2 * ROWS, row, column, value}, h = {ROWS, 3, 0, row, column, value};
  double w[9], q[3];
  const char *refused;
  assert_int_equal(mo_problem_reduce(&m, &h, force, zeros, w, q, &refused), MO_ERROR_OUT_OF_MEMORY);
  assert_int_equal(mo_allocated_bytes(), 0);
  mo_set_allocator(NULL, NULL, NULL);
  free(row);
  free(column);
  free(value);
  free(force);
}

static void a_spin_that_overflows_in_a_lock_is_a_number(void **state) {
  (void)state;
  mo_world *world = make_world(row_settings());
  mo_body_def def = body_at(0, 0, 0, 1);
  def.orientation = (mo_quat){0.3, 0.5, 0.2, 0.7};
  def.angular_velocity = vec(1e308, -1e308, 1.7e308);
  def.lock_rotation = MO_AXIS_X;
  mo_body_id body = add_body(world, def, box(0.1, 0.4, 0.9));
  assert_true(is_number(state_of(world, body).angular_velocity));
  assert_int_equal(mo_body_destroy(world, body), MO_OK);
  // An inertia that round-off makes singular about the free axes.
  def.has_inertia = true;
  def.inertia = (mo_mat3){{1, 0, 0}, {0, 1, 0}, {0, 0, 1e50}};
  def.angular_velocity = vec(1, 1, 1);
  body = add_body(world, def, box(0.1, 0.4, 0.9));
  step_many(world, DT, 3);
  assert_true(is_number(state_of(world, body).angular_velocity));
  mo_world_destroy(world);
}

static void a_watch_without_memory_changes_nothing(void **state) {
  (void)state;
  budget b = {SIZE_MAX, 1 << 30};
  mo_set_allocator(allocate_within, give_back, &b);
  mo_world *world = make_world(row_settings());
  add_floor(world);
  mo_body_id ball = add_body(world, body_at(0, 0, 0.5, 1), sphere(0.5));
  step_many(world, DT, 3);
  assert_int_equal(mo_body_destroy(world, ball), MO_OK);
  uint64_t before = mo_world_hash(world);
  b.calls = 0;
  assert_int_equal(mo_world_watch(world, MO_WATCH_CONTACTS), MO_ERROR_OUT_OF_MEMORY);
  b.calls = 1 << 30;
  assert_true(mo_world_hash(world) == before);
  mo_world_destroy(world);
  mo_set_allocator(NULL, NULL, NULL);
}

TEST_GROUP(limits) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_creation_takes_no_id),
      cmocka_unit_test(a_centre_of_mass_that_overflows_is_refused_by_name),
      cmocka_unit_test(a_pose_that_overflows_is_refused_by_name),
      cmocka_unit_test(energy_and_momentum_of_a_body_are_never_nan),
      cmocka_unit_test(energy_and_momentum_of_a_world_are_numbers),
      cmocka_unit_test(friction_holds_at_any_mass_and_coefficient),
      cmocka_unit_test(a_mass_may_change_beyond_single_precision),
      cmocka_unit_test(a_refused_step_between_a_joint_and_a_body_leaves_no_trace),
      cmocka_unit_test(a_matrix_that_is_too_large_to_count_is_refused),
      cmocka_unit_test(a_recorded_problem_gives_its_memory_back),
      cmocka_unit_test(a_diagonal_mass_matrix_reduces_in_linear_time),
      cmocka_unit_test(rows_coupled_beyond_memory_are_refused),
      cmocka_unit_test(a_spin_that_overflows_in_a_lock_is_a_number),
      cmocka_unit_test(a_watch_without_memory_changes_nothing),
  };
  return run_group(tests, NULL, NULL);
}
