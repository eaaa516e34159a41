/// Operations on constraints.
#include "fuzz_world.h"

// --- life ------------------------------------------------------------------------------------

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
  mo_constraint_type type = kind < 64 ? MO_CONSTRAINT_CUSTOM : (mo_constraint_type)(kind % 17);
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
    fuzz_choose_joint(f, c, &def);
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

// --- changes ---------------------------------------------------------------------------------

static outcome set_drive(fuzz_world *f, choices *c) {
  mo_constraint_id id = f->constraints[choose_below(c, TABLE)];
  uint32_t coordinate = choose_if(c, 160) ? 0 : choose_below(c, MO_CONSTRAINT_COORDINATES + 1);
  mo_coordinate_drive drive = fuzz_choose_drive(c);
  fuzz_say(f, " %u of %u", coordinate, mo_constraint_id_slot(id));
  return outcome_of(mo_constraint_set_drive(f->world, id, coordinate, &drive));
}

static outcome change_constraint(fuzz_world *f, choices *c) {
  mo_constraint_id id = f->constraints[choose_below(c, TABLE)];
  uint32_t kind = choose_below(c, 6);
  double x = choose_number(c, 2.0), y = choose_positive(c, 20.0);
  mo_pose_motor motor = fuzz_choose_pose_motor(c);
  fuzz_say(f, " %u of %u to %g, %g", kind, mo_constraint_id_slot(id), x, y);
  switch (kind) {
  case 0:
    return outcome_of(mo_constraint_set_ratio(f->world, id, x));
  case 1:
    return outcome_of(mo_constraint_set_steering(f->world, id, x));
  case 2:
    return outcome_of(mo_constraint_set_pose_motor(f->world, id, &motor));
  case 3:
    return outcome_of(mo_constraint_set_break(f->world, id, y, 2.0 * y));
  case 4:
    return outcome_of(mo_constraint_set_collide_connected(f->world, id, x > 0.0));
  default:
    return outcome_of(mo_constraint_break(f->world, id));
  }
}

const operation fuzz_constraint_operations[] = {{"create_constraint", 18, create_constraint},
                                                {"destroy_constraint", 4, destroy_constraint},
                                                {"set_drive", 5, set_drive},
                                                {"change_constraint", 7, change_constraint},
                                                {0}};
