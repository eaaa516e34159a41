/**
 * Measures the rooms: node bench.mjs <network|load|cost|recovery> [options]. Tables go to the terminal, plots and figures to services/results.
 *
 *   network [--minutes 10]                rooms over a bad network
 *   load [--processes 2] [--seconds 8] [--rooms 400] [--busy 0.75]   how many rooms are in time
 *   cost [--seconds 10]                   what a room takes, whatever else the machine does
 *   recovery [--times 5]                  from the end of a process to its room in another
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const RESULTS = fileURLToPath(new URL('../../results/', import.meta.url))

/** @type {Record<string, (options: Record<string, number>) => Promise<object>>} */
const BENCHES = {
  async network({ minutes = 10 }) {
    const { runBadNetwork } = await import('./network.mjs')
    const { plotCorrections } = await import('./plot.mjs')
    const result = await runBadNetwork({ seconds: 60 * minutes })
    const { predicted, lockstep } = result.corrections
    const series = [
      { name: 'authoritative room, predicted', points: predicted },
      { name: 'lockstep room', points: lockstep },
    ]
    const title = 'Corrections of the own ball: 200 to 280 ms there and back, 5 % lost'
    await writeFile(`${RESULTS}rooms-corrections.svg`, plotCorrections(title, series))
    console.table(result.clients)
    return {
      ...result,
      corrections: { predicted: summary(predicted), lockstep: summary(lockstep) },
    }
  },
  async load(options) {
    const { measureLoad } = await import('./load.mjs')
    const rows = await measureLoad(options)
    console.table(rows)
    return { rows }
  },
  async cost({ seconds = 10 }) {
    const { measureCost } = await import('./cost.mjs')
    const rows = await measureCost(seconds)
    console.table(rows)
    return { rows }
  },
  async recovery({ times = 5 }) {
    const { measureRecovery } = await import('./recovery.mjs')
    const rows = await measureRecovery(times)
    console.table(rows)
    return { rows }
  },
}

/** @param {[number, number][]} points */
function summary(points) {
  const sizes = points.map(([, size]) => size).sort((a, b) => a - b)
  const at = (/** @type {number} */ part) => sizes[Math.floor(part * (sizes.length - 1))]
  return { count: sizes.length, median: at(0.5), p95: at(0.95), largest: at(1) }
}

const number = /** @type {const} */ ({ type: 'string' })
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: number,
    processes: number,
    seconds: number,
    times: number,
    busy: number,
    rooms: number,
  },
})
const [name] = positionals
if (!BENCHES[name]) throw new Error(`which? ${Object.keys(BENCHES).join(', ')}`)
await mkdir(RESULTS, { recursive: true })
const options = Object.fromEntries(
  Object.entries(values).map(([key, value]) => [key, Number(value)]),
)
const result = await BENCHES[name](options)
await writeFile(`${RESULTS}rooms-${name}.json`, `${JSON.stringify(result, null, 2)}\n`)
console.log(JSON.stringify(result))
process.exit(0)
