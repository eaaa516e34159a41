// Convex hulls of points.
//
// Qhull decides which points are vertices and which of them share a facet. Nothing else of its
// output is used: it hashes pointers, so the order and the direction of its loops may depend on
// addresses, and its planes depend on its merging. Here its facets get one orientation and an order
// that depends only on the input. They are merged where they are flat to round-off, verified, and
// given new planes and mass properties. All lengths are those of mo_hull_input (size 1 about the
// origin) until the hull is filled, so a hull far from its origin, or of any size, keeps its
// digits.
#include "geometry/hull_assembly.h"
#include "geometry/hull_input.h"
#include "geometry/hull_pool.h"
#include "geometry/mass_properties.h"
#include "geometry/polygons.h"
#include "geometry/qhull_adapter.h"
#include "geometry/thin_mass.h"
#include "memory/allocator.h"

// Relative to the size: polygons that are flat to this are one face, whatever their coordinates. It
// is some hundred times the error of a plane through round coordinates after a few operations, and
// far below anything that is modelled.
static const double FLATNESS = 1e-11;
// Points in single precision are flat to the precision of their coordinates, at most to this.
static const double LARGEST_FLATNESS = 1e-6;
// A smaller flatness, which is tried when merging fails, as it may for a hull that is hardly
// thicker than the tolerance.
static const double FLATNESS_RETREAT = 1e-13;
// Number of tolerances by which faces of a merged hull may be concave: each of the two faces has
// its corners within one tolerance of its plane.
static const double CONCAVITY_TOLERANCES = 4.0;

// Points almost as close to each other as Qhull's arithmetic is exact, or facets almost as narrow,
// can make its merging fail: it then loses a corner, or leaves an edge concave. The check refuses
// such a result, and the next attempt leaves out points that are closer than `weld` to an earlier
// one. The last attempts accept edges that are concave by less than single-precision rounding; all
// points are inside nevertheless, because the planes are moved outwards. All relative to the size.
static const struct attempt_settings {
  double weld;
  double concavity;
} ATTEMPTS[] = {{0.0, 0.0},   {1e-12, 0.0}, {1e-11, 0.0}, {1e-10, 0.0},
                {1e-9, 1e-9}, {0.0, 1e-8},  {1e-8, 1e-7}, {1e-7, 1e-7}};
#define ATTEMPT_COUNT (sizeof ATTEMPTS / sizeof ATTEMPTS[0])

// Product of faces and points up to which each plane is checked against all points, because Qhull's
// merging may leave some outside by 1e-11. Above it, only planes of faces that are narrower than
// the second number (relative to the size) are checked against all vertices: coordinates are exact
// to 1e-16, so such planes are wrong by more than 1e-10 at the other end of the hull. Other planes
// are checked against the neighbours of their corners.
static const double LARGE_HULL = 0x1p22;
static const double NARROW_FACE = 1e-6;

// Of the cube of the size: the integrals over the faces of a hull of less volume cancel to fewer
// than seven digits, at last to none, and moments of inertia become negative.
static const double THIN_VOLUME = 1e-9;

// --- faces -----------------------------------------------------------------------------------

// Replaces the polygons by merged ones if these pass the check; otherwise returns
// MO_ERROR_INVALID_ARGUMENT.
static mo_result try_merge(mo_polygons *polygons, const mo_hull_input *input, double flatness,
                           double concavity) {
  mo_polygons merged;
  mo_result result = mo_polygons_merge(polygons, input->points, input->count, flatness, &merged);
  if (result == MO_OK) {
    result = mo_polygons_verify(&merged, input->points, input->count, concavity);
  }
  if (result != MO_OK) {
    mo_polygons_free(&merged);
    return result;
  }
  mo_polygons_free(polygons);
  *polygons = merged;
  return MO_OK;
}

// Replaces the polygons by triangles.
static mo_result fall_back_to_triangles(mo_polygons *polygons, const mo_hull_input *input,
                                        double concavity) {
  mo_polygons triangles;
  mo_result result = mo_polygons_triangulate(polygons, &triangles);
  if (result != MO_OK) {
    return result;
  }
  mo_polygons_free(polygons);
  *polygons = triangles;
  return mo_polygons_verify(polygons, input->points, input->count, concavity);
}

// From Qhull's facets to the faces of the hull, in their final order.
static mo_result make_faces(mo_polygons *polygons, const mo_hull_input *input, double concavity) {
  mo_result result = mo_polygons_orient(polygons, input->points);
  if (result == MO_OK) {
    result = mo_polygons_sort(polygons);
  }
  if (result != MO_OK) {
    return result;
  }
  double flatness = FLATNESS + input->round_off;
  double levels[3] = {mo_max(flatness, mo_min(input->single_round_off, LARGEST_FLATNESS)), flatness,
                      FLATNESS_RETREAT};
  result = MO_ERROR_INVALID_ARGUMENT;
  for (int i = 0; i < 3 && result == MO_ERROR_INVALID_ARGUMENT; i++) {
    if (i == 0 || levels[i] < levels[i - 1]) {
      result = try_merge(polygons, input, levels[i],
                         mo_max(CONCAVITY_TOLERANCES * levels[i], concavity));
    }
  }
  if (result == MO_ERROR_INVALID_ARGUMENT) {
    result =
        fall_back_to_triangles(polygons, input, mo_max(CONCAVITY_TOLERANCES * flatness, concavity));
  }
  return result == MO_OK ? mo_polygons_sort(polygons) : result;
}

// --- the hull --------------------------------------------------------------------------------

// The data of the last stage.
typedef struct assembly {
  const mo_hull_input *input;
  const mo_vec3 *original;    // the caller's points
  const mo_polygons *surface; // indices into input->points
  const uint32_t *dropped;    // points that are no vertices but may be above a plane by round-off
  uint32_t dropped_count;
  mo_vec3 *vertices; // of the hull, scaled
  mo_hull *hull;
} assembly;

// Numbers the points of the surface in ascending order, which is the order of their first
// occurrence in the input; others get UINT32_MAX. Returns their number.
static uint32_t number_vertices(const mo_polygons *surface, uint32_t point_count,
                                uint32_t *number) {
  for (uint32_t i = 0; i < point_count; i++) {
    number[i] = UINT32_MAX;
  }
  for (uint32_t h = 0; h < surface->starts[surface->count]; h++) {
    number[surface->loops[h]] = 0;
  }
  uint32_t vertex_count = 0;
  for (uint32_t i = 0; i < point_count; i++) {
    if (number[i] == 0) {
      number[i] = vertex_count++;
    }
  }
  return vertex_count;
}

static void fill_vertices_and_loops(assembly *a, const uint32_t *number) {
  for (uint32_t i = 0; i < a->input->count; i++) {
    if (number[i] != UINT32_MAX) {
      a->vertices[number[i]] = a->input->points[i];
      a->hull->vertices[number[i]] = a->original[a->input->indices[i]];
    }
  }
  for (uint32_t h = 0; h < a->hull->half_edge_count; h++) {
    a->hull->face_loops[h] = number[a->surface->loops[h]];
  }
}

// The largest height of a face's corners and of all their neighbours over its plane through
// `first`.
static double height_of_ring(const assembly *a, mo_face face, mo_vec3 normal, mo_vec3 first) {
  const mo_half_edge *edges = a->hull->half_edges;
  double height = 0.0;
  for (uint32_t i = 0; i < face.vertex_count; i++) {
    uint32_t start = face.first_vertex + i, edge = start;
    do {
      mo_vec3 neighbour = a->vertices[edges[edges[edge].twin].origin];
      height = mo_max(height, mo_dot(normal, mo_sub(neighbour, first)));
      edge = edges[edges[edge].twin].next;
    } while (edge != start);
  }
  return height;
}

// The distance by which the plane of face f through its first vertex must move outwards so that all
// points are on it or inside.
static double lift_of_plane(const assembly *a, uint32_t f, mo_vec3 normal, bool against_all) {
  mo_face face = a->hull->faces[f];
  mo_vec3 first = a->vertices[a->hull->face_loops[face.first_vertex]];
  // by convexity, the neighbours of a face stand for all vertices
  double lift = height_of_ring(a, face, normal, first);
  for (uint32_t v = 0; against_all && v < a->hull->vertex_count; v++) {
    lift = mo_max(lift, mo_dot(normal, mo_sub(a->vertices[v], first)));
  }
  for (uint32_t i = 0; i < a->dropped_count; i++) {
    lift = mo_max(lift, mo_dot(normal, mo_sub(a->input->points[a->dropped[i]], first)));
  }
  return lift;
}

static void fill_face_ranges(assembly *a) {
  for (uint32_t f = 0; f < a->surface->count; f++) {
    uint32_t first = a->surface->starts[f];
    a->hull->faces[f] =
        (mo_face){.first_vertex = first, .vertex_count = a->surface->starts[f + 1] - first};
  }
}

// Fills planes and surface area. Returns false if a face has no area and so no plane.
static bool fill_planes(assembly *a) {
  bool is_small = (double)a->surface->count * a->hull->vertex_count <= LARGE_HULL;
  double area = 0.0;
  for (uint32_t f = 0; f < a->surface->count; f++) {
    mo_vec3 vector = mo_polygon_area_vector(a->surface, f, a->input->points);
    double length = mo_length(vector);
    if (!(length > 0.0)) {
      return false;
    }
    area += 0.5 * length;
    mo_face *face = &a->hull->faces[f];
    // + 0.0 turns -0 into 0
    face->normal = mo_v3(vector.x / length + 0.0, vector.y / length + 0.0, vector.z / length + 0.0);
    mo_vec3 on_face = a->hull->vertices[a->hull->face_loops[face->first_vertex]];
    bool against_all =
        is_small || mo_polygon_width(a->surface, f, a->input->points, vector) < NARROW_FACE;
    face->offset = mo_dot(face->normal, on_face) +
                   lift_of_plane(a, f, face->normal, against_all) / a->input->scale;
  }
  a->hull->surface_area = area / a->input->scale / a->input->scale;
  return true;
}

// The size of the points is about 1 here.
static mo_mass_properties mass_of(const assembly *a) {
  const mo_hull *hull = a->hull;
  mo_mass_properties mass =
      mo_polyhedron_mass_properties(a->vertices, hull->faces, hull->face_count, hull->face_loops);
  return mass.volume > THIN_VOLUME ? mass
                                   : mo_thin_mass_properties(a->vertices, hull->faces,
                                                             hull->face_count, hull->face_loops);
}

static void fill_mass(assembly *a) {
  mo_hull *hull = a->hull;
  mo_mass_properties mass = mass_of(a);
  double size = 1.0 / a->input->scale;
  hull->volume = mass.volume * size * size * size;
  hull->centroid = mo_add(a->input->shift, mo_scale(size, mass.centroid));
  hull->inertia_per_mass = mo_mat3_scale(size * size, mass.inertia_per_mass);
}

static mo_result fill_hull(assembly *a, const uint32_t *number) {
  fill_vertices_and_loops(a, number);
  fill_face_ranges(a);
  mo_result result = mo_hull_link(a->hull);
  if (result != MO_OK) {
    return result;
  }
  if (!fill_planes(a)) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  fill_mass(a);
  if (!(a->hull->volume > 0.0)) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  mo_hull_finish(a->hull);
  return MO_OK;
}

// `corners` marks the points that may be above a plane; afterwards it holds those of them that are
// no vertices.
static mo_result assemble(const mo_vec3 *original, const mo_hull_input *input,
                          const mo_polygons *surface, uint32_t *corners, mo_hull **hull) {
  uint32_t *number = mo_allocate(input->count * sizeof *number);
  if (!number) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t vertex_count = number_vertices(surface, input->count, number);
  assembly a = {.input = input, .original = original, .surface = surface, .dropped = corners};
  for (uint32_t i = 0; i < input->count; i++) {
    if (corners[i] && number[i] == UINT32_MAX) {
      corners[a.dropped_count++] = i;
    }
  }
  a.hull = mo_hull_allocate(vertex_count, surface->count, surface->starts[surface->count]);
  a.vertices = mo_allocate(vertex_count * sizeof *a.vertices);
  mo_result result = a.hull && a.vertices ? fill_hull(&a, number) : MO_ERROR_OUT_OF_MEMORY;
  mo_release(number);
  mo_release(a.vertices);
  if (result == MO_OK) {
    *hull = a.hull;
  } else {
    mo_hull_release(a.hull);
  }
  return result;
}

// Runs Qhull on the points of `input` that are `distance` apart. Loops are indices into
// input->points.
static mo_result run_qhull(const mo_hull_input *input, double distance, mo_polygons *facets,
                           int *error) {
  if (distance == 0.0) {
    return mo_qhull_run(input->points, input->count, facets, error);
  }
  uint32_t *chosen = mo_allocate(input->count * sizeof *chosen), count = 0;
  mo_vec3 *points = mo_allocate(input->count * sizeof *points);
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (chosen && points) {
    result = mo_hull_input_weld(input, distance, chosen, &count);
  }
  if (result == MO_OK) {
    for (uint32_t i = 0; i < count; i++) {
      points[i] = input->points[chosen[i]];
    }
    result = mo_qhull_run(points, count, facets, error);
  }
  if (result == MO_OK) {
    for (uint32_t h = 0; h < facets->starts[facets->count]; h++) {
      facets->loops[h] = chosen[facets->loops[h]];
    }
  }
  mo_release(chosen);
  mo_release(points);
  return result;
}

// Marks the points to be checked against the planes: the corners of Qhull's facets, or all points
// if Qhull did not get all.
static void mark_corners(const mo_polygons *facets, uint32_t point_count, bool all,
                         uint32_t *corners) {
  for (uint32_t i = 0; i < point_count; i++) {
    corners[i] = all;
  }
  for (uint32_t h = 0; h < facets->starts[facets->count]; h++) {
    corners[facets->loops[h]] = 1;
  }
}

// One attempt. On MO_ERROR_HULL_QHULL `error` is the number of Qhull's message, or
// MO_QHULL_NO_SURFACE.
static mo_result attempt(const mo_vec3 *original, const mo_hull_input *input,
                         struct attempt_settings settings, mo_hull **hull, int *error) {
  mo_polygons surface;
  mo_result result = run_qhull(input, settings.weld, &surface, error);
  if (result == MO_OK) {
    uint32_t *corners = mo_allocate(input->count * sizeof *corners);
    result = MO_ERROR_OUT_OF_MEMORY;
    if (corners) {
      bool is_small = (double)input->count * surface.count <= LARGE_HULL;
      mark_corners(&surface, input->count, is_small || settings.weld > 0.0, corners);
      result = make_faces(&surface, input, settings.concavity);
      if (result == MO_OK) {
        result = assemble(original, input, &surface, corners, hull);
      }
    }
    mo_release(corners);
    mo_polygons_free(&surface);
  }
  if (result == MO_ERROR_INVALID_ARGUMENT) {
    *error = MO_QHULL_NO_SURFACE;
    result = MO_ERROR_HULL_QHULL;
  }
  return result;
}

// Makes attempts until one passes. The number of the first error is reported, because it says what
// is wrong with the points.
static mo_result build(const mo_vec3 *original, const mo_hull_input *input, mo_hull **hull,
                       int *first_error) {
  mo_result result = MO_ERROR_HULL_QHULL;
  for (size_t i = 0; i < ATTEMPT_COUNT && result == MO_ERROR_HULL_QHULL; i++) {
    int error = 0;
    result = attempt(original, input, ATTEMPTS[i], hull, &error);
    *first_error = i == 0 ? error : *first_error;
  }
  *first_error = result == MO_ERROR_HULL_QHULL ? *first_error : 0;
  return result;
}

mo_result mo_hull_create(const mo_vec3 *points, size_t count, mo_hull **hull) {
  int qhull_error;
  return mo_hull_create_reporting(points, count, hull, &qhull_error);
}

mo_result mo_hull_create_reporting(const mo_vec3 *points, size_t count, mo_hull **hull,
                                   int *qhull_error) {
  *qhull_error = 0;
  if (!hull) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  *hull = NULL;
  if (!points && count > 0) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  *hull = mo_hull_pool_find_built(points, count);
  if (*hull) {
    return MO_OK;
  }
  mo_hull_input input;
  mo_result result = mo_hull_input_prepare(points, count, &input);
  if (result == MO_OK) {
    result = build(points, &input, hull, qhull_error);
    mo_hull_input_free(&input);
  }
  if (result == MO_OK) {
    mo_hull *built = *hull;
    built->is_built_of_vertices = built->vertex_count == count &&
                                  memcmp(built->vertices, points, count * sizeof *points) == 0;
    *hull = mo_hull_pool_share(built);
  }
  return result;
}
