/**
 * Runs a sequence of lines and says what went wrong. What must hold: only errors of Moreau come out; what is refused
 * changes nothing, now or later; no NaN; no leak; the world can be used to the end.
 */
import { NAMES, Nothing, OnPurpose, Stage } from './stage.mjs'

/** What went wrong, and in which line. */
export class Finding extends Error {
  /**
   * @param {string} kind
   * @param {string} what
   * @param {ErrorOptions} [options]
   */
  constructor(kind, what, options) {
    super(`${kind}: ${what}`, options)
    this.kind = kind
  }
}

/** Steps after the last line, in which what was refused may show. */
const LAST_STEPS = 5

/** Steps between the snapshots of a recording. */
const KEY_FRAMES = 5

/** @type {Map<string, Function>} */
const compiled = new Map()

/** @param {string} line */
function compile(line) {
  const known = compiled.get(line)
  if (known) return known
  const made = new Function(...NAMES, `return (${line})`)
  if (compiled.size > 1e5) compiled.clear()
  compiled.set(line, made)
  return made
}

/**
 * @param {Stage} stage
 * @param {string} line
 * @returns {unknown} what it threw, or undefined
 */
function runLine(stage, line) {
  stage.hasOnce ||= line.includes('.once(')
  try {
    compile(line)(...NAMES.map((name) => /** @type {any} */ (stage)[name]))
    return undefined
  } catch (error) {
    return error
  }
}

/**
 * @typedef {object} Options
 * @property {any} moreau the package
 * @property {Record<string, unknown>} world options of the world
 * @property {boolean} skipTransactions whether refused steps may change the world
 * @property {import('./failing-memory.mjs').FailingMemory} [memory] that runs out while lines run
 */

/**
 * @param {readonly string[]} lines
 * @param {Options} options
 * @throws {Finding}
 */
export function checkSequence(lines, options) {
  const { moreau, memory } = options
  const keeper = new moreau.World()
  const before = keeper.memory().bytes
  const stage = new Stage(moreau, options.world)
  const kept = []
  for (const line of lines) {
    const hash = stage.world.hash()
    const run = () => runLine(stage, line)
    const error = memory ? memory.during(line, run) : run()
    if (error === undefined) kept.push(line)
    else checkError(error, line, moreau)
    const isStep = /world\.(step|advance)/.test(line)
    if (error !== undefined && !(isStep && options.skipTransactions)) {
      checkSame(hash, stage.world.hash(), `after the refused ${line}`)
    }
    checkNumbers(stage.world, line, moreau)
  }
  lastSteps(stage, moreau)
  const hash = stage.world.hash()
  stage.free()
  if (!options.skipTransactions) checkReplay(kept, hash, options)
  flush(keeper, moreau)
  const after = keeper.memory().bytes
  keeper.free()
  if (after !== before) throw new Finding('leak', `${after - before} bytes`)
}

/**
 * The same without the lines that were refused, and without reading on the way.
 * @param {readonly string[]} lines
 * @param {string} hash
 * @param {Options} options
 */
function checkReplay(lines, hash, { moreau, world }) {
  const stage = new Stage(moreau, world, { isPlain: true })
  const recording = stage.world.record({ keyframes: KEY_FRAMES })
  for (const line of lines) {
    const error = runLine(stage, line)
    if (error !== undefined) {
      throw new Finding('replay', `${line} is refused where it was not: ${text(error)}`)
    }
  }
  lastSteps(stage, moreau)
  const again = stage.world.hash()
  const bytes = recording.stop()
  stage.free()
  checkSame(hash, again, 'at the end of a replay without the refused lines')
  checkRecording(bytes, hash, moreau)
}

/**
 * The same from a recording of all calls. Those that need functions of the lines are left out.
 * @param {Uint8Array} bytes
 * @param {string} hash
 * @param {any} moreau
 */
function checkRecording(bytes, hash, { MoreauError, World }) {
  try {
    const { world, divergence } = World.replay(bytes)
    const again = world.hash()
    world.free()
    if (divergence) throw new Finding('diverged', divergence.message)
    checkSame(hash, again, 'at the end of a recording')
  } catch (error) {
    const isOfFunctions =
      error instanceof MoreauError && /functions? of|options\./.test(text(error))
    if (!isOfFunctions) throw error
  }
}

/**
 * @param {Stage} stage
 * @param {any} moreau
 */
function lastSteps({ world }, moreau) {
  for (let i = 0; i < LAST_STEPS; i++) {
    const line = 'a last world.step(1 / 60)'
    try {
      world.step(1 / 60)
    } catch (error) {
      checkError(error, line, moreau)
    }
    checkNumbers(world, line, moreau)
  }
}

/**
 * What came out of a line must be an error of Moreau.
 * @param {unknown} error
 * @param {string} line
 * @param {any} moreau
 * @throws {Finding}
 */
export function checkError(error, line, { MoreauError }) {
  if (error instanceof Nothing || error instanceof OnPurpose) return
  if (error instanceof WebAssembly.RuntimeError) {
    throw new Finding('trap', `${error.message} in ${line}`, { cause: error })
  }
  if (!(error instanceof MoreauError)) {
    throw new Finding('error', `${text(error)} in ${line}`, { cause: error })
  }
  const { code, message } = /** @type {any} */ (error)
  if (code === 'diverged') throw new Finding('diverged', `${message} in ${line}`)
  if (typeof code !== 'string' || code === '' || !/\w+:? \S/.test(message)) {
    throw new Finding('message', `${code}: ${message} in ${line}`)
  }
}

/** @param {unknown} error */
function text(error) {
  return error instanceof Error ? `${error.name}: ${error.message}` : typeof error
}

/**
 * @param {string} expected
 * @param {string} actual
 * @param {string} when
 */
function checkSame(expected, actual, when) {
  if (expected !== actual) throw new Finding('changed', `${expected} became ${actual} ${when}`)
}

/**
 * @param {any} world
 * @param {string} line
 * @param {any} moreau
 */
function checkNumbers(world, line, moreau) {
  const lists = /** @type {[string, ArrayLike<number>][]} */ ([
    ['transforms64', world.transforms64],
    ['velocities', world.velocities],
    ['transforms', world.transforms],
  ])
  for (const body of world.bodies) {
    lists.push([
      `body ${body.index}`,
      [body.kineticEnergy, ...body.angularMomentum, body.mass, ...body.inertia],
    ])
  }
  const sums = /** @type {[string, () => number[]][]} */ ([
    ['momentum', () => Object.values(world.momentum()).flat()],
    ['energy', () => Object.values(world.energy())],
  ])
  for (const [name, read] of sums) {
    try {
      lists.push([name, read()])
    } catch (error) {
      checkError(error, `world.${name}()`, moreau)
    }
  }
  for (const [name, numbers] of lists) {
    for (let i = 0; i < numbers.length; i++) {
      if (Number.isNaN(numbers[i])) throw new Finding('NaN', `${name}[${i}] after ${line}`)
    }
  }
}

/**
 * Has shapes that were made by the way and are kept for a while given back.
 * @param {any} world
 * @param {any} moreau
 */
export function flush(world, { MoreauError }) {
  try {
    world.createBody({ type: 'none' })
  } catch (error) {
    if (!(error instanceof MoreauError)) throw error
  }
}

/**
 * A script that does the same.
 * @param {readonly string[]} lines
 * @param {Record<string, unknown>} world
 */
export function scriptOf(lines, world) {
  return [
    `import * as moreau from 'moreau'`,
    `import { NAMES, Stage } from './tests/fuzz/javascript/stage.mjs'`,
    'await moreau.init()',
    `const stage = new Stage(moreau, ${JSON.stringify(world)})`,
    `const { ${NAMES.filter((name) => name !== 'moreau').join(', ')} } = stage`,
    'const run = (call) => { try { call() } catch (error) { console.log(String(error)) } }',
    ...lines.map((line) => `run(() => ${line.startsWith('{') ? `(${line})` : line})`),
    'console.log(world.hash())',
  ].join('\n')
}
