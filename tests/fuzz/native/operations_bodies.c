/// Operations on bodies.
#include "fuzz_world.h"

// --- life ------------------------------------------------------------------------------------

uint32_t fuzz_choose_placed_shapes(fuzz_world *f, choices *c, mo_placed_shape *placed) {
  uint32_t count = choose_if(c, 208) ? 1 : choose_below(c, MOST_SHAPES + 1);
  for (uint32_t i = 0; i < count; i++) {
    placed[i] = fuzz_choose_placed_shape(f, c, i == 0 && !choose_if(c, 32));
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
  if (choose_if(c, 24)) {
    def->sensor = choose_if(c, 96);
    def->lock_translation = choose_below(c, 9);
    def->lock_rotation = choose_below(c, 9);
    def->rolling_friction = choose_positive(c, 0.1);
    def->spinning_friction = choose_positive(c, 0.1);
    def->surface_velocity = choose_vec3(c, 2.0);
    def->friction_combine = (mo_combine)choose_below(c, 7);
    def->restitution_combine = (mo_combine)choose_below(c, 7);
  }
}

outcome fuzz_create_body(fuzz_world *f, choices *c, uint32_t place) {
  mo_placed_shape placed[MOST_SHAPES];
  mo_body_def def = mo_body_def_default();
  uint32_t type = choose_byte(c);
  def.type = type < 192 ? MO_BODY_DYNAMIC : type < 224 ? MO_BODY_STATIC : MO_BODY_KINEMATIC;
  def.shapes = placed;
  def.shape_count = fuzz_choose_placed_shapes(f, c, placed);
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
  uint32_t kind = choose_below(c, 9);
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
  case 7:
    return mo_body_set_surface_velocity(f->world, body, v);
  default:
    return mo_body_set_center_of_mass(f->world, body, v);
  }
}

static mo_result set_number(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 10);
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
  case 7:
    return mo_body_set_rolling_friction(f->world, body, x);
  case 8:
    return mo_body_set_spinning_friction(f->world, body, x);
  default:
    return mo_body_set_inertia(
        f->world, body,
        (mo_mat3){{x, 0.0, 0.0}, {0.0, x, 0.0}, {0.0, 0.0, choose_positive(c, 1.0)}});
  }
}

static mo_result set_option(fuzz_world *f, choices *c, mo_body_id body) {
  uint32_t kind = choose_below(c, 11), value = choose_byte(c);
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
  case 6:
    return mo_body_set_locks(f->world, body, value % 9, value / 16 % 9);
  case 7:
    return mo_body_set_friction_combine(f->world, body, (mo_combine)(value % 7));
  case 8:
    return mo_body_set_restitution_combine(f->world, body, (mo_combine)(value % 7));
  case 9:
    return mo_body_set_enabled(f->world, body, value < 160);
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

static outcome place_body(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  mo_pose pose = choose_pose(c, 2.0);
  double time = choose_if(c, 96) ? 0.0 : choose_positive(c, 0.2);
  bool moves = choose_if(c, 192);
  fuzz_say(f, " %u to %g %g %g, %s", mo_body_id_slot(body), pose.position.x, pose.position.y,
           pose.position.z, moves ? "moved" : "teleported");
  return outcome_of(moves ? mo_body_move_to(f->world, body, pose, time)
                          : mo_body_set_pose(f->world, body, pose));
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

const operation fuzz_body_operations[] = {{"create_body", 24, create_body},
                                          {"destroy_body", 9, destroy_body},
                                          {"place_body", 5, place_body},
                                          {"set vector", 12, vector_of_body},
                                          {"set number", 9, number_of_body},
                                          {"set option", 14, option_of_body},
                                          {"push", 7, push_body},
                                          {0}};
