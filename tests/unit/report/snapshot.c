/// Snapshots: a world goes on from its bytes as if it had never left them, and bytes that are none
/// change nothing.
#include "test_group.h"
#include "world_fixture.h"

#include "memory/byte_stream.h"
#include "report/snapshot_format.h"
#include "world/state_fields.h"

#include <stdlib.h>
#include <string.h>

static const double STEP = 1.0 / 60.0;

// --- a world of everything (A137) ------------------------------------------------------------

static mo_body_def at(double x, double y, double z) { return body_at(x, y, z, 0.0); }

static void add_pile(mo_world *world) {
  mo_result result;
  mo_shape *shapes[4] = {box(0.3, 0.2, 0.25), mo_shape_create_cylinder(0.2, 0.3, 0.0, &result),
                         mo_shape_create_cone(0.3, 0.3, 0.02, &result), sphere(0.25)};
  for (int i = 0; i < 48; i++) {
    mo_shape *shape = shapes[i % 4];
    mo_shape_retain(shape);
    add_body(world, at(0.7 * (i % 4) - 1.0, 0.7 * (i / 4 % 4) - 1.0, 0.9 + 0.6 * (i / 16)), shape);
  }
  for (int i = 0; i < 4; i++) {
    mo_shape_release(shapes[i]);
  }
}

static mo_constraint_id join(mo_world *world, mo_constraint_type type, mo_body_id a, mo_body_id b) {
  mo_constraint_def def = mo_constraint_def_default(type);
  def.body_a = a;
  def.body_b = b;
  if (type == MO_CONSTRAINT_HINGE) {
    def.drives[0].motor = MO_MOTOR_VELOCITY;
    def.drives[0].target_velocity = 2.0;
    def.drives[0].max_force = 5.0;
  }
  const mo_vec3 points[] = {{-1, 0, 0}, {0, 1, 0.3}, {1, 0, 0}, {0, -1, 0}};
  def.path = (mo_path_def){points, 4, true, MO_PATH_ALIGN_TANGENT};
  mo_constraint_id id = mo_constraint_create(world, &def);
  assert_false(mo_constraint_id_is_null(id));
  return id;
}

static void add_machines(mo_world *world) {
  mo_body_id arms[4];
  for (int i = 0; i < 4; i++) {
    arms[i] = add_body(world, at(3.0 + i, 0, 3), box(0.4, 0.05, 0.05));
  }
  join(world, MO_CONSTRAINT_HINGE, MO_NULL_BODY_ID, arms[0]);
  join(world, MO_CONSTRAINT_HINGE, arms[0], arms[1]);
  join(world, MO_CONSTRAINT_ROPE, arms[2], arms[3]);
  join(world, MO_CONSTRAINT_PATH, arms[1], arms[3]);
}

static void add_others(mo_world *world) {
  mo_body_def def = at(0, 0, 0.5);
  def.type = MO_BODY_STATIC;
  def.sensor = true;
  add_body(world, def, box(1, 1, 0.5));
  def = at(-2.5, 0, 0.3);
  def.type = MO_BODY_KINEMATIC;
  mo_body_id pusher = add_body(world, def, box(0.2, 1, 0.2));
  const mo_pose goal = {{-1.0, 0, 0.3}, {0, 0, 0, 1}};
  assert_int_equal(mo_body_move_to(world, pusher, goal, 3.0), MO_OK);
  mo_potential_def drag = mo_potential_def_default(MO_POTENTIAL_DRAG);
  drag.linear_drag = 0.1;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &drag)));
}

static mo_world *world_of_everything(mo_solver solver) {
  mo_world_def settings = mo_world_def_default();
  settings.solver = solver;
  settings.gravity = vec(0, 0, -9.81);
  mo_world *world = make_world(settings);
  add_bowl(world);
  add_pile(world);
  add_machines(world);
  add_others(world);
  return world;
}

// --- bytes -----------------------------------------------------------------------------------

typedef struct saved {
  uint8_t *bytes;
  size_t count;
} saved;

static saved save(mo_world *world, bool with_assets) {
  mo_bytes bytes;
  assert_int_equal(mo_world_snapshot(world, with_assets, &bytes), MO_OK);
  saved copy = {malloc(bytes.count), bytes.count};
  memcpy(copy.bytes, bytes.bytes, bytes.count);
  return copy;
}

static mo_world *empty_world(void) { return make_world(mo_world_def_default()); }

static void load(mo_world *world, const saved *from) {
  mo_result result = mo_world_restore(world, from->bytes, from->count, NULL);
  if (result != MO_OK) {
    fail_msg("%s", mo_world_last_error(world));
  }
}

// --- what goes on ----------------------------------------------------------------------------

static void a_world_goes_on_from_its_snapshot(void **state) {
  (void)state;
  const mo_solver solvers[] = {MO_SOLVER_SOFT_STEP, MO_SOLVER_BLOCK_PGS, MO_SOLVER_EXACT,
                               MO_SOLVER_AUTO};
  for (int i = 0; i < 4; i++) {
    mo_world *world = world_of_everything(solvers[i]), *other = empty_world();
    step_many(world, STEP, 60);
    saved bytes = save(world, true);
    uint64_t then = mo_world_hash(world);
    step_many(world, STEP, 40);
    uint64_t later = mo_world_hash(world);
    load(world, &bytes);
    load(other, &bytes);
    assert_true(mo_world_hash(world) == then && mo_world_hash(other) == then);
    step_many(world, STEP, 40);
    step_many(other, STEP, 40);
    assert_true(mo_world_hash(world) == later && mo_world_hash(other) == later);
    mo_world_destroy(world);
    mo_world_destroy(other);
    free(bytes.bytes);
  }
}

// The same at every tenth step, from falling to sleep.
static void no_moment_is_special(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_AUTO),
           *twin = world_of_everything(MO_SOLVER_AUTO);
  for (int i = 0; i < 40; i++) {
    saved bytes = save(twin, i % 2 == 0);
    load(twin, &bytes);
    free(bytes.bytes);
    step_many(world, STEP, 10);
    step_many(twin, STEP, 10);
    assert_true(mo_world_hash(world) == mo_world_hash(twin));
  }
  mo_world_destroy(world);
  mo_world_destroy(twin);
}

// What follows from the centre of mass is what a body from bytes has.
static void a_body_goes_on_with_another_centre_of_mass(void **state) {
  (void)state;
  mo_world *world = empty_world(), *copy = empty_world();
  mo_body_def def = at(0, 0, 0);
  def.bullet = true;
  def.sensor = true;
  mo_body_id body = add_body(world, def, sphere(0.2));
  assert_int_equal(mo_body_set_center_of_mass(world, body, vec(3, -2, 4)), MO_OK);
  saved from = save(world, true);
  load(copy, &from);
  const mo_body *before = &world->bodies[mo_body_id_slot(body)];
  assert_true(before->inner_radius == copy->bodies[mo_body_id_slot(body)].inner_radius);
  assert_true(before->inner_radius == before->bounding_radius); // it is not solid
  free(from.bytes);
  mo_world_destroy(copy);
  mo_world_destroy(world);
}

// Any number below 0 says that a shape has the friction of its body.
static void a_shape_without_friction_of_its_own_goes_on(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_shape *ball = sphere(0.2);
  mo_placed_shape placed = mo_placed_shape_default(ball);
  placed.friction = placed.restitution = -INFINITY;
  mo_body_def def = at(0, 0, 0);
  def.shapes = &placed;
  def.shape_count = 1;
  assert_false(mo_body_id_is_null(mo_body_create(world, &def)));
  mo_shape_release(ball);
  saved from = save(world, true);
  load(world, &from);
  free(from.bytes);
  mo_world_destroy(world);
}

// Steps of 1/30 have twice the substeps of those of 1/60.
static void joints_go_on_with_other_steps(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_SOFT_STEP), *twin = empty_world();
  step_many(world, STEP, 30);
  saved bytes = save(world, true);
  load(twin, &bytes);
  step_many(world, 2.0 * STEP, 5);
  step_many(twin, 2.0 * STEP, 5);
  assert_true(mo_world_hash(world) == mo_world_hash(twin));
  free(bytes.bytes);
  mo_world_destroy(world);
  mo_world_destroy(twin);
}

// --- assets ----------------------------------------------------------------------------------

static void shapes_without_data_come_from_assets(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_SOFT_STEP), *other = empty_world();
  saved whole = save(world, true), bare = save(world, false);
  assert_true(bare.count < whole.count);
  uint64_t before = mo_world_hash(other);
  assert_int_equal(mo_world_restore(other, bare.bytes, bare.count, NULL), MO_ERROR_BAD_SNAPSHOT);
  assert_non_null(strstr(mo_world_last_error(other), "assets"));
  assert_true(mo_world_hash(other) == before);
  mo_bytes assets;
  assert_int_equal(mo_world_assets(world, &assets), MO_OK);
  const mo_restore_options options = {.assets = assets.bytes, .assets_count = assets.count};
  assert_int_equal(mo_world_restore(other, bare.bytes, bare.count, &options), MO_OK);
  assert_true(mo_world_hash(other) == mo_world_hash(world));
  load(other, &bare); // it has them now
  free(whole.bytes);
  free(bare.bytes);
  mo_world_destroy(world);
  mo_world_destroy(other);
}

// A body that is gone took its mesh along, but the world can go back to where it was.
static void a_world_keeps_what_its_snapshots_name(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id bowl = add_bowl(world);
  saved bytes = save(world, false);
  assert_int_equal(mo_body_destroy(world, bowl), MO_OK);
  load(world, &bytes);
  assert_true(mo_body_is_alive(world, bowl));
  free(bytes.bytes);
  mo_world_destroy(world);
}

// --- ids and events --------------------------------------------------------------------------

static void ids_are_those_of_the_snapshot(void **state) {
  (void)state;
  mo_world *world = empty_world();
  mo_body_id first = add_body(world, at(0, 0, 1), sphere(0.5));
  saved bytes = save(world, true);
  mo_body_id second = add_body(world, at(0, 0, 3), sphere(0.5));
  assert_int_equal(mo_body_destroy(world, first), MO_OK);
  load(world, &bytes);
  assert_true(mo_body_is_alive(world, first) && !mo_body_is_alive(world, second));
  assert_same_body(add_body(world, at(0, 0, 3), sphere(0.5)), second);
  free(bytes.bytes);
  mo_world_destroy(world);
}

static uint32_t begun(const mo_world *world) {
  uint32_t count, sum = 0;
  const mo_contact_event *events = mo_world_contact_events(world, &count);
  for (uint32_t i = 0; i < count; i++) {
    sum += (events[i].types & MO_CONTACT_EVENT_BEGIN) != 0;
  }
  return sum;
}

static void events_are_those_of_the_restored_time(void **state) {
  (void)state;
  mo_world *world = empty_world();
  add_floor(world);
  mo_world_def settings = mo_world_get_settings(world);
  settings.gravity = vec(0, 0, -9.81);
  assert_int_equal(mo_world_set_settings(world, &settings), MO_OK);
  add_body(world, at(0, 0, 0.6), sphere(0.5));
  assert_int_equal(mo_world_watch(world, MO_WATCH_CONTACTS), MO_OK);
  saved bytes = save(world, true);
  for (int round = 0; round < 2; round++) {
    uint32_t sum = 0;
    for (int i = 0; i < 60; i++) {
      step_many(world, STEP, 1);
      sum += begun(world);
    }
    assert_int_equal(sum, 1);
    load(world, &bytes);
    assert_int_equal(begun(world), 0);
  }
  free(bytes.bytes);
  mo_world_destroy(world);
}

// --- functions of the user -------------------------------------------------------------------

static bool lift(const mo_potential_body *body, double time, mo_wrench *out, void *user) {
  (void)body;
  (void)time;
  out->force = vec(0, 0, *(double *)user);
  return true;
}

static bool find_lift(void *context, bool is_potential, uint32_t slot, mo_user_functions *out) {
  *out = (mo_user_functions){.wrench = lift, .user = context};
  return is_potential && slot == 0;
}

static void functions_have_to_be_found(void **state) {
  (void)state;
  double force = 3.0;
  mo_world *world = empty_world(), *other = empty_world();
  add_body(world, at(0, 0, 1), sphere(0.5));
  mo_potential_def def = mo_potential_def_default(MO_POTENTIAL_CUSTOM);
  def.wrench = lift;
  def.user = &force;
  assert_false(mo_potential_id_is_null(mo_potential_create(world, &def)));
  saved bytes = save(world, true);
  load(world, &bytes); // its own
  assert_int_equal(mo_world_restore(other, bytes.bytes, bytes.count, NULL), MO_ERROR_BAD_SNAPSHOT);
  assert_non_null(strstr(mo_world_last_error(other), "functions"));
  const mo_restore_options options = {.find = find_lift, .context = &force};
  assert_int_equal(mo_world_restore(other, bytes.bytes, bytes.count, &options), MO_OK);
  step_many(world, STEP, 10);
  step_many(other, STEP, 10);
  assert_true(mo_world_hash(world) == mo_world_hash(other));
  free(bytes.bytes);
  mo_world_destroy(world);
  mo_world_destroy(other);
}

// --- bytes that are no snapshot (A138) -------------------------------------------------------

static void refuse(mo_world *world, const void *bytes, size_t count, uint64_t hash) {
  assert_int_equal(mo_world_restore(world, bytes, count, NULL), MO_ERROR_BAD_SNAPSHOT);
  assert_true(mo_world_last_error(world)[0] != '\0');
  assert_true(mo_world_hash(world) == hash);
}

static void damaged_bytes_are_refused_and_change_nothing(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_SOFT_STEP);
  step_many(world, STEP, 30);
  saved bytes = save(world, true);
  uint64_t hash = mo_world_hash(world);
  refuse(world, bytes.bytes, 0, hash);
  refuse(world, "these are the bytes of something else, and not of a snapshot", 60, hash);
  for (size_t i = 0; i < 200; i++) {
    refuse(world, bytes.bytes, i * bytes.count / 200, hash);
  }
  for (size_t i = 0; i < 1000; i++) {
    uint8_t *byte = &bytes.bytes[i * 7919 * 31 % bytes.count], bit = (uint8_t)(1u << i % 8);
    *byte ^= bit;
    refuse(world, bytes.bytes, bytes.count, hash);
    *byte ^= bit;
  }
  load(world, &bytes);
  free(bytes.bytes);
  mo_world_destroy(world);
}

// Makes the checksum good again.
static void seal(const saved *bytes) {
  uint64_t checksum = mo_checksum(bytes->bytes, bytes->count - sizeof checksum);
  memcpy(bytes->bytes + bytes->count - sizeof checksum, &checksum, sizeof checksum);
}

static void bytes_of_another_version_are_refused_by_it(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_SOFT_STEP);
  saved bytes = save(world, true);
  const uint64_t hash = mo_world_hash(world), before = MO_SNAPSHOT_VERSION - 1;
  memcpy(bytes.bytes + offsetof(mo_snapshot_header, version), &before, sizeof before);
  seal(&bytes);
  refuse(world, bytes.bytes, bytes.count, hash);
  assert_non_null(strstr(mo_world_last_error(world), "of another version of Moreau"));
  free(bytes.bytes);
  mo_world_destroy(world);
}

// Bytes with a good checksum that were made to deceive: each is refused or makes a world that can
// be stepped and destroyed.
static void hostile_bytes_make_a_world_or_none(void **state) {
  (void)state;
  mo_world *world = world_of_everything(MO_SOLVER_BLOCK_PGS), *other = empty_world();
  step_many(world, STEP, 30);
  saved bytes = save(world, true);
  uint64_t random = 1;
  int accepted = 0;
  for (int i = 0; i < 400; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    uint8_t *byte = &bytes.bytes[(random >> 33) % (bytes.count - 8)], before = *byte;
    *byte ^= (uint8_t)(1u << (random >> 30 & 7));
    seal(&bytes);
    if (mo_world_restore(other, bytes.bytes, bytes.count, NULL) == MO_OK) {
      (void)mo_world_step(other, STEP);
      accepted++;
    }
    *byte = before;
  }
  assert_true(accepted > 0);
  free(bytes.bytes);
  mo_world_destroy(world);
  mo_world_destroy(other);
}

static void the_last_records_of_all_types_have_room(void **state) {
  (void)state;
  const mo_record_type *reports[] = {&mo_snapshot_body, &mo_snapshot_constraint, &mo_snapshot_touch,
                                     NULL};
  const mo_record_type *const *lists[] = {mo_state_types, reports};
  uint32_t bytes = 0;
  for (int list = 0; list < 2; list++) {
    for (uint32_t i = 0; lists[list][i]; i++) {
      mo_record_packing packing;
      mo_record_find_packing(lists[list][i], &packing);
      assert_true(packing.size <= MO_STREAM_RECORD_BYTES);
      bytes += mo_record_chunk_bytes(&packing);
    }
  }
  assert_true(bytes <= MO_RECORD_MEMORY_BYTES);
}

TEST_GROUP(snapshot) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_world_goes_on_from_its_snapshot),
      cmocka_unit_test(no_moment_is_special),
      cmocka_unit_test(the_last_records_of_all_types_have_room),
      cmocka_unit_test(a_body_goes_on_with_another_centre_of_mass),
      cmocka_unit_test(a_shape_without_friction_of_its_own_goes_on),
      cmocka_unit_test(joints_go_on_with_other_steps),
      cmocka_unit_test(shapes_without_data_come_from_assets),
      cmocka_unit_test(a_world_keeps_what_its_snapshots_name),
      cmocka_unit_test(ids_are_those_of_the_snapshot),
      cmocka_unit_test(events_are_those_of_the_restored_time),
      cmocka_unit_test(functions_have_to_be_found),
      cmocka_unit_test(bytes_of_another_version_are_refused_by_it),
      cmocka_unit_test(damaged_bytes_are_refused_and_change_nothing),
      cmocka_unit_test(hostile_bytes_make_a_world_or_none),
  };
  return run_group(tests, NULL, NULL);
}
