#include "collision/narrow/manifold_reduction.h"

#include "collision/narrow/feature.h"

// m: separations closer than this count as equal. In a patch at rest all points are nearly equally
// deep, and solver noise decides which is deepest. A tenth of a micrometre is below any depth that
// matters.
#define DEPTH_NOISE 1e-7
// m: points that are higher than the deepest one by less than this touch too; it is the slop of a
// resting contact.
#define TOUCH_HEIGHT 1e-3
// The same for small patches, as a fraction of their size.
#define TOUCH_HEIGHT_PER_SIZE 0.01
// m: points closer than this count as one.
#define EQUAL_LENGTH 1e-9
// Relative to the smaller size: points that are closer count as one. Two rows in one place would
// make the matrices of solvers singular.
#define SAME_PLACE 1e-3
// Relative: squared lengths and areas closer than this count as equal.
#define EQUAL_PART 1e-9

// The candidates of a choice, with their positions perpendicular to the normal.
typedef struct patch {
  mo_vec3 t1, t2, ties;
  int count;
  double x[MO_MAX_CANDIDATES], y[MO_MAX_CANDIDATES];
  double separation[MO_MAX_CANDIDATES];
  double reach[MO_MAX_CANDIDATES]; // in the direction of ties
  double metre;                    // in the unit of all lengths here
} patch;

// Among equally deep candidates, the outermost in the direction of ties. It is a corner of the
// patch, and the same one in the next step, in which the candidates may have another order.
static int find_deepest(const patch *p) {
  double least = INFINITY, outermost = -INFINITY;
  for (int i = 0; i < p->count; i++) {
    least = mo_min(least, p->separation[i]);
  }
  int deepest = 0;
  for (int i = 0; i < p->count; i++) {
    if (p->separation[i] <= least + DEPTH_NOISE * p->metre && p->reach[i] > outermost) {
      outermost = p->reach[i];
      deepest = i;
    }
  }
  return deepest;
}

static double distance_squared(const patch *p, int i, int j) {
  return mo_square(p->x[j] - p->x[i]) + mo_square(p->y[j] - p->y[i]);
}

// Twice the signed area of the triangle i, j, k, projected along the normal.
static double area(const patch *p, int i, int j, int k) {
  return (p->x[j] - p->x[i]) * (p->y[k] - p->y[i]) - (p->y[j] - p->y[i]) * (p->x[k] - p->x[i]);
}

static int find_furthest(const patch *p, int from) {
  int furthest = from;
  double most = mo_square(EQUAL_LENGTH * p->metre);
  for (int i = 0; i < p->count; i++) {
    double d = distance_squared(p, from, i);
    if (d > most * (1.0 + EQUAL_PART)) {
      most = d;
      furthest = i;
    }
  }
  return furthest;
}

// The candidate with the largest triangle over the side i, j, on either side of it; -1 if all are
// on the line.
static int find_widest(const patch *p, int i, int j) {
  int widest = -1;
  double most = EQUAL_LENGTH * p->metre * sqrt(distance_squared(p, i, j));
  for (int k = 0; k < p->count; k++) {
    double a = fabs(area(p, i, j, k));
    if (a > most * (1.0 + EQUAL_PART)) {
      most = a;
      widest = k;
    }
  }
  return widest;
}

// The candidate outside the triangle that adds the largest area over one of its sides; -1 if none
// is outside.
static int find_largest_addition(const patch *p, const int triangle[3]) {
  double whole = area(p, triangle[0], triangle[1], triangle[2]);
  double turn = whole < 0.0 ? -1.0 : 1.0;
  int best = -1;
  double most = EQUAL_PART * fabs(whole);
  for (int k = 0; k < p->count; k++) {
    for (int side = 0; side < 3; side++) {
      double added = -turn * area(p, triangle[side], triangle[(side + 1) % 3], k);
      if (added > most * (1.0 + EQUAL_PART)) {
        most = added;
        best = k;
      }
    }
  }
  return best;
}

static int take_sorted(int chosen[MO_MANIFOLD_POINTS], int count, int index) {
  int i = count;
  for (; i > 0 && chosen[i - 1] > index; i--) {
    chosen[i] = chosen[i - 1];
  }
  chosen[i] = index;
  return count + 1;
}

// The candidate that adds most to the area of those that are chosen; -1 if none adds any. The first
// is the deepest.
static int find_next(const patch *p, const int chosen[MO_MANIFOLD_POINTS], int kept) {
  switch (kept) {
  case 0:
    return find_deepest(p);
  case 1: {
    int furthest = find_furthest(p, chosen[0]);
    return furthest == chosen[0] ? -1 : furthest;
  }
  case 2:
    return find_widest(p, chosen[0], chosen[1]);
  default:
    return find_largest_addition(p, chosen);
  }
}

static double patch_size(const mo_contact_candidate *c, int count) {
  double most = 0.0;
  for (int i = 1; i < count; i++) {
    most = mo_max(most, mo_length_squared(mo_sub(c[0].position, c[i].position)));
  }
  return sqrt(most);
}

// m: candidates of which none is higher than another by more are at one level.
static double level_height(const mo_contact_candidate *c, int count, double metre) {
  return mo_min(TOUCH_HEIGHT * metre, TOUCH_HEIGHT_PER_SIZE * patch_size(c, count));
}

// Moves the candidates that touch to the front of `order`, and sorts the others by height behind
// them. Returns the height up to which they touch, m.
static double sort_by_touch(const mo_contact_candidate *c, int count, double height, int *order) {
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    least = mo_min(least, c[i].separation);
  }
  double highest = mo_max(least + height, 0.0); // every overlap touches
  int touching = 0;
  for (int i = 0; i < count; i++) {
    touching += c[i].separation <= highest;
  }
  int front = 0, back = touching;
  for (int i = 0; i < count; i++) {
    if (c[i].separation <= highest) {
      order[front++] = i;
      continue;
    }
    int at = back++;
    for (; at > touching && c[order[at - 1]].separation > c[i].separation; at--) {
      order[at] = order[at - 1];
    }
    order[at] = i;
  }
  return highest;
}

// Lets the candidates be chosen that come next in order, up to a height.
static void add_level(patch *p, const mo_contact_candidate *candidates, const int *order, int count,
                      double highest) {
  mo_vec3 origin = candidates[order[0]].position;
  for (; p->count < count && candidates[order[p->count]].separation <= highest; p->count++) {
    const mo_contact_candidate *c = &candidates[order[p->count]];
    mo_vec3 d = mo_sub(c->position, origin);
    p->x[p->count] = mo_dot(p->t1, d);
    p->y[p->count] = mo_dot(p->t2, d);
    p->separation[p->count] = c->separation;
    p->reach[p->count] = mo_dot(p->ties, c->position);
  }
}

// Chooses level by level: open points must not displace touching ones.
static int choose_by_area(patch *p, const mo_contact_candidate *candidates, const int *order,
                          int count, double height, int best[MO_MANIFOLD_POINTS]) {
  int kept = 0;
  while (kept < MO_MANIFOLD_POINTS) {
    int next = find_next(p, best, kept);
    if (next >= 0) {
      best[kept++] = next;
    } else if (p->count < count) {
      double highest = candidates[order[p->count]].separation + height;
      add_level(p, candidates, order, count, highest);
    } else {
      break;
    }
  }
  return kept;
}

int mo_manifold_reduce(const mo_contact_candidate *candidates, int count, mo_vec3 normal,
                       mo_vec3 ties, double metre, int chosen[MO_MANIFOLD_POINTS]) {
  int kept = 0;
  if (count <= MO_MANIFOLD_POINTS) {
    for (; kept < count; kept++) {
      chosen[kept] = kept;
    }
    return kept;
  }
  int order[MO_MAX_CANDIDATES], best[MO_MANIFOLD_POINTS];
  double height = level_height(candidates, count, metre);
  double highest = sort_by_touch(candidates, count, height, order);
  patch chosen_from;
  chosen_from.count = 0;
  chosen_from.metre = metre;
  chosen_from.ties = ties;
  mo_tangent_basis(normal, &chosen_from.t1, &chosen_from.t2);
  add_level(&chosen_from, candidates, order, count, highest);
  int best_count = choose_by_area(&chosen_from, candidates, order, count, height, best);
  for (int i = 0; i < best_count; i++) {
    kept = take_sorted(chosen, kept, order[best[i]]);
  }
  return kept;
}

int mo_join_candidates(mo_contact_candidate *candidates, int count, double size) {
  int kept = 0;
  for (int i = 0; i < count; i++) {
    int same = 0;
    while (same < kept && mo_distance_between(candidates[i].position, candidates[same].position) >
                              SAME_PLACE * size) {
      same++;
    }
    if (same == kept) {
      candidates[kept++] = candidates[i];
    } else if (candidates[same].feature_id == MO_FEATURE_ROUND) {
      candidates[same].feature_id = candidates[i].feature_id;
    } else if (candidates[i].separation < candidates[same].separation) {
      candidates[same] = candidates[i];
    }
  }
  return kept;
}
