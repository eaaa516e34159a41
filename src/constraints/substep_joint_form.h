/// Constraints in the form of substep_joint.h, and the way back for their impulses.
#pragma once

#include "constraints/constraint.h"
#include "constraints/substep_joint.h"

/// Whether a constraint has that form: joints and distances without springs of their own.
bool mo_constraint_has_substep_form(const mo_constraint *constraint);

/// The number of coordinates of its joint: 0 to MO_SUBSTEP_FORM_COORDINATES.
uint32_t mo_constraint_substep_coordinates(const mo_constraint *constraint);

/// Writes the joint of a constraint that has this form.
/// @param at the start of the step
/// @param bodies A and B; read if the constraint arrives (mo_constraint_arrives)
/// @param center_a, center_b centres of mass in the bodies' frames, zero for the world
/// @param[out] coordinates of the joint, which gives their number
mo_substep_joint mo_constraint_substep_joint(const mo_constraint *constraint,
                                             const mo_constraint_place *at,
                                             const mo_row_body bodies[MO_ROW_SIDES],
                                             const mo_constraint_settings *settings,
                                             mo_vec3 center_a, mo_vec3 center_b,
                                             mo_substep_coordinate *coordinates);

/// Sets the drives of a joint's coordinates to those that the constraint has now. Which of them
/// there are must not have changed.
void mo_constraint_refresh_drives(const mo_constraint *constraint, const mo_constraint_place *at,
                                  const mo_row_body bodies[MO_ROW_SIDES],
                                  const mo_constraint_settings *settings,
                                  mo_substep_coordinate *coordinates);

/// Keeps the impulses of soft-step's step in the order of the constraint's own rows, to first order
/// in angular errors. The turns of hinges are counted as for every solver, by `coordinate` of the
/// class at the new poses.
/// @param orientation_a of body A at the start of the step; null for a ball
/// @param coordinates of the joint; null for a ball
void mo_constraint_take_substep_impulses(mo_constraint *constraint, const mo_substep_joint *joint,
                                         const mo_substep_coordinate *coordinates,
                                         const mo_quat *orientation_a);
