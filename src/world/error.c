/// Texts of refused calls. Numbers are formatted here, because printf would double the size of the
/// module.
#include "dynamics/potential.h"
#include "world/world.h"

typedef struct text {
  char *at, *end;
} text;

static void put(text *out, const char *s) {
  while (*s && out->at < out->end) {
    *out->at++ = *s++;
  }
}

static void put_digits(text *out, double whole, int least_digits) {
  char digits[24];
  int count = 0;
  do {
    double tens = floor(whole / 10.0);
    digits[count++] = (char)('0' + (int)(whole - 10.0 * tens));
    whole = tens;
  } while ((whole >= 1.0 || count < least_digits) && count < 20);
  while (count > 0) {
    char one[2] = {digits[--count], 0};
    put(out, one);
  }
}

// Formats a number with 6 decimals, or as mantissa and power of ten where decimals would hide it.
static void put_number(text *out, double x) {
  if (x != x) {
    put(out, "NaN");
    return;
  }
  if (x < 0.0) {
    put(out, "-");
    x = -x;
  }
  if (!mo_is_finite(x)) {
    put(out, "Infinity");
    return;
  }
  int exponent = 0;
  bool scientific = x >= 1e9 || (x > 0.0 && x < 1e-3);
  while (scientific && x >= 10.0) {
    x /= 10.0;
    exponent++;
  }
  while (scientific && x < 1.0) {
    x *= 10.0;
    exponent--;
  }
  double scaled = floor(x * 1e6 + 0.5);
  double whole = floor(scaled / 1e6);
  double fraction = scaled - whole * 1e6;
  put_digits(out, whole, 1);
  if (fraction > 0.0) {
    int digits = 6;
    while (fraction - 10.0 * floor(fraction / 10.0) == 0.0) {
      fraction /= 10.0;
      digits--;
    }
    put(out, ".");
    put_digits(out, fraction, digits);
  }
  if (exponent != 0) {
    put(out, exponent < 0 ? "e-" : "e");
    put_digits(out, exponent < 0 ? -exponent : exponent, 1);
  }
}

static text begin(mo_world *world, mo_result result, const char *function) {
  world->last_result = result;
  text out = {world->last_error, world->last_error + MO_ERROR_TEXT_BYTES - 1};
  put(&out, function);
  put(&out, ": ");
  return out;
}

mo_result mo_world_refuse_text(mo_world *world, mo_result result, const char *function,
                               const char *message) {
  text out = begin(world, result, function);
  put(&out, message);
  *out.at = 0;
  return result;
}

mo_result mo_world_refuse(mo_world *world, mo_result result, const char *function,
                          const char *argument, const char *must, double got) {
  text out = begin(world, result, function);
  put(&out, argument);
  put(&out, " ");
  put(&out, must);
  put(&out, ", got ");
  put_number(&out, got);
  *out.at = 0;
  return result;
}

static void put_vec3(text *out, mo_vec3 v) {
  put(out, "[");
  put_number(out, v.x);
  put(out, ", ");
  put_number(out, v.y);
  put(out, ", ");
  put_number(out, v.z);
  put(out, "]");
}

mo_result mo_world_refuse_vec3(mo_world *world, mo_result result, const char *function,
                               const char *argument, const char *must, mo_vec3 got) {
  text out = begin(world, result, function);
  put(&out, argument);
  put(&out, " ");
  put(&out, must);
  put(&out, ", got ");
  put_vec3(&out, got);
  *out.at = 0;
  return result;
}

// Formats an id as one number: ids of new slots are 1, 2, 3.
static void put_id(text *out, uint32_t slot, uint16_t generation) {
  put_digits(out, 0x1p32 * generation + slot + 1.0, 1);
}

mo_result mo_world_refuse_id(mo_world *world, mo_result result, const char *function,
                             const char *argument, uint32_t slot, uint16_t generation) {
  bool is_foreign = result == MO_ERROR_INVALID_ARGUMENT;
  text out = begin(world, result, function);
  put(&out, argument);
  put(&out, is_foreign ? " must be of this world, got " : " must be alive, got ");
  if (slot == MO_NO_SLOT) {
    put(&out, "null");
  } else {
    put(&out, "id ");
    put_id(&out, slot, generation);
  }
  put(&out, is_foreign ? " of another world" : "");
  *out.at = 0;
  return result;
}

static text begin_with_body(mo_world *world, const char *what, uint32_t slot) {
  text out = begin(world, MO_ERROR_NOT_FINITE, "mo_world_step");
  put(&out, what);
  put(&out, " of body id ");
  put_id(&out, slot, world->ids.generation[slot]);
  return out;
}

mo_result mo_world_refuse_motion(mo_world *world, uint32_t slot) {
  text out = begin_with_body(world, "the motion", slot);
  put(&out, " overflows; nothing was changed");
  *out.at = 0;
  return MO_ERROR_NOT_FINITE;
}

mo_result mo_world_refuse_target(mo_world *world, uint32_t slot) {
  text out = begin_with_body(world, "the target", slot);
  put(&out, " must be in reach of a finite velocity, got position ");
  put_vec3(&out, world->bodies[slot].target.pose.position);
  put(&out, "; nothing was changed");
  *out.at = 0;
  return MO_ERROR_NOT_FINITE;
}

mo_result mo_world_refuse_potential(mo_world *world, const char *function, uint32_t slot,
                                    const char *failure) {
  text out = begin(world, MO_ERROR_POTENTIAL_FAILED, function);
  put(&out, "potential '");
  put(&out, mo_potential_kind_of(world->potentials[slot].type)->name);
  put(&out, "' (id ");
  put_id(&out, slot, world->potential_ids.generation[slot]);
  put(&out, "): ");
  put(&out, failure);
  *out.at = 0;
  return MO_ERROR_POTENTIAL_FAILED;
}

mo_result mo_world_refuse_constraint(mo_world *world, const char *function, uint32_t slot,
                                     mo_constraint_failure failure) {
  text out = begin(world, MO_ERROR_CONSTRAINT_FAILED, function);
  put(&out, "constraint '");
  put(&out, world->constraints[slot].name);
  put(&out, "' (id ");
  put_id(&out, slot, world->constraint_ids.generation[slot]);
  put(&out, "): ");
  put(&out, failure);
  *out.at = 0;
  return MO_ERROR_CONSTRAINT_FAILED;
}

const char *mo_world_last_error(const mo_world *world) { return world->last_error; }
mo_result mo_world_last_result(const mo_world *world) { return world->last_result; }

const char *mo_result_name(mo_result result) {
  switch (result) {
  case MO_OK:
    return "ok";
  case MO_ERROR_INVALID_ARGUMENT:
    return "invalid-argument";
  case MO_ERROR_STALE_HANDLE:
    return "stale-handle";
  case MO_ERROR_OUT_OF_MEMORY:
    return "out-of-memory";
  case MO_ERROR_NOT_SUPPORTED:
    return "not-supported";
  case MO_ERROR_NOT_FINITE:
    return "not-finite";
  case MO_ERROR_CAPACITY:
    return "capacity";
  case MO_ERROR_WORLD_LOCKED:
    return "world-locked";
  case MO_ERROR_CONSTRAINT_FAILED:
    return "constraint-failed";
  case MO_ERROR_CALLBACK_FAILED:
    return "callback-failed";
  case MO_ERROR_POTENTIAL_FAILED:
    return "potential-failed";
  case MO_ERROR_HULL_EMPTY:
    return "hull-empty";
  case MO_ERROR_HULL_TOO_FEW_POINTS:
    return "hull-too-few-points";
  case MO_ERROR_HULL_NOT_FINITE:
    return "hull-not-finite";
  case MO_ERROR_HULL_ALL_EQUAL:
    return "hull-all-equal";
  case MO_ERROR_HULL_COLLINEAR:
    return "hull-collinear";
  case MO_ERROR_HULL_COPLANAR:
    return "hull-coplanar";
  case MO_ERROR_HULL_QHULL:
    return "hull-qhull";
  case MO_ERROR_MESH_OPEN:
    return "mesh-open";
  case MO_ERROR_MESH_ORIENTATION:
    return "mesh-orientation";
  case MO_ERROR_MESH_INSIDE_OUT:
    return "mesh-inside-out";
  case MO_ERROR_BAD_SNAPSHOT:
    return "bad-snapshot";
  }
  return "unknown";
}
