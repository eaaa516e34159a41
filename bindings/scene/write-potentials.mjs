import { access } from '../core/access.mjs'

/** @import { Body } from '../objects/body.mjs' */
/** @import { Potential } from '../objects/potential.mjs' */
/** @import { PotentialMaking, PotentialMeasures } from '../definitions/potential-definition.mjs' */

/**
 * What `createPotential` takes of each type, from the numbers as the engine names them.
 * @type {Readonly<Record<string, (measures: PotentialMeasures) => Record<string, unknown>>>}
 */
const MEASURES = Object.freeze({
  gravity: ({ gravity }) => ({ gravity }),
  pointGravity: ({ center, mu, softening }) => ({ center, mu, softening }),
  tidal: ({ center, mu }) => ({ center, mu }),
  magnetic: ({ moment, field, center, sourceMoment }) => ({ moment, field, center, sourceMoment }),
  drag: ({ linearDrag, quadraticDrag, angularDrag, velocity }) => ({
    ...{ linear: linearDrag, quadratic: quadraticDrag, angular: angularDrag, velocity },
  }),
  spring: ({ anchorA, anchorB, stiffness, restLength, damping }) => ({
    ...{ anchorA, anchorB, stiffness, restLength, damping },
  }),
  buoyancy: ({ fluidDensity, surfaceNormal, surfaceOffset }) => ({
    density: fluidDensity,
    surface: { normal: surfaceNormal, offset: surfaceOffset },
  }),
  mutualGravity: ({ gravitationalConstant, softening }) => ({ gravitationalConstant, softening }),
  custom: () => ({}),
})

/**
 * A potential as a scene has it.
 * @param {Potential} potential
 * @param {ReadonlyMap<Body, number>} places of bodies
 * @returns {Record<string, unknown> | undefined} undefined: it has lost the bodies that it was made for
 */
export function writePotential(potential, places) {
  const making = access.potentialMaking(potential)
  const { type, typeName, bodies, measures } = making
  const left = bodies?.filter((body) => places.has(body)).map((body) => places.get(body))
  if (left?.length === 0 || (type === 'spring' && left?.length !== bodies?.length)) return undefined
  return {
    type,
    ...(type === 'custom' ? { typeName } : {}),
    ...(type === 'spring' ? { bodyA: left?.[0], bodyB: left?.[1] ?? null } : { bodies: left }),
    ...MEASURES[type](measures),
    ...writeRegion(making),
  }
}

/**
 * @param {PotentialMaking} making
 * @returns {Record<string, unknown>}
 */
function writeRegion({ measures: { region } }) {
  const { type, center, radius, halfExtents, orientation } = region
  if (type === 'sphere') return { region: { type, center, radius } }
  return type === 'box' ? { region: { type, center, halfExtents, orientation } } : {}
}
