/*
 * A closed room in which bodies of all shapes are created, thrown, joined, put to sleep and
 * destroyed, for as long as one likes:
 *
 *     churn <seed> <steps> [most bodies] [most joints]
 *
 * Prints the hash of the state at the end, and figures of memory and time to stderr. Fails at the
 * first step that is refused, body that is not finite or body outside of the room. `npm run soak`
 * has it run for 24,000 s.
 */
#include "moreau.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_BODIES 256
#define MOST_JOINTS 64
#define SHAPES 8
#define ROOM 5.0 // m, half of its width

typedef struct churn {
  mo_world *world;
  uint32_t random;
  mo_shape *shapes[SHAPES];
  mo_body_id bodies[MOST_BODIES];
  uint32_t body_count, most_bodies;
  mo_constraint_id joints[MOST_JOINTS];
  uint32_t joint_count, most_joints;
} churn;

// --- random numbers --------------------------------------------------------------------------

static double unit(churn *c) {
  c->random = c->random * 1664525u + 1013904223u;
  return (c->random >> 8) * (1.0 / 16777216.0);
}
static double between(churn *c, double low, double high) { return low + (high - low) * unit(c); }
static uint32_t below(churn *c, uint32_t count) { return (uint32_t)(unit(c) * count); }
static mo_vec3 vector(churn *c, double size) {
  mo_vec3 v;
  v.x = between(c, -size, size);
  v.y = between(c, -size, size);
  v.z = between(c, -size, size);
  return v;
}

static void fail(const churn *c, const char *what, uint32_t step) {
  fprintf(stderr, "churn: step %u: %s: %s\n", step, what, mo_world_last_error(c->world));
  exit(1);
}

// --- the room --------------------------------------------------------------------------------

static mo_placed_shape place(mo_shape *shape, mo_vec3 position) {
  return (mo_placed_shape){.shape = shape,
                           .pose = {.position = position, .orientation = {.w = 1.0}},
                           .density = -1.0,
                           .friction = -1.0,
                           .restitution = -1.0};
}

static void build_room(churn *c) {
  static const mo_vec3 sides[6] = {{0, -1, 0}, {0, 1, 0},  {-1, 0, 0},
                                   {1, 0, 0},  {0, 0, -1}, {0, 0, 1}};
  mo_result result;
  for (int i = 0; i < 6; i++) {
    mo_vec3 half = {sides[i].x != 0 ? 1 : ROOM + 2, sides[i].y != 0 ? 1 : ROOM + 2,
                    sides[i].z != 0 ? 1 : ROOM + 2};
    mo_body_def def = mo_body_def_default();
    def.type = MO_BODY_STATIC;
    def.position =
        (mo_vec3){sides[i].x * (ROOM + 1), sides[i].y * (ROOM + 1), sides[i].z * (ROOM + 1)};
    mo_placed_shape wall = place(mo_shape_create_box(half, &result), (mo_vec3){0, 0, 0});
    def.shapes = &wall;
    def.shape_count = 1;
    mo_body_create(c->world, &def);
    mo_shape_release(wall.shape);
  }
}

static mo_shape *make_hull(churn *c) {
  mo_vec3 points[14];
  for (int i = 0; i < 14; i++) {
    points[i] = vector(c, 0.4);
  }
  mo_hull *hull;
  mo_result result = mo_hull_create(points, 14, &hull);
  mo_shape *shape = mo_shape_create_hull(hull, &result);
  mo_hull_release(hull);
  return shape;
}

static void make_shapes(churn *c) {
  mo_result result;
  c->shapes[0] = mo_shape_create_sphere(0.25, &result);
  c->shapes[1] = mo_shape_create_capsule(0.15, 0.25, &result);
  c->shapes[2] = mo_shape_create_box((mo_vec3){0.3, 0.3, 0.3}, &result);
  c->shapes[3] = mo_shape_create_box((mo_vec3){0.5, 0.1, 0.3}, &result);
  c->shapes[4] = mo_shape_create_sphere(0.1, &result);
  for (int i = 5; i < SHAPES; i++) {
    c->shapes[i] = make_hull(c);
  }
}

static churn *create(uint32_t seed, uint32_t most_bodies) {
  churn *c = calloc(1, sizeof *c);
  c->random = seed;
  c->most_bodies = most_bodies < MOST_BODIES ? most_bodies : MOST_BODIES;
  mo_world_def def = mo_world_def_default();
  mo_result result;
  c->world = mo_world_create(&def, &result);
  make_shapes(c);
  build_room(c);
  return c;
}

// --- what happens in it ----------------------------------------------------------------------

static void add_body(churn *c, mo_vec3 position, mo_quat orientation) {
  mo_body_def def = mo_body_def_default();
  uint32_t shape = below(c, SHAPES + 1);
  mo_placed_shape shapes[2];
  shapes[0] =
      place(c->shapes[shape < SHAPES ? shape : 2], (mo_vec3){shape < SHAPES ? 0.0 : 0.3, 0, 0});
  shapes[1] = place(c->shapes[0], (mo_vec3){-0.3, 0, 0});
  def.shapes = shapes;
  def.shape_count = shape < SHAPES ? 1 : 2;
  def.position = position;
  def.orientation = orientation;
  def.linear_velocity = vector(c, 5.0);
  def.angular_velocity = vector(c, 5.0);
  def.friction = unit(c);
  def.restitution = 0.5 * unit(c);
  def.bullet = unit(c) < 0.1;
  c->bodies[c->body_count++] = mo_body_create(c->world, &def);
}

static void drop_dead_joints(churn *c) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->joint_count; i++) {
    if (mo_constraint_is_alive(c->world, c->joints[i])) {
      c->joints[count++] = c->joints[i];
    }
  }
  c->joint_count = count;
}

static void add_joint(churn *c, mo_body_id a) {
  static const mo_constraint_type types[] = {MO_CONSTRAINT_DISTANCE, MO_CONSTRAINT_BALL,
                                             MO_CONSTRAINT_FIXED, MO_CONSTRAINT_HINGE,
                                             MO_CONSTRAINT_SLIDER};
  if (c->joint_count == c->most_joints || c->body_count == c->most_bodies) {
    return;
  }
  mo_body_state state;
  mo_body_get_state(c->world, a, &state);
  if (state.type == MO_BODY_STATIC) {
    return;
  }
  double side = state.position.x > 0 ? -0.75 : 0.75;
  add_body(c, (mo_vec3){state.position.x + side, state.position.y, state.position.z},
           state.orientation);
  mo_constraint_def def = mo_constraint_def_default(types[below(c, 5)]);
  def.body_a = a;
  def.body_b = c->bodies[c->body_count - 1];
  def.anchor_a = (mo_vec3){0.375, 0, 0};
  def.anchor_b = (mo_vec3){-0.375, 0, 0};
  if (def.type == MO_CONSTRAINT_HINGE || def.type == MO_CONSTRAINT_SLIDER) {
    def.axis_a = def.axis_b = (mo_vec3){0, 0, 1};
    def.drives[0].lower = -0.5;
    def.drives[0].upper = 0.5;
  }
  c->joints[c->joint_count++] = mo_constraint_create(c->world, &def);
}

// A joint to a body that never moves again may ask for the other one to be in a wall.
static void make_static(churn *c, mo_body_id body) {
  for (uint32_t i = c->joint_count; i-- > 0;) {
    mo_constraint_state state;
    mo_constraint_get_state(c->world, c->joints[i], &state);
    if (mo_body_id_equals(state.body_a, body) || mo_body_id_equals(state.body_b, body)) {
      mo_constraint_destroy(c->world, c->joints[i]);
    }
  }
  drop_dead_joints(c);
  mo_body_set_type(c->world, body, MO_BODY_STATIC);
}

static void destroy_joint(churn *c) {
  if (c->joint_count > 0) {
    uint32_t i = below(c, c->joint_count);
    mo_constraint_destroy(c->world, c->joints[i]);
    c->joints[i] = c->joints[--c->joint_count];
  }
}

static void destroy_body(churn *c, uint32_t i) {
  mo_body_destroy(c->world, c->bodies[i]);
  c->bodies[i] = c->bodies[--c->body_count];
  drop_dead_joints(c);
}

static void change_body(churn *c, mo_body_id body) {
  mo_world *world = c->world;
  mo_filter filter = mo_filter_default();
  switch (below(c, 8)) {
  case 0:
    filter.group = (int32_t)below(c, 3) - 2;
    mo_body_set_filter(world, body, filter);
    break;
  case 1:
    if (unit(c) < 0.3) {
      make_static(c, body);
    } else {
      mo_body_set_type(world, body, MO_BODY_DYNAMIC);
    }
    break;
  case 2:
    mo_body_set_mass(world, body, between(c, 1.0, 200.0));
    break;
  case 3:
    mo_body_set_friction(world, body, unit(c));
    break;
  case 4:
    mo_body_set_position(world, body, vector(c, ROOM - 1));
    break;
  case 5:
    mo_body_set_solver(world, body, unit(c) < 0.2, MO_SOLVER_BLOCK_PGS);
    break;
  case 6:
    mo_body_set_allow_sleep(world, body, unit(c) < 0.8);
    break;
  default:
    mo_body_set_bullet(world, body, unit(c) < 0.2);
    break;
  }
}

static void move_body(churn *c, mo_body_id body) {
  mo_world *world = c->world;
  switch (below(c, 5)) {
  case 0:
    mo_body_set_linear_velocity(world, body, vector(c, unit(c) < 0.1 ? 200.0 : 20.0));
    break;
  case 1:
    mo_body_set_angular_velocity(world, body, vector(c, 20.0));
    break;
  case 2:
    mo_body_apply_impulse(world, body, vector(c, 100.0), NULL);
    break;
  case 3:
    mo_body_sleep(world, body);
    break;
  default:
    mo_body_wake(world, body);
    break;
  }
}

static void turn_gravity(churn *c) {
  mo_world_def settings = mo_world_get_settings(c->world);
  settings.gravity = unit(c) < 0.7 ? (mo_vec3){0.0, -9.81, 0.0} : vector(c, 9.81);
  mo_world_set_settings(c->world, &settings);
}

static void act(churn *c) {
  uint32_t what = below(c, 100);
  if (c->body_count == 0 || what < 25) {
    if (c->body_count < c->most_bodies) {
      mo_vec3 position = vector(c, ROOM - 1);
      add_body(c, position, (mo_quat){.w = 1.0});
    }
    return;
  }
  uint32_t i = below(c, c->body_count);
  if (what < 45) {
    destroy_body(c, i);
  } else if (what < 55) {
    add_joint(c, c->bodies[i]);
  } else if (what < 60) {
    destroy_joint(c);
  } else if (what < 75) {
    change_body(c, c->bodies[i]);
  } else if (what < 99) {
    move_body(c, c->bodies[i]);
  } else {
    turn_gravity(c);
  }
}

// A body may be a little in a wall, and a long one's origin outside of its shape.
static void check(const churn *c, uint32_t step) {
  for (uint32_t i = 0; i < c->body_count; i++) {
    mo_body_state s;
    mo_body_get_state(c->world, c->bodies[i], &s);
    double reach = fmax(fmax(fabs(s.position.x), fabs(s.position.y)), fabs(s.position.z));
    double speed = fabs(s.linear_velocity.x) + fabs(s.linear_velocity.y) +
                   fabs(s.linear_velocity.z) + fabs(s.angular_velocity.x) +
                   fabs(s.angular_velocity.y) + fabs(s.angular_velocity.z);
    if (!(reach < ROOM + 0.1) || !isfinite(speed)) {
      fprintf(stderr, "body %u of type %d: %g m from the middle, speed %g, at %g %g %g\n", i,
              (int)s.type, reach, speed, s.position.x, s.position.y, s.position.z);
      fail(c, "a body left the room", step);
    }
  }
}

int main(int argc, char **argv) {
  uint32_t seed = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1;
  uint32_t steps = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 6000;
  churn *c = create(seed, argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 30);
  uint32_t most_joints = argc > 4 ? (uint32_t)strtoul(argv[4], NULL, 10) : MOST_JOINTS;
  c->most_joints = most_joints < MOST_JOINTS ? most_joints : MOST_JOINTS;
  size_t most_bytes = 0;
  for (uint32_t step = 0; step < steps; step++) {
    if (unit(c) < 0.1) {
      act(c);
    }
    if (mo_world_step(c->world, 1.0 / 60.0) != MO_OK) {
      fail(c, "refused", step);
    }
    check(c, step);
    most_bytes = mo_allocated_bytes() > most_bytes ? mo_allocated_bytes() : most_bytes;
    if (step % (steps / 10 + 1) == steps / 10) {
      fprintf(stderr, "%8.0f s: %u bodies, %u awake, %u joints, %zu bytes, most %zu\n",
              mo_world_time(c->world), c->body_count, mo_world_awake_count(c->world),
              c->joint_count, mo_allocated_bytes(), most_bytes);
    }
  }
  printf("%016" PRIx64 "\n", mo_world_hash(c->world));
  mo_world_destroy(c->world);
  for (int i = 0; i < SHAPES; i++) {
    mo_shape_release(c->shapes[i]);
  }
  free(c);
  if (mo_allocated_bytes() != 0) {
    fprintf(stderr, "churn: %zu bytes were never given back\n", mo_allocated_bytes());
    return 1;
  }
  return 0;
}
