import { Matrix4, Quaternion, Vector3 } from 'three'

// Poses of the world in the frames of the objects that have to show them.

/** @import { Object3D } from 'three' */

/** @typedef {{ inverse: Matrix4, isWorld: boolean, version: number, at: number, last: Matrix4 }} Frame */

const IDENTITY = new Matrix4()
const ONE = Object.freeze(new Vector3(1, 1, 1))

/**
 * Frames of the parents of objects: bodies mostly share them, and each is worked out once in a drawing.
 */
export class ParentFrames {
  /** @type {WeakMap<Object3D, Frame>} */
  #frames = new WeakMap()
  #drawing = 0
  #matrix = new Matrix4()
  #position = new Vector3()
  #orientation = new Quaternion()
  #scale = new Vector3()

  /** Another drawing begins. */
  begin() {
    this.#drawing++
  }

  /**
   * @param {Object3D} parent
   * @returns {Frame} `version` is another one whenever the parent has moved
   */
  of(parent) {
    const frame = this.#frames.get(parent) ?? newFrame()
    if (frame.at === this.#drawing) return frame
    frame.at = this.#drawing
    this.#frames.set(parent, frame)
    parent.updateWorldMatrix(true, false)
    if (frame.last.equals(parent.matrixWorld)) return frame
    frame.version++
    frame.last.copy(parent.matrixWorld)
    frame.isWorld = parent.matrixWorld.equals(IDENTITY)
    frame.inverse.copy(parent.matrixWorld).invert()
    return frame
  }

  /**
   * Puts an object where a pose of the world is. Its scale stays.
   * @param {Object3D} object
   * @param {Frame} frame of its parent
   * @param {ArrayLike<number>} poses
   * @param {number} at
   */
  place(object, { inverse, isWorld }, poses, at) {
    this.#read(poses, at)
    if (!isWorld) {
      this.#matrix.compose(this.#position, this.#orientation, ONE).premultiply(inverse)
      this.#matrix.decompose(this.#position, this.#orientation, this.#scale)
    }
    object.position.copy(this.#position)
    object.quaternion.copy(this.#orientation)
  }

  /**
   * @param {Frame} frame
   * @param {ArrayLike<number>} poses
   * @param {number} at
   * @param {Vector3} scale in the world
   * @returns {Matrix4} of a pose in the frame, to be copied
   */
  matrixOf({ inverse, isWorld }, poses, at, scale) {
    this.#read(poses, at)
    this.#matrix.compose(this.#position, this.#orientation, scale)
    return isWorld ? this.#matrix : this.#matrix.premultiply(inverse)
  }

  /** @param {ArrayLike<number>} poses @param {number} at */
  #read(poses, at) {
    this.#position.set(poses[at], poses[at + 1], poses[at + 2])
    this.#orientation.set(poses[at + 4], poses[at + 5], poses[at + 6], poses[at + 7])
  }
}

/** @returns {Frame} of an object that nobody has looked at yet */
function newFrame() {
  return {
    ...{ inverse: new Matrix4(), isWorld: true, version: 0, at: -1 },
    last: new Matrix4(),
  }
}
