import { quadruple, triple, xyz } from './vectors.mjs'

// Rapier's classes of shapes, which queries, `setShape` and `new ColliderDesc` take.

/** @import { Pose } from './rigid-body.mjs' */
/** @import { ColliderArgs, ColliderKind } from './shapes.mjs' */
/** @import { QuaternionInput, VectorInput } from './vectors.mjs' */

export const ShapeType = Object.freeze({
  ...{ Ball: 0, Cuboid: 1, Capsule: 2, Segment: 3, Polyline: 4, Triangle: 5, TriMesh: 6 },
  ...{ HeightField: 7, Compound: 8, ConvexPolyhedron: 9, Cylinder: 10, Cone: 11, RoundCuboid: 12 },
  ...{ RoundTriangle: 13, RoundCylinder: 14, RoundCone: 15, RoundConvexPolyhedron: 16 },
  ...{ HalfSpace: 17, Voxels: 18 },
})

/** @type {Readonly<Record<ColliderKind, number>>} */
const TYPE_OF_KIND = {
  ...{ ball: ShapeType.Ball, cuboid: ShapeType.Cuboid, roundCuboid: ShapeType.RoundCuboid },
  ...{ capsule: ShapeType.Capsule, cylinder: ShapeType.Cylinder, cone: ShapeType.Cone },
  ...{ roundCylinder: ShapeType.RoundCylinder, roundCone: ShapeType.RoundCone },
  ...{ convexHull: ShapeType.ConvexPolyhedron, roundConvexHull: ShapeType.RoundConvexPolyhedron },
  ...{ trimesh: ShapeType.TriMesh, heightfield: ShapeType.HeightField },
  ...{ halfSpace: ShapeType.HalfSpace, shape: ShapeType.ConvexPolyhedron },
}

/** @param {ColliderKind} kind @returns {number} `ShapeType` */
export const typeOfKind = (kind) => TYPE_OF_KIND[kind]

/** A shape in Rapier's spelling: what a collider is made of, without a place. */
export class RapierShape {
  /** @internal @type {ColliderKind} */
  kind
  /** @internal @type {ColliderArgs} */
  args

  /** @internal @param {ColliderKind} kind @param {ColliderArgs} args */
  constructor(kind, args) {
    this.kind = kind
    this.args = args
  }

  /** @returns {number} `ShapeType` */
  get type() {
    return typeOfKind(this.kind)
  }
}

export class Ball extends RapierShape {
  /** @param {number} radius metres */
  constructor(radius) {
    super('ball', [radius])
    this.radius = radius
  }
}

export class Cuboid extends RapierShape {
  /** @param {number} hx half, metres @param {number} hy @param {number} hz */
  constructor(hx, hy, hz) {
    super('cuboid', [hx, hy, hz])
    this.halfExtents = xyz([hx, hy, hz])
  }
}

export class RoundCuboid extends RapierShape {
  /** @param {number} hx half of its core, metres @param {number} hy @param {number} hz @param {number} borderRadius */
  constructor(hx, hy, hz, borderRadius) {
    super('roundCuboid', [hx, hy, hz, borderRadius])
    this.halfExtents = xyz([hx, hy, hz])
    this.borderRadius = borderRadius
  }
}

/** What capsules, cylinders and cones have. */
class RoundShape extends RapierShape {
  /** @internal @param {ColliderKind} kind @param {number} halfHeight @param {number} radius @param {number[]} more */
  constructor(kind, halfHeight, radius, ...more) {
    super(kind, [halfHeight, radius, ...more])
    this.halfHeight = halfHeight
    this.radius = radius
  }
}

export class Capsule extends RoundShape {
  /** @param {number} halfHeight of the part between the caps, metres @param {number} radius */
  constructor(halfHeight, radius) {
    super('capsule', halfHeight, radius)
  }
}

export class Cylinder extends RoundShape {
  /** @param {number} halfHeight metres @param {number} radius */
  constructor(halfHeight, radius) {
    super('cylinder', halfHeight, radius)
  }
}

export class RoundCylinder extends RoundShape {
  /** @param {number} halfHeight metres @param {number} radius @param {number} borderRadius */
  constructor(halfHeight, radius, borderRadius) {
    super('roundCylinder', halfHeight, radius, borderRadius)
    this.borderRadius = borderRadius
  }
}

export class Cone extends RoundShape {
  /** @param {number} halfHeight metres @param {number} radius */
  constructor(halfHeight, radius) {
    super('cone', halfHeight, radius)
  }
}

export class RoundCone extends RoundShape {
  /** @param {number} halfHeight metres @param {number} radius @param {number} borderRadius */
  constructor(halfHeight, radius, borderRadius) {
    super('roundCone', halfHeight, radius, borderRadius)
    this.borderRadius = borderRadius
  }
}

export class ConvexPolyhedron extends RapierShape {
  /** @param {ArrayLike<number>} vertices three numbers each: their hull is taken @param {ArrayLike<number> | null} [_indices] */
  constructor(vertices, _indices) {
    super('convexHull', [vertices])
    this.vertices = vertices
  }
}

export class RoundConvexPolyhedron extends RapierShape {
  /** @param {ArrayLike<number>} vertices @param {ArrayLike<number> | null | undefined} _indices @param {number} borderRadius */
  constructor(vertices, _indices, borderRadius) {
    super('roundConvexHull', [vertices, borderRadius])
    this.vertices = vertices
    this.borderRadius = borderRadius
  }
}

export class TriMesh extends RapierShape {
  /** @param {ArrayLike<number>} vertices @param {ArrayLike<number>} indices three per triangle @param {number} [_flags] */
  constructor(vertices, indices, _flags) {
    super('trimesh', [vertices, indices])
    this.vertices = vertices
    this.indices = indices
  }
}

export class Heightfield extends RapierShape {
  /** @param {number} nrows cells along z @param {number} ncols cells along x @param {ArrayLike<number>} heights @param {VectorInput} scale of all of it @param {number} [_flags] */
  constructor(nrows, ncols, heights, scale, _flags) {
    super('heightfield', [nrows, ncols, heights, scale])
    this.nrows = nrows
    this.ncols = ncols
    this.heights = heights
    this.scale = xyz(triple(scale))
  }
}

export class HalfSpace extends RapierShape {
  /** @param {VectorInput} normal out of it */
  constructor(normal) {
    super('halfSpace', [normal])
    this.normal = xyz(triple(normal))
  }
}

/** @param {VectorInput} position @param {QuaternionInput} orientation @returns {Pose} */
export const poseAt = (position, orientation) => ({
  position: triple(position),
  orientation: quadruple(orientation),
})
