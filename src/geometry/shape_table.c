// This file contains nothing else, so that a program that links the library can replace it by a
// table with one more class.
#include "geometry/shape_table.h"

static const mo_shape_class *const classes[] = {MO_FOR_EACH_SHAPE_CLASS(MO_SHAPE_CLASS_ENTRY)};

uint32_t mo_shape_class_count(void) { return sizeof classes / sizeof classes[0]; }

const mo_shape_class *mo_shape_class_of(uint32_t number) {
  return number < mo_shape_class_count() ? classes[number] : NULL;
}
