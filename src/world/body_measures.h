/// What the engine works out of the shapes of a body and of its given mass, and the checks of both.
/// Private to src/world.
#pragma once

#include "world/world.h"

/// Why a type of body cannot have a shape that is no compound; null if it can.
const char *mo_why_no_shape(mo_body_type type, const mo_shape *shape);
/// The number of shapes that a body of these has: those of compounds count one by one.
uint32_t mo_count_parts(const mo_placed_shape *shapes, uint32_t count);
/// Writes them: as many as mo_count_parts says. No reference is taken.
void mo_write_parts(const mo_placed_shape *shapes, uint32_t count, mo_placed_shape *parts);

/// Memory for shapes and, behind them, their proxies; mo_release frees it. Null without memory.
mo_placed_shape *mo_allocate_shapes(uint32_t count);
/// A copy of a shape of the user's, with the body's density and sensor flag where it has none.
mo_placed_shape mo_complete_shape(const mo_placed_shape *given, double density, bool is_sensor);
/// Checks a shape for a body of that type.
mo_result mo_check_placed_shape(mo_world *world, const char *function, mo_body_type type,
                                const mo_placed_shape *placed);
/// The mass of shapes with their densities, where `given` does not say that `values` has it.
mo_mass mo_body_mass_of(mo_given_mass given, const mo_mass *values, const mo_placed_shape *shapes,
                        uint32_t count);
/// Checks what the checks of single numbers cannot: the product of density and volume may overflow
/// or vanish.
mo_result mo_check_body_mass(mo_world *world, const char *function, mo_body_type type,
                             const mo_mass *mass);
/// The same for the sum of finite positions, and their distance.
mo_result mo_check_extent(mo_world *world, const char *function, const mo_motion *motion,
                          double radius);
/// Radius, m, of a ball about the centre of mass that contains all shapes with bounds.
double mo_body_bounding_radius(const mo_placed_shape *shapes, uint32_t count,
                               mo_vec3 center_of_mass);
/// Sets what follows from the shapes of a body and its centre of mass: to be called after any of
/// them changed, as a body that comes from bytes has it anew.
void mo_body_measure(mo_body *body);
/// Whether single precision cannot hold the body's contacts.
bool mo_body_needs_double(const mo_body *body);
/// Whether the body may ask for another solver than the world's.
bool mo_body_may_override(const mo_body *body);
/// Updates which solvers a body can have, after its mass or size changed.
void mo_world_update_solver(mo_world *world, uint32_t slot);
/// Updates what depends on the masses of bodies: their bounds, and springs of joints.
void mo_world_note_mass(mo_world *world, const mo_body *body);
/// The first part of that.
void mo_world_note_mass_bounds(mo_world *world, const mo_body *body);
