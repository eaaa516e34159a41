/// Which shapes touched in a step, which began and ended to, and how hard they hit and push.
#include "memory/array.h"
#include "step/events.h"
#include "step/soft_step/soft_problem.h"
#include "world/checks.h"

// All manifolds of two shapes, in the form of the row solvers.
typedef struct manifolds {
  mo_world *world;
  double dt;
  const mo_touch_change *change;
} manifolds;

// --- reading contacts ------------------------------------------------------------------------

// The manifold of number k of a contact. Returns false if it has no more.
static bool read_manifold(const mo_world *world, uint32_t contact, uint32_t k, mo_contact *out) {
  const mo_contact_record *record = &world->pairs.records.records[contact];
  if (record->manifold_count > 0) {
    *out = world->contacts[record->first_manifold + (k < record->manifold_count ? k : 0)];
    return k < record->manifold_count;
  }
  if (k > 0 || !mo_pair_place_has_manifold(record->place)) {
    return false;
  }
  *out =
      mo_substep_contact_to_rows(world, mo_pair_store_manifold(&world->pairs, record),
                                 &world->motions[record->slot_a], &world->motions[record->slot_b]);
  return true;
}

static bool is_of_rows(const mo_world *world, uint32_t contact) {
  return world->pairs.records.records[contact].manifold_count > 0;
}

// --- who touches -----------------------------------------------------------------------------

static mo_pose pose_of(const mo_world *world, uint32_t proxy) {
  const mo_proxy *p = &world->broad_phase.proxies[proxy];
  return mo_body_shape_pose(&world->bodies[p->slot], p->shape, &world->motions[p->slot]);
}

// Whether the shapes of two proxies overlap at the end of the step.
static bool overlap(const mo_world *world, uint32_t proxy_a, uint32_t proxy_b) {
  const mo_proxy *a = &world->broad_phase.proxies[proxy_a],
                 *b = &world->broad_phase.proxies[proxy_b];
  mo_collision collision;
  return mo_collide(world->bodies[a->slot].shapes[a->shape].shape, pose_of(world, proxy_a),
                    world->bodies[b->slot].shapes[b->shape].shape, pose_of(world, proxy_b),
                    &collision) &&
         collision.penetration_depth > 0.0;
}

static mo_touch *add_touch(mo_world *world, uint32_t contact, uint32_t proxy_a, uint32_t proxy_b) {
  mo_touch *touch = mo_touches_add(&world->contact_touches, world, proxy_a, proxy_b);
  touch->contact = contact;
  return touch;
}

static bool rows_touch(const mo_world *world, const mo_contact *contact) {
  const mo_contact_record *record = &world->pairs.records.records[contact->contact];
  for (uint32_t k = 0; k < contact->point_count; k++) {
    if (contact->points[k].normal_impulse > 0.0) {
      return true;
    }
  }
  return contact->point_count > 0 && overlap(world, record->proxy_a, record->proxy_b);
}

static void note_rows(const mo_world *world, mo_touch *touch) {
  const mo_contact_record *record = &world->pairs.records.records[touch->contact];
  for (uint32_t k = 0; k < record->manifold_count; k++) {
    const mo_contact *contact = &world->contacts[record->first_manifold + k];
    for (uint32_t i = 0; i < contact->point_count; i++) {
      if (contact->points[i].normal_impulse > 0.0) {
        mo_touch_push(touch, contact->points[i].feature_id, contact->points[i].normal_impulse);
      }
    }
  }
}

// A pair with a mesh has several manifolds, one after the other. It is listed once.
static void list_rows(mo_world *world) {
  uint32_t last = MO_NO_CONTACT;
  for (uint32_t i = 0; i < world->contacts_count; i++) {
    const mo_contact *contact = &world->contacts[i];
    if (contact->contact != last && rows_touch(world, contact)) {
      last = contact->contact;
      const mo_contact_record *record = &world->pairs.records.records[last];
      note_rows(world, add_touch(world, last, record->proxy_a, record->proxy_b));
    }
  }
}

static bool is_pushed(const mo_substep_contact *contact) {
  bool any = false;
  for (uint32_t k = 0; k < contact->point_count; k++) {
    any = any || contact->normal_impulses[k] > 0.0f;
  }
  return any;
}

// Contacts of bodies that were destroyed since the last step are dropped by the next one.
static bool is_alive(const mo_world *world, const mo_pair *pair) {
  const mo_proxy *proxies = world->broad_phase.proxies;
  return proxies[pair->proxy_a].is_alive && proxies[pair->proxy_b].is_alive;
}

// All that is wanted of a contact is read here, where one lies beside the other: in the order of
// the touches they, and their records, would be all over the memory.
static void list_soft_contact(mo_world *world, const mo_substep_contact *contact) {
  const mo_pair *pair = &contact->pair;
  if (!is_alive(world, pair) ||
      (!is_pushed(contact) && !overlap(world, pair->proxy_a, pair->proxy_b))) {
    return;
  }
  mo_touch *touch = add_touch(world, pair->contact, pair->proxy_a, pair->proxy_b);
  for (uint32_t k = 0; k < contact->point_count; k++) {
    if (contact->normal_impulses[k] > 0.0f) {
      mo_touch_push(touch, contact->points[k].feature_id, contact->normal_impulses[k]);
    }
  }
}

static void list_touches(mo_world *world) {
  const mo_pair_store *pairs = &world->pairs;
  list_rows(world);
  mo_contact_walk walk = {0};
  for (const mo_substep_contact *c; (c = mo_pair_store_next(pairs, &walk));) {
    list_soft_contact(world, c);
  }
  for (uint32_t i = 0; i < pairs->asleep_contacts_count; i++) {
    list_soft_contact(world, &pairs->asleep_contacts[i]);
  }
}

// --- what happens between them -----------------------------------------------------------------

// The velocity of a body before the step. What the step changed is in its acceleration.
static mo_velocity velocity_before(const mo_world *world, uint32_t slot, double dt) {
  const mo_body *body = &world->bodies[slot];
  const mo_motion *m = &world->motions[slot];
  return (mo_velocity){mo_add_scaled(m->linear_velocity, -dt, body->linear_acceleration),
                       mo_add_scaled(m->angular_velocity, -dt, body->angular_acceleration)};
}

// Where the centre of mass of a body was when a contact was found: at the start of the step for the
// rows, after which bodies in contact move with their velocity; now for those of soft-step.
static mo_vec3 center_then(const mo_world *world, uint32_t slot, bool is_of_rows, double dt) {
  const mo_motion *m = &world->motions[slot];
  return is_of_rows ? mo_add_scaled(m->center_of_mass, -dt, m->linear_velocity) : m->center_of_mass;
}

static mo_vec3 velocity_at(mo_velocity velocity, mo_vec3 center, mo_vec3 point) {
  return mo_add(velocity.linear, mo_cross(velocity.angular, mo_sub(point, center)));
}

// The speed at which two bodies approach at a point before the step's forces, m/s.
static double approach_speed(const manifolds *m, const mo_contact *contact, bool of_rows,
                             mo_vec3 point) {
  mo_vec3 a = velocity_at(velocity_before(m->world, contact->slot_a, m->dt),
                          center_then(m->world, contact->slot_a, of_rows, m->dt), point);
  mo_vec3 b = velocity_at(velocity_before(m->world, contact->slot_b, m->dt),
                          center_then(m->world, contact->slot_b, of_rows, m->dt), point);
  return mo_dot(mo_sub(a, b), contact->normal);
}

static bool was_pushed(const mo_touch *before, uint32_t feature) {
  for (uint32_t i = 0; before && i < before->pushed_count; i++) {
    if (before->pushed[i] == feature) {
      return true;
    }
  }
  return false;
}

static void add_point(mo_world *world, const mo_contact *contact,
                      const mo_contact_point_state *point) {
  world->event_points[world->event_points_count++] =
      (mo_contact_point){.body_a = mo_world_body_in_slot(world, contact->slot_a),
                         .body_b = mo_world_body_in_slot(world, contact->slot_b),
                         .position = point->position,
                         .normal = contact->normal,
                         .separation = point->separation,
                         .normal_impulse = point->normal_impulse,
                         .tangent_impulse = point->tangent_impulse};
}

// What an event sums up.
typedef struct sums {
  mo_contact_event event;
  mo_vec3 middle, weighted; // of the points; by their impulses
  double most;              // the largest impulse of a point
  double fastest_new;       // m/s: approach speed of points that were not pushed before
} sums;

static void add_to_sums(const manifolds *m, const mo_contact *contact, bool of_rows, sums *s) {
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_contact_point_state *point = &contact->points[i];
    double speed = approach_speed(m, contact, of_rows, point->position);
    s->event.approach_speed = mo_max(s->event.approach_speed, speed);
    if (point->normal_impulse > 0.0 && !was_pushed(m->change->before, point->feature_id)) {
      s->fastest_new = mo_max(s->fastest_new, speed);
    }
    if (s->event.point_count == 0 || point->normal_impulse > s->most) {
      s->event.normal = contact->normal;
      s->most = point->normal_impulse;
    }
    s->event.point_count++;
    s->event.impulse += point->normal_impulse;
    s->event.tangent_impulse = mo_add(s->event.tangent_impulse, point->tangent_impulse);
    s->middle = mo_add(s->middle, point->position);
    s->weighted = mo_add_scaled(s->weighted, point->normal_impulse, point->position);
    add_point(m->world, contact, point);
  }
}

static uint32_t types_of(const manifolds *m, const sums *s, bool is_awake) {
  const mo_world_def *settings = &m->world->settings;
  uint32_t types = m->change->before ? 0 : MO_CONTACT_EVENT_BEGIN;
  if (!is_awake) { // no step of theirs
    return types;
  }
  bool is_pushed_hard =
      settings->contact_force_threshold > 0.0 && s->event.force > settings->contact_force_threshold;
  return types | (s->fastest_new > settings->hit_threshold ? MO_CONTACT_EVENT_HIT : 0) |
         (is_pushed_hard ? MO_CONTACT_EVENT_FORCE : 0);
}

static mo_contact_event event_of_shapes(const mo_touch *touch, uint32_t types) {
  return (mo_contact_event){.types = types,
                            .shape_a = touch->shape_a,
                            .shape_b = touch->shape_b,
                            .body_a = touch->body_a,
                            .body_b = touch->body_b};
}

static void add_event(mo_world *world, const mo_contact_event *event) {
  world->contact_events[world->contact_events_count++] = *event;
}

// Whether there is nothing to report on a pair that touches: most are at rest.
static bool is_quiet(const manifolds *m) {
  double most = m->world->settings.contact_force_threshold;
  const mo_touch *now = m->change->now, *before = m->change->before;
  return before && !mo_touch_has_new_pushes(now, before) &&
         (most == 0.0 || now->impulse <= most * m->dt);
}

// Reports on a pair that touches.
static void report_touch(const manifolds *m) {
  mo_world *world = m->world;
  mo_touch *now = m->change->now;
  sums s = {.event = event_of_shapes(now, 0)};
  s.event.first_point = world->event_points_count;
  mo_contact contact;
  for (uint32_t p = 0; p < m->change->part_count; p++) {
    uint32_t of = m->change->parts[p].contact;
    for (uint32_t k = 0; read_manifold(world, of, k, &contact); k++) {
      add_to_sums(m, &contact, is_of_rows(world, of), &s);
    }
  }
  s.event.force = s.event.impulse / m->dt;
  s.event.position = s.event.impulse > 0.0
                         ? mo_scale(1.0 / s.event.impulse, s.weighted)
                         : mo_scale(1.0 / mo_max(1.0, s.event.point_count), s.middle);
  bool is_awake = mo_world_is_awake(world, mo_body_id_slot(now->body_a)) ||
                  mo_world_is_awake(world, mo_body_id_slot(now->body_b));
  s.event.types = types_of(m, &s, is_awake);
  if (s.event.types != 0) {
    add_event(world, &s.event);
  } else {
    world->event_points_count = s.event.first_point;
  }
}

// Walks the new list of touches beside the old one.
static void compare(mo_world *world, double dt) {
  mo_touch_walk walk = mo_touches_begin(&world->contact_touches, world->touch_order);
  mo_touch_change change;
  while (mo_touches_next(&walk, &change)) {
    const manifolds m = {world, dt, &change};
    for (uint32_t p = 1; p < change.part_count; p++) {
      mo_touch_join(change.now, &change.parts[p]);
    }
    if (change.now && !is_quiet(&m)) {
      report_touch(&m);
    } else if (!change.now) {
      mo_contact_event event = event_of_shapes(change.before, MO_CONTACT_EVENT_END);
      add_event(world, &event);
    }
  }
}

// --- interface -------------------------------------------------------------------------------

static bool reserve_contacts(mo_world *world) {
  // The fresh contacts become the world's.
  uint32_t rows = world->contacts_count > world->fresh_contacts_capacity
                      ? world->contacts_count
                      : world->fresh_contacts_capacity;
  uint32_t now =
      rows + mo_pair_store_contact_count(&world->pairs) + world->pairs.asleep_contacts_count;
  return mo_touches_reserve(&world->contact_touches, now) &&
         MO_RESERVE(world, touch_order, 2 * now) &&
         MO_RESERVE(world, contact_events, now + world->contact_touches.items_count) &&
         MO_RESERVE(world, event_points, MO_MANIFOLD_POINTS * now);
}

bool mo_step_reserve_events(mo_world *world) {
  return !(world->watched & MO_WATCH_CONTACTS) || reserve_contacts(world);
}

void mo_step_collect_contact_events(mo_world *world, double dt) {
  world->contact_events_count = world->event_points_count = 0;
  if (world->watched & MO_WATCH_CONTACTS) {
    list_touches(world);
    compare(world, dt);
  }
}

// All that touches now begins.
static bool begin_with_touches(mo_world *world) {
  if (!reserve_contacts(world)) {
    return false;
  }
  list_touches(world);
  compare(world, world->last_step.dt);
  return true;
}

// Nothing touched before. A function of the user may run in the middle of a step, at the end of
// which all that touches then begins.
static void begin_empty(mo_world *world) {
  world->contact_touches.items_count = 0;
  world->contact_events_count = world->event_points_count = 0;
}

static bool begin_contacts(mo_world *world, bool at_once) {
  begin_empty(world);
  if (!world->is_locked && !begin_with_touches(world)) {
    return false;
  }
  if (!at_once) {
    world->contact_events_count = world->event_points_count = 0;
  }
  return true;
}

// What a world watches shapes no step, and is no part of its state.
mo_result mo_world_watch(mo_world *world, uint32_t what) {
  static const char *const function = "mo_world_watch";
  bool at_once = what & MO_WATCH_AT_ONCE;
  if (!at_once) {
    MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  }
  uint32_t fresh = what & ~world->watched;
  if (fresh & MO_WATCH_CONTACTS && !begin_contacts(world, at_once)) {
    return mo_world_refuse_text(world, MO_ERROR_OUT_OF_MEMORY, function, "no memory");
  }
  world->watched = what & (MO_WATCH_CONTACTS | MO_WATCH_SENSORS);
  if (fresh & MO_WATCH_SENSORS) {
    world->sensor_events_count = world->sensor_touches.items_count = 0;
  }
  if (fresh & MO_WATCH_SENSORS && at_once && !world->is_locked) {
    mo_step_collect_sensor_events(world);
  }
  return MO_OK;
}

uint32_t mo_world_watched(const mo_world *world) { return world->watched; }

const mo_contact_event *mo_world_contact_events(const mo_world *world, uint32_t *count) {
  *count = world->contact_events_count;
  return world->contact_events;
}

const mo_contact_point *mo_world_contact_event_points(const mo_world *world, uint32_t *count) {
  *count = world->event_points_count;
  return world->event_points;
}
