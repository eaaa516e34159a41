/** @import { Body } from '../objects/body.mjs' */
/** @import { Vector, VectorLike } from './values.mjs' */

/**
 * How a wheel is built and what the driver does to it. All of it can be changed at any time, and is
 * checked by the next `update`.
 * @typedef {object} WheelSettings
 * @property {VectorLike} direction along the strut to the ground, in the frame of the chassis; default
 *   against the vehicle's `up`
 * @property {VectorLike} axle rolling forwards turns the wheel about it, by the right hand: it points
 *   to the left; default `up` x `forward`
 * @property {number} radius metres; default 0.35
 * @property {number} restLength metres: of the strut without a load; default 0.3
 * @property {number} travel metres: the strut gets no shorter than `restLength - travel`; default 0.2
 * @property {number} stiffness N/m, of the spring; default 30000
 * @property {number} compression N s/m, damping while the strut gets shorter; default 2000
 * @property {number} relaxation N s/m, damping while it gets longer; default 3000
 * @property {number} maxForce N: the most of spring and damper; default `Infinity`
 * @property {number} antiRoll N/m: of the bar to `antiRollWheel`; default 0
 * @property {number} antiRollWheel index of the wheel at the other end of the bar; default 0
 * @property {number} friction coefficient along the way that the wheel rolls; default 1
 * @property {number} sideFriction coefficient across it: both bound an ellipse; default 1
 * @property {number} engineForce N at the ground, forwards; default 0
 * @property {number} brake N at the ground: the most that resists rolling; default 0
 * @property {number} steering rad, to the left; default 0
 */

/**
 * @typedef {{ position: VectorLike } & Partial<WheelSettings>} WheelDefinition `position`: the upper
 *   end of the strut, in the frame of the chassis
 */

/**
 * What the last update found, written into the same object and the same arrays each time.
 * @typedef {object} WheelReadOuts
 * @property {boolean} isInContact
 * @property {boolean} isSliding friction is at its bound
 * @property {Body | null} ground what it stands on
 * @property {Vector} contactPoint metres, world
 * @property {Vector} contactNormal unit, world, out of the ground
 * @property {number} suspensionLength metres: of the strut; the rest length in the air
 * @property {number} suspensionForce N, along the contact normal
 * @property {number} forwardImpulse N s of the step, on the chassis, forwards
 * @property {number} sideImpulse N s, likewise along the axle
 * @property {number} rotation rad about the axle, for drawing the wheel
 * @property {number} spin rad/s
 * @property {Vector} forecastLinear m/s: of `ground` at the end of the step, if nothing but gravity,
 *   forces and the wheels changes how it moves. By that the next update knows what else carries it
 * @property {Vector} forecastAngular rad/s, likewise
 */

/** @typedef {{ position: VectorLike } & WheelSettings & WheelReadOuts} Wheel */

/**
 * @typedef {object} VehicleDefinition
 * @property {Body} chassis a dynamic body
 * @property {readonly WheelDefinition[]} wheels one or more
 * @property {VectorLike} [up] in the frame of the chassis; default `[0, 1, 0]`
 * @property {VectorLike} [forward] likewise; default `[1, 0, 0]`
 * @property {{ category?: number, mask?: number }} [filter] what the wheels stand on: shapes whose
 *   category has a bit in `mask` and whose mask has one in `category`; default all
 */

export {}
