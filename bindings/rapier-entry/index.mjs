// `moreau/rapier`: the names of @dimforge/rapier3d, for programs that are written for it. A bundle of its own, which needs no other package.

import * as RAPIER from './exports.mjs'

export * from './exports.mjs'
export default RAPIER
