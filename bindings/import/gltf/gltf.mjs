// glTF 2.0 with KHR_implicit_shapes and KHR_physics_rigid_bodies into a world.

import { readBoolean } from '../../core/arguments.mjs'
import { MoreauError } from '../../core/errors.mjs'
import { classFilters, MOST_CLASSES } from '../filters.mjs'
import { setOwn, unusedName } from '../names.mjs'
import { readOptions } from '../options.mjs'
import { compose } from '../rigid.mjs'
import { transact } from '../transaction.mjs'
import { at } from '../xml/place.mjs'
import { Warnings } from '../xml/reader.mjs'
import { planBody } from './bodies.mjs'
import { applySettings, ExtraAssets, makeExtraJoints } from './extras.mjs'
import { Accessors, readFile } from './file.mjs'
import { makeJoint } from './joints.mjs'
import { placeNodes, within } from './nodes.mjs'
import { copyOf } from './schema.mjs'

/** @import { Body, Joint } from '../../index.mjs' */
/** @import { Filter } from '../../types/index.mjs' */
/** @import { ImportOptions } from '../options.mjs' */
/** @import { ImportWarning } from '../xml/reader.mjs' */
/** @import { Loading } from '../meshes.mjs' */
/** @import { BodyPlan } from './bodies.mjs' */
/** @import { Place } from './nodes.mjs' */
/** @import { Gltf, GltfFilter, GltfPhysics, GltfShape } from './types.mjs' */

/**
 * What was read of a scene.
 * @typedef {object} ImportedScene
 * @property {Record<string, Body>} bodies by the names of their nodes; a name that is there already is followed by `#` and the number
 *   of the node, and one without a name is `node` and that
 * @property {Record<string, Joint>} joints likewise; those of a file of ours that the extension has no words for are `joint` and a
 *   number
 * @property {(Body | null)[]} nodes the body of each node, by number; null: none
 * @property {readonly ImportWarning[]} warnings
 */

/**
 * @typedef {object} GltfOnly
 * @property {boolean} [settings] whether the world takes over the settings that a file of ours has, gravity and solver among them;
 *   default false
 */
/** @typedef {ImportOptions & GltfOnly} GltfOptions */

/**
 * What holds for the whole file.
 * @typedef {object} SceneContext
 * @property {Gltf} json
 * @property {GltfPhysics} physics
 * @property {GltfShape[]} shapes
 * @property {(Filter | undefined)[]} filters
 * @property {Map<number, Place>} places
 * @property {(index: number) => Map<number, Place>} apart the places of a node outside of the scene and of those below it
 * @property {Accessors} accessors
 * @property {ExtraAssets} assets
 * @property {string} where the call
 * @property {Warnings} warnings
 */

/**
 * Makes bodies and joints of the physics in a glTF file: what moves of each node with `motion` and what is below it, static bodies of
 * other colliders. Meshes may be named as `geometry.node` or as `geometry.mesh`.
 *
 * @param {object | string | Uint8Array | ArrayBuffer} file the JSON, as an object or a text, or the bytes of a .gltf or .glb
 * @param {GltfOptions} options `loader` gives the bytes of buffers
 * @returns {Promise<ImportedScene>}
 * @throws {MoreauError} `invalid-argument`: it is no glTF, or holds what no body can have; `not-supported`: another version. The
 *   message names the place, and the world is as it was
 *
 * @example
 * const { bodies } = await importGLTF(await (await fetch('toys.glb')).arrayBuffer(), { world })
 */
export async function importGLTF(file, options) {
  const where = 'importGLTF'
  const { world, loader, base, body, own } = readOptions(options, ['settings'], where)
  const takesSettings = readBoolean(own.settings ?? false, `${where}: settings`)
  const { json, binary } = readFile(file, where)
  const warnings = new Warnings()
  const gltf = named(where, () => copyOf(json, warnings))
  const context = contextOf(gltf, binary, { loader, where, warnings })
  warnOfOthers(context)
  const plans = await planBodies(context, base, body)
  return transact(world, () => {
    /** @type {Map<Place, Body>} by the node that moves it, or of the collider that does not */
    const bodies = new Map()
    for (const { root, definition } of plans) {
      bodies.set(
        root,
        at(where, root, () => world.createBody(definition)),
      )
    }
    applySettings(gltf, world, takesSettings, warnings, where)
    const scene = makeJoints(context, world, base, bodies)
    for (const { root, isAsleep } of plans) if (isAsleep) bodies.get(root)?.sleep()
    return { ...scene, warnings: warnings.list }
  })
}

/**
 * Has what a reader throws begin with the call.
 * @template Result
 * @param {string} where
 * @param {() => Result} read
 * @returns {Result}
 */
function named(where, read) {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof MoreauError)) throw error
    throw new MoreauError(error.code, `${where}: ${error.message}`, { cause: error })
  }
}

/**
 * @param {Gltf} json
 * @param {Uint8Array | undefined} binary
 * @param {Loading} loading
 * @returns {SceneContext}
 */
function contextOf(json, binary, loading) {
  const { where, warnings } = loading
  const physics = json.extensions?.KHR_physics_rigid_bodies ?? {}
  /** @type {Map<number, Map<number, Place>>} */
  const beside = new Map()
  return {
    ...{ json, physics, warnings, where },
    shapes: json.extensions?.KHR_implicit_shapes?.shapes ?? [],
    filters: readFilters(physics.collisionFilters ?? [], warnings),
    places: placeNodes(json, warnings),
    apart(index) {
      const scene = { ...json, scene: 0, scenes: [{ nodes: [index] }] }
      const places = beside.get(index) ?? placeNodes(scene, new Warnings())
      beside.set(index, places)
      return places
    },
    accessors: new Accessors(json, binary, loading),
    assets: named(where, () => new ExtraAssets(json.extras?.moreau?.assets)),
  }
}

/** What a file may require, since it is read here. */
const READ = ['KHR_implicit_shapes', 'KHR_physics_rigid_bodies']

/** @param {SceneContext} context */
function warnOfOthers({ json, places, warnings }) {
  ;(json.extensionsRequired ?? []).forEach((name, i) => {
    if (READ.includes(name)) return
    warnings.add(
      `extensionsRequired/${i}`,
      `${name} is not read, and without it the file may be wrong`,
    )
  })
  for (let i = 0; i < (json.scenes ?? []).length; i++) {
    if (i !== (json.scene ?? 0)) warnings.add(`scenes/${i}`, 'another scene is taken')
  }
  if ((json.animations ?? []).length > 0) {
    warnings.add('animations', 'animations move no bodies: not taken over')
  }
  for (const { node, path } of places.values()) {
    const geometry = node.extensions?.KHR_physics_rigid_bodies?.collider?.geometry
    if (node.skin === undefined || geometry === undefined) continue
    warnings.add(`${path}/skin`, 'the skin does not bend the collider')
  }
}

// --- filters --------------------------------------------------------------------------------------

/**
 * @param {GltfFilter[]} filters
 * @param {Warnings} warnings
 * @returns {(Filter | undefined)[]}
 */
function readFilters(filters, warnings) {
  const own = filters.map(({ extras }) => extras?.moreau)
  if (own.every((filter) => filter !== undefined)) return own
  if (own.some((filter) => filter !== undefined)) {
    const path = 'extensions/KHR_physics_rigid_bodies/collisionFilters'
    warnings.add(path, 'some have no extras of ours: those of the others are not taken over')
  }
  if (filters.length >= MOST_CLASSES) {
    const message = `${filters.length} filters, at most ${MOST_CLASSES - 1} can be told apart: all collide`
    warnings.add('extensions/KHR_physics_rigid_bodies/collisionFilters', message)
    return filters.map(() => undefined)
  }
  // The first class is of what has no filter.
  const classes = [{}, ...filters]
  const collide = (/** @type {number} */ a, /** @type {number} */ b) =>
    accepts(classes[a], classes[b]) && accepts(classes[b], classes[a])
  return classFilters(classes.length, collide).slice(1)
}

/**
 * Whether a filter lets what has another one through: all systems of that are listed, and it has some, or not all are excluded.
 * @param {GltfFilter} filter
 * @param {GltfFilter} other
 */
function accepts({ collideWithSystems, notCollideWithSystems }, { collisionSystems = [] }) {
  if (collideWithSystems !== undefined) {
    const isListed = collisionSystems.every((system) => collideWithSystems.includes(system))
    return isListed && collisionSystems.length > 0
  }
  if (notCollideWithSystems === undefined || collisionSystems.length === 0) return true
  return !collisionSystems.every((system) => notCollideWithSystems.includes(system))
}

// --- bodies ---------------------------------------------------------------------------------------

/**
 * @param {SceneContext} context
 * @param {import('../rigid.mjs').Frame} base
 * @param {Partial<import('../../index.mjs').BodyDefinition>} common
 * @returns {Promise<BodyPlan[]>}
 */
async function planBodies(context, base, common) {
  /** @type {Map<Place, Place[]>} */
  const parts = new Map()
  for (const place of context.places.values()) {
    const physics = place.node.extensions?.KHR_physics_rigid_bodies
    const isCollider = physics?.collider !== undefined || physics?.trigger !== undefined
    if (place.mover === null && !isCollider) continue
    const root = place.mover ?? place
    const colliders = parts.get(root) ?? []
    if (isCollider) colliders.push(place)
    parts.set(root, colliders)
  }
  const plans = []
  for (const [root, colliders] of parts) {
    plans.push(await planOf(root, colliders, { context, base, common }))
  }
  return plans
}

/**
 * @param {Place} root
 * @param {Place[]} colliders
 * @param {Parameters<typeof planBody>[2]} how
 */
async function planOf(root, colliders, how) {
  try {
    return await planBody(root, colliders, how)
  } catch (error) {
    // What a reader of extras says names the place alone.
    if (!(error instanceof MoreauError) || error.message.startsWith('importGLTF: ')) throw error
    throw new MoreauError(error.code, `importGLTF: ${error.message}`, { cause: error })
  }
}

// --- joints ---------------------------------------------------------------------------------------

/**
 * @param {SceneContext} context
 * @param {import('../../index.mjs').World} world
 * @param {import('../rigid.mjs').Frame} base
 * @param {Map<Place, Body>} bodies
 * @returns {Omit<ImportedScene, 'warnings'>}
 */
function makeJoints(context, world, base, bodies) {
  const { json, places } = context
  /** @type {ImportedScene} */
  const scene = { bodies: {}, joints: {}, nodes: [], warnings: [] }
  scene.nodes = (json.nodes ?? []).map((_, i) => {
    const place = places.get(i)
    if (place === undefined) return null
    return bodies.get(place.mover ?? place) ?? null
  })
  for (const [place, body] of bodies) setOwn(scene.bodies, nameIn(scene.bodies, place), body)
  for (const place of places.values()) {
    const joint = makeNodeJoint(place, context, world, base, bodies)
    if (joint !== null) setOwn(scene.joints, nameIn(scene.joints, place), joint)
  }
  const { where } = context
  makeExtraJoints(json.extras?.moreau?.joints ?? [], { world, base, scene, where })
  return scene
}

/**
 * @param {Record<string, unknown>} taken
 * @param {Place} place
 */
function nameIn(taken, { node, index }) {
  const name = node.name ?? `node${index}`
  const has = (/** @type {string} */ one) => Object.hasOwn(taken, one)
  return unusedName(has(name) ? `${name}#${index}` : name, { has })
}

/**
 * @param {Place} place
 * @param {SceneContext} context
 * @param {import('../../index.mjs').World} world
 * @param {import('../rigid.mjs').Frame} base
 * @param {Map<Place, Body>} bodies
 * @returns {Joint | null}
 */
function makeNodeJoint(place, { physics, places, warnings, where }, world, base, bodies) {
  const written = place.node.extensions?.KHR_physics_rigid_bodies?.joint
  if (written === undefined || place.node.extras?.moreau?.jointIsInExtras) return null
  const path = `${place.path}/joint`
  const joint = physics.physicsJoints?.[written.joint ?? -1]
  const other = places.get(written.connectedNode ?? -1)
  const sideOf = (/** @type {Place} */ side) => {
    const { mover } = side
    const body = mover === null ? null : (bodies.get(mover) ?? null)
    if (body === null || mover === null) return { body: null, frame: compose(base, side.frame) }
    return { body, frame: within(side, mover.frame) }
  }
  if (joint === undefined || other === undefined) {
    const [what, number] =
      joint === undefined ? ['joint', written.joint] : ['node of the scene', written.connectedNode]
    const why = number === undefined ? `it names no ${what}` : `there is no ${what} ${number}`
    warnings.add(path, `${why}: left out`)
    return null
  }
  const [a, b] = [sideOf(place), sideOf(other)]
  if (a.body === b.body) {
    warnings.add(path, 'both of its ends are on one body, or none moves: left out')
    return null
  }
  const sides = { bodyA: a.body, bodyB: b.body, frameA: a.frame, frameB: b.frame }
  return at(where, { path }, () =>
    makeJoint(
      world,
      joint,
      { ...sides, collideConnected: written.enableCollision ?? false },
      path,
      warnings,
    ),
  )
}
