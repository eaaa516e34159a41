/// The user's function for contacts: asked once per pair of shapes and step, whichever stage finds
/// the contact first. Private to src/step.
#pragma once

#include "world/world.h"

/// Forgets the answers of the last step. Part of the beginning of a step.
void mo_step_begin_contact_function(mo_world *world);
/// Asks about a contact, or applies the answer that was given in this step: friction, restitution,
/// surface velocity and points of `contact` change, and it has no points if it is refused.
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY, or MO_ERROR_CALLBACK_FAILED with the reason recorded
mo_result mo_step_ask_contact_function(mo_world *world, mo_contact *contact);
/// Whether it was asked about the contact in this step.
bool mo_step_has_asked(const mo_world *world, uint32_t contact);
/// Whether it refused the contact between two proxies in this step.
bool mo_step_has_refused(const mo_world *world, uint32_t proxy_a, uint32_t proxy_b);
