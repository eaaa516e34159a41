// The polytope is an inner approximation of A - B. In each iteration the face with the smallest
// offset is moved outwards to the support point along its normal. The offset of that face is a
// lower bound of the depth, and the support along any unit normal is an upper bound. The search
// ends when the two meet (best first, branch and bound). So a face with round-off errors may cost
// an iteration, but is never returned with a wrong depth.
//
// The sign of an offset refers to the outside of the polytope and not to the origin. So the origin
// may lie on the boundary, or by round-off a little outside; the polytope then grows towards it.
#include "collision/convex/epa.h"

#include <string.h>

// The workspace takes about 46 kB of stack. A closed triangulated surface with V vertices has 2 V -
// 4 faces.
#define MAX_VERTICES 256
#define MAX_FACES (2 * MAX_VERTICES)
// Relative to the scale of the pair: a vertex counts as above a face from this height on. It is
// 1000 times the round-off, so new faces are at least that tall, and their normals are accurate to
// about 1e-3. The bounds above correct the rest.
#define HEIGHT 1e-12
// Relative to the scale of the pair: the error of the depth that a rough search may leave. It is
// the accuracy that depths must have.
#define ROUGH_DEPTH 1e-6

typedef struct epa_face {
  mo_vec3 normal;        // unit, outwards
  uint16_t vertex[3];    // counter-clockwise seen from outside
  uint16_t neighbour[3]; // across the edge vertex[i] -> vertex[i + 1]
  bool alive;
  bool visible; // from the new vertex
  bool final;   // its support point is known not to lie above it
} epa_face;

// An edge between a face that sees the new vertex and one that does not.
typedef struct horizon_edge {
  uint16_t from, to; // along the visible face
  uint16_t outer;    // the face that stays
  uint16_t face;     // the new face that replaces the visible one
} horizon_edge;

typedef struct polytope {
  mo_minkowski_vertex vertices[MAX_VERTICES];
  epa_face faces[MAX_FACES];
  double offsets[MAX_FACES];      // of the plane of each face; infinite for dead faces
  uint16_t free_faces[MAX_FACES]; // stack of dead faces below face_count
  uint16_t visible[MAX_FACES];
  horizon_edge horizon[MAX_VERTICES];
  int16_t horizon_from[MAX_VERTICES]; // index of the horizon edge that starts at a vertex, else -1
  int vertex_count, face_count, free_count, visible_count, horizon_count;
  double height;   // m
  double accuracy; // m, of the depth
} polytope;

// --- the first tetrahedron -------------------------------------------------------------------

static mo_vec3 point_of(const polytope *p, int vertex) { return p->vertices[vertex].difference; }

// The distance of a point from the point, line or plane through the first `count` vertices.
static double stand_off(const polytope *p, int count, mo_vec3 x) {
  mo_vec3 d = mo_sub(x, point_of(p, 0));
  if (count == 1) {
    return mo_length(d);
  }
  mo_vec3 e = mo_sub(point_of(p, 1), point_of(p, 0));
  if (count == 2) {
    return mo_length(mo_cross(d, e)) / mo_length(e);
  }
  mo_vec3 normal = mo_normalize(mo_cross(e, mo_sub(point_of(p, 2), point_of(p, 0))));
  return fabs(mo_dot(normal, d));
}

// A direction along which the first `count` vertices have no extent.
static mo_vec3 missing_direction(const polytope *p, int count) {
  if (count == 1) {
    return mo_v3(1.0, 0.0, 0.0);
  }
  mo_vec3 e = mo_sub(point_of(p, 1), point_of(p, 0));
  if (count == 2) {
    mo_vec3 t1, t2;
    mo_tangent_basis(mo_normalize(e), &t1, &t2);
    return t1;
  }
  return mo_normalize(mo_cross(e, mo_sub(point_of(p, 2), point_of(p, 0))));
}

// Finds four vertices that span a volume: first those of the simplex that add a dimension, then
// support points along the missing directions. A - B is as wide as A, so one of the two directions
// gives a vertex at a distance.
static bool span_tetrahedron(polytope *p, mo_minkowski *pair, const mo_simplex *simplex) {
  p->vertices[0] = simplex->vertices[0];
  p->vertex_count = 1;
  for (int i = 1; i < simplex->count; i++) {
    if (stand_off(p, p->vertex_count, simplex->vertices[i].difference) > p->height) {
      p->vertices[p->vertex_count++] = simplex->vertices[i];
    }
  }
  while (p->vertex_count < 4) {
    mo_vec3 direction = missing_direction(p, p->vertex_count);
    mo_minkowski_vertex there = mo_minkowski_support(pair, direction);
    mo_minkowski_vertex back = mo_minkowski_support(pair, mo_neg(direction));
    double off_there = stand_off(p, p->vertex_count, there.difference);
    double off_back = stand_off(p, p->vertex_count, back.difference);
    if (!(mo_max(off_there, off_back) > p->height)) {
      return false;
    }
    p->vertices[p->vertex_count++] = off_there >= off_back ? there : back;
  }
  return true;
}

// --- faces -----------------------------------------------------------------------------------

static uint16_t add_face(polytope *p, uint16_t i, uint16_t j, uint16_t k) {
  uint16_t f = p->free_count > 0 ? p->free_faces[--p->free_count] : (uint16_t)p->face_count++;
  epa_face *face = &p->faces[f];
  mo_vec3 x = point_of(p, i);
  face->normal = mo_normalize(mo_cross(mo_sub(point_of(p, j), x), mo_sub(point_of(p, k), x)));
  face->vertex[0] = i;
  face->vertex[1] = j;
  face->vertex[2] = k;
  face->alive = true;
  face->visible = false;
  face->final = false;
  p->offsets[f] = mo_dot(face->normal, x);
  return f;
}

static void build_tetrahedron(polytope *p) {
  // Orders the vertices of the faces so that their normals point away from the opposite vertex.
  mo_vec3 x = point_of(p, 0);
  mo_vec3 normal = mo_cross(mo_sub(point_of(p, 1), x), mo_sub(point_of(p, 2), x));
  if (mo_dot(normal, mo_sub(point_of(p, 3), x)) > 0.0) {
    mo_minkowski_vertex other = p->vertices[1];
    p->vertices[1] = p->vertices[2];
    p->vertices[2] = other;
  }
  static const uint16_t vertex[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
  static const uint16_t neighbour[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
  for (int f = 0; f < 4; f++) {
    add_face(p, vertex[f][0], vertex[f][1], vertex[f][2]);
    memcpy(p->faces[f].neighbour, neighbour[f], sizeof neighbour[f]);
  }
}

// The face with the smallest offset among those that may still move, or -1.
static int nearest_face(const polytope *p) {
  int nearest = -1;
  double least = INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    if (p->offsets[f] < least && !p->faces[f].final) {
      least = p->offsets[f];
      nearest = f;
    }
  }
  return nearest;
}

static bool has_vertex(const polytope *p, mo_vec3 x) {
  for (int i = 0; i < p->vertex_count; i++) {
    if (mo_v3_equal(point_of(p, i), x)) {
      return true;
    }
  }
  return false;
}

// --- growing ---------------------------------------------------------------------------------

// Lists the faces that see the point x, starting from `first`.
static void find_visible(polytope *p, int first, mo_vec3 x) {
  p->visible_count = 0;
  p->visible[p->visible_count++] = (uint16_t)first;
  p->faces[first].visible = true;
  for (int i = 0; i < p->visible_count; i++) {
    for (int e = 0; e < 3; e++) {
      uint16_t f = p->faces[p->visible[i]].neighbour[e];
      epa_face *face = &p->faces[f];
      if (!face->visible && mo_dot(face->normal, x) - p->offsets[f] > p->height) {
        face->visible = true;
        p->visible[p->visible_count++] = f;
      }
    }
  }
}

// Lists the edges around the visible faces. Returns false if they are not one simple loop, or if
// all faces are visible; only round-off can cause either.
static bool find_horizon(polytope *p) {
  p->horizon_count = 0;
  for (int i = 0; i < p->vertex_count; i++) {
    p->horizon_from[i] = -1;
  }
  for (int i = 0; i < p->visible_count; i++) {
    const epa_face *face = &p->faces[p->visible[i]];
    for (int e = 0; e < 3; e++) {
      if (p->faces[face->neighbour[e]].visible) {
        continue;
      }
      uint16_t from = face->vertex[e], to = face->vertex[(e + 1) % 3];
      if (p->horizon_from[from] >= 0) {
        return false;
      }
      p->horizon_from[from] = (int16_t)p->horizon_count;
      p->horizon[p->horizon_count++] =
          (horizon_edge){.from = from, .to = to, .outer = face->neighbour[e]};
    }
  }
  if (p->horizon_count == 0) {
    return false;
  }
  int length = 0, edge = 0;
  do {
    edge = p->horizon_from[p->horizon[edge].to];
    length++;
  } while (edge > 0 && length <= p->horizon_count);
  return edge == 0 && length == p->horizon_count;
}

static void kill_visible(polytope *p) {
  for (int i = 0; i < p->visible_count; i++) {
    p->faces[p->visible[i]].alive = false;
    p->offsets[p->visible[i]] = INFINITY;
    p->free_faces[p->free_count++] = p->visible[i];
  }
}

// Replaces the visible faces by a fan from the horizon to the newest vertex.
static void build_fan(polytope *p) {
  uint16_t apex = (uint16_t)(p->vertex_count - 1);
  for (int i = 0; i < p->horizon_count; i++) {
    horizon_edge *edge = &p->horizon[i];
    edge->face = add_face(p, edge->from, edge->to, apex);
  }
  for (int i = 0; i < p->horizon_count; i++) {
    const horizon_edge *edge = &p->horizon[i], *next = &p->horizon[p->horizon_from[edge->to]];
    p->faces[edge->face].neighbour[0] = edge->outer;
    p->faces[edge->face].neighbour[1] = next->face;
    p->faces[next->face].neighbour[2] = edge->face;
    epa_face *outer = &p->faces[edge->outer];
    for (int e = 0; e < 3; e++) {
      if (outer->vertex[e] == edge->to) {
        outer->neighbour[e] = edge->face;
      }
    }
  }
}

// Expands the polytope from face f to a vertex above it. Returns false if there is no room or the
// surface would become invalid.
static bool expand(polytope *p, int f, const mo_minkowski_vertex *vertex) {
  if (p->vertex_count == MAX_VERTICES) {
    return false;
  }
  find_visible(p, f, vertex->difference);
  if (!find_horizon(p)) {
    return false;
  }
  p->vertices[p->vertex_count++] = *vertex;
  kill_visible(p);
  build_fan(p);
  return true;
}

// --- the result ------------------------------------------------------------------------------

// Weights of the projection of the origin on a face. They add up to 1, and one is negative if the
// projection is outside.
static void project_origin(const polytope *p, const epa_face *face, double weights[3]) {
  mo_vec3 a = point_of(p, face->vertex[0]), b = point_of(p, face->vertex[1]),
          c = point_of(p, face->vertex[2]);
  weights[0] = mo_dot(face->normal, mo_cross(b, c));
  weights[1] = mo_dot(face->normal, mo_cross(c, a));
  weights[2] = mo_dot(face->normal, mo_cross(a, b));
  double whole = weights[0] + weights[1] + weights[2];
  for (int i = 0; i < 3; i++) {
    weights[i] = whole > 0.0 ? weights[i] / whole : 1.0 / 3.0;
  }
}

// Sets the closest face. A polygon of A - B may consist of several coplanar triangles: of these the
// one that contains the projection of the origin has the largest smallest weight.
static void set_closest_face(mo_epa_result *result, const polytope *p, double depth) {
  double best = -INFINITY;
  for (int f = 0; f < p->face_count; f++) {
    if (!p->faces[f].alive || p->offsets[f] > depth + 4.0 * p->height) {
      continue;
    }
    double weights[3];
    project_origin(p, &p->faces[f], weights);
    double least = mo_min(weights[0], mo_min(weights[1], weights[2]));
    if (least > best) {
      best = least;
      result->simplex.count = 3;
      for (int i = 0; i < 3; i++) {
        result->simplex.vertices[i] = p->vertices[p->faces[f].vertex[i]];
        result->simplex.weights[i] = weights[i];
      }
    }
  }
}

static void set_witnesses(mo_epa_result *result) {
  mo_simplex *s = &result->simplex;

  // A projection that is outside the face by round-off is moved back onto it.
  double whole = 0.0;
  for (int i = 0; i < s->count; i++) {
    s->weights[i] = mo_max(s->weights[i], 0.0);
    whole += s->weights[i];
  }
  for (int i = 0; i < s->count; i++) {
    s->weights[i] /= whole;
  }
  mo_simplex_witnesses(s, &result->point_a, &result->point_b);
}

// Moves both witnesses by the same amount, so that they are the two ends of the depth.
static void fit_witnesses_to_axis(mo_epa_result *result) {
  mo_vec3 error =
      mo_sub(mo_scale(result->depth, result->normal), mo_sub(result->point_a, result->point_b));
  result->point_a = mo_add_scaled(result->point_a, 0.5, error);
  result->point_b = mo_add_scaled(result->point_b, -0.5, error);
}

// --- the search ------------------------------------------------------------------------------

typedef enum search_state { SEARCHING, CONVERGED, STUCK } search_state;

// Evaluates the face with the smallest offset: the axis in `result` gets better, or the polytope
// grows, or the face is known not to move.
static search_state search_once(polytope *p, mo_minkowski *pair, mo_epa_result *result) {
  // The smallest offset bounds the depth from below. The search is done if an axis that good is
  // known.
  int f = nearest_face(p);
  if (f < 0 || p->offsets[f] >= result->depth - p->accuracy) {
    return CONVERGED;
  }
  result->iterations++;

  // A face without area has no normal and gives no bound.
  mo_vec3 normal = p->faces[f].normal;
  if (mo_v3_equal(normal, mo_v3_zero())) {
    p->faces[f].final = true;
    return SEARCHING;
  }

  // The support along its normal bounds the depth from above. Its search starts at a corner of the
  // face, because the last support may be on the far side of the polytope.
  const mo_minkowski_vertex *corner = &p->vertices[p->faces[f].vertex[0]];
  pair->start_a = corner->a;
  pair->start_b = corner->b;
  mo_minkowski_vertex w = mo_minkowski_support(pair, normal);
  double reach = mo_dot(normal, w.difference);
  if (reach < result->depth) {
    result->depth = reach;
    result->normal = normal;
  }
  if (!(reach - p->offsets[f] > p->height) || has_vertex(p, w.difference)) {
    p->faces[f].final = true;
    return SEARCHING;
  }
  return expand(p, f, &w) ? SEARCHING : STUCK;
}

mo_epa_result mo_epa(mo_minkowski *pair, const mo_simplex *simplex) {
  mo_epa_result result = {.depth = INFINITY};
  polytope p;
  p.face_count = p.free_count = 0;
  p.height = HEIGHT * pair->scale;
  p.accuracy = pair->is_rough ? ROUGH_DEPTH * pair->scale : p.height;
  if (!span_tetrahedron(&p, pair, simplex)) {
    // Thinner than round-off in every remaining direction: there is no volume, so the depth is
    // zero.
    result.depth = 0.0;
    result.normal = missing_direction(&p, p.vertex_count);
    result.simplex = (mo_simplex){.count = 1, .vertices = {p.vertices[0]}, .weights = {1.0}};
    set_witnesses(&result);
    return result;
  }
  build_tetrahedron(&p);

  search_state state = SEARCHING;
  while (state == SEARCHING) {
    state = search_once(&p, pair, &result);
  }
  result.converged = state == CONVERGED;

  set_closest_face(&result, &p, result.depth);
  if (result.simplex.count == 0) {
    set_closest_face(&result, &p, INFINITY);
  }
  set_witnesses(&result);
  if (!result.converged) {
    fit_witnesses_to_axis(&result); // the axis may differ from that of the closest face
  }
  return result;
}
