#include "collision_oracle.h"
#include "test_group.h"

#include "collision/convex/time_of_impact.h"

#define TARGET 1e-3
#define TOLERANCE 2.5e-4
#define DT (1.0 / 60.0)

static mo_sweep moving(const mo_shape *shape, mo_vec3 start, mo_vec3 velocity, mo_vec3 spin) {
  return (mo_sweep){.shape = shape,
                    .shape_pose = mo_pose_identity(),
                    .center_start = start,
                    .center_end = mo_add_scaled(start, DT, velocity),
                    .orientation_start = mo_quat_identity(),
                    .rotation = mo_scale(DT, spin)};
}

static mo_sweep still(const mo_shape *shape, double x, double y, double z) {
  return mo_sweep_at_rest(shape, mo_pose_identity(), pose_at(x, y, z));
}

static mo_toi toi_of(mo_sweep a, mo_sweep b) {
  mo_toi there = mo_time_of_impact(&a, &b, TARGET, TOLERANCE);
  mo_toi back = mo_time_of_impact(&b, &a, TARGET, TOLERANCE);
  assert_int_equal(there.status, back.status);
  assert_near(there.fraction, back.fraction, 1e-2);
  return there;
}

static double distance_at(const mo_sweep *a, const mo_sweep *b, double fraction) {
  return mo_distance(a->shape, mo_pose_mul(mo_sweep_pose(a, fraction), a->shape_pose), b->shape,
                     mo_pose_mul(mo_sweep_pose(b, fraction), b->shape_pose))
      .distance;
}

static void ball_at_500_m_per_s_meets_a_thin_wall(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.05), *wall = make_box(0.01, 2, 2);
  for (int i = 0; i < 1000; i++) {
    double start = -0.07 - 8.2 * i / 1000.0;
    mo_toi toi = toi_of(moving(ball, mo_v3(start, 0.5, 0.1), mo_v3(500, 0, 0), mo_v3_zero()),
                        still(wall, 0, 0, 0));
    assert_int_equal(toi.status, MO_TOI_HIT);
    assert_true(toi.iterations <= 3);
    double x = start + toi.fraction * 500 * DT;
    assert_true(x <= -0.06 - TARGET + 1e-12 && x >= -0.06 - TARGET - TOLERANCE - 1e-12);
    assert_vector_near(toi.normal, 1, 0, 0, 1e-12);
  }
  mo_shape_release(ball);
  mo_shape_release(wall);
}

static void ball_meets_a_plane_when_arithmetic_says(void **state) {
  (void)state;
  mo_result result;
  mo_shape *ball = make_sphere(0.5), *plane = mo_shape_create_plane(mo_v3(0, 1, 0), 0.25, &result);
  mo_toi toi = toi_of(moving(ball, mo_v3(0, 2, 0), mo_v3(30, -120, 0), mo_v3(0, 0, 300)),
                      still(plane, 0, 0, 0));
  assert_int_equal(toi.status, MO_TOI_HIT);
  assert_near(toi.fraction, (2 - 0.75 - TARGET) / 2.0, 0.5 * TOLERANCE + 1e-12);
  assert_vector_near(toi.normal, 0, -1, 0, 1e-12);
  // Parallel to it, and away from it.
  assert_int_equal(
      toi_of(moving(ball, mo_v3(0, 0.76, 0), mo_v3(500, 0, 0), mo_v3_zero()), still(plane, 0, 0, 0))
          .status,
      MO_TOI_SEPARATED);
  mo_shape_release(ball);
  mo_shape_release(plane);
}

// A rod turns by half a revolution about its middle, past a post that its end reaches at 30
// degrees.
static void rod_turns_into_a_post(void **state) {
  (void)state;
  mo_shape *rod = make_box(1, 0.01, 0.01), *post = make_box(0.01, 0.01, 1);
  double post_x = 0.9 * cos(MO_PI / 6), post_y = 0.9 * sin(MO_PI / 6);
  mo_sweep turning = moving(rod, mo_v3_zero(), mo_v3_zero(), mo_v3(0, 0, MO_PI / DT));
  mo_toi toi = toi_of(turning, still(post, post_x, post_y, 0));
  assert_int_equal(toi.status, MO_TOI_HIT);
  assert_true(toi.fraction < 1.0 / 6.0 && toi.fraction > 1.0 / 6.0 - 0.02);
  mo_sweep fixed = still(post, post_x, post_y, 0);
  double separation = distance_at(&turning, &fixed, toi.fraction);
  assert_true(separation >= TARGET - 1e-12 && separation <= TARGET + TOLERANCE + 1e-12);
  assert_true(toi.iterations <= 12);
  mo_shape_release(rod);
  mo_shape_release(post);
}

// Both ends of the turn are clear of the wall; only in between the rod stands across the gap.
// A rod that leaves the wall with one end may come back to it with the other.
static void what_is_near_at_the_start_may_come_back(void **state) {
  (void)state;
  mo_shape *rod = make_box(1, 0.01, 0.01), *wall = make_box(0.5, 3, 3);
  mo_sweep turning = moving(rod, mo_v3(-1.0005, 0, 0), mo_v3_zero(), mo_v3(0, 0, MO_PI / DT));
  turning.orientation_start =
      mo_quat_exp(mo_v3(0, 0, 0.02)); // past the place where it reaches furthest
  mo_toi toi = toi_of(turning, still(wall, 0.5, 0, 0));
  assert_true(toi.began_near);
  assert_int_equal(toi.status, MO_TOI_HIT);
  assert_true(toi.fraction > 0.8 && toi.fraction < 1.0);
  turning.rotation = mo_scale(0.9, turning.rotation);
  assert_int_equal(toi_of(turning, still(wall, 0.5, 0, 0)).status, MO_TOI_SEPARATED);
  mo_shape_release(rod);
  mo_shape_release(wall);
}

static mo_toi core_toi_of(mo_sweep a, mo_sweep b) {
  return mo_time_of_core_impact(&a, &b, TARGET, TOLERANCE);
}

// The skin is half of the lesser inner radius: 5 mm of a rod and 2.5 mm of it beside a wall of 1
// cm.
static void core_is_a_shape_without_its_skin(void **state) {
  (void)state;
  mo_shape *rod = make_box(1, 0.01, 0.01), *post = make_box(0.01, 0.01, 1);
  mo_shape *capsule = make_capsule(0.01, 1), *thin = make_box(3, 0.005, 3);
  mo_shape *hull = make_random_hull(60, true, mo_v3(1.0, 0.1, 0.1));
  mo_vec3 turn = mo_v3(0, 0, MO_PI / 3 / DT);
  // The end of the rod sweeps the post, its middle does not.
  mo_sweep turning = moving(rod, mo_v3_zero(), mo_v3_zero(), turn);
  assert_int_equal(core_toi_of(turning, still(post, 0.9 * cos(0.5), 0.9 * sin(0.5), 0)).status,
                   MO_TOI_HIT);
  assert_int_equal(core_toi_of(turning, still(post, cos(0.5) * 1.012, sin(0.5) * 1.012, 0)).status,
                   MO_TOI_SEPARATED);
  // Capsules lie along y.
  turning = moving(capsule, mo_v3_zero(), mo_v3_zero(), turn);
  assert_int_equal(core_toi_of(turning, still(post, -0.9 * sin(0.5), 0.9 * cos(0.5), 0)).status,
                   MO_TOI_HIT);
  turning = moving(hull, mo_v3_zero(), mo_v3_zero(), turn);
  assert_int_equal(core_toi_of(turning, still(post, 0.5 * cos(0.5), 0.5 * sin(0.5), 0)).status,
                   MO_TOI_HIT);
  // Sliding over a thin floor, 1 mm and 4 mm deep in it at the end.
  mo_vec3 at = mo_v3(0, 0.016, 0);
  assert_int_equal(
      core_toi_of(moving(rod, at, mo_v3(60, -0.12, 0), mo_v3_zero()), still(thin, 0, 0, 0)).status,
      MO_TOI_SEPARATED);
  assert_int_equal(
      core_toi_of(moving(rod, at, mo_v3(60, -0.3, 0), mo_v3_zero()), still(thin, 0, 0, 0)).status,
      MO_TOI_HIT);
  mo_shape *shapes[] = {rod, post, capsule, thin, hull};
  for (int i = 0; i < 5; i++) {
    mo_shape_release(shapes[i]);
  }
}

static void rod_that_is_clear_at_both_ends_hits_on_the_way(void **state) {
  (void)state;
  mo_shape *rod = make_box(0.01, 1, 0.01), *wall = make_box(0.005, 3, 3);
  mo_sweep turning = moving(rod, mo_v3_zero(), mo_v3_zero(), mo_v3(0, 0, MO_PI / DT));
  mo_toi toi = toi_of(turning, still(wall, 0.9, 0, 0));
  assert_int_equal(toi.status, MO_TOI_HIT);
  assert_true(toi.fraction > 0.3 && toi.fraction < 0.5);
  // A wall that it does not reach, by half a millimetre more than the target.
  double reach = sqrt(1.0 + 1e-4) + 0.005;
  toi = toi_of(turning, still(wall, reach + TARGET + 5e-4, 0, 0));
  assert_int_equal(toi.status, MO_TOI_SEPARATED);
  mo_shape_release(rod);
  mo_shape_release(wall);
}

// Turning about its own axis moves no point of a rod far: the bound has to know.
static void spin_about_the_long_axis_costs_nothing(void **state) {
  (void)state;
  mo_shape *rod = make_box(5, 0.01, 0.01), *floor = make_box(10, 0.5, 10);
  mo_toi toi = toi_of(moving(rod, mo_v3(0, 0.1, 0), mo_v3(0, -1, 0), mo_v3(600, 0, 0)),
                      still(floor, 0, -0.5, 0));
  assert_int_equal(toi.status, MO_TOI_SEPARATED);
  assert_true(toi.iterations <= 2);
  mo_shape_release(rod);
  mo_shape_release(floor);
}

static void overlap_and_nearness_at_the_start_are_told_apart(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.5), *wall = make_cube();
  mo_vec3 in = mo_v3(100, 0, 0), along = mo_v3(0, 1, 0);
  mo_sweep fixed = still(wall, 1, 0, 0);
  assert_int_equal(toi_of(moving(ball, mo_v3(0.1, 0, 0), in, in), fixed).status, MO_TOI_OVERLAPPED);
  mo_toi near = toi_of(moving(ball, mo_v3(-5e-4, 0, 0), in, mo_v3_zero()), fixed);
  assert_int_equal(near.status, MO_TOI_HIT);
  assert_true(near.began_near && near.fraction < 1e-6); // it has come nearer by a thousandth then
  assert_near(near.separation, 5e-4, 1e-6);
  near = toi_of(moving(ball, mo_v3(-5e-4, 0, 0), along, mo_v3_zero()), fixed);
  assert_int_equal(near.status, MO_TOI_SEPARATED);
  near = toi_of(moving(ball, mo_v3(-5e-4, 0, 0), mo_neg(in), mo_v3_zero()), fixed);
  assert_int_equal(near.status, MO_TOI_SEPARATED);
  assert_true(near.fraction == 1.0);
  mo_shape_release(ball);
  mo_shape_release(wall);
}

static void two_bullets_meet_in_the_middle(void **state) {
  (void)state;
  mo_shape *ball = make_sphere(0.01);
  mo_vec3 start = mo_v3(4, 1e-3, 0), back = mo_v3(-900, 0, 0);
  mo_toi toi = toi_of(moving(ball, mo_neg(start), mo_neg(back), mo_v3_zero()),
                      moving(ball, start, back, mo_v3_zero()));
  assert_int_equal(toi.status, MO_TOI_HIT);
  double apart = sqrt(mo_square(0.02 + TARGET) - 4e-6);
  assert_near(toi.fraction, (8 - apart) / (2 * 900 * DT), TOLERANCE / (2 * 900 * DT) * 1.1);
  mo_shape_release(ball);
}

static void sweep_between_two_poses_ends_at_them(void **state) {
  (void)state;
  random_seed(7);
  mo_shape *cube = make_cube();
  for (int i = 0; i < 200; i++) {
    mo_pose from = random_pose(5.0), to = random_pose(5.0), local = random_pose(1.0);
    mo_vec3 center = random_in_cube(1.0);
    mo_sweep sweep = mo_sweep_between(cube, local, center, from, to);
    mo_pose end = mo_sweep_pose(&sweep, 1.0), start = mo_sweep_pose(&sweep, 0.0);
    assert_near(mo_distance_between(end.position, to.position), 0.0, 1e-14);
    assert_near(mo_distance_between(start.position, from.position), 0.0, 1e-14);
    mo_quat error = mo_quat_mul(end.orientation, mo_quat_conjugate(to.orientation));
    assert_near(mo_length(mo_quat_log(error)), 0.0, 1e-14);
    assert_true(mo_length(sweep.rotation) <= MO_PI + 1e-12);
  }
  mo_shape_release(cube);
}

// --- random pairs ----------------------------------------------------------------------------

typedef struct tally {
  int hits, separated, overlapped;
  int iterations, most_iterations, used_up;
} tally;

// No sample before the answer may be nearer than the target; where there is a hit, the two are
// there, unless iterations ran out.
static void check_pair(const mo_sweep *a, const mo_sweep *b, int samples, tally *t) {
  mo_toi toi = mo_time_of_impact(a, b, TARGET, TOLERANCE);
  t->iterations += toi.iterations;
  t->most_iterations = toi.iterations > t->most_iterations ? toi.iterations : t->most_iterations;
  if (toi.status == MO_TOI_OVERLAPPED) {
    t->overlapped++;
    assert_true(distance_at(a, b, 0.0) == 0.0);
    return;
  }
  bool was_near = distance_at(a, b, 0.0) <= TARGET + TOLERANCE;
  for (int i = 0; i <= samples && !was_near; i++) {
    double fraction = toi.fraction * i / samples;
    double distance = distance_at(a, b, fraction);
    if (!(distance > TARGET - 1e-9)) {
      fail_msg("%g m apart at %g of %g (%s)", distance, fraction, toi.fraction,
               toi.status == MO_TOI_HIT ? "hit" : "separated");
    }
  }
  if (toi.status == MO_TOI_SEPARATED) {
    t->separated++;
    assert_true(toi.fraction == 1.0);
    return;
  }
  t->hits++;
  double there = distance_at(a, b, toi.fraction);
  if (toi.iterations < 64) {
    assert_true(there <= TARGET + TOLERANCE + 1e-9);
  } else {
    t->used_up++;
  }
}

static mo_sweep random_sweep(const mo_shape *shape, double speed, double spin) {
  mo_sweep sweep = {.shape = shape, .shape_pose = random_pose(0.3)};
  sweep.center_of_mass = random_in_cube(0.3);
  sweep.center_start = random_in_cube(2.0);
  mo_vec3 aim = random_in_cube(0.5);
  mo_vec3 way = mo_normalize(mo_sub(aim, sweep.center_start));
  sweep.center_end = mo_add_scaled(sweep.center_start, random_between(0.0, speed), way);
  sweep.orientation_start = random_rotation();
  sweep.rotation = mo_scale(random_between(0.0, spin), random_direction());
  return sweep;
}

static void random_pairs_never_pass_through_each_other(void **state) {
  (void)state;
  random_seed(99);
  mo_shape *shapes[] = {make_sphere(0.3),
                        make_box(1, 0.01, 0.02),
                        make_box(0.6, 0.6, 0.01),
                        make_box(0.3, 0.4, 0.5),
                        make_random_hull(16, false, mo_v3(0.7, 0.7, 0.7)),
                        make_random_hull(60, true, mo_v3(0.5, 0.1, 0.4)),
                        make_capsule(0.05, 0.9)};
  tally t = {0};
  for (int i = 0; i < 10000; i++) {
    int first = i % 7, second = (i / 7) % 7;
    mo_sweep a = random_sweep(shapes[first], 6.0, MO_PI);
    mo_sweep b = random_sweep(shapes[second], i % 3 ? 0.0 : 6.0, i % 5 ? 0.0 : MO_PI);
    check_pair(&a, &b, 40, &t);
  }
  print_message("%d hits, %d separated, %d overlapped; %.2f iterations on average, %d at most, %d "
                "used up\n",
                t.hits, t.separated, t.overlapped, t.iterations / 10000.0, t.most_iterations,
                t.used_up);
  assert_true(t.hits > 1000 && t.separated > 1000 && t.overlapped < 3000);
  assert_true(t.used_up <= 10);
  for (int k = 0; k < 7; k++) {
    mo_shape_release(shapes[k]);
  }
}

// To a multiple of 2^-30 m, which numbers near 2^20 m hold exactly.
static mo_vec3 coarse(mo_vec3 v) {
  return mo_v3(floor(v.x * 0x1p30) * 0x1p-30, floor(v.y * 0x1p30) * 0x1p-30,
               floor(v.z * 0x1p30) * 0x1p-30);
}

static mo_sweep moved_by(mo_sweep sweep, mo_vec3 offset) {
  sweep.center_start = mo_add(coarse(sweep.center_start), offset);
  sweep.center_end = mo_add(coarse(sweep.center_end), offset);
  return sweep;
}

static void far_from_the_origin_the_answer_is_the_same(void **state) {
  (void)state;
  random_seed(5);
  mo_shape *rod = make_box(1, 0.02, 0.02), *hull = make_random_hull(20, false, mo_v3(1, 1, 1));
  mo_vec3 far = mo_v3(0x1p20, -0x1p20, 0x1p20);
  for (int i = 0; i < 500; i++) {
    mo_sweep a = moved_by(random_sweep(rod, 6.0, MO_PI), mo_v3_zero());
    mo_sweep b = moved_by(random_sweep(hull, 6.0, MO_PI), mo_v3_zero());
    mo_toi near = mo_time_of_impact(&a, &b, TARGET, TOLERANCE);
    a = moved_by(a, far);
    b = moved_by(b, far);
    mo_toi moved = mo_time_of_impact(&a, &b, TARGET, TOLERANCE);
    assert_int_equal(near.status, moved.status);
    assert_true(near.fraction == moved.fraction && near.separation == moved.separation);
  }
  mo_shape_release(rod);
  mo_shape_release(hull);
}

TEST_GROUP(time_of_impact) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ball_at_500_m_per_s_meets_a_thin_wall),
      cmocka_unit_test(ball_meets_a_plane_when_arithmetic_says),
      cmocka_unit_test(rod_turns_into_a_post),
      cmocka_unit_test(what_is_near_at_the_start_may_come_back),
      cmocka_unit_test(core_is_a_shape_without_its_skin),
      cmocka_unit_test(rod_that_is_clear_at_both_ends_hits_on_the_way),
      cmocka_unit_test(spin_about_the_long_axis_costs_nothing),
      cmocka_unit_test(overlap_and_nearness_at_the_start_are_told_apart),
      cmocka_unit_test(two_bullets_meet_in_the_middle),
      cmocka_unit_test(sweep_between_two_poses_ends_at_them),
      cmocka_unit_test(random_pairs_never_pass_through_each_other),
      cmocka_unit_test(far_from_the_origin_the_answer_is_the_same),
  };
  return run_group(tests, NULL, NULL);
}
