/// Islands: bodies that are linked by constraints, found by union-find (Tarjan 1975).
#pragma once

#include <stdint.h>

/// Makes each body an island of its own.
void mo_union_find_reset(uint32_t *parents, uint32_t count);
/// The name of a body's island: the lowest index among its members.
uint32_t mo_union_find_root(uint32_t *parents, uint32_t body);
/// Joins two islands.
void mo_union_find_join(uint32_t *parents, uint32_t body_a, uint32_t body_b);
