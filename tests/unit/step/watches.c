/// What a world watches shapes none of its steps, so that events may be read at any time.
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)
#define ALL_AT_ONCE (MO_WATCH_CONTACTS | MO_WATCH_SENSORS | MO_WATCH_AT_ONCE)

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT,
                                    MO_SOLVER_CONE};
#define SOLVERS 4

static mo_world *world_with(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  return make_world(settings);
}

static uint32_t contact_count(const mo_world *world) {
  uint32_t count;
  (void)mo_world_contact_events(world, &count);
  return count;
}

static uint32_t sensor_count(const mo_world *world) {
  uint32_t count;
  (void)mo_world_sensor_events(world, &count);
  return count;
}

// A floor, balls on it and above it, a fast one, and a sensor around the first.
typedef struct scene {
  mo_world *world;
  mo_body_id balls[5];
} scene;

static scene make_scene(mo_solver solver) {
  scene s = {.world = world_with(solver)};
  mo_body_def def = body_at(0, -0.5, 0, 0);
  def.type = MO_BODY_STATIC;
  add_body(s.world, def, box(50, 0.5, 50));
  for (int i = 0; i < 5; i++) {
    def = body_at(1.2 * i, 0.5 + 0.3 * (i % 3), 0, 1);
    def.linear_velocity = i == 4 ? vec(90, 40, 0) : vec(0, 0, 0);
    s.balls[i] = add_body(s.world, def, sphere(0.5));
  }
  def = body_at(0, 0.5, 0, 0);
  def.type = MO_BODY_KINEMATIC;
  def.sensor = true;
  add_body(s.world, def, box(0.6, 0.6, 0.6));
  return s;
}

// Of two equal worlds one is watched in between, also after calls that leave caches to be renewed:
// lists of awake bodies, contacts of bodies that are gone, boxes.
static void no_step_depends_on_what_is_watched(void **state) {
  (void)state;
  for (int k = 0; k < 2 * SOLVERS; k++) {
    scene plain = make_scene(solvers[k % SOLVERS]), watched = make_scene(solvers[k % SOLVERS]);
    for (int step = 0; step < 40; step++) {
      for (int i = 0; i < 2; i++) {
        scene *s = i ? &watched : &plain;
        if (step % 10 == 5) {
          assert_int_equal(mo_body_destroy(s->world, s->balls[step / 10]), MO_OK);
        }
        if (step % 20 == 15) {
          add_body(s->world, body_at(0.3, 2, 0.1, 1), sphere(0.3));
        }
      }
      if (k < SOLVERS) { // a watch that begins in each step
        assert_int_equal(mo_world_watch(watched.world, 0), MO_OK);
      }
      assert_int_equal(mo_world_watch(watched.world, ALL_AT_ONCE), MO_OK);
      assert_true(mo_world_hash(plain.world) == mo_world_hash(watched.world));
      step_many(plain.world, DT, 1);
      step_many(watched.world, DT, 1);
      assert_true(mo_world_hash(plain.world) == mo_world_hash(watched.world));
    }
    mo_world_destroy(plain.world);
    mo_world_destroy(watched.world);
  }
}

// Contacts of a body that is gone are not told of: it has no shapes any more.
static void a_watch_at_once_tells_of_what_is_there(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    scene s = make_scene(solvers[k]);
    step_many(s.world, DT, 30);
    assert_int_equal(mo_body_destroy(s.world, s.balls[1]), MO_OK);
    assert_int_equal(mo_world_watch(s.world, ALL_AT_ONCE), MO_OK);
    uint32_t count;
    const mo_contact_event *events = mo_world_contact_events(s.world, &count);
    assert_true(count > 0);
    for (uint32_t i = 0; i < count; i++) {
      assert_true(events[i].types & MO_CONTACT_EVENT_BEGIN);
      assert_true(mo_body_is_alive(s.world, events[i].body_a));
      assert_true(mo_body_is_alive(s.world, events[i].body_b));
    }
    assert_int_equal(sensor_count(s.world), 1);
    mo_world_destroy(s.world);
  }
}

// --- inside of functions -----------------------------------------------------------------------

typedef struct reader {
  mo_world *world;
  int calls;
} reader;

static bool read_events(const mo_potential_body *body, double time, mo_wrench *out, void *user) {
  (void)body, (void)time, (void)out;
  reader *r = user;
  if (r->calls++ == 0) {
    assert_int_equal(mo_world_watch(r->world, MO_WATCH_CONTACTS), MO_ERROR_WORLD_LOCKED);
    assert_int_equal(mo_world_watched(r->world), 0);
    assert_int_equal(mo_world_watch(r->world, ALL_AT_ONCE), MO_OK);
    assert_int_equal(contact_count(r->world) + sensor_count(r->world), 0);
  }
  return true;
}

static void a_watch_that_a_function_begins_tells_at_the_end_of_the_step(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    scene plain = make_scene(solvers[k]), watched = make_scene(solvers[k]);
    step_many(plain.world, DT, 30);
    step_many(watched.world, DT, 30);
    reader r = {watched.world, 0};
    mo_potential_def potential = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
    potential.wrench = read_events;
    potential.user = &r;
    assert_false(mo_potential_id_is_null(mo_potential_create(watched.world, &potential)));
    assert_int_equal(mo_world_watch(plain.world, ALL_AT_ONCE), MO_OK);
    step_many(watched.world, DT, 1);
    step_many(plain.world, DT, 1);
    assert_true(r.calls > 0);
    assert_true(contact_count(watched.world) > 0);
    assert_int_equal(sensor_count(watched.world), 1);
    assert_int_equal(contact_count(plain.world), 0); // they had begun before
    assert_int_equal(sensor_count(plain.world), 0);
    mo_world_destroy(plain.world);
    mo_world_destroy(watched.world);
  }
}

// A refused step does not move the boxes that sensors look at (the list of awake bodies is renewed
// by it, and was read by the watch).
static void a_watch_after_a_refused_step_is_as_any(void **state) {
  (void)state;
  for (int k = 0; k < SOLVERS; k++) {
    scene plain = make_scene(solvers[k]), tried = make_scene(solvers[k]);
    for (int i = 0; i < 2; i++) {
      scene *s = i ? &tried : &plain;
      step_many(s->world, DT, 1);
      assert_int_equal(mo_body_destroy(s->world, s->balls[1]), MO_OK);
      mo_body_def def = body_at(1e308, 3, 0, 1);
      def.linear_velocity = vec(1e308, 0, 0);
      add_body(s->world, def, sphere(0.5));
    }
    assert_int_equal(mo_world_step(tried.world, 1e3), MO_ERROR_NOT_FINITE);
    assert_int_equal(mo_world_watch(plain.world, ALL_AT_ONCE), MO_OK);
    assert_int_equal(mo_world_watch(tried.world, ALL_AT_ONCE), MO_OK);
    assert_true(mo_world_hash(plain.world) == mo_world_hash(tried.world));
    assert_int_equal(contact_count(plain.world), contact_count(tried.world));
    assert_int_equal(sensor_count(plain.world), sensor_count(tried.world));
    mo_world_destroy(plain.world);
    mo_world_destroy(tried.world);
  }
}

TEST_GROUP(watches) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_depends_on_what_is_watched),
      cmocka_unit_test(a_watch_at_once_tells_of_what_is_there),
      cmocka_unit_test(a_watch_that_a_function_begins_tells_at_the_end_of_the_step),
      cmocka_unit_test(a_watch_after_a_refused_step_is_as_any),
  };
  return run_group(tests, NULL, NULL);
}
