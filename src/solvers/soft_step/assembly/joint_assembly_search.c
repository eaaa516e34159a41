/// Which joints are solved together.
#include "solvers/soft_step/assembly/joint_assembly_search.h"

#include "math/scalar.h"
#include "memory/sort.h"
#include "solvers/joint_graph.h"
#include "solvers/soft_step/joints/joint_loads.h"

// A body is light between heavier ones if they are heavier by this factor. Twice per substep a
// sweep takes away all of an error between equal masses but a third, of a body between two that are
// half as heavy again less than a half.
#define LIGHT_RATIO 1.1

// Bodies in a tree from which on it counts as long. The slowest error of a chain of n links shrinks
// by about (pi / n)^2 per sweep: of 128 by a two hundredth in a step of 8 sweeps, so that a longer
// chain falls for seconds before its upper end feels its weight, and a swinging one parts. Chains
// of 100 keep together by sweeps, at a fifth of the cost.
#define LONG_TREE 128u
// Most bodies of a tree that learns loads. Learning is the integral part of a controller, which
// makes motions grow that the sweeps of a substep change by too small a fraction: chains of 40 hang
// still with it, one of 100 kicks.
#define MOST_LEARNERS 32u
// Most joints of an island with loops that is solved once for the loads of new ones. To find out
// that more of them take too much work takes milliseconds itself.
#define MOST_LOOPED_JOINTS 512u

// Data that only the search needs.
typedef struct search {
  const mo_substep_joints *joints;
  const mo_substep_solver *step;
  mo_joint_graph graph;     // of joints with locks, over the bodies of the step
  uint32_t *angles_at_body; // joints that lock angles
  double *heaviest;         // per island: kg, of its bodies
  uint8_t *needs;           // per island: whether its joints are solved together
  uint8_t *starts;          // per island: whether they are once, for the loads of new ones
  double *masses;           // per body: kg, 0 for those that no impulse moves
} search;

static uint32_t index_of(const mo_substep_solver *step, uint32_t slot) {
  return slot == UINT32_MAX ? 0 : step->indices[slot];
}

uint32_t mo_point_row_count(const mo_substep_joint *joint) {
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

uint32_t mo_lock_row_count(const mo_substep_joint *joint) {
  return mo_point_row_count(joint) + angle_row_count(joint);
}

mo_joint_edge mo_joint_edge_of(const mo_substep_joint *joint, const mo_substep_solver *step) {
  uint32_t a = index_of(step, joint->slot_a), b = index_of(step, joint->slot_b);
  return (mo_joint_edge){a, b, mo_solver_moves(step, a), mo_solver_moves(step, b)};
}

static mo_joint_edge edge_of(const search *s, uint32_t joint) {
  return mo_joint_edge_of(&s->joints->joints[joint], s->step);
}

static bool has_rows(const search *s, uint32_t joint) {
  mo_joint_edge e = edge_of(s, joint);
  return mo_lock_row_count(&s->joints->joints[joint]) > 0 && (e.moves_a || e.moves_b);
}

static uint32_t island_of(const search *s, uint32_t joint) {
  mo_joint_edge e = edge_of(s, joint);
  return mo_joint_graph_root(&s->graph, e.moves_a ? e.a : e.b);
}

static const mo_joint_component *component_of(const search *s, uint32_t joint) {
  return &s->graph.components[island_of(s, joint)];
}

// The bodies of a joint with locks that move. Returns their number.
static uint32_t moving_bodies(const search *s, uint32_t joint, uint32_t bodies[2]) {
  mo_joint_edge e = edge_of(s, joint);
  uint32_t count = 0;
  bodies[0] = bodies[1] = 0;
  if (has_rows(s, joint)) {
    bodies[count] = e.a, count += e.moves_a;
    bodies[count] = e.b, count += e.moves_b;
  }
  return count;
}

static void find_islands(search *s) {
  uint32_t bodies[2];
  for (uint32_t i = 0; i < s->joints->count; i++) {
    mo_joint_graph_link(&s->graph, bodies, moving_bodies(s, i, bodies));
  }
  for (uint32_t i = 0; i < s->joints->count; i++) {
    uint32_t count = moving_bodies(s, i, bodies);
    if (count > 0) {
      mo_joint_graph_count_joint(&s->graph, bodies, count);
    }
  }
  mo_joint_graph_count_members(&s->graph);
  for (uint32_t body = 1; body < s->step->body_count; body++) {
    double *heaviest = &s->heaviest[mo_joint_graph_root(&s->graph, body)];
    *heaviest = mo_max(*heaviest, s->masses[body]);
  }
}

// Bodies that are light between heavier ones. Returns false without memory.
static bool find_light_bodies(const search *s) {
  uint32_t count = 0;
  mo_joint_link *links = MO_ARENA_TAKE_RAW(s->step->arena, mo_joint_link, s->joints->count);
  for (uint32_t i = 0; links && i < s->joints->count; i++) {
    if (has_rows(s, i)) {
      mo_joint_edge e = edge_of(s, i);
      links[count++] =
          (mo_joint_link){e.moves_a ? e.a : 0, e.moves_b ? e.b : 0, s->heaviest[island_of(s, i)]};
    }
  }
  const mo_joint_load *loads =
      links ? mo_joint_loads(links, count, s->masses, s->step->body_count, s->step->arena) : NULL;
  for (uint32_t body = 1; loads && body < s->step->body_count; body++) {
    bool is_light = loads[body].second > LIGHT_RATIO * s->masses[body];
    s->needs[mo_joint_graph_root(&s->graph, body)] |= is_light;
  }
  return loads;
}

// Bodies whose orientations are locked to each other in a row bend as one, which takes many sweeps
// to find out: those with a fixed joint beside another joint, or with two hinges. So do those on
// both sides of a drive, if another joint is beside it.
static void find_rows(const search *s) {
  for (uint32_t i = 0; i < s->joints->count; i++) {
    mo_joint_edge e = edge_of(s, i);
    mo_substep_angle_lock angle = s->joints->joints[i].angle;
    bool is_stiff = angle == MO_SUBSTEP_ANGLE_FIXED || mo_substep_joint_is_driven(s->joints, i),
         locks = angle != MO_SUBSTEP_ANGLE_FREE;
    s->angles_at_body[e.a] += e.moves_a && locks;
    s->angles_at_body[e.b] += e.moves_b && locks;
    const uint32_t *at_body = s->graph.at_body;
    bool is_shared = (e.moves_a && at_body[e.a] > 1) || (e.moves_b && at_body[e.b] > 1);
    s->needs[island_of(s, i)] |= is_stiff && is_shared;
  }
  for (uint32_t body = 1; body < s->step->body_count; body++) {
    s->needs[mo_joint_graph_root(&s->graph, body)] |= s->angles_at_body[body] > 1;
  }
}

// Long trees need it too. No others are solved together than those for which it is quick.
static void find_together(const search *s) {
  for (uint32_t island = 1; island < s->step->body_count; island++) {
    const mo_joint_component *of = &s->graph.components[island];
    s->needs[island] =
        (s->needs[island] || of->members >= LONG_TREE) && mo_joint_component_is_sparse(of);
  }
}

// Those that are solved together in every substep begin without loads, and a joint that is alone
// finds its own in one sweep.
static bool may_start(const search *s, uint32_t joint) {
  const mo_joint_component *of = component_of(s, joint);
  uint32_t joints = of->links + of->held;
  return !s->needs[island_of(s, joint)] && joints > 1 && !of->is_dense &&
         (mo_joint_component_is_tree(of) || joints <= MOST_LOOPED_JOINTS);
}

// Islands with a new joint, unless it would take long.
static void find_starts(const search *s) {
  for (uint32_t i = 0; i < s->joints->count; i++) {
    s->starts[island_of(s, i)] |= s->joints->joints[i].is_new && has_rows(s, i) && may_start(s, i);
  }
}

// Loads are learnt in short trees that hang on no more than one joint, and kept elsewhere. In
// loops, and between two supports, what is learnt may have no bound: a level row of links bears its
// weight only by opening.
static mo_load_memory memory_of(const search *s, uint32_t joint) {
  const mo_joint_component *of = component_of(s, joint);
  if (!has_rows(s, joint)) {
    return MO_FORGETS_LOADS;
  }
  bool learns = mo_joint_component_is_tree(of) && of->held <= 1 && of->members <= MOST_LEARNERS;
  return learns ? MO_LEARNS_LOADS : MO_KEEPS_LOADS;
}

static void find_memories(const search *s, uint8_t *memories) {
  for (uint32_t i = 0; i < s->joints->count; i++) {
    memories[i] = (uint8_t)memory_of(s, i);
  }
}

// Sorts the joints of the chosen islands. Returns false without memory.
static bool sort_by_island(const search *s, const uint8_t *chosen, mo_island_joints *to) {
  mo_arena *arena = s->step->arena;
  uint32_t islands = s->step->body_count;
  uint32_t *of_joints = MO_ARENA_TAKE_RAW(arena, uint32_t, s->joints->count);
  to->firsts = MO_ARENA_TAKE(arena, uint32_t, (size_t)islands + 1);
  to->order = MO_ARENA_TAKE_RAW(arena, uint32_t, s->joints->count);
  if (!of_joints || !to->firsts || !to->order) {
    return false;
  }
  for (uint32_t i = 0; i < s->joints->count; i++) {
    uint32_t island = island_of(s, i);
    of_joints[i] = has_rows(s, i) && chosen[island] ? island : MO_NO_GROUP;
  }
  mo_sort_by_group(of_joints, s->joints->count, islands, to->firsts, to->order);
  return true;
}

static bool take_search(search *s) {
  mo_arena *arena = s->step->arena;
  uint32_t bodies = s->step->body_count;
  s->angles_at_body = MO_ARENA_TAKE(arena, uint32_t, bodies);
  s->heaviest = MO_ARENA_TAKE(arena, double, bodies);
  s->needs = MO_ARENA_TAKE(arena, uint8_t, bodies);
  s->masses = MO_ARENA_TAKE(arena, double, bodies);
  s->starts = MO_ARENA_TAKE(arena, uint8_t, bodies);
  return s->angles_at_body && s->heaviest && s->needs && s->masses && s->starts &&
         mo_joint_graph_begin(&s->graph, bodies, arena);
}

static void find_masses(const search *s) {
  for (uint32_t body = 0; body < s->step->body_count; body++) {
    float inverse = s->step->masses[body].inverse_mass;
    s->masses[body] = inverse > 0.0f ? 1.0 / (double)inverse : 0.0;
  }
}

bool mo_assembly_choose(mo_assembly_choice *choice, const mo_substep_joints *joints,
                        const mo_substep_solver *step) {
  search s = {.joints = joints, .step = step};
  uint8_t *memories = MO_ARENA_TAKE_RAW(step->arena, uint8_t, joints->count);
  if (!memories || !take_search(&s)) {
    return false;
  }
  find_masses(&s);
  find_islands(&s);
  find_rows(&s);
  if (!find_light_bodies(&s)) {
    return false;
  }
  find_memories(&s, memories);
  find_together(&s);
  find_starts(&s);
  *choice = (mo_assembly_choice){.at_body = s.graph.at_body, .memories = memories};
  return sort_by_island(&s, s.needs, &choice->together) &&
         sort_by_island(&s, s.starts, &choice->at_first);
}
