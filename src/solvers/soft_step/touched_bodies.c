#include "solvers/soft_step/touched_bodies.h"

#include "memory/union_find.h"
#include "solvers/contact_problem.h"
#include "solvers/soft_step/contacts/contact_groups.h"
#include "solvers/soft_step/joint_groups.h"
#include "solvers/soft_step/joints/joint_data.h"
#include "solvers/soft_step/joints/substep_rows.h"

// The bodies that joints link, by union-find.
typedef struct links {
  const mo_substep_solver *step;
  uint32_t *parents;
} links;

// What no impulse moves hands nothing on.
static void join(links *l, uint32_t a, uint32_t b) {
  if (mo_solver_moves(l->step, a) && mo_solver_moves(l->step, b)) {
    mo_union_find_join(l->parents, a, b);
  }
}

static void join_lanes(links *l, const struct mo_substep_joint_groups *joints) {
  for (uint32_t i = 0; i < joints->lane_count; i++) {
    const mo_joint_lanes *lanes = &joints->lanes[i];
    for (int lane = 0; lane < 4; lane++) {
      join(l, lanes->body_a[lane], lanes->body_b[lane]);
    }
  }
}

// All bodies of a block are linked through the first of them that moves.
static void join_block(links *l, const mo_substep_rows *rows, const mo_row_block *block) {
  uint32_t bodies[MO_ROW_SIDES], count = mo_block_bodies(rows->problem, block, bodies);
  uint32_t first = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t body = rows->bodies[bodies[i]];
    first = mo_solver_moves(l->step, first) ? first : body;
    join(l, first, body);
  }
}

static void join_rows(links *l, const mo_substep_rows *rows) {
  for (uint32_t i = 0; i < rows->problem->block_count; i++) {
    join_block(l, rows, &rows->problem->blocks[i]);
  }
}

static void find_touched(const mo_contact_solve *contacts, bool *touched) {
  uint32_t count = mo_contacts_group_count(contacts);
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_group *group = contacts->groups[i];
    for (uint32_t lane = 0; lane < group->lanes; lane++) {
      touched[group->a[lane]] = touched[group->b[lane]] = true;
    }
  }
}

// A body is reached if a body that is linked to it is touched.
static void find_reached(links *l, mo_touched_bodies *touched) {
  uint32_t count = l->step->body_count;
  for (uint32_t i = 1; i < count; i++) {
    if (touched->are[i] && mo_solver_moves(l->step, i)) {
      touched->reached[mo_union_find_root(l->parents, i)] = true;
    }
  }
  for (uint32_t i = 1; i < count; i++) {
    touched->reached[i] = touched->reached[mo_union_find_root(l->parents, i)];
  }
}

bool mo_touched_bodies_find(mo_substep_solver *step, const struct mo_substep_joint_groups *joints) {
  mo_touched_bodies *touched = step->touched = MO_ARENA_TAKE(step->arena, mo_touched_bodies, 1);
  links l = {step, MO_ARENA_TAKE_RAW(step->arena, uint32_t, step->body_count)};
  if (!touched || !l.parents) {
    return false;
  }
  touched->are = MO_ARENA_TAKE(step->arena, bool, step->body_count);
  touched->reached = MO_ARENA_TAKE(step->arena, bool, step->body_count);
  if (!touched->are || !touched->reached) {
    return false;
  }
  mo_union_find_reset(l.parents, step->body_count);
  join_lanes(&l, joints);
  if (step->joints->rows) {
    join_rows(&l, step->joints->rows);
  }
  find_touched(step->contacts, touched->are);
  find_reached(&l, touched);
  return true;
}
