#include "collision/continuous.h"

// Pairs that roll over each other while nearly touching take the most, some 20.
#define MAX_ITERATIONS 64
// Rounds of the search for the longest safe advance along an axis; each one more than doubles the
// digits.
#define MAX_ROUNDS 6
// Of the gap that an advance may close: what it need not use up.
#define UNUSED_PART 0.01
// Of the separation at the start: two that lose no more than this do not come nearer.
#define NEARER_PART 1e-3
// Of a shape's inner radius: the ball in its middle that must not pass through anything.
#define CORE_PART 0.5

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

// --- how far a shape reaches along an axis ---------------------------------------------------

// The core of a shape is what is left without its radius: the vertices of a hull, the ends of the
// axis of a capsule, the centre of a ball. A radius reaches equally far however the core turns.
static uint32_t core_point_count(const mo_shape *shape) {
  return shape->hull ? shape->hull->vertex_count : shape->type == MO_SHAPE_CAPSULE ? 2 : 1;
}

static mo_vec3 core_point(const mo_shape *shape, uint32_t i) {
  if (shape->hull) {
    return shape->hull->vertices[i];
  }
  return shape->type == MO_SHAPE_CAPSULE
             ? mo_v3(0.0, i == 0 ? shape->half_height : -shape->half_height, 0.0)
             : mo_v3_zero();
}

static double core_radius(const mo_shape *shape) { return shape->hull ? 0.0 : shape->radius; }

// A sweep with what is the same at each fraction.
typedef struct swept_core {
  mo_sweep sweep;
  mo_vec3 velocity;   // of the centre of mass, m per step
  double angle;       // rad per step
  double turn_radius; // m: greatest distance of a core point from the axis of the turn
} swept_core;

static swept_core begin_core(const mo_sweep *sweep, mo_vec3 origin) {
  swept_core core = {.sweep = *sweep,
                     .velocity = mo_sub(sweep->center_end, sweep->center_start),
                     .angle = mo_length(sweep->rotation)};
  core.sweep.center_start = mo_sub(sweep->center_start, origin);
  core.sweep.center_end = mo_sub(sweep->center_end, origin);
  // The axis of the turn is fixed in the body too.
  mo_vec3 axis = mo_normalize(mo_quat_rotate_inverse(sweep->orientation_start, sweep->rotation));
  mo_transform in_body = mo_transform_from_pose(sweep->shape_pose);
  for (uint32_t i = 0; i < core_point_count(sweep->shape); i++) {
    mo_vec3 point = mo_transform_point(in_body, core_point(sweep->shape, i));
    mo_vec3 arm = mo_cross(mo_sub(point, sweep->center_of_mass), axis);
    core.turn_radius = mo_max(core.turn_radius, mo_length(arm));
  }
  return core;
}

// A shape as seen along a fixed axis from some fraction on. A point of the core is
// base + along . p metres up the axis, rises by base_rate + turning . p metres per step, and is
// accelerated by no more than `curvature` per step squared.
typedef struct axis_view {
  const mo_shape *shape;
  double base, base_rate;
  mo_vec3 along, turning; // shape frame
  double curvature;
  double greatest_rate; // no point ever rises faster
} axis_view;

static axis_view view_along(const swept_core *core, double fraction, mo_vec3 axis,
                            mo_vec3 on_surface) {
  const mo_sweep *sweep = &core->sweep;
  mo_pose body = mo_sweep_pose(sweep, fraction);
  mo_transform placement = mo_transform_from_pose(mo_pose_mul(body, sweep->shape_pose));
  mo_vec3 center = mo_lerp(sweep->center_start, sweep->center_end, fraction);
  mo_vec3 lever = mo_cross(axis, sweep->rotation); // axis . (rotation x r) = lever . r
  double travel = mo_dot(axis, core->velocity);
  axis_view view = {
      .shape = sweep->shape,
      .base = mo_dot(axis, placement.translation) + core_radius(sweep->shape),
      .base_rate = travel + mo_dot(lever, mo_sub(placement.translation, center)),
      .along = mo_mat3_mul_transposed(placement.rotation, axis),
      .turning = mo_mat3_mul_transposed(placement.rotation, lever),
      .curvature = mo_length(lever) * core->angle * core->turn_radius,
      .greatest_rate = travel + mo_length(lever) * core->turn_radius,
  };
  if (sweep->shape->type == MO_SHAPE_PLANE) {
    // It does not move, and along its normal it ends where its surface is.
    view.base = mo_dot(axis, on_surface);
    view.along = mo_v3_zero();
  }
  return view;
}

// Upper bound, for all times up to `time` (in steps, from the view's fraction), of how far up the
// axis the shape reaches then.
static double reach(const axis_view *view, double time) {
  double furthest = -INFINITY;
  for (uint32_t i = 0; i < core_point_count(view->shape); i++) {
    mo_vec3 p = core_point(view->shape, i);
    furthest = mo_max(furthest, mo_dot(view->along, p) + time * mo_dot(view->turning, p));
  }
  return view->base + time * view->base_rate + furthest + 0.5 * view->curvature * time * time;
}

// --- the longest safe advance ----------------------------------------------------------------

// Both shapes along the axis from A to B: B as it reaches down.
typedef struct closing_pair {
  axis_view a, b;
  double target;
} closing_pair;

// How much nearer than the target the two may be after `time`: below zero, they are not. A convex
// function of the time.
static double excess(const closing_pair *pair, double time) {
  return reach(&pair->a, time) + reach(&pair->b, time) + pair->target;
}

// A time up to which the excess of second order is at most zero, close to the last such time.
// Where the function is convex the chord over a bracket meets zero before it does, and the chord
// prolonged meets zero after it: so both ends close in, and the lower one is safe at any time.
static double advance_by_accelerations(const closing_pair *pair, double end) {
  double low = 0.0, excess_low = excess(pair, 0.0), allowed = UNUSED_PART * excess_low;
  double high = end, excess_high = excess(pair, end);
  if (excess_high <= 0.0) {
    return end;
  }
  for (int round = 0; round < MAX_ROUNDS && excess_low < allowed; round++) {
    double chord = low - excess_low * (high - low) / (excess_high - excess_low);
    double excess_chord = excess(pair, chord);
    if (!(chord > low && chord < high && excess_chord <= 0.0)) {
      break;
    }
    double prolonged =
        low - excess_low * (chord - low) / (excess_chord - excess_low); // may be infinite
    low = chord;
    excess_low = excess_chord;
    if (prolonged > low && prolonged < high) {
      high = prolonged;
      excess_high = excess(pair, high);
    }
    if (!(excess_high > 0.0)) {
      return high;
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

// Whether two that are near at the start come nearer in the step.
static bool come_nearer(closing_pair pair, double separation) {
  pair.target = (1.0 - NEARER_PART) * separation;
  return separation > 0.0 ? advance(&pair, 1.0) < 1.0 : true;
}

static mo_toi separated(mo_toi toi) {
  toi.status = MO_TOI_SEPARATED;
  toi.fraction = 1.0;
  return toi;
}

mo_toi mo_time_of_impact(const mo_sweep *a, const mo_sweep *b, double target, double tolerance) {
  // Relative to where A begins, so that a pair far from the world's origin loses no digits.
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
    if (toi.separation <= target + tolerance) {
      return is_start && !come_nearer(pair, toi.separation) ? separated(toi) : toi;
    }
    double step = advance(&pair, 1.0 - fraction);
    if (!(fraction + step < 1.0)) {
      return separated(toi);
    }
    toi.fraction = fraction + step;
  }
  return toi;
}

mo_toi mo_time_of_core_impact(const mo_sweep *a, const mo_sweep *b, double target,
                              double tolerance) {
  mo_shape ball = {.type = MO_SHAPE_SPHERE, .radius = CORE_PART * mo_shape_inner_radius(a->shape)};
  mo_pose middle = {.position = a->shape->centroid, .orientation = mo_quat_identity()};
  mo_sweep core = *a;
  core.shape = &ball;
  core.shape_pose = mo_pose_mul(a->shape_pose, middle);
  return mo_time_of_impact(&core, b, target, tolerance);
}
