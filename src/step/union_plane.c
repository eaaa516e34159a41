#include "step/union_plane.h"

#include "collision/convex/closest_point.h"
#include "step/union_contacts.h"

// --- the faces -------------------------------------------------------------------------------

static bool is_known(const mo_union_plane *plane, mo_vec3 normal) {
  for (uint32_t i = 0; i < plane->face_count; i++) {
    if (mo_union_is_within(plane->faces[i].normal, normal, MO_UNION_FACE_TIPS)) {
      return true;
    }
  }
  return false;
}

// Adds a face that looks to the mover. Of too many that which is least along the normal gives way.
static void add_face(mo_union_plane *out, const mo_union_face *face) {
  if (!(face->along > 0.0) || is_known(out, face->normal)) {
    return;
  }
  uint32_t at = out->face_count;
  if (at < MO_UNION_FACES) {
    out->face_count++;
  } else if (out->faces[--at].along >= face->along) {
    return;
  }
  for (; at > 0 && out->faces[at - 1].along < face->along; at--) {
    out->faces[at] = out->faces[at - 1];
  }
  out->faces[at] = *face;
}

// A contact of a part, at which faces are looked for.
typedef struct touch {
  const mo_shape *shape;
  mo_transform at;
  mo_vec3 point, normal; // world, on the part, from it
  double width;          // m, around the point
  mo_union_plane *out;
} touch;

static void add_face_in_frame(const touch *t, mo_vec3 normal, mo_vec3 point) {
  mo_vec3 world_normal = mo_mat3_mul(t->at.rotation, normal);
  mo_union_face face = {world_normal, mo_transform_point(t->at, point),
                        mo_dot(world_normal, t->normal)};
  add_face(t->out, &face);
}

static void list_faces_of_hull(const touch *t) {
  const mo_hull *hull = t->shape->core.hull;
  double radius = t->shape->core.radius;
  mo_vec3 point = mo_transform_point_inverse(t->at, t->point);
  for (uint32_t i = 0; i < hull->face_count; i++) {
    const mo_face *face = &hull->faces[i];
    mo_vec3 corner = hull->vertices[hull->face_loops[face->first_vertex]];
    double height = mo_dot(face->normal, mo_sub(point, corner)) - radius;
    if (fabs(height) <= t->width) {
      add_face_in_frame(t, face->normal, mo_add_scaled(corner, radius, face->normal));
    }
  }
}

// Cosine of 25 degrees: of a mesh, whose narrow phase knows which edges are inner, normals that are
// turned by more from a triangle are those of other faces.
#define ALIGNED 0.9

static bool add_triangle(void *user, uint32_t index) {
  const touch *t = user;
  mo_triangle triangle = mo_mesh_triangle(t->shape->mesh, index);
  mo_vec3 point = mo_transform_point_inverse(t->at, t->point);
  if (mo_distance_between(mo_triangle_closest_point(&triangle, point), point) <= t->width) {
    mo_vec3 normal = mo_triangle_normal(&triangle);
    double along = mo_dot(t->normal, mo_mat3_mul(t->at.rotation, normal));
    if (fabs(along) > ALIGNED) {
      add_face_in_frame(t, along > 0.0 ? normal : mo_neg(normal), triangle.corners[0]);
    }
  }
  return true;
}

static void list_faces_of_mesh(touch *t) {
  mo_vec3 point = mo_transform_point_inverse(t->at, t->point);
  mo_bounds around = mo_bounds_expand((mo_bounds){point, point}, t->width);
  mo_mesh_search(t->shape->mesh, around, add_triangle, t);
}

static void list_faces(const mo_union_pair *pair, const mo_manifold *manifold, int side,
                       mo_union_plane *out) {
  const mo_manifold_point *first = &manifold->points[0];
  touch t = {.shape = mo_moving_shape_of(pair->fixed),
             .at = mo_moving_shape_placement(pair->fixed),
             .point = side == 0 ? first->point_b : first->point_a,
             .normal = side == 0 ? mo_neg(manifold->normal) : manifold->normal,
             .out = out};
  t.width = mo_union_tolerances_of(t.shape, &t.at, t.point, out->size).width;
  if (mo_shape_is_surface(t.shape)) {
    list_faces_of_mesh(&t);
  } else if (t.shape->core.kind == MO_CORE_HULL) {
    list_faces_of_hull(&t);
  }
}

// --- the parts -------------------------------------------------------------------------------

static uint64_t order_of(uint32_t slot, uint32_t shape) { return (uint64_t)slot << 32 | shape; }

// What is near the shape of a mover.
typedef struct neighbour {
  uint32_t slot, proxy;
} neighbour;

// Reads an edge of the contacts of a mover. Returns whether it leads to what no contact moves, near
// the shape with that proxy.
static bool read_edge(const mo_world *world, uint32_t edge, uint32_t mover, uint32_t own,
                      neighbour *out) {
  const mo_contact_record *r = &world->pairs.records.records[mo_contact_of_edge(edge)];
  bool is_a = r->slot_a == mover;
  *out = is_a ? (neighbour){r->slot_b, r->proxy_b} : (neighbour){r->slot_a, r->proxy_a};
  return r->flags & MO_CONTACT_NEAR && !(r->flags & MO_CONTACT_PART) &&
         (is_a ? r->proxy_a : r->proxy_b) == own && !mo_world_is_dynamic(world, out->slot);
}

// Whether a part may have a plane although nothing else of the union is near.
static bool is_enough(const mo_shape *part, bool asks_meshes) {
  return mo_shape_is_surface(part) && (asks_meshes || !mo_union_is_settled(part));
}

bool mo_union_may_have_plane(const mo_world *world, const mo_pair *pair, int side,
                             bool asks_meshes) {
  const mo_contact_store *store = &world->pairs.records;
  bool is_a = side == 0;
  uint32_t mover = is_a ? pair->slot_a : pair->slot_b, own = is_a ? pair->proxy_a : pair->proxy_b;
  neighbour fixed =
      is_a ? (neighbour){pair->slot_b, pair->proxy_b} : (neighbour){pair->slot_a, pair->proxy_a};
  const mo_placed_shape *shapes = world->bodies[fixed.slot].shapes;
  bool may = is_enough(shapes[world->broad_phase.proxies[fixed.proxy].shape].shape, asks_meshes);
  for (uint32_t edge = store->firsts[mover]; edge != MO_NO_CONTACT && !may;
       edge = store->edges[edge].next) {
    neighbour other;
    may = read_edge(world, edge, mover, own, &other) && other.proxy != fixed.proxy;
  }
  return may;
}

// Lists the shapes of the union that are near the shape of the mover. Returns false for too many.
static bool list_parts(const mo_world *world, const mo_union_pair *pair, mo_union_plane *out) {
  const mo_contact_store *store = &world->pairs.records;
  out->count = 0;
  for (uint32_t edge = store->firsts[pair->mover_slot]; edge != MO_NO_CONTACT;
       edge = store->edges[edge].next) {
    neighbour other;
    if (!read_edge(world, edge, pair->mover_slot, pair->mover_proxy, &other)) {
      continue;
    }
    if (out->count == MO_UNION_PARTS) {
      return false;
    }
    uint32_t shape = world->broad_phase.proxies[other.proxy].shape;
    mo_union_part *part = &out->parts[out->count++];
    const mo_body *body = &world->bodies[other.slot];
    part->shape = body->shapes[shape].shape;
    part->at = mo_body_shape_transform(body, shape, &world->motions[other.slot]);
    part->order = order_of(other.slot, shape);
  }
  return true;
}

// --- the plane -------------------------------------------------------------------------------

static mo_union_tolerances tolerances_at(const mo_union_plane *plane, const mo_union_part *part,
                                         mo_vec3 point) {
  return mo_union_tolerances_of(part->shape, &part->at, point, plane->size);
}

// m: how far the highest point of a convex part is over the plane of a face. Sets its own face
// there.
static double top_of(const mo_union_face *of, mo_union_part *part) {
  const mo_convex *core = &part->shape->core;
  mo_vec3 local = mo_mat3_mul_transposed(part->at.rotation, of->normal), top;
  if (core->kind == MO_CORE_HULL) {
    uint32_t vertex = mo_hull_support_vertex(core->hull, local);
    const mo_face *face = &core->hull->faces[mo_hull_face_at_vertex(core->hull, vertex, local)];
    part->face = mo_union_is_within(face->normal, local, MO_UNION_FACE_TIPS) ? face : NULL;
    top = core->hull->vertices[vertex];
  } else {
    top = mo_convex_furthest(core, local);
  }
  return mo_dot(of->normal, mo_sub(mo_transform_point(part->at, top), of->point)) + core->radius;
}

// Sets how the parts are to a plane. Returns how many of them may have a face in it.
static uint32_t set_levels(const mo_union_face *of, mo_union_plane *out) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < out->count; i++) {
    mo_union_part *part = &out->parts[i];
    part->is_level = part->rises = true;
    part->face = NULL;
    if (part->shape->core.kind != MO_CORE_MANY && !mo_shape_is_unbounded(part->shape)) {
      double top = top_of(of, part);
      double height = tolerances_at(out, part, of->point).height;
      bool has_face = part->shape->core.kind != MO_CORE_HULL || part->face;
      part->is_level = has_face && fabs(top) <= height;
      part->rises = top > height;
    }
    count += part->is_level;
  }
  return count;
}

// m: how far a point of its plane is outside of a face; negative inside.
static double outside_of(const mo_union_part *part, mo_vec3 point) {
  const mo_hull *hull = part->shape->core.hull;
  const uint32_t *loop = &hull->face_loops[part->face->first_vertex];
  mo_vec3 p = mo_transform_point_inverse(part->at, point);
  double outside = -INFINITY, least = INFINITY; // squared
  mo_vec3 from = hull->vertices[loop[part->face->vertex_count - 1]];
  for (uint32_t i = 0; i < part->face->vertex_count; i++) {
    mo_vec3 to = hull->vertices[loop[i]], along = mo_sub(to, from), way = mo_sub(p, from);
    mo_vec3 out = mo_cross(along, part->face->normal);
    double side = mo_dot(out, way), squared = mo_length_squared(along);
    double at = mo_clamp(mo_dot(along, way) / squared, 0.0, 1.0);
    outside = mo_max(outside, side / sqrt(squared));
    least = mo_min(least, mo_length_squared(mo_add_scaled(way, -at, along)));
    from = to;
  }
  return outside > 0.0 ? sqrt(least) : outside;
}

// m: how far a point of the plane is from the surface of a part; infinite where it is further than
// a reach. Negative inside of a face that is known.
static double distance_to(const mo_union_plane *plane, const mo_union_part *part, mo_vec3 point,
                          double reach) {
  mo_surface_point found;
  if (part->face) {
    double most = part->shape->core.hull->radius + reach;
    bool is_far = mo_length_squared(mo_sub(point, part->at.translation)) > most * most;
    double outside = is_far ? INFINITY : outside_of(part, point);
    return outside <= reach ? outside : INFINITY;
  }
  if (!mo_shape_closest_point(part->shape, part->at, point, reach, &found)) {
    return INFINITY;
  }
  mo_vec3 normal = plane->faces[plane->tried - 1].normal;
  double height = mo_dot(normal, mo_sub(point, found.position));
  return fabs(height) <= tolerances_at(plane, part, point).height ? mo_max(found.distance, 0.0)
                                                                  : INFINITY;
}

static mo_vec3 centre_on(const mo_union_face *of, const mo_moving_shape *mover) {
  mo_vec3 local = mo_moving_shape_of(mover)->centroid;
  mo_vec3 centre = mo_transform_point(mo_moving_shape_placement(mover), local);
  double height = mo_dot(of->normal, mo_sub(centre, of->point));
  return mo_add_scaled(centre, -height, of->normal);
}

// Puts the plane of a face in the place of the fixed shape.
static void set_plane(const mo_union_face *of, mo_union_plane *out) {
  const mo_moving_shape *fixed = out->pair->fixed;
  mo_pose pose = mo_motion_pose(fixed->motion);
  mo_vec3 normal = mo_quat_rotate_inverse(pose.orientation, of->normal);
  mo_vec3 point = mo_quat_rotate_inverse(pose.orientation, mo_sub(of->point, pose.position));
  out->shape = (mo_shape){.class = &mo_plane_class,
                          .core = {.kind = MO_CORE_NONE},
                          .normal = normal,
                          .offset = mo_dot(normal, point),
                          .bounding_radius = INFINITY,
                          .inner_radius = INFINITY};
  out->placed = (mo_placed_shape){.shape = &out->shape, .pose = mo_pose_identity()};
  out->body = *fixed->body;
  out->body.shapes = &out->placed;
  out->body.shape_count = 1;
  out->body.shapes_are_at_origin = true;
  out->moving = *fixed;
  out->moving.body = &out->body;
  out->moving.shape = 0;
}

void mo_union_plane_begin(const mo_world *world, const mo_union_pair *pair,
                          const mo_manifold *manifold, int side, mo_union_plane *out) {
  out->pair = pair;
  out->size = mo_moving_shape_of(pair->mover)->bounding_radius;
  out->face_count = out->tried = 0;
  if (list_parts(world, pair, out)) {
    list_faces(pair, manifold, side, out);
  }
}

bool mo_union_plane_next(mo_union_plane *plane) {
  const mo_moving_shape *fixed = plane->pair->fixed;
  uint32_t least = is_enough(mo_moving_shape_of(fixed), plane->pair->asks_meshes) ? 1 : 2;
  while (plane->tried < plane->face_count) {
    const mo_union_face *face = &plane->faces[plane->tried++];
    if (set_levels(face, plane) >= least) {
      plane->centre = centre_on(face, plane->pair->mover);
      set_plane(face, plane);
      return true;
    }
  }
  return false;
}

// --- the share -------------------------------------------------------------------------------

// Whether a part is nearer to the centre of the mover than another one, or as near and before it.
static bool precedes(const mo_union_plane *plane, const mo_union_part *a, const mo_union_part *b) {
  double of_a = mo_max(distance_to(plane, a, plane->centre, INFINITY), 0.0),
         of_b = mo_max(distance_to(plane, b, plane->centre, INFINITY), 0.0);
  double equal = MO_UNION_ROUND_OFF * plane->size;
  return of_a < of_b - equal || (of_a <= of_b + equal && a->order < b->order);
}

// The part that has a point. On a seam it is the one that is nearest to the centre of the mover:
// with another one, into which the mover has hardly come, it may overlap least along the seam, and
// then the narrow phase finds another face there. Sets how far the point is from its rim.
static const mo_union_part *part_at(const mo_union_plane *plane, mo_vec3 point, double *room) {
  const mo_union_part *best = NULL;
  for (uint32_t i = 0; i < plane->count; i++) {
    const mo_union_part *part = &plane->parts[i];
    double distance = INFINITY;
    if (part->is_level) {
      distance = distance_to(plane, part, point, tolerances_at(plane, part, point).width);
    }
    if (distance < INFINITY && (!best || precedes(plane, part, best))) {
      best = part;
      *room = mo_max(-distance, 0.0);
    }
  }
  return best;
}

static bool is_covered(const mo_union_plane *plane, mo_vec3 point) {
  for (uint32_t i = 0; i < plane->count; i++) {
    const mo_union_part *part = &plane->parts[i];
    if (!part->rises) {
      continue;
    }
    mo_union_tolerances t = tolerances_at(plane, part, point);
    if (mo_union_rises(part->shape, &part->at, point, plane->faces[plane->tried - 1].normal, &t)) {
      return true;
    }
  }
  return false;
}

// Whether a point is one of the plane. Sets the part that has it.
static bool is_of_plane(mo_union_plane *plane, mo_vec3 point, const mo_union_part **part) {
  double room;
  *part = part_at(plane, point, &room);
  if (!*part || is_covered(plane, point)) {
    return false;
  }
  plane->room = mo_min(plane->room, room);
  return true;
}

mo_union_share mo_union_plane_share(mo_union_plane *plane, int side, mo_vec3 led,
                                    const mo_manifold *found, mo_manifold *manifold) {
  mo_manifold own = {.normal = manifold->normal};
  uint64_t own_order = order_of(plane->pair->fixed_slot, plane->pair->fixed->shape);
  // Of what does not meet the plane the points tell that were found with the part.
  const mo_manifold *all = manifold->point_count > 0 ? manifold : found;
  plane->room = INFINITY;
  for (int i = 0; i < all->point_count; i++) {
    const mo_manifold_point *p = &all->points[i];
    const mo_union_part *part;
    if (!is_of_plane(plane, mo_sub(side == 0 ? p->point_b : p->point_a, led), &part)) {
      return MO_UNION_NO_PLANE;
    }
    if (all == manifold && part->order == own_order) {
      own.points[own.point_count++] = *p;
    }
  }
  bool is_all = own.point_count == manifold->point_count;
  *manifold = own;
  return is_all ? MO_UNION_ALL_OF_PLANE : MO_UNION_PART_OF_PLANE;
}

void mo_union_drop_doubles(mo_mesh_manifolds *all) {
  int kept = 0;
  for (int i = 0; i < all->count; i++) {
    const mo_manifold *m = &all->manifolds[i];
    bool is_double = m->point_count == 0;
    for (int k = 0; k < kept; k++) {
      is_double =
          is_double || mo_union_is_within(all->manifolds[k].normal, m->normal, MO_UNION_FACE_TIPS);
    }
    if (!is_double) {
      all->manifolds[kept++] = *m;
    }
  }
  all->count = kept;
}
