/// Surface and mass of a mesh.
#include "geometry/mesh.h"

// Integrals over the tetrahedra of all triangles with the reference point, times 6: of 1, of x, and
// of the products of coordinates.
typedef struct mesh_integrals {
  double one;
  mo_vec3 first;
  mo_vec3 squares;  // xx, yy, zz
  mo_vec3 products; // xy, yz, zx
} mesh_integrals;

// The integral of u v over a tetrahedron with the corners 0, a, b, c is its volume over 20 times
// (sum of u)(sum of v) + u_a v_a + u_b v_b + u_c v_c.
static double second(double ua, double ub, double uc, double va, double vb, double vc) {
  return (ua + ub + uc) * (va + vb + vc) + (ua * va + ub * vb + uc * vc);
}

static void add_triangle(mesh_integrals *sum, mo_vec3 a, mo_vec3 b, mo_vec3 c) {
  double volume = mo_dot(a, mo_cross(b, c));
  sum->one += volume;
  sum->first = mo_add_scaled(sum->first, volume / 4.0, mo_add(a, mo_add(b, c)));
  sum->squares = mo_add_scaled(sum->squares, volume / 20.0,
                               mo_v3(second(a.x, b.x, c.x, a.x, b.x, c.x),
                                     second(a.y, b.y, c.y, a.y, b.y, c.y),
                                     second(a.z, b.z, c.z, a.z, b.z, c.z)));
  sum->products = mo_add_scaled(sum->products, volume / 20.0,
                                mo_v3(second(a.x, b.x, c.x, a.y, b.y, c.y),
                                      second(a.y, b.y, c.y, a.z, b.z, c.z),
                                      second(a.z, b.z, c.z, a.x, b.x, c.x)));
}

static mo_mass_properties from_integrals(const mesh_integrals *sum, mo_vec3 reference) {
  double per = 1.0 / sum->one;
  mo_vec3 c = mo_scale(per, sum->first), s = mo_scale(per, sum->squares),
          p = mo_scale(per, sum->products);
  double xx = s.x - c.x * c.x, yy = s.y - c.y * c.y, zz = s.z - c.z * c.z;
  double xy = p.x - c.x * c.y, yz = p.y - c.y * c.z, zx = p.z - c.z * c.x;
  return (mo_mass_properties){.volume = sum->one / 6.0,
                              .centroid = mo_add(reference, c),
                              .inertia_per_mass = {mo_v3(yy + zz, -xy, -zx),
                                                   mo_v3(-xy, xx + zz, -yz),
                                                   mo_v3(-zx, -yz, xx + yy)}};
}

// All integrals are relative to a vertex: about a distant origin the parallel-axis terms would
// cancel all digits.
void mo_mesh_measure(mo_mesh *mesh) {
  mesh_integrals sum = {0};
  mo_triangle first = mo_mesh_triangle(mesh, 0);
  mo_vec3 reference = first.corners[0];
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    mo_triangle triangle = mo_mesh_triangle(mesh, t);
    mo_vec3 *c = triangle.corners;
    mesh->surface_area += 0.5 * mo_length(mo_triangle_area_vector(&triangle));
    add_triangle(&sum, mo_sub(c[0], reference), mo_sub(c[1], reference), mo_sub(c[2], reference));
  }
  if (mesh->defect.result == MO_OK && !(sum.one > 0.0)) {
    mesh->defect.result = MO_ERROR_MESH_INSIDE_OUT;
  }
  if (mesh->defect.result == MO_OK) {
    mesh->solid = from_integrals(&sum, reference);
  }
}
