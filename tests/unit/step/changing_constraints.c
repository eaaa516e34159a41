/// Custom constraints whose `is_active` changes its answer with the time: within a step there is
/// one answer, that of its start, whatever the stages of the step look at.
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60)
#define STEPS 24

// When a constraint is active: in every other span of `period`, from `offset` on.
typedef struct schedule {
  double period, offset;
} schedule;

static bool is_on(const schedule *s, double time) {
  double turns = floor((time + s->offset) / s->period);
  return turns - 2.0 * floor(0.5 * turns) == 0.0;
}

static bool is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                      double time, double *out) {
  (void)a;
  (void)b;
  *out = is_on(user, time) ? 1.0 : 0.0;
  return true;
}

// The height of the body, near 0.
static bool height(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                   double time, double *out) {
  (void)user;
  (void)b;
  (void)time;
  out[0] = a->center_of_mass.z;
  return true;
}

// Three numbers: the place of both bodies relative to each other, as at the start.
static bool offset(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                   double time, double *out) {
  (void)user;
  (void)time;
  out[0] = b->center_of_mass.x - a->center_of_mass.x - 1.0;
  out[1] = b->center_of_mass.y - a->center_of_mass.y;
  out[2] = b->center_of_mass.z - a->center_of_mass.z;
  return true;
}

static mo_constraint_id add_custom(mo_world *world, mo_body_id a, mo_body_id b, uint32_t dimension,
                                   mo_constraint_function *evaluate, schedule *when) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  def.body_a = a;
  def.body_b = b;
  def.dimension = dimension;
  def.evaluate = evaluate;
  def.is_active = is_active;
  def.user = when;
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

static void join(mo_world *world, mo_constraint_type type, mo_body_id a, mo_body_id b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = def.anchor_b = vec(0, 0, 0);
  if (type == MO_CONSTRAINT_BALL) {
    def.anchor_a = vec(0.5, 0, 0);
    def.anchor_b = vec(-0.5, 0, 0);
  }
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
}

/// Two joined pairs of balls, one of them free, and the constraints that come and go.
typedef struct scene {
  mo_world *world;
  mo_constraint_id custom[4];
  schedule when[4];
} scene;

// The schedules change in the middle of steps: two of them at once, so that as many rows or blocks
// come as go.
static void set_schedules(scene *s) {
  for (int i = 0; i < 4; i++) {
    s->when[i] = (schedule){.period = i < 2 ? 1.5 * DT : 2.5 * DT,
                            .offset = i % 2 == 0 ? 0.0 : s->when[i - 1].period};
  }
}

static void make_scene(scene *s, mo_solver solver, mo_integrator integrator, bool with_floor) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  settings.integrator = integrator;
  settings.allow_sleep = false;
  s->world = make_world(settings);
  set_schedules(s);
  mo_body_id balls[5];
  for (int i = 0; i < 5; i++) {
    balls[i] = add_body(s->world, body_at(1.0 * i, 0, 0, 1.0 + i), sphere(0.2));
  }
  if (with_floor) {
    mo_body_def slab = body_at(0, 0, -0.7, 0);
    slab.type = MO_BODY_STATIC;
    add_body(s->world, slab, box(20, 20, 0.5));
  }
  mo_body_set_angular_velocity(s->world, balls[0], vec(0, 3, 1));
  s->custom[0] = add_custom(s->world, balls[0], MO_NULL_BODY_ID, 1, height, &s->when[0]);
  s->custom[1] = add_custom(s->world, balls[2], MO_NULL_BODY_ID, 1, height, &s->when[1]);
  join(s->world, MO_CONSTRAINT_BALL, balls[0], balls[1]);
  join(s->world, MO_CONSTRAINT_DISTANCE, balls[2], balls[3]);
  join(s->world, MO_CONSTRAINT_BALL, balls[3], balls[4]);
  s->custom[2] = add_custom(s->world, balls[0], balls[1], 3, offset, &s->when[2]);
  s->custom[3] = add_custom(s->world, balls[3], balls[4], 3, offset, &s->when[3]);
}

static void step_once(scene *s) {
  double start = mo_world_time(s->world);
  assert_int_equal(mo_world_step(s->world, DT), MO_OK);
  for (int i = 0; i < 4; i++) {
    mo_constraint_state state;
    assert_int_equal(mo_constraint_get_state(s->world, s->custom[i], &state), MO_OK);
    assert_int_equal(state.is_active, is_on(&s->when[i], start));
    const double *impulses = mo_constraint_impulses(s->world, s->custom[i]);
    for (uint32_t k = 0; k < state.dimension; k++) {
      assert_true(state.is_active || impulses[k] == 0.0);
    }
  }
  mo_island islands[8];
  assert_true(mo_world_islands(s->world, islands, 8) >= 2);
  assert_true(isfinite(mo_world_residual(s->world).worst));
}

static void a_step_has_the_constraints_that_were_active_at_its_start(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
      if (solver == MO_SOLVER_SOFT_STEP && integrator > 0) {
        continue; // it has its own
      }
      for (int with_floor = 0; with_floor < 2; with_floor++) {
        scene s;
        make_scene(&s, (mo_solver)solver, (mo_integrator)integrator, with_floor);
        for (int step = 0; step < STEPS; step++) {
          step_once(&s);
        }
        mo_world_destroy(s.world);
      }
    }
  }
}

// One answer per constraint and step: what it says when it is asked again within the step could be
// anything.
static bool counts_and_flips(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                             double time, double *out) {
  (void)a;
  (void)b;
  (void)time;
  *out = (*(int *)user)++ % 2 == 0 ? 1.0 : 0.0;
  return true;
}

static void a_constraint_is_asked_once_per_step_whether_it_is_active(void **state) {
  (void)state;
  for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_EXACT;
    settings.integrator = (mo_integrator)integrator;
    mo_world *world = make_world(settings);
    mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.1));
    mo_body_id b = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
    join(world, MO_CONSTRAINT_BALL, a, b);
    int asked = 0;
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
    def.body_a = a;
    def.dimension = 1;
    def.evaluate = height;
    def.is_active = counts_and_flips;
    def.user = &asked;
    assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    step_many(world, DT, 9);
    assert_int_equal(asked, 9);
    mo_world_destroy(world);
  }
}

static bool nothing(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                    double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  (void)time;
  (void)out;
  return true;
}

static bool is_late(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                    double time, double *out) {
  (void)a;
  (void)b;
  *out = time > *(const double *)user ? 1.0 : 0.0;
  return true;
}

// Far more rows than the step has room for wait for the end of a step to become active.
static void rows_that_come_within_a_step_have_no_room_in_it(void **state) {
  (void)state;
  for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
    mo_world_def settings = mo_world_def_default();
    settings.solver = MO_SOLVER_EXACT;
    settings.integrator = (mo_integrator)integrator;
    mo_world *world = make_world(settings);
    mo_body_id a = add_body(world, body_at(0, 0, 0, 1), sphere(0.1));
    mo_body_id b = add_body(world, body_at(1, 0, 0, 1), sphere(0.1));
    mo_body_set_angular_velocity(world, a, vec(0, 3, 1));
    join(world, MO_CONSTRAINT_BALL, a, b);
    double since = 0.5 * DT;
    mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
    def.body_a = a;
    def.dimension = MO_CONSTRAINT_ROWS;
    def.evaluate = def.jacobian = def.time_derivative = nothing;
    def.is_active = is_late;
    def.user = &since;
    for (int i = 0; i < 60; i++) {
      assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &def)));
    }
    step_many(world, DT, 2);
    mo_world_destroy(world);
  }
}

TEST_GROUP(changing_constraints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_that_come_within_a_step_have_no_room_in_it),
      cmocka_unit_test(a_step_has_the_constraints_that_were_active_at_its_start),
      cmocka_unit_test(a_constraint_is_asked_once_per_step_whether_it_is_active),
  };
  return run_group(tests, NULL, NULL);
}
