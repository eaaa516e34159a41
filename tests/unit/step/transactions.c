/// A step that is refused leaves no trace: not in the hash, and not in the bits of any later step.
/// Each trial runs two worlds that differ in the refused step alone.
#include "test_group.h"
#include "world_fixture.h"

#include <stdlib.h>

// --- functions of the user that fail when they are told to -----------------------------------

typedef enum failure {
  NO_FAILURE,
  POTENTIAL_FAILS,
  POTENTIAL_IS_NAN,
  EVALUATE_FAILS,
  EVALUATE_IS_NAN,
  JACOBIAN_FAILS,
  JACOBIAN_IS_NAN,
  TIME_DERIVATIVE_FAILS,
  IS_ACTIVE_FAILS,
  MOTION_OVERFLOWS,
  FAILURE_COUNT
} failure;

static failure present_failure;

static jmp_buf way_out;
static bool leaves; // by longjmp instead of an answer

static bool answer(failure fails, failure is_nan, double *out) {
  if (leaves && present_failure == fails) {
    longjmp(way_out, 1);
  }
  if (present_failure == is_nan) {
    *out = (double)NAN;
  }
  return present_failure != fails;
}

static bool push_gently(const mo_potential_body *body, double time, mo_wrench *wrench, void *user) {
  (void)time;
  (void)user;
  wrench->force.x = 0.1 * body->mass;
  return answer(POTENTIAL_FAILS, POTENTIAL_IS_NAN, &wrench->force.x);
}

// A bead on a plane x = 0.
static bool evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  (void)user;
  (void)b;
  (void)time;
  *out = a->center_of_mass.x;
  return answer(EVALUATE_FAILS, EVALUATE_IS_NAN, out);
}

static bool jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  (void)time;
  *out = 1.0;
  return answer(JACOBIAN_FAILS, JACOBIAN_IS_NAN, out);
}

static bool time_derivative(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                            double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  (void)time;
  (void)out;
  return present_failure != TIME_DERIVATIVE_FAILS;
}

static bool is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                      double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  *out = time < 0.7;
  return present_failure != IS_ACTIVE_FAILS;
}

// --- a world with something of everything ----------------------------------------------------

#define BODIES 17

typedef struct room {
  mo_world *world;
  mo_body_id floor, bodies[BODIES], bead, far_away;
  uint32_t count;
} room;

static mo_body_id add(room *r, mo_body_def def, mo_shape *shape) {
  return r->bodies[r->count++] = add_body(r->world, def, shape);
}

static void join(room *r, mo_constraint_type type, mo_body_id a, mo_body_id b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  def.anchor_a = vec(0.3, 0, 0);
  def.anchor_b = vec(-0.3, 0, 0);
  def.axis_a = def.axis_b = vec(0, 1, 0);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(r->world, &def)));
}

static void add_functions(room *r) {
  r->bead = add(r, body_at(0, 4, 1, 1), sphere(0.2));
  mo_constraint_def bead = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  bead.body_a = r->bead;
  bead.dimension = 1;
  bead.evaluate = evaluate;
  bead.jacobian = jacobian;
  bead.time_derivative = time_derivative;
  bead.is_active = is_active;
  assert_false(mo_constraint_id_is_null(mo_constraint_create(r->world, &bead)));
  mo_potential_def wind = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  wind.wrench = push_gently;
  wind.bodies = &r->bodies[0];
  wind.body_count = 2;
  assert_false(mo_potential_id_is_null(mo_potential_create(r->world, &wind)));
}

// A valley of two triangles, in which a box and a ball slide down to touch both.
static void add_valley(room *r) {
  static const mo_vec3 vertices[] = {{-5, 3, 1}, {5, 3, 1}, {5, 4, 0},
                                     {-5, 4, 0}, {5, 5, 1}, {-5, 5, 1}};
  static const uint32_t indices[] = {0, 2, 1, 0, 3, 2, 3, 4, 2, 3, 5, 4};
  mo_mesh_def valley = {vertices, 6, indices, 12, false};
  mo_result result;
  mo_body_def def = body_at(0, 4, 0.5, 0);
  def.type = MO_BODY_STATIC;
  add_body(r->world, def, mo_shape_create_mesh(&valley, &result));
  add(r, body_at(-2, 8, 1.6, 1), box(0.2, 0.2, 0.2));
  add(r, body_at(2, 8, 1.1, 1), sphere(0.2));
}

// A stack, a pile that falls, a valley, a chain, two that fell asleep, one far away, a bead on a
// plane.
static room make_room(mo_world_def settings, bool has_functions) {
  room r = {.world = make_world(settings)};
  r.floor = add_floor(r.world);
  for (int i = 0; i < 3; i++) {
    add(&r, body_at(0, 0, 0.25 + 0.5 * i, 1), box(0.25, 0.25, 0.25));
  }
  for (int i = 0; i < 3; i++) {
    add(&r, body_at(2 + 0.1 * i, 0, 0.5 + 0.6 * i, 1), i == 1 ? sphere(0.25) : box(0.3, 0.2, 0.2));
  }
  for (int i = 0; i < 3; i++) {
    add(&r, body_at(-2 - 0.6 * i, 0, 2, 1), box(0.25, 0.1, 0.1));
  }
  join(&r, MO_CONSTRAINT_BALL, r.bodies[7], r.bodies[6]);
  join(&r, MO_CONSTRAINT_HINGE, r.bodies[8], r.bodies[7]);
  for (int i = 0; i < 2; i++) {
    add(&r, body_at(6, 0, 0.25 + 0.5 * i, 1), box(0.25, 0.25, 0.25));
    mo_body_sleep(r.world, r.bodies[r.count - 1]);
  }
  add_valley(&r);
  r.far_away = add(&r, body_at(1.7e308, 0, 0, 1), sphere(0.1));
  if (has_functions) {
    add_functions(&r);
  }
  return r;
}

// --- changes between steps -------------------------------------------------------------------

typedef void change(room *r);

static void change_nothing(room *r) { (void)r; }

static void change_filter(room *r) {
  mo_filter filter = mo_filter_default();
  filter.mask = 0;
  mo_body_set_filter(r->world, r->bodies[1], filter);
}

static void restore_filter(room *r) {
  mo_body_set_filter(r->world, r->bodies[1], mo_filter_default());
}

static void add_joint(room *r) {
  join(r, MO_CONSTRAINT_DISTANCE, r->bodies[0], r->bodies[3]);
  join(r, MO_CONSTRAINT_FIXED, r->bodies[1], r->bodies[2]);
}

static void destroy_floor(room *r) { mo_body_destroy(r->world, r->floor); }

static void use_exact_for_one(room *r) {
  mo_body_set_solver(r->world, r->bodies[1], true, MO_SOLVER_EXACT);
}

static void use_no_own_solver(room *r) {
  mo_body_set_solver(r->world, r->bodies[1], false, MO_SOLVER_EXACT);
}

static void use_solver(room *r, mo_solver solver) {
  mo_world_def settings = mo_world_get_settings(r->world);
  settings.solver = solver;
  if (solver == MO_SOLVER_SOFT_STEP) { // which has its own
    settings.integrator = mo_world_def_default().integrator;
  }
  assert_int_equal(mo_world_set_settings(r->world, &settings), MO_OK);
}

static void use_exact(room *r) { use_solver(r, MO_SOLVER_EXACT); }
static void use_rows(room *r) { use_solver(r, MO_SOLVER_BLOCK_PGS); }
static void use_soft_step(room *r) { use_solver(r, MO_SOLVER_SOFT_STEP); }

static void wake_by_touch(room *r) {
  mo_body_set_position(r->world, r->bodies[5], vec(6, 0, 1.24));
  mo_body_set_linear_velocity(r->world, r->bodies[5], vec(0, 0, -1));
}

static void add_body_and_remove_one(room *r) {
  mo_body_destroy(r->world, r->bodies[0]);
  r->bodies[0] = add_body(r->world, body_at(0, 0, 3, 2), box(0.3, 0.3, 0.3));
}

static void add_one_more(room *r) { add_body(r->world, body_at(0, 0, 5, 1), sphere(0.2)); }

static void make_kinematic(room *r) {
  mo_body_set_type(r->world, r->bodies[0], MO_BODY_KINEMATIC);
  mo_body_set_linear_velocity(r->world, r->bodies[0], vec(0, 0, 0.5));
}

typedef struct change_pair {
  const char *name;
  change *before, *after; // the step that fails
} change_pair;

static const change_pair changes[] = {
    {"nothing", change_nothing, change_nothing},
    {"filter", change_filter, change_nothing},
    {"filter and back", change_filter, restore_filter},
    {"joint", add_joint, change_nothing},
    {"joint, then a body", add_joint, add_one_more},
    {"filter, then a body", change_filter, add_one_more},
    {"floor destroyed", destroy_floor, change_nothing},
    {"floor destroyed, then a body", destroy_floor, add_one_more},
    {"a body's solver", use_exact_for_one, change_nothing},
    {"a body's solver and back", use_exact_for_one, use_no_own_solver},
    {"exact", use_exact, change_nothing},
    {"exact, then soft-step", use_exact, use_soft_step},
    {"rows, then exact", use_rows, use_exact},
    {"soft-step, then rows", use_soft_step, use_rows},
    {"touch", wake_by_touch, change_nothing},
    {"another body", add_body_and_remove_one, change_nothing},
    {"kinematic", make_kinematic, change_nothing},
};
#define CHANGES (sizeof changes / sizeof changes[0])

// --- trials ----------------------------------------------------------------------------------

#define DT (1.0 / 60)
#define STEPS_BEFORE 20
#define STEPS_AFTER 25

static void expect_same(const room *whole, const room *failing, const char *when,
                        const change_pair *c, int kind, const mo_world_def *settings) {
  if (mo_world_hash(whole->world) != mo_world_hash(failing->world)) {
    fail_msg("%s: solver %d, integrator %d, change '%s', failure %d", when, settings->solver,
             settings->integrator, c->name, kind);
  }
}

// A step of the second world alone that must be refused.
static void refuse_step(room *r, failure kind) {
  bool overflows = kind == MOTION_OVERFLOWS;
  uint64_t hash = mo_world_hash(r->world);
  if (overflows) {
    mo_body_set_linear_velocity(r->world, r->far_away, vec(1.7e308, 0, 0));
    hash = mo_world_hash(r->world);
  }
  present_failure = kind;
  mo_result result = mo_world_step(r->world, overflows ? 10.0 : DT);
  present_failure = NO_FAILURE;
  assert_int_not_equal(result, MO_OK);
  if (mo_world_hash(r->world) != hash) {
    fail_msg("a refused step (%s) changed the hash: failure %d", mo_world_last_error(r->world),
             kind);
  }
  if (overflows) {
    mo_body_set_linear_velocity(r->world, r->far_away, vec(0, 0, 0));
  }
}

static void run_trial(const mo_world_def *settings, const change_pair *c, failure kind) {
  room whole = make_room(*settings, true), failing = make_room(*settings, true);
  step_many(whole.world, DT, STEPS_BEFORE);
  step_many(failing.world, DT, STEPS_BEFORE);
  c->before(&whole);
  c->before(&failing);
  refuse_step(&failing, kind);
  if (kind == MOTION_OVERFLOWS) { // which wakes it
    mo_body_set_linear_velocity(whole.world, whole.far_away, vec(0, 0, 0));
  }
  refuse_step(&failing, kind);
  c->after(&whole);
  c->after(&failing);
  for (int step = 0; step < STEPS_AFTER; step++) {
    step_many(whole.world, DT, 1);
    step_many(failing.world, DT, 1);
    expect_same(&whole, &failing, "a later step differs", c, kind, settings);
  }
  mo_world_destroy(whole.world);
  mo_world_destroy(failing.world);
}

static void a_refused_step_leaves_no_trace(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  for (size_t s = 0; s < 3; s++) {
    for (size_t i = 0; i < CHANGES; i++) {
      for (int kind = 1; kind < FAILURE_COUNT; kind++) {
        mo_world_def settings = mo_world_def_default();
        settings.gravity = vec(0, 0, -9.81);
        settings.solver = solvers[s];
        run_trial(&settings, &changes[i], (failure)kind);
      }
    }
  }
}

static void nor_with_any_integrator(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
    for (size_t s = 0; s < 2; s++) {
      for (int kind = 1; kind < FAILURE_COUNT; kind++) {
        mo_world_def settings = mo_world_def_default();
        settings.gravity = vec(0, 0, -9.81);
        settings.solver = solvers[s];
        settings.integrator = (mo_integrator)integrator;
        run_trial(&settings, &changes[kind % CHANGES], (failure)kind);
      }
    }
  }
}

// --- calls that never return -----------------------------------------------------------------

static void leave_step(room *r, failure kind) {
  present_failure = kind;
  leaves = true;
  if (setjmp(way_out) == 0) {
    mo_world_step(r->world, DT);
    fail_msg("a step with failure %d returned", kind);
  }
  leaves = false;
  present_failure = NO_FAILURE;
  mo_world_abandon_call(r->world);
}

static void nor_does_one_that_is_left(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  static const failure kinds[] = {POTENTIAL_FAILS, EVALUATE_FAILS, JACOBIAN_FAILS};
  for (size_t i = 0; i < 3 * CHANGES; i++) {
    mo_world_def settings = mo_world_def_default();
    settings.gravity = vec(0, 0, -9.81);
    settings.solver = solvers[i / CHANGES];
    const change_pair *c = &changes[i % CHANGES];
    room whole = make_room(settings, true), left = make_room(settings, true);
    step_many(whole.world, DT, STEPS_BEFORE);
    step_many(left.world, DT, STEPS_BEFORE);
    c->before(&whole);
    c->before(&left);
    leave_step(&left, kinds[i % 3]);
    c->after(&whole);
    c->after(&left);
    for (int step = 0; step < STEPS_AFTER; step++) {
      expect_same(&whole, &left, "after a step that was left", c, (int)kinds[i % 3], &settings);
      step_many(whole.world, DT, 1);
      step_many(left.world, DT, 1);
    }
    mo_world_destroy(whole.world);
    mo_world_destroy(left.world);
  }
}

// --- memory ----------------------------------------------------------------------------------

static struct {
  bool counts;
  uint64_t left; // allocations that succeed
} heap;

static void *allocate(size_t bytes, void *user) {
  (void)user;
  if (heap.counts && heap.left == 0) {
    return NULL;
  }
  heap.left -= heap.counts ? 1 : 0;
  return malloc(bytes);
}

static void release(void *memory, void *user) {
  (void)user;
  free(memory);
}

// Steps with 0, 1, 2, ... allocations that succeed, until one goes through. How many were refused.
static int step_with_little_memory(room *r) {
  for (int refused = 0;; refused++) {
    uint64_t hash = mo_world_hash(r->world);
    heap.left = (uint64_t)refused;
    heap.counts = true;
    mo_result result = mo_world_step(r->world, DT);
    heap.counts = false;
    if (result == MO_OK) {
      return refused;
    }
    assert_int_equal(result, MO_ERROR_OUT_OF_MEMORY);
    assert_true(mo_world_hash(r->world) == hash);
  }
}

static void nor_does_one_without_memory(void **state) {
  (void)state;
  static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};
  mo_set_allocator(allocate, release, NULL);
  int refused = 0;
  for (size_t s = 0; s < 3; s++) {
    for (size_t i = 0; i < CHANGES; i++) {
      mo_world_def settings = mo_world_def_default();
      settings.gravity = vec(0, 0, -9.81);
      settings.solver = solvers[s];
      room whole = make_room(settings, true), poor = make_room(settings, true);
      for (int step = 0; step < 30; step++) {
        if (step == 2 || step == 15) {
          change *now = step == 2 ? changes[i].before : changes[i].after;
          now(&whole);
          now(&poor);
        }
        step_many(whole.world, DT, 1);
        refused += step_with_little_memory(&poor);
        expect_same(&whole, &poor, "without memory", &changes[i], step, &settings);
      }
      mo_world_destroy(whole.world);
      mo_world_destroy(poor.world);
    }
  }
  assert_true(refused > 200);
  mo_set_allocator(NULL, NULL, NULL);
}

// A body that cannot be made, since its mass overflows.
static void refuse_body(room *r) {
  mo_body_def def = body_at(3, 0, 5, 0);
  def.density = 1.7e308;
  assert_true(mo_body_id_is_null(add_body(r->world, def, box(5, 5, 5))));
}

static void a_refused_body_leaves_no_trace(void **state) {
  (void)state;
  room whole = make_room(mo_world_def_default(), false);
  room failing = make_room(mo_world_def_default(), false);
  step_many(whole.world, DT, STEPS_BEFORE);
  step_many(failing.world, DT, STEPS_BEFORE);
  change_filter(&whole);
  change_filter(&failing);
  refuse_body(&failing);
  restore_filter(&whole);
  restore_filter(&failing);
  for (int step = 0; step < STEPS_AFTER; step++) {
    assert_true(mo_world_hash(whole.world) == mo_world_hash(failing.world));
    step_many(whole.world, DT, 1);
    step_many(failing.world, DT, 1);
  }
  mo_world_destroy(whole.world);
  mo_world_destroy(failing.world);
}

TEST_GROUP(transactions) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_refused_step_leaves_no_trace),
      cmocka_unit_test(nor_with_any_integrator),
      cmocka_unit_test(nor_does_one_that_is_left),
      cmocka_unit_test(nor_does_one_without_memory),
      cmocka_unit_test(a_refused_body_leaves_no_trace),
  };
  return run_group(tests, NULL, NULL);
}
