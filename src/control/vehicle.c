/// Vehicles on wheels that are rays.
#include "control/vehicle_check.h"
#include "control/wheel_rows.h"
#include "dynamics/rotation.h"
#include "math/trig.h"
#include "report/nearby.h"
#include "world/checks.h"

// Stands for the slot of what is no body.
#define NO_SLOT UINT32_MAX
// Part of an overlap of the strut's stop that a step removes: what error_reduction is for contacts.
#define STOP_REDUCTION 0.2

mo_wheel mo_wheel_default(void) {
  return (mo_wheel){.direction = {0.0, -1.0, 0.0},
                    .axle = {0.0, 0.0, -1.0},
                    .radius = 0.35,
                    .rest_length = 0.3,
                    .travel = 0.2,
                    .stiffness = 30000.0,
                    .compression = 2000.0,
                    .relaxation = 3000.0,
                    .max_force = INFINITY,
                    .friction = 1.0,
                    .side_friction = 1.0};
}

// --- bodies ----------------------------------------------------------------------------------

// Directions of a wheel, unit, world.
typedef struct wheel_frame {
  mo_vec3 strut;
  mo_vec3 ray; // the strut as rays are to have it
  mo_vec3 axle;
} wheel_frame;

typedef struct update {
  mo_world *world;
  const mo_vehicle *vehicle;
  double dt;
  mo_nearby nearby;             // what the wheels can meet
  mo_ray ray;                   // of the wheel that is looked at
  wheel_frame *frames;          // of all wheels
  const mo_wheel_state *before; // of the end of the last update
  mo_wheel_state *states;       // of the end of this one
  mo_wheel_contact *contacts;   // of the wheels on the ground
  uint32_t contact_count;
  mo_wheel_body *bodies; // the chassis, and what the wheels stand on
  uint32_t body_count;
  mo_wheel_pivot *pivots; // room for the solution
  mo_vec3 force, torque;  // on the chassis
} update;

static mo_wheel_body body_at(const mo_world *world, uint32_t slot) {
  const mo_motion *motion = &world->motions[slot];
  mo_wheel_body out = {.slot = slot,
                       .center_of_mass = motion->center_of_mass,
                       .velocity =
                           mo_wheel_twist_of(motion->linear_velocity, motion->angular_velocity)};
  if (mo_world_is_dynamic(world, slot)) {
    const mo_mass *mass = &world->bodies[slot].mass;
    out.inverse_mass = mass->inverse_mass;
    out.inverse_inertia = mo_motion_world_tensor(motion, mass->inverse_inertia);
  }
  mo_wheel_body_prepare(&out);
  return out;
}

// A body as it would move at the end of the step if nothing but gravity and the forces applied so
// far moved it.
static mo_wheel_body forecast(const update *u, uint32_t slot) {
  mo_wheel_body out = body_at(u->world, slot);
  const mo_body *body = &u->world->bodies[slot];
  out.before = out.velocity;
  if (out.moves) {
    mo_vec3 linear = mo_scale(body->gravity_scale, u->world->settings.gravity);
    linear = mo_add_scaled(linear, out.inverse_mass, body->force);
    mo_wheel_twist gain = mo_wheel_twist_of(linear, mo_mat3_mul(out.inverse_inertia, body->torque));
    mo_wheel_twist_add(&out.velocity, u->dt, &gain);
  }
  return out;
}

// What carried the ground in the last step, be it contacts or joints, shows in how it moves now
// against what the last update expected without it. Of new ground nothing is known: it is taken to
// be carried as it is.
static void carry_ground(const update *u, mo_body_id id, mo_wheel_body *ground) {
  mo_wheel_twist without = ground->velocity;
  for (uint32_t i = 0; i < u->vehicle->wheel_count; i++) {
    const mo_wheel_state *known = &u->before[i];
    if (mo_body_id_equals(known->ground, id)) {
      without = mo_wheel_twist_of(known->forecast_linear, known->forecast_angular);
    }
  }
  const mo_mass *mass = &u->world->bodies[ground->slot].mass;
  mo_mat3 inertia = mo_motion_world_tensor(&u->world->motions[ground->slot], mass->inertia);
  mo_wheel_body_carry(ground, &without, mass->mass, &inertia);
}

static mo_wheel_body *ground_of(update *u, mo_body_id id) {
  uint32_t slot = mo_body_id_slot(id);
  for (uint32_t i = 1; i < u->body_count; i++) {
    if (u->bodies[i].slot == slot) {
      return &u->bodies[i];
    }
  }
  mo_wheel_body *ground = &u->bodies[u->body_count++];
  *ground = forecast(u, slot);
  if (ground->moves) {
    carry_ground(u, id, ground);
  }
  return ground;
}

// --- wheels ----------------------------------------------------------------------------------

static mo_vec3 turned(const update *u, mo_vec3 direction) {
  const mo_motion *motion = &u->world->motions[mo_body_id_slot(u->vehicle->chassis)];
  return mo_quat_rotate(motion->orientation, mo_normalize(direction));
}

static void set_frame(update *u, uint32_t index) {
  const mo_wheel *wheel = &u->vehicle->wheels[index];
  wheel_frame *frame = &u->frames[index];
  if (mo_wheel_is_like_before(u->vehicle, wheel)) {
    *frame = frame[-1];
    return;
  }
  frame->strut = turned(u, wheel->direction);
  frame->ray = mo_normalize(frame->strut);
  frame->axle = turned(u, wheel->axle);
}

static mo_vec3 steered(mo_vec3 axle, mo_vec3 up, double angle) {
  mo_sin_cos turn = angle == 0.0 ? (mo_sin_cos){.sin = angle, .cos = 1.0} : mo_sine_cosine(angle);
  mo_vec3 along = mo_scale((1.0 - turn.cos) * mo_dot(up, axle), up);
  return mo_add(along, mo_add_scaled(mo_scale(turn.cos, axle), turn.sin, mo_cross(up, axle)));
}

// m: how far the ray of a wheel goes.
static double reach_of(const mo_wheel *wheel) { return wheel->rest_length + wheel->radius; }

// Searches once for what all wheels can meet.
static void look_around(update *u) {
  double reach = 0.0;
  for (uint32_t i = 0; i < u->vehicle->wheel_count; i++) {
    const mo_wheel *wheel = &u->vehicle->wheels[i];
    reach = mo_max(reach, mo_length(wheel->position) + reach_of(wheel));
  }
  mo_vec3 position = u->world->motions[mo_body_id_slot(u->vehicle->chassis)].position;
  mo_aabb region = mo_aabb_from_bounds(mo_bounds_expand((mo_bounds){position, position}, reach));
  mo_nearby_find(&u->nearby, u->world, &u->vehicle->filter, &region);
}

static mo_result cast(update *u, uint32_t index, mo_query_hit *hit) {
  const mo_wheel *wheel = &u->vehicle->wheels[index];
  const mo_motion *motion = &u->world->motions[mo_body_id_slot(u->vehicle->chassis)];
  mo_ray *ray = &u->ray;
  ray->origin = mo_add(motion->position, mo_quat_rotate(motion->orientation, wheel->position));
  ray->direction = u->frames[index].ray;
  ray->max_distance = reach_of(wheel);
  if (!mo_v3_is_finite(ray->origin) || !mo_is_finite(ray->max_distance)) {
    return mo_world_cast_ray(u->world, ray, hit); // which refuses what it cannot do
  }
  mo_nearby_cast_ray(&u->nearby, u->world, ray, wheel->radius, hit);
  return MO_OK;
}

// Finds the ground below a wheel.
static mo_result find_ground(update *u, uint32_t index) {
  const mo_wheel *wheel = &u->vehicle->wheels[index];
  mo_wheel_state *state = &u->states[index];
  mo_query_hit hit;
  set_frame(u, index);
  MO_RETURN_IF_REFUSED(cast(u, index, &hit));
  *state = (mo_wheel_state){.rotation = u->before[index].rotation,
                            .spin = u->before[index].spin,
                            .suspension_length = wheel->rest_length};
  bool carries = mo_dot(hit.normal, u->frames[index].strut) < -MO_WHEEL_LEAST_COSINE;
  if (!mo_body_id_is_null(hit.body) && carries) {
    state->is_in_contact = true;
    state->ground = hit.body;
    state->contact_point = hit.position;
    state->contact_normal = hit.normal;
    state->suspension_length = mo_max(0.0, hit.distance - wheel->radius);
  }
  return MO_OK;
}

static double compression_of(const update *u, uint32_t wheel) {
  return u->vehicle->wheels[wheel].rest_length - u->states[wheel].suspension_length;
}

// Spring, damper, anti-roll bar and stop of the strut, as they act along the normal. `cosine` is of
// its angle to the strut, which turns lengths and forces along the one into those along the other.
static void set_suspension(const update *u, mo_wheel_contact *contact, double cosine) {
  const mo_wheel *wheel = &u->vehicle->wheels[contact->wheel];
  double x = compression_of(u, contact->wheel);
  double roll = x - compression_of(u, wheel->anti_roll_wheel);
  bool gets_shorter = mo_wheel_row_velocity(contact, &contact->normal) < 0.0;
  double damping = gets_shorter ? wheel->compression : wheel->relaxation;
  double stiffness = wheel->stiffness + wheel->anti_roll;
  mo_wheel_row *row = &contact->normal;
  row->push = u->dt * (wheel->stiffness * x + wheel->anti_roll * roll) / cosine;
  row->give = u->dt * (stiffness * u->dt + damping) / (cosine * cosine);
  row->share = 1.0 / (1.0 + row->give * row->inverse_mass);
  contact->max_push = u->dt * wheel->max_force / cosine;
  double room = mo_min(wheel->travel, wheel->rest_length) - x;
  contact->stop_velocity = -cosine * (room > 0.0 ? room : STOP_REDUCTION * room) / u->dt;
}

static void set_friction(const update *u, mo_wheel_contact *contact) {
  const mo_wheel *wheel = &u->vehicle->wheels[contact->wheel];
  contact->engine = u->dt * wheel->engine_force;
  contact->brake = u->dt * wheel->brake;
  contact->friction = wheel->friction;
  contact->side_friction = wheel->side_friction;
  contact->inverse_friction = 1.0 / wheel->friction;
  contact->inverse_side_friction = 1.0 / wheel->side_friction;
}

// The ground is never far from square to the strut, nor the axle from square to that, so none of
// the directions vanishes.
static void add_contact(update *u, uint32_t index) {
  const mo_wheel *wheel = &u->vehicle->wheels[index];
  const mo_wheel_state *state = &u->states[index];
  mo_vec3 up = mo_neg(u->frames[index].strut), normal = state->contact_normal;
  mo_vec3 axle = steered(u->frames[index].axle, up, wheel->steering);
  mo_wheel_body *ground = ground_of(u, state->ground);
  mo_wheel_contact *contact = &u->contacts[u->contact_count++];
  contact->wheel = index; // all is written by name: there is much of it that is not needed
  contact->chassis = &u->bodies[0];
  contact->ground = ground;
  contact->chassis_arm = mo_sub(state->contact_point, u->bodies[0].center_of_mass);
  contact->ground_arm = mo_sub(state->contact_point, ground->center_of_mass);
  contact->normal.direction = normal;
  contact->forward.direction = mo_normalize(mo_cross(axle, normal));
  contact->side.direction = mo_cross(normal, contact->forward.direction);
  mo_wheel_contact_prepare(contact);
  set_suspension(u, contact, mo_dot(up, normal));
  set_friction(u, contact);
}

// --- results ---------------------------------------------------------------------------------

// A wheel that a brake holds does not turn; in the air it turns on until it is braked.
static double spin_of(const update *u, const mo_wheel_contact *contact) {
  double rolling = mo_wheel_row_velocity(contact, &contact->forward);
  bool is_held = contact->is_sliding && contact->brake > fabs(contact->engine);
  return is_held ? 0.0 : rolling / u->vehicle->wheels[contact->wheel].radius;
}

static void set_state(update *u, const mo_wheel_contact *contact) {
  mo_wheel_state *state = &u->states[contact->wheel];
  state->is_sliding = contact->is_sliding;
  state->suspension_force = contact->normal.impulse / u->dt;
  state->forward_impulse = contact->forward.impulse;
  state->side_impulse = contact->side.impulse;
  state->spin = spin_of(u, contact);
  mo_wheel_twist without = contact->ground->velocity;
  mo_wheel_twist_add(&without, -contact->ground->carried, &contact->ground->carrying);
  state->forecast_linear = mo_wheel_twist_linear(&without);
  state->forecast_angular = mo_wheel_twist_angular(&without);
}

static void turn_wheels(update *u) {
  for (uint32_t i = 0; i < u->vehicle->wheel_count; i++) {
    mo_wheel_state *state = &u->states[i];
    if (!state->is_in_contact && u->vehicle->wheels[i].brake > 0.0) {
      state->spin = 0.0;
    }
    state->rotation += u->dt * state->spin;
  }
}

static mo_vec3 force_of(const update *u, const mo_wheel_contact *contact) {
  mo_vec3 impulse = mo_scale(contact->normal.impulse, contact->normal.direction);
  impulse = mo_add_scaled(impulse, contact->forward.impulse, contact->forward.direction);
  impulse = mo_add_scaled(impulse, contact->side.impulse, contact->side.direction);
  return mo_scale(1.0 / u->dt, impulse);
}

static void sum_forces(update *u) {
  for (uint32_t i = 0; i < u->contact_count; i++) {
    mo_wheel_contact *contact = &u->contacts[i];
    contact->force = force_of(u, contact);
    u->force = mo_add(u->force, contact->force);
    u->torque = mo_add(u->torque, mo_cross(contact->chassis_arm, contact->force));
  }
}

static mo_result apply_forces(update *u) {
  mo_body_id chassis = u->vehicle->chassis;
  if (u->contact_count == 0) {
    return MO_OK; // which wakes nothing
  }
  MO_RETURN_IF_REFUSED(mo_body_apply_force(u->world, chassis, u->force, NULL));
  MO_RETURN_IF_REFUSED(mo_body_apply_torque(u->world, chassis, u->torque));
  for (uint32_t i = 0; i < u->contact_count; i++) {
    const mo_wheel_contact *contact = &u->contacts[i];
    const mo_wheel_state *state = &u->states[contact->wheel];
    if (mo_world_is_dynamic(u->world, contact->ground->slot)) {
      MO_RETURN_IF_REFUSED(mo_body_apply_force(u->world, state->ground, mo_neg(contact->force),
                                               &state->contact_point));
    }
    set_state(u, contact);
  }
  return MO_OK;
}

// --- all -------------------------------------------------------------------------------------

static mo_result solve(update *u) {
  u->bodies[u->body_count++] = forecast(u, mo_body_id_slot(u->vehicle->chassis));
  look_around(u);
  for (uint32_t i = 0; i < u->vehicle->wheel_count; i++) {
    MO_RETURN_IF_REFUSED(find_ground(u, i));
  }
  for (uint32_t i = 0; i < u->vehicle->wheel_count; i++) {
    if (u->states[i].is_in_contact) {
      add_contact(u, i);
    }
  }
  mo_wheel_system_solve(&(mo_wheel_system){u->contacts, u->contact_count, u->bodies, u->body_count,
                                           u->pivots, mo_world_metre(u->world)});
  sum_forces(u);
  if (!mo_v3_is_finite(u->force) || !mo_v3_is_finite(u->torque)) {
    return mo_world_refuse_text(u->world, MO_ERROR_NOT_FINITE, MO_VEHICLE_UPDATE,
                                "the forces of the wheels overflow");
  }
  return MO_OK;
}

mo_result mo_vehicle_update(mo_world *world, const mo_vehicle *vehicle, double dt,
                            mo_wheel_state *states) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, MO_VEHICLE_UPDATE));
  MO_RETURN_IF_REFUSED(mo_vehicle_check(world, vehicle, dt));
  if (!world->bodies[mo_body_id_slot(vehicle->chassis)].is_enabled) {
    return MO_OK; // the wheels stay as they are
  }
  uint32_t count = vehicle->wheel_count;
  mo_arena *arena = &world->vehicle_arena;
  mo_arena_reset(arena);
  update u = {.world = world,
              .vehicle = vehicle,
              .dt = dt,
              .before = states,
              .ray.filter = vehicle->filter,
              .frames = MO_ARENA_TAKE_RAW(arena, wheel_frame, count),
              .states = MO_ARENA_TAKE_RAW(arena, mo_wheel_state, count),
              .contacts = MO_ARENA_TAKE_RAW(arena, mo_wheel_contact, count),
              .bodies = MO_ARENA_TAKE_RAW(arena, mo_wheel_body, (size_t)count + 1),
              .pivots = MO_ARENA_TAKE_RAW(arena, mo_wheel_pivot, 3 * (size_t)count)};
  if (!u.frames || !u.states || !u.contacts || !u.bodies || !u.pivots) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, MO_VEHICLE_UPDATE,
                                "no memory for the wheels");
  }
  u.ray.filter.exclude = vehicle->chassis;
  MO_RETURN_IF_REFUSED(solve(&u));
  MO_RETURN_IF_REFUSED(apply_forces(&u));
  turn_wheels(&u);
  memcpy(states, u.states, count * sizeof *states);
  return MO_OK;
}
