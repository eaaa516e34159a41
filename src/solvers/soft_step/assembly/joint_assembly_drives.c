#include "solvers/soft_step/assembly/joint_assembly_drives.h"

#include "math/scalar.h"
#include "solvers/soft_step/assembly/joint_assembly_rows.h"

#include <math.h>
#include <string.h>

// The slope of a line that is all but upright, relative to the mass of a coordinate.
#define STEEP 1e6

static mo_assembly_joint *joint_of(const mo_assembly *assembly, const mo_assembly_drive *drive) {
  return &assembly->joints[drive->joint];
}

static const mo_joint_coordinate_lanes *lanes_of(const mo_assembly_joint *j,
                                                 const mo_assembly_drive *drive) {
  return j->coordinates[drive->row - j->lock_rows].lanes;
}

static double sum_of(const mo_substep_coordinate *coordinate) {
  const double *of = coordinate->start_impulses;
  double sum = of[MO_SUBSTEP_LOWER_IMPULSE] - of[MO_SUBSTEP_UPPER_IMPULSE];
  for (uint32_t i = 0; i < MO_SUBSTEP_DRIVES; i++) {
    sum += of[MO_SUBSTEP_DRIVE_IMPULSE + i];
  }
  return sum;
}

void mo_assembly_drives_begin(mo_assembly *assembly, const mo_substep_settings *settings,
                              const mo_substep_coordinate *coordinates) {
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    const mo_assembly_joint *j = joint_of(assembly, drive);
    uint32_t index = j->coordinates[drive->row - j->lock_rows].index;
    drive->guess = settings->impulse_scale / settings->substeps * sum_of(&coordinates[index]);
    drive->piece = (mo_law_piece){0};
    memset(drive->totals, 0, sizeof drive->totals);
    memset(drive->impulses, 0, sizeof drive->impulses);
  }
}

// --- rows ------------------------------------------------------------------------------------

// Gives the joint the row of a law that holds its rate, or none.
static void put_row(const mo_assembly *assembly, const mo_assembly_drive *drive) {
  mo_assembly_joint *j = joint_of(assembly, drive);
  for (uint32_t side = 0; side < 2; side++) {
    for (uint32_t k = 0; k < 6; k++) {
      bool is_held = drive->piece.is_held;
      j->sides[side].jacobian[k][drive->row] = is_held ? drive->jacobian[side][k] : 0.0;
      j->sides[side].push[k][drive->row] = is_held ? drive->push[side][k] : 0.0;
    }
  }
}

void mo_assembly_drives_refresh(mo_assembly *assembly) {
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    const mo_assembly_joint *j = joint_of(assembly, drive);
    drive->mass = (double)lanes_of(j, drive)->mass[j->lane];
    for (uint32_t side = 0; side < 2; side++) {
      for (uint32_t k = 0; k < 6; k++) {
        drive->jacobian[side][k] = j->sides[side].jacobian[k][drive->row];
        drive->push[side][k] = j->sides[side].push[k][drive->row];
      }
    }
    put_row(assembly, drive);
  }
}

void mo_assembly_drives_soften(mo_assembly *assembly) {
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    const mo_assembly_drive *drive = &assembly->drives[i];
    double *block = mo_block_at(&assembly->matrix, drive->joint, drive->joint);
    block[drive->row * MO_NODE_SIZE + drive->row] +=
        drive->piece.is_held ? drive->piece.softening : 0.0;
  }
}

// --- laws ------------------------------------------------------------------------------------

// What the parts of a law are set by.
typedef struct aim {
  const mo_joint_softness *softness;
  double h;
} aim;

static mo_law_part limit_part(float gap, float sign, const aim *a) {
  double speed = mo_limit_bias((double)gap, (double)a->softness->bias_rate, a->h);
  double most = (double)MO_LARGEST_IMPULSE;
  if (!(gap < INFINITY)) {
    return (mo_law_part){0};
  }
  return sign > 0.0f ? (mo_law_part){.speed = -speed, .upper = most}
                     : (mo_law_part){.speed = speed, .lower = -most};
}

// The impulse of a spring belongs to the poses at the start of a substep; see joint_solve.c.
static mo_law_part drive_part(const mo_joint_drive_lanes *d, uint32_t lane, double impulse,
                              const aim *a) {
  if (d->is_soft[lane] > 0.0f && !a->softness->moves_springs) {
    return (mo_law_part){.lower = impulse, .upper = impulse};
  }
  double most = (double)d->limit[lane];
  double wanted = (double)d->speed[lane] - (double)d->bias_rate[lane] * (double)d->error[lane];
  return (mo_law_part){
      .speed = wanted, .softening = (double)d->softening[lane], .lower = -most, .upper = most};
}

static void aim_drive(const mo_assembly *assembly, mo_assembly_drive *drive, const aim *a) {
  const mo_assembly_joint *j = joint_of(assembly, drive);
  const mo_joint_coordinate_lanes *c = lanes_of(j, drive);
  drive->parts[MO_SUBSTEP_LOWER_IMPULSE] = limit_part(c->lower_gap[j->lane], 1.0f, a);
  drive->parts[MO_SUBSTEP_UPPER_IMPULSE] = limit_part(c->upper_gap[j->lane], -1.0f, a);
  for (uint32_t i = 0; i < MO_SUBSTEP_DRIVES; i++) {
    uint32_t part = MO_SUBSTEP_DRIVE_IMPULSE + i;
    drive->parts[part] = drive_part(&c->drives[i], j->lane, drive->impulses[part], a);
  }
}

void mo_assembly_drives_aim(mo_assembly *assembly, const mo_substep_solver *step,
                            const mo_joint_softness *softness) {
  aim a = {softness, step->settings.dt / step->settings.substeps};
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    aim_drive(assembly, &assembly->drives[i], &a);
  }
}

// --- pieces ----------------------------------------------------------------------------------

static double rate_at(const double row[6], const mo_solver_body *body) {
  const float *v = body->linear_velocity, *w = body->angular_velocity;
  return row[0] * (double)v[0] + row[1] * (double)v[1] + row[2] * (double)v[2] +
         row[3] * (double)w[0] + row[4] * (double)w[1] + row[5] * (double)w[2];
}

// The rate of a coordinate, also while its joint has no row of it.
static double rate_of(const mo_assembly_joint *j, const mo_assembly_drive *drive,
                      const mo_solver_body *bodies) {
  return rate_at(drive->jacobian[0], &bodies[j->body_a]) +
         rate_at(drive->jacobian[1], &bodies[j->body_b]);
}

// The piece of a law by a rate and an impulse, and a mass.
static mo_law_piece find_piece(mo_assembly_drive *drive, double rate, double impulse, double mass) {
  return drive->mass > 0.0 ? mo_law_find(drive->parts, rate, impulse, mass, drive->impulses)
                           : (mo_law_piece){0};
}

// The piece on which the law is at the solution of a round, or the one next to its own on that
// side: a law that holds the rate keeps that rate and gives up the impulse, another one keeps the
// impulse. With the line of its own mass it would jump over pieces, and back.
static mo_law_piece fitting_piece(mo_assembly_drive *drive, double rate, double impulse) {
  const mo_law_piece *now = &drive->piece;
  return now->is_held ? find_piece(drive, now->speed - now->softening * impulse, impulse,
                                   drive->mass * STEEP)
                      : find_piece(drive, rate, impulse, drive->mass / STEEP);
}

static void take_piece(mo_assembly *assembly, mo_assembly_drive *drive, mo_law_piece piece) {
  mo_law_piece before = drive->piece;
  bool keeps_matrix = piece.is_held == before.is_held && piece.softening == before.softening;
  assembly->is_factorised = assembly->is_factorised && keeps_matrix;
  drive->piece = piece;
  put_row(assembly, drive);
}

void mo_assembly_drives_guess(mo_assembly *assembly, const mo_solver_body *bodies) {
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    double rate = rate_of(joint_of(assembly, drive), drive, bodies);
    take_piece(assembly, drive, find_piece(drive, rate, drive->guess, drive->mass));
  }
}

uint32_t mo_assembly_drives_check(mo_assembly *assembly, const mo_solver_body *bodies) {
  uint32_t misfits = 0;
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    const mo_assembly_joint *j = joint_of(assembly, drive);
    drive->guess = j->impulse[drive->row];
    drive->next = fitting_piece(drive, rate_of(j, drive, bodies), drive->guess);
    misfits += !mo_law_pieces_are_equal(drive->next, drive->piece);
  }
  return misfits;
}

void mo_assembly_drives_exchange(mo_assembly *assembly, uint32_t count) {
  for (uint32_t i = 0; i < assembly->drive_count && count > 0; i++) {
    mo_assembly_drive *drive = &assembly->drives[i];
    if (!mo_law_pieces_are_equal(drive->next, drive->piece)) {
      take_piece(assembly, drive, drive->next);
      count--;
    }
  }
}

static void push_side(const mo_assembly_joint *j, uint32_t side, const double push[6],
                      double impulse, mo_solver_body *body) {
  for (uint32_t k = 0; j->moves[side] && k < 3; k++) {
    body->linear_velocity[k] = (float)((double)body->linear_velocity[k] + impulse * push[k]);
    body->angular_velocity[k] = (float)((double)body->angular_velocity[k] + impulse * push[3 + k]);
  }
}

void mo_assembly_drives_push(mo_assembly *assembly, mo_solver_body *bodies) {
  for (uint32_t i = 0; i < assembly->drive_count; i++) {
    const mo_assembly_drive *drive = &assembly->drives[i];
    mo_assembly_joint *j = joint_of(assembly, drive);
    double change = drive->piece.impulse - j->impulse[drive->row];
    if (!drive->piece.is_held && change != 0.0) {
      j->impulse[drive->row] = drive->piece.impulse;
      push_side(j, 0, drive->push[0], change, &bodies[j->body_a]);
      push_side(j, 1, drive->push[1], change, &bodies[j->body_b]);
    }
  }
}
