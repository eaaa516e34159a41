/**
 * The tables of the rooms. What is measured in full, and the plot, go to services/results.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { measureCost } from '../rooms/cost.mjs'
import { measureLoad } from '../rooms/load.mjs'
import { runBadNetwork } from '../rooms/network.mjs'
import { plotCorrections } from '../rooms/plot.mjs'
import { measureRecovery } from '../rooms/recovery.mjs'

const RESULTS = fileURLToPath(new URL('../../results/', import.meta.url))

/** @typedef {Record<string, number | undefined>} Options */
/** @typedef {{ title: string, rows: string[][] }} TextTable */

/** Each gives its table. @type {Record<string, (options: Options) => Promise<TextTable>>} */
export const roomParts = { network, load, cost, recovery }

/** @param {string} name @param {unknown} result */
async function keep(name, result) {
  await mkdir(RESULTS, { recursive: true })
  const text = typeof result === 'string' ? result : `${JSON.stringify(result, null, 2)}\n`
  await writeFile(RESULTS + name, text)
}

/** Objects as rows of text. @param {readonly Record<string, any>[]} objects @param {Record<string, (one: any) => string | number>} columns headings, and what is below them @returns {string[][]} */
const rowsOf = (objects, columns) => [
  Object.keys(columns),
  ...objects.map((one) => Object.values(columns).map((text) => String(text(one)))),
]

/** @param {Options} options */
async function network({ minutes = 10 }) {
  const result = await runBadNetwork({ seconds: 60 * minutes })
  const { predicted, lockstep } = result.corrections
  const corrections = { predicted: summary(predicted), lockstep: summary(lockstep) }
  await keep('rooms-network.json', { ...result, corrections })
  const series = [
    { name: 'authoritative room, predicted', points: predicted },
    { name: 'lockstep room', points: lockstep },
  ]
  const title = 'Corrections of the own ball: 200 to 280 ms there and back, 5 % lost'
  await keep('rooms-corrections.svg', plotCorrections(title, series))
  return {
    title: `${minutes} minutes of ${result.bodies} bodies, 200 to 280 ms there and back, 5 % lost, another order`,
    rows: rowsOf(result.clients, {
      client: ({ name }) => name,
      'hashes equal': ({ matches }) => matches,
      'not equal': ({ mismatches }) => mismatches,
      rollbacks: ({ rollbacks }) => rollbacks,
      'frames made again': ({ resimulated }) => resimulated,
      'kbit/s, both ways': ({ kilobits }) => kilobits.toFixed(1),
    }),
  }
}

/** @param {[number, number][]} points */
function summary(points) {
  const sizes = points.map(([, size]) => size).sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => sizes[Math.floor(part * (sizes.length - 1))]
  return { count: sizes.length, median: at(0.5), p95: at(0.95), largest: at(1) }
}

/** @param {Options} options */
async function load(options) {
  const measured = await measureLoad(options)
  await keep('rooms-load.json', measured)
  const { processes = 2 } = options
  return {
    title: `Rooms of 50 bodies with a bot each, more and more of them, in ${processes} processes`,
    rows: rowsOf(measured, {
      rooms: ({ rooms }) => rooms,
      refused: ({ refused }) => refused,
      'frames per room and s': ({ rate }) => rate.toFixed(1),
      'step p50, ms': ({ p50 }) => p50.toFixed(2),
      'late p99, ms': ({ p99 }) => p99.toFixed(1),
      'of the time, busiest process': ({ busy }) => `${(100 * busy).toFixed(0)} %`,
      'of a core, per room': ({ cpu }) => `${(100 * cpu).toFixed(2)} %`,
      'MB, all': ({ memory }) => memory.toFixed(0),
      'bytes/s to a client, from it': ({ down, up }) => `${down.toFixed(0)}, ${up.toFixed(0)}`,
    }),
  }
}

/** @param {Options} options */
async function cost({ seconds = 10 }) {
  const measured = await measureCost(seconds)
  await keep('rooms-cost.json', measured)
  return {
    title: 'Rooms of 50 bodies with a player each, without sockets and Redis, in one process',
    rows: rowsOf(measured, {
      rooms: ({ rooms }) => rooms,
      'of a core, per room': ({ cpu }) => `${(100 * cpu).toFixed(2)} %`,
      'kB per room': ({ memory }) => memory.toFixed(0),
      'bytes/s to a client, from it': ({ down, up }) => `${down.toFixed(0)}, ${up.toFixed(0)}`,
    }),
  }
}

/** @param {Options} options */
async function recovery({ times = 5 }) {
  const measured = await measureRecovery(times)
  await keep('rooms-recovery.json', measured)
  return {
    title: 'From the end of a process to its room in another; two players, who play on',
    rows: rowsOf(measured, {
      signal: ({ signal }) => signal,
      'picked up after, s': ({ pickedUp }) => (pickedUp / 1000).toFixed(2),
      'players back after, s': ({ playersBack }) => (playersBack / 1000).toFixed(2),
      'own ball corrected by, m': ({ correction }) => correction.toFixed(3),
      'largest jump drawn, m in a frame': ({ jump }) => jump.toFixed(3),
      'hashes not equal': ({ mismatches }) => mismatches,
    }),
  }
}
