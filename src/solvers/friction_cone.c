#include "solvers/friction_cone.h"

#include <math.h>
#include <string.h>

static void set_diagonal(double d[9], double value) {
  for (int k = 0; k < 9; k++) {
    d[k] = k % 4 == 0 ? value : 0.0;
  }
}

// The derivative where the nearest point lies on the surface of the cone: y = (n, t th), p = (a, mu
// a th).
static void surface_derivative(const double th[2], double t, double a, double mu, double d[9]) {
  double f = 1.0 / (1.0 + mu * mu);
  double across = t > 0.0 ? mu * a / t : 0.0;
  d[0] = f;
  for (int i = 0; i < 2; i++) {
    d[1 + i] = d[3 + 3 * i] = mu * f * th[i];
    for (int j = 0; j < 2; j++) {
      double along = th[i] * th[j];
      d[4 + 3 * i + j] = mu * mu * f * along + across * ((i == j ? 1.0 : 0.0) - along);
    }
  }
}

void mo_project_friction_cone(const double y[3], double friction, double p[3], double d[9]) {
  double mu = friction, t = sqrt(y[1] * y[1] + y[2] * y[2]);
  if (mu * t <= -y[0]) {
    p[0] = p[1] = p[2] = 0.0;
    if (d) {
      set_diagonal(d, 0.0);
    }
    return;
  }
  if (t <= mu * y[0] && mu > 0.0) {
    memcpy(p, y, 3 * sizeof *p);
    if (d) {
      set_diagonal(d, 1.0);
    }
    return;
  }
  double th[2] = {t > 0.0 ? y[1] / t : 0.0, t > 0.0 ? y[2] / t : 0.0};
  double a = (y[0] + mu * t) / (1.0 + mu * mu);
  p[0] = a;
  p[1] = mu * a * th[0];
  p[2] = mu * a * th[1];
  if (d) {
    surface_derivative(th, t, a, mu, d);
  }
}
