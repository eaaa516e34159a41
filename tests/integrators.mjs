/** All integrators, in the order of mo_integrator, which the native programs of the tests know them by. */
export const INTEGRATORS = /** @type {const} */ ([
  'semi-implicit-euler',
  'explicit-euler',
  'velocity-verlet',
  'rk4',
  'implicit-midpoint',
])
