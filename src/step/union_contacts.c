#include "step/union_contacts.h"

#include "collision/convex/closest_point.h"
#include "world/activity.h"

// Of the bounding radius of the mover: how far beside a point a shape is looked at. It is much more
// than cracks are wide, and less than features are apart that the mover can tell.
#define LOOK 0.1
// Sine: what rises by less, 0.3 degrees, does not.
#define RISE 5e-3
// Of the sine of the angle between two normals, if that is less: a plane goes on by all of it.
#define OF_CROSSING 0.5
// Of the same radius: a crack that is as wide is none. A ball sinks into it by an eighth of the
// square, 1e-5 of its radius.
#define SEAM_WIDTH 0.01
// Of the same radius: a step that is as high is none, as what is built of parts is level to that:
// 0.1 mm under a body of 0.4 m.
#define STEP_HEIGHT 2.5e-4
// Square of the sine, of 12 degrees: planes that cross at a smaller angle meet further away than
// five times how deep a point is.
#define LEAST_CROSSING 0.04
// Cosine of 2.6 degrees, up to which the narrow phase takes sides for flat on each other
// (support_polygon.c): a normal that is turned by more is another one.
#define OTHER_NORMAL 0.999

typedef mo_union_tolerances tolerances;

// m: of the corners of a mesh at a point, in its own frame. Poses of bodies are not rounded so.
static double rounding_of(const mo_shape *shape, const mo_transform *at, mo_vec3 point) {
  return mo_shape_is_surface(shape) ? mo_mesh_rounding(mo_transform_point_inverse(*at, point))
                                    : 0.0;
}

static tolerances with_rounding(double size, double rounding) {
  double look = LOOK * size, height = STEP_HEIGHT * size + 2.0 * rounding;
  return (tolerances){.look = look,
                      .width = SEAM_WIDTH * size + 2.0 * rounding,
                      .height = height,
                      .limit = RISE * look + height,
                      .least = 2.0 * MO_UNION_ROUND_OFF * size};
}

mo_union_tolerances mo_union_tolerances_of(const mo_shape *shape, const mo_transform *at,
                                           mo_vec3 point, double size) {
  return with_rounding(size, rounding_of(shape, at, point));
}

static tolerances tolerances_of(const mo_union_contact *i, const mo_union_contact *k,
                                mo_vec3 point) {
  double rounding = mo_max(rounding_of(i->fixed, &i->fixed_at, point),
                           rounding_of(k->fixed, &k->fixed_at, point));
  tolerances t = with_rounding(i->size, rounding);
  double crossing = OF_CROSSING * mo_length(mo_cross(i->normal, k->normal));
  t.limit = mo_min(t.limit, crossing * t.look);
  t.least = mo_min(t.least, crossing * crossing * t.look);
  return t;
}

// --- whether a shape rises from a point ------------------------------------------------------

// From where it is measured how high a shape rises: its own point, if that is level with the point
// that is looked at.
static mo_vec3 level_of(mo_vec3 base, mo_vec3 point, mo_vec3 direction, const tolerances *t) {
  return fabs(mo_dot(direction, mo_sub(base, point))) <= t->height ? base : point;
}

// Triangles at a point of a mesh, in its frame.
typedef struct rise_test {
  const mo_mesh *mesh;
  mo_vec3 point, ahead, direction;
  const tolerances *allowed;
  bool is_near, rises;
} rise_test;

static bool test_triangle(void *user, uint32_t index) {
  rise_test *test = user;
  mo_triangle t = mo_mesh_triangle(test->mesh, index);
  mo_vec3 base = mo_triangle_closest_point(&t, test->point);
  if (mo_distance_between(base, test->point) > test->allowed->width) {
    return true;
  }
  test->is_near = true;
  mo_vec3 move = mo_sub(mo_triangle_closest_point(&t, mo_add(base, test->ahead)), base);
  mo_vec3 level = level_of(base, test->point, test->direction, test->allowed);
  double up = mo_dot(test->direction, move);
  double over = mo_dot(test->direction, mo_sub(mo_add(base, move), level));
  test->rises = up > 0.0 && over > test->allowed->least && mo_length(move) > test->allowed->limit;
  return !test->rises;
}

static bool mesh_rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point,
                       mo_vec3 direction, const tolerances *t, bool *is_near) {
  rise_test test = {.mesh = shape->mesh,
                    .point = mo_transform_point_inverse(*at, point),
                    .direction = mo_mat3_mul_transposed(at->rotation, direction),
                    .allowed = t};
  test.ahead = mo_scale(t->look, test.direction);
  mo_mesh_search(shape->mesh, mo_bounds_expand((mo_bounds){test.point, test.point}, t->width),
                 test_triangle, &test);
  *is_near = test.is_near;
  return test.rises;
}

static bool convex_rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point,
                         mo_vec3 direction, const tolerances *t, bool *is_near) {
  mo_surface_point base, ahead;
  *is_near = mo_shape_closest_point(shape, *at, point, t->width, &base);
  if (!*is_near) {
    return false;
  }
  mo_vec3 from = base.distance > 0.0 ? base.position : point;
  if (!mo_shape_closest_point(shape, *at, mo_add_scaled(from, t->look, direction), 2.0 * t->look,
                              &ahead)) {
    return false;
  }
  return ahead.distance < 0.0 ||
         (mo_distance_between(ahead.position, from) > t->limit &&
          mo_dot(direction, mo_sub(ahead.position, level_of(from, point, direction, t))) >
              t->least);
}

// Whether a shape may be at a point, by the ball around it.
static bool may_be_at(const mo_shape *shape, const mo_transform *at, mo_vec3 point,
                      const tolerances *t) {
  double reach = shape->bounding_radius + t->width;
  mo_vec3 away = mo_sub(mo_transform_point_inverse(*at, point), shape->centroid);
  return !(mo_length_squared(away) > reach * reach);
}

static bool rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point, mo_vec3 direction,
                  const tolerances *t, bool *is_near) {
  *is_near = false;
  if (!may_be_at(shape, at, point, t)) {
    return false;
  }
  return mo_shape_is_surface(shape) ? mesh_rises(shape, at, point, direction, t, is_near)
                                    : convex_rises(shape, at, point, direction, t, is_near);
}

bool mo_union_rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point, mo_vec3 direction,
                    const mo_union_tolerances *t) {
  bool is_near;
  return rises(shape, at, point, direction, t, &is_near) && is_near;
}

static void place_fixed(const mo_world *world, mo_union_contact *c) {
  if (!c->is_placed) {
    c->is_placed = true;
    c->fixed_at = mo_body_shape_transform(&world->bodies[c->fixed_slot], c->fixed_shape,
                                          &world->motions[c->fixed_slot]);
  }
}

static void place_mover(const mo_world *world, mo_union_contact *c) {
  if (!c->is_mover_placed) {
    c->is_mover_placed = true;
    c->mover_at = mo_body_shape_transform(&world->bodies[c->mover_slot], c->mover_shape,
                                          &world->motions[c->mover_slot]);
  }
}

// --- what may cover a face -------------------------------------------------------------------

// A point of the plane of k, and what covers contact i there.
typedef struct cover_test {
  const mo_union_contact *i, *k;
  mo_vec3 point;
  const tolerances *allowed;
} cover_test;

static bool is_cover(void *user, const mo_shape *shape, const mo_transform *at) {
  const cover_test *test = user;
  bool is_near;
  return rises(shape, at, test->point, test->i->normal, test->allowed, &is_near) && is_near &&
         !rises(shape, at, test->point, test->k->normal, test->allowed, &is_near);
}

// Whether the shape of a pair of the mover covers the point, if it is of the same solid as `fixed`.
static bool pair_covers(const mo_world *world, uint32_t edge, uint32_t fixed, const mo_aabb *box,
                        mo_union_cover_test *test, void *user) {
  const mo_contact_record *r = &world->pairs.records.records[mo_contact_of_edge(edge)];
  uint32_t slot = edge & 1u ? r->slot_a : r->slot_b, proxy = edge & 1u ? r->proxy_a : r->proxy_b;
  if (!(r->flags & MO_CONTACT_NEAR) || r->flags & MO_CONTACT_PART ||
      !mo_aabb_overlap(&world->broad_phase.boxes[proxy], box) ||
      !mo_union_has_both(world, fixed, slot)) {
    return false;
  }
  uint32_t shape = world->broad_phase.proxies[proxy].shape;
  mo_transform at = mo_body_shape_transform(&world->bodies[slot], shape, &world->motions[slot]);
  return test(user, world->bodies[slot].shapes[shape].shape, &at);
}

// Of bodies that contacts move only what is touched is asked, which takes less time in piles.
static bool pairs_cover(const mo_world *world, const mo_union_contact *i, const mo_aabb *box,
                        mo_union_cover_test *test, void *user) {
  const mo_contact_store *store = &world->pairs.records;
  bool covers = false;
  if (world->bodies[i->fixed_slot].type == MO_BODY_DYNAMIC) {
    return false;
  }
  for (uint32_t edge = store->firsts[i->mover_slot]; edge != MO_NO_CONTACT && !covers;
       edge = store->edges[edge].next) {
    covers = pair_covers(world, edge, i->fixed_slot, box, test, user);
  }
  return covers;
}

// --- whether a contact is void ---------------------------------------------------------------

// The point of the mover that is furthest against a direction.
static mo_vec3 lowest_of(const mo_union_contact *c, mo_vec3 up) {
  mo_vec3 local = mo_mat3_mul_transposed(c->mover_at.rotation, mo_neg(up));
  mo_vec3 lowest = mo_convex_furthest(&c->mover->core, local);
  return mo_add_scaled(mo_transform_point(c->mover_at, lowest), -c->mover->core.radius, up);
}

// The normal with which a shape goes on above a plane, as near as its rim allows; zero for none.
static mo_vec3 normal_above(const mo_union_contact *i, mo_vec3 point, mo_vec3 up,
                            const tolerances *t) {
  mo_vec3 above = mo_add_scaled(point, t->width, up);
  mo_surface_point found;
  if (!mo_shape_closest_point(i->fixed, i->fixed_at, above, t->look, &found) ||
      !(found.distance > 0.0)) {
    return mo_v3_zero();
  }
  return mo_normalize(mo_sub(above, found.position));
}

// Whether a test says yes to a shape of the union that is near a point.
static bool find_cover(const mo_union_judgement *j, mo_vec3 point, double width,
                       mo_union_cover_test *test, void *user) {
  mo_aabb box = mo_aabb_from_bounds(mo_bounds_expand((mo_bounds){point, point}, width));
  return j->find_cover ? j->find_cover(j->context, &box, test, user)
                       : pairs_cover(j->world, &j->contact, &box, test, user);
}

// Whether a shape of the union covers a contact at a point of the plane of k.
static bool is_covered(const mo_union_judgement *j, const mo_union_contact *k, mo_vec3 point,
                       const tolerances *t) {
  bool is_near;
  if (rises(k->fixed, &k->fixed_at, point, j->contact.normal, t, &is_near) && is_near) {
    return true;
  }
  cover_test test = {&j->contact, k, point, t};
  return find_cover(j, point, t->width, is_cover, &test);
}

// A point at which there may be a surface.
typedef struct surface_test {
  mo_vec3 point;
  double width; // m
} surface_test;

static bool has_surface(void *user, const mo_shape *shape, const mo_transform *at) {
  const surface_test *test = user;
  mo_surface_point found;
  return mo_shape_closest_point(shape, *at, test->point, test->width, &found) &&
         found.distance >= -test->width;
}

// Whether the surface of the union is at a point.
static bool is_on_union(const mo_union_judgement *j, const mo_union_contact *k, mo_vec3 point) {
  const mo_union_contact *i = &j->contact;
  surface_test test = {point, tolerances_of(i, k, point).width};
  return has_surface(&test, i->fixed, &i->fixed_at) || has_surface(&test, k->fixed, &k->fixed_at) ||
         find_cover(j, point, test.width, has_surface, &test);
}

// m: how far a point is below the plane of k.
static double depth_under(const mo_union_contact *k, mo_vec3 point) {
  return -mo_dot(k->normal, mo_sub(point, k->points[0]));
}

// Sets where the mover is touched with the normal of a turn, whose point is on the surface. Returns
// whether the surface goes on to there: past its end the plane with that normal says nothing. What
// comes to a ramp touches its plane before it, under the plane of k.
static bool set_turn(mo_union_judgement *j, const mo_union_contact *k, mo_union_turn *turn) {
  mo_union_contact *i = &j->contact;
  place_mover(j->world, i);
  turn->on_mover = lowest_of(i, turn->normal);
  turn->separation = mo_dot(turn->normal, mo_sub(turn->on_mover, turn->point));
  turn->on_fixed = mo_add_scaled(turn->on_mover, -turn->separation, turn->normal);
  double below = depth_under(k, turn->on_fixed);
  return mo_is_finite(turn->separation) &&
         mo_v3_is_finite(mo_add(turn->on_mover, turn->on_fixed)) &&
         is_on_union(j, k, mo_add_scaled(turn->on_fixed, mo_max(below, 0.0), k->normal));
}

// Whether a point is near enough to the plane of k: what goes down or tips in the step would touch
// sides far below it.
static bool is_in_range(const mo_union_contact *i, double below, double height) {
  return below >= -height && below <= i->size;
}

// The same of all points, before shapes are placed: of meshes it cannot be said before.
static bool may_be_in_range(const mo_union_contact *i, const mo_union_contact *k) {
  bool is_in = true, is_rounded = mo_shape_is_surface(i->fixed) || mo_shape_is_surface(k->fixed);
  for (uint32_t p = 0; p < i->point_count && is_in && !is_rounded; p++) {
    is_in = is_in_range(i, depth_under(k, i->points[p]), STEP_HEIGHT * i->size);
  }
  return is_in;
}

static mo_union_verdict judge_at(const mo_union_judgement *j, const mo_union_contact *k,
                                 mo_vec3 point, mo_union_turn *turn) {
  const mo_union_contact *i = &j->contact;
  tolerances t = tolerances_of(i, k, point);
  double below = depth_under(k, point);
  if (!is_in_range(i, below, t.height)) {
    return MO_UNION_KEPT;
  }
  // Along the face of i, up to where it meets the plane.
  mo_vec3 along = mo_add_scaled(k->normal, -mo_dot(k->normal, i->normal), i->normal);
  double squared = mo_length_squared(along);
  mo_vec3 on_plane = squared > LEAST_CROSSING ? mo_add_scaled(point, below / squared, along)
                                              : mo_add_scaled(point, below, k->normal);
  bool is_near_i;
  if (!is_covered(j, k, on_plane, &t)) {
    return MO_UNION_KEPT;
  }
  if (!rises(i->fixed, &i->fixed_at, on_plane, k->normal, &t, &is_near_i)) {
    return is_near_i ? MO_UNION_VOID : MO_UNION_KEPT;
  }
  turn->normal = normal_above(i, on_plane, k->normal, &t);
  turn->point = on_plane;
  bool is_turned = mo_length_squared(turn->normal) > 0.0 &&
                   mo_dot(turn->normal, i->normal) < OTHER_NORMAL &&
                   mo_dot(turn->normal, k->normal) > 0.0;
  return is_turned ? MO_UNION_TURNED : MO_UNION_KEPT;
}

// What the contact is because of contact k.
static mo_union_verdict judge(mo_union_judgement *j, mo_union_contact *k, mo_union_turn *turn) {
  mo_union_contact *i = &j->contact;
  if (i->point_count == 0 || k->point_count == 0 || !may_be_in_range(i, k)) {
    return MO_UNION_KEPT;
  }
  place_fixed(j->world, i);
  place_fixed(j->world, k);
  mo_union_verdict all = MO_UNION_VOID;
  for (uint32_t p = 0; p < i->point_count; p++) {
    mo_union_verdict at = judge_at(j, k, i->points[p], turn);
    if (at == MO_UNION_KEPT) {
      return MO_UNION_KEPT;
    }
    all = at == MO_UNION_TURNED ? MO_UNION_TURNED : all;
  }
  return all == MO_UNION_TURNED && !set_turn(j, k, turn) ? MO_UNION_KEPT : all;
}

// An order of turns that does not depend on the order in which they are found, as that of the
// contacts of a body depends on which others it had: the deepest first.
static bool precedes(const mo_union_turn *a, const mo_union_turn *b) {
  if (a->separation != b->separation) {
    return a->separation < b->separation;
  }
  mo_vec3 p = a->normal, q = b->normal;
  return p.x != q.x ? p.x < q.x : p.y != q.y ? p.y < q.y : p.z < q.z;
}

bool mo_union_judge(mo_union_judgement *judgement, mo_union_contact *k) {
  mo_union_turn turn;
  mo_union_verdict verdict = judge(judgement, k, &turn);
  bool is_first = judgement->verdict != MO_UNION_TURNED;
  if (verdict == MO_UNION_VOID) {
    judgement->verdict = verdict;
  } else if (verdict == MO_UNION_TURNED && (is_first || precedes(&turn, &judgement->turn))) {
    judgement->verdict = verdict;
    judgement->turn = turn;
  }
  return verdict == MO_UNION_VOID;
}

// --- for the stages ----------------------------------------------------------------------------

void mo_union_set_shapes(const mo_world *world, uint32_t mover_slot, uint32_t mover_shape,
                         uint32_t fixed_slot, uint32_t fixed_shape, mo_union_contact *contact) {
  contact->is_placed = false;
  contact->is_mover_placed = false;
  contact->mover_slot = mover_slot;
  contact->mover_shape = mover_shape;
  contact->fixed_slot = fixed_slot;
  contact->fixed_shape = fixed_shape;
  contact->mover = world->bodies[mover_slot].shapes[mover_shape].shape;
  contact->fixed = world->bodies[fixed_slot].shapes[fixed_shape].shape;
  contact->size = mo_union_size(world, contact->mover, fixed_slot);
}

void mo_union_bring_back(const mo_world *world, mo_union_contact *contact) {
  uint32_t fixed = contact->fixed_slot;
  bool turns = mo_length_squared(world->motions[fixed].angular_velocity) > 0.0;
  if (world->bodies[fixed].type != MO_BODY_KINEMATIC || !turns) {
    return;
  }
  place_fixed(world, contact);
  for (uint32_t p = 0; p < contact->point_count; p++) {
    mo_surface_point found;
    if (mo_shape_closest_point(contact->fixed, contact->fixed_at, contact->points[p], contact->size,
                               &found)) {
      contact->points[p] = found.position;
    }
  }
}

bool mo_union_is_settled(const mo_shape *shape) {
  return !mo_shape_is_surface(shape) || !shape->mesh->has_seams;
}
