/**
 * The bodies of a world as instanced meshes: one for each geometry and kind of material. Each frame the matrices are
 * written from `world.transforms`, between the last two states, without making an object.
 */
import {
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  MeshStandardMaterial,
  Quaternion,
  Sphere,
  Vector3,
} from 'three'
import { GeometryCache } from './geometry.mjs'
import { GridMaterial } from './grid-material.mjs'
import { BODY_COLORS, themeColor } from './theme.mjs'

/** @typedef {import('./simulation.mjs').Simulation} Simulation */
/** @typedef {import('moreau').Body} Body */
/** @typedef {import('three').BufferGeometry} BufferGeometry */

const scratch = new Quaternion()

/** Numbers per slot of `world.transforms`: x y z 0 qx qy qz qw. */
const STRIDE = 8

/**
 * @typedef {object} Batch
 * @property {InstancedMesh} mesh
 * @property {Body[]} bodies by instance
 * @property {Uint32Array} slots of the bodies
 * @property {boolean} moving
 */

export class BodyField {
  group = new Group()
  /** What moves, as it was drawn last. */
  bounds = new Sphere(new Vector3(), 1)
  /** m, of a typical moving body: half its size. */
  typicalRadius = 0.5

  /** m: the most that a shape is off the origin of its body. */
  #offset = 0

  #geometries = new GeometryCache()
  /** @type {Batch[]} */
  #batches = []
  /** @type {Simulation | null} */
  #simulation = null
  /** The list that the batches were built from. @type {readonly Body[]} */
  #built = []
  /** The shapes of these bodies. @type {(readonly import('moreau').Shape[])[]} */
  #builtShapes = []
  #lowest = new Vector3()
  #highest = new Vector3()
  #solid = new MeshStandardMaterial({ roughness: 0.62, metalness: 0, vertexColors: true })
  #ground = new GridMaterial()
  #kinematic = new MeshStandardMaterial({ roughness: 0.5, metalness: 0.2, vertexColors: true })
  #glass = new MeshStandardMaterial({
    roughness: 0.1,
    metalness: 0,
    transparent: true,
    opacity: 0.1,
    depthWrite: false,
    vertexColors: true,
  })

  applyTheme() {
    this.#ground.color.set(themeColor('--stage-ground'))
    this.#ground.line.set(themeColor('--stage-line'))
    this.#kinematic.color.set(themeColor('--stage-kinematic'))
    this.#glass.color.set(themeColor('--stage-glass'))
  }

  /** @param {Simulation} simulation whose bodies are to be drawn from now on */
  show(simulation) {
    this.#clear()
    this.#geometries.dispose()
    this.#geometries = new GeometryCache()
    this.#simulation = simulation
    this.#build()
    this.update()
  }

  /** Writes all matrices. */
  update() {
    const simulation = this.#simulation
    if (!simulation) return
    if (this.#isOutdated(simulation.world.bodies)) this.#build()
    const { transforms, bodyIds } = simulation.world
    const { before, interpolation } = simulation
    this.#lowest.setScalar(Infinity)
    this.#highest.setScalar(-Infinity)
    for (const batch of this.#batches) {
      this.#write(batch, transforms, before, interpolation, bodyIds)
    }
    if (this.#lowest.x <= this.#highest.x) {
      this.bounds.center.addVectors(this.#lowest, this.#highest).multiplyScalar(0.5)
      this.bounds.radius = 0.5 * this.#lowest.distanceTo(this.#highest) + this.typicalRadius
      this.bounds.radius += this.#offset
    }
  }

  /**
   * The body nearest to the camera on a ray.
   *
   * @param {import('three').Raycaster} raycaster
   * @returns {{ body: Body, point: Vector3 } | null}
   */
  pick(raycaster) {
    for (const { mesh } of this.#batches) mesh.boundingSphere = null
    for (const hit of raycaster.intersectObject(this.group)) {
      const batch = this.#batches.find(({ mesh }) => mesh === hit.object)
      if (!batch || hit.instanceId === undefined || batch.mesh.material === this.#glass) continue
      return { body: batch.bodies[hit.instanceId], point: hit.point }
    }
    return null
  }

  /**
   * The geometry that a body is drawn with.
   *
   * @param {Body} body
   */
  geometryOf(body) {
    return this.#geometries.of(body)
  }

  /**
   * The pose of a slot as it is drawn now.
   *
   * @param {number} slot
   * @param {Vector3} position
   * @param {import('three').Quaternion} orientation
   */
  readPose(slot, position, orientation) {
    const simulation = this.#simulation
    if (!simulation) return
    const { transforms } = simulation.world
    const { before, interpolation } = simulation
    const at = slot * STRIDE
    if (at + STRIDE > before.length) return
    position.fromArray(before, at)
    position.x += (transforms[at] - position.x) * interpolation
    position.y += (transforms[at + 1] - position.y) * interpolation
    position.z += (transforms[at + 2] - position.z) * interpolation
    scratch.fromArray(transforms, at + 4)
    orientation.fromArray(before, at + 4).slerp(scratch, interpolation)
  }

  #clear() {
    for (const { mesh } of this.#batches) mesh.dispose()
    this.#batches = []
    this.group.clear()
  }

  /**
   * Whether there are other bodies than the batches have, or some have got other shapes.
   *
   * @param {readonly Body[]} bodies of the world
   */
  #isOutdated(bodies) {
    if (bodies !== this.#built) return true
    return bodies.some(({ shapes }, i) => shapes !== this.#builtShapes[i])
  }

  #build() {
    const simulation = /** @type {Simulation} */ (this.#simulation)
    this.#clear()
    this.#built = simulation.world.bodies
    this.#builtShapes = this.#built.map(({ shapes }) => shapes)

    /** @type {Map<string, { geometry: BufferGeometry, material: import('three').Material, bodies: Body[] }>} */
    const kinds = new Map()
    for (const body of this.#built) {
      const geometry = this.#geometries.of(body)
      if (!geometry) continue
      const material = this.#materialOf(body)
      const key = `${geometry.id} ${material.id}`
      const kind = kinds.get(key)
      if (kind) kind.bodies.push(body)
      else kinds.set(key, { geometry, material, bodies: [body] })
    }

    const color = new Color()
    const radii = []
    this.#offset = 0
    let index = 0
    for (const { geometry, material, bodies } of kinds.values()) {
      const mesh = new InstancedMesh(geometry, material, bodies.length)
      const moving = material === this.#solid
      mesh.instanceMatrix.setUsage(DynamicDrawUsage)
      // The bounds of moving instances change with every step
      mesh.frustumCulled = false
      mesh.castShadow = material !== this.#glass && !isPlane(bodies[0])
      mesh.receiveShadow = material !== this.#glass
      if (material === this.#glass) mesh.renderOrder = 1
      if (moving) {
        geometry.computeBoundingSphere()
        const { center, radius } = geometry.boundingSphere ?? new Sphere(new Vector3(), 1)
        this.#offset = Math.max(this.#offset, center.length())
        for (let i = 0; i < bodies.length; ++i) {
          mesh.setColorAt(i, color.set(BODY_COLORS[index++ % BODY_COLORS.length]))
          radii.push(radius)
        }
      }
      this.group.add(mesh)
      this.#batches.push({
        mesh,
        bodies,
        slots: Uint32Array.from(bodies, (body) => body.index),
        moving,
      })
    }
    radii.sort((a, b) => a - b)
    this.typicalRadius = radii[radii.length >> 1] ?? 0.5
  }

  /** @param {Body} body */
  #materialOf({ id, type }) {
    if (this.#simulation?.glass.has(id)) return this.#glass
    if (type === 'static') return this.#ground
    return type === 'kinematic' ? this.#kinematic : this.#solid
  }

  /**
   * @param {Batch} batch
   * @param {Float32Array} now
   * @param {Float32Array} before
   * @param {number} blend 0: before, 1: now
   * @param {Float64Array} ids by slot
   */
  #write({ mesh, bodies, slots, moving }, now, before, blend, ids) {
    const matrices = mesh.instanceMatrix.array
    for (let i = 0; i < slots.length; ++i) {
      const at = slots[i] * STRIDE
      const to = 16 * i
      if (ids[slots[i]] !== bodies[i].id || at + STRIDE > before.length) {
        // Destroyed: no size, no picture
        matrices.fill(0, to, to + 16)
        continue
      }
      const px = before[at] + (now[at] - before[at]) * blend
      const py = before[at + 1] + (now[at + 1] - before[at + 1]) * blend
      const pz = before[at + 2] + (now[at + 2] - before[at + 2]) * blend
      let bx = before[at + 4]
      let by = before[at + 5]
      let bz = before[at + 6]
      let bw = before[at + 7]
      // q and -q are one orientation: take the near one, blend straight, normalise
      const cosine = bx * now[at + 4] + by * now[at + 5] + bz * now[at + 6] + bw * now[at + 7]
      const share = cosine < 0 ? -blend : blend
      bx += share * now[at + 4] - blend * bx
      by += share * now[at + 5] - blend * by
      bz += share * now[at + 6] - blend * bz
      bw += share * now[at + 7] - blend * bw
      const scale = 1 / Math.sqrt(bx * bx + by * by + bz * bz + bw * bw)
      bx *= scale
      by *= scale
      bz *= scale
      bw *= scale
      matrices[to] = 1 - 2 * (by * by + bz * bz)
      matrices[to + 1] = 2 * (bx * by + bw * bz)
      matrices[to + 2] = 2 * (bx * bz - bw * by)
      matrices[to + 3] = 0
      matrices[to + 4] = 2 * (bx * by - bw * bz)
      matrices[to + 5] = 1 - 2 * (bx * bx + bz * bz)
      matrices[to + 6] = 2 * (by * bz + bw * bx)
      matrices[to + 7] = 0
      matrices[to + 8] = 2 * (bx * bz + bw * by)
      matrices[to + 9] = 2 * (by * bz - bw * bx)
      matrices[to + 10] = 1 - 2 * (bx * bx + by * by)
      matrices[to + 11] = 0
      matrices[to + 12] = px
      matrices[to + 13] = py
      matrices[to + 14] = pz
      matrices[to + 15] = 1
      if (moving) {
        if (px < this.#lowest.x) this.#lowest.x = px
        if (py < this.#lowest.y) this.#lowest.y = py
        if (pz < this.#lowest.z) this.#lowest.z = pz
        if (px > this.#highest.x) this.#highest.x = px
        if (py > this.#highest.y) this.#highest.y = py
        if (pz > this.#highest.z) this.#highest.z = pz
      }
    }
    mesh.instanceMatrix.needsUpdate = true
  }
}

/** @param {Body} body */
function isPlane({ shapes }) {
  return shapes.some(({ type }) => type === 'plane')
}
