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

#include "solvers/substep/body_lanes.h"

/// One point of each of the four contacts.
typedef struct mo_group_point {
  mo_f32x4 x, y;             ///< m, along the tangents, from the friction centre
  mo_f32x4 mass;             ///< kg, effective mass along n; 0 for no point
  mo_f32x4 start_separation; ///< m, at the start of the step
  mo_f32x4 separation;       ///< m, at the last update of positions
  mo_f32x4 impulse;          ///< N s, of this substep
  mo_f32x4 total;            ///< N s, of the earlier substeps
} mo_group_point;

/// The friction disc of Coulomb's law at one place of each of the four contacts.
typedef struct mo_group_disc {
  mo_f32x4 mass_11, mass_12, mass_22; ///< kg, inverse of the K of both tangents, for sticking
  mo_f32x4 slip_mass;                 ///< kg, 1 / the largest eigenvalue of K, for slipping
  mo_f32x4 impulse_1, impulse_2;      ///< N s, of this substep, along the tangents
  mo_f32x4 total_1, total_2;          ///< N s, of the substeps so far
} mo_group_disc;

typedef struct mo_contact_group {
  uint32_t a[4], b[4];  ///< bodies, 0 in unused lanes
  uint32_t point_count; ///< slots: 1, 2 or 4
  uint32_t lanes;       ///< used ones
  uint32_t bounces;     ///< whether some point rebounds
  uint32_t colour;
  uint32_t contacts[4]; ///< index in the colour; unused lanes repeat the first
  mo_vec3x4 normal;
  mo_vec3x4 arm_a, arm_b; ///< m, of the friction centre from the centres of mass
  mo_f32x4 friction;      ///< coefficient
  mo_mass_lanes mass_a, mass_b;
  /// Changes of the velocity along the tangents at the centre (m/s per N s and N m s), and of the
  /// spin about the normal (rad/s), by a normal impulse and its torques about both tangents.
  mo_vec3x4 normal_to_1, normal_to_2, normal_to_twist;
  mo_group_disc patch;                 ///< friction of the contact as a whole
  mo_f32x4 twist_mass;                 ///< kg m^2, about the normal; 0 with one point
  mo_f32x4 twist_to_1, twist_to_2;     ///< m/s along the tangents per N m s of twist
  mo_f32x4 twist_impulse, twist_total; ///< N m s, on B, of this substep and of those so far
  mo_group_disc *discs;                ///< per point, if the settings ask for it; or null
  mo_group_point points[];             ///< point_count
  // then mo_f32x4 coupling[point_count (point_count - 1) / 2]: K of (1,0), (2,0), (2,1), (3,0) ...
  // times the mass of the first
  // then mo_f32x4 rebounds[point_count]: separating speeds that restitution asks for, m/s, or 0
  // then mo_f32x4 restitution_squared
} mo_contact_group;

/// A body's velocity without the part from contacts; at the end of a substep that part is the
/// difference. Before the first substep it is the part itself.
typedef struct mo_substep_carry {
  float linear[4], angular[4];
} mo_substep_carry;

#define MO_SUBSTEP_CARRY_STRIDE ((uint32_t)(sizeof(mo_substep_carry) / sizeof(float)))

/// The spring of a contact.
typedef struct mo_contact_spring {
  float push_rate; ///< 1/s, speed per metre of overlap
  float softness;  ///< fraction of the rigid impulse by which a touching point yields
} mo_contact_spring;

/// The contacts of a step.
struct mo_contact_solve {
  const mo_substep_solver *step;
  mo_contact_group **groups;
  uint32_t *firsts;     ///< first group per [section * MO_SUBSTEP_COLOURS + colour]
  uint32_t *order;      ///< contacts of all colours, colour by colour, in the order of the groups
  uint32_t block_count; ///< sections, without the last one
  mo_substep_carry *carry; ///< per body
  float inverse_h;         ///< 1/s, of a substep
  float warm_scale;        ///< first substep's impulse per impulse of the last step
  float slop, push_limit, restitution_threshold;
  float friction_margin;           ///< m, separation at which a point carries no friction
  mo_contact_spring moving;        ///< for two bodies that forces move
  mo_contact_spring beside_static; ///< for one such body
};

static inline mo_f32x4 *mo_group_coupling(mo_contact_group *group) {
  return (mo_f32x4 *)(void *)&group->points[group->point_count];
}

static inline mo_f32x4 *mo_group_rebounds(mo_contact_group *group) {
  return mo_group_coupling(group) + group->point_count * (group->point_count - 1) / 2;
}

/// Allocates and lays out all groups; the contacts are only read. Returns false without memory.
bool mo_contacts_lay_out(mo_contact_solve *solve, const mo_substep_solver *step);
/// Sorts contacts into the order of the groups where they lie far from it.
/// @return bits of the colours that it sorted
uint32_t mo_contacts_sort(const mo_contact_solve *solve);

// --- stages: groups [first, last) ------------------------------------------------------------

/// Reads the contacts, and adds the impulses of the warm start to `carry`.
void mo_contacts_prepare(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep over the normal rows, with the bias that removes overlap.
void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep without bias, over normal rows and friction. It gives the velocities at the end.
void mo_contacts_relax(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Makes points rebound that were hit fast enough.
void mo_contacts_restitute(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Writes the impulses of the step to the contacts.
void mo_contacts_store(mo_contact_solve *solve, uint32_t first, uint32_t last);
