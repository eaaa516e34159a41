#include "step/soft_step/solver_bodies.h"

#include "dynamics/integrator.h"
#include "parallel/parallel.h"
#include "solvers/soft_step/body_lanes.h"
#include "step/carriers.h"
#include "step/soft_step/pushed_bodies.h"

#include <stdatomic.h>

// rad per step: above this, the spin of a body of unequal moments is turned in every substep, and
// that of what may bounce at any. An impact changes such a spin completely, and the gyroscopic
// change of the old spin would then add energy; and torques of joints turn its angular momentum,
// not its spin.
#define FAST_TURN 0.25
// rad/s: the same of bodies in joints. The torques of joints act all the time, and an error of w dt
// of their effect adds up over time and not over steps: a limit of the turn per step would go over
// to the less exact way as steps become shorter, where errors have to fall. This is FAST_TURN in
// steps of 1/60 s.
#define FAST_SPIN 15.0

// A range of awake bodies.
typedef struct body_range {
  const mo_soft_step *step;
  _Atomic bool has_pushed;   // other forces than gravity act on some body
  _Atomic bool has_carriers; // some kinematic body accelerates
  _Atomic bool has_damped;
} body_range;

// --- spin of four bodies at a time -----------------------------------------------------------

// Four bodies to be gathered.
typedef struct four_bodies {
  mo_f32x4 orientation[4], spin[4], torque[4]; // each is one body's
  mo_f32x4 inertia[3][4];                      // mo_mass.single
} four_bodies;

// Four tensors or rotations.
typedef struct matrix_lanes {
  mo_vec3x4 x, y, z; // columns
} matrix_lanes;

static inline mo_vec3x4 mul(const matrix_lanes *m, mo_vec3x4 v) {
  mo_vec3x4 xy = mo_vec3x4_add_scaled(mo_vec3x4_scale(v.x, m->x), v.y, m->y);
  return mo_vec3x4_add_scaled(xy, v.z, m->z);
}

static inline mo_vec3x4 mul_transposed(const matrix_lanes *m, mo_vec3x4 v) {
  return (mo_vec3x4){mo_vec3x4_dot(m->x, v), mo_vec3x4_dot(m->y, v), mo_vec3x4_dot(m->z, v)};
}

static inline mo_f32x4 rounded(mo_f32x4 v) { return mo_without_round_off(v, MO_LEAST_COMPONENT); }

static inline matrix_lanes rotation_of(mo_f32x4 rows[4]) {
  mo_f32x4 x = rounded(rows[0]), y = rounded(rows[1]), z = rounded(rows[2]), w = rounded(rows[3]);
  mo_f32x4_transpose(&x, &y, &z, &w);
  mo_f32x4 one = mo_f32x4_splat(1.0f), x2 = x + x, y2 = y + y, z2 = z + z;
  mo_f32x4 xx = x * x2, yy = y * y2, zz = z * z2, xy = x * y2, xz = x * z2, yz = y * z2;
  mo_f32x4 wx = w * x2, wy = w * y2, wz = w * z2;
  return (matrix_lanes){{one - (yy + zz), xy + wz, xz - wy},
                        {xy - wz, one - (xx + zz), yz + wx},
                        {xz + wy, yz - wx, one - (xx + yy)}};
}

// The change of spin in a step by inertia and torque, in body axes: one Newton iteration on the
// midpoint rule for Euler's equations, I dw + dt (m x I m - torque) = 0 with m = w + dw / 2.
static inline mo_vec3x4 spin_change(const matrix_lanes *inertia, mo_vec3x4 w, mo_vec3x4 torque,
                                    float dt) {
  mo_f32x4 half = mo_f32x4_splat(0.5f * dt), zero = mo_f32x4_zero();
  mo_vec3x4 l = mul(inertia, w);
  mo_vec3x4 push = mo_vec3x4_sub(torque, mo_vec3x4_cross(w, l));
  push = mo_vec3x4_scale(mo_f32x4_splat(dt), push);
  // I + dt/2 ([w]x I - [I w]x)
  mo_vec3x4 lx = {zero, l.z, -l.y}, ly = {-l.z, zero, l.x}, lz = {l.y, -l.x, zero};
  mo_vec3x4 x = mo_vec3x4_sub(mo_vec3x4_cross(w, inertia->x), lx);
  mo_vec3x4 y = mo_vec3x4_sub(mo_vec3x4_cross(w, inertia->y), ly);
  mo_vec3x4 z = mo_vec3x4_sub(mo_vec3x4_cross(w, inertia->z), lz);
  x = mo_vec3x4_add_scaled(inertia->x, half, x);
  y = mo_vec3x4_add_scaled(inertia->y, half, y);
  z = mo_vec3x4_add_scaled(inertia->z, half, z);
  mo_vec3x4 yz = mo_vec3x4_cross(y, z);
  matrix_lanes minors = {yz, mo_vec3x4_cross(z, x), mo_vec3x4_cross(x, y)};
  mo_f32x4 inverse = mo_f32x4_splat(1.0f) / mo_vec3x4_dot(x, yz);
  return mo_vec3x4_scale(inverse, mul_transposed(&minors, push));
}

// Writes the inverse inertia in world axes as the last six of eight numbers, and the change of
// spin.
static void turn_four(four_bodies *four, float dt, mo_f32x4 changes[4], mo_f32x4 heads[4],
                      mo_f32x4 tails[4]) {
  mo_f32x4(*i)[4] = four->inertia;
  for (int k = 0; k < 3; k++) {
    mo_f32x4_transpose(&i[k][0], &i[k][1], &i[k][2], &i[k][3]);
  }
  matrix_lanes inertia = {
      {i[0][0], i[0][3], i[1][0]}, {i[0][3], i[0][1], i[1][1]}, {i[1][0], i[1][1], i[0][2]}};
  matrix_lanes inverse = {
      {i[1][2], i[2][1], i[2][2]}, {i[2][1], i[1][3], i[2][3]}, {i[2][2], i[2][3], i[2][0]}};
  matrix_lanes r = rotation_of(four->orientation);
  mo_vec3x4 w = mo_lanes_of_rows(rounded(four->spin[0]), rounded(four->spin[1]),
                                 rounded(four->spin[2]), rounded(four->spin[3]));
  mo_vec3x4 torque =
      mo_lanes_of_rows(four->torque[0], four->torque[1], four->torque[2], four->torque[3]);
  mo_vec3x4 change =
      mul(&r, spin_change(&inertia, mul_transposed(&r, w), mul_transposed(&r, torque), dt));
  changes[0] = change.x, changes[1] = change.y, changes[2] = change.z;
  changes[3] = mo_f32x4_zero();
  mo_f32x4_transpose(&changes[0], &changes[1], &changes[2], &changes[3]);

  // R I^-1 R^T
  mo_vec3x4 x = mul(&r, inverse.x), y = mul(&r, inverse.y), z = mul(&r, inverse.z);
  heads[0] = mo_f32x4_zero();
  heads[1] = x.x * r.x.x + y.x * r.y.x + z.x * r.z.x;
  heads[2] = x.y * r.x.y + y.y * r.y.y + z.y * r.z.y;
  heads[3] = x.z * r.x.z + y.z * r.y.z + z.z * r.z.z;
  tails[0] = x.x * r.x.y + y.x * r.y.y + z.x * r.z.y;
  tails[1] = x.x * r.x.z + y.x * r.y.z + z.x * r.z.z;
  tails[2] = x.y * r.x.z + y.y * r.y.z + z.y * r.z.z;
  tails[3] = mo_f32x4_zero();
  mo_f32x4_transpose(&heads[0], &heads[1], &heads[2], &heads[3]);
  mo_f32x4_transpose(&tails[0], &tails[1], &tails[2], &tails[3]);
}

// --- into the solver -------------------------------------------------------------------------

static void put_no_spin(four_bodies *four, int lane) {
  four->orientation[lane] = mo_f32x4_set(0.0f, 0.0f, 0.0f, 1.0f);
  four->spin[lane] = mo_f32x4_zero();
}

// Fills a lane that no body uses, or one that needs no tensors.
static void put_nothing(four_bodies *four, int lane) {
  // the inertia of a ball
  four->inertia[0][lane] = mo_f32x4_set(1.0f, 1.0f, 1.0f, 0.0f);
  four->inertia[1][lane] = four->inertia[2][lane] = mo_f32x4_zero();
  put_no_spin(four, lane);
  four->torque[lane] = mo_f32x4_zero();
}

// What the user moves may be faster than single precision can say. It goes its own way in double
// precision; to the bodies that it touches, this is as fast as any.
static mo_f32x4 bounded_speed(mo_f32x4 v) {
  const mo_f32x4 most = mo_f32x4_splat((float)MO_LARGEST_SINGLE);
  return mo_f32x4_max(-most, mo_f32x4_min(most, v));
}

static bool is_fast(const mo_soft_step *s, uint32_t slot) {
  double spin_squared = mo_length_squared(s->world->motions[slot].angular_velocity);
  bool is_joined = mo_world_is_in_joints(s->world, slot);
  return mo_square(s->dt) * spin_squared > mo_square(FAST_TURN) ||
         (is_joined && spin_squared > mo_square(FAST_SPIN));
}

// Whether the spin of a body without joints is turned in every substep.
static bool turns_alone(const mo_soft_step *s, uint32_t slot) {
  const mo_body *body = &s->world->bodies[slot];
  return !body->locks && mo_body_turns_its_spin(s, slot) &&
         ((s->soft->bounces && s->soft->bounces[slot]) || is_fast(s, slot));
}

static void put_body(four_bodies *four, int lane, const mo_soft_step *s, uint32_t slot,
                     const mo_wrench *wrench) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_motion *motion = &s->world->motions[slot];
  uint32_t index = s->soft->indices[slot];
  mo_step_copy_motion(&s->soft->start[index], motion);
  // -0 becomes +0 (body_lanes.h)
  mo_f32x4 spin = mo_row_of(motion->angular_velocity) + mo_f32x4_zero();
  mo_solver_body *state = &s->soft->step.bodies[index];
  mo_f32x4_store(state->linear_velocity, mo_row_of(motion->linear_velocity) + mo_f32x4_zero());
  mo_f32x4_store(state->angular_velocity, spin);
  if (body->type != MO_BODY_DYNAMIC) {
    put_nothing(four, lane);
    mo_f32x4_store(state->linear_velocity, bounded_speed(mo_f32x4_load(state->linear_velocity)));
    mo_f32x4_store(state->angular_velocity, bounded_speed(spin));
    return;
  }
  for (size_t k = 0; k < 3; k++) {
    four->inertia[k][lane] = mo_f32x4_load(&body->mass.single[4 * k]);
  }
  four->torque[lane] = mo_length_squared(wrench->torque) > 0.0
                           ? mo_row_of(mo_scale(mo_mass_single_scale(&body->mass), wrench->torque))
                           : mo_f32x4_zero();
  if (body->mass.is_isotropic) { // a ball needs neither orientation nor spin
    put_no_spin(four, lane);
    return;
  }
  mo_quat q = turns_alone(s, slot) ? mo_solver_middle_orientation(s, motion) : motion->orientation;
  four->orientation[lane] = mo_f32x4_nearest((mo_f64x2){q.x, q.y}, (mo_f64x2){q.z, q.w});
  four->spin[lane] = spin;
}

// The change of spin for spins that are too large for single precision.
static mo_f32x4 slow_change(const mo_soft_step *s, uint32_t slot, const mo_wrench *wrench) {
  const mo_motion *motion = &s->world->motions[slot];
  return mo_row_of(
      mo_sub(mo_integrate_rotation(&s->world->bodies[slot].mass, motion, wrench->torque, s->dt),
             motion->angular_velocity));
}

// The same for a body whose rotation is locked, with its inverse inertia as the last six of eight
// numbers.
MO_APART mo_f32x4 take_locked(const mo_soft_step *s, uint32_t slot, const mo_wrench *wrench,
                              mo_f32x4 *head, mo_f32x4 *tail) {
  const mo_motion *motion = &s->world->motions[slot];
  mo_mat3 i = mo_motion_world_tensor(motion, s->world->bodies[slot].mass.inverse_inertia);
  *head = mo_f32x4_set(0.0f, (float)i.cx.x, (float)i.cy.y, (float)i.cz.z);
  *tail = mo_f32x4_set((float)i.cy.x, (float)i.cz.x, (float)i.cz.y, 0.0f);
  return mo_row_of(mo_scale(s->dt, mo_mat3_mul(i, wrench->torque)));
}

static void take_body(const mo_soft_step *s, uint32_t slot, const mo_wrench *wrench,
                      mo_f32x4 change, mo_f32x4 head, mo_f32x4 tail) {
  const mo_body *body = &s->world->bodies[slot];
  const mo_motion *motion = &s->world->motions[slot];
  mo_solver_mass *mass = &s->soft->masses[s->soft->indices[slot]];
  if (body->type != MO_BODY_DYNAMIC) {
    *mass = (mo_solver_mass){0};
    return;
  }
  mo_f32x4 none = mo_f32x4_zero();
  bool turns = turns_alone(s, slot) || (is_fast(s, slot) && !body->mass.is_isotropic);
  if (turns) {
    mo_mat3 inverse = mo_motion_world_tensor(motion, body->mass.inverse_inertia);
    change = mo_row_of(mo_scale(s->dt, mo_mat3_mul(inverse, wrench->torque)));
  } else if (mo_i32x4_bits(change - change == none) != 15) {
    change = slow_change(s, slot, wrench);
  }
  if (body->locks) {
    change = take_locked(s, slot, wrench, &head, &tail);
    turns = false;
  }
  double share = 1.0 / s->substeps;
  mo_vec3 gain = mo_scale(share * s->dt * body->mass.inverse_mass, wrench->force);
  mo_f32x4_store(&mass->inverse_mass, head);
  mass->inverse_mass = (float)body->mass.inverse_mass;
  mo_f32x4_store(&mass->inverse_inertia[3], tail);
  mass->spin_rule = turns ? MO_SPIN_IN_FROZEN_AXES : MO_SPIN_BY_GAIN;
  mo_f32x4_store(mass->linear_gain, mo_row_of(gain));
  mo_f32x4_store(mass->angular_gain, change * mo_f32x4_splat((float)share));
}

static void enter_four(const mo_soft_step *s, const mo_wrench *wrenches, const uint32_t *slots,
                       uint32_t count) {
  four_bodies four;
  for (uint32_t lane = 0; lane < count; lane++) {
    put_body(&four, (int)lane, s, slots[lane], &wrenches[slots[lane]]);
  }
  for (uint32_t lane = count; lane < 4; lane++) {
    put_nothing(&four, (int)lane);
  }
  mo_f32x4 changes[4], heads[4], tails[4];
  turn_four(&four, (float)s->dt, changes, heads, tails);
  for (uint32_t lane = 0; lane < count; lane++) {
    take_body(s, slots[lane], &wrenches[slots[lane]], changes[lane], heads[lane], tails[lane]);
  }
}

// --- all -------------------------------------------------------------------------------------

static bool is_damped(const mo_body *body) {
  return body->linear_damping > 0.0 || body->angular_damping > 0.0;
}

// Gathers the bodies in the order of their slots, in which they lie in memory.
static void gather_range(void *context, uint32_t first, uint32_t last) {
  body_range *range = context;
  // A copy of its own, which no write to a body can alias.
  const mo_soft_step step = *range->step, *s = &step;
  const mo_world *world = s->world;
  uint32_t four[4], count = 0;
  bool has_pushed = false, has_carriers = false, has_damped = false;
  for (uint32_t i = first; i < last; i++) {
    uint32_t slot = world->awake[i];
    if (s->soft->indices[slot] > 0) {
      four[count++] = slot;
      if (world->bodies[slot].type == MO_BODY_DYNAMIC) {
        has_pushed = has_pushed || mo_body_is_pushed(s, slot);
        has_damped = has_damped || is_damped(&world->bodies[slot]);
      } else {
        has_carriers = has_carriers || mo_carrier_accelerates(world, slot);
      }
    } else if (!mo_step_is_in_rows(s->choice, slot)) {
      s->soft->free[i] = mo_free_body_velocity(s, slot);
    }
    if (count == 4 || (count > 0 && i + 1 == last)) {
      enter_four(s, s->soft->wrenches, four, count);
      count = 0;
    }
  }
  if (has_carriers) {
    atomic_store_explicit(&range->has_carriers, true, memory_order_relaxed);
  }
  if (has_damped) {
    atomic_store_explicit(&range->has_damped, true, memory_order_relaxed);
  }
  if (has_pushed) {
    atomic_store_explicit(&range->has_pushed, true, memory_order_relaxed);
  }
}

static bool note_bouncing(mo_soft_stage *soft, mo_arena *arena, uint32_t slot_count,
                          const mo_pair *pair) {
  if (!soft->bounces) {
    soft->bounces = MO_ARENA_TAKE(arena, bool, slot_count);
  }
  if (soft->bounces) {
    soft->bounces[pair->slot_a] = soft->bounces[pair->slot_b] = true;
  }
  return soft->bounces != NULL;
}

// Finds the bodies with contacts that have restitution. Returns false without memory.
static bool find_bouncing(const mo_soft_step *s) {
  mo_world *world = s->world;
  s->soft->bounces = NULL;
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      const mo_substep_contact *contact = &colour->contacts[i];
      if (contact->restitution > 0.0f &&
          !note_bouncing(s->soft, &world->step_arena, world->ids.slot_count, &contact->pair)) {
        return false;
      }
    }
  }
  return true;
}

// Takes up the fast spins of bodies in joints (substep_spin.h). Returns false without memory.
static bool find_fast_spins(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  for (uint32_t i = 1; world->constraint_ids.alive_count > 0 && i < step->body_count; i++) {
    uint32_t slot = s->soft->slots[i];
    if (s->soft->masses[i].spin_rule == MO_SPIN_BY_GAIN || !mo_world_is_in_joints(world, slot)) {
      continue;
    }
    if (!step->spins) {
      step->spins = MO_ARENA_TAKE_RAW(&world->step_arena, mo_substep_spin, step->body_count);
    }
    if (!step->spins) {
      return false;
    }
    step->spins[i] = mo_substep_spin_at(&world->bodies[slot].mass, &world->motions[slot]);
    s->soft->masses[i].spin_rule = MO_SPIN_BY_MOMENTUM;
  }
  return true;
}

static void scale(double by, float *numbers, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] *= (float)by;
  }
}

// Makes the damping of a body a part of what forces and impulses do to it in a substep
// (mo_solver_loss).
static mo_solver_loss take_damping(const mo_body *body, double h, mo_solver_mass *mass) {
  mo_decay linear = mo_decay_of(body->linear_damping, h, 1);
  mo_decay angular = mo_decay_of(body->angular_damping, h, 1);
  scale(linear.mean, &mass->inverse_mass, 1);
  scale(linear.mean, mass->linear_gain, 3);
  scale(angular.mean, mass->inverse_inertia, 6);
  scale(angular.mean, mass->angular_gain, 3);
  return (mo_solver_loss){(float)(1.0 - linear.kept), (float)(1.0 - angular.kept)};
}

// Returns false without memory.
static bool find_damped(mo_soft_step *s, bool has_damped) {
  const mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  if (!has_damped) {
    return true;
  }
  mo_solver_loss *losses = MO_ARENA_TAKE(&s->world->step_arena, mo_solver_loss, step->body_count);
  for (uint32_t i = 1; losses && i < step->body_count; i++) {
    const mo_body *body = &world->bodies[s->soft->slots[i]];
    if (body->type == MO_BODY_DYNAMIC && is_damped(body)) {
      losses[i] = take_damping(body, s->dt / s->substeps, &s->soft->masses[i]);
    }
  }
  step->losses = losses;
  return losses;
}

// Has the change of a kinematic body's velocities made in equal parts by the substeps.
static void spread_change(const mo_soft_step *s, uint32_t index) {
  uint32_t slot = s->soft->slots[index];
  mo_velocity gain = mo_carrier_gain(s->world, slot, s->dt, s->substeps);
  mo_solver_body *body = &s->soft->step.bodies[index];
  mo_solver_mass *mass = &s->soft->masses[index];
  mo_f32x4 linear = mo_row_of(gain.linear), angular = mo_row_of(gain.angular);
  mo_f32x4 before = mo_f32x4_splat(0.5f * (float)(s->substeps + 1)); // gains up to the mean
  mo_f32x4_store(body->linear_velocity, mo_f32x4_load(body->linear_velocity) - before * linear);
  mo_f32x4_store(body->angular_velocity, mo_f32x4_load(body->angular_velocity) - before * angular);
  mo_f32x4_store(mass->linear_gain, linear);
  mo_f32x4_store(mass->angular_gain, angular);
}

// Marks the bodies of islands that are carried. Returns false without memory.
static bool mark_carried(mo_soft_step *s) {
  const mo_world *world = s->world;
  mo_substep_solver *step = &s->soft->step;
  bool *carried = MO_ARENA_TAKE(&s->world->step_arena, bool, step->body_count);
  for (uint32_t i = 1; carried && i < step->body_count; i++) {
    uint32_t slot = s->soft->slots[i];
    carried[i] = mo_world_is_dynamic(world, slot) &&
                 s->soft->carriers.of_islands[world->islands.names[slot]];
  }
  step->carried = carried;
  return carried != NULL;
}

// Kinematic bodies that accelerate do so over the substeps, as what they carry does; and what they
// carry is noted. Returns false without memory.
static bool find_carriers(mo_soft_step *s, bool has_carriers) {
  mo_world *world = s->world;
  for (uint32_t i = 1; has_carriers && i < s->soft->step.body_count; i++) {
    uint32_t slot = s->soft->slots[i];
    if (world->bodies[slot].type == MO_BODY_KINEMATIC && mo_carrier_accelerates(world, slot)) {
      spread_change(s, i);
    }
  }
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c;
       has_carriers && (c = mo_pair_store_next(&world->pairs, &walk));) {
    if (!mo_carriers_note(&s->soft->carriers, world, c->pair.slot_a, c->pair.slot_b)) {
      return false;
    }
  }
  return !s->soft->carriers.of_islands || mark_carried(s);
}

static mo_result find_forces(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_wrench *wrenches = MO_ARENA_TAKE_RAW(&world->step_arena, mo_wrench, world->ids.slot_count);
  s->soft->wrenches = wrenches;
  if (!wrenches) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  mo_result result = mo_world_evaluate_forces(world, world->motions, world->time, wrenches);
  const mo_wrench *pushes = s->soft->pushes;
  for (uint32_t slot = 0; result == MO_OK && pushes && slot < world->ids.slot_count; slot++) {
    wrenches[slot].force = mo_add(wrenches[slot].force, pushes[slot].force);
    wrenches[slot].torque = mo_add(wrenches[slot].torque, pushes[slot].torque);
  }
  return result;
}

mo_result mo_solver_bodies_gather(mo_soft_step *s) {
  mo_world *world = s->world;
  mo_soft_stage *soft = s->soft;
  mo_arena *arena = &world->spare_problem_arena;
  uint32_t slots = world->ids.slot_count, most = world->awake_count + 1;
  mo_result result = find_forces(s);
  if (result != MO_OK) {
    return result;
  }
  soft->indices = MO_ARENA_TAKE(arena, uint32_t, slots);
  soft->slots = MO_ARENA_TAKE_RAW(arena, uint32_t, most);
  soft->start = MO_ARENA_TAKE_RAW(arena, mo_motion, most);
  soft->masses = MO_ARENA_TAKE_RAW(arena, mo_solver_mass, most);
  soft->free = MO_ARENA_TAKE_RAW(&world->step_arena, mo_velocity, most);
  soft->step.bodies = MO_ARENA_TAKE_RAW(&world->step_arena, mo_solver_body, most);
  if (!soft->indices || !soft->slots || !soft->start || !soft->masses || !soft->free ||
      !soft->step.bodies) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  soft->step.bodies[0] = (mo_solver_body){0};
  soft->masses[0] = (mo_solver_mass){0};
  if (!find_bouncing(s) || !mo_solver_bodies_number(s) || !mo_solver_bodies_note_joints(s)) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  body_range range = {.step = s};
  mo_parallel_for(world->awake_count, MO_BODIES_AT_ONCE, gather_range, &range);
  soft->has_pushed = range.has_pushed;
  bool is_complete = find_fast_spins(s) && find_carriers(s, range.has_carriers) &&
                     find_damped(s, range.has_damped);
  return is_complete ? MO_OK : MO_ERROR_OUT_OF_MEMORY;
}
