/// Operations on constraints and potentials.
#include "fuzz_world.h"

// --- constraints -----------------------------------------------------------------------------

static void choose_joint(choices *c, mo_constraint_def *def) {
  def->anchor_a = choose_vec3(c, 0.5);
  def->anchor_b = choose_vec3(c, 0.5);
  def->axis_a = choose_vec3(c, 1.0);
  def->axis_b = choose_if(c, 128) ? def->axis_a : choose_vec3(c, 1.0);
  uint32_t limits = choose_byte(c);
  if (limits < 64) {
    def->drives[0].lower = -choose_positive(c, 1.0);
    def->drives[0].upper = choose_positive(c, 1.0);
    def->drives[0].lower = def->type == MO_CONSTRAINT_DISTANCE ? 0.0 : def->drives[0].lower;
  } else if (limits < 96) {
    def->has_length = true;
    def->length = choose_positive(c, 1.0);
  }
}

// Returns the number of rows whose bounds were written.
static uint32_t choose_bounds(choices *c, mo_row_bounds *bounds) {
  mo_row_bounds box = mo_row_bounds_bilateral(), cone = mo_row_bounds_bilateral();
  double lower = choose_number(c, 10.0), width = choose_positive(c, 10.0);
  (void)mo_row_bounds_box(lower, lower + width, &box);
  (void)mo_row_bounds_cone(choose_positive(c, 1.0), &cone);
  uint32_t kind = choose_below(c, 5), rows = 1 + choose_below(c, 3);
  mo_row_bounds chosen = kind < 2    ? mo_row_bounds_bilateral()
                         : kind == 2 ? mo_row_bounds_unilateral()
                         : kind == 3 ? box
                                     : cone;
  for (uint32_t i = 0; i < 3; i++) {
    bounds[i] = chosen;
  }
  return kind == 4 ? 3 : rows;
}

static outcome create_constraint(fuzz_world *f, choices *c) {
  uint32_t place = choose_below(c, TABLE), kind = choose_byte(c);
  mo_constraint_type type = kind < 128 ? MO_CONSTRAINT_CUSTOM : (mo_constraint_type)(kind % 7);
  mo_constraint_def def = mo_constraint_def_default(type);
  mo_row_bounds bounds[3];
  def.body_a = choose_body(f, c);
  def.body_b = choose_if(c, 48) ? MO_NULL_BODY_ID : choose_body(f, c);
  def.collide_connected = choose_if(c, 64);
  fuzz_say(f, " %u of type %d between %u and %u", place, type, mo_body_id_slot(def.body_a),
           mo_body_id_slot(def.body_b));
  if (type == MO_CONSTRAINT_CUSTOM) {
    def.dimension = choose_bounds(c, bounds);
    def.bounds = choose_if(c, 192) ? bounds : NULL;
    fuzz_choose_constraint_functions(f, c, &def);
  } else {
    choose_joint(c, &def);
  }
  if (choose_if(c, 48)) {
    def.has_stabilization = choose_if(c, 192);
    def.alpha = choose_positive(c, 50.0);
    def.beta = choose_positive(c, 50.0);
    def.compliance = choose_positive(c, 0.1);
  }
  mo_constraint_id id = mo_constraint_create(f->world, &def);
  if (mo_constraint_id_is_null(id)) {
    return REFUSED;
  }
  f->constraints[place] = id;
  return DONE;
}

static outcome destroy_constraint(fuzz_world *f, choices *c) {
  mo_constraint_id id = f->constraints[choose_below(c, TABLE)];
  fuzz_say(f, " %u", mo_constraint_id_slot(id));
  return outcome_of(mo_constraint_destroy(f->world, id));
}

// --- potentials ------------------------------------------------------------------------------

static void choose_numbers_of_potential(choices *c, mo_potential_def *def) {
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
}

static outcome create_potential(fuzz_world *f, choices *c) {
  uint32_t place = choose_below(c, TABLE), kind = choose_byte(c);
  mo_potential_type type = kind < 112 ? MO_POTENTIAL_CUSTOM : (mo_potential_type)(kind % 7);
  mo_potential_def def = mo_potential_def_default(type);
  mo_body_id bodies[2] = {choose_body(f, c), choose_body(f, c)};
  def.bodies = bodies;
  def.body_count = type == MO_POTENTIAL_SPRING ? 1 + choose_below(c, 2) : choose_below(c, 3);
  fuzz_say(f, " %u of type %d on %u", place, type, def.body_count);
  if (type == MO_POTENTIAL_CUSTOM) {
    fuzz_choose_potential_functions(f, c, &def);
  } else {
    choose_numbers_of_potential(c, &def);
  }
  mo_potential_id id = mo_potential_create(f->world, &def);
  if (mo_potential_id_is_null(id)) {
    return REFUSED;
  }
  f->potentials[place] = id;
  return DONE;
}

static outcome destroy_potential(fuzz_world *f, choices *c) {
  mo_potential_id id = f->potentials[choose_below(c, TABLE)];
  fuzz_say(f, " %u", mo_potential_id_slot(id));
  return outcome_of(mo_potential_destroy(f->world, id));
}

const operation fuzz_constraint_operations[] = {{"create_constraint", 20, create_constraint},
                                                {"destroy_constraint", 6, destroy_constraint},
                                                {"create_potential", 8, create_potential},
                                                {"destroy_potential", 6, destroy_potential},
                                                {0}};
