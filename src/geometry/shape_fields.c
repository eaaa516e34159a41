#include "geometry/shape_fields.h"

#define NUMBERS(record, member) MO_FIELD(record, member, double)
#define WORDS(record, member) MO_FIELD(record, member, uint32_t)
#define FLAG(record, member) MO_FLAG(record, member)

static const mo_field shape_fields[] = {
    NUMBERS(mo_shape, core.half_extents),
    NUMBERS(mo_shape, core.ends),
    NUMBERS(mo_shape, core.side_y),
    NUMBERS(mo_shape, core.side_across),
    NUMBERS(mo_shape, core.centre),
    NUMBERS(mo_shape, core.radius),
    NUMBERS(mo_shape, core.scale),
    NUMBERS(mo_shape, normal),
    NUMBERS(mo_shape, offset),
    NUMBERS(mo_shape, volume),
    NUMBERS(mo_shape, surface_area),
    NUMBERS(mo_shape, centroid),
    NUMBERS(mo_shape, inertia_per_mass),
    NUMBERS(mo_shape, bounding_radius),
    NUMBERS(mo_shape, inner_radius),
    MO_FIELD(mo_shape, content, uint64_t),
};
const mo_record_type mo_shape_record = MO_RECORD(mo_shape, shape_fields);

static const mo_field hull_fields[] = {
    NUMBERS(mo_hull, volume),
    NUMBERS(mo_hull, surface_area),
    NUMBERS(mo_hull, centroid),
    NUMBERS(mo_hull, inertia_per_mass),
};
const mo_record_type mo_hull_record = MO_RECORD(mo_hull, hull_fields);

static const mo_field face_fields[] = {
    NUMBERS(mo_face, normal),
    NUMBERS(mo_face, offset),
    WORDS(mo_face, first_vertex),
    WORDS(mo_face, vertex_count),
};
const mo_record_type mo_face_record = MO_RECORD(mo_face, face_fields);

const mo_field mo_placed_shape_fields[MO_PLACED_SHAPE_FIELDS] = {
    NUMBERS(mo_placed_shape, pose),
    NUMBERS(mo_placed_shape, density),
    NUMBERS(mo_placed_shape, friction),
    NUMBERS(mo_placed_shape, restitution),
    WORDS(mo_placed_shape, friction_combine),
    WORDS(mo_placed_shape, restitution_combine),
    FLAG(mo_placed_shape, sensor),
    FLAG(mo_placed_shape, has_filter),
    WORDS(mo_placed_shape, filter.category),
    WORDS(mo_placed_shape, filter.mask),
    WORDS(mo_placed_shape, filter.group),
};
const mo_record_type mo_part_record = MO_RECORD(mo_placed_shape, mo_placed_shape_fields);
