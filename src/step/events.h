/// Events of contacts and sensors, made at the end of a step. Private to src.
#pragma once

#include "world/world.h"

/// Makes room for the events of a step, once its contacts are known. Returns false without memory.
/// Does nothing in a world that watches nothing.
bool mo_step_reserve_events(mo_world *world);
/// Part of the commit, after bodies and contacts have taken over the results of the step and before
/// bodies fall asleep: cannot fail.
void mo_step_collect_contact_events(mo_world *world, double dt);
/// The same for sensors.
void mo_step_collect_sensor_events(mo_world *world);
