// `moreau/three`: physics for three.js scenes. three is the user's, an optional peer.

export { shapeFromGeometry } from './geometry.mjs'
export { MouseGrabber } from './grabber.mjs'
export { MoreauHelper } from './helper.mjs'
export { bodyFromObject3D, followBody, syncInstancedMesh } from './objects.mjs'
export { MoreauPhysics, MoreauPhysicsObject } from './physics.mjs'
export { RapierPhysics, RapierPhysicsObject } from './rapier-physics.mjs'
