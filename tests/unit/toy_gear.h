/// The types of the toy constraints, which follow those of the engine, and the class of the gear.
#pragma once

#include "constraints/constraint.h"

#define PARALLEL ((mo_constraint_type)40)
#define TOY_GEAR ((mo_constraint_type)41)

extern const mo_constraint_class toy_gear_class;
