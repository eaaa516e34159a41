#include "report/union_hits.h"

#include "collision/narrow/manifold.h"
#include "step/union_contacts.h"

// Of the bounding radius of the moving shape: what is nearer than that where it hits is touched
// too. It is the step that is none (union_contacts.c).
#define TOUCHED 2.5e-4
// Of the same radius: how far behind a void hit the search goes on. It is as far as shapes are
// looked at beside a point (union_contacts.c).
#define BEYOND 0.1
// Of the bounding radius of what a ray meets: what a ray takes the place of has that radius. By
// single precision its corners are off by some thousandths of that.
#define OF_RAY 1e-4
// Of the radius of a wheel: a crack that is as wide is none (union_contacts.c).
#define SLACK_OF_WHEEL 0.01
// Of the coordinates: more than the round-off of faces that two bodies have in one place. It is 16
// units in the last place.
#define ROUNDING 0x1p-48

double mo_union_hit_beyond(const mo_shape *moving) { return BEYOND * moving->bounding_radius; }

// A search for other shapes of the union that are near where a shape hits.
typedef struct search {
  mo_query *query;
  const mo_union_hit *hit;
  mo_union_judgement *judgement; // of the hit
  mo_union_cover_test *test;     // of a search for covers, with its argument
  void *user;
  bool is_found;
} search;

// Whether a shape is another one of the union, and where it is.
static const mo_shape *other_of(const search *s, uint32_t proxy_id, mo_transform *at) {
  mo_query *query = s->query;
  const mo_proxy *proxies = query->world->broad_phase.proxies, *proxy = &proxies[proxy_id];
  bool is_other = proxy_id != s->hit->proxy && mo_query_looks_at(query, proxy) &&
                  mo_union_has_both(query->world, proxies[s->hit->proxy].slot, proxy->slot) &&
                  mo_query_accepts(query, proxy);
  return is_other ? mo_query_shape_of(query, proxy, at) : NULL;
}

static bool test_cover(void *user, uint32_t proxy) {
  search *s = user;
  mo_transform at;
  const mo_shape *shape = other_of(s, proxy, &at);
  s->is_found = shape && s->test(s->user, shape, &at);
  return !s->is_found;
}

static bool shapes_cover(const void *context, const mo_aabb *box, mo_union_cover_test *test,
                         void *user) {
  search inner = *(const search *)context;
  inner.test = test;
  inner.user = user;
  inner.is_found = false;
  mo_broad_phase_query(&inner.query->world->broad_phase, MO_TREES_ALL, box, test_cover, &inner);
  return inner.is_found;
}

// The contact of the moving shape with a shape that is near where it hits.
static mo_union_contact contact_with(const mo_world *world, const mo_union_hit *hit,
                                     const mo_shape *shape, mo_transform at) {
  mo_manifold manifold;
  mo_collide_shapes(shape, at, hit->moving, hit->pose, TOUCHED * hit->moving->bounding_radius,
                    mo_world_metre(world), &manifold);
  mo_union_contact k = {.mover = hit->moving,
                        .fixed = shape,
                        .mover_at = hit->pose,
                        .fixed_at = at,
                        .size = hit->moving->bounding_radius,
                        .normal = manifold.normal,
                        .point_count = (uint32_t)manifold.point_count,
                        .is_placed = true,
                        .is_mover_placed = true};
  for (int p = 0; p < manifold.point_count; p++) {
    k.points[p] = manifold.points[p].point_a;
  }
  return k;
}

// Begins with a hit of a body. Returns whether it may have several parts.
static bool begin(mo_world *world, uint32_t slot) {
  bool is_joined = world->bodies[slot].joint_count > 0;
  return mo_union_has_parts(world, slot) && (!is_joined || mo_world_update_joined_pairs(world));
}

// The hit as a contact of one point.
static mo_union_contact contact_at(const mo_query *query, const mo_union_hit *hit,
                                   const mo_proxy *proxy) {
  mo_union_contact contact = {.mover = hit->moving,
                              .mover_at = hit->pose,
                              .size = mo_union_size(query->world, hit->moving, proxy->slot),
                              .normal = hit->normal,
                              .point_count = 1,
                              .points = {hit->position},
                              .is_placed = true,
                              .is_mover_placed = true};
  contact.fixed = mo_query_shape_of(query, proxy, &contact.fixed_at);
  return contact;
}

// Whether the hit is void because the moving shape touches another one of the union, too.
static bool judge_by(void *user, uint32_t proxy) {
  search *s = user;
  mo_transform at;
  const mo_shape *shape = other_of(s, proxy, &at);
  if (shape) {
    mo_union_contact k = contact_with(s->query->world, s->hit, shape, at);
    bool is_other = k.point_count > 0 && !mo_union_has_one_plane(s->hit->normal, 1, k.normal);
    s->is_found = is_other && mo_union_judge(s->judgement, &k);
  }
  return !s->is_found;
}

bool mo_union_hit_is_void(mo_query *query, const mo_union_hit *hit) {
  const mo_proxy *proxy = &query->world->broad_phase.proxies[hit->proxy];
  bool is_sensor = query->world->bodies[proxy->slot].shapes[proxy->shape].sensor;
  if (is_sensor || !begin(query->world, proxy->slot)) {
    return false; // what nothing touches is no part of a union
  }
  mo_union_judgement judgement = {.world = query->world, .find_cover = shapes_cover};
  search all = {.query = query, .hit = hit, .judgement = &judgement};
  judgement.context = &all;
  judgement.contact = contact_at(query, hit, proxy);
  double reach = TOUCHED * hit->moving->bounding_radius;
  mo_bounds bounds = mo_bounds_expand(mo_shape_bounds(hit->moving, &hit->pose), reach);
  mo_aabb box = mo_aabb_from_bounds(bounds);
  mo_broad_phase_query(&query->world->broad_phase, MO_TREES_ALL, &box, judge_by, &all);
  return all.is_found;
}

// --- rays --------------------------------------------------------------------------------------

static double size_of(const mo_shape *shape, double radius) {
  return radius > 0.0 ? radius : OF_RAY * shape->bounding_radius;
}

double mo_union_ray_look(const mo_shape *shape, double radius) {
  double look = BEYOND * size_of(shape, radius);
  return mo_is_finite(look) ? look : 0.0; // of a plane nothing is covered
}

double mo_union_ray_slack(const mo_ray *ray, const mo_shape *shape, const mo_transform *at,
                          double radius) {
  mo_vec3 from = mo_v3_abs(ray->origin), to = mo_v3_abs(at->translation);
  double size = mo_v3_max_component(mo_add(from, to)) + shape->bounding_radius;
  return mo_max(SLACK_OF_WHEEL * radius, mo_is_finite(size) ? ROUNDING * size : 0.0);
}

// The shape of a hit, and where it is. Returns whether it may be part of a union with another one.
static bool find(const mo_world *world, const mo_query_hit *hit, const mo_shape **shape,
                 mo_transform *at) {
  uint32_t slot = mo_body_id_slot(hit->body);
  const mo_body *body = &world->bodies[slot];
  *shape = body->shapes[hit->shape].shape;
  *at = mo_body_visible_transform(body, hit->shape, &world->motions[slot]);
  return hit->distance > 0.0 && !body->shapes[hit->shape].sensor;
}

// The contact with what a hit meets of something of that size, which is at the hit.
static mo_union_contact contact_of(const mo_query_hit *hit, const mo_shape *probe,
                                   const mo_shape *shape, mo_transform at) {
  return (mo_union_contact){.mover = probe,
                            .fixed = shape,
                            .mover_at = {mo_mat3_identity(), hit->position},
                            .fixed_at = at,
                            .size = probe->bounding_radius,
                            .normal = hit->normal,
                            .point_count = 1,
                            .points = {hit->position},
                            .is_placed = true,
                            .is_mover_placed = true};
}

// What a ray meets at one place.
typedef struct near_hits {
  const mo_world *world;
  const mo_query_hit *items, *hit;
  uint32_t count;
} near_hits;

static bool near_covers(const void *context, const mo_aabb *box, mo_union_cover_test *test,
                        void *user) {
  const near_hits *near = context;
  bool covers = false;
  (void)box; // all are at one place
  for (uint32_t i = 0; i < near->count && !covers; i++) {
    const mo_query_hit *other = &near->items[i];
    const mo_shape *shape;
    mo_transform at;
    covers = mo_union_has_both(near->world, mo_body_id_slot(near->hit->body),
                               mo_body_id_slot(other->body)) &&
             find(near->world, other, &shape, &at) && test(user, shape, &at);
  }
  return covers;
}

// Whether a hit is none, because of another one at the same place.
static bool is_turned(const mo_world *world, const mo_query_hit *near, uint32_t count,
                      double radius, const mo_query_hit *hit, const mo_query_hit *other) {
  uint32_t slot = mo_body_id_slot(hit->body);
  const mo_shape *shape, *others;
  mo_transform at, others_at;
  if (mo_union_has_one_plane(hit->normal, 1, other->normal) ||
      !mo_union_has_both(world, slot, mo_body_id_slot(other->body)) ||
      !find(world, hit, &shape, &at) || !find(world, other, &others, &others_at)) {
    return false;
  }
  mo_shape probe = {.core = mo_convex_point(0.0),
                    .bounding_radius = mo_min(size_of(shape, radius), size_of(others, radius))};
  near_hits all = {world, near, hit, count};
  mo_union_judgement judgement = {.world = world,
                                  .contact = contact_of(hit, &probe, shape, at),
                                  .find_cover = near_covers,
                                  .context = &all};
  mo_union_contact k = contact_of(other, &probe, others, others_at);
  mo_union_judge(&judgement, &k);
  return mo_is_finite(probe.bounding_radius) && judgement.verdict != MO_UNION_KEPT;
}

static bool is_same_shape(const mo_query_hit *a, const mo_query_hit *b) {
  return mo_body_id_equals(a->body, b->body) && a->shape == b->shape;
}

// Triangles of one mesh that meet where a ray hits one of them.
typedef struct mesh_search {
  const mo_world *world;
  const mo_mesh *mesh;
  mo_transform at;
  mo_vec3 direction, point; // of the ray and of the hit, the latter in the frame of the mesh
  double radius, reach;
  mo_query_hit *hit;
} mesh_search;

// Takes the normal of a triangle that covers the one that is hit.
static bool turn_to_triangle(void *user, uint32_t index) {
  mesh_search *s = user;
  mo_triangle t = mo_mesh_triangle(s->mesh, index);
  mo_vec3 position = mo_triangle_closest_point(&t, s->point);
  mo_vec3 normal = mo_mat3_mul(s->at.rotation, mo_triangle_normal(&t));
  double slope = mo_dot(normal, s->direction);
  if (slope == 0.0 || (s->mesh->is_one_sided && slope > 0.0) ||
      mo_distance_between(position, s->point) > s->reach) {
    return true;
  }
  mo_query_hit other = *s->hit;
  other.normal = slope > 0.0 ? mo_neg(normal) : normal;
  other.triangle = index;
  if (!is_turned(s->world, NULL, 0, s->radius, s->hit, &other)) {
    return true;
  }
  *s->hit = other;
  return false;
}

// Of a mesh the narrow phase knows which triangles are neighbours, but not which others meet.
static bool turn_in_mesh(const mo_world *world, const mo_ray *ray, double radius,
                         mo_query_hit *hit) {
  mesh_search s = {.world = world, .direction = ray->direction, .radius = radius, .hit = hit};
  const mo_shape *shape;
  if (!find(world, hit, &shape, &s.at) || mo_union_is_settled(shape)) {
    return false;
  }
  uint32_t triangle = hit->triangle;
  s.mesh = shape->mesh;
  s.point = mo_transform_point_inverse(s.at, hit->position);
  s.reach = TOUCHED * size_of(shape, radius) + mo_mesh_rounding(s.point);
  mo_mesh_search(s.mesh, mo_bounds_expand((mo_bounds){s.point, s.point}, s.reach), turn_to_triangle,
                 &s);
  return hit->triangle != triangle;
}

// From `first` on, the index of a hit because of which another one is none.
static uint32_t find_cover(const mo_world *world, const mo_query_hit *near, uint32_t count,
                           double radius, const mo_query_hit *hit, uint32_t first) {
  uint32_t i = first;
  while (i < count &&
         (is_same_shape(&near[i], hit) || !is_turned(world, near, count, radius, hit, &near[i]))) {
    i++;
  }
  return i;
}

void mo_union_ray_turn(mo_world *world, const mo_ray *ray, const mo_query_hit *near, uint32_t count,
                       double radius, mo_query_hit *hit) {
  if (!begin(world, mo_body_id_slot(hit->body)) || turn_in_mesh(world, ray, radius, hit)) {
    return;
  }
  uint32_t other = find_cover(world, near, count, radius, hit, 0);
  // At a corner of several shapes it may be a side too, which others cover.
  while (other < count && find_cover(world, near, count, radius, &near[other], 0) < count) {
    other = find_cover(world, near, count, radius, hit, other + 1);
  }
  if (other < count) {
    hit->normal = near[other].normal;
  }
}
