/**
 * One measurement in a process of its own, started by own-scenes.mjs: node --expose-gc bench/own-scenes-measure.mjs <scene> <steps>. Prints JSON.
 */
import { performance } from 'node:perf_hooks'

/**
 * @typedef {object} Measurement
 * @property {string} scene
 * @property {number} bodies
 * @property {number} median ms per step
 * @property {number} p95 ms per step
 * @property {number} max ms per step
 * @property {number} allocationsPerStep calls of the C allocator in the steady state
 * @property {number} heapBytesPerStep JavaScript garbage and growth in the steady state, with all that a frame reads
 * @property {number} ready ms from import until the module is ready
 * @property {number} firstStep ms from import until the first step of a falling ball is done
 * @property {string} hash of the final state
 */

const WARM_UP = 30
/** Steps at the end that count as the steady state, in so many windows. */
const STEADY = 100
const WINDOWS = 5
const READ_WARM_UP = 3000

const [name, steps] = process.argv.slice(2)

const begin = performance.now()
const { CONTACT_POINT_LAYOUT, init, World } = await import('moreau')
await init()
const ready = performance.now() - begin
const first = new World()
first.createBody({ shape: { type: 'sphere', radius: 1 } })
first.step(1 / 60)
const firstStep = performance.now() - begin
first.free()

const { sceneByName } = await import('moreau/scenarios')
process.stdout.write(`${JSON.stringify(measure(sceneByName(name), Number(steps)))}\n`)

/**
 * @param {import('moreau/scenarios').Scene} scene
 * @param {number} count
 * @returns {Measurement}
 */
function measure(scene, count) {
  const world = new World(scene.options)
  scene.setup(world)
  const times = new Float64Array(count)
  for (let step = 0; step < WARM_UP; step++) world.step(scene.timeStep)
  for (let step = 0; step < count; step++) {
    const before = performance.now()
    world.step(scene.timeStep)
    times[step] = performance.now() - before
  }
  const steady = measureMemory(world, scene.timeStep)
  times.sort()
  return {
    scene: scene.name,
    bodies: world.stats.bodies,
    median: times[Math.floor(count / 2)],
    p95: times[Math.floor(0.95 * count)],
    max: times[count - 1],
    ...steady,
    ready,
    firstStep,
    hash: world.hash(),
  }
}

/**
 * What a page does once per frame: a step, the bulk arrays, and what has a twin that allocates nothing.
 *
 * @param {import('moreau').World} world
 * @param {number} timeStep s
 * @returns {{ step: () => void, read: () => number }}
 */
function frameOf(world, timeStep) {
  const body = world.bodies[world.bodies.length - 1]
  const points = new Float64Array(world.contactPoints().length * 2 * CONTACT_POINT_LAYOUT.stride)
  const outs = [{ x: 0.5, y: 0.5, z: 0.5, w: 0.5 }, new Float64Array(4), [0.5, 0.5, 0.5, 0.5]]
  const matrix = new Float64Array(9)
  const energy = world.energy()
  const residual = world.residual()
  const { stats } = world
  const read = () => {
    for (let i = 0; i < outs.length; i++) {
      const out = outs[i]
      body.readPosition(out)
      body.readOrientation(out)
      body.readLinearVelocity(out)
      body.readAngularVelocity(out)
      body.readWorldCenterOfMass(out)
      body.readAngularMomentum(out)
    }
    body.readInertia(matrix)
    world.readEnergy(energy)
    world.readResidual(residual)
    world.readStats(stats)
    let sum = world.readContactPoints(points)
    sum += world.transforms.length + world.transforms64.length + world.velocities.length
    return sum + world.moved.length + world.bodyIds.length + world.awakeCount
  }
  return { step: () => world.step(timeStep), read }
}

/**
 * @param {import('moreau').World} world
 * @param {number} timeStep s
 */
function measureMemory(world, timeStep) {
  const { step, read } = frameOf(world, timeStep)
  // So often that the compiler has done its work on all that a frame calls.
  for (let i = 0; i < READ_WARM_UP; i++) read()
  globalThis.gc?.()
  const allocations = world.memory().allocations
  // The engine's compiler works in the background and leaves its own traces: the window with the fewest is ours.
  let heapBytes = Infinity
  for (let window = 0; window < WINDOWS; window++) {
    const heap = process.memoryUsage().heapUsed
    for (let frame = 0; frame < STEADY; frame++) {
      step()
      read()
    }
    heapBytes = Math.min(heapBytes, Math.max(0, process.memoryUsage().heapUsed - heap))
  }
  return {
    allocationsPerStep: (world.memory().allocations - allocations) / (WINDOWS * STEADY),
    heapBytesPerStep: heapBytes / STEADY,
  }
}
