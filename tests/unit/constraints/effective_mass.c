/// Effective masses of coordinates with the locks of their joint held.
#include "constraints/effective_mass.h"
#include "assert_near.h"
#include "test_group.h"

// A body that is as hard to turn about all axes.
static mo_row_body body_of(double mass, double inertia) {
  double turning = 1.0 / inertia;
  return (mo_row_body){.inverse_mass = 1.0 / mass,
                       .inverse_inertia = mo_mat3_diagonal(turning, turning, turning)};
}

// B is at rest with its centre of mass in `center`, at a joint in the origin whose axis is z.
typedef struct hung_body {
  mo_constraint joint;
  mo_constraint_place at;
  mo_row_body bodies[MO_ROW_SIDES];
} hung_body;

static hung_body hang(mo_constraint_type type, mo_vec3 center) {
  static const uint32_t slots[MO_ROW_SIDES] = {MO_WORLD_SLOT, 0, MO_WORLD_SLOT, MO_WORLD_SLOT};
  hung_body h = {.bodies[1] = body_of(2.0, 0.2)};
  h.at.metre = 1.0;
  h.at.a = h.at.b = mo_constraint_body_world();
  h.at.b.position = h.at.b.center_of_mass = center;
  mo_constraint_def def = mo_constraint_def_default(type);
  def.anchor_b = mo_neg(center);
  def.axis_a = def.axis_b = mo_v3(0.0, 0.0, 1.0);
  assert_true(mo_constraint_init(&h.joint, &def, slots, &h.at));
  return h;
}

static double held_mass(const hung_body *h) {
  return mo_constraint_held_mass(&h->joint, &h->at, 0, h->bodies);
}

static void assert_hangs_with(mo_constraint_type type, mo_vec3 center, double mass,
                              double tolerance) {
  hung_body h = hang(type, center);
  assert_near(held_mass(&h), mass, tolerance * mass);
  mo_constraint_free(&h.joint);
}

static void a_door_has_its_inertia_about_the_hinge(void **state) {
  (void)state;
  assert_hangs_with(MO_CONSTRAINT_HINGE, mo_v3(0.0, 0.0, 5.0), 0.2, 1e-12);
  assert_hangs_with(MO_CONSTRAINT_HINGE, mo_v3(0.6, 0.8, 3.0), 0.2 + 2.0, 1e-12);
  assert_hangs_with(MO_CONSTRAINT_HINGE, mo_v3(600.0, 800.0, 0.0), 0.2 + 2e6, 1e-9);
}

static void a_body_off_its_slider_has_its_mass(void **state) {
  (void)state;
  assert_hangs_with(MO_CONSTRAINT_SLIDER, mo_v3(0.0, 0.0, 0.5), 2.0, 1e-12);
  assert_hangs_with(MO_CONSTRAINT_SLIDER, mo_v3(1.0, -2.0, 0.5), 2.0, 1e-12);
}

// The kinetic energy of bodies that fold about a hinge between them, without momentum, is
//   (I_A + u a^2) w_A^2 / 2 + u a b w_A w_B + (I_B + u b^2) w_B^2 / 2
// for the reduced mass u = m_A m_B / (m_A + m_B) and arms a and b on either side.
static void free_bodies_have_what_folding_moves(void **state) {
  (void)state;
  hung_body h = hang(MO_CONSTRAINT_HINGE, mo_v3(1.0, 0.0, 0.0));
  h.joint.slot_a = 1;
  h.joint.anchor_a = mo_v3(0.6, 0.0, 0.0);
  h.at.a.position = h.at.a.center_of_mass = mo_v3(-0.6, 0.0, 0.0);
  h.bodies[0] = body_of(3.0, 0.4);
  double reduced = 3.0 * 2.0 / 5.0;
  double aa = 0.4 + reduced * 0.36, ab = reduced * 0.6, bb = 0.2 + reduced;
  double mobility = (aa + bb + 2.0 * ab) / (aa * bb - ab * ab);
  assert_near(held_mass(&h), 1.0 / mobility, 1e-12);
  mo_constraint_free(&h.joint);
}

// Rows of the hinge that push what is locked hold nothing, and are no reason to fail.
static void locked_bodies_have_what_their_locks_leave(void **state) {
  (void)state;
  hung_body h = hang(MO_CONSTRAINT_HINGE, mo_v3(1.0, 0.0, 0.0));
  h.bodies[1].inverse_inertia = mo_mat3_diagonal(0.0, 0.0, 5.0);
  assert_near(held_mass(&h), 2.2, 1e-12);
  h.bodies[1].locked_translation = 4u;
  assert_near(held_mass(&h), 2.2, 1e-12);
  h.bodies[1].locked_translation = 2u; // the way on which the door would go
  assert_near(held_mass(&h), 0.0, 0.0);
  h.bodies[1] = (mo_row_body){0};
  assert_near(held_mass(&h), 0.0, 0.0);
  mo_constraint_free(&h.joint);
}

static void a_body_is_where_its_velocity_takes_it(void **state) {
  (void)state;
  hung_body h = hang(MO_CONSTRAINT_HINGE, mo_v3(1.0, 0.0, 0.0));
  mo_constraint_place ahead;
  mo_row_body bodies[MO_ROW_SIDES];
  h.at.b.position = mo_v3(1.0, 2.0, 0.0); // beside the centre of mass
  h.at.b.linear_velocity = mo_v3(0.0, 0.0, 4.0);
  h.at.b.angular_velocity = mo_v3(0.0, 0.0, MO_PI);
  h.bodies[1].inverse_inertia = mo_mat3_diagonal(1.0, 2.0, 3.0);
  mo_constraint_place_ahead(&h.at, h.bodies, 0.5, &ahead, bodies);
  assert_near(mo_length(mo_sub(ahead.b.center_of_mass, mo_v3(1.0, 0.0, 2.0))), 0.0, 1e-15);
  assert_near(mo_length(mo_sub(ahead.b.position, mo_v3(-1.0, 0.0, 2.0))), 0.0, 1e-15);
  assert_near(ahead.b.orientation.z, sqrt(0.5), 1e-15);
  assert_near(bodies[1].inverse_inertia.cx.x, 2.0, 1e-14);
  assert_near(bodies[1].inverse_inertia.cy.y, 1.0, 1e-14);
  mo_constraint_free(&h.joint);
}

TEST_GROUP(effective_mass) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_door_has_its_inertia_about_the_hinge),
      cmocka_unit_test(a_body_off_its_slider_has_its_mass),
      cmocka_unit_test(free_bodies_have_what_folding_moves),
      cmocka_unit_test(locked_bodies_have_what_their_locks_leave),
      cmocka_unit_test(a_body_is_where_its_velocity_takes_it),
  };
  return run_group(tests, NULL, NULL);
}
