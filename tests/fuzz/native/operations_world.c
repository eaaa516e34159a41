/// Operations on worlds: steps and settings.
#include "fuzz_world.h"

// --- settings --------------------------------------------------------------------------------

static void choose_substep_settings(choices *c, mo_world_def *def) {
  def->substeps = 1 + choose_below(c, 6);
  def->certify = choose_if(c, 64);
  if (choose_if(c, 48)) {
    def->contact_hertz = choose_positive(c, 100.0);
    def->contact_damping = choose_positive(c, 20.0);
    def->joint_hertz = choose_positive(c, 200.0);
    def->joint_damping = choose_positive(c, 2.0);
  }
}

static void choose_exact_settings(choices *c, mo_world_def *def) {
  static const double limits[] = {256e6, 1e6, 3e4, 1.0};
  def->friction_law = (mo_friction_law)(choose_if(c, 200) ? 0 : 1);
  def->impact_law = (mo_impact_law)(choose_if(c, 200) ? 0 : 1);
  def->max_iterations = 1 + choose_below(c, 60);
  def->exact_memory_limit = limits[choose_if(c, 200) ? 0 : choose_below(c, 4)];
}

static void choose_sleep(choices *c, mo_world_def *def) {
  def->allow_sleep = choose_if(c, 192);
  def->time_to_sleep = choose_if(c, 128) ? 0.05 : choose_positive(c, 0.5);
  if (choose_if(c, 32)) {
    def->sleep_threshold = choose_number(c, 1.0);
  }
}

mo_world_def fuzz_choose_settings(choices *c) {
  mo_world_def def = mo_world_def_default();
  uint32_t solver = choose_below(c, 8);
  def.solver = solver < 6 ? (mo_solver)solver : MO_SOLVER_SOFT_STEP;
  if (def.solver != MO_SOLVER_SOFT_STEP || choose_if(c, 4)) {
    def.integrator = (mo_integrator)choose_below(c, 5);
  }
  def.stabilization = (mo_stabilization)choose_below(c, 3);
  def.iterations = 1 + choose_below(c, 20);
  choose_substep_settings(c, &def);
  choose_exact_settings(c, &def);
  choose_sleep(c, &def);
  if (choose_if(c, 64)) {
    def.gravity = choose_vec3(c, 20.0);
    def.tolerance = choose_positive(c, 1e-4);
    def.restitution_threshold = choose_number(c, 1.0);
    def.linear_slop = choose_number(c, 0.01);
    def.error_reduction = choose_positive(c, 1.0);
    def.max_correction_speed = choose_positive(c, 5.0);
  }
  return def;
}

static outcome set_settings(fuzz_world *f, choices *c) {
  mo_world_def def = fuzz_choose_settings(c);
  fuzz_say(f, " solver %d integrator %d stabilization %d", def.solver, def.integrator,
           def.stabilization);
  return outcome_of(mo_world_set_settings(f->world, &def));
}

// --- steps -----------------------------------------------------------------------------------

static outcome step(fuzz_world *f, choices *c) {
  static const double lengths[] = {1.0 / 60.0, 1.0 / 240.0, 1.0 / 30.0, 0.1, 2.0, 0.0};
  uint32_t kind = choose_byte(c);
  double dt = lengths[kind < 200 ? 0 : kind % 6];
  if (choose_if(c, c->wild_part / 4)) {
    dt = choose_number(c, 1.0);
  }
  fuzz_say(f, " %g", dt);
  return outcome_of(mo_world_step(f->world, dt));
}

// --- the clock -------------------------------------------------------------------------------

static double tell_time(void *user) { return (*(double *)user += 1e-3); }

static outcome set_clock(fuzz_world *f, choices *c) {
  static double seconds;
  bool is_on = choose_if(c, 128);
  mo_world_set_clock(f->world, is_on ? tell_time : NULL, &seconds);
  return READ;
}

const operation fuzz_world_operations[] = {
    {"step", 58, step}, {"set_settings", 6, set_settings}, {"set_clock", 1, set_clock}, {0}};
