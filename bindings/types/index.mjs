// The types that options and results are made of. There is no code in this folder.

export * from './body.mjs'
export * from './constraint.mjs'
export * from './names.mjs'
export * from './potential.mjs'
export * from './problem.mjs'
export * from './query.mjs'
export * from './report.mjs'
export * from './shape.mjs'
export * from './values.mjs'
export * from './vehicle.mjs'
export * from './world.mjs'
