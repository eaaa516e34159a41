/**
 * Many small worlds: how many steps of one world an engine makes in a second, for batches of 1, 64 and 1024 worlds of the same scene.
 * Moreau steps them by `WorldBatch`; MuJoCo has a `MjData` for each on one model, and Rapier a `World`. Everything is awake, up is z,
 * and all take the same time step with their defaults. Engines take turns within each round; the table has medians.
 */
import { performance } from 'node:perf_hooks'
import { init, World, WorldBatch } from 'moreau'
import { peerFile } from './engines/engine.mjs'
import { formatTable } from './table.mjs'

/** @typedef {[number, number, number]} Vector */

/**
 * A box that hangs on another one, on the world or on nothing. At the start all have the axes of the world.
 * @typedef {object} Part
 * @property {Vector} at its centre, m
 * @property {Vector} half
 * @property {number} [parent] the part that it hangs on; default: none
 * @property {'hinge' | 'slide'} [joint] default: it is free
 * @property {Vector} [axis]
 * @property {Vector} [anchor] m, world
 * @property {boolean} [touches] whether it touches the floor and others, default true
 */

/** Worlds that are stepped together. @typedef {{ step: () => void, free: () => void }} Worlds */

const TIME_STEP = 0.01
const DENSITY = 1000
const COUNTS = [1, 64, 1024]
/** World-steps before and in a measurement: a hundredth of a second and more. */
const WORLD_STEPS = 2048
const WARM_UP = 100

/** @returns {Part[]} */
function ant() {
  /** @type {Part[]} */
  const parts = [{ at: [0, 0, 0.6], half: [0.25, 0.25, 0.1] }]
  for (const [x, y] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    const along = (/** @type {number} */ far, /** @type {number} */ thin) =>
      /** @type {Vector} */ ([x ? far : thin, y ? far : thin, thin])
    const place = (/** @type {number} */ r, z = 0.6) => /** @type {Vector} */ ([x * r, y * r, z])
    const hip = parts.length
    parts.push({
      ...{ at: place(0.4), half: along(0.15, 0.08), parent: 0, touches: false },
      ...{ joint: 'hinge', axis: [0, 0, 1], anchor: place(0.25) },
    })
    parts.push({
      ...{ at: place(0.6, 0.4), half: [0.08, 0.08, 0.25], parent: hip },
      ...{ joint: 'hinge', axis: [y, x, 0], anchor: place(0.55) },
    })
  }
  return parts
}

/** @type {Record<string, Part[]>} */
const SCENES = {
  'one box': [{ at: [0, 0, 0.5], half: [0.5, 0.5, 0.5] }],
  '9 boxes in contact': Array.from({ length: 9 }, (_, i) => ({
    at: [1.2 * (i % 3), 0, 0.5 + Math.floor(i / 3)],
    half: [0.5, 0.5, 0.5],
  })),
  'cart-pole': [
    {
      ...{ at: [0, 0, 1], half: [0.1, 0.05, 0.05], touches: false },
      ...{ joint: 'slide', axis: [1, 0, 0], anchor: [0, 0, 1] },
    },
    {
      ...{ at: [0.02, 0, 1.3], half: [0.02, 0.02, 0.3], parent: 0, touches: false },
      ...{ joint: 'hinge', axis: [0, 1, 0], anchor: [0, 0, 1] },
    },
  ],
  ant: ant(),
}

// --- engines --------------------------------------------------------------------------------------

/** @type {Record<string, () => Promise<(parts: Part[], count: number) => Worlds>>} */
const ENGINES = {
  async moreau() {
    await init()
    return (parts, count) => {
      const world = new World({ gravity: [0, 0, -9.81], allowSleep: false })
      world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1] } })
      const bodies = parts.map(({ at, half, touches = true }) =>
        world.createBody({
          ...{ position: at, shape: { type: 'box', halfExtents: half, density: DENSITY } },
          filter: { mask: touches ? 0xffffffff : 0 },
        }),
      )
      parts.forEach(({ joint, parent, axis, anchor }, i) => {
        if (joint === undefined || axis === undefined || anchor === undefined) return
        const bodyA = parent === undefined ? null : bodies[parent]
        const type = joint === 'slide' ? 'slider' : 'hinge'
        world.createJoint({ type, bodyA, bodyB: bodies[i], axis, anchor })
      })
      const batch = new WorldBatch(world, { count })
      world.free()
      return { step: () => void batch.step(TIME_STEP), free: () => batch.free() }
    }
  },

  async mujoco() {
    const { default: start } = await import(peerFile('@mujoco/mujoco/mujoco.js').href)
    const MJ = await start()
    return (parts, count) => {
      const model = MJ.MjModel.from_xml_string(modelText(parts))
      const worlds = Array.from({ length: count }, () => new MJ.MjData(model))
      return {
        step: () => worlds.forEach((data) => MJ.mj_step(model, data)),
        free: () => [...worlds, model].forEach((one) => one.delete()),
      }
    }
  },

  async rapier() {
    const { default: RAPIER } = await import(
      peerFile('@dimforge/rapier3d-compat/dist/rapier.mjs').href
    )
    await RAPIER.init()
    return (parts, count) => {
      const worlds = Array.from({ length: count }, () => rapierWorld(RAPIER, parts))
      return {
        step: () => worlds.forEach((world) => world.step()),
        free: () => worlds.forEach((world) => world.free()),
      }
    }
  },
}

const words = (/** @type {readonly number[]} */ numbers) => numbers.join(' ')
const minus = (/** @type {Vector} */ a, /** @type {Vector} */ b) =>
  /** @type {Vector} */ (a.map((x, i) => x - b[i]))

/** @param {Part[]} parts */
function modelText(parts) {
  /** @type {(i: number) => string} */
  const body = (i) => {
    const { at, half, parent, joint, axis = [], anchor = at, touches = true } = parts[i]
    const place = parent === undefined ? at : minus(at, parts[parent].at)
    const hung = parts.flatMap((part, k) => (part.parent === i ? [body(k)] : []))
    const held = joint
      ? `<joint type="${joint}" axis="${words(axis)}" pos="${words(minus(anchor, at))}"/>`
      : '<freejoint/>'
    const bits = touches ? '' : ' contype="0" conaffinity="0"'
    const geom = `<geom type="box" size="${words(half)}" density="${DENSITY}"${bits}/>`
    return `<body pos="${words(place)}">${held}${geom}${hung.join('')}</body>`
  }
  const roots = parts.flatMap((part, i) => (part.parent === undefined ? [body(i)] : []))
  return `<mujoco><size memory="256K"/><option timestep="${TIME_STEP}" gravity="0 0 -9.81"/>
    <default><geom friction="0.5 0.005 0.0001"/></default>
    <worldbody><geom type="plane" size="50 50 1"/>${roots.join('')}</worldbody></mujoco>`
}

/**
 * @param {any} RAPIER
 * @param {Part[]} parts
 */
function rapierWorld(RAPIER, parts) {
  const vector = ([x, y, z] = [0, 0, 0]) => ({ x, y, z })
  const world = new RAPIER.World(vector([0, 0, -9.81]))
  world.timestep = TIME_STEP
  world.createCollider(RAPIER.ColliderDesc.cuboid(50, 50, 1).setTranslation(0, 0, -1))
  const fixed = world.createRigidBody(RAPIER.RigidBodyDesc.fixed())
  const bodies = parts.map(({ at, half, touches = true }) => {
    const desc = RAPIER.RigidBodyDesc.dynamic().setTranslation(...at)
    const body = world.createRigidBody(desc.setCanSleep(false))
    const groups = touches ? 0xffffffff : 0
    const collider = RAPIER.ColliderDesc.cuboid(...half).setDensity(DENSITY)
    world.createCollider(collider.setCollisionGroups(groups).setFriction(0.5), body)
    return body
  })
  parts.forEach(({ joint, parent, axis, anchor, at }, i) => {
    if (joint === undefined || anchor === undefined) return
    const [base, from] =
      parent === undefined ? [fixed, [0, 0, 0]] : [bodies[parent], parts[parent].at]
    const make = joint === 'slide' ? 'prismatic' : 'revolute'
    const a = vector(minus(anchor, /** @type {Vector} */ (from)))
    const data = RAPIER.JointData[make](a, vector(minus(anchor, at)), vector(axis))
    world.createImpulseJoint(data, base, bodies[i], true)
  })
  return world
}

// --- measuring ------------------------------------------------------------------------------------

/** @param {readonly number[]} list */
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1]

/**
 * World-steps per second of engines.
 * @param {readonly string[]} names of moreau, mujoco, rapier
 * @param {number} rounds
 * @returns {Promise<string>} a table
 */
export async function measureWorlds(names, rounds) {
  const engines = []
  for (const name of names) engines.push(await ENGINES[name]())
  const rows = []
  for (const [scene, parts] of Object.entries(SCENES)) {
    for (const count of COUNTS) {
      const all = engines.map((make) => make(parts, count))
      for (const worlds of all) for (let i = 0; i < WARM_UP; i++) worlds.step()
      const times = all.map(() => /** @type {number[]} */ ([]))
      const steps = WORLD_STEPS / count
      for (let round = 0; round < rounds; round++) {
        all.forEach((worlds, e) => {
          const start = performance.now()
          for (let i = 0; i < steps; i++) worlds.step()
          times[e].push((performance.now() - start) / (1000 * WORLD_STEPS))
        })
      }
      for (const worlds of all) worlds.free()
      rows.push([
        scene,
        String(count),
        ...times.map((list) => String(Math.round(1 / median(list)))),
      ])
    }
  }
  return formatTable(['scene', 'worlds', ...names.map((name) => `${name} 1/s`)], rows)
}
