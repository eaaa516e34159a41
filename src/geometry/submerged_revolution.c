/// Parts of solids of revolution: each section across the axis is a disc that the plane cuts along
/// a chord, and the sections are summed along the axis.
#include "geometry/submerged_parts.h"
#include "math/trig.h"

// Where the plane is a tangent of the rim, the area of the section has a root of the third half
// order; pieces of the axis end there, and the substitution y = middle + half sin(angle) makes it
// smooth. Sixteen points then leave an error below 1e-9 of the volume.
#define NODES 8

// The roots of the Legendre polynomial of order 16 above 0, and their weights (Abramowitz and
// Stegun 1964, table 25.4).
static const double nodes[NODES] = {
    0.0950125098376374402, 0.2816035507792589132, 0.4580167776572273863, 0.6178762444026437484,
    0.7554044083550030339, 0.8656312023878317439, 0.9445750230732325761, 0.9894009349916499326};
static const double weights[NODES] = {
    0.1894506104550684963, 0.1826034150449235889, 0.1691565193950025382, 0.1495959888165767321,
    0.1246289712555338720, 0.0951585116824927848, 0.0622535239386478929, 0.0271524594117540949};

// The sine of the angle between plane and axis below which sections are cut nowhere or wholly.
#define LEAST_TILT 1e-12
// The most points at which a piece is divided: its ends, both tangents of two rims.
#define MOST_CUTS 8

// The plane as the axis sees it: across . x + along y <= offset.
typedef struct tilt {
  double across, along, offset;
} tilt;

// Sums along the axis: volume and first moments.
typedef struct section_sum {
  double volume, across, along;
} section_sum;

static double radius_at(const mo_profile_piece *piece, double y) {
  if (piece->is_arc) {
    double square = mo_square(piece->radius) - mo_square(y - piece->centre);
    return piece->disc + sqrt(mo_max(0.0, square));
  }
  double part = (y - piece->lower) / (piece->upper - piece->lower);
  return piece->lower_radius + part * (piece->upper_radius - piece->lower_radius);
}

// The part of a disc of radius r with x <= c: its area, and its moment along x.
static void cut_disc(double r, double c, double *area, double *moment) {
  *area = *moment = 0.0;
  if (c >= r) {
    *area = MO_PI * r * r;
  } else if (c > -r) {
    double half_chord = sqrt((r - c) * (r + c));
    *area = r * r * mo_arc_tangent(half_chord, -c) + c * half_chord;
    *moment = -2.0 / 3.0 * half_chord * half_chord * half_chord;
  }
}

static void add_section(const mo_profile_piece *piece, const tilt *plane, double y, double weight,
                        section_sum *sum) {
  double area, moment, r = radius_at(piece, y), rest = plane->offset - plane->along * y;
  // a plane across the axis has all of a section on one side
  double c = plane->across > LEAST_TILT ? rest / plane->across : rest >= 0.0 ? r : -r;
  cut_disc(r, c, &area, &moment);
  sum->volume += weight * area;
  sum->across += weight * moment;
  sum->along += weight * y * area;
}

static void sum_half(const mo_profile_piece *piece, const tilt *plane, double from, double to,
                     section_sum *sum) {
  double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  for (int i = 0; i < NODES; i++) {
    mo_sin_cos angle = mo_sine_cosine(0.5 * MO_PI * nodes[i]);
    double weight = 0.5 * MO_PI * weights[i] * half * angle.cos;
    add_section(piece, plane, middle - half * angle.sin, weight, sum);
    add_section(piece, plane, middle + half * angle.sin, weight, sum);
  }
}

// In two halves: a tangent just beyond the end of a piece leaves an error of 1e-9 in the whole.
static void sum_between(const mo_profile_piece *piece, const tilt *plane, double from, double to,
                        section_sum *sum) {
  double middle = 0.5 * (from + to);
  sum_half(piece, plane, from, middle, sum);
  sum_half(piece, plane, middle, to, sum);
}

// --- where the plane meets the rim -----------------------------------------------------------

typedef struct cut_list {
  double at[MOST_CUTS];
  int count;
} cut_list;

// Inserts a place in ascending order, if it lies within the piece.
static void insert(cut_list *cuts, const mo_profile_piece *piece, double y) {
  if (!(y > piece->lower && y < piece->upper)) {
    return;
  }
  int i = cuts->count++;
  for (; i > 0 && cuts->at[i - 1] > y; i--) {
    cuts->at[i] = cuts->at[i - 1];
  }
  cuts->at[i] = y;
}

// offset - along y = +- across (r0 + slope (y - lower))
static void cut_line(cut_list *cuts, const mo_profile_piece *piece, const tilt *plane) {
  double slope = (piece->upper_radius - piece->lower_radius) / (piece->upper - piece->lower);
  double start = piece->lower_radius - slope * piece->lower;
  for (int side = -1; side <= 1; side += 2) {
    double steep = plane->along + side * plane->across * slope;
    if (steep != 0.0) {
      insert(cuts, piece, (plane->offset - side * plane->across * start) / steep);
    }
  }
}

// Where the plane meets the circles of the profile on both sides of the axis; across^2 + along^2
// = 1.
static void cut_arc(cut_list *cuts, const mo_profile_piece *piece, const tilt *plane) {
  for (int side = -1; side <= 1; side += 2) {
    double height =
        plane->offset - plane->along * piece->centre - side * plane->across * piece->disc;
    double square = mo_square(piece->radius) - mo_square(height);
    if (square > 0.0) {
      double reach = plane->across * sqrt(square), middle = piece->centre + plane->along * height;
      insert(cuts, piece, middle - reach);
      insert(cuts, piece, middle + reach);
    }
  }
}

static void add_piece(const mo_profile_piece *piece, const tilt *plane, section_sum *sum) {
  cut_list cuts = {.count = 0};
  if (piece->is_arc) {
    cut_arc(&cuts, piece, plane);
  } else {
    cut_line(&cuts, piece, plane);
  }
  if (plane->along != 0.0) {
    insert(&cuts, piece, plane->offset / plane->along);
  }
  double from = piece->lower;
  for (int i = 0; i < cuts.count; i++) {
    sum_between(piece, plane, from, cuts.at[i], sum);
    from = cuts.at[i];
  }
  sum_between(piece, plane, from, piece->upper, sum);
}

mo_submerged mo_submerged_revolution(const mo_profile_piece *pieces, uint32_t count, mo_vec3 normal,
                                     double offset) {
  tilt plane = {sqrt(normal.x * normal.x + normal.z * normal.z), normal.y, offset};
  section_sum sum = {0.0, 0.0, 0.0};
  for (uint32_t i = 0; i < count; i++) {
    if (pieces[i].upper > pieces[i].lower) {
      add_piece(&pieces[i], &plane, &sum);
    }
  }
  if (!(sum.volume > 0.0)) {
    return (mo_submerged){0};
  }
  double out = plane.across > LEAST_TILT ? sum.across / (sum.volume * plane.across) : 0.0;
  return (mo_submerged){sum.volume, mo_v3(out * normal.x, sum.along / sum.volume, out * normal.z)};
}
