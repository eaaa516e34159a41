/// An allocator that fails when it is told to, and beyond a bound that keeps the machine usable.
#pragma once

#include <stdbool.h>
#include <stdint.h>

/// Takes the place of malloc in the engine.
void failing_allocator_install(void);
/// The allocation after `count` others fails; `is_lasting`: and all after it, until it is disarmed.
void failing_allocator_arm(uint32_t count, bool is_lasting);
void failing_allocator_disarm(void);
