/// A character on its way: the parts of a move share this.
#pragma once

#include "report/nearby.h"

typedef struct mo_mover {
  mo_world *world;
  const mo_character_def *def;
  mo_character *character;
  mo_character_contacts *contacts; ///< may be null
  mo_vec3 up;                      ///< unit
  double climb, stand;             ///< cosines: of the slope limit and of the slide angle
  double dt;                       ///< s
  mo_body_id carrier;              ///< a body that does not stop it at present; null: none
  mo_nearby nearby;                ///< what it can meet
  double metre;                    ///< mo_world_metre
  double margin;                   ///< m: how far from where it starts its casts lead
} mo_mover;

/// The ground under a character.
typedef struct mo_support {
  mo_query_hit hit;
  mo_vec3 normal; ///< of the surface beside an edge, where the shape stands on one
  double height;  ///< m, of that surface along up
} mo_support;

static inline double mo_mover_height(const mo_mover *mover, mo_vec3 v) {
  return mo_dot(mover->up, v);
}
static inline mo_vec3 mo_mover_horizontal(const mo_mover *mover, mo_vec3 v) {
  return mo_add_scaled(v, -mo_mover_height(mover, v), mover->up);
}

// Cosine: where a surface is met at a smaller angle the gap may become smaller than the offset,
// because a stop at the whole offset would be far in front of it.
#define MO_GRAZING_SLOPE 0.25
/// The cosine between up and a normal, for the distance along up that the offset takes.
static inline double mo_mover_slope(const mo_mover *mover, mo_vec3 normal) {
  return mo_max(mo_mover_height(mover, normal), MO_GRAZING_SLOPE);
}

/// The height of the lowest point of the shape along up, m.
double mo_mover_foot(const mo_mover *mover, const mo_shape *shape);
/// Moves along a line up to `length` metres, and stops where the gap to something is the offset.
/// @param direction unit
/// @param[out] hit what stopped it; a null body: nothing did
/// @return m: how far it went
double mo_mover_advance(mo_mover *mover, mo_vec3 direction, double length, mo_query_hit *hit);
/// Looks down by up to `reach` metres.
/// @return whether there is something
bool mo_mover_look_down(mo_mover *mover, double reach, mo_support *support);
/// The surface that a hit is on. Where the shape stands on an edge, the surface behind the edge is
/// looked for, because the normal of an edge says nothing of its slope.
mo_support mo_mover_support(mo_mover *mover, const mo_query_hit *hit);
/// Pushes it out of everything that it overlaps.
void mo_mover_leave_overlaps(mo_mover *mover);
/// Pushes a dynamic body that is in the way.
/// @param velocity m/s, of the character towards it
void mo_mover_push(mo_mover *mover, const mo_query_hit *hit, mo_vec3 velocity);
/// Slides along walls, and up slopes and steps.
/// @param climbs whether it may step up
void mo_mover_walk(mo_mover *mover, mo_vec3 displacement, bool climbs);
/// Falls or rises, and slides down what is too steep to stand on.
void mo_mover_fall(mo_mover *mover, mo_vec3 displacement);
/// Lists a contact.
void mo_mover_touch(mo_mover *mover, const mo_query_hit *hit);
