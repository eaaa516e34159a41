#include "geometry/packed_bvh.h"

#include "memory/allocator.h"

// Of a float.
#define EXPONENT_SHIFT 23
#define LEAST_EXPONENT 1u
#define MOST_STEPS 255

// --- steps -----------------------------------------------------------------------------------

// A side after some steps, m. It has the round-off of doubles, of which searches allow for 2^32
// times as much.
static double side_after(const mo_packed_node *node, int axis, int steps) {
  return (double)node->origin[axis] + steps * (double)mo_packed_step(node, axis);
}

// Chooses the shortest step of which 255 lead from one side of a box to the other.
static void choose_step(mo_packed_node *node, int axis, float upper) {
  float least = (upper - node->origin[axis]) * (1.0f / MOST_STEPS);
  uint32_t bits;
  memcpy(&bits, &least, sizeof bits);
  uint32_t exponent = bits >> EXPONENT_SHIFT;
  node->exponents[axis] = (uint8_t)(exponent < LEAST_EXPONENT ? LEAST_EXPONENT : exponent);
  while (side_after(node, axis, MOST_STEPS) < (double)upper) {
    node->exponents[axis]++;
  }
}

// Sets the sides of a child's box along an axis, rounded outwards.
static void set_sides(mo_packed_node *node, int axis, uint32_t lane, float lower, float upper) {
  double origin = (double)node->origin[axis], step = (double)mo_packed_step(node, axis);
  int below = (int)(((double)lower - origin) / step),
      above = (int)(((double)upper - origin) / step);
  node->lower[axis][lane] = (uint8_t)below;
  node->upper[axis][lane] = (uint8_t)(above + (side_after(node, axis, above) < (double)upper));
}

// --- levels ----------------------------------------------------------------------------------

static mo_aabb box_around(const mo_aabb *const *boxes, uint32_t count) {
  mo_aabb around = *boxes[0];
  for (uint32_t i = 1; i < count; i++) {
    around = mo_aabb_union(&around, boxes[i]);
  }
  return around;
}

// Adds a node of a level with the boxes of its children. Returns the box around it.
static mo_aabb add_node(mo_packed_bvh *bvh, uint32_t level, const mo_aabb *const *boxes,
                        uint32_t count) {
  mo_aabb around = box_around(boxes, count);
  mo_packed_node *node = &bvh->nodes[bvh->node_count++];
  node->level_and_lanes = (uint8_t)(8 * level + count - 1);
  for (int axis = 0; axis < 3; axis++) {
    node->origin[axis] = around.lower[axis];
    choose_step(node, axis, around.upper[axis]);
    for (uint32_t lane = 0; lane < count; lane++) {
      set_sides(node, axis, lane, boxes[lane]->lower[axis], boxes[lane]->upper[axis]);
    }
  }
  return around;
}

static uint32_t nodes_above(uint32_t count) {
  return (count + MO_PACKED_LANES - 1) / MO_PACKED_LANES;
}

static uint32_t lanes_from(uint32_t first, uint32_t count) {
  return count - first < MO_PACKED_LANES ? count - first : MO_PACKED_LANES;
}

static void build_lowest(mo_packed_bvh *bvh, const mo_bvh_point *order, uint32_t count,
                         const mo_aabb *boxes, mo_aabb *level) {
  for (uint32_t first = 0; first < count; first += MO_PACKED_LANES) {
    const mo_aabb *children[MO_PACKED_LANES];
    uint32_t lanes = lanes_from(first, count);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      children[lane] = &boxes[order[first + lane].item];
    }
    level[first / MO_PACKED_LANES] = add_node(bvh, 0, children, lanes);
  }
}

// Builds a level above `count` nodes, whose boxes `level` has, and then those of the new nodes.
static void build_level(mo_packed_bvh *bvh, uint32_t number, uint32_t count, mo_aabb *level) {
  for (uint32_t first = 0; first < count; first += MO_PACKED_LANES) {
    const mo_aabb *children[MO_PACKED_LANES];
    uint32_t lanes = lanes_from(first, count);
    for (uint32_t lane = 0; lane < lanes; lane++) {
      children[lane] = &level[first + lane];
    }
    level[first / MO_PACKED_LANES] = add_node(bvh, number, children, lanes);
  }
}

bool mo_packed_bvh_build(mo_packed_bvh *bvh, const mo_bvh_point *order, uint32_t count,
                         const mo_aabb *boxes, mo_aabb *level) {
  uint32_t needed = 1;
  for (uint32_t below = nodes_above(count); below > 1; below = nodes_above(below)) {
    needed += below;
  }
  bvh->nodes = mo_allocate((size_t)needed * sizeof *bvh->nodes);
  if (!bvh->nodes) {
    return false;
  }
  bvh->node_count = 0;
  bvh->offsets[0] = MO_BVH_ITEM; // of 32 bits: minus this is plus this
  build_lowest(bvh, order, count, boxes, level);
  uint32_t number = 1, below = bvh->node_count;
  for (uint32_t start = 0; below > 1; below = nodes_above(below)) {
    bvh->offsets[number] = MO_PACKED_LANES * bvh->node_count - start;
    start = bvh->node_count;
    build_level(bvh, number++, below, level);
  }
  return true;
}

void mo_packed_bvh_free(mo_packed_bvh *bvh) {
  mo_release(bvh->nodes);
  *bvh = (mo_packed_bvh){0};
}
