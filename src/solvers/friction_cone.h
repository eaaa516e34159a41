/// The cone of Coulomb friction, |t| <= friction n.
#pragma once

/// Nearest point of the cone |t| <= friction n to y = (n, t1, t2).
/// @param[out] p
/// @param[out] d derivative of p by y, 3 x 3 by rows and symmetric; one of the generalised
/// derivatives at the kinks. May be null
void mo_project_friction_cone(const double y[3], double friction, double p[3], double d[9]);
