#include "report/union_hits.h"

#include "collision/narrow/manifold.h"
#include "step/union_contacts.h"

// Of the bounding radius of the moving shape: what is nearer than that where it hits is touched
// too. It is the step that is none (union_contacts.c).
#define TOUCHED 2.5e-4
// Of the same radius: how far behind a void hit the search goes on. It is as far as shapes are
// looked at beside a point (union_contacts.c).
#define BEYOND 0.1

double mo_union_hit_beyond(const mo_shape *moving) { return BEYOND * moving->bounding_radius; }

// Shapes of the union that are near where a shape hits.
typedef struct search {
  mo_query *query;
  const mo_union_hit *hit;
  mo_union_covers *covers;
} search;

static bool list_cover(void *user, uint32_t proxy_id) {
  search *s = user;
  mo_query *query = s->query;
  const mo_broad_phase *broad_phase = &query->world->broad_phase;
  const mo_proxy *proxy = &broad_phase->proxies[proxy_id];
  mo_union_covers *covers = s->covers;
  uint32_t own = broad_phase->proxies[s->hit->proxy].slot;
  if (proxy_id != s->hit->proxy && mo_query_looks_at(query, proxy) &&
      mo_union_has_both(query->world, own, proxy->slot) && mo_query_accepts(query, proxy)) {
    covers->shapes[covers->count] = mo_query_shape_of(query, proxy, &covers->at[covers->count]);
    covers->count++;
  }
  return covers->count < MO_UNION_COVERS;
}

static void list_covers(mo_query *query, const mo_union_hit *hit, mo_union_covers *covers) {
  double reach = TOUCHED * hit->moving->bounding_radius;
  mo_bounds bounds = mo_bounds_expand(mo_shape_bounds(hit->moving, &hit->pose), reach);
  mo_aabb box = mo_aabb_from_bounds(bounds);
  covers->is_listed = true;
  mo_broad_phase_query(&query->world->broad_phase, MO_TREES_ALL, &box, list_cover,
                       &(search){query, hit, covers});
}

// The contact of the moving shape with a shape that is near where it hits.
static mo_union_contact contact_with(const mo_union_hit *hit, const mo_shape *shape,
                                     mo_transform at) {
  mo_manifold manifold;
  mo_collide_shapes(shape, at, hit->moving, hit->pose, TOUCHED * hit->moving->bounding_radius,
                    &manifold);
  mo_union_contact k = {.mover = hit->moving,
                        .fixed = shape,
                        .mover_at = hit->pose,
                        .fixed_at = at,
                        .normal = manifold.normal,
                        .point_count = (uint32_t)manifold.point_count};
  for (int p = 0; p < manifold.point_count; p++) {
    k.points[p] = manifold.points[p].point_a;
  }
  return k;
}

bool mo_union_hit_is_void(mo_query *query, const mo_union_hit *hit) {
  const mo_proxy *proxy = &query->world->broad_phase.proxies[hit->proxy];
  bool is_sensor = query->world->bodies[proxy->slot].shapes[proxy->shape].sensor;
  if (is_sensor || !mo_union_has_both(query->world, proxy->slot, proxy->slot)) {
    return false; // what contacts move, or nothing touches, is no part of a union
  }
  mo_union_judgement judgement;
  mo_union_begin(query->world, 0, proxy->slot, &judgement);
  mo_union_contact *contact = &judgement.contact;
  *contact = (mo_union_contact){.mover = hit->moving,
                                .mover_at = hit->pose,
                                .normal = hit->normal,
                                .point_count = 1,
                                .points = {hit->position}};
  contact->fixed = mo_query_shape_of(query, proxy, &contact->fixed_at);
  list_covers(query, hit, &judgement.covers);
  for (uint32_t i = 0; i < judgement.covers.count; i++) {
    mo_union_contact k = contact_with(hit, judgement.covers.shapes[i], judgement.covers.at[i]);
    bool is_other = k.point_count > 0 && mo_dot(k.normal, hit->normal) <= MO_UNION_SAME_NORMAL;
    if (is_other && mo_union_judge(&judgement, &k)) {
      return true;
    }
  }
  return false;
}
