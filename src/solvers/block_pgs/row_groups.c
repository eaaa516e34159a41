#include "solvers/block_pgs/row_group.h"

#include "math/scalar.h"

typedef mo_packed_row packed_row;
typedef mo_row_group group;

// x = K^-1 x. Redundant rows get 0.
static void solve_block(const group *g, double *x) {
  const mo_row_block_factor *f = g->factor;
  for (uint32_t i = 0; i < g->count; i++) {
    for (uint32_t k = 0; k < i; k++) {
      x[i] -= f->entries[i][k] * x[k];
    }
  }
  for (uint32_t i = g->count; i-- > 0;) {
    x[i] *= f->entries[i][i];
    for (uint32_t k = i + 1; k < g->count; k++) {
      x[i] -= f->entries[k][i] * x[k];
    }
  }
}

// --- the bodies C and D ----------------------------------------------------------------------
//
// Rows of more than two bodies are rare, and the loops of the relaxation know two. What the bodies
// C and D move a row by counts as its bias while its group is visited, and they get their part of
// the impulses whenever others read their velocities.

MO_APART void apply_to_pair(const mo_packed_pair *pair, double impulse, mo_velocity *all) {
  mo_velocity *c = &all[pair->body_c], *d = &all[pair->body_d];
  c->linear = mo_add_scaled(c->linear, impulse * pair->inverse_mass_c, pair->row.linear_a);
  c->angular = mo_add_scaled(c->angular, impulse, pair->row.turn_a);
  d->linear = mo_add_scaled(d->linear, impulse * pair->inverse_mass_d, pair->row.linear_b);
  d->angular = mo_add_scaled(d->angular, impulse, pair->row.turn_b);
}

static inline void apply_to_all(const group *g, const packed_row *row, double impulse,
                                mo_velocity *all) {
  mo_packed_row_apply(g, row, impulse, &all[g->body_a], &all[g->body_b]);
  if (g->has_pairs) {
    apply_to_pair(row->pair, impulse, all);
  }
}

static uint32_t row_count_of(const group *g) { return g->count * g->rows_per_point; }

// Before a group is relaxed: the velocities of C and D become biases of its rows.
MO_APART void read_pairs(const group *g, packed_row *rows, const mo_velocity *all) {
  for (uint32_t k = 0; k < row_count_of(g); k++) {
    packed_row *row = &rows[g->first_row + k];
    packed_row *more = &row->pair->row;
    const mo_velocity *c = &all[row->pair->body_c], *d = &all[row->pair->body_d];
    row->bias = more->bias + mo_dot(more->linear_a, c->linear) +
                mo_dot(more->angular_a, c->angular) + mo_dot(more->linear_b, d->linear) +
                mo_dot(more->angular_b, d->angular);
    more->impulse = row->impulse;
  }
}

// Afterwards: the changes of the impulses reach C and D.
MO_APART void write_pairs(const group *g, const packed_row *rows, mo_velocity *all) {
  for (uint32_t k = 0; k < row_count_of(g); k++) {
    const packed_row *row = &rows[g->first_row + k];
    apply_to_pair(row->pair, row->impulse - row->pair->row.impulse, all);
  }
}

// --- relaxation: each returns the largest change of a row's velocity, m/s --------------------

static double relax_bilateral(const group *g, packed_row *rows, mo_velocity *a, mo_velocity *b) {
  double change[MO_BLOCK_ROWS], moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    change[i] = -mo_packed_row_velocity(&rows[g->first_row + i], a, b);
    moved = mo_max(moved, fabs(change[i]));
  }
  solve_block(g, change);
  for (uint32_t i = 0; i < g->count; i++) {
    packed_row *row = &rows[g->first_row + i];
    row->impulse += change[i];
    mo_packed_row_apply(g, row, change[i], a, b);
  }
  return moved;
}

// One round of projected Gauss-Seidel on the normal impulses of a group. `velocity` is updated.
static double relax_normals_once(const group *g, packed_row *const *normals, double *impulse,
                                 double *velocity) {
  double moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    double wanted = mo_clamp(impulse[i] - normals[i]->effective_mass * velocity[i],
                             normals[i]->lower, normals[i]->upper);
    double change = wanted - impulse[i];
    impulse[i] = wanted;
    // Columns without a point are zero: a loop of fixed length is unrolled.
    for (uint32_t j = 0; j < MO_GROUP_POINTS; j++) {
      velocity[j] += g->coupling[i][j] * change;
    }
    moved = mo_max(moved, fabs(change) * normals[i]->mobility);
  }
  return moved;
}

static double relax_normals(const group *g, packed_row *rows, double tolerance, mo_velocity *a,
                            mo_velocity *b) {
  packed_row *normals[MO_GROUP_POINTS];
  double impulse[MO_GROUP_POINTS], velocity[MO_GROUP_POINTS] = {0};
  for (uint32_t i = 0; i < g->count; i++) {
    normals[i] = mo_group_normal_row(g, rows, i);
    impulse[i] = normals[i]->impulse;
    velocity[i] = mo_packed_row_velocity(normals[i], a, b);
  }
  double first = relax_normals_once(g, normals, impulse, velocity);
  double enough = mo_max(tolerance, MO_NORMAL_ACCURACY * first);
  double last = g->count > 1 ? first : 0.0;
  for (int round = 1; round < MO_NORMAL_ROUNDS && last > enough; round++) {
    last = relax_normals_once(g, normals, impulse, velocity);
  }
  double moved = 0.0;
  for (uint32_t i = 0; i < g->count; i++) {
    double change = impulse[i] - normals[i]->impulse;
    normals[i]->impulse = impulse[i];
    mo_packed_row_apply(g, normals[i], change, a, b);
    moved = mo_max(moved, fabs(change) * normals[i]->mobility);
  }
  return moved;
}

// One projected step of both tangent rows of a point on the disc of radius friction * normal
// impulse.
static inline double relax_friction(const group *g, packed_row *normal, mo_velocity *a,
                                    mo_velocity *b) {
  packed_row *t1 = normal + 1, *t2 = normal + 2;
  double radius = g->friction * normal->impulse;
  if (radius == 0.0 && t1->impulse == 0.0 && t2->impulse == 0.0) {
    return 0.0; // open, as about half of the points of a pile are
  }
  double x = t1->impulse - t1->effective_mass * mo_packed_row_velocity(t1, a, b);
  double y = t2->impulse - t2->effective_mass * mo_packed_row_velocity(t2, a, b);
  double length_squared = x * x + y * y;
  if (length_squared > radius * radius) {
    double scale = radius / sqrt(length_squared);
    x *= scale;
    y *= scale;
  }
  double dx = x - t1->impulse, dy = y - t2->impulse;
  t1->impulse = x;
  t2->impulse = y;
  mo_packed_row_apply(g, t1, dx, a, b);
  mo_packed_row_apply(g, t2, dy, a, b);
  return sqrt(dx * dx + dy * dy) * t1->mobility;
}

static double relax_group(const group *g, packed_row *rows, double tolerance,
                          mo_velocity *velocities) {
  mo_velocity a = velocities[g->body_a], b = velocities[g->body_b];
  double moved = 0.0;
  if (g->has_pairs) {
    read_pairs(g, rows, velocities);
  }
  if (g->bilateral) {
    moved = relax_bilateral(g, rows, &a, &b);
  } else {
    // Friction comes first, so that a visit ends with normal velocities that obey their law,
    // whatever friction still lacks.
    for (uint32_t i = 0; i < g->count && g->rows_per_point == 3; i++) {
      moved = mo_max(moved, relax_friction(g, mo_group_normal_row(g, rows, i), &a, &b));
    }
    if (g->has_pairs) {
      write_pairs(g, rows, velocities);
      read_pairs(g, rows, velocities);
    }
    moved = mo_max(moved, relax_normals(g, rows, tolerance, &a, &b));
  }
  if (g->has_pairs) {
    write_pairs(g, rows, velocities);
  }
  velocities[g->body_a] = a;
  velocities[g->body_b] = b;
  return moved;
}

// --- all groups ------------------------------------------------------------------------------

void mo_row_groups_warm_start(const mo_row_groups *groups, mo_velocity *velocities) {
  for (uint32_t i = 0; i < groups->count; i++) {
    const group *g = &groups->groups[i];
    for (uint32_t k = 0; k < row_count_of(g); k++) {
      const packed_row *row = &groups->rows[g->first_row + k];
      apply_to_all(g, row, row->impulse, velocities);
    }
  }
}

// Extrapolates the impulses along their directions, and updates the directions.
static void extrapolate(const group *g, packed_row *rows, double beta) {
  for (uint32_t k = 0; k < row_count_of(g); k++) {
    packed_row *row = &rows[g->first_row + k];
    double step = g->slipping ? 0.0 : beta * row->direction;
    row->impulse += step;
    row->direction = g->slipping ? 0.0 : step + row->change;
    row->change = row->impulse; // before the visit
  }
}

// Whether some point's friction is at its limit. There the fixed point is not the minimum of any
// function, so acceleration would lead away from it.
static bool slips(const group *g, const packed_row *rows) {
  for (uint32_t i = 0; i < g->count && g->rows_per_point == 3; i++) {
    const packed_row *normal = &rows[g->first_row + 3 * i];
    double radius = g->friction * normal->impulse;
    double length_squared = mo_square(normal[1].impulse) + mo_square(normal[2].impulse);
    if (length_squared > 0.0 && length_squared >= radius * radius * MO_AT_LIMIT) {
      return true;
    }
  }
  return false;
}

static void report_changes(const group *g, packed_row *rows, mo_sweep_report *report) {
  for (uint32_t k = 0; k < row_count_of(g); k++) {
    packed_row *row = &rows[g->first_row + k];
    row->change = row->impulse - row->change;
    report->length += row->mobility * mo_square(row->change);
  }
}

void mo_row_groups_sweep(mo_row_groups *groups, double beta, double tolerance,
                         mo_velocity *velocities, mo_sweep_report *report) {
  for (uint32_t i = 0; i < groups->count; i++) {
    group *g = &groups->groups[i];
    extrapolate(g, groups->rows, beta);
    if (!g->is_joined) {
      double moved = relax_group(g, groups->rows, tolerance, velocities);
      report->moved = mo_max(report->moved, moved);
    }
  }
  if (groups->joined) {
    report->moved = mo_max(report->moved, mo_joined_groups_relax(groups, velocities));
  }
  for (uint32_t i = 0; i < groups->count; i++) {
    report_changes(&groups->groups[i], groups->rows, report);
    groups->groups[i].slipping = slips(&groups->groups[i], groups->rows);
  }
}

void mo_row_groups_leave_out_slipping(const mo_row_groups *groups, mo_velocity *changes,
                                      mo_velocity *directions) {
  for (uint32_t i = 0; i < groups->count; i++) {
    const group *g = &groups->groups[i];
    for (uint32_t k = 0; g->slipping && k < row_count_of(g); k++) {
      const packed_row *row = &groups->rows[g->first_row + k];
      apply_to_all(g, row, -row->change, changes);
      apply_to_all(g, row, -row->direction, directions);
    }
  }
}

// Projects friction onto its discs, which the normal step of the last visit may have made smaller.
static void project_friction(const group *g, packed_row *rows, mo_velocity *velocities) {
  for (uint32_t k = 0; k < g->count && g->rows_per_point == 3; k++) {
    packed_row *normal = mo_group_normal_row(g, rows, k);
    double radius = g->friction * normal->impulse;
    double length = sqrt(mo_square(normal[1].impulse) + mo_square(normal[2].impulse));
    for (uint32_t t = 1; t <= 2 && length > radius; t++) {
      double change = (radius / length - 1.0) * normal[t].impulse;
      normal[t].impulse += change;
      apply_to_all(g, &normal[t], change, velocities);
    }
  }
}

void mo_row_groups_finish(const mo_row_groups *groups, mo_row_problem *problem,
                          mo_velocity *velocities) {
  for (uint32_t i = 0; i < groups->count; i++) {
    const group *g = &groups->groups[i];
    project_friction(g, groups->rows, velocities);
    for (uint32_t k = 0; k < row_count_of(g); k++) {
      problem->rows[g->source_row + k].impulse = groups->rows[g->first_row + k].impulse;
    }
  }
}
