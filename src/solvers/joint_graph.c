#include "solvers/joint_graph.h"

bool mo_joint_graph_begin(mo_joint_graph *graph, uint32_t body_count, mo_arena *arena) {
  *graph = (mo_joint_graph){.body_count = body_count,
                            .parents = MO_ARENA_TAKE_RAW(arena, uint32_t, body_count),
                            .at_body = MO_ARENA_TAKE(arena, uint32_t, body_count),
                            .components = MO_ARENA_TAKE(arena, mo_joint_component, body_count)};
  if (!graph->parents || !graph->at_body || !graph->components) {
    return false;
  }
  mo_union_find_reset(graph->parents, body_count);
  return true;
}

void mo_joint_graph_count_joint(mo_joint_graph *graph, const uint32_t *bodies, uint32_t count) {
  mo_joint_component *of = mo_joint_graph_component(graph, bodies[0]);
  of->links += count > 1;
  of->held += count == 1;
  for (uint32_t i = 0; i < count; i++) {
    graph->at_body[bodies[i]]++;
  }
}

void mo_joint_graph_count_members(mo_joint_graph *graph) {
  for (uint32_t body = 0; body < graph->body_count; body++) {
    mo_joint_component *of = mo_joint_graph_component(graph, body);
    of->members++;
    of->is_dense = of->is_dense || graph->at_body[body] > MO_MOST_JOINTS_AT_BODY;
  }
}
