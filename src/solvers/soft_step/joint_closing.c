#include "solvers/soft_step/joint_closing.h"

#include "solvers/soft_step/body_links.h"
#include "solvers/soft_step/contacts/contact_groups.h"
#include "solvers/soft_step/joint_groups.h"

// Rounds in a substep. Where 75 ragdolls land, half of the substeps need fewer than 8, one in
// twenty all of them.
#define MOST_ROUNDS 32

// Joints are closed in parts: lanes, then assemblies.
struct mo_joint_closing {
  const mo_substep_solver *step;
  const struct mo_substep_joint_groups *joints;
  // Both by lanes. Who shares vectors with a lane is chance, and may be far away: only the lane's
  // own bodies make it due, and nothing else of its group changes with it.
  mo_body_links contacts;
  mo_body_links parts;
};

// --- what touches which body -----------------------------------------------------------------

// The ends of all items of one kind, in the step's arena.
typedef struct end_list {
  mo_body_end *ends;
  uint32_t count, items;
} end_list;

// Impulses change nothing of a body that they do not move.
static void add_end(end_list *list, const mo_substep_solver *step, uint32_t item, uint32_t body) {
  if (mo_solver_moves(step, body)) {
    list->ends[list->count++] = (mo_body_end){item, body};
  }
}

static bool take_ends(end_list *list, const mo_substep_solver *step, uint32_t most) {
  list->ends = MO_ARENA_TAKE_RAW(step->arena, mo_body_end, most);
  return list->ends;
}

static bool link_ends(mo_body_links *links, const end_list *list, const mo_substep_solver *step) {
  return mo_body_links_make(links, list->ends, list->count, list->items, step->body_count,
                            step->arena);
}

static bool link_contacts(mo_joint_closing *c) {
  const mo_substep_solver *step = c->step;
  uint32_t groups = mo_contacts_group_count(step->contacts);
  end_list list = {.items = MO_LINKED_LANES * groups};
  if (!take_ends(&list, step, 2 * list.items)) {
    return false;
  }
  for (uint32_t i = 0; i < groups; i++) {
    const mo_contact_group *group = step->contacts->groups[i];
    for (uint32_t lane = 0; lane < group->lanes; lane++) {
      add_end(&list, step, MO_LINKED_LANES * i + lane, group->a[lane]);
      add_end(&list, step, MO_LINKED_LANES * i + lane, group->b[lane]);
    }
  }
  return link_ends(&c->contacts, &list, step);
}

static uint32_t body_of_assembly(const mo_assembly *assembly, uint32_t i) {
  uint32_t end = assembly->body_ends[i];
  const mo_assembly_joint *j = &assembly->joints[end / 2];
  return end % 2 == 0 ? j->body_a : j->body_b;
}

static bool link_parts(mo_joint_closing *c) {
  const mo_substep_solver *step = c->step;
  uint32_t lane_count = c->joints->lane_count;
  const mo_assemblies *assemblies = &c->joints->assemblies;
  end_list list = {.items = MO_LINKED_LANES * (lane_count + assemblies->count)};
  if (!take_ends(&list, step, 2 * (list.items + assemblies->joint_count))) {
    return false;
  }
  for (uint32_t i = 0; i < lane_count; i++) {
    const mo_joint_lanes *lanes = &c->joints->lanes[i];
    for (uint32_t lane = 0; !lanes->in_assembly && lane < 4; lane++) {
      add_end(&list, step, MO_LINKED_LANES * i + lane, lanes->body_a[lane]);
      add_end(&list, step, MO_LINKED_LANES * i + lane, lanes->body_b[lane]);
    }
  }
  for (uint32_t i = 0; i < assemblies->count; i++) {
    for (uint32_t k = 0; k < assemblies->all[i].body_count; k++) {
      add_end(&list, step, MO_LINKED_LANES * (lane_count + i),
              body_of_assembly(&assemblies->all[i], k));
    }
  }
  return link_ends(&c->parts, &list, step);
}

bool mo_joint_closing_make(mo_substep_solver *step, const struct mo_substep_joint_groups *joints) {
  mo_joint_closing *closing = MO_ARENA_TAKE(step->arena, mo_joint_closing, 1);
  if (!closing) {
    return false;
  }
  *closing = (mo_joint_closing){.step = step, .joints = joints};
  step->closing = closing;
  return link_contacts(closing) && link_parts(closing);
}

// --- rounds ----------------------------------------------------------------------------------

// Both contacts and joints at a body that closing a joint has changed come next.
static void stir(mo_joint_closing *c, uint32_t body) {
  mo_body_links_stir(&c->contacts, body);
  mo_body_links_stir(&c->parts, body);
}

static void close_lanes(mo_joint_closing *c, mo_joint_lanes *lanes, uint32_t due) {
  int open = mo_joint_lanes_close(lanes, c->step, &c->joints->soft, c->joints->closing_speed, due);
  for (uint32_t lane = 0; lane < 4; lane++) {
    if (open & (1 << lane)) {
      stir(c, lanes->body_a[lane]);
      stir(c, lanes->body_b[lane]);
    }
  }
}

static void close_assembly(mo_joint_closing *c, mo_assembly *assembly) {
  bool open = mo_assembly_close(assembly, c->step, &c->joints->soft, c->joints->closing_speed);
  for (uint32_t i = 0; open && i < assembly->body_count; i++) {
    stir(c, body_of_assembly(assembly, i));
  }
}

static void carry_bodies(const mo_contact_solve *contacts, const mo_contact_group *group,
                         uint32_t due, float sign) {
  const mo_solver_body *bodies = contacts->step->bodies;
  for (uint32_t lane = 0; lane < group->lanes; lane++) {
    uint32_t a = group->a[lane], b = group->b[lane];
    if (due & 1u << lane) {
      mo_carry_velocities(&contacts->carry[a], &bodies[a], sign);
      mo_carry_velocities(&contacts->carry[b], &bodies[b], sign);
    }
  }
}

// What a solve with bias changes in the lanes of a group.
typedef struct group_state {
  mo_f32x4 impulses[4], work;
  mo_solver_body a[4], b[4];
} group_state;

// A group has four points at the most; the bound tells the compiler so.
static void save_lanes(const mo_solver_body *bodies, mo_contact_group *group, group_state *out) {
  for (uint32_t i = 0; i < 4; i++) {
    bool is_point = i < group->point_count;
    out->impulses[i] = is_point ? group->points[i].impulse : mo_f32x4_zero();
  }
  out->work = mo_group_rebound_of(group)->work;
  for (uint32_t lane = 0; lane < 4; lane++) {
    out->a[lane] = bodies[group->a[lane]];
    out->b[lane] = bodies[group->b[lane]];
  }
}

// Lanes that are not due are as before.
static void restore_lanes(const group_state *before, uint32_t due, mo_solver_body *bodies,
                          mo_contact_group *group) {
  mo_i32x4 stays = mo_i32x4_splat(0);
  for (uint32_t lane = 0; lane < group->lanes; lane++) {
    if (!(due & 1u << lane)) {
      stays[lane] = -1;
      bodies[group->a[lane]] = before->a[lane];
      bodies[group->b[lane]] = before->b[lane];
    }
  }
  for (uint32_t i = 0; i < 4 && i < group->point_count; i++) {
    mo_group_point *point = &group->points[i];
    point->impulse = mo_f32x4_select(stays, before->impulses[i], point->impulse);
  }
  mo_group_rebound *rebound = mo_group_rebound_of(group);
  rebound->work = mo_f32x4_select(stays, before->work, rebound->work);
}

// Solves lanes of a group. What contacts change is not to get into the carry, where all changes
// will be.
static void solve_group(mo_joint_closing *c, uint32_t i, uint32_t due) {
  mo_contact_solve *contacts = c->step->contacts;
  mo_contact_group *group = contacts->groups[i];
  group_state before;
  save_lanes(c->step->bodies, group, &before);
  carry_bodies(contacts, group, due, 1.0f);
  mo_contacts_solve_biased(contacts, i, i + 1);
  restore_lanes(&before, due, c->step->bodies, group);
  carry_bodies(contacts, group, due, -1.0f);
  for (uint32_t lane = 0; lane < group->lanes; lane++) {
    if (due & 1u << lane) {
      mo_body_links_stir(&c->parts, group->a[lane]);
      mo_body_links_stir(&c->parts, group->b[lane]);
    }
  }
}

// Solves the contacts that are due. The joints of their bodies are due after that.
static bool solve_contacts(mo_joint_closing *c) {
  bool any = false;
  uint32_t due = 0;
  for (uint32_t i = 0; (due = mo_body_links_next(&c->contacts, &i)) != 0; i++) {
    solve_group(c, i, due);
    any = true;
  }
  return any;
}

static void close_parts(mo_joint_closing *c) {
  uint32_t lane_count = c->joints->lane_count, due = 0;
  for (uint32_t i = 0; (due = mo_body_links_next(&c->parts, &i)) != 0; i++) {
    if (i < lane_count) {
      close_lanes(c, &c->joints->lanes[i], due);
    } else {
      close_assembly(c, &c->joints->assemblies.all[i - lane_count]);
    }
  }
}

// The bodies that the pass over all joints has changed.
static void take_stirred(mo_joint_closing *c) {
  mo_stirred_bodies *stirred = c->step->stirred;
  for (uint32_t body = 1; body < c->step->body_count; body++) {
    if (stirred->are[body]) {
      stirred->are[body] = false;
      stir(c, body);
    }
  }
  stirred->any = false;
}

void mo_joint_closing_run(mo_joint_closing *closing) {
  take_stirred(closing);
  for (int round = 0; round < MOST_ROUNDS && solve_contacts(closing); round++) {
    close_parts(closing);
  }
  mo_body_links_forget(&closing->contacts);
  mo_body_links_forget(&closing->parts);
}
