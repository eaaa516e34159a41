#include "solvers/block_pgs/lane_frame.h"

#include "math/scalar.h"
#include "solvers/block_pgs/manifold_solve.h"

typedef mo_f64x2 wide;
typedef mo_vec3x2 wide3;
typedef mo_manifold_lanes manifold;
typedef mo_wrench_lanes wrench;
typedef mo_motion_lanes motion;

// Passes over the friction and normal impulses of a sliding manifold per visit, which depend on
// each other. Two cost half a visit more, and after 20 sweeps a cube that starts to slide is exact
// to 1e-6 m/s instead of 5e-5.
#define PASSES 2

// Not inlined: it is rarely called, and four copies of it would be a large part of the module.
__attribute__((noinline)) static void push_bodies(const manifold *m, const wrench *local,
                                                  mo_velocity *velocities) {
  motion a = mo_load_motion(velocities, m->body_a), b = mo_load_motion(velocities, m->body_b);
  mo_push(m, local, &a, &b);
  mo_store_motion(velocities, m->body_a, &a);
  mo_store_motion(velocities, m->body_b, &b);
}

// --- a visit that sticks ---------------------------------------------------------------------

// The sums of a sweep, per lane.
typedef struct tally {
  wide moved_squared, length;
} tally;

// Solves all rows of the manifold together, with w = 0. Returns the lanes in which the impulses
// obey their bounds. There they obey the contact law.
static inline mo_i64x2 stick(const manifold *m, const motion *relative, wide3 *impulses,
                             wide3 *changes, wrench *change) {
  wide in[6] = {relative->linear.x,  relative->linear.y,  relative->linear.z,
                relative->angular.x, relative->angular.y, relative->angular.z};
  wide out[6];
  for (int i = 0; i < 6; i++) {
    out[i] = m->solve[i][0] * in[0] + m->solve[i][1] * in[1] + m->solve[i][2] * in[2] +
             m->solve[i][3] * in[3] + m->solve[i][4] * in[4] + m->solve[i][5] * in[5];
  }
  wide3 force = {out[0], out[1], out[2]}, turn = {out[3], out[4], out[5]};
  mo_i64x2 good = m->solvable;
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    changes[i] =
        mo_vec3x2_scale(m->weights[i], mo_vec3x2_add(force, mo_vec3x2_cross(turn, m->points[i])));
    impulses[i] = mo_vec3x2_add(m->impulses[i], changes[i]);
    wide radius = m->friction * impulses[i].x;
    wide length_squared = impulses[i].y * impulses[i].y + impulses[i].z * impulses[i].z;
    good &= (impulses[i].x >= mo_f64x2_splat(0.0)) & (length_squared <= radius * radius);
  }
  change->force = mo_vec3x2_scale(m->weight, force);
  change->torque = mo_mul_symmetric(m->spread, turn);
  return good;
}

// The largest velocity of a row that `stick` removed, squared.
static wide largest_row_squared(const manifold *m, const motion *relative) {
  wide largest = mo_f64x2_splat(0.0);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 v = mo_vec3x2_scale(m->weights[i], mo_point_velocity(m, relative, i));
    largest = mo_f64x2_max(largest, mo_f64x2_max(v.x * v.x, mo_f64x2_max(v.y * v.y, v.z * v.z)));
  }
  return largest;
}

// A cheaper upper bound of the same: it counts all velocities.
static inline wide largest_velocity_squared(const manifold *m, const motion *relative) {
  wide3 v = {mo_f64x2_abs(relative->linear.x), mo_f64x2_abs(relative->linear.y),
             mo_f64x2_abs(relative->linear.z)};
  wide3 w = {mo_f64x2_abs(relative->angular.x), mo_f64x2_abs(relative->angular.y),
             mo_f64x2_abs(relative->angular.z)};
  wide n = v.x + w.y * m->extent.z + w.z * m->extent.y;
  wide t1 = v.y + w.z * m->extent.x + w.x * m->extent.z;
  wide t2 = v.z + w.x * m->extent.y + w.y * m->extent.x;
  wide largest = mo_f64x2_max(n, mo_f64x2_max(t1, t2));
  return largest * largest;
}

// --- a visit point by point ------------------------------------------------------------------

// One projected step of both tangent rows of each point, one after the other, on the discs of
// radius friction * normal impulse.
static void relax_friction(const manifold *m, const mo_point_rows *rows, const motion *relative,
                           wide3 *impulses, tally *t) {
  wide3 velocities[MO_LANE_POINTS];
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    velocities[i] = mo_point_velocity(m, relative, i);
  }
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 old = impulses[i];
    wide radius = m->friction * old.x;
    wide x = old.y - rows->steps[i] * velocities[i].y;
    wide y = old.z - rows->steps[i] * velocities[i].z;
    wide length_squared = x * x + y * y;
    mo_i64x2 outside = length_squared > radius * radius;
    wide scale =
        mo_f64x2_select(outside, radius / mo_f64x2_sqrt(length_squared), mo_f64x2_splat(1.0));
    impulses[i].y = scale * x;
    impulses[i].z = scale * y;
    wide dx = impulses[i].y - old.y, dy = impulses[i].z - old.z;
    for (int j = i + 1; j < MO_LANE_POINTS; j++) {
      const wide(*k)[2] = rows->tangent_couplings[i][j];
      velocities[j].y += k[0][0] * dx + k[1][0] * dy;
      velocities[j].z += k[0][1] * dx + k[1][1] * dy;
    }
    wide length = rows->mobilities[i] * (dx * dx + dy * dy);
    t->length += length;
    t->moved_squared = mo_f64x2_max(t->moved_squared, rows->mobilities[i] * length);
  }
}

// Stops all normal velocities. Returns the lanes in which no normal impulse becomes negative.
static mo_i64x2 solve_normals(const manifold *m, const mo_point_rows *rows, const motion *relative,
                              wide3 *impulses) {
  wide3 in = {relative->linear.x + m->bias.x, relative->angular.y + m->bias.y,
              relative->angular.z + m->bias.z};
  wide3 out = {mo_vec3x2_dot(rows->normal_solve[0], in), mo_vec3x2_dot(rows->normal_solve[1], in),
               mo_vec3x2_dot(rows->normal_solve[2], in)};
  wide wanted[MO_LANE_POINTS], zero = mo_f64x2_splat(0.0);
  mo_i64x2 good = rows->normals_solvable;
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 p = m->points[i];
    wanted[i] = impulses[i].x + m->weights[i] * (out.x + out.y * p.z - out.z * p.y);
    mo_i64x2 included = m->weights[i] > zero;
    good &= (included & (wanted[i] >= zero)) | (~included & (wanted[i] == zero));
  }
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    impulses[i].x = mo_f64x2_select(good, wanted[i], impulses[i].x);
  }
  return good;
}

// Projected Gauss-Seidel on the normal impulses of the active lanes, in rounds until all have
// converged. `velocities` is updated.
static void relax_normals(const mo_point_rows *rows, mo_i64x2 active, double tolerance,
                          wide *velocities, wide3 *impulses) {
  wide enough = mo_f64x2_splat(0.0);
  for (int round = 0; round < MO_NORMAL_ROUNDS && mo_i64x2_bits(active); round++) {
    wide moved = mo_f64x2_splat(0.0);
    for (int i = 0; i < MO_LANE_POINTS; i++) {
      wide wanted = mo_f64x2_max(impulses[i].x - rows->effective_masses[i] * velocities[i],
                                 mo_f64x2_splat(0.0));
      wide change = mo_f64x2_keep(active, wanted - impulses[i].x);
      impulses[i].x = mo_f64x2_select(active, wanted, impulses[i].x);
      for (int j = 0; j < MO_LANE_POINTS; j++) {
        velocities[j] += rows->normal_couplings[i][j] * change;
      }
      moved = mo_f64x2_max(moved, mo_f64x2_abs(change) * rows->normal_couplings[i][i]);
    }
    if (round == 0) {
      enough = mo_f64x2_max(mo_f64x2_splat(tolerance), mo_f64x2_splat(MO_NORMAL_ACCURACY) * moved);
    }
    active &= moved > enough;
  }
}

// The lanes in which some point's friction is at its limit. There the fixed point is not the
// minimum of any function, so acceleration would lead away from it.
static mo_i64x2 slips(const manifold *m, const wide3 *impulses) {
  mo_i64x2 any = mo_i64x2_splat(0);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide radius = m->friction * impulses[i].x;
    wide length_squared = impulses[i].y * impulses[i].y + impulses[i].z * impulses[i].z;
    any |= (length_squared > mo_f64x2_splat(0.0)) &
           (length_squared >= radius * radius * mo_f64x2_splat(MO_AT_LIMIT));
  }
  return any;
}

// Relaxes friction first, so that a visit ends with normal velocities that obey their law, whatever
// friction still lacks. Gives new impulses and the changes of the visit.
__attribute__((noinline)) static void relax_points(const manifold *m, const mo_point_rows *rows,
                                                   const motion *relative, double tolerance,
                                                   wide3 *impulses, tally *t) {
  wide3 old[MO_LANE_POINTS], changes[MO_LANE_POINTS];
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    old[i] = impulses[i];
  }
  relax_friction(m, rows, relative, impulses, t);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    changes[i] = mo_vec3x2_sub(impulses[i], old[i]);
  }
  wrench w = mo_sum_wrench(m, changes);
  wide response[3];
  for (int i = 0; i < 3; i++) {
    const wide *r = rows->torque_response[i];
    response[i] = r[1] * w.force.y + r[2] * w.force.z + r[3] * w.torque.x + r[4] * w.torque.y +
                  r[5] * w.torque.z;
  }
  motion after = *relative;
  after.linear.x += response[0];
  after.angular.y += response[1];
  after.angular.z += response[2];
  mo_i64x2 solved = solve_normals(m, rows, &after, impulses);
  if (mo_i64x2_bits(solved) != 3) {
    wide velocities[MO_LANE_POINTS];
    for (int i = 0; i < MO_LANE_POINTS; i++) {
      velocities[i] = mo_point_velocity(m, &after, i).x + m->normal_biases[i];
    }
    relax_normals(rows, ~solved, tolerance, velocities, impulses);
  }
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide change = impulses[i].x - old[i].x;
    wide length = rows->normal_couplings[i][i] * change * change;
    t->length += length;
    t->moved_squared = mo_f64x2_max(t->moved_squared, rows->normal_couplings[i][i] * length);
  }
}

// --- sweeps ----------------------------------------------------------------------------------

void mo_contact_lanes_warm_start(const mo_contact_lanes *lanes, mo_velocity *velocities) {
  for (uint32_t i = 0; i < lanes->count; i++) {
    manifold *m = &lanes->manifolds[i];
    wrench w = mo_sum_wrench(m, m->impulses);
    push_bodies(m, &w, velocities);
    for (int k = 0; k < MO_LANE_POINTS; k++) {
      m->changes[k] = m->directions[k] = mo_zero3();
    }
    m->change = m->direction = (wrench){mo_zero3(), mo_zero3()};
  }
}

// Extrapolates the impulses along their directions, and updates the directions.
static inline void extrapolate(manifold *m, wide beta) {
  wide step = m->free * beta;
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 s = mo_vec3x2_scale(step, m->directions[i]);
    m->impulses[i] = mo_vec3x2_add(m->impulses[i], s);
    m->directions[i] = mo_vec3x2_add_scaled(s, m->free, m->changes[i]);
  }
  m->direction.force =
      mo_vec3x2_add_scaled(mo_vec3x2_scale(step, m->direction.force), m->free, m->change.force);
  m->direction.torque =
      mo_vec3x2_add_scaled(mo_vec3x2_scale(step, m->direction.torque), m->free, m->change.torque);
}

// Relaxes point by point, PASSES times. Gives new impulses and the changes of the first pass, which
// measure the error before.
static void relax_repeatedly(const manifold *m, const mo_point_rows *rows, const motion *relative,
                             motion a, motion b, double tolerance, wide3 *impulses, tally *t) {
  motion now = *relative;
  for (int pass = 0; pass < PASSES; pass++) {
    wide3 changes[MO_LANE_POINTS];
    for (int i = 0; i < MO_LANE_POINTS; i++) {
      changes[i] = impulses[i];
    }
    tally later = *t;
    relax_points(m, rows, &now, tolerance, impulses, pass == 0 ? t : &later);
    for (int i = 0; i < MO_LANE_POINTS; i++) {
      changes[i] = mo_vec3x2_sub(impulses[i], changes[i]);
    }
    if (pass + 1 < PASSES) {
      wrench w = mo_sum_wrench(m, changes);
      mo_push(m, &w, &a, &b);
      now = mo_relative_motion(m, &a, &b);
    }
  }
}

// A visit of lanes that do not all stick. `impulses` and `changes` come from `stick`, and stay as
// they are in the lanes of `sticking`.
static void relax_slowly(const mo_contact_lanes *lanes, uint32_t index, const motion *relative,
                         const motion *a, const motion *b, mo_i64x2 sticking, double tolerance,
                         wide3 *impulses, wide3 *changes, tally *t) {
  manifold *m = &lanes->manifolds[index];
  mo_point_rows *rows = &lanes->point_rows[index];
  if (!m->has_point_rows) {
    mo_point_rows_make(m, rows);
    m->has_point_rows = true;
  }
  tally slow = {mo_f64x2_splat(0.0), mo_f64x2_splat(0.0)};
  wide3 relaxed[MO_LANE_POINTS];
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    relaxed[i] = m->impulses[i];
  }
  relax_repeatedly(m, rows, relative, *a, *b, tolerance, relaxed, &slow);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    impulses[i] = mo_select3(sticking, impulses[i], relaxed[i]);
    changes[i] = mo_select3(sticking, changes[i], mo_vec3x2_sub(relaxed[i], m->impulses[i]));
  }
  t->moved_squared = mo_f64x2_select(sticking, t->moved_squared, slow.moved_squared);
  t->length = mo_f64x2_select(sticking, t->length, slow.length);
  m->free = mo_f64x2_keep(~(slips(m, impulses) & ~sticking), mo_f64x2_splat(1.0));
}

// The lanes in which points that were left out bear nothing and stay open when the others stick.
// Points of faces always do.
static mo_i64x2 left_out_points_stay_open(const manifold *m, const wrench *change, motion a,
                                          motion b) {
  mo_push(m, change, &a, &b);
  motion after = mo_relative_motion(m, &a, &b);
  mo_i64x2 good = mo_i64x2_splat(-1), face = m->weight > mo_f64x2_splat(2.5);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    mo_i64x2 left_out = m->weights[i] < mo_presence(m, i);
    wide velocity = mo_point_velocity(m, &after, i).x + m->normal_biases[i];
    mo_i64x2 open = face | (velocity >= mo_f64x2_splat(0.0));
    good &= ~left_out | (open & (m->impulses[i].x == mo_f64x2_splat(0.0)));
  }
  return good;
}

static inline tally visit(const mo_contact_lanes *lanes, uint32_t index, wide beta,
                          double tolerance, mo_velocity *velocities) {
  manifold *m = &lanes->manifolds[index];
  extrapolate(m, beta);
  motion a = mo_load_motion(velocities, m->body_a), b = mo_load_motion(velocities, m->body_b);
  motion relative = mo_relative_motion(m, &a, &b);
  motion biased = relative;
  biased.linear.x += m->bias.x;
  biased.angular.y += m->bias.y;
  biased.angular.z += m->bias.z;
  wide3 impulses[MO_LANE_POINTS], changes[MO_LANE_POINTS];
  wrench change;
  mo_i64x2 sticking = stick(m, &biased, impulses, changes, &change);
  tally t = {.moved_squared = m->all_faces ? largest_velocity_squared(m, &biased)
                                           : largest_row_squared(m, &biased),
             .length = -(mo_vec3x2_dot(change.force, biased.linear) +
                         mo_vec3x2_dot(change.torque, biased.angular))};
  if (m->leaves_out) {
    sticking &= left_out_points_stay_open(m, &change, a, b);
  }
  if (mo_i64x2_bits(sticking) == 3) {
    m->free = mo_f64x2_splat(1.0);
  } else {
    relax_slowly(lanes, index, &relative, &a, &b, sticking, tolerance, impulses, changes, &t);
    change = mo_sum_wrench(m, changes);
  }
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    m->impulses[i] = impulses[i];
    m->changes[i] = changes[i];
  }
  m->change = change;
  mo_push(m, &change, &a, &b);
  mo_store_motion(velocities, m->body_a, &a);
  mo_store_motion(velocities, m->body_b, &b);
  return t;
}

void mo_contact_lanes_sweep(const mo_contact_lanes *lanes, double beta, double tolerance,
                            mo_velocity *velocities, mo_sweep_report *report) {
  tally sum = {mo_f64x2_splat(0.0), mo_f64x2_splat(0.0)};
  for (uint32_t i = 0; i < lanes->count; i++) {
    tally t = visit(lanes, i, mo_f64x2_splat(beta), tolerance, velocities);
    sum.length += t.length;
    sum.moved_squared = mo_f64x2_max(sum.moved_squared, t.moved_squared);
  }
  report->length += sum.length[0] + sum.length[1];
  report->moved = mo_max(report->moved, sqrt(mo_max(sum.moved_squared[0], sum.moved_squared[1])));
}

void mo_contact_lanes_leave_out_slipping(const mo_contact_lanes *lanes, mo_velocity *changes,
                                         mo_velocity *directions) {
  for (uint32_t i = 0; i < lanes->count; i++) {
    const manifold *m = &lanes->manifolds[i];
    mo_i64x2 slipping = m->free == mo_f64x2_splat(0.0);
    if (mo_i64x2_bits(slipping)) {
      wide3 none = mo_zero3();
      wrench change = {mo_vec3x2_sub(none, mo_keep3(slipping, m->change.force)),
                       mo_vec3x2_sub(none, mo_keep3(slipping, m->change.torque))};
      wrench direction = {mo_vec3x2_sub(none, mo_keep3(slipping, m->direction.force)),
                          mo_vec3x2_sub(none, mo_keep3(slipping, m->direction.torque))};
      push_bodies(m, &change, changes);
      push_bodies(m, &direction, directions);
    }
  }
}

// --- the end of the solve --------------------------------------------------------------------

// Projects friction onto its discs, which the normal step of the last visit may have made smaller.
static void project_friction(manifold *m, mo_velocity *velocities) {
  wide3 changes[MO_LANE_POINTS];
  mo_i64x2 any = mo_i64x2_splat(0);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 *impulse = &m->impulses[i];
    wide radius = m->friction * impulse->x;
    wide length = mo_f64x2_sqrt(impulse->y * impulse->y + impulse->z * impulse->z);
    mo_i64x2 outside = length > radius;
    wide part =
        mo_f64x2_keep(outside, radius / mo_f64x2_select(outside, length, mo_f64x2_splat(1.0)) -
                                   mo_f64x2_splat(1.0));
    changes[i] = (wide3){mo_f64x2_splat(0.0), part * impulse->y, part * impulse->z};
    *impulse = mo_vec3x2_add(*impulse, changes[i]);
    any |= outside;
  }
  if (mo_i64x2_bits(any)) {
    wrench w = mo_sum_wrench(m, changes);
    push_bodies(m, &w, velocities);
  }
}

void mo_contact_lanes_finish(const mo_contact_lanes *lanes, mo_velocity *velocities) {
  for (uint32_t i = 0; i < lanes->count; i++) {
    project_friction(&lanes->manifolds[i], velocities);
  }
}

void mo_manifold_lanes_write(const manifold *m, mo_row_problem *problem) {
  for (int lane = 0; lane < MO_LANES; lane++) {
    for (uint32_t k = 0; k < m->lane_points[lane]; k++) {
      mo_row *rows = &problem->rows[problem->blocks[m->first_block[lane] + k].first_row];
      rows[0].impulse = m->impulses[k].x[lane];
      rows[1].impulse = m->impulses[k].y[lane];
      rows[2].impulse = m->impulses[k].z[lane];
    }
  }
}
