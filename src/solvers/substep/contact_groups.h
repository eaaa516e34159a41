/// Contacts of soft-step in groups of four, one per lane, and the stages of their solve. Private to
/// the solver.
///
/// Groups are walked section by section and in it colour by colour. A section holds what is between
/// bodies of one block, a run of neighbours that are few enough to stay near to the processor for
/// all of its colours; what is between blocks is in the last section. A stage is a function of a
/// range of groups. Groups of a section and a colour share no body that moves, and neither do two
/// sections but for the last, so those may run in any order or at once and give the same bits. The
/// last colour is the exception: it is all in the last section, its groups use one lane each and
/// run in order.
///
/// All geometry is frozen at the start of the step, and the separation moves linearly with the ways
/// of the bodies. Groups are read from far memory in every pass, so they hold little: each point is
/// but a place in the plane of the contact, for in the frame of a contact (contact_frame.h) all
/// that its points and its friction see of the bodies is one relative motion of six numbers.
#pragma once

#include "solvers/substep/body_lanes.h"

/// One point of each of the four contacts.
typedef struct mo_group_point {
  mo_f32x4 x, y;             ///< m, along the tangents, from the friction centre
  mo_f32x4 mass;             ///< kg, effective mass along n; 0 where there is no point
  mo_f32x4 start_separation; ///< m, at the start of the step
  mo_f32x4 separation;       ///< m, as of the last positions
  mo_f32x4 impulse;          ///< N s, of this substep
  mo_f32x4 total;            ///< N s, of the substeps before
} mo_group_point;

/// Coulomb's disc at one place of each of the four contacts.
typedef struct mo_group_disc {
  mo_f32x4 mass_11, mass_12, mass_22; ///< kg, inverse of the K of both tangents: where it sticks
  mo_f32x4 slip_mass;                 ///< kg, 1 / the largest eigenvalue of K: where it slips
  mo_f32x4 impulse_1, impulse_2;      ///< N s, of this substep, along the tangents
  mo_f32x4 total_1, total_2;          ///< N s, of the substeps so far
} mo_group_disc;

typedef struct mo_contact_group {
  uint32_t a[4], b[4];  ///< bodies, 0 in unused lanes
  uint32_t point_count; ///< slots: 1, 2 or 4
  uint32_t lanes;       ///< used ones
  uint32_t bounces;     ///< whether some point has a rebound
  uint32_t colour;
  uint32_t contacts[4]; ///< in the colour; the first one again in unused lanes
  mo_vec3x4 normal;
  mo_vec3x4 arm_a, arm_b; ///< m, of the friction centre from the centres of mass
  mo_f32x4 friction;      ///< coefficient
  mo_mass_lanes mass_a, mass_b;
  /// What a normal impulse and its torques about both tangents change of the velocity along the
  /// tangents at the centre (m/s per N s and N m s) and of the spin about the normal (rad/s).
  mo_vec3x4 normal_to_1, normal_to_2, normal_to_twist;
  mo_group_disc patch;                 ///< friction of the contact as a whole
  mo_f32x4 twist_mass;                 ///< kg m^2, about the normal; 0 with one point
  mo_f32x4 twist_to_1, twist_to_2;     ///< m/s along the tangents per N m s of twist
  mo_f32x4 twist_impulse, twist_total; ///< N m s, on B, of this substep and of those so far
  mo_group_disc *discs;                ///< per point where the settings ask for it, or null
  mo_group_point points[];             ///< point_count
  // then mo_f32x4 coupling[point_count (point_count - 1) / 2]: K of (1,0), (2,0), (2,1), (3,0) ...
  // times the mass of the first
  // then mo_f32x4 rebounds[point_count]: separating speeds that restitution asks for, m/s, or 0
  // then mo_f32x4 restitution_squared
} mo_contact_group;

/// A body's velocity without the share of contacts, from which that share follows at the end of a
/// substep; before the first one, the share itself.
typedef struct mo_substep_carry {
  float linear[4], angular[4];
} mo_substep_carry;

#define MO_SUBSTEP_CARRY_STRIDE ((uint32_t)(sizeof(mo_substep_carry) / sizeof(float)))

/// How fast a contact is pushed apart.
typedef struct mo_contact_spring {
  float push_rate; ///< 1/s, speed per metre of overlap
  float softness;  ///< share of the rigid impulse that a touching point takes
} mo_contact_spring;

/// A step of the contacts.
struct mo_contact_solve {
  const mo_substep_solver *step;
  mo_contact_group **groups;
  uint32_t
      *firsts; ///< first group of a section and a colour: [section * MO_SUBSTEP_COLOURS + colour]
  uint32_t *order;         ///< contacts of all colours, colour by colour, as the groups take them
  uint32_t block_count;    ///< of sections, less the last one
  mo_substep_carry *carry; ///< per body
  float inverse_h;         ///< 1/s, of a substep
  float warm_scale;        ///< impulse of the first substep per impulse of the last step
  float slop, push_limit, restitution_threshold;
  float friction_margin;           ///< m, separation at which a point carries no friction
  mo_contact_spring moving;        ///< of two bodies that forces move
  mo_contact_spring beside_static; ///< of one such body
};

static inline mo_f32x4 *mo_group_coupling(mo_contact_group *group) {
  return (mo_f32x4 *)(void *)&group->points[group->point_count];
}

static inline mo_f32x4 *mo_group_rebounds(mo_contact_group *group) {
  return mo_group_coupling(group) + group->point_count * (group->point_count - 1) / 2;
}

/// Takes the memory of all groups and lays them out. False without memory; the contacts are only
/// read.
bool mo_contacts_lay_out(mo_contact_solve *solve, const mo_substep_solver *step);
/// Brings contacts that lie far from where the groups take them into the order of the groups.
/// @return bits of the colours in which it did
uint32_t mo_contacts_sort(const mo_contact_solve *solve);

// --- stages: groups [first, last) ------------------------------------------------------------

/// Reads the contacts, and adds the warm start to `carry`.
void mo_contacts_prepare(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep over the normal rows, with the push that takes overlap away.
void mo_contacts_solve_biased(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// One sweep without it, over normal rows and friction: the velocities that the step ends with.
void mo_contacts_relax(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Points that were hit fast enough get their rebound.
void mo_contacts_restitute(mo_contact_solve *solve, uint32_t first, uint32_t last);
/// Writes the impulses of the step to the contacts.
void mo_contacts_store(mo_contact_solve *solve, uint32_t first, uint32_t last);
