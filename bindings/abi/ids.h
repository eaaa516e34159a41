/*
 * Ids as they cross the boundary. This is the one place that knows how: exports take a js_id and
 * convert it, records and lists convert by the readers and writers below.
 */
#ifndef MOREAU_ABI_IDS_H
#define MOREAU_ABI_IDS_H

#include "moreau.h"

/** An id as a number of JavaScript. 0 is null. */
typedef uint32_t js_id;

static inline mo_body_id body_of(js_id id) { return id; }
static inline mo_constraint_id constraint_of(js_id id) { return id; }
static inline mo_potential_id potential_of(js_id id) { return id; }

static inline js_id id_of_body(mo_body_id id) { return id; }
static inline js_id id_of_constraint(mo_constraint_id id) { return id; }
static inline js_id id_of_potential(mo_potential_id id) { return id; }

#endif
