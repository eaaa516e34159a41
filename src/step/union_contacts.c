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
// Of the same radius: what is over a point by less does not rise from it, but is round-off of the
// narrow phase, whose points are one to 1e-6 of it.
#define LEAST_RISE 2e-6
// Square of the sine, of 12 degrees: planes that cross at a smaller angle meet further away than
// five times how deep a point is.
#define LEAST_CROSSING 0.04
// Of how far it is looked: where a shape is looked at above a plane, as near as its rim allows.
#define ABOVE 0.1
// Cosine of 2.6 degrees, up to which the narrow phase takes sides for flat on each other
// (support_polygon.c): a normal that is turned by more is another one.
#define OTHER_NORMAL 0.999

typedef struct tolerances {
  double look, width, height;
  double limit; // m: what goes on by less, seen from as far as it is looked, does not rise
  double least; // m: what is over a point by less does not rise from it
} tolerances;

// m: of the corners of a mesh at a point, in its own frame. Poses of bodies are not rounded so.
static double rounding_of(const mo_union_contact *c, mo_vec3 point) {
  if (!mo_shape_is_surface(c->fixed)) {
    return 0.0;
  }
  return mo_mesh_rounding(mo_transform_point_inverse(c->fixed_at, point));
}

static tolerances tolerances_of(const mo_union_contact *i, const mo_union_contact *k,
                                mo_vec3 point) {
  double size = i->size;
  double rounding = mo_max(rounding_of(i, point), rounding_of(k, point));
  double look = LOOK * size, height = STEP_HEIGHT * size + 2.0 * rounding;
  double crossing = OF_CROSSING * mo_length(mo_cross(i->normal, k->normal));
  return (tolerances){.look = look,
                      .width = SEAM_WIDTH * size + 2.0 * rounding,
                      .height = height,
                      .limit = mo_min(RISE * look + height, crossing * look),
                      .least = mo_min(LEAST_RISE * size, crossing * crossing * look)};
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

bool mo_union_has_both(const mo_world *world, uint32_t slot, uint32_t other) {
  const mo_body *a = &world->bodies[slot], *b = &world->bodies[other];
  if (slot == other || (a->type != MO_BODY_DYNAMIC && b->type != MO_BODY_DYNAMIC)) {
    return true;
  }
  return a->joint_count > 0 && b->joint_count > 0 &&
         mo_joined_pairs_have(&world->joined, slot, other);
}

void mo_union_place(const mo_world *world, uint32_t slot, uint32_t shape, const mo_shape **out,
                    mo_transform *at) {
  const mo_body *body = &world->bodies[slot];
  *out = body->shapes[shape].shape;
  *at = mo_body_shape_transform(body, shape, &world->motions[slot]);
}

// --- what may cover a face -------------------------------------------------------------------

// Of bodies that contacts move only what is touched is asked, which takes less time in piles.
static void list_covers(mo_union_covers *c) {
  const mo_world *world = c->world;
  const mo_contact_store *store = &world->pairs.records;
  c->is_listed = true;
  if (world->bodies[c->fixed].type == MO_BODY_DYNAMIC) {
    return;
  }
  for (uint32_t edge = store->firsts[c->slot]; edge != MO_NO_CONTACT && c->count < MO_UNION_COVERS;
       edge = store->edges[edge].next) {
    const mo_contact_record *r = &store->records[mo_contact_of_edge(edge)];
    bool is_a = r->slot_a == c->slot;
    uint32_t slot = is_a ? r->slot_b : r->slot_a, proxy = is_a ? r->proxy_b : r->proxy_a;
    if ((r->flags & MO_CONTACT_NEAR) && !(r->flags & MO_CONTACT_PART) &&
        mo_union_has_both(world, c->fixed, slot)) {
      mo_union_place(world, slot, world->broad_phase.proxies[proxy].shape, &c->shapes[c->count],
                     &c->at[c->count]);
      c->count++;
    }
  }
}

// --- whether a contact is void ---------------------------------------------------------------

// The point of the mover that is furthest against a direction.
static mo_vec3 lowest_of(const mo_union_contact *c, mo_vec3 up) {
  mo_vec3 local = mo_mat3_mul_transposed(c->mover_at.rotation, mo_neg(up));
  mo_vec3 lowest = mo_convex_furthest(&c->mover->core, local);
  return mo_add_scaled(mo_transform_point(c->mover_at, lowest), -c->mover->core.radius, up);
}

// The normal with which a shape goes on above a plane; zero for none.
static mo_vec3 normal_above(const mo_union_contact *i, mo_vec3 point, mo_vec3 up,
                            const tolerances *t) {
  mo_vec3 above = mo_add_scaled(point, ABOVE * t->look, up);
  mo_surface_point found;
  if (!mo_shape_closest_point(i->fixed, i->fixed_at, above, t->look, &found) ||
      !(found.distance > 0.0)) {
    return mo_v3_zero();
  }
  return mo_normalize(mo_sub(above, found.position));
}

// Sets where the mover is touched with the normal of a turn, whose point is on the surface. Returns
// false for poses that overflow.
static bool set_turn(const mo_union_contact *i, mo_union_turn *turn) {
  turn->on_mover = lowest_of(i, turn->normal);
  turn->separation = mo_dot(turn->normal, mo_sub(turn->on_mover, turn->point));
  turn->on_fixed = mo_add_scaled(turn->on_mover, -turn->separation, turn->normal);
  return mo_is_finite(turn->separation) && mo_v3_is_finite(mo_add(turn->on_mover, turn->on_fixed));
}

// Whether a shape of the union covers a contact at a point of the plane of k.
static bool is_covered(const mo_union_contact *i, const mo_union_contact *k, mo_vec3 point,
                       const tolerances *t, mo_union_covers *covers) {
  bool is_near;
  if (rises(k->fixed, &k->fixed_at, point, i->normal, t, &is_near) && is_near) {
    return true;
  }
  if (!covers->is_listed) {
    list_covers(covers);
  }
  for (uint32_t c = 0; c < covers->count; c++) {
    const mo_shape *shape = covers->shapes[c];
    const mo_transform *at = &covers->at[c];
    if (rises(shape, at, point, i->normal, t, &is_near) && is_near &&
        !rises(shape, at, point, k->normal, t, &is_near)) {
      return true;
    }
  }
  return false;
}

static mo_union_verdict judge_at(const mo_union_contact *i, const mo_union_contact *k,
                                 mo_vec3 point, mo_union_covers *covers, mo_union_turn *turn) {
  tolerances t = tolerances_of(i, k, point);
  double below = -mo_dot(k->normal, mo_sub(point, k->points[0]));
  // What goes down or tips in the step would touch sides far below the plane.
  if (below < -t.height || below > i->size) {
    return MO_UNION_KEPT;
  }
  // Along the face of i, up to where it meets the plane.
  mo_vec3 along = mo_add_scaled(k->normal, -mo_dot(k->normal, i->normal), i->normal);
  double squared = mo_length_squared(along);
  mo_vec3 on_plane = squared > LEAST_CROSSING ? mo_add_scaled(point, below / squared, along)
                                              : mo_add_scaled(point, below, k->normal);
  bool is_near_i;
  if (!is_covered(i, k, on_plane, &t, covers)) {
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

// What contact i is because of contact k.
static mo_union_verdict judge(const mo_union_contact *i, const mo_union_contact *k,
                              mo_union_covers *covers, mo_union_turn *turn) {
  if (i->point_count == 0 || k->point_count == 0) {
    return MO_UNION_KEPT;
  }
  mo_union_verdict all = MO_UNION_VOID;
  for (uint32_t p = 0; p < i->point_count; p++) {
    mo_union_verdict at = judge_at(i, k, i->points[p], covers, turn);
    if (at == MO_UNION_KEPT) {
      return MO_UNION_KEPT;
    }
    all = at == MO_UNION_TURNED ? MO_UNION_TURNED : all;
  }
  return all == MO_UNION_TURNED && !set_turn(i, turn) ? MO_UNION_KEPT : all;
}

void mo_union_begin(const mo_world *world, uint32_t slot, uint32_t fixed, mo_union_judgement *out) {
  out->verdict = MO_UNION_KEPT;
  out->covers.world = world;
  out->covers.slot = slot;
  out->covers.fixed = fixed;
  out->covers.is_listed = false;
  out->covers.count = 0;
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

bool mo_union_judge(mo_union_judgement *judgement, const mo_union_contact *k) {
  mo_union_turn turn;
  mo_union_verdict verdict = judge(&judgement->contact, k, &judgement->covers, &turn);
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

bool mo_union_has_parts(const mo_world *world, uint32_t slot) {
  const mo_body *body = &world->bodies[slot];
  return body->type != MO_BODY_DYNAMIC || body->shape_count > 1 || body->joint_count > 0;
}

uint32_t mo_union_moving_sides(const mo_world *world, uint32_t a, uint32_t b) {
  bool is_of_a = mo_world_is_dynamic(world, a) && mo_union_has_parts(world, b);
  bool is_of_b = mo_world_is_dynamic(world, b) && mo_union_has_parts(world, a);
  return (uint32_t)is_of_a | (uint32_t)is_of_b << 1;
}

double mo_union_size(const mo_world *world, const mo_shape *mover, uint32_t fixed) {
  const mo_body *body = &world->bodies[fixed];
  double radius = mover->bounding_radius;
  return body->type == MO_BODY_DYNAMIC ? mo_min(radius, body->bounding_radius) : radius;
}

void mo_union_bring_back(const mo_world *world, uint32_t fixed, mo_union_contact *contact) {
  bool turns = mo_length_squared(world->motions[fixed].angular_velocity) > 0.0;
  if (world->bodies[fixed].type != MO_BODY_KINEMATIC || !turns) {
    return;
  }
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
