/// How stiff contacts and joints can be in a substep.
#pragma once

#include "solvers/soft_step/substep.h"

/// 1/s: the highest contact_hertz that takes effect with a damping ratio in substeps of h seconds.
double mo_substep_most_contact_hertz(double damping, double h);
/// 1/s: the highest joint_hertz that takes effect in substeps of h seconds.
double mo_substep_most_joint_hertz(double h);

/// 1/s: the frequency of the contacts of a step, in substeps of h seconds.
double mo_substep_contact_hertz(const mo_substep_settings *settings, double h);
