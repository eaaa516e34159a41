/// The points of a hull made ready: tested, moved to the origin, scaled to size 1, without
/// duplicates.
#pragma once

#include "math/vec3.h"
#include "moreau.h"

typedef struct mo_hull_input {
  mo_vec3 *points;   ///< (original - shift) * scale, distinct, in the order of first appearance;
                     ///< within [-1, 1]
  uint32_t *indices; ///< of each point in the original array: the first of those that coincide
  uint32_t count;
  mo_vec3 shift;           ///< metres
  double scale;            ///< 1/m, a power of two, so that scaling is exact
  double round_off;        ///< what the original coordinates may be off by as doubles, scaled
  double single_round_off; ///< the same if all coordinates are single-precision numbers; else
                           ///< round_off
} mo_hull_input;

/// Tests the points and makes them ready.
/// @param[out] input to be given back with mo_hull_input_free; empty on error
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY, MO_ERROR_CAPACITY for more points than Qhull can count,
/// or the code of what is wrong
mo_result mo_hull_input_prepare(const mo_vec3 *points, size_t count, mo_hull_input *input);
void mo_hull_input_free(mo_hull_input *input);

/// Chooses points so that each is farther than `distance` (scaled) from those chosen before it,
/// along some axis at least.
/// @param[out] chosen room for input->count indices into input->points
/// @param[out] count how many were chosen
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_hull_input_weld(const mo_hull_input *input, double distance, uint32_t *chosen,
                             uint32_t *count);
