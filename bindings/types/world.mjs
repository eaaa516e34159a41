// What a world and the module take and tell of themselves.

/** @import { Effort, FrictionLaw, IntegratorName, SolverName, Stabilization } from './names.mjs' */
/** @import { VectorLike } from './values.mjs' */

/**
 * Options of a world. All but `profile` may also be read and set later, under the same names.
 * @typedef {object} WorldOptions
 * @property {VectorLike} [gravity] m/s²; default `[0, -9.81, 0]`
 * @property {SolverName} [solver] default `'soft-step'`, substeps with soft constraints: fast.
 *   `'block-pgs'`: block projected Gauss-Seidel with true Coulomb friction. `'exact'` solves each island by what it holds: `'bilateral'` where there are
 *   only joints, `'active-set'` without friction, `'cone'` with it; these names ask for one of them
 *   where it can do the work
 * @property {number} [substeps] of `'soft-step'` in a step, a whole number from 1 to 64; default 4
 * @property {number} [iterations] sweeps of `'block-pgs'` per solve, a whole number from 1 to 100000;
 *   default 20
 * @property {number} [tolerance] m/s, default 1e-8. `'block-pgs'`: a sweep that changes no contact
 *   velocity by more than this ends the solve. Exact solvers: what the certificate of an island
 *   must reach
 * @property {FrictionLaw} [frictionLaw] default `'coulomb'`. `'convex'`, for exact solvers only, is
 *   the convex relaxation, in which what slides lifts off by the friction coefficient times its speed
 * @property {Effort} [effort] of the exact solvers; default `'step'`. `'offline'` allows
 *   arclength continuation, which may take thousands of factorisations
 * @property {number} [maxIterations] matrix factorisations that an exact solver may spend on an
 *   island in a step, a whole number from 1 to 100000; default 400
 * @property {number} [exactMemoryLimit] bytes of working memory that the exact solve of an island
 *   may take, default 268435456 (256 MiB); a bigger island is solved by `'block-pgs'`, which
 *   `islands()` and the `solver` event tell
 * @property {IntegratorName} [integrator] default `'semi-implicit-euler'`, the only one of
 *   `'soft-step'`: a world created with another one and no `solver` gets `'block-pgs'`
 * @property {number} [contactHertz] 1/s, above 0: how stiff contacts of `'soft-step'` are; default 30.
 *   More than `substeps / (8 dt)` is not used
 * @property {number} [contactDamping] damping ratio of contacts of `'soft-step'`, 0 or more; default 10
 * @property {number} [jointHertz] 1/s, above 0: how stiff joints of `'soft-step'` are; default 120
 * @property {number} [jointDamping] damping ratio of joints of `'soft-step'`, 0 or more; default 1
 * @property {boolean} [allowSleep] whether islands of bodies that lie still fall asleep: they are not
 *   stepped until something wakes them; default true
 * @property {number | 'auto'} [sleepThreshold] m/s, 0 or more: no point of a body that falls asleep is
 *   faster; default `'auto'`, which is 0.05 where `'soft-step'` solves, else 0.0001
 * @property {number} [timeToSleep] seconds that all bodies of an island have to be that slow, 0 or
 *   more; default 0.5
 * @property {boolean} [frictionPerPoint] whether each point of a contact has a disc of friction of its own in
 *   `'soft-step'`; default false: one and a twist for the contact
 * @property {boolean} [certify] whether `'soft-step'` computes its certificate in every step, for
 *   `stats.residual`; default false. `residual()` is there without
 * @property {boolean} [profile] whether steps are timed from the start (`world.profiling`); default
 *   false
 * @property {number | 'auto'} [restitutionThreshold] m/s of approach below which nothing bounces;
 *   default `'auto'`, which is `max(0.01, 2 |gravity| dt)`
 * @property {number | 'auto'} [linearSlop] metres of overlap that are left alone; in `'soft-step'` the
 *   scale of what counts as near; default `'auto'`, which is 0.005 where `'soft-step'` solves, else 0.001
 * @property {Stabilization} [stabilization] how overlap is removed; default `'split'`:
 *   pseudo-velocities that carry no energy. `'baumgarte'` goes through the velocities, `'none'`
 *   leaves it
 * @property {number} [errorReduction] the part of the overlap beyond the slop that a step removes,
 *   0 to 1; default 0.2
 * @property {number} [maxCorrectionSpeed] m/s, cap of that removal; default 3
 */

/**
 * Memory of the whole module: all worlds, shapes and hulls together.
 * @typedef {object} MemoryUse
 * @property {number} bytes held by the engine at this moment
 * @property {number} allocations calls to the allocator since the start; a step in the steady
 *   state adds none
 * @property {number} wasmBytes size of the WebAssembly memory, which never shrinks
 */

/**
 * @typedef {object} AdvanceOptions
 * @property {number} [fixedDt] seconds of one step; default 1/60
 * @property {number} [maxSteps] most steps in one call, a whole number above 0; default 8. Time
 *   beyond them is dropped, so that a slow machine does not fall behind for ever
 */

/**
 * Where the WebAssembly module comes from: an address (`URL` or string), a `Response` or the promise
 * of one (`fetch(...)`), its bytes, or a compiled `WebAssembly.Module`.
 * @typedef {URL | string | Response | Promise<Response> | BufferSource | WebAssembly.Module
 * } WasmSource
 */

export {}
