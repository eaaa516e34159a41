/// Several joints at one place, with bodies of next to no mass between them, as files of robots
/// have them, with soft-step.
#include "math/vec3.h"
#include "test_group.h"
#include "world_fixture.h"

#define DT (1.0 / 60.0)

typedef struct arm {
  mo_world *world;
  mo_body_id middle, link;
  mo_constraint_id joints[2];
} arm;

static mo_constraint_id hinge(mo_world *world, mo_body_id a, mo_body_id b, mo_vec3 axis, double x) {
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_HINGE);
  def.body_a = a;
  def.body_b = b;
  def.anchor_b = vec(x, 0, 0);
  def.axis_a = def.axis_b = axis;
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

// A level link of 1 kg on two hinges, about z and about y, with a body of a given mass between.
static arm make(double mass) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = MO_SOLVER_SOFT_STEP;
  settings.gravity = vec(0, -9.81, 0);
  settings.allow_sleep = false;
  arm a = {.world = make_world(settings)};
  mo_body_def middle = body_at(0, 0, 0, mass), link = body_at(0.15, 0, 0, 1.0);
  middle.filter.mask = link.filter.mask = 0;
  a.middle = add_body(a.world, middle, sphere(0.01));
  a.link = add_body(a.world, link, box(0.15, 0.05, 0.05));
  a.joints[0] = hinge(a.world, MO_NULL_BODY_ID, a.middle, vec(0, 0, 1), 0.0);
  a.joints[1] = hinge(a.world, a.middle, a.link, vec(0, 1, 0), -0.15);
  return a;
}

static double error_of(const arm *a) {
  double worst = 0.0;
  for (int i = 0; i < 2; i++) {
    double rows[6];
    assert_int_equal(mo_constraint_violation(a->world, a->joints[i], rows), MO_OK);
    for (int k = 0; k < 5; k++) {
      worst = fmax(worst, fabs(rows[k]));
    }
  }
  return worst;
}

// It swings like the pendulum that it is, however little the body between weighs.
static void a_body_without_mass_between_hinges_keeps_them_together(void **state) {
  (void)state;
  arm heavier = make(1e-3);
  arm arms[2] = {make(1e-6), make(1e-9)};
  for (int i = 0; i < 600; i++) {
    assert_int_equal(mo_world_step(heavier.world, DT), MO_OK);
    for (int k = 0; k < 2; k++) {
      assert_int_equal(mo_world_step(arms[k].world, DT), MO_OK);
      assert_true(error_of(&arms[k]) < 1e-3);
    }
    if (i < 120) { // their periods differ by a few parts in 1e5
      mo_vec3 at = state_of(heavier.world, heavier.link).position;
      for (int k = 0; k < 2; k++) {
        mo_vec3 own = state_of(arms[k].world, arms[k].link).position;
        assert_true(mo_length(mo_sub(own, at)) < 2e-3);
      }
    }
  }
  mo_world_destroy(heavier.world);
  mo_world_destroy(arms[0].world);
  mo_world_destroy(arms[1].world);
}

TEST_GROUP(massless_links) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_body_without_mass_between_hinges_keeps_them_together),
  };
  return run_group(tests, NULL, NULL);
}
