#include "geometry/polygons.h"

#include "memory/allocator.h"
#include "memory/sort.h"

#include <string.h>

#define NONE UINT32_MAX

bool mo_polygons_allocate(mo_polygons *polygons, uint32_t count, uint32_t entry_count) {
  polygons->loops = mo_allocate(entry_count * sizeof(uint32_t));
  polygons->starts = mo_allocate((count + 1u) * sizeof(uint32_t));
  polygons->count = count;
  if (!polygons->loops || !polygons->starts) {
    mo_polygons_free(polygons);
    return false;
  }
  return true;
}

void mo_polygons_free(mo_polygons *polygons) {
  mo_release(polygons->loops);
  mo_release(polygons->starts);
  *polygons = (mo_polygons){0};
}

void mo_polygons_find_owners(const mo_polygons *polygons, uint32_t *owners) {
  for (uint32_t f = 0; f < polygons->count; f++) {
    for (uint32_t h = polygons->starts[f]; h < polygons->starts[f + 1]; h++) {
      owners[h] = f;
    }
  }
}

mo_result mo_polygons_pair_edges(const mo_polygons *polygons, bool is_oriented, uint32_t *twins) {
  const uint32_t *loops = polygons->loops;
  uint32_t count = polygons->starts[polygons->count];
  // an odd number of half-edges cannot be paired
  if (count % 2u != 0) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  mo_sort_entry *entries = mo_allocate((count + 1u) * sizeof *entries);
  if (!entries) {
    return MO_ERROR_OUT_OF_MEMORY;
  }

  // both half-edges of an edge get the same key, so sorting brings them together
  for (uint32_t f = 0; f < polygons->count; f++) {
    for (uint32_t h = polygons->starts[f]; h < polygons->starts[f + 1]; h++) {
      uint32_t from = loops[h], to = loops[mo_polygons_next(polygons, f, h)];
      entries[h] = (mo_sort_entry){mo_sort_key_of_both(from, to), h};
    }
  }
  mo_sort(entries, count);

  // exactly two of each
  bool paired = true;
  for (uint32_t i = 0; i < count && paired; i += 2) {
    uint32_t a = entries[i].value, b = entries[i + 1].value;
    bool third = i + 2 < count && entries[i + 2].key == entries[i].key;
    paired = entries[i].key == entries[i + 1].key && !third;
    paired = paired && !(is_oriented && loops[a] == loops[b]);
    twins[a] = b;
    twins[b] = a;
  }
  mo_release(entries);
  return paired ? MO_OK : MO_ERROR_INVALID_ARGUMENT;
}

mo_vec3 mo_polygon_area_vector(const mo_polygons *polygons, uint32_t polygon,
                               const mo_vec3 *vertices) {
  const uint32_t *loop = polygons->loops + polygons->starts[polygon];
  uint32_t count = polygons->starts[polygon + 1] - polygons->starts[polygon];
  mo_vec3 first = vertices[loop[0]];
  mo_vec3 sum = mo_v3_zero();
  for (uint32_t i = 2; i < count; i++) {
    sum = mo_add(sum,
                 mo_cross(mo_sub(vertices[loop[i - 1]], first), mo_sub(vertices[loop[i]], first)));
  }
  return sum;
}

double mo_polygon_width(const mo_polygons *polygons, uint32_t polygon, const mo_vec3 *vertices,
                        mo_vec3 area_vector) {
  double longest = 0.0;
  uint32_t start = polygons->starts[polygon], end = polygons->starts[polygon + 1];
  for (uint32_t h = start; h < end; h++) {
    mo_vec3 from = vertices[polygons->loops[h]],
            to = vertices[polygons->loops[mo_polygons_next(polygons, polygon, h)]];
    longest = mo_max(longest, mo_distance_between(from, to));
  }
  return longest > 0.0 ? 0.5 * mo_length(area_vector) / longest : 0.0;
}

static void reverse_loop(mo_polygons *polygons, uint32_t f) {
  for (uint32_t a = polygons->starts[f], b = polygons->starts[f + 1]; a + 1 < b; a++) {
    uint32_t swapped = polygons->loops[a];
    polygons->loops[a] = polygons->loops[--b];
    polygons->loops[b] = swapped;
  }
}

// --- orientation -----------------------------------------------------------------------------

// Whether each polygon must be reversed to agree with the first, spreading over the edges. `turned`
// holds NONE for polygons that were not reached yet. Returns false if the surface is one-sided or
// not connected.
static bool spread_orientation(const mo_polygons *polygons, const uint32_t *owner,
                               const uint32_t *twins, uint32_t *turned, uint32_t *stack) {
  uint32_t height = 0, reached = 1;
  turned[0] = 0;
  stack[height++] = 0;
  while (height > 0) {
    uint32_t f = stack[--height];
    for (uint32_t h = polygons->starts[f]; h < polygons->starts[f + 1]; h++) {
      uint32_t other = owner[twins[h]];
      // neighbours agree when they run along their edge in opposite directions
      bool same_direction = polygons->loops[h] == polygons->loops[twins[h]];
      uint32_t wanted = same_direction ? 1u - turned[f] : turned[f];
      if (turned[other] == NONE) {
        turned[other] = wanted;
        stack[height++] = other;
        reached++;
      } else if (turned[other] != wanted) {
        return false;
      }
    }
  }
  return reached == polygons->count;
}

// Six times the volume inside, relative to a vertex.
static double signed_volume(const mo_polygons *polygons, const mo_vec3 *vertices) {
  mo_vec3 origin = vertices[polygons->loops[0]];
  double sum = 0.0;
  for (uint32_t f = 0; f < polygons->count; f++) {
    mo_vec3 first = mo_sub(vertices[polygons->loops[polygons->starts[f]]], origin);
    sum += mo_dot(first, mo_polygon_area_vector(polygons, f, vertices));
  }
  return sum;
}

mo_result mo_polygons_orient(mo_polygons *polygons, const mo_vec3 *vertices) {
  if (polygons->count == 0) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  uint32_t entry_count = polygons->starts[polygons->count];
  uint32_t *owner = mo_allocate(2u * ((size_t)entry_count + polygons->count) * sizeof(uint32_t));
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (owner) {
    uint32_t *twins = owner + entry_count, *turned = twins + entry_count,
             *stack = turned + polygons->count;
    mo_polygons_find_owners(polygons, owner);
    memset(turned, 0xFF, polygons->count * sizeof(uint32_t)); // NONE
    result = mo_polygons_pair_edges(polygons, false, twins);
    if (result == MO_OK && !spread_orientation(polygons, owner, twins, turned, stack)) {
      result = MO_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t f = 0; result == MO_OK && f < polygons->count; f++) {
      if (turned[f]) {
        reverse_loop(polygons, f);
      }
    }
  }
  mo_release(owner);
  if (result == MO_OK && signed_volume(polygons, vertices) < 0.0) {
    for (uint32_t f = 0; f < polygons->count; f++) {
      reverse_loop(polygons, f);
    }
  }
  return result;
}

// --- order -----------------------------------------------------------------------------------

// Copies loop f of `from` to `to`, beginning at its smallest vertex.
static void copy_rotated(const mo_polygons *from, uint32_t f, uint32_t *to) {
  const uint32_t *loop = from->loops + from->starts[f];
  uint32_t count = from->starts[f + 1] - from->starts[f];
  uint32_t smallest = 0;
  for (uint32_t i = 1; i < count; i++) {
    smallest = loop[i] < loop[smallest] ? i : smallest;
  }
  for (uint32_t i = 0; i < count; i++) {
    to[i] = loop[(smallest + i) % count];
  }
}

mo_result mo_polygons_sort(mo_polygons *polygons) {
  uint32_t count = polygons->count;
  mo_polygons sorted;
  if (!mo_polygons_allocate(&sorted, count, polygons->starts[count])) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_sort_entry *order = mo_allocate((count + 1u) * sizeof *order);
  uint32_t *rotated = mo_allocate((polygons->starts[count] + 1u) * sizeof *rotated);
  bool has_memory = order && rotated;
  if (has_memory) {
    // no two polygons of a manifold have the same directed edge, so the first two vertices decide
    for (uint32_t f = 0; f < count; f++) {
      uint32_t *loop = rotated + polygons->starts[f];
      copy_rotated(polygons, f, loop);
      order[f] = (mo_sort_entry){mo_sort_key(loop[0], loop[1]), f};
    }
    mo_sort(order, count);
    for (uint32_t i = 0; i < count; i++) {
      uint32_t f = order[i].value, size = polygons->starts[f + 1] - polygons->starts[f];
      sorted.starts[i + 1] = sorted.starts[i] + size;
      memcpy(sorted.loops + sorted.starts[i], rotated + polygons->starts[f],
             size * sizeof(uint32_t));
    }
    mo_polygons swapped = *polygons;
    *polygons = sorted;
    sorted = swapped;
  }
  mo_release(order);
  mo_release(rotated);
  mo_polygons_free(&sorted);
  return has_memory ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}

// --- triangles -------------------------------------------------------------------------------

mo_result mo_polygons_triangulate(const mo_polygons *polygons, mo_polygons *triangles) {
  uint32_t count = polygons->starts[polygons->count] - 2u * polygons->count;
  if (!mo_polygons_allocate(triangles, count, 3u * count)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  uint32_t triangle = 0;
  for (uint32_t f = 0; f < polygons->count; f++) {
    const uint32_t *loop = polygons->loops + polygons->starts[f];
    for (uint32_t i = 2; i < polygons->starts[f + 1] - polygons->starts[f]; i++) {
      uint32_t *corners = triangles->loops + 3u * (size_t)triangle;
      corners[0] = loop[0];
      corners[1] = loop[i - 1];
      corners[2] = loop[i];
      triangle++;
      triangles->starts[triangle] = 3u * triangle;
    }
  }
  return MO_OK;
}

// --- checks ----------------------------------------------------------------------------------

// Whether V - E + F = 2 and no vertex has fewer than three edges. `degrees` has an entry for each
// vertex, zero.
static bool has_sphere_topology(const mo_polygons *polygons, uint32_t vertex_count,
                                uint32_t *degrees) {
  uint32_t entry_count = polygons->starts[polygons->count];
  for (uint32_t h = 0; h < entry_count; h++) {
    degrees[polygons->loops[h]]++;
  }
  uint32_t used = 0;
  for (uint32_t v = 0; v < vertex_count; v++) {
    used += degrees[v] > 0;
    if (degrees[v] == 1 || degrees[v] == 2) {
      return false;
    }
  }
  return used + polygons->count == entry_count / 2u + 2u;
}

// The distance of `point` outside the edge from `from` to `to` of a polygon with the unit normal
// `normal`: metres, positive if the loop would turn the wrong way there.
static double beyond_edge(mo_vec3 from, mo_vec3 to, mo_vec3 normal, mo_vec3 point) {
  mo_vec3 outward = mo_normalize(mo_cross(mo_sub(to, from), normal));
  return mo_dot(outward, mo_sub(point, from));
}

// Whether the surface is convex over the half-edge h. `beyond` is the corner of f after its end,
// and `third` that of the neighbour. The plane of the wider polygon is used, because the other
// one's may be noise.
static bool is_convex_over(const mo_polygons *polygons, const mo_vec3 *vertices, uint32_t f,
                           mo_vec3 area, uint32_t neighbour, uint32_t h, uint32_t beyond,
                           uint32_t third, double tolerance) {
  mo_vec3 on_edge = vertices[polygons->loops[h]];
  if (mo_dot(mo_normalize(area), mo_sub(vertices[third], on_edge)) <= tolerance) {
    return true;
  }
  mo_vec3 other_area = mo_polygon_area_vector(polygons, neighbour, vertices);
  return mo_polygon_width(polygons, f, vertices, area) <
             mo_polygon_width(polygons, neighbour, vertices, other_area) &&
         mo_dot(mo_normalize(other_area), mo_sub(vertices[beyond], on_edge)) <= tolerance;
}

// Whether polygon f is convex at its corners and over its edges.
static bool is_convex_at(const mo_polygons *polygons, const uint32_t *owner, const uint32_t *twins,
                         uint32_t f, const mo_vec3 *vertices, double tolerance) {
  mo_vec3 area = mo_polygon_area_vector(polygons, f, vertices);
  if (!(mo_length(area) > 0.0)) {
    return false;
  }
  mo_vec3 normal = mo_normalize(area);
  for (uint32_t h = polygons->starts[f]; h < polygons->starts[f + 1]; h++) {
    uint32_t next = mo_polygons_next(polygons, f, h);
    uint32_t beyond = polygons->loops[mo_polygons_next(polygons, f, next)];
    mo_vec3 from = vertices[polygons->loops[h]], to = vertices[polygons->loops[next]];
    if (beyond_edge(from, to, normal, vertices[beyond]) > tolerance) {
      return false;
    }
    uint32_t g = owner[twins[h]];
    uint32_t third =
        polygons->loops[mo_polygons_next(polygons, g, mo_polygons_next(polygons, g, twins[h]))];
    if (!is_convex_over(polygons, vertices, f, area, g, h, beyond, third, tolerance)) {
      return false;
    }
  }
  return true;
}

mo_result mo_polygons_verify(const mo_polygons *polygons, const mo_vec3 *vertices,
                             uint32_t vertex_count, double tolerance) {
  if (polygons->count < 4) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  uint32_t entry_count = polygons->starts[polygons->count];
  uint32_t *owner = mo_allocate((2u * (size_t)entry_count + vertex_count) * sizeof *owner);
  mo_result result = MO_ERROR_OUT_OF_MEMORY;
  if (owner) {
    uint32_t *twins = owner + entry_count, *degrees = twins + entry_count;
    mo_polygons_find_owners(polygons, owner);
    result = mo_polygons_pair_edges(polygons, true, twins);
    if (result == MO_OK && !has_sphere_topology(polygons, vertex_count, degrees)) {
      result = MO_ERROR_INVALID_ARGUMENT;
    }
    for (uint32_t f = 0; result == MO_OK && f < polygons->count; f++) {
      if (!is_convex_at(polygons, owner, twins, f, vertices, tolerance)) {
        result = MO_ERROR_INVALID_ARGUMENT;
      }
    }
  }
  mo_release(owner);
  return result;
}
