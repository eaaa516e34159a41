/// Closing what contacts have opened: joints and contacts are solved in turn until both hold.
/// Private to soft-step.
///
/// The limb that meets the ground is light, and the body that comes after it is not. So a sweep
/// over the contacts opens joints, and closing these presses into the contacts. A round takes away
/// about as much of the rest as the limb's mass is of the others', and what is left adds up over
/// the substeps: with 4 rounds, ragdolls land with joints open by 6 to 10 mm, and figures at rest
/// shake where these leave off. So there are as many as it takes, but they visit only what touches
/// a body that has changed.
#pragma once

#include "solvers/soft_step/substep.h"

struct mo_substep_joint_groups;

/// Lists joints and contacts by their bodies, in step->closing, for all substeps. Returns false
/// without memory.
bool mo_joint_closing_make(mo_substep_solver *step, const struct mo_substep_joint_groups *joints);
/// Runs the rounds after a pass over all joints that has noted in step->stirred whose velocities it
/// has changed. The carry of the contacts lacks the velocities, as before a pass over joints.
void mo_joint_closing_run(mo_joint_closing *closing);
