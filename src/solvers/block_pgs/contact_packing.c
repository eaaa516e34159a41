#include "solvers/block_pgs/lane_frame.h"

#include "math/scalar.h"
#include "solvers/block_pgs/manifold_solve.h"

#include <string.h>

typedef mo_f64x2 wide;
typedef mo_vec3x2 wide3;
typedef mo_manifold_lanes manifold;

// --- points from rows ------------------------------------------------------------------------

static void set3(wide3 *v, int lane, mo_vec3 value) {
  v->x[lane] = value.x;
  v->y[lane] = value.y;
  v->z[lane] = value.z;
}

static void set_inertia(wide out[6], int lane, const mo_mat3 *inertia) {
  out[0][lane] = inertia->cx.x;
  out[1][lane] = inertia->cy.y;
  out[2][lane] = inertia->cz.z;
  out[3][lane] = inertia->cy.x;
  out[4][lane] = inertia->cz.x;
  out[5][lane] = inertia->cz.y;
}

// The local arm r of a body from the angular parts r x n and r x t1 of its rows.
static mo_vec3 local_arm(const mo_row *rows, mo_vec3 by_normal, mo_vec3 by_tangent) {
  mo_vec3 t1 = rows[1].linear_b, t2 = rows[2].linear_b;
  return mo_v3(mo_dot(by_tangent, t2), -mo_dot(by_normal, t2), mo_dot(by_normal, t1));
}

static mo_vec3 in_world(const mo_row *rows, mo_vec3 local) {
  return mo_add_scaled(
      mo_add_scaled(mo_scale(local.x, rows[0].linear_b), local.y, rows[1].linear_b), local.z,
      rows[2].linear_b);
}

// The points of one manifold while they are packed.
typedef struct point_set {
  mo_vec3 arms[MO_LANE_POINTS]; // local, of B
  double biases[MO_LANE_POINTS];
  double misfits[MO_LANE_POINTS]; // of the biases, from those of the motion that fits them best
  double normal_impulses[MO_LANE_POINTS];
  bool open[MO_LANE_POINTS]; // left out
  uint32_t count;
  mo_vec3 centre;
  mo_vec3 bias; // the motion: linear n, angular t1 and t2
} point_set;

static double included_count(const point_set *s) {
  double count = 0.0;
  for (uint32_t i = 0; i < s->count; i++) {
    count += s->open[i] ? 0.0 : 1.0;
  }
  return count;
}

static void find_centre(point_set *s) {
  double count = included_count(s);
  mo_vec3 sum = mo_v3_zero();
  for (uint32_t i = 0; i < s->count; i++) {
    sum = s->open[i] && count > 0.0 ? sum : mo_add(sum, s->arms[i]);
  }
  s->centre = mo_scale(1.0 / (count > 0.0 ? count : s->count), sum);
}

// Fraction of the squared trace: below it, the determinant of the second moments belongs to points
// on a line.
#define SINGULAR_MOMENTS 1e-8

// Finds the motion whose normal velocities V_n + W_1 p_2 - W_2 p_1 at the points fit the biases
// best. Returns the largest misfit of any row.
__attribute__((noinline)) static double fit_biases(point_set *s) {
  double sum = 0.0, yy = 0.0, yz = 0.0, zz = 0.0, by = 0.0, bz = 0.0;
  for (uint32_t i = 0; i < s->count; i++) {
    mo_vec3 p = mo_sub(s->arms[i], s->centre);
    double b = s->open[i] ? 0.0 : s->biases[i], w = s->open[i] ? 0.0 : 1.0;
    sum += b;
    yy += w * p.y * p.y;
    yz += w * p.y * p.z;
    zz += w * p.z * p.z;
    by += b * p.y;
    bz += b * p.z;
  }
  double determinant = yy * zz - yz * yz, trace = yy + zz;
  s->bias = mo_v3(sum / mo_max(1.0, included_count(s)), 0.0, 0.0);
  if (determinant > SINGULAR_MOMENTS * trace * trace) {
    s->bias.y = (yy * bz - yz * by) / determinant;
    s->bias.z = (yz * bz - zz * by) / determinant;
  } else if (trace > 0.0) { // for points on a line: the slope along it
    s->bias.y = bz / trace;
    s->bias.z = -by / trace;
  }
  double worst = 0.0;
  for (uint32_t i = 0; i < s->count; i++) {
    mo_vec3 p = mo_sub(s->arms[i], s->centre);
    s->misfits[i] = s->biases[i] - (s->bias.x + s->bias.y * p.z - s->bias.z * p.y);
    // The motion's velocity along the tangents at points outside the plane, where the target is
    // zero.
    double sideways = mo_max(fabs(s->bias.y), fabs(s->bias.z)) * fabs(p.x);
    worst = s->open[i] ? worst : mo_max(worst, mo_max(fabs(s->misfits[i]), sideways));
  }
  return worst;
}

// Leaves out the points of a manifold that are open and had no impulse in the last step. A point
// that had one stays, because removing its load would shake a pile at rest.
static void leave_out_open_points(point_set *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    s->open[i] = s->biases[i] > 0.0 && s->normal_impulses[i] == 0.0;
  }
}

// Whether the points left out stay open when all points of a face close. For other manifolds each
// visit checks it.
static bool open_points_stay_open(const point_set *s) {
  bool face = included_count(s) > 2.5, stay = true;
  for (uint32_t i = 0; i < s->count; i++) {
    stay = stay && !(face && s->open[i] && s->misfits[i] < 0.0);
  }
  return stay;
}

// Reads the points and finds which of them can be solved together. Returns false if none can.
static bool gather_points(const mo_row_problem *problem, const mo_manifold_range *range,
                          double misfit, point_set *out) {
  const mo_row_block *blocks = &problem->blocks[range->first_block];
  *out = (point_set){.count = range->point_count};
  for (uint32_t i = 0; i < range->point_count; i++) {
    const mo_row *rows = &problem->rows[blocks[i].first_row];
    out->arms[i] = local_arm(rows, rows[0].angular_b, rows[1].angular_b);
    out->biases[i] = rows[0].bias;
    out->normal_impulses[i] = rows[0].impulse;
  }
  find_centre(out);
  bool fits = fit_biases(out) <= misfit;
  if (!fits) {
    leave_out_open_points(out);
    find_centre(out);
    fits = fit_biases(out) <= misfit && open_points_stay_open(out);
  }
  return fits;
}

// Fills one lane of a manifold, without its points. `shift`: from the first point to the reference
// point, local.
static void pack_pair(const mo_row_problem *problem, const mo_manifold_range *range, int lane,
                      mo_vec3 centre, mo_vec3 shift, manifold *m) {
  const mo_row_block *block = &problem->blocks[range->first_block];
  const mo_row *rows = &problem->rows[block->first_row];
  const mo_row_body *a = &problem->bodies[block->body_a], *b = &problem->bodies[block->body_b];
  mo_vec3 arm_a = local_arm(rows, mo_neg(rows[0].angular_a), mo_neg(rows[1].angular_a));
  set3(&m->normal, lane, rows[0].linear_b);
  set3(&m->tangent_1, lane, rows[1].linear_b);
  set3(&m->tangent_2, lane, rows[2].linear_b);
  set3(&m->arm_a, lane, in_world(rows, mo_add(arm_a, shift)));
  set3(&m->arm_b, lane, in_world(rows, centre));
  m->inverse_mass_a[lane] = a->inverse_mass;
  m->inverse_mass_b[lane] = b->inverse_mass;
  set_inertia(m->inverse_inertia_a, lane, &a->inverse_inertia);
  set_inertia(m->inverse_inertia_b, lane, &b->inverse_inertia);
  m->friction[lane] = block->friction;
  m->slide_1[lane] = rows[1].bias;
  m->slide_2[lane] = rows[2].bias;
  m->body_a[lane] = block->body_a;
  m->body_b[lane] = block->body_b;
  m->first_block[lane] = range->first_block;
  m->lane_points[lane] = range->point_count;
}

// Fills one lane of a manifold. Returns whether its points can be solved together.
static bool pack_lane(const mo_row_problem *problem, const mo_manifold_range *range, double misfit,
                      int lane, manifold *m, wide3 *axis) {
  point_set set;
  bool fits = gather_points(problem, range, misfit, &set);
  mo_vec3 extent = mo_v3_zero(), last = mo_v3_zero();
  for (uint32_t i = 0; i < range->point_count; i++) {
    const mo_row *rows = &problem->rows[problem->blocks[range->first_block + i].first_row];
    mo_vec3 point = mo_sub(set.arms[i], set.centre);
    set3(&m->points[i], lane, point);
    m->normal_biases[i][lane] = set.biases[i];
    if (!set.open[i]) {
      m->weights[i][lane] = 1.0;
      set3(&m->impulses[i], lane, mo_v3(rows[0].impulse, rows[1].impulse, rows[2].impulse));
      extent = mo_v3_max(extent, mo_v3_abs(point));
      last = point;
    }
  }
  m->weight[lane] = included_count(&set);
  if (m->weight[lane] == 2.0) {
    set3(axis, lane, last); // both points are at the same distance from the centre
  }
  set3(&m->extent, lane, extent);
  set3(&m->bias, lane, set.bias);
  pack_pair(problem, range, lane, set.centre, mo_sub(set.centre, set.arms[0]), m);
  return fits;
}

static void pack(const mo_row_problem *problem, const mo_manifold_range *ranges[MO_LANES],
                 double misfit, manifold *m) {
  *m = (manifold){0};
  bool fits[MO_LANES] = {false};
  wide3 axis = mo_zero3();
  for (int lane = 0; lane < MO_LANES; lane++) {
    fits[lane] = ranges[lane] && pack_lane(problem, ranges[lane], misfit, lane, m, &axis);
  }
  mo_manifold_make_solve(m, axis);
  m->all_faces = true;
  for (int lane = 0; lane < MO_LANES; lane++) {
    if (!ranges[lane]) {
      m->solvable[lane] = -1; // nothing to solve
    } else if (!fits[lane]) {
      m->solvable[lane] = 0;
    }
    m->all_faces = m->all_faces && (!ranges[lane] || m->weight[lane] > 2.5);
    m->leaves_out = m->leaves_out || m->weight[lane] < m->lane_points[lane];
  }
}

// --- pairs of manifolds ----------------------------------------------------------------------

// How many manifolds ahead a partner is sought. Sweeps go through a pile in the order of its
// bodies, and information spreads along; a manifold far from its place would get it a sweep later.
#define WINDOW 24

static bool shares_moving_body(const mo_row_problem *problem, const mo_manifold_range *p,
                               const mo_manifold_range *q) {
  const mo_row_block *a = &problem->blocks[p->first_block], *b = &problem->blocks[q->first_block];
  bool first = a->body_a == b->body_a || a->body_a == b->body_b;
  bool second = a->body_b == b->body_a || a->body_b == b->body_b;
  return (first && mo_row_body_moves(&problem->bodies[a->body_a])) ||
         (second && mo_row_body_moves(&problem->bodies[a->body_b]));
}

// The next manifold that is not packed yet and can share the lanes with `index`, or null.
static const mo_manifold_range *find_partner(const mo_row_problem *problem,
                                             const mo_manifold_range *ranges, uint32_t count,
                                             uint32_t index, bool *packed) {
  for (uint32_t i = index + 1; i < count && i <= index + WINDOW; i++) {
    if (!packed[i] && !shares_moving_body(problem, &ranges[index], &ranges[i])) {
      packed[i] = true;
      return &ranges[i];
    }
  }
  return NULL;
}

typedef struct lane_pair {
  const mo_manifold_range *ranges[MO_LANES];
} lane_pair;

bool mo_contact_lanes_make(const mo_row_problem *problem, const mo_manifold_range *ranges,
                           uint32_t range_count, double misfit, mo_arena *arena,
                           mo_contact_lanes *out) {
  bool *packed = MO_ARENA_TAKE(arena, bool, range_count);
  lane_pair *pairs = MO_ARENA_TAKE_RAW(arena, lane_pair, range_count);
  *out = (mo_contact_lanes){0};
  for (uint32_t i = 0; packed && pairs && i < range_count; i++) {
    if (!packed[i]) {
      pairs[out->count++] =
          (lane_pair){{&ranges[i], find_partner(problem, ranges, range_count, i, packed)}};
    }
  }
  out->manifolds = MO_ARENA_TAKE_RAW(arena, mo_manifold_lanes, out->count);
  out->point_rows = MO_ARENA_TAKE_RAW(arena, mo_point_rows, out->count);
  if (!packed || !pairs || !out->manifolds || !out->point_rows) {
    return false;
  }
  for (uint32_t i = 0; i < out->count; i++) {
    pack(problem, pairs[i].ranges, misfit, &out->manifolds[i]);
  }
  return true;
}
