/// What bounces: the rebounds of a substep and their energy. Private to the contacts.
#pragma once

#include "solvers/soft_step/contacts/contact_normals.h"

/// Finds the separating speeds of points that approach fast enough, also by what other contacts
/// have done in this sweep. The forces of the substep are in the velocities already.
void mo_rebounds_find(const mo_contact_solve *solve, mo_contact_group *group);
/// Makes contacts rigid in which a point rebounds: a spring would take some of the fall.
void mo_rebounds_set_goals(mo_contact_group *group, int n, mo_normal_goals *goals);
/// Leaves an approach that this substep has not hit to the next one, in which it is an impact.
void mo_rebounds_leave_to_next(const mo_contact_solve *solve, mo_contact_group *group, int n,
                               const mo_frame_motion *m, mo_normal_goals *goals);
/// Counts the work of normal impulses that are added to a motion.
void mo_rebounds_count_work(const mo_contact_solve *solve, mo_contact_group *group,
                            const mo_frame_motion *p, mo_frame_motion m, bool relaxes);
