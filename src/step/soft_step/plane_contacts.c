#include "step/soft_step/plane_contacts.h"

#include "step/soft_step/look_ahead.h"

static mo_moving_shape falling_shape(const mo_world *world, const mo_contact_reach *reach,
                                     uint32_t slot, uint32_t proxy) {
  return mo_soft_falling_shape(world, reach, slot, world->broad_phase.proxies[proxy].shape);
}

static mo_transform placement_after(const mo_moving_shape *moving, double time) {
  mo_motion after = *moving->motion;
  mo_soft_move_ahead(moving->body, time, &after);
  return mo_body_shape_transform(moving->body, moving->shape, &after);
}

// Collides two shapes as the narrow phase does those of a pair.
static void collide(const mo_world *world, const mo_contact_reach *reach, const mo_pair *pair,
                    const mo_moving_shape *a, const mo_moving_shape *b, double lead, double ahead,
                    mo_manifold *out) {
  mo_transform at_a = placement_after(a, lead), at_b = placement_after(b, lead);
  mo_pair of_plane = *pair;
  of_plane.cache = (mo_collision_cache){.kind = 0};
  double near = 2.0 * reach->near, gap;
  mo_collide_pair(mo_moving_shape_of(a), &at_a, mo_moving_shape_of(b), &at_b, near + ahead,
                  a->metre, &of_plane.cache, &gap, out);
  if (lead > 0.0) {
    mo_soft_bring_back(world, pair, lead, out);
  }
  if (out->point_count > 0 && (gap > near || ahead > 0.0)) {
    mo_soft_speculate(world, reach, &of_plane, a, b, gap, ahead, out);
  }
}

mo_plane_share mo_soft_share_plane_of(const mo_world *world, const mo_contact_reach *reach,
                                      const mo_pair *pair, int side, double lead, double ahead,
                                      mo_manifold *manifold) {
  mo_moving_shape a = falling_shape(world, reach, pair->slot_a, pair->proxy_a),
                  b = falling_shape(world, reach, pair->slot_b, pair->proxy_b);
  mo_union_pair sides = mo_union_pair_of(pair, &a, &b, side, false);
  mo_vec3 closing =
      mo_sub(sides.mover->motion->linear_velocity, sides.fixed->motion->linear_velocity);
  mo_union_plane plane;
  mo_union_plane_begin(world, &sides, manifold, side, &plane);
  while (mo_union_plane_next(&plane)) {
    mo_manifold all;
    collide(world, reach, pair, side == 0 ? &a : &plane.moving, side == 0 ? &plane.moving : &b,
            lead, ahead, &all);
    bool rolls =
        mo_shapes_roll(mo_moving_shape_of(sides.mover), &plane.shape, (uint32_t)all.point_count);
    mo_union_share share =
        mo_union_plane_share(&plane, side, mo_scale(lead, closing), manifold, &all);
    if (share != MO_UNION_NO_PLANE) {
      *manifold = all;
      bool is_shared = share == MO_UNION_PART_OF_PLANE;
      return (mo_plane_share){is_shared ? plane.room : INFINITY, is_shared && !rolls};
    }
  }
  return (mo_plane_share){INFINITY, false};
}
