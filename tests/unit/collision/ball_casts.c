// Casts of balls and capsules, which meet boxes (balls also capsules and balls) by formulas instead
// of GJK.
#include "assert_near_v3.h"
#include "collision/narrow/shape_cast.h"
#include "collision_oracle.h"
#include "test_group.h"

#define CASTS 2000

// A box whose class does not know that it is one.
static mo_shape *hull_like_box(mo_vec3 half) {
  mo_vec3 corners[8];
  for (int i = 0; i < 8; i++) {
    corners[i] =
        mo_v3(i & 1 ? half.x : -half.x, i & 2 ? half.y : -half.y, i & 4 ? half.z : -half.z);
  }
  mo_result result;
  mo_hull *hull;
  assert_int_equal(mo_hull_create(corners, 8, &hull), MO_OK);
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  assert_int_equal(result, MO_OK);
  mo_hull_release(hull);
  return shape;
}

typedef struct line {
  mo_transform placement, start;
  mo_vec3 direction;
} line;

// From a few metres away to a place near the target, and one in four away from it.
static line random_line(int i) {
  line l = {.placement = {mo_quat_to_mat3(mo_quat_exp(random_in_cube(2.0))), random_in_cube(5.0)},
            .start = at(0, 0, 0)};
  mo_vec3 goal = mo_add(l.placement.translation, random_in_cube(1.0));
  l.start.translation = mo_add(l.placement.translation, mo_scale(4.0, random_direction()));
  l.direction = mo_normalize(mo_sub(goal, l.start.translation));
  if (i % 4 == 0) {
    l.direction = mo_neg(l.direction);
  }
  return l;
}

// Casts a shape at two that are the same solid. Returns whether it met them.
static bool meet_both(const mo_shape *target, const mo_shape *same, const mo_shape *moving, int i) {
  line l = random_line(i);
  mo_shape_hit hit, other;
  bool is_met =
      mo_cast_shape(target, l.placement, moving, l.start, l.direction, INFINITY, 1.0, &hit);
  assert_int_equal(is_met, mo_cast_shape(same, l.placement, moving, l.start, l.direction, INFINITY,
                                         1.0, &other));
  if (is_met) {
    assert_near(hit.distance, other.distance, 1e-9);
    assert_near_v3(hit.normal, other.normal, 1e-6);
    assert_near_v3(hit.position, other.position, 1e-6);
    assert_near(hit.penetration_depth, 0.0, 0.0);
  }
  return is_met;
}

static void check_with(const mo_shape *target, const mo_shape *same, mo_shape *moving) {
  int hits = 0;
  random_seed(12);
  for (int i = 0; i < CASTS; i++) {
    hits += meet_both(target, same, moving, i);
  }
  assert_in_range(hits, CASTS / 3, 3 * CASTS / 4);
  mo_shape_release(moving);
}

static void check(mo_shape *target, mo_shape *same) {
  mo_result result;
  check_with(target, same, mo_shape_create_sphere(0.3, &result));
  check_with(target, same, mo_shape_create_capsule(0.2, 0.5, &result));
  mo_shape_release(target);
  mo_shape_release(same);
}

// As characters do: upright above the side of a box, of which the nearest point is below its end.
static void a_capsule_stands_on_a_box_to_the_bit(void **state) {
  (void)state;
  mo_result result;
  mo_shape *target = mo_shape_create_box(mo_v3(3.0, 0.5, 3.0), &result);
  mo_shape *capsule = mo_shape_create_capsule(0.25, 0.5, &result);
  mo_shape_hit hit;
  assert_true(mo_cast_shape(target, at(0, 0, 0), capsule, at(1.1, 2.25, 0.3), mo_v3(0, -1, 0), 9.0,
                            1.0, &hit));
  assert_near(hit.distance, 1.0, 0.0);
  assert_near_v3(hit.normal, mo_v3(0, 1, 0), 0.0);
  assert_near_v3(hit.position, mo_v3(1.1, 0.5, 0.3), 0.0);
  // Beside a side all of its axis is equally far, and the end that is not above the side no answer.
  assert_true(mo_cast_shape(target, at(0, 0, 0), capsule, at(4.25, 0.75, 0.3), mo_v3(-1, 0, 0), 9.0,
                            1.0, &hit));
  assert_near(hit.distance, 1.0, 0.0);
  assert_near_v3(hit.normal, mo_v3(1, 0, 0), 0.0);
  mo_shape_release(target);
  mo_shape_release(capsule);
}

static void a_box_is_met_as_a_hull_of_its_corners(void **state) {
  (void)state;
  mo_result result;
  mo_vec3 half = {0.9, 0.4, 0.6};
  check(mo_shape_create_box(half, &result), hull_like_box(half));
}

static void a_rounded_box_is_met_as_a_rounded_hull(void **state) {
  (void)state;
  mo_result result;
  mo_vec3 half = {0.9, 0.4, 0.6};
  mo_shape *sharp = hull_like_box(half);
  mo_shape *same = mo_shape_create_rounded_hull(sharp->hull, 0.2, &result);
  check(mo_shape_create_rounded_box(half, 0.2, &result), same);
  mo_shape_release(sharp);
}

// Two shapes meet at the same distance whichever of them moves. A capsule that moves at a ball
// takes GJK.
static void a_capsule_meets_a_ball_where_the_ball_meets_it(void **state) {
  (void)state;
  mo_result result;
  mo_shape *ball = mo_shape_create_sphere(0.3, &result);
  mo_shape *capsule = mo_shape_create_capsule(0.25, 0.7, &result);
  int hits = 0;
  random_seed(13);
  for (int i = 0; i < CASTS; i++) {
    line l = random_line(i);
    mo_shape_hit hit, other;
    bool is_met =
        mo_cast_shape(capsule, l.placement, ball, l.start, l.direction, INFINITY, 1.0, &hit);
    assert_int_equal(is_met, mo_cast_shape(ball, l.start, capsule, l.placement, mo_neg(l.direction),
                                           INFINITY, 1.0, &other));
    if (is_met) {
      assert_near(hit.distance, other.distance, 1e-9);
      assert_near_v3(hit.normal, mo_neg(other.normal), 1e-6);
      hits++;
    }
  }
  assert_in_range(hits, CASTS / 4, 3 * CASTS / 4);
  mo_shape_release(ball);
  mo_shape_release(capsule);
}

TEST_GROUP(ball_casts) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_is_met_as_a_hull_of_its_corners),
      cmocka_unit_test(a_rounded_box_is_met_as_a_rounded_hull),
      cmocka_unit_test(a_capsule_stands_on_a_box_to_the_bit),
      cmocka_unit_test(a_capsule_meets_a_ball_where_the_ball_meets_it),
  };
  return run_group(tests, NULL, NULL);
}
