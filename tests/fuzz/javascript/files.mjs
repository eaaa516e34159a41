/**
 * Files that are changed at random (mutations.mjs), read by `moreau/import`. What must hold: a world that steps, or an error of Moreau
 * with the world as it was; never another error, a trap or a NaN.
 */
import fc from 'fast-check'
import { init, MoreauError, World } from 'moreau'
import { exportGLTF, importGLTF, importMJCF, importURDF } from 'moreau/import'
import { Finding } from './check.mjs'
import { SAMPLES } from './file-samples.mjs'
import { changeBytes, changeJson, changes, changeXml } from './mutations.mjs'

/** @typedef {import('./mutations.mjs').Change} Change */
/** @typedef {import('./file-samples.mjs').Sample} Sample */

const STEPS = 3
/** Milliseconds that the search for a shorter failure may take. */
const SHRINK_TIME = 20_000

const TETRAHEDRON = {
  vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
}
const INNER = '<mujocoinclude><body name="inner"><joint/><geom size="0.1"/></body></mujocoinclude>'

/** What loaders of users give, or do instead. @type {((uri: string) => unknown)[]} */
const LOADERS = [
  (uri) => (uri.endsWith('.xml') ? INNER : TETRAHEDRON),
  () => null,
  () => {
    throw new RangeError('no such file')
  },
  async () => {
    throw 'rejected'
  },
  () => ({ vertices: [0, 0, NaN], indices: [0, 1, 9] }),
  () => ({ vertices: { length: 3 } }),
  () => '<mujocoinclude',
  () => INNER,
  () => new Uint8Array(7),
  () => ({ vertices: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1] }),
]

/** How a file is read. */
const options = fc.record({
  sample: fc.nat({ max: SAMPLES.length - 1 }),
  loader: fc.oneof(
    { arbitrary: fc.constant(0), weight: 6 },
    { arbitrary: fc.nat({ max: LOADERS.length - 1 }), weight: 3 },
  ),
  filter: fc.constantFrom(undefined, undefined, undefined, { group: -1 }, { category: 2, mask: 1 }),
  flag: fc.boolean(),
  list: changes,
})

/** @param {Sample} sample @param {Change[]} list @returns {any} */
function mutated({ kind, text }, list) {
  if (kind !== 'gltf') return list.reduce(changeXml, text)
  const json = JSON.parse(text)
  const [{ kind: form }] = list
  if (form % 5 === 0) return list.reduce(changeBytes, glbOf(text))
  for (const change of list) changeJson(json, change)
  return form % 5 === 1 ? JSON.stringify(json) : json
}

/** A GLB of a text of JSON, without a binary part. @param {string} text */
export function glbOf(text) {
  const json = new TextEncoder().encode(text.padEnd(4 * Math.ceil(text.length / 4)))
  const bytes = new Uint8Array(20 + json.length)
  const view = new DataView(bytes.buffer)
  const words = [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a]
  words.forEach((word, i) => view.setUint32(4 * i, word, true))
  bytes.set(json, 20)
  return bytes
}

/** @param {Sample} sample */
const readerOf = ({ kind }) =>
  kind === 'urdf' ? importURDF : kind === 'mjcf' ? importMJCF : importGLTF

/**
 * @param {any} run what `options` gives
 */
export async function checkFile({ sample: at, loader, filter, flag, list }) {
  const sample = SAMPLES[at]
  const file = mutated(sample, list)
  const world = new World({
    gravity: [0, 0, -9.81],
    solver: flag ? 'exact' : 'auto',
    warnings: false,
  })
  try {
    world.createBody({ type: 'static', shape: { type: 'plane', normal: [0, 0, 1], offset: -3 } })
    const hull = /** @type {const} */ ({ type: 'hull', points: TETRAHEDRON.vertices })
    world.createBody({ shape: hull, position: [0, 0, 9] })
    world.step(1 / 60)
    const before = world.hash()
    const own = sample.kind === 'urdf' ? { fixedBase: flag } : {}
    const body = filter === undefined ? {} : { filter }
    let read
    try {
      read = await readerOf(sample)(
        file,
        /** @type {any} */ ({ world, loader: LOADERS[loader], body, ...own }),
      )
    } catch (error) {
      checkError(error, 'import')
      if (world.hash() !== before) throw new Finding('changed', 'the world after a refused file')
      checkSteps(world)
      return
    }
    checkRead(read)
    checkSteps(world)
    if (sample.kind === 'gltf') exportGLTF(world)
  } finally {
    world.free()
  }
}

/** @param {any} read */
function checkRead(read) {
  for (const { path, message } of read.warnings) {
    const isGood = typeof path === 'string' && typeof message === 'string' && message !== ''
    if (!isGood || /undefined|\[object/.test(message))
      throw new Finding('warning', `${path}: ${message}`)
  }
  if (read.links === undefined) return
  const attempt = (/** @type {() => void} */ call) => {
    try {
      call()
    } catch (error) {
      checkError(error, String(call))
    }
  }
  for (const name of Object.keys(read.links)) attempt(() => read.frame(name))
  attempt(() =>
    read.setConfiguration(
      Object.fromEntries(Object.keys(read.jointData).map((name) => [name, 0.1])),
    ),
  )
  attempt(() => read.hold())
}

/** @param {any} world */
function checkSteps(world) {
  for (let i = 0; i < STEPS; i++) {
    try {
      world.step(1 / 240)
    } catch (error) {
      checkError(error, 'step')
    }
  }
  for (const body of world.bodies) {
    if (![...body.position, ...body.orientation].every(Number.isFinite)) {
      throw new Finding('NaN', `body ${body.index}`)
    }
  }
}

/** @param {unknown} error @param {string} when */
function checkError(error, when) {
  const { name, message, stack } = /** @type {any} */ (error ?? {})
  if (!(error instanceof MoreauError)) {
    throw new Finding('error', `${name}: ${message} in ${when}\n${stack}`, { cause: error })
  }
  const { code, cause } = /** @type {any} */ (error)
  const isOfProgram =
    cause instanceof TypeError || (cause instanceof RangeError && code !== 'callback-failed')
  if (isOfProgram || cause instanceof WebAssembly.RuntimeError || code === 'wasm-failed') {
    throw new Finding('error', `${message}\n${/** @type {any} */ (cause)?.stack}`, { cause: error })
  }
  // What is not there is told of as `got undefined`.
  if (!/^\w+: \S/.test(message) || /(?<!got )undefined|\[object/.test(message)) {
    throw new Finding('message', `${code}: ${message}`)
  }
}

/**
 * @param {object} run
 * @param {number} run.files
 * @param {number} run.seed of the first
 * @param {(text: string) => void} run.say
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runFiles({ files, seed, say }) {
  await init()
  const property = fc.asyncProperty(options, checkFile)
  const count = { passed: 0, failed: 0 }
  for (let i = 0; i < files; i++) {
    const parameters = { seed: seed + i, numRuns: 1, interruptAfterTimeLimit: SHRINK_TIME }
    const result = await fc.check(property, parameters)
    if (!result.failed || result.counterexample === null) {
      count.passed++
      continue
    }
    count.failed++
    const [run] = result.counterexample
    const file = mutated(SAMPLES[run.sample], run.list)
    const error = /** @type {any} */ (result.errorInstance)
    say(`\n--files --seed ${seed + i}: ${error?.message}`)
    if (!(error instanceof Finding)) say(String(error?.stack))
    say(
      `${JSON.stringify({ ...run, list: undefined })}\n${typeof file === 'string' ? file : JSON.stringify(file)}\n`,
    )
  }
  return count
}
