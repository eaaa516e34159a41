/// Read-outs: energy, momentum, certificate, contact points, state hash.
#include "dynamics/potential.h"
#include "report/contact_list.h"
#include "step/certificate.h"

#include <float.h>
#include <string.h>

// J, kg m/s, kg m^2/s: what a body or a potential counts for at the most, so that the sums over
// bodies with extreme but accepted numbers are numbers.
#define MOST_OF_ONE 1e300

static double saturated(double x) { return mo_clamp(x, -MOST_OF_ONE, MOST_OF_ONE); }

static mo_vec3 saturated_vec3(mo_vec3 v) {
  return mo_v3(saturated(v.x), saturated(v.y), saturated(v.z));
}

// -mass g x of one axis. What is zero stays so, also beside what overflows.
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
  energy.total = energy.kinetic + energy.potential;
  return energy;
}

// A size that two vectors can be divided by so that their product does not overflow.
static double size_of(mo_vec3 v) { return mo_max(mo_v3_max_component(mo_v3_abs(v)), DBL_MIN); }

// About the world's origin. The sizes are multiplied with last where their product overflows.
static mo_vec3 orbital_momentum(double mass, const mo_motion *motion) {
  mo_vec3 at = motion->center_of_mass, v = motion->linear_velocity;
  mo_vec3 momentum = mo_cross(at, mo_scale(mass, v));
  if (mo_v3_is_finite(momentum)) {
    return saturated_vec3(momentum);
  }
  double far = size_of(at), fast = size_of(v);
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
  mo_contact_list contacts = {0};
  stats.islands = mo_world_island_count(world);
  stats.bodies = world->ids.alive_count;
  stats.awake = world->awake_count;
  if (!mo_contact_list_make(world, &contacts)) {
    mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, "mo_world_stats", "no memory for contacts");
  }
  stats.contacts = contacts.count;
  for (uint32_t i = 0; i < contacts.count; i++) {
    stats.contact_points += contacts.items[i].point_count;
    for (uint32_t k = 0; k < contacts.items[i].point_count; k++) {
      stats.max_penetration =
          mo_max(stats.max_penetration, -contacts.items[i].points[k].separation);
    }
  }
  return stats;
}

// --- contact points --------------------------------------------------------------------------

// Contacts of bodies that went stay in the store until the next step.
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

// --- hash ------------------------------------------------------------------------------------

#define FNV_OFFSET 0xcbf29ce484222325ull
#define FNV_PRIME 0x100000001b3ull

static void hash_word(uint64_t *hash, uint64_t word) {
  for (int i = 0; i < 8; i++) {
    *hash = (*hash ^ ((word >> (8 * i)) & 0xff)) * FNV_PRIME;
  }
}

// Without the tag of the world: worlds that were built alike have equal hashes.
static void hash_id(uint64_t *hash, uint32_t slot, uint16_t generation) {
  hash_word(hash, (generation + 1ull) << 20 | slot);
}

static void hash_double(uint64_t *hash, double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  hash_word(hash, bits);
}

static void hash_vec3(uint64_t *hash, mo_vec3 v) {
  hash_double(hash, v.x);
  hash_double(hash, v.y);
  hash_double(hash, v.z);
}

static void hash_quat(uint64_t *hash, mo_quat q) {
  hash_double(hash, q.x);
  hash_double(hash, q.y);
  hash_double(hash, q.z);
  hash_double(hash, q.w);
}

static void hash_motion(uint64_t *hash, const mo_motion *m) {
  hash_vec3(hash, m->position);
  hash_vec3(hash, m->center_of_mass);
  hash_quat(hash, m->orientation);
  hash_vec3(hash, m->linear_velocity);
  hash_vec3(hash, m->angular_velocity);
}

static void hash_settings(uint64_t *hash, const mo_world_def *settings) {
  hash_vec3(hash, settings->gravity);
  hash_word(hash, (uint64_t)settings->solver);
  hash_word(hash, (uint64_t)settings->stabilization);
  hash_word(hash, (uint64_t)settings->integrator);
  hash_word(hash, settings->iterations);
  hash_double(hash, settings->tolerance);
  hash_double(hash, settings->restitution_threshold);
  hash_double(hash, settings->linear_slop);
  hash_double(hash, settings->error_reduction);
  hash_double(hash, settings->max_correction_speed);
  hash_word(hash, (uint64_t)settings->friction_law);
  hash_word(hash, (uint64_t)settings->effort);
  hash_word(hash, settings->max_iterations);
  hash_double(hash, settings->exact_memory_limit);
  hash_word(hash, settings->substeps);
  hash_double(hash, settings->contact_hertz);
  hash_double(hash, settings->contact_damping);
  hash_double(hash, settings->joint_hertz);
  hash_double(hash, settings->joint_damping);
  hash_word(hash, settings->allow_sleep);
  hash_word(hash, settings->friction_per_point);
  hash_double(hash, settings->sleep_threshold);
  hash_double(hash, settings->time_to_sleep);
}

// What shapes are made of never changes and is not in the hash; how they are placed is.
static void hash_placed_shape(uint64_t *hash, const mo_placed_shape *placed) {
  hash_word(hash, (uint64_t)placed->shape->type);
  hash_vec3(hash, placed->pose.position);
  hash_quat(hash, placed->pose.orientation);
  hash_double(hash, placed->friction);
  hash_double(hash, placed->restitution);
}

static void hash_body(uint64_t *hash, const mo_body *body) {
  hash_word(hash, body->serial);
  hash_word(hash, (uint64_t)body->type);
  hash_double(hash, body->mass.mass);
  hash_vec3(hash, body->mass.center_of_mass);
  hash_vec3(hash, body->mass.inertia.cx);
  hash_vec3(hash, body->mass.inertia.cy);
  hash_vec3(hash, body->mass.inertia.cz);
  hash_double(hash, body->friction);
  hash_double(hash, body->restitution);
  hash_double(hash, body->linear_damping);
  hash_double(hash, body->angular_damping);
  hash_double(hash, body->gravity_scale);
  hash_word(hash, (uint64_t)body->filter.category << 32 | body->filter.mask);
  hash_word(hash, (uint64_t)(uint32_t)body->filter.group << 2 | (uint64_t)body->bullet << 1 |
                      (uint64_t)body->allow_sleep);
  hash_vec3(hash, body->force);
  hash_vec3(hash, body->torque);
  for (uint32_t i = 0; i < body->shape_count; i++) {
    hash_placed_shape(hash, &body->shapes[i]);
  }
}

// All numbers of a potential; which functions a custom one calls is not state.
static void hash_potential(uint64_t *hash, const mo_potential_def *def) {
  const mo_vec3 vectors[] = {def->gravity,       def->center,   def->moment,  def->field,
                             def->source_moment, def->anchor_a, def->anchor_b};
  const double numbers[] = {
      def->mu,           def->softening, def->linear_drag, def->quadratic_drag,
      def->angular_drag, def->stiffness, def->rest_length, def->damping};
  hash_word(hash, (uint64_t)def->type);
  for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
    hash_vec3(hash, vectors[i]);
  }
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    hash_double(hash, numbers[i]);
  }
  for (uint32_t i = 0; i < def->body_count; i++) {
    hash_id(hash, mo_body_id_slot(def->bodies[i]), def->bodies[i].generation);
  }
}

static void hash_potentials(uint64_t *hash, const mo_world *world) {
  const mo_id_pool *ids = &world->potential_ids;
  for (uint32_t slot = 0; slot < ids->slot_count; slot++) {
    if (ids->alive[slot]) {
      hash_id(hash, slot, ids->generation[slot]);
      hash_potential(hash, &world->potentials[slot]);
    }
  }
  for (uint32_t i = 0; i < ids->free_slots_count; i++) {
    uint32_t slot = ids->free_slots[i];
    hash_word(hash, ((uint64_t)ids->generation[slot] << 32) | slot);
  }
}

static void hash_contact(uint64_t *hash, const mo_contact *contact) {
  hash_word(hash, ((uint64_t)contact->slot_a << 32) | contact->slot_b);
  hash_word(hash, ((uint64_t)contact->shape_a << 32) | contact->shape_b);
  for (uint32_t k = 0; k < contact->point_count; k++) {
    hash_word(hash, contact->points[k].feature_id);
    hash_double(hash, contact->points[k].normal_impulse);
    hash_vec3(hash, contact->points[k].tangent_impulse);
  }
}

static void hash_float(uint64_t *hash, float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  hash_word(hash, bits);
}

static void hash_substep_contact(uint64_t *hash, const mo_substep_contact *contact) {
  hash_word(hash, (uint64_t)contact->pair.slot_a << 32 | contact->pair.slot_b);
  hash_word(hash, (uint64_t)contact->pair.proxy_a << 32 | contact->pair.proxy_b);
  hash_word(hash, contact->point_count);
  for (int i = 0; i < 3; i++) {
    hash_float(hash, contact->normal[i]);
    hash_float(hash, contact->tangent_impulse[i]);
    hash_float(hash, contact->start_tangent[i]);
  }
  hash_float(hash, contact->twist_impulse);
  hash_float(hash, contact->start_twist);
  for (uint32_t k = 0; k < contact->point_count; k++) {
    const mo_substep_point *point = &contact->points[k];
    hash_word(hash, point->feature_id);
    hash_float(hash, point->start_impulse);
    hash_float(hash, contact->normal_impulses[k]);
    hash_float(hash, contact->separations[k]);
    for (int i = 0; i < 3; i++) {
      hash_float(hash, point->arm_a[i]);
      hash_float(hash, point->arm_b[i]);
    }
  }
}

static uint64_t sum_substep_hashes(const mo_substep_contact *contacts, uint32_t count) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t one = FNV_OFFSET;
    hash_substep_contact(&one, &contacts[i]);
    sum += one;
  }
  return sum;
}

// Wherever they are: a step that is refused may have moved some of them from those that sleep to
// those that do not.
static void hash_substep_contacts(uint64_t *hash, const mo_pair_store *pairs) {
  uint64_t sum = sum_substep_hashes(pairs->asleep_contacts, pairs->asleep_contacts_count);
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    sum += sum_substep_hashes(pairs->colours[c].contacts, pairs->colours[c].contacts_count);
  }
  hash_word(hash, sum);
}

static void hash_constraint(uint64_t *hash, const mo_constraint *c) {
  hash_word(hash, (uint64_t)c->type);
  hash_word(hash, ((uint64_t)c->slot_a << 32) | c->slot_b);
  hash_word(hash, (uint64_t)c->collide_connected << 1 | (uint64_t)c->has_stabilization);
  hash_double(hash, c->alpha);
  hash_double(hash, c->beta);
  hash_double(hash, c->compliance);
  hash_vec3(hash, c->anchor_a);
  hash_vec3(hash, c->anchor_b);
  hash_quat(hash, c->frame_a);
  hash_quat(hash, c->frame_b);
  hash_double(hash, c->lower);
  hash_double(hash, c->upper);
  hash_double(hash, c->length);
  hash_double(hash, c->last_coordinate);
  for (uint32_t i = 0; i < c->dimension; i++) {
    hash_word(hash, (uint64_t)c->bounds[i].kind);
    hash_double(hash, c->bounds[i].lower);
    hash_double(hash, c->bounds[i].upper);
    hash_double(hash, c->bounds[i].friction);
    hash_double(hash, c->impulses[i]);
  }
  for (uint32_t i = 0; i < MO_SUBSTEP_JOINT_IMPULSES; i++) {
    hash_double(hash, c->substep_impulses[i]);
  }
}

// They make the next ids.
static void hash_free_slots(uint64_t *hash, const mo_id_pool *ids) {
  for (uint32_t i = 0; i < ids->free_slots_count; i++) {
    uint32_t slot = ids->free_slots[i];
    hash_word(hash, ((uint64_t)ids->generation[slot] << 32) | slot);
  }
}

uint64_t mo_world_hash(const mo_world *world) {
  uint64_t hash = FNV_OFFSET;
  hash_settings(&hash, &world->settings);
  hash_word(&hash, world->step_count);
  hash_double(&hash, world->time);
  hash_double(&hash, world->last_step.dt); // scales the next warm start
  hash_word(&hash, world->next_serial);
  for (uint32_t slot = 0; slot < world->ids.slot_count; slot++) {
    if (world->ids.alive[slot]) {
      hash_id(&hash, slot, world->ids.generation[slot]);
      hash_body(&hash, &world->bodies[slot]);
      hash_motion(&hash, &world->motions[slot]);
      hash_word(&hash, mo_world_is_awake(world, slot));
      hash_float(&hash, world->still_times[slot]);
    }
  }
  hash_free_slots(&hash, &world->ids);
  for (uint32_t slot = 0; slot < world->constraint_ids.slot_count; slot++) {
    if (world->constraint_ids.alive[slot]) {
      hash_id(&hash, slot, world->constraint_ids.generation[slot]);
      hash_constraint(&hash, &world->constraints[slot]);
    }
  }
  hash_free_slots(&hash, &world->constraint_ids);
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    hash_contact(&hash, &world->contacts[i]);
  }
  hash_substep_contacts(&hash, &world->pairs);
  hash_potentials(&hash, world);
  return hash;
}
