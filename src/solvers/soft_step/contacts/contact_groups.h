/// Contacts of soft-step in groups of four, one per lane, and the stages of their solve. Private to
/// the solver.
///
/// Groups are visited section by section, and in each section colour by colour. A section holds the
/// contacts between bodies of one block: neighbouring bodies, few enough to stay in the cache
/// through all of its colours. Contacts between blocks are in the last section. A stage is a
/// function of a range of groups. Groups of one section and one colour share no moving body, and no
/// two sections do except the last, so they may run in any order or at once and give the same bits.
/// The last colour is the exception: all of it is in the last section, its groups use one lane
/// each, and they run in order.
///
/// All geometry is frozen at the start of the step, and separations change linearly with the
/// displacements of the bodies. Every pass reads the groups from main memory, so they are small: a
/// point is only a position in the contact plane, because in the frame of a contact
/// (contact_frame.h) the relative motion of the bodies is six numbers for all of its points and its
/// friction.
#pragma once

#include "solvers/soft_step/body_lanes.h"
#include "solvers/soft_step/factor_lanes.h"

/// One point of each of the four contacts.
typedef struct mo_group_point {
  mo_f32x4 x, y;             ///< m, along the tangents, from the friction centre
  mo_f32x4 mass;             ///< kg, effective mass along n; 0 for no point
  mo_f32x4 start_separation; ///< m, at the start of the step
  mo_f32x4 separation;       ///< m, at the last update of positions
  mo_f32x4 impulse;          ///< N s, of this substep
  mo_f32x4 total;            ///< N s, of the earlier substeps
} mo_group_point;

/// Friction of each of the four contacts as a whole, at the friction centre.
typedef struct mo_friction_patch {
  mo_factor_lanes mass; ///< of K of the tangents t1, t2 and of the twist about the normal
  mo_f32x4 slip_mass;   ///< kg, the inverse of the largest eigenvalue of K of the tangents
  /// N s along t1 and t2 and N m s about the normal, on B, of this substep and of those so far.
  mo_vec3x4 impulse, total;
} mo_friction_patch;

/// Of the bodies of four contacts.
typedef struct mo_frame_masses {
  mo_mass_lanes a, b;
} mo_frame_masses;

typedef struct mo_contact_group {
  uint32_t a[4], b[4];  ///< bodies, 0 in unused lanes
  uint16_t point_count; ///< slots: 1, 2 or 4
  uint16_t lanes;       ///< used ones
  uint32_t surface;     ///< 0; or the number of its mo_contact_surface
  bool bounces;         ///< whether some contact has restitution
  bool strikes;         ///< whether some point of those rebounds in this substep, if it is hit
  bool is_carried;      ///< by a kinematic body that accelerates
  bool starts_open;     ///< no point carried load in the last step
  uint32_t colour;
  uint32_t contacts[4]; ///< index in the colour; unused lanes repeat the first
  mo_vec3x4 normal;
  mo_vec3x4 arm_a, arm_b; ///< m, of the friction centre from the centres of mass
  mo_f32x4 friction;      ///< coefficient
  mo_frame_masses masses;
  /// Changes of the velocity along the tangents at the centre (m/s per N s and N m s), and of the
  /// spin about the normal (rad/s), by a normal impulse and its torques about both tangents.
  mo_vec3x4 normal_to_1, normal_to_2, normal_to_twist;
  mo_friction_patch patch;
  mo_group_point points[]; ///< point_count
  // then mo_normal_block, for several points
  // then mo_group_rebound
} mo_contact_group;

/// What the normals of several points have in common. Their points lie in a plane, so the normal
/// impulses p_i act by three numbers only, the wrench sum of p_i (1, y_i, -x_i) along the normal
/// and about both tangents. It changes the motion in these three by K times it.
typedef struct mo_normal_block {
  mo_symmetric_lanes k; ///< 1/kg, 1/(kg m), 1/(kg m^2)
  mo_symmetric_lanes inverse_k;
  /// Of P = sum of m_i g_i g_i^T with the points' effective masses m_i and g_i = (1, y_i, -x_i).
  /// Its first number is 0 if the points are fewer than three or lie on a line, or if k is
  /// singular: then the points are not solved together.
  mo_symmetric_lanes inverse_places;
  mo_symmetric_lanes inverse_soft; ///< of P + c k^-1, where c is the compliance of the spring
} mo_normal_block;

/// Impacts of contacts with restitution in a substep.
typedef struct mo_group_rebound {
  mo_f32x4 restitution;
  mo_f32x4 work;     ///< J, of the normal impulses of this substep on what strikes
  mo_f32x4 speeds[]; ///< m/s, per point: separating speeds that restitution asks for, or 0
} mo_group_rebound;

/// A body's velocity without the part from contacts; at the end of a substep that part is the
/// difference. Before the first substep it is the part itself.
typedef struct mo_substep_carry {
  float linear[4], angular[4];
} mo_substep_carry;

/// Adds `sign` times the velocities of a body to its carry.
static inline void mo_carry_velocities(mo_substep_carry *carry, const mo_solver_body *body,
                                       float sign) {
  mo_f32x4 by = mo_f32x4_splat(sign);
  mo_f32x4_store(carry->linear,
                 mo_f32x4_load(carry->linear) + by * mo_f32x4_load(body->linear_velocity));
  mo_f32x4_store(carry->angular,
                 mo_f32x4_load(carry->angular) + by * mo_f32x4_load(body->angular_velocity));
}

/// A body's velocity with the forces of the first substep and half of the warm start: by it the
/// impulses of the warm start do their work.
typedef struct mo_substep_mean {
  float linear[4], angular[4];
} mo_substep_mean;

/// The spring of a contact.
typedef struct mo_contact_spring {
  float push_rate;  ///< 1/s, speed per metre of overlap
  float softness;   ///< fraction of the rigid impulse that a touching point keeps
  float compliance; ///< of a point, per 1 / its effective mass: 1 / softness - 1
  float stiffness;  ///< 1 / compliance
} mo_contact_spring;

typedef struct mo_contact_surface mo_contact_surface;

/// The contacts of a step.
struct mo_contact_solve {
  const mo_substep_solver *step;
  mo_contact_group **groups;
  uint32_t *firsts;     ///< first group per [section * MO_SUBSTEP_COLOURS + colour]
  uint32_t *colours;    ///< per section: a bit for each colour with groups, without the last one
  uint32_t *order;      ///< contacts of all colours, colour by colour, in the order of the groups
  uint32_t block_count; ///< sections, without the last one
  mo_substep_carry *carry;      ///< per body
  mo_substep_mean *means;       ///< per body
  bool *is_thrown;              ///< per body: the warm start would throw it off a contact
  _Atomic bool throws;          ///< whether some body is
  float parting_speed;          ///< m/s: what parts faster has no load
  uint32_t substep;             ///< the present one, from 0 on
  float inverse_h;              ///< 1/s, of a substep
  float warm_scale;             ///< first substep's impulse per impulse of the last step
  mo_contact_surface *surfaces; ///< by the numbers of groups, from 1 on; or null
  float push_limit, restitution_threshold;
  float friction_margin;    ///< m, separation at which a point carries no friction
  mo_contact_spring spring; ///< of points that touch
  _Atomic bool bounces;     ///< whether some group does
};

/// The block of a group of several points.
static inline mo_normal_block *mo_group_normals(mo_contact_group *group) {
  return (mo_normal_block *)(void *)&group->points[group->point_count];
}

static inline mo_group_rebound *mo_group_rebound_of(mo_contact_group *group) {
  mo_normal_block *normals = mo_group_normals(group);
  return (mo_group_rebound *)(void *)(group->point_count > 1 ? normals + 1 : normals);
}

/// N s: the normal impulses of all points.
static inline mo_f32x4 mo_group_load(const mo_contact_group *group) {
  mo_f32x4 load = mo_f32x4_zero();
  for (uint32_t i = 0; i < group->point_count; i++) {
    load += group->points[i].impulse;
  }
  return load;
}

/// The number of groups: the first one after the last section.
static inline uint32_t mo_contacts_group_count(const mo_contact_solve *solve) {
  return solve->firsts[(size_t)(solve->block_count + 1) * MO_SUBSTEP_COLOURS];
}

/// Allocates and lays out all groups; the contacts are only read. Returns false without memory.
bool mo_contacts_lay_out(mo_contact_solve *solve, const mo_substep_solver *step);
/// Sorts contacts into the order of the groups where they lie far from it.
/// @return bits of the colours that it sorted
uint32_t mo_contacts_sort(const mo_contact_solve *solve);

/// Leaves to the next step only loads, before the contact gets the impulses of this one. An
/// impact's impulse acts once: applied again, it would throw up what it has just stopped, and its
/// friction would turn it. What tells a load is that it lasts: the contact carried as much in the
/// earlier substeps, and in the step before; or it stopped nothing, because it was just put on.
/// @param before mo_group_load_before
void mo_group_forget_impacts(const mo_contact_solve *solve, mo_contact_group *group,
                             mo_f32x4 before);
/// What the contacts carried in the last step, N s per substep of this one.
mo_f32x4 mo_group_load_before(const mo_contact_solve *solve, const mo_contact_group *group);

/// Sets the mean of a body, once `carry` has the warm start.
void mo_mean_start(const mo_contact_solve *solve, uint32_t body);

// --- stages: groups [first, last) ------------------------------------------------------------

/// Reads the contacts, and adds the impulses of the warm start to `carry`.
void mo_contacts_prepare(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Marks the bodies that the impulses from which the step starts would throw apart, by `means`.
/// Contacts without restitution do no positive work: what carries load does not part. After a jam
/// that lasted for some steps, bodies part already, and the impulses that stopped them are no guess
/// of any load; the sweeps of a substep would take only a part of what these give back.
void mo_contacts_find_thrown(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Lets all contacts of these bodies start without impulses: of what squeezes a body, one side
/// alone would throw it.
void mo_contacts_start_cold(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep over the normal rows, with the bias that removes overlap.
void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// The same for what is carried, with friction.
void mo_contacts_solve_carried(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep without bias, over normal rows and friction. It gives the velocities at the end.
void mo_contacts_relax(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Makes points rebound that were hit fast enough in this substep.
void mo_contacts_restitute(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Writes the impulses of the step to the contacts, and forgets impacts.
void mo_contacts_store(mo_contact_solve *solve, uint32_t first, uint32_t last);
