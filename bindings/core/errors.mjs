/**
 * What kind of error it is. Codes are stable: test them, not the message.
 *
 * - `invalid-argument`: a value out of its allowed range, of the wrong kind, or an unknown option name
 * - `stale-handle`: the world, body, shape or hull was freed or destroyed before
 * - `out-of-memory`: the memory could not grow; the world is as it was before the call
 * - `not-supported`: a feature that this version does not have yet
 * - `not-finite`: the step overflowed to infinity or NaN; the world is as it was before the call
 * - `capacity`: all body ids are in use or used up
 * - `world-locked`: a callback of this world tried to change it; inside of one it can only be read
 * - `constraint-failed`: a custom constraint threw (the error is in `cause`) or gave a number that is
 *   not finite; the world is as it was before the call
 * - `potential-failed`: a custom potential threw (the error is in `cause`), or a force, torque or
 *   energy of a potential is not finite; the world is as it was before the call
 * - `callback-failed`: a contact function gave what is not allowed; what it throws comes out of `step`
 *   as it is. A loader of `moreau/import` threw (what it threw is in `cause`). The world is as it was before the call
 * - `not-initialized`: `await init()` (or `initSync()`) has to come first
 * - `hull-...`: the points do not span a volume, or Qhull gave up (`hull-qhull`)
 * - `mesh-open`, `mesh-orientation`, `mesh-inside-out`: a mesh encloses no volume: an edge has an odd
 *   number of triangles; neighbours have the same direction along an edge; its fronts look inwards
 * - `bad-snapshot`: bytes that are no snapshot of this version, or damaged, or that need assets or functions
 *   that are not there; the world is as it was before the call
 * - `diverged`: what was made again came out differently: a frame of `moreau/rollback`
 * - `wasm-failed`: the WebAssembly module could not be loaded, compiled or run; a step that trapped is taken back
 * - `threads-unavailable`: of `moreau/threads`: this host or page has no shared memory or no workers
 * - `worker-failed`: of `moreau/worker`: the worker could not be started or has ended
 * - `peer-missing`: of `moreau/decompose`: `vhacd-js` is not installed
 * - `volume-error`: of `moreau/decompose`: the hulls are further from the mesh than is allowed
 *
 * @typedef {'invalid-argument' | 'stale-handle' | 'out-of-memory' | 'not-supported' | 'not-finite'
 *   | 'capacity' | 'world-locked' | 'constraint-failed' | 'potential-failed' | 'callback-failed' | 'not-initialized' | 'hull-empty' | 'hull-too-few-points' | 'hull-not-finite'
 *   | 'hull-all-equal' | 'hull-collinear' | 'hull-coplanar' | 'hull-qhull' | 'mesh-open'
 *   | 'mesh-orientation' | 'mesh-inside-out' | 'bad-snapshot' | 'diverged' | 'wasm-failed'
 *   | 'threads-unavailable' | 'worker-failed' | 'peer-missing' | 'volume-error'
 * } MoreauErrorCode
 */

/**
 * Every error that Moreau throws. The message names the argument, its value and what is allowed. A
 * refused call changes nothing: the world can be used on.
 */
export class MoreauError extends Error {
  /**
   * @param {MoreauErrorCode} code what kind of error it is
   * @param {string} message for people
   * @param {{ cause?: unknown }} [options] `cause`: the error behind this one
   */
  constructor(code, message, options) {
    super(message, options)
    this.name = 'MoreauError'
    /**
     * What kind of error it is.
     * @readonly
     * @type {MoreauErrorCode}
     */
    this.code = code
  }
}
