/**
 * The table of physics (`npm run bench -- --physics`): that its judge judges, that its theory is right, and that its scenes see what
 * they are about. Which rows Moreau meets is not looked at here. The other engines are not needed.
 */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { init, World } from 'moreau'
import { length, subtract } from '../../scenarios/vector.mjs'
import { failureOf, runInChild } from '../../bench/comparison/in-child.mjs'
import { POSE } from '../../bench/engines/engine.mjs'
import { load } from '../../bench/engines/moreau.mjs'
import { Energies, inertiaOf, volumeOf } from '../../bench/physics/energy.mjs'
import { orbit, spring } from '../../bench/physics/forces.mjs'
import { rowNames, rowOf, rows } from '../../bench/physics/index.mjs'
import { truck } from '../../bench/physics/kinematics.mjs'
import { randomEnergy } from '../../bench/physics/random-energy.mjs'
import { physicsMarkdown, reportPhysics } from '../../bench/physics/report.mjs'
import { measurePhysics } from '../../bench/physics/run.mjs'
import { Experiment, Scene } from '../../bench/physics/scene.mjs'
import { polygon, slidingDistance } from '../../bench/physics/sliding.mjs'
import { tower, wedge } from '../../bench/physics/stacks.mjs'
import { near } from './support.mjs'

/** @typedef {import('../../bench/engines/engine.mjs').Engine} Engine */
/** @typedef {import('../../bench/engines/engine.mjs').Simulation} Simulation */
/** @typedef {import('../../bench/engines/engine.mjs').Controls} Controls */
/** @typedef {import('../../bench/scenes/description.mjs').BasicShape} ShapeDescription */

/** @type {Engine} */
let engine

before(async () => {
  await init()
  engine = await load()
})

/**
 * Moreau with other options than its defaults.
 *
 * @param {Record<string, unknown>} world
 * @returns {Engine}
 */
const engineWith = (world) => ({
  ...engine,
  create: (description, options) =>
    engine.create(description, { ...options, world: { ...world, ...options.world } }),
})

/**
 * What is fixed far away, so that nothing rests on it.
 *
 * @type {(body: import('../../bench/scenes/description.mjs').BodyDescription) => typeof body}
 */
const sink = (body) => (body.fixed ? { ...body, position: [0, -1e3, 0] } : body)

describe('what theory says', () => {
  it('a puck that spins slides 0.704 m, and without spin 0.408 m', () => {
    const puck = {
      points: polygon(4, Math.SQRT1_2),
      gyrationSquared: 1 / 6,
      speed: 2,
      friction: 0.5,
    }
    near(slidingDistance({ ...puck, spin: 6 }), 0.7042, 2e-4, 'with spin')
    near(slidingDistance({ ...puck, spin: 0 }), 2 ** 2 / (2 * 0.5 * 9.81), 2e-4, 'without')
  })

  it('a disc on its rim slides 1.163 m', () => {
    const disc = { points: polygon(60, 0.5), gyrationSquared: 0.125, speed: 3, friction: 0.5 }
    near(slidingDistance({ ...disc, spin: 6 }), 1.163, 2e-3, 'way')
  })
})

describe('the judge of energy', () => {
  /** @type {ShapeDescription[]} */
  const shapes = [
    { type: 'sphere', radius: 0.3 },
    { type: 'box', halfExtents: [0.1, 0.2, 0.4] },
    { type: 'capsule', radius: 0.2, halfHeight: 0.3 },
    {
      type: 'hull',
      points: [
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ].map(([x, y, z]) => [x - 0.25, y - 0.25, z - 0.25]),
    },
  ]
  for (const shape of shapes) {
    it(`knows volume and inertia of a ${shape.type}`, async () => {
      const world = await World.create()
      const body = world.createBody({ shape, density: 1000 })
      near(volumeOf(shape), body.mass / 1000, 1e-12, 'volume')
      const ours = inertiaOf(shape, body.mass).flat()
      for (const [i, each] of body.inertia.entries())
        near(ours[i], each, 1e-9 * body.mass, `I ${i}`)
      world.free()
    })
  }

  it('finds the energy that the engine finds, springs and fixed masses included', async () => {
    const scene = new Scene()
    const brick = scene.box([0.1, 0.2, 0.4], [1, 2, 3], {
      mass: 3,
      orientation: [0.5, 0.5, -0.5, 0.5],
      linearVelocity: [1, 2, -1],
      angularVelocity: [3, -1, 2],
    })
    const pull = { stiffness: 7, anchorB: [0, 0, 0] }
    scene.attract({ type: 'spring', body: brick, ...pull })
    scene.attract({ type: 'pointGravity', body: brick, mu: 5 })
    const { position, orientation, linearVelocity, angularVelocity, mass } =
      scene.description.bodies[brick]
    const world = await World.create()
    const body = world.createBody({
      shape: scene.description.shapes[0],
      position,
      orientation,
      linearVelocity,
      angularVelocity,
      mass,
    })
    world.createPotential({ type: 'spring', bodyA: body, stiffness: 7, anchorB: [0, 0, 0] })
    world.createPotential({ type: 'pointGravity', bodies: body, mu: 5 })
    const experiment = await Experiment.start(engine, scene)
    const energies = await Energies.of(experiment)
    const theirs = world.energy()
    near(energies.now().kinetic, theirs.kinetic, 1e-9, 'kinetic')
    near(energies.now().total, theirs.total, 1e-9, 'total')
    const momentum = energies.angularMomentum(brick)
    near(length(subtract(momentum, body.angularMomentum)), 0, 1e-9, 'angular momentum')
    experiment.free()
    world.free()
  })

  it('finds nothing to blame in exact steps', async () => {
    const { value, note } = await randomEnergy(engineWith({ solver: 'exact' }), {
      scenes: 6,
      seconds: 1,
    })
    assert.equal(value, 0, note)
  })

  it('blames an engine that lets everything get a little faster', async () => {
    /** @type {Engine['create']} */
    const create = async (description, options) => {
      const simulation = /** @type {Simulation & Controls} */ (
        await engine.create(description, options)
      )
      const readState = simulation.readState.bind(simulation)
      const step = simulation.step.bind(simulation)
      let factor = 1
      return Object.assign(simulation, {
        step(/** @type {number | undefined} */ dt) {
          step(dt)
          factor *= 1.01
        },
        readState(/** @type {number} */ slot, /** @type {Float64Array} */ out) {
          readState(slot, out)
          for (let i = POSE; i < out.length; i++) out[i] *= factor
        },
      })
    }
    const blamed = await randomEnergy({ ...engine, create }, { scenes: 4, seconds: 1 })
    assert.equal(blamed.value, 4)
  })
})

describe('the scenes of the table', () => {
  it('are named once each', () => {
    assert.equal(new Set(rowNames).size, rows.length)
    assert.equal(rowOf('puck').name, 'puck')
    assert.throws(() => rowOf('pack'), /no row 'pack'; there are spring-1-force, /)
  })

  it('see what an integrator is worth: a Verlet step keeps springs and orbits', async () => {
    const verlet = engineWith({ integrator: 'velocity-verlet' })
    for (const hertz of [1, 2]) {
      const { value } = await spring(verlet, { hertz, by: 'potential' })
      near(value, 1, 0.01, `${hertz} Hz`)
    }
    near((await orbit(verlet, { by: 'potential' })).value, 0, 1e-3, 'energy of an orbit')
  })

  it('see a tower stand and one fall', async () => {
    const low = await tower(engine, { cubes: 3, seconds: 2 })
    assert.equal(low.value, 2)
    const loose = await tower(engineWith({ gravity: [2, -9.81, 0] }), { cubes: 12, seconds: 5 })
    assert.ok(loose.value < 5, `stands ${loose.value} s`)
  })

  it('see a ball that falls through a wedge as lost', async () => {
    /** @type {Engine['create']} */
    const withoutWalls = (description, options) =>
      engine.create({ ...description, bodies: description.bodies.map(sink) }, options)
    const { value, note } = await wedge({ ...engine, create: withoutWalls }, { seconds: 2 })
    assert.ok(Number.isNaN(value), note)
  })

  it('see a truck that is too quick for its load', async () => {
    const { value } = await truck(engine, { acceleration: 6, seconds: 1 })
    near(value, (6 - 0.5 * 9.81) / 2, 0.05, 'slip')
  })
})

describe('the table', () => {
  const findings = [
    { engine: 'moreau', value: 0.404, isMet: false, failure: null, note: 'theory 0.704' },
    { engine: 'rapier', value: null, isMet: null, failure: null, note: null },
    { engine: 'jolt', value: null, isMet: null, failure: 'not supported: no', note: null },
    { engine: 'havok', value: null, isMet: null, failure: 'crashed (exit code 1)', note: null },
  ].map((each) => ({ row: 'puck', version: each.engine === 'moreau' ? '1' : null, ...each }))

  it('has a mark for what fails, and says what an engine cannot do', () => {
    const [head, line, , summary, , notes] = reportPhysics(findings).split('\n')
    assert.match(head, /goal +moreau 1 +rapier +jolt +havok$/)
    assert.match(line, /^square puck .* 0.69 to 0.72 +FAIL +0.404 +lost +- +!$/)
    assert.equal(summary, 'Moreau meets 0 of 1 goals.')
    assert.equal(notes, 'puck: moreau: theory 0.704; havok: crashed (exit code 1)')
  })

  it('is Markdown for the documentation', () => {
    const made = { date: '2026-11-22T10:00:00Z', machine: 'machine', node: 'v20' }
    const lines = physicsMarkdown({ ...made, findings }).split('\n')
    assert.equal(lines[0], '2026-11-22, machine, Node v20. Moreau meets 0 of 1 goals.')
    assert.match(lines[4], /\| 0.69 to 0.72 \| FAIL \| 0.404 \| lost \| - \| ! \|$/)
  })

  it('measures each row in a process of its own', async () => {
    const plan = {
      rows: ['puck', 'truck'],
      engines: ['moreau'],
      quick: true,
      world: { substeps: 8 },
      timeout: 60,
    }
    const found = await measurePhysics(plan, () => undefined)
    assert.deepEqual(
      found.map(({ row, isMet }) => [row, isMet]),
      [
        ['puck', true],
        ['truck', true],
      ],
    )
    // Asked before the other engine is looked for, which may not be installed.
    const [other] = await measurePhysics(
      { ...plan, rows: ['cradle-reflections'], engines: ['rapier'] },
      () => undefined,
    )
    assert.equal(other.failure, 'not supported: an option of Moreau')
  })

  it('says why a process gave nothing', async () => {
    const file = new URL('../../bench/physics/child.mjs', import.meta.url)
    const job = { engine: 'nobody', row: 'puck', quick: true, world: {} }
    const outcome = await runInChild(file, job, 60)
    assert.match(failureOf(/** @type {any} */ (outcome)), /no engine 'nobody'/)
  })
})
