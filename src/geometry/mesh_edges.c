/// The edges of a mesh: which triangles are neighbours, how they are inclined, and whether the mesh
/// is closed.
#include "geometry/mesh.h"

#include "memory/allocator.h"
#include "memory/sort.h"

// Stands for an empty place of the table of positions.
#define EMPTY UINT32_MAX

// Edge k of a triangle goes from corner k to the next. It is named 3 * triangle + k.
static uint32_t next_corner(uint32_t edge) { return edge % 3 == 2 ? edge - 2 : edge + 1; }

// --- vertices at one place -------------------------------------------------------------------

static uint64_t bits_of(double x) {
  uint64_t bits;
  double without_minus_zero = x + 0.0;
  memcpy(&bits, &without_minus_zero, sizeof bits);
  return bits;
}

// Mixes the bits of a position (the finaliser of Murmur3, Appleby 2008).
static uint32_t hash_position(mo_vec3 p) {
  uint64_t h = bits_of(p.x) * 0x9e3779b97f4a7c15ull ^ bits_of(p.y) * 0xc2b2ae3d27d4eb4full ^
               bits_of(p.z) * 0x165667b19e3779f9ull;
  h = (h ^ h >> 33) * 0xff51afd7ed558ccdull;
  return (uint32_t)(h ^ h >> 33);
}

// Writes for each vertex the first one at its place. Returns false without memory.
static bool find_places(const mo_mesh *mesh, uint32_t *places) {
  uint64_t size = 16;
  while (size < 2 * (uint64_t)mesh->vertex_count) {
    size *= 2;
  }
  uint32_t *table = mo_allocate((size_t)size * sizeof *table);
  if (!table) {
    return false;
  }
  memset(table, 0xFF, (size_t)size * sizeof *table);
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    uint64_t at = hash_position(mesh->vertices[v]) & (size - 1);
    while (table[at] != EMPTY && !mo_v3_equal(mesh->vertices[table[at]], mesh->vertices[v])) {
      at = (at + 1) & (size - 1);
    }
    table[at] = table[at] == EMPTY ? v : table[at];
    places[v] = table[at];
  }
  mo_release(table);
  return true;
}

// --- the two sides of an edge ----------------------------------------------------------------

static void set_kind(mo_mesh *mesh, uint32_t edge, mo_edge_kind kind) {
  uint8_t *kinds = &mesh->edges[edge / 3];
  *kinds = (uint8_t)((*kinds & ~(3u << 2 * (edge % 3))) | (uint32_t)kind << 2 * (edge % 3));
}

// How the triangle with the normal m continues beyond an edge of the one with the normal n.
static mo_edge_kind kind_beyond(mo_vec3 n, mo_vec3 m, mo_vec3 from, mo_vec3 to) {
  if (mo_length_squared(n) == 0.0 || mo_length_squared(m) == 0.0) {
    return MO_EDGE_BORDER; // contacts look at what is really there
  }
  mo_vec3 along = mo_normalize(mo_sub(to, from));
  mo_vec3 outwards = mo_cross(m, mo_neg(along)); // into the other triangle
  double rise = mo_dot(n, outwards);
  if (fabs(rise) <= MO_MESH_FLAT) {
    return mo_dot(n, m) > 0.0 ? MO_EDGE_FLAT : MO_EDGE_BORDER; // folded back: a sharp rim
  }
  return rise > 0.0 ? MO_EDGE_CONCAVE : MO_EDGE_CONVEX;
}

static void pair_edges(mo_mesh *mesh, uint32_t a, uint32_t b) {
  mo_triangle s = mo_mesh_triangle(mesh, a / 3), t = mo_mesh_triangle(mesh, b / 3);
  mo_vec3 n = mo_triangle_normal(&s), m = mo_triangle_normal(&t);
  set_kind(mesh, a, kind_beyond(n, m, s.corners[a % 3], s.corners[(a + 1) % 3]));
  set_kind(mesh, b, kind_beyond(m, n, t.corners[b % 3], t.corners[(b + 1) % 3]));
}

static void note_defect(mo_mesh *mesh, mo_result result, uint32_t edge) {
  mo_mesh_defect *defect = &mesh->defect;
  // Openings come first, because turning triangles cannot close them.
  if (defect->result == MO_OK || result < defect->result) {
    *defect = (mo_mesh_defect){result, {mesh->indices[edge], mesh->indices[next_corner(edge)]}};
  }
}

// --- all edges -------------------------------------------------------------------------------

// The edges of the mesh, grouped by the lower vertex of their ends.
typedef struct edge_groups {
  const uint32_t *places;
  uint32_t *starts; // per vertex, and the end
  uint32_t *edges;
  mo_sort_entry *order; // room for one group
} edge_groups;

static uint32_t start_of(const mo_mesh *mesh, const edge_groups *g, uint32_t edge) {
  return g->places[mesh->indices[edge]];
}
static uint32_t end_of(const mo_mesh *mesh, const edge_groups *g, uint32_t edge) {
  return g->places[mesh->indices[next_corner(edge)]];
}
static uint32_t lower_of(const mo_mesh *mesh, const edge_groups *g, uint32_t edge) {
  uint32_t a = start_of(mesh, g, edge), b = end_of(mesh, g, edge);
  return a < b ? a : b;
}

// Sorts the edges by their lower vertices (counting sort). Returns the size of the largest group.
static uint32_t group_edges(const mo_mesh *mesh, edge_groups *g) {
  uint32_t count = 3 * mesh->triangle_count, largest = 0;
  for (uint32_t e = 0; e < count; e++) {
    g->starts[lower_of(mesh, g, e) + 1]++;
  }
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    largest = g->starts[v + 1] > largest ? g->starts[v + 1] : largest;
  }
  mo_sum_counts(g->starts, mesh->vertex_count);
  for (uint32_t e = 0; e < count; e++) {
    g->edges[g->starts[lower_of(mesh, g, e)]++] = e;
  }
  for (uint32_t v = mesh->vertex_count; v > 0; v--) {
    g->starts[v] = g->starts[v - 1];
  }
  g->starts[0] = 0;
  return largest;
}

// Looks at all edges between the same two vertices.
static void look_at_edge(mo_mesh *mesh, const edge_groups *g, const mo_sort_entry *same,
                         uint32_t count) {
  uint32_t upward = 0, of_side[2] = {0, 0};
  for (uint32_t i = 0; i < count; i++) {
    bool is_up = start_of(mesh, g, same[i].value) < end_of(mesh, g, same[i].value);
    upward += is_up;
    of_side[is_up] = same[i].value;
    set_kind(mesh, same[i].value, MO_EDGE_BORDER);
  }
  mesh->has_seams = mesh->has_seams || count > 2;
  if (count == 2 && upward == 1) {
    pair_edges(mesh, of_side[0], of_side[1]);
  } else if (2 * upward != count) {
    note_defect(mesh, count % 2 == 1 ? MO_ERROR_MESH_OPEN : MO_ERROR_MESH_ORIENTATION,
                same[0].value);
  }
}

static void look_at_group(mo_mesh *mesh, const edge_groups *g, uint32_t vertex) {
  uint32_t count = 0;
  for (uint32_t i = g->starts[vertex]; i < g->starts[vertex + 1]; i++) {
    uint32_t a = start_of(mesh, g, g->edges[i]), b = end_of(mesh, g, g->edges[i]);
    if (a != b) { // an edge without a length has no sides
      g->order[count++] = (mo_sort_entry){.key = a < b ? b : a, .value = g->edges[i]};
    }
  }
  mo_sort(g->order, count);
  for (uint32_t first = 0, i = 1; i <= count; i++) {
    if (i == count || g->order[i].key != g->order[first].key) {
      look_at_edge(mesh, g, &g->order[first], i - first);
      first = i;
    }
  }
}

// Sets the bits of smooth triangles.
// @param places as find_places writes them; null: no two vertices are at one place
// @param rims per vertex, zero: bits of the sides from which an edge at it falls away
static void mark_smooth(mo_mesh *mesh, const uint32_t *places, uint8_t *rims) {
  static const uint8_t sides_of[4] = {0, 2, 1, 3}; // flat, concave, convex, border
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    uint32_t corner[3];
    mo_mesh_corners(mesh, t, corner);
    for (int k = 0; k < 3; k++) {
      uint32_t from = corner[k], to = corner[(k + 1) % 3];
      uint8_t sides = sides_of[mo_mesh_edge_kind(mesh, t, k)];
      rims[places ? places[from] : from] |= sides;
      rims[places ? places[to] : to] |= sides;
    }
  }
  for (uint32_t t = 0; t < mesh->triangle_count; t++) {
    uint32_t corner[3];
    uint8_t sides = 0;
    mo_mesh_corners(mesh, t, corner);
    for (int k = 0; k < 3; k++) {
      sides |= rims[places ? places[corner[k]] : corner[k]];
    }
    mesh->edges[t] |= (uint8_t)((~sides & 3u) << 6);
  }
}

// --- seams -----------------------------------------------------------------------------------

// Of the length of an edge: what is as near to the edge touches it.
#define NEAR_EDGE 1e-4
// Fractions of an edge at which others are looked for: irregular, so that corners of regular
// divisions lie at neither.
static const double looks[] = {0.43, 0.81};

typedef struct seam_search {
  const mo_mesh *mesh;
  mo_vec3 point, from, to;
  double near;
  bool is_found;
} seam_search;

// A triangle at the point of an edge, unless it has that edge.
static bool find_stranger(void *user, uint32_t index) {
  seam_search *s = user;
  mo_triangle t = mo_mesh_triangle(s->mesh, index);
  int ends = 0;
  for (int k = 0; k < 3; k++) {
    ends += mo_v3_equal(t.corners[k], s->from) || mo_v3_equal(t.corners[k], s->to);
  }
  s->is_found =
      ends < 2 && mo_distance_between(mo_triangle_closest_point(&t, s->point), s->point) <= s->near;
  return !s->is_found;
}

static bool edge_has_stranger(const mo_mesh *mesh, mo_vec3 from, mo_vec3 to) {
  double length = mo_distance_between(from, to);
  seam_search s = {.mesh = mesh, .from = from, .to = to};
  s.near = NEAR_EDGE * length + mo_max(mo_mesh_rounding(from), mo_mesh_rounding(to));
  for (int i = 0; i < 2 && length > 0.0 && !s.is_found; i++) {
    s.point = mo_lerp(from, to, looks[i]);
    mo_mesh_search(mesh, mo_bounds_expand((mo_bounds){s.point, s.point}, s.near), find_stranger,
                   &s);
  }
  return s.is_found;
}

static uint32_t root_of(uint32_t *parents, uint32_t vertex) {
  while (parents[vertex] != vertex) {
    vertex = parents[vertex] = parents[parents[vertex]];
  }
  return vertex;
}

// Whether all triangles hang together by their corners.
static bool is_one_part(const mo_mesh *mesh, const uint32_t *places, uint32_t *parents) {
  for (uint32_t v = 0; v < mesh->vertex_count; v++) {
    parents[v] = v;
  }
  for (uint32_t e = 0; e < 3 * mesh->triangle_count; e++) {
    uint32_t from = root_of(parents, places[mesh->indices[e]]);
    parents[from] = root_of(parents, places[mesh->indices[next_corner(e)]]);
  }
  uint32_t first = root_of(parents, places[mesh->indices[0]]), e = 0;
  while (e < 3 * mesh->triangle_count && root_of(parents, places[mesh->indices[e]]) == first) {
    e++;
  }
  return e == 3 * mesh->triangle_count;
}

// Edges that are flat or concave are felt by nobody. Others touch what is no neighbour at the rim
// of a mesh, and where it has several parts also elsewhere.
static void find_seams(mo_mesh *mesh, mo_edge_kind least) {
  for (uint32_t t = 0; t < mesh->triangle_count && !mesh->has_seams; t++) {
    for (int k = 0; k < 3 && !mesh->has_seams; k++) {
      if (mo_mesh_edge_kind(mesh, t, k) >= least) {
        mo_triangle at = mo_mesh_triangle(mesh, t);
        mesh->has_seams = edge_has_stranger(mesh, at.corners[k], at.corners[(k + 1) % 3]);
      }
    }
  }
}

static bool classify_listed(mo_mesh *mesh) {
  uint32_t *places = mo_allocate((size_t)mesh->vertex_count * sizeof *places);
  edge_groups g = {.places = places,
                   .starts = mo_allocate(((size_t)mesh->vertex_count + 1) * sizeof *g.starts),
                   .edges = mo_allocate(3 * (size_t)mesh->triangle_count * sizeof *g.edges)};
  uint8_t *rims = mo_allocate(mesh->vertex_count);
  bool has_memory = places && g.starts && g.edges && rims && find_places(mesh, places);
  if (has_memory) {
    g.order = mo_allocate(((size_t)group_edges(mesh, &g) + 1) * sizeof *g.order);
    has_memory = g.order != NULL;
  }
  for (uint32_t v = 0; v < mesh->vertex_count && has_memory; v++) {
    look_at_group(mesh, &g, v);
  }
  if (has_memory) {
    mark_smooth(mesh, places, rims);
    find_seams(mesh, is_one_part(mesh, places, g.starts) ? MO_EDGE_BORDER : MO_EDGE_CONVEX);
  }
  mo_release(rims);
  mo_release(places);
  mo_release(g.starts);
  mo_release(g.edges);
  mo_release(g.order);
  return has_memory;
}

// --- height fields ---------------------------------------------------------------------------

// The edges of a cell: those of its first triangle, then those of its second one.
enum { LEFT = 0, BOTTOM = 1, DIAGONAL = 2, DIAGONAL_BACK = 3, RIGHT = 4, TOP = 5, OF_CELL = 6 };

// Pairs the edges of a row of cells with each other and with those of the next row.
static void pair_row(mo_mesh *mesh, uint32_t first, bool is_last) {
  uint32_t columns = mo_height_cell_columns(&mesh->grid), column = 0;
  do {
    pair_edges(mesh, first + DIAGONAL, first + DIAGONAL_BACK);
    if (column + 1 < columns) {
      pair_edges(mesh, first + RIGHT, first + OF_CELL + LEFT);
    }
    if (!is_last) {
      pair_edges(mesh, first + BOTTOM, first + OF_CELL * columns + TOP);
    }
    first += OF_CELL;
  } while (++column < columns);
}

// Neighbours are those of the grid: nothing has to be searched. A field is open all round.
static bool classify_field(mo_mesh *mesh) {
  uint8_t *rims = mo_allocate(mesh->vertex_count);
  if (!rims) {
    return false;
  }
  memset(mesh->edges, MO_EDGE_BORDER << 4 | MO_EDGE_BORDER << 2 | MO_EDGE_BORDER,
         mesh->triangle_count);
  uint32_t columns = mo_height_cell_columns(&mesh->grid), rows = mesh->grid.rows - 1;
  for (uint32_t row = 0; row < rows; row++) {
    pair_row(mesh, OF_CELL * columns * row, row + 1 == rows);
  }
  mark_smooth(mesh, NULL, rims);
  mo_release(rims);
  mesh->defect = (mo_mesh_defect){MO_ERROR_MESH_OPEN, {1, 0}};
  return true;
}

bool mo_mesh_classify_edges(mo_mesh *mesh) {
  return mesh->grid.heights ? classify_field(mesh) : classify_listed(mesh);
}
