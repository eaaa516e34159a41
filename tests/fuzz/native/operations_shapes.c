/// Operations on the shapes of living bodies, and new shapes for the table.
#include "fuzz_world.h"

// Bodies keep the shapes that they have: tables are of what new ones are made of.
static outcome create_shape(fuzz_world *f, choices *c) {
  static const mo_shape_type types[] = {MO_SHAPE_BOX,  MO_SHAPE_SPHERE,      MO_SHAPE_CAPSULE,
                                        MO_SHAPE_HULL, MO_SHAPE_CYLINDER,    MO_SHAPE_CONE,
                                        MO_SHAPE_MESH, MO_SHAPE_HEIGHTFIELD, MO_SHAPE_COMPOUND,
                                        MO_SHAPE_HULL, MO_SHAPE_PLANE};
  mo_result result;
  uint32_t place = choose_below(c, TABLE);
  mo_shape_type type = types[choose_below(c, sizeof types / sizeof *types)];
  mo_shape *shape = fuzz_choose_shape(f, c, type, &result);
  fuzz_say(f, " of type %d into %u", type, place);
  if (!shape) {
    return REFUSED;
  }
  mo_shape_release(f->shapes[place]);
  f->shapes[place] = shape;
  return DONE;
}

// An index of one of its shapes, now and then of none.
static uint32_t choose_index(const fuzz_world *f, choices *c, mo_body_id body) {
  return choose_below(c, 1 + mo_body_shape_count(f->world, body) % 256);
}

static outcome add_shape(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  mo_placed_shape placed = fuzz_choose_placed_shape(f, c, choose_if(c, 128));
  fuzz_say(f, " of type %d to %u", mo_shape_get_type(placed.shape), mo_body_id_slot(body));
  return outcome_of(mo_body_add_shape(f->world, body, &placed));
}

static outcome remove_shape(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  uint32_t index = choose_index(f, c, body);
  fuzz_say(f, " %u of %u", index, mo_body_id_slot(body));
  return outcome_of(mo_body_remove_shape(f->world, body, index));
}

static outcome change_shape(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  uint32_t index = choose_index(f, c, body);
  mo_placed_shape placed = fuzz_choose_placed_shape(f, c, choose_if(c, 128));
  fuzz_say(f, " %u of %u to type %d", index, mo_body_id_slot(body),
           mo_shape_get_type(placed.shape));
  return outcome_of(mo_body_change_shape(f->world, body, index, &placed));
}

static outcome set_shapes(fuzz_world *f, choices *c) {
  mo_placed_shape placed[MOST_SHAPES];
  mo_body_id body = choose_body(f, c);
  uint32_t count = fuzz_choose_placed_shapes(f, c, placed);
  fuzz_say(f, " of %u: %u", mo_body_id_slot(body), count);
  return outcome_of(mo_body_set_shapes(f->world, body, placed, count));
}

static outcome set_sensor(fuzz_world *f, choices *c) {
  mo_body_id body = choose_body(f, c);
  fuzz_say(f, " %u", mo_body_id_slot(body));
  return outcome_of(mo_body_set_sensor(f->world, body, choose_if(c, 128)));
}

const operation fuzz_shape_operations[] = {{"create_shape", 13, create_shape},
                                           {"add_shape", 4, add_shape},
                                           {"remove_shape", 3, remove_shape},
                                           {"change_shape", 4, change_shape},
                                           {"set_shapes", 2, set_shapes},
                                           {"set_sensor", 2, set_sensor},
                                           {0}};
