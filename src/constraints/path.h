/// What only paths have. Private to src/constraints.
#pragma once

#include "constraints/constraint.h"

/// Keeps the limits of a path's coordinate within its ends, if it has any.
void mo_path_limit(const mo_constraint *path, mo_coordinate_drive *drive);
