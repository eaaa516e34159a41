// Merging of polygons that lie in one plane.
//
// Regions grow from their largest polygon and stay near its plane. Alternatives considered: merging
// pairs of neighbours by their angle (drifts along finely curved surfaces, and a sliver has no
// angle), or Qhull's own merging with a tolerance (its result may depend on addresses).
#include "geometry/polygons.h"
#include "memory/allocator.h"
#include "memory/sort.h"

#include <string.h>

#define NONE UINT32_MAX

// Cosine: a neighbour that is tilted by more does not join a region, unless it is a sliver, whose
// normal is noise. This separates the sides of a slab that is hardly thicker than the tolerance
// from its top.
static const double JOINING_COSINE = 0.9;

typedef struct merger {
  const mo_polygons *in;
  const mo_vec3 *vertices;
  uint32_t vertex_count;
  double tolerance;
  uint32_t *owner;  // polygon of each half-edge
  uint32_t *twins;  // of each half-edge
  uint32_t *region; // of each polygon, NONE before it joins one
  uint32_t *stack;  // polygons whose neighbours are not visited yet
  mo_vec3 *areas;   // area vector of each polygon
  uint32_t *degree; // remaining edges of each vertex
  mo_sort_entry *order;
  uint32_t region_count;
} merger;

static void end_merger(merger *m) {
  mo_release(m->owner);
  mo_release(m->areas);
  mo_release(m->order);
}

static bool begin_merger(merger *m) {
  uint32_t entry_count = m->in->starts[m->in->count], count = m->in->count;
  m->owner = mo_allocate((2u * (size_t)entry_count + 2u * (size_t)count + m->vertex_count) *
                         sizeof(uint32_t));
  m->areas = mo_allocate(count * sizeof(mo_vec3));
  m->order = mo_allocate(count * sizeof(mo_sort_entry));
  if (!m->owner || !m->areas || !m->order) {
    end_merger(m);
    return false;
  }
  m->twins = m->owner + entry_count;
  m->region = m->twins + entry_count;
  m->stack = m->region + count;
  m->degree = m->stack + count;
  memset(m->region, 0xFF, count * sizeof(uint32_t)); // NONE
  return true;
}

static uint32_t next_in_polygon(const merger *m, uint32_t h) {
  return mo_polygons_next(m->in, m->owner[h], h);
}

// Sets owners, areas, and the order of growth: the largest first, and of equal ones the first.
static void measure_polygons(merger *m) {
  mo_polygons_find_owners(m->in, m->owner);
  for (uint32_t f = 0; f < m->in->count; f++) {
    m->areas[f] = mo_polygon_area_vector(m->in, f, m->vertices);
    m->order[f] = (mo_sort_entry){~mo_sort_key_of_double(mo_length_squared(m->areas[f])), f};
  }
  mo_sort(m->order, m->in->count);
}

static bool may_join(const merger *m, uint32_t f, mo_vec3 normal, mo_vec3 origin) {
  for (uint32_t h = m->in->starts[f]; h < m->in->starts[f + 1]; h++) {
    if (fabs(mo_dot(normal, mo_sub(m->vertices[m->in->loops[h]], origin))) > m->tolerance) {
      return false;
    }
  }
  return mo_dot(m->areas[f], normal) >= JOINING_COSINE * mo_length(m->areas[f]) ||
         mo_polygon_width(m->in, f, m->vertices, m->areas[f]) <= m->tolerance;
}

static void grow_region(merger *m, uint32_t seed) {
  mo_vec3 normal = mo_normalize(m->areas[seed]);
  mo_vec3 origin = m->vertices[m->in->loops[m->in->starts[seed]]];
  uint32_t region = m->region_count++, height = 0;
  m->region[seed] = region;
  m->stack[height++] = seed;
  while (height > 0) {
    uint32_t f = m->stack[--height];
    for (uint32_t h = m->in->starts[f]; h < m->in->starts[f + 1]; h++) {
      uint32_t other = m->owner[m->twins[h]];
      if (m->region[other] == NONE && may_join(m, other, normal, origin)) {
        m->region[other] = region;
        m->stack[height++] = other;
      }
    }
  }
}

static bool is_border(const merger *m, uint32_t h) {
  return m->region[m->owner[h]] != m->region[m->owner[m->twins[h]]];
}

// The half-edge that follows the border half-edge h on the border of its region.
static uint32_t next_on_border(const merger *m, uint32_t h) {
  uint32_t next = next_in_polygon(m, h);
  while (!is_border(m, next)) {
    next = next_in_polygon(m, m->twins[next]);
  }
  return next;
}

static void count_degrees(merger *m) {
  memset(m->degree, 0, m->vertex_count * sizeof(uint32_t));
  for (uint32_t h = 0; h < m->in->starts[m->in->count]; h++) {
    m->degree[m->in->loops[h]] += is_border(m, h);
  }
}

// Writes the border of each region, from the first border half-edge of its first polygon on,
// without vertices that have only two edges left. Returns false if a region has two borders, or
// less than a triangle remains.
static bool trace_borders(const merger *m, uint32_t *is_traced, mo_polygons *out) {
  uint32_t entry = 0, traced_count = 0;
  for (uint32_t h = 0; h < m->in->starts[m->in->count]; h++) {
    uint32_t region = m->region[m->owner[h]];
    if (!is_border(m, h) || is_traced[h]) {
      continue;
    }
    if (traced_count == m->region_count) {
      return false;
    }
    uint32_t first_entry = entry, at = h;
    do {
      is_traced[at] = 1;
      if (m->degree[m->in->loops[at]] > 2) {
        out->loops[entry++] = m->in->loops[at];
      }
      at = next_on_border(m, at);
    } while (at != h && m->region[m->owner[at]] == region);
    out->starts[++traced_count] = entry;
    if (at != h || entry - first_entry < 3) {
      return false;
    }
  }
  out->count = traced_count;
  return traced_count == m->region_count;
}

static mo_result merge(merger *m, mo_polygons *merged) {
  measure_polygons(m);
  mo_result result = mo_polygons_pair_edges(m->in, true, m->twins);
  if (result != MO_OK) {
    return result;
  }
  for (uint32_t i = 0; i < m->in->count; i++) {
    if (m->region[m->order[i].value] == NONE) {
      grow_region(m, m->order[i].value);
    }
  }
  // a single region has no border
  if (m->region_count < 4) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  count_degrees(m);
  uint32_t entry_count = m->in->starts[m->in->count];
  uint32_t *is_traced = mo_allocate(entry_count * sizeof *is_traced);
  if (!is_traced) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  result = MO_ERROR_OUT_OF_MEMORY;
  if (mo_polygons_allocate(merged, m->region_count, entry_count)) {
    result = trace_borders(m, is_traced, merged) ? MO_OK : MO_ERROR_INVALID_ARGUMENT;
  }
  mo_release(is_traced);
  return result;
}

mo_result mo_polygons_merge(const mo_polygons *polygons, const mo_vec3 *vertices,
                            uint32_t vertex_count, double tolerance, mo_polygons *merged) {
  *merged = (mo_polygons){0};
  merger m = {
      .in = polygons, .vertices = vertices, .vertex_count = vertex_count, .tolerance = tolerance};
  if (!begin_merger(&m)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = merge(&m, merged);
  end_merger(&m);
  if (result != MO_OK) {
    mo_polygons_free(merged);
  }
  return result;
}
