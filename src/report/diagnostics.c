/// Read-outs: energy, momentum, certificate, statistics, contact points.
#include "constraints/drives.h"
#include "dynamics/potential.h"
#include "report/contact_list.h"
#include "report/islands.h"
#include "step/certificate.h"
#include "world/checks.h"

// J, kg m/s, kg m^2/s: the most that a body or a potential adds to a sum, so that sums over bodies
// with extreme but accepted numbers are finite.
#define MOST_OF_ONE 1e300

static double saturated(double x) { return mo_clamp(x, -MOST_OF_ONE, MOST_OF_ONE); }

static mo_vec3 saturated_vec3(mo_vec3 v) {
  return mo_v3(saturated(v.x), saturated(v.y), saturated(v.z));
}

// -mass g x of one axis. A zero factor gives zero, even if another overflows.
static double lift_energy(double mass, double gravity, double height) {
  bool is_zero = gravity == 0.0 || height == 0.0;
  return is_zero ? 0.0 : saturated(-mass * saturated(gravity * height));
}

static double gravity_energy(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  mo_vec3 at = world->motions[slot].center_of_mass;
  mo_vec3 gravity = mo_scale(body->gravity_scale, world->settings.gravity);
  double mass = body->mass.mass, energy = mo_gravity_energy(gravity, mass, at);
  return mo_is_finite(energy)
             ? saturated(energy)
             : saturated(lift_energy(mass, gravity.x, at.x) + lift_energy(mass, gravity.y, at.y) +
                         lift_energy(mass, gravity.z, at.z));
}

// Of the springs of a joint.
static double spring_energy(const mo_world *world, uint32_t slot) {
  const mo_constraint *constraint = &world->constraints[slot];
  mo_constraint_place at =
      mo_world_constraint_place(world, world->motions, world->time, constraint);
  return mo_drives_energy(constraint, &at);
}

mo_result mo_body_get_energy(const mo_world *world, mo_body_id id, mo_body_energy *out) {
  MO_RETURN_IF_REFUSED(mo_find_body(world, id));
  uint32_t slot = mo_body_id_slot(id);
  *out = (mo_body_energy){0};
  if (world->bodies[slot].type != MO_BODY_DYNAMIC) {
    return MO_OK;
  }
  const mo_mass *mass = &world->bodies[slot].mass;
  const mo_motion *motion = &world->motions[slot];
  out->translational = saturated(mo_body_translational_energy(mass, motion));
  out->rotational = saturated(mo_body_rotational_energy(mass, motion));
  out->kinetic = out->translational + out->rotational;
  out->potential = gravity_energy(world, slot);
  out->total = out->kinetic + out->potential;
  return MO_OK;
}

mo_result mo_constraint_get_energy(const mo_world *world, mo_constraint_id id, double *energy) {
  MO_RETURN_IF_REFUSED(mo_find_constraint(world, id));
  *energy = saturated(spring_energy(world, mo_constraint_id_slot(id)));
  return MO_OK;
}

mo_energy mo_world_energy(mo_world *world) {
  mo_energy energy = {0};
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    const mo_body *body = &world->bodies[slot];
    if (!world->ids.alive[slot] || body->type != MO_BODY_DYNAMIC) {
      continue;
    }
    energy.kinetic += saturated(mo_body_kinetic_energy(&body->mass, &world->motions[slot]));
    energy.potential += gravity_energy(world, slot);
  }
  for (uint32_t slot = 0; slot < world->potential_ids.slot_count; slot++) {
    double one = 0.0;
    if (world->potential_ids.alive[slot] && !mo_world_potential_energy(world, slot, &one)) {
      one = (double)NAN; // an unknown energy must not read as none
    }
    energy.potential += one != one ? one : saturated(one);
  }
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    energy.potential +=
        world->constraint_ids.alive[slot] ? saturated(spring_energy(world, slot)) : 0.0;
  }
  energy.total = energy.kinetic + energy.potential;
  return energy;
}

// About the world's origin. The sizes are multiplied last, because their product may overflow.
static mo_vec3 orbital_momentum(double mass, const mo_motion *motion) {
  mo_vec3 at = motion->center_of_mass, v = motion->linear_velocity;
  mo_vec3 momentum = mo_cross(at, mo_scale(mass, v));
  if (mo_v3_is_finite(momentum)) {
    return saturated_vec3(momentum);
  }
  double far = mo_v3_size(at), fast = mo_v3_size(v);
  mo_vec3 turn = mo_cross(mo_scale(1.0 / far, at), mo_scale(1.0 / fast, v));
  return saturated_vec3(mo_scale(mass, mo_scale(fast, mo_scale(far, turn))));
}

mo_momentum mo_world_momentum(const mo_world *world) {
  mo_momentum sum = {0};
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    const mo_body *body = &world->bodies[slot];
    if (!world->ids.alive[slot] || body->type != MO_BODY_DYNAMIC) {
      continue;
    }
    const mo_motion *motion = &world->motions[slot];
    mo_vec3 linear = mo_scale(body->mass.mass, motion->linear_velocity);
    sum.linear = mo_add(sum.linear, saturated_vec3(linear));
    sum.angular = mo_add(sum.angular, orbital_momentum(body->mass.mass, motion));
    sum.angular =
        mo_add(sum.angular, saturated_vec3(mo_body_angular_momentum(&body->mass, motion)));
  }
  return sum;
}

mo_residual mo_world_residual(mo_world *world) { return mo_step_certificate(world); }

mo_stats mo_world_stats(mo_world *world) {
  mo_stats stats = world->last_step.stats;
  mo_contact_totals contacts = mo_contact_list_totals(world);
  stats.islands = mo_world_island_count(world);
  mo_islands_count_statuses(world, &stats);
  stats.bodies = world->ids.alive_count;
  stats.awake = world->awake_count;
  stats.contacts = contacts.contacts;
  stats.contact_points = contacts.points;
  stats.max_penetration = contacts.deepest;
  return stats;
}

static void count_contact_events(const mo_world *world, mo_event_counts *counts) {
  for (uint32_t i = 0; i < world->contact_events_count; i++) {
    uint32_t types = world->contact_events[i].types;
    counts->contact_begin += (types & MO_CONTACT_EVENT_BEGIN) != 0;
    counts->contact_end += (types & MO_CONTACT_EVENT_END) != 0;
    counts->contact_hit += (types & MO_CONTACT_EVENT_HIT) != 0;
    counts->contact_force += (types & MO_CONTACT_EVENT_FORCE) != 0;
  }
}

mo_event_counts mo_world_event_counts(const mo_world *world) {
  mo_event_counts counts = {0};
  count_contact_events(world, &counts);
  for (uint32_t i = 0; i < world->sensor_events_count; i++) {
    counts.sensor_enter += world->sensor_events[i].is_inside;
    counts.sensor_exit += !world->sensor_events[i].is_inside;
  }
  uint32_t sleep_count;
  const mo_sleep_event *sleep_events = mo_world_sleep_events(world, &sleep_count);
  for (uint32_t i = 0; i < sleep_count; i++) {
    counts.awake += sleep_events[i].is_awake;
    counts.asleep += !sleep_events[i].is_awake;
  }
  mo_world_broken_constraints(world, &counts.joint_break);
  return counts;
}

// --- contact points --------------------------------------------------------------------------

// Contacts of destroyed bodies stay in the store until the next step.
static uint32_t substep_point_count(const mo_world *world, const mo_substep_contact *contact) {
  bool is_alive = world->ids.alive[contact->pair.slot_a] && world->ids.alive[contact->pair.slot_b];
  return is_alive ? contact->point_count : 0;
}

uint32_t mo_world_contact_point_count(const mo_world *world) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    count += world->contacts[i].point_count;
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    const mo_substep_colour *colour = &world->pairs.colours[c];
    for (uint32_t i = 0; i < colour->contacts_count; i++) {
      count += substep_point_count(world, &colour->contacts[i]);
    }
  }
  for (uint32_t i = 0; i < world->pairs.asleep_contacts_count; i++) {
    count += substep_point_count(world, &world->pairs.asleep_contacts[i]);
  }
  return count;
}

uint32_t mo_world_contact_points(mo_world *world, mo_contact_point *out, uint32_t capacity) {
  mo_contact_list contacts;
  uint32_t count = 0;
  if (!mo_contact_list_make(world, &contacts)) {
    mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_contact_points",
                         "no memory for contacts");
    return 0;
  }
  for (uint32_t i = 0; i < contacts.count; i++) {
    const mo_contact *contact = &contacts.items[i];
    for (uint32_t k = 0; k < contact->point_count; k++, count++) {
      if (count < capacity) {
        const mo_contact_point_state *point = &contact->points[k];
        out[count] = (mo_contact_point){.body_a = mo_world_body_in_slot(world, contact->slot_a),
                                        .body_b = mo_world_body_in_slot(world, contact->slot_b),
                                        .position = point->position,
                                        .normal = contact->normal,
                                        .separation = point->separation,
                                        .normal_impulse = point->normal_impulse,
                                        .tangent_impulse = point->tangent_impulse};
      }
    }
  }
  return count;
}
