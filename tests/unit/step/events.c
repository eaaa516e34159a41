/// Events of contacts and sensors: the acceptance rows, and a model that random scripts are held
/// against.
#include "test_group.h"
#include "world_fixture.h"

static void assert_near(double value, double expected, double tolerance) {
  assert_true(fabs(value - expected) <= tolerance);
}

static uint32_t count_types(const mo_world *world, uint32_t types) {
  uint32_t count, found = 0;
  const mo_contact_event *events = mo_world_contact_events(world, &count);
  for (uint32_t i = 0; i < count; i++) {
    found += (events[i].types & types) != 0;
  }
  return found;
}

static mo_world *watching_world(mo_solver solver, uint32_t what) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  settings.iterations = 200;
  mo_world *world = make_world(settings);
  assert_int_equal(mo_world_watch(world, what), MO_OK);
  return world;
}

// A118: a ball whose bottom is 1 m above the floor.
static mo_world *dropped_ball(mo_solver solver, double restitution) {
  mo_world *world = watching_world(solver, MO_WATCH_CONTACTS);
  mo_body_def floor = body_at(0, 0, -0.5, 0);
  floor.type = MO_BODY_STATIC;
  floor.restitution = restitution;
  add_body(world, floor, box(50, 50, 0.5));
  mo_body_def def = body_at(0, 0, 1.5, 1);
  def.restitution = restitution;
  def.allow_sleep = false;
  add_body(world, def, sphere(0.5));
  return world;
}

static const mo_solver row_solvers[2] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS};

static void a_ball_that_stays_begins_once_with_one_hit(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mo_world *world = dropped_ball(row_solvers[k], 0.0);
    for (int step = 1; step <= 170; step++) {
      step_many(world, 0.016, 1);
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_BEGIN), step == 28);
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_HIT), step == 28);
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_END), 0);
      if (step == 28) {
        uint32_t count;
        const mo_contact_event *event = mo_world_contact_events(world, &count);
        assert_near(event->approach_speed, 4.23792, 1e-6);
        assert_near(event->normal.z, 1.0, 1e-12);
        assert_true(event->impulse > 0.0);
      }
    }
    mo_world_destroy(world);
  }
}

static void an_elastic_ball_begins_at_each_bounce_and_ends_in_the_next_step(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mo_world *world = dropped_ball(row_solvers[k], 1.0);
    for (int step = 1; step <= 170; step++) {
      step_many(world, 0.016, 1);
      bool begins = step == 28 || step == 83 || step == 138;
      bool ends = step == 29 || step == 84 || step == 139;
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_BEGIN), begins);
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_END), ends);
      uint32_t count;
      const mo_contact_event *event = mo_world_contact_events(world, &count);
      if (begins) {
        assert_near(event->approach_speed, 4.23792, 1e-5);
      }
    }
    mo_world_destroy(world);
  }
}

static void a_ball_that_loses_speed_hits_above_the_threshold_and_stays(void **state) {
  (void)state;
  const double times[4] = {.4515, .903, 1.1288, 1.2417},
               speeds[4] = {4.4294, 2.2147, 1.1074, .5537};
  mo_world *world = dropped_ball(MO_SOLVER_EXACT, 0.5);
  int begins = 0, ends = 0, hits = 0;
  for (int step = 1; step <= 2000; step++) {
    step_many(world, 0.001, 1);
    uint32_t count;
    const mo_contact_event *event = mo_world_contact_events(world, &count);
    if (count_types(world, MO_CONTACT_EVENT_BEGIN) && begins < 4) {
      assert_near(step * 0.001, times[begins], 0.01);
      assert_near(event->approach_speed, speeds[begins], 0.03 * speeds[begins]);
    }
    begins += (int)count_types(world, MO_CONTACT_EVENT_BEGIN);
    ends += (int)count_types(world, MO_CONTACT_EVENT_END);
    hits += (int)count_types(world, MO_CONTACT_EVENT_HIT);
  }
  assert_int_equal(hits, 3);
  assert_int_equal(begins, ends + 1);
  mo_world_destroy(world);
}

static void soft_step_begins_within_a_step_of_the_others(void **state) {
  (void)state;
  mo_world *world = dropped_ball(MO_SOLVER_SOFT_STEP, 0.0);
  uint32_t begins = 0, ends = 0, hits = 0;
  for (int step = 1; step <= 170; step++) {
    step_many(world, 0.016, 1);
    if (count_types(world, MO_CONTACT_EVENT_BEGIN)) {
      assert_in_range(step, 27, 29);
    }
    begins += count_types(world, MO_CONTACT_EVENT_BEGIN);
    ends += count_types(world, MO_CONTACT_EVENT_END);
    hits += count_types(world, MO_CONTACT_EVENT_HIT);
  }
  assert_int_equal(begins, 1);
  assert_int_equal(ends, 0);
  assert_int_equal(hits, 1);
  mo_world_destroy(world);
}

// --- sensors ---------------------------------------------------------------------------------

static mo_body_id add_sensor(mo_world *world, double x, double half) {
  mo_body_def def = body_at(x, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  def.sensor = true;
  return add_body(world, def, box(half, half, half));
}

static void a_ball_passes_a_sensor(void **state) {
  (void)state;
  const mo_solver solvers[3] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};
  for (int k = 0; k < 3; k++) {
    mo_world *world = watching_world(solvers[k], MO_WATCH_CONTACTS | MO_WATCH_SENSORS);
    mo_world_def settings = mo_world_get_settings(world);
    settings.gravity = vec(0, 0, 0);
    assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
    mo_body_id sensor = add_sensor(world, 5, 0.5);
    add_sensor(world, 5, 0.6);
    mo_body_def def = body_at(0.01, 0, 0, 1);
    def.linear_velocity = vec(2, 0, 0);
    mo_body_id ball = add_body(world, def, sphere(0.25));
    int entered = 0, left = 0;
    for (int step = 1; step <= 200; step++) {
      step_many(world, 0.016, 1);
      uint32_t count;
      const mo_sensor_event *events = mo_world_sensor_events(world, &count);
      for (uint32_t i = 0; i < count; i++) {
        assert_same_body(events[i].body, ball);
        if (mo_body_id_equals(events[i].sensor_body, sensor)) {
          *(events[i].is_inside ? &entered : &left) = step;
        }
      }
      assert_int_equal(count_types(world, UINT32_MAX), 0);
    }
    assert_int_equal(entered, 133);
    assert_int_equal(left, 180);
    assert_near(state_of(world, ball).linear_velocity.x, 2.0, 0.0);
    mo_world_destroy(world);
  }
}

static void sensors_see_kinematic_and_sleeping_bodies_from_the_first_step(void **state) {
  (void)state;
  mo_world *world = watching_world(MO_SOLVER_SOFT_STEP, MO_WATCH_SENSORS);
  mo_body_def def = body_at(0, 0, 0, 0);
  def.type = MO_BODY_STATIC;
  add_body(world, def, sphere(0.25));
  def.type = MO_BODY_KINEMATIC;
  mo_body_id kinematic = add_body(world, def, sphere(0.25));
  mo_body_id sleeper = add_body(world, body_at(0.6, 0, 0, 1), sphere(0.25));
  assert_int_equal(mo_body_sleep(world, sleeper), MO_OK);
  add_sensor(world, 0, 0.5);
  step_many(world, 0.016, 1);
  uint32_t count;
  const mo_sensor_event *events = mo_world_sensor_events(world, &count);
  assert_int_equal(count, 2);
  assert_same_body(events[0].body, kinematic);
  assert_same_body(events[1].body, sleeper);
  assert_false(state_of(world, sleeper).is_awake);
  assert_int_equal(mo_body_destroy(world, sleeper), MO_OK);
  step_many(world, 0.016, 1);
  events = mo_world_sensor_events(world, &count);
  assert_int_equal(count, 1);
  assert_false(events[0].is_inside);
  assert_same_body(events[0].body, sleeper);
  mo_world_destroy(world);
}

// --- forces ----------------------------------------------------------------------------------

static void forces_above_the_threshold_are_reported_each_step(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    mo_world *world = watching_world(row_solvers[k], MO_WATCH_CONTACTS);
    mo_world_def settings = mo_world_get_settings(world);
    settings.contact_force_threshold = 60.0;
    assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
    add_floor(world);
    mo_body_def def = body_at(0, 0, 0.5, 5);
    def.allow_sleep = false;
    mo_body_id ball = add_body(world, def, sphere(0.5));
    for (int step = 1; step <= 40; step++) {
      step_many(world, 0.016, 1);
      assert_int_equal(count_types(world, MO_CONTACT_EVENT_FORCE), step > 20);
      if (step > 20) {
        uint32_t count;
        assert_near(mo_world_contact_events(world, &count)->force, 68.67, 1e-6);
      }
      if (step == 20) {
        assert_int_equal(mo_body_set_mass(world, ball, 7), MO_OK);
      }
    }
    mo_world_destroy(world);
  }
}

// --- the model -------------------------------------------------------------------------------

#define BODIES 10
#define NEVER_MORE 4096

typedef struct model {
  mo_world *world;
  mo_body_id bodies[BODIES];
  uint64_t random;
  // Shape pairs that have begun and not ended, by the ids of both bodies.
  struct {
    mo_body_id a, b;
    int open;
  } pairs[NEVER_MORE];
  int pair_count;
} model;

// A generator of Knuth's (MMIX).
static uint32_t draw(model *m, uint32_t below) {
  m->random = m->random * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(m->random >> 33) % below;
}

static double draw_number(model *m, double lower, double upper) {
  return lower + (upper - lower) * draw(m, 1000) / 1000.0;
}

static int *open_of(model *m, mo_body_id a, mo_body_id b) {
  for (int i = 0; i < m->pair_count; i++) {
    if (mo_body_id_equals(m->pairs[i].a, a) && mo_body_id_equals(m->pairs[i].b, b)) {
      return &m->pairs[i].open;
    }
  }
  assert_true(m->pair_count < NEVER_MORE);
  m->pairs[m->pair_count].a = a;
  m->pairs[m->pair_count].b = b;
  m->pairs[m->pair_count].open = 0;
  return &m->pairs[m->pair_count++].open;
}

static mo_shape *some_shape(model *m) {
  return draw(m, 2) ? sphere(draw_number(m, 0.2, 0.5)) : box(0.4, 0.3, 0.3);
}

static void create(model *m, int k) {
  mo_body_def def =
      body_at(draw_number(m, -1, 1), draw_number(m, -1, 1), draw_number(m, 0.2, 2), 0);
  def.type = (mo_body_type)(draw(m, 4) == 0 ? draw(m, 3) : MO_BODY_DYNAMIC);
  def.restitution = draw(m, 2) * 0.5;
  m->bodies[k] = add_body(m->world, def, some_shape(m));
  assert_false(mo_body_id_is_null(m->bodies[k]));
}

static void change_shapes(model *m, mo_body_id body) {
  mo_shape *shape = some_shape(m);
  mo_placed_shape placed = place(shape);
  placed.pose.position = vec(draw_number(m, -0.4, 0.4), 0, 0);
  placed.sensor = draw(m, 4) == 0;
  uint32_t count = mo_body_shape_count(m->world, body);
  switch (draw(m, 3)) {
  case 0:
    mo_body_add_shape(m->world, body, &placed);
    break;
  case 1:
    mo_body_remove_shape(m->world, body, draw(m, count + 1));
    break;
  default:
    mo_body_change_shape(m->world, body, draw(m, count + 1), &placed);
  }
  mo_shape_release(shape);
}

static void operate(model *m) {
  static const mo_solver solvers[4] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT,
                                       MO_SOLVER_AUTO};
  int k = (int)draw(m, BODIES);
  mo_body_id body = m->bodies[k];
  mo_world_def settings = mo_world_get_settings(m->world);
  mo_filter filter = mo_filter_default();
  switch (draw(m, 11)) {
  case 0:
    assert_int_equal(mo_body_destroy(m->world, body), MO_OK);
    create(m, k);
    break;
  case 1:
    mo_body_set_position(m->world, body,
                         vec(draw_number(m, -1, 1), draw_number(m, -1, 1), draw_number(m, 0, 1)));
    break;
  case 2:
    filter.mask = draw(m, 2) ? 0 : 0xffffffffu;
    mo_body_set_filter(m->world, body, filter);
    break;
  case 3:
    mo_body_sleep(m->world, body);
    break;
  case 4:
    mo_body_wake(m->world, body);
    break;
  case 5:
    mo_body_set_type(m->world, body, (mo_body_type)draw(m, 3));
    break;
  case 6:
    settings.solver = solvers[draw(m, 4)];
    assert_int_equal(mo_world_set_settings(m->world, &settings), MO_OK);
    break;
  case 7:
    mo_body_set_linear_velocity(m->world, body, vec(draw_number(m, -3, 3), 0, 3));
    break;
  default:
    change_shapes(m, body);
  }
}

static void take_events(model *m) {
  uint32_t count;
  const mo_contact_event *events = mo_world_contact_events(m->world, &count);
  for (uint32_t i = 0; i < count; i++) {
    int *open = open_of(m, events[i].body_a, events[i].body_b);
    *open += (events[i].types & MO_CONTACT_EVENT_BEGIN) != 0;
    *open -= (events[i].types & MO_CONTACT_EVENT_END) != 0;
    assert_true(*open >= 0);
  }
}

// Whether two bodies touch, by the public read-outs alone: an impulse, or overlap of solid shapes.
static bool touch(const model *m, mo_body_id a, mo_body_id b, bool *must) {
  mo_contact_point points[512];
  uint32_t count = mo_world_contact_points(m->world, points, 512);
  *must = false;
  bool may = false;
  for (uint32_t i = 0; i < count && i < 512; i++) {
    bool same =
        (mo_body_id_equals(points[i].body_a, a) && mo_body_id_equals(points[i].body_b, b)) ||
        (mo_body_id_equals(points[i].body_a, b) && mo_body_id_equals(points[i].body_b, a));
    *must = *must || (same && points[i].normal_impulse > 0.0);
    may = may || same;
  }
  return may;
}

// Open pairs are those that the read-outs show: every pair that is pushed is open, no pair without
// points is, and none of a body that is gone.
static void compare(model *m) {
  for (int i = 0; i < m->pair_count; i++) {
    bool is_alive =
        mo_body_is_alive(m->world, m->pairs[i].a) && mo_body_is_alive(m->world, m->pairs[i].b);
    assert_true(is_alive || m->pairs[i].open == 0);
  }
  for (int i = 0; i < BODIES; i++) {
    for (int k = 0; k < BODIES; k++) {
      bool must, may = touch(m, m->bodies[i], m->bodies[k], &must);
      int open = *open_of(m, m->bodies[i], m->bodies[k]) + *open_of(m, m->bodies[k], m->bodies[i]);
      assert_true(!must || open > 0);
      assert_true(open == 0 || may);
    }
  }
}

static void run_script(uint64_t seed) {
  static model all;
  model *m = &all;
  *m = (model){.world = watching_world(MO_SOLVER_SOFT_STEP, MO_WATCH_CONTACTS), .random = seed};
  add_floor(m->world);
  for (int k = 0; k < BODIES; k++) {
    create(m, k);
  }
  for (int step = 0; step < 60; step++) {
    for (uint32_t i = draw(m, 3); i > 0; i--) {
      operate(m);
    }
    assert_int_equal(mo_world_step(m->world, 1.0 / 60.0), MO_OK);
    take_events(m);
    compare(m);
  }
  mo_world_destroy(m->world);
}

static uint64_t running_seed; // 0: no script runs

static void begin_and_end_match_over_random_scripts(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 60; seed++) {
    running_seed = seed;
    run_script(seed);
  }
  running_seed = 0;
}

// A failed assertion leaves the test from its middle. tests/node/events-model.test.mjs runs such
// scripts, too, and shortens those that fail.
static int name_the_seed_that_failed(void **state) {
  (void)state;
  if (running_seed > 0) {
    print_error("the script of seed %d failed\n", (int)running_seed);
  }
  return 0;
}

// A ball between two slopes of a mesh touches it with two manifolds, whose points are reported
// once.
static void an_event_has_each_point_of_a_mesh_once(void **state) {
  (void)state;
  static const mo_solver all[3] = {MO_SOLVER_EXACT, MO_SOLVER_BLOCK_PGS, MO_SOLVER_SOFT_STEP};
  for (int k = 0; k < 3; k++) {
    mo_world *world = watching_world(all[k], MO_WATCH_CONTACTS);
    add_bowl(world);
    double height = 0.5 * sqrt(10.0) / 3.0;
    add_body(world, body_at(0, 0, height, 1), sphere(0.5));
    uint32_t events = 0, points;
    for (int step = 0; step < 20 && events == 0; step++) {
      step_many(world, 0.004, 1);
      (void)mo_world_contact_events(world, &events);
    }
    const mo_contact_event *event = mo_world_contact_events(world, &events);
    (void)mo_world_contact_event_points(world, &points);
    assert_int_equal(events, 1);
    assert_int_equal(event->point_count, 2);
    assert_int_equal(points, 2);
    assert_int_equal(mo_world_contact_point_count(world), 2);
    mo_world_destroy(world);
  }
}

TEST_GROUP(events) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_ball_that_stays_begins_once_with_one_hit),
      cmocka_unit_test(an_elastic_ball_begins_at_each_bounce_and_ends_in_the_next_step),
      cmocka_unit_test(a_ball_that_loses_speed_hits_above_the_threshold_and_stays),
      cmocka_unit_test(soft_step_begins_within_a_step_of_the_others),
      cmocka_unit_test(a_ball_passes_a_sensor),
      cmocka_unit_test(sensors_see_kinematic_and_sleeping_bodies_from_the_first_step),
      cmocka_unit_test(forces_above_the_threshold_are_reported_each_step),
      cmocka_unit_test_teardown(begin_and_end_match_over_random_scripts, name_the_seed_that_failed),
      cmocka_unit_test(an_event_has_each_point_of_a_mesh_once),
  };
  return run_group(tests, NULL, NULL);
}
