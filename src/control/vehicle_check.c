#include "control/vehicle_check.h"

#include "world/checks.h"

static const char *const function = MO_VEHICLE_UPDATE;

static mo_result check_direction(mo_world *world, const char *name, mo_vec3 v) {
  MO_RETURN_IF_REFUSED(mo_check_vec3(world, function, name, v));
  double size = mo_length(v);
  return size > 0.0 && mo_is_finite(size)
             ? MO_OK
             : mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, name,
                                    "must have a length above 0", v);
}

// Whether a number is finite, 0 or more.
static inline bool is_amount(double x) { return x >= 0.0 && x < INFINITY; }

static bool numbers_are_good(const mo_wheel *w) {
  return is_amount(w->rest_length) && is_amount(w->travel) && is_amount(w->stiffness) &&
         is_amount(w->compression) && is_amount(w->relaxation) && is_amount(w->anti_roll) &&
         is_amount(w->friction) && is_amount(w->side_friction) && is_amount(w->brake);
}

// Names the first one that is not.
static mo_result refuse_numbers(mo_world *world, const mo_wheel *wheel) {
  static const char *const must = "must be finite, 0 or more";
  const struct {
    const char *name;
    double value;
  } numbers[] = {{"wheel.rest_length", wheel->rest_length},
                 {"wheel.travel", wheel->travel},
                 {"wheel.stiffness", wheel->stiffness},
                 {"wheel.compression", wheel->compression},
                 {"wheel.relaxation", wheel->relaxation},
                 {"wheel.anti_roll", wheel->anti_roll},
                 {"wheel.friction", wheel->friction},
                 {"wheel.side_friction", wheel->side_friction},
                 {"wheel.brake", wheel->brake}};
  for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
    MO_RETURN_IF_REFUSED(
        mo_check_range(world, function, numbers[i].name, numbers[i].value, 0.0, INFINITY, must));
  }
  return MO_OK;
}

static mo_result refuse_drive(mo_world *world, const mo_wheel *wheel) {
  static const char *const must = "must be finite";
  MO_RETURN_IF_REFUSED(mo_check_range(world, function, "wheel.engine_force", wheel->engine_force,
                                      -INFINITY, INFINITY, must));
  return mo_check_range(world, function, "wheel.steering", wheel->steering, -INFINITY, INFINITY,
                        must);
}

static mo_result check_directions(mo_world *world, const mo_wheel *wheel) {
  MO_RETURN_IF_REFUSED(check_direction(world, "wheel.direction", wheel->direction));
  MO_RETURN_IF_REFUSED(check_direction(world, "wheel.axle", wheel->axle));
  mo_vec3 across = mo_cross(mo_normalize(wheel->axle), mo_normalize(wheel->direction));
  return mo_length(across) > MO_WHEEL_LEAST_COSINE
             ? MO_OK
             : mo_world_refuse_vec3(world, MO_ERROR_INVALID_ARGUMENT, function, "wheel.axle",
                                    "must not lie along the direction of the strut", wheel->axle);
}

static mo_result check_wheel(mo_world *world, const mo_vehicle *vehicle, const mo_wheel *wheel) {
  if (!mo_v3_is_finite(wheel->position)) {
    return mo_check_vec3(world, function, "wheel.position", wheel->position);
  }
  if (!mo_wheel_is_like_before(vehicle, wheel)) {
    MO_RETURN_IF_REFUSED(check_directions(world, wheel));
  }
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "wheel.radius", wheel->radius));
  if (!numbers_are_good(wheel)) {
    return refuse_numbers(world, wheel);
  }
  if (!mo_is_finite(wheel->engine_force) || !mo_is_finite(wheel->steering)) {
    return refuse_drive(world, wheel);
  }
  if (!(wheel->max_force >= 0.0)) {
    return mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "wheel.max_force",
                           "must be 0 or more", wheel->max_force);
  }
  return wheel->anti_roll_wheel < vehicle->wheel_count
             ? MO_OK
             : mo_world_refuse(world, MO_ERROR_INVALID_ARGUMENT, function, "wheel.anti_roll_wheel",
                               "must be the index of a wheel", wheel->anti_roll_wheel);
}

mo_result mo_vehicle_check(mo_world *world, const mo_vehicle *vehicle, double dt) {
  MO_RETURN_IF_REFUSED(mo_check_body(world, vehicle->chassis, function));
  if (!mo_world_is_dynamic(world, mo_body_id_slot(vehicle->chassis))) {
    return mo_world_refuse_text(world, MO_ERROR_INVALID_ARGUMENT, function,
                                "the chassis must be a dynamic body");
  }
  MO_RETURN_IF_REFUSED(mo_check_above_zero(world, function, "dt", dt));
  for (uint32_t i = 0; i < vehicle->wheel_count; i++) {
    MO_RETURN_IF_REFUSED(check_wheel(world, vehicle, &vehicle->wheels[i]));
  }
  return MO_OK;
}
