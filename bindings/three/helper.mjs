import {
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  LineBasicMaterial,
  LineSegments,
} from 'three'

/** @import { DebugRenderOptions, World } from '../index.mjs' */

/** Numbers of a vertex: x y z, and r g b a. */
const POSITION = 3
const COLOR = 4

/**
 * The shapes, contacts and joints of a world as lines, to be added to a scene. As `RapierHelper` of three.js.
 *
 * @example
 * const helper = new MoreauHelper(world)
 * scene.add(helper)
 * renderer.setAnimationLoop(() => helper.update())
 */
export class MoreauHelper extends LineSegments {
  /**
   * @param {World} world
   * @param {DebugRenderOptions} [options] what is shown
   */
  constructor(world, options) {
    super(new BufferGeometry(), new LineBasicMaterial({ vertexColors: true }))
    this.world = world
    this.options = options
    // The lines are where the world is now, and not where the helper is.
    this.frustumCulled = false
    this.name = 'MoreauHelper'
  }

  /** Takes over the state of the world: to be called in each frame. */
  update() {
    const { vertices, colors } = this.world.debugRender(this.options)
    const count = vertices.length / POSITION
    this.#makeRoom(count)
    const { position, color } = this.geometry.attributes
    position.array.set(vertices)
    color.array.set(colors)
    position.needsUpdate = true
    color.needsUpdate = true
    this.geometry.setDrawRange(0, count)
  }

  /** Gives back what the graphics card has of it. */
  dispose() {
    this.geometry.dispose()
    const materials = Array.isArray(this.material) ? this.material : [this.material]
    for (const material of materials) material.dispose()
  }

  /**
   * The same attributes are used on until there are more lines than fit.
   * @param {number} count vertices
   */
  #makeRoom(count) {
    const { position } = this.geometry.attributes
    if (position !== undefined && position.count >= count) return
    const room = Math.max(256, 2 * count)
    for (const [name, size] of /** @type {const} */ ([
      ['position', POSITION],
      ['color', COLOR],
    ])) {
      const attribute = new BufferAttribute(new Float32Array(size * room), size)
      this.geometry.setAttribute(name, attribute.setUsage(DynamicDrawUsage))
    }
  }
}
