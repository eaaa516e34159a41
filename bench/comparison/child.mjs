/**
 * One engine, one scene, one measurement, in a process of its own that rounds.mjs starts: the job comes as JSON in the first
 * argument, the outcome goes back as a message.
 */
import { wasmBytes } from './wasm-memory.mjs'
import { loadAdapter, Unsupported } from '../engines/engine.mjs'
import { describeScene } from '../scenes/index.mjs'
import { hashOf } from '../scenes/description.mjs'
import { serveParent } from './in-child.mjs'
import { Run } from './scene-run.mjs'
import { measureTimes } from './times.mjs'

/**
 * @typedef {object} Job
 * @property {string} engine
 * @property {string} scene
 * @property {boolean} sleep
 * @property {boolean} quality a long run that looks at quality, instead of one that takes the time
 * @property {Record<string, unknown>} world options of Moreau's world on top of its defaults
 */

/**
 * @typedef {object} Measurement
 * @property {string} version of the engine
 * @property {string} hash of the scene
 * @property {number} bodies that move
 * @property {number} wasmBytes
 * @property {number} residentBytes by which the process grew from before the engine was loaded
 * @property {import('./times.mjs').Times | null} times
 * @property {import('./rays.mjs').RayVerdict | null} rays
 * @property {{ eventsPerStep?: number, walked?: number }} shown contacts that began or ended; m from where characters started
 * @property {import('./referee.mjs').Verdict} verdict at the end
 * @property {number | null} worstJointError m, over the whole run; quality runs only
 */

/** @typedef {{ measurement: Measurement } | import('./in-child.mjs').FailedOutcome} Outcome */

await serveParent(measure)

/**
 * @param {Job} given
 * @returns {Promise<Measurement>}
 */
async function measure({ engine: name, scene, sleep, quality, world }) {
  const description = describeScene(scene)
  const { load } = await loadAdapter(name)
  const before = process.memoryUsage.rss()
  const engine = await load()
  const simulation = await engine.create(description, { sleep, world })
  const run = new Run(simulation, description)
  refuseCasts(description, simulation)
  const times = quality ? null : await measureTimes(run, description)
  const use = { wasmBytes: wasmBytes(), residentBytes: process.memoryUsage.rss() - before }

  // Only now, as the judge is a module of WebAssembly, too.
  const { init } = await import('moreau')
  await init()
  const { Referee } = await import('./referee.mjs')
  const referee = new Referee(description)
  const worstJointError = quality ? finish(run, description, referee) : null
  return {
    version: engine.version,
    hash: hashOf(description),
    bodies: run.bodies.filter((body) => body && !body.fixed).length,
    ...use,
    times,
    shown: run.shown,
    rays: isOfRays(description) ? (await import('./rays.mjs')).judgeRays(run, description) : null,
    verdict: referee.judge(run.poses, run.bodies),
    worstJointError,
  }
}

/** @typedef {import('../scenes/description.mjs').Description} Description */

/** @param {Description} description */
function isOfRays({ rays, castShape }) {
  return rays !== null && castShape === undefined
}

/**
 * @param {Description} description
 * @param {import('../engines/engine.mjs').Simulation} simulation
 */
function refuseCasts({ rays, castShape }, { castRays, castShapes }) {
  if (!rays) return
  if (castShape === undefined && !castRays) throw new Unsupported('no ray casts')
  if (castShape !== undefined && !castShapes) throw new Unsupported('no shape casts')
}

/**
 * Runs a scene for as long as its quality is looked at.
 *
 * @param {Run} run
 * @param {Description} description
 * @param {import('./referee.mjs').Referee} referee
 * @returns {number | null} the worst joint error on the way, m
 */
function finish(run, { qualitySeconds, joints }, referee) {
  let worst = 0
  for (let step = 0; step < 60 * qualitySeconds; step++) {
    run.step()
    run.read()
    if (joints.length > 0)
      worst = Math.max(worst, referee.jointErrors(run.poses).maxJointError ?? 0)
  }
  return joints.length > 0 ? worst : null
}
