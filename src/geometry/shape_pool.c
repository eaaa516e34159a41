#include "geometry/shape_pool.h"

#include "geometry/shape_fields.h"
#include "memory/word_hash.h"

static mo_hash_node *shapes;

static mo_shape *shape_of(const mo_hash_node *node) {
  return node ? (mo_shape *)((char *)node - offsetof(mo_shape, node)) : NULL;
}

static mo_shape *find(uint64_t key, mo_hash_test *test, const void *wanted) {
  mo_shape *shape = shape_of(mo_hash_tree_find(shapes, key, test, wanted));
  if (shape) {
    mo_shape_retain(shape);
  }
  return shape;
}

// --- by what a constructor was given ---------------------------------------------------------

uint64_t mo_shape_hull_key(const mo_shape_class *class, uint64_t hull_key, double radius) {
  uint64_t word;
  memcpy(&word, &radius, sizeof word);
  return mo_word_hash_mix(mo_word_hash_mix(hull_key, (uint64_t) class->type), word);
}

typedef struct question {
  mo_shape_test *test;
  const void *wanted;
} question;

// What comes from bytes may have a mass that no constructor would give it.
static bool passes(const mo_hash_node *node, const void *wanted) {
  const question *asked = wanted;
  const mo_shape *shape = shape_of(node);
  return shape->is_made && asked->test(shape, asked->wanted);
}

mo_shape *mo_shape_pool_find(uint64_t key, mo_shape_test *test, const void *wanted) {
  const question asked = {test, wanted};
  return find(key, passes, &asked);
}

// --- by all that it consists of --------------------------------------------------------------

static bool have_equal_parts(const mo_shape *a, const mo_shape *b) {
  bool equal = a->part_count == b->part_count;
  for (uint32_t i = 0; equal && i < a->part_count; i++) {
    equal = a->parts[i].shape == b->parts[i].shape &&
            mo_record_equal(&mo_part_record, &a->parts[i], &b->parts[i]);
  }
  return equal;
}

static bool are_equal_meshes(const mo_mesh *a, const mo_mesh *b) {
  return a == b || (a && b && mo_mesh_equal(a, b));
}

// Hulls and the shapes of parts are equal where their pointers are.
static bool is_equal(const mo_hash_node *node, const void *wanted) {
  const mo_shape *a = shape_of(node), *b = wanted;
  return a->class == b->class && a->core.kind == b->core.kind &&
         a->core.support == b->core.support && a->core.context == b->core.context &&
         mo_record_equal(&mo_shape_record, a, b) && a->hull == b->hull &&
         are_equal_meshes(a->mesh, b->mesh) && have_equal_parts(a, b);
}

static uint64_t key_of(const mo_shape *shape) {
  return shape->hull ? mo_shape_hull_key(shape->class, shape->hull->node.hash, shape->core.radius)
                     : shape->content;
}

mo_shape *mo_shape_pool_find_equal(const mo_shape *shape) {
  return find(key_of(shape), is_equal, shape);
}

void mo_shape_pool_add(mo_shape *shape) { mo_hash_tree_add(&shapes, &shape->node, key_of(shape)); }

void mo_shape_pool_remove(mo_shape *shape) { mo_hash_tree_remove(&shapes, &shape->node); }
