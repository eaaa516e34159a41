#include "report/line_list.h"

#include "math/quat.h"

static void put_end(const mo_line_list *list, uint32_t end, mo_vec3 at) {
  float *color = list->lines.colors + 4 * (size_t)end;
  mo_v3_to_floats(at, list->lines.vertices + 3 * (size_t)end);
  for (int i = 0; i < 4; i++) {
    color[i] = list->color[i];
  }
}

void mo_line_list_add(mo_line_list *list, mo_vec3 from, mo_vec3 to) {
  if (list->lines.count < list->lines.capacity) {
    put_end(list, 2 * list->lines.count, from);
    put_end(list, 2 * list->lines.count + 1, to);
  }
  list->lines.count++;
}

void mo_line_list_add_axes(mo_line_list *list, mo_vec3 origin, mo_quat orientation, double length) {
  static const float colors[3][4] = {{1, 0.2F, 0.2F, 1}, {0.2F, 0.8F, 0.2F, 1}, {0.3F, 0.4F, 1, 1}};
  const mo_vec3 axes[3] = {{length, 0, 0}, {0, length, 0}, {0, 0, length}};
  mo_line_list before = *list;
  for (int i = 0; i < 3; i++) {
    mo_line_list_set_color(list, colors[i]);
    mo_line_list_add(list, origin, mo_add(origin, mo_quat_rotate(orientation, axes[i])));
  }
  mo_line_list_set_color(list, before.color);
}
