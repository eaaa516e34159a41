#include "collision/convex/time_of_impact.h"

// Iterations: pairs that roll over each other while nearly touching need the most, about 20.
#define MAX_ITERATIONS 64
// Rounds of the search for the longest safe advance along an axis. Each one more than doubles the
// digits.
#define MAX_ROUNDS 6
// Fraction of the gap that an advance need not use up.
#define UNUSED_PART 0.01
// Fraction of the separation at the start: two shapes that lose no more than this do not approach.
// When an approach is noticed it may exceed this by as much again.
#define NEARER_PART 1e-3
// Fraction of the smaller inner radius of two shapes: the thickness that is removed from one of
// them to leave its core. Contacts push shapes out again that overlap by no more.
#define SKIN_PART 0.5
// The most vertices of a hull's core. For hulls with more, those count that are furthest along the
// directions from the middle of a cube of 3 by 3 by 3 cells to the others.
#define CORE_VERTICES 27u
// Faces from which a vertex is moved away, one after the other. Those of a corner are enough,
// except for sharp corners, which then move straight to the centroid.
#define PULL_ROUNDS 8

// rad: the axis of a smaller rotation is lost in round-off.
#define LEAST_ANGLE 1e-9

mo_sweep mo_sweep_between(const mo_shape *shape, mo_pose shape_pose, mo_vec3 center_of_mass,
                          mo_pose start, mo_pose end) {
  mo_quat turn = mo_quat_mul(end.orientation, mo_quat_conjugate(start.orientation));
  return (mo_sweep){
      .shape = shape,
      .shape_pose = shape_pose,
      .center_of_mass = center_of_mass,
      .center_start = mo_add(start.position, mo_quat_rotate(start.orientation, center_of_mass)),
      .center_end = mo_add(end.position, mo_quat_rotate(end.orientation, center_of_mass)),
      .orientation_start = start.orientation,
      .rotation = mo_quat_log(turn)};
}

void mo_sweep_unwind(mo_sweep *sweep, mo_vec3 rotation) {
  double angle = mo_length(sweep->rotation), turn = 2.0 * MO_PI;
  mo_vec3 axis =
      angle > LEAST_ANGLE ? mo_scale(1.0 / angle, sweep->rotation) : mo_normalize(rotation);
  double missing = floor((mo_dot(axis, rotation) - angle) / turn + 0.5);
  if (missing != 0.0 && mo_is_finite(missing)) {
    sweep->rotation = mo_scale(angle + missing * turn, axis);
  }
}

mo_sweep mo_sweep_at_rest(const mo_shape *shape, mo_pose shape_pose, mo_pose body) {
  return (mo_sweep){.shape = shape,
                    .shape_pose = shape_pose,
                    .center_start = body.position,
                    .center_end = body.position,
                    .orientation_start = body.orientation};
}

mo_pose mo_sweep_pose(const mo_sweep *sweep, double fraction) {
  mo_vec3 center = mo_lerp(sweep->center_start, sweep->center_end, fraction);
  mo_quat orientation =
      mo_quat_mul(mo_quat_exp(mo_scale(fraction, sweep->rotation)), sweep->orientation_start);
  return (mo_pose){mo_sub(center, mo_quat_rotate(orientation, sweep->center_of_mass)), orientation};
}

// --- extent of a shape along an axis ---------------------------------------------------------
//
// A sweep moves the convex core of a shape (convex.h), whose radius extends equally far however the
// core is rotated.

// A sweep, with the quantities that are the same at each fraction.
typedef struct swept_core {
  mo_sweep sweep;
  mo_vec3 velocity;   // of the centre of mass, m per step
  double angle;       // rad per step
  double turn_radius; // m: the largest distance of a core point from the axis of rotation
} swept_core;

// The largest distance of a point of the core from an axis through the centre of mass. For a curved
// core it is that of a ball around it.
static double turn_radius(const mo_sweep *sweep, mo_vec3 axis) {
  const mo_convex *core = &sweep->shape->core;
  mo_transform in_body = mo_transform_from_pose(sweep->shape_pose);
  mo_vec3 ends[2];
  uint32_t count;
  const mo_vec3 *vertices = mo_convex_vertices(core, ends, &count);
  double greatest = 0.0;
  for (uint32_t i = 0; i < count; i++) {
    mo_vec3 point = mo_transform_point(in_body, vertices[i]);
    mo_vec3 arm = mo_cross(mo_sub(point, sweep->center_of_mass), axis);
    greatest = mo_max(greatest, mo_length(arm));
  }
  if (core->kind == MO_CORE_CURVED || core->kind == MO_CORE_REVOLVED) {
    mo_vec3 arm = mo_cross(mo_sub(sweep->shape_pose.position, sweep->center_of_mass), axis);
    greatest = mo_length(arm) + core->scale;
  }
  return greatest;
}

static swept_core begin_core(const mo_sweep *sweep, mo_vec3 origin) {
  swept_core core = {.sweep = *sweep,
                     .velocity = mo_sub(sweep->center_end, sweep->center_start),
                     .angle = mo_length(sweep->rotation)};
  core.sweep.center_start = mo_sub(sweep->center_start, origin);
  core.sweep.center_end = mo_sub(sweep->center_end, origin);
  // The axis of rotation is fixed in the body too.
  mo_vec3 axis = mo_normalize(mo_quat_rotate_inverse(sweep->orientation_start, sweep->rotation));
  core.turn_radius = turn_radius(sweep, axis);
  return core;
}

// The extent of a shape along a fixed axis from some fraction on. A point of the core is at base +
// along . p metres on the axis, and moves by base_rate + turning . p metres per step. Its
// acceleration is at most `curvature` per step squared.
typedef struct axis_view {
  const mo_convex *core;
  double base, base_rate;
  mo_vec3 along, turning; // shape frame
  double curvature;
  double greatest_rate; // no point ever moves faster
} axis_view;

static axis_view view_along(const swept_core *core, double fraction, mo_vec3 axis,
                            mo_vec3 on_surface) {
  const mo_sweep *sweep = &core->sweep;
  mo_pose body = mo_sweep_pose(sweep, fraction);
  mo_transform placement = mo_transform_from_pose(mo_pose_mul(body, sweep->shape_pose));
  mo_vec3 center = mo_lerp(sweep->center_start, sweep->center_end, fraction);
  mo_vec3 lever = mo_cross(axis, sweep->rotation); // axis . (rotation x r) = lever . r
  double speed_along = mo_dot(axis, core->velocity);
  axis_view view = {
      .core = &sweep->shape->core,
      .base = mo_dot(axis, placement.translation) + sweep->shape->core.radius,
      .base_rate = speed_along + mo_dot(lever, mo_sub(placement.translation, center)),
      .along = mo_mat3_mul_transposed(placement.rotation, axis),
      .turning = mo_mat3_mul_transposed(placement.rotation, lever),
      .curvature = mo_length(lever) * core->angle * core->turn_radius,
      .greatest_rate = speed_along + mo_length(lever) * core->turn_radius,
  };
  if (mo_shape_is_unbounded(sweep->shape)) {
    // A plane does not move, and ends at its surface along its normal.
    view.base = mo_dot(axis, on_surface);
    view.along = mo_v3_zero();
  }
  return view;
}

// The extent of a curved core in a direction. A plane has none and stays where it is.
static double support_height(const mo_convex *core, mo_vec3 direction) {
  uint32_t vertex = MO_NO_FEATURE;
  return mo_dot(direction, mo_convex_support(core, &vertex, direction));
}

// Upper bound of the shape's extent along the axis for all times up to `time` (in steps, from the
// view's fraction).
static double reach(const axis_view *view, double time) {
  mo_vec3 ends[2];
  uint32_t count;
  const mo_vec3 *vertices = mo_convex_vertices(view->core, ends, &count);
  double furthest = -INFINITY;
  for (uint32_t i = 0; i < count; i++) {
    mo_vec3 p = vertices[i];
    furthest = mo_max(furthest, mo_dot(view->along, p) + time * mo_dot(view->turning, p));
  }
  if (count == 0) {
    furthest = support_height(view->core, mo_add_scaled(view->along, time, view->turning));
  }
  return view->base + time * view->base_rate + furthest + 0.5 * view->curvature * time * time;
}

// --- the longest safe advance ----------------------------------------------------------------

// Both shapes along the axis from A to B, with B's extent downwards.
typedef struct closing_pair {
  axis_view a, b;
  double target;
} closing_pair;

// How much closer than the target the two may be after `time`; negative if they are not. It is a
// convex function of time.
static double excess(const closing_pair *pair, double time) {
  return reach(&pair->a, time) + reach(&pair->b, time) + pair->target;
}

// A time up to which the second-order excess is at most zero, close to the last such time. For a
// convex function the chord over a bracket reaches zero earlier, and the extended chord later. So
// both ends converge, and the lower one is always safe. If the function decreases at first, because
// the shapes separate before they return, the time is tried in which the accelerations alone would
// use up the gap.
static double advance_by_accelerations(const closing_pair *pair, double end) {
  double low = 0.0, excess_low = excess(pair, 0.0), allowed = UNUSED_PART * excess_low;
  double high = end, excess_high = excess(pair, end);
  double curvature = 0.5 * (pair->a.curvature + pair->b.curvature);
  if (excess_high <= 0.0) {
    return end;
  }
  for (int round = 0; round < MAX_ROUNDS && excess_low < allowed; round++) {
    double chord = low - excess_low * (high - low) / (excess_high - excess_low);
    double excess_chord = excess(pair, chord);
    if (!(chord > low && chord < high && excess_chord <= 0.0)) {
      break;
    }
    double later = excess_chord > excess_low
                       ? low - excess_low * (chord - low) / (excess_chord - excess_low)
                       : chord + sqrt(-excess_chord / curvature); // both may be infinite
    low = chord;
    excess_low = excess_chord;
    if (later > low && later < high) {
      double excess_later = excess(pair, later);
      bool is_safe = !(excess_later > 0.0);
      *(is_safe ? &low : &high) = later;
      *(is_safe ? &excess_low : &excess_high) = excess_later;
    }
  }
  return low;
}

static double advance(const closing_pair *pair, double end) {
  double gap = -excess(pair, 0.0), speed = pair->a.greatest_rate + pair->b.greatest_rate;
  double by_speed = speed * end <= gap ? end : gap / speed;
  return by_speed < end ? mo_max(by_speed, advance_by_accelerations(pair, end)) : end;
}

// --- the search ------------------------------------------------------------------------------

static mo_pose placement_at(const swept_core *core, double fraction) {
  return mo_pose_mul(mo_sweep_pose(&core->sweep, fraction), core->sweep.shape_pose);
}

static mo_toi separated(mo_toi toi) {
  toi.status = MO_TOI_SEPARATED;
  toi.fraction = 1.0;
  return toi;
}

mo_toi mo_time_of_impact(const mo_sweep *a, const mo_sweep *b, double target, double tolerance) {
  // Relative to the start of A, so that a pair far from the world's origin loses no digits.
  swept_core core_a = begin_core(a, a->center_start), core_b = begin_core(b, a->center_start);
  mo_toi toi = {.status = MO_TOI_HIT};
  while (toi.iterations < MAX_ITERATIONS) {
    double fraction = toi.fraction;
    mo_distance_result closest = mo_distance(a->shape, placement_at(&core_a, fraction), b->shape,
                                             placement_at(&core_b, fraction));
    bool is_start = toi.iterations++ == 0;
    if (!(closest.distance > 0.0)) {
      toi.status = is_start ? MO_TOI_OVERLAPPED : MO_TOI_HIT;
      toi.separation = 0.0;
      return toi;
    }
    closing_pair pair = {view_along(&core_a, fraction, closest.normal, closest.point_a),
                         view_along(&core_b, fraction, mo_neg(closest.normal), closest.point_b),
                         target};
    toi.normal = closest.normal;
    toi.separation = target - excess(&pair, 0.0);
    if (is_start && toi.separation <= target + tolerance) {
      toi.began_near = true;
      tolerance = 0.5 * NEARER_PART * toi.separation;
      target = pair.target = toi.separation - 2.0 * tolerance;
    }
    if (toi.separation <= target + tolerance) {
      return toi;
    }
    double step = advance(&pair, 1.0 - fraction);
    if (!(fraction + step < 1.0)) {
      return separated(toi);
    }
    toi.fraction = fraction + step;
  }
  return toi;
}

// --- cores of shapes -------------------------------------------------------------------------

// The core of a shape, with the data that it needs. Distances only need the vertices of a hull.
typedef struct bare_core {
  mo_shape shape;
  mo_hull hull;
  mo_vec3 vertices[CORE_VERTICES];
  mo_half_edge half_edges[CORE_VERTICES];
  uint32_t vertex_half_edges[CORE_VERTICES];
  const mo_convex *whole; // of a round core
  double part;            // the factor by which that is scaled
} bare_core;

static mo_vec3 outer_vertex(const mo_hull *hull, uint32_t i) {
  if (hull->vertex_count <= CORE_VERTICES) {
    return hull->vertices[i];
  }
  uint32_t x = i % 3, y = i / 3 % 3, z = i / 9;
  mo_vec3 direction = {(double)x - 1.0, (double)y - 1.0, (double)z - 1.0};
  return hull->vertices[mo_hull_support_vertex(hull, direction)];
}

// Moves a vertex inwards until no face is closer than `skin`. The centroid is such a point, so the
// motion towards it finds one.
static mo_vec3 move_inwards(const mo_hull *hull, mo_vec3 point, double skin) {
  double height;
  for (int round = 0; round < PULL_ROUNDS; round++) {
    uint32_t face = mo_hull_nearest_face(hull, point, &height);
    if (!(height > -skin)) {
      return point;
    }
    point = mo_add_scaled(point, -(height + skin), hull->faces[face].normal);
  }
  mo_hull_nearest_face(hull, point, &height);
  double too_high = mo_max(height + skin, 0.0);
  return too_high > 0.0 ? mo_lerp(point, hull->centroid, too_high / (too_high + skin)) : point;
}

static mo_vec3 move_corner_inwards(mo_vec3 corner, double skin) {
  return mo_v3(corner.x - copysign(skin, corner.x), corner.y - copysign(skin, corner.y),
               corner.z - copysign(skin, corner.z));
}

static void make_hull_core(const mo_hull *hull, double skin, bare_core *core) {
  uint32_t count = hull->vertex_count < CORE_VERTICES ? hull->vertex_count : CORE_VERTICES;
  core->hull = (mo_hull){.vertex_count = count,
                         .vertices = core->vertices,
                         .half_edges = core->half_edges,
                         .radius = hull->radius,
                         .half_diagonal = hull->half_diagonal,
                         .is_box = hull->is_box,
                         .features = {.vertex_half_edges = core->vertex_half_edges}};
  for (uint32_t i = 0; i < count; i++) {
    core->vertices[i] = hull->is_box ? move_corner_inwards(hull->vertices[i], skin)
                                     : move_inwards(hull, outer_vertex(hull, i), skin);
    core->half_edges[i] = (mo_half_edge){.origin = i};
    core->vertex_half_edges[i] = i;
  }
  core->shape.hull = &core->hull;
  core->shape.core = mo_convex_hull(&core->hull, 0.0);
}

static mo_vec3 scaled_support(const mo_convex *core, mo_vec3 direction) {
  const bare_core *bare = core->context;
  uint32_t vertex = MO_NO_FEATURE;
  mo_vec3 whole = mo_convex_support(bare->whole, &vertex, direction);
  return mo_lerp(bare->shape.centroid, whole, bare->part);
}

// A ball of the inner radius about the centroid is inside the core. So if the core is scaled about
// the centroid, it moves inwards everywhere by at least as much as that ball.
static void make_round_core(const mo_shape *shape, double skin, bare_core *core) {
  core->whole = &shape->core;
  core->part = 1.0 - skin / shape->inner_radius;
  core->shape.core.kind = MO_CORE_CURVED;
  core->shape.core.support = scaled_support;
  core->shape.core.context = core;
  core->shape.core.radius = 0.0;
}

// Removes the radius of a rounded shape first, and the rest of `skin` from its core.
static void make_core(const mo_shape *shape, double skin, bare_core *core) {
  core->shape = *shape;
  double radius = shape->core.radius, rest = skin - radius;
  bool is_round = shape->core.kind <= MO_CORE_SEGMENT;
  if (is_round || (radius > 0.0 && rest <= 0.0)) {
    core->shape.core.radius -= skin;
  } else if (shape->hull) {
    make_hull_core(shape->hull, rest, core);
  } else {
    make_round_core(shape, rest, core);
  }
}

mo_toi mo_time_of_core_impact(const mo_sweep *a, const mo_sweep *b, double target,
                              double tolerance) {
  bare_core core;
  make_core(a->shape, SKIN_PART * mo_min(a->shape->inner_radius, b->shape->inner_radius), &core);
  mo_sweep sweep = *a;
  sweep.shape = &core.shape;
  return mo_time_of_impact(&sweep, b, target, tolerance);
}

double mo_middle_radius(const mo_shape *shape) { return (1.0 - SKIN_PART) * shape->inner_radius; }

mo_toi mo_time_of_middle_impact(const mo_sweep *a, const mo_sweep *b, double target,
                                double tolerance) {
  mo_shape ball = {.class = &mo_sphere_class, .core = mo_convex_point(mo_middle_radius(a->shape))};
  mo_pose middle = {.position = a->shape->centroid, .orientation = mo_quat_identity()};
  mo_sweep sweep = *a;
  sweep.shape = &ball;
  sweep.shape_pose = mo_pose_mul(a->shape_pose, middle);
  return mo_time_of_impact(&sweep, b, target, tolerance);
}
