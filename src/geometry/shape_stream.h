/// Shapes as bytes, from which the same shapes are made again, to the last bit.
#pragma once

#include "geometry/shape.h"
#include "memory/byte_stream.h"

/// Whether the class of a shape, and of each of its parts, is in shape_table.h.
bool mo_shape_can_be_written(const mo_shape *shape);
/// Whether a shape follows from a few numbers: it has no hull but that of a box, and no triangles
/// and parts.
bool mo_shape_is_small(const mo_shape *shape);
/// Writes a shape that can be written, with all that it consists of.
void mo_write_shape(mo_byte_writer *writer, const mo_shape *shape);
/// Reads it back, with one reference. Null if the reader refuses the bytes, which need not come
/// from mo_write_shape; or without memory, in which case `has_memory` becomes false.
mo_shape *mo_read_shape(mo_byte_reader *reader, bool *has_memory);
