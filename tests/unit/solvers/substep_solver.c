#include "substep_scene.h"
#include "test_group.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void near_to(double x, double expected, double tolerance) {
  if (!(fabs(x - expected) <= tolerance)) {
    fail_msg("%.9g is not within %g of %.9g", x, tolerance, expected);
  }
}

#define UP mo_v3(0, 1, 0)

// --- scenes ----------------------------------------------------------------------------------

static const mo_vec3 half = {0.5, 0.5, 0.5};

/// A box of 2 kg that stands on ground of height 0 at the place (x, z), in the given colour.
static uint32_t box_on_ground(substep_scene *s, uint32_t ground, uint32_t colour, double x,
                              double z, double friction) {
  mo_vec3 feet[4];
  substep_scene_feet(half, feet);
  mo_vec3 origin = s->motions[ground].position;
  uint32_t box = substep_scene_add_box(s, 2.0, half, mo_add(origin, mo_v3(x, 0.5, z)));
  substep_scene_touch(s, colour, ground, box, UP, mo_v3_zero(), feet, 4, friction);
  return box;
}

static uint32_t ground(substep_scene *s, mo_vec3 at) { return substep_scene_add(s, 0.0, at, at); }

static double normal_sum(const mo_substep_contact *contact) {
  double sum = 0.0;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    sum += contact->normal_impulses[i];
  }
  return sum;
}

static double kinetic(const substep_scene *s, uint32_t slot, double mass, double inertia) {
  const mo_motion *m = &s->motions[slot];
  return 0.5 * mass * mo_length_squared(m->linear_velocity) +
         0.5 * inertia * mo_length_squared(m->angular_velocity);
}

// --- one body --------------------------------------------------------------------------------

static void box_at_rest_is_carried_by_its_weight(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  for (int i = 0; i < 300; i++) {
    assert_true(substep_scene_step(s));
  }
  const mo_substep_contact *contact = &s->colours[0].contacts[0];
  near_to(normal_sum(contact), 2.0 * 10.0 / 60.0, 1e-5);
  for (int i = 0; i < 4; i++) {
    near_to(contact->normal_impulses[i], 0.25 * 2.0 * 10.0 / 60.0, 1e-5);
  }
  near_to(mo_length(s->motions[box].linear_velocity), 0.0, 1e-6);
  near_to(mo_length(s->motions[box].angular_velocity), 0.0, 1e-6);
  double y = s->motions[box].position.y;
  assert_true(y < 0.5 && y > 0.499); // the spring sags
  // the first steps are a sweep over the corners in turn, which is not symmetrical
  near_to(s->motions[box].position.x, 0.0, 2e-5);
  substep_scene_free(s);
}

static void first_step_on_the_ground_takes_the_weight(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  assert_true(substep_scene_step(s));
  near_to(normal_sum(&s->colours[0].contacts[0]), 2.0 * 10.0 / 60.0, 1e-3);
  near_to(s->motions[box].linear_velocity.y, 0.0, 1e-3);
  substep_scene_free(s);
}

// E3: a friction step with the inverse of the 2x2 would pull sideways here.
static void friction_opposes_the_slip_of_an_oblong_box(void **state) {
  (void)state;
  for (int i = 0; i < 12; i++) {
    substep_scene *s = substep_scene_create(4);
    mo_vec3 oblong = mo_v3(1.5, 0.25, 0.4), feet[4];
    substep_scene_feet(oblong, feet);
    uint32_t base = ground(s, mo_v3_zero());
    uint32_t box = substep_scene_add_box(s, 3.0, oblong, mo_v3(0, 0.25, 0));
    substep_scene_touch(s, 0, base, box, UP, mo_v3_zero(), feet, 4, 0.3);
    for (int k = 0; k < 120; k++) { // settle
      assert_true(substep_scene_step(s));
    }
    mo_sin_cos angle = mo_sine_cosine(i * MO_PI / 6.0);
    mo_vec3 along = mo_v3(angle.cos, 0, angle.sin), across = mo_v3(-angle.sin, 0, angle.cos);
    s->motions[box].linear_velocity = mo_scale(2.0, along);
    for (int k = 0; k < 20; k++) {
      assert_true(substep_scene_step(s));
    }
    mo_vec3 v = s->motions[box].linear_velocity;
    near_to(mo_dot(v, along), 2.0 - 0.3 * 10.0 * 20.0 / 60.0, 0.02);
    near_to(mo_dot(v, across), 0.0, 2e-3);
    near_to(s->motions[box].angular_velocity.y, 0.0, 2e-3);
    const mo_substep_contact *contact = &s->colours[0].contacts[0];
    mo_vec3 impulse = substep_scene_vec(contact->tangent_impulse);
    near_to(mo_dot(impulse, along), -0.3 * normal_sum(contact), 1e-3);
    for (int k = 0; k < 80; k++) {
      assert_true(substep_scene_step(s));
    }
    near_to(mo_length(s->motions[box].linear_velocity), 0.0, 1e-5);
    substep_scene_free(s);
  }
}

static void friction_within_its_disc_holds_on_a_slope(void **state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    substep_scene *s = substep_scene_create(4);
    double slope = i == 0 ? 0.45 : 0.55; // tangent; mu is 0.5
    s->gravity = mo_v3(10.0 * slope, -10.0, 0);
    uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
    for (int k = 0; k < 120; k++) {
      assert_true(substep_scene_step(s));
    }
    double expected = i == 0 ? 0.0 : 10.0 * 0.05 * 2.0;
    near_to(s->motions[box].linear_velocity.x, expected, i == 0 ? 1e-5 : 0.02);
    substep_scene_free(s);
  }
}

static void spinning_box_is_stopped_by_twist(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  for (int k = 0; k < 60; k++) {
    assert_true(substep_scene_step(s));
  }
  s->motions[box].angular_velocity = mo_v3(0, 6, 0);
  for (int k = 0; k < 10; k++) {
    assert_true(substep_scene_step(s));
  }
  // torque mu m g r on the inertia m / 6
  double slowing = 0.5 * 10.0 * sqrt(0.5) * 6.0;
  near_to(s->motions[box].angular_velocity.y, 6.0 - slowing * 10.0 / 60.0, 0.03);
  near_to(s->colours[0].contacts[0].twist_impulse, -0.5 * 2.0 * 10.0 / 60.0 * sqrt(0.5), 2e-3);
  near_to(mo_length(s->motions[box].linear_velocity), 0.0, 1e-4);
  substep_scene_free(s);
}

/// The speed after the rebound of what approaches with the speed w at the height s: free flight in
/// substeps of h keeps (v - g h / 2)^2 / 2 + g s, with v upwards.
static double rebound_of(double restitution, double w, double s) {
  double half_gain = 0.5 * 10.0 / 240.0;
  return restitution > 0.0
             ? restitution * sqrt((w + half_gain) * (w + half_gain) + 2.0 * 10.0 * s) + half_gain
             : 0.0;
}

static void ball_rebounds_with_its_restitution(void **state) {
  (void)state;
  for (int i = 0; i < 3; i++) {
    double e = 0.5 * i;
    substep_scene *s = substep_scene_create(4);
    uint32_t base = ground(s, mo_v3_zero());
    uint32_t ball = substep_scene_add(s, 0.5, mo_v3(0.05, 0.05, 0.05), mo_v3(0, 0.52, 0));
    mo_vec3 foot = mo_v3(0, -0.5, 0);
    substep_scene_touch(s, 0, base, ball, UP, mo_v3_zero(), &foot, 1, 0.5)->restitution = (float)e;
    s->motions[ball].linear_velocity = mo_v3(0, -4, 0);
    assert_true(substep_scene_step(s));
    // it hits in the second of four substeps, and flies on in the others
    double end = e > 0.0 ? rebound_of(e, 4.0, 0.02) - 2.0 * 10.0 / 240.0 : 0.0;
    near_to(s->motions[ball].linear_velocity.y, end, 1e-4);
    near_to(normal_sum(&s->colours[0].contacts[0]), 0.5 * (4.0 + end + 10.0 / 60.0), 5e-3);
    assert_true(s->motions[ball].position.y > 0.49);
    substep_scene_free(s);
  }
}

static void box_that_lands_flat_rebounds_flat(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  s->colours[0].contacts[0].restitution = 0.5f;
  s->motions[box].linear_velocity = mo_v3(0, -4, 0);
  assert_true(substep_scene_step(s));
  double end = rebound_of(0.5, 4.0, 0.0) - 3.0 * 10.0 / 240.0; // it flies for three substeps
  near_to(s->motions[box].linear_velocity.y, end, 1e-3);
  near_to(mo_length(s->motions[box].angular_velocity), 0.0, 0.05);
  substep_scene_free(s);
}

static void slow_approach_has_no_rebound(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  s->colours[0].contacts[0].restitution = 1.0f;
  s->motions[box].linear_velocity = mo_v3(0, -0.9, 0);
  assert_true(substep_scene_step(s));
  near_to(s->motions[box].linear_velocity.y, 0.0, 0.015);
  substep_scene_free(s);
}

static void overlap_is_pushed_out_no_faster_than_the_limit(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  s->step.settings.max_correction_speed = 0.5;
  s->motions[box].position.y = s->motions[box].center_of_mass.y = 0.3;
  for (int i = 1; i <= 12; i++) {
    assert_true(substep_scene_step(s));
    double y = s->motions[box].position.y;
    assert_true(y <= 0.3 + 0.5 * i / 60.0 + 1e-5 && y >= 0.3 + 0.3 * i / 60.0);
    assert_true(s->motions[box].linear_velocity.y < 0.05); // the push is no velocity
  }
  substep_scene_free(s);
}

static void small_overlap_is_pushed_out_at_leisure(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.5);
  s->gravity = mo_v3_zero();
  s->motions[box].position.y = s->motions[box].center_of_mass.y = 0.496;
  for (int i = 0; i < 60; i++) {
    assert_true(substep_scene_step(s));
  }
  assert_true(s->motions[box].position.y > 0.4999);
  assert_true(s->motions[box].linear_velocity.y < 0.04); // what is left of the push
  substep_scene_free(s);
}

static void conveyor_takes_a_box_along(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(4);
  uint32_t belt = ground(s, mo_v3_zero());
  substep_scene_make_kinematic(s, belt);
  s->motions[belt].linear_velocity = mo_v3(1, 0, 0);
  uint32_t box = box_on_ground(s, belt, 0, 0, 0, 0.2);
  for (int i = 0; i < 12; i++) {
    assert_true(substep_scene_step(s));
  }
  near_to(s->motions[box].linear_velocity.x, 0.2 * 10.0 * 12.0 / 60.0, 0.03);
  for (int i = 0; i < 108; i++) {
    assert_true(substep_scene_step(s));
  }
  near_to(s->motions[box].linear_velocity.x, 1.0, 1e-4);
  near_to(s->motions[belt].linear_velocity.x, 1.0, 0.0);
  near_to(s->motions[belt].position.x, 2.0, 1e-5);
  substep_scene_free(s);
}

// --- several bodies --------------------------------------------------------------------------

/// `count` unit boxes upon each other; contact i between i and i + 1, of which 0 is the ground.
static substep_scene *tower(uint32_t count, mo_vec3 at, uint32_t colour_limit) {
  substep_scene *s = substep_scene_create(count + 1);
  mo_vec3 feet[4];
  substep_scene_feet(half, feet);
  uint32_t below = ground(s, at);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t box = substep_scene_add_box(s, 1.0, half, mo_add(at, mo_v3(0, 0.5 + i, 0)));
    substep_scene_touch(s, substep_scene_colour(s, below, box, colour_limit), below, box, UP,
                        mo_v3(0, i == 0 ? 0.0 : 0.5, 0), feet, 4, 0.6);
    below = box;
  }
  return s;
}

static void stack_of_ten_stands(void **state) {
  (void)state;
  substep_scene *s = tower(10, mo_v3_zero(), 4);
  for (int i = 0; i < 1200; i++) {
    assert_true(substep_scene_step(s));
  }
  double below = -0.5;
  for (uint32_t i = 1; i <= 10; i++) {
    const mo_motion *m = &s->motions[i];
    double overlap = below + 1.0 - m->position.y;
    assert_true(overlap > -1e-3 && overlap < 0.006);
    near_to(m->position.x, 0.0, 2e-3);
    near_to(m->position.z, 0.0, 2e-3);
    near_to(mo_length(m->linear_velocity), 0.0, 1e-5);
    near_to(normal_sum(&s->colours[(i + 1) % 2].contacts[(i - 1) / 2]), (11.0 - i) / 6.0, 1e-3);
    below = m->position.y;
  }
  substep_scene_free(s);
}

static void overflow_gives_what_colours_give(void **state) {
  (void)state;
  substep_scene *a = tower(8, mo_v3_zero(), 4), *b = tower(8, mo_v3_zero(), 0);
  assert_int_equal(b->colours[MO_SUBSTEP_COLOURS - 1].contacts_count, 8);
  for (int i = 0; i < 600; i++) {
    assert_true(substep_scene_step(a) && substep_scene_step(b));
  }
  for (uint32_t i = 1; i <= 8; i++) {
    near_to(a->motions[i].position.y, b->motions[i].position.y, 1e-3);
    near_to(mo_length(b->motions[i].linear_velocity), 0.0, 1e-4);
  }
  substep_scene_free(a);
  substep_scene_free(b);
}

// Positions enter by differences in double only; all numbers here are sums of few powers of two.
static void far_away_gives_the_same_bits(void **state) {
  (void)state;
  double far = 1048576.0;
  substep_scene *a = tower(5, mo_v3_zero(), 4), *b = tower(5, mo_v3(far, -far, 2.0 * far), 4);
  for (uint32_t i = 1; i <= 5; i++) {
    a->motions[i].linear_velocity = b->motions[i].linear_velocity = mo_v3(0.25 * i, -0.5, 0.125);
  }
  assert_true(substep_scene_step(a) && substep_scene_step(b));
  assert_memory_equal(&a->bodies[1], &b->bodies[1], 5 * sizeof *a->bodies);
  substep_scene_free(a);
  substep_scene_free(b);
}

static void free_bodies_keep_their_momentum(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(2);
  s->gravity = mo_v3_zero();
  uint32_t a = substep_scene_add_box(s, 1.0, mo_v3(0.5, 0.5, 0.5), mo_v3(0, 0, 0));
  uint32_t b = substep_scene_add_box(s, 7.0, mo_v3(0.3, 0.5, 0.7), mo_v3(0.4, 1.005, 0.3));
  mo_vec3 feet[4];
  substep_scene_feet(mo_v3(0.3, 0.5, 0.7), feet);
  substep_scene_touch(s, 0, a, b, UP, mo_v3(0, 0.5, 0), feet, 4, 0.7)->restitution = 0.3f;
  s->motions[a].linear_velocity = mo_v3(1, 2, -1);
  s->motions[a].angular_velocity = mo_v3(0.5, 3, 0.2);
  s->motions[b].linear_velocity = mo_v3(-0.5, -3, 0.25);
  double energy = kinetic(s, a, 1.0, 1.0 / 6.0) + 0.5 * 7.0 * (0.25 + 9.0 + 0.0625);
  assert_true(substep_scene_step(s));
  assert_true(normal_sum(&s->colours[0].contacts[0]) > 1.0);
  const mo_motion *m = s->motions;
  mo_vec3 p = mo_add_scaled(m[a].linear_velocity, 7.0, m[b].linear_velocity);
  near_to(p.x, 1 - 3.5, 1e-5);
  near_to(p.y, 2 - 21, 2e-5);
  near_to(p.z, -1 + 1.75, 1e-5);
  mo_vec3 w = m[b].angular_velocity;
  double spin = 7.0 / 3.0 * (0.74 * w.x * w.x + 0.58 * w.y * w.y + 0.34 * w.z * w.z);
  double after = kinetic(s, a, 1.0, 1.0 / 6.0) +
                 0.5 * 7.0 * mo_length_squared(m[b].linear_velocity) + 0.5 * spin;
  assert_true(after < energy);
  substep_scene_free(s);
}

// --- lanes -----------------------------------------------------------------------------------

static void every_lane_gives_the_same_bits(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(16);
  uint32_t base = ground(s, mo_v3_zero()), boxes[11];
  for (int i = 0; i < 11; i++) { // groups of 4, 4 and 3 lanes, and two alone
    uint32_t colour = i < 9 ? 0 : MO_SUBSTEP_COLOURS - 1;
    boxes[i] = box_on_ground(s, base, colour, 4.0 * i, 0, 0.5);
    s->motions[boxes[i]].linear_velocity = mo_v3(1, -1, 0.5);
    s->motions[boxes[i]].angular_velocity = mo_v3(0.1, 0.5, 0.2);
  }
  for (int k = 0; k < 30; k++) {
    for (int i = 0; i < 11; i++) { // the same place, each on its own
      s->motions[boxes[i]].center_of_mass = s->motions[boxes[0]].center_of_mass;
    }
    assert_true(substep_scene_step(s));
    for (int i = 1; i < 11; i++) {
      assert_memory_equal(&s->bodies[s->indices[boxes[i]]], &s->bodies[s->indices[boxes[0]]],
                          sizeof *s->bodies);
    }
  }
  assert_true(s->bodies[0].linear_velocity[1] == 0.0f && s->bodies[0].rotation[0] == 0.0f);
  substep_scene_free(s);
}

/// Boxes on 1 to 4 feet, in an order that mixes the numbers or not.
static substep_scene *stools(bool mixed) {
  substep_scene *s = substep_scene_create(16);
  uint32_t base = ground(s, mo_v3_zero());
  mo_vec3 feet[4][4] = {{{0, -0.5, 0}},
                        {{0.5, -0.5, 0}, {-0.5, -0.5, 0}},
                        {{0.5, -0.5, 0.5}, {-0.5, -0.5, 0.5}, {0, -0.5, -0.5}}};
  substep_scene_feet(half, feet[3]);
  for (uint32_t i = 0; i < 8; i++) {
    substep_scene_add_box(s, 1.0 + 0.25 * i, half, mo_v3(2.0 * i, 0.5, 0));
  }
  for (uint32_t k = 0; k < 8; k++) {
    uint32_t i = mixed ? (3 * k) % 8 : k;
    // 4 or 1 in the first two bodies, so that a group of the unmixed order has few points
    uint32_t count = i / 2 + 1;
    substep_scene_touch(s, 0, base, base + 1 + i, UP, mo_v3_zero(), feet[count - 1], count, 0.5);
    s->motions[base + 1 + i].linear_velocity = mo_v3(0.5, -1, 0.25);
  }
  return s;
}

static void numbers_of_points_mix(void **state) {
  (void)state;
  substep_scene *a = stools(false), *b = stools(true);
  for (int k = 0; k < 20; k++) {
    assert_true(substep_scene_step(a) && substep_scene_step(b));
    for (uint32_t i = 1; i <= 8; i++) {
      const mo_solver_body *x = &a->bodies[i + 1], *y = &b->bodies[i + 1];
      for (int j = 0; j < 3; j++) {
        near_to(x->linear_velocity[j], y->linear_velocity[j], 1e-5);
        near_to(x->angular_velocity[j], y->angular_velocity[j], 1e-4);
      }
    }
  }
  for (uint32_t i = 0; i < 8; i++) { // all of them are carried
    const mo_substep_contact *contact = &a->colours[0].contacts[i];
    near_to(normal_sum(contact), (1.0 + 0.25 * i) * 10.0 / 60.0, 0.15 * (1.0 + 0.25 * i));
  }
  substep_scene_free(a);
  substep_scene_free(b);
}

// --- friction of a patch ---------------------------------------------------------------------

static void patch_slides_and_spins_down(void **state) {
  (void)state;
  for (int i = 0; i < 4; i++) {
    substep_scene *s = substep_scene_create(4);
    uint32_t box = box_on_ground(s, ground(s, mo_v3_zero()), 0, 0, 0, 0.3);
    for (int k = 0; k < 120; k++) {
      assert_true(substep_scene_step(s));
    }
    mo_sin_cos angle = mo_sine_cosine(0.4 + i * MO_PI / 2.0);
    mo_vec3 along = mo_v3(angle.cos, 0, angle.sin), across = mo_v3(-angle.sin, 0, angle.cos);
    s->motions[box].linear_velocity = mo_scale(2.0, along);
    for (int k = 0; k < 20; k++) {
      assert_true(substep_scene_step(s));
    }
    mo_vec3 v = s->motions[box].linear_velocity;
    near_to(mo_dot(v, along), 2.0 - 0.3 * 10.0 * 20.0 / 60.0, 0.03);
    near_to(mo_dot(v, across), 0.0, 5e-3);
    for (int k = 0; k < 80; k++) {
      assert_true(substep_scene_step(s));
    }
    near_to(mo_length(s->motions[box].linear_velocity), 0.0, 1e-4);
    s->motions[box].angular_velocity = mo_v3(0, 6, 0);
    for (int k = 0; k < 10; k++) {
      assert_true(substep_scene_step(s));
    }
    double slowing = 0.3 * 10.0 * sqrt(0.5) * 6.0;
    near_to(s->motions[box].angular_velocity.y, 6.0 - slowing * 10.0 / 60.0, 0.05);
    near_to(s->colours[0].contacts[0].twist_impulse, -0.3 * 2.0 * 10.0 / 60.0 * sqrt(0.5), 5e-3);
    substep_scene_free(s);
  }
}

// --- memory ----------------------------------------------------------------------------------

static void without_memory_contacts_stay(void **state) {
  (void)state;
  substep_scene *s = tower(6, mo_v3_zero(), 4);
  for (int i = 0; i < 5; i++) {
    assert_true(substep_scene_step(s));
  }
  size_t needed = s->arena.used_bytes, failures = 0;
  mo_substep_contact before[2][8];
  substep_scene_begin(s);
  for (int c = 0; c < 2; c++) {
    memcpy(before[c], s->colours[c].contacts, s->colours[c].contacts_count * sizeof **before);
  }
  for (size_t limit = 16; limit < needed; limit += 256) {
    mo_arena_reset(&s->arena);
    s->arena.limit_bytes = limit;
    assert_false(mo_substep_solve(&s->step));
    failures++;
    for (int c = 0; c < 2; c++) {
      assert_memory_equal(before[c], s->colours[c].contacts,
                          s->colours[c].contacts_count * sizeof **before);
    }
  }
  assert_true(failures > 10);
  s->arena.limit_bytes = 0;
  assert_true(substep_scene_step(s));
  substep_scene_free(s);
}

static void without_contacts_bodies_fall(void **state) {
  (void)state;
  substep_scene *s = substep_scene_create(2);
  uint32_t box = substep_scene_add_box(s, 1.0, half, mo_v3_zero());
  assert_true(substep_scene_step(s));
  near_to(s->motions[box].linear_velocity.y, -10.0 / 60.0, 1e-6);
  // four substeps fall by (1 + 2 + 3 + 4) h^2 g
  near_to(s->motions[box].position.y, -10.0 * 10.0 / (240.0 * 240.0), 1e-8);
  substep_scene_free(s);
}

TEST_GROUP(substep_solver) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(box_at_rest_is_carried_by_its_weight),
      cmocka_unit_test(first_step_on_the_ground_takes_the_weight),
      cmocka_unit_test(friction_opposes_the_slip_of_an_oblong_box),
      cmocka_unit_test(friction_within_its_disc_holds_on_a_slope),
      cmocka_unit_test(spinning_box_is_stopped_by_twist),
      cmocka_unit_test(ball_rebounds_with_its_restitution),
      cmocka_unit_test(box_that_lands_flat_rebounds_flat),
      cmocka_unit_test(slow_approach_has_no_rebound),
      cmocka_unit_test(overlap_is_pushed_out_no_faster_than_the_limit),
      cmocka_unit_test(small_overlap_is_pushed_out_at_leisure),
      cmocka_unit_test(conveyor_takes_a_box_along),
      cmocka_unit_test(stack_of_ten_stands),
      cmocka_unit_test(overflow_gives_what_colours_give),
      cmocka_unit_test(far_away_gives_the_same_bits),
      cmocka_unit_test(free_bodies_keep_their_momentum),
      cmocka_unit_test(every_lane_gives_the_same_bits),
      cmocka_unit_test(numbers_of_points_mix),
      cmocka_unit_test(patch_slides_and_spins_down),
      cmocka_unit_test(without_memory_contacts_stay),
      cmocka_unit_test(without_contacts_bodies_fall),
  };
  return run_group(tests, NULL, NULL);
}
