// Geoms of MJCF: shapes that collide, and mass.

import { describe } from '../../core/describe.mjs'
import { loadMesh, volumeOf, volumeOfHull } from '../meshes.mjs'
import { diagonal, placeInertial, times } from '../inertia.mjs'
import {
  add,
  compose,
  length,
  ORIGIN,
  scale,
  subtract,
  turnAbout,
  turnOnto,
  ZERO,
} from '../rigid.mjs'
import { refuse } from '../xml/place.mjs'
import { numberOf, numbersOf, wordOf } from '../xml/reader.mjs'
import { readFrame } from './frames.mjs'

/** @import { ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Mesh } from '../meshes.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context, MeshAsset } from './context.mjs' */

/** kg/m³ of geoms without a density */
const DENSITY = 1000
/** Sliding in 1, spinning and rolling in m, of geoms without friction. */
const FRICTION = [1, 0.005, 0.0001]
/** Latitudes and longitudes of the points whose hull stands for an ellipsoid: a hull of 1 % less volume. */
const ELLIPSOID_RINGS = 12
const ELLIPSOID_SIDES = 24

/** Numbers of `size` that a type needs. */
const SIZES = new Map([
  ['sphere', 1],
  ['capsule', 2],
  ['cylinder', 2],
  ['box', 3],
  ['ellipsoid', 3],
])

/** Ours are along y, those of MJCF along z. @type {Frame} */
const ALONG_Z = { position: ZERO, orientation: turnAbout([1, 0, 0], Math.PI / 2) }

/**
 * A geom.
 * @typedef {object} Geom
 * @property {ShapeDefinition | null} shape in the body's frame; null: it collides with nothing, or there is none
 * @property {Inertial | null} inertial in the body's frame
 * @property {{ contype: number, conaffinity: number }} bits
 * @property {number} spinning m
 * @property {number} rolling m
 */

/**
 * What a geom is made of: its shape in a frame of its own, and its volume.
 * @typedef {object} Solid
 * @property {ShapeDefinition} shape
 * @property {string} [instead] what is said where it collides: it does as something else
 * @property {Frame} frame of the shape in that of the geom
 * @property {Inertial | null} volume mass per density, in the frame of the geom; null: none
 */

/**
 * @param {Element} element with its defaults
 * @param {Context} context
 * @returns {Promise<Geom | null>}
 */
export async function readGeom(element, context) {
  const { units, warnings } = context
  const solid = await readSolid(element, context)
  if (solid === null) return null
  const whole = (/** @type {string} */ name) => wholeOf(element, name, context)
  const bits = { contype: whole('contype'), conaffinity: whole('conaffinity') }
  const place = placeOf(element, context) ?? readFrame(element, units, warnings)
  const { sliding, spinning, rolling } = readFriction(element, context)
  const collides = bits.contype !== 0 || bits.conaffinity !== 0
  if (collides && solid.instead !== undefined) warnings.add(element, solid.instead)
  const surface = { friction: sliding, frictionCombine: /** @type {const} */ ('maximum') }
  return {
    shape: collides ? { ...solid.shape, ...surface, ...compose(place, solid.frame) } : null,
    inertial: readMass(element, solid, place, context),
    ...{ bits, spinning, rolling },
  }
}

/**
 * Bits of a number.
 * @param {Element} element
 * @param {string} name
 * @param {Context} context
 */
function wholeOf(element, name, { warnings }) {
  const number = numberOf(element, name, 1, warnings)
  if (Number.isInteger(number) && Math.abs(number) <= MOST_BITS) return number
  warnings.add(element, `${number} is no whole number of 32 bits: 1 holds`, name)
  return 1
}

/** Largest number of 32 bits. */
const MOST_BITS = 0xffffffff

/**
 * @param {Element} element
 * @param {Solid} solid
 * @param {Frame} place
 * @param {Context} context
 * @returns {Inertial | null}
 */
function readMass(element, { volume }, place, { warnings }) {
  if (volume === null) return null
  const density = numberOf(element, 'density', DENSITY, warnings)
  const mass = numberOf(element, 'mass', density * volume.mass, warnings)
  if (mass === 0) return null
  const inertia = times(volume.inertia, mass / volume.mass)
  return placeInertial({ mass, center: volume.center, inertia }, place)
}

/**
 * Friction as the number of dimensions has it. Where none is written, numbers that are written hold.
 * @param {Element} element
 * @param {Context} context
 */
function readFriction(element, { warnings }) {
  const written = numbersOf(element, 'friction', [1, 3], warnings) ?? []
  const dimensions = dimensionsOf(element, warnings)
  const [sliding, spinning, rolling] = FRICTION.map((preset, i) => written[i] ?? preset)
  const has = (/** @type {number} */ least, /** @type {number} */ index) =>
    dimensions === undefined ? written[index] !== undefined : dimensions >= least
  return {
    sliding: dimensions === 1 ? 0 : sliding,
    spinning: has(4, 1) ? spinning : 0,
    rolling: has(6, 2) ? rolling : 0,
  }
}

/**
 * @param {Element} element
 * @param {Context['warnings']} warnings
 * @returns {number | undefined} undefined: it is not written
 */
const dimensionsOf = (element, warnings) =>
  element.attributes.condim === undefined
    ? undefined
    : Number(wordOf(element, 'condim', ['3', '1', '4', '6'], warnings))

/**
 * The place of what is given by its ends.
 * @param {Element} element
 * @param {Context} context
 * @returns {Frame | null} null: it is given by its middle
 */
function placeOf(element, { where, warnings }) {
  if (!hasEnds(element)) return null
  const ends = numbersOf(element, 'fromto', [6, 6], warnings)
  if (ends === undefined) return null
  const [from, to] = endsOf(ends)
  if (length(subtract(from, to)) === 0) {
    throw refuse(where, element, `its ends are one point: ${element.attributes.fromto}`)
  }
  // MuJoCo has the axis of the geom point from the second end to the first.
  return {
    position: scale(add(from, to), 0.5),
    orientation: turnOnto([0, 0, 1], subtract(from, to)),
  }
}

/** Whether it is of a type that may be given by its ends. @param {Element} element */
const hasEnds = ({ attributes }) => ALONG.includes(attributes.type)
const ALONG = ['capsule', 'cylinder', 'box', 'ellipsoid']

/**
 * @param {number[]} ends
 * @returns {[Vector, Vector]}
 */
const endsOf = (ends) => [
  [ends[0], ends[1], ends[2]],
  [ends[3], ends[4], ends[5]],
]

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {number[]} as many as there are: what `fromto` says is in the last place that the type has
 */
function sizesOf(element, { warnings }) {
  const sizes = numbersOf(element, 'size', [1, 3], warnings) ?? []
  const ends = numbersOf(element, 'fromto', [6, 6], warnings)
  if (ends !== undefined && !hasEnds(element)) {
    warnings.add(element, `a ${element.attributes.type ?? 'sphere'} has no ends`, 'fromto')
  }
  if (ends === undefined || !hasEnds(element) || sizes.length === 0) return sizes
  const half = length(subtract(...endsOf(ends))) / 2
  const { type } = element.attributes
  return type === 'box' || type === 'ellipsoid' ? [sizes[0], sizes[0], half] : [sizes[0], half]
}

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {Promise<Solid | null>} null: there is no such shape, with a warning
 */
async function readSolid(element, context) {
  const { type = element.attributes.mesh === undefined ? 'sphere' : 'mesh' } = element.attributes
  const sizes = sizesOf(element, context)
  const { mesh } = element.attributes
  if (mesh !== undefined && SIZES.has(type)) {
    const message = `the ${type} is not fitted to mesh ${describe(mesh)}: it is the mesh itself`
    context.warnings.add(element, message, 'type')
    return readMesh(element, context)
  }
  const count = SIZES.get(type) ?? 0
  if (sizes.length < count) {
    const message = `a ${type} must have ${count} numbers of size, got ${sizes.length}`
    throw refuse(context.where, element, message)
  }
  const bad = sizes.slice(0, count).find((size) => !(size > 0))
  if (bad !== undefined) {
    throw refuse(context.where, element, `the size of a ${type} must be above 0, got ${bad}`)
  }
  const [a, b, c] = sizes
  switch (type) {
    case 'plane':
      return { shape: { type, normal: [0, 0, 1], offset: 0 }, frame: ORIGIN, volume: null }
    case 'sphere':
      return { shape: { type, radius: a }, frame: ORIGIN, volume: ellipsoid(a, a, a) }
    case 'box':
      return { shape: { type, halfExtents: [a, b, c] }, frame: ORIGIN, volume: box(a, b, c) }
    case 'cylinder':
      return { shape: { type, radius: a, halfHeight: b }, frame: ALONG_Z, volume: cylinder(a, b) }
    case 'capsule':
      return { shape: { type, radius: a, halfHeight: b }, frame: ALONG_Z, volume: capsule(a, b) }
    case 'ellipsoid': {
      const shape = /** @type {const} */ ({ type: 'hull', points: ellipsoidPoints([a, b, c]) })
      const instead = 'the ellipsoid collides as a hull of points on it'
      return { shape, instead, frame: ORIGIN, volume: ellipsoid(a, b, c) }
    }
    case 'mesh':
      return readMesh(element, context)
    default:
      context.warnings.add(
        element,
        `there is no shape for a geom of type ${describe(type)}: left out`,
      )
      return null
  }
}

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {Promise<Solid | null>}
 */
async function readMesh(element, context) {
  const { meshes, warnings } = context
  const { mesh: name = '' } = element.attributes
  const asset = meshes.get(name)
  if (asset === undefined) {
    warnings.add(element, `there is no mesh ${describe(name)}: left out`, 'mesh')
    return null
  }
  asset.loaded ??=
    asset.inline === null
      ? loadMesh(asset.file, asset.scale, asset.element, context)
      : Promise.resolve(asset.inline)
  const mesh = await asset.loaded
  if (mesh === null) return null
  return {
    shape: { type: 'hull', points: mesh.vertices },
    instead: 'the mesh collides as its convex hull',
    frame: ORIGIN,
    volume: await meshVolume(asset, mesh, element, warnings),
  }
}

/**
 * The volume that a mesh encloses, or, as in MuJoCo, that of its hull where it has no faces.
 * @param {MeshAsset} asset
 * @param {Mesh} mesh
 * @param {Element} element
 * @param {Context['warnings']} warnings
 * @returns {Promise<Inertial | null>}
 */
async function meshVolume(asset, mesh, element, warnings) {
  const volume = volumeOf(mesh)
  if (volume !== null) return volume
  asset.hull ??= volumeOfHull(mesh)
  const hull = await asset.hull
  if (hull === null) warnings.add(element, 'the mesh encloses no volume: it has no mass')
  else if (mesh.indices.length > 0) {
    warnings.add(element, 'the mesh encloses no volume: that of its convex hull has its mass')
  }
  return hull
}

// --- volumes --------------------------------------------------------------------------------------

/**
 * @param {number} a half lengths of the axes, m
 * @param {number} b
 * @param {number} c
 * @returns {Inertial}
 */
function ellipsoid(a, b, c) {
  const mass = (4 / 3) * Math.PI * a * b * c
  const inertia = diagonal(b * b + c * c, a * a + c * c, a * a + b * b)
  return { mass, center: ZERO, inertia: times(inertia, mass / 5) }
}

/**
 * @param {number} a half lengths of the edges, m
 * @param {number} b
 * @param {number} c
 * @returns {Inertial}
 */
function box(a, b, c) {
  const mass = 8 * a * b * c
  const inertia = diagonal(b * b + c * c, a * a + c * c, a * a + b * b)
  return { mass, center: ZERO, inertia: times(inertia, mass / 3) }
}

/**
 * @param {number} r m
 * @param {number} h half of the height, m
 * @returns {Inertial}
 */
function cylinder(r, h) {
  const mass = 2 * Math.PI * r * r * h
  const across = (3 * r * r + 4 * h * h) / 12
  return { mass, center: ZERO, inertia: times(diagonal(across, across, (r * r) / 2), mass) }
}

/**
 * A cylinder and two half balls, whose centres are 3/8 of the radius beyond its ends.
 * @param {number} r m
 * @param {number} h half of the straight part, m
 * @returns {Inertial}
 */
function capsule(r, h) {
  const ball = (4 / 3) * Math.PI * r * r * r
  const straight = cylinder(r, h)
  const across = ball * ((2 / 5) * r * r + h * h + (3 / 4) * h * r)
  const along = ball * (2 / 5) * r * r
  const ends = diagonal(across, across, along)
  const inertia = straight.inertia.map((number, i) => number + ends[i])
  return { mass: straight.mass + ball, center: ZERO, inertia }
}

/**
 * @param {number[]} halves
 * @returns {number[]} three numbers per point
 */
function ellipsoidPoints(halves) {
  const points = []
  for (let ring = 0; ring <= ELLIPSOID_RINGS; ring++) {
    const up = turnAbout([0, 1, 0], (Math.PI * ring) / ELLIPSOID_RINGS)
    for (let side = 0; side < (ring % ELLIPSOID_RINGS === 0 ? 1 : ELLIPSOID_SIDES); side++) {
      const about = turnAbout([0, 0, 1], (2 * Math.PI * side) / ELLIPSOID_SIDES)
      const { position } = compose(
        { position: ZERO, orientation: about },
        compose({ position: ZERO, orientation: up }, { position: [0, 0, 1], orientation: up }),
      )
      points.push(...position.map((x, i) => x * halves[i]))
    }
  }
  return points
}
