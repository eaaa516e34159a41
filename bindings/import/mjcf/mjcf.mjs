// MJCF (MuJoCo's models), as https://mujoco.readthedocs.io/en/stable/XMLreference.html describes it: what maps.

import { MoreauError } from '../../core/errors.mjs'
import { readBoolean } from '../../core/arguments.mjs'
import { build } from '../mechanism/build.mjs'
import { readOptions } from '../options.mjs'
import { rotate } from '../rigid.mjs'
import { parseXml } from '../xml/element.mjs'
import { childrenOf, numbersOf, vectorOf, Warnings } from '../xml/reader.mjs'
import { readTree } from './bodies.mjs'
import { Defaults } from './defaults.mjs'
import { setFilters } from './filters.mjs'
import { include } from './include.mjs'
import { warnOfUnknown } from './known.mjs'
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
 * @throws {MoreauError} `invalid-argument`: it is no XML, no `<mujoco>`, or holds what no body can have; `not-supported`: global
 *   coordinates. The message names the place, and the world is as it was
 *
 * @example
 * const humanoid = await importMJCF(text, { world, loader: (uri) => readFile(uri, 'utf8') })
 */
export async function importMJCF(text, options) {
  const where = 'importMJCF'
  const settings = readOptions(options, ['armature'], where)
  const hasArmature = readBoolean(settings.own.armature ?? false, `${where}: armature`)
  const warnings = new Warnings()
  const root = await include(await parseXml(text, where), settings.loader, warnings, where)
  if (root.name !== 'mujoco') {
    throw new MoreauError(
      'invalid-argument',
      `${where}: text is no MJCF: its root is <${root.name}>`,
    )
  }
  warnOfUnknown(root, '', warnings)
  warnOfGravity(root, settings, warnings)
  const context = contextOf(root, settings.loader, hasArmature, warnings, where)
  const worlds = childrenOf(root, 'worldbody')
  const body = { ...(worlds[0] ?? root), children: worlds.flatMap(({ children }) => children) }
  const tree = await readTree(body, context)
  setFilters(tree, warnings)
  const { actuators, ...relations } = readRelations(root, tree, context)
  const { links, frames } = tree
  const mechanism = { name: root.attributes.model ?? '', links, frames, ...relations }
  const model = build(mechanism, settings, warnings)
  model.actuators = actuators
  return model
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
  const compilers = childrenOf(root, 'compiler')
  /** @type {Record<string, string>} */
  const words = Object.assign({}, ...compilers.map(({ attributes }) => attributes))
  if (words.coordinate === 'global') {
    const message = `${where}: ${compilers[0].path}/@coordinate: global coordinates are not read`
    throw new MoreauError('not-supported', message)
  }
  const groups = compilers
    .map((one) => numbersOf(one, 'inertiagrouprange', 2, warnings))
    .find(Boolean)
  const defaults = new Defaults(childrenOf(root, 'default'), warnings)
  const directory = words.meshdir ?? words.assetdir ?? ''
  return {
    units: {
      angle: words.angle === 'radian' ? 1 : DEGREE,
      eulerSequence: words.eulerseq ?? 'xyz',
    },
    ...{ defaults, loader, warnings, hasArmature },
    meshes: meshesOf(root, defaults, directory, warnings),
    inertiaFromGeom: /** @type {Context['inertiaFromGeom']} */ (words.inertiafromgeom ?? 'auto'),
    autoLimits: words.autolimits !== 'false',
    inertiaGroups: groups === undefined ? [-Infinity, Infinity] : [groups[0], groups[1]],
  }
}

/**
 * @param {Element} root
 * @param {Defaults} defaults
 * @param {string} directory
 * @param {Warnings} warnings
 * @returns {Map<string, MeshAsset>}
 */
function meshesOf(root, defaults, directory, warnings) {
  const elements = childrenOf(root, 'asset').flatMap((asset) => childrenOf(asset, 'mesh'))
  return new Map(
    elements.map((element) => {
      const mesh = defaults.apply(element, undefined)
      const { file = '', name = file.replace(/^.*[/\\]/, '').replace(/\.\w+$/, '') } =
        mesh.attributes
      const scale = vectorOf(mesh, 'scale', [1, 1, 1], warnings)
      const vertices = numbersOf(mesh, 'vertex', 3, warnings)?.map((x, i) => x * scale[i % 3])
      const indices = numbersOf(mesh, 'face', 3, warnings) ?? []
      const inline = vertices === undefined ? null : { vertices, indices }
      const path = directory === '' ? file : `${directory.replace(/\/$/, '')}/${file}`
      return [name, { path: element.path, file: path, scale, inline }]
    }),
  )
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
  const [option] = childrenOf(root, 'option')
  const written = option === undefined ? STANDARD : vectorOf(option, 'gravity', STANDARD, warnings)
  const gravity = rotate(base.orientation, written)
  if (gravity.every((x, i) => Math.abs(x - world.gravity[i]) < SAME_GRAVITY)) return
  const message = `the model's gravity is ${written.join(' ')}: the world has its own, [${world.gravity.join(', ')}]`
  warnings.add(`${option?.path ?? root.path}/@gravity`, message)
}

/** MuJoCo's, m/s². @type {[number, number, number]} */
const STANDARD = [0, 0, -9.81]
