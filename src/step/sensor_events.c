/// Which shapes are in sensors at the end of a step.
///
/// A sensor looks for the boxes that overlap its own, and tests the shapes of those at the poses at
/// the end of the step: a body that is faster than the sensor is long may pass it unseen.
#include "memory/array.h"
#include "step/events.h"

// --- one sensor --------------------------------------------------------------------------------

typedef struct search {
  mo_world *world;
  uint32_t sensor; // its proxy
  bool has_room;
} search;

static mo_pose pose_of(const mo_world *world, const mo_proxy *proxy) {
  return mo_body_shape_pose(&world->bodies[proxy->slot], proxy->shape,
                            &world->motions[proxy->slot]);
}

static bool overlaps(const mo_world *world, const mo_proxy *sensor, const mo_proxy *other) {
  mo_collision collision;
  return mo_collide(world->bodies[sensor->slot].shapes[sensor->shape].shape, pose_of(world, sensor),
                    world->bodies[other->slot].shapes[other->shape].shape, pose_of(world, other),
                    &collision);
}

static bool look_at(void *user, uint32_t proxy) {
  search *s = user;
  mo_world *world = s->world;
  const mo_proxy *sensor = &world->broad_phase.proxies[s->sensor],
                 *other = &world->broad_phase.proxies[proxy];
  if (other->slot == sensor->slot || !mo_filters_meet(sensor->filter, other->filter) ||
      !overlaps(world, sensor, other)) {
    return true;
  }
  s->has_room = mo_touches_reserve(&world->sensor_touches, world->sensor_touches.fresh_count + 1);
  if (s->has_room) {
    mo_touches_add(&world->sensor_touches, world, s->sensor, proxy);
  }
  return s->has_room;
}

static bool look(mo_world *world, uint32_t proxy) {
  const mo_proxy *sensor = &world->broad_phase.proxies[proxy];
  mo_transform placement = mo_body_visible_transform(&world->bodies[sensor->slot], sensor->shape,
                                                     &world->motions[sensor->slot]);
  mo_aabb box = mo_aabb_from_bounds(
      mo_shape_bounds(world->bodies[sensor->slot].shapes[sensor->shape].shape, &placement));
  search s = {.world = world, .sensor = proxy, .has_room = true};
  mo_broad_phase_query(&world->broad_phase, MO_TREES_KINEMATIC | MO_TREES_DYNAMIC, &box, look_at,
                       &s);
  return s.has_room;
}

// --- all -----------------------------------------------------------------------------------------

static bool list_overlaps(mo_world *world) {
  const mo_proxy_tree *sensors = &world->broad_phase.trees[MO_TREE_SENSOR];
  world->sensor_touches.fresh_count = 0;
  for (uint32_t i = 0; i < sensors->members_count; i++) {
    if (!look(world, sensors->members[i])) {
      return false;
    }
  }
  uint32_t now = world->sensor_touches.fresh_count;
  return MO_RESERVE(world, touch_order, 2 * now) &&
         MO_RESERVE(world, sensor_events, now + world->sensor_touches.items_count);
}

static void add_event(mo_world *world, const mo_touch *touch, bool is_inside) {
  world->sensor_events[world->sensor_events_count++] =
      (mo_sensor_event){.is_inside = is_inside,
                        .sensor_body = touch->body_a,
                        .body = touch->body_b,
                        .sensor_shape = touch->shape_a,
                        .shape = touch->shape_b};
}

void mo_step_collect_sensor_events(mo_world *world) {
  world->sensor_events_count = 0;
  if (!(world->watched & MO_WATCH_SENSORS)) {
    return;
  }
  if (!list_overlaps(world)) {
    world->sensor_touches.fresh_count = 0;
    return; // without memory nothing has changed yet: the next step reports the difference
  }
  mo_touch_walk walk = mo_touches_begin(&world->sensor_touches, world->touch_order);
  mo_touch_change change;
  while (mo_touches_next(&walk, &change)) {
    if (!change.now) {
      add_event(world, change.before, false);
    } else if (!change.before) {
      add_event(world, change.now, true);
    }
  }
}

const mo_sensor_event *mo_world_sensor_events(const mo_world *world, uint32_t *count) {
  *count = world->sensor_events_count;
  return world->sensor_events;
}
