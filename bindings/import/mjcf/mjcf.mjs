// MJCF (MuJoCo's models), as https://mujoco.readthedocs.io/en/stable/XMLreference.html describes it: what maps.

import { MoreauError } from '../../core/errors.mjs'
import { readBoolean } from '../../core/arguments.mjs'
import { describe } from '../../core/describe.mjs'
import { readIndices, readVertices } from '../../definitions/triangles.mjs'
import { build } from '../mechanism/build.mjs'
import { refuseTwins } from '../mechanism/twins.mjs'
import { facing } from '../meshes.mjs'
import { setOwn } from '../names.mjs'
import { readOptions } from '../options.mjs'
import { rotate } from '../rigid.mjs'
import { parseXml } from '../xml/element.mjs'
import { at, refuse } from '../xml/place.mjs'
import { childrenOf, numbersOf, vectorOf, Warnings, wordOf } from '../xml/reader.mjs'
import { readTree } from './bodies.mjs'
import { Defaults } from './defaults.mjs'
import { setFilters } from './filters.mjs'
import { include } from './include.mjs'
import { knownPart } from './known.mjs'
import { readRelations } from './relations.mjs'

/** @import { Model } from '../mechanism/model.mjs' */
/** @import { ImportOptions } from '../options.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context, MeshAsset } from './context.mjs' */

/** rad per degree */
const DEGREE = Math.PI / 180

/**
 * @typedef {object} MjcfOnly
 * @property {boolean} [armature] whether joints get the inertia of their own that the file gives them, by custom constraints, whose
 *   functions run in every step and are no part of files; default false: a warning
 */
/** @typedef {ImportOptions & MjcfOnly} MjcfOptions */

/**
 * Makes bodies and joints of a model in MJCF.
 *
 * A body's frame is that of the file, with the joints at 0, or at their `ref`. Bodies without joints are parts of their parents, and
 * those of the world are one static body `world`. Between several joints of one body are bodies more. Coordinates that the engine
 * counts are 0 where MuJoCo's are `ref`; `setConfiguration` takes MuJoCo's.
 *
 * @param {string} text
 * @param {MjcfOptions} options
 * @returns {Promise<Model>} with `actuators` that a program drives, by `applyForce`
 * @throws {MoreauError} `invalid-argument`: it is no XML, no `<mujoco>`, has two things of a kind and name, or holds what no body can
 *   have; `not-supported`: global coordinates; `callback-failed`: the loader threw. The message names line and place, and the world is
 *   as it was
 *
 * @example
 * const humanoid = await importMJCF(text, { world, loader: (uri) => readFile(uri, 'utf8') })
 */
export async function importMJCF(text, options) {
  const where = 'importMJCF'
  const settings = readOptions(options, ['armature'], where)
  const hasArmature = readBoolean(settings.own.armature ?? false, `${where}: armature`)
  const warnings = new Warnings()
  const { loader } = settings
  const written = await include(parseXml(text, where), { loader, where, warnings })
  if (written.name !== 'mujoco') {
    throw new MoreauError(
      'invalid-argument',
      `${where}: text is no MJCF: its root is <${written.name}>`,
    )
  }
  const root = knownPart(written, warnings)
  const context = contextOf(root, loader, hasArmature, warnings, where)
  warnOfGravity(root, settings, warnings)
  const worlds = childrenOf(root, 'worldbody')
  const body = { ...(worlds[0] ?? root), children: worlds.flatMap(({ children }) => children) }
  refuseAllTwins(root, where)
  const tree = await readTree(body, context)
  setFilters(tree, settings.body.filter, warnings)
  const { actuators, ...relations } = readRelations(root, tree, context)
  const { links, frames } = tree
  const mechanism = { name: root.attributes.model ?? '', links, frames, ...relations }
  const model = build(mechanism, settings, warnings, where)
  for (const { name, place, actuator } of actuators) {
    if (Object.hasOwn(model.jointData, actuator.joint)) setOwn(model.actuators, name, actuator)
    else warnings.add(place, `joint ${describe(actuator.joint)} cannot move here: left out`)
  }
  return model
}

/** What has names of its own, by kind. @type {readonly (readonly [kind: string, within: readonly string[], elements: readonly string[]])[]} */
const NAMED = [
  ['body', ['worldbody'], ['body']],
  ['joint', ['worldbody'], ['joint', 'freejoint']],
  ['geom', ['worldbody'], ['geom']],
  ['site', ['worldbody'], ['site']],
  ['mesh', ['asset'], ['mesh']],
  ['equality', ['equality'], ['connect', 'weld', 'joint']],
  ['exclude', ['contact'], ['exclude']],
  ['actuator', ['actuator'], ['motor', 'position', 'velocity']],
]

/**
 * Throws where two things of a kind have one name, as MuJoCo does.
 * @param {Element} root
 * @param {string} where
 */
function refuseAllTwins(root, where) {
  for (const [kind, within, names] of NAMED) {
    const open = root.children.filter(({ name }) => within.includes(name))
    const found = []
    for (const element of open) {
      for (const child of element.children) {
        if (names.includes(child.name)) found.push(child)
        open.push(child)
      }
    }
    refuseTwins(found, kind, where)
  }
}

/**
 * @param {Element} root
 * @param {ImportOptions['loader']} loader
 * @param {boolean} hasArmature
 * @param {Warnings} warnings
 * @param {string} where
 * @returns {Context}
 */
function contextOf(root, loader, hasArmature, warnings, where) {
  const compiler = merged(root, 'compiler')
  const { attributes } = compiler
  if (attributes.coordinate !== undefined && attributes.coordinate !== 'local') {
    const message = `coordinate=${describe(attributes.coordinate)}: only local ones are read`
    const place = { ...compiler, path: `${compiler.path}/@coordinate` }
    throw refuse(where, place, message, 'not-supported')
  }
  const groups = numbersOf(compiler, 'inertiagrouprange', [2, 2], warnings)
  const defaults = new Defaults(childrenOf(root, 'default'), warnings, where)
  const directory = attributes.meshdir ?? attributes.assetdir ?? ''
  const isRadian = wordOf(compiler, 'angle', ['degree', 'radian'], warnings) === 'radian'
  return {
    units: { angle: isRadian ? 1 : DEGREE, eulerSequence: eulerSequenceOf(compiler, where) },
    ...{ defaults, loader, warnings, where, hasArmature },
    meshes: meshesOf(root, defaults, directory, warnings, where),
    inertiaFromGeom: wordOf(compiler, 'inertiafromgeom', ['auto', 'true', 'false'], warnings),
    autoLimits: wordOf(compiler, 'autolimits', ['true', 'false'], warnings) === 'true',
    inertiaGroups: groups === undefined ? [-Infinity, Infinity] : [groups[0], groups[1]],
  }
}

/**
 * An element that may occur several times: what comes later holds.
 * @param {Element} root
 * @param {string} name
 * @returns {Element}
 */
function merged(root, name) {
  const elements = childrenOf(root, name)
  const attributes = elements.reduce(
    (all, one) => Object.assign(all, one.attributes),
    Object.create(null),
  )
  return { ...(elements.at(-1) ?? { ...root, name, path: `${root.path}/${name}` }), attributes }
}

/**
 * @param {Element} compiler
 * @param {string} where
 */
function eulerSequenceOf(compiler, where) {
  const { eulerseq = 'xyz' } = compiler.attributes
  if (/^[xyz]{3}$/i.test(eulerseq)) return eulerseq
  throw refuse(where, compiler, `eulerseq must be three of xyzXYZ, got ${describe(eulerseq)}`)
}

/**
 * @param {Element} root
 * @param {Defaults} defaults
 * @param {string} directory
 * @param {Warnings} warnings
 * @param {string} where
 * @returns {Map<string, MeshAsset>}
 */
function meshesOf(root, defaults, directory, warnings, where) {
  const elements = childrenOf(root, 'asset').flatMap((asset) => childrenOf(asset, 'mesh'))
  /** @type {Map<string, MeshAsset>} */
  const meshes = new Map()
  for (const element of elements) {
    const mesh = defaults.apply(element, undefined)
    const { file = '' } = mesh.attributes
    const { name = file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '') } = mesh.attributes
    if (meshes.has(name)) {
      throw refuse(where, element, `a mesh named ${describe(name)} is there already`)
    }
    const scale = vectorOf(mesh, 'scale', [1, 1, 1], warnings)
    const path = directory === '' ? file : `${directory.replace(/\/$/, '')}/${file}`
    const inline = inlineMesh(mesh, scale, warnings, where)
    meshes.set(name, { element, file: path, scale, inline })
  }
  return meshes
}

/**
 * @param {Element} mesh
 * @param {[number, number, number]} scale
 * @param {Warnings} warnings
 * @param {string} where
 * @returns {MeshAsset['inline']}
 */
function inlineMesh(mesh, scale, warnings, where) {
  const vertices = numbersOf(mesh, 'vertex', [3, Infinity], warnings)
  if (vertices === undefined) return null
  const indices = numbersOf(mesh, 'face', [3, Infinity], warnings) ?? []
  return at(where, mesh, () => ({
    vertices: Array.from(readVertices(vertices, 'vertex'), (x, i) => x * scale[i % 3]),
    indices:
      indices.length === 0
        ? []
        : facing(scale, Array.from(readIndices(indices, vertices.length / 3, 'face'))),
  }))
}

/** Gravity that differs by less is the same, m/s². */
const SAME_GRAVITY = 1e-9

/**
 * Gravity is the world's, which is not the importer's to change.
 * @param {Element} root
 * @param {ReturnType<typeof readOptions>} settings
 * @param {Warnings} warnings
 */
function warnOfGravity(root, { world, base }, warnings) {
  const option = merged(root, 'option')
  const written = vectorOf(option, 'gravity', STANDARD, warnings)
  const gravity = rotate(base.orientation, written)
  if (gravity.every((x, i) => Math.abs(x - world.gravity[i]) < SAME_GRAVITY)) return
  const message = `the model's gravity is ${written.join(' ')}: the world has its own, [${world.gravity.join(', ')}]`
  warnings.add(option, message, 'gravity')
}

/** MuJoCo's, m/s². @type {[number, number, number]} */
const STANDARD = [0, 0, -9.81]
