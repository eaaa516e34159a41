#include "collision/narrow/hull_pair.h"

// The most vertices and edges of a hull that is searched for axes, and the most pairs of edges.
// Above, GJK and EPA are faster (measured; docs/performance.md).
#define MAX_VERTICES 64
#define MAX_EDGES 128
#define MAX_FACES 80
#define MAX_EDGE_PAIRS 8192
// The error of products of two cosines in single precision.
#define SIGN_ROUND_OFF 1e-6f
// Sine: edges closer to parallel have no normal. A face axis is then as good, to this fraction of
// the size.
#define PARALLEL 1e-9
// Relative to the size: how much better an edge axis must be than a face axis.
#define EDGE_PREFERENCE 1e-12
// m: centres at a larger distance are not searched in single precision.
#define MOST_DISTANCE 1e8

// --- in double -------------------------------------------------------------------------------

mo_hull_axis mo_face_axis(const mo_hull_pair *pair, mo_axis_kind kind, uint32_t face) {
  bool of_a = kind == MO_AXIS_FACE_A;
  const mo_placed_hull *reference = of_a ? &pair->a : &pair->b, *other = of_a ? &pair->b : &pair->a;
  mo_vec3 normal = mo_placed_normal(reference, face);
  uint32_t deepest =
      mo_hull_support_vertex(other->hull, mo_direction_in_hull(other, mo_neg(normal)));
  double separation =
      mo_dot(normal, mo_placed_vertex(other, deepest)) - mo_placed_offset(reference, face, normal);
  return (mo_hull_axis){kind, of_a ? face : deepest, of_a ? deepest : face,
                        of_a ? normal : mo_neg(normal), separation};
}

bool mo_edge_axis(const mo_hull_pair *pair, uint32_t edge_a, uint32_t edge_b, mo_hull_axis *axis) {
  const mo_hull *a = pair->a.hull, *b = pair->b.hull;
  const mo_half_edge *p = &a->half_edges[edge_a], *q = &b->half_edges[edge_b];
  const mo_half_edge *p_twin = &a->half_edges[p->twin], *q_twin = &b->half_edges[q->twin];
  mo_vec3 start_a = a->vertices[p->origin], start_b = mo_placed_vertex(&pair->b, q->origin);
  mo_vec3 along_a = mo_sub(a->vertices[p_twin->origin], start_a);
  mo_vec3 along_b = mo_mat3_mul(pair->b.in_a.rotation,
                                mo_sub(b->vertices[q_twin->origin], b->vertices[q->origin]));
  mo_vec3 left_a = a->faces[p->face].normal, right_a = a->faces[p_twin->face].normal;
  mo_vec3 left_b = mo_placed_normal(&pair->b, q->face),
          right_b = mo_placed_normal(&pair->b, q_twin->face);
  if (!(mo_dot(left_b, along_a) * mo_dot(right_b, along_a) <= 0.0 &&
        mo_dot(left_a, along_b) * mo_dot(right_a, along_b) <= 0.0)) {
    return false;
  }
  mo_vec3 cross = mo_cross(along_a, along_b);
  double length = mo_length(cross);
  if (!(length > PARALLEL * mo_length(along_a) * mo_length(along_b))) {
    return false;
  }
  // Both great circles pass between the normals of the other edge. The arcs intersect if they do so
  // on the same side of the sphere.
  double outwards = mo_dot(cross, mo_add(left_a, right_a)) < 0.0 ? -1.0 : 1.0;
  if (!(outwards * mo_dot(cross, mo_add(left_b, right_b)) < 0.0)) {
    return false;
  }
  mo_vec3 normal = mo_scale(outwards / length, cross);
  *axis = (mo_hull_axis){MO_AXIS_EDGES, edge_a, edge_b, normal,
                         mo_dot(normal, mo_sub(start_b, start_a))};
  return true;
}

// --- in single precision ---------------------------------------------------------------------

// The rotation and the translation from the centre of one hull to that of the other.
typedef struct single_transform {
  mo_vec3x4 cx, cy, cz, translation;
} single_transform;

static mo_vec3x4 splat(mo_vec3 v) {
  return (mo_vec3x4){mo_f32x4_splat((float)v.x), mo_f32x4_splat((float)v.y),
                     mo_f32x4_splat((float)v.z)};
}

static single_transform single_precision(mo_mat3 rotation, mo_vec3 translation) {
  return (single_transform){splat(rotation.cx), splat(rotation.cy), splat(rotation.cz),
                            splat(translation)};
}

static inline mo_vec3x4 rotate(const single_transform *t, mo_vec3x4 v) {
  return (mo_vec3x4){t->cx.x * v.x + t->cy.x * v.y + t->cz.x * v.z,
                     t->cx.y * v.x + t->cy.y * v.y + t->cz.y * v.z,
                     t->cx.z * v.x + t->cy.z * v.y + t->cz.z * v.z};
}

typedef struct search {
  const mo_hull_pair *pair;
  single_transform b_in_a, a_in_b;
  float round_off; // m, of heights
  double margin;
  mo_hull_axis faces[2]; // the best of A and of B
  mo_hull_axis best;
} search;

static void offer(search *s, mo_hull_axis axis, double preference) {
  if (axis.separation > s->best.separation + preference) {
    s->best = axis;
  }
}

// Computes the separations of the other hull from all planes of the reference, four planes at a
// time, and returns the largest.
static float separate_faces(const mo_hull_features *reference, const mo_hull *other,
                            const single_transform *other_in_reference, mo_f32x4 *separations) {
  mo_vec3x4 vertices[(MAX_VERTICES + 3) / 4];
  for (uint32_t g = 0; g < mo_groups_of_four(other->vertex_count); g++) {
    vertices[g] = mo_vec3x4_add(rotate(other_in_reference, other->features.vertices[g]),
                                other_in_reference->translation);
  }
  mo_f32x4 greatest = mo_f32x4_splat(-INFINITY);
  for (uint32_t g = 0; g < reference->face_groups; g++) {
    mo_vec3x4 normal = reference->faces[g].normal;
    mo_f32x4 least = mo_f32x4_splat(INFINITY);
    for (uint32_t i = 0; i < other->vertex_count; i++) {
      // NOLINTBEGIN(clang-analyzer-core.CallAndMessage): as many groups as vertices were filled
      const float *v = (const float *)&vertices[i / 4u] + i % 4u;
      mo_f32x4 height = normal.x * mo_f32x4_splat(v[0]) + normal.y * mo_f32x4_splat(v[4]) +
                        normal.z * mo_f32x4_splat(v[8]);
      // NOLINTEND(clang-analyzer-core.CallAndMessage)
      least = mo_f32x4_min(height, least);
    }
    separations[g] = least - reference->faces[g].offset;
    greatest = mo_f32x4_max(separations[g], greatest);
  }
  return mo_max_float(mo_max_float(greatest[0], greatest[1]),
                      mo_max_float(greatest[2], greatest[3]));
}

static void search_faces(search *s, mo_axis_kind kind, mo_hull_axis *best) {
  bool of_a = kind == MO_AXIS_FACE_A;
  const mo_hull *reference = of_a ? s->pair->a.hull : s->pair->b.hull;
  const mo_hull *other = of_a ? s->pair->b.hull : s->pair->a.hull;
  mo_f32x4 separations[(MAX_FACES + 3) / 4];
  float greatest =
      separate_faces(&reference->features, other, of_a ? &s->b_in_a : &s->a_in_b, separations);
  mo_f32x4 threshold = mo_f32x4_splat(greatest - 2.0f * s->round_off);
  for (uint32_t g = 0; g < reference->features.face_groups; g++) {
    int lanes = mo_i32x4_bits(separations[g] >= threshold);
    for (uint32_t face = 4u * g; lanes != 0; face++, lanes >>= 1) {
      if ((lanes & 1) && face < reference->face_count) {
        mo_hull_axis axis = mo_face_axis(s->pair, kind, face);
        *best = axis.separation > best->separation ? axis : *best;
      }
    }
  }
  offer(s, *best, 0.0);
}

// The edges among four of B that may form, with one of A, a face of the Minkowski difference beyond
// the best axis so far.
static inline int promising_edges(const search *s, const float *a, const mo_edge_group *b) {
  // Lane 0 of a group that starts at the edge of A: every fourth float is one coordinate.
  mo_vec3x4 along = {mo_f32x4_splat(a[12]), mo_f32x4_splat(a[16]), mo_f32x4_splat(a[20])};
  mo_f32x4 left_b_side = mo_vec3x4_dot(b->left, along),
           right_b_side = mo_vec3x4_dot(b->right, along);
  mo_f32x4 limit = mo_f32x4_splat(SIGN_ROUND_OFF);
  mo_i32x4 crossing = left_b_side * right_b_side < limit;
  if (mo_i32x4_bits(crossing) == 0) {
    return 0;
  }
  mo_vec3x4 left = {mo_f32x4_splat(a[24]), mo_f32x4_splat(a[28]), mo_f32x4_splat(a[32])};
  mo_vec3x4 right = {mo_f32x4_splat(a[36]), mo_f32x4_splat(a[40]), mo_f32x4_splat(a[44])};
  mo_f32x4 left_a_side = mo_vec3x4_dot(left, b->direction),
           right_a_side = mo_vec3x4_dot(right, b->direction);
  crossing &= (left_a_side * right_a_side < limit) & (left_b_side * right_a_side < limit);
  if (mo_i32x4_bits(crossing) == 0) {
    return 0;
  }
  mo_vec3x4 start = {mo_f32x4_splat(a[0]), mo_f32x4_splat(a[4]), mo_f32x4_splat(a[8])};
  mo_vec3x4 cross = mo_vec3x4_cross(along, b->direction);
  mo_f32x4 outwards = mo_vec3x4_dot(cross, mo_vec3x4_add(left, right));
  mo_f32x4 height = mo_vec3x4_dot(cross, mo_vec3x4_sub(b->start, start));
  height = mo_f32x4_select(outwards < mo_f32x4_zero(), -height, height);
  // height / length is the separation, whose error grows as the edges become parallel.
  mo_f32x4 length = mo_f32x4_sqrt(mo_vec3x4_dot(cross, cross));
  mo_f32x4 best = mo_f32x4_splat((float)s->best.separation);
  return mo_i32x4_bits(crossing & (height + mo_f32x4_splat(s->round_off) > best * length));
}

// The region that may contain the closest points of an axis beyond the best one. Let its separation
// be s, with `reach` at least |s|. Its two points are |s| apart, one on A and one on B. So along
// any other axis, an edge of A with such a point is at most `reach` below the lowest point of B,
// and an edge of B is at most `reach` above the highest point of A. Edges that separate the hulls
// by more than the margin may be missed. Then no contact point confirms the best axis, and GJK
// decides.
typedef struct slab {
  mo_vec3x4 up; // frame of the hull
  mo_f32x4 limit;
} slab;

static double reach(const search *s) { return mo_max(fabs(s->best.separation), s->margin); }

static slab slab_of_a(const search *s, const mo_hull_axis *axis) {
  const mo_hull_pair *pair = s->pair;
  mo_vec3 n = axis->normal;
  double lowest_b = axis->kind == MO_AXIS_FACE_A
                        ? mo_placed_offset(&pair->a, axis->feature_a, n) + axis->separation
                        : -mo_placed_offset(&pair->b, axis->feature_b, mo_neg(n));
  double limit = lowest_b - reach(s) - mo_dot(n, pair->a.hull->features.centre);
  return (slab){splat(n), mo_f32x4_splat((float)limit - s->round_off)};
}

static slab slab_of_b(const search *s, const mo_hull_axis *axis) {
  const mo_hull_pair *pair = s->pair;
  mo_vec3 n = axis->normal;
  double highest_a =
      axis->kind == MO_AXIS_FACE_A
          ? mo_placed_offset(&pair->a, axis->feature_a, n)
          : -mo_placed_offset(&pair->b, axis->feature_b, mo_neg(n)) - axis->separation;
  mo_vec3 centre = mo_placed_point(&pair->b, pair->b.hull->features.centre);
  double limit = mo_dot(n, centre) - highest_a - reach(s);
  return (slab){splat(mo_neg(mo_direction_in_hull(&pair->b, n))),
                mo_f32x4_splat((float)limit - s->round_off)};
}

// Lists the edges of a hull that reach into both slabs. Returns their number.
static uint32_t keep_edges(const mo_hull_features *f, const slab slabs[2], uint32_t *kept) {
  uint32_t count = 0;
  for (uint32_t g = 0; g < f->edge_groups; g++) {
    const mo_edge_group *e = &f->edges[g];
    mo_i32x4 keep = mo_i32x4_splat(-1);
    for (int k = 0; k < 2; k++) {
      keep &= mo_f32x4_max(mo_vec3x4_dot(e->start, slabs[k].up),
                           mo_vec3x4_dot(e->end, slabs[k].up)) >= slabs[k].limit;
    }
    int lanes = mo_i32x4_bits(keep);
    for (uint32_t i = 4u * g; lanes != 0; i++, lanes >>= 1) {
      if ((lanes & 1) && i < f->edge_count) {
        kept[count++] = i;
      }
    }
  }
  return count;
}

// Floats of one edge in a group up to its right normal, every fourth from its lane on.
#define EDGE_FLOATS 48

static const float *edge_floats(const mo_hull_features *f, uint32_t edge) {
  return (const float *)&f->edges[edge / 4u] + edge % 4u;
}

// Places edges of B in lanes in the frame of A. The last group repeats its last edge.
static void place_edges(const search *s, const uint32_t *kept, uint32_t count,
                        mo_edge_group *placed) {
  for (uint32_t i = 0; i < 4u * mo_groups_of_four(count); i++) {
    const float *from = edge_floats(&s->pair->b.hull->features, kept[i < count ? i : count - 1u]);
    float *to = (float *)&placed[i / 4u] + i % 4u;
    for (int k = 0; k < EDGE_FLOATS; k += 4) {
      to[k] = from[k];
    }
  }
  for (uint32_t g = 0; g < mo_groups_of_four(count); g++) {
    mo_edge_group *e = &placed[g];
    e->start = mo_vec3x4_add(rotate(&s->b_in_a, e->start), s->b_in_a.translation);
    e->direction = rotate(&s->b_in_a, e->direction);
    e->left = rotate(&s->b_in_a, e->left);
    e->right = rotate(&s->b_in_a, e->right);
  }
}

static void search_edges(search *s) {
  const mo_hull_features *a = &s->pair->a.hull->features, *b = &s->pair->b.hull->features;
  double preference = EDGE_PREFERENCE * (a->size + b->size);
  uint32_t kept_a[MAX_EDGES], kept_b[MAX_EDGES];
  mo_edge_group placed[(MAX_EDGES + 3) / 4];
  slab slabs_a[2] = {slab_of_a(s, &s->faces[0]), slab_of_a(s, &s->faces[1])};
  slab slabs_b[2] = {slab_of_b(s, &s->faces[0]), slab_of_b(s, &s->faces[1])};
  uint32_t count_a = keep_edges(a, slabs_a, kept_a), count_b = keep_edges(b, slabs_b, kept_b);
  if (count_b == 0) {
    return;
  }
  place_edges(s, kept_b, count_b, placed);
  for (uint32_t i = 0; i < count_a; i++) {
    const float *edge_a = edge_floats(a, kept_a[i]);
    for (uint32_t g = 0; g < mo_groups_of_four(count_b); g++) {
      int lanes = promising_edges(s, edge_a, &placed[g]);
      for (uint32_t j = 4u * g; lanes != 0; j++, lanes >>= 1) {
        mo_hull_axis axis;
        if ((lanes & 1) && j < count_b &&
            mo_edge_axis(s->pair, a->edge_half_edges[kept_a[i]], b->edge_half_edges[kept_b[j]],
                         &axis)) {
          offer(s, axis, preference);
        }
      }
    }
  }
}

// --- the search ------------------------------------------------------------------------------

bool mo_can_search_axes(const mo_hull_pair *pair) {
  const mo_hull_features *a = &pair->a.hull->features, *b = &pair->b.hull->features;
  return a->is_usable && b->is_usable && pair->a.hull->vertex_count <= MAX_VERTICES &&
         pair->b.hull->vertex_count <= MAX_VERTICES && a->edge_count <= MAX_EDGES &&
         b->edge_count <= MAX_EDGES && pair->a.hull->face_count <= MAX_FACES &&
         pair->b.hull->face_count <= MAX_FACES && a->edge_count * b->edge_count <= MAX_EDGE_PAIRS;
}

bool mo_find_hull_axis(const mo_hull_pair *pair, double margin, mo_hull_axis *axis) {
  const mo_hull_features *a = &pair->a.hull->features, *b = &pair->b.hull->features;
  mo_vec3 to_b = mo_sub(mo_transform_point(pair->b.in_a, b->centre), a->centre);
  double distance = mo_v3_max_component(mo_v3_abs(to_b));
  if (!(distance < MOST_DISTANCE)) {
    return false;
  }
  mo_mat3 rotation = pair->b.in_a.rotation;
  search s = {.pair = pair,
              .b_in_a = single_precision(rotation, to_b),
              .a_in_b = single_precision(mo_mat3_transpose(rotation),
                                         mo_neg(mo_mat3_mul_transposed(rotation, to_b))),
              .round_off = (float)MO_HEIGHT_ROUND_OFF * (float)(a->size + b->size + distance),
              .margin = margin,
              .best = {.kind = MO_AXIS_UNKNOWN, .separation = -INFINITY}};
  s.faces[0] = s.faces[1] = s.best;
  search_faces(&s, MO_AXIS_FACE_A, &s.faces[0]);
  if (s.best.separation < margin) {
    search_faces(&s, MO_AXIS_FACE_B, &s.faces[1]);
  }
  if (s.best.separation < margin) {
    search_edges(&s);
  }
  *axis = s.best;
  return s.best.kind != MO_AXIS_UNKNOWN;
}
