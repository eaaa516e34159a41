import { ENUMS } from '../enums.mjs'
import { combineRule, filter, shape } from './shapes.mjs'
import {
  flag,
  fraction,
  list,
  nonNegative,
  number,
  object,
  oneOf,
  positive,
  quaternion,
  text,
  told,
  vector,
} from './values.mjs'

// Bodies as a scene has them: the definitions of createBody, and what only a file has.

/** @typedef {import('./values.mjs').Schema} Schema */

/** The words of an enum. @param {keyof typeof ENUMS} name */
export const wordsOf = (name) => oneOf(ENUMS[name].words.filter((word) => typeof word === 'string'))

/** Of any body, joint, constraint or potential: what JSON can hold. @type {Schema} */
export const userData = { description: 'what the program keeps with it' }

const locks = told('axes of the world, all or each', {
  anyOf: [flag, list(flag, 3)],
})

const target = told(
  'Where a kinematic body is on its way to, as by moveTo; isReached: it stops in the next step.',
  object({ position: vector, orientation: quaternion, time: nonNegative, isReached: flag }, [
    ...['position', 'orientation'],
  ]),
)

export const body = {
  ...object({
    name: told('for bodyA, bodyB and bodies, instead of the index; unique', text),
    type: told('default dynamic', wordsOf('bodyType')),
    position: told('m, of the origin of the body; default 0', vector),
    orientation: told('x y z w, world from body; default no rotation', quaternion),
    linearVelocity: told('m/s, of the centre of mass; default 0', vector),
    angularVelocity: told('rad/s; default 0', vector),
    shape,
    shapes: list(shape),
    mass: told('kg; default: that of the shapes', positive),
    density: told('kg/m³, of shapes that have none; default 1000', positive),
    inertia: told('kg m², about the centre of mass: 3 numbers of the diagonal, or 9 by rows', {
      anyOf: [list(number, 3), list(number, 9)],
    }),
    centerOfMass: told('m, in the frame of the body; default: that of the shapes', vector),
    friction: told('default 0.5', nonNegative),
    restitution: told('default 0', fraction),
    linearDamping: told('1/s; default 0', nonNegative),
    angularDamping: told('1/s; default 0', nonNegative),
    gravityScale: told('default 1', number),
    solver: told('default: that of the world', wordsOf('solver')),
    filter,
    sensor: flag,
    isEnabled: told('false: it takes part in nothing; default true', flag),
    bullet: flag,
    allowSleep: told('default true', flag),
    lockTranslation: locks,
    lockRotation: locks,
    frictionCombine: combineRule,
    restitutionCombine: combineRule,
    rollingFriction: told('m; default 0', nonNegative),
    spinningFriction: told('m; default 0', nonNegative),
    surfaceVelocity: told('m/s, in the frame of the body; default 0', vector),
    force: told('N, world: for the next step', vector),
    torque: told('N m, world: for the next step', vector),
    target,
    asleep: told('whether it sleeps, with all that it is joined to; default false', flag),
    userData,
  }),
  not: { required: ['shape', 'shapes'] },
}
