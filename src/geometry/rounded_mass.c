#include "geometry/rounded_mass.h"

#include "math/trig.h"

// Integrals over a body of 1, x and x x^T, about the centroid of the hull.
typedef struct moments {
  double one;
  mo_vec3 first;
  mo_mat3 second;
} moments;

// The second moment s (a b^T + b a^T) / 2.
static void add_product(moments *m, double s, mo_vec3 a, mo_vec3 b) {
  double h = 0.5 * s;
  mo_mat3 product = {mo_add(mo_scale(h * b.x, a), mo_scale(h * a.x, b)),
                     mo_add(mo_scale(h * b.y, a), mo_scale(h * a.y, b)),
                     mo_add(mo_scale(h * b.z, a), mo_scale(h * a.z, b))};
  m->second = mo_mat3_add(m->second, product);
}

// Adds a part with the volume `one` and the first moment `first` about a point, moved to that
// point. The caller adds its second moment about the point.
static void add_at(moments *m, mo_vec3 at, double one, mo_vec3 first) {
  m->one += one;
  m->first = mo_add(m->first, mo_add_scaled(first, one, at));
  add_product(m, one, at, at);
  add_product(m, 2.0, at, first);
}

static double angle_between(mo_vec3 a, mo_vec3 b) {
  return mo_arc_tangent(mo_length(mo_cross(a, b)), mo_dot(a, b));
}

static mo_vec3 corner(const mo_hull *hull, uint32_t half_edge) {
  return mo_sub(hull->vertices[hull->half_edges[half_edge].origin], hull->centroid);
}

static void add_core(moments *m, const mo_hull *hull) {
  mo_mat3 inertia = mo_mat3_scale(hull->volume, hull->inertia_per_mass);
  double half_trace = 0.5 * (inertia.cx.x + inertia.cy.y + inertia.cz.z);
  m->one += hull->volume;
  m->second =
      mo_mat3_add(m->second, mo_mat3_add(mo_mat3_diagonal(half_trace, half_trace, half_trace),
                                         mo_mat3_scale(-1.0, inertia)));
}

// The prism of height r on a triangle of a face.
static void add_prism(moments *m, mo_vec3 a, mo_vec3 b, mo_vec3 c, mo_vec3 normal, double r) {
  double area = 0.5 * mo_dot(normal, mo_cross(mo_sub(b, a), mo_sub(c, a)));
  mo_vec3 sum = mo_add(a, mo_add(b, c));
  m->one += area * r;
  m->first =
      mo_add(m->first, mo_add(mo_scale(area * r / 3.0, sum), mo_scale(0.5 * area * r * r, normal)));
  add_product(m, area * r / 12.0, a, a);
  add_product(m, area * r / 12.0, b, b);
  add_product(m, area * r / 12.0, c, c);
  add_product(m, area * r / 12.0, sum, sum);
  add_product(m, area * r * r / 3.0, sum, normal);
  add_product(m, area * r * r * r / 3.0, normal, normal);
}

static void add_face(moments *m, const mo_hull *hull, const mo_face *face, double r) {
  for (uint32_t i = 2; i < face->vertex_count; i++) {
    uint32_t first = face->first_vertex;
    add_prism(m, corner(hull, first), corner(hull, first + i - 1), corner(hull, first + i),
              face->normal, r);
  }
}

// The sector along the edge from p to q, between the normals of its faces.
static void add_sector(moments *m, mo_vec3 p, mo_vec3 q, mo_vec3 left, mo_vec3 right, double r) {
  mo_vec3 sum = mo_add(p, q), along = mo_sub(q, p);
  double length = mo_length(along), angle = angle_between(left, right);
  mo_vec3 middle = mo_normalize(mo_add(left, right));
  mo_vec3 across = mo_normalize(mo_cross(along, middle));
  double area = 0.5 * angle * r * r, sine = mo_length(mo_cross(left, right));
  // First moment of the cross-section: it is along the middle, 2/3 r^3 sin(angle / 2).
  double first = 2.0 / 3.0 * r * r * r * 0.5 * mo_length(mo_sub(left, right));
  double fourth = 0.125 * r * r * r * r * length;
  m->one += length * area;
  m->first = mo_add(m->first,
                    mo_add(mo_scale(0.5 * length * area, sum), mo_scale(length * first, middle)));
  add_product(m, length * area / 6.0, p, p);
  add_product(m, length * area / 6.0, q, q);
  add_product(m, length * area / 6.0, sum, sum);
  add_product(m, length * first, sum, middle);
  add_product(m, fourth * (angle + sine), middle, middle);
  add_product(m, fourth * (angle - sine), across, across);
}

static void add_edge(moments *m, const mo_hull *hull, uint32_t half_edge, double r) {
  mo_half_edge edge = hull->half_edges[half_edge], twin = hull->half_edges[edge.twin];
  add_sector(m, corner(hull, half_edge), corner(hull, edge.twin), hull->faces[edge.face].normal,
             hull->faces[twin.face].normal, r);
}

// The sector of the ball about a vertex. The normals of its faces span a spherical polygon. Its
// area is the difference of the faces' angles to a full turn (Gauss and Bonnet), and its sides
// rotate about the edges.
static void add_vertex(moments *m, const mo_hull *hull, uint32_t first, double r) {
  mo_vec3 at = corner(hull, first), moment = mo_v3_zero();
  double area = 2.0 * MO_PI;
  uint32_t edge = first;
  do {
    uint32_t twin = hull->half_edges[edge].twin, next = hull->half_edges[twin].next;
    mo_vec3 along = mo_normalize(mo_sub(corner(hull, twin), at));
    mo_vec3 along_next = mo_normalize(mo_sub(corner(hull, hull->half_edges[next].twin), at));
    double turn = angle_between(hull->faces[hull->half_edges[edge].face].normal,
                                hull->faces[hull->half_edges[twin].face].normal);
    area -= angle_between(along, along_next);
    moment = mo_add_scaled(moment, -0.5 * turn, along);
    edge = next;
  } while (edge != first);
  add_at(m, at, area * r * r * r / 3.0, mo_scale(0.25 * r * r * r * r, moment));
}

// The faces of the hull, the round strips along its edges and the ball of all vertices.
static double surface_area(const mo_hull *hull, double r) {
  double area = hull->surface_area + 4.0 * MO_PI * r * r;
  for (uint32_t i = 0; i < hull->features.edge_count; i++) {
    mo_half_edge edge = hull->half_edges[hull->features.edge_half_edges[i]];
    mo_half_edge twin = hull->half_edges[edge.twin];
    double length = mo_distance_between(hull->vertices[edge.origin], hull->vertices[twin.origin]);
    area +=
        r * length * angle_between(hull->faces[edge.face].normal, hull->faces[twin.face].normal);
  }
  return area;
}

mo_mass_properties mo_rounded_mass_properties(const mo_hull *hull, double radius, double *area) {
  *area = surface_area(hull, radius);
  double r = radius, ball = 4.0 / 15.0 * MO_PI * r * r * r * r * r;
  // The sectors of all vertices make one ball. Only these of its second moments need no move.
  moments m = {.second = mo_mat3_diagonal(ball, ball, ball)};
  add_core(&m, hull);
  for (uint32_t i = 0; i < hull->face_count; i++) {
    add_face(&m, hull, &hull->faces[i], r);
  }
  for (uint32_t i = 0; i < hull->features.edge_count; i++) {
    add_edge(&m, hull, hull->features.edge_half_edges[i], r);
  }
  for (uint32_t i = 0; i < hull->vertex_count; i++) {
    add_vertex(&m, hull, hull->features.vertex_half_edges[i], r);
  }
  mo_vec3 shift = mo_scale(1.0 / m.one, m.first);
  add_product(&m, -m.one, shift, shift);
  mo_mat3 s = mo_mat3_scale(1.0 / m.one, m.second);
  double trace = s.cx.x + s.cy.y + s.cz.z;
  return (mo_mass_properties){
      m.one, mo_add(hull->centroid, shift),
      mo_mat3_add(mo_mat3_diagonal(trace, trace, trace), mo_mat3_scale(-1.0, s))};
}
