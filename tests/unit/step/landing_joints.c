/// Joints of figures that land: soft-step solves joints and contacts in turn.
#include "joint_machines.h"
#include "math/quat.h"
#include "test_group.h"

#define LINKS 3
#define MOST_OPENING 0.006 // m

typedef struct figure {
  mo_world *world;
  mo_body_id bodies[LINKS + 1];
  mo_constraint_id joints[LINKS];
} figure;

// A trunk of 30 kg on a row of light links, askew, that falls on its lower end.
static figure falling_figure(mo_vec3 velocity) {
  mo_world_def settings = joint_settings(MO_SOLVER_SOFT_STEP, 9.81);
  figure f = {.world = make_world(settings)};
  mo_body_def floor = body_at(0, 0, -0.5, 1.0);
  floor.type = MO_BODY_STATIC;
  add_body(f.world, floor, box(10, 10, 0.5));
  for (int i = 0; i <= LINKS; i++) {
    bool is_trunk = i == LINKS;
    mo_body_def def = body_at(0.05 * i, 0, 0.2 + 0.3 * i + 0.15 * is_trunk, is_trunk ? 30.0 : 0.5);
    def.linear_velocity = velocity;
    f.bodies[i] = add_body(f.world, def, box(is_trunk ? 0.15 : 0.08, 0.08, is_trunk ? 0.25 : 0.12));
  }
  for (int i = 0; i < LINKS; i++) {
    mo_constraint_def def =
        mo_constraint_def_default(i == 1 ? MO_CONSTRAINT_HINGE : MO_CONSTRAINT_BALL);
    def.body_a = f.bodies[i];
    def.body_b = f.bodies[i + 1];
    def.anchor_a = vec(0.025, 0, 0.15);
    def.anchor_b = vec(-0.025, 0, i + 1 == LINKS ? -0.3 : -0.15);
    def.axis_a = def.axis_b = vec(0, 1, 0);
    f.joints[i] = add_joint(f.world, &def);
  }
  return f;
}

static mo_vec3 anchor(mo_world *world, mo_body_id id, mo_vec3 local) {
  mo_body_state s = state_of(world, id);
  return mo_add(s.position, mo_quat_rotate(s.orientation, local));
}

static double opening(const figure *f, int i) {
  mo_vec3 a = anchor(f->world, f->bodies[i], vec(0.025, 0, 0.15));
  mo_vec3 b = anchor(f->world, f->bodies[i + 1], vec(-0.025, 0, i + 1 == LINKS ? -0.3 : -0.15));
  return mo_distance_between(a, b);
}

// Impulses of the landing go through the links in sweeps. One sweep in each substep leaves 10 to
// 24 mm of opening.
static void a_figure_lands_without_opening_its_joints(void **state) {
  (void)state;
  for (int speed = 1; speed <= 4; speed++) {
    figure f = falling_figure(vec(0.2 * speed, 0, -speed));
    double energy = mo_world_energy(f.world).total;
    for (int i = 0; i < 120; i++) {
      step_many(f.world, 1.0 / 60.0, 1);
      assert_true(mo_world_energy(f.world).total <= energy + 1e-9 * energy);
      for (int k = 0; k < LINKS; k++) {
        assert_true(opening(&f, k) < MOST_OPENING);
      }
    }
    mo_world_destroy(f.world);
  }
}

TEST_GROUP(landing_joints) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_figure_lands_without_opening_its_joints),
  };
  return run_group(tests, NULL, NULL);
}
