/// Constraints that break: asked for by their own functions in the middle of a step, and between
/// steps.
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60)
#define FUSES 4

// What holds a body at its height until the force of the last step was too much.
typedef struct fuse {
  mo_world *world;
  mo_constraint_id id;
  mo_constraint_id others[FUSES]; // that it asks for, before itself, when it asks
  double strength;                // N
  bool fails;                     // after it has asked
  bool asks_always;
  mo_result answer; // to its last request
  int requests;
} fuse;

static bool is_overloaded(const fuse *f) {
  return f->asks_always || fabs(mo_constraint_impulses(f->world, f->id)[0]) > f->strength * DT;
}

static bool hold(void *user, const mo_constraint_body *a, const mo_constraint_body *b, double time,
                 double *out) {
  (void)b;
  (void)time;
  fuse *f = user;
  out[0] = a->center_of_mass.z;
  if (!is_overloaded(f)) {
    return true;
  }
  for (int i = 0; i < FUSES && !mo_constraint_id_is_null(f->others[i]); i++) {
    assert_int_equal(mo_constraint_break(f->world, f->others[i]), MO_OK);
  }
  f->answer = mo_constraint_break(f->world, f->id);
  f->requests++;
  return !f->fails;
}

static void add_fuse(fuse *f, mo_world *world, mo_body_id body, double strength) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  def.body_a = body;
  def.dimension = 1;
  def.evaluate = hold;
  def.user = f;
  *f = (fuse){.world = world, .strength = strength};
  f->id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(f->id));
}

static mo_world *make(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -10);
  settings.solver = solver;
  settings.allow_sleep = false;
  return make_world(settings);
}

static mo_body_id add_ball(mo_world *world, double x) {
  return add_body(world, body_at(x, 0, 0, 2.0), sphere(0.2));
}

static const mo_broken_constraint *broken(const mo_world *world, uint32_t expected) {
  uint32_t count;
  const mo_broken_constraint *list = mo_world_broken_constraints(world, &count);
  assert_int_equal(count, expected);
  return list;
}

// --- in a step -------------------------------------------------------------------------------

// A ball of 20 N, pulled by 1 N more in each step, on a fuse of 30.5 N. In the step with 31 N it
// still holds, the next one sees that and asks, and after it the ball falls.
static void a_fuse_breaks_when_it_was_overloaded(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    mo_world *world = make((mo_solver)solver);
    mo_body_id ball = add_ball(world, 0);
    fuse f;
    add_fuse(&f, world, ball, 30.5);
    for (int newtons = 1; newtons <= 12; newtons++) {
      assert_true(mo_constraint_is_alive(world, f.id));
      broken(world, 0);
      mo_vec3 pull = vec(0, 0, -newtons);
      assert_int_equal(mo_body_apply_force(world, ball, pull, NULL), MO_OK);
      assert_int_equal(mo_world_step(world, DT), MO_OK);
      assert_true(fabs(state_of(world, ball).linear_velocity.z) < 1e-4);
    }
    assert_true(f.requests > 0);
    assert_int_equal(f.answer, MO_OK);
    assert_false(mo_constraint_is_alive(world, f.id));
    const mo_broken_constraint *told = broken(world, 1);
    assert_same_constraint(told->constraint, f.id);
    assert_same_body(told->body_a, ball);
    assert_true(mo_body_id_is_null(told->body_b));
    step_many(world, DT, 1);
    assert_true(fabs(state_of(world, ball).linear_velocity.z + 10.0 * DT) < 1e-4);
    broken(world, 0);
    assert_int_equal(mo_constraint_destroy(world, f.id), MO_ERROR_STALE_HANDLE);
    mo_world_destroy(world);
  }
}

// The last one asks for the others from behind, each more than once.
static uint64_t break_all(mo_solver solver, bool backwards) {
  mo_world *world = make(solver);
  mo_body_id balls[FUSES];
  fuse fuses[FUSES];
  for (int i = 0; i < FUSES; i++) {
    balls[i] = add_ball(world, i);
    add_fuse(&fuses[i], world, balls[i], 1000.0);
  }
  for (int i = 0; i + 1 < FUSES; i++) {
    fuses[FUSES - 1].others[i] = fuses[backwards ? FUSES - 2 - i : i].id;
  }
  step_many(world, DT, 3);
  fuses[FUSES - 1].asks_always = true;
  step_many(world, DT, 1);
  const mo_broken_constraint *told = broken(world, FUSES);
  for (int i = 0; i < FUSES; i++) {
    assert_same_constraint(told[i].constraint, fuses[i].id);
    assert_same_body(told[i].body_a, balls[i]);
  }
  assert_int_equal(mo_world_constraint_count(world), 0);
  step_many(world, DT, 3);
  uint64_t hash = mo_world_hash(world);
  mo_world_destroy(world);
  return hash;
}

static void constraints_break_in_the_order_of_their_slots(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    uint64_t hash = break_all((mo_solver)solver, false);
    assert_true(break_all((mo_solver)solver, false) == hash);
    assert_true(break_all((mo_solver)solver, true) == hash);
  }
}

static void a_refused_step_was_not_asked(void **state) {
  (void)state;
  for (int solver = MO_SOLVER_BLOCK_PGS; solver <= MO_SOLVER_SOFT_STEP; solver++) {
    mo_world *world = make((mo_solver)solver);
    fuse fuses[2];
    add_fuse(&fuses[0], world, add_ball(world, 0), 1000.0);
    add_fuse(&fuses[1], world, add_ball(world, 1), 1000.0);
    step_many(world, DT, 3);
    assert_int_equal(mo_constraint_break(world, fuses[0].id), MO_OK);
    uint64_t hash = mo_world_hash(world);
    fuses[1].asks_always = fuses[1].fails = true;
    assert_int_equal(mo_world_step(world, DT), MO_ERROR_CONSTRAINT_FAILED);
    assert_int_equal(fuses[1].answer, MO_OK);
    assert_true(mo_constraint_is_alive(world, fuses[1].id));
    assert_true(mo_world_hash(world) == hash);
    assert_same_constraint(broken(world, 1)->constraint, fuses[0].id); // still that of before
    fuses[1].asks_always = fuses[1].fails = false;
    step_many(world, DT, 2);
    assert_true(mo_constraint_is_alive(world, fuses[1].id));
    broken(world, 0);
    mo_world_destroy(world);
  }
}

// --- between steps ---------------------------------------------------------------------------

static void between_steps_a_constraint_breaks_at_once(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_BLOCK_PGS);
  mo_body_id balls[2] = {add_ball(world, 0), add_ball(world, 1)};
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_DISTANCE);
  def.body_a = balls[0];
  def.body_b = balls[1];
  mo_constraint_id rod = mo_constraint_create(world, &def);
  assert_int_equal(mo_constraint_break(world, rod), MO_OK);
  assert_false(mo_constraint_is_alive(world, rod));
  const mo_broken_constraint *told = broken(world, 1);
  assert_same_constraint(told->constraint, rod);
  assert_same_body(told->body_a, balls[0]);
  assert_same_body(told->body_b, balls[1]);
  assert_int_equal(mo_constraint_break(world, rod), MO_ERROR_STALE_HANDLE);
  broken(world, 1);
  step_many(world, DT, 1);
  broken(world, 0);
  mo_world_destroy(world);
}

static void a_read_out_breaks_nothing(void **state) {
  (void)state;
  mo_world *world = make(MO_SOLVER_BLOCK_PGS);
  fuse f;
  add_fuse(&f, world, add_ball(world, 0), 1000.0);
  f.asks_always = true;
  double violation;
  assert_int_equal(mo_constraint_violation(world, f.id, &violation), MO_OK);
  assert_int_equal(f.answer, MO_ERROR_WORLD_LOCKED);
  assert_true(mo_constraint_is_alive(world, f.id));
  broken(world, 0);
  mo_world_destroy(world);
}

TEST_GROUP(constraint_breaks) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fuse_breaks_when_it_was_overloaded),
      cmocka_unit_test(constraints_break_in_the_order_of_their_slots),
      cmocka_unit_test(a_refused_step_was_not_asked),
      cmocka_unit_test(between_steps_a_constraint_breaks_at_once),
      cmocka_unit_test(a_read_out_breaks_nothing),
  };
  return run_group(tests, NULL, NULL);
}
