/// Operations on bodies and shapes.
#include "fuzz_world.h"

// --- shapes ----------------------------------------------------------------------------------

static mo_shape *choose_hull_shape(choices *c, mo_result *result) {
  mo_vec3 points[24];
  mo_hull *hull;
  uint32_t count = 3 + choose_below(c, 22);
  for (uint32_t i = 0; i < count; i++) {
    points[i] = choose_vec3(c, 0.5);
  }
  *result = mo_hull_create(points, count, &hull);
  mo_shape *shape = *result == MO_OK ? mo_shape_create_hull(hull, result) : NULL;
  mo_hull_release(hull);
  return shape;
}

static mo_shape *choose_shape(choices *c, mo_shape_type type, mo_result *result) {
  switch (type) {
  case MO_SHAPE_SPHERE:
    return mo_shape_create_sphere(choose_positive(c, 0.5), result);
  case MO_SHAPE_CAPSULE: {
    double radius = choose_positive(c, 0.4);
    double other = choose_below(c, 2) ? choose_number(c, 0.4) : radius;
    return mo_shape_create_tapered_capsule(radius, other, choose_positive(c, 0.5), result);
  }
  case MO_SHAPE_CYLINDER: {
    double radius = choose_positive(c, 0.4), half_height = choose_positive(c, 0.5);
    double other = choose_below(c, 2) ? choose_number(c, 0.4) : radius;
    double rounding = choose_below(c, 2) ? choose_number(c, 0.2) : 0.0;
    return mo_shape_create_tapered_cylinder(radius, other, half_height, rounding, result);
  }
  case MO_SHAPE_CONE: {
    double radius = choose_positive(c, 0.4), half_height = choose_positive(c, 0.5);
    double rounding = choose_below(c, 2) ? choose_number(c, 0.2) : 0.0;
    return mo_shape_create_cone(radius, half_height, rounding, result);
  }
  case MO_SHAPE_BOX: {
    double x = choose_positive(c, 0.6), y = choose_positive(c, 0.6), z = choose_positive(c, 0.6);
    double radius = choose_below(c, 2) ? choose_number(c, 0.2) : 0.0;
    return mo_shape_create_rounded_box((mo_vec3){x, y, z}, radius, result);
  }
  case MO_SHAPE_PLANE: {
    mo_vec3 normal = choose_vec3(c, 1.0);
    return mo_shape_create_plane(normal, choose_number(c, 1.0), result);
  }
  default:
    return choose_hull_shape(c, result);
  }
}

// Bodies keep the shapes that they have: tables are of what new ones are made of.
static outcome create_shape(fuzz_world *f, choices *c) {
  static const mo_shape_type types[] = {MO_SHAPE_BOX,   MO_SHAPE_SPHERE,   MO_SHAPE_CAPSULE,
                                        MO_SHAPE_HULL,  MO_SHAPE_CYLINDER, MO_SHAPE_CONE,
                                        MO_SHAPE_PLANE, MO_SHAPE_HULL};
  mo_result result;
  uint32_t place = choose_below(c, TABLE);
  mo_shape_type type = types[choose_below(c, 8)];
  mo_shape *shape = choose_shape(c, type, &result);
  fuzz_say(f, " of type %d into %u", type, place);
  if (!shape) {
    return REFUSED;
  }
  mo_shape_release(f->shapes[place]);
  f->shapes[place] = shape;
  return DONE;
}

// --- life ------------------------------------------------------------------------------------

#define MOST_SHAPES 3

static uint32_t choose_placed_shapes(fuzz_world *f, choices *c, mo_placed_shape *placed) {
  uint32_t count = choose_if(c, 208) ? 1 : choose_below(c, MOST_SHAPES + 1);
  for (uint32_t i = 0; i < count; i++) {
    placed[i] = (mo_placed_shape){.shape = f->shapes[choose_below(c, TABLE)],
                                  .pose = {.orientation = {0.0, 0.0, 0.0, 1.0}},
                                  .density = -1.0,
                                  .friction = -1.0,
                                  .restitution = -1.0};
    if (i > 0 || choose_if(c, 32)) {
      placed[i].pose = choose_pose(c, 0.5);
      placed[i].density = choose_number(c, 1000.0);
      placed[i].friction = choose_number(c, 1.0);
    }
  }
  return count;
}

static void choose_mass(choices *c, mo_body_def *def) {
  def->has_mass = choose_if(c, 96);
  def->mass = choose_positive(c, 10.0);
  def->has_inertia = choose_if(c, 16);
  double xx = choose_positive(c, 1.0), yy = choose_positive(c, 1.0), zz = choose_positive(c, 1.0);
  def->inertia = (mo_mat3){{xx, 0.0, 0.0}, {0.0, yy, 0.0}, {0.0, 0.0, zz}};
  def->has_center_of_mass = choose_if(c, 16);
  def->center_of_mass = choose_vec3(c, 0.5);
}

static void choose_behaviour(choices *c, mo_body_def *def) {
  def->friction = choose_positive(c, 1.0);
  def->restitution = choose_if(c, 128) ? 0.0 : choose_positive(c, 1.0);
  def->bullet = choose_if(c, 48);
  def->allow_sleep = choose_if(c, 224);
  def->has_solver = choose_if(c, 48);
  def->solver = (mo_solver)choose_below(c, 6);
  if (choose_if(c, 24)) {
    def->linear_damping = choose_positive(c, 5.0);
    def->angular_damping = choose_positive(c, 5.0);
    def->gravity_scale = choose_number(c, 2.0);
    def->filter.group = (int32_t)choose_below(c, 3) - 1;
  }
}

outcome fuzz_create_body(fuzz_world *f, choices *c, uint32_t place) {
  mo_placed_shape placed[MOST_SHAPES];
  mo_body_def def = mo_body_def_default();
  uint32_t type = choose_byte(c);
  def.type = type < 192 ? MO_BODY_DYNAMIC : type < 224 ? MO_BODY_STATIC : MO_BODY_KINEMATIC;
  def.shapes = placed;
  def.shape_count = choose_placed_shapes(f, c, placed);
  def.position = choose_vec3(c, 2.0);
  def.orientation = choose_quat(c);
  if (def.type != MO_BODY_STATIC) {
    def.linear_velocity = choose_vec3(c, 5.0);
    def.angular_velocity = choose_vec3(c, 5.0);
  }
  choose_mass(c, &def);
  choose_behaviour(c, &def);
  fuzz_say(f, " %u of type %d with %u shapes at %g %g %g%s", place, def.type, def.shape_count,
           def.position.x, def.position.y, def.position.z, def.bullet ? ", bullet" : "");
  mo_body_id id = mo_body_create(f->world, &def);
  if (mo_body_id_is_null(id)) {
    return REFUSED;
  }
  f->bodies[place] = id;
  return DONE;
}

static outcome create_body(fuzz_world *f, choices *c) {
  return fuzz_create_body(f, c, choose_below(c, TABLE));
}

static outcome destroy_body(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  fuzz_say(f, " %u", mo_body_id_slot(body));
  return outcome_of(mo_body_destroy(f->world, body));
}

// --- setters ---------------------------------------------------------------------------------

static mo_result set_vector(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 8);
  mo_vec3 v = choose_vec3(c, kind < 2 ? 2.0 : 8.0);
  fuzz_say(f, " %u of %u to %g %g %g", kind, mo_body_id_slot(body), v.x, v.y, v.z);
  switch (kind) {
  case 0:
  case 1:
    return mo_body_set_position(f->world, body, v);
  case 2:
  case 3:
    return mo_body_set_linear_velocity(f->world, body, v);
  case 4:
  case 5:
    return mo_body_set_angular_velocity(f->world, body, v);
  case 6:
    return mo_body_set_orientation(f->world, body, (mo_quat){v.x, v.y, v.z, choose_number(c, 1)});
  default:
    return mo_body_set_center_of_mass(f->world, body, v);
  }
}

static mo_result set_number(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 8);
  double x = choose_positive(c, kind < 2 ? 100.0 : 1.0);
  fuzz_say(f, " %u of %u to %g", kind, mo_body_id_slot(body), x);
  switch (kind) {
  case 0:
    return mo_body_set_mass(f->world, body, x);
  case 1:
    return mo_body_set_density(f->world, body, x);
  case 2:
    return mo_body_set_friction(f->world, body, x);
  case 3:
    return mo_body_set_restitution(f->world, body, x);
  case 4:
    return mo_body_set_linear_damping(f->world, body, x);
  case 5:
    return mo_body_set_angular_damping(f->world, body, x);
  case 6:
    return mo_body_set_gravity_scale(f->world, body, x);
  default:
    return mo_body_set_inertia(
        f->world, body,
        (mo_mat3){{x, 0.0, 0.0}, {0.0, x, 0.0}, {0.0, 0.0, choose_positive(c, 1.0)}});
  }
}

static mo_result set_option(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 7), value = choose_byte(c);
  fuzz_say(f, " %u of %u to %u", kind, mo_body_id_slot(body), value);
  switch (kind) {
  case 0:
    return mo_body_set_type(f->world, body, (mo_body_type)(value % 4));
  case 1:
    return mo_body_set_solver(f->world, body, value < 192, (mo_solver)(value % 7));
  case 2: {
    mo_filter filter = {.category = 1u << value % 3, .mask = value >> 3, .group = 0};
    return mo_body_set_filter(f->world, body, value < 128 ? filter : mo_filter_default());
  }
  case 3:
    return mo_body_set_bullet(f->world, body, value < 128);
  case 4:
    return mo_body_set_allow_sleep(f->world, body, value < 128);
  case 5:
    return mo_body_sleep(f->world, body);
  default:
    return mo_body_wake(f->world, body);
  }
}

static mo_result push(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 5);
  mo_vec3 v = choose_vec3(c, 20.0), point = choose_vec3(c, 2.0);
  const mo_vec3 *at = choose_if(c, 128) ? &point : NULL;
  fuzz_say(f, " %u of %u by %g %g %g", kind, mo_body_id_slot(body), v.x, v.y, v.z);
  switch (kind) {
  case 0:
    return mo_body_apply_force(f->world, body, v, at);
  case 1:
    return mo_body_apply_torque(f->world, body, v);
  case 2:
    return mo_body_apply_impulse(f->world, body, v, at);
  case 3:
    return mo_body_apply_angular_impulse(f->world, body, v);
  default:
    return mo_body_clear_forces(f->world, body);
  }
}

static outcome vector_of_body(fuzz_world *f, choices *c) {
  return outcome_of(set_vector(f, c, choose_body(f, c)));
}
static outcome number_of_body(fuzz_world *f, choices *c) {
  return outcome_of(set_number(f, c, choose_body(f, c)));
}
static outcome option_of_body(fuzz_world *f, choices *c) {
  return outcome_of(set_option(f, c, choose_body(f, c)));
}
static outcome push_body(fuzz_world *f, choices *c) {
  return outcome_of(push(f, c, choose_body(f, c)));
}

const operation fuzz_body_operations[] = {{"create_shape", 14, create_shape},
                                          {"create_body", 34, create_body},
                                          {"destroy_body", 12, destroy_body},
                                          {"set vector", 20, vector_of_body},
                                          {"set number", 14, number_of_body},
                                          {"set option", 18, option_of_body},
                                          {"push", 12, push_body},
                                          {0}};
