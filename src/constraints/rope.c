/// Ropes and springs between two points: what has their distance as its coordinate and holds
/// nothing by itself. A rope has an upper limit, its length; a spring has a spring.
#include "constraints/constraint_class.h"
#include "constraints/constraint_table.h"

static mo_constraint_refusal check_rope(const mo_constraint_def *def) {
  return def->drives[0].upper > 0.0
             ? (mo_constraint_refusal){0}
             : (mo_constraint_refusal){"upper",
                                       "must be above 0 m for a rope, of which it is the length",
                                       def->drives[0].upper};
}

static void coordinates(const mo_constraint *c, const mo_constraint_place *at, mo_coordinate *out) {
  mo_distance_class.coordinates(c, at, out);
}

static void substep_form(const mo_constraint *c, mo_substep_joint *joint) {
  // Without a coordinate the distance would be locked.
  joint->point = mo_constraint_is_driven(c) ? MO_SUBSTEP_POINT_DISTANCE : MO_SUBSTEP_POINT_FREE;
  joint->length = c->coordinates[0].drive.lower; // equal limits are a fixed length
}

const mo_constraint_class mo_rope_class = {.name = "rope",
                                           .coordinate_count = 1,
                                           .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                           .starts_taut = true,
                                           .check = check_rope,
                                           .makes_rows = true,
                                           .coordinates = coordinates,
                                           .substep_form = substep_form,
                                           .substep_coordinate_count = 1,
                                           .substep_kinds = {MO_SUBSTEP_LENGTH},
                                           .drawing = MO_DRAW_ANCHORS | MO_DRAW_LINE};

const mo_constraint_class mo_spring_class = {.name = "spring",
                                             .coordinate_count = 1,
                                             .coordinate_kinds = {MO_COORDINATE_LENGTH},
                                             .makes_rows = true,
                                             .coordinates = coordinates,
                                             .substep_form = substep_form,
                                             .substep_coordinate_count = 1,
                                             .substep_kinds = {MO_SUBSTEP_LENGTH},
                                             .drawing = MO_DRAW_ANCHORS | MO_DRAW_LINE};
