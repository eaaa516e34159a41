#include "collision/narrow/hull_pair.h"

#include "math/simd.h"

// Sine: edges closer to parallel have no normal. A face axis is then as good, to this fraction of
// the size.
#define PARALLEL 1e-8
// Relative to the size: how much better an edge axis must be than a face axis.
#define EDGE_PREFERENCE 1e-12

// The numbering of mo_hull_create_box: the face on the lower and on the upper side of an axis, and
// the half-edge along an axis from a vertex, whose bits are its sides.
static const uint32_t face_of[3][2] = {{2, 3}, {0, 4}, {1, 5}};
static const uint8_t edge_from[3][8] = {
    {0, 0, 5, 5, 20, 20, 17, 17}, {4, 12, 4, 12, 9, 21, 9, 21}, {8, 1, 16, 13, 8, 1, 16, 13}};

// Components by index.
typedef struct box_pair {
  double a[3], b[3];         // half extents
  double to_b[3], b_to_b[3]; // centre of B relative to that of A, in the frames of A and of B
  double rotation[3][3];     // row, column
  double size[3][3];         // its absolute values
} box_pair;

static void to_array(mo_vec3 v, double *out) {
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}

static box_pair measure(const mo_hull_pair *pair) {
  box_pair p;
  mo_mat3 r = pair->b.in_a.rotation;
  to_array(pair->a.hull->upper, p.a);
  to_array(pair->b.hull->upper, p.b);
  to_array(pair->b.in_a.translation, p.to_b);
  to_array(mo_mat3_mul_transposed(r, pair->b.in_a.translation), p.b_to_b);
  mo_mat3 rows = mo_mat3_transpose(r);
  to_array(rows.cx, p.rotation[0]);
  to_array(rows.cy, p.rotation[1]);
  to_array(rows.cz, p.rotation[2]);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      p.size[i][j] = fabs(p.rotation[i][j]);
    }
  }
  return p;
}

static void find_face(const box_pair *p, const mo_hull_pair *pair, mo_hull_axis *best) {
  int axis = 0;
  double greatest = -INFINITY;
  for (int i = 0; i < 3; i++) {
    double on_a = fabs(p->to_b[i]) - p->a[i] -
                  (p->size[i][0] * p->b[0] + p->size[i][1] * p->b[1] + p->size[i][2] * p->b[2]);
    if (on_a > greatest) {
      greatest = on_a;
      axis = i;
    }
  }
  for (int j = 0; j < 3; j++) {
    double on_b = fabs(p->b_to_b[j]) - p->b[j] -
                  (p->size[0][j] * p->a[0] + p->size[1][j] * p->a[1] + p->size[2][j] * p->a[2]);
    if (on_b > greatest) {
      greatest = on_b;
      axis = 3 + j;
    }
  }
  *best = axis < 3
              ? mo_face_axis(pair, MO_AXIS_FACE_A, face_of[axis][p->to_b[axis] >= 0.0])
              : mo_face_axis(pair, MO_AXIS_FACE_B, face_of[axis - 3][p->b_to_b[axis - 3] < 0.0]);
}

// Computes the axis of edge i of A and edge j of B in double, and keeps it if it is the best.
static void offer_edges(const box_pair *p, const mo_hull_pair *pair, int i, int j,
                        mo_hull_axis *best) {
  int k = (i + 1) % 3, l = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
  double length = sqrt(mo_square(p->rotation[k][j]) + mo_square(p->rotation[l][j]));
  if (!(length > PARALLEL)) {
    return;
  }
  double height = p->to_b[l] * p->rotation[k][j] - p->to_b[k] * p->rotation[l][j];
  double reach = p->a[k] * p->size[l][j] + p->a[l] * p->size[k][j] + p->b[m] * p->size[i][n] +
                 p->b[n] * p->size[i][m];
  double separation = (fabs(height) - reach) / length;
  double preference = EDGE_PREFERENCE * (pair->a.hull->radius + pair->b.hull->radius);
  if (!(separation > best->separation + preference)) {
    return;
  }
  double scale = (height < 0.0 ? -1.0 : 1.0) / length, normal[3], normal_in_b[3];
  normal[i] = 0.0;
  normal[k] = -scale * p->rotation[l][j];
  normal[l] = scale * p->rotation[k][j];
  mo_vec3 normal_in_a = mo_v3(normal[0], normal[1], normal[2]);
  to_array(mo_mat3_mul_transposed(pair->b.in_a.rotation, normal_in_a), normal_in_b);
  // The edge of A furthest along the normal, and that of B furthest against it.
  uint32_t corner_a = (uint32_t)(normal[k] > 0.0) << k | (uint32_t)(normal[l] > 0.0) << l;
  uint32_t corner_b = (uint32_t)(normal_in_b[m] < 0.0) << m | (uint32_t)(normal_in_b[n] < 0.0) << n;
  *best = (mo_hull_axis){MO_AXIS_EDGES, edge_from[i][corner_a], edge_from[j][corner_b], normal_in_a,
                         separation};
}

// The nine pairs of edges in single precision, with the three edges of B in lanes.
static void find_edges(const box_pair *p, const mo_hull_pair *pair, mo_hull_axis *best) {
  mo_f32x4 rows[3], sizes[3];
  for (int i = 0; i < 3; i++) {
    rows[i] = mo_f32x4_set((float)p->rotation[i][0], (float)p->rotation[i][1],
                           (float)p->rotation[i][2], 0.0f);
    sizes[i] = mo_f32x4_abs(rows[i]);
  }
  mo_f32x4 b_next = mo_f32x4_set((float)p->b[1], (float)p->b[2], (float)p->b[0], 0.0f);
  mo_f32x4 b_last = mo_f32x4_set((float)p->b[2], (float)p->b[0], (float)p->b[1], 0.0f);
  float all = (float)(fabs(p->to_b[0]) + fabs(p->to_b[1]) + fabs(p->to_b[2]) +
                      pair->a.hull->radius + pair->b.hull->radius);
  for (int i = 0; i < 3; i++) {
    int k = (i + 1) % 3, l = (i + 2) % 3;
    mo_f32x4 size = sizes[i];
    mo_f32x4 size_next = mo_f32x4_set(size[1], size[2], size[0], 0.0f);
    mo_f32x4 size_last = mo_f32x4_set(size[2], size[0], size[1], 0.0f);
    mo_f32x4 height =
        mo_f32x4_splat((float)p->to_b[l]) * rows[k] - mo_f32x4_splat((float)p->to_b[k]) * rows[l];
    mo_f32x4 reach = mo_f32x4_splat((float)p->a[k]) * sizes[l] +
                     mo_f32x4_splat((float)p->a[l]) * sizes[k] + b_next * size_last +
                     b_last * size_next;
    mo_f32x4 length = mo_f32x4_sqrt(rows[k] * rows[k] + rows[l] * rows[l]);
    mo_f32x4 known =
        mo_f32x4_abs(height) - reach + mo_f32x4_splat((float)MO_HEIGHT_ROUND_OFF * all);
    int lanes = mo_i32x4_bits(known > length * mo_f32x4_splat((float)best->separation)) & 7;
    for (int j = 0; lanes != 0; j++, lanes >>= 1) {
      if (lanes & 1) {
        offer_edges(p, pair, i, j, best);
      }
    }
  }
}

bool mo_find_box_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis) {
  box_pair p = measure(pair);
  find_face(&p, pair, axis);
  if (axis->separation < margin) {
    find_edges(&p, pair, axis);
  }
  return axis->separation > -INFINITY;
}
