#include "step/speculation.h"

#include "collision/convex/distance.h"
#include "collision/convex/time_of_impact.h"
#include "dynamics/integrator.h"

// m: gaps that close by less than this belong to resting contacts and slow landings. There the
// closest features at the start are the ones that meet.
#define LEAST_CLOSING 1e-4

// m: an overlap at the end of the step of at most this, plus what the step's forces add, is a
// graze. Such bodies rest on each other or pass.
#define GRAZE_DEPTH 2e-3
// Cosine: a normal found ahead that is turned from that of the gap by more belongs to the far side.
#define REVERSED (-0.5)
// Cosine: points that will meet with a normal turned by more are not of the same contact.
#define SAME_SIDE 0.8
// Poses between the start and the end of the step at which an overlap is looked for.
#define SAMPLE_POSES 4
// m: bodies do not pass each other if one comes this near to the core of the other in the step.
#define PASSING_TARGET 1e-4
// Planes between shapes in flight that are tried, as a sweep costs as much as four of them.
#define MOST_PLANES 4

static mo_transform placement_at(const mo_moving_shape *moving, const mo_motion *motion) {
  return mo_body_shape_transform(moving->body, moving->shape, motion);
}

mo_transform mo_moving_shape_placement(const mo_moving_shape *moving) {
  return placement_at(moving, moving->motion);
}

static mo_vec3 velocity_at(const mo_motion *motion, mo_velocity velocity, mo_vec3 point) {
  mo_vec3 arm = mo_sub(point, motion->center_of_mass);
  return mo_add(velocity.linear, mo_cross(velocity.angular, arm));
}

static mo_velocity present_velocity(const mo_moving_shape *moving) {
  return (mo_velocity){moving->motion->linear_velocity, moving->motion->angular_velocity};
}

// The largest overlap of the manifold's points after dt with these velocities, m.
static double overlap_ahead(const mo_manifold *manifold, const mo_moving_shape *a, mo_velocity va,
                            const mo_moving_shape *b, mo_velocity vb, double dt) {
  double deepest = -INFINITY;
  for (int i = 0; i < manifold->point_count; i++) {
    const mo_manifold_point *point = &manifold->points[i];
    mo_vec3 relative = mo_sub(velocity_at(b->motion, vb, point->point_b),
                              velocity_at(a->motion, va, point->point_a));
    deepest = mo_max(deepest, -point->separation - dt * mo_dot(relative, manifold->normal));
  }
  return deepest;
}

static double deepest_overlap(const mo_manifold *manifold) {
  double deepest = -INFINITY;
  for (int i = 0; i < manifold->point_count; i++) {
    deepest = mo_max(deepest, -manifold->points[i].separation);
  }
  return deepest;
}

static mo_motion motion_ahead(const mo_moving_shape *moving, double dt) {
  mo_motion ahead = *moving->motion;
  mo_integrate_pose(&ahead, moving->body->mass.center_of_mass, moving->free_velocity.linear,
                    moving->free_velocity.angular, dt);
  return ahead;
}

void mo_manifold_bring_back(const mo_moving_shape *a, const mo_moving_shape *b, double time,
                            mo_manifold *manifold) {
  mo_vec3 way_a = mo_scale(time, a->free_velocity.linear),
          way_b = mo_scale(time, b->free_velocity.linear);
  for (int i = 0; i < manifold->point_count; i++) {
    mo_manifold_point *point = &manifold->points[i];
    point->point_a = mo_sub(point->point_a, way_a);
    point->point_b = mo_sub(point->point_b, way_b);
    mo_vec3 relative = mo_sub(velocity_at(b->motion, b->free_velocity, point->point_b),
                              velocity_at(a->motion, a->free_velocity, point->point_a));
    point->separation -= time * mo_dot(relative, manifold->normal);
  }
}

// Collides the shapes where they are then; where they are now is a hint for the search.
static mo_manifold collide_ahead(const mo_moving_shape *a, const mo_motion *ahead_a,
                                 const mo_moving_shape *b, const mo_motion *ahead_b, double margin,
                                 mo_collision_cache cache) {
  mo_transform at_a = placement_at(a, ahead_a), at_b = placement_at(b, ahead_b);
  double gap;
  mo_manifold manifold;
  mo_collide_pair(mo_moving_shape_of(a), &at_a, mo_moving_shape_of(b), &at_b, margin, a->metre,
                  &cache, &gap, &manifold);
  return manifold;
}

// Whether the shapes overlap somewhere during the step. Then they do not pass each other: one went
// through the other.
static bool meet_during_step(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                             mo_collision_cache cache) {
  for (int i = 1; i < SAMPLE_POSES; i++) {
    mo_motion ahead_a = motion_ahead(a, dt * i / SAMPLE_POSES);
    mo_motion ahead_b = motion_ahead(b, dt * i / SAMPLE_POSES);
    if (collide_ahead(a, &ahead_a, b, &ahead_b, 0.0, cache).point_count > 0) {
      return true;
    }
  }
  return false;
}

static mo_sweep sweep_to(const mo_moving_shape *moving, const mo_motion *ahead, double dt) {
  const mo_placed_shape *placed = &moving->body->shapes[moving->shape];
  mo_sweep sweep = mo_sweep_between(placed->shape, placed->pose, moving->body->mass.center_of_mass,
                                    mo_motion_pose(moving->motion), mo_motion_pose(ahead));
  mo_sweep_unwind(&sweep, mo_scale(dt, moving->free_velocity.angular));
  return sweep;
}

static bool core_meets(const mo_sweep *a, const mo_sweep *b, double metre) {
  return !mo_shape_is_unbounded(a->shape) &&
         mo_time_of_core_impact(a, b, PASSING_TARGET * metre,
                                mo_toi_tolerance(PASSING_TARGET * metre))
                 .status == MO_TOI_HIT;
}

// How far any point of the shape moves by rotation, m. A shape that does not rotate may be a plane.
static double displacement_by_turn(const mo_moving_shape *moving, double dt) {
  double angle = dt * mo_length(moving->free_velocity.angular);
  return angle > 0.0 ? angle * moving->body->bounding_radius : 0.0;
}

// Like `meet_during_step`, for bodies that are too fast for a few poses to show the overlap.
static bool pass_through(const mo_moving_shape *a, const mo_motion *ahead_a,
                         const mo_moving_shape *b, const mo_motion *ahead_b, double dt) {
  mo_sweep sweep_a = sweep_to(a, ahead_a, dt), sweep_b = sweep_to(b, ahead_b, dt);
  double size = mo_min(sweep_a.shape->inner_radius, sweep_b.shape->inner_radius);
  mo_vec3 displacement = mo_sub(mo_sub(sweep_a.center_end, sweep_a.center_start),
                                mo_sub(sweep_b.center_end, sweep_b.center_start));
  return mo_length(displacement) + displacement_by_turn(a, dt) + displacement_by_turn(b, dt) >
             size &&
         (core_meets(&sweep_a, &sweep_b, a->metre) || core_meets(&sweep_b, &sweep_a, a->metre));
}

// How far the shape reaches along a direction after dt, m. `extent` is how far it does now.
static double extent_ahead(const mo_moving_shape *moving, double dt, mo_vec3 direction,
                           double extent) {
  if (mo_v3_equal(moving->free_velocity.angular, mo_v3_zero())) {
    return extent + dt * mo_dot(moving->free_velocity.linear, direction);
  }
  mo_motion end = motion_ahead(moving, dt);
  mo_transform at = placement_at(moving, &end);
  const mo_convex *core = &mo_moving_shape_of(moving)->core;
  mo_vec3 furthest = mo_convex_furthest(core, mo_mat3_mul_transposed(at.rotation, direction));
  return mo_dot(direction, mo_transform_point(at, furthest)) + core->radius;
}

// How much further it reaches in between, at most, than in proportion to the time, m: a point on an
// arc is off its chord by the radius times the square of the angle, over 8. Infinite for planes.
static double bow_of(const mo_moving_shape *moving, double dt) {
  return displacement_by_turn(moving, dt) * dt * mo_length(moving->free_velocity.angular) / 8.0;
}

// Where a point of a body that has moved ahead is now.
static mo_vec3 point_now(const mo_moving_shape *moving, const mo_motion *ahead, mo_vec3 point) {
  mo_vec3 arm =
      mo_quat_rotate(mo_quat_conjugate(ahead->orientation), mo_sub(point, ahead->center_of_mass));
  return mo_add(moving->motion->center_of_mass, mo_quat_rotate(moving->motion->orientation, arm));
}

// Two planes with a normal from A to B, between which nothing of either is.
typedef struct gap_planes {
  mo_vec3 normal, point_a, point_b; // the points are of the shapes, in the planes
  double above_a, below_b;          // m, along the normal
} gap_planes;

static gap_planes planes_through(mo_vec3 normal, mo_vec3 point_a, mo_vec3 point_b) {
  return (gap_planes){normal, point_a, point_b, mo_dot(normal, point_a), mo_dot(normal, point_b)};
}

static gap_planes planes_of(const mo_manifold *manifold) {
  int least = 0;
  for (int i = 1; i < manifold->point_count; i++) {
    least = manifold->points[i].separation < manifold->points[least].separation ? i : least;
  }
  const mo_manifold_point *point = &manifold->points[least];
  return planes_through(manifold->normal, point->point_a, point->point_b);
}

static gap_planes planes_between(const mo_moving_shape *a, const mo_moving_shape *b) {
  mo_distance_result closest =
      mo_distance_placed(mo_moving_shape_of(a), mo_moving_shape_placement(a), mo_moving_shape_of(b),
                         mo_moving_shape_placement(b));
  return planes_through(closest.normal, closest.point_a, closest.point_b);
}

// s: until then the planes keep the shapes further apart than `target` metres.
static double time_apart(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                         double target, gap_planes planes) {
  double gap = planes.below_b - planes.above_a;
  double way = gap - target - bow_of(a, dt) - bow_of(b, dt);
  if (!(way > 0.0)) {
    return 0.0;
  }
  mo_vec3 closing = mo_sub(a->free_velocity.linear, b->free_velocity.linear);
  double most = displacement_by_turn(a, dt) + displacement_by_turn(b, dt) +
                dt * mo_dot(closing, planes.normal);
  if (most <= way) {
    return INFINITY;
  }
  double end = -extent_ahead(b, dt, mo_neg(planes.normal), -planes.below_b) -
               extent_ahead(a, dt, planes.normal, planes.above_a);
  return gap - end > way ? dt * way / (gap - end) : INFINITY;
}

// s: of the first impact; infinite if there is none in the step.
static double time_of_impact(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                             double near) {
  mo_motion end_a = motion_ahead(a, dt), end_b = motion_ahead(b, dt);
  mo_sweep sweep_a = sweep_to(a, &end_a, dt), sweep_b = sweep_to(b, &end_b, dt);
  double target = MO_MEETING_PART * near;
  mo_toi impact = mo_time_of_impact(&sweep_a, &sweep_b, target, mo_toi_tolerance(target));
  return impact.status == MO_TOI_HIT ? impact.fraction * dt : INFINITY;
}

// s: of the first impact; infinite if there is none in the step. What flies straight at what is
// nearest meets it when the planes of the gap no longer keep it away. What does not has other
// planes there. Of what turns too fast for planes a sweep tells.
static double find_impact(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                          double near, const mo_manifold *manifold) {
  gap_planes planes = planes_of(manifold);
  mo_motion at_a = *a->motion, at_b = *b->motion;
  mo_moving_shape now_a = *a, now_b = *b;
  now_a.motion = &at_a;
  now_b.motion = &at_b;
  double time = 0.0;
  for (int round = 0; round < MOST_PLANES; round++) {
    double apart = time_apart(&now_a, &now_b, dt - time, MO_MEETING_PART * near, planes);
    if (!(time + apart <= dt)) {
      return INFINITY;
    }
    if (apart == 0.0) {
      break;
    }
    time += apart;
    mo_motion from_a = at_a, from_b = at_b;
    at_a = motion_ahead(a, time);
    at_b = motion_ahead(b, time);
    // Two points tell that the shapes are near, without a search.
    if (mo_distance_between(point_now(&now_a, &from_a, planes.point_a),
                            point_now(&now_b, &from_b, planes.point_b)) < near) {
      return time;
    }
    planes = planes_between(&now_a, &now_b);
    if (planes.below_b - planes.above_a < near) {
      return time;
    }
  }
  return time + time_of_impact(&now_a, &now_b, dt - time, near);
}

void mo_speculate_far(const mo_moving_shape *a, const mo_moving_shape *b, double dt, double near,
                      double ahead, mo_collision_cache cache, mo_manifold *manifold) {
  double time = find_impact(a, b, dt, near, manifold);
  if (time > dt) {
    manifold->point_count = 0;
    return;
  }
  mo_motion met_a = motion_ahead(a, time), met_b = motion_ahead(b, time);
  *manifold = collide_ahead(a, &met_a, b, &met_b, near + (1.0 - time / dt) * ahead, cache);
  mo_manifold_bring_back(a, b, time, manifold);
  // What only comes near touches in the next step, and its impact is one of that.
  if (overlap_ahead(manifold, a, a->free_velocity, b, b->free_velocity, dt) < 0.0) {
    manifold->point_count = 0;
  }
}

// About how far this step's forces alone push the shapes together, m.
static double path_of_forces(const mo_moving_shape *a, const mo_moving_shape *b, double dt) {
  mo_vec3 gain_a = mo_sub(a->free_velocity.linear, a->motion->linear_velocity);
  mo_vec3 gain_b = mo_sub(b->free_velocity.linear, b->motion->linear_velocity);
  return dt * mo_distance_between(gain_a, gain_b);
}

void mo_speculate(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                  mo_collision_cache cache, mo_manifold *manifold) {
  bool apart = manifold->point_count > 0 && deepest_overlap(manifold) < 0.0;
  if (!apart || overlap_ahead(manifold, a, present_velocity(a), b, present_velocity(b), dt) <
                    LEAST_CLOSING * a->metre) {
    return;
  }
  mo_motion ahead_a = motion_ahead(a, dt), ahead_b = motion_ahead(b, dt);
  mo_manifold ahead = collide_ahead(a, &ahead_a, b, &ahead_b, 0.0, cache);
  if (ahead.point_count == 0) {
    if (!meet_during_step(a, b, dt, cache) && !pass_through(a, &ahead_a, b, &ahead_b, dt)) {
      manifold->point_count = 0;
    }
    return;
  }
  double along_gap = overlap_ahead(manifold, a, a->free_velocity, b, b->free_velocity, dt);
  double overlap = deepest_overlap(&ahead);
  bool grazes = overlap < along_gap && overlap < GRAZE_DEPTH * a->metre + path_of_forces(a, b, dt);
  bool came_through = mo_dot(ahead.normal, manifold->normal) < REVERSED;
  if (grazes && !came_through) {
    mo_manifold_bring_back(a, b, dt, &ahead);
    *manifold = ahead;
  }
}

static bool has_feature(const mo_manifold *manifold, uint32_t feature_id) {
  for (int i = 0; i < manifold->point_count; i++) {
    if (manifold->points[i].feature_id == feature_id) {
      return true;
    }
  }
  return false;
}

// Adds what the shapes come within `margin` of after dt, unless it is within `least` now. Returns
// false if they touch on another side then.
static bool add_points_ahead(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                             double margin, double least, mo_collision_cache cache,
                             mo_manifold *manifold) {
  mo_motion ahead_a = motion_ahead(a, dt), ahead_b = motion_ahead(b, dt);
  mo_manifold ahead = collide_ahead(a, &ahead_a, b, &ahead_b, margin, cache);
  if (ahead.point_count > 0 && mo_dot(ahead.normal, manifold->normal) < SAME_SIDE) {
    return false;
  }
  for (int i = 0; i < ahead.point_count && manifold->point_count < MO_MANIFOLD_POINTS; i++) {
    mo_manifold_point point = ahead.points[i];
    point.point_a = point_now(a, &ahead_a, point.point_a);
    point.point_b = point_now(b, &ahead_b, point.point_b);
    point.separation = mo_dot(manifold->normal, mo_sub(point.point_b, point.point_a));
    if (point.separation >= least && !has_feature(manifold, point.feature_id)) {
      manifold->points[manifold->point_count++] = point;
    }
  }
  return true;
}

void mo_speculate_turn(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                       mo_collision_cache cache, mo_manifold *manifold) {
  // Shapes that would be deep in each other at the end may be nearest to another side there.
  if (!add_points_ahead(a, b, dt, 0.0, -INFINITY, cache, manifold)) {
    add_points_ahead(a, b, 0.5 * dt, 0.0, -INFINITY, cache, manifold);
  }
}

// --- what an impact leaves -------------------------------------------------------------------

// The mean of the points of a manifold of one or two.
static mo_manifold_point middle_of(const mo_manifold *manifold) {
  mo_manifold_point middle = manifold->points[0];
  if (manifold->point_count == 2) {
    const mo_manifold_point *other = &manifold->points[1];
    middle.point_a = mo_lerp(middle.point_a, other->point_a, 0.5);
    middle.point_b = mo_lerp(middle.point_b, other->point_b, 0.5);
    middle.separation = 0.5 * (middle.separation + other->separation);
  }
  return middle;
}

// The change of the velocity of a body by an impulse at a point.
static mo_velocity change_by(const mo_moving_shape *moving, mo_vec3 point, mo_vec3 impulse) {
  if (moving->body->type != MO_BODY_DYNAMIC) {
    return (mo_velocity){mo_v3_zero(), mo_v3_zero()};
  }
  const mo_mass *mass = &moving->body->mass;
  mo_quat q = moving->motion->orientation;
  mo_vec3 torque = mo_cross(mo_sub(point, moving->motion->center_of_mass), impulse);
  mo_vec3 turn = mo_mat3_mul(mass->inverse_inertia, mo_quat_rotate_inverse(q, torque));
  return (mo_velocity){mo_scale(mass->inverse_mass, impulse), mo_quat_rotate(q, turn)};
}

// The velocity at a point along the normal per impulse there, 1/kg.
static double inverse_mass_at(const mo_moving_shape *moving, mo_vec3 point, mo_vec3 normal) {
  mo_velocity change = change_by(moving, point, normal);
  return mo_dot(normal, velocity_at(moving->motion, change, point));
}

static mo_moving_shape pushed(const mo_moving_shape *moving, mo_vec3 point, mo_vec3 impulse) {
  mo_moving_shape after = *moving;
  mo_velocity change = change_by(moving, point, impulse);
  after.free_velocity.linear = mo_add(after.free_velocity.linear, change.linear);
  after.free_velocity.angular = mo_add(after.free_velocity.angular, change.angular);
  return after;
}

bool mo_speculate_impact(const mo_moving_shape *a, const mo_moving_shape *b, double dt,
                         double least, mo_collision_cache cache, mo_manifold *manifold) {
  mo_vec3 n = manifold->normal;
  mo_manifold_point at = middle_of(manifold);
  mo_vec3 relative = mo_sub(velocity_at(b->motion, b->free_velocity, at.point_b),
                            velocity_at(a->motion, a->free_velocity, at.point_a));
  double stopped = -mo_dot(n, relative) - mo_max(at.separation, 0.0) / dt;
  if (stopped * dt < least) {
    return false;
  }
  double inverse_mass = inverse_mass_at(a, at.point_a, n) + inverse_mass_at(b, at.point_b, n);
  if (!(inverse_mass > 0.0)) {
    return false;
  }
  double impulse = stopped / inverse_mass;
  mo_moving_shape after_a = pushed(a, at.point_a, mo_scale(-impulse, n));
  mo_moving_shape after_b = pushed(b, at.point_b, mo_scale(impulse, n));
  if (displacement_by_turn(&after_a, dt) + displacement_by_turn(&after_b, dt) >= least) {
    double open = mo_max(manifold->points[0].separation, 0.0);
    add_points_ahead(&after_a, &after_b, dt, least, open, cache, manifold);
  }
  return true;
}
