#include "solvers/soft_step/substep_joints.h"

#include "parallel/parallel.h"
#include "solvers/soft_step/joint_first_loads.h"
#include "solvers/soft_step/joint_stiffness.h"

// Slops by which joints may open in a substep before they are closed, and the contacts of their
// bodies solved again. Springs close about half of an error in a substep, so a joint that contacts
// press on is open by twice as much: 4 mm by the default slop.
#define CLOSING_SLOPS 0.4

// --- passes ----------------------------------------------------------------------------------

typedef struct joint_pass joint_pass;
typedef void lane_visit(const joint_pass *pass, mo_joint_lanes *lanes);
typedef void assembly_visit(const joint_pass *pass, mo_assembly *assembly);

// A pass over the lanes of one colour, or over assemblies.
struct joint_pass {
  const mo_substep_joints *joints;
  const mo_substep_solver *step;
  const struct mo_substep_joint_groups *groups;
  mo_joint_lanes *lanes; // of the colour
  assembly_visit *visit_assembly;
};

static float closing_speed(const mo_substep_settings *settings) {
  return (float)(CLOSING_SLOPS * settings->linear_slop * settings->substeps / settings->dt);
}

// Notes that closing a joint has changed the velocity of a body. Other bodies have none.
static void stir(const mo_substep_solver *step, uint32_t body) {
  if (mo_solver_moves(step, body)) {
    step->stirred->are[body] = true;
    step->stirred->any = true;
  }
}

static inline void begin_lanes(const joint_pass *pass, mo_joint_lanes *lanes) {
  mo_joint_lanes_begin(lanes, pass->joints, pass->step);
}

static inline void warm_start_lanes(const joint_pass *pass, mo_joint_lanes *lanes) {
  mo_joint_lanes_warm_start(lanes, pass->step->bodies);
}

static inline void solve_lanes(const joint_pass *pass, mo_joint_lanes *lanes) {
  mo_joint_lanes_solve(lanes, pass->step->bodies, &pass->groups->soft);
}

static inline void relax_lanes(const joint_pass *pass, mo_joint_lanes *lanes) {
  mo_joint_lanes_refresh(lanes, pass->step->bodies);
  mo_joint_lanes_relax(lanes, pass->step->bodies, &pass->groups->rigid);
}

static void stir_lanes(const mo_substep_solver *step, const mo_joint_lanes *lanes, int open) {
  for (int lane = 0; open != 0 && lane < 4; lane++) {
    if (open & (1 << lane)) {
      stir(step, lanes->body_a[lane]);
      stir(step, lanes->body_b[lane]);
    }
  }
}

// The lanes that contacts reach, a bit for each. What they do not reach they have not opened.
static uint32_t reached_lanes(const mo_substep_solver *step, const mo_joint_lanes *lanes) {
  const bool *reached = step->touched->reached;
  uint32_t bits = 0;
  for (int lane = 0; lane < 4; lane++) {
    bool is_reached = reached[lanes->body_a[lane]] || reached[lanes->body_b[lane]];
    bits |= (uint32_t)is_reached << lane;
  }
  return bits;
}

static inline void close_lanes(const joint_pass *pass, mo_joint_lanes *lanes) {
  int open = mo_joint_lanes_close(lanes, pass->step, &pass->groups->soft,
                                  pass->groups->closing_speed, reached_lanes(pass->step, lanes));
  stir_lanes(pass->step, lanes, open);
}

// Visits a range of lanes by a function that is known where this is compiled, so that none is
// called for each of them.
static inline void visit_range(void *context, uint32_t first, uint32_t last, lane_visit *function) {
  const joint_pass *pass = context;
  for (uint32_t i = first; i < last; i++) {
    function(pass, &pass->lanes[i]);
  }
}

static void begin_range(void *context, uint32_t first, uint32_t last) {
  visit_range(context, first, last, begin_lanes);
}

static void warm_start_range(void *context, uint32_t first, uint32_t last) {
  visit_range(context, first, last, warm_start_lanes);
}

static void solve_range(void *context, uint32_t first, uint32_t last) {
  visit_range(context, first, last, solve_lanes);
}

static void relax_range(void *context, uint32_t first, uint32_t last) {
  visit_range(context, first, last, relax_lanes);
}

static void close_range(void *context, uint32_t first, uint32_t last) {
  visit_range(context, first, last, close_lanes);
}

// Runs a pass on all lanes, colour by colour; those of the last colour run in order. Most colours
// have none in small worlds.
static void run(const mo_substep_joints *joints, const mo_substep_solver *step,
                mo_range_function *range) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  for (uint32_t c = 0; c < MO_JOINT_COLOURS; c++) {
    uint32_t first = groups->colour_firsts[c], count = groups->colour_firsts[c + 1] - first;
    joint_pass pass = {joints, step, groups, &groups->lanes[first], NULL};
    if (first == groups->lane_count) {
      return;
    }
    if (c == MO_JOINT_OVERFLOW) {
      range(&pass, 0, count);
    } else if (count > 0) {
      mo_parallel_for(count, MO_GROUPS_AT_ONCE, range, &pass);
    }
  }
}

// --- assemblies ------------------------------------------------------------------------------

static void begin_assembly(const joint_pass *pass, mo_assembly *assembly) {
  mo_assembly_begin(assembly, pass->step, pass->joints);
}

static void forget_and_solve(const joint_pass *pass, mo_assembly *assembly) {
  mo_assembly_forget(assembly);
  mo_assembly_solve(assembly, pass->step, &pass->groups->soft);
}

static void relax_assembly(const joint_pass *pass, mo_assembly *assembly) {
  mo_assembly_refresh(assembly, pass->step);
  mo_assembly_solve(assembly, pass->step, &pass->groups->rigid);
  mo_assembly_sum(assembly);
}

static bool is_reached(const mo_substep_solver *step, const mo_assembly *assembly) {
  const mo_assembly_joint *joint = assembly->joints; // all of them are linked
  return step->touched->reached[joint->body_a] || step->touched->reached[joint->body_b];
}

static void close_assembly(const joint_pass *pass, mo_assembly *assembly) {
  bool open =
      is_reached(pass->step, assembly) &&
      mo_assembly_close(assembly, pass->step, &pass->groups->soft, pass->groups->closing_speed);
  for (uint32_t k = 0; open && k < assembly->joint_count; k++) {
    stir(pass->step, assembly->joints[k].body_a);
    stir(pass->step, assembly->joints[k].body_b);
  }
}

static void visit_assemblies(void *context, uint32_t first, uint32_t last) {
  const joint_pass *pass = context;
  for (uint32_t i = first; i < last; i++) {
    pass->visit_assembly(pass, &pass->groups->assemblies.all[i]);
  }
}

static void run_assemblies(const mo_substep_joints *joints, const mo_substep_solver *step,
                           assembly_visit *visit) {
  joint_pass pass = {joints, step, joints->groups, NULL, visit};
  mo_parallel_for(joints->groups->assemblies.count, 1, visit_assemblies, &pass);
}

// --- interface -------------------------------------------------------------------------------

bool mo_substep_joints_prepare(mo_substep_joints *joints, mo_substep_solver *step) {
  if ((joints->rows && !mo_substep_rows_prepare(joints->rows, step)) ||
      (!joints->groups && !mo_joint_groups_make(joints, step))) {
    return false;
  }
  joints->groups->soft = mo_joint_softness_of(&step->settings);
  joints->groups->rigid = mo_joint_softness_rigid(&step->settings);
  joints->groups->closing_speed = closing_speed(&step->settings);
  joints->groups->is_begun = true;
  run(joints, step, begin_range);
  if (!mo_joints_stiffen(joints, step)) {
    return false;
  }
  run_assemblies(joints, step, begin_assembly);
  return mo_first_loads_begin(joints, step);
}

static void solve_with_bias(mo_substep_joints *joints, mo_substep_solver *step) {
  run(joints, step, warm_start_range);
  if (joints->rows) {
    mo_substep_rows_warm_start(joints->rows, step);
  }
  mo_first_loads_bear(joints, step);
  run(joints, step, solve_range);
  run_assemblies(joints, step, forget_and_solve);
}

void mo_substep_joints_close(mo_substep_joints *joints, const mo_substep_solver *step) {
  run(joints, step, close_range);
  run_assemblies(joints, step, close_assembly);
}

static void relax(mo_substep_joints *joints, mo_substep_solver *step) {
  run(joints, step, relax_range);
  run_assemblies(joints, step, relax_assembly);
}

void mo_substep_joints_solve(mo_substep_joints *joints, mo_substep_solver *step, bool with_bias) {
  if (with_bias) {
    solve_with_bias(joints, step);
  } else {
    relax(joints, step);
  }
  if (joints->rows) {
    mo_substep_rows_solve(joints->rows, step, with_bias);
  }
}

void mo_substep_joints_take(const mo_substep_joints *joints, uint32_t substeps) {
  const struct mo_substep_joint_groups *groups = joints->groups;
  for (uint32_t i = 0; i < groups->lane_count; i++) {
    if (groups->lanes[i].is_quiet) {
      mo_joint_lanes_take_quiet(&groups->lanes[i], groups->is_begun, substeps, joints);
    }
  }
}

void mo_substep_joints_store(mo_substep_joints *joints, const mo_substep_solver *step) {
  for (uint32_t i = 0; i < joints->groups->lane_count; i++) {
    mo_joint_lanes *lanes = &joints->groups->lanes[i];
    mo_joint_lanes_end(lanes, step);
    bool is_left = lanes->is_quiet && joints->keeps_quiet;
    for (int lane = 0; !is_left && lane < 4; lane++) {
      if (lanes->joints[lane] != MO_NO_JOINT) {
        mo_joint_lanes_take(lanes, lane, step->settings.substeps, joints);
      }
    }
  }
  const mo_assemblies *assemblies = &joints->groups->assemblies;
  for (uint32_t i = 0; i < assemblies->joint_count; i++) {
    const mo_assembly_joint *joint = &assemblies->joints[i];
    mo_assembly_joint_take(joint, step->settings.substeps, joints);
  }
  joints->groups->is_begun = false;
  if (joints->rows) {
    mo_substep_rows_store(joints->rows, step);
  }
}
