#include "step/union_contacts.h"

#include "collision/convex/closest_point.h"
#include "step/fast/fast_contacts.h"
#include "world/activity.h"

// Of the bounding radius of the mover: how far beside a point the shape is looked at.
#define LOOK 0.1
// Sine: what rises by less does not.
#define RISE 5e-3
// Of the same radius: a seam that is as wide is none.
#define SEAM_WIDTH 0.01
// Of the same radius: a step that is as high is none.
#define STEP_HEIGHT 2.5e-4
// Of the same radius: what is over a point by less does not rise from it.
#define LEAST_RISE 2e-6
// Of the largest coordinate: corners that were rounded to single precision differ by less.
#define ROUNDING 2.5e-7
// Square of the sine: planes that cross at a smaller angle meet far away.
#define LEAST_CROSSING 0.04
// Of how far it is looked: where a shape is looked at above a plane.
#define ABOVE 0.1
// Cosine of 2.6 degrees: a normal that is turned by more is another one.
#define OTHER_NORMAL 0.999
// Cosine: such normals are of one plane.
#define SAME_NORMAL 0.99998

typedef struct tolerances {
  double look, width, height;
  double least; // m: what is over a point by less does not rise from it
} tolerances;

static tolerances tolerances_of(const mo_union_contact *i, mo_vec3 point) {
  double size = i->mover->bounding_radius;
  double rounding = ROUNDING * mo_v3_max_component(mo_v3_abs(point));
  return (tolerances){LOOK * size, SEAM_WIDTH * size + 2.0 * rounding,
                      STEP_HEIGHT * size + 2.0 * rounding, LEAST_RISE * size};
}

// --- whether a shape rises from a point ------------------------------------------------------

// Triangles at a point of a mesh, in its frame.
typedef struct rise_test {
  const mo_mesh *mesh;
  mo_vec3 point, ahead, direction;
  double width, limit, least;
  bool is_near, rises;
} rise_test;

static bool test_triangle(void *user, uint32_t index) {
  rise_test *test = user;
  mo_triangle t = mo_mesh_triangle(test->mesh, index);
  mo_vec3 base = mo_triangle_closest_point(&t, test->point);
  if (mo_distance_between(base, test->point) > test->width) {
    return true;
  }
  test->is_near = true;
  mo_vec3 move = mo_sub(mo_triangle_closest_point(&t, mo_add(base, test->ahead)), base);
  double up = mo_dot(test->direction, move);
  double over = mo_dot(test->direction, mo_sub(mo_add(base, move), test->point));
  test->rises = up > 0.0 && over > test->least && mo_length(move) > test->limit;
  return !test->rises;
}

static bool mesh_rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point,
                       mo_vec3 direction, const tolerances *t, bool *is_near) {
  rise_test test = {.mesh = shape->mesh,
                    .point = mo_transform_point_inverse(*at, point),
                    .direction = mo_mat3_mul_transposed(at->rotation, direction),
                    .width = t->width,
                    .limit = RISE * t->look + t->height,
                    .least = t->least};
  test.ahead = mo_scale(t->look, test.direction);
  mo_mesh_search(shape->mesh,
                 mo_bounds_expand((mo_bounds){test.point, test.point}, t->width), test_triangle,
                 &test);
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
         (mo_distance_between(ahead.position, from) > RISE * t->look + t->height &&
          mo_dot(direction, mo_sub(ahead.position, point)) > t->least);
}

static bool rises(const mo_shape *shape, const mo_transform *at, mo_vec3 point, mo_vec3 direction,
                  const tolerances *t, bool *is_near) {
  return mo_shape_is_surface(shape) ? mesh_rises(shape, at, point, direction, t, is_near)
                                    : convex_rises(shape, at, point, direction, t, is_near);
}

bool mo_union_has_both(const mo_world *world, uint32_t slot, uint32_t other) {
  const mo_body *a = &world->bodies[slot], *b = &world->bodies[other];
  return slot == other ? a->type != MO_BODY_DYNAMIC
                       : a->type == MO_BODY_STATIC && b->type == MO_BODY_STATIC;
}

static void place(const mo_world *world, uint32_t slot, uint32_t shape, const mo_shape **out,
                  mo_transform *at) {
  const mo_body *body = &world->bodies[slot];
  *out = body->shapes[shape].shape;
  *at = mo_body_shape_transform(body, shape, &world->motions[slot]);
}

// --- what may cover a face -------------------------------------------------------------------

static void list_covers(mo_union_covers *c) {
  const mo_world *world = c->world;
  const mo_contact_store *store = &world->pairs.records;
  c->is_listed = true;
  for (uint32_t edge = store->firsts[c->slot]; edge != MO_NO_CONTACT && c->count < MO_UNION_COVERS;
       edge = store->edges[edge].next) {
    const mo_contact_record *r = &store->records[mo_contact_of_edge(edge)];
    bool is_a = r->slot_a == c->slot;
    uint32_t slot = is_a ? r->slot_b : r->slot_a, proxy = is_a ? r->proxy_b : r->proxy_a;
    if ((r->flags & MO_CONTACT_NEAR) && !(r->flags & MO_CONTACT_PART) &&
        mo_union_has_both(world, c->fixed, slot)) {
      place(world, slot, world->broad_phase.proxies[proxy].shape, &c->shapes[c->count],
            &c->at[c->count]);
      c->count++;
    }
  }
}

// --- whether a contact is void ---------------------------------------------------------------

// The point of the mover that is furthest against a direction.
static mo_vec3 lowest_of(const mo_union_contact *c, mo_vec3 up) {
  const mo_convex *core = &c->mover->core;
  mo_vec3 local = mo_mat3_mul_transposed(c->mover_at.rotation, mo_neg(up));
  uint32_t vertex = mo_convex_first_vertex(core);
  mo_vec3 lowest =
      core->kind == MO_CORE_HULL
          ? core->hull->vertices[mo_hull_support_vertex(core->hull, local)]
          : mo_convex_support(core, &vertex, local);
  return mo_add_scaled(mo_transform_point(c->mover_at, lowest), -core->radius, up);
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
                                 mo_vec3 point, mo_union_covers *covers,
                                 mo_union_turn *turn) {
  tolerances t = tolerances_of(i, point);
  double below = -mo_dot(k->normal, mo_sub(point, k->points[0]));
  // What goes down or tips in the step would touch sides far below the plane.
  if (below < -t.height || below > i->mover->bounding_radius) {
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

mo_union_verdict mo_union_judge(const mo_union_contact *i, const mo_union_contact *k,
                                mo_union_covers *covers, mo_union_turn *turn) {
  if (mo_dot(i->normal, k->normal) > SAME_NORMAL || k->point_count == 0) {
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
  if (all == MO_UNION_TURNED) {
    turn->on_mover = lowest_of(i, turn->normal);
    turn->separation = mo_dot(turn->normal, mo_sub(turn->on_mover, turn->point));
    turn->on_fixed = mo_add_scaled(turn->on_mover, -turn->separation, turn->normal);
    mo_vec3 sum = mo_add(turn->on_mover, turn->on_fixed);
    if (!mo_is_finite(turn->separation) || !mo_v3_is_finite(sum)) {
      return MO_UNION_KEPT; // poses that overflow
    }
  }
  return i->point_count > 0 ? all : MO_UNION_KEPT;
}

// --- soft-step -------------------------------------------------------------------------------

// The side of a contact that moves: 0 or 1; -1 if none or both do.
static int moving_side(const mo_world *world, uint32_t a, uint32_t b) {
  bool moves_a = mo_world_is_dynamic(world, a), moves_b = mo_world_is_dynamic(world, b);
  return moves_a == moves_b ? -1 : moves_a ? 0 : 1;
}

static const mo_substep_contact *manifold_of(const mo_world *world, uint32_t contact) {
  const mo_contact_record *record = &world->pairs.records.records[contact];
  bool has = record->flags & MO_CONTACT_NEAR && record->place >= MO_PLACE_COLOURS &&
             record->place < MO_PLACE_ASLEEP_CONTACTS;
  return has ? &world->pairs.colours[record->place - MO_PLACE_COLOURS].contacts[record->index]
             : NULL;
}

static void read_fast(const mo_world *world, double dt, const mo_substep_contact *c, int side,
                      mo_union_contact *out) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  uint32_t slots[2] = {c->pair.slot_a, c->pair.slot_b};
  uint32_t shapes[2] = {proxies[c->pair.proxy_a].shape, proxies[c->pair.proxy_b].shape};
  place(world, slots[side], shapes[side], &out->mover, &out->mover_at);
  place(world, slots[!side], shapes[!side], &out->fixed, &out->fixed_at);
  out->path = mo_scale(dt, world->motions[slots[side]].linear_velocity);
  mo_vec3 normal = mo_normalize(mo_v3_from_floats(c->normal));
  out->normal = side == 0 ? mo_neg(normal) : normal;
  out->point_count = c->point_count;
  // Of an impact ahead the point on the mover is elsewhere now.
  mo_vec3 center = world->motions[slots[!side]].center_of_mass;
  for (uint32_t p = 0; p < c->point_count; p++) {
    mo_vec3 arm = mo_v3_from_floats(side == 0 ? c->points[p].arm_b : c->points[p].arm_a);
    out->points[p] = mo_add(center, arm);
  }
}

// Whether two contacts with one shape have been looked at by the narrow phase already: of a mesh it
// knows which triangles are neighbours.
static bool is_settled(const mo_shape *shape) {
  return !mo_shape_is_surface(shape) || !shape->mesh->has_seams;
}

// What a contact is because of the others of the body.
static mo_union_verdict judge_fast(const mo_world *world, double dt, uint32_t contact,
                                   mo_union_turn *turn) {
  mo_union_verdict worst = MO_UNION_KEPT;
  const mo_substep_contact *c = manifold_of(world, contact);
  int side = c ? moving_side(world, c->pair.slot_a, c->pair.slot_b) : -1;
  if (side < 0) {
    return MO_UNION_KEPT;
  }
  uint32_t slot = side == 0 ? c->pair.slot_a : c->pair.slot_b;
  uint32_t fixed = side == 0 ? c->pair.slot_b : c->pair.slot_a;
  const mo_contact_store *store = &world->pairs.records;
  if (world->pairs.contact_counts[slot] < 2) {
    return MO_UNION_KEPT;
  }
  bool is_read = false;
  mo_union_contact i, k;
  mo_union_covers covers;
  covers.world = world;
  covers.slot = slot;
  covers.fixed = fixed;
  covers.is_listed = false;
  covers.count = 0;
  for (uint32_t edge = store->firsts[slot]; edge != MO_NO_CONTACT; edge = store->edges[edge].next) {
    uint32_t other = mo_contact_of_edge(edge);
    const mo_contact_record *record = &store->records[other];
    int own = record->slot_a == slot ? 0 : 1;
    if (other == contact ||
        !mo_union_has_both(world, fixed, own == 0 ? record->slot_b : record->slot_a)) {
      continue;
    }
    const mo_substep_contact *o = manifold_of(world, other);
    if (!o) {
      continue;
    }
    uint32_t proxy = side == 0 ? c->pair.proxy_b : c->pair.proxy_a;
    if (proxy == (own == 0 ? o->pair.proxy_b : o->pair.proxy_a) &&
        is_settled(world->bodies[fixed].shapes[world->broad_phase.proxies[proxy].shape].shape)) {
      continue;
    }
    double sign = own == side ? 1.0 : -1.0;
    if (sign * mo_dot(mo_v3_from_floats(c->normal), mo_v3_from_floats(o->normal)) > SAME_NORMAL) {
      continue;
    }
    if (!is_read) {
      read_fast(world, dt, c, side, &i);
      is_read = true;
    }
    read_fast(world, dt, o, own, &k);
    mo_union_turn found;
    mo_union_verdict verdict = mo_union_judge(&i, &k, &covers, &found);
    if (verdict == MO_UNION_VOID) {
      return verdict;
    }
    if (verdict == MO_UNION_TURNED) {
      worst = verdict;
      *turn = found;
    }
  }
  return worst;
}

// Takes a void contact out of its colour; the next step looks at its pair again.
static bool drop_whole(mo_world *world, uint32_t contact) {
  mo_pair_store *pairs = &world->pairs;
  const mo_contact_record *record = &pairs->records.records[contact];
  if (!mo_pair_store_reserve_notes(pairs, 1)) {
    return false;
  }
  mo_pair pair =
      mo_pair_store_take_contact(pairs, record->place - MO_PLACE_COLOURS, record->index).pair;
  pair.allowance = world->displacements[pair.slot_a] + world->displacements[pair.slot_b];
  mo_pair_store_add_near(pairs, &pair);
  if (!mo_island_sets_reserve_notes(&world->islands, pair.slot_a, pair.slot_b)) {
    return false;
  }
  mo_island_sets_loosen(&world->islands, pair.slot_a);
  mo_island_sets_loosen(&world->islands, pair.slot_b);
  return true;
}

static bool drop_part(mo_world *world, uint32_t part) {
  mo_pair_store *pairs = &world->pairs;
  uint32_t whole =
      mo_contact_store_find_whole(&pairs->records, &pairs->records.records[part]);
  if (whole != MO_NO_CONTACT) {
    mo_pair *pair = mo_pair_store_find(pairs, whole);
    pair->allowance = world->displacements[pair->slot_a] + world->displacements[pair->slot_b];
  }
  return mo_world_drop_part(world, part);
}

// A contact that is changed.
typedef struct change {
  uint32_t contact;
  mo_union_verdict verdict;
  mo_union_turn turn;
} change;

static void judge(const mo_world *world, double dt, uint32_t contact, change *list,
                  uint32_t *count) {
  change *at = &list[*count];
  at->contact = contact;
  at->verdict = judge_fast(world, dt, contact, &at->turn);
  *count += at->verdict != MO_UNION_KEPT;
}

// Gives a contact the normal of the union.
static bool turn_contact(mo_world *world, const change *c) {
  mo_pair_store *pairs = &world->pairs;
  const mo_contact_record *record = &pairs->records.records[c->contact];
  if (!mo_pair_store_reserve_notes(pairs, 2)) {
    return false;
  }
  mo_substep_contact *contact =
      mo_pair_store_change_contact(pairs, record->place - MO_PLACE_COLOURS, record->index);
  int side = moving_side(world, contact->pair.slot_a, contact->pair.slot_b);
  const mo_union_turn *t = &c->turn;
  mo_manifold manifold = {.normal = side == 0 ? mo_neg(t->normal) : t->normal, .point_count = 1};
  manifold.points[0] = (mo_manifold_point){side == 0 ? t->on_mover : t->on_fixed,
                                           side == 0 ? t->on_fixed : t->on_mover, t->separation,
                                           contact->points[0].feature_id};
  mo_fast_contact_renew(world, &manifold, world->motions[contact->pair.slot_a].center_of_mass,
                        world->motions[contact->pair.slot_b].center_of_mass, contact);
  double now = world->displacements[contact->pair.slot_a] +
               world->displacements[contact->pair.slot_b];
  if (record->flags & MO_CONTACT_PART) {
    uint32_t whole = mo_contact_store_find_whole(&pairs->records, record);
    if (whole != MO_NO_CONTACT) {
      mo_pair_store_find(pairs, whole)->allowance = now;
    }
  } else {
    contact->pair.allowance = now;
  }
  return true;
}

static bool apply(mo_world *world, const change *c) {
  if (c->verdict == MO_UNION_TURNED) {
    return turn_contact(world, c);
  }
  bool is_part = world->pairs.records.records[c->contact].flags & MO_CONTACT_PART;
  return is_part ? drop_part(world, c->contact) : drop_whole(world, c->contact);
}

bool mo_union_drop_fast(mo_world *world, double dt, const uint32_t *updated, uint32_t count) {
  change *list =
      MO_ARENA_TAKE_RAW(&world->step_arena, change, (size_t)MO_CONTACT_PARTS * count + 1);
  uint32_t found = 0;
  if (!list) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    const mo_contact_record *record = &world->pairs.records.records[updated[i]];
    if (!(record->flags & MO_CONTACT_HAS_PARTS)) {
      judge(world, dt, updated[i], list, &found);
      continue;
    }
    uint32_t parts[MO_CONTACT_PARTS];
    mo_contact_store_list_parts(&world->pairs.records, record, parts);
    for (int k = 0; k < MO_CONTACT_PARTS; k++) {
      if (parts[k] != MO_NO_CONTACT) {
        judge(world, dt, parts[k], list, &found);
      }
    }
  }
  for (uint32_t i = 0; i < found; i++) {
    if (!apply(world, &list[i])) {
      return false;
    }
  }
  return true;
}

// --- row solvers -----------------------------------------------------------------------------

// What the row solvers know.
typedef struct row_stage {
  const mo_world *world;
  double dt;
  const mo_contact *contacts;
  const mo_vec3 *on_fixed;
  const mo_velocity *free;
  uint32_t *firsts, *next; // per slot and per contact, 1 + index
} row_stage;

static void read_row(const row_stage *s, uint32_t at, int side, mo_union_contact *out) {
  const mo_world *world = s->world;
  const mo_contact *c = &s->contacts[at];
  const mo_vec3 *on_fixed = &s->on_fixed[MO_MANIFOLD_POINTS * at];
  uint32_t slots[2] = {c->slot_a, c->slot_b}, shapes[2] = {c->shape_a, c->shape_b};
  place(world, slots[side], shapes[side], &out->mover, &out->mover_at);
  place(world, slots[!side], shapes[!side], &out->fixed, &out->fixed_at);
  out->path = mo_scale(s->dt, s->free[slots[side]].linear);
  out->normal = side == 0 ? mo_neg(c->normal) : c->normal;
  out->point_count = c->point_count;
  for (uint32_t p = 0; p < c->point_count; p++) {
    out->points[p] = on_fixed[p];
  }
}

static mo_union_verdict judge_row(const row_stage *s, uint32_t at, mo_union_turn *turn) {
  mo_union_verdict worst = MO_UNION_KEPT;
  const mo_world *world = s->world;
  const mo_contact *contacts = s->contacts, *c = &contacts[at];
  int side = moving_side(world, c->slot_a, c->slot_b);
  uint32_t slot = side == 0 ? c->slot_a : c->slot_b, fixed = side == 0 ? c->slot_b : c->slot_a;
  bool is_read = false;
  mo_union_contact i, k;
  mo_union_covers covers;
  covers.world = world;
  covers.slot = slot;
  covers.fixed = fixed;
  covers.is_listed = false;
  covers.count = 0;
  for (uint32_t o = s->firsts[slot]; o > 0; o = s->next[o - 1]) {
    const mo_contact *other = &contacts[o - 1];
    int own = other->slot_a == slot ? 0 : 1;
    double sign = own == side ? 1.0 : -1.0;
    if (other == c || sign * mo_dot(c->normal, other->normal) > SAME_NORMAL ||
        !mo_union_has_both(world, fixed, own == 0 ? other->slot_b : other->slot_a)) {
      continue;
    }
    uint32_t shape = side == 0 ? c->shape_b : c->shape_a;
    if (fixed == (own == 0 ? other->slot_b : other->slot_a) &&
        shape == (own == 0 ? other->shape_b : other->shape_a) &&
        is_settled(world->bodies[fixed].shapes[shape].shape)) {
      continue;
    }
    if (!is_read) {
      read_row(s, at, side, &i);
      is_read = true;
    }
    read_row(s, o - 1, own, &k);
    mo_union_turn found;
    mo_union_verdict verdict = mo_union_judge(&i, &k, &covers, &found);
    if (verdict == MO_UNION_VOID) {
      return verdict;
    }
    if (verdict == MO_UNION_TURNED) {
      worst = verdict;
      *turn = found;
    }
  }
  return worst;
}

bool mo_union_drop_rows(mo_world *world, double dt, mo_contact *contacts, const mo_vec3 *on_fixed,
                        const mo_velocity *free, uint32_t count) {
  mo_arena *arena = &world->step_arena;
  row_stage lists = {.world = world,
                     .dt = dt,
                     .contacts = contacts,
                     .on_fixed = on_fixed,
                     .free = free,
                     .firsts = MO_ARENA_TAKE(arena, uint32_t, world->ids.slot_count + 1),
                     .next = MO_ARENA_TAKE(arena, uint32_t, count + 1)};
  mo_union_verdict *verdicts = MO_ARENA_TAKE_RAW(arena, mo_union_verdict, count + 1);
  mo_union_turn *turns = MO_ARENA_TAKE_RAW(arena, mo_union_turn, count + 1);
  if (!lists.firsts || !lists.next || !verdicts || !turns) {
    return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    int side = moving_side(world, contacts[i].slot_a, contacts[i].slot_b);
    if (side >= 0) {
      uint32_t slot = side == 0 ? contacts[i].slot_a : contacts[i].slot_b;
      lists.next[i] = lists.firsts[slot];
      lists.firsts[slot] = i + 1;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    int side = moving_side(world, contacts[i].slot_a, contacts[i].slot_b);
    verdicts[i] = side >= 0 ? judge_row(&lists, i, &turns[i]) : MO_UNION_KEPT;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (verdicts[i] == MO_UNION_VOID) {
      contacts[i].point_count = 0;
    } else if (verdicts[i] == MO_UNION_TURNED) {
      bool moves_a = mo_world_is_dynamic(world, contacts[i].slot_a);
      contacts[i].normal = moves_a ? mo_neg(turns[i].normal) : turns[i].normal;
      contacts[i].point_count = 1;
      contacts[i].points[0].position = mo_lerp(turns[i].on_mover, turns[i].on_fixed, 0.5);
      contacts[i].points[0].separation = turns[i].separation;
    }
  }
  return true;
}
