// The support function has kinks where a feature of more than one point is furthest: on the normal
// of a face or cap, and on a circle of normals around an edge or the straight side of a solid of
// revolution. The maximum lies at such a normal, where two circles meet, along a circle, or where
// everything is smooth. Each has its own search, and the best of them counts: the separation along
// any normal is a lower bound of the greatest one.
#include "collision/convex/separation.h"

// Edges of a hull whose circles are searched: those at the deepest vertex that are most
// perpendicular to the normal. The edges of a face and of a fold between two are among them.
#define MAX_CIRCLES 3
// Cosine: normals that differ by more (0.5 rad) belong to another feature.
#define NEARBY 0.88
// Relative to the scale: separations that differ by less are equal, and the normal of the larger
// feature is taken. It is some times the round-off of a separation.
#define EQUAL 1e-14
// Squared sine: planes of two circles that are less inclined are parallel to round-off.
#define PARALLEL 1e-20
// Tangent of half the angle: the first step along a circle and the longest way.
#define FIRST_STEP 0.01
#define LONGEST_WAY 0.5
// Rounds of the search along a circle: the secant method needs about eight.
#define MAX_SECANTS 40
// Tangent of half the angle: the search along a circle ends at such a step. The separation is off
// by its square.
#define LEAST_STEP 1e-13
// Rounds of Newton's method on the sphere, and the longest step, rad.
#define MAX_NEWTON_STEPS 12
#define LONGEST_STEP 0.3
// A step that does not gain after as many halvings is round-off.
#define MAX_HALVINGS 10
// rad: after a step of Newton's method as short as this the next is round-off.
#define LAST_STEP 1e-8
// Rounds of the whole search: a better normal may have other features. The second confirms the
// first.
#define MAX_ROUNDS 4
// Cosine: a normal that has moved by less (0.02 rad) needs no further round.
#define UNMOVED 0.9998

// A circle of unit normals: those with normal . axis = height.
typedef struct circle {
  mo_vec3 axis; // unit
  double height;
} circle;

// Where the support function of one core has kinks, near a normal.
typedef struct kinks {
  int circle_count, face_count;
  circle circles[MAX_CIRCLES];
  mo_vec3 faces[1];
} kinks;

typedef struct search {
  mo_minkowski *pair;
  mo_vec3 start;
  mo_separation best;
} search;

// --- kinks -----------------------------------------------------------------------------------

// Keeps the edges that are most perpendicular to the direction, in the order of their inclination.
static void add_edge(kinks *k, double inclinations[MAX_CIRCLES], mo_vec3 edge, mo_vec3 direction) {
  mo_vec3 axis = mo_normalize(edge);
  double inclination = fabs(mo_dot(axis, direction));
  int at = k->circle_count < MAX_CIRCLES ? k->circle_count++ : MAX_CIRCLES;
  for (; at > 0 && inclinations[at - 1] > inclination; at--) {
    if (at < MAX_CIRCLES) {
      inclinations[at] = inclinations[at - 1];
      k->circles[at] = k->circles[at - 1];
    }
  }
  if (at < MAX_CIRCLES) {
    inclinations[at] = inclination;
    k->circles[at] = (circle){axis, 0.0};
  }
}

static void find_hull_kinks(const mo_hull *hull, mo_vec3 direction, uint32_t start, kinks *k) {
  uint32_t first = mo_hull_climb(hull, start, direction), edge = first;
  const mo_half_edge *edges = hull->half_edges;
  double inclinations[MAX_CIRCLES], most_aligned = -1.0;
  mo_vec3 vertex = hull->vertices[edges[first].origin];
  do {
    uint32_t twin = edges[edge].twin;
    add_edge(k, inclinations, mo_sub(hull->vertices[edges[twin].origin], vertex), direction);
    mo_vec3 normal = hull->faces[edges[edge].face].normal;
    if (mo_dot(normal, direction) > most_aligned) {
      most_aligned = mo_dot(normal, direction);
      k->faces[0] = normal;
      k->face_count = 1;
    }
    edge = edges[twin].next;
  } while (edge != first);
}

// In the frame of the core.
static kinks find_kinks(const mo_convex *core, mo_vec3 direction, uint32_t start) {
  kinks k = {.circle_count = 0, .face_count = 0};
  mo_vec3 up = mo_v3(0.0, 1.0, 0.0);
  if (core->kind == MO_CORE_HULL) {
    find_hull_kinks(core->hull, direction, start, &k);
  } else if (core->kind == MO_CORE_SEGMENT) {
    k.circles[k.circle_count++] = (circle){up, 0.0};
  } else if (core->kind == MO_CORE_REVOLVED) {
    k.circles[k.circle_count++] = (circle){up, core->side_y};
    if (core->ends[direction.y > 0.0].disc > 0.0) {
      k.faces[k.face_count++] = direction.y > 0.0 ? up : mo_neg(up);
    }
  }
  return k;
}

// Those of B for normals that point from A to B, in the frame of A.
static kinks find_kinks_of_b(const mo_minkowski *pair, mo_vec3 normal) {
  mo_mat3 rotation = pair->b_in_a.rotation;
  kinks k = find_kinks(pair->b, mo_neg(mo_mat3_mul_transposed(rotation, normal)), pair->start_b);
  for (int i = 0; i < k.circle_count; i++) {
    k.circles[i] = (circle){mo_mat3_mul(rotation, k.circles[i].axis), -k.circles[i].height};
  }
  for (int i = 0; i < k.face_count; i++) {
    k.faces[i] = mo_neg(mo_mat3_mul(rotation, k.faces[i]));
  }
  return k;
}

// --- candidates ------------------------------------------------------------------------------

// Takes a normal if the separation along it is greater than the best so far.
static void offer(search *s, mo_vec3 normal) {
  double separation = -mo_dot(mo_minkowski_support(s->pair, normal).difference, normal);
  if (separation > s->best.distance + EQUAL * s->pair->scale) {
    s->best = (mo_separation){normal, separation};
  }
}

static void offer_nearby(search *s, mo_vec3 normal) {
  if (mo_dot(normal, s->start) > NEARBY) {
    offer(s, normal);
  }
}

// The two normals of both circles.
static void offer_crossings(search *s, circle p, circle q) {
  double cosine = mo_dot(p.axis, q.axis);
  mo_vec3 across = mo_cross(p.axis, q.axis);
  double sine_squared = mo_length_squared(across);
  if (!(sine_squared > PARALLEL)) {
    return;
  }
  double along_p = (p.height - cosine * q.height) / sine_squared;
  double along_q = (q.height - cosine * p.height) / sine_squared;
  mo_vec3 middle = mo_add(mo_scale(along_p, p.axis), mo_scale(along_q, q.axis));
  double rest = (1.0 - mo_length_squared(middle)) / sine_squared;
  if (rest >= 0.0) {
    offer_nearby(s, mo_normalize(mo_add_scaled(middle, sqrt(rest), across)));
    offer_nearby(s, mo_normalize(mo_add_scaled(middle, -sqrt(rest), across)));
  }
}

// --- along a circle --------------------------------------------------------------------------

// A circle from its normal nearest to the start, by the tangent of half the angle.
typedef struct arc {
  mo_vec3 middle, first,
      second; // the centre of the circle, its radii to the start and at 90 degrees
} arc;

static mo_vec3 point_at(const arc *a, double t) {
  double scale = 1.0 / (1.0 + t * t);
  mo_vec3 out = mo_add_scaled(a->middle, (1.0 - t * t) * scale, a->first);
  return mo_add_scaled(out, 2.0 * t * scale, a->second);
}

// The derivative of the separation along the circle, which falls through 0 at the maximum.
static double slope_at(search *s, const arc *a, double t) {
  double scale = 1.0 / (1.0 + t * t);
  mo_vec3 w = mo_minkowski_support(s->pair, point_at(a, t)).difference;
  return scale * (2.0 * t * mo_dot(w, a->first) - (1.0 - t * t) * mo_dot(w, a->second));
}

// The secant method between two slopes of opposite sign, of which the level stays between the last
// two; the slope of an end that stays is halved (Illinois, Dowell and Jarratt 1971).
static double find_level(search *s, const arc *a, double low, double slope_low, double high,
                         double slope_high) {
  double t = low;
  for (int round = 0; round < MAX_SECANTS; round++) {
    double last = t;
    t = low - slope_low * (high - low) / (slope_high - slope_low);
    double slope = slope_at(s, a, t);
    if (slope == 0.0 || fabs(t - last) < LEAST_STEP) {
      break;
    }
    if ((slope > 0.0) != (slope_high > 0.0)) {
      low = high;
      slope_low = slope_high;
    } else {
      slope_low *= 0.5;
    }
    high = t;
    slope_high = slope;
  }
  return t;
}

static void offer_circle(search *s, circle c) {
  mo_vec3 out = mo_add_scaled(s->start, -mo_dot(s->start, c.axis), c.axis);
  double length = mo_length(out), radius = sqrt(mo_max(0.0, 1.0 - c.height * c.height));
  if (!(length > 0.0 && radius > 0.0)) {
    return;
  }
  mo_vec3 first = mo_scale(radius / length, out);
  arc a = {mo_scale(c.height, c.axis), first, mo_cross(c.axis, first)};
  offer_nearby(s, point_at(&a, 0.0));
  double slope = slope_at(s, &a, 0.0), step = slope > 0.0 ? FIRST_STEP : -FIRST_STEP;
  double from = 0.0, slope_from = slope;
  for (double to = step; slope != 0.0 && fabs(to) < LONGEST_WAY; to *= 4.0) {
    double slope_to = slope_at(s, &a, to);
    if ((slope_to > 0.0) != (slope > 0.0)) {
      offer_nearby(s, point_at(&a, find_level(s, &a, from, slope_from, to, slope_to)));
      return;
    }
    from = to;
    slope_from = slope_to;
  }
}

// --- on the smooth part ----------------------------------------------------------------------

// The curvature of a support function: along the rim of a disc, and in all directions.
typedef struct curvature {
  mo_vec3 along;
  double rim, ball;
} curvature;

static curvature curvature_of(const mo_convex *core, mo_vec3 direction) {
  double across = sqrt(mo_square(direction.x) + mo_square(direction.z));
  if (core->kind != MO_CORE_REVOLVED || !(across > 0.0)) {
    return (curvature){mo_v3_zero(), 0.0, 0.0};
  }
  int end = direction.y * core->side_across > across * core->side_y;
  mo_vec3 along = mo_v3(-direction.z / across, 0.0, direction.x / across);
  return (curvature){along, core->ends[end].disc / across, core->ends[end].ball};
}

// The step of Newton's method for the maximum on the sphere: in the tangent plane, with the
// curvatures of both cores and that of the sphere itself. `w` is the support point along the
// normal. Returns false if there is none.
static bool find_newton_step(const mo_minkowski *pair, mo_vec3 n, mo_vec3 w, mo_vec3 *step) {
  curvature a = curvature_of(pair->a, n);
  curvature b = curvature_of(pair->b, mo_neg(mo_mat3_mul_transposed(pair->b_in_a.rotation, n)));
  b.along = mo_mat3_mul(pair->b_in_a.rotation, b.along);
  mo_vec3 t1, t2;
  mo_tangent_basis(n, &t1, &t2);
  double a1 = mo_dot(a.along, t1), a2 = mo_dot(a.along, t2);
  double b1 = mo_dot(b.along, t1), b2 = mo_dot(b.along, t2);
  double all = a.ball + b.ball - mo_dot(w, n);
  double h11 = a.rim * a1 * a1 + b.rim * b1 * b1 + all, h12 = a.rim * a1 * a2 + b.rim * b1 * b2;
  double h22 = a.rim * a2 * a2 + b.rim * b2 * b2 + all, determinant = h11 * h22 - h12 * h12;
  if (!(determinant > 0.0 && h11 > 0.0)) {
    return false;
  }
  double g1 = -mo_dot(w, t1), g2 = -mo_dot(w, t2);
  double x = (h22 * g1 - h12 * g2) / determinant, y = (h11 * g2 - h12 * g1) / determinant;
  double length = sqrt(x * x + y * y), part = length > LONGEST_STEP ? LONGEST_STEP / length : 1.0;
  *step = mo_add_scaled(mo_scale(part * x, t1), part * y, t2);
  return length > 0.0;
}

// Takes the step, or so much of it that the separation does not fall: next to the axis of a disc
// the curvature changes within a whole step. Returns false if none is left.
static bool take_newton_step(search *s, mo_vec3 *normal) {
  mo_vec3 start = *normal, w = mo_minkowski_support(s->pair, start).difference, step;
  double least = -mo_dot(w, start) - EQUAL * s->pair->scale;
  if (!find_newton_step(s->pair, start, w, &step)) {
    return false;
  }
  for (int halvings = 0; halvings < MAX_HALVINGS; halvings++) {
    *normal = mo_normalize(mo_add(start, step));
    if (-mo_dot(mo_minkowski_support(s->pair, *normal).difference, *normal) >= least) {
      return true;
    }
    step = mo_scale(0.5, step);
  }
  *normal = start;
  return false;
}

static void offer_smooth(search *s) {
  mo_vec3 normal = s->start;
  for (int i = 0; i < MAX_NEWTON_STEPS; i++) {
    mo_vec3 last = normal;
    if (!take_newton_step(s, &normal) || mo_distance_between(normal, last) < LAST_STEP) {
      break;
    }
  }
  offer(s, normal);
}

// --- the search ------------------------------------------------------------------------------

// Normals of larger features first: they are kept where a smaller one is as good.
static void search_from(search *s, mo_vec3 normal) {
  s->start = normal;
  kinks a = find_kinks(s->pair->a, normal, s->pair->start_a);
  kinks b = find_kinks_of_b(s->pair, normal);
  for (int i = 0; i < a.face_count; i++) {
    offer_nearby(s, a.faces[i]);
  }
  for (int i = 0; i < b.face_count; i++) {
    offer_nearby(s, b.faces[i]);
  }
  for (int i = 0; i < a.circle_count * b.circle_count; i++) {
    offer_crossings(s, a.circles[i / b.circle_count], b.circles[i % b.circle_count]);
  }
  for (int i = 0; i < a.circle_count; i++) {
    offer_circle(s, a.circles[i]);
  }
  for (int i = 0; i < b.circle_count; i++) {
    offer_circle(s, b.circles[i]);
  }
  offer_smooth(s);
  offer(s, normal);
}

mo_separation mo_refine_separation(mo_minkowski *pair, mo_vec3 normal) {
  search s = {.pair = pair, .best = {normal, -INFINITY}};
  for (int round = 0; round < MAX_ROUNDS; round++) {
    mo_vec3 last = s.best.normal;
    search_from(&s, last);
    if (mo_dot(s.best.normal, last) > UNMOVED) {
      break;
    }
  }
  return s.best;
}
