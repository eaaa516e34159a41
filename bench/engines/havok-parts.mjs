/**
 * Havok's shapes and events.
 */
import { DENSITY } from '../scenes/description.mjs'

/** @typedef {import('./engine.mjs').ShapeDescription} ShapeDescription */

/**
 * @param {[unknown, any] | any[]} result code and value
 * @returns {any} the value
 */
export const valueOf = (result) => result[1]

/**
 * @param {any} HK
 * @param {ShapeDescription} description
 * @param {{ friction: number, restitution: number }} material
 * @returns {any}
 */
export function makeShape(HK, description, material) {
  const { friction, restitution } = material
  const shape = valueOf(create(HK, description))
  if (description.type === 'compound') {
    for (const part of description.shapes) {
      const child = makeShape(HK, part, material)
      HK.HP_Shape_AddChild(shape, child, [part.position, part.orientation, [1, 1, 1]])
    }
  }
  const mode = HK.MaterialCombine.GEOMETRIC_MEAN
  HK.HP_Shape_SetMaterial(shape, [friction, friction, restitution, mode, mode])
  HK.HP_Shape_SetDensity(shape, DENSITY)
  return shape
}

/**
 * @param {any} HK
 * @param {ShapeDescription} description
 * @returns {[unknown, any]} code and shape
 */
function create(HK, description) {
  switch (description.type) {
    case 'sphere':
      return HK.HP_Shape_CreateSphere([0, 0, 0], description.radius)
    case 'box': {
      const extents = description.halfExtents.map((half) => 2 * half)
      return HK.HP_Shape_CreateBox([0, 0, 0], [0, 0, 0, 1], extents)
    }
    case 'capsule':
    case 'cylinder': {
      const { halfHeight, radius, type } = description
      const make = type === 'capsule' ? HK.HP_Shape_CreateCapsule : HK.HP_Shape_CreateCylinder
      return make([0, -halfHeight, 0], [0, halfHeight, 0], radius)
    }
    case 'hull':
      return withCopies(HK, [new Float32Array(description.points.flat())], (points) =>
        HK.HP_Shape_CreateConvexHull(points, description.points.length),
      )
    case 'mesh': {
      const { vertices, indices } = description
      const copies = [new Float32Array(vertices), new Int32Array(indices)]
      return withCopies(HK, copies, (points, triangles) =>
        HK.HP_Shape_CreateMesh(points, vertices.length / 3, triangles, indices.length / 3),
      )
    }
    case 'compound':
      return HK.HP_Shape_CreateContainer()
  }
}

/**
 * @param {any} HK
 * @param {(Float32Array | Int32Array)[]} arrays
 * @param {(...pointers: number[]) => [unknown, any]} make
 */
function withCopies(HK, arrays, make) {
  const pointers = arrays.map(({ byteLength }) => HK._malloc(byteLength))
  for (const [i, { buffer }] of arrays.entries()) {
    new Uint8Array(HK.HEAPU8.buffer).set(new Uint8Array(buffer), pointers[i])
  }
  const result = make(...pointers)
  for (const pointer of pointers) HK._free(pointer)
  return result
}

/**
 * Goes through the events of the last step, which lie in memory as a type and two contacts.
 *
 * @param {any} HK
 * @param {any} world
 * @returns {number} contacts that began or ended
 */
export function countEvents(HK, world) {
  const { COLLISION_STARTED, COLLISION_FINISHED } = HK.EventType
  const address = Number(world)
  let count = 0
  let event = valueOf(HK.HP_World_GetCollisionEvents(world))
  const types = new Int32Array(HK.HEAPU8.buffer)
  for (; event !== 0; event = HK.HP_World_GetNextCollisionEvent(address, event)) {
    const type = types[event >> 2]
    if (type === COLLISION_STARTED.value || type === COLLISION_FINISHED.value) count++
  }
  return count
}
