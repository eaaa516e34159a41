// What is read and written of glTF 2.0, KHR_implicit_shapes and KHR_physics_rigid_bodies.

/** @import { SceneJson } from '../../types/index.mjs' */

/**
 * @typedef {object} Gltf
 * @property {{ version: string, generator?: string }} asset
 * @property {number} [scene]
 * @property {{ nodes?: number[], name?: string }[]} [scenes]
 * @property {GltfNode[]} [nodes]
 * @property {{ primitives: GltfPrimitive[], name?: string }[]} [meshes]
 * @property {GltfAccessor[]} [accessors]
 * @property {{ buffer: number, byteOffset?: number, byteLength: number, byteStride?: number }[]} [bufferViews]
 * @property {{ uri?: string, byteLength: number }[]} [buffers]
 * @property {unknown[]} [animations]
 * @property {string[]} [extensionsUsed]
 * @property {string[]} [extensionsRequired]
 * @property {{ KHR_implicit_shapes?: { shapes?: GltfShape[] }, KHR_physics_rigid_bodies?: GltfPhysics }} [extensions]
 * @property {{ moreau?: WorldExtras }} [extras]
 */

/**
 * @typedef {object} GltfNode
 * @property {string} [name]
 * @property {readonly number[]} [translation]
 * @property {readonly number[]} [rotation]
 * @property {readonly number[]} [scale]
 * @property {number[]} [matrix]
 * @property {number[]} [children]
 * @property {number} [mesh]
 * @property {number} [skin]
 * @property {{ KHR_physics_rigid_bodies?: NodePhysics }} [extensions]
 * @property {{ moreau?: NodeExtras }} [extras]
 */

/** @typedef {{ attributes: Record<string, number>, indices?: number, mode?: number, extensions?: Record<string, unknown> }} GltfPrimitive */

/**
 * @typedef {object} GltfAccessor
 * @property {number} [bufferView]
 * @property {number} [byteOffset]
 * @property {number} componentType
 * @property {number} count
 * @property {string} type
 * @property {boolean} [normalized]
 * @property {{ count: number, indices: { bufferView: number, byteOffset?: number, componentType: number }, values: { bufferView: number, byteOffset?: number } }} [sparse]
 * @property {number[]} [min]
 * @property {number[]} [max]
 */

/**
 * @typedef {object} GltfShape
 * @property {string} type
 * @property {{ size?: number[] }} [box]
 * @property {{ radius?: number }} [sphere]
 * @property {{ height?: number, radiusTop?: number, radiusBottom?: number }} [capsule]
 * @property {{ height?: number, radiusTop?: number, radiusBottom?: number }} [cylinder]
 * @property {{ sizeX?: number, sizeZ?: number, doubleSided?: boolean }} [plane]
 */

/** @typedef {'average' | 'minimum' | 'maximum' | 'multiply'} GltfCombine */

/**
 * @typedef {object} GltfMaterial
 * @property {number} [staticFriction]
 * @property {number} [dynamicFriction]
 * @property {number} [restitution]
 * @property {GltfCombine} [frictionCombine]
 * @property {GltfCombine} [restitutionCombine]
 * @property {{ moreau?: { frictionCombine?: 'geometricMean', restitutionCombine?: 'geometricMean' } }} [extras]
 */

/**
 * @typedef {object} GltfFilter
 * @property {string[]} [collisionSystems]
 * @property {string[]} [collideWithSystems]
 * @property {string[]} [notCollideWithSystems]
 * @property {{ moreau?: import('../../types/index.mjs').Filter }} [extras]
 */

/**
 * @typedef {object} GltfLimit
 * @property {number[]} [linearAxes]
 * @property {number[]} [angularAxes]
 * @property {number} [min]
 * @property {number} [max]
 * @property {number} [stiffness]
 * @property {number} [damping]
 */

/**
 * @typedef {object} GltfDrive
 * @property {string} type 'linear' or 'angular'
 * @property {string} mode 'force' or 'acceleration'
 * @property {number} axis
 * @property {number} [maxForce]
 * @property {number} [positionTarget]
 * @property {number} [velocityTarget]
 * @property {number} [stiffness]
 * @property {number} [damping]
 */

/** @typedef {{ limits?: GltfLimit[], drives?: GltfDrive[] }} GltfJoint */

/**
 * @typedef {object} GltfPhysics
 * @property {GltfMaterial[]} [physicsMaterials]
 * @property {GltfFilter[]} [collisionFilters]
 * @property {GltfJoint[]} [physicsJoints]
 */

/**
 * @typedef {object} GltfMotion
 * @property {boolean} [isKinematic]
 * @property {number} [mass]
 * @property {readonly number[]} [centerOfMass]
 * @property {readonly number[]} [inertiaDiagonal]
 * @property {readonly number[]} [inertiaOrientation]
 * @property {number[]} [linearVelocity]
 * @property {number[]} [angularVelocity]
 * @property {number} [gravityFactor]
 */

/** @typedef {{ shape?: number, node?: number, mesh?: number, convexHull?: boolean }} GltfGeometry */
/** @typedef {{ geometry?: GltfGeometry, physicsMaterial?: number, collisionFilter?: number }} GltfCollider */
/** @typedef {{ geometry?: GltfGeometry, collisionFilter?: number }} GltfTrigger */

/**
 * @typedef {object} NodePhysics
 * @property {GltfMotion} [motion]
 * @property {GltfCollider} [collider]
 * @property {GltfTrigger} [trigger]
 * @property {{ connectedNode?: number, joint?: number, enableCollision?: boolean }} [joint]
 */

/**
 * What a file of ours says besides, of a node: options of its body, the shape that its collider is, or that its joint is one of the
 * world's extras.
 * @typedef {object} NodeExtras
 * @property {Record<string, unknown>} [body]
 * @property {Record<string, unknown>} [shape]
 * @property {boolean} [jointIsInExtras]
 */

/**
 * What a file of ours says besides of the world: its settings, and joints that the extension has no words for. Their bodies are
 * numbers of nodes, their joints numbers of this list.
 * @typedef {object} WorldExtras
 * @property {Record<string, unknown>} [settings]
 * @property {Record<string, unknown>[]} [joints]
 * @property {SceneJson['assets']} [assets]
 */

export {}
