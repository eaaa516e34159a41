#include "collision/narrow/support_polygon.h"

#include "collision/narrow/feature.h"

// Tangent of the angle by which directions are inclined, 0.6 degrees. A flat side is recognised if
// it is tilted by less, as sides at rest are. On a round side the points are at most this fraction
// of its radius apart.
#define INCLINATION 0.01
// Relative to the size of the core: closer support points count as one.
#define MERGE_DISTANCE (2.0 * INCLINATION)
// Sines of the inclination of sides and edges. Up to 2.6 degrees they count as flat; others that
// are inclined by less than 30 degrees may become so within a step.
#define FLAT 0.0447
#define INCLINED 0.5
// Sine: a disc that is tilted by less is level, and its points are fixed in the shape. At rest a
// soft contact tilts by less, in directions that wander; points that follow them stir a stack. The
// rim is lower than points 45 degrees beside its lowest point by 0.3 of this times the radius.
#define LEVEL 5e-4
// Relative to the size of the core: points whose heights differ by less are equally deep. It is the
// round-off of a normal.
#define EQUAL_HEIGHT 1e-10

// Cosines of eighths of a turn. Shifted by two eighths they are the sines.
static const double circle[MO_RIM_POINTS] = {1.0,  0.70710678118654757,  0.0, -0.70710678118654757,
                                             -1.0, -0.70710678118654757, 0.0, 0.70710678118654757};

// Whether two unit vectors differ by an angle with at most this sine, and less than 90 degrees.
static bool is_along(mo_vec3 a, mo_vec3 b, double sine) {
  double cosine = mo_dot(a, b);
  return cosine > 0.0 && cosine * cosine > 1.0 - sine * sine;
}

// --- any core --------------------------------------------------------------------------------

static bool is_new(const mo_support_polygon *polygon, mo_vec3 point, double distance) {
  for (int i = 0; i < polygon->count; i++) {
    if (!(mo_distance_between(polygon->points[i], point) > distance)) {
      return false;
    }
  }
  return true;
}

static void add_point(mo_support_polygon *polygon, mo_vec3 point, uint32_t name) {
  polygon->names[polygon->count] = name;
  polygon->points[polygon->count++] = point;
}

static void add_perturbed(const mo_convex *core, mo_vec3 direction, mo_support_polygon *polygon) {
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_vec3 t1, t2;
  mo_tangent_basis(direction, &t1, &t2);
  for (uint32_t i = 0; i < MO_RIM_POINTS; i++) {
    double x = INCLINATION * circle[i], y = INCLINATION * circle[(i + 6) % MO_RIM_POINTS];
    mo_vec3 inclined = mo_add_scaled(mo_add_scaled(direction, x, t1), y, t2);
    mo_vec3 point = mo_convex_support(core, &vertex, inclined);
    if (is_new(polygon, point, MERGE_DISTANCE * core->scale)) {
      add_point(polygon, point, i);
    }
  }
}

// --- solids of revolution --------------------------------------------------------------------

// The unit vector across the axis along a direction, or one that is fixed where there is none.
static mo_vec3 out_of_axis(mo_vec3 direction, double least) {
  double across = sqrt(mo_square(direction.x) + mo_square(direction.z));
  return across > least ? mo_v3(direction.x / across, 0.0, direction.z / across)
                        : mo_v3(1.0, 0.0, 0.0);
}

static bool is_level_disc(mo_vec3 direction) {
  return mo_square(direction.x) + mo_square(direction.z) <= mo_square(LEVEL);
}

// The points around the disc at an end, from the one that is furthest in a direction on. Where the
// disc is tilted by less than 0.03 degrees they are fixed in the shape, so that they do not wander.
static void find_rim(const mo_convex *core, int end, mo_vec3 direction, mo_vec3 *points) {
  double radius = core->ends[end].disc, y = core->half_extents.y;
  mo_vec3 first = mo_scale(radius, out_of_axis(direction, LEVEL));
  mo_vec3 second = mo_v3(-first.z, 0.0, first.x), centre = mo_v3(0.0, end ? y : -y, 0.0);
  for (size_t i = 0; i < MO_RIM_POINTS; i++) {
    points[i] = mo_add_scaled(mo_add_scaled(centre, circle[i], first),
                              circle[(i + 6) % MO_RIM_POINTS], second);
  }
}

// The cap, if the core has one in the direction.
static void add_cap(const mo_convex *core, mo_vec3 direction, double inclination,
                    mo_support_polygon *polygon) {
  int end = direction.y > 0.0;
  double across = sqrt(mo_square(direction.x) + mo_square(direction.z));
  if (!(core->ends[end].disc > 0.0 && across < inclination)) {
    return;
  }
  mo_vec3 points[MO_RIM_POINTS];
  find_rim(core, end, direction, points);
  polygon->is_disc = true;
  // They turn about y clockwise seen from above.
  for (uint32_t i = 0; i < MO_RIM_POINTS; i++) {
    uint32_t at = end && i > 0 ? MO_RIM_POINTS - i : i;
    add_point(polygon, mo_add_scaled(points[at], core->ends[end].ball, direction),
              at + MO_RIM_POINTS * (uint32_t)end);
  }
}

// The line of the side that is furthest in the direction.
static void add_line(const mo_convex *core, mo_vec3 direction, double inclination,
                     mo_support_polygon *polygon) {
  mo_vec3 out = out_of_axis(direction, 0.0), normal = mo_scale(core->side_across, out);
  normal.y = core->side_y;
  if (is_along(normal, direction, inclination)) {
    for (uint32_t end = 0; end < 2; end++) {
      mo_revolved_end e = core->ends[end];
      mo_vec3 centre = mo_scale(e.disc, out);
      centre.y = end ? core->half_extents.y : -core->half_extents.y;
      add_point(polygon, mo_add_scaled(centre, e.ball, direction), 2 * MO_RIM_POINTS + end);
    }
  }
}

// --- segments and hulls ----------------------------------------------------------------------

static void add_segment(const mo_convex *core, mo_vec3 direction, double inclination,
                        mo_support_polygon *polygon) {
  for (uint32_t end = 0; end < 2 && fabs(direction.y) < inclination; end++) {
    add_point(polygon, mo_segment_end(core, end), end);
  }
}

static void add_face(const mo_hull *hull, uint32_t vertex, mo_vec3 direction, double inclination,
                     mo_support_polygon *polygon) {
  const mo_face *face = &hull->faces[mo_hull_face_at_vertex(hull, vertex, direction)];
  if (is_along(face->normal, direction, inclination)) {
    uint32_t step = (face->vertex_count + MO_SUPPORT_POINTS - 1) / MO_SUPPORT_POINTS;
    for (uint32_t i = 0; i < face->vertex_count; i += step) {
      uint32_t corner = hull->face_loops[face->first_vertex + i];
      add_point(polygon, hull->vertices[corner], corner);
    }
  }
}

// The edge at a vertex that is most perpendicular to the direction.
static void add_edge(const mo_hull *hull, uint32_t first, mo_vec3 direction, double inclination,
                     mo_support_polygon *polygon) {
  const mo_half_edge *edges = hull->half_edges;
  uint32_t from = edges[first].origin, edge = first, to = from;
  double least = inclination;
  do {
    uint32_t twin = edges[edge].twin;
    mo_vec3 along = mo_sub(hull->vertices[edges[twin].origin], hull->vertices[from]);
    double here = fabs(mo_dot(mo_normalize(along), direction));
    if (here < least) {
      least = here;
      to = edges[twin].origin;
    }
    edge = edges[twin].next;
  } while (edge != first);
  if (to != from) {
    add_point(polygon, hull->vertices[from < to ? from : to], from < to ? from : to);
    add_point(polygon, hull->vertices[from < to ? to : from], from < to ? to : from);
  }
}

// The number of points that are as far in the direction as the deepest one.
static int count_deepest(const mo_support_polygon *polygon, mo_vec3 direction, double tolerance) {
  int count = 0;
  for (int i = 0; i < polygon->count; i++) {
    mo_vec3 up = mo_sub(polygon->deepest, polygon->points[i]);
    count += mo_dot(direction, up) <= tolerance;
  }
  return count;
}

// --- the largest feature ---------------------------------------------------------------------

// The largest feature that is inclined by less.
static void add_feature(const mo_convex *core, mo_vec3 direction, uint32_t vertex,
                        double inclination, mo_support_polygon *polygon) {
  if (core->kind == MO_CORE_HULL) {
    uint32_t origin = core->hull->half_edges[vertex].origin;
    add_face(core->hull, origin, direction, inclination, polygon);
    if (polygon->count == 0) {
      add_edge(core->hull, vertex, direction, inclination, polygon);
    }
  } else if (core->kind == MO_CORE_SEGMENT) {
    add_segment(core, direction, inclination, polygon);
  } else if (core->kind == MO_CORE_REVOLVED) {
    add_cap(core, direction, inclination, polygon);
    if (polygon->count == 0) {
      add_line(core, direction, inclination, polygon);
    }
  }
}

mo_support_polygon mo_find_support_polygon(const mo_convex *core, mo_vec3 direction) {
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_support_polygon polygon = {.deepest = mo_convex_support(core, &vertex, direction)};
  if (core->kind == MO_CORE_CURVED) {
    add_perturbed(core, direction, &polygon);
  }
  add_feature(core, direction, vertex, FLAT, &polygon);
  polygon.is_flat = polygon.count > 1;
  if (!polygon.is_flat) {
    add_feature(core, direction, vertex, INCLINED, &polygon);
  }
  if (polygon.count < 2) {
    polygon.count = 1;
    polygon.points[0] = polygon.deepest;
    polygon.names[0] = vertex;
  }
  // A level disc has no point of its own.
  bool is_level = polygon.is_disc && is_level_disc(direction);
  polygon.is_point =
      !is_level && count_deepest(&polygon, direction, EQUAL_HEIGHT * core->scale) <= 1;
  return polygon;
}

// --- discs -----------------------------------------------------------------------------------

// Bits of the points around one disc: all, and those at quarters of a turn.
#define RIM 0xffu
#define QUARTERS 0x55u

// The bit of a rim point among those of both ends; 0 for other candidates.
static uint32_t rim_bit(const mo_contact_candidate *candidate, bool is_b) {
  uint32_t first = is_b ? mo_feature_vertex_b(0) : mo_feature_vertex_a(0);
  uint32_t name = candidate->feature_id - first;
  return name < 2 * MO_RIM_POINTS ? 1u << name : 0;
}

int mo_keep_quarters(const mo_convex *core, bool is_b, mo_contact_candidate *candidates,
                     int count) {
  if (core->kind != MO_CORE_REVOLVED || count <= MO_MANIFOLD_POINTS) {
    return count;
  }
  uint32_t found = 0, dropped = 0;
  for (int i = 0; i < count; i++) {
    found |= rim_bit(&candidates[i], is_b);
  }
  for (uint32_t end = 0; end < 2; end++) {
    uint32_t quarters = QUARTERS << (MO_RIM_POINTS * end);
    dropped |= (found & quarters) == quarters ? (RIM ^ QUARTERS) << (MO_RIM_POINTS * end) : 0;
  }
  int kept = 0;
  for (int i = 0; i < count; i++) {
    if (!(rim_bit(&candidates[i], is_b) & dropped)) {
      candidates[kept++] = candidates[i];
    }
  }
  return kept;
}
