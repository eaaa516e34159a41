/// The numbers of shapes as data, for all that needs each of them: bytes (shape_stream.h) and
/// comparisons (shape_pool.h).
#pragma once

#include "geometry/shape.h"
#include "memory/record.h"

enum { MO_PLACED_SHAPE_FIELDS = 11 };
/// What a placed shape consists of, besides the shape.
extern const mo_field mo_placed_shape_fields[MO_PLACED_SHAPE_FIELDS];

/// Of a shape, without what it owns; of a hull, what does not follow from vertices and faces; of a
/// face; of a part of a compound, besides its shape.
extern const mo_record_type mo_shape_record, mo_hull_record, mo_face_record, mo_part_record;
