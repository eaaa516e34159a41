#include "geometry/hull_pool.h"

#include "geometry/shape_fields.h"
#include "memory/word_hash.h"

static mo_hash_node *hulls;

static mo_hull *hull_of(const mo_hash_node *node) {
  return node ? (mo_hull *)((char *)node - offsetof(mo_hull, node)) : NULL;
}

static mo_hull *find(uint64_t key, mo_hash_test *test, const void *wanted) {
  mo_hull *hull = hull_of(mo_hash_tree_find(hulls, key, test, wanted));
  if (hull) {
    mo_hull_retain(hull);
  }
  return hull;
}

// --- boxes -----------------------------------------------------------------------------------

uint64_t mo_hull_box_key(mo_vec3 half_extents) {
  uint64_t words[3], key = 0;
  memcpy(words, &half_extents, sizeof words);
  for (int i = 0; i < 3; i++) {
    key = mo_word_hash_mix(key, words[i]);
  }
  return key;
}

static bool is_box_of(const mo_hash_node *node, const void *half_extents) {
  const mo_hull *hull = hull_of(node);
  const mo_vec3 *half = half_extents;
  return hull->is_box && mo_v3_is_same(hull->upper, *half);
}

mo_hull *mo_hull_pool_find_box(mo_vec3 half_extents) {
  return find(mo_hull_box_key(half_extents), is_box_of, &half_extents);
}

// --- of points -------------------------------------------------------------------------------

typedef struct point_list {
  const mo_vec3 *points;
  size_t count;
} point_list;

static uint64_t key_of_points(const mo_vec3 *points, size_t count) {
  mo_word_hash hash = mo_word_hash_begin();
  mo_word_hash_add(&hash, points, count * sizeof *points);
  return mo_word_hash_mix(mo_word_hash_end(&hash), count);
}

static bool is_built_of(const mo_hash_node *node, const void *wanted) {
  const mo_hull *hull = hull_of(node);
  const point_list *list = wanted;
  return hull->is_built_of_vertices && hull->vertex_count == list->count &&
         memcmp(hull->vertices, list->points, list->count * sizeof *list->points) == 0;
}

mo_hull *mo_hull_pool_find_built(const mo_vec3 *points, size_t count) {
  const point_list list = {points, count};
  return count > 0 ? find(key_of_points(points, count), is_built_of, &list) : NULL;
}

// --- all -------------------------------------------------------------------------------------

// Bytes may have brought a hull whose planes or mass are not those of its vertices.
static bool is_equal(const mo_hash_node *node, const void *wanted) {
  const mo_hull *a = hull_of(node), *b = wanted;
  if (a->vertex_count != b->vertex_count || a->face_count != b->face_count ||
      a->half_edge_count != b->half_edge_count || a->is_box != b->is_box ||
      memcmp(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices) != 0 ||
      memcmp(a->face_loops, b->face_loops, a->half_edge_count * sizeof *a->face_loops) != 0) {
    return false;
  }
  for (uint32_t f = 0; f < a->face_count; f++) {
    if (!mo_record_equal(&mo_face_record, &a->faces[f], &b->faces[f])) {
      return false;
    }
  }
  return mo_record_equal(&mo_hull_record, a, b);
}

mo_hull *mo_hull_pool_share(mo_hull *hull) {
  uint64_t key = hull->is_box ? mo_hull_box_key(hull->upper)
                              : key_of_points(hull->vertices, hull->vertex_count);
  mo_hull *shared = find(key, is_equal, hull);
  if (!shared) {
    mo_hash_tree_add(&hulls, &hull->node, key);
    hull->is_pooled = true;
    return hull;
  }
  shared->is_built_of_vertices = shared->is_built_of_vertices || hull->is_built_of_vertices;
  mo_hull_release(hull);
  return shared;
}

void mo_hull_pool_remove(mo_hull *hull) {
  if (hull->is_pooled) {
    mo_hash_tree_remove(&hulls, &hull->node);
  }
}
