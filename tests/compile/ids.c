// Compiled without a definition, and then with each of them: cmake/compile_tests.cmake. Each of
// them is a mistake that the types of ids are there to catch.
#include "moreau.h"

void use_ids(mo_world *world, mo_body_id body, mo_constraint_id joint, mo_potential_id field);
void use_ids(mo_world *world, mo_body_id body, mo_constraint_id joint, mo_potential_id field) {
  mo_body_destroy(world, body);
  mo_constraint_destroy(world, joint);
  mo_potential_destroy(world, field);
#ifdef DESTROY_BODY_BY_JOINT
  mo_body_destroy(world, joint);
#endif
#ifdef DESTROY_BODY_BY_POTENTIAL
  mo_body_destroy(world, field);
#endif
#ifdef DESTROY_BODY_BY_NUMBER
  mo_body_destroy(world, 1);
#endif
#ifdef DESTROY_CONSTRAINT_BY_BODY
  mo_constraint_destroy(world, body);
#endif
#ifdef DESTROY_POTENTIAL_BY_BODY
  mo_potential_destroy(world, body);
#endif
#ifdef JOIN_A_JOINT
  mo_constraint_def def = mo_constraint_def_default(MO_CONSTRAINT_BALL);
  def.body_a = joint;
  mo_constraint_create(world, &def);
#endif
}
