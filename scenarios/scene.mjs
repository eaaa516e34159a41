/**
 * What a scene is. The demo page, the Node tests, the benchmark and the command line all run the same scenes.
 */

/** @typedef {import('../bindings/index.mjs').World} World */
/** @typedef {import('../bindings/index.mjs').Body} Body */
/** @typedef {import('../bindings/index.mjs').WorldOptions} WorldOptions */
/** @typedef {import('../bindings/index.mjs').SolverName} SolverName */
/** @typedef {import('./vector.mjs').Vector} Vector */

/**
 * The class of worlds: tests, command line and page each bring their own.
 *
 * @typedef {object} WorldClass
 * @property {(options?: WorldOptions) => Promise<World>} create
 * @property {(scene: any) => World} fromJSON
 */

/**
 * What a check looks at, after a step.
 *
 * @template Things
 * @typedef {object} CheckContext
 * @property {World} world
 * @property {Things} things what the scene's `setup` returned
 * @property {number} time s since the start of the scene
 * @property {number} timeStep s
 * @property {number} stepIndex steps done, 1 after the first
 * @property {{ energy: ReturnType<World['energy']>, momentum: ReturnType<World['momentum']> }} start before the first step
 * @property {Record<string, any>} previous empty at first: what a check wants to remember from one step to the next
 */

/**
 * A law that must hold: `error` is at most `tolerance` after every step in [from, to].
 *
 * @template Things
 * @typedef {object} SceneCheck
 * @property {string} name short, in kebab-case, unique in its scene
 * @property {string} description what must hold and why
 * @property {string} unit of error and tolerance
 * @property {number} tolerance
 * @property {number | null} [softTolerance] the same where soft-step solves, which promises less; null: it promises nothing
 *   of the kind. Default `tolerance`.
 * @property {number} [from] s, default 0; the scene's `duration` means: at the end
 * @property {number} [to] s, default the scene's `duration`
 * @property {(context: CheckContext<Things>) => number} error
 */

/**
 * A scene. Gravity points along -y unless the description says otherwise.
 *
 * @template [Things=any]
 * @typedef {object} Scene
 * @property {string} name in kebab-case: the name on the command line and in the page's address
 * @property {string} title for people
 * @property {string} description what there is to see, with the numbers that matter
 * @property {WorldOptions} options of the world; `solver` is the first of `solvers`
 * @property {SolverName[]} solvers those that its checks hold for
 * @property {number} timeStep s
 * @property {number} duration s that its checks speak about
 * @property {(engine: WorldClass, options: WorldOptions) => World} [open] makes the world, filled already: of a scene that is a file.
 *   The engine is loaded. Default: an empty one with `options`
 * @property {(world: World) => Things} setup fills an empty world, returns what the checks want to look at. Bodies listed
 *   under `glass` are to be drawn so that one can look through them, vehicles under `vehicles` with their wheels;
 *   a camera goes along with the body `leader`.
 * @property {(world: World, things: Things, dt: number) => void} [beforeStep] comes before each step: what drives, lifts or blows
 * @property {{ position: Vector, target: Vector }} camera m
 * @property {SceneCheck<Things>[]} checks
 */

/** The time step of a scene that asks for no other. */
export const DEFAULT_TIME_STEP = 1 / 60

/**
 * Completes a scene with what it leaves to the defaults. Exists for the types, too: the checks know what `setup` returns.
 *
 * @template Things
 * @param {Omit<Scene<Things>, 'timeStep' | 'options' | 'solvers'> & {
 *   timeStep?: number, options?: WorldOptions, solvers?: SolverName[]
 * }} scene its `solvers` are by default what its options ask for, or soft-step
 * @returns {Scene<Things>}
 */
export function defineScene({ options = {}, solvers = [options.solver ?? 'soft-step'], ...scene }) {
  return {
    timeStep: DEFAULT_TIME_STEP,
    ...scene,
    solvers,
    options: { solver: solvers[0], ...options },
  }
}
