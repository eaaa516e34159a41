/// Characters: what they stand on carries them, then they walk, fall, and find the ground again.
#include "control/mover.h"
#include "math/trig.h"
#include "world/checks.h"

// m: a displacement that goes up by more leaves the ground. It is round-off.
#define LEAVING 1e-9
// m: products of four lengths up to here do not overflow, as those of a move would.
#define LARGEST 1e75
// Cosine: a surface at the limit of slopes counts as below it, as level ground does at a limit of
// 0. It is the round-off of normals of casts.
#define NORMAL_ROUND_OFF 1e-9
// s: a motion of that length in a shorter time may be too fast for a number.
#define SHORTEST (1.0 / LARGEST)

mo_character_def mo_character_def_default(void) {
  return (mo_character_def){.up = {0.0, 1.0, 0.0},
                            .offset = 0.01,
                            .step_height = 0.3,
                            .step_down = -1.0,
                            .slope_limit = MO_PI / 4.0,
                            .slide_angle = -1.0,
                            .push_mass = INFINITY,
                            .filter = mo_query_filter_default()};
}

static double slide_angle_of(const mo_character_def *def) {
  return def->slide_angle < 0.0 ? def->slope_limit : def->slide_angle;
}

static double step_down_of(const mo_character_def *def) {
  return def->step_down < 0.0 ? def->step_height : def->step_down;
}

// --- checks ----------------------------------------------------------------------------------

static const char *const move = "mo_character_move";

// A shape for a character, and where that is. Casts of several parts would be those of what is
// around them all.
static mo_result check_shape(mo_world *world, const char *function, const mo_shape *shape,
                             const mo_character *character) {
  mo_pose pose = {character->position, character->orientation};
  MO_RETURN_IF_REFUSED(mo_query_check_shape(world, function, shape, &pose));
  return shape->part_count > 1
             ? mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                    "shape must be convex: it cannot be a compound of several")
             : MO_OK;
}

static bool is_small(mo_vec3 v) {
  return fabs(v.x) <= LARGEST && fabs(v.y) <= LARGEST && fabs(v.z) <= LARGEST;
}

static mo_result check_vector(mo_world *world, const char *function, const char *name, mo_vec3 v) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, name, v));
  return is_small(v) ? MO_OK
                     : mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                                            "must be at most 1e75 m", v);
}

static mo_result check_length(mo_world *world, const char *name, double x) {
  MO_RETURN_IF_REFUSED(
      mo_check_range(world, move, name, x, 0.0, INFINITY, "must be finite, 0 or more"));
  return mo_check_range(world, move, name, x, 0.0, LARGEST, "must be at most 1e75 m");
}

static mo_result check_lengths(mo_world *world, const mo_character_def *def) {
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, move, "offset", def->offset));
  MO_RETURN_IF_REFUSED(check_length(world, "offset", def->offset));
  MO_RETURN_IF_REFUSED(check_length(world, "step_height", def->step_height));
  MO_RETURN_IF_REFUSED(check_length(world, "step_down", step_down_of(def)));
  if (!(def->push_mass >= 0.0)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, move, "push_mass", "must be 0 or more",
                           def->push_mass);
  }
  return mo_check_range(world, move, "push_force", def->push_force, 0.0, INFINITY,
                        "must be finite, 0 or more");
}

// Names the first number of a definition that is not as it must be.
static mo_result check_numbers(mo_world *world, const mo_character_def *def) {
  MO_RETURN_IF_REFUSED(check_vector(world, move, "up", def->up));
  if (!(mo_length(def->up) > 0.0)) {
    return mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, move, "up", "must not be zero",
                                def->up);
  }
  MO_RETURN_IF_REFUSED(check_lengths(world, def));
  MO_RETURN_IF_REFUSED(mo_check_range(world, move, "slope_limit", def->slope_limit, 0.0,
                                      0.5 * MO_PI, "must be 0 to pi/2"));
  return mo_check_range(world, move, "slide_angle", slide_angle_of(def), def->slope_limit,
                        0.5 * MO_PI, "must be slope_limit to pi/2");
}

static bool is_length(double x) { return x >= 0.0 && x <= LARGEST; }

// Whether check_numbers finds nothing: most moves ask for no more.
static bool numbers_are_good(const mo_character_def *def) {
  double slide_angle = slide_angle_of(def);
  return is_small(def->up) && mo_length(def->up) > 0.0 && def->offset > 0.0 &&
         is_length(def->offset) && is_length(def->step_height) && is_length(step_down_of(def)) &&
         def->push_force >= 0.0 && def->push_force < INFINITY && def->push_mass >= 0.0 &&
         def->slope_limit >= 0.0 && slide_angle >= def->slope_limit && slide_angle <= 0.5 * MO_PI;
}

static mo_result check_def(mo_world *world, const mo_character_def *def) {
  if (!numbers_are_good(def)) {
    MO_RETURN_IF_REFUSED(check_numbers(world, def));
  }
  mo_body_id exclude = def->filter.exclude;
  return mo_body_id_is_null(exclude) ? MO_OK : mo_check_body_id(world, move, "exclude", exclude);
}

static mo_result check_move(mo_world *world, const mo_character_def *def,
                            const mo_character *character, mo_vec3 displacement, double dt) {
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, move));
  MO_RETURN_IF_REFUSED(check_shape(world, move, def->shape, character));
  MO_RETURN_IF_REFUSED(check_def(world, def));
  MO_RETURN_IF_REFUSED(check_vector(world, move, "position", character->position));
  MO_RETURN_IF_REFUSED(check_vector(world, move, "displacement", displacement));
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, move, "dt", dt));
  return mo_check_range(world, move, "dt", dt, SHORTEST, INFINITY, "must be at least 1e-75 s");
}

static mo_mover make_mover(mo_world *world, const mo_character_def *def, mo_character *character) {
  double climb = mo_sine_cosine(def->slope_limit).cos - NORMAL_ROUND_OFF;
  bool stands_where_it_climbs = slide_angle_of(def) == def->slope_limit;
  return (mo_mover){.world = world,
                    .def = def,
                    .character = character,
                    .up = mo_normalize(def->up),
                    .climb = climb,
                    .stand = stands_where_it_climbs
                                 ? climb
                                 : mo_sine_cosine(slide_angle_of(def)).cos - NORMAL_ROUND_OFF,
                    .metre = mo_world_metre(world),
                    .dt = 1.0};
}

// m: how far a move can lead from where it starts, up and down steps too. Where what carries it
// goes further, more is searched for.
static double margin_of(const mo_character_def *def, mo_vec3 displacement) {
  return mo_length(displacement) + mo_max(def->step_height, step_down_of(def)) +
         2.0 * def->offset / MO_GRAZING_SLOPE;
}

// --- the ground ------------------------------------------------------------------------------

static mo_pose pose_of(const mo_world *world, mo_body_id body) {
  const mo_motion *motion = &world->motions[mo_body_id_slot(body)];
  return (mo_pose){motion->position, motion->orientation};
}

static void leave_ground(mo_character *character) {
  character->grounded = false;
  character->ground = MO_NULL_BODY_ID;
  character->ground_normal = mo_v3_zero();
}

// The part of a rotation that turns about an axis.
static mo_quat twist_about(mo_quat q, mo_vec3 axis) {
  double along = mo_dot((mo_vec3){q.x, q.y, q.z}, axis);
  mo_quat twist = {along * axis.x, along * axis.y, along * axis.z, q.w};
  return mo_quat_norm_squared(twist) > 0.0 ? mo_quat_normalize(twist) : mo_quat_identity();
}

// Goes along with what the ground's body did since the last move, and turns with it about up.
static void be_carried(mo_mover *mover) {
  mo_character *character = mover->character;
  character->ground_velocity = mo_v3_zero();
  if (mo_body_id_is_null(character->ground) ||
      mo_find_body(mover->world, character->ground) != MO_OK) {
    leave_ground(character);
    return;
  }
  mo_pose then = {character->ground_position, character->ground_orientation};
  mo_pose now = pose_of(mover->world, character->ground);
  mo_quat turn = mo_quat_mul(now.orientation, mo_quat_conjugate(then.orientation));
  mo_vec3 arm = mo_quat_rotate(turn, mo_sub(character->position, then.position));
  mo_vec3 way = mo_sub(mo_add(now.position, arm), character->position);
  if (!is_small(way)) {
    leave_ground(character); // it went too far to be followed
    return;
  }
  mover->carrier = character->ground;
  mo_mover_walk(mover, way, false);
  mover->carrier = MO_NULL_BODY_ID;
  character->ground_velocity = mo_scale(1.0 / mover->dt, way);
  character->orientation =
      mo_quat_normalize(mo_quat_mul(twist_about(turn, mover->up), character->orientation));
}

// Stands on what is at most `reach` metres below, with the gap of the offset.
static void find_ground(mo_mover *mover, double reach) {
  mo_character *character = mover->character;
  double offset = mover->def->offset;
  mo_support support;
  leave_ground(character);
  if (!mo_mover_look_down(mover, reach + 2.0 * offset, &support) ||
      mo_mover_height(mover, support.normal) < mover->stand) {
    return;
  }
  double drop = support.hit.distance - offset / mo_mover_slope(mover, support.hit.normal);
  mo_query_hit hit;
  if (drop >= 0.0) { // the look down has found nothing on that way
    character->position = mo_add_scaled(character->position, -drop, mover->up);
  } else if (drop < -LEAVING * mover->metre) {
    mo_mover_advance(mover, mover->up, -drop, &hit);
  }
  character->grounded = true;
  character->ground = support.hit.body;
  character->ground_normal = support.normal;
  mo_pose pose = pose_of(mover->world, support.hit.body);
  character->ground_position = pose.position;
  character->ground_orientation = pose.orientation;
  mo_mover_touch(mover, &support.hit);
}

// --- the public functions --------------------------------------------------------------------

mo_result mo_character_move(mo_world *world, const mo_character_def *def, mo_character *character,
                            mo_vec3 displacement, double dt, mo_character_contacts *contacts) {
  MO_RETURN_IF_REFUSED(check_move(world, def, character, displacement, dt));
  mo_mover mover = make_mover(world, def, character);
  mover.dt = dt;
  mover.contacts = contacts;
  mover.margin = margin_of(def, displacement);
  if (contacts) {
    contacts->count = 0;
  }
  character->orientation = mo_quat_normalize(character->orientation);
  mo_vec3 start = character->position;
  be_carried(&mover);
  mo_mover_leave_overlaps(&mover);
  double rise = mo_mover_height(&mover, displacement);
  mo_vec3 upright = mo_scale(rise, mover.up);
  bool leaves = rise > LEAVING * mover.metre, stays = character->grounded && !leaves;
  mo_mover_walk(&mover, mo_mover_horizontal(&mover, displacement), stays);
  if (!stays) {
    mo_mover_fall(&mover, upright);
  }
  if (leaves) {
    leave_ground(character);
  } else {
    find_ground(&mover, stays ? step_down_of(def) : 0.0);
  }
  // Over an edge that is too high to step down it falls at once.
  if (stays && !character->grounded) {
    mo_mover_fall(&mover, upright);
    find_ground(&mover, 0.0);
  }
  character->velocity = mo_scale(1.0 / dt, mo_sub(character->position, start));
  return MO_OK;
}

mo_result mo_character_change_shape(mo_world *world, const mo_character_def *def,
                                    mo_character *character, const mo_shape *shape, bool *fits) {
  static const char *const function = "mo_character_change_shape";
  MO_RETURN_IF_REFUSED(mo_check_unlocked(world, function));
  MO_RETURN_IF_REFUSED(check_shape(world, function, def->shape, character));
  MO_RETURN_IF_REFUSED(check_shape(world, function, shape, character));
  MO_RETURN_IF_REFUSED(check_def(world, def));
  MO_RETURN_IF_REFUSED(check_vector(world, function, "position", character->position));
  mo_mover mover = make_mover(world, def, character);
  double lift = mo_mover_foot(&mover, def->shape) - mo_mover_foot(&mover, shape);
  mo_vec3 position = mo_add_scaled(character->position, lift, mover.up);
  const mo_query_hit *hits;
  uint32_t count;
  MO_RETURN_IF_REFUSED(mo_world_overlap(world, shape, (mo_pose){position, character->orientation},
                                        &def->filter, &hits, &count));
  *fits = count == 0;
  if (*fits) {
    character->position = position;
  }
  return MO_OK;
}
