/**
 * What the rounds say: of each figure the median of the rounds, and for every engine how much longer it takes than Moreau.
 */

/** @typedef {import('./rounds.mjs').Series} Series */
/** @typedef {import('./child.mjs').Measurement} Measurement */

/**
 * @typedef {object} Row
 * @property {string} scene
 * @property {string} engine
 * @property {string} version
 * @property {boolean} sleep
 * @property {number} bodies
 * @property {string} hash of the scene
 * @property {import('./times.mjs').Times | null} times ms; the median of the rounds
 * @property {number | null} bestCpu ms, the lowest `cpu` of the rounds
 * @property {number | null} ratio of `cpu` to Moreau's
 * @property {import('./referee.mjs').Verdict} verdict of the first round
 * @property {import('./rays.mjs').RayVerdict | null} rays
 * @property {Measurement['shown']} [shown] of the first round
 * @property {number | null} worstJointError m
 * @property {number} wasmBytes
 * @property {number} residentBytes
 */

/** @typedef {{ scene: string, engine: string, sleep: boolean, failure: string }} Failed */

/**
 * @param {Series[]} records
 * @returns {{ rows: Row[], failed: Failed[] }} in the order of the records
 */
export function summarize(records) {
  const rows = records.filter(({ failure }) => !failure).map((record) => rowOf(record))
  const ours = new Map(
    rows.filter(({ engine }) => engine === 'moreau').map((row) => [keyOf(row), row.times?.cpu]),
  )
  for (const row of rows) {
    const moreau = ours.get(keyOf(row))
    if (row.times && moreau) row.ratio = row.times.cpu / moreau
  }
  const failed = records.flatMap(({ scene, engine, sleep, failure }) =>
    failure ? [{ scene, engine, sleep, failure }] : [],
  )
  return { rows, failed }
}

/** @param {{ scene: string, sleep: boolean }} row */
export const keyOf = ({ scene, sleep }) => `${scene}, sleep ${sleep ? 'on' : 'off'}`

/**
 * @param {Series} record
 * @returns {Row}
 */
function rowOf({ scene, engine, sleep, measurements }) {
  const [first] = measurements
  const middle = (/** @type {(each: Measurement) => number} */ read) =>
    median(measurements.map(read))
  const time = (/** @type {'cpu' | 'median' | 'p95' | 'max' | 'stepMedian'} */ name) =>
    middle(({ times }) => times?.[name] ?? NaN)
  return {
    scene,
    engine,
    version: first.version,
    sleep,
    bodies: first.bodies,
    hash: first.hash,
    times: first.times && {
      cpu: time('cpu'),
      median: time('median'),
      p95: time('p95'),
      max: time('max'),
      stepMedian: time('stepMedian'),
      clock: first.times.clock,
    },
    bestCpu: first.times && Math.min(...measurements.map(({ times }) => times?.cpu ?? NaN)),
    ratio: null,
    verdict: first.verdict,
    rays: first.rays,
    shown: first.shown,
    worstJointError: first.worstJointError,
    wasmBytes: middle((each) => each.wasmBytes),
    residentBytes: middle((each) => each.residentBytes),
  }
}

/**
 * @param {number[]} values
 * @returns {number}
 */
function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const upper = sorted[sorted.length >> 1]
  return sorted.length % 2 ? upper : (upper + sorted[(sorted.length >> 1) - 1]) / 2
}

/**
 * Per scene and sleep mode: Moreau beside the best of the others.
 *
 * @param {Row[]} rows
 */
export function bestPeers(rows) {
  return rows
    .filter(({ engine, times }) => engine === 'moreau' && times)
    .flatMap((ours) => {
      const peers = rows.filter(
        (row) => row.engine !== 'moreau' && row.times && keyOf(row) === keyOf(ours),
      )
      if (peers.length === 0) return []
      const cpu = (/** @type {Row} */ row) => row.times?.cpu ?? Infinity
      const best = peers.reduce((least, row) => (cpu(row) < cpu(least) ? row : least))
      const { scene, sleep } = ours
      return [
        {
          scene,
          sleep,
          moreau: cpu(ours),
          peer: best.engine,
          peerCpu: cpu(best),
          ratio: cpu(ours) / cpu(best),
        },
      ]
    })
}
