/// The making of assemblies: their joints, couplings and matrices.
#include "solvers/soft_step/assembly/joint_assemblies.h"

#include "math/scalar.h"

#include <math.h>

// Appends a row for each coordinate that has limits or drives.
static void add_coordinates(const mo_substep_joints *joints, mo_assembly_joint *to) {
  const mo_substep_joint *joint = &joints->joints[to->joint];
  for (uint32_t i = 0; i < joint->coordinate_count; i++) {
    uint32_t index = joint->first_coordinate + i;
    const mo_substep_coordinate *coordinate = &joints->coordinates[index];
    if (coordinate->lower > -INFINITY || coordinate->upper < INFINITY ||
        mo_substep_is_driven(coordinate)) {
      to->coordinates[to->row_count++ - to->lock_rows].index = index;
    }
  }
}

static mo_assembly_joint assembly_joint(const mo_assembly_plan *m, uint32_t joint) {
  const mo_substep_joint *of = &m->joints->joints[joint];
  mo_joint_edge e = mo_joint_edge_of(of, m->step);
  uint32_t lock_rows = mo_lock_row_count(of);
  mo_assembly_joint out = {.joint = joint,
                           .body_a = e.a,
                           .body_b = e.b,
                           .moves = {e.moves_a, e.moves_b},
                           .point_rows = mo_point_row_count(of),
                           .lock_rows = lock_rows,
                           .row_count = lock_rows};
  if (m->has_coordinates) {
    add_coordinates(m->joints, &out);
  }
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

static uint32_t count_couplings(const mo_assembly_plan *m, const mo_assembly *assembly) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    const mo_assembly_joint *j = &assembly->joints[i];
    count += (j->moves[0] ? m->at_body[j->body_a] - 1 : 0) +
             (j->moves[1] ? m->at_body[j->body_b] - 1 : 0);
  }
  return count / 2;
}

// Notes whether the factorisation would be too much work. Returns false without memory.
static bool make_matrix(mo_assembly *assembly, const mo_assembly_plan *m) {
  mo_arena *arena = m->arena;
  uint32_t count = assembly->coupling_count;
  uint8_t *sizes = MO_ARENA_TAKE_RAW(m->step->arena, uint8_t, assembly->joint_count);
  uint32_t *edges = MO_ARENA_TAKE_RAW(m->step->arena, uint32_t, 2 * (size_t)count);
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
  mo_block_graph graph = {.node_count = assembly->joint_count,
                          .edge_count = count,
                          .sizes = sizes,
                          .edges = edges,
                          .most_work = m->most_work,
                          .stopped = &assembly->is_left_out};
  const mo_block_pattern *pattern = mo_block_analyse(&graph, arena);
  return assembly->is_left_out ||
         (pattern && mo_block_matrix_init(&assembly->matrix, pattern, MO_FORM_LDL, arena));
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

static void set_mass_ratio(mo_assembly *assembly, const mo_assembly_plan *m) {
  double least = INFINITY, most = 0.0; // of inverse masses
  for (uint32_t i = 0; i < assembly->body_count; i++) {
    uint32_t end = assembly->body_ends[i];
    const mo_assembly_joint *j = &assembly->joints[end / 2];
    double inverse = (double)m->step->masses[end % 2 == 0 ? j->body_a : j->body_b].inverse_mass;
    least = mo_min(least, inverse);
    most = mo_max(most, inverse);
  }
  assembly->mass_ratio = most / least;
}

static bool is_driven(const mo_assembly_plan *m, const mo_assembly_joint *j, uint32_t row) {
  return mo_substep_is_driven(&m->joints->coordinates[j->coordinates[row - j->lock_rows].index]);
}

// Finds the rows of coordinates with drives. Returns false without memory.
static bool make_drives(mo_assembly *assembly, const mo_assembly_plan *m) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    const mo_assembly_joint *j = &assembly->joints[i];
    for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
      count += is_driven(m, j, row);
    }
  }
  assembly->drives = MO_ARENA_TAKE(m->arena, mo_assembly_drive, count);
  for (uint32_t i = 0; assembly->drives && i < assembly->joint_count; i++) {
    mo_assembly_joint *j = &assembly->joints[i];
    for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
      if (is_driven(m, j, row)) {
        mo_assembly_drive *drive = &assembly->drives[assembly->drive_count++];
        *drive = (mo_assembly_drive){.joint = i, .row = row};
        j->coordinates[row - j->lock_rows].drive = drive;
      }
    }
  }
  return assembly->drives;
}

static bool make_assembly(mo_assembly *assembly, const mo_assembly_plan *m, uint32_t *last_end) {
  mo_arena *arena = m->arena;
  uint32_t ends = 2 * assembly->joint_count;
  uint32_t *earlier = MO_ARENA_TAKE_RAW(m->step->arena, uint32_t, ends);
  assembly->couplings =
      MO_ARENA_TAKE_RAW(arena, mo_assembly_coupling, count_couplings(m, assembly));
  assembly->vector = MO_ARENA_TAKE(arena, double, (size_t)MO_NODE_SIZE * assembly->joint_count);
  assembly->body_ends = MO_ARENA_TAKE_RAW(arena, uint32_t, ends);
  if (!earlier || !assembly->body_ends || !assembly->couplings || !assembly->vector ||
      !make_drives(assembly, m)) {
    return false;
  }
  assembly->coupling_count = list_couplings(assembly, last_end, earlier, assembly->couplings);
  if (!make_matrix(assembly, m)) {
    return false;
  }
  if (assembly->is_left_out) {
    assembly->joint_count = assembly->body_count = 0;
    return true;
  }
  find_blocks(assembly);
  set_mass_ratio(assembly, m);
  return true;
}

// Makes the assembly of joints of the plan, as far as it does not leave them out.
static bool make_island(mo_assemblies *assemblies, mo_assembly *assembly, const mo_assembly_plan *m,
                        uint32_t first, uint32_t count, uint32_t *last_end) {
  for (uint32_t i = first; i < first + count; i++) {
    assemblies->joints[i] = assembly_joint(m, m->members.order[i]);
  }
  *assembly = (mo_assembly){.joints = &assemblies->joints[first], .joint_count = count};
  if (!make_assembly(assembly, m, last_end)) {
    return false;
  }
  for (uint32_t i = first; i < first + assembly->joint_count; i++) {
    assemblies->places[m->members.order[i]] = i;
  }
  return true;
}

static bool make_assemblies(mo_assemblies *assemblies, const mo_assembly_plan *m) {
  uint32_t islands = m->step->body_count;
  uint32_t *last_end = MO_ARENA_TAKE_RAW(m->step->arena, uint32_t, islands);
  if (!last_end) {
    return false;
  }
  for (uint32_t body = 0; body < islands; body++) {
    last_end[body] = MO_NO_JOINT;
  }
  mo_assembly *next = assemblies->all;
  for (uint32_t island = 0; island < islands; island++) {
    uint32_t first = m->members.firsts[island], count = m->members.firsts[island + 1] - first;
    if (count > 0 && !make_island(assemblies, next++, m, first, count, last_end)) {
      return false;
    }
  }
  return true;
}

bool mo_assemblies_make(mo_assemblies *assemblies, const mo_assembly_plan *plan) {
  uint32_t joint_count = plan->joints->count, islands = plan->step->body_count;
  const uint32_t *firsts = plan->members.firsts;
  assemblies->places = MO_ARENA_TAKE_RAW(plan->arena, uint32_t, joint_count);
  if (!assemblies->places) {
    return false;
  }
  for (uint32_t i = 0; i < joint_count; i++) {
    assemblies->places[i] = MO_NO_JOINT;
  }
  for (uint32_t island = 0; island < islands; island++) {
    assemblies->count += firsts[island + 1] > firsts[island];
  }
  assemblies->joint_count = firsts[islands];
  assemblies->all = MO_ARENA_TAKE(plan->arena, mo_assembly, assemblies->count);
  assemblies->joints = MO_ARENA_TAKE_RAW(plan->arena, mo_assembly_joint, assemblies->joint_count);
  return assemblies->all && assemblies->joints && make_assemblies(assemblies, plan);
}
