/*
 * Ids as they cross the boundary. This is the one place that knows how: exports take a js_id and
 * convert it, records and lists convert by the readers and writers of
 * block.h. What JavaScript reads in place are the structs of moreau.h: a
 * number, as idAt in bindings/core/world-core.mjs has it, below the tag of the world.
 */
#ifndef MOREAU_ABI_IDS_H
#define MOREAU_ABI_IDS_H

#include "moreau.h"

/** An id as a number of JavaScript: generation 2^32 + index1, exact in a double. It lacks the tag
 * of the world, whose handle JavaScript has beside it; 0 is null. */
typedef double js_id;

/** The id that a number stands for, null for what is none, without the tag of a world. */
mo_body_id untagged_body(js_id id);
/** The same id in a world. */
mo_body_id tagged_body(const mo_world *world, mo_body_id id);

/** Both in one. */
mo_body_id body_of(const mo_world *world, js_id id);
mo_constraint_id constraint_of(const mo_world *world, js_id id);
mo_potential_id potential_of(const mo_world *world, js_id id);

js_id id_of_body(mo_body_id id);
js_id id_of_constraint(mo_constraint_id id);
js_id id_of_potential(mo_potential_id id);

#endif
