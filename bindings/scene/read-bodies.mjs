import { access } from '../core/access.mjs'
import { readBoolean, readObject } from '../core/arguments.mjs'
import { describe, invalid } from '../core/describe.mjs'
import { MoreauError } from '../core/errors.mjs'
import { ShapeReader } from './read-shapes.mjs'
import { fromPlain, within } from './values.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { AssetReader } from './assets.mjs' */
/** @import { WorldCore } from '../core/world-core.mjs' */

/** Makes the bodies of a scene, and finds them by index or name. */
export class BodyReader {
  #core
  /** @type {Body[]} */
  #bodies = []
  /** @type {Map<string, Body>} */
  #byName = new Map()
  /** @type {Body[]} */
  #asleep = []
  #shapes

  /**
   * @param {WorldCore} core
   * @param {AssetReader} assets
   */
  constructor(core, assets) {
    this.#core = core
    this.#shapes = new ShapeReader(assets)
  }

  /**
   * @param {unknown} value a body of a scene
   * @param {string} path
   */
  read(value, path) {
    const { shape, shapes, ...others } = readObject(value, path)
    const read = /** @type {Record<string, unknown>} */ (fromPlain(others, path))
    const { name, asleep = false, force, torque, target, ...definition } = read
    // A mass that was set leaves the body its density, for shapes to come.
    const isKept = definition.mass !== undefined && definition.density !== undefined
    const density = isKept ? definition.density : undefined
    if (isKept) delete definition.density
    this.#checkName(name, `${path}.name`)
    const isAsleep = readBoolean(asleep, `${path}.asleep`)
    const withShapes = {
      userData: name,
      ...definition,
      ...(shape === undefined ? {} : { shape: this.#shapes.read(shape, `${path}.shape`) }),
      ...(shapes === undefined ? {} : { shapes: this.#shapes.readAll(shapes, `${path}.shapes`) }),
    }
    const body = within(path, 'createBody', () =>
      access.createBody(this.#core, withShapes, { density, force, torque, target }),
    )
    this.#bodies.push(body)
    if (typeof name === 'string') this.#byName.set(name, body)
    if (isAsleep) this.#asleep.push(body)
  }

  /**
   * The body that a scene refers to.
   * @param {unknown} reference its index or its name
   * @param {string} path
   * @returns {Body}
   */
  find(reference, path) {
    const body =
      typeof reference === 'string'
        ? this.#byName.get(reference)
        : this.#bodies[/** @type {number} */ (reference)]
    if (body !== undefined) return body
    const count = this.#bodies.length
    throw invalid(path, `the index of a body, below ${count}, or the name of one`, reference)
  }

  /**
   * The same where null is the world.
   * @param {unknown} reference
   * @param {string} path
   * @returns {Body | null}
   */
  findOrWorld(reference, path) {
    return reference === undefined || reference === null ? null : this.find(reference, path)
  }

  /** To be called when everything is made, which wakes bodies. */
  putToSleep() {
    for (const body of this.#asleep) body.sleep()
  }

  /**
   * @param {unknown} name
   * @param {string} path
   */
  #checkName(name, path) {
    if (name === undefined) return
    if (typeof name !== 'string') throw invalid(path, 'a string', name)
    if (!this.#byName.has(name)) return
    const message = `${path}: another body has the name ${describe(name)}`
    throw new MoreauError('invalid-argument', message)
  }
}
