/// Everything that can be read out of a world may be asked for at any moment: inside of every
/// function of the user that the engine calls, after steps that were refused, and after changes
/// that took away what the last step was about. Run under the address sanitizer: what is tested is
/// that no read-out looks at memory that is used for something else by now.
#include "test_group.h"
#include "world/world.h"
#include "world_fixture.h"

#define DT (1.0 / 60)
#define MOST_ISLANDS 32
#define MOST_POINTS 256

static mo_world *present; // that the functions below read
static bool reads, fails;
static int depth;

static void read_everything(mo_world *world) {
  static mo_island islands[MOST_ISLANDS];
  static mo_contact_point points[MOST_POINTS];
  uint32_t count, hits;
  mo_stats stats = mo_world_stats(world);
  mo_residual residual = mo_world_residual(world);
  assert_false(stats.residual < 0.0 || residual.worst < 0.0);
  // counted before the rows of the problem were there, and after
  assert_int_equal(stats.islands, mo_world_island_count(world));
  assert_int_equal(stats.islands, mo_world_islands(world, islands, MOST_ISLANDS));
  mo_world_contact_points(world, points, MOST_POINTS);
  mo_problem_record record;
  if (mo_world_record_problem(world, &record) == MO_OK && record.contact_count > 0) {
    uint32_t n = 3 * record.contact_count;
    assert_true(record.delassus[(size_t)n * n - 1] >= 0.0);
  }
  mo_ray ray = mo_ray_default();
  ray.origin = vec(0, 0, 10);
  ray.direction = vec(0, 0, -1);
  const mo_query_hit *found;
  mo_world_cast_ray_all(world, &ray, &found, &hits);
  mo_world_sleep_events(world, &count);
  mo_world_missed_island_count(world);
  mo_world_momentum(world);
  mo_world_energy(world);
  mo_world_hash(world);
}

// What functions of the user may ask for, themselves among it.
static bool read_inside(void) {
  if (reads && depth < 2) {
    depth++;
    read_everything(present);
    depth--;
  }
  return !fails;
}

// --- the world -------------------------------------------------------------------------------

static bool wrench(const mo_potential_body *body, double time, mo_wrench *out, void *user) {
  (void)time;
  (void)user;
  out->force.x = 0.1 * body->mass;
  return read_inside();
}

static bool energy(const mo_potential_body *body, double time, double *out, void *user) {
  (void)time;
  (void)user;
  *out = -0.1 * body->mass * body->center_of_mass.x;
  return read_inside();
}

static bool evaluate(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  (void)user;
  (void)time;
  out[0] = a->center_of_mass.x - (b ? b->center_of_mass.x : 0.0);
  out[1] = a->center_of_mass.y - (b ? b->center_of_mass.y : 0.0);
  return read_inside();
}

static bool jacobian(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                     double time, double *out) {
  (void)user;
  (void)a;
  (void)time;
  uint32_t columns = b ? 12 : 6;
  out[0] = out[columns + 1] = 1.0;
  if (b) {
    out[6] = out[columns + 7] = -1.0;
  }
  return read_inside();
}

static bool time_derivative(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                            double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  (void)time;
  (void)out;
  return read_inside();
}

// Within a step too: the next one begins where this one ends.
static bool is_active(void *user, const mo_constraint_body *a, const mo_constraint_body *b,
                      double time, double *out) {
  (void)user;
  (void)a;
  (void)b;
  *out = (long)(time / DT + 0.25) % 3 != 1;
  return read_inside();
}

typedef struct room {
  mo_world *world;
  mo_body_id floor, stack[3], beads[2], links[3];
  mo_constraint_id rails[2];
} room;

static void add_rail(room *r, int index, mo_body_id a, mo_body_id b) {
  mo_constraint_def rail = mo_constraint_def_default(MO_CONSTRAINT_CUSTOM);
  rail.body_a = a;
  rail.body_b = b;
  rail.dimension = 2;
  rail.evaluate = evaluate;
  rail.jacobian = index == 0 ? jacobian : NULL;
  rail.time_derivative = index == 0 ? time_derivative : NULL;
  rail.is_active = is_active;
  r->rails[index] = mo_constraint_create(r->world, &rail);
  assert_false(mo_constraint_id_is_null(r->rails[index]));
}

static void add_chain(room *r) {
  static const mo_constraint_type types[3] = {MO_CONSTRAINT_BALL, MO_CONSTRAINT_HINGE,
                                              MO_CONSTRAINT_DISTANCE};
  for (int i = 0; i < 3; i++) {
    r->links[i] = add_body(r->world, body_at(2 + 0.6 * i, 0, 2, 1), box(0.25, 0.1, 0.1));
    mo_constraint_def def = mo_constraint_def_default(types[i]);
    def.body_a = i == 0 ? MO_NULL_BODY_ID : r->links[i - 1];
    def.body_b = r->links[i];
    def.anchor_a = i == 0 ? vec(1.7, 0, 2) : vec(0.3, 0, 0);
    def.anchor_b = vec(-0.3, 0, 0);
    def.axis_a = def.axis_b = vec(0, 1, 0);
    assert_false(mo_constraint_id_is_null(mo_constraint_create(r->world, &def)));
  }
}

static room make_room(mo_world_def settings) {
  room r = {.world = make_world(settings)};
  present = r.world;
  r.floor = add_floor(r.world);
  for (int i = 0; i < 3; i++) {
    r.stack[i] = add_body(r.world, body_at(0, 0, 0.25 + 0.5 * i, 1), box(0.25, 0.25, 0.25));
  }
  r.beads[0] = add_body(r.world, body_at(-2, 0, 0.2, 1), sphere(0.2));
  r.beads[1] = add_body(r.world, body_at(-2, 0, 0.7, 1), sphere(0.2));
  add_rail(&r, 0, r.beads[0], MO_NULL_BODY_ID);
  add_rail(&r, 1, r.beads[1], r.beads[0]);
  add_chain(&r);
  mo_potential_def wind = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  wind.wrench = wrench;
  wind.energy = energy;
  assert_false(mo_potential_id_is_null(mo_potential_create(r.world, &wind)));
  return r;
}

static mo_world_def settings_of(mo_solver solver, bool certify) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, 0, -9.81);
  settings.solver = solver;
  settings.certify = certify;
  return settings;
}

static const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT};

// --- tests -----------------------------------------------------------------------------------

static void everything_can_be_read_inside_of_functions(void **state) {
  (void)state;
  for (size_t s = 0; s < 3; s++) {
    for (int certify = 0; certify < 2; certify++) {
      mo_world_def settings = settings_of(solvers[s], certify != 0);
      room reading = make_room(settings), quiet = make_room(settings);
      for (int step = 0; step < 20; step++) {
        double out[2];
        present = reading.world;
        reads = true;
        step_many(reading.world, DT, 1);
        read_everything(reading.world);
        assert_int_equal(mo_constraint_violation(reading.world, reading.rails[0], out), MO_OK);
        reads = false;
        step_many(quiet.world, DT, 1);
        assert_true(mo_world_hash(reading.world) == mo_world_hash(quiet.world)); // who reads
      }
      mo_world_destroy(reading.world);
      mo_world_destroy(quiet.world);
    }
  }
}

static void with_every_integrator(void **state) {
  (void)state;
  for (int integrator = 0; integrator <= MO_INTEGRATOR_IMPLICIT_MIDPOINT; integrator++) {
    for (size_t s = 1; s < 3; s++) {
      mo_world_def settings = settings_of(solvers[s], false);
      settings.integrator = (mo_integrator)integrator;
      room r = make_room(settings);
      reads = true;
      step_many(r.world, DT, 12);
      reads = false;
      mo_world_destroy(r.world);
    }
  }
}

// --- what is done between the step and the read-out ------------------------------------------

typedef void change(room *r);

static void destroy_floor(room *r) { mo_body_destroy(r->world, r->floor); }
static void destroy_stack(room *r) {
  for (int i = 0; i < 3; i++) {
    mo_body_destroy(r->world, r->stack[i]);
  }
}
static void destroy_link(room *r) { mo_body_destroy(r->world, r->links[1]); }
static void destroy_bead(room *r) { mo_body_destroy(r->world, r->beads[0]); }
static void destroy_rail(room *r) { mo_constraint_destroy(r->world, r->rails[0]); }

static void replace_stack(room *r) {
  destroy_stack(r);
  for (int i = 0; i < 3; i++) {
    r->stack[i] = add_body(r->world, body_at(0, 0, 0.5 + i, 1), sphere(0.3));
  }
  add_chain(r);
}

static void add_many(room *r) {
  for (int i = 0; i < 40; i++) {
    add_body(r->world, body_at(-6 + 0.6 * (i % 8), 3, 0.5 + 0.6 * (i / 8), 1), sphere(0.25));
  }
}

static void use_solver(room *r, mo_solver solver) {
  mo_world_def settings = mo_world_get_settings(r->world);
  settings.solver = solver;
  assert_int_equal(mo_world_set_settings(r->world, &settings), MO_OK);
}
static void use_exact(room *r) { use_solver(r, MO_SOLVER_EXACT); }
static void use_soft_step(room *r) { use_solver(r, MO_SOLVER_SOFT_STEP); }
static void use_rows(room *r) { use_solver(r, MO_SOLVER_BLOCK_PGS); }

static void use_mixture(room *r) {
  mo_body_set_solver(r->world, r->stack[1], true, MO_SOLVER_EXACT);
  mo_body_set_solver(r->world, r->beads[0], true, MO_SOLVER_BLOCK_PGS);
}

static void make_static(room *r) { mo_body_set_type(r->world, r->stack[1], MO_BODY_STATIC); }
static void change_mass(room *r) { mo_body_set_mass(r->world, r->stack[1], 50); }

static void refuse_step(room *r) {
  fails = true;
  assert_int_not_equal(mo_world_step(r->world, DT), MO_OK);
  fails = false;
}

static void refuse_step_reading(room *r) {
  reads = true;
  refuse_step(r);
  reads = false;
}

static void overflow(room *r) {
  if (mo_body_set_linear_velocity(r->world, r->beads[0], vec(0, 0, 1.7e308)) == MO_OK) {
    assert_int_equal(mo_world_step(r->world, 1e3), MO_ERROR_NOT_FINITE);
    mo_body_set_linear_velocity(r->world, r->beads[0], vec(0, 0, 0));
  }
}

static change *const changes[] = {destroy_floor, destroy_stack, destroy_link, destroy_bead,
                                  destroy_rail,  replace_stack, add_many,     use_exact,
                                  use_soft_step, use_rows,      use_mixture,  make_static,
                                  change_mass,   refuse_step,   overflow,     refuse_step_reading};
#define CHANGES (sizeof changes / sizeof changes[0])

// Two changes, with a read-out or a step in between or not.
static void read_after(change *first, change *second, mo_solver solver, size_t between) {
  room r = make_room(settings_of(solver, false));
  step_many(r.world, DT, 3);
  first(&r);
  if (between == 1) {
    read_everything(r.world);
  } else if (between == 2) {
    step_many(r.world, DT, 1);
  }
  second(&r);
  read_everything(r.world);
  step_many(r.world, DT, 2);
  read_everything(r.world);
  mo_world_destroy(r.world);
}

static void everything_can_be_read_after_changes(void **state) {
  (void)state;
  for (size_t i = 0; i < CHANGES; i++) {
    for (size_t k = 0; k < CHANGES; k++) {
      if (i != k) { // what is gone cannot go again
        read_after(changes[i], changes[k], solvers[(i + k) % 3], (i + 2 * k) % 3);
      }
    }
  }
}

// A read-out of the last step says the same before and after a step that was refused.
static void a_refused_step_changes_no_read_out(void **state) {
  (void)state;
  for (size_t s = 0; s < 3; s++) {
    for (int is_read_before = 0; is_read_before < 2; is_read_before++) {
      room r = make_room(settings_of(solvers[s], false));
      step_many(r.world, DT, 10);
      room twin = make_room(settings_of(solvers[s], false));
      step_many(twin.world, DT, 10);
      present = r.world;
      if (is_read_before) {
        read_everything(r.world);
      }
      refuse_step_reading(&r);
      mo_residual a = mo_world_residual(r.world), b = mo_world_residual(twin.world);
      assert_memory_equal(&a, &b, sizeof a);
      mo_stats stats_a = mo_world_stats(r.world), stats_b = mo_world_stats(twin.world);
      assert_int_equal(stats_a.contact_points, stats_b.contact_points);
      assert_int_equal(stats_a.islands, stats_b.islands);
      mo_world_destroy(r.world);
      mo_world_destroy(twin.world);
    }
  }
}

// Who asks for counts alone does not pay for the rows of the contacts.
static void counts_do_not_make_the_problem(void **state) {
  (void)state;
  room r = make_room(settings_of(MO_SOLVER_SOFT_STEP, false));
  step_many(r.world, DT, 10);
  mo_stats stats = mo_world_stats(r.world);
  assert_true(stats.islands > 0 && stats.contact_points > 0);
  assert_false(r.world->last_step.has_problem);
  mo_world_residual(r.world);
  assert_true(r.world->last_step.has_problem);
  mo_world_destroy(r.world);
}

TEST_GROUP(read_outs) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(everything_can_be_read_inside_of_functions),
      cmocka_unit_test(with_every_integrator),
      cmocka_unit_test(everything_can_be_read_after_changes),
      cmocka_unit_test(a_refused_step_changes_no_read_out),
      cmocka_unit_test(counts_do_not_make_the_problem),
  };
  return run_group(tests, NULL, NULL);
}
