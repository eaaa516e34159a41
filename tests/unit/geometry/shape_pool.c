// Equal shapes are one shape, whichever way they come; different ones never are.
#include "hull_fixture.h"
#include "test_group.h"

#include "geometry/shape_content.h"
#include "geometry/shape_hull.h"
#include "geometry/shape_pool.h"
#include "geometry/shape_table.h"

#include <string.h>

// --- shapes of all kinds ---------------------------------------------------------------------

static const mo_vec3 points[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 2, 3}};
static const mo_vec3 with_inner[] = {{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {0.2, 0.2, 0.2}};
static const uint32_t indices[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static const double heights[] = {0, 1, 0.5, 2, 0, 1};

static mo_shape *of_points(const mo_vec3 *of, size_t count, double radius, mo_result *result) {
  mo_hull *hull;
  *result = mo_hull_create(of, count, &hull);
  if (*result != MO_OK) {
    return NULL;
  }
  mo_shape *shape = mo_shape_create_rounded_hull(hull, radius, result);
  mo_hull_release(hull);
  return shape;
}

static mo_shape *compound(double friction, mo_result *result) {
  mo_shape *parts[2] = {mo_shape_create_box((mo_vec3){1, 2, 3}, result), NULL};
  mo_shape *both = NULL;
  if (parts[0]) {
    parts[1] = mo_shape_create_sphere(0.5, result);
  }
  if (parts[1]) {
    const mo_placed_shape open = {.pose = {.orientation = {0, 0, 0, 1}},
                                  .density = -1.0,
                                  .friction = -1.0,
                                  .restitution = -1.0};
    mo_placed_shape placed[2] = {open, open};
    placed[0].shape = parts[0];
    placed[1].shape = parts[1];
    placed[1].pose.position = (mo_vec3){0, 2, 0};
    placed[1].friction = friction;
    both = mo_shape_create_compound(placed, 2, result);
  }
  mo_shape_release(parts[0]);
  mo_shape_release(parts[1]);
  return both;
}

enum { KINDS = 26 };

// One of many shapes, no two of which are equal.
static mo_shape *make(int kind, mo_result *result) {
  const mo_vec3 half = {1, 2, 3}, thicker = {1, 2, nextafter(3, 4)};
  const mo_mesh_def mesh = {points, 4, indices, 12, kind == 17};
  const mo_mesh_def open = {points, 4, indices, 9, false}, longer = {points, 5, indices, 12, false};
  mo_heightfield_def field = {heights, 2, kind == 20 ? 2 : 3, {1, 1, kind == 21 ? 2 : 1}, false};
  switch (kind) {
  case 0:
    return mo_shape_create_sphere(0.5, result);
  case 1:
    return mo_shape_create_sphere(nextafter(0.5, 1), result);
  case 2:
    return mo_shape_create_capsule(0.5, 1, result);
  case 3:
    return mo_shape_create_capsule(1, 0.5, result);
  case 4:
    return mo_shape_create_tapered_capsule(0.5, 0.25, 1, result);
  case 5:
    return mo_shape_create_cylinder(0.5, 1, 0, result);
  case 6:
    return mo_shape_create_cylinder(0.5, 1, 0.125, result);
  case 7:
    return mo_shape_create_tapered_cylinder(0, 0.5, 1, 0, result);
  case 8:
    return mo_shape_create_cone(0.5, 1, 0, result); // the same solid, of another kind
  case 9:
    return mo_shape_create_box(half, result);
  case 10:
    return mo_shape_create_box(thicker, result);
  case 11:
    return mo_shape_create_rounded_box(half, 0.25, result);
  case 12:
    return of_points(points, 5, 0, result);
  case 13:
    return of_points(points, 5, 0.25, result);
  case 14:
    return of_points(with_inner, 5, 0, result);
  case 15:
    return mo_shape_create_plane((mo_vec3){0, 1, 0}, 0.5, result);
  case 16:
  case 17:
    return mo_shape_create_mesh(&mesh, result);
  case 18:
    return mo_shape_create_mesh(&open, result);
  case 19:
    return mo_shape_create_mesh(&longer, result);
  case 20:
  case 21:
  case 22:
    return mo_shape_create_heightfield(&field, result);
  case 23:
    return compound(0.25, result);
  case 24:
    return compound(0.5, result);
  default:
    return mo_shape_create_plane((mo_vec3){0, 1, 0}, 0.25, result);
  }
}

static mo_shape *made(int kind) {
  mo_result result = MO_ERROR_CAPACITY;
  mo_shape *shape = make(kind, &result);
  assert_non_null(shape);
  assert_int_equal(result, MO_OK);
  return shape;
}

// --- sharing ---------------------------------------------------------------------------------

static void equal_shapes_are_one_and_others_are_not(void **state) {
  (void)state;
  size_t empty = mo_allocated_bytes();
  mo_shape *first[KINDS];
  for (int i = 0; i < KINDS; i++) {
    first[i] = made(i);
    for (int k = 0; k < i; k++) {
      assert_ptr_not_equal(first[i], first[k]);
    }
  }
  size_t bytes = mo_allocated_bytes();
  for (int round = 0; round < 3; round++) {
    for (int i = KINDS; i-- > 0;) {
      mo_shape *again = made(i);
      assert_ptr_equal(again, first[i]);
      assert_int_equal(mo_allocated_bytes(), bytes);
      mo_shape_release(again);
    }
  }
  // Each goes with its last user, in any order.
  for (int i = 0; i < KINDS; i++) {
    int at = 7 * i % KINDS;
    mo_shape *again = made(at);
    mo_shape_release(first[at]);
    assert_ptr_equal(made(at), again);
    mo_shape_release(again);
    mo_shape_release(again);
  }
  assert_int_equal(mo_allocated_bytes(), empty);
}

static void what_is_known_is_not_built_again(void **state) {
  (void)state;
  // All but spheres, capsules and the like, which are made by a formula; a compound takes room for
  // the list of its parts, and points inside of their hull are not known before it is built.
  static const int built[] = {9, 10, 11, 12, 13, 16, 17, 18, 20, 21, 22};
  for (size_t i = 0; i < sizeof built / sizeof *built; i++) {
    mo_shape *shape = made(built[i]);
    uint64_t calls = mo_allocation_count();
    mo_shape *again = made(built[i]);
    assert_int_equal(mo_allocation_count() - calls, 0);
    mo_shape_release(again);
    mo_shape_release(shape);
  }
}

static void boxes_of_one_size_share_a_hull(void **state) {
  (void)state;
  mo_shape *rounded = made(11), *sharp = made(9);
  assert_ptr_equal(rounded->hull, sharp->hull);
  mo_shape_release(rounded);
  assert_int_equal(sharp->hull->reference_count, 1);
  mo_shape_release(sharp);
}

static void equal_hulls_are_one(void **state) {
  (void)state;
  mo_hull *a = hull_of(points, 5), *b = hull_of(points, 5);
  assert_ptr_equal(a, b);
  // With a point that is no vertex: built again, and found equal.
  mo_vec3 more[6];
  memcpy(more, points, sizeof points);
  more[5] = mo_v3(0.5, 1, 1.5);
  mo_hull *c = hull_of(more, 6), *d = hull_of(more, 6);
  assert_ptr_equal(c, d);
  assert_int_equal(c->vertex_count, 5);
  mo_vec3 turned[5] = {points[4], points[0], points[1], points[2], points[3]};
  mo_hull *e = hull_of(turned, 5);
  assert_ptr_not_equal(a, e);
  mo_hull *all[] = {a, b, c, d, e};
  for (int i = 0; i < 5; i++) {
    mo_hull_release(all[i]);
  }
}

// --- what only looks equal -------------------------------------------------------------------

static void shapes_with_one_hash_stay_two(void **state) {
  (void)state;
  mo_shape *unit = mo_shape_create_sphere(1, NULL), *other = mo_shape_create_sphere(2, NULL);
  mo_shape content = *other;
  content.content = unit->content; // as if 64 bits could not tell them apart
  mo_shape *collides = mo_shape_allocate_read(&content, NULL);
  assert_ptr_not_equal(collides, unit);
  assert_ptr_not_equal(collides, other);
  assert_true(collides->node.hash == unit->node.hash);
  mo_shape *same = mo_shape_allocate_read(&content, NULL);
  assert_ptr_equal(same, collides);
  mo_shape_release(unit);
  assert_ptr_equal(mo_shape_allocate_read(&content, NULL), collides);
  for (int i = 0; i < 3; i++) {
    mo_shape_release(collides);
  }
  mo_shape_release(other);
}

// A snapshot of a stranger has a box with the hash of a box and the mass of something else.
static void bytes_cannot_put_a_wrong_mass_into_later_shapes(void **state) {
  (void)state;
  static const int kinds[] = {0, 9, 11, 12, 13, 16, 21};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    mo_shape *real = made(kinds[i]);
    double volume = real->volume;
    mo_shape content = *real;
    content.volume = 1e6;
    if (content.hull) {
      mo_hull_retain(content.hull);
    } else if (content.mesh) {
      content.mesh =
          real->mesh->grid.heights
              ? mo_mesh_create_field(&(mo_heightfield_def){heights, 2, 3, {1, 1, 2}, false},
                                     &(mo_result){MO_OK})
              : mo_mesh_create(points, 4, indices, 4, false, &(mo_result){MO_OK});
    }
    mo_shape *forged = mo_shape_allocate_read(&content, NULL);
    assert_ptr_not_equal(forged, real);
    mo_shape_release(real);
    mo_shape *later = made(kinds[i]);
    assert_ptr_not_equal(later, forged);
    assert_true(later->volume == volume);
    mo_shape_release(later);
    mo_shape_release(forged);
  }
}

// One that comes from bytes and is right is the shape of those that come later.
static void a_shape_from_bytes_is_shared(void **state) {
  (void)state;
  mo_shape *box = made(9);
  mo_shape content = *box;
  content.hull = mo_hull_create_box((mo_vec3){1, 2, 3});
  content.core.hull = content.hull;
  content.is_made = false;
  mo_shape_release(box);
  mo_shape *read = mo_shape_allocate_read(&content, NULL);
  mo_shape *again = made(9), *third = made(9);
  assert_ptr_equal(again, read);
  assert_ptr_equal(third, read);
  for (int i = 0; i < 3; i++) {
    mo_shape_release(read);
  }
}

// --- memory ----------------------------------------------------------------------------------

static int calls_left;

static void *allocate_some(size_t bytes, void *user) {
  (void)user;
  return calls_left-- > 0 ? malloc(bytes) : NULL;
}
static void give_back(void *memory, void *user) {
  (void)user;
  free(memory);
}

static void without_memory_nothing_is_left_behind(void **state) {
  (void)state;
  mo_set_allocator(allocate_some, give_back, NULL);
  for (int kind = 0; kind < KINDS; kind++) {
    size_t empty = mo_allocated_bytes();
    mo_shape *shape = NULL;
    int failures = 0;
    for (int calls = 0; !shape; calls++) {
      mo_result result = MO_OK;
      calls_left = calls;
      shape = make(kind, &result);
      assert_int_equal(result, shape ? MO_OK : MO_ERROR_OUT_OF_MEMORY);
      assert_true(shape || mo_allocated_bytes() == empty);
      failures += !shape;
    }
    assert_true(failures > 0);
    calls_left = 1 << 20;
    mo_shape *again = made(kind);
    assert_ptr_equal(again, shape);
    mo_shape_release(again);
    mo_shape_release(shape);
    assert_int_equal(mo_allocated_bytes(), empty);
  }
  mo_set_allocator(NULL, NULL, NULL);
}

// --- the table -------------------------------------------------------------------------------

static void a_class_has_one_number(void **state) {
  (void)state;
  uint32_t count = mo_shape_class_count();
  for (uint32_t i = 0; i < count; i++) {
    assert_non_null(mo_shape_class_of(i));
    for (uint32_t k = 0; k < i; k++) {
      assert_ptr_not_equal(mo_shape_class_of(i), mo_shape_class_of(k));
    }
  }
  assert_null(mo_shape_class_of(count));
  assert_null(mo_shape_class_of(UINT32_MAX));
}

TEST_GROUP(shape_pool) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_shapes_are_one_and_others_are_not),
      cmocka_unit_test(what_is_known_is_not_built_again),
      cmocka_unit_test(boxes_of_one_size_share_a_hull),
      cmocka_unit_test(equal_hulls_are_one),
      cmocka_unit_test(shapes_with_one_hash_stay_two),
      cmocka_unit_test(bytes_cannot_put_a_wrong_mass_into_later_shapes),
      cmocka_unit_test(a_shape_from_bytes_is_shared),
      cmocka_unit_test(without_memory_nothing_is_left_behind),
      cmocka_unit_test(a_class_has_one_number),
  };
  return run_group(tests, NULL, NULL);
}
