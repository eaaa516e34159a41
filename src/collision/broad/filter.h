/// Filters: which shapes may touch (mo_filter).
#pragma once

#include "moreau.h"

static inline bool mo_filters_meet(mo_filter a, mo_filter b) {
  if (a.group == b.group && a.group != 0) {
    return a.group > 0;
  }
  return (a.category & b.mask) != 0 && (b.category & a.mask) != 0;
}
