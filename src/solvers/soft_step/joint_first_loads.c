#include "solvers/soft_step/joint_first_loads.h"

#include "math/scalar.h"
#include "parallel/parallel.h"
#include "solvers/soft_step/assembly/joint_assembly_rows.h"

#include <math.h>

// m/s^2, and rad/s^2: what pulls less at joints is no load. Velocities are floats, and what falls
// freely at 100 m/s would seem to pull by a tenth of it.
#define LEAST_PULL 0.02
// The share of a joint's own mobility that the matrix has more than the joints, so that redundant
// ones have a solution, is a thousandth of that of a chain of 100. A second solution, of what the
// first one has left, makes it a millionth.
#define SOLUTIONS 2

// A pass over the islands.
typedef struct island_pass {
  const struct mo_substep_joint_groups *groups;
  const mo_substep_joints *joints;
  const mo_substep_solver *step;
} island_pass;

// The rates at the start of the step of the joints of an island.
static double *rates_of(const island_pass *pass, const mo_assembly *island) {
  return pass->groups->start_rates +
         MO_NODE_SIZE * (island->joints - pass->groups->starting.joints);
}

static void note_rates(void *context, uint32_t first, uint32_t last) {
  const island_pass *pass = context;
  for (uint32_t i = first; i < last; i++) {
    mo_assembly *island = &pass->groups->starting.all[i];
    double *rates = rates_of(pass, island);
    mo_assembly_begin(island, pass->step, pass->joints);
    for (uint32_t k = 0; k < island->joint_count; k++) {
      mo_row_store(&rates[(size_t)k * MO_NODE_SIZE],
                   mo_assembly_rates(&island->joints[k], pass->step->bodies));
    }
  }
}

bool mo_first_loads_begin(const mo_substep_joints *joints, const mo_substep_solver *step) {
  struct mo_substep_joint_groups *groups = joints->groups;
  const mo_assemblies *islands = &groups->starting;
  island_pass pass = {groups, joints, step};
  groups->start_rates =
      MO_ARENA_TAKE_RAW(step->arena, double, (size_t)MO_NODE_SIZE * islands->joint_count);
  if (!groups->start_rates) {
    return false;
  }
  mo_parallel_for(islands->count, 1, note_rates, &pass);
  return true;
}

// Fills the vector with the changes of the rates that the rows need to be as they were.
static void put_pulls(const mo_assembly *island, const double *start,
                      const mo_solver_body *bodies) {
  for (uint32_t i = 0; i < island->joint_count; i++) {
    size_t at = (size_t)i * MO_NODE_SIZE;
    mo_block_row now = mo_assembly_rates(&island->joints[i], bodies);
    mo_row_store(&island->vector[at],
                 mo_row_sum(mo_row_load(&start[at]), (mo_block_row){-now.x, -now.y, -now.z}));
  }
}

// Rows of points are in the world's unit of length, those behind them are turns.
static bool is_pulled(const mo_assembly *island, const mo_substep_settings *settings) {
  double least = LEAST_PULL * (settings->dt / settings->substeps);
  bool is = false;
  for (size_t i = 0; i < (size_t)MO_NODE_SIZE * island->joint_count; i++) {
    bool is_point = i % MO_NODE_SIZE < island->joints[i / MO_NODE_SIZE].point_rows;
    is = is || fabs(island->vector[i]) > (is_point ? least * settings->metre : least);
  }
  return is;
}

static void find_loads(mo_assembly *island, const double *start, const mo_substep_solver *step) {
  mo_assembly_factorise(island);
  for (int i = 0; i < SOLUTIONS; i++) {
    put_pulls(island, start, step->bodies);
    mo_block_solve(&island->matrix, island->vector);
    mo_assembly_push(island, step->bodies);
  }
}

static void bear(void *context, uint32_t first, uint32_t last) {
  const island_pass *pass = context;
  const mo_substep_solver *step = pass->step;
  for (uint32_t i = first; i < last; i++) {
    mo_assembly *island = &pass->groups->starting.all[i];
    const double *start = rates_of(pass, island);
    put_pulls(island, start, step->bodies);
    if (is_pulled(island, &step->settings)) {
      find_loads(island, start, step);
    }
  }
}

static void add_rows(mo_vec3x4 *to, uint32_t lane, const double *rows, uint32_t count) {
  to->x[lane] += count > 0 ? (float)rows[0] : 0.0f;
  to->y[lane] += count > 1 ? (float)rows[1] : 0.0f;
  to->z[lane] += count > 2 ? (float)rows[2] : 0.0f;
}

static void add_locks(const mo_assembly_joint *from, uint32_t lane, mo_vec3x4 *point,
                      mo_vec3x4 *angle) {
  add_rows(point, lane, from->impulse, from->point_rows);
  if (angle) {
    add_rows(angle, lane, from->impulse + from->point_rows, from->lock_rows - from->point_rows);
  }
}

static void give_load(const mo_assembly_joint *from, mo_joint_lanes *to, uint32_t lane) {
  add_locks(from, lane, &to->impulse, to->frame ? &to->frame->impulse : NULL);
  if (to->learns_loads[lane] + to->keeps_loads[lane] > 0.0f) {
    add_locks(from, lane, &to->steady, to->frame ? &to->frame->steady : NULL);
  }
}

// Four joints of different islands may share a vector, so this is no work for several threads.
static void give_loads(const struct mo_substep_joint_groups *groups) {
  const mo_assemblies *islands = &groups->starting;
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    mo_joint_lanes *lanes = &groups->lanes[i];
    for (uint32_t lane = 0; lane < 4 && lanes->joints[lane] != MO_NO_JOINT; lane++) {
      uint32_t place = islands->places[lanes->joints[lane]];
      if (place != MO_NO_JOINT) {
        give_load(&islands->joints[place], lanes, lane);
      }
    }
  }
}

void mo_first_loads_bear(const mo_substep_joints *joints, const mo_substep_solver *step) {
  struct mo_substep_joint_groups *groups = joints->groups;
  if (groups->starting.count > 0) {
    island_pass pass = {groups, joints, step};
    mo_parallel_for(groups->starting.count, 1, bear, &pass);
    give_loads(groups);
    groups->starting = (mo_assemblies){0};
  }
}
