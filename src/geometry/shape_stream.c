#include "geometry/shape_stream.h"

#include "geometry/hull_assembly.h"
#include "geometry/hull_pool.h"
#include "geometry/shape_content.h"
#include "geometry/shape_fields.h"
#include "geometry/shape_table.h"
#include "memory/allocator.h"

// --- classes ---------------------------------------------------------------------------------

static uint32_t number_of(const mo_shape_class *class) {
  uint32_t number = 0;
  while (number < mo_shape_class_count() && mo_shape_class_of(number) != class) {
    number++;
  }
  return number;
}

static bool is_box(const mo_shape_class *class) { return class->type == MO_SHAPE_BOX; }
static bool has_mesh(const mo_shape_class *class) { return class->collider == MO_COLLIDER_MESH; }
static bool has_parts(const mo_shape_class *class) {
  return class->collider == MO_COLLIDER_COMPOUND;
}
static bool has_hull(const mo_shape_class *class) {
  return class->collider == MO_COLLIDER_HULL && !is_box(class);
}

bool mo_shape_can_be_written(const mo_shape *shape) {
  bool can = number_of(shape->class) < mo_shape_class_count();
  for (uint32_t i = 0; i < shape->part_count; i++) {
    can = can && mo_shape_can_be_written(shape->parts[i].shape);
  }
  return can;
}

bool mo_shape_is_small(const mo_shape *shape) {
  return !has_hull(shape->class) && !has_mesh(shape->class) && !has_parts(shape->class);
}

// --- writing ---------------------------------------------------------------------------------

static void write_hull(mo_byte_writer *w, const mo_hull *hull) {
  mo_write_word(w, hull->vertex_count);
  mo_write_bytes(w, hull->vertices, hull->vertex_count * sizeof *hull->vertices);
  mo_write_word(w, hull->face_count);
  mo_write_records(w, &mo_face_record, hull->faces, hull->face_count);
  mo_write_word(w, hull->half_edge_count);
  mo_write_bytes(w, hull->face_loops, hull->half_edge_count * sizeof *hull->face_loops);
  mo_write_records(w, &mo_hull_record, hull, 1);
}

static void write_mesh(mo_byte_writer *w, const mo_mesh *mesh) {
  mo_write_word(w, mesh->is_one_sided);
  mo_write_word(w, mesh->vertex_count);
  mo_write_bytes(w, mesh->vertices, mesh->vertex_count * sizeof *mesh->vertices);
  mo_write_word(w, mesh->triangle_count);
  mo_write_bytes(w, mesh->indices, 3 * (size_t)mesh->triangle_count * sizeof *mesh->indices);
}

static void write_field(mo_byte_writer *w, const mo_mesh *mesh) {
  const mo_height_grid *grid = &mesh->grid;
  mo_write_word(w, mesh->is_one_sided);
  mo_write_word(w, grid->columns);
  mo_write_bytes(w, &grid->scale, sizeof grid->scale);
  mo_write_word(w, mesh->vertex_count);
  mo_write_bytes(w, grid->heights, mesh->vertex_count * sizeof *grid->heights);
}

// The first part with the shape of part `i`.
static uint32_t first_alike(const mo_shape *compound, uint32_t i) {
  uint32_t first = 0;
  while (compound->parts[first].shape != compound->parts[i].shape) {
    first++;
  }
  return first;
}

// Parts are no compounds, so this goes one level deep.
static void write_parts(mo_byte_writer *w, const mo_shape *compound) {
  mo_write_word(w, compound->part_count);
  for (uint32_t i = 0; i < compound->part_count; i++) {
    uint32_t first = first_alike(compound, i);
    mo_write_records(w, &mo_part_record, &compound->parts[i], 1);
    mo_write_word(w, first);
    if (first == i) {
      mo_write_shape(w, compound->parts[i].shape);
    }
  }
}

void mo_write_shape(mo_byte_writer *w, const mo_shape *shape) {
  mo_write_word(w, number_of(shape->class));
  mo_write_records(w, &mo_shape_record, shape, 1);
  if (is_box(shape->class)) {
    mo_write_bytes(w, &shape->hull->upper, sizeof shape->hull->upper);
  } else if (has_hull(shape->class)) {
    write_hull(w, shape->hull);
  } else if (shape->class == &mo_heightfield_class) {
    write_field(w, shape->mesh);
  } else if (has_mesh(shape->class)) {
    write_mesh(w, shape->mesh);
  } else if (has_parts(shape->class)) {
    write_parts(w, shape);
  }
}

// --- reading ---------------------------------------------------------------------------------

typedef struct shape_reader {
  mo_byte_reader *in;
  bool *has_memory;
} shape_reader;

static bool is_good(const shape_reader *r) { return !r->in->problem && *r->has_memory; }

// An array of `count` items that follow in the bytes, `count` being checked. Null without memory.
static void *read_array(const shape_reader *r, size_t count, size_t item_size) {
  void *items = is_good(r) ? mo_allocate(count * item_size) : NULL;
  *r->has_memory = *r->has_memory && (items || r->in->problem);
  if (items) {
    mo_read_bytes(r->in, items, count * item_size);
  }
  return items;
}

static bool are_below(const uint32_t *indices, size_t count, uint32_t limit) {
  bool below = true;
  for (size_t i = 0; i < count; i++) {
    below = below && indices[i] < limit;
  }
  return below;
}

// Whether each vertex is in a loop. The array of features is not in use yet.
static bool are_all_used(mo_hull *hull) {
  uint32_t *uses = hull->features.vertex_half_edges, used = 0;
  for (uint32_t i = 0; i < hull->half_edge_count; i++) {
    used += uses[hull->face_loops[i]]++ == 0;
  }
  return used == hull->vertex_count;
}

// Whether the loops of the faces follow each other and fill the half-edges, and name vertices.
static bool are_faces(mo_hull *hull) {
  uint32_t next = 0;
  for (uint32_t f = 0; f < hull->face_count; f++) {
    const mo_face *face = &hull->faces[f];
    if (face->first_vertex != next || face->vertex_count < 3 ||
        face->vertex_count > hull->half_edge_count - next || !mo_are_finite(&face->normal.x, 3) ||
        !mo_is_finite(face->offset)) {
      return false;
    }
    next += face->vertex_count;
  }
  return next == hull->half_edge_count &&
         are_below(hull->face_loops, hull->half_edge_count, hull->vertex_count) &&
         are_all_used(hull);
}

static const char *const bad_hull = "a hull is damaged";

// The arrays of a hull whose sizes are checked.
static void fill_hull(const shape_reader *r, mo_hull *hull, const mo_vec3 *vertices,
                      const mo_face *faces) {
  memcpy(hull->vertices, vertices, hull->vertex_count * sizeof *vertices);
  memcpy(hull->faces, faces, hull->face_count * sizeof *faces);
  mo_read_bytes(r->in, hull->face_loops, hull->half_edge_count * sizeof *hull->face_loops);
  mo_read_records(r->in, &mo_hull_record, hull, 1);
  bool fits = are_faces(hull) &&
              mo_are_finite(&hull->vertices[0].x, 3 * (size_t)hull->vertex_count) &&
              mo_are_finite(&hull->centroid.x, 3) &&
              mo_are_finite(&hull->inertia_per_mass.cx.x, 9) && mo_is_positive(hull->volume);
  mo_result linked = mo_reader_expect(r->in, fits, bad_hull) ? mo_hull_link(hull) : MO_OK;
  *r->has_memory = *r->has_memory && linked != MO_ERROR_OUT_OF_MEMORY;
  if (mo_reader_expect(r->in, linked == MO_OK || linked == MO_ERROR_OUT_OF_MEMORY, bad_hull) &&
      linked == MO_OK) {
    mo_hull_finish(hull);
  }
}

static mo_hull *read_hull(const shape_reader *r) {
  uint32_t vertex_count = mo_read_count(r->in, sizeof(mo_vec3));
  mo_vec3 *vertices = read_array(r, vertex_count, sizeof *vertices);
  uint32_t face_count = mo_read_count(r->in, mo_record_packed_size(&mo_face_record));
  mo_face *faces = is_good(r) ? mo_allocate(face_count * sizeof *faces) : NULL;
  if (faces) {
    mo_read_records(r->in, &mo_face_record, faces, face_count);
  }
  uint32_t half_edge_count = mo_read_count(r->in, sizeof(uint32_t));
  // Each face has three half-edges or more, and each edge two.
  bool fits = vertex_count >= 4 && face_count >= 4 && half_edge_count / 3 >= face_count &&
              half_edge_count % 2 == 0;
  mo_hull *hull = NULL;
  if (mo_reader_expect(r->in, fits, bad_hull) && vertices && faces) {
    hull = mo_hull_allocate(vertex_count, face_count, half_edge_count);
  }
  *r->has_memory = *r->has_memory && (hull || r->in->problem);
  if (hull) {
    fill_hull(r, hull, vertices, faces);
  }
  mo_release(vertices);
  mo_release(faces);
  return hull && is_good(r) ? mo_hull_pool_share(hull) : hull;
}

static mo_hull *read_box(const shape_reader *r) {
  mo_vec3 half;
  mo_read_bytes(r->in, &half, sizeof half);
  bool fits = mo_is_positive(half.x) && mo_is_positive(half.y) && mo_is_positive(half.z);
  mo_hull *hull =
      mo_reader_expect(r->in, fits, "a box is damaged") ? mo_hull_create_box(half) : NULL;
  *r->has_memory = *r->has_memory && (hull || r->in->problem);
  return hull;
}

static mo_mesh *read_mesh(const shape_reader *r) {
  bool is_one_sided = mo_read_word(r->in) != 0;
  uint32_t vertex_count = mo_read_count(r->in, sizeof(mo_vec3));
  mo_vec3 *vertices = read_array(r, vertex_count, sizeof *vertices);
  uint32_t triangle_count = mo_read_count(r->in, 3 * sizeof(uint32_t));
  uint32_t *indices = read_array(r, 3 * (size_t)triangle_count, sizeof *indices);
  mo_mesh *mesh = NULL;
  if (is_good(r) && vertices && indices) {
    mo_result result;
    mesh = mo_mesh_create(vertices, vertex_count, indices, triangle_count, is_one_sided, &result);
    *r->has_memory = mesh || result != MO_ERROR_OUT_OF_MEMORY;
    mo_reader_expect(r->in, mesh || !*r->has_memory, "a mesh is damaged");
  }
  mo_release(vertices);
  mo_release(indices);
  return mesh;
}

static mo_mesh *read_field(const shape_reader *r) {
  mo_heightfield_def def = {.is_one_sided = mo_read_word(r->in) != 0};
  def.columns = mo_read_word(r->in);
  mo_read_bytes(r->in, &def.scale, sizeof def.scale);
  uint32_t count = mo_read_count(r->in, sizeof *def.heights);
  double *heights = read_array(r, count, sizeof *heights);
  mo_mesh *mesh = NULL;
  if (is_good(r) && heights) {
    mo_result result = MO_ERROR_INVALID_ARGUMENT;
    def.heights = heights;
    def.rows = def.columns > 0 ? count / def.columns : 0;
    mesh = def.rows * def.columns == count ? mo_mesh_create_field(&def, &result) : NULL;
    *r->has_memory = mesh || result != MO_ERROR_OUT_OF_MEMORY;
    mo_reader_expect(r->in, mesh || !*r->has_memory, "a height field is damaged");
  }
  mo_release(heights);
  return mesh;
}

static void read_part(const shape_reader *r, mo_shape *compound, uint32_t i) {
  mo_placed_shape *part = &compound->parts[i];
  mo_read_records(r->in, &mo_part_record, part, 1);
  uint32_t first = mo_read_word(r->in);
  bool fits = first <= i && mo_are_finite(&part->pose.position.x, 3) &&
              mo_are_finite(&part->pose.orientation.x, 4) &&
              (unsigned)part->friction_combine <= MO_COMBINE_GEOMETRIC_MEAN &&
              (unsigned)part->restitution_combine <= MO_COMBINE_GEOMETRIC_MEAN;
  if (!mo_reader_expect(r->in, fits, "a part of a compound is damaged")) {
    return;
  }
  if (first < i) {
    part->shape = compound->parts[first].shape;
    mo_shape_retain(part->shape);
  } else {
    part->shape = mo_read_shape(r->in, r->has_memory);
    bool is_simple = part->shape && !part->shape->parts && !mo_shape_is_unbounded(part->shape);
    mo_reader_expect(r->in, is_simple || !is_good(r), "a part of a compound is of a wrong kind");
  }
  compound->part_count += part->shape != NULL;
}

static void read_parts(const shape_reader *r, mo_shape *compound) {
  uint32_t count = mo_read_count(r->in, mo_record_packed_size(&mo_part_record));
  mo_reader_expect(r->in, count > 0, "a compound has no parts");
  compound->parts = is_good(r) ? mo_allocate(count * sizeof *compound->parts) : NULL;
  *r->has_memory = *r->has_memory && (compound->parts || r->in->problem);
  for (uint32_t i = 0; i < count && is_good(r); i++) {
    read_part(r, compound, i);
  }
}

static bool has_good_numbers(const mo_shape *s) {
  bool is_plane = s->core.kind == MO_CORE_NONE;
  return mo_are_finite(&s->core.half_extents.x, 3) && mo_are_finite(&s->core.ends[0].disc, 4) &&
         mo_are_finite(&s->core.side_y, 2) && mo_are_finite(&s->core.centre.x, 3) &&
         mo_is_finite(s->core.radius) && s->core.radius >= 0.0 && mo_is_finite(s->core.scale) &&
         mo_are_finite(&s->normal.x, 3) && mo_is_finite(s->offset) && mo_is_finite(s->volume) &&
         mo_is_finite(s->surface_area) && mo_are_finite(&s->centroid.x, 3) &&
         mo_are_finite(&s->inertia_per_mass.cx.x, 9) &&
         (is_plane || (mo_is_finite(s->bounding_radius) && s->bounding_radius >= 0.0)) &&
         s->inner_radius == s->inner_radius;
}

// What a shape consists of, in addition to its numbers.
static void read_contents(const shape_reader *r, mo_shape *shape) {
  const mo_shape_class *class = shape->class;
  if (class->collider == MO_COLLIDER_HULL) {
    shape->hull = is_box(class) ? read_box(r) : read_hull(r);
    shape->core.hull = shape->hull;
  } else if (class == &mo_heightfield_class) {
    shape->mesh = read_field(r);
  } else if (has_mesh(class)) {
    shape->mesh = read_mesh(r);
  } else if (has_parts(class)) {
    read_parts(r, shape);
  }
}

mo_shape *mo_read_shape(mo_byte_reader *reader, bool *has_memory) {
  const shape_reader r = {reader, has_memory};
  const mo_shape_class *class = mo_shape_class_of(mo_read_word(reader));
  mo_reader_expect(reader, class != NULL, "a shape is of an unknown kind");
  if (!class) {
    return NULL;
  }
  mo_shape shape = {.class = class};
  mo_read_records(reader, &mo_shape_record, &shape, 1);
  shape.core.kind = class->core;
  shape.core.support = class->support;
  if (mo_reader_expect(reader, has_good_numbers(&shape), "a shape has numbers that cannot be")) {
    read_contents(&r, &shape);
  }
  if (is_good(&r)) {
    mo_reader_expect(reader, shape.content == mo_shape_content_hash(&shape),
                     "a shape differs from its hash");
  }
  if (!is_good(&r)) {
    mo_shape_release_contents(&shape);
    return NULL;
  }
  mo_shape *read = mo_shape_allocate_read(&shape, NULL);
  *has_memory = read != NULL;
  return read;
}
