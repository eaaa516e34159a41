/// Channels: what single numbers of the arrays of a batch are about, and how they get into a world
/// and out of it. Private to src/batch.
#pragma once

#include "world/world.h"

/// The most numbers of a channel.
#define MO_CHANNEL_NUMBERS 4

/// What moves when the coordinate of a hinge or slider is set: the bodies on one side of the joint.
typedef struct mo_channel_side {
  uint32_t *slots; ///< owned
  uint32_t count;
  double sign; ///< 1: the side of B; -1: that of A
} mo_channel_side;

typedef struct mo_channel {
  mo_batch_channel def;
  uint32_t first; ///< its first number in a row
  uint32_t size;
  mo_channel_side side; ///< of a coordinate or rate that is set
} mo_channel;

/// Channels of one array, and the array.
typedef struct mo_channel_list {
  mo_channel *channels;
  uint32_t count;
  uint32_t row_size;
  double *numbers; ///< a row per world
} mo_channel_list;

/// Takes the channels of a definition, checked against the template. An empty list may be null.
/// @param list which array they are for
mo_result mo_channels_init(mo_channel_list *out, mo_world *template_world, mo_batch_list list,
                           const mo_batch_channel *defs, uint32_t count);
void mo_channels_free(mo_channel_list *list);

/// Writes what a world shows into a row; NaN where a body or joint is gone.
void mo_channels_observe(const mo_channel_list *list, mo_world *world, double *row);
/// Applies a row of actions before the first step of a call, or before a later one, which only
/// forces need.
/// @return MO_OK, or the refusal, recorded in the world
mo_result mo_channels_act(const mo_channel_list *list, mo_world *world, const double *row,
                          bool is_first);
/// Drops the forces on all bodies on which a channel acts.
void mo_channels_clear_forces(const mo_channel_list *list, mo_world *world);
/// Writes a row of starts into a world that is as the template: what differs from `usual`.
mo_result mo_channels_start(const mo_channel_list *list, mo_world *world, const double *row,
                            const double *usual);

/// Records that a channel is refused, as "function: list[index].member must, got value".
mo_result mo_channel_refuse(mo_world *world, mo_result result, const char *function,
                            mo_batch_list list, uint32_t index, const char *member,
                            const char *must, double got);

// --- joint_side.c ----------------------------------------------------------------------------

/// Finds the bodies that move with a coordinate.
/// @return MO_OK; MO_ERROR_INVALID_ARGUMENT with *must saying what joints can do that;
/// MO_ERROR_OUT_OF_MEMORY
mo_result mo_joint_side_find(const mo_world *world, mo_constraint_id joint, mo_channel_side *out,
                             const char **must);
/// Moves them, so that the coordinate has a value, and its rate stays.
mo_result mo_joint_side_place(mo_world *world, const mo_channel *channel, double value);
/// Changes their velocities, so that the coordinate has a rate.
mo_result mo_joint_side_speed(mo_world *world, const mo_channel *channel, double rate);

// --- pressing.c ------------------------------------------------------------------------------

/// Whether contacts pressed against a body in the last step, and their force on it, N, world.
/// @param other MO_NO_SLOT: any other body
bool mo_body_is_pressed(const mo_world *world, uint32_t slot, uint32_t other, mo_vec3 *force);
