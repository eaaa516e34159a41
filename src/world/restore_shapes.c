/// The shapes of bodies, and where they are in the broad phase, from bytes.
#include "world/restore.h"

#include "world/body_measures.h"
#include "world/known_shapes.h"
#include "world/state_fields.h"

static bool is_good_shape(const mo_body *b, const mo_placed_shape *s) {
  return mo_are_finite(&s->pose.position.x, 7) && mo_is_finite(s->friction) &&
         mo_is_finite(s->restitution) && s->restitution <= 1.0 && mo_is_finite(s->density) &&
         (unsigned)s->friction_combine <= MO_COMBINE_GEOMETRIC_MEAN &&
         (unsigned)s->restitution_combine <= MO_COMBINE_GEOMETRIC_MEAN && !s->shape->parts &&
         !mo_why_no_shape(b->type, s->shape);
}

static bool is_good_box(const mo_aabb *box) {
  return box->lower[0] <= box->upper[0] && box->lower[1] <= box->upper[1] &&
         box->lower[2] <= box->upper[2];
}

static void restore_proxy(mo_restore *r, uint32_t slot, uint32_t index,
                          const mo_shape_place *place) {
  mo_body *body = &r->world->bodies[slot];
  mo_broad_phase *bp = &r->world->broad_phase;
  bool fits = place->proxy < bp->proxies_count && !bp->proxies[place->proxy].is_alive &&
              is_good_box(&place->box);
  if (mo_restore_expect(r, fits, "a shape has a wrong place in the broad phase")) {
    body->proxies[index] = place->proxy;
    mo_restore_got(r, mo_broad_phase_restore_proxy(
                          bp, place->proxy, mo_world_proxy_kind(body, index, body->type),
                          &place->box, place->is_moved, slot, index, mo_body_filter(body, index)));
  }
}

// Shapes count once they are complete, so that the world can be destroyed at any time.
static void restore_shape(mo_restore *r, uint32_t slot, uint32_t index) {
  mo_body *body = &r->world->bodies[slot];
  mo_placed_shape *placed = &body->shapes[index];
  mo_shape_place place = {0};
  mo_read_records(&r->in, &mo_state_shape_place, &place, 1);
  placed->shape = mo_find_shape(r->shapes, r->shape_count, place.content);
  if (!placed->shape) {
    mo_reader_refuse(&r->in, "a shape is missing: its assets are needed");
    return;
  }
  if (mo_restore_expect(r, is_good_shape(body, placed), "a shape of a body is damaged")) {
    mo_shape_retain(placed->shape);
    body->shape_count++;
    restore_proxy(r, slot, index, &place);
  }
}

// Bytes that a shape has in a snapshot at least: masks, and its place, which no other one has.
#define LEAST_SHAPE_BYTES 8

static void read_placed_shapes(mo_restore *r, mo_body *body, uint32_t count) {
  if (!mo_restore_expect(r, count <= mo_reader_rest(&r->in) / LEAST_SHAPE_BYTES,
                         "a body has too many shapes")) {
    return;
  }
  body->shapes = mo_allocate_shapes(count);
  if (mo_restore_got(r, body->shapes != NULL)) {
    body->proxies = (uint32_t *)(body->shapes + count);
    mo_read_records(&r->in, &mo_state_placed_shape, body->shapes, count);
  }
}

void mo_restore_shapes(mo_restore *r, const uint32_t *shape_counts) {
  mo_world *world = r->world;
  uint32_t slots = world->ids.slot_count;
  for (uint32_t slot = 0; slot < slots && mo_restore_is_good(r); slot++) {
    if (world->ids.alive[slot]) {
      read_placed_shapes(r, &world->bodies[slot], shape_counts[slot]);
    }
  }
  for (uint32_t slot = 0; slot < slots; slot++) {
    for (uint32_t i = 0; i < shape_counts[slot] && mo_restore_is_good(r); i++) {
      restore_shape(r, slot, i);
    }
  }
}
