// Robots that others made: Atlas from Debian's dart-doc by a second reading of its URDF, the models of libmujoco-samples by MuJoCo
// itself.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import load from '@mujoco/mujoco'
import { World } from 'moreau'
import { exportGLTF, importGLTF, importMJCF, importURDF } from 'moreau/import'
import { framesAt, LINKS, rowsOf } from '../../scenarios/atlas.mjs'
import { fetchSamples, mujocoSample, readObj, sample } from './import-samples.mjs'
import { near, warningsOf, worldZUp } from './import-support.mjs'
import { readLinks, scan, turn } from './urdf-reader.mjs'

/** @import { Body } from 'moreau' */
/** @import { Model } from 'moreau/import' */

const ATLAS = 'usr/share/doc/dart/data/sdf/atlas/atlas_v3.urdf'
const missing = fetchSamples()
const skip = missing ?? false

/** The same numbers between -1 and 1 each time. @param {number} seed */
function numbers(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state / 2 ** 32) * 2 - 1
  }
}

describe('Atlas v3', { skip }, () => {
  const text = () => sample(ATLAS)

  test('masses, inertias and frames are those of a second reading, to 1e-9', async () => {
    const world = await worldZUp()
    const robot = await importURDF(text(), { world })
    const tree = scan(text())
    const random = numbers(3)
    /** @type {Record<string, number>} */
    const angles = {}
    for (const [name, joint] of Object.entries(robot.joints)) {
      if (joint.type !== 'hinge') continue
      const { lower, upper } = /** @type {any} */ (joint.limits)
      angles[name] = (lower + upper) / 2 + 0.4 * (upper - lower) * random()
    }
    assert.equal(Object.keys(angles).length, 27)
    robot.setConfiguration(angles)
    const links = readLinks(tree, angles)
    assert.equal(links.size, 34)
    for (const [name, { r, p, mass, center, inertia }] of links) {
      const link = robot.links[name]
      near([link.mass], [mass], 1e-12, `${name}: mass`)
      const frame = robot.frame(name)
      near(frame.position, p, 1e-9, `${name}: position`)
      near(
        columns(frame.orientation),
        [0, 1, 2].flatMap((i) => turn(r, unit(i))),
        1e-9,
        `${name}: axes`,
      )
      if (mass === 0) continue
      near(link.centerOfMass, center, 1e-12, `${name}: centre`)
      near(link.inertia, inertia, 1e-9, `${name}: inertia`)
      near(link.body.inertia, inertia, 1e-9, `${name}: inertia of the body`)
      near([link.body.mass], [mass], 1e-12, `${name}: mass of the body`)
    }
    near([robot.mass], [[...links.values()].reduce((sum, { mass }) => sum + mass, 0)], 1e-9)
    assert.equal(warningsOf(robot, /mesh/, /no loader/).length > 0, true)
    assert.equal(warningsOf(robot, /safety_controller/).length, 27)
    assert.equal(warningsOf(robot, /joint\[neck_ry\]/, /'head' is no link/).length, 1)
  })

  test('the numbers of the scene atlas-standing are those of the file', async () => {
    const world = await worldZUp()
    const robot = await importURDF(text(), { world })
    const found = LINKS.map(({ name }) => name)
    const others = Object.keys(robot.links).filter((name) => !found.includes(name))
    assert.deepEqual(
      others.filter((name) => !/_camera_/.test(name)),
      [],
    )
    const zero = framesAt({})
    const pelvis = robot.frame('pelvis').position
    for (const { name, joint, mass, center, inertia, limits, effort } of LINKS) {
      const link = robot.links[name]
      near([link.mass], [mass], 1e-12, `${name}: mass`)
      near(link.centerOfMass, center, 1e-12, `${name}: centre`)
      near(link.inertia, rowsOf(inertia), 1e-12, `${name}: inertia`)
      const place = robot.frame(name).position.map((value, i) => value - pelvis[i])
      near(place, zero[name].position, 1e-12, `${name}: place`)
      if (joint === '') continue
      const { lower = NaN, upper = NaN } = /** @type {any} */ (robot.joints[joint].limits)
      // On the right an axis may be that of the file, or its opposite.
      const isTurned = Math.abs(lower - limits[0]) > 1e-9
      near(isTurned ? [-upper, -lower] : [lower, upper], limits, 1e-9, `${joint}: limits`)
      near([robot.jointData[joint].maxForce ?? NaN], [effort], 1e-9, `${joint}: effort`)
    }
  })

  test('its joints hold while it hangs by its pelvis and moves', async () => {
    const world = await worldZUp()
    const robot = await importURDF(text(), { world, fixedBase: true })
    for (let step = 0; step < 200; step++) world.step(0.005)
    const worst = Math.max(...world.joints.map(({ error }) => error))
    assert.ok(worst < 1e-3, `${worst}`)
    assert.ok(robot.bodies.l_hand.linearVelocity.every(Number.isFinite))
  })
})

/** @param {number} i */
const unit = (i) => [0, 1, 2].map((k) => Number(k === i))

/** @param {readonly number[]} q @returns {number[]} the columns of its matrix */
function columns([x, y, z, w]) {
  return [
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ]
}

// --- MuJoCo ---------------------------------------------------------------------------------------

/** A body of MuJoCo by its number: names may be missing. @typedef {{ model: any, data: any }} Peer */

/**
 * @param {any} mujoco
 * @param {string} text
 * @param {Record<string, string>} [files] that it names
 * @returns {Peer}
 */
function openPeer(mujoco, text, files = {}) {
  for (const [name, content] of Object.entries(files)) mujoco.FS.writeFile(`/${name}`, content)
  mujoco.FS.writeFile('/model.xml', text)
  const model = mujoco.MjModel.from_xml_path('/model.xml')
  const { mjDSBL_CONTACT, mjDSBL_LIMIT, mjDSBL_ACTUATION } = mujoco.mjtDisableBit
  const off = [mjDSBL_CONTACT, mjDSBL_LIMIT, mjDSBL_ACTUATION]
  model.opt.disableflags = off.reduce((bits, { value }) => bits | value, 0)
  return { model, data: new mujoco.MjData(model) }
}

/**
 * The names that the importer gives links and joints, in the order of MuJoCo's numbers: both go through the file by depth.
 * @param {Model} robot
 */
const linksOf = (robot) => Object.values(robot.links)

/**
 * Masses, centres and inertia of all bodies are those of MuJoCo.
 * @param {Model} robot
 * @param {Peer} peer
 * @param {number} [tolerance]
 */
function compareMasses(robot, { model }, tolerance = 1e-9) {
  const links = Object.entries(robot.links)
  assert.equal(links.length, model.nbody)
  links.forEach(([name, { mass, centerOfMass, inertia }], i) => {
    // What does not move has no mass that matters.
    if (i === 0) return
    const total = model.body_mass[i]
    near([mass], [total], tolerance, `${name}: mass`)
    if (total === 0) return
    near(centerOfMass, model.body_ipos.slice(3 * i, 3 * i + 3), tolerance, `${name}: centre`)
    const [w, x, y, z] = model.body_iquat.slice(4 * i, 4 * i + 4)
    const c = columns([x, y, z, w])
    const moments = model.body_inertia.slice(3 * i, 3 * i + 3)
    const expected = Array.from({ length: 9 }, (_, at) =>
      [0, 1, 2].reduce(
        (sum, k) => sum + moments[k] * c[3 * k + (at % 3)] * c[3 * k + Math.floor(at / 3)],
        0,
      ),
    )
    near(inertia, expected, tolerance, `${name}: inertia`)
  })
}

/**
 * Brings both to the same configuration and velocities, within the limits.
 * @param {Model} robot
 * @param {Peer} peer
 * @param {any} mujoco
 * @param {number} speed
 * @returns {string[]} names of the joints, by MuJoCo's numbers; '' of free ones
 */
function configure(robot, { model, data }, mujoco, speed) {
  const next = numbers(7)
  const joints = Object.keys(robot.jointData)
  /** @type {Record<string, number>} */
  const coordinates = {}
  /** @type {Record<string, number>} */
  const rates = {}
  const names = Array.from({ length: model.njnt }, (_, j) => {
    const [q, v] = [model.jnt_qposadr[j], model.jnt_dofadr[j]]
    if (model.jnt_type[j] === 0) {
      float(linksOf(robot)[model.jnt_bodyid[j]].body, data, q, v, speed, next)
      return ''
    }
    const name = /** @type {string} */ (joints.shift())
    const [lower, upper] = model.jnt_range.slice(2 * j, 2 * j + 2)
    data.qpos[q] = coordinates[name] =
      lower < upper ? (lower + upper) / 2 + 0.25 * (upper - lower) * next() : next()
    data.qvel[v] = rates[name] = speed * next()
    return name
  })
  robot.setConfiguration(coordinates, rates)
  mujoco.mj_forward(model, data)
  return names
}

/**
 * A pose and velocities of a body that floats: MuJoCo has the velocity of its origin, and turns in its own axes.
 * @param {Body} body
 * @param {any} data
 * @param {number} q
 * @param {number} v
 * @param {number} speed
 * @param {() => number} next
 */
function float(body, data, q, v, speed, next) {
  const raw = [next(), next(), next(), next()]
  const size = Math.hypot(...raw)
  const [x, y, z, w] = raw.map((part) => part / size)
  const position = [next(), next(), 2 + next()]
  data.qpos.set([...position, w, x, y, z], q)
  const [linear, angular] = [0, 1].map(() => [speed * next(), speed * next(), speed * next()])
  data.qvel.set([...linear, ...angular], v)
  body.position = position
  body.orientation = [x, y, z, w]
  const c = columns([x, y, z, w])
  const inWorld = [0, 1, 2].map((i) => angular.reduce((sum, a, k) => sum + a * c[3 * k + i], 0))
  const [rx, ry, rz] = body.worldCenterOfMass.map((at, i) => at - position[i])
  const [wx, wy, wz] = inWorld
  body.angularVelocity = inWorld
  body.linearVelocity = [
    linear[0] + wy * rz - wz * ry,
    linear[1] + wz * rx - wx * rz,
    linear[2] + wx * ry - wy * rx,
  ]
}

/**
 * Accelerations of joints without contacts. A step from exact velocities does not yet have what the turning of joints brings, the one
 * after it does; the error that is left is of first order, and is taken out by a step of twice the length.
 * @param {World} world
 * @param {Model} robot
 * @param {string[]} names
 * @returns {number[]}
 */
function accelerations(world, robot, names) {
  const start = world.bodies.map((body) => {
    const { position, orientation, linearVelocity, angularVelocity } = body
    return { position, orientation, linearVelocity, angularVelocity }
  })
  const measure = (/** @type {number} */ dt) => {
    world.bodies.forEach((body, i) => {
      if (body.type !== 'static') Object.assign(body, start[i])
    })
    world.step(dt)
    const before = names.map((name) => robot.joints[name].speed)
    world.step(dt)
    return names.map((name, i) => (robot.joints[name].speed - before[i]) / dt)
  }
  const [one, two] = [measure(STEP), measure(2 * STEP)]
  return one.map((a, i) => 2 * a - two[i])
}

/** s: errors of second order are below 1e-7 of the accelerations, rounding too. */
const STEP = 1e-6

describe('models of MuJoCo', { skip }, async () => {
  const mujoco = /** @type {any} */ (missing === undefined ? await load() : undefined)
  const body = { filter: { mask: 0 } }

  /**
   * @param {string} path
   * @param {(text: string) => string} [change] for MuJoCo
   * @param {Record<string, string>} [files] that it names
   * @param {boolean} [armature]
   */
  async function both(path, change = (text) => text, files = {}, armature = true) {
    const text = mujocoSample(path)
    const world = await World.create({ gravity: [0, 0, -9.81], solver: 'exact', allowSleep: false })
    const loader = (/** @type {string} */ uri) =>
      uri.endsWith('.obj') ? readObj(files[uri]) : files[uri]
    const robot = await importMJCF(text, { world, loader, body, armature })
    return { world, robot, peer: openPeer(mujoco, change(text), files) }
  }

  for (const path of [
    'humanoid/humanoid.xml',
    'slider_crank/slider_crank.xml',
    'tendon_arm/arm26.xml',
  ]) {
    test(`${path}: masses, inertias and frames to 1e-9, accelerations to 1e-6 of the largest`, async () => {
      const { world, robot, peer } = await both(path)
      compareMasses(robot, peer)
      for (const speed of [0, 1]) {
        const names = configure(robot, peer, mujoco, speed)
        const { model, data } = peer
        linksOf(robot).forEach((_, i) => {
          const { position, orientation } = robot.frame(Object.keys(robot.links)[i])
          near(position, data.xpos.slice(3 * i, 3 * i + 3), 1e-9, `position of ${i}`)
          const rows = data.xmat.slice(9 * i, 9 * i + 9)
          near(
            columns(orientation),
            [0, 1, 2].flatMap((k) => [rows[k], rows[3 + k], rows[6 + k]]),
            1e-9,
            `axes of ${i}`,
          )
        })
        const driven = names.filter((name) => name !== '')
        const got = accelerations(world, robot, driven)
        const expected = names.flatMap((name, j) =>
          name === '' ? [] : [data.qacc[model.jnt_dofadr[j]]],
        )
        const most = Math.max(1, ...expected.map(Math.abs))
        near(got, expected, 1e-6 * most, `accelerations at speed ${speed}`)
      }
    })
  }

  test('humanoid: as glTF and back it falls as it does', async () => {
    const { world } = await both('humanoid/humanoid.xml', undefined, {}, false)
    const { gltf, warnings } = exportGLTF(world)
    assert.deepEqual(warnings, [])
    const read = await World.create()
    await importGLTF(JSON.stringify(gltf), { world: read, settings: true })
    for (let step = 0; step < 100; step++) {
      world.step(0.005)
      read.step(0.005)
    }
    assert.equal(read.joints.length, world.joints.length)
    world.bodies.forEach((one, i) => near(read.bodies[i].position, one.position, 1e-9, `body ${i}`))
  })

  test('humanoid100: the humanoid and a hundred bodies, by two files', async () => {
    const files = { 'humanoid_body.xml': mujocoSample('humanoid100/humanoid_body.xml') }
    // What MuJoCo 3 no longer reads says how much memory there is.
    const { robot, peer } = await both(
      'humanoid100/humanoid100.xml',
      (text) => text.replace(/<size [^>]*>/, ''),
      files,
    )
    compareMasses(robot, peer)
    configure(robot, peer, mujoco, 0)
    Object.keys(robot.links).forEach((name, i) => {
      near(robot.frame(name).position, peer.data.xpos.slice(3 * i, 3 * i + 3), 1e-9, name)
    })
    assert.ok(warningsOf(robot, /geom/, /ellipsoid/).length > 10)
  })

  test('mug: a mesh that only weighs, boxes that collide, a handle that is part of it', async () => {
    const files = { 'mug.obj': mujocoSample('mug/mug.obj') }
    // MuJoCo's own rule for meshes sums the sizes of tetrahedra, whichever way their fronts look.
    const change = (/** @type {string} */ text) =>
      text
        .replace('<mesh ', '<mesh inertia="exact" ')
        .replace(/<texture [^>]*>/, '')
        .replace(/texture="mug"/, '')
    const { robot, peer, world } = await both('mug/mug.xml', change, files)
    // MuJoCo keeps vertices in single precision.
    compareMasses(robot, peer, 1e-7)
    assert.equal(robot.bodies.handle, robot.bodies.mug)
    assert.equal(robot.bodies.mug.shapes.length, 21 + 13)
    const total = peer.model.body_mass.reduce(
      (/** @type {number} */ sum, /** @type {number} */ mass) => sum + mass,
      0,
    )
    near([robot.bodies.mug.mass], [total], 1e-7)
    assert.equal(world.joints.length, 0)
  })
})
