/*
 * Hashes of what a step made: 64-bit FNV-1a (Fowler, Noll, Vo) over the bytes of doubles, as
 * tests/golden/hash.mjs has it. They are the tests' own, so that they outlive changes of what
 * mo_world_hash covers.
 */
#pragma once

#include "moreau.h"

#include <stdlib.h>
#include <string.h>

#define FNV_START 0xcbf29ce484222325u
#define FNV_PRIME 0x100000001b3u

/* The bytes of `count` doubles, the lowest of each first. */
static uint64_t hash_doubles(uint64_t hash, const double *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &numbers[i], sizeof bits);
    for (int shift = 0; shift < 64; shift += 8) {
      hash = (hash ^ ((bits >> shift) & 0xFF)) * FNV_PRIME;
    }
  }
  return hash;
}

/* Poses of all bodies, then velocities of all bodies. */
static uint64_t hash_motion(const mo_world *world) {
  size_t count = 8 * (size_t)mo_world_slot_count(world);
  uint64_t hash = hash_doubles(FNV_START, mo_world_transforms64(world), count);
  return hash_doubles(hash, mo_world_velocities(world), count);
}

/* Contact points: position, normal, separation, impulses. Does not return without memory. */
static uint64_t hash_contacts(mo_world *world) {
  uint32_t count = mo_world_contact_point_count(world);
  mo_contact_point *points = calloc(count ? count : 1, sizeof *points);
  if (!points) {
    abort();
  }
  mo_world_contact_points(world, points, count);
  uint64_t hash = FNV_START;
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_point *p = &points[i];
    const double numbers[] = {p->position.x,        p->position.y,       p->position.z,
                              p->normal.x,          p->normal.y,         p->normal.z,
                              p->separation,        p->normal_impulse,   p->tangent_impulse.x,
                              p->tangent_impulse.y, p->tangent_impulse.z};
    hash = hash_doubles(hash, numbers, sizeof numbers / sizeof numbers[0]);
  }
  free(points);
  return hash;
}
