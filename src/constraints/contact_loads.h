/// How the load of a contact is spread over its points.
#pragma once

#include "constraints/contact.h"

/// Spreads the impulses of a sliding contact of four points as evenly as their resultant allows:
/// the least sum of squares of the normal impulses with the same sum and moments, which is what
/// points of equal compliance carry. Friction follows in proportion.
///
/// The contact laws leave that spread open, but friction on a body that slides and spins depends on
/// it. As a warm start, the even spread is what a solver stays near; without it the spread would
/// stay as uneven as some earlier step happened to leave it. A contact that sticks somewhere is
/// left alone, as there nothing depends on the spread, and so is one of which a point would pull.
void mo_contact_even_out_loads(mo_contact *contact);
