// Advice that worlds give while a program is developed.

/**
 * - `long-step`: a step above 0.25 s: milliseconds, perhaps
 * - `degrees`: limits of an angle or the steering of a wheel above a full turn: degrees, perhaps
 * - `far-size`, `far-speed`: a dynamic body below 1 mm or above 1 km, or faster than 1 km/s: other units, perhaps
 * - `centimetres`: a dynamic body of 30 m to 1 km under a gravity as on earth, or of 10 m and more under 300 m/s² and more
 * - `far-place`: a body is more than 10,000 km from the origin, where positions have few digits left
 * - `inertia`: a dynamic body whose largest principal moment of inertia is above the sum of the two others, as of no rigid body
 * - `fell-out`: a body fell 10 km below the origin: past the floor, perhaps
 * - `stale-view`: `transforms`, `transforms64`, `velocities` or `moved` was read, and the memory has moved since without
 *   its being read again: a view that was kept is empty
 * - `late`: `advance` dropped time, since more steps were due than are allowed
 * - `pass-through`: bodies in a joint that were apart are deep in each other, since they do not collide without `collideConnected`
 * - `no-effect`: a force, a torque or an impulse on a body that is not dynamic, or a joint between two that are static
 * - `history-lost`: there was no memory for the state after a step, and a history begins anew
 * @typedef {'long-step' | 'degrees' | 'far-size' | 'far-speed' | 'centimetres' | 'far-place' | 'inertia' | 'fell-out' | 'stale-view' | 'late' | 'pass-through' | 'no-effect' | 'history-lost'} AdviceCode
 */

/**
 * @typedef {object} Advice
 * @property {AdviceCode} code
 * @property {string} message
 */

export {}
