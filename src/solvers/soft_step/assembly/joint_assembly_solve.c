/// Joints that are solved together: the solution for impulses.
#include "math/scalar.h"
#include "solvers/soft_step/assembly/joint_assembly_drives.h"
#include "solvers/soft_step/assembly/joint_assembly_rows.h"

#include <string.h>

// Rounds that may exchange all laws although these are no fewer than they were.
#define MOST_TRIES 3u
// Rounds of a pass per law: the end is a few rounds away as a rule, but nobody knows a good bound.
// Where it is not reached, a law is missed for a substep.
#define ROUNDS_PER_DRIVE 8u

// Takes over the bodies' indices, which differ from step to step.
static void find_bodies(mo_assembly *assembly, const mo_substep_solver *step) {
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    mo_assembly_joint *j = &assembly->joints[i];
    j->body_a = j->lanes->body_a[j->lane];
    j->body_b = j->lanes->body_b[j->lane];
    j->moves[0] = mo_solver_moves(step, j->body_a);
    j->moves[1] = mo_solver_moves(step, j->body_b);
  }
}

void mo_assembly_begin(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_substep_joints *joints) {
  find_bodies(assembly, step);
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    mo_assembly_joint *j = &assembly->joints[i];
    memset(j->total, 0, sizeof j->total);
    for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
      const double *impulses =
          joints->coordinates[j->coordinates[row - j->lock_rows].index].start_impulses;
      j->impulse[row] = impulses[MO_SUBSTEP_LOWER_IMPULSE] - impulses[MO_SUBSTEP_UPPER_IMPULSE];
    }
  }
  mo_assembly_drives_begin(assembly, &step->settings, joints->coordinates);
  mo_assembly_refresh(assembly, step);
}

// --- solution --------------------------------------------------------------------------------

// The speed at which a limit that is met has to be approached, as a bias of its row.
static double limit_bias(const mo_assembly_coordinate *limit, double bias_rate, double h) {
  return limit->sign == 0.0f // the gap may be infinite
             ? 0.0
             : (double)limit->sign * mo_limit_bias((double)limit->gap, bias_rate, h);
}

static void put_scaled(double scale, const mo_vec3x4 *errors, uint32_t lane, uint32_t count,
                       double *out) {
  mo_vec3 scaled = mo_scale(scale, mo_lane_vector(errors, lane));
  const double numbers[3] = {scaled.x, scaled.y, scaled.z};
  for (uint32_t i = 0; i < 3 && i < count; i++) {
    out[i] = numbers[i];
  }
}

// The rates that the rows should have, with the sign changed.
static void put_biases(const mo_assembly_joint *j, double bias_rate, double h,
                       double biases[MO_NODE_SIZE]) {
  const mo_joint_lanes *l = j->lanes;
  put_scaled(bias_rate, &l->error, j->lane, j->point_rows, biases);
  if (j->lock_rows > j->point_rows) {
    put_scaled(bias_rate, &l->frame->error, j->lane, j->lock_rows - j->point_rows,
               biases + j->point_rows);
  }
  for (uint32_t row = j->lock_rows; row < j->row_count; row++) {
    const mo_assembly_coordinate *of = &j->coordinates[row - j->lock_rows];
    biases[row] = of->drive ? mo_assembly_drive_bias(of->drive, j->impulse[row])
                            : limit_bias(of, bias_rate, h);
  }
}

// Adds to a pair of components of a velocity what the impulses of all rows change.
static mo_f64x2 pair_change(const mo_assembly_side *side, size_t k, const double *impulse) {
  mo_f64x2 change = {0.0, 0.0};
  for (size_t row = 0; row < MO_NODE_SIZE; row += 2) {
    mo_f64x2 a = mo_f64x2_load(&side->push[k][row]), b = mo_f64x2_load(&side->push[k + 1][row]);
    change += mo_f64x2_splat(impulse[row]) * mo_f64x2_first(a, b);
    change += mo_f64x2_splat(impulse[row + 1]) * mo_f64x2_second(a, b);
  }
  return change;
}

static void push_body(const mo_assembly_joint *j, uint32_t side, const double *impulse,
                      mo_solver_body *body) {
  if (!j->moves[side]) {
    return;
  }
  float *v = body->linear_velocity, *w = body->angular_velocity;
  mo_f64x2 first = pair_change(&j->sides[side], 0, impulse);
  mo_f64x2 middle = pair_change(&j->sides[side], 2, impulse);
  mo_f64x2 last = pair_change(&j->sides[side], 4, impulse);
  v[0] = (float)((double)v[0] + first[0]);
  v[1] = (float)((double)v[1] + first[1]);
  v[2] = (float)((double)v[2] + middle[0]);
  w[0] = (float)((double)w[0] + middle[1]);
  w[1] = (float)((double)w[1] + last[0]);
  w[2] = (float)((double)w[2] + last[1]);
}

// Fills the vector with the changes of the rates that the rows need, and zeros.
static void put_wanted(mo_assembly *assembly, const mo_substep_solver *step, float bias_rate) {
  double h = step->settings.dt / step->settings.substeps;
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    const mo_assembly_joint *j = &assembly->joints[i];
    double biases[MO_NODE_SIZE] = {0};
    put_biases(j, (double)bias_rate, h, biases);
    mo_block_row rates = mo_row_sum(mo_assembly_rates(j, step->bodies), mo_row_load(biases));
    mo_row_store(&assembly->vector[(size_t)i * MO_NODE_SIZE],
                 (mo_block_row){-rates.x, -rates.y, -rates.z});
  }
}

void mo_assembly_push(mo_assembly *assembly, mo_solver_body *bodies) {
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    mo_assembly_joint *j = &assembly->joints[i];
    const double *x = &assembly->vector[(size_t)i * MO_NODE_SIZE];
    for (uint32_t row = 0; row < j->row_count; row++) {
      j->impulse[row] += x[row];
    }
    push_body(j, 0, x, &bodies[j->body_a]);
    push_body(j, 1, x, &bodies[j->body_b]);
  }
}

// Solves the rows that are held.
static void solve_held(mo_assembly *assembly, const mo_substep_solver *step, float bias_rate) {
  if (!assembly->is_factorised) {
    mo_assembly_factorise(assembly);
  }
  uint32_t solutions = assembly->mass_ratio > MO_REFINED_RATIO ? 2 : 1;
  for (uint32_t i = 0; i < solutions; i++) {
    put_wanted(assembly, step, bias_rate);
    mo_block_solve(&assembly->matrix, assembly->vector);
    mo_assembly_push(assembly, step->bodies);
  }
}

static void solve_round(mo_assembly *assembly, const mo_substep_solver *step, float bias_rate) {
  mo_assembly_drives_push(assembly, step->bodies);
  solve_held(assembly, step, bias_rate);
}

// Laws that a solution shows to be on another piece are exchanged all at once as long as there are
// fewer of them by and by, else the first of them alone, which ends (block principal pivoting:
// Judice and Pires 1994).
static void solve_laws(mo_assembly *assembly, const mo_substep_solver *step, float bias_rate) {
  uint32_t fewest = UINT32_MAX, tries = MOST_TRIES;
  uint32_t most_rounds = ROUNDS_PER_DRIVE * (1 + assembly->drive_count);
  mo_assembly_drives_guess(assembly, step->bodies);
  for (uint32_t round = 0; round < most_rounds; round++) {
    solve_round(assembly, step, bias_rate);
    uint32_t misfits = mo_assembly_drives_check(assembly, step->bodies);
    if (misfits == 0) {
      return;
    }
    tries = misfits < fewest ? MOST_TRIES : tries - (tries > 0);
    fewest = misfits < fewest ? misfits : fewest;
    mo_assembly_drives_exchange(assembly, tries > 0 ? misfits : 1);
  }
  solve_round(assembly, step, bias_rate);
}

void mo_assembly_solve(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_joint_softness *softness) {
  if (assembly->drive_count == 0) {
    solve_held(assembly, step, softness->bias_rate);
    return;
  }
  mo_assembly_drives_aim(assembly, step, softness);
  solve_laws(assembly, step, softness->bias_rate);
}

// Whether the points of a joint part, or are to approach, at more than a speed.
static bool parts(const mo_assembly *assembly, uint32_t joint, float speed) {
  const double *x = &assembly->vector[(size_t)joint * MO_NODE_SIZE];
  double squared = 0.0;
  for (uint32_t row = 0; row < assembly->joints[joint].point_rows; row++) {
    squared += mo_square(x[row]);
  }
  return squared > mo_square((double)speed);
}

bool mo_assembly_close(mo_assembly *assembly, const mo_substep_solver *step,
                       const mo_joint_softness *softness, float speed) {
  put_wanted(assembly, step, softness->bias_rate);
  bool is_open = false;
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    is_open = is_open || parts(assembly, i, speed);
  }
  if (is_open) {
    mo_assembly_solve(assembly, step, softness);
  }
  return is_open;
}

void mo_assembly_forget(mo_assembly *assembly) {
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    memset(assembly->joints[i].impulse, 0, sizeof assembly->joints[i].impulse);
  }
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    memset(assembly->drives[i].impulses, 0, sizeof assembly->drives[i].impulses);
  }
}

void mo_assembly_sum(mo_assembly *assembly) {
  for (uint32_t i = 0; i < assembly->joint_count; i++) {
    mo_assembly_joint *j = &assembly->joints[i];
    for (uint32_t row = 0; row < j->row_count; row++) {
      j->total[row] += j->impulse[row];
    }
  }
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    for (uint32_t k = 0; k < MO_LAW_PARTS; k++) {
      drive->totals[k] += drive->impulses[k];
    }
  }
}

static void add_impulses(const mo_assembly_joint *from, const double *rows, double scale,
                         double *impulses) {
  for (uint32_t row = 0; row < from->lock_rows; row++) {
    double *to = row < from->point_rows
                     ? &impulses[MO_SUBSTEP_POINT_IMPULSE + row]
                     : &impulses[MO_SUBSTEP_ANGLE_IMPULSE + row - from->point_rows];
    *to =
        mo_clamp(*to + scale * rows[row], -(double)MO_LARGEST_IMPULSE, (double)MO_LARGEST_IMPULSE);
  }
}

// A limit's impulse, which pushes up from the lower limit and down from the upper one. Zero has no
// sign here: the hash sees it, and the sign of a sum of zeros is the compiler's.
static void take_limit(double impulse, double *impulses) {
  impulses[MO_SUBSTEP_LOWER_IMPULSE] = mo_clamp(impulse, 0.0, (double)MO_LARGEST_IMPULSE) + 0.0;
  impulses[MO_SUBSTEP_UPPER_IMPULSE] = mo_clamp(-impulse, 0.0, (double)MO_LARGEST_IMPULSE) + 0.0;
}

// The impulses of limits and drives. The upper limit pushes down.
static void take_parts(const double parts[MO_LAW_PARTS], double scale, double *impulses) {
  for (uint32_t k = 0; k < MO_LAW_PARTS; k++) {
    double sign = k == MO_SUBSTEP_UPPER_IMPULSE ? -scale : scale, impulse = sign * parts[k];
    impulses[k] = mo_clamp(impulse, -(double)MO_LARGEST_IMPULSE, (double)MO_LARGEST_IMPULSE) + 0.0;
  }
}

static void take_coordinate(const mo_assembly_joint *from, uint32_t row, double substeps,
                            mo_substep_coordinate *to) {
  const mo_assembly_drive *drive = from->coordinates[row - from->lock_rows].drive;
  if (drive) {
    take_parts(drive->totals, 1.0, to->impulses);
    take_parts(drive->impulses, substeps, to->start_impulses);
  } else {
    take_limit(from->total[row], to->impulses);
    take_limit(substeps * from->impulse[row], to->start_impulses);
  }
}

void mo_assembly_joint_take(const mo_assembly_joint *from, double substeps,
                            const mo_substep_joints *joints) {
  mo_substep_joint *to = &joints->joints[from->joint];
  add_impulses(from, from->total, 1.0, to->impulses);
  add_impulses(from, from->impulse, substeps, to->start_impulses);
  for (uint32_t row = from->lock_rows; row < from->row_count; row++) {
    take_coordinate(from, row, substeps,
                    &joints->coordinates[from->coordinates[row - from->lock_rows].index]);
  }
}
