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

// The corners of about the largest quadrilateral that contains the deepest candidate.
static int choose_by_area(const patch *p, int chosen[MO_MANIFOLD_POINTS]) {
  int kept = 0;
  int triangle[3] = {find_deepest(p), 0, 0};
  kept = take_sorted(chosen, kept, triangle[0]);
  triangle[1] = find_furthest(p, triangle[0]);
  if (triangle[1] == triangle[0]) {
    return kept; // all are at one place
  }
  kept = take_sorted(chosen, kept, triangle[1]);
  triangle[2] = find_widest(p, triangle[0], triangle[1]);
  if (triangle[2] < 0) {
    return kept; // all are on a line: its ends suffice, unless the deepest is in the middle
  }
  kept = take_sorted(chosen, kept, triangle[2]);
  int fourth = find_largest_addition(p, triangle);
  return fourth < 0 ? kept : take_sorted(chosen, kept, fourth);
}

static double patch_size(const mo_contact_candidate *c, int count) {
  double most = 0.0;
  for (int i = 1; i < count; i++) {
    most = mo_max(most, mo_length_squared(mo_sub(c[0].position, c[i].position)));
  }
  return sqrt(most);
}

// Moves the candidates that touch to the front of `order`, and sorts the others by height behind
// them. Returns the number that touch.
static int sort_by_touch(const mo_contact_candidate *c, int count, double metre, int *order) {
  double least = INFINITY;
  for (int i = 0; i < count; i++) {
    least = mo_min(least, c[i].separation);
  }
  double height = mo_min(TOUCH_HEIGHT * metre, TOUCH_HEIGHT_PER_SIZE * patch_size(c, count));
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
  return touching;
}

static void lay_out(const mo_contact_candidate *candidates, const int *order, int count,
                    mo_vec3 normal, mo_vec3 ties, patch *p) {
  mo_vec3 t1, t2;
  mo_tangent_basis(normal, &t1, &t2);
  p->count = count;
  for (int i = 0; i < count; i++) {
    const mo_contact_candidate *c = &candidates[order[i]];
    mo_vec3 d = mo_sub(c->position, candidates[order[0]].position);
    p->x[i] = mo_dot(t1, d);
    p->y[i] = mo_dot(t2, d);
    p->separation[i] = c->separation;
    p->reach[i] = mo_dot(ties, c->position);
  }
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
  int order[MO_MAX_CANDIDATES];
  int touching_count = sort_by_touch(candidates, count, metre, order);
  patch touching;
  touching.metre = metre;
  lay_out(candidates, order, touching_count, normal, ties, &touching);
  int best[MO_MANIFOLD_POINTS];
  int best_count = choose_by_area(&touching, best);
  for (int i = 0; i < best_count; i++) {
    kept = take_sorted(chosen, kept, order[best[i]]);
  }
  // Open points must not displace touching ones; the next lowest fill the remaining places.
  for (int i = touching_count; i < count && kept < MO_MANIFOLD_POINTS; i++) {
    kept = take_sorted(chosen, kept, order[i]);
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
