/// The contacts of soft-step about which the user's function is asked. Private to src.
#pragma once

#include "world/world.h"

/// Asks about all contacts in the colours, in the order of their bodies. Those that are refused
/// leave the colours for this step; the bodies of the others wake.
mo_result mo_soft_contacts_ask(mo_world *world);
