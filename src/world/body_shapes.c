/// Shapes that are added to, taken from and changed on a living body.
#include "dynamics/locks.h"
#include "world/body_measures.h"
#include "world/checks.h"

#include "memory/allocator.h"

#include <string.h>

// Stands for the index of a shape that the body did not have before.
#define NEW_SHAPE UINT32_MAX

// What replaces the shapes of a body, and what follows from it.
typedef struct replacement {
  mo_placed_shape *shapes; // owned until it is taken over
  uint32_t *before;        // per shape: its index before, or NEW_SHAPE; behind `shapes` in memory,
                           // where the proxies of a body are
  uint32_t count;
  mo_mass mass;
  mo_motion motion;
} replacement;

// --- preparing -------------------------------------------------------------------------------

static bool make_room(replacement *to, uint32_t count) {
  to->shapes = mo_allocate_shapes(count);
  to->before = to->shapes ? (uint32_t *)(to->shapes + count) : NULL;
  to->count = count;
  return to->shapes != NULL;
}

// The body keeps its place and its motion; the velocity refers to another point of it.
static void measure(const mo_world *world, uint32_t slot, replacement *to) {
  const mo_body *body = &world->bodies[slot];
  to->mass = mo_body_mass_of(body->given, &body->mass, to->shapes, to->count);
  to->motion = world->motions[slot];
  mo_motion_update_center(&to->motion, to->mass.center_of_mass);
  mo_vec3 shift = mo_sub(to->motion.center_of_mass, world->motions[slot].center_of_mass);
  to->motion.linear_velocity =
      mo_add(to->motion.linear_velocity, mo_cross(to->motion.angular_velocity, shift));
}

static mo_result check_measures(mo_world *world, const char *function, uint32_t slot,
                                const replacement *to) {
  const mo_body *body = &world->bodies[slot];
  if (body->type == MO_BODY_DYNAMIC && to->count == 0 && !body->given.mass) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a dynamic body without a shape needs a mass");
  }
  MO_RETURN_IF_REFUSED(mo_check_body_mass(world, function, body->type, &to->mass));
  double radius = mo_body_bounding_radius(to->shapes, to->count, to->mass.center_of_mass);
  MO_RETURN_IF_REFUSED(mo_check_extent(world, function, &to->motion, radius));
  return mo_check_vec3(world, function, "velocity of the centre of mass",
                       to->motion.linear_velocity);
}

// --- taking over -----------------------------------------------------------------------------

// Shapes that stay keep their order.
static void remove_gone(mo_world *world, uint32_t slot, const replacement *to) {
  const mo_body *body = &world->bodies[slot];
  uint32_t next = 0; // of the shapes that come
  for (uint32_t i = 0; i < body->shape_count; i++) {
    if (next < to->count && to->before[next] == i) {
      next++;
    } else {
      mo_broad_phase_remove(&world->broad_phase, body->proxies[i]);
    }
  }
}

// Gives each shape its proxy, in place of its index before.
static void place_proxies(mo_world *world, uint32_t slot, const uint32_t *old_proxies) {
  mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < body->shape_count; i++) {
    uint32_t before = body->proxies[i];
    if (before == NEW_SHAPE) {
      mo_world_add_proxy(world, slot, i);
    } else {
      body->proxies[i] = old_proxies[before];
      world->broad_phase.proxies[body->proxies[i]].shape = i;
    }
  }
  mo_world_set_proxy_kinds(world, slot, body->type); // there is room
  mo_world_touch_proxies(world, slot);
  mo_world_move_proxies(world, slot);
}

static void take_over(mo_world *world, uint32_t slot, const replacement *to) {
  mo_body *body = &world->bodies[slot];
  mo_placed_shape *old_shapes = body->shapes;
  const uint32_t *old_proxies = body->proxies;
  uint32_t old_count = body->shape_count;
  mo_world_wake_slot(world, slot);
  mo_world_wake_touching(world, slot);
  mo_world_drop_pairs_of(world, slot);
  remove_gone(world, slot, to);
  body->shapes = to->shapes;
  body->proxies = to->before;
  body->shape_count = to->count;
  body->mass = to->mass;
  mo_body_measure(body);
  world->motions[slot] = to->motion;
  mo_body_apply_locks(body, &world->motions[slot]);
  if (body->locks && body->type == MO_BODY_DYNAMIC) {
    mo_body_lock_velocities(body, &world->motions[slot]); // they are of another centre of mass
  }
  place_proxies(world, slot, old_proxies);
  for (uint32_t i = 0; i < to->count; i++) {
    mo_shape_retain(to->shapes[i].shape);
  }
  for (uint32_t i = 0; i < old_count; i++) {
    mo_shape_release(old_shapes[i].shape);
  }
  mo_release(old_shapes);
  mo_world_note_mass(world, body);
  mo_world_update_solver(world, slot);
  mo_world_forget_joints(world);
  mo_world_forget_path(world, slot);
  mo_world_publish_slot(world, slot);
}

// Replaces the shapes if all is well, and frees the replacement if not.
static mo_result replace(mo_world *world, const char *function, uint32_t slot, replacement *to) {
  const mo_body *body = &world->bodies[slot];
  for (uint32_t i = 0; i < to->count; i++) {
    if (to->before[i] == NEW_SHAPE) {
      to->shapes[i] = mo_complete_shape(&to->shapes[i], body->density, false);
    }
  }
  measure(world, slot, to);
  mo_result result = check_measures(world, function, slot, to);
  if (result == MO_OK && !mo_world_reserve_proxies(world, body->type, to->shapes, to->count)) {
    result = mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
  }
  if (result == MO_OK) {
    mo_world_drop_dead_pairs(world);
    take_over(world, slot, to);
  } else {
    mo_release(to->shapes);
  }
  return result;
}

static mo_result refuse_memory(mo_world *world, const char *function) {
  return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
}

static mo_result check_index(mo_world *world, const char *function, mo_body_id id, uint32_t index) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  return index < world->bodies[mo_body_id_slot(id)].shape_count
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "index",
                               "must be that of a shape of the body", index);
}

// --- interface -------------------------------------------------------------------------------

mo_result mo_body_set_shapes(mo_world *world, mo_body_id id, const mo_placed_shape *shapes,
                             uint32_t count) {
  static const char *const function = "mo_body_set_shapes";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  mo_body_type type = world->bodies[mo_body_id_slot(id)].type;
  for (uint32_t i = 0; i < count; i++) {
    MO_RETURN_IF_REFUSED(mo_check_placed_shape(world, function, type, &shapes[i]));
  }
  replacement to;
  if (!make_room(&to, mo_count_parts(shapes, count))) {
    return refuse_memory(world, function);
  }
  mo_write_parts(shapes, count, to.shapes);
  for (uint32_t i = 0; i < to.count; i++) {
    to.before[i] = NEW_SHAPE;
  }
  return replace(world, function, mo_body_id_slot(id), &to);
}

mo_result mo_body_add_shape(mo_world *world, mo_body_id id, const mo_placed_shape *shape) {
  static const char *const function = "mo_body_add_shape";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  MO_RETURN_IF_REFUSED(mo_check_placed_shape(world, function, body->type, shape));
  replacement to;
  if (!make_room(&to, body->shape_count + mo_count_parts(shape, 1))) {
    return refuse_memory(world, function);
  }
  for (uint32_t i = 0; i < body->shape_count; i++) {
    to.shapes[i] = body->shapes[i];
    to.before[i] = i;
  }
  mo_write_parts(shape, 1, &to.shapes[body->shape_count]);
  for (uint32_t i = body->shape_count; i < to.count; i++) {
    to.before[i] = NEW_SHAPE;
  }
  return replace(world, function, mo_body_id_slot(id), &to);
}

mo_result mo_body_remove_shape(mo_world *world, mo_body_id id, uint32_t index) {
  static const char *const function = "mo_body_remove_shape";
  MO_RETURN_IF_REFUSED(check_index(world, function, id, index));
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  replacement to;
  if (!make_room(&to, body->shape_count - 1)) {
    return refuse_memory(world, function);
  }
  for (uint32_t i = 0; i < to.count; i++) {
    to.before[i] = i < index ? i : i + 1;
    to.shapes[i] = body->shapes[to.before[i]];
  }
  return replace(world, function, mo_body_id_slot(id), &to);
}

static bool is_same_pose(const mo_pose *a, const mo_pose *b) {
  const mo_quat *p = &a->orientation, *q = &b->orientation;
  return mo_v3_equal(a->position, b->position) && p->x == q->x && p->y == q->y && p->z == q->z &&
         p->w == q->w;
}

static bool have_same_geometry(const mo_placed_shape *a, const mo_placed_shape *b) {
  return a->shape == b->shape && is_same_pose(&a->pose, &b->pose) && a->density == b->density &&
         a->sensor == b->sensor && a->has_filter == b->has_filter &&
         (!a->has_filter || memcmp(&a->filter, &b->filter, sizeof a->filter) == 0);
}

// Changes friction and restitution alone, with which contacts go on.
static mo_result change_material(mo_world *world, uint32_t slot, uint32_t index,
                                 const mo_placed_shape *shape) {
  mo_placed_shape *own = &world->bodies[slot].shapes[index];
  own->friction = shape->friction;
  own->restitution = shape->restitution;
  own->friction_combine = shape->friction_combine;
  own->restitution_combine = shape->restitution_combine;
  mo_world_mix_materials(world, slot);
  mo_world_wake_slot(world, slot);
  return MO_OK;
}

mo_result mo_body_change_shape(mo_world *world, mo_body_id id, uint32_t index,
                               const mo_placed_shape *shape) {
  static const char *const function = "mo_body_change_shape";
  MO_RETURN_IF_REFUSED(check_index(world, function, id, index));
  uint32_t slot = mo_body_id_slot(id);
  const mo_body *body = &world->bodies[slot];
  MO_RETURN_IF_REFUSED(mo_check_placed_shape(world, function, body->type, shape));
  if (mo_count_parts(shape, 1) != 1) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "a compound takes the place of no single shape: remove the shape "
                                "and add the compound");
  }
  mo_placed_shape part; // as a new body has it, to the bit
  mo_write_parts(shape, 1, &part);
  mo_placed_shape changed = mo_complete_shape(&part, body->density, false);
  if (have_same_geometry(&changed, &body->shapes[index])) {
    return change_material(world, slot, index, &changed);
  }
  replacement to;
  if (!make_room(&to, body->shape_count)) {
    return refuse_memory(world, function);
  }
  for (uint32_t i = 0; i < to.count; i++) {
    to.shapes[i] = i == index ? changed : body->shapes[i];
    to.before[i] = i;
  }
  return replace(world, function, slot, &to);
}

mo_result mo_body_set_sensor(mo_world *world, mo_body_id id, bool sensor) {
  static const char *const function = "mo_body_set_sensor";
  MO_RETURN_IF_REFUSED(mo_check_body(world, id, function));
  uint32_t slot = mo_body_id_slot(id);
  const mo_body *body = &world->bodies[slot];
  bool changes = false;
  for (uint32_t i = 0; i < body->shape_count; i++) {
    changes = changes || body->shapes[i].sensor != sensor;
  }
  if (!changes) {
    return MO_OK;
  }
  replacement to;
  if (!make_room(&to, body->shape_count)) {
    return refuse_memory(world, function);
  }
  for (uint32_t i = 0; i < to.count; i++) {
    to.shapes[i] = body->shapes[i];
    to.shapes[i].sensor = sensor;
    to.before[i] = i;
  }
  return replace(world, function, slot, &to);
}

mo_result mo_body_get_shape(const mo_world *world, mo_body_id id, uint32_t index,
                            mo_placed_shape *out) {
  if (!mo_body_is_alive(world, id)) {
    return MO_ERROR_STALE_HANDLE;
  }
  const mo_body *body = &world->bodies[mo_body_id_slot(id)];
  if (index >= body->shape_count) {
    return MO_ERROR_INVALID_ARGUMENT;
  }
  *out = body->shapes[index];
  return MO_OK;
}

uint32_t mo_body_shape_count(const mo_world *world, mo_body_id id) {
  return mo_body_is_alive(world, id) ? world->bodies[mo_body_id_slot(id)].shape_count : 0;
}
