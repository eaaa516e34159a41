#include "geometry/thin_mass.h"

// What is visited: the tetrahedra of a body, with a corner at `inner`.
typedef struct body {
  const mo_vec3 *vertices;
  const mo_face *faces;
  uint32_t face_count;
  const uint32_t *loops;
  mo_vec3 inner;
} body;

typedef struct tetrahedron {
  mo_vec3 corners[3]; // from the inner point
  mo_vec3 center;     // likewise
  double volume;      // 0 or more
} tetrahedron;

typedef void visitor(void *context, const tetrahedron *one);

// The mean of the corners of all faces.
static mo_vec3 point_inside(const body *b) {
  mo_vec3 origin = b->vertices[b->loops[0]], sum = mo_v3_zero();
  double count = 0.0;
  for (uint32_t i = 0; i < b->face_count; i++) {
    for (uint32_t k = 0; k < b->faces[i].vertex_count; k++) {
      sum = mo_add(sum, mo_sub(b->vertices[b->loops[b->faces[i].first_vertex + k]], origin));
      count += 1.0;
    }
  }
  return mo_add(origin, mo_scale(1.0 / count, sum));
}

// Six times the volume of the tetrahedron of a triangle and the origin. The cross product of two
// long edges of a sliver would have no digits, so one of them is the shortest.
static double triple_product(const mo_vec3 corners[3]) {
  mo_vec3 edges[3];
  int shortest = 0;
  for (int i = 0; i < 3; i++) {
    edges[i] = mo_sub(corners[(i + 1) % 3], corners[i]);
    if (mo_length_squared(edges[i]) < mo_length_squared(edges[shortest])) {
      shortest = i;
    }
  }
  return mo_dot(corners[shortest], mo_cross(edges[shortest], edges[(shortest + 1) % 3]));
}

// A volume below 0 is round-off: the point is inside.
static tetrahedron tetrahedron_of(const body *b, uint32_t i, uint32_t j, uint32_t k) {
  mo_vec3 p = mo_sub(b->vertices[i], b->inner), q = mo_sub(b->vertices[j], b->inner),
          r = mo_sub(b->vertices[k], b->inner);
  tetrahedron one = {.corners = {p, q, r}, .center = mo_scale(0.25, mo_add(p, mo_add(q, r)))};
  double volume = triple_product(one.corners) / 6.0;
  one.volume = volume > 0.0 ? volume : 0.0;
  return one;
}

static void visit_all(const body *b, visitor *visit, void *context) {
  for (uint32_t i = 0; i < b->face_count; i++) {
    const uint32_t *loop = &b->loops[b->faces[i].first_vertex];
    for (uint32_t k = 2; k < b->faces[i].vertex_count; k++) {
      tetrahedron one = tetrahedron_of(b, loop[0], loop[k - 1], loop[k]);
      visit(context, &one);
    }
  }
}

// --- sums ------------------------------------------------------------------------------------

typedef struct sums {
  double volume;
  mo_vec3 first;  // integral of the position
  mo_vec3 center; // from the inner point
  mo_mat3 second; // integral of the products of positions from the centre
} sums;

static void add_volume(void *context, const tetrahedron *one) {
  sums *s = context;
  s->volume += one->volume;
  s->first = mo_add_scaled(s->first, one->volume, one->center);
}

static void add_square(mo_mat3 *to, double scale, mo_vec3 v) {
  mo_vec3 w = mo_scale(scale, v);
  *to = mo_mat3_add(*to, (mo_mat3){mo_scale(w.x, v), mo_scale(w.y, v), mo_scale(w.z, v)});
}

// The products of a tetrahedron about its centre are a twentieth of the sum of those of its
// corners.
static void add_products(void *context, const tetrahedron *one) {
  sums *s = context;
  double share = one->volume / 20.0;
  add_square(&s->second, share, one->center); // the inner corner
  for (int i = 0; i < 3; i++) {
    add_square(&s->second, share, mo_sub(one->corners[i], one->center));
  }
  add_square(&s->second, one->volume, mo_sub(one->center, s->center));
}

mo_mass_properties mo_thin_mass_properties(const mo_vec3 *vertices, const mo_face *faces,
                                           uint32_t face_count, const uint32_t *loops) {
  body b = {vertices, faces, face_count, loops, mo_v3_zero()};
  b.inner = point_inside(&b);
  sums s = {0};
  visit_all(&b, add_volume, &s);
  s.center = mo_scale(1.0 / s.volume, s.first);
  visit_all(&b, add_products, &s);
  mo_mat3 m = mo_mat3_scale(1.0 / s.volume, s.second);
  double xx = m.cx.x, yy = m.cy.y, zz = m.cz.z;
  return (mo_mass_properties){.volume = s.volume,
                              .centroid = mo_add(b.inner, s.center),
                              .inertia_per_mass = {mo_v3(yy + zz, -m.cx.y, -m.cx.z),
                                                   mo_v3(-m.cx.y, zz + xx, -m.cy.z),
                                                   mo_v3(-m.cx.z, -m.cy.z, xx + yy)}};
}
