// What is run everywhere: a box falls on a slope and slides. The hash of its world is the same in every environment.

/** @typedef {'inlined' | 'slim' | 'threads'} Kind */

/** What is imported. @type {Record<Kind, string>} */
export const ENTRY = { inlined: 'moreau', slim: 'moreau/slim', threads: 'moreau/threads' }

const STEPS = `
  const world = new World()
  world.createBody({ type: 'static', shape: { type: 'plane', normal: [0.1, 1, 0], offset: 0 } })
  world.createBody({ shape: { type: 'box', halfExtents: [0.5, 0.5, 0.5] }, position: [0, 2, 0] })
  for (let i = 0; i < 120; i++) world.step(1 / 60)
  const hash = world.hash()
  world.free()
  return hash`

/** @param {Kind} kind @param {string} given what init is given besides */
const body = (kind, given) => {
  const threads = kind === 'threads' ? 'threads: 2' : ''
  return `async function run() {
  await init({ ${[threads, given].filter(Boolean).join(', ')} })${STEPS}
}`
}

/**
 * A module that exports `run`, which gives the hash.
 * @param {Kind} kind
 * @param {string} [given] what `init` is given besides
 * @param {string} [before] more imports
 */
export const moduleText = (kind, given = '', before = '') =>
  `${before}\nimport { init, World } from '${ENTRY[kind]}'\nexport ${body(kind, given)}\n`

/** The same as CommonJS. @param {Kind} kind */
export const commonText = (kind) =>
  `const { init, World } = require('${ENTRY[kind]}')\n${body(kind, '')}\nmodule.exports = { run }\n`

/** Prints the hash, or the error. @param {string} how `run` is had */
export const printing = (how) =>
  `${how}\nrun().then(console.log, (error) => { console.error(error); process.exitCode = 1 })\n`

/** Puts the hash into the title of a page, or the error. */
export const titling = `run().then(
  (hash) => { document.title = hash },
  (error) => { document.title = 'failed: ' + error },
)\n`
