/// Contacts whose surfaces move, resist rolling and spinning, or turn together. Private to the
/// solver.
///
/// Few contacts do, so what they need is beside the groups: a group has a number, and 0 is none.
/// Rolling and spinning friction are torques on the spin of B relative to A, in the plane of the
/// contact and about its normal, that are bounded by lengths times the normal impulse.
#pragma once

#include "solvers/soft_step/contacts/friction_patch.h"

/// What four contacts have of it. Lanes without have zeros.
struct mo_contact_surface {
  uint32_t items[4];          ///< one more than the index in the step's list; 0: none
  mo_f32x4 slide_1, slide_2;  ///< m/s: the surface of B relative to that of A, along the tangents
  mo_f32x4 rolling, spinning; ///< m
  mo_slipping_point roll;     ///< with kg m^2: of torques about t1 and t2
  mo_f32x4 spin_mass;         ///< kg m^2, the inverse of K of the torque about n
  /// m along n, t1 and t2, for the start of each substep and the end of the step: what the rows
  /// leave out of the way of B relative to A (mo_substep_surface). Null: nothing.
  mo_vec3x4 *bends;
  mo_f32x4 load;            ///< N s: normal impulses that bore the bodies in the last substep
  mo_vec3x4 impulse, total; ///< N m s about t1, t2 and n, on B, of this substep and so far
};

/// Gives numbers to the groups whose contacts are in the step's list. Returns false without memory.
bool mo_contact_surfaces_find(mo_contact_solve *solve);
/// Prepares a group that has a number, and adds the impulses of the warm start to the carry.
/// @param k of torques about t1 and t2 (xx, yy, xy) and about n (zz)
void mo_contact_surface_prepare(const mo_contact_solve *solve, mo_contact_group *group,
                                const mo_frame_axes *f, const mo_symmetric_lanes *k);
/// One step of rolling and spinning friction, before that of the contact, which makes bodies roll
/// again. Its loads are those of the last substep: those of a sweep with springs are another ones.
void mo_contact_surface_resist(const mo_contact_solve *solve, mo_contact_group *group);
/// Takes the normal impulses of a relaxed group as the loads of the next substep.
void mo_contact_surface_take_load(const mo_contact_solve *solve, const mo_contact_group *group);
/// Writes the impulses to the step's list.
void mo_contact_surfaces_store(const mo_contact_solve *solve);
