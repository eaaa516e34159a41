/// The contact problem of soft-step's last step, written as rows on request. The certificate, the
/// islands and recorded problems are made from it.
#include "step/soft_step/soft_problem.h"

#include "constraints/contact.h"
#include "constraints/substep_joint_form.h"
#include "dynamics/integrator.h"
#include "memory/union_find.h"
#include "solvers/island_partition.h"
#include "step/constraint_rows.h"
#include "step/stages.h"

// m^2: contact points whose mean square distance from their centre is less count as one point,
// among which no twist can be divided.
#define LEAST_LEVER 1e-12

// Infinite single-precision impulses become the largest impulse that a step starts with.
static double number_of(float impulse) {
  return mo_clamp((double)impulse, -(double)MO_LARGEST_IMPULSE, (double)MO_LARGEST_IMPULSE);
}

static mo_vec3 vec3_of(const float impulse[3]) {
  return mo_v3(number_of(impulse[0]), number_of(impulse[1]), number_of(impulse[2]));
}

// --- contacts in the form of the row solvers -------------------------------------------------

// Divides the friction of a manifold among its points, in proportion to their normal impulses. The
// tangential impulse is divided equally; the twist becomes tangential impulses about the centre.
static void share_friction(const mo_substep_contact *soft, double metre, mo_contact *out) {
  double total = 0.0, lever = 0.0;
  mo_vec3 centre = mo_v3_zero();
  for (uint32_t k = 0; k < out->point_count; k++) {
    total += out->points[k].normal_impulse;
    centre = mo_add_scaled(centre, out->points[k].normal_impulse, out->points[k].position);
  }
  if (!(total > 0.0)) {
    return;
  }
  centre = mo_scale(1.0 / total, centre);
  for (uint32_t k = 0; k < out->point_count; k++) {
    mo_vec3 arm = mo_sub(out->points[k].position, centre);
    lever += out->points[k].normal_impulse * mo_length_squared(mo_cross(out->normal, arm));
  }
  bool twists = lever > LEAST_LEVER * metre * metre * total && mo_is_finite(lever);
  for (uint32_t k = 0; k < out->point_count; k++) {
    mo_contact_point_state *point = &out->points[k];
    double part = point->normal_impulse / total;
    mo_vec3 about = mo_cross(out->normal, mo_sub(point->position, centre));
    point->tangent_impulse = mo_scale(part, vec3_of(soft->tangent_impulse));
    if (twists) {
      point->tangent_impulse =
          mo_add_scaled(point->tangent_impulse,
                        number_of(soft->twist_impulse) * point->normal_impulse / lever, about);
    }
  }
}

mo_contact mo_substep_contact_to_rows(const mo_world *world, const mo_substep_contact *soft,
                                      const mo_motion *a, const mo_motion *b) {
  const mo_contact_record *record = mo_pair_record(&world->pairs, &soft->pair);
  mo_contact out = {.contact = soft->pair.contact,
                    .slot_a = soft->pair.slot_a,
                    .slot_b = soft->pair.slot_b,
                    .shape_a = world->broad_phase.proxies[soft->pair.proxy_a].shape,
                    .shape_b = world->broad_phase.proxies[soft->pair.proxy_b].shape,
                    .friction = soft->friction,
                    .restitution = soft->restitution,
                    .rolling_friction = record->rolling_friction,
                    .spinning_friction = record->spinning_friction,
                    .twist_impulse = vec3_of(record->twist),
                    .surface_velocity = mo_v3_from_floats(record->slide),
                    .normal = mo_normalize(mo_v3_from_floats(soft->normal)),
                    .point_count = soft->point_count};
  for (uint32_t k = 0; k < soft->point_count; k++) {
    const mo_substep_point *point = &soft->points[k];
    mo_vec3 on_a = mo_add(a->center_of_mass, mo_v3_from_floats(point->arm_a));
    mo_vec3 on_b = mo_add(b->center_of_mass, mo_v3_from_floats(point->arm_b));
    out.points[k] = (mo_contact_point_state){.position = mo_lerp(on_a, on_b, 0.5),
                                             .separation = soft->separations[k],
                                             .feature_id = point->feature_id,
                                             .normal_impulse = number_of(soft->normal_impulses[k])};
  }
  // what is not along the surfaces is a bend
  out.bend = mo_scale(mo_dot(out.normal, out.surface_velocity), out.normal);
  share_friction(soft, mo_world_metre(world), &out);
  return out;
}

// --- the problem -----------------------------------------------------------------------------

// The index of a body in the problem, 0 for one that impulses cannot move. Returns false if it took
// no part in the last step.
static bool find_index(const mo_world *world, uint32_t slot, uint32_t *index) {
  const mo_soft_record *record = &world->last_step.soft;
  *index = slot < record->slot_count ? record->indices[slot] : 0;
  return world->ids.alive[slot] && (*index || !mo_world_is_dynamic(world, slot));
}

// The motion of a body at the start of the last step.
static const mo_motion *start_of(const mo_world *world, uint32_t slot, uint32_t index) {
  return index ? &world->last_step.soft.start[index] : &world->motions[slot];
}

typedef struct substep_rows {
  mo_world *world;
  mo_row_problem problem;
  mo_contact_settings settings;
} substep_rows;

static void append_contact(substep_rows *rows, const mo_substep_contact *soft) {
  uint32_t slot_a = soft->pair.slot_a, slot_b = soft->pair.slot_b, a, b;
  if (!find_index(rows->world, slot_a, &a) || !find_index(rows->world, slot_b, &b) ||
      (a == 0 && b == 0)) {
    return;
  }
  const mo_motion *start_a = start_of(rows->world, slot_a, a);
  const mo_motion *start_b = start_of(rows->world, slot_b, b);
  mo_contact contact = mo_substep_contact_to_rows(rows->world, soft, start_a, start_b);
  mo_contact_side side_a = mo_step_contact_side(a, start_a);
  mo_contact_side side_b = mo_step_contact_side(b, start_b);
  uint32_t first_block = rows->problem.block_count;
  mo_contact_append_rows(&rows->problem, &contact, &side_a, &side_b, &rows->settings);
  mo_contact_append_twist_rows(&rows->problem, &contact, first_block, &side_a, &side_b);
}

static void append_contacts(substep_rows *rows) {
  const mo_pair_store *pairs = &rows->world->pairs;
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(pairs, &walk));) {
    append_contact(rows, c);
  }
  // contacts of bodies that just fell asleep
  for (uint32_t i = 0; i < pairs->asleep_contacts_count; i++) {
    append_contact(rows, &pairs->asleep_contacts[i]);
  }
}

// A velocity after the forces and the damping of n substeps of h seconds.
static mo_vec3 after_forces(mo_vec3 v, const float gain[3], double damping, double h, uint32_t n) {
  double lost = 1.0 - mo_decay_of(damping, h, 1).kept;
  for (uint32_t i = 0; i < n; i++) {
    v = mo_add(mo_add_scaled(v, -lost, v), mo_v3_from_floats(gain));
  }
  return v;
}

// The spin of a body after the gyroscopic torque, as far as its gain leaves that out.
static mo_vec3 turned_spin(const mo_solver_mass *mass, const mo_mass *of_body,
                           const mo_motion *start, double dt) {
  return mass->spin_rule == MO_SPIN_BY_GAIN
             ? start->angular_velocity
             : mo_integrate_rotation(of_body, start, mo_v3_zero(), dt);
}

// The velocity of a kinematic body is the mean over its gains (carriers.h): half of the others come
// after it.
static mo_row_body kinematic_to_rows(const mo_motion *start, const mo_solver_mass *mass,
                                     uint32_t substeps) {
  double n = 0.5 * (substeps - 1.0);
  return (mo_row_body){
      .free_linear = mo_add_scaled(start->linear_velocity, n, mo_v3_from_floats(mass->linear_gain)),
      .free_angular =
          mo_add_scaled(start->angular_velocity, n, mo_v3_from_floats(mass->angular_gain)),
      .solver = MO_SOLVER_SOFT_STEP};
}

mo_row_body mo_soft_body_to_rows(const mo_body *body, const mo_motion *start,
                                 const mo_solver_mass *mass, double dt, uint32_t substeps) {
  mo_mass of_body = mo_body_effective_mass(body);
  if (body->type == MO_BODY_KINEMATIC) {
    return kinematic_to_rows(start, mass, substeps);
  }
  uint32_t n = of_body.inverse_mass > 0.0 ? substeps : 0;
  double h = dt / substeps, linear = body->linear_damping, angular = body->angular_damping;
  mo_mat3 inverse_inertia = mo_motion_world_tensor(start, of_body.inverse_inertia);
  return (mo_row_body){
      .free_linear = after_forces(start->linear_velocity, mass->linear_gain, linear, h, n),
      .free_angular =
          after_forces(turned_spin(mass, &of_body, start, dt), mass->angular_gain, angular, h, n),
      .inverse_mass = mo_decay_of(linear, h, substeps).mean * of_body.inverse_mass,
      .inverse_inertia = mo_mat3_scale(mo_decay_of(angular, h, substeps).mean, inverse_inertia),
      .solver = MO_SOLVER_SOFT_STEP};
}

static void make_bodies(const mo_world *world, mo_row_problem *problem) {
  const mo_soft_record *record = &world->last_step.soft;
  problem->bodies[0] = (mo_row_body){0};
  for (uint32_t i = 1; i < record->body_count; i++) {
    problem->bodies[i] =
        mo_soft_body_to_rows(&world->bodies[record->slots[i]], &record->start[i],
                             &record->masses[i], world->last_step.dt, record->substeps);
  }
  problem->body_count = record->body_count;
}

static uint32_t most_points(const mo_world *world) {
  return (MO_MANIFOLD_POINTS + (world->surface_count > 0 ? MO_CONTACT_TWIST_ROWS : 0)) *
         (mo_pair_store_contact_count(&world->pairs) + world->pairs.asleep_contacts_count);
}

// Appends blocks and rows, whose bodies begin at `first_body` in `to`.
static void append_rows(mo_row_problem *to, const mo_row_problem *from, uint32_t first_body) {
  uint32_t first_block = to->block_count, first_row = to->row_count, first_pair = to->pair_count;
  for (uint32_t i = 0; i < from->row_count; i++) {
    to->rows[to->row_count++] = from->rows[i];
  }
  for (uint32_t i = 0; i < from->pair_count; i++) {
    mo_row_pair *pair = &to->pairs[to->pair_count++];
    *pair = from->pairs[i];
    pair->body_c += first_body;
    pair->body_d += first_body;
  }
  for (uint32_t i = 0; i < from->block_count; i++) {
    mo_row_block *block = &to->blocks[to->block_count++];
    *block = from->blocks[i];
    block->body_a += first_body;
    block->body_b += first_body;
    block->first_row += first_row;
    block->pairs += block->pairs ? first_pair : 0;
    block->load_block += block->load_count ? first_block : 0;
    block->disc_block += block->disc_block ? first_block : 0;
  }
}

// Appends what the row solvers solved in the same step.
static void append_problem(mo_row_problem *to, const mo_row_problem *from, uint32_t *slots,
                           const uint32_t *from_slots) {
  uint32_t first_body = to->body_count;
  for (uint32_t i = 0; i < from->body_count; i++) {
    slots[to->body_count] = from_slots ? from_slots[i] : 0;
    to->bodies[to->body_count++] = from->bodies[i];
  }
  append_rows(to, from, first_body);
}

// Appends the joints. Their rows are those of the start of the step with the impulses of the step,
// and their bias is what makes them agree with the velocities at the end. Joints created since had
// no part in the step; constraints without a soft form have their rows in the record.
static mo_result append_joints(mo_world *world, mo_arena *arena, mo_row_problem *problem) {
  const mo_soft_record *record = &world->last_step.soft;
  uint32_t joints = world->constraint_ids.slot_count, bodies = world->ids.slot_count;
  uint32_t *firsts = MO_ARENA_TAKE(arena, uint32_t, joints);
  uint8_t *skipped = MO_ARENA_TAKE_RAW(arena, uint8_t, joints);
  uint32_t *indices = MO_ARENA_TAKE(arena, uint32_t, bodies);
  mo_motion *motions = MO_ARENA_TAKE_RAW(arena, mo_motion, bodies);
  if (!firsts || !skipped || !indices || !motions) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t slot = 0; slot < bodies; slot++) {
    uint32_t index = slot < record->slot_count ? record->indices[slot] : 0;
    indices[slot] = index;
    motions[slot] = index ? record->start[index] : world->motions[slot];
  }
  for (uint32_t slot = 0; slot < joints; slot++) {
    const mo_constraint *constraint = &world->constraints[slot];
    skipped[slot] = !world->constraint_ids.alive[slot] || !constraint->is_active ||
                    !mo_constraint_has_substep_form(constraint);
  }
  mo_constraint_pass pass = {
      .motions = motions,
      .time = world->time - world->last_step.dt,
      .row_bodies = indices,
      .skipped = skipped,
      .settings = {.dt = world->last_step.dt,
                   .max_correction_speed = world->settings.max_correction_speed,
                   .impulse_scale = 1.0}};
  return mo_world_append_constraint_rows(world, &pass, problem, firsts);
}

static uint32_t row_count(const mo_row_problem *problem) {
  return problem ? problem->row_count : 0;
}

static uint32_t pair_count(const mo_row_problem *problem) {
  return problem ? problem->pair_count : 0;
}

// The bodies of soft-step and the rows of their joints, with room for so many contact points and
// for what the row solvers solved. The fixed body comes first, also after a restore, when no others
// of the last step are known.
static mo_result begin_problem(mo_world *world, mo_arena *arena, uint32_t points,
                               mo_row_problem *problem) {
  const mo_step_record *last = &world->last_step;
  uint32_t soft_bodies = last->soft.body_count > 0 ? last->soft.body_count : 1;
  uint32_t bodies = soft_bodies + last->problem.body_count;
  uint32_t constraint_rows = mo_world_constraint_row_count(world) + row_count(last->soft.rows);
  uint32_t blocks = points + constraint_rows + last->problem.block_count;
  uint32_t count = 3 * points + constraint_rows + last->problem.row_count;
  uint32_t pairs = pair_count(last->soft.rows) + last->problem.pair_count;
  *problem = (mo_row_problem){.bodies = MO_ARENA_TAKE_RAW(arena, mo_row_body, bodies),
                              .blocks = MO_ARENA_TAKE_RAW(arena, mo_row_block, blocks),
                              .rows = MO_ARENA_TAKE_RAW(arena, mo_row, count),
                              .pairs = mo_world_take_row_pairs(world, arena, pairs),
                              .dt = last->dt};
  if (!problem->bodies || !problem->blocks || !problem->rows || !problem->pairs) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  make_bodies(world, problem);
  mo_result result = append_joints(world, arena, problem);
  if (result == MO_OK && last->soft.rows) {
    append_rows(problem, last->soft.rows, 0);
  }
  return result;
}

static mo_result write_down(mo_world *world) {
  mo_arena *arena = &world->problem_arena;
  mo_step_record *last = &world->last_step;
  substep_rows rows = {.world = world,
                       .settings = {.dt = last->dt,
                                    .restitution_threshold = mo_world_restitution_threshold(
                                        world, last->dt / mo_world_substeps(world, last->dt)),
                                    .linear_slop = mo_world_linear_slop(world, true),
                                    .max_correction_speed = world->settings.max_correction_speed,
                                    .potential_lag = 0.5}};
  mo_result result = begin_problem(world, arena, most_points(world), &rows.problem);
  if (result != MO_OK) {
    return result;
  }
  uint32_t bodies = rows.problem.body_count + last->problem.body_count;
  uint32_t *slots = MO_ARENA_TAKE(arena, uint32_t, bodies);
  if (!slots) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 1; i < last->soft.body_count; i++) {
    slots[i] = last->soft.slots[i];
  }
  append_contacts(&rows);
  append_problem(&rows.problem, &last->problem, slots, last->row_slots);
  last->problem = rows.problem;
  last->row_slots = slots;
  last->has_problem = true;
  return MO_OK;
}

mo_result mo_world_complete_problem(mo_world *world) {
  bool is_complete = world->last_step.has_problem || world->last_step.dt == 0.0;
  return is_complete ? MO_OK : write_down(world);
}

// --- islands ---------------------------------------------------------------------------------

typedef struct body_links {
  const mo_world *world;
  uint32_t *parents;  ///< per body of soft-step, for mo_union_find_root
  uint8_t *is_linked; ///< per body of soft-step: something links it to another body
  uint8_t *moves;     ///< per body of soft-step: impulses can move it
} body_links;

static bool moves(const mo_world *world, uint32_t slot) {
  mo_mass mass = mo_body_effective_mass(&world->bodies[slot]);
  const mo_row_body body = {.inverse_mass = mass.inverse_mass,
                            .inverse_inertia = mass.inverse_inertia};
  return mo_row_body_moves(&body);
}

static void link_contacts(body_links *links, const mo_substep_contact *contacts, uint32_t count) {
  const mo_world *world = links->world;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t a, b;
    if (contacts[i].point_count == 0 || !find_index(world, contacts[i].pair.slot_a, &a) ||
        !find_index(world, contacts[i].pair.slot_b, &b)) {
      continue;
    }
    links->is_linked[a] = links->is_linked[b] = true;
    if (links->moves[a] && links->moves[b]) {
      mo_union_find_join(links->parents, a, b);
    }
  }
}

// Which constraints have rows is found out by making them.
static mo_result link_constraints(body_links *links, mo_world *world, mo_arena *arena) {
  mo_row_problem problem;
  mo_result result = begin_problem(world, arena, 0, &problem);
  if (result != MO_OK) {
    return result;
  }
  mo_island_partition_join(&problem, links->parents);
  for (uint32_t i = 0; i < problem.block_count; i++) {
    uint32_t body = mo_island_moving_body(&problem, &problem.blocks[i]);
    if (body != MO_NO_BODY) {
      links->is_linked[body] = true;
    }
  }
  return MO_OK;
}

mo_result mo_world_count_substep_islands(mo_world *world, mo_arena *arena, uint32_t *count) {
  const mo_soft_record *record = &world->last_step.soft;
  const mo_pair_store *pairs = &world->pairs;
  body_links links = {.world = world,
                      .parents = MO_ARENA_TAKE_RAW(arena, uint32_t, record->body_count),
                      .is_linked = MO_ARENA_TAKE(arena, uint8_t, record->body_count),
                      .moves = MO_ARENA_TAKE(arena, uint8_t, record->body_count)};
  if (!links.parents || !links.is_linked || !links.moves) {
    return MO_ERROR_OUT_OF_MEMORY;
  }
  for (uint32_t i = 1; i < record->body_count; i++) {
    links.moves[i] = moves(world, record->slots[i]);
  }
  mo_union_find_reset(links.parents, record->body_count);
  if (world->constraint_ids.alive_count > 0 || record->rows) {
    mo_result result = link_constraints(&links, world, arena);
    if (result != MO_OK) {
      return result;
    }
  }
  for (uint32_t c = 0; c < MO_SUBSTEP_COLOURS; c++) {
    link_contacts(&links, pairs->colours[c].contacts, pairs->colours[c].contacts_count);
  }
  link_contacts(&links, pairs->asleep_contacts, pairs->asleep_contacts_count);
  // the root of an island is one of its bodies
  *count = 0;
  for (uint32_t i = 1; i < record->body_count; i++) {
    *count += links.is_linked[i] && links.moves[i] && mo_union_find_root(links.parents, i) == i;
  }
  return MO_OK;
}
