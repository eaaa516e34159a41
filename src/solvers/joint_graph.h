/// Bodies that joints link, as a graph: its components, and which of them are trees.
///
/// Solvers take what joints link as one, and a system of joints without loops is solved in a time
/// that is linear in their number. So whoever chooses a solver asks the same questions, whatever
/// numbers its bodies have: slots of the world, or bodies of a step.
#pragma once

#include "memory/union_find.h"

#include "memory/arena.h"

/// Most joints at a body of a tree that is solved as one: each pair of them has a block, and the
/// time of the factorisation grows with the cube of their number.
#define MO_MOST_JOINTS_AT_BODY 12u

/// What joints link, directly or over others.
typedef struct mo_joint_component {
  uint32_t members;  ///< bodies
  uint32_t links;    ///< joints between two of them
  uint32_t held;     ///< joints of one of them with what does not move
  bool is_dense;     ///< a body has too many joints
  bool needs_sweeps; ///< it has constraints that no factorisation of joints solves
} mo_joint_component;

typedef struct mo_joint_graph {
  uint32_t body_count;
  uint32_t *parents;              ///< per body, of mo_union_find_root
  uint32_t *at_body;              ///< per body: joints that were counted
  mo_joint_component *components; ///< by the root of their bodies
} mo_joint_graph;

/// Begins with bodies that nothing links. Returns false without memory.
bool mo_joint_graph_begin(mo_joint_graph *graph, uint32_t body_count, mo_arena *arena);
/// Links bodies that move.
static inline void mo_joint_graph_link(mo_joint_graph *graph, const uint32_t *bodies,
                                       uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    mo_union_find_join(graph->parents, bodies[0], bodies[i]);
  }
}
/// The number of the component of a body, once all are linked.
static inline uint32_t mo_joint_graph_root(const mo_joint_graph *graph, uint32_t body) {
  return mo_union_find_root(graph->parents, body);
}
static inline mo_joint_component *mo_joint_graph_component(const mo_joint_graph *graph,
                                                           uint32_t body) {
  return &graph->components[mo_joint_graph_root(graph, body)];
}
/// Counts a joint at its bodies that move, one or two, once all are linked.
void mo_joint_graph_count_joint(mo_joint_graph *graph, const uint32_t *bodies, uint32_t count);
/// Counts the members of the components, after all joints.
void mo_joint_graph_count_members(mo_joint_graph *graph);

/// Whether a component has no loops.
static inline bool mo_joint_component_is_tree(const mo_joint_component *of) {
  return of->links + 1 == of->members;
}
/// Whether its joints can be solved as one in every substep: loops, and bodies with many joints,
/// would make the factorisation slow.
static inline bool mo_joint_component_is_sparse(const mo_joint_component *of) {
  return mo_joint_component_is_tree(of) && !of->is_dense && !of->needs_sweeps;
}
