/**
 * The commands of sweeps.
 */
import { availableParallelism } from 'node:os'
import {
  checkRedis,
  drainOnSignal,
  makeLog,
  makeRegistry,
  printedAddress,
  serveOperations,
} from '../operations/index.mjs'
import { EXPORT_FORMATS } from '../sweeps/export.mjs'
import { checkExport } from '../sweeps/file-sum.mjs'
import { runLocally } from '../sweeps/local.mjs'
import { referToScene } from '../sweeps/scene-reference.mjs'
import { checkParameters } from '../sweeps/scene.mjs'
import { AXIS_KINDS, gridPoints, readAxis } from '../sweeps/space.mjs'
import { chunkCount, makeSpec } from '../sweeps/spec.mjs'
import { summarize } from '../sweeps/statistics.mjs'
import { hashTable, openTable } from '../sweeps/table.mjs'
import {
  readFolder,
  readPort,
  readSeconds,
  readWhole,
  readWords,
  UsageError,
} from './arguments.mjs'
import { startProgress } from './progress.mjs'
import { openPlace } from './sweep-place.mjs'
import { checkFiles, writeFiles } from './sweep-files.mjs'
import { summaryText } from './sweep-text.mjs'

/** @typedef {import('../sweeps/spec.mjs').SweepSpec} SweepSpec */
/** @typedef {import('../sweeps/store.mjs').SweepStore} SweepStore */
/** @typedef {import('./sweep-place.mjs').SweepPlace} SweepPlace */

const EXIT = { ok: 0, unfinished: 3, interrupted: 130 }

const text = /** @type {const} */ ({ type: 'string' })
const placeOptions = { redis: text, folder: { ...text, default: 'moreau-sweeps' } }
const workOptions = {
  workers: { ...text, default: String(availableParallelism()) },
  deadline: { ...text, default: '300' },
  lease: { ...text, default: '30' },
  scenes: text,
}
const fileOptions = Object.fromEntries(EXPORT_FORMATS.map((format) => [format, text]))
const axisText = /** @type {const} */ ({ type: 'string', multiple: true })
const axisOptions = { grid: axisText, random: axisText, sobol: axisText, latin: axisText }
const spaceOptions = { runs: text, seed: { ...text, default: '1' }, chunk: text }

/** @param {string[]} words @returns {Promise<number>} */
async function sweep(words) {
  const options = {
    ...placeOptions,
    ...workOptions,
    ...fileOptions,
    ...axisOptions,
    ...spaceOptions,
  }
  const { values, name } = readWords('sweep', words, options, 'a scene')
  const { scene, folder } = referToScene(name)
  const axes = AXIS_KINDS.flatMap((kind) =>
    /** @type {string[]} */ (values[kind] ?? []).map((axis) => readAxis(kind, axis)),
  )
  const spec = makeSpec({
    ...{ scene, axes, seed: readWhole('--seed', values.seed, 0) },
    runs: values.runs === undefined ? gridPoints(axes) : readWhole('--runs', values.runs, 1),
    ...(values.chunk === undefined ? {} : { chunk: readWhole('--chunk', values.chunk, 1) }),
  })
  // Mistakes come before anything is kept.
  readSettings(values)
  checkFiles(values)
  await checkParameters(spec, values.scenes ?? folder)
  return inPlace(values, async (place) => {
    const store = place.storeOf(spec.id)
    await store.create(spec, values.scenes ?? folder)
    return work(place, store, spec, { ...values, scenes: values.scenes ?? folder })
  })
}

/** @param {string[]} words @returns {Promise<number>} */
async function resume(words) {
  const options = { ...placeOptions, ...workOptions, ...fileOptions }
  const { values, name } = readWords('resume', words, options, 'a sweep')
  readSettings(values)
  checkFiles(values)
  return inPlace(values, async (place) => {
    const { store, spec, scenes } = await findSweep(place, name)
    const folder = values.scenes ?? scenes
    // A folder without the scene is not written down in place of the one that has it.
    await checkParameters(spec, folder)
    await store.create(spec, folder)
    return work(place, store, spec, { ...values, scenes: folder })
  })
}

/**
 * Makes what is missing, then writes the files that were asked for.
 *
 * @param {SweepPlace} place
 * @param {SweepStore} store
 * @param {SweepSpec} spec
 * @param {{ workers: string, deadline: string, lease: string, scenes: string } & Record<string, any>} values
 */
async function work({ url }, store, spec, values) {
  const settings = readSettings(values)
  const bar = startProgress(spec.id, spec.space.runs)
  const { signal, stop } = endOnSignal()
  const options = {
    ...{ store, spec, ...settings, scenes: values.scenes, signal, onProgress: bar.update },
  }
  try {
    const done = await (url === undefined ? runLocally(options) : distribute({ ...options, url }))
    bar.stop()
    if (done) return await finish(store, spec, values)
    console.error(
      `sweep ${spec.id} is not done: moreau-services resume ${spec.id}${url ? ` --redis ${printedAddress(url)}` : ''}`,
    )
    return signal.aborted ? EXIT.interrupted : EXIT.unfinished
  } finally {
    bar.stop()
    stop()
  }
}

/**
 * BullMQ takes a fifth of a second to load, which no command without a queue shall wait for.
 * @param {Parameters<typeof import('../sweeps/distributed.mjs').runDistributed>[0]} options
 */
async function distribute(options) {
  const { runDistributed } = await import('../sweeps/distributed.mjs')
  return runDistributed(options)
}

/** @param {{ workers: string, deadline: string, lease: string, redis?: string }} values */
const readSettings = ({ workers, deadline, lease, redis }) => ({
  workers: readWhole('--workers', workers, redis === undefined ? 1 : 0),
  deadline: readSeconds('--deadline', deadline),
  lease: readSeconds('--lease', lease),
})

/** Ctrl-C and SIGTERM end a sweep so that it can go on later; a second one ends the process at once. */
function endOnSignal() {
  const ends = new AbortController()
  const onSignal = () => {
    if (ends.signal.aborted) process.exit(EXIT.interrupted)
    console.error('\nEnding; once more ends at once.')
    ends.abort()
  }
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  const stop = () => void process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  return { signal: ends.signal, stop }
}

/** @param {SweepStore} store @param {SweepSpec} spec @param {Record<string, any>} values */
async function finish(store, spec, values) {
  const table = await openSweep(store, spec)
  console.log(summaryText(await summarize(table), await hashTable(table)))
  await writeFiles(table, values)
  return EXIT.ok
}

/** @param {string[]} words @returns {Promise<number>} */
async function status(words) {
  const [name] = words.filter((word) => !word.startsWith('-'))
  const isNamed = name !== undefined && name === words[0]
  const { values } = readWords('status', isNamed ? words.slice(1) : words, placeOptions)
  return inPlace(values, async (place) => {
    const all = isNamed ? [name] : await place.list()
    if (all.length === 0)
      console.error(`there are no sweeps in ${place.url ? 'this Redis' : values.folder}`)
    for (const id of all) {
      const { store, spec } = await findSweep(place, id)
      const [done, chunks] = [await store.doneCount(), chunkCount(spec)]
      const state = done === chunks ? 'done' : await store.state()
      console.log(`${id}  ${state}  ${done} of ${chunks} chunks, ${spec.space.runs} runs`)
    }
    return EXIT.ok
  })
}

/** @param {string[]} words @returns {Promise<number>} */
async function cancel(words) {
  const { values, name } = readWords('cancel', words, placeOptions, 'a sweep')
  return inPlace(values, async (place) => {
    const { store } = await findSweep(place, name)
    await store.setState('cancelled')
    return EXIT.ok
  })
}

/** @param {string[]} words @returns {Promise<number>} */
async function exportSweep(words) {
  const { values, name } = readWords(
    'export',
    words,
    { ...placeOptions, ...fileOptions },
    'a sweep',
  )
  if (checkFiles(values) === 0)
    throw new UsageError(
      `export needs a file: ${EXPORT_FORMATS.map((format) => `--${format} <path>`).join(', ')}`,
    )
  return inPlace(values, async (place) => {
    const { store, spec } = await findSweep(place, name)
    await writeFiles(await openSweep(store, spec), values)
    return EXIT.ok
  })
}

/** Opens a table, and tells what nobody can check in it. @param {SweepStore} store @param {SweepSpec} spec */
async function openSweep(store, spec) {
  const table = await openTable(store, spec)
  if (table.unchecked > 0)
    console.error(
      `sweep ${spec.id}: ${table.unchecked} of ${chunkCount(spec)} chunks have no checksum, as they were written by an older version: nobody can tell whether they are whole`,
    )
  return table
}

/** @param {string[]} words @returns {Promise<number>} */
async function check(words) {
  if (words.length === 0 || words.some((word) => word.startsWith('-')))
    throw new UsageError('check needs the names of exported files, and has no options')
  for (const path of words) {
    await checkExport(path)
    console.log(`${path}: is as it was exported`)
  }
  return EXIT.ok
}

/** @param {string[]} words @returns {Promise<number>} */
async function worker(words) {
  const options = { redis: text, ...workOptions, port: text, host: text }
  const { values } = readWords('worker', words, options)
  if (values.redis === undefined) throw new UsageError('worker needs --redis')
  const workers = readWhole('--workers', values.workers, 1)
  const { deadline, lease } = readSettings(values)
  const scenes = readFolder('--scenes', values.scenes ?? process.cwd())
  const port = values.port === undefined ? undefined : readPort('--port', values.port, 0)
  await checkRedis(values.redis)
  const { startWorker } = await import('../sweeps/worker.mjs')
  const [log, registry] = [makeLog('sweep-worker'), makeRegistry()]
  let drains = false
  /** @type {{ worker?: ReturnType<typeof startWorker> }} */
  const running = {}
  const health = () => ({ ok: running.worker?.isRunning() === true && !drains, drains, workers })
  // A port that is taken is told of before any chunk is.
  const server =
    port === undefined
      ? undefined
      : await serveOperations({ port, host: values.host, registry, health, log })
  running.worker = startWorker({
    ...{ url: values.redis, scenes, workers, deadline, lease, log, registry },
  })
  log.info({ workers, port: server?.port }, 'ready')
  const drain = async () => {
    drains = true
    await running.worker?.close()
  }
  drainOnSignal({ drain, log })
  return new Promise(() => {})
}

/** @param {{ redis?: string, folder?: string }} values @param {(place: SweepPlace) => Promise<number>} command */
async function inPlace({ redis, folder = '' }, command) {
  const place = await openPlace({ folder, ...(redis === undefined ? {} : { redis }) })
  try {
    return await command(place)
  } finally {
    place.close()
  }
}

/** @param {SweepPlace} place @param {string} id */
async function findSweep(place, id) {
  const store = place.storeOf(id)
  const found = await store.read()
  if (found) return { store, ...found }
  const known = await place.list()
  throw new UsageError(
    `there is no sweep ${id}${known.length > 0 ? `; there are ${known.join(', ')}` : ''}`,
  )
}

export const sweepCommands = { sweep, resume, status, cancel, export: exportSweep, check, worker }
