/// All that can be read of a world. Every byte handed out is looked at, so that the address
/// sanitizer sees it, and every number is checked.
#include "fuzz_world.h"

#include <stdlib.h>
#include <string.h>

// Products of three such numbers, and sums of them, do not overflow. Sums of what does are not
// defined.
#define MODERATE 1e90

// --- checks ----------------------------------------------------------------------------------

static void check_number(fuzz_world *f, const char *what, double x) {
  if (x != x) {
    fuzz_fail(f, what, x);
  }
}

void fuzz_check_numbers(fuzz_world *f, const char *what, const double *x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    check_number(f, what, x[i]);
  }
}

static void check_finite(fuzz_world *f, const char *what, const double *x, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!(x[i] - x[i] == 0.0)) {
      fuzz_fail(f, what, x[i]);
    }
  }
}

static void check_vec3(fuzz_world *f, const char *what, mo_vec3 v) {
  fuzz_check_numbers(f, what, &v.x, 3);
}

// Memory that reads as it should is read.
static void touch(const void *memory, size_t bytes) {
  const volatile unsigned char *from = memory;
  for (size_t i = 0; i < bytes; i++) {
    (void)from[i];
  }
}

// --- the parts -------------------------------------------------------------------------------

static void read_arrays(fuzz_world *f) {
  const mo_world *world = f->world;
  uint32_t slots = mo_world_slot_count(world), moved_count, event_count;
  const float *transforms = mo_world_transforms(world);
  for (uint32_t i = 0; i < 8 * slots; i++) {
    check_number(f, "transforms", transforms[i]);
  }
  check_finite(f, "transforms64", mo_world_transforms64(world), 8 * (size_t)slots);
  check_finite(f, "velocities", mo_world_velocities(world), 8 * (size_t)slots);
  touch(mo_world_body_ids(world), sizeof(uint32_t) * slots);
  const uint32_t *moved = mo_world_moved(world, &moved_count);
  touch(moved, sizeof *moved * moved_count);
  const mo_sleep_event *events = mo_world_sleep_events(world, &event_count);
  touch(events, sizeof *events * event_count);
  if (mo_world_awake_count(world) > mo_world_body_count(world)) {
    fuzz_fail(f, "more bodies are awake than there are", mo_world_awake_count(world));
  }
}

static void note_sizes(fuzz_world *f, const double *sizes, int count) {
  for (int i = 0; i < count; i++) {
    f->is_moderate &= fabs(sizes[i]) < MODERATE;
  }
}

static void read_shapes(fuzz_world *f, mo_body_id id) {
  mo_placed_shape placed;
  for (uint32_t i = 0; i < mo_body_shape_count(f->world, id); i++) {
    if (mo_body_get_shape(f->world, id, i, &placed) != MO_OK) {
      fuzz_fail(f, "a body has no such shape", i);
      return;
    }
    touch(&placed, sizeof placed);
    check_finite(f, "position of a shape", &placed.pose.position.x, 3);
    (void)mo_shape_get_type(placed.shape);
  }
}

static void read_body(fuzz_world *f, mo_body_id id) {
  mo_body_state state;
  read_shapes(f, id);
  if (mo_body_get_state(f->world, id, &state) != MO_OK) {
    return;
  }
  check_finite(f, "position", &state.position.x, 3);
  check_finite(f, "orientation", &state.orientation.x, 4);
  check_finite(f, "linear_velocity", &state.linear_velocity.x, 3);
  check_finite(f, "angular_velocity", &state.angular_velocity.x, 3);
  check_finite(f, "world_center_of_mass", &state.world_center_of_mass.x, 3);
  check_vec3(f, "linear_acceleration", state.linear_acceleration);
  check_vec3(f, "angular_acceleration", state.angular_acceleration);
  check_finite(f, "mass", &state.mass, 1);
  check_number(f, "density", state.density);
  check_finite(f, "inertia", &state.inertia.cx.x, 9);
  check_number(f, "kinetic_energy", state.kinetic_energy);
  check_vec3(f, "angular_momentum", state.angular_momentum);
  const double sizes[] = {state.kinetic_energy, state.mass};
  note_sizes(f, sizes, 2);
  note_sizes(f, &state.world_center_of_mass.x, 3);
  note_sizes(f, &state.linear_velocity.x, 3);
  note_sizes(f, &state.angular_velocity.x, 3);
  (void)mo_body_local_point(f->world, id, (mo_vec3){1.0, 2.0, 3.0});
  (void)mo_body_local_vector(f->world, id, (mo_vec3){1.0, 2.0, 3.0});
}

static void read_coordinates(fuzz_world *f, mo_constraint_id id, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    mo_coordinate_state state;
    mo_drive_impulses impulses;
    mo_coordinate_drive drive;
    if (mo_constraint_get_coordinate(f->world, id, i, &state) == MO_OK && f->is_moderate) {
      check_number(f, "coordinate", state.value);
      check_number(f, "rate of a coordinate", state.rate);
    }
    if (mo_constraint_get_drive_impulses(f->world, id, i, &impulses) == MO_OK) {
      fuzz_check_numbers(f, "impulses of a drive", &impulses.limits, 4);
    }
    if (mo_constraint_get_drive(f->world, id, i, &drive) == MO_OK) {
      touch(&drive, sizeof drive);
    }
  }
}

static void read_joint(fuzz_world *f, mo_constraint_id id) {
  mo_constraint_drawing drawing;
  mo_constraint_reaction reaction;
  mo_pose_motor motor;
  if (mo_constraint_get_drawing(f->world, id, &drawing) == MO_OK) {
    note_sizes(f, &drawing.anchor_a.x, 6);
  }
  if (mo_constraint_get_reaction(f->world, id, &reaction) == MO_OK && f->is_moderate) {
    fuzz_check_numbers(f, "reaction", &reaction.linear.x, 6);
  }
  if (mo_constraint_get_pose_motor(f->world, id, &motor) == MO_OK) {
    touch(&motor, sizeof motor);
  }
}

static void read_constraint(fuzz_world *f, mo_constraint_id id) {
  mo_constraint_state state;
  if (mo_constraint_get_state(f->world, id, &state) != MO_OK) {
    return;
  }
  read_joint(f, id);
  read_coordinates(f, id, state.coordinate_count);
  const char *name = mo_constraint_type_name(f->world, id);
  touch(name, strlen(name));
  fuzz_check_numbers(f, "impulse of a constraint", mo_constraint_impulses(f->world, id),
                     state.dimension);
  // Of exactly that size: what is written beyond it is seen.
  double *numbers = malloc(sizeof *numbers * state.dimension);
  if (mo_constraint_violation(f->world, id, numbers) == MO_OK) {
    fuzz_check_numbers(f, "violation", numbers, state.dimension);
  }
  if (mo_constraint_velocity_violation(f->world, id, numbers) == MO_OK) {
    fuzz_check_numbers(f, "velocity violation", numbers, state.dimension);
  }
  free(numbers);
  mo_constraint_row *rows = malloc(sizeof *rows * state.dimension);
  if (mo_constraint_get_rows(f->world, id, rows) == MO_OK) {
    for (uint32_t i = 0; i < state.dimension; i++) {
      fuzz_check_numbers(f, "Jacobian", rows[i].jacobian, 6 * MO_CONSTRAINT_BODIES);
      if (!(rows[i].effective_mass > 0.0)) {
        fuzz_fail(f, "an effective mass is not above 0", rows[i].effective_mass);
      }
    }
  }
  free(rows);
}

static void read_potential(fuzz_world *f, mo_potential_id id) {
  double energy;
  mo_wrench wrench;
  if (mo_potential_get_energy(f->world, id, &energy) == MO_OK) {
    check_number(f, "energy of a potential", energy);
  }
  if (mo_potential_get_wrench(f->world, id, f->bodies[f->record % TABLE], &wrench) == MO_OK) {
    fuzz_check_numbers(f, "wrench of a potential", &wrench.force.x, 6);
  }
}

void fuzz_check_hit(fuzz_world *f, const mo_query_hit *hit) {
  check_vec3(f, "position of a hit", hit->position);
  check_vec3(f, "normal of a hit", hit->normal);
  if (!(hit->distance >= 0.0)) {
    fuzz_fail(f, "distance of a hit", hit->distance);
  }
}

static void read_rays(fuzz_world *f) {
  static const mo_vec3 origins[] = {{0, 5, 0}, {-1e45, 0.3, 0.1}, {0.2, -0.3, 1e7}, {3, 3, 3}};
  static const mo_vec3 directions[] = {{0, -1, 0}, {1, 0, 0}, {1e-40, 0, -1}, {-1, -1, -1e-9}};
  for (int i = 0; i < 4; i++) {
    mo_ray ray = mo_ray_default();
    const mo_query_hit *hits;
    mo_query_hit hit;
    uint32_t count;
    ray.origin = origins[i];
    ray.direction = directions[i];
    if (mo_world_cast_ray(f->world, &ray, &hit) == MO_OK && !mo_body_id_is_null(hit.body)) {
      fuzz_check_hit(f, &hit);
    }
    if (mo_world_cast_ray_all(f->world, &ray, &hits, &count) == MO_OK) {
      for (uint32_t k = 0; k < count; k++) {
        fuzz_check_hit(f, &hits[k]);
      }
    }
  }
}

static void read_islands(fuzz_world *f) {
  uint32_t count = mo_world_island_count(f->world), capacity = count / 2 + 1;
  mo_island *islands = malloc(sizeof *islands * capacity);
  uint32_t told = mo_world_islands(f->world, islands, capacity);
  for (uint32_t i = 0; i < told && i < capacity; i++) {
    touch(&islands[i], sizeof islands[i]);
    check_number(f, "condition of an island", islands[i].condition);
  }
  free(islands);
  (void)mo_world_missed_island_count(f->world);
}

static void read_contact_points(fuzz_world *f) {
  uint32_t count = mo_world_contact_point_count(f->world), capacity = count + 1;
  mo_contact_point *points = malloc(sizeof *points * capacity);
  uint32_t told = mo_world_contact_points(f->world, points, capacity);
  for (uint32_t i = 0; i < told && i < capacity; i++) {
    check_vec3(f, "position of a contact point", points[i].position);
    check_vec3(f, "normal of a contact point", points[i].normal);
    if (f->is_moderate) {
      check_number(f, "separation of a contact point", points[i].separation);
    }
    check_number(f, "normal impulse of a contact point", points[i].normal_impulse);
    check_vec3(f, "tangent impulse of a contact point", points[i].tangent_impulse);
  }
  free(points);
}

// A watch is no change, and may begin with a read-out.
static void read_events(fuzz_world *f) {
  uint32_t events, points, sensors, broken;
  (void)mo_world_watch(f->world, MO_WATCH_CONTACTS | MO_WATCH_SENSORS | MO_WATCH_AT_ONCE);
  const mo_contact_event *contact = mo_world_contact_events(f->world, &events);
  const mo_contact_point *point = mo_world_contact_event_points(f->world, &points);
  const mo_sensor_event *sensor = mo_world_sensor_events(f->world, &sensors);
  const mo_broken_constraint *gone = mo_world_broken_constraints(f->world, &broken);
  touch(point, sizeof *point * points);
  touch(sensor, sizeof *sensor * sensors);
  touch(gone, sizeof *gone * broken);
  for (uint32_t i = 0; i < events; i++) {
    bool is_end = contact[i].types == MO_CONTACT_EVENT_END;
    touch(&contact[i], sizeof contact[i]);
    if (!is_end && contact[i].first_point + contact[i].point_count > points) {
      fuzz_fail(f, "points of a contact event", contact[i].point_count);
    }
  }
}

// Half of the lines that there are, so that the end of the arrays is met.
static void read_lines(fuzz_world *f) {
  mo_debug_lines lines = {0};
  uint32_t parts = 1u << f->record % 6;
  if (mo_world_debug_lines(f->world, parts, &lines) != MO_OK) {
    return;
  }
  lines.capacity = lines.count / 2;
  lines.vertices = malloc(sizeof(float) * 6 * lines.capacity + 1);
  lines.colors = malloc(sizeof(float) * 8 * lines.capacity + 1);
  (void)mo_world_debug_lines(f->world, parts, &lines);
  free(lines.vertices);
  free(lines.colors);
}

static void read_problem(fuzz_world *f) {
  mo_problem_record record;
  if (mo_world_record_problem(f->world, &record) == MO_OK) {
    size_t n = 3 * (size_t)record.contact_count;
    touch(record.delassus, sizeof(double) * n * n);
    touch(record.free_velocity, sizeof(double) * n);
    touch(record.friction, sizeof(double) * record.contact_count);
  }
}

static void read_sums(fuzz_world *f) {
  mo_energy energy = mo_world_energy(f->world);
  mo_momentum momentum = mo_world_momentum(f->world);
  mo_residual residual = mo_world_residual(f->world);
  mo_stats stats = mo_world_stats(f->world);
  mo_profile profile = mo_world_profile(f->world);
  mo_world_def settings = mo_world_get_settings(f->world);
  if (f->is_moderate) {
    check_number(f, "kinetic energy", energy.kinetic);
    check_vec3(f, "momentum", momentum.linear);
    check_vec3(f, "angular momentum", momentum.angular);
  }
  touch(&residual, sizeof residual); // NaN without memory for it, as stats.residual
  if (f->is_moderate) {
    check_number(f, "stats.max_penetration", stats.max_penetration);
  }
  check_number(f, "stats.cured_energy_gain", stats.cured_energy_gain);
  touch(&profile, sizeof profile);
  touch(&settings, sizeof settings);
  const char *text = mo_world_last_error(f->world);
  touch(text, strlen(text));
}

void fuzz_read_all(fuzz_world *f) {
  mo_world *world = f->world;
  f->is_moderate = true;
  read_arrays(f);
  for (uint32_t slot = 0; slot < mo_world_slot_count(world); slot++) {
    read_body(f, mo_world_body_in_slot(world, slot));
  }
  for (uint32_t slot = 0; slot < mo_world_constraint_slot_count(world); slot++) {
    read_constraint(f, mo_world_constraint_in_slot(world, slot));
  }
  for (uint32_t i = 0; i < TABLE; i++) {
    read_potential(f, f->potentials[i]);
  }
  read_rays(f);
  read_islands(f);
  read_sums(f);
  read_contact_points(f);
  read_events(f);
  read_lines(f);
  read_problem(f);
  check_finite(f, "time", (double[]){mo_world_time(world)}, 1);
}
