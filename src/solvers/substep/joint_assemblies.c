/// Which joints are solved together.
#include "solvers/substep/joint_assemblies.h"

#include "math/scalar.h"
#include "memory/sort.h"
#include "memory/union_find.h"
#include "solvers/substep/joint_loads.h"

#include <math.h>

// Most joints at a body: each pair of them has a block, and the time of the factorisation grows
// with the cube of their number.
#define MOST_JOINTS_AT_BODY 12u

// A body is light between heavier ones if they are heavier by this factor. Twice per substep a
// sweep takes away all of an error between equal masses but a third, of a body between two that are
// half as heavy again less than a half.
#define LIGHT_RATIO 1.1

// Data that only the search needs.
typedef struct search {
  const mo_substep_joints *joints;
  const mo_substep_solver *step;
  uint32_t *islands;        // per body, of mo_union_find
  uint32_t *at_body;        // joints at each body
  uint32_t *angles_at_body; // joints of them that lock angles
  uint32_t *links;          // per island: joints between two moving bodies
  uint32_t *members;        // per island: moving bodies
  double *heaviest;         // per island: kg, of its bodies
  uint8_t *needs;           // per island: whether its joints are solved together
  double *masses;           // per body: kg, 0 for those that no impulse moves
  uint32_t *firsts;         // per island, of the joints in `order`
  uint32_t *order;          // joints by island, then by creation
} search;

static uint32_t index_of(const mo_substep_solver *step, uint32_t slot) {
  return slot == UINT32_MAX ? 0 : step->indices[slot];
}

static uint32_t point_row_count(const mo_substep_joint *joint) {
  switch (joint->point) {
  case MO_SUBSTEP_POINT_BALL:
    return 3;
  case MO_SUBSTEP_POINT_LINE:
    return 2;
  case MO_SUBSTEP_POINT_DISTANCE: // with a coordinate it has no other row
    return joint->coordinate_count > 0 ? 0 : 1;
  case MO_SUBSTEP_POINT_FREE:
    break;
  }
  return 0;
}

static uint32_t angle_row_count(const mo_substep_joint *joint) {
  return joint->angle == MO_SUBSTEP_ANGLE_FIXED   ? 3
         : joint->angle == MO_SUBSTEP_ANGLE_HINGE ? 2
                                                  : 0;
}

static uint32_t lock_row_count(const mo_substep_joint *joint) {
  return point_row_count(joint) + angle_row_count(joint);
}

// Appends a row for the limits of each coordinate that has some.
static void add_limits(const mo_substep_joints *joints, mo_assembly_joint *to) {
  const mo_substep_joint *joint = &joints->joints[to->joint];
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    uint32_t index = joint->first_coordinate + i;
    const mo_substep_coordinate *coordinate = &joints->coordinates[index];
    if (coordinate->lower > -INFINITY || coordinate->upper < INFINITY) {
      to->limits[to->row_count++ - to->lock_rows].coordinate = index;
    }
  }
}

static bool moves(const search *s, uint32_t body) {
  return s->step->masses[body].inverse_mass > 0.0f;
}

// A joint as an edge between bodies.
typedef struct edge {
  uint32_t a, b;
  bool moves_a, moves_b;
} edge;

static edge edge_of(const search *s, uint32_t joint) {
  const mo_substep_joint *of = &s->joints->joints[joint];
  uint32_t a = index_of(s->step, of->slot_a), b = index_of(s->step, of->slot_b);
  return (edge){a, b, moves(s, a), moves(s, b)};
}

static bool has_rows(const search *s, uint32_t joint) {
  edge e = edge_of(s, joint);
  return lock_row_count(&s->joints->joints[joint]) > 0 && (e.moves_a || e.moves_b);
}

static uint32_t island_of(const search *s, uint32_t joint) {
  edge e = edge_of(s, joint);
  return mo_union_find_root(s->islands, e.moves_a ? e.a : e.b);
}

// --- which ones ------------------------------------------------------------------------------

static void find_islands(const search *s) {
  mo_union_find_reset(s->islands, s->step->body_count);
  for (uint32_t i = 0; i < s->joints->count; i++) {
    edge e = edge_of(s, i);
    if (has_rows(s, i)) {
      s->at_body[e.a] += e.moves_a;
      s->at_body[e.b] += e.moves_b;
      if (e.moves_a && e.moves_b) {
        mo_union_find_join(s->islands, e.a, e.b);
      }
    }
  }
}

static void count_members(const search *s) {
  for (uint32_t body = 1; body < s->step->body_count; body++) {
    uint32_t island = mo_union_find_root(s->islands, body);
    s->members[island]++;
    s->heaviest[island] = mo_max(s->heaviest[island], s->masses[body]);
  }
  for (uint32_t i = 0; i < s->joints->count; i++) {
    edge e = edge_of(s, i);
    s->links[island_of(s, i)] += has_rows(s, i) && e.moves_a && e.moves_b;
  }
}

// Bodies that are light between heavier ones. Returns false without memory.
static bool find_light_bodies(const search *s) {
  uint32_t count = 0;
  mo_joint_link *links = MO_ARENA_TAKE_RAW(s->step->arena, mo_joint_link, s->joints->count);
  for (uint32_t i = 0; links && i < s->joints->count; i++) {
    if (has_rows(s, i)) {
      edge e = edge_of(s, i);
      links[count++] =
          (mo_joint_link){e.moves_a ? e.a : 0, e.moves_b ? e.b : 0, s->heaviest[island_of(s, i)]};
    }
  }
  const mo_joint_load *loads =
      links ? mo_joint_loads(links, count, s->masses, s->step->body_count, s->step->arena) : NULL;
  for (uint32_t body = 1; loads && body < s->step->body_count; body++) {
    bool is_light = loads[body].second > LIGHT_RATIO * s->masses[body];
    s->needs[mo_union_find_root(s->islands, body)] |= is_light;
  }
  return loads;
}

// Bodies whose orientations are locked to each other in a row bend as one, which takes many sweeps
// to find out: those with a fixed joint beside another joint, or with two hinges.
static void find_rows(const search *s) {
  for (uint32_t i = 0; i < s->joints->count; i++) {
    edge e = edge_of(s, i);
    mo_substep_angle_lock angle = s->joints->joints[i].angle;
    bool is_fixed = angle == MO_SUBSTEP_ANGLE_FIXED, locks = angle != MO_SUBSTEP_ANGLE_FREE;
    s->angles_at_body[e.a] += e.moves_a && locks;
    s->angles_at_body[e.b] += e.moves_b && locks;
    bool is_shared = (e.moves_a && s->at_body[e.a] > 1) || (e.moves_b && s->at_body[e.b] > 1);
    s->needs[island_of(s, i)] |= is_fixed && is_shared;
  }
  for (uint32_t body = 1; body < s->step->body_count; body++) {
    s->needs[mo_union_find_root(s->islands, body)] |= s->angles_at_body[body] > 1;
  }
}

// Loops, and bodies with many joints, would make the factorisation slow.
static void exclude_dense(const search *s) {
  for (uint32_t body = 1; body < s->step->body_count; body++) {
    uint32_t island = mo_union_find_root(s->islands, body);
    bool is_tree = s->links[island] + 1 == s->members[island];
    if (!is_tree || s->at_body[body] > MOST_JOINTS_AT_BODY) {
      s->needs[island] = 0;
    }
  }
}

static bool is_chosen(const search *s, uint32_t joint) {
  return has_rows(s, joint) && s->needs[island_of(s, joint)];
}

static void sort_by_island(const search *s) {
  uint32_t islands = s->step->body_count;
  for (uint32_t i = 0; i < s->joints->count; i++) {
    s->firsts[island_of(s, i) + 1] += is_chosen(s, i);
  }
  mo_sum_counts(s->firsts, islands);
  for (uint32_t i = 0; i < s->joints->count; i++) {
    if (is_chosen(s, i)) {
      s->order[s->firsts[island_of(s, i)]++] = i;
    }
  }
  for (uint32_t island = islands; island > 0; island--) {
    s->firsts[island] = s->firsts[island - 1];
  }
  s->firsts[0] = 0;
}

// --- assemblies ------------------------------------------------------------------------------

static mo_assembly_joint assembly_joint(const search *s, uint32_t joint) {
  const mo_substep_joint *of = &s->joints->joints[joint];
  edge e = edge_of(s, joint);
  uint32_t lock_rows = lock_row_count(of);
  mo_assembly_joint out = {.joint = joint,
                           .body_a = e.a,
                           .body_b = e.b,
                           .moves = {e.moves_a, e.moves_b},
                           .point_rows = point_row_count(of),
                           .lock_rows = lock_rows,
                           .row_count = lock_rows};
  add_limits(s->joints, &out);
  return out;
}

// Lists the bodies, and the couplings of the joints at each body, in the order of the joints.
// `at_body` holds the last joint at each body, `earlier` the one before at the same body: lists of
// all pairs.
static uint32_t list_couplings(mo_assembly *assembly, uint32_t *last_end, uint32_t *earlier_ends,
                               mo_assembly_coupling *couplings) {
  uint32_t count = 0;
  for (uint32_t end = 0; end < 2 * assembly->joint_count; end++) {
    const mo_assembly_joint *j = &assembly->joints[end / 2];
    uint32_t body = end % 2 == 0 ? j->body_a : j->body_b;
    if (!j->moves[end % 2]) {
      continue;
    }
    if (last_end[body] == MO_NO_JOINT) {
      assembly->body_ends[assembly->body_count++] = end;
    }
    for (uint32_t other = last_end[body]; other != MO_NO_JOINT; other = earlier_ends[other]) {
      couplings[count++] = (mo_assembly_coupling){
          .row = other / 2, .column = end / 2, .row_side = other % 2, .column_side = end % 2};
    }
    earlier_ends[end] = last_end[body];
    last_end[body] = end;
  }
  return count;
}

static uint32_t count_couplings(const search *s, const mo_assembly *assembly) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    const mo_assembly_joint *j = &assembly->joints[i];
    count += (j->moves[0] ? s->at_body[j->body_a] - 1 : 0) +
             (j->moves[1] ? s->at_body[j->body_b] - 1 : 0);
  }
  return count / 2;
}

static bool make_matrix(mo_assembly *assembly, const search *s) {
  mo_arena *arena = s->joints->arena;
  uint32_t count = assembly->coupling_count;
  uint8_t *sizes = MO_ARENA_TAKE_RAW(s->step->arena, uint8_t, assembly->joint_count);
  uint32_t *edges = MO_ARENA_TAKE_RAW(s->step->arena, uint32_t, 2 * (size_t)count);
  if (!sizes || !edges) {
    return false;
  }
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    sizes[i] = (uint8_t)assembly->joints[i].row_count;
  }
  for (uint32_t i = 0; i < count; i++) {
    edges[2 * (size_t)i] = assembly->couplings[i].row;
    edges[2 * (size_t)i + 1] = assembly->couplings[i].column;
  }
  mo_block_graph graph = {
      .node_count = assembly->joint_count, .edge_count = count, .sizes = sizes, .edges = edges};
  const mo_block_pattern *pattern = mo_block_analyse(&graph, arena);
  return pattern && mo_block_matrix_init(&assembly->matrix, pattern, MO_FORM_LDL, arena);
}

static void turn_coupling(mo_assembly_coupling *c) {
  *c = (mo_assembly_coupling){
      .row = c->column, .column = c->row, .row_side = c->column_side, .column_side = c->row_side};
}

// Half of the blocks exist: those above the diagonal in the order of elimination.
static void find_blocks(mo_assembly *assembly) {
  for (uint32_t i = 0; i < assembly->coupling_count; i++) {
    mo_assembly_coupling *c = &assembly->couplings[i];
    if (!mo_block_at(&assembly->matrix, c->row, c->column)) {
      turn_coupling(c);
    }
    c->block = mo_block_at(&assembly->matrix, c->row, c->column);
  }
}

static bool make_assembly(mo_assembly *assembly, const search *s, uint32_t *last_end) {
  mo_arena *arena = s->joints->arena;
  uint32_t ends = 2 * assembly->joint_count;
  uint32_t *earlier = MO_ARENA_TAKE_RAW(s->step->arena, uint32_t, ends);
  assembly->couplings =
      MO_ARENA_TAKE_RAW(arena, mo_assembly_coupling, count_couplings(s, assembly));
  assembly->vector = MO_ARENA_TAKE(arena, double, (size_t)MO_NODE_SIZE * assembly->joint_count);
  assembly->body_ends = MO_ARENA_TAKE_RAW(arena, uint32_t, ends);
  if (!earlier || !assembly->body_ends || !assembly->couplings || !assembly->vector) {
    return false;
  }
  assembly->coupling_count = list_couplings(assembly, last_end, earlier, assembly->couplings);
  if (!make_matrix(assembly, s)) {
    return false;
  }
  find_blocks(assembly);
  return true;
}

static bool make_assemblies(mo_assemblies *assemblies, const search *s) {
  uint32_t islands = s->step->body_count;
  uint32_t *last_end = MO_ARENA_TAKE_RAW(s->step->arena, uint32_t, islands);
  if (!last_end) {
    return false;
  }
  for (uint32_t body = 0; body < islands; body++) {
    last_end[body] = MO_NO_JOINT;
  }
  mo_assembly *next = assemblies->all;
  for (uint32_t island = 0; island < islands; island++) {
    uint32_t first = s->firsts[island], count = s->firsts[island + 1] - first;
    if (count == 0) {
      continue;
    }
    for (uint32_t i = first; i < first + count; i++) {
      assemblies->joints[i] = assembly_joint(s, s->order[i]);
      assemblies->places[s->order[i]] = i;
    }
    *next = (mo_assembly){.joints = &assemblies->joints[first], .joint_count = count};
    if (!make_assembly(next++, s, last_end)) {
      return false;
    }
  }
  return true;
}

static bool take_search(search *s) {
  mo_arena *arena = s->step->arena;
  uint32_t bodies = s->step->body_count;
  s->islands = MO_ARENA_TAKE_RAW(arena, uint32_t, bodies);
  s->at_body = MO_ARENA_TAKE(arena, uint32_t, bodies);
  s->angles_at_body = MO_ARENA_TAKE(arena, uint32_t, bodies);
  s->links = MO_ARENA_TAKE(arena, uint32_t, bodies);
  s->members = MO_ARENA_TAKE(arena, uint32_t, bodies);
  s->heaviest = MO_ARENA_TAKE(arena, double, bodies);
  s->needs = MO_ARENA_TAKE(arena, uint8_t, bodies);
  s->masses = MO_ARENA_TAKE(arena, double, bodies);
  s->firsts = MO_ARENA_TAKE(arena, uint32_t, (size_t)bodies + 1);
  s->order = MO_ARENA_TAKE_RAW(arena, uint32_t, s->joints->count);
  return s->islands && s->at_body && s->angles_at_body && s->links && s->members && s->heaviest &&
         s->needs && s->masses && s->firsts && s->order;
}

static void find_masses(const search *s) {
  for (uint32_t body = 0; body < s->step->body_count; body++) {
    float inverse = s->step->masses[body].inverse_mass;
    s->masses[body] = inverse > 0.0f ? 1.0 / (double)inverse : 0.0;
  }
}

bool mo_assemblies_find(mo_assemblies *assemblies, const mo_substep_joints *joints,
                        const mo_substep_solver *step) {
  search s = {.joints = joints, .step = step};
  assemblies->places = MO_ARENA_TAKE_RAW(joints->arena, uint32_t, joints->count);
  if (!assemblies->places || !take_search(&s)) {
    return false;
  }
  find_masses(&s);
  find_islands(&s);
  count_members(&s);
  find_rows(&s);
  if (!find_light_bodies(&s)) {
    return false;
  }
  exclude_dense(&s);
  sort_by_island(&s);
  for (uint32_t i = 0; i < joints->count; i++) {
    assemblies->places[i] = MO_NO_JOINT;
  }
  for (uint32_t island = 0; island < step->body_count; island++) {
    assemblies->count += s.firsts[island + 1] > s.firsts[island];
  }
  assemblies->joint_count = s.firsts[step->body_count];
  assemblies->all = MO_ARENA_TAKE(joints->arena, mo_assembly, assemblies->count);
  assemblies->joints = MO_ARENA_TAKE_RAW(joints->arena, mo_assembly_joint, assemblies->joint_count);
  return assemblies->all && assemblies->joints && make_assemblies(assemblies, &s);
}
