/// Line segments with colours, written to the arrays of a caller as far as they have room, and
/// counted beyond. Private to src/report.
#pragma once

#include "moreau.h"

typedef struct mo_line_list {
  mo_debug_lines lines;
  float color[4]; ///< of the lines that follow
} mo_line_list;

/// Adds a line in the present colour.
void mo_line_list_add(mo_line_list *list, mo_vec3 from, mo_vec3 to);

/// Adds the axes of a frame, red, green and blue, `length` metres each. The colour stays.
void mo_line_list_add_axes(mo_line_list *list, mo_vec3 origin, mo_quat orientation, double length);

static inline void mo_line_list_set_color(mo_line_list *list, const float color[4]) {
  for (int i = 0; i < 4; i++) {
    list->color[i] = color[i];
  }
}
