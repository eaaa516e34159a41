// Mirtich's three reductions, innermost first: projection integrals over the shadow of a face on a
// coordinate plane, as sums over its edges (Green's theorem; CompProjectionIntegrals in the paper's
// pseudocode); face integrals from those by the equation of the plane (CompFaceIntegrals); volume
// integrals of monomials from face integrals (divergence theorem; CompVolumeIntegrals).
#include "geometry/mass_properties.h"

#include "math/scalar.h"

// Integrals of a^i b^j over the shadow of a face on the plane of a and b.
typedef struct projection_integrals {
  double one, a, b, aa, ab, bb, aaa, aab, abb, bbb;
} projection_integrals;

// Integrals over a face; c is the axis that it was projected along.
typedef struct face_integrals {
  double a, b, c, aa, bb, cc, aaa, bbb, ccc, aab, bbc, cca;
} face_integrals;

// Integrals over the volume: of 1, of x y z, of their squares, and of xy, yz, zx.
typedef struct volume_integrals {
  double one;
  double first[3], second[3], product[3];
} volume_integrals;

typedef struct polygon {
  const mo_vec3 *vertices;
  const uint32_t *loop;
  uint32_t count;
  mo_vec3 reference;
  double normal[3];
  int a, b, c; // axes in cyclic order; c has the largest component of the normal, so the shadow is
               // not thin
} polygon;

static void corner(const polygon *face, uint32_t index, double coordinates[3]) {
  mo_vec3 v = mo_sub(face->vertices[face->loop[index]], face->reference);
  coordinates[0] = v.x;
  coordinates[1] = v.y;
  coordinates[2] = v.z;
}

// Adds the line integrals along the edge from (a0, b0) to (a1, b1), without their common factors.
static void add_edge(projection_integrals *p, double a0, double b0, double a1, double b1) {
  double da = a1 - a0, db = b1 - b0;
  double a0_2 = a0 * a0, a0_3 = a0_2 * a0, a0_4 = a0_3 * a0;
  double b0_2 = b0 * b0, b0_3 = b0_2 * b0, b0_4 = b0_3 * b0;
  double a1_2 = a1 * a1, a1_3 = a1_2 * a1;
  double b1_2 = b1 * b1, b1_3 = b1_2 * b1;

  // powers of one coordinate along the edge, by Horner's rule
  double c1 = a1 + a0;
  double ca = a1 * c1 + a0_2, caa = a1 * ca + a0_3, caaa = a1 * caa + a0_4;
  double cb = b1 * (b1 + b0) + b0_2, cbb = b1 * cb + b0_3, cbbb = b1 * cbb + b0_4;
  // mixed powers
  double cab = 3.0 * a1_2 + 2.0 * a1 * a0 + a0_2, kab = a1_2 + 2.0 * a1 * a0 + 3.0 * a0_2;
  double caab = a0 * cab + 4.0 * a1_3, kaab = a1 * kab + 4.0 * a0_3;
  double cabb = 4.0 * b1_3 + 3.0 * b1_2 * b0 + 2.0 * b1 * b0_2 + b0_3;
  double kabb = b1_3 + 2.0 * b1_2 * b0 + 3.0 * b1 * b0_2 + 4.0 * b0_3;

  p->one += db * c1;
  p->a += db * ca;
  p->aa += db * caa;
  p->aaa += db * caaa;
  p->b += da * cb;
  p->bb += da * cbb;
  p->bbb += da * cbbb;
  p->ab += db * (b1 * cab + b0 * kab);
  p->aab += db * (b1 * caab + b0 * kaab);
  p->abb += da * (a1 * cabb + a0 * kabb);
}

static projection_integrals integrate_projection(const polygon *face) {
  projection_integrals p = {0};
  double from[3], to[3];
  corner(face, face->count - 1, from);
  for (uint32_t i = 0; i < face->count; i++) {
    corner(face, i, to);
    add_edge(&p, from[face->a], from[face->b], to[face->a], to[face->b]);
    from[0] = to[0];
    from[1] = to[1];
    from[2] = to[2];
  }
  p.one /= 2.0;
  p.a /= 6.0;
  p.aa /= 12.0;
  p.aaa /= 20.0;
  p.b /= -6.0;
  p.bb /= -12.0;
  p.bbb /= -20.0;
  p.ab /= 24.0;
  p.aab /= 60.0;
  p.abb /= -60.0;
  return p;
}

// w of the plane n . x + w = 0 that best fits the corners.
static double plane_constant(const polygon *face) {
  double sum = 0.0, at[3];
  for (uint32_t i = 0; i < face->count; i++) {
    corner(face, i, at);
    sum += face->normal[0] * at[0] + face->normal[1] * at[1] + face->normal[2] * at[2];
  }
  return -sum / face->count;
}

static face_integrals integrate_face(const polygon *face) {
  projection_integrals p = integrate_projection(face);
  double w = plane_constant(face);
  double na = face->normal[face->a], nb = face->normal[face->b];
  double k1 = 1.0 / face->normal[face->c], k2 = k1 * k1, k3 = k2 * k1, k4 = k3 * k1;

  // c = -(na a + nb b + w) / nc on the face; its powers over the shadow
  double linear = na * p.a + nb * p.b;
  double square = na * na * p.aa + 2.0 * na * nb * p.ab + nb * nb * p.bb;
  double cube = na * na * na * p.aaa + 3.0 * na * na * nb * p.aab + 3.0 * na * nb * nb * p.abb +
                nb * nb * nb * p.bbb;
  face_integrals f;
  f.a = k1 * p.a;
  f.b = k1 * p.b;
  f.c = -k2 * (linear + w * p.one);
  f.aa = k1 * p.aa;
  f.bb = k1 * p.bb;
  f.cc = k3 * (square + w * (2.0 * linear + w * p.one));
  f.aaa = k1 * p.aaa;
  f.bbb = k1 * p.bbb;
  f.ccc = -k4 * (cube + 3.0 * w * square + w * w * (3.0 * linear + w * p.one));
  f.aab = k1 * p.aab;
  f.bbc = -k2 * (na * p.abb + nb * p.bbb + w * p.bb);
  f.cca = k3 * (na * na * p.aaa + 2.0 * na * nb * p.aab + nb * nb * p.abb +
                w * (2.0 * (na * p.aa + nb * p.ab) + w * p.a));
  return f;
}

static void choose_axes(polygon *face) {
  double x = fabs(face->normal[0]), y = fabs(face->normal[1]), z = fabs(face->normal[2]);
  face->c = x > y && x > z ? 0 : (y > z ? 1 : 2);
  face->a = (face->c + 1) % 3;
  face->b = (face->a + 1) % 3;
}

static void add_face(volume_integrals *t, const polygon *face) {
  face_integrals f = integrate_face(face);
  double na = face->normal[face->a], nb = face->normal[face->b], nc = face->normal[face->c];
  t->one += face->normal[0] * (face->a == 0 ? f.a : (face->b == 0 ? f.b : f.c));
  t->first[face->a] += na * f.aa;
  t->first[face->b] += nb * f.bb;
  t->first[face->c] += nc * f.cc;
  t->second[face->a] += na * f.aaa;
  t->second[face->b] += nb * f.bbb;
  t->second[face->c] += nc * f.ccc;
  t->product[face->a] += na * f.aab;
  t->product[face->b] += nb * f.bbc;
  t->product[face->c] += nc * f.cca;
}

// From integrals about the reference point to a body of mass 1 about its centre.
static mo_mass_properties from_integrals(const volume_integrals *t, mo_vec3 reference) {
  double per_volume = 1.0 / t->one;
  mo_vec3 center = mo_scale(0.5 * per_volume, mo_v3(t->first[0], t->first[1], t->first[2]));
  double xx = t->second[0] * per_volume / 3.0 - center.x * center.x;
  double yy = t->second[1] * per_volume / 3.0 - center.y * center.y;
  double zz = t->second[2] * per_volume / 3.0 - center.z * center.z;
  double xy = t->product[0] * per_volume / 2.0 - center.x * center.y;
  double yz = t->product[1] * per_volume / 2.0 - center.y * center.z;
  double zx = t->product[2] * per_volume / 2.0 - center.z * center.x;
  mo_mass_properties result;
  result.volume = t->one;
  result.centroid = mo_add(reference, center);
  result.inertia_per_mass =
      (mo_mat3){mo_v3(yy + zz, -xy, -zx), mo_v3(-xy, zz + xx, -yz), mo_v3(-zx, -yz, xx + yy)};
  return result;
}

// Fraction of the largest coordinate of a face: corners further than this from one plane are no
// round-off. For a needle, the volume between them and the plane is significant.
#define FLAT 1e-12

static bool is_flat(const polygon *face) {
  double w = plane_constant(face), worst = 0.0, size = 0.0, at[3];
  for (uint32_t i = 0; i < face->count; i++) {
    double distance = w;
    corner(face, i, at);
    for (int k = 0; k < 3; k++) {
      distance += face->normal[k] * at[k];
      size = mo_max(size, fabs(at[k]));
    }
    worst = mo_max(worst, fabs(distance));
  }
  return worst <= FLAT * size;
}

// Adds the triangles of a face, each with its own plane.
static void add_triangles(volume_integrals *t, const polygon *face) {
  for (uint32_t i = 2; i < face->count; i++) {
    const uint32_t loop[3] = {face->loop[0], face->loop[i - 1], face->loop[i]};
    const mo_vec3 *v = face->vertices;
    mo_vec3 normal = mo_cross(mo_sub(v[loop[1]], v[loop[0]]), mo_sub(v[loop[2]], v[loop[0]]));
    double length = mo_length(normal);
    if (length > 0.0) {
      polygon triangle = {.vertices = v,
                          .loop = loop,
                          .count = 3,
                          .reference = face->reference,
                          .normal = {normal.x / length, normal.y / length, normal.z / length}};
      choose_axes(&triangle);
      add_face(t, &triangle);
    }
  }
}

mo_mass_properties mo_polyhedron_mass_properties(const mo_vec3 *vertices, const mo_face *faces,
                                                 uint32_t face_count, const uint32_t *loops) {
  volume_integrals t = {0};
  mo_vec3 reference = vertices[loops[0]];
  for (uint32_t i = 0; i < face_count; i++) {
    polygon face = {.vertices = vertices,
                    .loop = loops + faces[i].first_vertex,
                    .count = faces[i].vertex_count,
                    .reference = reference,
                    .normal = {faces[i].normal.x, faces[i].normal.y, faces[i].normal.z}};
    if (is_flat(&face)) {
      choose_axes(&face);
      add_face(&t, &face);
    } else {
      add_triangles(&t, &face);
    }
  }
  return from_integrals(&t, reference);
}
