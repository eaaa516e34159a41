/// Operations on potentials.
#include "fuzz_world.h"

static mo_region choose_region(choices *c) {
  mo_region region = {.type = (mo_region_type)choose_below(c, 3), .orientation = {0, 0, 0, 1}};
  region.center = choose_vec3(c, 2.0);
  region.radius = choose_positive(c, 2.0);
  region.half_extents = (mo_vec3){choose_positive(c, 2.0), choose_positive(c, 2.0), 1.0};
  if (choose_if(c, 64)) {
    region.orientation = choose_quat(c);
  }
  return region;
}

static void choose_fluid(choices *c, mo_potential_def *def) {
  def->fluid_density = choose_positive(c, 2000.0);
  def->surface_offset = choose_number(c, 2.0);
  def->velocity = choose_vec3(c, 2.0);
  if (choose_if(c, 64)) {
    def->surface_normal = choose_vec3(c, 1.0);
  }
}

static void choose_numbers(choices *c, mo_potential_def *def) {
  def->gravity = choose_vec3(c, 5.0);
  def->center = choose_vec3(c, 3.0);
  def->mu = choose_positive(c, 5.0);
  def->softening = choose_positive(c, 0.1);
  def->moment = choose_vec3(c, 1.0);
  def->field = choose_vec3(c, 1.0);
  def->source_moment = choose_vec3(c, 1.0);
  def->linear_drag = choose_positive(c, 1.0);
  def->quadratic_drag = choose_positive(c, 1.0);
  def->angular_drag = choose_positive(c, 1.0);
  def->anchor_a = choose_vec3(c, 0.3);
  def->anchor_b = choose_vec3(c, 0.3);
  def->stiffness = choose_positive(c, 100.0);
  def->rest_length = choose_positive(c, 1.0);
  def->damping = choose_positive(c, 1.0);
  def->gravitational_constant = choose_positive(c, 1e-3);
  choose_fluid(c, def);
  if (choose_if(c, 64)) {
    def->region = choose_region(c);
  }
}

static outcome create_potential(fuzz_world *f, choices *c) {
  uint32_t place = choose_below(c, TABLE), kind = choose_byte(c);
  mo_potential_type type = kind < 80 ? MO_POTENTIAL_CUSTOM : (mo_potential_type)(kind % 9);
  mo_potential_def def = mo_potential_def_default(type);
  mo_body_id bodies[2] = {choose_body(f, c), choose_body(f, c)};
  def.bodies = bodies;
  def.body_count = type == MO_POTENTIAL_SPRING ? 1 + choose_below(c, 2) : choose_below(c, 3);
  fuzz_say(f, " %u of type %d on %u", place, type, def.body_count);
  if (type == MO_POTENTIAL_CUSTOM) {
    fuzz_choose_potential_functions(f, c, &def);
  } else {
    choose_numbers(c, &def);
  }
  mo_potential_id id = mo_potential_create(f->world, &def);
  if (mo_potential_id_is_null(id)) {
    return REFUSED;
  }
  f->potentials[place] = id;
  return DONE;
}

static outcome change_potential(fuzz_world *f, choices *c) {
  mo_potential_id id = f->potentials[choose_below(c, TABLE)];
  mo_potential_def def = {0};
  mo_result result = mo_potential_get_def(f->world, id, &def);
  if (result == MO_OK) {
    choose_numbers(c, &def);
    def.type = choose_if(c, 8) ? MO_POTENTIAL_DRAG : def.type;
    result = mo_potential_set_def(f->world, id, &def);
  }
  fuzz_say(f, " %u of type %d", mo_potential_id_slot(id), def.type);
  return outcome_of(result);
}

static outcome destroy_potential(fuzz_world *f, choices *c) {
  mo_potential_id id = f->potentials[choose_below(c, TABLE)];
  fuzz_say(f, " %u", mo_potential_id_slot(id));
  return outcome_of(mo_potential_destroy(f->world, id));
}

const operation fuzz_potential_operations[] = {{"create_potential", 8, create_potential},
                                               {"change_potential", 3, change_potential},
                                               {"destroy_potential", 4, destroy_potential},
                                               {0}};
