/**
 * What slides and rolls over floors: bodies of about the same radius in all directions.
 */

/**
 * @typedef {object} Mover
 * @property {any} body shape and orientation
 * @property {number} height m: of its origin over the floor
 * @property {number} [rolling] m: the radius on which it rolls, where it does not slide
 */

/** A quarter of a turn about x: what has its axis along y lies along z. */
const LYING = [Math.SQRT1_2, 0, 0, Math.SQRT1_2]

/** @param {number} x @param {number} y @param {number} z */
const box = (x, y, z) => ({ type: 'box', halfExtents: [x, y, z] })

/** Corners of a block that is narrower above. @param {number} r */
const frustum = (r) =>
  [
    [-1, 1],
    [0.6, -0.6],
  ].flatMap(([a, b], above) =>
    [
      [a, a],
      [a, b],
      [b, a],
      [b, b],
    ].flatMap(([x, z]) => [x * r, (above ? 1 : -1) * r, z * r]),
  )

/** Corners of triangles of a block's faces, in single precision, as a file of a mesh has them: facets of one face differ by round-off. @param {number} r */
function corners(r) {
  const marks = [-1, -1 / 3, 1 / 3, 1]
  const turn = Math.fround(0.6)
  return marks.flatMap((x) =>
    marks.flatMap((y) =>
      marks.flatMap((z) => {
        if (Math.max(Math.abs(x), Math.abs(y), Math.abs(z)) < 1) return []
        const [c, s] = [Math.cos(turn), Math.sin(turn)]
        return [x * c + z * s, y, z * c - x * s].map((q) => Math.fround(q * r))
      }),
    ),
  )
}

/** @param {number} r */
const sledge = (r) => [
  { ...box(r, 0.4 * r, 0.3 * r), position: [0, -0.6 * r, -0.5 * r] },
  { ...box(r, 0.4 * r, 0.3 * r), position: [0, -0.6 * r, 0.5 * r] },
  { ...box(0.5 * r, 0.5 * r, 0.8 * r), position: [0, 0.2 * r, 0] },
]

/** @param {any} shape @param {number} height @returns {Mover} */
const standing = (shape, height) => ({ body: { shape }, height })
/** @param {any} shape @param {number} radius @returns {Mover} */
const lying = (shape, radius) => ({ body: { shape, orientation: LYING }, height: radius })
/** @param {Mover} mover @returns {Mover} */
const rolling = (mover) => ({ ...mover, rolling: mover.height })

/** @param {number} r */
const ball = (r) => standing({ type: 'sphere', radius: r }, r)
/** @param {number} r */
const capsule = (r) => lying({ type: 'capsule', radius: 0.5 * r, halfHeight: r }, 0.5 * r)
/** @param {number} r */
const cylinder = (r) => ({ type: 'cylinder', radius: r, halfHeight: r })

/** @type {Record<string, (r: number) => Mover>} by radius, m */
export const MOVERS = {
  box: (r) => standing(box(r, r, r), r),
  ball,
  'rolling ball': (r) => rolling(ball(r)),
  capsule,
  'rolling capsule': (r) => rolling(capsule(r)),
  cylinder: (r) => standing(cylinder(r), r),
  'rolling cylinder': (r) => rolling(lying(cylinder(r), r)),
  cone: (r) => standing({ type: 'cone', radius: r, halfHeight: r }, r),
  hull: (r) => standing({ type: 'hull', points: frustum(r) }, r),
  'hull of a mesh': (r) => standing({ type: 'hull', points: corners(r) }, r),
  'rounded box': (r) => standing({ ...box(0.9 * r, 0.9 * r, 0.9 * r), radius: 0.1 * r }, r),
  compound: (r) => ({ body: { shapes: sledge(r) }, height: r }),
}
