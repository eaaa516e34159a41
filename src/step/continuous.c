/// Continuous collision: stops bodies that move by more than their size in a step.
///
/// Contacts are found at the poses of the start of a step, with a margin ahead. A fast body may be
/// behind a wall at the end without ever having had a contact with it. So it is swept along its
/// displacement, and placed where it first meets something that it would pass. It keeps its
/// velocity, and the next step finds the contact. The rest of the displacement is lost. A body in
/// joints loses only what leads into what is in its way, if that is thick and does not move
/// (holding_planes.h).
#include "collision/convex/time_of_impact.h"
#include "step/contact_function.h"
#include "step/holding_planes.h"
#include "step/stages.h"
#include "step/surface_sweep.h"

#include <float.h>

// What the stage reads and writes.
typedef struct stage {
  mo_world *world;
  double dt;
  const mo_solver_choice *choice;
  const mo_free_motions *free;
  mo_row_ends *ends;
  mo_soft_stage *soft;
  mo_bounds fixed;   // of what stops bodies that are no bullets
  mo_bounds bullets; // of the paths of bullets, which stop them too
  double longest;    // m: no body moves further, if there are bullets; below 0: not found yet
  double targets[2]; // m: the separations at which bodies in rows and the others are stopped
} stage;

// m: the smallest separation at which bodies are stopped in a world without slop.
#define LEAST_TARGET 1e-4
// Fraction of the smaller inner radius of two shapes: the largest separation at which the core of
// one is stopped. A body at rest keeps twice that separation, so it may slide.
#define CORE_TARGET_PART 0.25

// Where a body is at the end of the step.
static mo_motion *end_of(const stage *s, uint32_t slot) {
  return mo_step_is_in_rows(s->choice, slot) ? &s->ends->motions[slot]
                                             : &s->soft->end[s->world->awake_places[slot]];
}

// The change of the linear velocity by this step's forces alone.
static mo_vec3 gain_of(const stage *s, uint32_t slot) {
  bool is_in_rows = mo_step_is_in_rows(s->choice, slot);
  if (!is_in_rows && s->soft->indices[slot] > 0) {
    return mo_scale(mo_world_substeps(s->world, s->dt),
                    mo_v3_from_floats(s->soft->masses[s->soft->indices[slot]].linear_gain));
  }
  const mo_velocity *free =
      is_in_rows ? &s->free->velocities[slot] : &s->soft->free[s->world->awake_places[slot]];
  return mo_sub(free->linear, s->world->motions[slot].linear_velocity);
}

// As much of it as contacts have not taken away: what they bear or stop does not fall.
static mo_vec3 kept_gain_of(const stage *s, uint32_t slot) {
  mo_vec3 gain = gain_of(s, slot), before = s->world->motions[slot].linear_velocity;
  mo_vec3 change = mo_sub(end_of(s, slot)->linear_velocity, before);
  double whole = mo_length_squared(gain);
  return whole > 0.0 ? mo_scale(mo_clamp(mo_dot(change, gain) / whole, 0.0, 1.0), gain) : gain;
}

static mo_sweep sweep_of(const stage *s, uint32_t slot, uint32_t shape) {
  const mo_world *world = s->world;
  const mo_body *body = &world->bodies[slot];
  const mo_motion *start = &world->motions[slot];
  mo_pose from = mo_motion_pose(start);
  const mo_placed_shape *placed = &body->shapes[shape];
  if (!mo_world_is_awake(world, slot)) {
    return mo_sweep_at_rest(placed->shape, placed->pose, from);
  }
  const mo_motion *end = end_of(s, slot);
  mo_sweep sweep = mo_sweep_between(placed->shape, placed->pose, body->mass.center_of_mass, from,
                                    mo_motion_pose(end));
  mo_sweep_unwind(&sweep, mo_scale(s->dt, end->angular_velocity));
  return sweep;
}

// A fast body in its sweep.
typedef struct fast_body {
  stage *stage;
  uint32_t slot;
  double length;            // m: how far its centre of mass moves in the step
  double displacement;      // m: no point of the body moves further
  double target;            // m: the separation at which it is stopped
  double fraction;          // fraction of the step after which it stops
  mo_holding_planes planes; // that hold it back, if it is in joints
  double first_held;        // fraction of the step after which it meets the first of them
  mo_vec3 into;             // m/s: how fast it moves into what its core touches from the start
} fast_body;

// Whether one of them is a bullet, or the other body moves as if nothing stopped it.
static bool is_continuous(const mo_body *body, const mo_body *other) {
  return body->bullet || other->bullet || other->type != MO_BODY_DYNAMIC;
}

static bool may_stop(const fast_body *fast, const mo_proxy *proxy) {
  const mo_world *world = fast->stage->world;
  return proxy->slot != fast->slot &&
         is_continuous(&world->bodies[fast->slot], &world->bodies[proxy->slot]) &&
         !mo_joined_pairs_have(&world->joined, fast->slot, proxy->slot);
}

static bool is_joined(const fast_body *fast) {
  return mo_world_is_in_joints(fast->stage->world, fast->slot);
}

// The time of impact of the body's core with the other shape. For a body in joints it is that of
// its middle, because to stop it tears it off its joints; unless the ends of the body might get
// through the other shape within the step. Contacts push them out again.
static mo_toi pass_into(const fast_body *fast, const mo_sweep *mine, const mo_sweep *theirs,
                        bool by_core) {
  double own = mine->shape->inner_radius, other = theirs->shape->inner_radius;
  double near = mo_min(fast->target, CORE_TARGET_PART * (by_core ? mo_min(own, other) : own));
  return (by_core ? mo_time_of_core_impact : mo_time_of_middle_impact)(mine, theirs, near,
                                                                       mo_toi_tolerance(near));
}

static bool is_at_rest(const mo_sweep *sweep) {
  return mo_v3_equal(sweep->center_start, sweep->center_end) &&
         mo_v3_equal(sweep->rotation, mo_v3_zero());
}

// Where the middle of a shape is at a fraction of the step.
static mo_vec3 middle_at(const mo_sweep *sweep, double fraction) {
  mo_pose pose = mo_pose_mul(mo_sweep_pose(sweep, fraction), sweep->shape_pose);
  return mo_add(pose.position, mo_quat_rotate(pose.orientation, sweep->shape->centroid));
}

// Holds the middle of a body in joints in front of the plane at which it meets another shape. The
// ball about it may enter: from there contacts push the body out, and joints stay closed.
static void hold_back(fast_body *fast, const mo_sweep *mine, const mo_toi *middle) {
  mo_vec3 past = mo_sub(middle_at(mine, 1.0), middle_at(mine, middle->fraction));
  double excess = mo_dot(past, middle->normal) - mo_middle_radius(mine->shape);
  if (excess > 0.0) {
    mo_holding_planes_add(&fast->planes, middle->normal, excess);
    fast->first_held = mo_min(fast->first_held, middle->fraction);
  }
}

// Whether a body in joints is held in front of the other shape instead of being stopped. What is
// thin it might pass with its ends.
static bool yields(bool by_core, const mo_sweep *theirs) { return !by_core && is_at_rest(theirs); }

// Notes how fast the body moves into a shape that its core touches from the start. No contact of
// the next step may tell of it: those of its surface may be to one side of it, and let it tip over
// into what it cannot move into.
static void note_approach(fast_body *fast, mo_vec3 normal) {
  double speed = mo_dot(end_of(fast->stage, fast->slot)->linear_velocity, normal);
  if (speed > 0.0 && mo_square(speed) > mo_length_squared(fast->into)) {
    fast->into = mo_scale(speed, normal);
  }
}

// Stops the body where it touches the other shape, if its core or middle would enter it. A body
// that touches from the start stops where its core or middle does. Bodies in joints pass over
// planes there, which push them out from any depth.
static void meet_shape(fast_body *fast, const mo_sweep *mine, const mo_sweep *theirs) {
  bool by_core = !is_joined(fast) || fast->displacement > theirs->shape->inner_radius;
  mo_toi core = pass_into(fast, mine, theirs, by_core);
  if (core.status != MO_TOI_HIT) {
    return;
  }
  if (yields(by_core, theirs)) {
    if (!core.began_near || !is_joined(fast) || !mo_shape_is_unbounded(theirs->shape)) {
      hold_back(fast, mine, &core);
    }
    return;
  }
  double target = fast->target;
  mo_toi toi = mo_time_of_impact(mine, theirs, target, mo_toi_tolerance(target));
  bool is_apart = toi.status == MO_TOI_HIT && !toi.began_near;
  if (is_apart || !is_joined(fast) || !mo_shape_is_unbounded(theirs->shape)) {
    // A body in joints that begins so near already has its contact, and is not moved.
    double into = core.began_near && is_joined(fast) ? 0.0 : core.fraction;
    fast->fraction = mo_min(fast->fraction, is_apart ? toi.fraction : into);
    if (!is_apart && !is_joined(fast) && core.began_near && is_at_rest(theirs)) {
      note_approach(fast, core.normal);
    }
  }
}

// A fast body over a mesh.
typedef struct surface_meeting {
  fast_body *fast;
  const mo_sweep *mine;
} surface_meeting;

static void meet_triangle(void *user, const mo_sweep *triangle) {
  surface_meeting *meeting = user;
  meet_shape(meeting->fast, meeting->mine, triangle);
}

static void meet(fast_body *fast, uint32_t shape, const mo_proxy *other) {
  mo_sweep mine = sweep_of(fast->stage, fast->slot, shape),
           theirs = sweep_of(fast->stage, other->slot, other->shape);
  if (mo_shape_is_surface(theirs.shape)) {
    surface_meeting meeting = {fast, &mine};
    mo_sweep_over_surface(&mine, &theirs, fast->target, mo_world_metre(fast->stage->world),
                          meet_triangle, &meeting);
  } else {
    meet_shape(fast, &mine, &theirs);
  }
}

static double meet_proxy(void *user, uint32_t proxy_id, double max_distance) {
  fast_body *fast = user;
  const mo_world *world = fast->stage->world;
  const mo_proxy *proxy = &world->broad_phase.proxies[proxy_id];
  if (!may_stop(fast, proxy)) {
    return max_distance;
  }
  const mo_body *body = &world->bodies[fast->slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    bool is_refused =
        world->contact_rule.function && mo_step_has_refused(world, body->proxies[i], proxy_id);
    if (!body->shapes[i].sensor && !is_refused &&
        mo_filters_meet(mo_body_filter(body, i), proxy->filter)) {
      meet(fast, i, proxy);
    }
  }
  return mo_max(fast->fraction * fast->length, MO_LEAST_REACH);
}

// An upper bound, m, of how far any point of the body moves in the step. Orientations do not show
// whole turns, so the angular velocity counts too.
static double longest_displacement_of(const mo_body *body, const mo_motion *start,
                                      const mo_motion *end, double dt) {
  return mo_max(mo_world_displacement_between(body, start, end),
                mo_distance_between(start->center_of_mass, end->center_of_mass) +
                    dt * mo_length(end->angular_velocity) * body->bounding_radius);
}

// Whether the body could pass something in the step, as far as it shows without a square root. This
// runs for every awake body, most of which the first test tells.
static inline bool may_be_fast(const mo_body *body, const mo_motion *start, const mo_motion *end,
                               double dt) {
  double half_squared = mo_square(0.5 * mo_step_unseen_path(body));
  mo_vec3 displacement = mo_sub(end->center_of_mass, start->center_of_mass);
  if (!(mo_length_squared(displacement) < half_squared)) {
    return true;
  }
  mo_quat p = start->orientation, q = end->orientation;
  double cosine = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w; // cosine of half the angle
  double turn_squared = mo_square(MO_PI * body->bounding_radius) * (1.0 - cosine * cosine);
  double spin_squared =
      mo_square(dt * body->bounding_radius) * mo_length_squared(end->angular_velocity);
  return !(turn_squared < half_squared && spin_squared < half_squared);
}

static bool find_any(void *found, uint32_t proxy) {
  (void)proxy;
  *(bool *)found = true;
  return false;
}

// The bounds of the displacement of a ball.
static mo_bounds bounds_of_path(const mo_motion *start, const mo_motion *end, double radius) {
  mo_vec3 a = start->center_of_mass, b = end->center_of_mass;
  return mo_bounds_expand((mo_bounds){mo_v3_min(a, b), mo_v3_max(a, b)}, radius);
}

// Whether the box around the displacement contains any other shape. For most fast bodies it
// contains none.
static bool meets_any(mo_broad_phase *bp, uint32_t kinds, const mo_motion *start,
                      const mo_motion *end, double half) {
  mo_aabb box = mo_aabb_from_bounds(bounds_of_path(start, end, half));
  bool found = false;
  mo_broad_phase_query(bp, kinds, &box, find_any, &found);
  return found;
}

// The length of a displacement, m, whose square may overflow, and its direction.
static double measure_displacement(mo_vec3 displacement, mo_vec3 *direction) {
  double scale = mo_max(fabs(displacement.x), mo_max(fabs(displacement.y), fabs(displacement.z)));
  if (!(scale >= DBL_MIN)) {
    *direction = mo_v3(1.0, 0.0, 0.0);
    return 0.0;
  }
  mo_vec3 scaled = mo_v3(displacement.x / scale, displacement.y / scale, displacement.z / scale);
  *direction = mo_normalize(scaled);
  return mo_min(scale * mo_length(scaled), DBL_MAX);
}

// m: the separation at which a body is stopped.
static double target_of(const stage *s, uint32_t slot) {
  return s->targets[!mo_step_is_in_rows(s->choice, slot)];
}

// How far a body reaches about its centre of mass, for boxes, which hold moving bodies at the start
// of the step.
static double reach_of(const stage *s, uint32_t slot) {
  return s->world->bodies[slot].bounding_radius + 2.0 * target_of(s, slot);
}

// The longest displacement of any body in the step, m.
static double longest_displacement(const stage *s) {
  const mo_world *world = s->world;
  double longest = 0.0;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    longest = mo_max(longest, mo_world_displacement_between(
                                  &world->bodies[slot], &world->motions[slot], end_of(s, slot)));
  }
  return longest;
}

// Where bullets may be in the step. Only steps with a fast body ask.
static void find_bullets(stage *s) {
  const mo_world *world = s->world;
  bool is_any = false;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (world->bodies[slot].bullet) {
      mo_bounds path = bounds_of_path(&world->motions[slot], end_of(s, slot), reach_of(s, slot));
      s->bullets.lower = mo_v3_min(s->bullets.lower, path.lower);
      s->bullets.upper = mo_v3_max(s->bullets.upper, path.upper);
      is_any = true;
    }
  }
  s->longest = is_any ? longest_displacement(s) : 0.0;
}

// Whether moving bodies may stop a body: for a pair it is enough that one of both is a bullet.
static bool meets_moving(const stage *s, uint32_t slot, const mo_motion *end) {
  mo_bounds path = bounds_of_path(&s->world->motions[slot], end, reach_of(s, slot));
  return s->world->bodies[slot].bullet || mo_bounds_overlap(&path, &s->bullets);
}

// Whether a body has to be swept. Most that may be fast are far from all that could stop them.
// displacement: set to a length, m, that no point of the body exceeds, for one that has to be.
static bool is_swept(const stage *s, uint32_t slot, const mo_motion *end, double *displacement) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_motion *start = &s->world->motions[slot];
  mo_bounds path = bounds_of_path(start, end, reach_of(s, slot));
  if (!mo_bounds_overlap(&path, &s->fixed) && !meets_moving(s, slot, end)) {
    return false;
  }
  *displacement = longest_displacement_of(body, start, end, s->dt);
  return *displacement > mo_step_unseen_path(body);
}

// A body that stops before the end of its displacement. The fraction may be too small to be seen in
// one minus the rest.
typedef struct stop {
  uint32_t slot;
  double fraction;      // of the step
  mo_vec3 displacement; // m: of the end of its path, if it goes on to that
  mo_vec3 into;         // m/s: of fast_body
} stop;

// What stops the body or holds it back. Between shapes of both kinds, and in a wedge, it stops
// where it meets the first of them, whatever the order in which they were found.
static stop stop_of(const fast_body *fast) {
  stop found = {fast->slot, fast->fraction, mo_v3_zero(), fast->into};
  if (fast->planes.count > 0 &&
      (fast->fraction < 1.0 ||
       !mo_holding_planes_find(&fast->planes, LEAST_TARGET, &found.displacement))) {
    found.fraction = mo_min(fast->fraction, fast->first_held);
  }
  return found;
}

// Where a body stops. A fraction of 1 means that it goes on to the end of the step.
// displacement: that of is_swept
static stop find_impact(stage *s, uint32_t slot, double displacement) {
  const mo_world *world = s->world;
  const mo_motion *start = &world->motions[slot], *end = end_of(s, slot);
  bool by_moving = meets_moving(s, slot, end);
  double half = reach_of(s, slot) + (by_moving ? s->longest : 0.0);
  uint32_t kinds = by_moving ? MO_TREES_ALL : MO_TREES_FIXED;
  if (!meets_any(&s->world->broad_phase, kinds, start, end, half)) {
    return (stop){slot, 1.0, mo_v3_zero(), mo_v3_zero()};
  }
  mo_vec3 path = mo_sub(end->center_of_mass, start->center_of_mass), direction;
  double length = measure_displacement(path, &direction);
  fast_body fast = {.stage = s,
                    .slot = slot,
                    .length = length,
                    .displacement = displacement,
                    .target = target_of(s, slot),
                    .fraction = 1.0,
                    .first_held = 1.0};
  mo_broad_phase_cast_box(&s->world->broad_phase, kinds, start->center_of_mass,
                          mo_v3(half, half, half), direction, mo_max(length, MO_LEAST_REACH),
                          meet_proxy, &fast);
  return stop_of(&fast);
}

// Soft-step took the body to be at the end of its displacement.
static void note_new_end(stage *s, uint32_t slot) {
  MO_NOTE_ITEM(&s->world->journal, s->world->displacements, slot);
  s->world->displacements[slot] += MO_OUT_OF_REACH * mo_world_metre(s->world);
}

static bool is_moved(const stop *found) {
  return found->fraction < 1.0 || !mo_v3_equal(found->displacement, mo_v3_zero());
}

// The core of a body is a ball about its middle, so that its impact is an impulse through that:
// where it touches from the start it parts with what approaches, without restitution.
static void stop_at(stage *s, const stop *found) {
  uint32_t slot = found->slot;
  double fraction = found->fraction;
  mo_vec3 center = s->world->bodies[slot].mass.center_of_mass;
  const mo_motion *start = &s->world->motions[slot];
  mo_motion *end = end_of(s, slot);
  mo_sweep sweep = mo_sweep_between(NULL, mo_pose_identity(), center, mo_motion_pose(start),
                                    mo_motion_pose(end));
  mo_sweep_unwind(&sweep, mo_scale(s->dt, end->angular_velocity));
  mo_pose pose = mo_sweep_pose(&sweep, fraction);
  mo_motion stopped = *end;
  // The body falls no further, so it must not gain speed by the rest of its fall: that would add
  // energy.
  stopped.linear_velocity =
      mo_add_scaled(end->linear_velocity, fraction - 1.0, kept_gain_of(s, slot));
  stopped.orientation = mo_quat_normalize(pose.orientation);
  // A body with different moments of inertia would change its energy if its spin did not turn back
  // with it. A body in joints keeps its spin.
  if (!s->world->bodies[slot].mass.is_isotropic && !mo_world_is_in_joints(s->world, slot)) {
    mo_quat back = mo_quat_mul(stopped.orientation, mo_quat_conjugate(end->orientation));
    stopped.angular_velocity = mo_quat_rotate(back, end->angular_velocity);
  }
  // In this form the difference of two extreme positions cannot overflow.
  stopped.center_of_mass =
      mo_add(mo_scale(1.0 - fraction, sweep.center_start), mo_scale(fraction, sweep.center_end));
  mo_motion_update_origin(&stopped, center);
  if (!mo_motion_is_finite(&stopped)) {
    return; // the spin is so large that the orientation at impact is unknown
  }
  stopped.linear_velocity = mo_sub(stopped.linear_velocity, found->into);
  *end = stopped;
  note_new_end(s, slot);
}

// Moves a body back from the end of its path. It must not gain energy by what it does not fall.
static void displace(stage *s, uint32_t slot, mo_vec3 displacement) {
  mo_motion *end = end_of(s, slot), held = *end;
  mo_vec3 path = mo_sub(end->center_of_mass, s->world->motions[slot].center_of_mass);
  double length = mo_length(displacement);
  mo_vec3 out = mo_scale(1.0 / length, displacement);
  double into = -mo_dot(path, out), gain = -mo_dot(kept_gain_of(s, slot), out);
  if (gain > 0.0) {
    double lost = into > length ? length / into : 1.0;
    held.linear_velocity = mo_add_scaled(held.linear_velocity, lost * gain, out);
  }
  held.center_of_mass = mo_add(held.center_of_mass, displacement);
  mo_motion_update_origin(&held, s->world->bodies[slot].mass.center_of_mass);
  if (mo_motion_is_finite(&held)) {
    *end = held;
    note_new_end(s, slot);
  }
}

mo_result mo_step_stop_fast_bodies(mo_world *world, double dt, const mo_solver_choice *choice,
                                   const mo_free_motions *free, mo_row_ends *ends,
                                   mo_soft_stage *soft) {
  mo_bounds fixed = mo_broad_phase_bounds(&world->broad_phase, MO_TREES_FIXED);
  stage all = {.world = world,
               .dt = dt,
               .choice = choice,
               .free = free,
               .ends = ends,
               .soft = soft,
               .fixed = fixed,
               .bullets = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}},
               .longest = -1.0,
               .targets = {mo_max(mo_world_linear_slop(world, false),
                                  LEAST_TARGET * mo_world_metre(world)),
                           mo_max(mo_world_linear_slop(world, true),
                                  LEAST_TARGET * mo_world_metre(world))}},
        *s = &all;
  stop *stops = NULL;
  uint32_t count = 0;
  const uint8_t *in_rows = choice->in_rows;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    const mo_body *body = &world->bodies[slot];
    // end_of, for the loop over all bodies.
    const mo_motion *end = in_rows && in_rows[slot] ? &ends->motions[slot] : &soft->end[i];
    if (body->type != MO_BODY_DYNAMIC || body->shape_count == 0 ||
        !may_be_fast(body, &world->motions[slot], end, dt)) {
      continue;
    }
    if (s->longest < 0.0) {
      find_bullets(s);
    }
    double displacement;
    if (!is_swept(s, slot, end, &displacement)) {
      continue;
    }
    if (!stops) {
      stops = MO_ARENA_TAKE_RAW(&world->step_arena, stop, world->awake_count - i);
      if (!stops) {
        return MO_ERROR_OUT_OF_MEMORY;
      }
    }
    stops[count] = find_impact(s, slot, displacement);
    count += is_moved(&stops[count]);
  }
  if (!mo_journal_reserve(&world->journal, count * MO_NOTE_BYTES(sizeof(double)))) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  // All stops are computed from full displacements, so the order of the bodies does not matter.
  for (uint32_t i = 0; i < count; i++) {
    if (stops[i].fraction < 1.0) {
      stop_at(s, &stops[i]);
    } else {
      displace(s, stops[i].slot, stops[i].displacement);
    }
  }
  return MO_OK;
}
