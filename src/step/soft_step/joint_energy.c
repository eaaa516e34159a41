#include "step/soft_step/joint_energy.h"

#include <float.h>

#include "constraints/drives.h"
#include "constraints/substep_joint_form.h"
#include "solvers/soft_step/joints/joint_data.h"

// Part of the kinetic energy: less is the round-off of velocities, which are floats.
#define ROUND_OFF 2e-7
// The same of islands with rows, whose directions are those of a whole step or substep: there a
// swing gains in some steps what it loses in others. A step that doubles the energy is none, but
// where nearly nothing moves.
#define MOST_GAIN_OF_ROWS 0.5
// J/kg: of a speed of 0.14 m/s. With less, such islands may do what they like.
#define LEAST_GAIN_OF_ROWS 0.01
// The most that is in an island's tank: a part of its kinetic energy, and the energy that its
// forces F give a body of mass m from rest in some time T, (F T)^2 / 2 m, with T^2 / 2 in s^2 here.
// In substeps of h a pendulum exchanges up to h m g^2 / 4 w, which is less for all that swing at w
// above 1 rad/s.
#define MOST_TANK 0.02
#define MOST_TANK_OF_FORCES 1e-3
// The part of h dt F^2 / m that an island may gain in a step if it lost it before: joints give way
// by micrometres as loads come and go, which is much for a pendulum that turns round. A swing
// exchanges up to half of h dt F^2 / m in a step; if it were to gain that, its energy would follow
// that of the substeps in short steps and not in long ones.
// This is 1e-6 s^2 F^2 / m in four substeps of a step of 1/60 s, with which a rod of 1 m that is
// let go at 0.02 rad keeps its swing.
#define MOST_REGAIN_OF_FORCES 0.0144

// What the step of an island with joints came to, J.
typedef struct balance {
  bool has_contacts;
  uint32_t name;   // of the island
  uint32_t number; // of an island whose motion is corrected, from 1; else 0
  double kinetic, gain;
  double allowed;       // the kinetic energy that it had, and what forces gave it
  double tank;          // below 0: what it lost and may gain
  double force_squares; // kg m^2/s^4: the sum of F^2 / m
} balance;

// An island that gains, or gets back what it gained before.
typedef struct island {
  bool works; // something in it does work that is not counted here
  bool has_rows;
  bool is_held; // by a body that does not move, or the world
  bool is_corrected;
  double mass;
  mo_vec3 momentum, moment; // kg m/s; kg m: the sum of masses by centres
  // About the centre of mass of the island.
  mo_vec3 angular_momentum;
  mo_mat3 inertia;
  // The same of the start of the step, momenta with what forces and torques on its bodies give.
  mo_vec3 given_momentum, start_moment, given_angular_momentum;
  // The motion that is kept, and the part that is left of what is relative to it.
  mo_velocity rigid;
  double part;
} island;

typedef struct energy_pass {
  const mo_soft_step *step;
  // Per slot, under the names of islands: the place of its balance; 0: it has no joints.
  uint32_t *places;
  balance *balances; // of islands with joints, from 1 on; the first one is of all others
  uint32_t balance_count;
  island *islands; // only of those that are corrected (balance.number)
  uint32_t island_count;
  bool has_tanks; // some tank is not empty, before the step or after it
} energy_pass;

static bool is_moved(const energy_pass *p, uint32_t slot) {
  return p->step->soft->indices[slot] > 0 && mo_world_is_dynamic(p->step->world, slot);
}

// The place of the balance of a body's island.
static uint32_t *place_of(const energy_pass *p, uint32_t slot) {
  return &p->places[p->step->world->islands.names[slot]];
}

static bool gains(const balance *of) { return of->gain > ROUND_OFF * of->kinetic; }

// Whether it loses, and something was taken from it before.
static bool gets_back(const balance *of) {
  return of->tank > 0.0 && of->gain < -ROUND_OFF * of->kinetic;
}

// The island of a body, if that is corrected; else null.
static island *corrected_island(const energy_pass *p, uint32_t slot) {
  uint32_t number = p->balances[*place_of(p, slot)].number;
  return number > 0 ? &p->islands[number - 1] : NULL;
}

// --- balances --------------------------------------------------------------------------------

// Adds what a body's step came to: its energy, less the work of the forces on it.
static void add_balance(const energy_pass *p, uint32_t slot, const mo_motion *end, balance *of) {
  const mo_world *world = p->step->world;
  const mo_motion *start = &world->motions[slot];
  const mo_mass *mass = &world->bodies[slot].mass;
  const mo_wrench *wrench = &p->step->soft->wrenches[slot];
  double work = mo_dot(wrench->force, mo_sub(end->center_of_mass, start->center_of_mass));
  if (!mo_v3_equal(wrench->torque, mo_v3_zero())) {
    mo_vec3 spin = mo_lerp(start->angular_velocity, end->angular_velocity, 0.5);
    work += p->step->dt * mo_dot(wrench->torque, spin);
  }
  double kinetic[2];
  mo_body_kinetic_energies(mass, start, end, kinetic);
  of->kinetic += kinetic[1];
  of->gain += kinetic[1] - kinetic[0] - work;
  of->allowed += kinetic[0] + work;
  of->has_contacts = of->has_contacts || world->pairs.contact_counts[slot] > 0;
  of->tank += world->energy_tanks[slot];
  of->force_squares += mo_length_squared(wrench->force) / mass->mass;
}

// Lets an island gain what it lost before, or notes what it loses. What touches others loses energy
// for good.
static void regain(const energy_pass *p, balance *of) {
  if (of->has_contacts) {
    of->tank = 0.0;
  } else if (of->tank <= 0.0) {
    double dt = p->step->dt, exchange = dt * dt / p->step->substeps * of->force_squares;
    double most = mo_min(-of->tank, MOST_REGAIN_OF_FORCES * exchange);
    double gained = mo_min(of->gain, most);
    of->tank += gained;
    of->gain -= gained;
    of->allowed += mo_max(gained, 0.0);
  }
}

// Makes a balance for each island with joints. Returns false without memory.
static bool make_balances(energy_pass *p) {
  mo_world *world = p->step->world;
  p->places = MO_ARENA_TAKE(&world->step_arena, uint32_t, world->ids.slot_count);
  for (uint32_t i = 0; p->places && i < world->awake_count; i++) {
    uint32_t *place = place_of(p, world->awake[i]);
    if (*place == 0 && mo_world_is_in_joints(world, world->awake[i])) {
      *place = ++p->balance_count;
    }
  }
  p->balances = MO_ARENA_TAKE(&world->step_arena, balance, (size_t)p->balance_count + 1);
  return p->places && p->balances;
}

// Numbers the islands with joints that are corrected.
static void find_corrected(energy_pass *p) {
  const mo_world *world = p->step->world;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    balance *of = &p->balances[*place_of(p, slot)];
    of->name = world->islands.names[slot];
    if (of != p->balances && is_moved(p, slot)) {
      add_balance(p, slot, &p->step->soft->end[i], of);
    }
  }
  for (uint32_t i = 1; i <= p->balance_count; i++) {
    balance *of = &p->balances[i];
    double tank = of->tank;
    regain(p, of);
    p->has_tanks = p->has_tanks || tank != 0.0 || of->tank != 0.0;
    of->number = gains(of) || gets_back(of) ? ++p->island_count : 0;
  }
}

// --- what islands are ------------------------------------------------------------------------

// Notes at the island of a dynamic body what one of its contacts or joints links it to.
static void note_link(const energy_pass *p, uint32_t slot, uint32_t other) {
  const mo_world *world = p->step->world;
  if (slot == MO_WORLD_SLOT || !mo_world_is_dynamic(world, slot)) {
    return;
  }
  bool is_world = other == MO_WORLD_SLOT;
  island *of = corrected_island(p, slot);
  if (!of) {
    return;
  }
  of->works = of->works || (!is_world && world->bodies[other].type == MO_BODY_KINEMATIC);
  of->is_held = of->is_held || is_world || world->bodies[other].type == MO_BODY_STATIC;
}

// Notes at the island of a body that something does work there.
static void note_work(const energy_pass *p, uint32_t slot) {
  island *of = is_moved(p, slot) ? corrected_island(p, slot) : NULL;
  if (of) {
    of->works = true;
  }
}

static void note_joints(const energy_pass *p) {
  const mo_substep_joints *joints = p->step->soft->step.joints;
  for (uint32_t i = 0; joints && i < joints->count; i++) {
    const mo_substep_joint *joint = &joints->joints[i];
    bool is_driven = mo_substep_joint_is_driven(joints, i);
    const uint32_t slots[2] = {joint->slot_a, joint->slot_b};
    for (int side = 0; side < 2; side++) {
      note_link(p, slots[side], slots[1 - side]);
      if (is_driven && slots[side] != MO_WORLD_SLOT) {
        note_work(p, slots[side]);
      }
    }
  }
}

// Whether a constraint has springs, motors or functions of the user, which do work.
static bool does_work(const mo_constraint *c) {
  bool works = c->type == MO_CONSTRAINT_CUSTOM || c->type == MO_CONSTRAINT_MOTOR;
  for (uint32_t i = 0; i < c->class->coordinate_count; i++) {
    works = works || mo_drive_has(c, i, MO_DRIVE_SPRING) || mo_drive_has(c, i, MO_DRIVE_MOTOR);
  }
  return works;
}

// Notes a constraint that is solved by its rows, and may link bodies that no joint does.
static void note_constraint_of_rows(const energy_pass *p, const mo_constraint *c) {
  const mo_world *world = p->step->world;
  bool works = does_work(c);
  const uint32_t all[MO_ROW_SIDES] = {c->slot_a, c->slot_b, c->slot_c, c->slot_d};
  uint32_t slots[MO_ROW_SIDES], count = mo_world_dynamic_slots(world, c, slots);
  for (uint32_t k = 0; k < count; k++) {
    island *of = corrected_island(p, slots[k]);
    if (!of) {
      continue;
    }
    of->has_rows = true;
    of->works = of->works || works;
    for (int i = 0; i < MO_ROW_SIDES; i++) {
      note_link(p, slots[k], all[i]);
    }
  }
}

static void note_rows(const energy_pass *p) {
  const mo_world *world = p->step->world;
  const mo_id_pool *ids = &world->constraint_ids;
  for (uint32_t i = 0; p->step->soft->step.joints->rows && i < ids->slot_count; i++) {
    if (ids->alive[i] && !mo_constraint_has_substep_form(&world->constraints[i])) {
      note_constraint_of_rows(p, &world->constraints[i]);
    }
  }
}

static void note_contacts(const energy_pass *p) {
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(&p->step->world->pairs, &walk));) {
    note_link(p, c->pair.slot_a, c->pair.slot_b);
    note_link(p, c->pair.slot_b, c->pair.slot_a);
  }
}

// Surfaces that move do work, as those of a belt.
static void note_surfaces(const energy_pass *p) {
  const mo_substep_solver *solver = &p->step->soft->step;
  const mo_contact_record *records = p->step->world->pairs.records.records;
  for (uint32_t i = 0; i < solver->surface_count; i++) {
    const mo_substep_surface *surface = &solver->surfaces[i];
    const mo_contact_record *record = &records[surface->contact];
    const uint32_t slots[2] = {record->slot_a, record->slot_b};
    bool moves =
        surface->slide[0] != 0.0f || surface->slide[1] != 0.0f || surface->slide[2] != 0.0f;
    for (int side = 0; moves && side < 2; side++) {
      note_work(p, slots[side]);
    }
  }
}

// --- correction ------------------------------------------------------------------------------

// The linear momentum of a body, with what the force on it gives in the step.
static mo_vec3 given_momentum_of(const energy_pass *p, uint32_t slot) {
  const mo_motion *start = &p->step->world->motions[slot];
  double mass = p->step->world->bodies[slot].mass.mass;
  return mo_add_scaled(mo_scale(mass, start->linear_velocity), p->step->dt,
                       p->step->soft->wrenches[slot].force);
}

// Adds a body to the momenta and the centres of its island.
static void add_momentum(const energy_pass *p, uint32_t slot, mo_motion *end, island *of) {
  double mass = p->step->world->bodies[slot].mass.mass;
  of->mass += mass;
  of->momentum = mo_add_scaled(of->momentum, mass, end->linear_velocity);
  of->moment = mo_add_scaled(of->moment, mass, end->center_of_mass);
  of->given_momentum = mo_add(of->given_momentum, given_momentum_of(p, slot));
  of->start_moment =
      mo_add_scaled(of->start_moment, mass, p->step->world->motions[slot].center_of_mass);
}

static mo_vec3 arm_of(const island *of, const mo_motion *end) {
  return mo_add_scaled(end->center_of_mass, -1.0 / of->mass, of->moment);
}

static void add_given_turning(const energy_pass *p, uint32_t slot, island *of) {
  const mo_mass *mass = &p->step->world->bodies[slot].mass;
  const mo_motion *start = &p->step->world->motions[slot];
  mo_vec3 arm = mo_add_scaled(start->center_of_mass, -1.0 / of->mass, of->start_moment);
  mo_vec3 own = mo_mat3_mul(mo_motion_world_tensor(start, mass->inertia), start->angular_velocity);
  own = mo_add_scaled(own, p->step->dt, p->step->soft->wrenches[slot].torque);
  of->given_angular_momentum =
      mo_add(of->given_angular_momentum, mo_add(own, mo_cross(arm, given_momentum_of(p, slot))));
}

// Adds a body to the angular momenta and the inertia of its island.
static void add_turning(const energy_pass *p, uint32_t slot, mo_motion *end, island *of) {
  const mo_mass *mass = &p->step->world->bodies[slot].mass;
  mo_vec3 arm = arm_of(of, end);
  mo_vec3 orbit = mo_cross(arm, mo_scale(mass->mass, end->linear_velocity));
  mo_mat3 own = mo_motion_world_tensor(end, mass->inertia);
  of->angular_momentum =
      mo_add(of->angular_momentum, mo_add(orbit, mo_mat3_mul(own, end->angular_velocity)));
  add_given_turning(p, slot, of);
  mo_vec3 x = mo_scale(mass->mass * arm.x, arm), y = mo_scale(mass->mass * arm.y, arm),
          z = mo_scale(mass->mass * arm.z, arm);
  double square = mass->mass * mo_length_squared(arm);
  mo_mat3 around = {mo_sub(mo_v3(square, 0.0, 0.0), x), mo_sub(mo_v3(0.0, square, 0.0), y),
                    mo_sub(mo_v3(0.0, 0.0, square), z)};
  of->inertia = mo_mat3_add(of->inertia, mo_mat3_add(own, around));
}

// Sets the rigid motion of an island that has these momenta. Returns its energy, J.
static double set_rigid(island *of, mo_vec3 momentum, mo_vec3 angular_momentum) {
  of->rigid.linear = mo_scale(1.0 / of->mass, momentum);
  of->rigid.angular = mo_mat3_mul(mo_mat3_inverse(of->inertia), angular_momentum);
  return 0.5 * (mo_dot(momentum, of->rigid.linear) + mo_dot(angular_momentum, of->rigid.angular));
}

// Sets the motion of an island whose momenta alone have more energy, J, than it may have. Joints
// give it none: where bodies turn so fast that they do, it goes on as a rigid body with what it had
// and forces gave it, or slower if its bodies are too close now even for that.
static void keep_given_momenta(island *of, double allowed) {
  double energy = set_rigid(of, of->given_momentum, of->given_angular_momentum);
  if (energy > allowed) {
    double scale = sqrt(mo_max(allowed, 0.0) / energy);
    of->rigid.linear = mo_scale(scale, of->rigid.linear);
    of->rigid.angular = mo_scale(scale, of->rigid.angular);
  }
}

// Gives back to an island what it lost, if it was taken before. By no more than what its motion
// has, whose direction counts for little where it turns round.
static void give_back(island *of, balance *energy, double rest) {
  double given = mo_min(mo_min(-energy->gain, energy->tank), rest);
  of->part = rest > 0.0 ? sqrt(1.0 + given / rest) : 1.0;
  of->is_corrected = given > 0.0 && !of->works && !of->has_rows && mo_is_finite(of->part);
  energy->tank -= of->is_corrected ? given : 0.0;
  energy->tank -= energy->tank <= 0.0 ? -energy->gain - given : 0.0;
}

// Sets the motion that an island keeps, and the part of the rest that it can afford.
// `metre`: in the unit of lengths here.
static void set_part(island *of, double metre, balance *energy) {
  double kept = of->is_held ? 0.0 : set_rigid(of, of->momentum, of->angular_momentum);
  double rest = energy->kinetic - kept;
  if (energy->gain < 0.0) {
    give_back(of, energy, rest);
    return;
  }
  of->part = rest > energy->gain ? sqrt(1.0 - energy->gain / rest) : 0.0;
  if (!of->is_held && rest < energy->gain) {
    keep_given_momenta(of, energy->allowed);
  }
  // Sums of extreme numbers overflow; such islands stay as they are.
  double least = ROUND_OFF * energy->kinetic;
  if (of->has_rows) {
    least =
        mo_max(MOST_GAIN_OF_ROWS * energy->kinetic, LEAST_GAIN_OF_ROWS * metre * metre * of->mass);
  }
  of->is_corrected = energy->gain > least && !of->works && mo_is_finite(rest) &&
                     mo_v3_is_finite(of->rigid.linear) && mo_v3_is_finite(of->rigid.angular);
  if (of->is_corrected) {
    energy->tank = mo_max(energy->tank, 0.0) + (of->part > 0.0 ? energy->gain : 0.0);
  }
}

static void correct_motion(const energy_pass *p, uint32_t slot, mo_motion *end, island *of) {
  (void)p;
  (void)slot;
  if (of->is_corrected) {
    mo_vec3 rigid = mo_add(of->rigid.linear, mo_cross(of->rigid.angular, arm_of(of, end)));
    end->linear_velocity = mo_lerp(rigid, end->linear_velocity, of->part);
    end->angular_velocity = mo_lerp(of->rigid.angular, end->angular_velocity, of->part);
  }
}

typedef void body_visit(const energy_pass *p, uint32_t slot, mo_motion *end, island *of);

// Visits the bodies of islands that are corrected.
static void visit(const energy_pass *p, body_visit *function) {
  const mo_world *world = p->step->world;
  for (uint32_t i = 0; i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    island *of = is_moved(p, slot) ? corrected_island(p, slot) : NULL;
    if (of) {
      function(p, slot, &p->step->soft->end[i], of);
    }
  }
}

static void correct_islands(const energy_pass *p) {
  note_joints(p);
  note_rows(p);
  note_contacts(p);
  note_surfaces(p);
  visit(p, add_momentum);
  visit(p, add_turning);
  double metre = mo_world_metre(p->step->world);
  for (uint32_t i = 1; i <= p->balance_count; i++) {
    balance *energy = &p->balances[i];
    if (energy->number > 0) {
      set_part(&p->islands[energy->number - 1], metre, energy);
    }
  }
  visit(p, correct_motion);
}

// What is in the tanks after the step, under the names of islands. Returns false without memory.
static bool make_tanks(const energy_pass *p) {
  mo_world *world = p->step->world;
  float *tanks = MO_ARENA_TAKE(&world->step_arena, float, world->ids.slot_count);
  for (uint32_t i = 1; tanks && i <= p->balance_count; i++) {
    const balance *of = &p->balances[i];
    double of_forces = mo_min(MOST_TANK_OF_FORCES * of->force_squares, FLT_MAX);
    double most = mo_min(of_forces + MOST_TANK * of->kinetic, FLT_MAX);
    double tank = of->has_contacts ? 0.0 : mo_max(mo_min(of->tank, most), -of_forces);
    tanks[of->name] = tank > 0.0 || tank < 0.0 ? (float)tank : 0.0f;
  }
  p->step->soft->energy_tanks = tanks;
  return tanks;
}

void mo_joint_energy_commit(const mo_soft_step *s) {
  mo_world *world = s->world;
  for (uint32_t i = 0; s->soft->energy_tanks && i < world->awake_count; i++) {
    uint32_t slot = world->awake[i];
    if (s->soft->indices[slot] > 0) {
      world->energy_tanks[slot] = s->soft->energy_tanks[slot];
    }
  }
}

bool mo_joint_energy_limit(mo_soft_step *s) {
  mo_world *world = s->world;
  if (!s->soft->step.joints) {
    return true;
  }
  energy_pass pass = {.step = s};
  if (!make_balances(&pass)) {
    return false;
  }
  find_corrected(&pass);
  if (pass.island_count == 0) {
    return !pass.has_tanks || make_tanks(&pass);
  }
  pass.islands = MO_ARENA_TAKE(&world->step_arena, island, pass.island_count);
  if (!pass.islands) {
    return false;
  }
  correct_islands(&pass);
  return make_tanks(&pass);
}
