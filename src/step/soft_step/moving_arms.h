/// Contacts that go round on their bodies as these roll. Private to src/step/soft_step.
///
/// The rows of what rolls have the arms r of one time t' in the step (look_ahead.h). At the time t
/// the place of contact on a body has the arm r + (t - t') r', so that its velocity is
///
///     v + w x (r + (t - t') r')
///
/// to first order. Rows at frozen arms leave out the last part, of the acceleration w x r'. They
/// ask for no approach and for no slip a part of the step too early or too late, and the load does
/// work on that: a coin that spins on its rim loses its height. So these rows add the part of the
/// middle of each substep (the midpoint rule: Hairer, Lubich and Wanner, Geometric Numerical
/// Integration, 2006, section II.1). r' is found by comparing shapes in successive steps. It is 0
/// for what rolls straight on, as a ball and a wheel do. All this is of first order in the turn of
/// a step, and what turns by more would gain energy. So it goes without.
#pragma once

#include "step/soft_step/soft_contacts.h"

/// Renews a contact (mo_soft_contact_renew) from a comparison `lead` seconds ahead, 0 for one of
/// now. Returns w x r' of B less that of A, m/s^2, world: zero if it is small beside gravity, if a
/// body turns too far in a step, or if the contact did not carry a load all through the last step,
/// as what an impact has just stopped does not roll yet.
mo_vec3 mo_moving_arms_renew(const mo_world *world, const mo_contact_reach *reach, double lead,
                             const mo_manifold *manifold, mo_substep_contact *contact);
/// Adds one that is not zero to the step's list. Returns false without memory.
bool mo_moving_arms_note(mo_world *world, mo_moving_arm **list, uint32_t contact,
                         mo_vec3 acceleration);
/// m, world: what the rows leave out of the way of the place of B relative to A until the start of
/// each substep and the end of the step, three numbers each (mo_substep_surface). Null without
/// memory.
const float *mo_moving_arm_ways(const mo_soft_step *s, mo_vec3 acceleration);
