/// The distribution of a contact's load over its points.
#pragma once

#include "constraints/contact.h"

/// Distributes the impulses of a sliding contact of four points as evenly as their resultant
/// allows. The normal impulses get the least sum of squares with the same sum and moments, which is
/// how points of equal compliance carry. Friction follows in proportion.
///
/// The contact laws leave this distribution open, but friction on a body that slides and spins
/// depends on it. A solver stays near its warm start, so the even distribution is the warm start;
/// otherwise the distribution of some earlier step would remain. Nothing is changed if a point
/// sticks, because nothing depends on the distribution then, or if a point would pull.
void mo_contact_even_out_loads(mo_contact *contact);
