#include "geometry/bvh.h"

// Up to so many points are split by computing the rank of each. A power of 2.
#define FEW_POINTS 32
// More points are split by counting them in this many bins.
#define BINS 64
// m: points no further apart than this along any axis count as one.
#define LEAST_RANGE 1e-30f
// The most that a node counts in the mean growth of a tree.
#define COUNTED_GROWTH 4.0f

// --- bounds of points ------------------------------------------------------------------------

static mo_f32x4 load_point(const mo_bvh_point *point) { return mo_f32x4_load(point->half_centre); }

// The axis along which the points are furthest apart, with the range along it.
static int widest_axis(const mo_bvh_point *points, uint32_t count, float *from, float *to) {
  mo_f32x4 lower = load_point(points), upper = lower;
  for (uint32_t i = 1; i < count; i++) {
    mo_f32x4 x = load_point(&points[i]);
    lower = mo_f32x4_min(x, lower);
    upper = mo_f32x4_max(x, upper);
  }
  mo_f32x4 range = upper - lower;
  int axis = range[0] >= range[1] ? 0 : 1;
  axis = range[axis] >= range[2] ? axis : 2;
  *from = lower[axis];
  *to = upper[axis];
  return axis;
}

// --- splitting -------------------------------------------------------------------------------

// Counts for each of 4 * blocks different keys the smaller ones. `blocks` is constant where this is
// inlined, so that the counts stay in registers.
static inline void count_less(const int32_t *keys, int32_t *ranks, int blocks) {
  mo_i32x4 block_keys[FEW_POINTS / 4], block_ranks[FEW_POINTS / 4] = {{0}};
  memcpy(block_keys, keys, (size_t)blocks * sizeof *block_keys);
  for (int i = 0; i < 4 * blocks; i++) {
    mo_i32x4 key = mo_i32x4_splat(keys[i]);
    for (int block = 0; block < blocks; block++) {
      block_ranks[block] -= key < block_keys[block];
    }
  }
  memcpy(ranks, block_ranks, (size_t)blocks * sizeof *block_ranks);
}

// An integer that orders like x except for the last bits, which order (nearly) equal points.
static int32_t make_key(float x, uint32_t index) {
  int32_t bits;
  memcpy(&bits, &x, sizeof bits);
  bits ^= bits < 0 ? INT32_MAX : 0; // the bits of negative numbers order in reverse
  return (int32_t)(((uint32_t)bits & ~(uint32_t)(FEW_POINTS - 1)) | index);
}

// Moves the `left` smallest of at most FEW_POINTS points to the front, along an axis.
static void split_few(mo_bvh_point *points, mo_bvh_point *spare, uint32_t count, uint32_t left,
                      int axis) {
  int32_t keys[FEW_POINTS], ranks[FEW_POINTS];
  for (uint32_t i = 0; i < count; i++) {
    keys[i] = make_key(points[i].half_centre[axis], i);
  }
  uint32_t padded = count <= 8 ? 8 : count <= 16 ? 16 : FEW_POINTS;
  for (uint32_t i = count; i < padded; i++) {
    keys[i] = INT32_MAX;
  }
  if (padded == 8) {
    count_less(keys, ranks, 2);
  } else if (padded == 16) {
    count_less(keys, ranks, 4);
  } else {
    count_less(keys, ranks, FEW_POINTS / 4);
  }
  uint32_t next_left = 0, next_right = left;
  for (uint32_t i = 0; i < count; i++) {
    bool is_left = (uint32_t)ranks[i] < left;
    spare[is_left ? next_left : next_right] = points[i];
    next_left += is_left;
    next_right += !is_left;
  }
  memcpy(points, spare, count * sizeof *points);
}

static uint32_t bin_of(const mo_bvh_point *point, int axis, float from, float bins_per_unit) {
  uint32_t bin = (uint32_t)(int32_t)((point->half_centre[axis] - from) * bins_per_unit);
  return bin < BINS ? bin : BINS - 1;
}

// Moves the points of the bins below that of the point of rank `left` to the front, and those of
// the bins above to the end. Returns the start and the end of that bin.
static void split_by_bins(mo_bvh_point *points, mo_bvh_point *spare, uint32_t count, uint32_t left,
                          int axis, float from, float to, uint32_t *start, uint32_t *end) {
  uint32_t counts[BINS] = {0};
  float bins_per_unit = (float)BINS / (to - from);
  for (uint32_t i = 0; i < count; i++) {
    counts[bin_of(&points[i], axis, from, bins_per_unit)]++;
  }
  uint32_t middle = 0;
  *start = 0;
  while (*start + counts[middle] <= left) {
    *start += counts[middle++];
  }
  *end = *start + counts[middle];
  uint32_t next[3] = {0, *start, *end};
  for (uint32_t i = 0; i < count; i++) {
    uint32_t bin = bin_of(&points[i], axis, from, bins_per_unit);
    spare[next[(bin >= middle) + (bin > middle)]++] = points[i];
  }
  memcpy(points, spare, count * sizeof *points);
}

// Moves the `left` (less than count) smallest points to the front, along the axis on which they are
// furthest apart.
static void split(mo_bvh_point *points, mo_bvh_point *spare, uint32_t count, uint32_t left) {
  float from, to;
  int axis = widest_axis(points, count, &from, &to);
  while (count > FEW_POINTS) {
    if (!(to - from > LEAST_RANGE)) {
      return;
    }
    uint32_t start, end;
    split_by_bins(points, spare, count, left, axis, from, to, &start, &end);
    points += start;
    count = end - start;
    left -= start;
    if (left == 0) {
      return;
    }
    from = to = points[0].half_centre[axis];
    for (uint32_t i = 1; i < count; i++) {
      float x = points[i].half_centre[axis];
      from = x < from ? x : from;
      to = x > to ? x : to;
    }
  }
  split_few(points, spare, count, left, axis);
}

// Orders points so that runs of 4, 16, 64 ... from the first on are compact: a kd-tree of medians
// (Bentley 1975), with the medians at multiples of such runs.
static void order_points(mo_bvh_point *points, mo_bvh_point *spare, uint32_t count) {
  if (count <= 4) {
    return;
  }
  uint32_t run = 4;
  while (run < (count + 3) / 4) {
    run *= 4;
  }
  uint32_t left = (count + run - 1) / run / 2 * run;
  split(points, spare, count, left);
  order_points(points, spare, left);
  order_points(points + left, spare, count - left);
}

void mo_bvh_sort(const mo_bvh_workspace *workspace, uint32_t count, const mo_aabb *boxes) {
  mo_bvh_point *points = workspace->points;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t item = points[i].item;
    const mo_aabb *box = &boxes[item];
    // Half the centre, so that sums and differences cannot overflow.
    mo_f32x4 half_centre = mo_f32x4_splat(0.25f) * mo_f32x4_load(box->lower) +
                           mo_f32x4_splat(0.25f) * mo_f32x4_load(box->upper);
    mo_f32x4_store(points[i].half_centre, half_centre);
    points[i].item = item;
  }
  order_points(points, workspace->spare, count);
}

// --- levels ----------------------------------------------------------------------------------

// Adds a node with up to four children and their boxes. Returns the box around it.
static mo_aabb add_node(mo_bvh *bvh, const uint32_t *children, const mo_aabb *const *child_boxes,
                        uint32_t count) {
  static const mo_aabb nothing = {{INFINITY, INFINITY, INFINITY, 0},
                                  {-INFINITY, -INFINITY, -INFINITY, 0}};
  mo_bvh_node *node = &bvh->nodes[bvh->nodes_count];
  mo_f32x4 lower[4], upper[4];
  for (uint32_t i = 0; i < 4; i++) {
    const mo_aabb *box = i < count ? child_boxes[i] : &nothing;
    lower[i] = mo_f32x4_load(box->lower);
    upper[i] = mo_f32x4_load(box->upper);
    node->child[i] = i < count ? children[i] : MO_BVH_EMPTY;
  }
  mo_aabb around;
  mo_f32x4_store(around.lower,
                 mo_f32x4_min(mo_f32x4_min(lower[0], lower[1]), mo_f32x4_min(lower[2], lower[3])));
  mo_f32x4_store(around.upper,
                 mo_f32x4_max(mo_f32x4_max(upper[0], upper[1]), mo_f32x4_max(upper[2], upper[3])));
  mo_f32x4_transpose(&lower[0], &lower[1], &lower[2], &lower[3]);
  mo_f32x4_transpose(&upper[0], &upper[1], &upper[2], &upper[3]);
  for (int axis = 0; axis < 3; axis++) {
    mo_f32x4_store(node->lower[axis], lower[axis]);
    mo_f32x4_store(node->upper[axis], upper[axis]);
  }
  node->built_area = mo_bvh_half_area(&around);
  node->parent = MO_BVH_NOWHERE;
  node->searched = node->unused = 0;
  bvh->nodes_count++;
  return around;
}

// Builds the lowest nodes, each with four consecutive items.
static uint32_t build_leaves(mo_bvh *bvh, const mo_bvh_point *sorted, uint32_t count,
                             const mo_aabb *boxes, uint32_t *leaves, mo_aabb *level) {
  uint32_t made = 0;
  for (uint32_t first = 0; first < count; first += 4) {
    uint32_t children[4], lanes = count - first < 4 ? count - first : 4;
    const mo_aabb *child_boxes[4];
    for (uint32_t lane = 0; lane < lanes; lane++) {
      uint32_t item = sorted[first + lane].item;
      children[lane] = MO_BVH_ITEM | item;
      child_boxes[lane] = &boxes[item];
      leaves[item] = 4 * bvh->nodes_count + lane;
    }
    level[made++] = add_node(bvh, children, child_boxes, lanes);
  }
  return made;
}

// Builds one level above `count` nodes from `first_node` on. `level` holds their boxes, then those
// of the new nodes.
static uint32_t build_level(mo_bvh *bvh, uint32_t first_node, uint32_t count, mo_aabb *level) {
  uint32_t made = 0;
  for (uint32_t first = 0; first < count; first += 4) {
    uint32_t children[4], lanes = count - first < 4 ? count - first : 4;
    const mo_aabb *child_boxes[4];
    for (uint32_t lane = 0; lane < lanes; lane++) {
      children[lane] = first_node + first + lane;
      child_boxes[lane] = &level[first + lane];
      bvh->nodes[children[lane]].parent = 4 * bvh->nodes_count + lane;
    }
    level[made++] = add_node(bvh, children, child_boxes, lanes);
  }
  return made;
}

void mo_bvh_build(mo_bvh *bvh, const mo_bvh_workspace *workspace, uint32_t count,
                  const mo_aabb *boxes, uint32_t *leaves) {
  bvh->nodes_count = bvh->free_node = bvh->changes = bvh->insertions = 0;
  bvh->item_count = count;
  if (count == 0) {
    return;
  }
  mo_bvh_sort(workspace, count, boxes);
  uint32_t level_start = 0;
  uint32_t level_count =
      build_leaves(bvh, workspace->points, count, boxes, leaves, workspace->level);
  while (level_count > 1) {
    uint32_t next_start = bvh->nodes_count;
    level_count = build_level(bvh, level_start, level_count, workspace->level);
    level_start = next_start;
  }
  bvh->root = level_start;
}

// --- fitting ---------------------------------------------------------------------------------

// The growth of the nodes of a tree.
typedef struct growths {
  float sum, nodes;
} growths;

// Fits a node and all nodes below it, at most MO_BVH_MAX_DEPTH levels. Returns its box.
static mo_aabb fit_node(mo_bvh *bvh, uint32_t index, const mo_aabb *boxes, growths *all) {
  mo_bvh_node *node = &bvh->nodes[index];
  for (int lane = 0; lane < 4; lane++) {
    uint32_t child = node->child[lane];
    if (child == MO_BVH_EMPTY) {
      continue;
    }
    mo_aabb box =
        (child & MO_BVH_ITEM) != 0 ? boxes[child & ~MO_BVH_ITEM] : fit_node(bvh, child, boxes, all);
    mo_bvh_set_box(node, lane, &box);
  }
  mo_aabb around = mo_bvh_node_box(node);
  float area = mo_bvh_half_area(&around);
  float growth = area > node->built_area ? area / node->built_area : 1.0f;
  all->sum += growth < COUNTED_GROWTH ? growth : COUNTED_GROWTH;
  all->nodes += 1.0f;
  return around;
}

float mo_bvh_fit(mo_bvh *bvh, const mo_aabb *boxes) {
  growths all = {0};
  fit_node(bvh, bvh->root, boxes, &all);
  bvh->changes = 0;
  return all.sum / all.nodes;
}
