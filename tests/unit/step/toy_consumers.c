// A shape and a joint that were added by the recipes of CONTRIBUTING, and all that reads shapes and
// joints: snapshots, frames, hashes, drawing, records of problems, batches. A shape whose line in
// the table was forgotten is refused by name.
#include "geometry/shape_table.h"
#include "test_group.h"
#include "toy_cone.h"
#include "toy_gear.h"
#include "world_fixture.h"

#include <stdlib.h>
#include <string.h>

#define DT (1.0 / 60)

// --- the line of the table -------------------------------------------------------------------

// In place of those of shape_table.c, for all tests of this program.
static const mo_shape_class *const classes[] = {MO_FOR_EACH_SHAPE_CLASS(MO_SHAPE_CLASS_ENTRY)
                                                    MO_SHAPE_CLASS_ENTRY(toy_cone_class)};

uint32_t mo_shape_class_count(void) { return sizeof classes / sizeof classes[0]; }

const mo_shape_class *mo_shape_class_of(uint32_t number) {
  return number < mo_shape_class_count() ? classes[number] : NULL;
}

// --- a world with both -----------------------------------------------------------------------

static mo_constraint_def parallel(mo_body_id body) {
  mo_constraint_def def = mo_constraint_def_default(PARALLEL);
  def.body_b = body;
  def.axis_a = def.axis_b = vec(0, 0, 1);
  def.drives[0].upper = 0.8;
  return def;
}

// A cone on the floor, one in a compound with a ball, which moves, and one that a joint holds.
static mo_world *world_of_toys(void) {
  mo_world_def settings = mo_world_def_default();
  settings.gravity = vec(0, -10, 0);
  mo_world *world = make_world(settings);
  mo_body_def floor = body_at(0, -1, 0, 0.0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(5, 1, 5));
  mo_body_def tilted = body_at(0, 0.55, 0, 1.0);
  tilted.orientation = mo_quat_exp(vec(0.1, 0.3, -0.05));
  add_body(world, tilted, toy_cone_create(0.5, 0.5));
  mo_shape *parts[2] = {toy_cone_create(0.5, 0.5), sphere(0.25)};
  mo_placed_shape placed[2] = {place(parts[0]), place(parts[1])};
  placed[1].pose.position = vec(0, -0.5, 0);
  mo_result result;
  mo_body_def thrown = body_at(2, 2, 0, 1.0);
  thrown.angular_velocity = vec(0.5, -0.3, 2);
  add_body(world, thrown, mo_shape_create_compound(placed, 2, &result));
  mo_shape_release(parts[0]);
  mo_shape_release(parts[1]);
  mo_body_id held = add_body(world, body_at(-2, 3, 0, 1.0), toy_cone_create(0.4, 0.5));
  mo_constraint_def joint = parallel(held);
  assert_false(mo_constraint_id_is_null(mo_constraint_create(world, &joint)));
  return world;
}

static void run(mo_world *world, int steps) {
  for (int i = 0; i < steps; i++) {
    assert_int_equal(mo_world_step(world, DT), MO_OK);
  }
}

typedef struct kept_bytes {
  uint8_t *bytes;
  size_t count;
} kept_bytes;

static kept_bytes keep(mo_bytes bytes) {
  kept_bytes kept = {malloc(bytes.count), bytes.count};
  memcpy(kept.bytes, bytes.bytes, bytes.count);
  return kept;
}

// --- consumers -------------------------------------------------------------------------------

static void a_snapshot_goes_on_as_the_world_did(void **state) {
  (void)state;
  for (int with_assets = 0; with_assets < 2; with_assets++) {
    mo_world *world = world_of_toys(), *other = make_world(mo_world_def_default());
    run(world, 20);
    mo_bytes bytes;
    assert_int_equal(mo_world_snapshot(world, with_assets, &bytes), MO_OK);
    kept_bytes kept = keep(bytes), assets = {0};
    assert_int_equal(mo_world_assets(world, &bytes), MO_OK);
    assets = keep(bytes);
    run(world, 40);
    uint64_t hash = mo_world_hash(world);
    // Without one of the shapes: the other world has none but those of the bytes.
    const mo_restore_options options = {.assets = with_assets ? NULL : assets.bytes,
                                        .assets_count = with_assets ? 0 : assets.count};
    assert_int_equal(mo_world_restore(other, kept.bytes, kept.count, &options), MO_OK);
    mo_world_destroy(world);
    run(other, 40);
    assert_true(mo_world_hash(other) == hash);
    assert_string_equal(mo_constraint_type_name(other, mo_world_constraint_in_slot(other, 0)),
                        "parallel");
    mo_world_destroy(other);
    free(kept.bytes);
    free(assets.bytes);
  }
}

static void damaged_bytes_are_refused(void **state) {
  (void)state;
  mo_world *world = world_of_toys();
  mo_bytes bytes;
  assert_int_equal(mo_world_snapshot(world, true, &bytes), MO_OK);
  kept_bytes kept = keep(bytes);
  uint64_t hash = mo_world_hash(world);
  for (size_t i = 0; i < kept.count; i += 7) {
    kept.bytes[i] ^= 0x20;
    assert_int_equal(mo_world_restore(world, kept.bytes, kept.count, NULL), MO_ERROR_BAD_SNAPSHOT);
    kept.bytes[i] ^= 0x20;
  }
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
  free(kept.bytes);
}

static void frames_follow_the_world(void **state) {
  (void)state;
  mo_world *world = world_of_toys(), *other = world_of_toys();
  mo_delta_coder *writer = mo_delta_coder_create(), *reader = mo_delta_coder_create();
  for (int frame = 0; frame < 10; frame++) {
    run(world, 3);
    mo_bytes bytes;
    assert_int_equal(mo_delta_coder_write(writer, world, false, &bytes), MO_OK);
    // A frame has no assets, and the other world gets the compound from its own bodies.
    assert_int_equal(mo_delta_coder_read(reader, bytes.bytes, bytes.count), MO_OK);
    assert_int_equal(mo_delta_coder_restore(reader, other, NULL), MO_OK);
    assert_true(mo_world_hash(other) == mo_world_hash(world));
  }
  mo_delta_coder_destroy(writer);
  mo_delta_coder_destroy(reader);
  mo_world_destroy(world);
  mo_world_destroy(other);
}

static void the_hash_sees_a_shape_of_another_size(void **state) {
  (void)state;
  uint64_t hashes[2];
  for (int i = 0; i < 2; i++) {
    mo_world *world = make_world(mo_world_def_default());
    mo_body_def fixed = body_at(0, 0, 0, 0.0);
    fixed.type = MO_BODY_STATIC;
    add_body(world, fixed, toy_cone_create(0.5, i ? 0.5 : 0.25));
    hashes[i] = mo_world_hash(world);
    mo_world_destroy(world);
  }
  assert_true(hashes[0] != hashes[1]);
}

// Each part by itself; all lines are near the world, and there is one for shapes and one for
// joints.
static void both_are_drawn(void **state) {
  (void)state;
  enum { LINES = 4096 };
  static float vertices[6 * LINES], colors[8 * LINES];
  mo_world *world = world_of_toys();
  run(world, 20);
  for (uint32_t part = MO_DEBUG_SHAPES; part <= MO_DEBUG_CENTERS_OF_MASS; part *= 2) {
    mo_debug_lines lines = {vertices, colors, LINES, 0};
    assert_int_equal(mo_world_debug_lines(world, part, &lines), MO_OK);
    assert_true(lines.count > 0 && lines.count <= LINES);
    for (uint32_t i = 0; i < 6 * lines.count; i++) {
      assert_true(fabsf(vertices[i]) < 20.0f);
    }
  }
  mo_world_destroy(world);
}

static void contacts_of_a_new_shape_are_recorded(void **state) {
  (void)state;
  mo_world_def settings = row_settings();
  settings.gravity = vec(0, -10, 0);
  mo_world *world = make_world(settings);
  mo_body_def floor = body_at(0, -1, 0, 0.0);
  floor.type = MO_BODY_STATIC;
  add_body(world, floor, box(5, 1, 5));
  add_body(world, body_at(0, 0.5, 0, 1.0), toy_cone_create(0.5, 0.5));
  run(world, 2);
  mo_problem_record record;
  assert_int_equal(mo_world_record_problem(world, &record), MO_OK);
  assert_true(record.contact_count >= 3);
  mo_world_destroy(world);
}

static void worlds_of_a_batch_have_both(void **state) {
  (void)state;
  mo_world *world = world_of_toys();
  mo_result result = MO_OK;
  const mo_batch_def def = {.count = 3};
  mo_batch *batch = mo_batch_create(world, &def, &result);
  assert_non_null(batch);
  assert_int_equal(mo_batch_reset(batch, NULL), 0);
  mo_batch_destroy(batch);
  mo_world_destroy(world);
}

// --- what was forgotten ----------------------------------------------------------------------

static void a_shape_without_its_line_is_refused(void **state) {
  (void)state;
  mo_shape_class unknown = toy_cone_class;
  mo_shape *cone = toy_cone_create(0.5, 0.5), content = *cone;
  content.class = &unknown;
  mo_world *world = make_world(mo_world_def_default());
  add_body(world, body_at(0, 0, 0, 1.0), mo_shape_allocate_solid(&content, NULL));
  uint64_t hash = mo_world_hash(world);
  mo_bytes bytes;
  assert_int_equal(mo_world_snapshot(world, true, &bytes), MO_ERROR_NOT_SUPPORTED);
  assert_non_null(strstr(mo_world_last_error(world), "shape_table.h"));
  assert_int_equal(mo_world_assets(world, &bytes), MO_ERROR_NOT_SUPPORTED);
  mo_delta_coder *coder = mo_delta_coder_create();
  assert_int_equal(mo_delta_coder_write(coder, world, true, &bytes), MO_ERROR_NOT_SUPPORTED);
  mo_delta_coder_destroy(coder);
  mo_result result = MO_OK;
  assert_null(mo_batch_create(world, &(mo_batch_def){.count = 2}, &result));
  assert_int_equal(result, MO_ERROR_NOT_SUPPORTED);
  assert_true(mo_world_hash(world) == hash);
  mo_world_destroy(world);
  mo_shape_release(cone);
}

// A class that says nothing of its core would be taken for a plane.
static void a_solid_without_a_core_is_refused(void **state) {
  (void)state;
  mo_shape_class coreless = toy_cone_class;
  coreless.core = MO_CORE_NONE;
  mo_shape *cone = toy_cone_create(0.5, 0.5), content = *cone;
  content.class = &coreless;
  mo_result result = MO_OK;
  assert_null(mo_shape_allocate_solid(&content, &result));
  assert_int_equal(result, MO_ERROR_INVALID_ARGUMENT);
  mo_shape_release(cone);
}

TEST_GROUP(toy_consumers) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_snapshot_goes_on_as_the_world_did),
      cmocka_unit_test(damaged_bytes_are_refused),
      cmocka_unit_test(frames_follow_the_world),
      cmocka_unit_test(the_hash_sees_a_shape_of_another_size),
      cmocka_unit_test(both_are_drawn),
      cmocka_unit_test(contacts_of_a_new_shape_are_recorded),
      cmocka_unit_test(worlds_of_a_batch_have_both),
      cmocka_unit_test(a_shape_without_its_line_is_refused),
      cmocka_unit_test(a_solid_without_a_core_is_refused),
  };
  return run_group(tests, NULL, NULL);
}
