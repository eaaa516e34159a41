/// A broad phase beside a list of the same proxies, which answers by testing all against all.
#pragma once

#include "collision_oracle.h"

#include "collision/broad/broad_phase.h"

enum { MAX_PROXIES = 160 };

typedef struct model {
  mo_broad_phase bp;
  struct {
    bool is_alive, is_moved;
    mo_tree_kind kind;
    mo_bounds tight;
    mo_aabb fat;
    uint32_t slot;
    mo_filter filter;
  } proxies[MAX_PROXIES];
  bool pairs[MAX_PROXIES][MAX_PROXIES]; // [lower id][higher id]
  uint32_t alive_count;
  double room, centre; // m: boxes are within `room` of `centre` along all axes
} model;

static inline mo_filter random_filter(void) {
  if (random_unit() < 0.6) {
    return mo_filter_default();
  }
  double category = random_between(0.0, 4.0), mask = random_between(0.0, 16.0);
  double group = random_between(-2.0, 3.0);
  return (mo_filter){1u << (int)category, (uint32_t)mask, (int)group};
}

static inline mo_bounds random_bounds(const model *m) {
  mo_vec3 half = mo_scale(0.12 * m->room, mo_v3_abs(random_in_cube(1.0)));
  mo_vec3 middle = mo_add(random_in_cube(m->room), mo_v3(m->centre, m->centre, m->centre));
  double odd = random_unit();
  mo_bounds bounds = {mo_sub(middle, half), mo_add(middle, half)};
  if (odd < 0.02) { // a plane
    bounds.lower = mo_v3(-INFINITY, -INFINITY, -INFINITY);
    bounds.upper = mo_v3(INFINITY, random_unit() < 0.5 ? middle.y : INFINITY, INFINITY);
  } else if (odd < 0.04) { // beyond single precision
    bounds.upper.x = 1e200;
  } else if (odd < 0.1) { // a large one
    bounds = mo_bounds_expand(bounds, 0.5 * m->room);
  } else if (odd < 0.12) { // a point
    bounds.upper = bounds.lower;
  }
  return bounds;
}

static inline void model_free(model *m) {
  double room = m->room, centre = m->centre;
  mo_broad_phase_free(&m->bp);
  memset(m, 0, sizeof *m);
  m->room = room;
  m->centre = centre;
}

static inline mo_aabb model_fat(mo_bounds tight, double margin) {
  return mo_aabb_from_bounds(mo_bounds_expand(tight, margin));
}

static inline void model_add(model *m) {
  double number = random_between(0.0, 5.0), slot = random_between(0.0, 60.0);
  mo_tree_kind kind = number < 1.0   ? MO_TREE_STATIC
                      : number < 2.0 ? MO_TREE_KINEMATIC
                                     : MO_TREE_DYNAMIC;
  mo_bounds tight = random_bounds(m);
  mo_filter filter = random_filter();
  uint32_t id = mo_broad_phase_add(&m->bp, kind, tight, 0.01, (uint32_t)slot, 0, filter);
  assert_true(id < MAX_PROXIES);
  assert_false(m->proxies[id].is_alive);
  m->proxies[id].is_alive = m->proxies[id].is_moved = true;
  m->proxies[id].kind = kind;
  m->proxies[id].tight = tight;
  m->proxies[id].fat = model_fat(tight, 0.01);
  m->proxies[id].slot = (uint32_t)slot;
  m->proxies[id].filter = filter;
  m->alive_count++;
}

static inline void model_remove(model *m, uint32_t id) {
  mo_broad_phase_remove(&m->bp, id);
  m->proxies[id].is_alive = false;
  m->alive_count--;
  for (uint32_t i = 0; i < MAX_PROXIES; i++) {
    m->pairs[i][id] = m->pairs[id][i] = false;
  }
}

static inline void model_move(model *m, uint32_t id, mo_bounds tight) {
  mo_aabb box = mo_aabb_from_bounds(tight);
  bool leaves = !mo_aabb_contains(&m->proxies[id].fat, &box);
  assert_int_equal(mo_broad_phase_move(&m->bp, id, tight, 0.02), leaves);
  m->proxies[id].tight = tight;
  if (leaves) {
    m->proxies[id].fat = model_fat(tight, 0.02);
    m->proxies[id].is_moved = true;
  }
}

static inline bool model_overlap(const mo_aabb *a, const mo_aabb *b) {
  for (int axis = 0; axis < 3; axis++) {
    if (a->lower[axis] > b->upper[axis] || b->lower[axis] > a->upper[axis]) {
      return false;
    }
  }
  return true;
}

static inline bool model_is_candidate(const model *m, uint32_t a, uint32_t b) {
  return m->proxies[a].is_alive && m->proxies[b].is_alive &&
         (m->proxies[a].kind == MO_TREE_DYNAMIC || m->proxies[b].kind == MO_TREE_DYNAMIC) &&
         m->proxies[a].slot != m->proxies[b].slot &&
         mo_filters_meet(m->proxies[a].filter, m->proxies[b].filter) &&
         model_overlap(&m->proxies[a].fat, &m->proxies[b].fat);
}

// Some pairs that the caller does not want.
static inline bool model_may_pair(void *user, const mo_proxy *a, const mo_proxy *b) {
  (void)user;
  return (a->slot + b->slot) % 7 != 0;
}

static const mo_pair_rules model_rules = {.may_pair = model_may_pair};

// The new pairs are those of all against all, in order.
static inline void model_check_new_pairs(model *m) {
  uint32_t k = 0;
  for (uint32_t a = 0; a < MAX_PROXIES; a++) {
    for (uint32_t b = a + 1; b < MAX_PROXIES; b++) {
      if (!m->pairs[a][b] && (m->proxies[a].is_moved || m->proxies[b].is_moved) &&
          model_is_candidate(m, a, b) && (m->proxies[a].slot + m->proxies[b].slot) % 7 != 0) {
        assert_true(k < m->bp.new_pairs_count);
        assert_int_equal(m->bp.new_pairs[k].a, a);
        assert_int_equal(m->bp.new_pairs[k].b, b);
        m->pairs[a][b] = true;
        k++;
      }
    }
  }
  assert_int_equal(k, m->bp.new_pairs_count);
  for (uint32_t i = 0; i < MAX_PROXIES; i++) {
    m->proxies[i].is_moved = false;
  }
}

// As a world does: pairs whose boxes parted are forgotten.
static inline void model_forget_parted(model *m) {
  for (uint32_t a = 0; a < MAX_PROXIES; a++) {
    for (uint32_t b = a + 1; b < MAX_PROXIES; b++) {
      if (m->pairs[a][b] && !mo_broad_phase_overlaps(&m->bp, a, b)) {
        assert_false(model_overlap(&m->proxies[a].fat, &m->proxies[b].fat));
        mo_broad_phase_forget_pair(&m->bp, a, b);
        m->pairs[a][b] = false;
      }
    }
  }
}

// One random change to a living proxy.
static inline void model_change(model *m, uint32_t id) {
  double what = random_unit();
  mo_bounds tight = m->proxies[id].tight;
  if (what < 0.7) {
    mo_vec3 by = random_in_cube(0.01 * m->room);
    model_move(m, id, (mo_bounds){mo_add(tight.lower, by), mo_add(tight.upper, by)});
  } else if (what < 0.85) {
    model_move(m, id, random_bounds(m));
  } else if (what < 0.9) {
    model_remove(m, id);
  } else if (what < 0.95) {
    m->proxies[id].filter = m->bp.proxies[id].filter = random_filter();
    m->proxies[id].is_moved = true;
    mo_broad_phase_touch(&m->bp, id);
  } else {
    double kind = random_between(0.0, 3.0);
    m->proxies[id].kind = (mo_tree_kind)kind;
    m->proxies[id].is_moved = true;
    assert_true(mo_broad_phase_set_kind(&m->bp, id, m->proxies[id].kind));
  }
}

// A step of a world: proxies come, go and change, `activity` of them.
static inline void model_step(model *m, uint32_t wanted, double activity) {
  while (m->alive_count < wanted) {
    model_add(m);
  }
  for (uint32_t id = 0; id < MAX_PROXIES; id++) {
    if (m->proxies[id].is_alive && random_unit() < activity) {
      model_change(m, id);
    }
  }
}
