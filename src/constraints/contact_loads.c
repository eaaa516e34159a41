#include "constraints/contact_loads.h"

// A contact slides if friction is at least this fraction of its limit at every point with load.
#define SLIDING_FRICTION 0.999999
// Fraction of its new load: a point that carried less has no direction of friction, which the
// solver then finds.
#define LEAST_SHARE 1e-6

static bool slides(const mo_contact *contact) {
  double load = 0.0;
  for (uint32_t i = 0; i < contact->point_count; i++) {
    const mo_contact_point_state *point = &contact->points[i];
    double limit = contact->friction * point->normal_impulse;
    if (mo_length(point->tangent_impulse) < SLIDING_FRICTION * limit) {
      return false;
    }
    load += limit;
  }
  return load > 0.0;
}

// Twice the area of the triangle of three points, projected along the normal.
static double triangle_area(const mo_contact *contact, int i, int j, int k) {
  mo_vec3 p = contact->points[i].position;
  mo_vec3 d = mo_sub(contact->points[j].position, p), e = mo_sub(contact->points[k].position, p);
  return mo_dot(contact->normal, mo_cross(d, e));
}

// The change of the loads of four coplanar points that keeps their sum and their moments: from the
// barycentric coordinates of the fourth point in the other three.
static void find_self_stress(const mo_contact *contact, double mode[4]) {
  mode[0] = triangle_area(contact, 1, 2, 3);
  mode[1] = -triangle_area(contact, 0, 2, 3);
  mode[2] = triangle_area(contact, 0, 1, 3);
  mode[3] = -triangle_area(contact, 0, 1, 2);
}

void mo_contact_even_out_loads(mo_contact *contact) {
  if (contact->point_count != 4 || !slides(contact)) {
    return;
  }
  double mode[4], along = 0.0, length_squared = 0.0;
  find_self_stress(contact, mode);
  for (int i = 0; i < 4; i++) {
    along += mode[i] * contact->points[i].normal_impulse;
    length_squared += mode[i] * mode[i];
  }
  double step = length_squared > 0.0 ? -along / length_squared : 0.0;
  for (int i = 0; i < 4; i++) {
    if (contact->points[i].normal_impulse + step * mode[i] < 0.0) {
      return;
    }
  }
  for (int i = 0; i < 4; i++) {
    mo_contact_point_state *point = &contact->points[i];
    double load = point->normal_impulse + step * mode[i];
    bool carried = point->normal_impulse > LEAST_SHARE * load;
    point->tangent_impulse =
        mo_scale(carried ? load / point->normal_impulse : 0.0, point->tangent_impulse);
    point->normal_impulse = load;
  }
}
