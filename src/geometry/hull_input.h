/// Prepares the points of a hull: checks them, moves them to the origin, scales them to size 1 and
/// removes duplicates.
#pragma once

#include "math/vec3.h"
#include "moreau.h"

typedef struct mo_hull_input {
  mo_vec3 *points;   ///< (original - shift) * scale, distinct, in the order of first appearance;
                     ///< within [-1, 1]
  uint32_t *indices; ///< index of each point in the original array: the first of its duplicates
  uint32_t count;
  mo_vec3 shift;           ///< metres
  double scale;            ///< 1/m, a power of two, so that scaling is exact
  double round_off;        ///< scaled error of the original coordinates as doubles
  double single_round_off; ///< the same for single precision if all coordinates have it; otherwise
                           ///< equal to round_off
} mo_hull_input;

/// Checks and prepares the points.
/// @param[out] input freed by mo_hull_input_free; empty on error
/// @return MO_OK, MO_ERROR_OUT_OF_MEMORY, MO_ERROR_CAPACITY for more points than Qhull can count,
/// or the code of what is wrong
mo_result mo_hull_input_prepare(const mo_vec3 *points, size_t count, mo_hull_input *input);
void mo_hull_input_free(mo_hull_input *input);

/// Chooses points, each further than `distance` (scaled) from those chosen before it along at least
/// one axis.
/// @param[out] chosen memory for input->count indices into input->points
/// @param[out] count number of chosen points
/// @return MO_OK or MO_ERROR_OUT_OF_MEMORY
mo_result mo_hull_input_weld(const mo_hull_input *input, double distance, uint32_t *chosen,
                             uint32_t *count);
