#include "world/known_shapes.h"

#include "memory/array.h"
#include "memory/sort.h"

// Shapes of bodies; of neighbours with the same shape the first one.
static uint32_t list_runs(const mo_world *world, mo_shape **shapes) {
  uint32_t count = 0;
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    const mo_body *body = &world->bodies[slot];
    for (uint32_t i = 0; i < body->shape_count; i++) {
      mo_shape *shape = body->shapes[i].shape;
      if (count == 0 || shapes[count - 1] != shape) {
        shapes[count++] = shape;
      }
    }
  }
  return count;
}

mo_known_shape *mo_world_list_shapes(const mo_world *world, mo_arena *arena, uint32_t *count) {
  uint32_t most = world->broad_phase.proxies_count;
  mo_shape **runs = MO_ARENA_TAKE_RAW(arena, mo_shape *, most);
  mo_sort_entry *order = MO_ARENA_TAKE_RAW(arena, mo_sort_entry, most);
  mo_known_shape *list = MO_ARENA_TAKE_RAW(arena, mo_known_shape, most);
  *count = 0;
  if (!runs || !order || !list) {
    return NULL;
  }
  uint32_t run_count = list_runs(world, runs);
  for (uint32_t i = 0; i < run_count; i++) {
    order[i] = (mo_sort_entry){runs[i]->content, i};
  }
  mo_sort(order, run_count);
  for (uint32_t i = 0; i < run_count; i++) {
    if (i == 0 || order[i].key != order[i - 1].key) {
      list[(*count)++] = (mo_known_shape){order[i].key, runs[order[i].value]};
    }
  }
  return list;
}

// The first index whose content is not below.
static uint32_t lower_bound(const mo_known_shape *shapes, uint32_t count, uint64_t content) {
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (shapes[middle].content < content) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

mo_shape *mo_find_shape(const mo_known_shape *shapes, uint32_t count, uint64_t content) {
  uint32_t at = lower_bound(shapes, count, content);
  return at < count && shapes[at].content == content ? shapes[at].shape : NULL;
}

bool mo_world_keep_asset(mo_world *world, mo_shape *shape) {
  uint32_t at = lower_bound(world->assets, world->assets_count, shape->content);
  if (at < world->assets_count && world->assets[at].content == shape->content) {
    return true;
  }
  if (!MO_RESERVE(world, assets, world->assets_count + 1)) {
    return false;
  }
  for (uint32_t i = world->assets_count; i > at; i--) {
    world->assets[i] = world->assets[i - 1];
  }
  mo_shape_retain(shape);
  world->assets[at] = (mo_known_shape){shape->content, shape};
  world->assets_count++;
  return true;
}
