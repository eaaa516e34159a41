/**
 * Many arrows in four draw calls: shafts and heads as instances, twice. What lies behind a body shows through faintly,
 * since contacts lie between bodies and are what one wants to see.
 */
import {
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  GreaterDepth,
  Group,
  InstancedBufferAttribute,
  InstancedMesh,
  LessEqualDepth,
  MeshBasicMaterial,
} from 'three'

/** Radii of the shaft and of the head, and the head's length, in units of an arrow's thickness. */
const SHAFT = 1
const HEAD = 2.8
const HEAD_LENGTH = 7

/**
 * The instances of one geometry, drawn as they are where they can be seen and faintly where they cannot.
 */
export class GhostedInstances {
  group = new Group()
  count = 0
  /** 16 numbers per instance, by columns. @type {Float32Array} */
  matrices = new Float32Array(0)
  #meshes
  #materials

  /** @param {import('three').BufferGeometry} geometry */
  constructor(geometry) {
    this.#materials = [
      new MeshBasicMaterial({
        transparent: true,
        depthFunc: GreaterDepth,
        depthWrite: false,
        fog: false,
      }),
      new MeshBasicMaterial({ depthFunc: LessEqualDepth, transparent: true, fog: false }),
    ]
    this.#meshes = this.#materials.map((material, index) => {
      const mesh = new InstancedMesh(geometry, material, 64)
      mesh.frustumCulled = false
      mesh.renderOrder = 2 + index
      mesh.count = 0
      this.group.add(mesh)
      return mesh
    })
    this.#resize(64)
  }

  /** @param {string} color */
  setColor(color) {
    for (const material of this.#materials) material.color.set(color)
  }

  /** How strongly that shows which lies behind a body, 0 to 1. */
  set hiddenOpacity(/** @type {number} */ opacity) {
    this.#materials[0].opacity = opacity
  }

  /**
   * Adds an instance, whose 16 numbers are to be written to `matrices`.
   *
   * @returns {number} where they begin
   */
  add() {
    if (16 * this.count === this.matrices.length) this.#resize(2 * this.count)
    return 16 * this.count++
  }

  /** Shows what was added since `count` was set to 0. */
  commit() {
    for (const mesh of this.#meshes) mesh.count = this.count
    this.#meshes[0].instanceMatrix.needsUpdate = true
  }

  /** @param {number} capacity */
  #resize(capacity) {
    const longer = new Float32Array(16 * capacity)
    longer.set(this.matrices)
    this.matrices = longer
    const attribute = new InstancedBufferAttribute(longer, 16).setUsage(DynamicDrawUsage)
    for (const mesh of this.#meshes) {
      // Drops the old buffer of the graphics card
      mesh.dispose()
      mesh.instanceMatrix = attribute
    }
  }
}

export class ArrowField {
  group = new Group()
  #shafts
  #heads

  constructor() {
    this.#shafts = new GhostedInstances(
      new CylinderGeometry(SHAFT, SHAFT, 1, 10, 1).translate(0, 0.5, 0),
    )
    this.#heads = new GhostedInstances(new ConeGeometry(HEAD, 1, 14, 1).translate(0, 0.5, 0))
    this.group.add(this.#shafts.group, this.#heads.group)
  }

  /** @param {string} color */
  setColor(color) {
    this.#shafts.setColor(color)
    this.#heads.setColor(color)
  }

  set hiddenOpacity(/** @type {number} */ opacity) {
    this.#shafts.hiddenOpacity = opacity
    this.#heads.hiddenOpacity = opacity
  }

  /** Takes all arrows away, to add those of the next frame. */
  begin() {
    this.#shafts.count = 0
    this.#heads.count = 0
  }

  /**
   * Adds an arrow from (px, py, pz) along the unit vector (dx, dy, dz).
   *
   * @param {number} px
   * @param {number} py
   * @param {number} pz
   * @param {number} dx
   * @param {number} dy
   * @param {number} dz
   * @param {number} length m
   * @param {number} thickness m
   */
  add(px, py, pz, dx, dy, dz, length, thickness) {
    const head = Math.min(HEAD_LENGTH * thickness, 0.6 * length)
    const shaft = length - head
    let at = this.#shafts.add()
    writeMatrix(this.#shafts.matrices, at, px, py, pz, dx, dy, dz, shaft, thickness)
    at = this.#heads.add()
    const x = px + dx * shaft
    const y = py + dy * shaft
    const z = pz + dz * shaft
    writeMatrix(this.#heads.matrices, at, x, y, z, dx, dy, dz, head, thickness)
  }

  /** Shows the arrows added. */
  end() {
    this.#shafts.commit()
    this.#heads.commit()
  }
}

/**
 * A frame whose y axis is the unit vector d, `length` long, its other axes `thickness` long.
 *
 * @param {Float32Array} out
 * @param {number} at
 * @param {number} px
 * @param {number} py
 * @param {number} pz
 * @param {number} dx
 * @param {number} dy
 * @param {number} dz
 * @param {number} length
 * @param {number} thickness
 */
function writeMatrix(out, at, px, py, pz, dx, dy, dz, length, thickness) {
  // A vector across d from the two components that cannot both be small
  let ux, uy, uz
  if (Math.abs(dx) > Math.abs(dz)) {
    const scale = thickness / Math.sqrt(dx * dx + dy * dy)
    ux = -dy * scale
    uy = dx * scale
    uz = 0
  } else {
    const scale = thickness / Math.sqrt(dy * dy + dz * dz)
    ux = 0
    uy = -dz * scale
    uz = dy * scale
  }
  out[at] = ux
  out[at + 1] = uy
  out[at + 2] = uz
  out[at + 3] = 0
  out[at + 4] = dx * length
  out[at + 5] = dy * length
  out[at + 6] = dz * length
  out[at + 7] = 0
  out[at + 8] = uy * dz - uz * dy
  out[at + 9] = uz * dx - ux * dz
  out[at + 10] = ux * dy - uy * dx
  out[at + 11] = 0
  out[at + 12] = px
  out[at + 13] = py
  out[at + 14] = pz
  out[at + 15] = 1
}
