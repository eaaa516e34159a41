/// General rows in soft-step, beside block-pgs.
#include "assert_near.h"
#include "row_fixture.h"
#include "solvers/block_pgs/block_pgs.h"
#include "substep_joint_fixture.h"
#include "test_group.h"

#include <string.h>

// Two free bodies under rows, by block-pgs in one step and by soft-step. Velocities of body 1 and
// 2 as the rows have them before the step.
typedef struct two_ways {
  row_fixture rows;
  substep_scene scene;
  mo_substep_rows soft;
  uint32_t indices[3];
} two_ways;

static void two_ways_begin(two_ways *t) {
  fixture_begin(&t->rows, 2);
  t->scene = substep_scene_begin(2, 1);
  t->scene.gravity = mo_v3_zero();
  t->scene.settings.dt = t->rows.problem.dt;
  for (int i = 0; i < 2; i++) {
    double mass = 1.0 + i, inertia = 0.2 + 0.3 * i;
    substep_body(&t->scene, mo_v3(i, 0.0, 0.0), mass, inertia);
    t->scene.motions[i].linear_velocity = mo_v3(0.5 - i, 0.25 * i, 0.125);
    t->scene.motions[i].angular_velocity = mo_v3(1.0, -0.5 * i, 2.0 - 3.0 * i);
    t->rows.bodies[i + 1] = (mo_row_body){.free_linear = t->scene.motions[i].linear_velocity,
                                          .free_angular = t->scene.motions[i].angular_velocity,
                                          .inverse_mass = 1.0 / mass,
                                          .inverse_inertia = t->scene.masses[i].inverse_inertia};
  }
}

static mo_row *add_rows(two_ways *t, mo_bound bound, uint32_t count) {
  mo_row_problem *problem = &t->rows.problem;
  mo_row *rows = &t->rows.rows[problem->row_count];
  t->rows.blocks[problem->block_count++] = (mo_row_block){.body_a = 1,
                                                          .body_b = 2,
                                                          .first_row = problem->row_count,
                                                          .row_count = count,
                                                          .bound = bound,
                                                          .lower = -INFINITY,
                                                          .upper = INFINITY};
  problem->row_count += count;
  return rows;
}

// Both ways; velocities and impulses agree.
static void assert_agreement(two_ways *t, double tolerance) {
  mo_row copies[FIXTURE_ROWS];
  memcpy(copies, t->rows.rows, sizeof copies);
  mo_solver_settings settings = {.max_iterations = 500, .tolerance = 1e-13};
  mo_solve_result result =
      mo_block_pgs_solve(&t->rows.problem, t->rows.velocities, &settings, NULL, &t->rows.arena);
  assert_int_equal(result.result, MO_OK);
  double impulses[FIXTURE_ROWS];
  for (uint32_t i = 0; i < t->rows.problem.row_count; i++) {
    impulses[i] = t->rows.rows[i].impulse;
  }
  memcpy(t->rows.rows, copies, sizeof copies);
  t->indices[1] = 1, t->indices[2] = 2;
  t->soft = (mo_substep_rows){.problem = &t->rows.problem, .bodies = t->indices};
  t->scene.rows = &t->soft;
  assert_true(substep_scene_step(&t->scene));
  for (int i = 0; i < 2; i++) {
    const mo_motion *m = &t->scene.motions[i];
    assert_near(mo_distance_between(m->linear_velocity, t->rows.velocities[i + 1].linear), 0.0,
                tolerance);
    assert_near(mo_distance_between(m->angular_velocity, t->rows.velocities[i + 1].angular), 0.0,
                tolerance);
  }
  for (uint32_t i = 0; i < t->rows.problem.row_count; i++) {
    assert_near(t->rows.rows[i].impulse, impulses[i], tolerance);
  }
  fixture_end(&t->rows);
  substep_scene_end(&t->scene);
}

// w_A . z + 2 w_B . z = 0.
static mo_row *add_gear(two_ways *t, mo_bound bound) {
  mo_row *row = add_rows(t, bound, 1);
  *row = (mo_row){.angular_a = {0.0, 0.0, 1.0}, .angular_b = {0.0, 0.0, 2.0}};
  return row;
}

static void a_gear_is_that_of_block_pgs(void **state) {
  (void)state;
  two_ways t;
  two_ways_begin(&t);
  add_gear(&t, MO_BOUND_BILATERAL);
  assert_agreement(&t, 1e-6);
}

static void a_driven_block_of_rows_is_that_of_block_pgs(void **state) {
  (void)state;
  two_ways t;
  two_ways_begin(&t);
  mo_row *rows = add_rows(&t, MO_BOUND_BILATERAL, 4);
  mo_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  for (int i = 0; i < 3; i++) {
    rows[i] = (mo_row){.linear_a = mo_neg(axes[i]),
                       .angular_a = mo_neg(mo_cross(mo_v3(0.5, 0.1, 0.0), axes[i])),
                       .linear_b = axes[i],
                       .angular_b = mo_cross(mo_v3(-0.5, 0.1, 0.0), axes[i]),
                       .bias = 0.1 * i};
  }
  rows[3] = rows[0]; // redundant
  assert_agreement(&t, 1e-5);
}

static void a_motor_gives_no_more_than_its_bounds(void **state) {
  (void)state;
  two_ways t;
  two_ways_begin(&t);
  mo_row *row = add_gear(&t, MO_BOUND_BOX);
  row->bias = -40.0;
  t.rows.blocks[0].lower = -0.25;
  t.rows.blocks[0].upper = 0.125;
  assert_agreement(&t, 1e-6);
}

static void an_open_row_lets_close_and_no_further(void **state) {
  (void)state;
  two_ways t;
  two_ways_begin(&t);
  mo_row *row = add_rows(&t, MO_BOUND_UNILATERAL, 1);
  *row = (mo_row){.linear_a = {-1.0, 0.0, 0.0}, .linear_b = {1.0, 0.0, 0.0}};
  row->gap = 0.004; // m, closing with 1 m/s in 16 ms
  row->bias = row->gap / t.rows.problem.dt;
  t.indices[1] = 1, t.indices[2] = 2;
  t.soft = (mo_substep_rows){.problem = &t.rows.problem, .bodies = t.indices};
  t.scene.rows = &t.soft;
  assert_true(substep_scene_step(&t.scene));
  double gap =
      row->gap + t.scene.motions[1].center_of_mass.x - 1.0 - t.scene.motions[0].center_of_mass.x;
  double speed = t.scene.motions[1].linear_velocity.x - t.scene.motions[0].linear_velocity.x;
  assert_near(gap, 0.0, 1e-6);
  assert_near(speed, 0.0, 1e-5);
  assert_near(row->impulse, 1.0 / (1.0 + 0.5), 1e-5); // relative speed over 1/m_A + 1/m_B
  fixture_end(&t.rows);
  substep_scene_end(&t.scene);
}

static void friction_of_a_cone_is_that_of_block_pgs(void **state) {
  (void)state;
  for (int rough = 0; rough < 2; rough++) {
    two_ways t;
    two_ways_begin(&t);
    mo_row *rows = add_rows(&t, MO_BOUND_CONE, 3);
    t.rows.blocks[0].friction = rough ? 5.0 : 0.1;
    mo_vec3 axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int i = 0; i < 3; i++) {
      rows[i] = (mo_row){.linear_a = mo_neg(axes[i]), .linear_b = axes[i]};
    }
    rows[0].gap = -1e-9; // touching
    assert_agreement(&t, 1e-5);
  }
}

// A body of 1 kg on a row that is a spring and damper of the whole step (A56's law).
static void a_spring_row_swings_with_its_frequency(void **state) {
  (void)state;
  substep_scene s = substep_scene_begin(1, 1);
  s.gravity = mo_v3_zero();
  substep_body(&s, mo_v3(0.1, 0.0, 0.0), 1.0, 0.1);
  double stiffness = 40.0, dt = s.settings.dt, period = 2.0 * MO_PI / sqrt(stiffness), last = 0.0;
  row_fixture f;
  fixture_begin(&f, 1);
  f.problem.dt = dt;
  f.bodies[1] = (mo_row_body){.inverse_mass = 1.0, .inverse_inertia = s.masses[0].inverse_inertia};
  f.blocks[0] = (mo_row_block){.body_b = 1, .row_count = 1, .bound = MO_BOUND_BILATERAL};
  f.problem.block_count = f.problem.row_count = 1;
  const uint32_t indices[2] = {0, 1};
  mo_substep_rows rows = {.problem = &f.problem, .bodies = indices};
  s.rows = &rows;
  double before = 0.1, first = 0.0, impulse = 0.0;
  int crossings = 0;
  for (int i = 1; crossings < 3; i++) {
    assert_true(i < 1000);
    double error = s.motions[0].center_of_mass.x;
    f.rows[0] = (mo_row){.linear_b = {1.0, 0.0, 0.0},
                         .bias = stiffness * error / (stiffness * dt),
                         .gap = error,
                         .softening = 1.0 / (dt * stiffness * dt),
                         .impulse = impulse};
    assert_true(substep_scene_step(&s));
    impulse = f.rows[0].impulse;
    double now = s.motions[0].center_of_mass.x;
    if ((before > 0.0) != (now > 0.0)) {
      last = (i - now / (now - before)) * dt;
      first = crossings++ == 0 ? last : first;
    }
    before = now;
  }
  assert_near(last - first, period, 0.02 * period);
  fixture_end(&f);
  substep_scene_end(&s);
}

// Rows that hold positions: a ball made of three rows hangs like a ball.
static void rows_that_hold_positions_close_their_gap(void **state) {
  (void)state;
  substep_scene s = substep_scene_begin(1, 1);
  substep_body(&s, mo_v3(0.0, 0.0, -0.01), 1.0, 0.1); // 1 cm too low
  row_fixture f;
  fixture_begin(&f, 1);
  f.problem.dt = s.settings.dt;
  f.bodies[1] = (mo_row_body){.inverse_mass = 1.0, .inverse_inertia = s.masses[0].inverse_inertia};
  f.blocks[0] = (mo_row_block){
      .body_b = 1, .row_count = 3, .bound = MO_BOUND_BILATERAL, .holds_position = true};
  f.problem.block_count = 1;
  f.problem.row_count = 3;
  const uint32_t indices[2] = {0, 1};
  mo_substep_rows rows = {.problem = &f.problem, .bodies = indices};
  s.rows = &rows;
  for (int i = 0; i < 30; i++) {
    mo_vec3 x = s.motions[0].center_of_mass;
    const double gaps[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
      f.rows[k].linear_b = mo_v3(k == 0, k == 1, k == 2);
      f.rows[k].gap = gaps[k];
    }
    assert_true(substep_scene_step(&s));
  }
  assert_near(s.motions[0].center_of_mass.z, 0.0, 1e-3);
  assert_near(mo_length(s.motions[0].linear_velocity), 0.0, 1e-3);
  assert_near(f.rows[2].impulse / s.settings.dt, 9.81, 1e-2);
  fixture_end(&f);
  substep_scene_end(&s);
}

static void prepare_without_memory_moves_nothing(void **state) {
  (void)state;
  two_ways t;
  two_ways_begin(&t);
  add_gear(&t, MO_BOUND_BILATERAL);
  t.indices[1] = 1, t.indices[2] = 2;
  t.soft = (mo_substep_rows){.problem = &t.rows.problem, .bodies = t.indices};
  t.scene.rows = &t.soft;
  mo_motion before[2];
  memcpy(before, t.scene.motions, sizeof before);
  int refused = 0;
  for (t.scene.arena.limit_bytes = 64; !substep_scene_step(&t.scene);) {
    assert_memory_equal(before, t.scene.motions, sizeof before);
    assert_near(t.rows.rows[0].impulse, 0.0, 0.0);
    t.scene.arena.limit_bytes += 64;
    refused++;
  }
  assert_true(refused > 3);
  fixture_end(&t.rows);
  substep_scene_end(&t.scene);
}

TEST_GROUP(substep_rows) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_gear_is_that_of_block_pgs),
      cmocka_unit_test(a_driven_block_of_rows_is_that_of_block_pgs),
      cmocka_unit_test(a_motor_gives_no_more_than_its_bounds),
      cmocka_unit_test(an_open_row_lets_close_and_no_further),
      cmocka_unit_test(friction_of_a_cone_is_that_of_block_pgs),
      cmocka_unit_test(a_spring_row_swings_with_its_frequency),
      cmocka_unit_test(rows_that_hold_positions_close_their_gap),
      cmocka_unit_test(prepare_without_memory_moves_nothing),
  };
  return run_group(tests, NULL, NULL);
}
