// Geoms of MJCF: shapes that collide, and mass.

import { loadMesh, volumeOf, warnOfMesh } from '../meshes.mjs'
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
import { numberOf, numbersOf } from '../xml/reader.mjs'
import { readFrame } from './frames.mjs'

/** @import { ShapeDefinition, Vector } from '../../types/index.mjs' */
/** @import { Mesh } from '../meshes.mjs' */
/** @import { Frame } from '../rigid.mjs' */
/** @import { Inertial } from '../inertia.mjs' */
/** @import { Element } from '../xml/element.mjs' */
/** @import { Context } from './context.mjs' */

/** kg/m³ of geoms without a density */
const DENSITY = 1000
/** Sliding in 1, spinning and rolling in m, of geoms without friction. */
const FRICTION = [1, 0.005, 0.0001]
/** Latitudes and longitudes of the points whose hull stands for an ellipsoid: a hull of 1 % less volume. */
const ELLIPSOID_RINGS = 12
const ELLIPSOID_SIDES = 24

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
  const whole = (/** @type {string} */ name) => numberOf(element, name, 1, warnings)
  const bits = { contype: whole('contype'), conaffinity: whole('conaffinity') }
  const place = placeOf(element, context) ?? readFrame(element, units, warnings)
  const { sliding, spinning, rolling } = readFriction(element, context)
  const collides = bits.contype !== 0 || bits.conaffinity !== 0
  const surface = { friction: sliding, frictionCombine: /** @type {const} */ ('maximum') }
  return {
    shape: collides ? { ...solid.shape, ...surface, ...compose(place, solid.frame) } : null,
    inertial: readMass(element, solid, place, context),
    ...{ bits, spinning, rolling },
  }
}

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
  const written = numbersOf(element, 'friction', 1, warnings) ?? []
  const dimensions = numbersOf(element, 'condim', 1, warnings)?.[0]
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
 * The place of what is given by its ends.
 * @param {Element} element
 * @param {Context} context
 * @returns {Frame | null} null: it is given by its middle
 */
function placeOf(element, { warnings }) {
  const ends = numbersOf(element, 'fromto', 6, warnings)
  if (ends === undefined) return null
  const [from, to] = endsOf(ends)
  // MuJoCo has the axis of the geom point from the second end to the first.
  return {
    position: scale(add(from, to), 0.5),
    orientation: turnOnto([0, 0, 1], subtract(from, to)),
  }
}

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
  const sizes = numbersOf(element, 'size', 1, warnings) ?? []
  const ends = numbersOf(element, 'fromto', 6, warnings)
  if (ends === undefined) return sizes
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
  const [a, b, c] = sizesOf(element, context)
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
      context.warnings.add(element.path, 'the ellipsoid collides as a hull of points on it')
      const points = ellipsoidPoints([a, b, c])
      return { shape: { type: 'hull', points }, frame: ORIGIN, volume: ellipsoid(a, b, c) }
    }
    case 'mesh':
      return readMesh(element, context)
    default:
      context.warnings.add(element.path, `there is no shape for a geom of type '${type}': left out`)
      return null
  }
}

/**
 * @param {Element} element
 * @param {Context} context
 * @returns {Promise<Solid | null>}
 */
async function readMesh(element, { meshes, loader, warnings }) {
  const asset = meshes.get(element.attributes.mesh)
  if (asset === undefined) {
    warnings.add(`${element.path}/@mesh`, `there is no mesh '${element.attributes.mesh}': left out`)
    return null
  }
  asset.loaded ??=
    asset.inline === null
      ? loadMesh(loader, asset.file, asset.scale, asset.path, warnings)
      : Promise.resolve(asset.inline)
  const mesh = await asset.loaded
  if (mesh === null) return null
  warnOfMesh(element.path, warnings)
  return {
    shape: { type: 'hull', points: mesh.vertices },
    frame: ORIGIN,
    volume: massOf(mesh, element, warnings),
  }
}

/**
 * @param {Mesh} mesh
 * @param {Element} element
 * @param {Context['warnings']} warnings
 */
function massOf(mesh, element, warnings) {
  const volume = mesh.indices.length === 0 ? null : volumeOf(mesh)
  if (volume === null) warnings.add(element.path, 'the mesh encloses no volume: it has no mass')
  return volume
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
