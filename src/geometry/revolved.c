#include "geometry/revolved.h"

#include "math/trig.h"

static double end_height(const mo_convex *core, int end) {
  return end ? core->half_extents.y : -core->half_extents.y;
}

// An end with the radius of the core.
static mo_revolved_end whole_end(const mo_convex *core, int end) {
  return (mo_revolved_end){core->ends[end].disc, core->ends[end].ball + core->radius};
}

// --- the core --------------------------------------------------------------------------------

// Sets the normal of the side, the line that touches both circles of the profile: in its direction
// both ends reach equally far.
static bool find_side(mo_convex *core) {
  double height = 2.0 * core->half_extents.y, narrower = core->ends[0].disc - core->ends[1].disc;
  double rounder = core->ends[1].ball - core->ends[0].ball;
  double slant_squared = mo_square(height) + mo_square(narrower);
  double along_squared = slant_squared - mo_square(rounder);
  if (!(along_squared > 0.0)) {
    return false;
  }
  double along = sqrt(along_squared);
  core->side_across = (height * along + narrower * rounder) / slant_squared;
  core->side_y = (narrower * along - height * rounder) / slant_squared;
  return core->side_across > 0.0;
}

bool mo_convex_revolved(mo_revolved_end bottom, mo_revolved_end top, double half_height,
                        double radius, mo_convex *core) {
  bottom.ball -= radius;
  top.ball -= radius;
  double widest = mo_max(bottom.disc + bottom.ball, top.disc + top.ball);
  *core = (mo_convex){.kind = MO_CORE_REVOLVED,
                      .half_extents = {widest, half_height, widest},
                      .ends = {bottom, top},
                      .radius = radius};
  core->scale = mo_revolved_outer_radius(core, 0.0) - radius;
  return find_side(core);
}

mo_vec3 mo_revolved_support(const mo_convex *core, mo_vec3 direction) {
  double across_squared = mo_square(direction.x) + mo_square(direction.z);
  double across = sqrt(across_squared), length = sqrt(across_squared + mo_square(direction.y));
  // The upper end is further where the direction points above the normal of the side.
  int end = direction.y * core->side_across > across * core->side_y;
  double disc = core->ends[end].disc, ball = core->ends[end].ball;
  double out = (across > 0.0 ? disc / across : 0.0) + (ball > 0.0 ? ball / length : 0.0);
  double up = ball > 0.0 ? ball / length : 0.0;
  return mo_v3(out * direction.x, end_height(core, end) + up * direction.y, out * direction.z);
}

// --- distance --------------------------------------------------------------------------------

// A signed distance in the profile, and the normal there.
typedef struct profile_distance {
  double distance, across, y;
} profile_distance;

static void offer(profile_distance *greatest, double distance, double across, double y) {
  if (distance > greatest->distance) {
    *greatest = (profile_distance){distance, across, y};
  }
}

// Whether the arc of an end is nearest to a point, given relative to the centre of the arc.
static bool is_at_arc(const mo_convex *core, int end, double across, double y) {
  double up_the_side = y * core->side_across - across * core->side_y;
  return across >= 0.0 && (end ? up_the_side >= 0.0 : up_the_side <= 0.0);
}

// Where no arc is nearest, the greatest distance from the lines of the caps and the side counts.
static profile_distance distance_in_profile(const mo_convex *core, double across, double y) {
  profile_distance found = {-INFINITY, core->side_across, core->side_y};
  for (int end = 0; end < 2; end++) {
    mo_revolved_end e = whole_end(core, end);
    double out = across - e.disc, up = y - end_height(core, end);
    if (is_at_arc(core, end, out, up)) {
      double length = sqrt(mo_square(out) + mo_square(up));
      return length > 0.0 ? (profile_distance){length - e.ball, out / length, up / length}
                          : (profile_distance){-e.ball, core->side_across, core->side_y};
    }
    offer(&found, (end ? up : -up) - e.ball, 0.0, end ? 1.0 : -1.0);
    offer(&found, out * core->side_across + up * core->side_y - e.ball, core->side_across,
          core->side_y);
  }
  return found;
}

double mo_revolved_distance(const mo_convex *core, mo_vec3 point, mo_vec3 *normal) {
  double across = sqrt(mo_square(point.x) + mo_square(point.z));
  profile_distance found = distance_in_profile(core, across, point.y);
  // On the axis all directions away from it are equally good: x by convention.
  mo_vec3 out =
      across > 0.0 ? mo_v3(point.x / across, 0.0, point.z / across) : mo_v3(1.0, 0.0, 0.0);
  *normal = mo_v3(found.across * out.x, found.y, found.across * out.z);
  return found.distance;
}

// --- radii -----------------------------------------------------------------------------------

double mo_revolved_outer_radius(const mo_convex *core, double y) {
  double greatest = 0.0;
  for (int end = 0; end < 2; end++) {
    mo_revolved_end e = whole_end(core, end);
    double up = end_height(core, end) - y;
    greatest = mo_max(greatest, sqrt(mo_square(e.disc) + mo_square(up)) + e.ball);
  }
  return greatest;
}

double mo_revolved_inner_radius(const mo_convex *core, double y) {
  mo_vec3 normal;
  return -mo_revolved_distance(core, mo_v3(0.0, y, 0.0), &normal);
}

// --- mass properties -------------------------------------------------------------------------

// Integrals over a solid of revolution: of 1, y, y^2 and x^2; and the area of its side.
typedef struct moments {
  double one, y, yy, xx, area;
} moments;

// Adds the part between two heights over which the radius r changes linearly. The integrals of
// r^2 t^k and r^4 over t from 0 to 1 are polynomials in both radii.
static void add_frustum(moments *m, double r0, double y0, double r1, double y1) {
  double height = y1 - y0, a = r0 * r0, b = r0 * r1, c = r1 * r1, part = MO_PI * height;
  double q0 = (a + b + c) / 3.0, q1 = (a + 2.0 * b + 3.0 * c) / 12.0;
  double q2 = (a + 3.0 * b + 6.0 * c) / 30.0;
  m->one += part * q0;
  m->y += part * (y0 * q0 + height * q1);
  m->yy += part * (y0 * y0 * q0 + 2.0 * y0 * height * q1 + height * height * q2);
  m->xx += 0.05 * part * (a * a + a * b + b * b + b * c + c * c);
  m->area += MO_PI * (r0 + r1) * sqrt(mo_square(height) + mo_square(r1 - r0));
}

// Integrals of the powers of the cosine, from one angle to another.
typedef struct cosine_integrals {
  double power[6];
} cosine_integrals;

typedef struct angle {
  double radians, cosine, sine;
} angle;

// By the reduction n C(n) = sin cos^(n-1) + (n-1) C(n-2).
static cosine_integrals integrate_cosines(angle from, angle to) {
  cosine_integrals c;
  c.power[0] = to.radians - from.radians;
  c.power[1] = to.sine - from.sine;
  double high = to.cosine, low = from.cosine;
  for (int n = 2; n < 6; n++) {
    double ends = to.sine * high - from.sine * low;
    c.power[n] = (ends + (n - 1) * c.power[n - 2]) / n;
    high *= to.cosine;
    low *= from.cosine;
  }
  return c;
}

// The integral of cos^n sin.
static double integrate_odd(angle from, angle to, int n) {
  double high = to.cosine, low = from.cosine;
  for (int i = 0; i < n; i++) {
    high *= to.cosine;
    low *= from.cosine;
  }
  return (low - high) / (n + 1);
}

// Adds the part beside an arc of radius b about (d, y): r = d + b cos, height = y + b sin.
static void add_arc(moments *m, double d, double b, double y, angle from, angle to) {
  cosine_integrals integrals = integrate_cosines(from, to);
  const double *c = integrals.power;
  double dd = d * d, db = 2.0 * d * b, bb = b * b, part = MO_PI * b;
  double one = dd * c[1] + db * c[2] + bb * c[3];
  double sine = dd * integrate_odd(from, to, 1) + db * integrate_odd(from, to, 2) +
                bb * integrate_odd(from, to, 3);
  double square = dd * (c[1] - c[3]) + db * (c[2] - c[4]) + bb * (c[3] - c[5]);
  double fourth = dd * dd * c[1] + 2.0 * dd * db * c[2] + 6.0 * dd * bb * c[3] +
                  2.0 * db * bb * c[4] + bb * bb * c[5];
  m->one += part * one;
  m->y += part * (y * one + b * sine);
  m->yy += part * (y * y * one + 2.0 * y * b * sine + bb * square);
  m->xx += 0.25 * part * fourth;
  m->area += 2.0 * part * (d * c[0] + b * c[1]);
}

mo_mass_properties mo_revolved_mass_properties(const mo_convex *core, double *surface_area) {
  double across = core->side_across, up = core->side_y, h = core->half_extents.y;
  mo_revolved_end bottom = whole_end(core, 0), top = whole_end(core, 1);
  angle side = {mo_arc_tangent(up, across), across, up};
  angle lowest = {-0.5 * MO_PI, 0.0, -1.0}, highest = {0.5 * MO_PI, 0.0, 1.0};
  moments m = {.area = MO_PI * (mo_square(bottom.disc) + mo_square(top.disc))};
  add_arc(&m, bottom.disc, bottom.ball, -h, lowest, side);
  add_frustum(&m, bottom.disc + bottom.ball * across, bottom.ball * up - h,
              top.disc + top.ball * across, top.ball * up + h);
  add_arc(&m, top.disc, top.ball, h, side, highest);
  double centre = m.y / m.one, axial = m.yy / m.one - centre * centre, radial = m.xx / m.one;
  *surface_area = m.area;
  return (mo_mass_properties){m.one, mo_v3(0.0, centre, 0.0),
                              mo_mat3_diagonal(radial + axial, 2.0 * radial, radial + axial)};
}
