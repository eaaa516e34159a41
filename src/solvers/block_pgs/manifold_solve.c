#include "solvers/block_pgs/manifold_solve.h"

#include "solvers/block_pgs/lane_frame.h"

typedef mo_f64x2 wide;
typedef mo_vec3x2 wide3;
typedef mo_manifold_lanes manifold;
typedef mo_motion_lanes motion;

// --- points -------------------------------------------------------------------------

// Inverse mass of the relative motion at the reference point, local, in blocks: velocity by force,
// velocity by torque (its transpose is rotation by force), and rotation by torque.
typedef struct relative_inverse_mass {
  wide3 linear[3], mixed[3], angular[3]; // rows
} relative_inverse_mass;

__attribute__((noinline)) static void add_body(const manifold *m, wide inverse_mass,
                                               const wide inverse_inertia[6], wide3 world_arm,
                                               relative_inverse_mass *out) {
  wide3 arm = mo_to_local(m, world_arm);
  const wide3 axes[3] = {m->normal, m->tangent_1, m->tangent_2};
  wide3 inertia[3], turned[3]; // I^-1, local; I^-1 [arm]x by rows
  for (int i = 0; i < 3; i++) {
    inertia[i] = mo_to_local(m, mo_mul_symmetric(inverse_inertia, axes[i]));
    // The row vector r [arm]x is (r x arm).
    turned[i] = mo_vec3x2_cross(inertia[i], arm);
    out->angular[i] = mo_vec3x2_add(out->angular[i], inertia[i]);
  }
  // -[arm]x I^-1 = (I^-1 [arm]x)^T: velocity by torque.
  out->mixed[0] = mo_vec3x2_add(out->mixed[0], (wide3){turned[0].x, turned[1].x, turned[2].x});
  out->mixed[1] = mo_vec3x2_add(out->mixed[1], (wide3){turned[0].y, turned[1].y, turned[2].y});
  out->mixed[2] = mo_vec3x2_add(out->mixed[2], (wide3){turned[0].z, turned[1].z, turned[2].z});
  // -[arm]x (I^-1 [arm]x), column by column: -(arm x column).
  wide3 cx = mo_vec3x2_cross((wide3){turned[0].x, turned[1].x, turned[2].x}, arm);
  wide3 cy = mo_vec3x2_cross((wide3){turned[0].y, turned[1].y, turned[2].y}, arm);
  wide3 cz = mo_vec3x2_cross((wide3){turned[0].z, turned[1].z, turned[2].z}, arm);
  out->linear[0] = mo_vec3x2_add(out->linear[0], (wide3){cx.x + inverse_mass, cx.y, cx.z});
  out->linear[1] = mo_vec3x2_add(out->linear[1], (wide3){cx.y, cy.y + inverse_mass, cy.z});
  out->linear[2] = mo_vec3x2_add(out->linear[2], (wide3){cx.z, cy.z, cz.z + inverse_mass});
}

static relative_inverse_mass find_inverse_mass(const manifold *m) {
  relative_inverse_mass r;
  for (int i = 0; i < 3; i++) {
    r.linear[i] = r.mixed[i] = r.angular[i] = mo_zero3();
  }
  add_body(m, m->inverse_mass_a, m->inverse_inertia_a, m->arm_a, &r);
  add_body(m, m->inverse_mass_b, m->inverse_inertia_b, m->arm_b, &r);
  return r;
}

static inline wide3 mul_rows(const wide3 rows[3], wide3 v) {
  return (wide3){mo_vec3x2_dot(rows[0], v), mo_vec3x2_dot(rows[1], v), mo_vec3x2_dot(rows[2], v)};
}

static inline wide3 mul_columns(const wide3 rows[3], wide3 v) {
  return mo_vec3x2_add_scaled(mo_vec3x2_add_scaled(mo_vec3x2_scale(v.x, rows[0]), v.y, rows[1]),
                              v.z, rows[2]);
}

// The relative motion by an impulse at a point.
static motion response(const relative_inverse_mass *r, wide3 point, wide3 impulse) {
  wide3 torque = mo_vec3x2_cross(point, impulse);
  return (motion){
      mo_vec3x2_add(mul_rows(r->linear, impulse), mul_rows(r->mixed, torque)),
      mo_vec3x2_add(mul_columns(r->mixed, impulse), mul_rows(r->angular, torque)),
  };
}

// Fraction of the product of its largest entries below which the determinant of a spread counts as
// zero.
#define SINGULAR_SPREAD 1e-8
// The same for the determinant of an inverse mass.
#define SINGULAR_INERTIA 1e-12

// The inverse of a symmetric matrix, and the lanes in which it is regular. In the others it is an
// arbitrary number.
__attribute__((noinline)) static mo_i64x2 invert_symmetric(const wide3 m[3], double singular,
                                                           wide3 out[3]) {
  wide3 c = mo_vec3x2_cross(m[1], m[2]);
  wide determinant = mo_vec3x2_dot(m[0], c);
  wide scale = m[0].x + m[1].y + m[2].z;
  mo_i64x2 regular = determinant > mo_f64x2_splat(singular) * scale * scale * scale;
  wide one = mo_f64x2_splat(1.0);
  wide s = one / mo_f64x2_select(regular, determinant, one);
  out[0] = mo_vec3x2_scale(s, c);
  out[1] = mo_vec3x2_scale(s, mo_vec3x2_cross(m[2], m[0]));
  out[2] = mo_vec3x2_scale(s, mo_vec3x2_cross(m[0], m[1]));
  return regular;
}

// The larger eigenvalue of [[a, b], [b, c]].
static wide largest_eigenvalue(wide a, wide b, wide c) {
  wide half = mo_f64x2_splat(0.5), d = half * (a - c);
  return half * (a + c) + mo_f64x2_sqrt(d * d + b * b);
}

// Makes `normal_solve` for lanes with a face: like `solve`, for the force n and the torques t1 and
// t2 only.
static void make_normal_solve(const manifold *m, mo_point_rows *rows) {
  wide zero = mo_f64x2_splat(0.0), yy = zero, yz = zero, zz = zero;
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 p = mo_vec3x2_scale(m->weights[i], m->points[i]);
    yy += p.y * p.y;
    yz += p.y * p.z;
    zz += p.z * p.z;
  }
  const wide3 spread[3] = {{m->weight, zero, zero}, {zero, zz, -yz}, {zero, -yz, yy}};
  wide(*r)[6] = rows->torque_response;
  const wide3 inverse_mass[3] = {
      {r[0][0], r[0][4], r[0][5]}, {r[1][0], r[1][4], r[1][5]}, {r[2][0], r[2][4], r[2][5]}};
  wide3 spread_inverse[3], mass[3];
  rows->normals_solvable = m->solvable & (m->weight > mo_f64x2_splat(2.5)) &
                           invert_symmetric(spread, SINGULAR_SPREAD, spread_inverse) &
                           invert_symmetric(inverse_mass, SINGULAR_INERTIA, mass);
  for (int i = 0; i < 3; i++) {
    rows->normal_solve[i] = mo_vec3x2_sub(mo_zero3(), mul_columns(mass, spread_inverse[i]));
  }
}

void mo_point_rows_make(const manifold *m, mo_point_rows *out) {
  const wide one = mo_f64x2_splat(1.0), zero = mo_f64x2_splat(0.0);
  const wide3 axes[3] = {{one, zero, zero}, {zero, one, zero}, {zero, zero, one}};
  relative_inverse_mass r = find_inverse_mass(m);
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    motion by[3];
    for (int k = 0; k < 3; k++) {
      by[k] = response(&r, m->points[i], mo_vec3x2_scale(mo_presence(m, i), axes[k]));
    }
    for (int j = 0; j < MO_LANE_POINTS; j++) {
      wide w = mo_presence(m, j);
      out->normal_couplings[i][j] = w * mo_point_velocity(m, &by[0], j).x;
      for (int k = 0; k < 2; k++) {
        wide3 velocity = mo_point_velocity(m, &by[1 + k], j);
        out->tangent_couplings[i][j][k][0] = w * velocity.y;
        out->tangent_couplings[i][j][k][1] = w * velocity.z;
      }
    }
    wide(*k)[2] = out->tangent_couplings[i][i];
    out->mobilities[i] = largest_eigenvalue(k[0][0], k[0][1], k[1][1]);
    out->steps[i] = mo_inverse_or_zero(out->mobilities[i]);
    // A row between two immovable bodies has no effective mass.
    out->effective_masses[i] = mo_inverse_or_zero(out->normal_couplings[i][i]);
  }
  const wide3 rows[3][2] = {
      {r.linear[0], r.mixed[0]},
      {{r.mixed[0].y, r.mixed[1].y, r.mixed[2].y}, r.angular[1]},
      {{r.mixed[0].z, r.mixed[1].z, r.mixed[2].z}, r.angular[2]},
  };
  for (int i = 0; i < 3; i++) {
    const mo_f64x2 response[6] = {rows[i][0].x, rows[i][0].y, rows[i][0].z,
                                  rows[i][1].x, rows[i][1].y, rows[i][1].z};
    memcpy(out->torque_response[i], response, sizeof response);
  }
  make_normal_solve(m, out);
}

// --- all rows together --------------------------------------------------------------

// The product a b of matrices by rows.
__attribute__((noinline)) static void mul_matrix(const wide3 a[3], const wide3 b[3], wide3 out[3]) {
  for (int i = 0; i < 3; i++) {
    out[i] = mul_columns(b, a[i]);
  }
}

static void transpose(const wide3 a[3], wide3 out[3]) {
  out[0] = (wide3){a[0].x, a[1].x, a[2].x};
  out[1] = (wide3){a[0].y, a[1].y, a[2].y};
  out[2] = (wide3){a[0].z, a[1].z, a[2].z};
}

// The sum of |p|^2 - p p^T over the points.
static void find_spread(const manifold *m, wide3 out[3]) {
  out[0] = out[1] = out[2] = mo_zero3();
  for (int i = 0; i < MO_LANE_POINTS; i++) {
    wide3 p = mo_vec3x2_scale(m->weights[i], m->points[i]);
    wide xx = p.x * p.x, yy = p.y * p.y, zz = p.z * p.z;
    out[0] = mo_vec3x2_add(out[0], (wide3){yy + zz, -p.x * p.y, -p.x * p.z});
    out[1] = mo_vec3x2_add(out[1], (wide3){-p.x * p.y, xx + zz, -p.y * p.z});
    out[2] = mo_vec3x2_add(out[2], (wide3){-p.x * p.z, -p.y * p.z, xx + yy});
  }
}

// Removes the axis of lanes with an edge, two points, from an inverse: m^-1 - m^-1 e e^T m^-1 /
// (e^T m^-1 e). Removes all of the inverse for lanes with one point or none.
static void leave_out_free_axes(const manifold *m, wide3 axis, wide3 inverse[3]) {
  mo_i64x2 point = m->weight < mo_f64x2_splat(1.5);
  wide3 answer = mul_rows(inverse, axis);
  wide3 scaled = mo_vec3x2_scale(mo_inverse_or_zero(mo_vec3x2_dot(axis, answer)), answer);
  const wide components[3] = {answer.x, answer.y, answer.z};
  for (int i = 0; i < 3; i++) {
    inverse[i] =
        mo_keep3(~point, mo_vec3x2_sub(inverse[i], mo_vec3x2_scale(components[i], scaled)));
  }
}

// The blocks of minus the inverse of the relative inverse mass, and the lanes that have one.
static mo_i64x2 invert(const manifold *m, const relative_inverse_mass *r, wide3 axis,
                       wide3 linear[3], wide3 mixed[3], wide3 angular[3]) {
  wide3 angular_inverse[3], mixed_transposed[3], carried[3], product[3], schur[3], schur_inverse[3];
  mo_i64x2 regular = invert_symmetric(r->angular, SINGULAR_INERTIA, angular_inverse);
  leave_out_free_axes(m, axis, angular_inverse);
  transpose(r->mixed, mixed_transposed);
  mul_matrix(r->mixed, angular_inverse, carried);
  mul_matrix(carried, mixed_transposed, product);
  for (int i = 0; i < 3; i++) {
    schur[i] = mo_vec3x2_sub(r->linear[i], product[i]);
  }
  regular &= invert_symmetric(schur, SINGULAR_INERTIA, schur_inverse);
  wide3 carried_transposed[3], back[3];
  transpose(carried, carried_transposed);
  mul_matrix(schur_inverse, carried, mixed);
  mul_matrix(carried_transposed, mixed, back);
  for (int i = 0; i < 3; i++) {
    linear[i] = mo_vec3x2_sub(mo_zero3(), schur_inverse[i]);
    angular[i] = mo_vec3x2_sub(mo_zero3(), mo_vec3x2_add(angular_inverse[i], back[i]));
  }
  return regular; // the signs of minus the inverse are in the mixed block already
}

static void set_solve_rows(manifold *m, int first, const wide3 on_linear[3],
                           const wide3 on_angular[3]) {
  for (int i = 0; i < 3; i++) {
    wide *row = m->solve[first + i];
    row[0] = on_linear[i].x;
    row[1] = on_linear[i].y;
    row[2] = on_linear[i].z;
    row[3] = on_angular[i].x;
    row[4] = on_angular[i].y;
    row[5] = on_angular[i].z;
  }
}

// The pseudo-inverse of the spread, and the lanes in which the points clearly form a face, an edge
// or a point.
static mo_i64x2 invert_spread(manifold *m, wide3 inverse[3]) {
  wide3 spread[3];
  find_spread(m, spread);
  m->spread[0] = spread[0].x;
  m->spread[1] = spread[1].y;
  m->spread[2] = spread[2].z;
  m->spread[3] = spread[0].y;
  m->spread[4] = spread[0].z;
  m->spread[5] = spread[1].z;
  mo_i64x2 regular = invert_symmetric(spread, SINGULAR_SPREAD, inverse);
  // For an edge it is (I - e e^T) / sum |p|^2. The eigenvalues are equal, so it is the spread over
  // its square.
  wide trace = spread[0].x + spread[1].y + spread[2].z;
  wide edge_scale = mo_f64x2_splat(4.0) * mo_inverse_or_zero(trace * trace);
  mo_i64x2 face = m->weight > mo_f64x2_splat(2.5), edge = m->weight == mo_f64x2_splat(2.0);
  for (int i = 0; i < 3; i++) {
    inverse[i] =
        mo_select3(face, inverse[i], mo_keep3(edge, mo_vec3x2_scale(edge_scale, spread[i])));
  }
  return ~face | regular;
}

// Square of the distance between points per that at which a push turns bodies as much as it moves
// them: points that are nearer are one point, and no impulses at them hold a torque. A mesh that
// two parts of a compound touch at a corner that they share has such points.
#define SAME_POINT 1e-8

// The lanes with one point, or with points that are apart.
static mo_i64x2 find_apart(const manifold *m, const relative_inverse_mass *r) {
  wide spread = m->spread[0] + m->spread[1] + m->spread[2];
  wide turning = r->angular[0].x + r->angular[1].y + r->angular[2].z;
  wide moving = r->linear[0].x + r->linear[1].y + r->linear[2].z;
  return (m->weight < 1.5) | (spread * turning > SAME_POINT * moving);
}

// With the spread S, the impulses of least squares with a force F and a torque T are F / n + (S^-1
// T) x p.
void mo_manifold_make_solve(manifold *m, wide3 axis) {
  wide3 spread_inverse[3];
  m->solvable = invert_spread(m, spread_inverse);
  relative_inverse_mass inverse_mass = find_inverse_mass(m);
  wide3 linear[3], mixed[3], angular[3], turned[3], turned_mixed[3], mixed_transposed[3];
  m->solvable &= invert(m, &inverse_mass, axis, linear, mixed, angular);
  m->solvable &= find_apart(m, &inverse_mass);
  transpose(mixed, mixed_transposed);
  wide share = mo_inverse_or_zero(m->weight);
  mul_matrix(spread_inverse, mixed_transposed, turned_mixed);
  mul_matrix(spread_inverse, angular, turned);
  for (int i = 0; i < 3; i++) {
    linear[i] = mo_vec3x2_scale(share, linear[i]);
    mixed[i] = mo_vec3x2_scale(share, mixed[i]);
  }
  set_solve_rows(m, 0, linear, mixed);
  set_solve_rows(m, 3, turned_mixed, turned);
}
