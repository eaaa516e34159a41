#include "control/mover.h"

// Parts of a move between two walls. Corners of three walls take three.
#define MAX_PARTS 6
// m: a shorter way is none. It is far below what can be seen, and above round-off in a world of
// kilometres.
#define SHORTEST 1e-9
// m: by so much a displacement must go into a wall to count. It is round-off.
#define INTO 1e-12

// The walls that a move has met.
typedef struct walls {
  mo_vec3 normals[MAX_PARTS];
  int count;
  double into; // m: INTO
} walls;

static bool goes_into(const walls *w, mo_vec3 v, int except_a, int except_b) {
  for (int i = 0; i < w->count; i++) {
    if (i != except_a && i != except_b && mo_dot(w->normals[i], v) < -w->into) {
      return true;
    }
  }
  return false;
}

// The part of a displacement that the walls allow: all, along one wall, along the line between two,
// or nothing.
static mo_vec3 clip(const walls *w, mo_vec3 v) {
  if (!goes_into(w, v, -1, -1)) {
    return v;
  }
  for (int i = w->count - 1; i >= 0; i--) {
    mo_vec3 n = w->normals[i];
    mo_vec3 along = mo_add_scaled(v, -mo_dot(n, v), n);
    if (mo_dot(n, v) < 0.0 && !goes_into(w, along, i, -1)) {
      return along;
    }
  }
  for (int i = 1; i < w->count; i++) {
    for (int j = 0; j < i; j++) {
      mo_vec3 line = mo_cross(w->normals[i], w->normals[j]);
      double squared = mo_length_squared(line);
      mo_vec3 along = mo_scale(squared > 0.0 ? mo_dot(line, v) / squared : 0.0, line);
      if (!goes_into(w, along, i, j)) {
        return along;
      }
    }
  }
  return mo_v3_zero();
}

// A displacement along a plane that it has met, above the same line. Its length is kept along the
// surface: beside an edge that is not the plane, over which a round foot goes on an arc.
static mo_vec3 along_plane(const mo_mover *mover, mo_vec3 v, mo_vec3 normal, mo_vec3 surface) {
  mo_vec3 flat = mo_mover_horizontal(mover, v);
  double rise = -mo_dot(flat, normal) / mo_mover_height(mover, normal);
  double surface_rise = -mo_dot(flat, surface) / mo_mover_height(mover, surface);
  double length = mo_length(mo_add_scaled(flat, surface_rise, mover->up));
  double scale = length > 0.0 ? mo_length(v) / length : 1.0;
  return mo_scale(scale, mo_add_scaled(flat, rise, mover->up));
}

// --- steps -----------------------------------------------------------------------------------

static bool can_climb(const mo_mover *mover, const mo_support *support) {
  return mo_mover_height(mover, support->normal) >= mover->climb;
}

// m: how far below its offset a character may be from what it steps on. A step whose edge stopped
// it is that far beside the vertical.
static double reach_of_step(mo_mover *mover, const mo_query_hit *edge) {
  mo_support step = mo_mover_support(mover, edge);
  double offset = mover->def->offset;
  return can_climb(mover, &step) ? offset / mo_mover_slope(mover, edge->normal) : offset;
}

// Up, forwards and down again, where something stopped it. Returns false, with the character where
// it was, if that leads to nothing that it can stand on.
static bool step_up(mo_mover *mover, const mo_query_hit *edge, mo_vec3 left) {
  const mo_character_def *def = mover->def;
  mo_character *character = mover->character;
  mo_vec3 start = character->position, forwards = mo_mover_horizontal(mover, left);
  double length = mo_length(forwards), foot = mo_mover_foot(mover, def->shape);
  if (!(def->step_height > 0.0 && length > SHORTEST * mover->metre)) {
    return false;
  }
  mo_query_hit hit;
  double raised = mo_mover_advance(mover, mover->up, def->step_height, &hit);
  double moved = mo_mover_advance(mover, mo_scale(1.0 / length, forwards), length, &hit);
  mo_support support;
  bool is_up = raised > SHORTEST * mover->metre && moved > SHORTEST * mover->metre &&
               mo_mover_look_down(mover, raised + reach_of_step(mover, edge), &support) &&
               can_climb(mover, &support) &&
               support.height <= foot + def->step_height + 0.5 * def->offset;
  if (!is_up) {
    character->position = start;
    return false;
  }
  mo_mover_advance(mover, mo_neg(mover->up), raised, &hit);
  character->ground_normal = support.normal;
  return true;
}

// --- walking ---------------------------------------------------------------------------------

// The wall that a hit is. What is too steep to climb is as good as upright, or the shape would
// slide up on it.
static mo_vec3 wall_of(const mo_mover *mover, mo_vec3 normal) {
  mo_vec3 flat = mo_mover_horizontal(mover, normal);
  double length = mo_length(flat);
  bool leans_back = mo_mover_height(mover, normal) > 0.0 && length > 0.0;
  return leans_back ? mo_scale(1.0 / length, flat) : normal;
}

void mo_mover_walk(mo_mover *mover, mo_vec3 displacement, bool climbs) {
  mo_vec3 normal = mover->character->ground_normal;
  bool is_on_ground = climbs && mo_mover_height(mover, normal) >= mover->climb;
  mo_vec3 left = is_on_ground ? along_plane(mover, displacement, normal, normal) : displacement;
  mo_vec3 velocity = mo_scale(1.0 / mover->dt, displacement);
  walls w = {.count = 0, .into = INTO * mover->metre};
  for (int part = 0; part < MAX_PARTS; part++) {
    double length = mo_length(left);
    if (!(length > SHORTEST * mover->metre) || mo_dot(left, displacement) <= 0.0) {
      return;
    }
    mo_query_hit hit;
    double moved = mo_mover_advance(mover, mo_scale(1.0 / length, left), length, &hit);
    if (mo_body_id_is_null(hit.body)) {
      return;
    }
    left = mo_scale(1.0 - moved / length, left);
    mo_mover_touch(mover, &hit);
    if (mo_mover_height(mover, hit.normal) >= mover->climb) {
      mo_support support = mo_mover_support(mover, &hit);
      mo_vec3 surface = can_climb(mover, &support) ? support.normal : hit.normal;
      left = clip(&w, along_plane(mover, left, hit.normal, surface));
      continue;
    }
    mo_mover_push(mover, &hit, velocity);
    if (climbs && step_up(mover, &hit, left)) {
      return;
    }
    w.normals[w.count++] = wall_of(mover, hit.normal);
    left = clip(&w, left);
  }
}

// --- falling ---------------------------------------------------------------------------------

void mo_mover_fall(mo_mover *mover, mo_vec3 displacement) {
  mo_vec3 left = displacement;
  walls w = {.count = 0, .into = INTO * mover->metre};
  for (int part = 0; part < MAX_PARTS; part++) {
    double length = mo_length(left);
    if (!(length > SHORTEST * mover->metre) || mo_dot(left, displacement) <= 0.0) {
      return;
    }
    mo_query_hit hit;
    double moved = mo_mover_advance(mover, mo_scale(1.0 / length, left), length, &hit);
    if (mo_body_id_is_null(hit.body)) {
      return;
    }
    mo_mover_touch(mover, &hit);
    mo_support support = mo_mover_support(mover, &hit);
    if (mo_mover_height(mover, support.normal) >= mover->stand) {
      return;
    }
    w.normals[w.count++] = hit.normal;
    left = clip(&w, mo_scale(1.0 - moved / length, left));
  }
}
