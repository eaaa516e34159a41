/// Islands: bodies that are linked by constraints, found by union-find (Tarjan 1975).
#pragma once

#include <stdint.h>

/// Each body an island of its own.
void mo_union_find_reset(uint32_t *parents, uint32_t count);
/// The name of a body's island: its member of the lowest index.
uint32_t mo_union_find_root(uint32_t *parents, uint32_t body);
/// Makes one island of two.
void mo_union_find_join(uint32_t *parents, uint32_t body_a, uint32_t body_b);
