/// Inertia that taut joints give to the bodies of soft-step.
#pragma once

#include "solvers/soft_step/joint_groups.h"

/// Adds inertia to bodies that joints pull at so hard that they would swing about their taut
/// position faster than substeps can follow (taut_body.h). The pulls are those of the last substep,
/// from which this step starts. Contacts and joints see the same inertia: contacts are prepared
/// after this, and the joints of such bodies are weighed again. Forces, energies and the end of the
/// step keep the true one.
/// @return false without memory
bool mo_joints_stiffen(const mo_substep_joints *joints, mo_substep_solver *step);
